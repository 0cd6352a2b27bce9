package clickstore

import (
	"cmp"
	"slices"

	"terse/internal/clickblock"
)

// What is compacted is planned here, apart from doing it.

// busiest returns which parts of some clicks are to go, in their order, so that of all at most keep
// stay: the largest ones, and of equal ones the first.
func busiest(parts [][]clickblock.Click, keep int) (going []int) {
	order, total := make([]int, len(parts)), 0
	for i := range parts {
		order[i], total = i, total+len(parts[i])
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(len(parts[j]), len(parts[i]))
	})
	for _, i := range order {
		if total <= keep {
			break
		}
		total -= len(parts[i])
		going = append(going, i)
	}
	slices.Sort(going)
	return going
}

// worthCounting reports whether a day without counts gets them: when they take less than its
// clicks, or when the clicks are many.
func (l *limits) worthCounting(clickBytes, countBytes int) bool {
	return countBytes < clickBytes || clickBytes > l.maxUncounted
}
