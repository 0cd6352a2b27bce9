package clickstore_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/click/clickstore"
)

// bounds are the bounds of an AddPast: how many clicks of blocks it adds, and how often it looks at
// the clock.
type bounds struct{ most, looks int64 }

// none are so high that a transaction is never cut.
var none = bounds{1 << 40, 1 << 40}

// bound returns random bounds.
func (m *model) bound() bounds {
	some := []int64{1, 2, 3, 5, 1 << 40}
	return bounds{some[m.rng.IntN(len(some))], 1 + some[m.rng.IntN(len(some))]}
}

// begin bounds the AddPast that follows.
func (b bounds) begin(c *clickstore.Counter) {
	at, looks := time.Unix(0, 0), b.looks
	c.BoundPast(b.most, func() time.Time {
		if looks--; looks < 0 {
			return at.Add(time.Hour)
		}
		return at
	})
}

// addAll adds Pasts in as many transactions as the bounds require, or tries to. It returns what
// became of each.
func (m *model) addAll(past []terse.Past, of func() bounds, tries bool) []terse.PastAdded {
	m.t.Helper()
	all, place := make([]terse.PastAdded, len(past)), make([]int, len(past))
	for i := range place {
		place[i] = i
	}
	past = slices.Clone(past)
	for calls := 0; len(past) > 0; calls++ {
		b := of()
		var got []terse.PastAdded
		add := func(c *clickstore.Counter) (err error) {
			b.begin(c)
			got, err = c.AddPast(past)
			return err
		}
		if tries {
			m.try(func(c *clickstore.Counter) (err error) {
				b.begin(c)
				got, err = c.TryPast(past)
				return err
			})
		} else {
			m.transact(add)
		}
		more := 0
		for i := range got {
			to, one := &all[place[i]], got[i]
			to.Added, to.Known = to.Added+one.Added, to.Known+one.Known
			to.Skipped += one.Skipped
			to.SkippedDays = append(to.SkippedDays, one.SkippedDays...)
			to.Refused = append(to.Refused, one.Refused...)
			to.RefusedDays = append(to.RefusedDays, one.RefusedDays...)
			if tries {
				to.Tried.Add(one.Tried, 1<<20)
			}
			if one.Rest != nil {
				past[more], place[more] = *one.Rest, place[i]
				more++
			}
		}
		past = past[:more]
		if calls > 100_000 {
			m.t.Fatal("it does not end")
		}
	}
	return all
}

// try runs an operation in a transaction that is undone.
func (m *model) try(do func(*clickstore.Counter) error) {
	m.t.Helper()
	rows, undo := m.rows.Clone(), m.links.Begin()
	rows.FailAfter = -1
	m.must(m.counter.Begin(rows, m.links, []terse.Day{springDay}, time.UnixMicro(m.now)))
	m.must(do(m.counter))
	m.counter.End(false)
	undo()
}

// What is added in any number of transactions is what one would add. A try says the same.
func TestPastIsAddedInParts(t *testing.T) {
	t.Parallel()
	seeds := uint64(150)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		m := newModel(t, seed)
		for range m.rng.IntN(8) {
			m.step()
		}
		var past []terse.Past
		for _, id := range m.ids {
			past = append(past, m.past(id).Past)
		}
		m.transact(func(*clickstore.Counter) error { return nil }) // deletes links
		before := m.rows
		want := m.addAll(past, func() bounds { return none }, false)
		all, known := m.pastOfAll(), m.rows
		for _, b := range []bounds{
			{1, 1 << 40},
			{2, 1 << 40},
			{3, 1 << 40},
			{1 << 40, 1},
			{1 << 40, 2},
			{1 << 40, 7},
			{2, 9},
		} {
			m.rows, m.counter = before.Clone(), clickstore.NewTightCounter()
			tried := m.addAll(past, func() bounds { return b }, true)
			got := m.addAll(past, func() bounds { return b }, false)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %+v: added (-want +got):\n%s", seed, b, diff)
			}
			for i := range tried {
				tried[i].Tried = terse.Tried{}
			}
			if diff := gocmp.Diff(want, tried); diff != "" {
				t.Fatalf("seed %d, %+v: tried (-want +got):\n%s", seed, b, diff)
			}
			parted := m.pastOfAll()
			if diff := gocmp.Diff(all, parted, gocmp.AllowUnexported(terse.Code{})); diff != "" {
				t.Fatalf("seed %d, %+v (-want +got):\n%s", seed, b, diff)
			}
			for _, owner := range append(owners, everyone) {
				of := terse.SeriesQuery{
					Range: terse.AllTime, VisitorsBy: true, People: true, Top: 100,
					Intervals: terse.Intervals{Unit: terse.Daily},
				}
				q := &question{model: m, owner: owner}
				asked := clickstore.Asked{
					Links: allOf(owner), Exist: q.exist, Newest: q.newest,
				}
				one, err := clickstore.Series(known, asked, of)
				m.must(err)
				many, err := clickstore.Series(m.rows, asked, of)
				m.must(err)
				if diff := gocmp.Diff(one, many, gocmp.AllowUnexported(terse.Code{})); diff != "" {
					t.Fatalf("seed %d, %+v: owner %d (-want +got):\n%s", seed, b, owner, diff)
				}
			}
		}
	}
}

// A try knows what earlier ones would have added, also to links that do not exist yet.
func TestPastIsTriedOften(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		m := newModel(t, seed)
		for range m.rng.IntN(8) {
			m.step()
		}
		if seed%2 == 0 { // the same links, with nothing
			for _, id := range m.ids {
				m.transact(func(c *clickstore.Counter) error {
					_, err := c.Clear(id)
					return err
				})
				m.forget(id)
				m.eras[id]++
			}
		}
		tried := make([]terse.Tried, len(m.ids))
		for range 3 {
			var past []terse.Past
			for i, id := range m.ids {
				p := m.past(id).Past
				p.Tried = tried[i]
				if seed%2 == 0 {
					p.Link.ID = 0
				}
				past = append(past, p)
			}
			got := m.addAll(past, m.bound, true)
			for i := range got {
				tried[i].Add(got[i].Tried, 1<<20)
				got[i].Tried, past[i].Link.ID = terse.Tried{}, m.ids[i]
			}
			runs := m.rows
			if m.triedRows != nil {
				m.rows = m.triedRows
			}
			want := m.addAll(past, m.bound, false)
			m.rows, m.triedRows, m.counter = runs, m.rows, clickstore.NewTightCounter()
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
			}
		}
	}
}

// pastOfAll reads the past of all links.
func (m *model) pastOfAll() (all []terse.Past) {
	m.t.Helper()
	for _, id := range m.ids {
		all = append(all, m.read(id))
	}
	return all
}

// An owner has at most terse.MaxOwnerClicks.
func TestPastAboveTheBoundOfAnOwner(t *testing.T) {
	t.Parallel()
	m := newModel(t, 1)
	id := m.ids[0]
	ref := terse.LinkRef{ID: id, Code: m.links.All[id].Codes[0]}
	const most = terse.MaxOwnerClicks
	at := springDay.Start()
	de := terse.Values{terse.ByCountry: "DE"}
	past := func(n ...int64) []terse.Past {
		p := terse.Past{Link: ref, Days: []terse.PastDayAdded{{PastDay: terse.PastDay{
			Day: springDay - 1, Clicks: n[0],
		}}, {PastDay: terse.PastDay{Day: springDay}}}}
		for i, n := range n[1:] {
			p.Clicks = append(p.Clicks, terse.PastClick{Time: at + int64(i/2), Count: n})
			if i%2 == 1 {
				p.Clicks[i].Values = de
			}
		}
		return []terse.Past{p}
	}
	for _, tt := range []struct {
		past []terse.Past
		want terse.PastAdded
	}{
		{past(5, most-4, 1), terse.PastAdded{Added: 6, Refused: []int64{at}}},
		{past(5, 1, most-6), terse.PastAdded{
			Added: most - 6, Known: 6, Refused: nil,
		}},
		{past(5, 1, most-6), terse.PastAdded{Known: most}},
		{past(6, 1, most-6, 1), terse.PastAdded{
			Known: most - 5, Refused: []int64{at + 1}, RefusedDays: []terse.Day{springDay - 1},
		}},
	} {
		got := m.addAll(tt.past, func() bounds { return bounds{300, 1 << 40} }, false)
		if diff := gocmp.Diff([]terse.PastAdded{tt.want}, got); diff != "" {
			t.Errorf("%v: (-want +got):\n%s", tt.past, diff)
		}
	}
	total, err := clickstore.TotalOf(m.rows, id)
	m.must(err)
	if total.Clicks != most {
		t.Errorf("the link has %d clicks", total.Clicks)
	}
}

// A page ends anywhere: between blocks that overlap, and within an instant.
func TestPastPages(t *testing.T) {
	t.Parallel()
	m := newModel(t, 1)
	m.counter = clickstore.NewCounter()
	id := m.ids[0]
	var all []naive
	for batch := range 6 {
		var clicks []terse.Click
		for i := range 15_000 {
			c := terse.Click{
				Link: id, Code: m.links.All[id].Codes[0], Time: spring + m.rng.Int64N(day/8),
			}
			c.Values[terse.ByCampaign] = fmt.Sprint(m.rng.IntN(9000))
			c.Values[terse.BySource] = fmt.Sprint(m.rng.IntN(9000))
			switch {
			case batch%2 == 1:
				c.Time = spring + day/16
			case batch > 2 && i%3 == 0:
				c.Values[terse.ByReferrer] = strings.Repeat("x", 5*m.rng.IntN(200))
			}
			clicks, all = append(clicks, c), append(all, numbered(c, 1, 0))
		}
		m.transact(func(c *clickstore.Counter) error {
			batch := terse.ClicksOf(clicks...)
			_, err := c.Add(&batch, false)
			return err
		})
	}
	got, n := m.read(id).Clicks, int64(0)
	for i, c := range got {
		n += c.Count
		if i > 0 && c.Time < got[i-1].Time {
			t.Fatal("the clicks are in no order")
		}
	}
	want := linesOf(all)
	for i := range want {
		if len(got) != len(want) || got[i] != want[i] {
			t.Fatalf("%d lines with %d clicks, want %d", len(got), n, len(want))
		}
	}
}

// Whatever counts an import brings, answers add up.
func TestPastOfAnyCounts(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		m := newModel(t, seed)
		for range 12 {
			m.addAny()
			if m.rng.IntN(3) == 0 {
				m.count(30)
			}
			if id := m.ids[m.rng.IntN(len(m.ids))]; m.rng.IntN(4) == 0 {
				m.links.All[id].Owner = m.owner()
				m.links.Bury(id, false)
			}
		}
		for _, owner := range append(owners, others, everyone) {
			m.wantSums(allOf(owner)...)
		}
		for _, link := range m.ids {
			m.wantSums(link)
		}
	}
}

// addAny adds a day with random counts, which need not agree.
func (m *model) addAny() {
	m.t.Helper()
	id := m.ids[m.rng.IntN(len(m.ids))]
	day := terse.PastDay{
		Day: springDay - 40 + terse.Day(m.rng.IntN(4)), Clicks: m.rng.Int64N(100),
		Visitors: m.rng.Int64N(200),
	}
	for d := range terse.NumDimensions {
		if m.rng.IntN(3) > 0 {
			continue
		}
		counts := terse.PastCounts{Dimension: d}
		for range m.rng.IntN(5) {
			v := terse.PastValue{
				Clicks: m.rng.Int64N(80), People: m.rng.Int64N(80), Firsts: m.rng.Int64N(80),
			}
			v.Value = []string{
				"a", "b", "DE", terse.Bot, terse.OtherValue, d.Unknown(),
				strings.Repeat("x", m.rng.IntN(2000)),
			}[m.rng.IntN(7)]
			counts.Values = append(counts.Values, v)
		}
		day.Counts = append(day.Counts, counts)
	}
	m.addAll([]terse.Past{{
		Link: terse.LinkRef{ID: id, Code: m.links.All[id].Codes[0]},
		Days: []terse.PastDayAdded{{PastDay: day, ClickFirsts: m.rng.Int64N(50)}},
	}}, m.bound, false)
}

// wantSums checks that all maps of an answer have the same sums.
func (m *model) wantSums(links ...terse.LinkID) {
	m.t.Helper()
	for _, only := range [][]string{nil, {terse.Bot}} {
		q := terse.SeriesQuery{
			Range: terse.AllTime, VisitorsBy: true, People: true,
			Intervals: terse.Intervals{Unit: terse.Daily},
		}
		q.Filter[terse.ByVisitor].Only = only
		s, err := clickstore.Series(m.rows, clickstore.Asked{Links: links}, q)
		m.must(err)
		for d := range terse.NumDimensions {
			var clicks, visitors int64
			for value, n := range s.By[d] {
				if clicks += n; n < 0 || s.VisitorsBy[d][value] < 0 {
					m.t.Errorf("%d clicks by %v %q", n, d, value)
				}
				visitors += s.VisitorsBy[d][value]
			}
			if clicks != s.Total || visitors != s.Visitors {
				m.t.Errorf("link %d has %d clicks and %d visitors by %v, and %d and %d in all",
					links, clicks, visitors, d, s.Total, s.Visitors)
			}
		}
		tooMany := only == nil && s.Visitors > s.Total && !clickstore.IsOwner(links[0])
		if s.People < 0 || s.People > s.Total || tooMany {
			m.t.Errorf("link %d has %d clicks, %d of people, and %d visitors", links, s.Total,
				s.People, s.Visitors)
		}
	}
}
