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
	other         bool // the counts have terse.OtherValue, or there was no room for a value
}

// NewRoom returns the Room of a day without counts.
func NewRoom(of terse.Dimension) *Room {
	return &Room{
		of: of, values: of.MaxValues(), bytes: terse.MaxDayBytes, admitted: map[string]bool{},
	}
}

// Admit admits the values of pieces of the day's counts, each in their order.
func (r *Room) Admit(pieces ...[]byte) error {
	for _, piece := range pieces {
		err := eachCount([][]byte{piece}, (*reader).value, func(packed []byte, _ Sum) {
			r.admit(packed)
			r.other = r.other || bytes.Equal(packed, packedOther)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// AdmitChosen admits the values of the chosen clicks of a block.
func (r *Room) AdmitChosen(from *Selector) error {
	keys, places, err := from.readColumn(from.block.columns[r.of], from.block.n, (*reader).value)
	if err != nil {
		return err
	}
	for _, i := range from.chosen {
		r.other = !r.admit(keys[places[i]]) || r.other
	}
	return nil
}

// HasOther reports whether some clicks count as terse.OtherValue.
func (r *Room) HasOther() bool { return r.other }

// admit admits a packed value if there is room, and reports whether it is admitted.
func (r *Room) admit(packed []byte) bool {
	if r.has(packed) {
		return true
	}
	n := textLen(packed)
	if !r.fits(n) {
		return false
	}
	r.values, r.bytes = r.values-1, r.bytes-n
	r.admitted[string(packed)] = true
	return true
}

// has reports whether a packed value needs no more room.
func (r *Room) has(packed []byte) bool {
	return bytes.Equal(packed, packedDefault) || bytes.Equal(packed, packedOther) ||
		r.admitted[string(packed)]
}

// fits reports whether another value, with n bytes of text, fits.
func (r *Room) fits(n int) bool { return r.values > 0 && n <= r.bytes }
