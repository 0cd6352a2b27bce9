package rows

import (
	"cmp"
	"math"
	"slices"
)

// bounds is a range of numbers, both ends included.
type bounds struct{ from, to int64 }

// set is a set of numbers, as sorted bounds that neither overlap nor touch.
//
//nolint:recvcheck // a slice, to which only add adds
type set []bounds

// find returns the index of the first bounds that end at a number or after it.
func (s set) find(n int64) int {
	i, _ := slices.BinarySearchFunc(s, n, func(in bounds, n int64) int {
		return cmp.Compare(in.to, n)
	})
	return i
}

// has reports whether all numbers within bounds are in the set.
func (s set) has(b bounds) bool {
	i := s.find(b.to)
	return i < len(s) && s[i].from <= b.from
}

// overlaps reports whether a number within bounds is in the set.
func (s set) overlaps(b bounds) bool {
	i := s.find(b.from)
	return i < len(s) && s[i].from <= b.to
}

// add adds the numbers within bounds to the set.
func (s *set) add(b bounds) {
	from := s.find(max(b.from, math.MinInt64+1) - 1) // one that ends just before touches
	to := from
	for ; to < len(*s) && (*s)[to].from <= min(b.to, math.MaxInt64-1)+1; to++ {
		b.from, b.to = min(b.from, (*s)[to].from), max(b.to, (*s)[to].to)
	}
	*s = slices.Replace(*s, from, to, b)
}
