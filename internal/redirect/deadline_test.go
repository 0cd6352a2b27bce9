package redirect

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// The context ends at its time for who looks and for who waits.
func TestLazyDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		looked, waited := &lazyDeadline{end: time.Now().Add(time.Second)},
			&lazyDeadline{end: time.Now().Add(time.Second)}
		defer looked.cancel()
		defer waited.cancel()
		if looked.Err() != nil || waited.Err() != nil {
			t.Error("ended at once")
		}
		begun := time.Now()
		<-waited.Done()
		if time.Since(begun) != time.Second {
			t.Errorf("waited for %v", time.Since(begun))
		}
		for _, c := range []*lazyDeadline{looked, waited} {
			if !errors.Is(c.Err(), context.DeadlineExceeded) {
				t.Errorf("after its end: %v", c.Err())
			}
		}
	})
}
