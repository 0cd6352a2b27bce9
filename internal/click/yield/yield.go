// Package yield lets background work share a core with requests.
//
// The kernel lets a thread compute for some milliseconds before it checks whether others want to
// run, and Go a goroutine for ten. Requests that arrive meanwhile wait. Work that calls
// Yielder.Yield often lets them go first.
//
// Only counting clicks needs it. A lower priority of its thread would let redirects go first, too,
// but creating links waits for the batch that is being counted, three times as long then
// (docs/experiments.md).
//
// The package knows nothing of the work.
package yield

import "time"

// slice is how long work runs before it yields. It adds to the latency of a request.
const slice = 200 * time.Microsecond

// Yielder yields the core at intervals, for one goroutine.
type Yielder struct{ last time.Time } // when it yielded

// Yield yields if the work has run for some 200 µs since it did so last. When nothing else wants
// the core, yielding costs less than a microsecond; a call that does not yield costs 50 ns. On a
// core that requests fill, work that yields gets about a twentieth of it: what the others do before
// the kernel asks again takes four milliseconds.
func (y *Yielder) Yield() {
	if time.Since(y.last) >= slice {
		now()
		y.last = time.Now()
	}
}
