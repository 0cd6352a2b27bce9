package rows

import "slices"

// bounds is a range of numbers, both ends included.
type bounds struct{ from, to int64 }

// overlap reports whether b and other have common numbers.
func (b bounds) overlap(other bounds) bool { return b.from <= other.to && other.from <= b.to }

// set is a set of numbers, stored as bounds in no order.
type set []bounds

// has reports whether all numbers within bounds are in the set.
func (s *set) has(b bounds) bool {
	return slices.ContainsFunc(*s, func(in bounds) bool {
		return in.from <= b.from && b.to <= in.to
	})
}

// add adds the numbers within bounds to the set. It merges overlapping bounds.
func (s *set) add(b bounds) {
	*s = slices.DeleteFunc(*s, func(in bounds) bool {
		if !in.overlap(b) {
			return false
		}
		b.from, b.to = min(b.from, in.from), max(b.to, in.to)
		return true
	})
	*s = append(*s, b)
}
