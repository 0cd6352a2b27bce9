package clickstore_test

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/click/clickstore"
	"terse/internal/link/linkset"
)

// TestEveryone compares answers about all owners with the sums of those about each of them.
func TestEveryone(t *testing.T) {
	t.Parallel()
	sequences := 1000
	if testing.Short() {
		sequences = 100
	}
	for seed := range uint64(sequences) {
		m := newModel(t, seed)
		m.keep = seed%2 == 0
		for range 14 {
			m.step()
		}
		for range 12 {
			m.wantSum()
		}
		if m.wantWithinOfAll(); m.keep {
			m.wantEventsOfAll()
		}
		if t.Failed() {
			t.Fatal("seed ", seed)
		}
	}
}

// ofOwner asks about an owner, or about everyone.
func (m *model) ofOwner(owner clickstore.OwnerID, tagged []int64) clickstore.Asked {
	q := &question{model: m, owner: owner}
	var theirs []int64
	for _, id := range tagged {
		if _, exists := q.exists(terse.LinkID(id)); exists {
			theirs = append(theirs, id)
		}
	}
	return clickstore.Asked{
		Links: allOf(owner), Tagged: linkset.Of(theirs), Exist: q.exist, Newest: q.newest,
	}
}

// wantSum compares an answer. Tags are about links that have always had their owners: an owner's
// answer may have what was dropped of a link while it had another.
func (m *model) wantSum() {
	m.t.Helper()
	of := m.seriesQuery()
	var tagged []int64
	if m.keep && m.rng.IntN(3) == 0 {
		of.Some.Tags = []string{"tag"}
		for _, id := range m.ids {
			if m.rng.IntN(2) == 0 {
				tagged = append(tagged, int64(id))
			}
		}
	}
	if m.keep {
		of.Top = m.rng.IntN(4)
	}
	got, err := clickstore.Series(m.rows, m.ofOwner(everyone, tagged), of)
	m.must(err)
	each := of
	each.Range, each.Limit, each.Top = terse.Between(got.First, got.Last), 0, 100
	want := terse.Series{
		First: got.First, Last: got.Last,
		ByInterval: map[int64]int64{}, VisitorsByInterval: map[int64]int64{},
	}
	if of.People {
		want.PeopleByInterval = map[int64]int64{}
	}
	var sums [terse.NumDimensions]map[string]clickblock.Sum
	for d := range sums {
		sums[d] = map[string]clickblock.Sum{}
	}
	for _, owner := range owners {
		one, err := clickstore.Series(m.rows, m.ofOwner(owner, tagged), each)
		m.must(err)
		if got.First <= got.Last && (one.First != got.First || one.Last != got.Last) {
			m.t.Errorf("all owners have a range that owner %d has not", owner)
		}
		want.Total += one.Total
		want.Visitors += one.Visitors
		want.People += one.People
		sum(want.ByInterval, one.ByInterval)
		sum(want.VisitorsByInterval, one.VisitorsByInterval)
		sum(want.PeopleByInterval, one.PeopleByInterval)
		for d := range sums {
			for value, n := range one.By[d] {
				add(sums[d], value, clickblock.Sum{Clicks: n, Firsts: one.VisitorsBy[d][value]})
			}
			for value, n := range one.VisitorsBy[d] {
				if _, some := one.By[d][value]; !some {
					add(sums[d], value, clickblock.Sum{Firsts: n})
				}
			}
		}
		want.Top = append(want.Top, one.Top...)
	}
	for d := range sums {
		if of.Without[d] {
			got.By[d], got.VisitorsBy[d] = nil, nil
			continue
		}
		want.By[d] = map[string]int64{}
		if of.VisitorsBy {
			want.VisitorsBy[d] = map[string]int64{}
		}
		for value, sum := range limited(sums[d], of.Limit, of.VisitorsBy) {
			if want.By[d][value] = sum.Clicks; of.VisitorsBy {
				want.VisitorsBy[d][value] = sum.Firsts
			}
		}
	}
	want.Top = mostOf(want.Top, of)
	if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(terse.Code{})); diff != "" {
		m.t.Errorf("%v of %v, asked %+v (-want +got):\n%s", of.Some.Tags, tagged, of, diff)
	}
}

func sum(to, more map[int64]int64) {
	for at, n := range more {
		to[at] += n
	}
}

// mostOf returns the links with the most clicks, the newest first as question.newest has them.
func mostOf(all []terse.LinkClicks, of terse.SeriesQuery) []terse.LinkClicks {
	slices.SortFunc(all, func(a, b terse.LinkClicks) int {
		by := cmp.Compare(b.Clicks, a.Clicks)
		if of.People {
			by = cmp.Compare(b.People, a.People)
		}
		return cmp.Or(by, cmp.Compare(a.ID, b.ID))
	})
	if of.Top == 0 || len(all) == 0 {
		return nil
	}
	return all[:min(of.Top, len(all))]
}

// wantWithinOfAll compares the clicks of each link, whatever owners it had.
func (m *model) wantWithinOfAll() {
	m.t.Helper()
	within := m.timeRange()
	by := func(owner clickstore.OwnerID, sums map[int64]int64) {
		m.must(clickstore.Within(m.rows, allOf(owner), within, false,
			func(id, clicks, _ int64) { sums[id] += clicks }))
	}
	want, got := map[int64]int64{}, map[int64]int64{}
	for _, owner := range owners {
		by(owner, want)
	}
	if by(everyone, got); !maps.Equal(want, got) {
		m.t.Errorf("within %v: %v, want %v", within, got, want)
	}
}

// wantEventsOfAll merges the events of all owners.
func (m *model) wantEventsOfAll() {
	m.t.Helper()
	var filter terse.ClickFilter
	if m.rng.IntN(2) == 0 {
		filter = m.filter()
	}
	pages := func(owner clickstore.OwnerID, limit int) (all []terse.Event) {
		of := terse.EventQuery{Range: terse.AllTime, Filter: filter, Limit: limit}
		for more := true; more; more = of.After != nil {
			page, err := clickstore.Events(m.rows, m.ofOwner(owner, nil), of)
			m.must(err)
			all, of.After = append(all, page.Events...), page.Next
		}
		return all
	}
	var want []terse.Event
	for _, owner := range owners {
		want = append(want, pages(owner, 1000)...)
	}
	sortEvents(want)
	got := pages(everyone, 1+m.rng.IntN(30))
	if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(terse.Code{})); diff != "" {
		m.t.Errorf("events (-want +got):\n%s", diff)
	}
}

// All owners that are joined have at most terse.MaxOwnerClicks by imports.
func TestPastAboveTheBoundOfAllOwners(t *testing.T) {
	t.Parallel()
	m := newModel(t, 1)
	const most, at = terse.MaxOwnerClicks, int64(0)
	past := func(i int, n int64) terse.Past {
		id := m.ids[i]
		return terse.Past{
			Link: terse.LinkRef{ID: id, Code: m.links.All[id].Codes[0]},
			Days: []terse.PastDayAdded{
				{PastDay: terse.PastDay{Day: terse.DayOf(at)}},
				{PastDay: terse.PastDay{Day: terse.DayOf(at) + 1, Clicks: n}},
			},
			Clicks: []terse.PastClick{{Time: at, Count: n}},
		}
	}
	for i, owner := range []clickstore.OwnerID{4, 5, 2} {
		m.links.All[m.ids[i]].Owner = owner
	}
	for _, tt := range []struct {
		past []terse.Past
		want []terse.PastAdded
	}{
		{
			[]terse.Past{past(0, most/4)},
			[]terse.PastAdded{{Added: most / 2}},
		},
		{ // in one call, and in the next
			[]terse.Past{past(0, most/4+1), past(1, most/4)},
			[]terse.PastAdded{
				{Added: 2, Known: most / 2},
				{Added: most / 4, RefusedDays: []terse.Day{terse.DayOf(at) + 1}},
			},
		},
		{
			[]terse.Past{past(1, most/4+most/8), past(2, most/2)},
			[]terse.PastAdded{
				{
					Added: most / 8, Known: most / 4,
					RefusedDays: []terse.Day{terse.DayOf(at) + 1},
				},
				{Added: most},
			},
		},
	} {
		got := m.addAll(tt.past, func() bounds { return none }, false)
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	all, err := clickstore.TotalOf(m.rows, others.Link())
	m.must(err)
	if want := int64(most/2 + 2 + most/4 + most/8); all.Clicks != want {
		t.Errorf("the others have %d clicks, want %d", all.Clicks, want)
	}
}
