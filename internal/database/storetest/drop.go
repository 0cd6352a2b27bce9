package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"terse"
)

// dropping is a journal whose single clicks are dropped.
type dropping struct {
	*journal
	clicks []counted
}

// counted is a click as a store has it.
type counted struct {
	terse.Click
	owner   string // of the link when the click was counted
	gone    bool   // single clicks are dropped
	cleared bool   // missing in the link's own statistics
}

func (d *dropping) add(clicks []terse.Click) {
	d.t.Helper()
	for _, c := range clicks {
		d.clicks = append(d.clicks, counted{Click: c, gone: c.Untracked})
	}
	d.journal.add(clicks)
}

// drop drops clicks in the store and in the model.
func (d *dropping) drop(before time.Time) {
	d.t.Helper()
	must(d.t, d.store.DropClicks(d.t.Context(), before))
	for i := range d.clicks {
		c := &d.clicks[i]
		c.gone = c.gone || c.Time < before.UnixMicro()
	}
}

func asksForSome(q terse.SeriesQuery) bool {
	// Counts distinguish bots and people, too.
	bot := func(f *terse.ValueFilter) bool {
		none := func(v string) bool { return v != terse.Bot }
		return !slices.ContainsFunc(f.Only, none) && !slices.ContainsFunc(f.Not, none) &&
			(len(f.Only) == 0 || len(f.Not) == 0)
	}
	for d := range q.Filter {
		f := &q.Filter[d]
		if !f.All() && (terse.Dimension(d) != terse.ByVisitor || !bot(f)) {
			return true
		}
	}
	return false
}

// those returns the clicks for which of returns true, with and without the model's marks.
func (d *dropping) those(of func(*counted) bool) (some []counted, clicks []terse.Click) {
	for i := range d.clicks {
		if c := &d.clicks[i]; of(c) {
			some, clicks = append(some, *c), append(clicks, c.Click)
		}
	}
	return some, clicks
}

// compare compares some answers about links: either one link or all of them.
func (d *dropping) compare(of terse.LinkRef, links ...terse.LinkID) {
	d.t.Helper()
	some, clicks := d.those(func(c *counted) bool { return slices.Contains(links, c.Link) })
	for _, q := range []terse.SeriesQuery{ever, d.query(clicks), d.query(clicks)} {
		q.Owner = d.owner
		d.wantAnswer(of, q, some)
	}
}

func (d *dropping) wantAnswer(of terse.LinkRef, q terse.SeriesQuery, clicks []counted) {
	d.t.Helper()
	got := seriesOf(d.t, d.store, of, q)
	wantEqual(d.t, fmt.Sprintf("%+v of link %d", q, of.ID), got, answer(clicks, q))
}

func (d *dropping) compareAll(links []terse.Link) {
	d.t.Helper()
	var ids []terse.LinkID
	for _, link := range links {
		d.compare(link.Ref(), link.ID)
		ids = append(ids, link.ID)
	}
	d.compare(terse.AllLinks, ids...)
	d.compareTop()
}

// compareTop compares the number of clicks of each link, including dropped ones, and lists sorted
// by them.
func (d *dropping) compareTop() {
	d.t.Helper()
	for range 4 {
		from := terse.DayOf(spring.UnixMicro()) + terse.Day(d.rng.IntN(8)-1)
		q := terse.SeriesQuery{
			Range: terse.Days(from, from+terse.Day(d.rng.IntN(40))), Owner: terse.Identity, Top: 9,
		}
		want := d.mostClicked(wantEvents(d.all(), terse.EventQuery{Range: q.Range}))
		got := seriesOf(d.t, d.store, terse.AllLinks, q)
		wantEqual(d.t, fmt.Sprintf("top links of %+v", q), got.Top, want)
		page := pageOf(d.t, d.store, terse.LinkQuery{
			Owner: terse.Identity, Order: terse.MostClickedFirst, Limit: 9, Within: q.Range,
		})
		for i := range want {
			wantEqual(d.t, "links by clicks", page.Links[i].ID, want[i].ID)
		}
	}
}

// dropClicks has a busy link, quiet links and late clicks, and drops at times within days.
func dropClicks(t *testing.T, s Store) {
	d := &dropping{journal: newJournal(t, s)}
	links := d.create(3)
	d.drop(spring)
	for i := range 6 {
		from := spring.Add(time.Duration(i) * 31 * time.Hour)
		d.add(d.journal.clicks(links[:1], 3000, from, 40*time.Hour))
		d.add(d.journal.clicks(links, 300, from, 30*24*time.Hour))
		d.add(d.journal.clicks(links, 30, spring, 24*time.Hour)) // late
		d.compareAll(links)
		d.drop(from.Add(time.Duration(d.rng.IntN(30)) * time.Hour))
		d.compareAll(links)
	}
	d.drop(spring.Add(40 * 24 * time.Hour))
	d.compareAll(links)
	d.compareList()
	must(t, s.ClearClicks(t.Context(), me, links[1].Ref()))
	got := seriesOf(t, s, links[1].Ref(), ever)
	wantEqual(t, "clicks after they were cleared", got.Total, 0)
	must(t, s.Delete(t.Context(), me, links[0]))
	d.add(d.journal.clicks(links[2:], 50, spring, time.Hour))
	d.drop(spring.Add(time.Hour))
	d.compare(links[2].Ref(), links[2].ID)
	d.compare(terse.AllLinks, links[0].ID, links[1].ID, links[2].ID)
}

// countUntracked mixes untracked clicks with others.
func countUntracked(t *testing.T, s Store) {
	d := &dropping{journal: newJournal(t, s)}
	links := d.create(3)
	for range 4 {
		clicks := d.journal.clicks(links, 700, spring, 50*time.Hour)
		for i := range clicks {
			if d.rng.IntN(2) == 0 {
				clicks[i].Values, clicks[i].Untracked = terse.Values{}, true
			}
		}
		d.add(clicks)
		d.compareAll(links)
	}
	d.compareList()
}
