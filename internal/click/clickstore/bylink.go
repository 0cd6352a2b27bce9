package clickstore

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/link/linkset"
)

// addLinks adds the clicks by link of the days for which series reads counts.
func (s *linkSeries) addLinks() error {
	from, to := dayOf(s.first), dayOf(s.last)
	if s.days != nil {
		err := s.rows.Scan(blocksOf(s.link, dayRange{from, to}), Span{s.first, s.last},
			func(b int64, at Span, v []byte) error {
				if !s.days[terse.Day(b>>blockBits)] {
					return nil
				}
				n, err := s.open(v, at, -1)
				if n == 0 || err != nil {
					return err
				}
				return s.links.AddChosen(s.clicks)
			})
		if err != nil {
			return err
		}
	}
	if s.filtered {
		return nil
	}
	return s.eachDroppedLink(func(_ terse.Day, l clickblock.Link, sum clickblock.Sum) {
		s.links.Add(l, s.audience.Of(sum))
	})
}

// top returns the existing links with the most clicks, or clicks by people. Among equals, the
// newest come first.
func (s *series) top() (top []terse.LinkClicks, err error) {
	type ranked struct {
		id terse.LinkID
		clickblock.LinkSum
	}
	var all []ranked
	s.links.All(func(id terse.LinkID, sum clickblock.LinkSum) {
		if s.query.Some.All() || s.of.Tagged.Has(int64(id)) {
			all = append(all, ranked{id, sum})
		}
	})
	key := func(r *ranked) int64 {
		if s.query.People {
			return r.People
		}
		return r.Clicks
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(key(&b), key(&a)), cmp.Compare(a.id, b.id))
	})
	for len(all) > 0 && len(top) < s.query.Top {
		n := 1
		for n < len(all) && key(&all[n]) == key(&all[0]) {
			n++
		}
		equal := all[:n]
		all = all[n:]
		ids := make([]int64, n)
		for i, r := range equal {
			ids[i] = int64(r.id)
		}
		err := s.eachNewest(linkset.Of(ids), func(ref terse.LinkRef, era uint32) bool {
			i, _ := slices.BinarySearchFunc(equal, ref.ID,
				func(r ranked, id terse.LinkID) int { return cmp.Compare(r.id, id) })
			if sum := equal[i]; sum.Era == era {
				top = append(top, terse.LinkClicks{
					LinkRef: ref, Clicks: sum.Clicks, People: sum.People,
				})
			}
			return len(top) < s.query.Top
		})
		if err != nil {
			return nil, err
		}
	}
	return top, nil
}

// eachNewest calls f for the existing links of a set, the newest first, with their eras, until f
// returns false.
func (s *series) eachNewest(links linkset.Set, f func(terse.LinkRef, uint32) bool) error {
	const atOnce = 32
	after := linkset.Ranked{ID: math.MaxInt64, Key: math.MaxInt64}
	for {
		found, err := s.of.Newest(links, after, atOnce)
		if err != nil {
			return err
		}
		ids := make([]terse.LinkID, len(found))
		for i, r := range found {
			ids[i], after = terse.LinkID(r.ID), r
		}
		exist, err := s.of.Exist(ids)
		if err != nil {
			return err
		}
		eras, err := erasOf(s.rows, ids)
		if err != nil {
			return err
		}
		for _, ref := range exist {
			if !f(ref, eras[ref.ID]) {
				return nil
			}
		}
		if len(found) < atOnce {
			return nil
		}
	}
}

// Within calls f for each link of owners that has clicks in a range. all is what LinksOf returns
// for the owners. people is how many of the clicks are by people, if that is asked for. Cleared
// clicks do not count. Deleted links may be included.
func Within(r Reader, all []terse.LinkID, within terse.TimeRange, people bool,
	f func(id, clicks, people int64),
) error {
	q := terse.SeriesQuery{Range: within, Top: 1, People: people}
	for d := range q.Without {
		q.Without[d] = true
	}
	s := newSeries(r, Asked{Links: all}, q)
	if s.first, s.last = within.Micros(); s.first > s.last {
		return nil
	}
	for _, p := range s.perLink {
		p.cut = []dayRange{{dayOf(s.first), dayOf(s.last)}}
	}
	if err := s.pass(true); err != nil {
		return fmt.Errorf("clicks by link of %d: %w", all, err)
	}
	var ids []terse.LinkID
	s.links.All(func(id terse.LinkID, _ clickblock.LinkSum) { ids = append(ids, id) })
	eras, err := erasOf(r, ids)
	if err != nil {
		return err
	}
	s.links.All(func(id terse.LinkID, sum clickblock.LinkSum) {
		if sum.Clicks > 0 && eras[id] == sum.Era {
			f(int64(id), sum.Clicks, sum.People)
		}
	})
	return nil
}
