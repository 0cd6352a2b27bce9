package clickread

import (
	"cmp"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// Month adds up the counts of a link's days, which are of one month, to the counts of that month.
type Month struct {
	tally *Tally
	sum   clickblock.Counted
}

// NewMonth returns a Month without days.
func NewMonth() *Month {
	return &Month{tally: NewTally(terse.SeriesQuery{Range: terse.AllTime})}
}

// Add adds the counts of a day.
func (m *Month) Add(day terse.Day, counts []byte) error {
	if err := m.tally.Limit(day, counts); err != nil {
		return err
	}
	c, err := m.tally.sums.AddCounts(counts)
	m.sum.Clicks += c.Clicks
	m.sum.Firsts += c.Firsts
	m.sum.Days = append(m.sum.Days,
		clickblock.DayClicks{Day: day, Clicks: c.Clicks, Firsts: c.Firsts})
	return err
}

// Pack returns the counts, nil without days. They are empty, and say nothing, where a day must be
// read on its own because it has many values (see Tally.Limit), or where the month has more than a
// day may have.
func (m *Month) Pack() []byte {
	if len(m.sum.Days) == 0 {
		return nil
	}
	slices.SortFunc(m.sum.Days, func(a, b clickblock.DayClicks) int {
		return cmp.Compare(a.Day, b.Day)
	})
	packed, ok := m.tally.sums.PackMonth(m.sum)
	if !ok || len(m.tally.named) > 0 {
		return []byte{}
	}
	return packed
}
