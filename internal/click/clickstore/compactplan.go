package clickstore

import (
	"cmp"
	"slices"

	"terse/internal/click/clickblock"
)

// busiest chooses the parts that move down, so that at most keep clicks stay: the largest parts,
// and among equals the first. It returns their indexes, in order.
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

// worthCounting reports whether a day becomes a counted day: if its counts take fewer bytes than
// its clicks, or if its clicks exceed maxWithoutCounts.
func (l *limits) worthCounting(clickBytes, countBytes int) bool {
	return countBytes < clickBytes || clickBytes > l.maxWithoutCounts
}
