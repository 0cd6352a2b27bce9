package clickstore

import (
	"cmp"
	"slices"

	"terse"
)

// What is compacted is planned here, apart from doing it.

// busiest returns which of some counts are to go, in their order, so that what stays is at most
// keep: the largest ones, and of equal ones the first.
func busiest(counts []int, keep int) (going []int) {
	order, total := make([]int, 0, len(counts)), 0
	for i, n := range counts {
		if total += n; n > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(counts[j], counts[i]) })
	for _, i := range order {
		if total <= keep {
			break
		}
		total -= counts[i]
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

// due returns the open months of a link that are over, because it has clicks of a later one: some
// of them, the oldest first.
func due(open []terse.Month) []terse.Month {
	if len(open) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(open))
	over := sorted[:len(sorted)-1]
	return over[:min(len(over), summedAtOnce)]
}
