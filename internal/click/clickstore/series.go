package clickstore

import (
	"fmt"
	"math"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/link/linkset"
)

// Asked says whose clicks a question is about.
type Asked struct {
	// Links is a single link, or what LinksOf returns for all links of an owner or of all owners.
	Links []terse.LinkID

	// Exist returns the owner's links with the given IDs, in the same order: the zero LinkRef for
	// an ID without a link. It is not called from a callback of the Reader. It is nil for a single
	// link.
	Exist func(ids []terse.LinkID) ([]terse.LinkRef, error)
	// Newest returns at most most of the owner's links in a set, which come after a mark in the
	// order newest first. Keys are times of creation. Otherwise it is like Exist.
	Newest func(links linkset.Set, after linkset.Ranked, most int) ([]linkset.Ranked, error)
	// Tagged holds the owner's links that the question selects, unless it selects all.
	Tagged linkset.Set
}

// ofOwners reports whether the question is about links of owners, not about a single link.
func (a *Asked) ofOwners() bool { return len(a.Links) != 1 || isOwner(a.Links[0]) }

// Series counts the clicks of a link, or of all links of owners. For a day or month that lies
// wholly within the range and one interval, it reads counts, unless a filter or a tag requires
// single clicks. Values beyond the bounds of a day's counts are OtherValue, even for clicks that
// are in no counts yet. With a filter, clicks keep their own values, unless the filter names
// OtherValue: it finds what an answer without filters counts as that.
func Series(r Reader, of Asked, q terse.SeriesQuery) (terse.Series, error) {
	answer, err := newSeries(r, of, q).answer()
	if err != nil {
		return terse.Series{}, fmt.Errorf("statistics of link %d: %w", of.Links, err)
	}
	return answer, nil
}

// series is one answer in the making.
type series struct {
	rows     Reader
	of       Asked
	query    terse.SeriesQuery
	audience clickblock.Audience
	filtered bool  // by more than the audience
	first    int64 // the range, both included, in microseconds since 1970
	last     int64

	times  times
	sums   *clickblock.Sums
	clicks *clickblock.Selector
	links  *clickblock.LinkSums // nil: clicks by link are not asked for
	eras   map[terse.LinkID]uint32

	perLink    []*linkSeries
	fromCounts clickblock.Sum // the sum of all counts that are read
	dropped    []terse.LinkID // tagged links whose counts of dropped clicks are read
	// From the day unsettled on, values are read only of those dropped days of tagged links that
	// are in alike: see planDroppedOf.
	unsettled terse.Day
	alike     map[linkDay]clickblock.Sum
}

// linkSeries is what an answer reads of one of the links that are asked for: see plan.
type linkSeries struct {
	*series
	link   terse.LinkID
	counts []counts
	months map[terse.Month]bool // months whose counts are read
	// Counted days, and whether their counts are read; nil: no counts of days are.
	days        map[terse.Day]bool
	droppedDays map[terse.Day]bool // of those that days does not have, the ones that are read
	cut         []dayRange         // days whose blocks are read
	spans       []span             // of the range, where a filter names OtherValue

	withoutCounts map[terse.Day]int // clicks that are in no counts
}

func newSeries(r Reader, of Asked, q terse.SeriesQuery) *series {
	s := &series{rows: r, of: of, query: q, times: newTimes(q.Intervals)}
	for _, link := range of.Links {
		s.perLink = append(s.perLink, &linkSeries{
			series: s, link: link, withoutCounts: map[terse.Day]int{},
		})
	}
	s.audience, s.filtered = audienceOf(&q.Filter)
	s.sums = clickblock.NewSums(&q, s.audience)
	if q.Top > 0 {
		s.links = clickblock.NewLinkSums(q.People)
	}
	var has func(clickblock.Link) bool
	if !q.Some.All() {
		has = s.has
	}
	s.clicks = clickblock.NewSelector(&q.Filter, has)
	return s
}

// has reports whether an owner's clicks on a link match the tags: the link has them, and the clicks
// were not cleared.
func (s *series) has(l clickblock.Link) bool {
	return s.of.Tagged.Has(int64(l.ID)) && s.eras[l.ID] == l.Era
}

func (s *series) answer() (answer terse.Series, err error) {
	if err := s.countedRange(); err != nil {
		return answer, err
	}
	if s.first <= s.last {
		if err := s.count(); err != nil {
			return answer, err
		}
	}
	answer.First, answer.Last = s.first, s.last
	answer.By, answer.VisitorsBy = s.sums.By()
	s.times.answer(&answer, s.query.People)
	if s.links != nil {
		answer.Top, err = s.top()
	}
	return answer, err
}

// count reads all clicks once in each pass.
func (s *series) count() error {
	if err := s.plan(); err != nil {
		return err
	}
	for first := true; first || s.sums.Next(); first = false {
		if err := s.pass(first); err != nil {
			return err
		}
	}
	return nil
}

// pass counts all clicks by value, and in the first pass by time and link.
func (s *series) pass(first bool) error {
	if err := s.addCounts(); err != nil {
		return err
	}
	for _, p := range s.perLink {
		if err := p.pass(first); err != nil {
			return err
		}
	}
	return nil
}

// pass counts the single clicks, and in the first pass all clicks by link.
func (s *linkSeries) pass(first bool) error {
	var err error
	if len(s.spans) > 0 {
		err = s.readSpans(first)
	} else {
		err = s.read(first)
	}
	if err == nil && s.days != nil && s.audience == clickblock.Everyone {
		err = s.moveToOther()
	}
	if err == nil && first && s.links != nil {
		err = s.addLinks()
	}
	return err
}

// read adds the single clicks.
func (s *linkSeries) read(first bool) error {
	within := Span{s.first, s.last}
	for _, days := range s.cut {
		blocks := blocksOf(s.link, days)
		err := s.rows.Scan(blocks, within, func(_ int64, at Span, v []byte) error {
			return s.addBlock(v, at, -1, first)
		})
		if err != nil {
			return err
		}
	}
	return eachWithoutCounts(s.rows, s.link, within, func(v []byte, at Span, offset int) error {
		err := s.addBlock(v, at, offset, first)
		if err != nil || !first || len(s.clicks.Chosen()) == 0 {
			return err
		}
		return s.noteDays(s.clicks)
	})
}

// open chooses the clicks of a block that match the question, and returns their number.
func (s *series) open(v []byte, at Span, offset int) (n int, err error) {
	if s.first <= at.First && at.Last <= s.last { // no need to read the times
		return s.clicks.Open(v, offset, math.MinInt64, math.MaxInt64)
	}
	return s.clicks.Open(v, offset, s.first, s.last)
}

// addBlock adds the matching clicks of a block.
func (s *series) addBlock(v []byte, at Span, offset int, first bool) error {
	n, err := s.open(v, at, offset)
	if n == 0 || err != nil {
		return err
	}
	if first {
		if err := s.addTimes(at); err != nil {
			return err
		}
		if s.links != nil {
			if err := s.links.AddChosen(s.clicks); err != nil {
				return err
			}
		}
	}
	return s.sums.AddChosen(s.clicks)
}

// addTimes counts the chosen clicks of a block by interval.
func (s *series) addTimes(at Span) error {
	people, err := s.clicks.People(true, s.query.People)
	if err != nil {
		return err
	}
	if s.times.sameInterval(at) {
		s.times.add(at.First, s.clicks.Sum(people))
		return nil
	}
	times, err := s.clicks.Times()
	if err != nil {
		return err
	}
	for _, i := range s.clicks.Chosen() {
		s.times.add(times[i], people.Of(i))
	}
	return nil
}

// noteDays adds the chosen clicks of a block, which are in no counts, to withoutCounts.
func (s *linkSeries) noteDays(of *clickblock.Selector) error {
	times, err := of.Times()
	if err != nil {
		return err
	}
	for _, i := range of.Chosen() {
		s.withoutCounts[dayOf(times[i])]++
	}
	return nil
}

// times are clicks by interval.
type times struct {
	intervals   terse.Intervals
	from, until int64                    // the interval of the clicks added last
	within      clickblock.Sum           // its clicks that are not in by yet
	by          map[int64]clickblock.Sum // by the beginning of the interval
}

func newTimes(i terse.Intervals) times {
	return times{intervals: i, by: map[int64]clickblock.Sum{}}
}

// add adds clicks at a time.
func (t *times) add(at int64, sum clickblock.Sum) {
	if at < t.from || at >= t.until {
		t.begin(at)
	}
	t.within.Add(sum)
}

// begin switches to the interval of a time.
func (t *times) begin(at int64) {
	if t.within != (clickblock.Sum{}) {
		sum := t.by[t.from]
		sum.Add(t.within)
		t.by[t.from], t.within = sum, clickblock.Sum{}
	}
	t.from, t.until = t.intervals.Containing(at)
}

// sameInterval switches to the interval in which a span begins, and reports whether it ends there.
func (t *times) sameInterval(s Span) bool {
	if s.First < t.from || s.First >= t.until {
		t.begin(s.First)
	}
	return s.Last < t.until
}

// answer sets the totals and the intervals of an answer.
func (t *times) answer(a *terse.Series, people bool) {
	t.begin(0)
	a.ByInterval, a.VisitorsByInterval = map[int64]int64{}, map[int64]int64{}
	if people {
		a.PeopleByInterval = map[int64]int64{}
	}
	for at, sum := range t.by {
		set := func(by map[int64]int64, n int64) int64 {
			if n > 0 {
				by[at] = n
			}
			return n
		}
		a.Total += set(a.ByInterval, sum.Clicks)
		a.Visitors += set(a.VisitorsByInterval, sum.Firsts)
		if people {
			a.People += set(a.PeopleByInterval, sum.People)
		}
	}
}
