package clickstore_test

import (
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/clickstore"
)

// addAll adds a Past until all of it is there, and returns how many clicks were added, and the last
// answer.
func (m *model) addAll(p terse.Past, most int64) (added int64, last terse.PastAdded) {
	m.t.Helper()
	for last.More = true; last.More; {
		m.transact(func(c *clickstore.Counter) error {
			c.BoundPast(most)
			got, err := c.AddPast([]terse.Past{p})
			if err == nil {
				last = got[0]
			}
			return err
		})
		dropped := int64(0)
		for _, d := range p.Days {
			dropped += d.Clicks
		}
		if added += last.Added; last.Added > most+dropped {
			m.t.Fatalf("%d clicks are added at once", last.Added)
		}
	}
	return added, last
}

// A Past with many clicks is added in several transactions.
func TestPastIsAddedInParts(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		m := newModel(t, seed)
		p := terse.Past{Link: terse.LinkRef{ID: m.ids[0], Code: m.links.links[m.ids[0]].codes[0]}}
		all := int64(0)
		for i := range 12 {
			of := springDay + terse.Day(i/3)
			c := terse.PastClick{Time: of.Start() + int64(i), Values: m.values()}
			c.Count = []int64{1, 3, 20, 700}[m.rng.IntN(4)]
			if c.Values[terse.ByVisitor] != terse.Bot {
				c.Firsts = m.rng.Int64N(c.Count + 1)
			}
			if i%3 == 0 {
				p.Days = append(p.Days, terse.PastDayAdded{PastDay: terse.PastDay{
					Day: of, Clicks: 9, Visitors: 2,
				}})
				all += 9
			}
			p.Days[len(p.Days)-1].ClickFirsts += c.Firsts
			p.Clicks, all = append(p.Clicks, c), all+c.Count
		}
		added, last := m.addAll(p, 1+m.rng.Int64N(500))
		if added != all || last.Added+last.Known != all || last.Skipped != 0 {
			t.Errorf("%d clicks are added, and at last %+v; there are %d", added, last, all)
		}
		got := m.read(m.ids[0])
		got.LastClick = p.LastClick
		if diff := gocmp.Diff(p, got, gocmp.AllowUnexported(terse.Code{})); diff != "" {
			t.Errorf("seed %d (-want +got):\n%s", seed, diff)
		}
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
				Link: id, Code: m.links.links[id].codes[0], Time: spring + m.rng.Int64N(day/8),
			}
			c.Values[terse.ByCampaign] = fmt.Sprint(m.rng.IntN(9000))
			c.Values[terse.BySource] = fmt.Sprint(m.rng.IntN(9000))
			switch {
			case batch%2 == 1:
				c.Time = spring + day/16
			case batch > 2 && i%3 == 0:
				c.Values[terse.ByReferrer] = strings.Repeat("x", 5*m.rng.IntN(200))
			}
			clicks, all = append(clicks, c), append(all, naive{Click: c})
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
			if link := m.links.links[m.ids[m.rng.IntN(len(m.ids))]]; m.rng.IntN(4) == 0 {
				link.owner = 3 - link.owner
				m.links.bury(m.ids[0], false)
			}
		}
		all := []terse.LinkID{clickstore.OwnerID(1).Link(), clickstore.OwnerID(2).Link()}
		for _, link := range append(all, m.ids...) {
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
	m.addAll(terse.Past{
		Link: terse.LinkRef{ID: id, Code: m.links.links[id].codes[0]},
		Days: []terse.PastDayAdded{{PastDay: day, ClickFirsts: m.rng.Int64N(50)}},
	}, 1<<20)
}

// wantSums checks that all maps of an answer have the same sums.
func (m *model) wantSums(link terse.LinkID) {
	m.t.Helper()
	for _, only := range [][]string{nil, {terse.Bot}} {
		q := terse.SeriesQuery{
			Range: terse.AllTime, VisitorsBy: true, People: true,
			Intervals: terse.Intervals{Unit: terse.Daily},
		}
		q.Filter[terse.ByVisitor].Only = only
		s, err := clickstore.Series(m.rows, clickstore.Asked{Link: link}, q)
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
					link, clicks, visitors, d, s.Total, s.Visitors)
			}
		}
		tooMany := only == nil && s.Visitors > s.Total && !clickstore.IsOwner(link)
		if s.People < 0 || s.People > s.Total || tooMany {
			m.t.Errorf("link %d has %d clicks, %d of people, and %d visitors", link, s.Total,
				s.People, s.Visitors)
		}
	}
}
