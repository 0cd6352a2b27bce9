package yield

import (
	"testing"
	"time"
)

// Work that yields goes on, whether or not others want the core.
func TestYield(t *testing.T) {
	t.Parallel()
	var y Yielder
	for range 3 {
		y.last = time.Time{} // it is time
		y.Yield()
		if time.Since(y.last) > time.Minute {
			t.Fatal("did not yield")
		}
	}
	before := y.last.Add(time.Hour) // it is not
	y.last = before
	if y.Yield(); y.last != before {
		t.Error("yielded too early")
	}
}

func BenchmarkYield(b *testing.B) {
	var y Yielder
	for b.Loop() {
		y.last = time.Time{}
		y.Yield()
	}
}
