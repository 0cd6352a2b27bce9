package clickstore_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/clickstore"
	"terse/internal/linkset"
	clickblock "terse/internal/newblock"
)

// TestAnswers asks random questions after random things happened to clicks, and compares the
// answers with sums over the list of all clicks.
func TestAnswers(t *testing.T) {
	t.Parallel()
	sequences := 2000
	if testing.Short() {
		sequences = 200
	}
	for seed := range uint64(sequences) {
		askModel(t, seed, 14, 8)
		if t.Failed() {
			t.Fatal("seed ", seed)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add(uint64(1), uint8(40))
	f.Fuzz(func(t *testing.T, seed uint64, steps uint8) { askModel(t, seed, int(steps), 20) })
}

func askModel(t testing.TB, seed uint64, steps, questions int) {
	m := newModel(t, seed)
	for range steps {
		m.step()
	}
	for range questions {
		q := m.question()
		q.wantSeries()
		q.wantEvents()
	}
	m.wantWithin()
}

// question is whose clicks are asked for.
type question struct {
	*model
	link   terse.LinkID
	owner  clickstore.OwnerID // 0: a link is asked about
	tags   bool
	tagged []int64
	clicks []naive // all that count for the link or owner
	asked  clickstore.Asked
}

func (m *model) question() *question {
	q := &question{model: m}
	if m.rng.IntN(2) == 0 {
		q.link = m.ids[m.rng.IntN(len(m.ids))]
		q.clicks = m.where(func(c *naive) bool { return c.Link == q.link && !c.gone })
		q.asked = clickstore.Asked{Link: q.link}
		return q
	}
	q.owner = clickstore.OwnerID(1 + m.rng.IntN(2))
	q.link, q.tags = q.owner.Link(), m.rng.IntN(3) == 0
	for _, id := range m.ids {
		if m.rng.IntN(2) == 0 && m.links.links[id].owner == q.owner {
			q.tagged = append(q.tagged, int64(id))
		}
	}
	q.clicks = m.where(func(c *naive) bool { return c.owner == q.owner })
	q.asked = clickstore.Asked{
		Link: q.link, Tagged: linkset.Of(q.tagged),
		Exist: func(ids []terse.LinkID) (refs []terse.LinkRef, err error) {
			for _, id := range ids {
				ref, _ := q.exists(id)
				refs = append(refs, ref)
			}
			return refs, nil
		},
	}
	return q
}

func (m *model) where(is func(*naive) bool) (some []naive) {
	for i := range m.clicks {
		if is(&m.clicks[i]) {
			some = append(some, m.clicks[i])
		}
	}
	return some
}

func (q *question) exists(id terse.LinkID) (terse.LinkRef, bool) {
	link := q.links.links[id]
	if link == nil || link.deleted || link.owner != q.owner {
		return terse.LinkRef{}, false
	}
	return terse.LinkRef{ID: id, Code: link.codes[0]}, true
}

// has reports whether a click of an owner is of a link that there is, in its era, and that has the
// tags.
func (q *question) has(c *naive) bool {
	_, exists := q.exists(c.Link)
	return exists && !c.gone && (!q.tags || slices.Contains(q.tagged, int64(c.Link)))
}

func (m *model) timeRange() terse.TimeRange {
	from := m.now - m.rng.Int64N(80*day)
	to := from + m.rng.Int64N(80*day)
	switch m.rng.IntN(5) {
	case 0:
		return terse.AllTime
	case 1:
		return terse.Between(from, to)
	case 2:
		first := terse.DayOf(from)
		return terse.Days(first, first+terse.Day(m.rng.IntN(3)))
	case 3:
		return terse.Days(terse.MonthOf(terse.DayOf(from)).First(), terse.DayOf(to))
	default: // from or to a click
		if len(m.clicks) > 0 {
			from = m.clicks[m.rng.IntN(len(m.clicks))].Time + m.rng.Int64N(3) - 1
			to = max(from, m.clicks[m.rng.IntN(len(m.clicks))].Time)
		}
		return terse.Between(from, to)
	}
}

func (m *model) filter() (f terse.ClickFilter) {
	list := func(d terse.Dimension) *[]string {
		if m.rng.IntN(2) == 0 {
			return &f[d].Not
		}
		return &f[d].Only
	}
	for m.rng.IntN(3) == 0 {
		switch m.rng.IntN(4) {
		case 0:
			*list(terse.ByCountry) = []string{"XX", "DE", "FR"}[:1+m.rng.IntN(3)]
		case 1:
			*list(terse.ByReferrerHost) = []string{"R1.example", "direct"}[:1+m.rng.IntN(2)]
		case 2:
			*list(terse.ByVisitor) = []string{terse.Bot}
		default:
			kinds := []string{terse.Prefetch, "unknown", terse.Bot}
			*list(terse.ByVisitor) = kinds[:1+m.rng.IntN(3)]
		}
	}
	return f
}

func (m *model) seriesQuery() (q terse.SeriesQuery) {
	q.Range, q.Filter = m.timeRange(), m.filter()
	q.Intervals.Unit = terse.IntervalUnit(m.rng.IntN(4))
	if name := []string{"", "Europe/Berlin", "America/St_Johns"}[m.rng.IntN(3)]; name != "" {
		zone, err := time.LoadLocation(name)
		m.must(err)
		q.Intervals.Zone = zone
	}
	for d := range q.Without {
		q.Without[d] = m.rng.IntN(3) == 0
	}
	q.Limit = []int{0, 0, 1, 2, 5}[m.rng.IntN(5)]
	q.VisitorsBy, q.People = m.rng.IntN(2) == 0, m.rng.IntN(2) == 0
	return q
}

// onlyAudience reports whether a filter does no more than to tell bots from people.
func onlyAudience(f terse.ClickFilter) bool {
	v := f[terse.ByVisitor]
	f[terse.ByVisitor] = terse.ValueFilter{}
	for _, value := range slices.Concat(v.Only, v.Not) {
		if value != terse.Bot {
			return false
		}
	}
	return f.All() && len(v.Only)*len(v.Not) == 0
}

func lets(f *terse.ClickFilter, c *naive) bool {
	values := c.Values
	clickblock.Derive(&values)
	for d := range terse.NumDimensions {
		if !f[d].Lets(d, values.Of(d)) {
			return false
		}
	}
	return true
}

// countedRange is the range that can be counted.
func (q *question) countedRange(of terse.SeriesQuery) (first, last int64) {
	first, last = of.Range.Micros()
	if !onlyAudience(of.Filter) {
		for _, c := range q.clicks {
			if c.dropped {
				first = max(first, c.Time+1)
			}
		}
		return first, last
	}
	for _, c := range q.clicks {
		start := terse.DayOf(c.Time).Start()
		if c.dropped && first > start && first < start+day {
			first = start
		}
		if c.dropped && last >= start && last < start+day {
			last = start + day - 1
		}
	}
	return first, last
}

func (q *question) wantSeries() {
	q.t.Helper()
	of := q.seriesQuery()
	if q.owner > 0 {
		of.Top = q.rng.IntN(4)
	}
	if q.tags {
		of.Tags = []string{"tag"}
	}
	first, last := q.countedRange(of)
	within := func(c *naive) bool {
		at := c.Time
		if c.dropped {
			at = terse.DayOf(at).Start()
		}
		return first <= at && at <= last && !(c.dropped && !onlyAudience(of.Filter))
	}
	counts := func(c *naive) bool { return within(c) && lets(&of.Filter, c) }
	counted := slices.DeleteFunc(slices.Clone(q.clicks), func(c naive) bool { return !counts(&c) })
	want := terse.Series{First: first, Last: last, Top: q.top(of, counted)}
	if q.tags {
		counted = q.ofTagged(within, counts)
	}
	q.sum(&want, of, counted)
	got, err := clickstore.Series(q.rows, q.asked, of)
	q.must(err)
	for d := range terse.NumDimensions {
		if of.Without[d] {
			got.By[d], got.VisitorsBy[d] = nil, nil
		}
	}
	if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(terse.Code{})); diff != "" {
		q.t.Errorf("%d, %v of %v, asked %+v (-want +got):\n%s", q.link, of.Tags, q.tagged, of, diff)
	}
}

// ofTagged returns the clicks of tagged links: single ones as they were counted for the owner, and
// of links with dropped ones all of these.
func (q *question) ofTagged(within, counts func(*naive) bool) (some []naive) {
	dropped := map[terse.LinkID]bool{}
	for _, c := range q.clicks {
		switch {
		case !q.has(&c):
		case c.dropped:
			dropped[c.Link] = dropped[c.Link] || within(&c)
		case counts(&c):
			some = append(some, c)
		}
	}
	return append(some, q.where(func(c *naive) bool {
		return dropped[c.Link] && c.dropped && !c.gone && counts(c)
	})...)
}

// sum adds up clicks.
func (q *question) sum(s *terse.Series, of terse.SeriesQuery, clicks []naive) {
	s.ByInterval, s.VisitorsByInterval = map[int64]int64{}, map[int64]int64{}
	s.PeopleByInterval = map[int64]int64{}
	sums := [terse.NumDimensions]map[string]clickblock.Sum{}
	for d := range sums {
		sums[d] = map[string]clickblock.Sum{}
	}
	for _, c := range clicks {
		at := c.Time
		if c.dropped {
			at = terse.DayOf(at).Start()
		}
		at, _ = of.Intervals.Containing(at)
		sum := clickblock.Sum{Clicks: 1}
		s.Total++
		s.ByInterval[at]++
		if c.first {
			sum.Firsts = 1
			s.Visitors++
			s.VisitorsByInterval[at]++
		}
		if of.People && c.Values[terse.ByVisitor] != terse.Bot {
			s.People++
			s.PeopleByInterval[at]++
		}
		values := c.Values
		clickblock.Derive(&values)
		for d := range sums {
			add(sums[d], values.Of(terse.Dimension(d)), sum)
		}
	}
	for d := range sums {
		if of.Without[d] {
			continue
		}
		s.By[d] = map[string]int64{}
		if of.VisitorsBy {
			s.VisitorsBy[d] = map[string]int64{}
		}
		for value, sum := range limited(sums[d], of.Limit, of.VisitorsBy) {
			s.By[d][value] = sum.Clicks
			if of.VisitorsBy {
				s.VisitorsBy[d][value] = sum.Firsts
			}
		}
	}
}

// limited returns the largest sums, the rest as other.
func limited(sums map[string]clickblock.Sum, limit int, byVisitors bool) map[string]clickblock.Sum {
	names := slices.SortedFunc(maps.Keys(sums), func(x, y string) int {
		visitors := cmp.Compare(sums[y].Firsts, sums[x].Firsts)
		if !byVisitors {
			visitors = 0
		}
		return cmp.Or(visitors, cmp.Compare(sums[y].Clicks, sums[x].Clicks), cmp.Compare(x, y))
	})
	kept := map[string]clickblock.Sum{}
	n := 0
	for _, name := range names {
		to := name
		if name != terse.OtherValue {
			if n++; limit > 0 && n > limit {
				to = terse.OtherValue
			}
		}
		add(kept, to, sums[name])
	}
	return kept
}

// top returns the links of the owner with the most of some clicks.
func (q *question) top(of terse.SeriesQuery, clicks []naive) (top []terse.LinkClicks) {
	sums := map[terse.LinkID]clickblock.Sum{}
	for _, c := range clicks {
		if q.has(&c) {
			sum := sums[c.Link]
			if sum.Clicks++; of.People && c.Values[terse.ByVisitor] != terse.Bot {
				sum.People++
			}
			sums[c.Link] = sum
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(sums), func(x, y terse.LinkID) int {
		by := cmp.Compare(sums[y].Clicks, sums[x].Clicks)
		if of.People {
			by = cmp.Compare(sums[y].People, sums[x].People)
		}
		return cmp.Or(by, cmp.Compare(y, x))
	}) {
		if len(top) < of.Top {
			ref, _ := q.exists(id)
			top = append(top, terse.LinkClicks{
				LinkRef: ref, Clicks: sums[id].Clicks, People: sums[id].People,
			})
		}
	}
	return top
}

func (m *model) wantWithin() {
	m.t.Helper()
	owner, r, people := clickstore.OwnerID(1+m.rng.IntN(2)), m.timeRange(), m.rng.IntN(2) == 0
	want := clickstore.LinkTotals{}
	for _, c := range m.clicks {
		at := c.Time
		if c.dropped {
			at = terse.DayOf(at).Start()
		}
		if c.owner != owner || c.gone || m.links.links[c.Link].deleted || !r.Contains(at) {
			continue
		}
		bucket := want[clickstore.BucketOf(c.Link)]
		if bucket == nil {
			bucket = &clickstore.BucketTotals{}
			want[clickstore.BucketOf(c.Link)] = bucket
		}
		offset := c.Link % clickstore.BucketLinks
		if bucket.Clicks[offset]++; people && c.Values[terse.ByVisitor] != terse.Bot {
			bucket.People[offset]++
		}
	}
	got, err := clickstore.Within(m.rows, owner, r, people)
	m.must(err)
	for id, link := range m.links.links {
		if bucket := got[clickstore.BucketOf(id)]; link.deleted && bucket != nil {
			offset := id % clickstore.BucketLinks
			bucket.Clicks[offset], bucket.People[offset] = 0, 0
		}
	}
	maps.DeleteFunc(got, func(_ int64, of *clickstore.BucketTotals) bool {
		return *of == clickstore.BucketTotals{}
	})
	if diff := gocmp.Diff(want, got); diff != "" {
		m.t.Errorf("owner %d within %v: (-want +got):\n%s", owner, r, diff)
	}
}

// listed are the single clicks in the order of events.
func (q *question) listed() (events []terse.Event) {
	for _, c := range q.clicks {
		if c.dropped || q.owner > 0 && !q.has(&c) {
			continue
		}
		values := c.Values
		clickblock.Derive(&values)
		ref := terse.LinkRef{ID: c.Link}
		events = append(events, terse.Event{Link: ref, Time: c.Time, Values: values})
	}
	slices.SortFunc(events, func(a, b terse.Event) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Link.ID, b.Link.ID),
			cmp.Compare(clickblock.Hash(&a.Values), clickblock.Hash(&b.Values)),
			slices.Compare(a.Values[:], b.Values[:]))
	})
	return events
}

// wantEvents reads pages, each with a filter and range of its own, while clicks are added.
func (q *question) wantEvents() {
	q.t.Helper()
	all := q.listed()
	of := terse.EventQuery{Range: terse.AllTime}
	if q.tags {
		of.Tags = []string{"tag"}
	}
	for at := 0; ; {
		of.Limit, of.Filter = 1+q.rng.IntN(7), q.filter()
		if of.Range = terse.AllTime; q.rng.IntN(3) == 0 {
			of.Range = q.timeRange()
		}
		var want []terse.Event
		next := len(all)
		for i := at; i < len(all) && next == len(all); i++ {
			c := naive{Click: terse.Click{Values: all[i].Values}}
			switch in := of.Range.Contains(all[i].Time) && lets(&of.Filter, &c); {
			case in && len(want) == of.Limit:
				next = -1
			case in:
				want, at = append(want, all[i]), i+1
			}
		}
		page, err := clickstore.Events(q.rows, q.asked, of)
		q.must(err)
		for i := range page.Events {
			if link := &page.Events[i].Link; q.owner == 0 {
				link.ID = q.link
			} else {
				link.Code = terse.Code{}
			}
		}
		if diff := gocmp.Diff(want, page.Events, gocmp.AllowUnexported(terse.Code{})); diff != "" {
			q.t.Fatalf("%d, %v of %v, asked %+v (-want +got):\n%s", q.link, of.Tags, q.tagged, of, diff)
		}
		if (page.Next != nil) != (next < 0) {
			q.t.Fatalf("%d asked %+v: the next page is at %+v", q.link, of, page.Next)
		}
		if of.After = page.Next; of.After == nil {
			return
		}
	}
}

// What was there at the first page is on one of the pages, once, whatever moves meanwhile.
func TestEventsWhileClicksMove(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		m := newModel(t, seed)
		for range 6 {
			m.count(40)
		}
		q := m.question()
		before, seen := texts(q.listed()), map[string]int{}
		of := terse.EventQuery{Range: terse.AllTime, Limit: 7}
		if q.tags {
			of.Tags = []string{"tag"}
		}
		for {
			page, err := clickstore.Events(m.rows, q.asked, of)
			m.must(err)
			for _, e := range page.Events {
				if q.owner == 0 {
					e.Link.ID = q.link
				}
				seen[text(&e)]++
			}
			if of.After = page.Next; of.After == nil {
				break
			}
			m.count(20)
		}
		q.clicks = m.where(func(c *naive) bool {
			return q.owner > 0 && c.owner == q.owner || q.owner == 0 && c.Link == q.link
		})
		after := texts(q.listed())
		for text, n := range seen {
			if n > after[text] {
				t.Errorf("seed %d: %s comes %d times", seed, text, n)
			}
		}
		for text, n := range before {
			if seen[text] < n {
				t.Errorf("seed %d: %s comes %d times of %d", seed, text, seen[text], n)
			}
		}
	}
}

func text(e *terse.Event) string { return fmt.Sprint(e.Time, " ", e.Link.ID, " ", e.Values) }

func texts(events []terse.Event) map[string]int {
	all := map[string]int{}
	for i := range events {
		all[text(&events[i])]++
	}
	return all
}
