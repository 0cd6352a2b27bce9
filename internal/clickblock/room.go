package clickblock

import (
	"bytes"

	"terse"
)

// Room tells which values the counts of a dimension on a day take: those that come first, as long
// as they fit.
type Room struct {
	of            terse.Dimension
	values, bytes int // that are left
	taken         map[string]bool
}

// NewRoom returns the Room of a day without counts.
func NewRoom(of terse.Dimension) *Room {
	return &Room{of: of, values: of.MaxValues(), bytes: MaxDayBytes, taken: map[string]bool{}}
}

// Take takes the values of a piece of the day's counts.
func (r *Room) Take(piece []byte) error {
	return eachCount([][]byte{piece}, (*reader).value, func(packed []byte, _ Sum) {
		r.take(packed)
	})
}

// take takes a packed value, and reports whether there was room.
func (r *Room) take(packed []byte) bool {
	if bytes.Equal(packed, packedDefault) || bytes.Equal(packed, packedOther) ||
		r.taken[string(packed)] {
		return true
	}
	n := textLen(packed)
	if r.values == 0 || n > r.bytes {
		return false
	}
	r.values, r.bytes = r.values-1, r.bytes-n
	r.taken[string(packed)] = true
	return true
}
