package clickstore

import (
	"fmt"

	"terse"
	"terse/internal/clickblock"
)

// fold moves values of clicks that are not counted yet to terse.OtherValue where their day has no
// more room. That is looked at only where there may be too many.
func (s *series) fold() error {
	for _, d := range stored {
		if !s.sums.Needs(d) || s.sums.Roomy(d) {
			continue
		}
		for day, n := range s.uncounted {
			few := n <= d.MaxValues() && n*d.MaxBytes() <= clickblock.MaxDayBytes
			if _, counted := s.days[day]; !s.inRange(day) || few && !counted {
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
	if err != nil {
		return err
	}
	return eachUncounted(s.rows, s.of.Link, within, func(v []byte, _ Span, offset int) error {
		n, err := s.clicks.Open(v, offset, within.First, within.Last)
		if n == 0 || err != nil {
			return err
		}
		return s.sums.Fold(s.clicks, room)
	})
}
