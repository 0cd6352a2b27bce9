package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickblock"
)

// numbered gives clicks numbers that identify their events.
type numbered struct {
	*journal
	n int
}

// number is a click's value of ByCampaign.
func number(v terse.Values) string { return v[terse.ByCampaign] }

// clicksAt returns n random clicks of links, at few instants.
func (j *numbered) clicksAt(links []terse.Link, n int, from time.Time, instants int,
	step time.Duration,
) []terse.Click {
	clicks := j.clicks(links, n, from, time.Hour)
	for i := range clicks {
		clicks[i].Time = from.Add(time.Duration(j.rng.IntN(instants)) * step).UnixMicro()
	}
	return clicks
}

func (j *numbered) addNumbered(clicks []terse.Click) {
	for i := range clicks {
		j.n++
		clicks[i].Values[terse.ByCampaign] = strconv.Itoa(j.n)
	}
	j.add(clicks)
}

// wantEvents returns the events that the naive way finds, the latest first.
func wantEvents(clicks []terse.Click, q terse.EventQuery) (events []terse.Event) {
	for _, c := range clicks {
		if q.Range.Contains(c.Time) && asksFor(terse.SeriesQuery{Filter: q.Filter}, c.Values) {
			events = append(events, terse.Event{
				Time: c.Time, Values: c.Values, Count: 1,
				Link: terse.LinkRef{ID: c.Link, Code: c.Code},
			})
		}
	}
	slices.SortFunc(events, func(a, b terse.Event) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Link.ID, b.Link.ID),
			cmp.Compare(clickblock.Hash(&a.Values), clickblock.Hash(&b.Values)))
	})
	return events
}

// pagesOf reads pages of events, and calls between before each page but the first.
func (j *numbered) pagesOf(link terse.LinkRef, q terse.EventQuery, between func()) (
	events []terse.Event,
) {
	j.t.Helper()
	for {
		page, err := j.store.Events(j.t.Context(), link, q)
		must(j.t, err)
		if len(page.Events) > q.Limit {
			j.t.Fatalf("%d events on a page of %d", len(page.Events), q.Limit)
		}
		events = append(events, page.Events...)
		if page.Next == nil {
			return events
		}
		q.After = page.Next
		between()
	}
}

// wantNumbers reports the first difference between the numbers of two lists.
func wantNumbers(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("%s: %d are %v …, want %d, %v … from %d on", what, len(got),
				got[min(i, len(got)):min(i+10, len(got))], len(want),
				want[min(i, len(want)):min(i+10, len(want))], i)
		}
	}
}

func numbers(events []terse.Event) (n []string) {
	for _, e := range events {
		n = append(n, number(e.Values))
	}
	return n
}

func newNumbered(t *testing.T, s Store) *numbered {
	return &numbered{journal: newJournal(t, s)}
}

// ask asks for events at random.
func (j *numbered) ask(clicks []terse.Click) terse.EventQuery {
	if len(clicks) == 0 {
		return terse.EventQuery{Range: terse.AllTime, Limit: 1, Owner: terse.Identity}
	}
	q := j.journal.query(clicks)
	n := len(wantEvents(clicks, terse.EventQuery{Range: q.Range, Filter: q.Filter}))
	limit := max([]int{1, 7, 100, 1000}[j.rng.IntN(4)], n/20) // so that pages are few
	return terse.EventQuery{
		Range: q.Range, Filter: q.Filter, Limit: limit, Owner: terse.Identity,
	}
}

// eventsOfLinks has clicks at few instants, counted in small and large batches, on time and late.
func eventsOfLinks(t *testing.T, s Store) {
	j := newNumbered(t, s)
	links := j.create(3)
	for i := range 16 {
		from := spring.Add(time.Duration(i%8) * 9 * time.Hour)
		size := []int{1, 20, 300, 900}[j.rng.IntN(4)]
		j.addNumbered(j.clicksAt(links[:1+i%3], size, from, 1+j.rng.IntN(60), 40*time.Minute))
		if i%4 != 3 {
			continue
		}
		for _, link := range links {
			clicks := j.counted[link.ID]
			for range 3 {
				q := j.ask(clicks)
				want := wantEvents(clicks, q)
				got := j.pagesOf(link.Ref(), q, func() {})
				what := fmt.Sprintf("events of %+v", q)
				wantNumbers(t, what, numbers(got), numbers(want))
				for k, e := range got {
					wantEqual(t, "time", e.Time, want[k].Time)
					wantEqual(t, "count", e.Count, 1)
					for d := range terse.NumDimensions {
						wantEqual(t, d.String(), e.Values.Of(d), valueOf(want[k].Values, d))
					}
				}
			}
		}
	}
	_, err := s.Events(t.Context(), terse.LinkRef{ID: links[0].ID, Code: links[1].Code},
		terse.EventQuery{Range: terse.AllTime, Limit: 1})
	wantError(t, "events of no link", err, terse.ErrNotFound)
}

// eventsWhileCounting: every event that existed at the first page is listed once, in order,
// whatever is counted meanwhile.
func eventsWhileCounting(t *testing.T, s Store) {
	j := newNumbered(t, s)
	links := j.create(2)
	add := func() {
		from := spring.Add(time.Duration(j.rng.IntN(4)) * 12 * time.Hour)
		size := []int{1, 5, 90, 700}[j.rng.IntN(4)]
		j.addNumbered(j.clicksAt(links[:1+j.rng.IntN(2)], size, from, 20, 20*time.Minute))
	}
	for range 12 {
		add()
	}
	for range 2 {
		for _, link := range []terse.LinkRef{links[0].Ref(), terse.AllLinks} {
			clicks := j.counted[links[0].ID]
			if link == terse.AllLinks {
				clicks = j.all()
			}
			q := terse.EventQuery{Range: terse.AllTime, Owner: terse.Identity}
			want := wantEvents(clicks, q)
			q.Limit = 1 + len(want)/(5+j.rng.IntN(10))
			there := map[string]bool{}
			for _, e := range want {
				there[number(e.Values)] = true
			}
			got := j.pagesOf(link, q, add)
			got = slices.DeleteFunc(got, func(e terse.Event) bool {
				return !there[number(e.Values)]
			})
			if link == terse.AllLinks {
				j.wantAll(got, want)
			} else {
				wantNumbers(t, "events", numbers(got), numbers(want))
			}
		}
	}
}

// wantAll compares events of all links.
func (j *numbered) wantAll(got, want []terse.Event) {
	j.t.Helper()
	links := map[string]terse.LinkRef{}
	for _, e := range want {
		links[number(e.Values)] = e.Link
	}
	for _, e := range got {
		wantEqual(j.t, "link of "+number(e.Values), e.Link, links[number(e.Values)])
	}
	wantNumbers(j.t, "events", numbers(got), numbers(want))
}

// eventsOfAll: by filter, range and tag, without deleted links and cleared clicks.
func eventsOfAll(t *testing.T, s Store) {
	j := newNumbered(t, s)
	none, err := s.Events(t.Context(), terse.AllLinks,
		terse.EventQuery{Range: terse.AllTime, Limit: 10, Owner: terse.Identity})
	must(t, err)
	wantEqual(t, "events", len(none.Events), 0)
	links := j.create(300)
	for i := range links[:9] {
		o := terse.LinkOptions{Tags: []string{"All", []string{"one", "two", "Three"}[i%3]}}
		links[i] = updateTo(t, s, links[i], o)
	}
	for i := range 5 {
		from := spring.Add(time.Duration(i) * 13 * time.Hour)
		j.addNumbered(slices.Concat(j.clicksAt(links, 500, from, 50, 10*time.Minute),
			j.clicksAt(links[:9], 600, from, 30, 11*time.Minute)))
		gone := links[len(links)-1]
		links = links[:len(links)-1]
		must(t, s.Delete(t.Context(), me, gone))
		delete(j.counted, gone.ID)
		cleared := links[i*2]
		must(t, s.ClearClicks(t.Context(), me, cleared.Ref()))
		j.counted[cleared.ID] = nil
		j.addNumbered(j.clicksAt(links[:20], 40, from, 10, 10*time.Minute))
		for range 5 {
			q := j.ask(j.all())
			clicks := j.all()
			tags := [][]string{{"all"}, {"ONE", "All"}, {"none"}, nil}[j.rng.IntN(4)]
			if tags != nil {
				q.Some.Tags, clicks = tags, nil
				for i, link := range links[:9] {
					if tags[0] == "all" || tags[0] == "ONE" && i%3 == 0 {
						clicks = append(clicks, j.counted[link.ID]...)
					}
				}
			}
			j.wantAll(j.pagesOf(terse.AllLinks, q, func() {}), wantEvents(clicks, q))
			j.wantTop(q, clicks)
		}
	}
	j.wantByPeriod()
	q := terse.EventQuery{Range: terse.AllTime, Limit: 10, Owner: "somebody"}
	wantEqual(t, "events of another owner", len(j.pagesOf(terse.AllLinks, q, func() {})), 0)
}

// mostClicked returns the number of clicks of each link, the most first.
func (j *journal) mostClicked(events []terse.Event) (links []terse.LinkClicks) {
	sums := map[terse.LinkRef]int64{}
	for _, e := range events {
		sums[e.Link]++
	}
	for link, n := range sums {
		links = append(links, terse.LinkClicks{LinkRef: link, Clicks: n})
	}
	slices.SortFunc(links, func(a, b terse.LinkClicks) int {
		return cmp.Or(cmp.Compare(b.Clicks, a.Clicks),
			j.created[b.ID].Compare(j.created[a.ID]), cmp.Compare(b.ID, a.ID))
	})
	return links
}

// wantTop compares the links with the most clicks, and for tags all counts.
func (j *numbered) wantTop(of terse.EventQuery, clicks []terse.Click) {
	j.t.Helper()
	q := terse.SeriesQuery{
		Range: of.Range, Filter: of.Filter, Owner: of.Owner, Some: of.Some, Top: 1 + j.rng.IntN(12),
	}
	got := seriesOf(j.t, j.store, terse.AllLinks, q)
	want := j.mostClicked(wantEvents(clicks, of))
	what := fmt.Sprintf("%+v", q)
	wantEqual(j.t, "top links of "+what, got.Top, want[:min(len(want), q.Top)])
	if len(q.Some.Tags) == 0 {
		return
	}
	all := WantSeries(clicks, q)
	wantEqual(j.t, "total of "+what, got.Total, all.Total)
	wantEqual(j.t, "maps of "+what, got.By, all.By)
	wantEqual(j.t, "series of "+what, got.ByInterval, all.ByInterval)
}

// wantByPeriod checks that lists are sorted by the clicks in a range.
func (j *numbered) wantByPeriod() {
	j.t.Helper()
	links, _ := list(j.t, j.store, j.owner, 1000, 0)
	for range 4 {
		within := j.journal.query(j.all()).Range
		counts := map[terse.LinkID]int64{}
		for _, l := range j.mostClicked(wantEvents(j.all(), terse.EventQuery{Range: within})) {
			counts[l.ID] = l.Clicks
		}
		want := slices.Clone(links)
		for i := range want {
			want[i].PeriodClicks = counts[want[i].ID]
		}
		slices.SortFunc(want, func(a, b terse.Link) int {
			return cmp.Or(cmp.Compare(counts[b.ID], counts[a.ID]),
				b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
		})
		for _, filter := range []terse.LinkFilter{{}, {Tags: []string{"all"}, Now: spring}} {
			if len(filter.Tags) > 0 {
				want = slices.DeleteFunc(want, func(l terse.Link) bool {
					return !filtered(j.t, l, filter)
				})
			}
			got, _ := pages(j.t, j.store, terse.LinkQuery{
				Owner: j.owner, Order: terse.MostClickedFirst, Within: within, Limit: 100,
				Filter: filter,
			})
			wantEqual(j.t, fmt.Sprintf("links by clicks within %+v", within),
				append([]terse.Link{}, got...), want)
		}
	}
}
