package clickblock

import (
	"bytes"

	"terse"
)

// Room decides which values of a dimension the counts of a day include: the first ones, until a
// bound of the day is reached.
type Room struct {
	of            terse.Dimension
	values, bytes int // that still fit
	admitted      map[string]bool
}

// NewRoom returns the Room of a day without counts.
func NewRoom(of terse.Dimension) *Room {
	return &Room{of: of, values: of.MaxValues(), bytes: MaxDayBytes, admitted: map[string]bool{}}
}

// Admit admits the values of a piece of the day's counts.
func (r *Room) Admit(piece []byte) error {
	return eachCount([][]byte{piece}, (*reader).value, func(packed []byte, _ Sum) {
		r.admit(packed)
	})
}

// admit admits a packed value if there is room, and reports whether it is admitted.
func (r *Room) admit(packed []byte) bool {
	if bytes.Equal(packed, packedDefault) || bytes.Equal(packed, packedOther) ||
		r.admitted[string(packed)] {
		return true
	}
	n := textLen(packed)
	if r.values == 0 || n > r.bytes {
		return false
	}
	r.values, r.bytes = r.values-1, r.bytes-n
	r.admitted[string(packed)] = true
	return true
}
