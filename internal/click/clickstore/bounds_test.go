package clickstore_test

import (
	"fmt"
	"maps"
	"testing"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/link/linkset"
)

// The bounds of all links of an owner together are those of their counts. They change no answer
// that names links, filters, or lists clicks, wherever the clicks lie.
func TestBoundsOfAnOwnerChangeNoLink(t *testing.T) {
	t.Parallel()
	m := newModel(t, 1)
	m.counter = clickstore.NewCounter()
	owner := clickstore.OwnerID(1)
	busy, quiet := m.ids[0], m.ids[1]
	m.links.All[busy].Owner, m.links.All[quiet].Owner = owner, owner
	at := springDay.Start()
	add := func(link terse.LinkID, n int, campaign func(i int) string) {
		t.Helper()
		var clicks []terse.Click
		for i := range n {
			at++
			c := terse.Click{Link: link, Code: m.links.All[link].Codes[0], Time: at}
			c.Values[terse.ByCampaign] = campaign(i)
			clicks = append(clicks, c)
		}
		m.transact(func(c *clickstore.Counter) error {
			batch := terse.ClicksOf(clicks...)
			_, err := c.Add(&batch, false)
			return err
		})
	}
	// compact moves all clicks down, by clicks of another day.
	compact := func() {
		t.Helper()
		m.counter = clickstore.NewTightCounter()
		for _, link := range []terse.LinkID{busy, quiet} {
			for range 5 {
				var clicks []terse.Click
				for i := range 50 {
					clicks = append(clicks, terse.Click{
						Link: link, Code: m.links.All[link].Codes[0],
						Time: (springDay - 1).Start() + int64(i),
					})
				}
				m.transact(func(c *clickstore.Counter) error {
					batch := terse.ClicksOf(clicks...)
					_, err := c.Add(&batch, false)
					return err
				})
			}
		}
		m.counter = clickstore.NewCounter()
	}
	today := terse.Days(springDay, springDay)
	by := func(link terse.LinkID, q terse.SeriesQuery) (map[string]int64, int64) {
		t.Helper()
		if q.Range == (terse.TimeRange{}) {
			q.Range = today
		}
		got, err := clickstore.Series(m.rows, clickstore.Asked{
			Links: []terse.LinkID{link}, Tagged: linkset.Of([]int64{int64(quiet)}),
		}, q)
		m.must(err)
		return got.By[terse.ByCampaign], got.Total
	}
	var total int64
	want := func(when string) {
		t.Helper()
		named := map[string]int64{"spX": 2, "suX": 1}
		tagged := terse.SeriesQuery{Some: terse.SomeLinks{Tags: []string{"tag"}}}
		if got, _ := by(owner.Link(), tagged); !maps.Equal(got, named) {
			t.Errorf("%s: the tag's campaigns are %v", when, got)
		}
		q := terse.SeriesQuery{}
		q.Filter[terse.ByCampaign].Only = []string{"spX"}
		if _, n := by(owner.Link(), q); n != 2 {
			t.Errorf("%s: %d clicks of a campaign, want 2", when, n)
		}
		page, err := clickstore.Events(m.rows, clickstore.Asked{
			Links: []terse.LinkID{owner.Link()},
			Exist: func(ids []terse.LinkID) (refs []terse.LinkRef, _ error) {
				for _, id := range ids {
					refs = append(refs, terse.LinkRef{ID: id})
				}
				return refs, nil
			},
		}, terse.EventQuery{Range: today, Limit: 10, Filter: q.Filter})
		m.must(err)
		if len(page.Events) != 2 {
			t.Errorf("%s: %d events of a campaign, want 2", when, len(page.Events))
		}
		// Under a tag the bounds of all links together mean nothing, in filters neither.
		q = terse.SeriesQuery{Some: terse.SomeLinks{Tags: []string{"tag"}}}
		q.Filter[terse.ByCampaign].Only = []string{terse.OtherValue}
		if _, n := by(owner.Link(), q); n != 0 {
			t.Errorf("%s: %d clicks of other under the tag, want 0", when, n)
		}
		q.Filter[terse.ByCampaign] = terse.ValueFilter{Not: []string{terse.OtherValue}}
		if got, n := by(owner.Link(), q); n != 3 || !maps.Equal(got, named) {
			t.Errorf("%s: %d clicks but of other under the tag: %v", when, n, got)
		}
		// A filter names the values of the map.
		for _, link := range []terse.LinkID{owner.Link(), busy} {
			all, clicks := by(link, terse.SeriesQuery{})
			other := all[terse.OtherValue]
			var q terse.SeriesQuery
			q.Filter[terse.ByCampaign].Only = []string{terse.OtherValue}
			if got, n := by(link, q); n != other || got[terse.OtherValue] != other {
				t.Errorf("%s: %d clicks of other of %d, the map has %d", when, n, link, other)
			}
			q.Filter[terse.ByCampaign] = terse.ValueFilter{Not: []string{terse.OtherValue}}
			if _, n := by(link, q); n != clicks-other {
				t.Errorf("%s: %d clicks but of other of %d, want %d", when, n, link, clicks-other)
			}
		}
		wantBounds(t, m, when, owner.Link(), total+3, by)
		wantBounds(t, m, when, busy, total, by)
	}
	add(busy, terse.MaxReferrersPerDay+400, func(i int) string { return fmt.Sprint("c", i) })
	add(quiet, 3, func(i int) string { return []string{"spX", "spX", "suX"}[i] })
	total = terse.MaxReferrersPerDay + 400
	want("before clicks move")
	compact()
	want("after clicks moved")
	// The blocks of the owner, too, have a bound on values: that of each link.
	first := at
	add(busy, 2*terse.MaxReferrersPerDay, func(i int) string { return fmt.Sprint("d", i) })
	total += 2 * terse.MaxReferrersPerDay
	compact()
	want("after more clicks moved")
	q := terse.SeriesQuery{Range: terse.Between(first, at+1)}
	if got, _ := by(owner.Link(), q); len(got) > terse.MaxReferrersPerDay/2 {
		t.Errorf("blocks of the owner name %d values beyond the bounds of a link", len(got))
	}
	// Dropping clicks changes no counts.
	before, _ := by(owner.Link(), terse.SeriesQuery{})
	for _, until := range []int64{first - 5000, first - 100, at - 1000, at - 1, at + 1} {
		m.dropAll(until)
		if after, _ := by(owner.Link(), terse.SeriesQuery{}); !maps.Equal(before, after) {
			t.Errorf("%d names, and %d after a drop", len(before), len(after))
		}
		wantBounds(t, m, "after a drop", busy, total, by)
	}
}

// wantBounds checks the names and the number of clicks of a day, which are the same by the hour.
func wantBounds(t *testing.T, m *model, when string, link terse.LinkID, clicks int64,
	by func(terse.LinkID, terse.SeriesQuery) (map[string]int64, int64),
) {
	t.Helper()
	got, n := by(link, terse.SeriesQuery{})
	if len(got) > terse.MaxReferrersPerDay+2 || n != clicks {
		t.Errorf("%s: %d has %d names of %d clicks, want %d", when, link, len(got), n, clicks)
	}
	q := terse.SeriesQuery{}
	q.Intervals.Unit = terse.Hourly
	if hourly, _ := by(link, q); !maps.Equal(got, hourly) {
		t.Errorf("%s: %d has %d names by day and %d by hour", when, link, len(got), len(hourly))
	}
}

// A day that was dropped in part has the bounds of a day.
func TestBoundsOfADayDroppedInPart(t *testing.T) {
	t.Parallel()
	m := newModel(t, 1)
	m.counter = clickstore.NewCounter()
	id := m.ids[0]
	link, at, n := m.links.All[id], springDay.Start(), 0
	add := func() {
		var clicks []terse.Click
		for range terse.MaxReferrersPerDay - 1000 {
			at, n = at+1, n+1
			c := terse.Click{Link: id, Code: link.Codes[0], Time: at}
			c.Values[terse.ByCampaign] = fmt.Sprint("c", n)
			clicks = append(clicks, c)
		}
		m.transact(func(c *clickstore.Counter) error {
			batch := terse.ClicksOf(clicks...)
			_, err := c.Add(&batch, false)
			return err
		})
	}
	add()
	m.dropAll(at - 100)
	add()
	for range 2 {
		for _, of := range []terse.LinkID{id, link.Owner.Link()} {
			got, err := clickstore.Series(m.rows, single(of),
				terse.SeriesQuery{Range: terse.AllTime})
			m.must(err)
			names := got.By[terse.ByCampaign]
			if len(names) != terse.MaxReferrersPerDay+1 || names[terse.OtherValue] == 0 {
				t.Errorf("%d has %d names", of, len(names))
			}
		}
		m.dropAll(at - 50)
	}
}

// dropAll drops the clicks before a time.
func (m *model) dropAll(before int64) {
	var place clickstore.DropPlace
	for done := false; !done; {
		m.transact(func(c *clickstore.Counter) (err error) {
			place, done, err = c.Drop(place, before)
			return err
		})
	}
}
