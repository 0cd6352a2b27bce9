package list

import (
	"time"

	"terse"
	"terse/internal/linkset"
)

// Snapshot is what a store knows of one owner's links in one state of its database. On Citus it is
// of several states, a moment apart.
//
// Ranges are of 1,024 IDs, see linkset.RangeSize. No call may be made before the one before it has
// returned.
type Snapshot interface {
	// Ranges returns the ranges with links, by number.
	Ranges() ([]Range, error)

	// Tagged returns the links with a tag, which is folded.
	Tagged(tag string) (linkset.Set, error)

	// WithStatus returns the links that the store keeps with a status other than terse.Active.
	WithStatus(status terse.Status) (linkset.Set, error)

	// Changing calls f for the links that the store keeps with another status than they have at a
	// time, with the one that they have, and for some more.
	Changing(now time.Time, f func(id int64, status terse.Status)) error

	// Between calls f for the links from one ID to another, in any order. A row is valid until f
	// returns; its texts are there if they are asked for.
	Between(first, last int64, texts bool, f func(*Row) error) error

	// ByID calls f for those of some links that are the owner's, in any order, as Between does.
	ByID(ids []int64, texts bool, f func(*Row) error) error

	// InOrder returns links behind one in the order of time, without the first skip of them, and at
	// most so many.
	InOrder(order terse.LinkOrder, after linkset.Ranked, skip int64, most int) ([]terse.Link, error)

	// Read returns links of the owner, in any order.
	Read(ids []int64) ([]terse.Link, error)

	// Totals calls f for what was counted of some ranges, whose numbers descend, in that order, and
	// maybe of others between them: first is the ID that Counts begin with, a multiple of 64. Links
	// without any may be left out.
	Totals(ranges []int64, f func(first int64, counts Counts)) error

	// Within calls f for the clicks of links, or those of people, in a range of time that were not
	// cleared since.
	Within(r terse.TimeRange, people bool, f func(id, clicks int64)) error
}

// Range is a range of IDs with links of an owner. None was made before First or after Last, in
// microseconds since 1970.
type Range struct{ Number, Links, First, Last int64 }

// Row is what a search and the order of time need of a link.
type Row struct {
	ID, CreatedAt      int64
	Code, URL, Options []byte
}

// Counts are what was counted of links whose IDs follow each other.
type Counts struct {
	Clicks []int64
	People []int64 // clicks but those of bots
}
