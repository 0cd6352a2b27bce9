package polite

import (
	"testing"
	"time"
)

// Work that yields goes on, whether or not others want the core.
func TestYield(t *testing.T) {
	t.Parallel()
	var turn Turn
	for range 3 {
		turn.since = time.Time{} // it is time
		turn.Yield()
		if time.Since(turn.since) > time.Minute {
			t.Fatal("others were not let go first")
		}
	}
	before := turn.since.Add(time.Hour) // it is not
	turn.since = before
	if turn.Yield(); turn.since != before {
		t.Error("others were let go first too early")
	}
}

func BenchmarkYield(b *testing.B) {
	var turn Turn
	for b.Loop() {
		turn.since = time.Time{}
		turn.Yield()
	}
}
