package clickstore

import (
	"fmt"
	"maps"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// moveToOther counts values as terse.OtherValue where their day has too many, as compacting will do
// with clicks that are in no counts yet. It reads only days where that is possible.
func (s *series) moveToOther() error {
	days := slices.Collect(maps.Keys(s.withoutCounts))
	if isOwner(s.of.Link) { // whose blocks keep values that are OtherValue in the counts
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
			few := n <= d.MaxValues() && n*d.MaxBytes() <= clickblock.MaxDayBytes
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

// moveDayToOther is moveToOther for a dimension and a day.
func (s *series) moveDayToOther(d terse.Dimension, day terse.Day) error {
	room, within := clickblock.NewRoom(d), Span{day.Start(), (day + 1).Start() - 1}
	for _, t := range []Table{Days, Dropped} {
		err := s.rows.Scan(countsBetween(t, s.of.Link, columnOf(d), day, day), Always,
			func(_ int64, _ Span, v []byte) error { return room.Admit(v) })
		if err != nil {
			return err
		}
	}
	move := func(v []byte, _ Span, offset int) error {
		n, err := s.clicks.Open(v, offset, within.First, within.Last)
		if n == 0 || err != nil {
			return err
		}
		return s.sums.MoveToOther(s.clicks, room)
	}
	whole, counted := s.days[day]
	if isOwner(s.of.Link) && counted && !whole && room.HasOther() {
		err := s.rows.Scan(blocksOf(s.of.Link, dayRange{day, day}), within,
			func(_ int64, at Span, v []byte) error { return move(v, at, -1) })
		if err != nil {
			return err
		}
	}
	return eachWithoutCounts(s.rows, s.of.Link, within, move)
}
