// Package codeindex remembers which link has a code, in 12 bytes of memory a link.
//
// A store may do without it, and gives the same answers then. What it gives: an unknown code is
// answered in 0.5 µs instead of 6.5, and with 10,000,000 links a look-up that is not cached takes
// 5.3 µs instead of 12.8 (docs/experiments.md, "A filter of all codes" and "A table of all codes").
// Rows "unknown codes" and "cold links" of docs/performance.md depend on it.
//
// It knows no database. The store that has the links builds it.
//
// Invariants:
//   - An index that is complete never denies a code that was added.
//   - An ID is a hint. Only the row says which code the link has.
//   - What was deleted may stay in. That costs a look-up, and is not wrong.
package codeindex

import (
	"sync/atomic"

	"terse"
)

// Index holds the codes of all links, or none while they are not known. Any number of goroutines
// may use it.
type Index struct {
	complete atomic.Pointer[table] // nil while not all codes are known
	building atomic.Pointer[table] // nil when there is none, or codes were changed behind its back
	wanted   chan struct{}
}

// New returns an index that knows nothing, and wants to be built.
func New() *Index {
	x := &Index{wanted: make(chan struct{}, 1)}
	x.Want()
	return x
}

// Find returns the ID that the link of a code probably has, 0 when that is not known. It returns
// false when there is no such link.
func (x *Index) Find(code terse.Code) (id terse.LinkID, maybe bool) {
	t := x.complete.Load()
	if t == nil {
		return 0, true
	}
	return t.find(code)
}

// Add adds the code of a link. The caller must do so before others can see that the link has it.
func (x *Index) Add(code terse.Code, id terse.LinkID) {
	for _, t := range []*table{x.building.Load(), x.complete.Load()} {
		if t != nil && t.add(code, id) {
			x.Want() // a larger one
		}
	}
}

// Invalidate forgets all codes, because they were changed behind the index's back.
func (x *Index) Invalidate() {
	x.Clear()
	x.Want()
}

// Clear forgets all codes for good.
func (x *Index) Clear() {
	x.complete.Store(nil)
	x.building.Store(nil)
}

// Want asks for a build.
func (x *Index) Want() {
	select {
	case x.wanted <- struct{}{}:
	default: // it is asked for already
	}
}

// Wanted says when the index wants to be built.
func (x *Index) Wanted() <-chan struct{} { return x.wanted }

// Build is an index that is being built.
type Build struct {
	index *Index
	table *table
}

// Begin begins a build for so many links; false when they are too many. From now on Add adds to it,
// too, so no link may change during the call.
func (x *Index) Begin(links int64) (*Build, bool) {
	select {
	case <-x.wanted: // before now
	default:
	}
	if tableBytes(links) > maxTableBytes {
		x.Clear()
		return nil, false
	}
	b := &Build{x, newTable(links)}
	x.building.Store(b.table)
	return b, true
}

// Add adds the code of a link that there was at Begin.
func (b *Build) Add(code terse.Code, id terse.LinkID) {
	if b.table.add(code, id) {
		b.index.Want()
	}
}

// Invalid reports whether the build is of no use, because Invalidate was called since.
func (b *Build) Invalid() bool { return b.index.building.Load() != b.table }

// End makes the build the index, unless it is invalid.
func (b *Build) End() {
	if b.index.building.CompareAndSwap(b.table, nil) {
		b.index.complete.Store(b.table)
	}
}
