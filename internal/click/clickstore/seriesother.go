package clickstore

import (
	"fmt"
	"maps"
	"slices"

	"terse"
	"terse/internal/click/clickblock"
)

// moveToOther counts values as terse.OtherValue where their day has too many, as compacting will do
// with clicks that are in no counts yet. It reads only days where that is possible.
func (s *linkSeries) moveToOther() error {
	days := slices.Collect(maps.Keys(s.withoutCounts))
	if isOwner(s.link) { // whose blocks keep values that are OtherValue in the counts
		for day, whole := range s.days {
			if _, some := s.withoutCounts[day]; !whole && !some {
				days = append(days, day)
			}
		}
	}
	for _, d := range clickblock.Stored {
		if !s.sums.Needs(d) || s.sums.Roomy(d) {
			continue
		}
		for _, day := range days {
			n := s.withoutCounts[day]
			few := n <= d.MaxValues() && n*d.MaxBytes() <= terse.MaxDayBytes
			_, counted := s.days[day]
			if !s.inRange(day) || few && !counted && !s.droppedDays[day] {
				continue
			}
			if err := s.moveDayToOther(d, day); err != nil {
				return fmt.Errorf("%v by %v: %w", day, d, err)
			}
		}
	}
	return nil
}

// span is a part of the range: a day on which values of some dimensions count as OtherValue, or the
// time between two such days.
type span struct {
	Span
	day terse.Day
	of  []terse.Dimension
}

// planSpans finds the days on which a filter that names OtherValue means other clicks than those
// that have it as their value: on these days, counts have more of them.
func (s *linkSeries) planSpans() error {
	var of []terse.Dimension
	for _, d := range clickblock.Stored {
		if clickblock.NamesOther(d, &s.query.Filter) {
			of = append(of, d)
		}
	}
	if len(of) == 0 {
		return nil
	}
	days, err := s.daysWithOther()
	if err != nil {
		return err
	}
	rest := s.first
	for _, day := range days {
		p := span{Span: Span{max(day.Start(), s.first), min((day+1).Start()-1, s.last)}, day: day}
		for _, d := range of {
			room, err := s.room(d, day)
			if err != nil {
				return fmt.Errorf("%v by %v: %w", day, d, err)
			}
			if room.HasOther() {
				p.of = append(p.of, d)
			}
		}
		if len(p.of) == 0 || p.First > p.Last {
			continue
		}
		if rest < p.First {
			s.spans = append(s.spans, span{Span: Span{rest, p.First - 1}})
		}
		s.spans, rest = append(s.spans, p), p.Last+1
	}
	if len(s.spans) > 0 && rest <= s.last {
		s.spans = append(s.spans, span{Span: Span{rest, s.last}})
	}
	return nil
}

// daysWithOther returns the days that may have single clicks that count as OtherValue but have
// another value. Clicks of a link have one only until they get counts.
func (s *linkSeries) daysWithOther() (days []terse.Day, err error) {
	from, to := dayOf(s.first), dayOf(s.last)
	all := clickblock.NewSelector(&terse.ClickFilter{}, nil)
	err = eachWithoutCounts(s.rows, s.link, Span{from.Start(), (to + 1).Start() - 1},
		func(v []byte, _ Span, offset int) error {
			n, err := all.Open(v, offset, from.Start(), (to+1).Start()-1)
			if n == 0 || err != nil {
				return err
			}
			return s.noteDays(all)
		})
	if err != nil {
		return nil, err
	}
	defer clear(s.withoutCounts)
	for day, n := range s.withoutCounts {
		if n*terse.MaxValueBytes > terse.MaxDayBytes {
			days = append(days, day)
		}
	}
	for _, t := range []Table{Days, Dropped} {
		err := s.eachHead(t, s.link, dayRange{from, to}, func(day terse.Day, _ clickblock.Sum) {
			if s.withoutCounts[day] > 0 || isOwner(s.link) && t == Days {
				days = append(days, day)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(days)
	return slices.Compact(days), nil
}

// room returns the room of a day with all values that count as such.
func (s *linkSeries) room(d terse.Dimension, day terse.Day) (*clickblock.Room, error) {
	room, err := s.roomOfCounts(d, day)
	if err != nil {
		return nil, err
	}
	all, within := clickblock.NewSelector(&terse.ClickFilter{}, nil), spanOfDay(day)
	return room, eachWithoutCounts(s.rows, s.link, within,
		func(v []byte, _ Span, offset int) error {
			n, err := all.Open(v, offset, within.First, within.Last)
			if n == 0 || err != nil {
				return err
			}
			return room.AdmitChosen(all)
		})
}

// roomOfCounts returns the room of a day with the values of its counts.
func (s *linkSeries) roomOfCounts(d terse.Dimension, day terse.Day) (*clickblock.Room, error) {
	room := clickblock.NewRoom(d)
	for _, t := range []Table{Days, Dropped} {
		err := s.rows.Scan(countsBetween(t, s.link, columnOf(d), day, day), Always,
			func(_ int64, _ Span, v []byte) error { return room.Admit(v) })
		if err != nil {
			return nil, err
		}
	}
	return room, nil
}

func spanOfDay(day terse.Day) Span { return Span{day.Start(), (day + 1).Start() - 1} }

// readSpans is read, span by span.
func (s *linkSeries) readSpans(first bool) error {
	whole := Span{s.first, s.last}
	defer func() {
		s.first, s.last = whole.First, whole.Last
		s.clicks.Within([terse.NumDimensions]*clickblock.Room{})
	}()
	for _, p := range s.spans {
		var rooms [terse.NumDimensions]*clickblock.Room
		for _, d := range p.of {
			var err error
			if rooms[d], err = s.room(d, p.day); err != nil {
				return fmt.Errorf("%v by %v: %w", p.day, d, err)
			}
		}
		s.clicks.Within(rooms)
		s.first, s.last = p.First, p.Last
		s.cut = []dayRange{{dayOf(p.First), dayOf(p.Last)}}
		if err := s.read(first); err != nil {
			return err
		}
	}
	return nil
}

// moveDayToOther is moveToOther for a dimension and a day.
func (s *linkSeries) moveDayToOther(d terse.Dimension, day terse.Day) error {
	within := spanOfDay(day)
	room, err := s.roomOfCounts(d, day)
	if err != nil {
		return err
	}
	move := func(v []byte, _ Span, offset int) error {
		n, err := s.clicks.Open(v, offset, within.First, within.Last)
		if n == 0 || err != nil {
			return err
		}
		return s.sums.MoveToOther(s.clicks, room)
	}
	whole, counted := s.days[day]
	if isOwner(s.link) && counted && !whole && room.HasOther() {
		err := s.rows.Scan(blocksOf(s.link, dayRange{day, day}), within,
			func(_ int64, at Span, v []byte) error { return move(v, at, -1) })
		if err != nil {
			return err
		}
	}
	return eachWithoutCounts(s.rows, s.link, within, move)
}
