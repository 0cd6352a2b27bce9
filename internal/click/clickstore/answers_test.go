package clickstore_test

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	gocmp "github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/click/clickstore"
	"terse/internal/database/storetest/memrows"
	"terse/internal/link/linkset"
)

// TestAnswers asks random questions after random operations, and compares the answers with sums
// over the list of all clicks.
func TestAnswers(t *testing.T) {
	t.Parallel()
	sequences := 500
	if testing.Short() {
		sequences = 100
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
	to := m.move()
	for range questions {
		to.question().wantSeries()
	}
}

// strictReader refuses calls from within its calls, as a connection does.
type strictReader struct {
	rows *memrows.Rows
	busy bool
}

var errBusy = errors.New("rows are being read")

func (r *strictReader) call(f func() error) error {
	if r.busy {
		return errBusy
	}
	r.busy = true
	err := f()
	r.busy = false
	return err
}

func (r *strictReader) Get(t clickstore.Table, k clickstore.Key, f func([]byte) error) error {
	return r.call(func() error { return r.rows.Get(t, k, f) })
}

func (r *strictReader) Scan(g clickstore.Range, within clickstore.Span,
	f func(int64, clickstore.Span, []byte) error,
) error {
	return r.call(func() error { return r.rows.Scan(g, within, f) })
}

func (r *strictReader) ScanMany(t clickstore.Table, ranges []clickstore.Range,
	f func(clickstore.Key, []byte) error,
) error {
	return r.call(func() error { return r.rows.ScanMany(t, ranges, f) })
}

func (r *strictReader) Sizes(g clickstore.Range,
	f func(int64, clickstore.Span, int) error,
) error {
	return r.call(func() error { return r.rows.Sizes(g, f) })
}

func (r *strictReader) Buckets(buckets []int64, f func(int64, []byte) error) error {
	return r.call(func() error { return r.rows.Buckets(buckets, f) })
}

// question says whose clicks are asked for.
type question struct {
	*model
	reader *strictReader
	link   terse.LinkID
	owner  clickstore.OwnerID // or everyone; 0: a link is asked about
	tags   bool
	tagged []int64
	clicks []naive // all that count for the link or owner
	asked  clickstore.Asked
}

func (m *model) question() *question {
	q := &question{model: m, reader: &strictReader{rows: m.rows}}
	if m.rng.IntN(2) == 0 {
		q.link = m.ids[m.rng.IntN(len(m.ids))]
		q.clicks = m.where(func(c *naive) bool { return c.Link == q.link && !c.gone })
		q.asked = single(q.link)
		return q
	}
	q.owner = m.asked()
	q.link, q.tags = allOf(q.owner)[0], m.rng.IntN(3) == 0
	for _, id := range m.ids {
		if _, is := q.exists(id); is && m.rng.IntN(2) == 0 {
			q.tagged = append(q.tagged, int64(id))
		}
	}
	q.clicks = m.where(func(c *naive) bool { return c.isOf(q.owner) })
	q.asked = clickstore.Asked{
		Links: allOf(q.owner), Tagged: linkset.Of(q.tagged), Exist: q.exist, Newest: q.newest,
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

func (q *question) exist(ids []terse.LinkID) (refs []terse.LinkRef, err error) {
	if q.reader != nil && q.reader.busy {
		return nil, errBusy
	}
	for _, id := range ids {
		ref, _ := q.exists(id)
		refs = append(refs, ref)
	}
	return refs, nil
}

// newest takes IDs for times, upside down: the order of links is not that of their IDs.
func (q *question) newest(links linkset.Set, after linkset.Ranked, most int) (
	found []linkset.Ranked, err error,
) {
	if q.reader != nil && q.reader.busy {
		return nil, errBusy
	}
	for _, id := range links.IDs() {
		r := linkset.Ranked{ID: id, Key: -id}
		_, exists := q.exists(terse.LinkID(id))
		if exists && after.Before(r) && len(found) < most {
			found = append(found, r)
		}
	}
	return found, nil
}

func (q *question) exists(id terse.LinkID) (terse.LinkRef, bool) {
	link := q.links.All[id]
	if link == nil || link.Deleted || q.owner != everyone && link.Owner != q.owner {
		return terse.LinkRef{}, false
	}
	return terse.LinkRef{ID: id, Code: link.Codes[0]}, true
}

// has reports whether a click of an owner belongs to an existing link with the tags, in its current
// era.
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
			from := m.rng.IntN(len(m.countries))
			*list(terse.ByCountry) = m.countries[from:][:1+m.rng.IntN(len(m.countries)-from)]
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

// onlyAudience reports whether a filter only separates bots from people.
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
			switch {
			case c.visitor || clickstore.DayOf(c.Time) > clickstore.DayOf(last):
			case c.counted && q.owner != 0:
				first = max(first, c.ownerAt+1)
			case c.counted:
				first = max(first, c.linkAt+1)
			case c.Untracked: // its time of day is unknown
				first = max(first, terse.DayOf(c.Time).Start()+day)
			case c.dropped:
				first = max(first, c.Time+1)
			}
		}
		return first, last
	}
	for _, c := range q.clicks {
		if c.visitor {
			continue
		}
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
	if q.owner != 0 {
		of.Top = q.rng.IntN(4)
	}
	if q.tags {
		of.Some.Tags = []string{"tag"}
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
	got, err := clickstore.Series(q.reader, q.asked, of)
	q.must(err)
	for d := range terse.NumDimensions {
		if of.Without[d] {
			got.By[d], got.VisitorsBy[d] = nil, nil
		}
	}
	if diff := gocmp.Diff(want, got, gocmp.AllowUnexported(terse.Code{})); diff != "" {
		q.t.Errorf("%d, %v of %v, asked %+v (-want +got):\n%s", q.link, of.Some.Tags, q.tagged,
			of, diff)
	}
}

// ofTagged returns the clicks of tagged links: single clicks as they were counted for the owner,
// and all dropped clicks of links that have any. From the day of the owner's first single click on,
// dropped clicks are those that were counted for the owner, too. Their values are unknown if these
// are not all that the link has of the day, because it had another owner.
func (q *question) ofTagged(within, counts func(*naive) bool) (some []naive) {
	type linkDay struct {
		link terse.LinkID
		day  terse.Day
	}
	of := func(c *naive) linkDay { return linkDay{c.Link, terse.DayOf(c.Time)} }
	unsettled := terse.Day(math.MaxInt32)
	dropped, owned := map[terse.LinkID]bool{}, map[linkDay]clickblock.Sum{}
	for _, c := range q.clicks {
		switch {
		case !c.dropped:
			unsettled = min(unsettled, terse.DayOf(c.Time))
		case q.has(&c) && within(&c):
			dropped[c.Link] = true
			add(owned, of(&c), c.sum)
		}
	}
	all := map[linkDay]clickblock.Sum{}
	for _, c := range q.where(func(c *naive) bool { return c.dropped && !c.gone }) {
		add(all, of(&c), c.sum)
	}
	for _, c := range q.clicks {
		if q.has(&c) && counts(&c) && (!c.dropped ||
			terse.DayOf(c.Time) >= unsettled && owned[of(&c)] != all[of(&c)]) {
			c.hidden = c.dropped
			some = append(some, c)
		}
	}
	return append(some, q.where(func(c *naive) bool {
		return dropped[c.Link] && c.dropped && !c.gone && counts(c) &&
			(terse.DayOf(c.Time) < unsettled || owned[of(c)] == all[of(c)])
	})...)
}

// sum adds up clicks.
func (q *question) sum(s *terse.Series, of terse.SeriesQuery, clicks []naive) {
	s.ByInterval, s.VisitorsByInterval = map[int64]int64{}, map[int64]int64{}
	if of.People {
		s.PeopleByInterval = map[int64]int64{}
	}
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
		sum := c.sum
		sum.People = 0
		if c.sum.Firsts > 0 {
			s.Visitors += c.sum.Firsts
			s.VisitorsByInterval[at] += c.sum.Firsts
		}
		if !c.visitor {
			s.Total += c.sum.Clicks
			s.ByInterval[at] += c.sum.Clicks
			if of.People && c.sum.People > 0 {
				s.People += c.sum.People
				s.PeopleByInterval[at] += c.sum.People
			}
		} else if !of.VisitorsBy {
			continue
		}
		values := c.Values
		if c.hidden {
			values = terse.Values{}
		}
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

// top returns the owner's links with the most of the given clicks.
func (q *question) top(of terse.SeriesQuery, clicks []naive) (top []terse.LinkClicks) {
	sums := map[terse.LinkID]clickblock.Sum{}
	for _, c := range clicks {
		if !c.visitor && q.has(&c) {
			sum := c.sum
			if !of.People {
				sum.People = 0
			}
			add(sums, c.Link, sum)
		}
	}
	for _, id := range slices.SortedFunc(maps.Keys(sums), func(x, y terse.LinkID) int {
		by := cmp.Compare(sums[y].Clicks, sums[x].Clicks)
		if of.People {
			by = cmp.Compare(sums[y].People, sums[x].People)
		}
		return cmp.Or(by, cmp.Compare(x, y)) // see newest
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
	owner, r, people := m.asked(), m.timeRange(), m.rng.IntN(2) == 0
	want, got := map[terse.LinkID][2]int64{}, map[terse.LinkID][2]int64{}
	for _, c := range m.clicks {
		at := c.Time
		if c.dropped {
			at = terse.DayOf(at).Start()
		}
		if c.isOf(owner) && !c.gone && !c.visitor && r.Contains(at) &&
			!m.links.All[c.Link].Deleted {
			counts := want[c.Link]
			counts[0] += c.sum.Clicks
			if people && c.Values[terse.ByVisitor] != terse.Bot {
				counts[1] += c.sum.Clicks
			}
			want[c.Link] = counts
		}
	}
	m.must(clickstore.Within(&strictReader{rows: m.rows}, allOf(owner), r, people,
		func(id, clicks, ofPeople int64) {
			got[terse.LinkID(id)] = [2]int64{clicks, ofPeople}
		}))
	maps.DeleteFunc(got,
		func(id terse.LinkID, _ [2]int64) bool { return m.links.All[id].Deleted })
	if diff := gocmp.Diff(want, got); diff != "" {
		m.t.Errorf("owner %d within %v: (-want +got):\n%s", owner, r, diff)
	}
}

// listed are the single clicks in the order of events.
func (q *question) listed() (events []terse.Event) {
	for _, c := range q.clicks {
		if c.dropped || q.owner != 0 && !q.has(&c) {
			continue
		}
		values := c.Values
		clickblock.Derive(&values)
		ref := terse.LinkRef{ID: c.Link}
		events = append(events, terse.Event{
			Link: ref, Time: c.Time, Values: values, Count: c.sum.Clicks,
		})
	}
	sortEvents(events)
	kept := events[:0]
	for _, e := range events {
		if k := len(kept) - 1; k >= 0 && text(&kept[k]) == text(&e) {
			kept[k].Count += e.Count
		} else {
			kept = append(kept, e)
		}
	}
	return kept
}

func sortEvents(events []terse.Event) {
	slices.SortFunc(events, func(a, b terse.Event) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Link.ID, b.Link.ID),
			cmp.Compare(clickblock.Hash(&a.Values), clickblock.Hash(&b.Values)),
			slices.Compare(a.Values[:], b.Values[:]))
	})
}

// wantEvents reads pages, each with a filter and range of its own, while clicks are added.
func (q *question) wantEvents() {
	q.t.Helper()
	all := q.listed()
	of := terse.EventQuery{Range: terse.AllTime}
	if q.tags {
		of.Some.Tags = []string{"tag"}
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
		page, err := clickstore.Events(q.reader, q.asked, of)
		q.must(err)
		for i := range page.Events {
			if link := &page.Events[i].Link; q.owner == 0 {
				link.ID = q.link
			} else {
				link.Code = terse.Code{}
			}
		}
		if diff := gocmp.Diff(want, page.Events, gocmp.AllowUnexported(terse.Code{})); diff != "" {
			q.t.Fatalf("%d, tagged %v, asked %+v (-want +got):\n%s", q.link, q.tagged, of, diff)
		}
		if (page.Next != nil) != (next < 0) {
			q.t.Fatalf("%d asked %+v: the next page is at %+v", q.link, of, page.Next)
		}
		if of.After = page.Next; of.After == nil {
			return
		}
	}
}

// Clicks of one instant whose different values have the same hash are distinguished.
func TestEventsOfOneHash(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		m := newModel(t, seed)
		m.countries = sameHash(t)
		id := m.ids[0]
		link := m.links.All[id]
		for range 3 {
			var clicks []terse.Click
			for range 12 {
				c := terse.Click{Link: id, Code: link.Codes[0], Time: spring}
				c.Values[terse.ByCountry] = m.countries[m.rng.IntN(len(m.countries))]
				clicks = append(clicks, c)
				counted := numbered(c, 1, 0)
				counted.owner = link.Owner
				m.clicks = append(m.clicks, counted)
			}
			m.transact(func(c *clickstore.Counter) error {
				batch := terse.ClicksOf(clicks...)
				_, err := c.Add(&batch, false)
				return err
			})
			for range 20 {
				m.question().wantEvents()
			}
		}
	}
}

// sameHash returns countries that give clicks the same hash: in the second round of the second
// of XXH64's four sums, the difference of the first round cancels out.
func sameHash(t *testing.T) (countries []string) {
	t.Helper()
	const prime1, prime2 = 11400714785074694791, 14029467366897019727
	inverse := uint64(prime2)
	for range 6 {
		inverse *= 2 - prime2*inverse
	}
	round := func(sum, x uint64) uint64 { return bits.RotateLeft64(sum+x*prime2, 31) * prime1 }
	text := []byte(strings.Repeat("x", 80))
	first, second := text[8-2:], text[40-2:] // behind the dimension and the length
	word := binary.LittleEndian.Uint64
	sum := round(prime2, word(first)) + word(second)*prime2
	hashes := map[uint64]bool{}
	for i := 0; len(countries) < 3; i++ {
		copy(first, fmt.Sprintf("%08d", i))
		binary.LittleEndian.PutUint64(second, (sum-round(prime2, word(first)))*inverse)
		if !utf8.Valid(text) { // nearly always: it would be counted as none
			continue
		}
		values := terse.Values{terse.ByCountry: string(text)}
		hashes[clickblock.Hash(&values)] = true
		countries = append(countries, string(text))
	}
	if len(hashes) > 1 {
		t.Fatal("hashes are different")
	}
	return countries
}

// Every click that existed at the first page is on exactly one page, whatever moves meanwhile.
func TestEventsWhileClicksMove(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		m := newModel(t, seed)
		for range 6 {
			m.count(40)
		}
		q := m.question()
		before, seen := texts(q.listed()), map[string]int64{}
		of := terse.EventQuery{Range: terse.AllTime, Limit: 7}
		if q.tags {
			of.Some.Tags = []string{"tag"}
		}
		for {
			page, err := clickstore.Events(m.rows, q.asked, of)
			m.must(err)
			for _, e := range page.Events {
				if q.owner == 0 {
					e.Link.ID = q.link
				}
				if seen[text(&e)] > 0 {
					t.Errorf("seed %d: %s comes twice", seed, text(&e))
				}
				seen[text(&e)] += e.Count
			}
			if of.After = page.Next; of.After == nil {
				break
			}
			m.count(20)
		}
		q.clicks = m.where(func(c *naive) bool {
			return q.owner != 0 && c.isOf(q.owner) || q.owner == 0 && c.Link == q.link
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

func texts(events []terse.Event) map[string]int64 {
	all := map[string]int64{}
	for i := range events {
		all[text(&events[i])] += events[i].Count
	}
	return all
}

// Values have the same names before and after a day becomes a counted day: which of them are
// OtherValue does not depend on where the clicks lie.
func TestValuesBeyondTheBoundsOfADay(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]func(i int) string{
		"many": func(i int) string { return fmt.Sprint("https://", i) },
		"long": func(i int) string { return fmt.Sprintf("https://%0500d", i) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newModel(t, 1)
			m.counter = clickstore.NewCounter()
			id := m.ids[0]
			link := m.links.All[id]
			add := func(n int, click func(i int) terse.Click) {
				var clicks []terse.Click
				for i := range n {
					c := click(i)
					c.Link, c.Code = id, link.Codes[0]
					clicks = append(clicks, c)
				}
				m.transact(func(c *clickstore.Counter) error {
					batch := terse.ClicksOf(clicks...)
					_, err := c.Add(&batch, false)
					return err
				})
			}
			n := 0
			for _, times := range []int{1, 3} { // the second time the day has counts
				for range times {
					add(4000, func(int) terse.Click {
						n++
						values := terse.Values{terse.ByReferrer: value(n % 14_000)}
						return terse.Click{Time: springDay.Start() + int64(n), Values: values}
					})
				}
				before := m.referrers(id)
				m.counter = clickstore.NewTightCounter()
				for range 5 { // of another day, so that all clicks move down
					add(50, func(i int) terse.Click {
						return terse.Click{Time: (springDay - 1).Start() + int64(i)}
					})
				}
				m.counter = clickstore.NewCounter()
				for link, before := range before {
					after := m.referrers(id)[link]
					before[terse.DirectReferrer] += 250
					if !maps.Equal(before, after) {
						t.Errorf("%d: %d values and then %d; %d clicks of others and then %d", link,
							len(before), len(after),
							before[terse.OtherValue], after[terse.OtherValue])
					}
				}
			}
			if all := m.referrers(id)[id]; all[terse.OtherValue] == 0 {
				t.Error("no values are folded")
			}
		})
	}
}

// referrers returns the clicks of a link and of its owner by referrer, which are the same from
// counts and from blocks.
func (m *model) referrers(id terse.LinkID) map[terse.LinkID]map[string]int64 {
	m.t.Helper()
	by := map[terse.LinkID]map[string]int64{}
	for _, link := range []terse.LinkID{id, m.links.All[id].Owner.Link()} {
		q := terse.SeriesQuery{Range: terse.AllTime}
		got, err := clickstore.Series(m.rows, single(link), q)
		m.must(err)
		by[link] = got.By[terse.ByReferrer]
		q.Intervals.Unit = terse.Hourly
		got, err = clickstore.Series(m.rows, single(link), q)
		m.must(err)
		if !maps.Equal(got.By[terse.ByReferrer], by[link]) {
			m.t.Errorf("%d: %d values by day and %d by hour", link, len(by[link]),
				len(got.By[terse.ByReferrer]))
		}
	}
	return by
}

// A question takes several passes over the clicks when their values take too much memory.
func TestManyLongValues(t *testing.T) {
	t.Parallel()
	m := newModel(t, 1)
	m.counter = clickstore.NewCounter()
	id := m.ids[0]
	link := m.links.All[id]
	long := strings.Repeat("x", 1000)
	const days, values = 80, 250 // 20 MB
	for d := range terse.Day(days) {
		var clicks []terse.Click
		for i := range 2 * values { // of which the first ones have two clicks, or three
			n := int(d)*values + i%values
			if i >= values {
				n = int(d)*values + i%(1+int(d))
			}
			from := fmt.Sprint("https://", n%8, ".example/", n, long)
			clicks = append(clicks, terse.Click{
				Link: id, Code: link.Codes[0], Time: (springDay + d).Start() + int64(i),
				Values: terse.Values{terse.ByReferrer: from},
			})
		}
		m.transact(func(c *clickstore.Counter) error {
			batch := terse.ClicksOf(clicks...)
			_, err := c.Add(&batch, false)
			return err
		})
		for _, c := range clicks {
			counted := numbered(c, 1, 0)
			counted.owner = link.Owner
			m.clicks = append(m.clicks, counted)
		}
	}
	q := &question{model: m, link: id, clicks: m.clicks, asked: single(id)}
	for _, of := range []terse.SeriesQuery{
		{Range: terse.AllTime, Limit: 1000},
		{Range: terse.AllTime, Limit: 3, Intervals: terse.Intervals{Unit: terse.Hourly}},
	} {
		want := terse.Series{}
		q.sum(&want, of, q.clicks)
		got, err := clickstore.Series(m.rows, q.asked, of)
		m.must(err)
		got.First, got.Last = 0, 0
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("limit %d (-want +got):\n%.2000s", of.Limit, diff)
		}
	}
}

// Damaged rows are refused or misread, but cause nothing worse.
func TestDamagedRows(t *testing.T) {
	t.Parallel()
	tables := []clickstore.Table{
		clickstore.Totals, clickstore.Level0, clickstore.Level1, clickstore.Level2,
		clickstore.Days, clickstore.Months, clickstore.Dropped,
	}
	refused := 0
	for seed := range uint64(60) {
		m := newModel(t, seed)
		for range 14 {
			m.step()
		}
		good := m.rows
		for range 40 {
			q := m.question()
			m.rows = good.Clone()
			table := tables[m.rng.IntN(len(tables))]
			for _, link := range q.asked.Links {
				for _, a := range []int64{
					int64(link), clickstore.BucketOf(link), clickstore.RegionOf(link),
				} {
					m.damage(table, a)
				}
			}
			of := q.seriesQuery()
			_, series := clickstore.Series(m.rows, q.asked, of)
			_, events := clickstore.Events(m.rows, q.asked, terse.EventQuery{
				Range: of.Range, Filter: of.Filter, Limit: 1 + m.rng.IntN(100),
			})
			within := clickstore.Within(m.rows, q.asked.Links, of.Range, true,
				func(int64, int64, int64) {})
			for _, err := range []error{series, events, within} {
				if err != nil {
					refused++
				}
				if err != nil && !errors.Is(err, clickblock.ErrDamaged) {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		}
	}
	if refused < 500 {
		t.Errorf("%d answers were refused", refused)
	}
}

// damage changes a byte of some rows, or cuts them.
func (m *model) damage(table clickstore.Table, a int64) {
	type row struct {
		key  clickstore.Key
		span clickstore.Span
		v    []byte
	}
	var rows []row
	m.must(m.rows.Scan(clickstore.Every(table, a), clickstore.Always,
		func(b int64, s clickstore.Span, v []byte) error {
			rows = append(rows, row{clickstore.Key{A: a, B: b}, s, v})
			return nil
		}))
	for _, r := range rows {
		if len(r.v) == 0 || m.rng.IntN(2) == 0 {
			continue
		}
		i := m.rng.IntN(len(r.v))
		if r.v[i] ^= byte(1 + m.rng.IntN(255)); m.rng.IntN(4) == 0 {
			r.v = r.v[:i]
		}
		m.must(m.rows.Put(table, r.key, r.span, r.v))
	}
}

// A page that would need too many blocks is short, and says where to continue.
func TestShortPages(t *testing.T) {
	t.Parallel()
	const id, days = terse.LinkID(5), 2*clickstore.MaxBlocksPerPage + 100
	rows, p := memrows.New(), clickblock.NewPacker()
	put := func(t clickstore.Table, a, b int64, s clickstore.Span, v []byte) {
		if err := rows.Put(t, clickstore.Key{A: a, B: b}, s, v); err != nil {
			panic(err)
		}
	}
	batch := terse.ClicksOf(
		terse.Click{Values: terse.Values{terse.ByCountry: "DE"}}, terse.Click{},
	)
	p.Begin(&batch)
	for d := range terse.Day(days) {
		click := p.New(&batch.List[min(int(d), 1)], 0)
		click.Time = d.Start()
		span := clickstore.Span{First: click.Time, Last: click.Time}
		block := p.Pack([]clickblock.Click{click})
		put(clickstore.Level2, int64(id), clickstore.BlockKey(d, 0), span, block)
		h := clickblock.Head{Sum: clickblock.Sum{Clicks: 1, People: 1}}
		put(clickstore.Days, int64(id), clickstore.HeadKey(d), clickstore.Span{}, h.Append(nil))
	}
	last := terse.Day(days - 1).Start()
	put(clickstore.Totals, clickstore.BucketOf(id), 0, clickstore.Span{},
		clickstore.OneTotal(id, days, last))
	q := terse.EventQuery{Range: terse.AllTime, Limit: 10}
	q.Filter[terse.ByCountry].Only = []string{"DE"}
	pages, found := 0, 0
	for more := true; more; more = q.After != nil {
		page, err := clickstore.Events(rows, single(id), q)
		if err != nil {
			t.Fatal(err)
		}
		pages, found, q.After = pages+1, found+len(page.Events), page.Next
	}
	if pages != 3 || found != 1 {
		t.Errorf("%d pages with %d events", pages, found)
	}
}

// A cursor into the clicks of a link is valid for the clicks of its owner, and the other way
// around.
func TestMarksOfBothRoutes(t *testing.T) {
	t.Parallel()
	m := newModel(t, 1)
	for _, link := range m.links.All {
		link.Owner = 1
	}
	a, b := m.ids[0], m.ids[1]
	var clicks []terse.Click
	for i, id := range []terse.LinkID{b, a, b, a, a} {
		c := terse.Click{Link: id, Code: m.links.All[id].Codes[0], Time: spring}
		c.Values[terse.ByCampaign] = fmt.Sprint(i)
		clicks = append(clicks, c)
	}
	m.transact(func(c *clickstore.Counter) error {
		batch := terse.ClicksOf(clicks...)
		_, err := c.Add(&batch, false)
		return err
	})
	q := &question{model: m, owner: 1}
	all := clickstore.Asked{Links: []terse.LinkID{q.owner.Link()}, Exist: q.exist}
	after := func(of clickstore.Asked, mark *terse.EventMark, limit int) terse.EventPage {
		page, err := clickstore.Events(m.rows, of, terse.EventQuery{
			Range: terse.AllTime, After: mark, Limit: limit,
		})
		m.must(err)
		return page
	}
	for _, tt := range []struct {
		of            clickstore.Asked
		seen          int // on the first page
		ofA, ofB, all int // that follow
	}{
		{single(a), 2, 1, 2, 3},
		{single(b), 1, 0, 1, 1},
		{all, 2, 1, 2, 3},
		{all, 4, 0, 1, 1},
	} {
		mark := after(tt.of, nil, tt.seen).Next
		for asked, want := range map[terse.LinkID]int{a: tt.ofA, b: tt.ofB, all.Links[0]: tt.all} {
			of := single(asked)
			if asked == all.Links[0] {
				of = all
			}
			if n := len(after(of, mark, 10).Events); n != want {
				t.Errorf("%d of %d, then %d of %d, want %d", tt.seen, tt.of.Links, n, asked, want)
			}
		}
	}
}
