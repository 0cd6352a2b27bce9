package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // the same on every machine

	"terse"
	"terse/internal/click/referrer"
)

// WantSeries counts the naive way.
func WantSeries(clicks []terse.Click, q terse.SeriesQuery) terse.Series {
	s := terse.NewSeries()
	s.First, s.Last = q.Range.Micros()
	if q.People {
		s.PeopleByInterval = map[int64]int64{}
	}
	for d := range s.VisitorsBy {
		if q.VisitorsBy {
			s.VisitorsBy[d] = map[string]int64{}
		}
	}
	for _, c := range clicks {
		if !q.Range.Contains(c.Time) || !asksFor(q, c.Values) {
			continue
		}
		s.Total++
		for d := range terse.NumDimensions {
			s.By[d][valueOf(c.Values, d)]++
		}
		for d := range terse.NumDimensions {
			if q.VisitorsBy {
				s.VisitorsBy[d][valueOf(c.Values, d)] += first(c)
			}
		}
		start, _ := q.Intervals.Containing(c.Time)
		s.ByInterval[start]++
		if q.People && c.Values[terse.ByVisitor] != terse.Bot {
			s.People++
			s.PeopleByInterval[start]++
		}
		if c.Visitor != 0 { // the journal keeps it only for firsts
			s.Visitors++
			s.VisitorsByInterval[start]++
		}
	}
	if q.Limit > 0 {
		for d := range s.By {
			kept := largestOf(s.VisitorsBy[d], s.By[d], q.Limit)
			s.By[d] = limited(s.By[d], kept)
			if q.VisitorsBy {
				s.VisitorsBy[d] = limited(s.VisitorsBy[d], kept)
			}
		}
	}
	return s
}

// first returns 1 for a visitor's first click.
func first(c terse.Click) int64 {
	if c.Visitor != 0 { // the journal keeps it only for firsts
		return 1
	}
	return 0
}

// largestOf returns the n values with the most visitors, then clicks.
func largestOf(visitors, clicks map[string]int64, n int) []string {
	values := slices.SortedFunc(maps.Keys(clicks), func(a, b string) int {
		return cmp.Or(cmp.Compare(visitors[b], visitors[a]), cmp.Compare(clicks[b], clicks[a]),
			cmp.Compare(a, b))
	})
	values = slices.DeleteFunc(values, func(v string) bool { return v == terse.OtherValue })
	return values[:min(n, len(values))]
}

// limited returns the counts of the given values, and the rest as other.
func limited(counts map[string]int64, values []string) map[string]int64 {
	some := map[string]int64{}
	for value, clicks := range counts {
		if !slices.Contains(values, value) {
			value = terse.OtherValue
		}
		some[value] += clicks
	}
	return some
}

func asksFor(q terse.SeriesQuery, v terse.Values) bool {
	for d := range terse.NumDimensions {
		filter := &q.Filter[d]
		if !filter.All() && !filter.Lets(d, valueOf(v, d)) {
			return false
		}
	}
	return true
}

func valueOf(v terse.Values, d terse.Dimension) string {
	if d == terse.ByReferrerHost {
		return hostOf(v.Of(terse.ByReferrer))
	}
	return v.Of(d)
}

// hosts caches the hosts of referrers, which tests need again and again.
var hosts = struct {
	sync.Mutex
	of map[string]string
}{of: map[string]string{}}

func hostOf(of string) string {
	hosts.Lock()
	defer hosts.Unlock()
	host, known := hosts.of[of]
	if !known {
		host = referrer.Host(of)
		hosts.of[of] = host
	}
	return host
}

// all are the clicks of all links.
func (j *journal) all() (clicks []terse.Click) {
	for _, of := range j.counted {
		clicks = append(clicks, of...)
	}
	return clicks
}

// query returns a random query.
func (j *journal) query(clicks []terse.Click) (q terse.SeriesQuery) {
	j.t.Helper()
	at := func() int64 { return clicks[j.rng.IntN(len(clicks))].Time + int64(j.rng.IntN(3)) - 1 }
	q.Range = terse.AllTime
	if a, b := at(), at(); a != b && j.rng.IntN(2) == 0 {
		q.Range = timeRange(j.t, min(a, b), max(a, b))
	}
	if j.rng.IntN(4) == 0 {
		q.Limit = 1 + j.rng.IntN(5)
	}
	q.People, q.VisitorsBy = j.rng.IntN(2) == 0, j.rng.IntN(3) == 0
	units := []terse.IntervalUnit{terse.Hourly, terse.Daily, terse.Weekly, terse.Monthly}
	q.Intervals.Unit = units[j.rng.IntN(4)]
	zones := []string{"", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu"}
	if name := zones[j.rng.IntN(4)]; name != "" {
		var err error
		q.Intervals.Zone, err = time.LoadLocation(name)
		must(j.t, err)
	}
	country := func() string { return []string{"AX", "EX", "ZZ", "XX"}[j.rng.IntN(4)] }
	j.filter(&q.Filter[terse.ByCountry], country)
	j.filter(&q.Filter[terse.ByReferrer], j.referrer)
	for d := range terse.NumDimensions {
		value := func() string {
			return j.spell(d, valueOf(clicks[j.rng.IntN(len(clicks))].Values, d))
		}
		if d != terse.ByCountry && d != terse.ByReferrer && j.rng.IntN(8) == 0 {
			j.filter(&q.Filter[d], value)
		}
	}
	switch j.rng.IntN(6) { // counts distinguish these
	case 0:
		q.Filter = terse.ClickFilter{terse.ByVisitor: {Not: []string{terse.Bot}}}
	case 1:
		q.Filter = terse.ClickFilter{terse.ByVisitor: {Only: []string{terse.Bot}}}
	}
	return q
}

// filter chooses random values, some of them both for Only and for Not.
func (j *journal) filter(f *terse.ValueFilter, value func() string) {
	for _, list := range []*[]string{&f.Only, &f.Not} {
		for n := max(0, j.rng.IntN(7)-4); n > 0; n-- {
			*list = append(*list, value())
		}
	}
}

// spell returns a value of a filter in upper or lower case, if that means the same.
func (j *journal) spell(d terse.Dimension, value string) string {
	folds := []terse.Dimension{
		terse.ByRegion, terse.ByReferrerHost, terse.ByBrowser, terse.ByOS, terse.ByLanguage,
	}
	if slices.Contains(folds, d) && j.rng.IntN(3) == 0 {
		return strings.ToUpper(value)
	}
	return value
}

// AllTime asks for all clicks of a link, or of all links.
var AllTime = terse.SeriesQuery{Range: terse.AllTime, Owner: terse.Identity}

// compareSeries compares some answers.
func (j *journal) compareSeries(link terse.LinkRef, clicks []terse.Click) {
	j.t.Helper()
	queries := []terse.SeriesQuery{{Range: terse.AllTime}}
	for len(clicks) > 0 && len(queries) < 12 {
		queries = append(queries, j.query(clicks))
	}
	for _, q := range queries {
		q.Owner = j.owner
		got := seriesOf(j.t, j.store, link, q)
		wantEqual(j.t, fmt.Sprintf("%+v of link %d", q, link.ID), got, WantSeries(clicks, q))
	}
}

// compareEach compares answers about each of the links, and about all links.
func (j *journal) compareEach(links []terse.Link) {
	j.t.Helper()
	for _, link := range links {
		j.compareSeries(link.Ref(), j.counted[link.ID])
	}
	j.compareSeries(terse.AllLinks, j.all())
}

func seriesBusy(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	j.compareSeries(links[0].Ref(), nil)
	for i := range 10 {
		j.add(j.clicks(links, 4<<i, spring.Add(time.Duration(i)*11*time.Hour), 13*time.Hour))
		j.compareSeries(links[0].Ref(), j.counted[links[0].ID])
	}
}

// seriesMonths has so many clicks on each day that a store may sum days and months. Some are late,
// and in the end they are cleared.
func seriesMonths(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	link := links[0].Ref()
	const days = 100
	for day := 0; day < days; day += 10 {
		from := spring.Add(time.Duration(day) * 24 * time.Hour)
		j.add(j.clicks(links, 5000, from, 10*24*time.Hour))
		if day%30 == 0 {
			j.compareSeries(link, j.counted[link.ID])
		}
	}
	j.compareEach(links)
	j.add(j.clicks(links, 3000, spring.Add(20*24*time.Hour), 5*24*time.Hour))
	j.compareSeries(link, j.counted[link.ID])
	j.add(j.clicks(links, 3000, spring.Add(days*24*time.Hour), 3*24*time.Hour))
	j.compareSeries(link, j.counted[link.ID])
	all := j.all()
	must(t, s.ClearClicks(t.Context(), me, link))
	j.counted[link.ID] = nil
	j.add(j.clicks(links, 3000, spring.Add((days+4)*24*time.Hour), 24*time.Hour))
	j.compareSeries(link, j.counted[link.ID])
	j.compareSeries(terse.AllLinks, slices.Concat(all, j.counted[link.ID]))
}

func seriesQuiet(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 2)
	for range 40 {
		j.add(j.clicks(links, 301, spring, 400*24*time.Hour))
	}
	j.compareEach(links)
}

// seriesAll has hot and cold links, some of them deleted, and clicks without a link.
func seriesAll(t *testing.T, s Store) {
	j := newJournal(t, s)
	j.compareSeries(terse.AllLinks, nil)
	links := j.create(300)
	for i := range 6 {
		from := spring.Add(time.Duration(i) * 30 * time.Hour)
		clicks := slices.Concat(j.clicks(links, 900, from, 50*time.Hour),
			j.clicks(links[:2], 4000, from, 3*time.Hour),
			j.clicks(links, 20, from, 500*24*time.Hour))
		j.addShuffled(clicks)
		j.compareSeries(terse.AllLinks, j.all())
		must(t, s.Delete(t.Context(), me, links[len(links)-1]))
		gone := links[len(links)-1]
		links = links[:len(links)-1]
		counted := slices.Clone(j.counted[gone.ID])
		j.add(j.clicks([]terse.Link{gone, {ID: links[0].ID + 5000, Code: gone.Code}}, 50, from,
			time.Hour))
		j.counted[gone.ID] = counted
		delete(j.counted, links[0].ID+5000)
	}
	j.add(j.clicks(links, 20, spring, time.Hour)) // so few that a store may postpone them
	j.compareEach(links[:1])
	clicks, err := s.Clicks(t.Context(), links[1].Ref())
	must(t, err)
	want := terse.LinkClicks{LinkRef: links[1].Ref()}
	for _, c := range j.counted[links[1].ID] {
		if want.Clicks++; c.Values[terse.ByVisitor] != terse.Bot {
			want.People++
		}
		if at := time.UnixMicro(c.Time).UTC(); at.After(want.Last) {
			want.Last = at
		}
	}
	wantEqual(t, "clicks", clicks, want)
	_, err = s.Clicks(t.Context(), terse.LinkRef{ID: links[0].ID, Code: links[1].Code})
	wantError(t, "clicks of no link", err, terse.ErrNotFound)
	_, err = s.Series(t.Context(), terse.LinkRef{ID: links[0].ID, Code: links[1].Code}, ever)
	wantError(t, "series of no link", err, terse.ErrNotFound)
}

// seriesOwners has links of three owners, and clicks of all in each batch. It asks about each, and
// about all of them.
func seriesOwners(t *testing.T, s Store) {
	j := newNumbered(t, s)
	var links []terse.Link
	for i, owner := range []string{"somebody", terse.Identity, "somebody", "another"} {
		l := newLink(t, fmt.Sprintf("link%d", i))
		l.CreatedBy = owner
		link := mustCreate(t, s, l)
		if i > 0 {
			link = updateTo(t, s, link, terse.LinkOptions{Tags: []string{"some"}})
		}
		links = append(links, link)
	}
	for i := range 3 {
		from := spring.Add(time.Duration(i) * 40 * time.Hour)
		j.addNumbered(slices.Concat(j.clicksAt(links, 900, from, 50, 10*time.Minute),
			j.clicksAt(links, 300, spring, 400, 24*time.Hour)))
		for _, owner := range []string{
			terse.Identity, "somebody", "another", "nobody", terse.AllOwners,
		} {
			var clicks, tagged []terse.Click
			for i, link := range links {
				if link.CreatedBy == owner || owner == terse.AllOwners {
					clicks = append(clicks, j.counted[link.ID]...)
					if i > 0 {
						tagged = append(tagged, j.counted[link.ID]...)
					}
				}
			}
			j.owner = owner
			j.compareSeries(terse.AllLinks, clicks)
			q := terse.EventQuery{Range: terse.AllTime, Owner: owner, Limit: 700}
			j.wantTop(q, clicks)
			j.wantAll(j.pagesOf(terse.AllLinks, q, func() {}), wantEvents(clicks, q))
			q.Some.Tags = []string{"some"}
			j.wantTop(q, tagged)
			j.wantAll(j.pagesOf(terse.AllLinks, q, func() {}), wantEvents(tagged, q))
			if len(clicks) > 0 {
				j.wantByPeriod()
			}
		}
	}
	// Counted clicks stay with the former owner.
	theirs := j.counted[links[0].ID]
	must(t, s.Delete(t.Context(), me, links[0]))
	j.owner = "somebody"
	j.compareSeries(terse.AllLinks, slices.Concat(theirs, j.counted[links[2].ID]))
	j.owner = terse.AllOwners
	j.compareSeries(terse.AllLinks, j.all())
}
