package list

import (
	"slices"

	"terse"
	"terse/internal/linkset"
)

// Bounds of the links that are ranked and of those that are looked up at once, of which many may be
// others' or gone.
const (
	maxRanked   = 1 << 15
	maxLookedUp = 1 << 10
)

// byClicks makes a page in the order of clicks: it finds the links that come next by their totals
// alone, and looks those up.
func (l *listing) byClicks() error {
	totals, err := l.totals()
	if err != nil {
		return err
	}
	var page []linkset.Ranked
	seen, wanted := 0, l.Limit+1
	if l.Search != nil {
		wanted = l.bounds.ByClicks + 1
	}
	for mark := l.start(); ; wanted = max(wanted, min(2*wanted, maxRanked)) {
		found, err := l.links.MostClicked(mark, wanted, totals)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(found, maxLookedUp) {
			there, err := l.there(some)
			if err != nil {
				return err
			}
			for _, r := range some {
				finds, is := there[r.ID]
				if !is {
					continue
				}
				if l.Search != nil && seen == l.bounds.ByClicks {
					return l.endByClicks(page,
						&terse.LinkMark{Key: mark.Key, ID: terse.LinkID(mark.ID)})
				}
				seen, mark = seen+1, r
				if finds {
					page = append(page, r)
				}
				if len(page) > l.Limit {
					return l.endByClicks(page, nil)
				}
			}
		}
		if len(found) < wanted {
			return l.endByClicks(page, nil)
		}
		mark = found[wanted-1]
	}
}

// endByClicks makes the page of what was found, up to where the search ended.
func (l *listing) endByClicks(found []linkset.Ranked, next *terse.LinkMark) error {
	if err := l.fill(found, next); err != nil || l.Search == nil {
		return err
	}
	l.page.Total = int64(len(found))
	if l.page.Next == nil {
		return nil
	}
	// The page ended when it was full, or when the search had looked at as many links as it may. In
	// the order of time it finds more of them.
	count := searching{listing: l, mark: beginning, top: linkset.Top{Most: 1}}
	end, err := count.run(sortRanges(l.ranges, l.Order))
	if l.After != nil {
		count.found -= l.After.Found
	}
	l.page.Total, l.page.AtLeast = max(l.page.Total, count.found), end != nil
	return err
}

// there returns those of some links that are there and the owner's, and whether the search finds
// them.
func (l *listing) there(found []linkset.Ranked) (map[int64]bool, error) {
	if len(found) == 0 {
		return nil, nil
	}
	ids, some := make([]int64, len(found)), make(map[int64]bool, len(found))
	for i, r := range found {
		ids[i] = r.ID
	}
	slices.Sort(ids) // those that lie side by side are read from the same pages
	err := l.of.ByID(ids, l.Search != nil, func(row *Row) error {
		some[row.ID] = l.finds(row)
		return nil
	})
	return some, err
}

// totals returns what the list is sorted by: the clicks of all time, or those in a range of time,
// of which links come in any order.
func (l *listing) totals() (linkset.Totals, error) {
	var ranges []int64
	for _, r := range slices.Backward(l.ranges) {
		ranges = append(ranges, r.Number)
	}
	if l.LinkQuery.Within == (terse.TimeRange{}) {
		return func(f func(int64, []int64)) error {
			return l.of.Totals(ranges, func(first int64, c Counts) {
				if l.People {
					f(first, c.People)
				} else {
					f(first, c.Clicks)
				}
			})
		}, nil
	}
	within := map[int64]*[linkset.RangeSize]int64{}
	err := l.of.Within(l.LinkQuery.Within, l.People, func(id, clicks int64) {
		number := id >> linkset.RangeBits
		if within[number] == nil {
			within[number] = &[linkset.RangeSize]int64{}
		}
		within[number][id&(linkset.RangeSize-1)] += clicks
	})
	return func(f func(int64, []int64)) error {
		for _, number := range ranges {
			if clicks := within[number]; clicks != nil {
				f(number<<linkset.RangeBits, clicks[:])
			}
		}
		return nil
	}, err
}
