// Package clickblock packs clicks and their counts into bytes. docs/format/block.md and
// docs/format/counts.md describe the formats byte by byte.
//
// A Packer makes blocks and counts. A Selector chooses clicks in blocks and reads them. Sums and
// LinkSums add up the chosen clicks, and counts.
//
// A click of a block stands for a number of equal clicks, nearly always 1.
//
// A reader skips unknown columns of a block. If a column is missing, all clicks have the
// dimension's default value. So a dimension can be added without rewriting blocks.
//
// The package knows nothing about databases. Damaged bytes never make it panic or exceed its bounds
// of memory.
package clickblock

import (
	"encoding/binary"
	"errors"
	"math"
)

// MaxClicks bounds the clicks of a block. At about 10 bytes a click, a block is read or written in
// a tenth of a millisecond, and its dictionaries add little. A place has at most 12 bits.
const MaxClicks = 4096

// MaxEqual bounds the equal clicks for which a click stands, so that those of a block add up
// without an overflow. More are further clicks.
const MaxEqual = 1 << 40

// maxAnswerValues bounds the distinct values of a dimension in one answer. The values with the
// fewest clicks count as terse.OtherValue.
const maxAnswerValues = 100_000

// ErrDamaged means that bytes are not a valid block, or not valid counts.
var ErrDamaged = errors.New("clickblock: damaged bytes")

func damagedUnless(ok bool) error {
	if ok {
		return nil
	}
	return ErrDamaged
}

// version is the first byte of rows of counts, and of blocks in which each click is one.
const version = 1

// numbered is the first byte of blocks with a column of numbers. Programs that would skip the
// column, and miscount, refuse it.
const numbered = 2

// IDs of columns that are not dimensions. They are above terse.MaxDimensionID.
const (
	offsetID = 127 // offsets of links: one or two bytes without a dictionary
	linkID   = 126 // links, in blocks of an owner
	firstID  = 125 // firsts: bits without a dictionary
	numberID = 124 // for how many clicks each stands
)

// reader cuts packed bytes into parts. Once bad, it returns zeros only.
type reader struct {
	b   []byte
	at  int // number of bytes read
	bad bool
}

func (r *reader) rest() []byte { return r.b[r.at:] }

func (r *reader) fail() { r.at, r.bad = len(r.b), true }

// end fails if bytes are left.
func (r *reader) end() {
	if r.at < len(r.b) {
		r.fail()
	}
}

// uvarint returns the next number. It fails if the number is above bound.
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

// version reads the version, and fails if it is unknown.
func (r *reader) version() {
	if v := r.bytes(1); r.bad || v[0] != version {
		r.fail()
	}
}

// varint returns the next signed number.
func (r *reader) varint() int64 {
	v := r.uvarint(math.MaxUint64)
	return int64(v>>1) ^ -int64(v&1)
}
