package console

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

// In a pipe there is a line every ten seconds, so short work says nothing.
func TestProgressInAPipe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		work := Work{Text: "0 links"}
		begun := time.Now()
		stop := Env{Err: &log}.Progress("Importing", func() Work {
			if time.Since(begun) > 15*time.Second {
				work = Work{Done: 20, Total: 100, Text: "1,234 links"}
			}
			return work
		})
		time.Sleep(29 * time.Second)
		stop()
		want := "Importing 0 links\nImporting 1,234 links, 20%, 1m20s left\n"
		if log.String() != want {
			t.Errorf("%q, want %q", &log, want)
		}
	})
}
