package ingest

import (
	"testing"
	"time"
)

// The pause after a batch grows with the time that it took, until clicks would be counted late.
func TestPause(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, test := range []struct {
		n                int
		took, slow, want time.Duration
	}{
		{quietBatch, 2000 * ms, 2000 * ms, minPause},
		{1000, 1 * ms, 1 * ms, minPause},
		{1000, 10 * ms, 10 * ms, 190 * ms},
		{1000, 50 * ms, 50 * ms, 950 * ms},
		{1000, 100 * ms, 100 * ms, 1000 * ms},
		{1000, 200 * ms, 200 * ms, 800 * ms},
		{1000, 300 * ms, 300 * ms, 600 * ms},
		{1000, 100 * ms, 600 * ms, 500 * ms},
		{1000, 400 * ms, 400 * ms, 400 * ms},
		{1000, 600 * ms, 600 * ms, 600 * ms},
	} {
		i := &Ingester{n: test.n, took: test.took, slow: test.slow}
		if got := i.pause(nil); got != test.want {
			t.Errorf("after %d clicks in %v, %v at most: %v, want %v", test.n, test.took, test.slow,
				got, test.want)
		}
		if lag := test.took + i.pause(nil) + test.slow; test.n > quietBatch &&
			test.took <= 400*ms && lag > maxLag {
			t.Errorf("batches of %v, %v at most: a click waits %v", test.took, test.slow, lag)
		}
		i.full = true
		if got := i.pause(nil); got != 0 {
			t.Errorf("a pause of %v while more clicks wait", got)
		}
	}
}
