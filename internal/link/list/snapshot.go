package list

import (
	"time"

	"terse"
	"terse/internal/link/linkset"
)

// Snapshot reads the links of an owner, or of all with terse.AllOwners, in one state of a store's
// database. On Citus the states of servers may be moments apart.
//
// Ranges have 1,024 IDs, see linkset.RangeSize. Calls must not be concurrent or nested.
type Snapshot interface {
	// Ranges returns the ranges with links, by number.
	Ranges() ([]Range, error)

	// At returns the ID of the link at an address, of any owner, or terse.ErrNotFound.
	At(address string) (int64, error)

	// Tagged returns the links with a folded tag.
	Tagged(tag string) (linkset.Set, error)

	// WithStatus returns the links stored with a status, which is not terse.Active.
	WithStatus(status terse.Status) (linkset.Set, error)

	// Archived returns the archived links.
	Archived() (linkset.Set, error)

	// OnDomain returns the links on a domain. The default stands for all others together.
	OnDomain(d terse.Domain) (linkset.Set, error)

	// Changing calls f for all links whose stored status is not the one they have now, with the
	// status they have now. It may include links whose status is right.
	Changing(now time.Time, f func(id int64, status terse.Status)) error

	// Between calls f for the links with IDs from first to last, both included, in any order. A row
	// is valid until f returns. Its texts are set only if texts is true.
	Between(first, last int64, texts bool, f func(*Row) error) error

	// ByID is Between for the given IDs. It skips those that are not the owner's.
	ByID(ids []int64, texts bool, f func(*Row) error) error

	// InOrder returns the links after a link in the order of time: it skips the first skip of them,
	// and returns at most most.
	InOrder(order terse.LinkOrder, after linkset.Ranked, skip int64, most int) ([]terse.Link, error)

	// Read returns the owner's links with the given IDs, in any order.
	Read(ids []int64) ([]terse.Link, error)

	// Totals calls f with the counts of the given ranges, whose numbers descend, in that order. It
	// may include ranges between them. first is the ID of the first link in counts, a multiple of
	// 64. Links without clicks may be left out. Counts are valid until f returns. They include
	// links of other owners, and those that Deleted returns.
	Totals(ranges []int64, f func(first int64, counts Counts)) error

	// Deleted returns the deleted links, of all owners, whose clicks still exist.
	Deleted() (linkset.Set, error)

	// Shared returns the ranges with links of other owners, in order.
	Shared() ([]int64, error)

	// Within calls f with the clicks of links in a range of time, without cleared ones. people is
	// how many of them are by people, if that is asked for.
	Within(r terse.TimeRange, people bool, f func(id, clicks, people int64)) error
}

// Range is a range of IDs with an owner's links. All of them were created from First to Last, in
// microseconds since 1970.
type Range struct{ Number, Links, First, Last int64 }

// Join joins ranges that are in order, as those of all owners together.
func Join(a, b []Range) (all []Range) {
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x.Number < y.Number:
			all, a = append(all, x), a[1:]
		case y.Number < x.Number:
			all, b = append(all, y), b[1:]
		default:
			all = append(all, Range{
				x.Number, x.Links + y.Links, min(x.First, y.First), max(x.Last, y.Last),
			})
			a, b = a[1:], b[1:]
		}
	}
	if len(all) == 0 { // one of them has none
		return append(a, b...)
	}
	return append(append(all, a...), b...)
}

// Row is the part of a link that a search and the order of time need.
type Row struct {
	ID, CreatedAt      int64
	Code, URL, Options []byte
}

// Counts holds the clicks of links with consecutive IDs.
type Counts struct {
	Clicks []int64
	People []int64 // clicks that are not by bots
	Last   []int64 // if a link has clicks: the time of its last, in microseconds since 1970
}
