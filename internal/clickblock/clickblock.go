// Package clickblock packs clicks and their counts into bytes, for the stores.
//
// A block holds up to MaxClicks clicks of one link, sorted by time. Its bytes are a version, the
// number of clicks, the columns, and last the times: the first in microseconds since 1970
// (zigzag), then the differences. A column is its ID, its length in bytes, a dictionary of its
// values, and for each click the value's place in the dictionary, in as many bits as the last place
// has: none when there is one value. The lowest bit of a byte comes first. A dimension that all
// clicks have the default value of has no column.
//
// In version 1, which is read but not written any more, a place takes nothing when there is one
// value, one byte up to 256 values, else two (little endian).
//
// A block of several links has one more column (127): for each click its link's offset among them,
// in one byte if all fit, else in two (little endian). Without it all are 0. A block with clicks of
// all links has a column (126) whose values are the links.
//
// Clicks that are the first of their visitor on a day have their bits set in another column (125),
// which blocks without such clicks lack.
//
// Counts are the sums of the clicks of one link on one UTC day: a version, the total, and
// for each dimension its ID, its length, and its values with their counts, sorted. Their column 125
// is the number of firsts. The counts of a month have one more column (124): how many days have
// clicks, and of each the day since 1970, its clicks and its firsts.
//
// All numbers are uvarints unless said otherwise. A reader skips columns that it does not
// know, and takes one that is missing for the dimension's default value, so that a dimension
// can be added without touching what is stored.
//
// A Packer makes blocks and counts. A Selector reads of blocks what is asked for, and Sums add it
// up, with what counts say. What becomes an answer of that, package clickread says.
//
// The package knows nothing of databases, imports the domain only, and neither panics nor
// allocates more than its bounds on damaged bytes.
package clickblock

import (
	"encoding/binary"
	"errors"
	"math"

	"terse"
)

// MaxClicks bounds a block: at some 10 bytes a click one is read and written in a tenth of a
// millisecond, and its dictionaries weigh little. A place has at most 12 bits.
const MaxClicks = 4096

// MaxAnswerValues bounds the different values of a dimension in one answer; later ones count
// as terse.OtherValue.
const MaxAnswerValues = 100_000

// ErrDamaged says that bytes are no block or no counts.
var ErrDamaged = errors.New("clickblock: damaged bytes")

// The versions of blocks and counts.
const (
	bytewise = 1 // blocks whose places are whole bytes
	bitwise  = 2 // blocks
	counting = 1 // counts
)

// The columns that are no dimensions. Their IDs are above terse.MaxDimensionID.
const (
	linkID = 127 // offsets of links: one or two bytes without a dictionary
	ofID   = 126 // links, of clicks of all links
	// firstID is bits without a dictionary: which clicks are the first of their visitor. In counts
	// it is a number.
	firstID = 125
	daysID  = 124 // the days of a month, in its counts
)

// reader cuts packed bytes into parts; once bad, it returns zeros only.
type reader struct {
	b       []byte
	at      int // what lies before is read
	bad     bool
	version byte // of the block
}

func (r *reader) rest() []byte { return r.b[r.at:] }

func (r *reader) fail() { r.at, r.bad = len(r.b), true }

// end fails when something is left.
func (r *reader) end() {
	if r.at < len(r.b) {
		r.fail()
	}
}

// uvarint returns the next number, which must be within its bound.
func (r *reader) uvarint(bound uint64) uint64 {
	if b := r.rest(); len(b) > 0 && b[0] < 0x80 && uint64(b[0]) <= bound {
		r.at++
		return uint64(b[0])
	}
	v, n := binary.Uvarint(r.rest())
	if n <= 0 || v > bound {
		r.fail()
		return 0
	}
	r.at += n
	return v
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest())) {
		r.fail()
		return nil
	}
	b := r.rest()[:n:n]
	r.at += int(n)
	return b
}

// header reads the version, the latest at most, and the number of clicks, at least one.
func (r *reader) header(latest byte, bound uint64) int {
	v := r.bytes(1)
	if r.bad || v[0] == 0 || v[0] > latest {
		r.fail()
		return 0
	}
	r.version = v[0]
	n := r.uvarint(bound)
	if n == 0 {
		r.fail()
	}
	return int(n)
}

// column cuts the next column off. known is false for one that is no dimension: of another kind, of
// a later version, or one that is not stored.
func (r *reader) column() (id uint64, d terse.Dimension, part reader, known bool) {
	id = r.uvarint(math.MaxUint32)
	part.b = r.bytes(r.uvarint(math.MaxInt32))
	part.bad, part.version = r.bad, r.version
	if d, known = terse.DimensionOf(id); known {
		_, derived := d.From()
		known = !derived
	}
	return id, d, part, known
}

// maxDimensions bounds what a damaged count can make a reader skip.
const maxDimensions = 64
