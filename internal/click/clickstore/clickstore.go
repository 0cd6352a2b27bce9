package clickstore

import (
	"math"

	"terse"
)

// Table is one of the tables of Rows.
type Table int

// The tables, and what A and B of their keys are.
const (
	Totals       Table = iota // bucket, 0
	Level0                    // region, number up to MaxNumber
	Level1                    // bucket, number up to MaxNumber
	Level2                    // link, day and number: see blockKey
	Days                      // link; column, day and piece: see countsKey
	Months                    // as Days, with a month
	Dropped                   // as Days: the counts of dropped clicks
	VisitorsEven              // bucket, number: hashes of visitors of even days
	VisitorsOdd               // the same, of odd days
	NumTables
)

// MaxNumber is the last number of a row of a region or a bucket, so that both fit into 64 bits.
const MaxNumber = 1<<blockBits - 1

// Key is a row's key in its table (docs/format/keys.md).
type Key struct{ A, B int64 }

// Range is the rows of a table with one A, and with B between From and To, both included.
type Range struct {
	Table    Table
	A        int64
	From, To int64
}

// every returns the range of all rows with A = a.
func every(t Table, a int64) Range { return Range{t, a, math.MinInt64, math.MaxInt64} }

// Span is the time of a row's first and last click, in microseconds since 1970. It is zero for rows
// that hold no clicks.
type Span struct{ First, Last int64 }

// Reader reads rows in one snapshot. A callback must neither change nor keep the bytes it is given,
// nor call the Reader or its Rows.
type Reader interface {
	// Get calls f with a row's value. It does not call f if there is no row.
	Get(t Table, k Key, f func(v []byte) error) error
	// Scan calls f for the rows of a range that overlap a span, in the order of their keys.
	Scan(r Range, within Span, f func(b int64, s Span, v []byte) error) error
	// ScanMany calls f for the rows of ranges of a table, in any order. The ranges do not overlap.
	// A database on another machine gets few queries for many ranges.
	ScanMany(t Table, ranges []Range, f func(k Key, v []byte) error) error
	// Buckets calls f with the totals of each of the given buckets that has any. The buckets
	// descend, and f is called in that order.
	Buckets(buckets []int64, f func(bucket int64, v []byte) error) error
	// Sizes calls f for all rows of a range, with the lengths of their values. It does not read the
	// values.
	Sizes(r Range, f func(b int64, s Span, bytes int) error) error
}

// ScanEach scans ranges one by one, for a ScanMany whose rows are at hand.
func ScanEach(r Reader, ranges []Range, f func(k Key, v []byte) error) error {
	for _, g := range ranges {
		if err := r.Scan(g, Always, func(b int64, _ Span, v []byte) error {
			return f(Key{A: g.A, B: b}, v)
		}); err != nil {
			return err
		}
	}
	return nil
}

// Always overlaps every span.
var Always = Span{math.MinInt64, math.MaxInt64}

// Rows reads and writes the tables in a transaction. No other transaction writes them until it
// ends. Reads see the transaction's own writes.
type Rows interface {
	Reader
	// Put inserts a row, or replaces the row with the same key. It keeps no reference to v.
	Put(t Table, k Key, s Span, v []byte) error
	Delete(r Range) error
	// Prefetch announces ranges whose values, or only sizes, will be read, so that a database on
	// another machine gets one query. It is a hint: other ranges can be read as well.
	Prefetch(values, sizes []Range) error
	// Old calls f for up to most values of A in a part that have rows whose span begins before a
	// time. They ascend, and all are above after. It need not look at all rows: it returns up to
	// which A it has, which is after if most is 0, and whether there are no more.
	Old(t Table, part int, after, before int64, most int, f func(a int64)) (
		to int64, done bool, err error)
	// Parts returns the number of parts of the tables.
	Parts() int
}

// OwnerID is the number of an owner of links, from 1 on.
type OwnerID int64

// Link returns the ID that stands for all links of the owner. It has a region to itself, far from
// all IDs of links, which are above 0.
func (o OwnerID) Link() terse.LinkID { return terse.LinkID(-o << regionBits) }

// LinksOf returns the IDs that stand for all links of owners.
//
// The others are one more owner, with the name terse.AllOwners: each click on a link of an owner
// that is joined to them counts for them, too. Joined are all owners that got their numbers later.
// So all clicks of all owners are those of the owners up to the others, usually two.
func LinksOf(owners ...OwnerID) (links []terse.LinkID) {
	for _, owner := range owners {
		links = append(links, owner.Link())
	}
	return links
}

// isOwner reports whether an ID stands for all links of an owner.
func isOwner(link terse.LinkID) bool { return link < 0 }

const (
	bucketBits = 8
	regionBits = 12

	// bucketLinks is the number of links in a bucket.
	bucketLinks = 1 << bucketBits
)

// BucketOf returns a link's bucket.
func BucketOf(link terse.LinkID) int64 { return int64(link) >> bucketBits }

// regionOf returns a link's region.
func regionOf(link terse.LinkID) int64 { return int64(link) >> regionBits }

// bucketIn returns a bucket of a region.
func bucketIn(region int64, i int) int64 { return region<<(regionBits-bucketBits) + int64(i) }

func offsetOf(link terse.LinkID) int          { return int(link & (bucketLinks - 1)) }
func offsetInRegion(link terse.LinkID) uint16 { return uint16(link & (1<<regionBits - 1)) }
func linkAt(bucket int64, offset int) terse.LinkID {
	return terse.LinkID(bucket<<bucketBits | int64(offset))
}

// PartOf returns which part a row belongs to. The region decides, so that all rows of a link are in
// one part.
func PartOf(t Table, a int64, parts int) int {
	switch t {
	case Totals, Level1, VisitorsEven, VisitorsOdd:
		a >>= regionBits - bucketBits
	case Level2, Days, Months, Dropped:
		a >>= regionBits
	case Level0, NumTables:
	}
	return int((a%int64(parts) + int64(parts)) % int64(parts))
}

// lastDay is the last day that keys can hold, in the year 2149.
const lastDay terse.Day = 1<<16 - 1

// dayOf returns the day on which a click counts. A clock before 1970 or after lastDay is wrong: its
// clicks count on the first or the last day.
func dayOf(micros int64) terse.Day { return min(max(terse.DayOf(micros), 0), lastDay) }

// looseDay stands for the day in the keys of loose blocks.
const looseDay terse.Day = -1

// blockKey returns B of a block of a link, from its day or looseDay and a number up to MaxNumber:
// enough for 68,000,000,000 clicks a day.
func blockKey(day terse.Day, number int64) int64 { return int64(day)<<blockBits | number }

const blockBits = 24

// column is what a row of counts counts by. The rows of one column lie together, day after day, so
// that an answer reads only the columns that it needs.
type column int

const (
	headColumn  column = 0                        // a clickblock.Head
	linksColumn column = terse.MaxDimensionID + 1 // an owner's clicks by link
)

// columnOf returns the column of a dimension.
func columnOf(d terse.Dimension) column { return column(d.ID()) }

const (
	dayBits   = 20
	pieceBits = 12
)

// countsKey returns B of a row of counts, from its column, its day or month, and its piece.
func countsKey[T terse.Day | terse.Month](c column, of T, piece int) int64 {
	return int64(c)<<(dayBits+pieceBits) | int64(of)<<pieceBits | int64(piece)
}

// countsBetween returns the rows of a column from one day or month to another, both included.
func countsBetween[T terse.Day | terse.Month](
	t Table, link terse.LinkID, c column, from, to T,
) Range {
	return Range{t, int64(link), countsKey(c, from, 0), countsKey(c, to+1, 0) - 1}
}

// ofKey returns the day or month of a row of counts, and its piece.
func ofKey(b int64) (of, piece int) {
	return int(b >> pieceBits & (1<<dayBits - 1)), int(b & (1<<pieceBits - 1))
}
