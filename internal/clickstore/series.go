package clickstore

import (
	"fmt"
	"math"

	"terse"
	"terse/internal/linkset"
	clickblock "terse/internal/newblock"
)

// Asked says whose clicks are asked for.
type Asked struct {
	// Link is a link, or OwnerID.Link for all links of an owner.
	Link terse.LinkID

	// Of an owner: Exist returns the owner's links that have some IDs, the zero LinkRef in the place
	// of each other one.
	Exist func(ids []terse.LinkID) ([]terse.LinkRef, error)
	// Of an owner: Tagged are the links with all tags of the question, if that has any.
	Tagged linkset.Set
}

// Series counts the clicks of a link, or of all links of an owner. Days that lie as a whole in the
// range and in one interval are taken from their counts, and whole months from theirs, unless single
// clicks have to be looked at. Where values have no more room in the counts of a day, clicks that
// are not counted yet are taken as they will be counted; with a filter they have their own values.
func Series(r Reader, of Asked, q terse.SeriesQuery) (terse.Series, error) {
	answer, err := newSeries(r, of, q).answer()
	if err != nil {
		return terse.Series{}, fmt.Errorf("statistics of link %d: %w", of.Link, err)
	}
	return answer, nil
}

// series is one answer in the making.
type series struct {
	rows     Reader
	of       Asked
	query    terse.SeriesQuery
	audience clickblock.Audience
	filtered bool  // beyond the audience
	first    int64 // the range that is counted
	last     int64

	times  times
	sums   *clickblock.Sums
	clicks *clickblock.Selector
	links  *clickblock.LinkSums // nil: not asked for
	eras   map[terse.LinkID]uint32

	// What is taken from counts, and from blocks: see plan.
	months    map[terse.Month]bool
	gaps      []gap
	days      []dayState // from that of first on
	cut       []dayRange
	dropped   []terse.LinkID    // tagged links of which there are counts of dropped clicks
	counted   clickblock.Sum    // what counts say
	uncounted map[terse.Day]int // clicks that are in no counts yet
}

// dayRange are the days from one to another, both included.
type dayRange struct{ from, to terse.Day }

// gap are the days between months that are taken as a whole.
type gap struct {
	dayRange
	counted, dropped bool // there are such counts
}

// dayState says how a day is taken.
type dayState byte

const (
	noCounts dayState = iota
	fromCounts
	fromBlocks
)

func newSeries(r Reader, of Asked, q terse.SeriesQuery) *series {
	s := &series{
		rows: r, of: of, query: q, times: newTimes(q.Intervals),
		months: map[terse.Month]bool{}, uncounted: map[terse.Day]int{},
	}
	s.audience, s.filtered = audienceOf(&q.Filter)
	s.sums = clickblock.NewSums(&q, s.audience)
	if q.Top > 0 {
		s.links = clickblock.NewLinkSums(q.People)
	}
	var has func(clickblock.Link) bool
	if len(q.Tags) > 0 {
		has = s.has
	}
	s.clicks = clickblock.NewSelector(&q.Filter, has)
	return s
}

// audienceOf returns whose clicks a filter lets through, and whether it leaves out others of them:
// bots and people are told apart in counts, too.
func audienceOf(filter *terse.ClickFilter) (a clickblock.Audience, filtered bool) {
	rest := *filter
	visitor := rest[terse.ByVisitor]
	rest[terse.ByVisitor] = terse.ValueFilter{}
	bots := func(values []string) bool {
		for _, value := range values {
			if value != terse.Bot {
				return false
			}
		}
		return true
	}
	switch {
	case !rest.All() || !bots(visitor.Only) || !bots(visitor.Not):
		return clickblock.Everyone, true
	case visitor.All():
		return clickblock.Everyone, false
	case len(visitor.Not) == 0:
		return clickblock.OnlyBots, false
	case len(visitor.Only) == 0:
		return clickblock.OnlyPeople, false
	}
	return clickblock.Everyone, true // nobody
}

// has reports whether a link has the tags that are asked for, and a click of it was not cleared.
func (s *series) has(l clickblock.Link) bool {
	return s.of.Tagged.Has(int64(l.ID)) && s.eras[l.ID] == l.Era
}

func (s *series) answer() (answer terse.Series, err error) {
	counted, err := s.countedRange()
	if err != nil {
		return answer, err
	}
	s.first, s.last = counted.Micros()
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

// countedRange returns the range that can be counted. Tags do not matter: dropped clicks are counted
// by link, too.
func (s *series) countedRange() (terse.TimeRange, error) {
	q := s.query
	q.Tags = nil
	if !s.filtered {
		q.Filter = terse.ClickFilter{}
		return q.CountedRange(math.MaxInt64/2, func(day terse.Day) (bool, error) {
			h, err := head(s.rows, Dropped, s.of.Link, min(day, LastDay))
			return h.Clicks > 0, err
		})
	}
	latest := int64(-1)
	err := s.rows.Sizes(countsBetween(Dropped, s.of.Link, headColumn, 0, LastDay),
		func(b int64, _ Span, _ int) error {
			latest = b
			return nil
		})
	if err != nil || latest < 0 {
		return q.Range, err
	}
	day, _ := ofKey(latest)
	h, err := head(s.rows, Dropped, s.of.Link, terse.Day(day))
	if err != nil {
		return q.Range, err
	}
	return q.CountedRange(h.Last, nil)
}

// count goes over all clicks, as often as there are passes.
func (s *series) count() error {
	if err := s.plan(); err != nil {
		return err
	}
	for first := true; s.sums.Begin(); first = false {
		if err := s.pass(first); err != nil {
			return err
		}
	}
	return nil
}

// plan decides what is taken from counts, and adds that to the times.
func (s *series) plan() error {
	from, to := dayOf(s.first), dayOf(s.last)
	if len(s.query.Tags) > 0 {
		if err := s.readEras(); err != nil {
			return err
		}
	}
	if s.filtered || len(s.query.Tags) > 0 {
		s.cut = []dayRange{{from, to}}
		if s.filtered {
			return nil
		}
		return s.planDroppedOf(from, to)
	}
	s.days = make([]dayState, to-from+1)
	if err := s.planMonths(from, to); err != nil {
		return err
	}
	for i := range s.gaps {
		if err := s.planDays(&s.gaps[i]); err != nil {
			return err
		}
	}
	return nil
}

// readEras reads the eras of tagged links that were cleared.
func (s *series) readEras() error {
	s.eras = map[terse.LinkID]uint32{}
	totals := NewTotalReader(s.rows)
	for _, id := range s.of.Tagged.IDs() {
		of, err := totals.Of(terse.LinkID(id))
		if err != nil {
			return err
		}
		if of.Era > 0 {
			s.eras[terse.LinkID(id)] = of.Era
		}
	}
	return nil
}

// planMonths takes the months that are whole, and leaves gaps.
func (s *series) planMonths(from, to terse.Day) error {
	rest := from
	heads := countsBetween(Months, s.of.Link, headColumn, terse.MonthOf(from), terse.MonthOf(to))
	err := s.rows.Scan(heads, Always, func(b int64, _ Span, v []byte) error {
		of, _ := ofKey(b)
		m := terse.Month(of)
		h, err := clickblock.ParseHead(v)
		if err != nil || !s.wholeMonth(m) {
			return err
		}
		s.months[m] = true
		if rest < m.First() {
			s.gaps = append(s.gaps, gap{dayRange: dayRange{rest, m.First() - 1}})
		}
		rest = (m + 1).First()
		s.counted.Add(h.Sum)
		for _, day := range h.Days {
			if day.Day < m.First() || day.Day >= rest {
				return clickblock.ErrDamaged
			}
			s.days[day.Day-from] = fromCounts
			s.times.add(day.Day.Start(), s.audience.Of(day.Sum))
		}
		return nil
	})
	if rest <= to {
		s.gaps = append(s.gaps, gap{dayRange: dayRange{rest, to}})
	}
	return err
}

// planDays takes the days of a gap that are whole, and those of which clicks were dropped.
func (s *series) planDays(g *gap) error {
	from, wasCut := dayOf(s.first), false
	err := s.eachHead(Days, s.of.Link, g.dayRange, func(day terse.Day, sum clickblock.Sum) {
		switch {
		case s.whole(day):
			s.days[day-from], wasCut, g.counted = fromCounts, false, true
			s.counted.Add(sum)
			s.times.add(day.Start(), s.audience.Of(sum))
			return
		case wasCut:
			s.cut[len(s.cut)-1].to = day
		default:
			s.cut = append(s.cut, dayRange{day, day})
		}
		s.days[day-from], wasCut = fromBlocks, true
	})
	if err != nil {
		return err
	}
	return s.eachHead(Dropped, s.of.Link, g.dayRange, func(day terse.Day, sum clickblock.Sum) {
		if s.begins(day) {
			g.dropped = true
			s.counted.Add(sum)
			s.times.add(day.Start(), s.audience.Of(sum))
		}
	})
}

// planDroppedOf finds tagged links of which clicks were dropped, and takes these.
func (s *series) planDroppedOf(from, to terse.Day) error {
	found := map[terse.LinkID]bool{}
	if err := s.eachDroppedLink(func(l clickblock.Link, _ clickblock.Sum) {
		if !found[l.ID] && s.has(l) {
			found[l.ID] = true
			s.dropped = append(s.dropped, l.ID)
		}
	}); err != nil {
		return err
	}
	for _, link := range s.dropped {
		err := s.eachHead(Dropped, link, dayRange{from, to},
			func(day terse.Day, sum clickblock.Sum) {
				if s.begins(day) {
					s.counted.Add(sum)
					s.times.add(day.Start(), s.audience.Of(sum))
				}
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachHead calls f for the counts of days of a link.
func (s *series) eachHead(t Table, link terse.LinkID, of dayRange,
	f func(terse.Day, clickblock.Sum),
) error {
	heads := countsBetween(t, link, headColumn, of.from, of.to)
	return s.rows.Scan(heads, Always, func(b int64, _ Span, v []byte) error {
		h, err := clickblock.ParseHead(v)
		if err == nil {
			day, _ := ofKey(b)
			f(terse.Day(day), h.Sum)
		}
		return err
	})
}

// eachDroppedLink calls f for the dropped clicks of an owner's links.
func (s *series) eachDroppedLink(f func(clickblock.Link, clickblock.Sum)) error {
	from, to := dayOf(s.first), dayOf(s.last)
	return s.rows.Scan(countsBetween(Dropped, s.of.Link, linksColumn, from, to), Always,
		func(b int64, _ Span, v []byte) error {
			if day, _ := ofKey(b); !s.begins(terse.Day(day)) {
				return nil
			}
			return clickblock.EachLink([][]byte{v}, f)
		})
}

// begins reports whether a day begins in the range: dropped clicks are at its beginning.
func (s *series) begins(day terse.Day) bool {
	return s.first <= day.Start() && day.Start() <= s.last
}

// inRange reports whether all clicks that count on a day are in the range. The first and the last
// day have clicks from before and after them.
func (s *series) inRange(day terse.Day) bool {
	return day > 0 && day < LastDay && s.begins(day) && (day+1).Start()-1 <= s.last
}

// whole reports whether the counts of a day answer for all of its clicks: they are all asked for,
// and in one interval.
func (s *series) whole(day terse.Day) bool {
	if !s.inRange(day) {
		return false
	}
	_, end := s.query.Intervals.Containing(day.Start())
	return (day + 1).Start() <= end
}

func (s *series) wholeMonth(m terse.Month) bool {
	for day := m.First(); day < (m + 1).First(); day++ {
		if !s.whole(day) {
			return false
		}
	}
	return true
}

// pass counts all clicks by value, and in the first pass by time and link.
func (s *series) pass(first bool) error {
	for _, d := range stored {
		if !s.sums.Needs(d) {
			continue
		}
		if err := s.addCounts(d); err != nil {
			return fmt.Errorf("counts by %v: %w", d, err)
		}
	}
	for _, link := range s.dropped {
		if err := s.addDroppedOf(link); err != nil {
			return fmt.Errorf("dropped clicks of link %d: %w", link, err)
		}
	}
	if err := s.sums.AddRest(s.counted); err != nil {
		return err
	}
	within := Span{s.first, s.last}
	for _, days := range s.cut {
		err := s.rows.Scan(blocksOf(s.of.Link, days), within, func(_ int64, at Span, v []byte) error {
			return s.add(v, at, -1, first)
		})
		if err != nil {
			return err
		}
	}
	err := eachUncounted(s.rows, s.of.Link, within, func(v []byte, at Span, offset int) error {
		if err := s.add(v, at, offset, first); err != nil || !first || s.clicks.Len() == 0 {
			return err
		}
		return s.noteDays()
	})
	if err == nil && !s.filtered && s.audience == clickblock.Everyone && len(s.query.Tags) == 0 {
		err = s.fold()
	}
	if err == nil && first && s.links != nil {
		err = s.addLinks()
	}
	return err
}

// addCounts adds the counts of a dimension.
func (s *series) addCounts(d terse.Dimension) error {
	add := func(t Table, from, to terse.Day, counts func(of int) bool) error {
		return s.rows.Scan(countsBetween(t, s.of.Link, columnOf(d), from, to), Always,
			func(b int64, _ Span, v []byte) error {
				if of, _ := ofKey(b); !counts(of) {
					return nil
				}
				return s.sums.AddPiece(d, v)
			})
	}
	begin := dayOf(s.first)
	if len(s.months) > 0 {
		from, to := terse.MonthOf(begin), terse.MonthOf(dayOf(s.last))
		err := add(Months, terse.Day(from), terse.Day(to),
			func(of int) bool { return s.months[terse.Month(of)] })
		if err != nil {
			return err
		}
	}
	for _, g := range s.gaps {
		if g.counted {
			err := add(Days, g.from, g.to,
				func(of int) bool { return s.days[terse.Day(of)-begin] == fromCounts })
			if err != nil {
				return err
			}
		}
		if g.dropped {
			err := add(Dropped, g.from, g.to, func(of int) bool { return s.begins(terse.Day(of)) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// addDroppedOf adds the counts of a tagged link's dropped clicks.
func (s *series) addDroppedOf(link terse.LinkID) error {
	all := Range{
		Dropped, int64(link), countsKey(headColumn+1, terse.Day(0), 0),
		countsKey(linksColumn, terse.Day(0), 0) - 1,
	}
	return s.rows.Scan(all, Always, func(b int64, _ Span, v []byte) error {
		day, _ := ofKey(b)
		d, known := terse.DimensionOf(uint64(b >> (dayBits + pieceBits)))
		if !known || !s.sums.Needs(d) || !s.begins(terse.Day(day)) {
			return nil
		}
		return s.sums.AddPiece(d, v)
	})
}

// blocksOf are the blocks of counted days of a link.
func blocksOf(link terse.LinkID, days dayRange) Range {
	return Range{Level2, int64(link), blockKey(days.from, 0), blockKey(days.to+1, 0) - 1}
}

// eachUncounted calls f for the blocks that may have clicks of a link that are in no counts, and
// with the link's offset in them, -1 where all clicks are the link's.
func eachUncounted(r Reader, link terse.LinkID, within Span,
	f func(v []byte, at Span, offset int) error,
) error {
	for _, level := range uncounted(link) {
		err := r.Scan(level.Range, within, func(_ int64, at Span, v []byte) error {
			return f(v, at, level.offset)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// level are blocks in which a link has an offset.
type level struct {
	Range
	offset int // -1: all clicks are the link's
}

// uncounted are the blocks that may have clicks of a link that are in no counts.
func uncounted(link terse.LinkID) []level {
	levels := []level{
		{looseRange(link), -1},
		{every(Level1, BucketOf(link)), offsetOf(link)},
		{every(Level0, RegionOf(link)), int(offsetInRegion(link))},
	}
	if IsOwner(link) {
		return levels[:2]
	}
	return levels
}

// add adds the clicks of a block.
func (s *series) add(v []byte, at Span, offset int, first bool) error {
	from, to := s.first, s.last
	if from <= at.First && at.Last <= to {
		from, to = math.MinInt64, math.MaxInt64
	}
	n, err := s.clicks.Open(v, offset, from, to)
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

// addTimes adds the times of the chosen clicks of a block.
func (s *series) addTimes(at Span) error {
	people, err := s.clicks.People(s.query.People)
	if err != nil {
		return err
	}
	if s.times.sameInterval(at) {
		s.times.add(at.First, s.clicks.Sum(&people))
		return nil
	}
	times, err := s.clicks.Times()
	for k := range s.clicks.Len() {
		i := s.clicks.At(k)
		s.times.add(times[i], people.Of(i))
	}
	return err
}

// noteDays counts the chosen clicks of a block as those that are in no counts.
func (s *series) noteDays() error {
	times, err := s.clicks.Times()
	for k := range s.clicks.Len() {
		s.uncounted[dayOf(times[s.clicks.At(k)])]++
	}
	return err
}

// fold moves values of clicks that are not counted yet to terse.OtherValue where their day has no
// more room. That is looked at only where there may be too many.
func (s *series) fold() error {
	for _, d := range stored {
		if !s.sums.Needs(d) || s.sums.Roomy(d) {
			continue
		}
		for day, n := range s.uncounted {
			few := n <= d.MaxValues() && n*d.MaxBytes() <= clickblock.MaxDayBytes
			if !s.inRange(day) || few && s.days[day-dayOf(s.first)] == noCounts {
				continue
			}
			if err := s.foldDay(d, day); err != nil {
				return fmt.Errorf("%v by %v: %w", day, d, err)
			}
		}
	}
	return nil
}

func (s *series) foldDay(d terse.Dimension, day terse.Day) error {
	room, within := clickblock.NewRoom(d), Span{day.Start(), (day + 1).Start() - 1}
	err := s.rows.Scan(countsBetween(Days, s.of.Link, columnOf(d), day, day), Always,
		func(_ int64, _ Span, v []byte) error { return room.Take(v) })
	each := func(f func() error) error {
		return eachUncounted(s.rows, s.of.Link, within, func(v []byte, _ Span, offset int) error {
			n, err := s.clicks.Open(v, offset, within.First, within.Last)
			if n == 0 || err != nil {
				return err
			}
			return f()
		})
	}
	if err == nil {
		err = each(func() error { return room.Want(s.clicks) })
	}
	if err != nil || !room.Close() {
		return err
	}
	return each(func() error { return s.sums.Fold(s.clicks, room) })
}

// times are sums by interval.
type times struct {
	intervals   terse.Intervals
	from, until int64          // the interval of the last clicks
	within      clickblock.Sum // clicks in it that are not in by yet
	by          map[int64]clickblock.Sum
}

func newTimes(i terse.Intervals) times { return times{intervals: i, by: map[int64]clickblock.Sum{}} }

// add adds clicks at a time.
func (t *times) add(at int64, sum clickblock.Sum) {
	if at < t.from || at >= t.until {
		t.begin(at)
	}
	t.within.Add(sum)
}

// begin goes to the interval of a time.
func (t *times) begin(at int64) {
	if t.within != (clickblock.Sum{}) {
		sum := t.by[t.from]
		sum.Add(t.within)
		t.by[t.from], t.within = sum, clickblock.Sum{}
	}
	t.from, t.until = t.intervals.Containing(at)
}

// sameInterval reports whether all times of a span are in one interval.
func (t *times) sameInterval(s Span) bool {
	if s.First < t.from || s.First >= t.until {
		t.begin(s.First)
	}
	return s.Last < t.until
}

// answer sets the times of an answer.
func (t *times) answer(a *terse.Series, people bool) {
	t.begin(0)
	a.ByInterval, a.VisitorsByInterval = map[int64]int64{}, map[int64]int64{}
	a.PeopleByInterval = map[int64]int64{}
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
