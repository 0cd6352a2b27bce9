package clickblock

import (
	"maps"
	"slices"

	"terse"
)

// Adjust adds Sums of values, which may be negative, to the pieces of the counts of a day by a
// dimension. of is the Sum of the whole day afterwards. Values that exceed the bounds of a day,
// which counts beside these share, count as terse.OtherValue, and clicks that a value lacks are
// taken from there. Where the counts would exceed the day, they are cut.
func Adjust(d terse.Dimension, of Sum, pieces, beside [][]byte, by map[string]Sum) (
	[][]byte, error,
) {
	room, sums := NewRoom(d), map[string]Sum{}
	err := eachCount(pieces, (*reader).value, func(packed []byte, sum Sum) {
		room.admit(packed)
		sums[string(packed)] = sum
	})
	if err == nil {
		err = room.Admit(beside...)
	}
	for _, text := range slices.Sorted(maps.Keys(by)) {
		if text == d.Unknown() || len(text) > terse.MaxValueBytes {
			continue
		}
		packed := appendValue(nil, d, []byte(text))
		if !room.admit(packed) {
			packed = packedOther
		}
		addPacked(sums, packed, by[text])
	}
	for _, packed := range slices.Sorted(maps.Keys(sums)) {
		if sum := sums[packed]; sum.Clicks < 0 && packed != string(packedOther) {
			addPacked(sums, packedOther, sum)
			delete(sums, packed)
		}
	}
	for _, packed := range slices.Sorted(maps.Keys(sums)) {
		sum := within(sums[packed], of)
		of.Sub(sum)
		if sums[packed] = sum; sum == (Sum{}) {
			delete(sums, packed)
		}
	}
	return packSums(sums), err
}

func addPacked(sums map[string]Sum, packed []byte, more Sum) {
	sum := sums[string(packed)]
	sum.Add(more)
	sums[string(packed)] = sum
}

// AdjustLinks adds Sums, which may be negative, to the pieces of an owner's counts by link.
func AdjustLinks(pieces [][]byte, by map[Link]Sum) ([][]byte, error) {
	more := map[string]Sum{}
	for link, sum := range by {
		more[string(appendLink(nil, link))] = sum
	}
	var w countWriter
	add := func(key string, sum Sum) {
		if sum = Valid(sum); sum != (Sum{}) {
			w.add([]byte(key), sum)
		}
	}
	keys := slices.Sorted(maps.Keys(more))
	err := eachCount(pieces, (*reader).link, func(packed []byte, sum Sum) {
		for ; len(keys) > 0 && keys[0] < string(packed); keys = keys[1:] {
			add(keys[0], more[keys[0]])
		}
		if len(keys) > 0 && keys[0] == string(packed) {
			sum.Add(more[keys[0]])
			keys = keys[1:]
		}
		add(string(packed), sum)
	})
	for _, key := range keys {
		add(key, more[key])
	}
	return w.end(), err
}

// Valid returns the valid Sum that comes closest: it has no negative numbers, and no more clicks by
// people than clicks.
func Valid(s Sum) Sum {
	s.Clicks = max(s.Clicks, 0)
	return Sum{s.Clicks, min(max(s.People, 0), s.Clicks), max(s.Firsts, 0)}
}

// within returns as much of s as can be subtracted from of so that a valid Sum remains.
func within(s, of Sum) Sum {
	bots := s.Clicks - s.People
	s.Clicks = min(max(s.Clicks, 0), of.Clicks)
	bots = min(max(bots, s.Clicks-of.People, 0), s.Clicks, of.Clicks-of.People)
	return Sum{s.Clicks, s.Clicks - bots, min(max(s.Firsts, 0), s.Clicks, of.Firsts)}
}
