package clickstore

import (
	"cmp"
	"fmt"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// addLinks adds the clicks by link of the days for which series reads counts.
func (s *series) addLinks() error {
	from, to := dayOf(s.first), dayOf(s.last)
	if s.days != nil {
		err := s.rows.Scan(blocksOf(s.of.Link, dayRange{from, to}), Span{s.first, s.last},
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
		if len(s.query.Tags) == 0 || s.of.Tagged.Has(int64(id)) {
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
		return cmp.Or(cmp.Compare(key(&b), key(&a)), cmp.Compare(b.id, a.id))
	})
	const atOnce = 32
	for some := range slices.Chunk(all, atOnce) {
		ids := make([]terse.LinkID, len(some))
		for i := range some {
			ids[i] = some[i].id
		}
		exist, err := s.of.Exist(ids)
		if err != nil {
			return nil, err
		}
		eras, err := erasOf(s.rows, ids)
		if err != nil {
			return nil, err
		}
		for i := range some {
			if exist[i] != (terse.LinkRef{}) && eras[ids[i]] == some[i].Era {
				top = append(top, terse.LinkClicks{
					LinkRef: exist[i], Clicks: some[i].Clicks, People: some[i].People,
				})
			}
			if len(top) == s.query.Top {
				return top, nil
			}
		}
	}
	return top, nil
}

// Within calls f for each link of an owner that has clicks, or clicks by people, in a range.
// Cleared clicks do not count. Deleted links may be included.
func Within(r Reader, owner OwnerID, within terse.TimeRange, people bool,
	f func(id, clicks int64),
) error {
	q := terse.SeriesQuery{Range: within, Top: 1, People: people}
	for d := range q.Without {
		q.Without[d] = true
	}
	s := newSeries(r, Asked{Link: owner.Link()}, q)
	if s.first, s.last = within.Micros(); s.first > s.last {
		return nil
	}
	s.cut = []dayRange{{dayOf(s.first), dayOf(s.last)}}
	if err := s.pass(true); err != nil {
		return fmt.Errorf("clicks by link of owner %d: %w", owner, err)
	}
	var ids []terse.LinkID
	s.links.All(func(id terse.LinkID, _ clickblock.LinkSum) { ids = append(ids, id) })
	eras, err := erasOf(r, ids)
	if err != nil {
		return err
	}
	s.links.All(func(id terse.LinkID, sum clickblock.LinkSum) {
		clicks := sum.Clicks
		if people {
			clicks = sum.People
		}
		if clicks > 0 && eras[id] == sum.Era {
			f(int64(id), clicks)
		}
	})
	return nil
}
