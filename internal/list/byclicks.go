package list

import (
	"slices"

	"terse"
	"terse/internal/linkset"
)

// Bounds of the links that are ranked at a time, and looked up at a time: many of them may be
// deleted or belong to others.
const (
	maxRanked   = 1 << 15
	maxLookedUp = 1 << 10
)

// byClicks makes a page in the order of clicks: it finds the next links by their totals alone, then
// looks them up.
func (l *listing) byClicks() error {
	totals, err := l.totals()
	if err != nil {
		return err
	}
	var page []linkset.Ranked
	seen, wanted := 0, l.Limit+1
	switch {
	case l.Search != nil:
		wanted = l.bounds.ByClicks + 1
	case l.Filter.UnusedSince != nil:
		// IDs without a link have no clicks, as most unused links. Those of the last range come
		// before all links, and reading all totals again would cost more than some look-ups.
		wanted += linkset.RangeSize
	}
	for mark := l.start(); ; wanted = max(wanted, min(2*wanted, maxRanked)) {
		found, err := l.links.MostClicked(mark, wanted, totals)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(found, maxLookedUp) {
			existing, err := l.existing(some)
			if err != nil {
				return err
			}
			for _, r := range some {
				finds, is := existing[r.ID]
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

// endByClicks makes the page from the links found. next is where the search ended.
func (l *listing) endByClicks(found []linkset.Ranked, next *terse.LinkMark) error {
	if err := l.fill(found, next); err != nil || l.Search == nil {
		return err
	}
	l.page.Total = int64(len(found))
	if l.page.Next == nil {
		return nil
	}
	// The page ended because it was full, or because the search reached its bound. Counting in the
	// order of time may examine more links.
	count := searching{listing: l, mark: beginning, top: linkset.Top{Most: 1}}
	end, err := count.run(sortRanges(l.ranges, l.Order))
	if l.After != nil {
		count.found -= l.After.Found
	}
	l.page.Total, l.page.AtLeast = max(l.page.Total, count.found), end != nil
	return err
}

// existing returns which of the found links exist and belong to the owner, and whether the search
// finds them.
func (l *listing) existing(found []linkset.Ranked) (map[int64]bool, error) {
	if len(found) == 0 {
		return nil, nil
	}
	ids, some := make([]int64, len(found)), make(map[int64]bool, len(found))
	for i, r := range found {
		ids[i] = r.ID
	}
	slices.Sort(ids) // neighbours are on the same pages of the database
	err := l.of.ByID(ids, l.Search != nil, func(row *Row) error {
		some[row.ID] = l.finds(row)
		return nil
	})
	return some, err
}

// totals returns the clicks that the list is sorted by: those of all time, or those in a range of
// time.
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
