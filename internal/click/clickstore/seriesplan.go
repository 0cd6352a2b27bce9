package clickstore

import (
	"fmt"
	"math"
	"slices"

	"terse"
	"terse/internal/click/clickblock"
)

// audienceOf returns whose clicks a filter lets through, and whether it also filters those. Counts
// distinguish bots from people, so an audience alone needs no single clicks.
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

// countedRange sets the range to count. Only the day of a dropped click is known, so a range that
// cuts a dropped day is extended to the whole day. Dropped clicks cannot be filtered, so with a
// filter the range begins after the last of them of its days and before. Tags are no problem:
// dropped clicks have counts by link.
func (s *series) countedRange() error {
	s.first, s.last = s.query.Range.Micros()
	if s.filtered {
		return s.skipDropped()
	}
	if s.first > s.last {
		return nil
	}
	for _, at := range []int64{s.first, s.last} {
		day := terse.DayOf(at)
		if day < 0 || day > lastDay {
			continue
		}
		for _, link := range s.of.Links {
			h, err := head(s.rows, Dropped, link, day)
			if err != nil {
				return err
			}
			if h.Clicks > 0 {
				s.first, s.last = min(s.first, day.Start()), max(s.last, (day+1).Start()-1)
			}
		}
	}
	return nil
}

// skipDropped moves the beginning of the range after the last dropped click of its days and those
// before. Days after the range do not matter. A day may have a head for its visitors only.
func (s *series) skipDropped() error {
	for _, link := range s.of.Links {
		if err := s.skipDroppedOf(link); err != nil {
			return err
		}
	}
	return nil
}

// skipDroppedOf is skipDropped for one of the links.
func (s *series) skipDroppedOf(link terse.LinkID) error {
	var days []terse.Day
	err := s.rows.Sizes(countsBetween(Dropped, link, headColumn, 0, dayOf(s.last)),
		func(b int64, _ Span, _ int) error {
			day, _ := ofKey(b)
			days = append(days, terse.Day(day))
			return nil
		})
	if err != nil {
		return err
	}
	for _, day := range slices.Backward(days) {
		h, err := head(s.rows, Dropped, link, day)
		if err != nil {
			return err
		}
		if h.Clicks > 0 {
			s.first = max(s.first, h.Last+1)
			break
		}
	}
	return nil
}

// dayRange is the days from one to another, both included.
type dayRange struct{ from, to terse.Day }

// counts is the counts in a table from one day or month to another, both included. uses reports
// which of them are read.
type counts struct {
	table    Table
	from, to int
}

// uses reports whether the counts of a day or month are read.
func (s *linkSeries) uses(t Table, of int) bool {
	switch t {
	case Days:
		return s.days[terse.Day(of)]
	case Months:
		return s.months[terse.Month(of)]
	default: // Dropped
		return s.begins(terse.Day(of))
	}
}

// plan decides which counts to read, and adds their heads to the times. A question that needs
// single clicks reads no counts of days and months. If only tags require single clicks, it reads
// the counts of the tagged links' dropped clicks.
func (s *series) plan() (err error) {
	from, to := dayOf(s.first), dayOf(s.last)
	tags := !s.query.Some.All()
	if tags {
		if s.eras, err = erasOf(s.rows, s.of.Tagged.IDs()); err == nil && !s.filtered {
			err = s.planDroppedOf(dayRange{from, to})
		}
	}
	for _, p := range s.perLink {
		switch {
		case err != nil:
		case tags || s.filtered:
			p.cut = []dayRange{{from, to}}
			// Under tags, clicks have the values that their links' bounds leave them. The bounds of
			// all links together say nothing about these.
			if !tags {
				err = p.planSpans()
			}
		default:
			err = p.planCounts(from, to)
		}
	}
	return err
}

// planCounts plans to read counts wherever that is possible.
func (s *linkSeries) planCounts(from, to terse.Day) error {
	s.days, s.months = map[terse.Day]bool{}, map[terse.Month]bool{}
	s.droppedDays = map[terse.Day]bool{}
	gaps, err := s.planMonths(from, to)
	for _, gap := range gaps {
		if err == nil {
			err = s.planDays(gap)
		}
	}
	return err
}

// planMonths plans to read the counts of whole months, and returns the days between them.
func (s *linkSeries) planMonths(from, to terse.Day) (gaps []dayRange, err error) {
	first, last, rest := terse.MonthOf(from), terse.MonthOf(to), from
	heads := countsBetween(Months, s.link, headColumn, first, last)
	err = s.rows.Scan(heads, Always, func(b int64, _ Span, v []byte) error {
		of, _ := ofKey(b)
		m := terse.Month(of)
		h, err := clickblock.ParseHead(v)
		if err != nil || !s.wholeMonth(m) {
			return err
		}
		if rest < m.First() {
			gaps = append(gaps, dayRange{rest, m.First() - 1})
		}
		s.months[m], rest = true, (m + 1).First()
		sum := clickblock.Sum{}
		for _, day := range h.Days {
			if day.Day < m.First() || day.Day >= rest {
				return clickblock.ErrDamaged
			}
			s.days[day.Day] = true
			s.use(day.Day, day.Sum)
			sum.Add(day.Sum)
		}
		if sum != h.Sum {
			return clickblock.ErrDamaged
		}
		return nil
	})
	if len(s.months) > 0 {
		s.counts = append(s.counts, counts{Months, int(first), int(last)})
	}
	if rest <= to {
		gaps = append(gaps, dayRange{rest, to})
	}
	return gaps, err
}

// planDays plans to read the counts of a gap's whole days and of its dropped days.
func (s *linkSeries) planDays(gap dayRange) error {
	wasCut, counted, dropped := false, false, false
	err := s.eachHead(Days, s.link, gap, func(day terse.Day, sum clickblock.Sum) {
		whole := s.whole(day)
		switch {
		case whole:
			counted = true
			s.use(day, sum)
		case wasCut:
			s.cut[len(s.cut)-1].to = day
		default:
			s.cut = append(s.cut, dayRange{day, day})
		}
		s.days[day], wasCut = whole, !whole
	})
	if err != nil {
		return err
	}
	err = s.eachHead(Dropped, s.link, gap, func(day terse.Day, sum clickblock.Sum) {
		if s.begins(day) {
			dropped, s.droppedDays[day] = true, true
			s.use(day, sum)
		}
	})
	if counted {
		s.counts = append(s.counts, counts{Days, int(gap.from), int(gap.to)})
	}
	if dropped {
		s.counts = append(s.counts, counts{Dropped, int(gap.from), int(gap.to)})
	}
	return err
}

// use adds the sum of a day's counts to the times. Its clicks count at the beginning of the day.
func (s *series) use(day terse.Day, sum clickblock.Sum) {
	s.fromCounts.Add(sum)
	s.times.add(day.Start(), s.audience.Of(sum))
}

// planDroppedOf uses the counts of the tagged links' dropped days. A pass of the retention drops
// the clicks of links first, and the same clicks of their owner later: until then they count as the
// owner's single ones. So the owner decides which clicks count as dropped on days that a pass may
// be at work on. Their values are used if the link has dropped as many; else they are unknown.
func (s *series) planDroppedOf(days dayRange) error {
	s.unsettled, s.alike = lastDay+1, map[linkDay]clickblock.Sum{}
	for _, link := range s.of.Links {
		first, err := firstSingle(s.rows, link)
		if err != nil {
			return err
		}
		s.unsettled = min(s.unsettled, first)
	}
	found := map[terse.LinkID]bool{}
	use := func(day terse.Day, l clickblock.Link, sum clickblock.Sum) {
		if !s.has(l) {
			return
		}
		if !found[l.ID] {
			found[l.ID] = true
			s.dropped = append(s.dropped, l.ID)
		}
		if day < s.unsettled {
			return
		}
		s.use(day, sum)
		of := linkDay{l.ID, day}
		if before, some := s.alike[of]; some || len(s.alike) < maxAlike {
			before.Add(sum) // of a link that had another owner
			s.alike[of] = before
		}
	}
	for _, p := range s.perLink {
		if err := p.eachDroppedLink(use); err != nil {
			return err
		}
	}
	return s.scanDropped([]column{headColumn}, days, func(of linkDay, _ column, v []byte) error {
		h, err := clickblock.ParseHead(v)
		switch {
		case err != nil || !s.begins(of.day):
		case of.day < s.unsettled:
			s.use(of.day, h.Sum)
		case s.alike[of] != h.Sum:
			delete(s.alike, of)
		}
		return err
	})
}

// scannedAtOnce bounds the links whose ranges are in memory.
const scannedAtOnce = 1 << 10

// scanDropped calls f for columns of the counts of the tagged links' dropped days, in any order.
// There may be very many links, so a database on another machine gets one query for many of them.
func (s *series) scanDropped(columns []column, days dayRange,
	f func(of linkDay, c column, v []byte) error,
) error {
	all := days == dayRange{0, lastDay} // then neighbouring columns are one range
	var ranges []Range
	for links := range slices.Chunk(s.dropped, scannedAtOnce) {
		ranges = ranges[:0]
		for _, link := range links {
			for i, c := range columns {
				g := countsBetween(Dropped, link, c, days.from, days.to)
				if all && i > 0 && c == columns[i-1]+1 {
					ranges[len(ranges)-1].To = g.To
				} else {
					ranges = append(ranges, g)
				}
			}
		}
		if err := s.rows.ScanMany(Dropped, ranges, func(k Key, v []byte) error {
			day, _ := ofKey(k.B)
			return f(linkDay{terse.LinkID(k.A), terse.Day(day)},
				column(k.B>>(dayBits+pieceBits)), v)
		}); err != nil {
			return err
		}
	}
	return nil
}

// linkDay is a day of a link.
type linkDay struct {
	link terse.LinkID
	day  terse.Day
}

// maxAlike bounds the memory of series.alike to some 20 MiB.
const maxAlike = 1 << 18

// firstSingle returns the day of the first single click of all links of an owner, or the day after
// the last one that there can be.
func firstSingle(r Reader, owner terse.LinkID) (terse.Day, error) {
	first := int64(math.MaxInt64)
	for _, blocks := range []Range{every(Level1, BucketOf(owner)), every(Level2, int64(owner))} {
		err := r.Sizes(blocks, func(_ int64, at Span, _ int) error {
			first = min(first, at.First)
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	if first == math.MaxInt64 {
		return lastDay + 1, nil
	}
	return dayOf(first), nil
}

// eachHead calls f for the days of a link that have counts.
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

// eachDroppedLink calls f for the counts by link of an owner's dropped days.
func (s *linkSeries) eachDroppedLink(f func(terse.Day, clickblock.Link, clickblock.Sum)) error {
	from, to := dayOf(s.first), dayOf(s.last)
	return s.rows.Scan(countsBetween(Dropped, s.link, linksColumn, from, to), Always,
		func(b int64, _ Span, v []byte) error {
			of, _ := ofKey(b)
			day := terse.Day(of)
			if !s.begins(day) {
				return nil
			}
			return clickblock.EachLink([][]byte{v}, func(l clickblock.Link, sum clickblock.Sum) {
				f(day, l, sum)
			})
		})
}

// begins reports whether a day begins in the range. Dropped clicks count at its beginning.
func (s *series) begins(day terse.Day) bool {
	return s.first <= day.Start() && day.Start() <= s.last
}

// inRange reports whether all clicks that count on a day are in the range. Clicks that count on the
// first or last possible day may be older or newer than that day: see dayOf.
func (s *series) inRange(day terse.Day) bool {
	return day > 0 && day < lastDay && s.begins(day) && (day+1).Start()-1 <= s.last
}

// whole reports whether the counts of a day can be read instead of its clicks: the whole day is in
// the range and in one interval.
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

// addCounts adds the planned counts, by value.
func (s *series) addCounts() error {
	for _, d := range clickblock.Stored {
		if !s.sums.Needs(d) {
			continue
		}
		for _, p := range s.perLink {
			if err := p.addPieces(d); err != nil {
				return fmt.Errorf("counts by %v: %w", d, err)
			}
		}
	}
	if err := s.addDropped(); err != nil {
		return fmt.Errorf("dropped clicks of links: %w", err)
	}
	return s.sums.AddRest(s.fromCounts)
}

// addPieces adds the planned counts of a dimension.
func (s *linkSeries) addPieces(d terse.Dimension) error {
	for _, c := range s.counts {
		of := countsBetween(c.table, s.link, columnOf(d), terse.Day(c.from), terse.Day(c.to))
		err := s.rows.Scan(of, Always, func(b int64, _ Span, v []byte) error {
			if of, _ := ofKey(b); !s.uses(c.table, of) {
				return nil
			}
			return s.sums.AddPiece(d, v)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addDropped adds the counts of the tagged links' dropped days, by value.
func (s *series) addDropped() error {
	var columns []column
	for _, d := range clickblock.Stored {
		if s.sums.Needs(d) {
			columns = append(columns, columnOf(d))
		}
	}
	days := dayRange{dayOf(s.first), dayOf(s.last)}
	return s.scanDropped(columns, days, func(of linkDay, c column, v []byte) error {
		d, known := terse.DimensionOf(uint64(c))
		if !known || !s.sums.Needs(d) || !s.begins(of.day) {
			return nil
		}
		if _, alike := s.alike[of]; of.day >= s.unsettled && !alike {
			return nil
		}
		return s.sums.AddPiece(d, v)
	})
}
