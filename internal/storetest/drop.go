package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"terse"
)

// dropping has the clicks of a journal of which single ones are dropped.
type dropping struct {
	*journal
	gone map[terse.LinkID][]bool // by the index of a click in counted
}

// drop has the store drop clicks.
func (d *dropping) drop(before time.Time) {
	d.t.Helper()
	must(d.t, d.store.DropClicks(d.t.Context(), before))
	for link, clicks := range d.counted {
		gone := append(d.gone[link], make([]bool, len(clicks)-len(d.gone[link]))...)
		for i, c := range clicks {
			gone[i] = gone[i] || c.Time < before.UnixMicro()
		}
		d.gone[link] = gone
	}
}

// want counts the naive way.
func (d *dropping) want(links []terse.LinkID, q terse.SeriesQuery) terse.Series {
	n := 0
	for _, link := range links {
		n += len(d.counted[link])
	}
	clicks := make([]counted, 0, n)
	for _, link := range links {
		for i, c := range d.counted[link] {
			gone := i < len(d.gone[link]) && d.gone[link][i]
			clicks = append(clicks, counted{Click: c, gone: gone})
		}
	}
	return answer(clicks, q)
}

func asksForSome(q terse.SeriesQuery) bool {
	return slices.ContainsFunc(q.Filter[:], func(f terse.ValueFilter) bool {
		return len(f.Only)+len(f.Not) > 0
	})
}

// compare compares some answers on links, of which all are one link, or every one.
func (d *dropping) compare(of terse.LinkRef, links ...terse.LinkID) {
	d.t.Helper()
	var clicks []terse.Click
	for _, link := range links {
		clicks = append(clicks, d.counted[link]...)
	}
	queries := []terse.SeriesQuery{{Range: terse.AllTime}}
	for range 2 {
		queries = append(queries, d.query(clicks))
	}
	for _, q := range queries {
		q.Owner = d.owner
		got, err := d.store.Series(d.t.Context(), of, q)
		must(d.t, err)
		wantEqual(d.t, fmt.Sprintf("%+v of link %d", q, of.ID), got, d.want(links, q))
	}
}

func (d *dropping) compareAll(links []terse.Link) {
	d.t.Helper()
	var ids []terse.LinkID
	for _, link := range links {
		d.compare(link.Ref(), link.ID)
		ids = append(ids, link.ID)
	}
	d.compare(terse.AllLinks, ids...)
	d.compareTop(links)
}

// compareTop compares how many clicks each link has, with those that were dropped, and lists that
// are sorted by them.
func (d *dropping) compareTop(links []terse.Link) {
	d.t.Helper()
	for range 4 {
		from := terse.DayOf(spring.UnixMicro()) + terse.Day(d.rng.IntN(8)-1)
		q := terse.SeriesQuery{
			Range: terse.Days(from, from+terse.Day(d.rng.IntN(40))), Owner: terse.Identity, Top: 9,
		}
		var want []terse.LinkClicks
		for _, link := range links {
			n := int64(0)
			for _, c := range d.counted[link.ID] {
				if q.Range.Contains(c.Time) {
					n++
				}
			}
			if n > 0 {
				want = append(want, terse.LinkClicks{LinkRef: link.Ref(), Clicks: n})
			}
		}
		slices.SortFunc(want, func(a, b terse.LinkClicks) int {
			return cmp.Or(cmp.Compare(b.Clicks, a.Clicks), cmp.Compare(b.ID, a.ID))
		})
		got, err := d.store.Series(d.t.Context(), terse.AllLinks, q)
		must(d.t, err)
		wantEqual(d.t, fmt.Sprintf("top links of %+v", q), got.Top, want)
		page, err := d.store.Links(d.t.Context(), terse.LinkQuery{
			Owner: terse.Identity, Order: terse.MostClickedFirst, Limit: 9, Within: q.Range,
		})
		must(d.t, err)
		for i := range want {
			wantEqual(d.t, "links by clicks", page.Links[i].ID, want[i].ID)
		}
	}
}

// dropClicks has a busy link, quiet ones and late clicks, and times to drop at within days.
func dropClicks(t *testing.T, s terse.Store) {
	d := &dropping{journal: newJournal(t, s), gone: map[terse.LinkID][]bool{}}
	links := d.create(3)
	d.drop(spring)
	for i := range 6 {
		from := spring.Add(time.Duration(i) * 31 * time.Hour)
		d.add(d.clicks(links[:1], 3000, from, 40*time.Hour))
		d.add(d.clicks(links, 300, from, 30*24*time.Hour))
		d.add(d.clicks(links, 30, spring, 24*time.Hour)) // late
		d.compareAll(links)
		d.drop(from.Add(time.Duration(d.rng.IntN(30)) * time.Hour))
		d.compareAll(links)
	}
	d.drop(spring.Add(40 * 24 * time.Hour))
	d.compareAll(links)
	d.compareList()
	must(t, s.ClearClicks(t.Context(), links[1].Ref()))
	got, err := s.Series(t.Context(), links[1].Ref(), terse.SeriesQuery{Range: terse.AllTime})
	must(t, err)
	wantEqual(t, "clicks after they were cleared", got.Total, 0)
	must(t, s.Delete(t.Context(), links[0].Ref()))
	d.add(d.clicks(links[2:], 50, spring, time.Hour))
	d.drop(spring.Add(time.Hour))
	d.compare(links[2].Ref(), links[2].ID)
	d.compare(terse.AllLinks, links[0].ID, links[1].ID, links[2].ID)
}

// countUntracked has clicks of which nothing is kept, among others.
func countUntracked(t *testing.T, s terse.Store) {
	d := &dropping{journal: newJournal(t, s), gone: map[terse.LinkID][]bool{}}
	links := d.create(3)
	for range 4 {
		clicks := d.clicks(links, 700, spring, 50*time.Hour)
		for i := range clicks {
			if d.rng.IntN(2) == 0 {
				clicks[i].Values, clicks[i].Untracked = terse.Values{}, true
			}
		}
		d.add(clicks)
		for link, clicks := range d.counted {
			gone := append(d.gone[link], make([]bool, len(clicks)-len(d.gone[link]))...)
			for i, c := range clicks {
				gone[i] = c.Untracked
			}
			d.gone[link] = gone
		}
		d.compareAll(links)
	}
	d.compareList()
}
