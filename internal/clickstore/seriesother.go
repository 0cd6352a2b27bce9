package clickstore

import (
	"fmt"

	"terse"
	"terse/internal/clickblock"
)

// moveToOther counts values as terse.OtherValue where their day has too many, as compacting will do
// with clicks that are in no counts yet. It reads only days where that is possible.
func (s *series) moveToOther() error {
	for _, d := range clickblock.Stored {
		if !s.sums.Needs(d) || s.sums.Roomy(d) {
			continue
		}
		for day, n := range s.withoutCounts {
			few := n <= d.MaxValues() && n*d.MaxBytes() <= clickblock.MaxDayBytes
			if _, counted := s.days[day]; !s.inRange(day) || few && !counted {
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
	err := s.rows.Scan(countsBetween(Days, s.of.Link, columnOf(d), day, day), Always,
		func(_ int64, _ Span, v []byte) error { return room.Admit(v) })
	if err != nil {
		return err
	}
	return eachWithoutCounts(s.rows, s.of.Link, within, func(v []byte, _ Span, offset int) error {
		n, err := s.clicks.Open(v, offset, within.First, within.Last)
		if n == 0 || err != nil {
			return err
		}
		return s.sums.MoveToOther(s.clicks, room)
	})
}
