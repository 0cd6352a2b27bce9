package list

import (
	"cmp"
	"math"
	"slices"

	"terse"
	"terse/internal/link/linkset"
)

// Bounds of the links that are ranked at a time, and looked up at a time: many of them may be
// deleted or belong to others.
const (
	maxRanked   = 1 << 15
	maxLookedUp = 1 << 10
)

// ranking makes a page in the order of clicks, then of time, newest first.
type ranking struct {
	*listing
	totals linkset.Totals
	found  []terse.LinkMark // the links of the page, and one more if there is one
	seen   int              // links that the search examined
	last   terse.LinkMark   // the last of those
}

// byClicks makes a page in the order of clicks: it finds the next links by their totals alone, then
// looks them up, for their times and to know which exist.
func (l *listing) byClicks() error {
	totals, err := l.totals()
	if err != nil {
		return err
	}
	p := &ranking{listing: l, totals: totals}
	after := terse.LinkMark{Key: math.MaxInt64}
	if l.After != nil {
		after = *l.After
	}
	next, err := p.run(after)
	if err != nil {
		return err
	}
	return l.endByClicks(p.found, next)
}

// run finds the links after a mark. next is where the search ended, if that was before the end.
func (p *ranking) run(after terse.LinkMark) (next *terse.LinkMark, err error) {
	wanted := p.Limit + 1
	if p.Search != nil {
		wanted = p.bounds.ByClicks + 1
	}
	for first := true; ; first, wanted = false, max(wanted, min(2*wanted, maxRanked)) {
		most, err := p.links.MostClicked(after.Key, wanted, p.totals)
		if err != nil {
			return nil, err
		}
		isOver := false
		if first {
			mark := linkset.Ranked{ID: int64(after.ID), Key: after.CreatedAt}
			isOver, err = p.addEqual(after.Key, most.Bound, mark)
		}
		if !isOver && err == nil {
			isOver, err = p.addMost(most.Links)
		}
		if !isOver && err == nil {
			isOver, err = p.addEqual(most.Clicks, most.Equal, beginning)
		}
		switch {
		case err != nil:
			return nil, err
		case isOver && len(p.found) <= p.Limit:
			return &p.last, nil
		case isOver || len(most.Equal) == 0:
			return nil, nil
		}
		after = terse.LinkMark{Key: most.Clicks}
	}
}

// addMost adds links that come by clicks, and all that have equal clicks.
func (p *ranking) addMost(links []linkset.Ranked) (isOver bool, err error) {
	for len(links) > 0 && !isOver && err == nil {
		n := 1
		for n < len(links) && (n < maxLookedUp || links[n].Key == links[n-1].Key) {
			n++
		}
		isOver, err = p.look(links[:n])
		links = links[n:]
	}
	return isOver, err
}

// addEqual adds those links of a set that come after a mark. All have equal clicks.
func (p *ranking) addEqual(clicks int64, links linkset.Set, after linkset.Ranked) (
	isOver bool, err error,
) {
	if len(links) == 0 {
		return false, nil
	}
	most := p.Limit + 1 - len(p.found)
	if p.Search != nil {
		most = p.bounds.ByClicks + 1 - p.seen
	}
	found, err := newest(p.of, p.ranges, p.total, links, after, most)
	if p.Search == nil {
		for _, r := range found {
			p.found = append(p.found, markOf(clicks, r))
		}
		return len(p.found) > p.Limit, err
	}
	for some := range slices.Chunk(found, maxLookedUp) {
		for i := range some {
			some[i].Key = clicks
		}
		if isOver || err != nil {
			break
		}
		isOver, err = p.look(some)
	}
	return isOver, err
}

// look looks links up, and adds those that exist and that the search finds. It reports whether the
// page is full, or the search has reached its bound before the last of the links.
func (p *ranking) look(links []linkset.Ranked) (isOver bool, err error) {
	marks, err := p.existing(links)
	if err != nil {
		return false, err
	}
	for _, m := range marks {
		if p.Search != nil && p.seen == p.bounds.ByClicks {
			return true, nil
		}
		p.seen, p.last = p.seen+1, m.LinkMark
		if m.finds {
			p.found = append(p.found, m.LinkMark)
		}
		if len(p.found) > p.Limit {
			return true, nil
		}
	}
	return false, nil
}

// markOf returns the mark of a link with a time of creation and clicks.
func markOf(clicks int64, r linkset.Ranked) terse.LinkMark {
	return terse.LinkMark{Key: clicks, CreatedAt: r.Key, ID: terse.LinkID(r.ID)}
}

// existingLink is the mark of a link, and whether the search finds it.
type existingLink struct {
	terse.LinkMark
	finds bool
}

// existing returns which of the found links exist and belong to the owner, in the order of the
// list.
func (l *listing) existing(found []linkset.Ranked) (some []existingLink, err error) {
	ids, clicks := make([]int64, len(found)), make(map[int64]int64, len(found))
	for i, r := range found {
		ids[i], clicks[r.ID] = r.ID, r.Key
	}
	slices.Sort(ids) // neighbours are on the same pages of the database
	err = l.of.ByID(ids, l.Search != nil, func(row *Row) error {
		some = append(some, existingLink{
			markOf(clicks[row.ID], linkset.Ranked{ID: row.ID, Key: row.CreatedAt}), l.finds(row),
		})
		return nil
	})
	slices.SortFunc(some, func(a, b existingLink) int {
		return cmp.Or(cmp.Compare(b.Key, a.Key), cmp.Compare(b.CreatedAt, a.CreatedAt),
			cmp.Compare(b.ID, a.ID))
	})
	return some, err
}

// endByClicks makes the page from the links found. next is where the search ended.
func (l *listing) endByClicks(found []terse.LinkMark, next *terse.LinkMark) error {
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
	l.within = map[int64]*[linkset.RangeSize]periodClicks{}
	err := l.of.Within(l.LinkQuery.Within, l.People, func(id, clicks, people int64) {
		number := id >> linkset.RangeBits
		if l.within[number] == nil {
			l.within[number] = new([linkset.RangeSize]periodClicks)
		}
		l.within[number][id&(linkset.RangeSize-1)] = periodClicks{clicks, people}
	})
	return func(f func(int64, []int64)) error {
		var keys [linkset.RangeSize]int64
		for _, number := range ranges {
			within := l.within[number]
			if within == nil {
				continue
			}
			for i, of := range within {
				if keys[i] = of.clicks; l.People {
					keys[i] = of.people
				}
			}
			f(number<<linkset.RangeBits, keys[:])
		}
		return nil
	}, err
}

// periodClicks is how many clicks a link has in the range of time that its list is sorted by.
type periodClicks struct{ clicks, people int64 }
