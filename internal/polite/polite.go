// Package polite lets background work share a core with requests.
//
// The kernel lets a thread that computes run for some milliseconds before it looks whether others
// want to, and Go a goroutine for ten. Requests that arrive meanwhile wait. Work that calls
// Turn.Yield often lets them go first.
//
// The package may know nothing of what the work is.
package polite

import "time"

// slice is how long work goes on before it lets others go first. It adds to the latency of a
// request.
const slice = 200 * time.Microsecond

// Turn is one goroutine's way to let others go first.
type Turn struct{ since time.Time } // when they were let go first

// Yield lets others go first when the work has gone on for some 200 µs since that was done last.
// When nobody else wants the core it costs less than a microsecond, otherwise 50 ns. On a core that
// requests fill, work that yields gets about a twentieth of it: what the others do before the
// kernel asks again takes four milliseconds.
func (t *Turn) Yield() {
	if time.Since(t.since) >= slice {
		Yield()
		t.since = time.Now()
	}
}
