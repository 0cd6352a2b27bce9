package clickblock

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"

	"terse"
)

// Room tells which values the counts of a dimension on a day would take of clicks that are not
// counted yet. It knows values by their hashes.
type Room struct {
	of            terse.Dimension
	values, bytes int // that are left
	taken         map[uint64]bool
	waiting       []waiting
}

// waiting is a value that is not taken yet.
type waiting struct {
	since int64 // the time of its first click
	hash  uint64
	bytes int
}

// NewRoom returns the Room of a day without counts.
func NewRoom(of terse.Dimension) *Room {
	return &Room{
		of: of, values: of.MaxValues(), bytes: MaxDayBytes,
		taken: map[uint64]bool{
			maphash.Bytes(hashSeed, packedDefault): true,
			maphash.Bytes(hashSeed, packedOther):   true,
		},
	}
}

// Take takes the values of a piece of the day's counts.
func (r *Room) Take(piece []byte) error {
	values := reader{b: piece}
	for values.version(); values.at < len(values.b); {
		packed := values.value()
		if values.sum(); !values.bad && !bytes.Equal(packed, packedOther) {
			r.take(maphash.Bytes(hashSeed, packed), textLen(packed))
		}
	}
	return damagedUnless(!values.bad)
}

func (r *Room) take(hash uint64, bytes int) {
	r.taken[hash] = true
	r.values, r.bytes = r.values-1, r.bytes-bytes
}

// Want has the values of the chosen clicks of a block wait.
func (r *Room) Want(from *Selector) error {
	times, err := from.Times()
	part := from.block.columns[r.of]
	if part.b == nil || err != nil {
		return err
	}
	k, places, ok := from.places(&part, from.block.n)
	if !ok {
		return ErrDamaged
	}
	first := make([]int, k) // 1 + the index of the first click
	for n := from.Len() - 1; n >= 0; n-- {
		first[places[from.At(n)]] = 1 + from.At(n)
	}
	for _, i := range first {
		packed := part.value()
		if i == 0 || part.bad {
			continue
		}
		if hash := maphash.Bytes(hashSeed, packed); !r.taken[hash] {
			r.waiting = append(r.waiting, waiting{times[i-1], hash, textLen(packed)})
		}
	}
	part.end()
	return damagedUnless(!part.bad)
}

// Close takes values that wait, those that came first, as long as they fit. It reports whether some
// do not.
func (r *Room) Close() (full bool) {
	slices.SortFunc(r.waiting, func(a, b waiting) int {
		return cmp.Or(cmp.Compare(a.since, b.since), cmp.Compare(a.hash, b.hash))
	})
	for _, w := range r.waiting {
		switch {
		case r.taken[w.hash]:
		case r.values > 0 && w.bytes <= r.bytes:
			r.take(w.hash, w.bytes)
		default:
			full = true
		}
	}
	r.waiting = nil
	return full
}

// Fold moves the chosen clicks of a block, which were added, to terse.OtherValue where there is no
// room for their values.
func (s *Sums) Fold(from *Selector, room *Room) error {
	people, err := s.peopleOf(from)
	if err != nil {
		return err
	}
	return from.eachValue(room.of, people, func(packed []byte, sum Sum) {
		if !room.taken[maphash.Bytes(hashSeed, packed)] {
			s.add(room.of, packed, Sum{-sum.Clicks, -sum.People, -sum.Firsts})
			s.add(room.of, packedOther, sum)
		}
	})
}

// Roomy reports whether it can be told from the values of all clicks in this pass that those of no
// day are too many.
func (s *Sums) Roomy(d terse.Dimension) bool {
	v := &s.values[d]
	if !s.counting[d] || s.passes > 1 || v.cut() || len(v.sums) > d.MaxValues() {
		return false
	}
	bytes := 0
	for id := range v.sums {
		bytes += textLen(v.packed.At(uint32(id)))
	}
	return bytes <= MaxDayBytes
}
