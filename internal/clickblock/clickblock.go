// Package clickblock packs clicks and their counts into bytes. docs/format/block.md and
// docs/format/counts.md have the formats byte by byte.
//
// A Packer makes blocks and counts. A Selector reads of blocks what is asked for, and Sums add it
// up, with what counts say.
//
// A reader skips columns of a block that it does not know, and takes one that is missing for the
// dimension's default value, so that a dimension can be added without touching what is stored.
//
// The package knows nothing of databases, imports the domain only, and neither panics nor
// allocates more than its bounds on damaged bytes.
package clickblock

import (
	"encoding/binary"
	"errors"
	"math"
)

// MaxClicks bounds a block: at some 10 bytes a click one is read and written in a tenth of a
// millisecond, and its dictionaries weigh little. A place has at most 12 bits.
const MaxClicks = 4096

// MaxAnswerValues bounds the different values of a dimension in one answer; later ones count
// as terse.OtherValue.
const MaxAnswerValues = 100_000

// ErrDamaged says that bytes are no block or no counts.
var ErrDamaged = errors.New("clickblock: damaged bytes")

func damagedUnless(ok bool) error {
	if ok {
		return nil
	}
	return ErrDamaged
}

// version is the first byte of blocks and of rows of counts.
const version = 1

// The columns that are no dimensions. Their IDs are above terse.MaxDimensionID.
const (
	linkID  = 127 // offsets of links: one or two bytes without a dictionary
	ofID    = 126 // links, of clicks of all links
	firstID = 125 // bits without a dictionary: which clicks are the first of their visitor
)

// reader cuts packed bytes into parts; once bad, it returns zeros only.
type reader struct {
	b   []byte
	at  int // what lies before is read
	bad bool
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

// version reads the version.
func (r *reader) version() {
	if v := r.bytes(1); r.bad || v[0] != version {
		r.fail()
	}
}

// varint returns the next number that has a sign.
func (r *reader) varint() int64 {
	v := r.uvarint(math.MaxUint64)
	return int64(v>>1) ^ -int64(v&1)
}
