package clickblock

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"

	"terse"
)

// Month adds up the counts of a link's days, which are of one month, to the counts of that month.
type Month struct {
	tally *Tally
	many  bool
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
	m.many = m.many || len(m.tally.named) > 0
	return m.tally.AddCounts(day, counts)
}

// Pack returns the counts, nil without days. They are empty, and say nothing, where a day must be
// read on its own because it has many values (see Tally.Limit), or where the month has more than a
// day may have.
func (m *Month) Pack() []byte {
	t := m.tally
	t.endInterval()
	switch {
	case t.total == 0:
		return nil
	case m.many:
		return []byte{}
	}
	b := append([]byte{counting}, binary.AppendUvarint(nil, uint64(t.total))...)
	columns := len(b)
	b = append(b, 0)
	for d := range terse.NumDimensions {
		column, ok := t.packCounts(d)
		if !ok {
			return []byte{}
		}
		b = appendColumn(b, uint64(d.ID()), column)
		b[columns]++
	}
	b = appendColumn(b, firstID, binary.AppendUvarint(nil, uint64(t.visitors)))
	b = appendColumn(b, daysID, t.packDays())
	b[columns] += 2
	return b
}

func appendColumn(b []byte, id uint64, column []byte) []byte {
	b = binary.AppendUvarint(b, id)
	b = binary.AppendUvarint(b, uint64(len(column)))
	return append(b, column...)
}

// packCounts returns the values of a dimension with their counts, sorted. It is not ok where they
// are more than a day may have.
func (t *Tally) packCounts(d terse.Dimension) (b []byte, ok bool) {
	var ids []uint32
	for id, n := range t.counts[d] {
		if n > 0 {
			ids = append(ids, uint32(id))
		}
	}
	values := t.tables[d].values
	slices.SortFunc(ids,
		func(x, y uint32) int { return strings.Compare(values[x].packed, values[y].packed) })
	b = binary.AppendUvarint(nil, uint64(len(ids)))
	for _, id := range ids {
		b = append(b, values[id].packed...)
		b = binary.AppendUvarint(b, uint64(t.counts[d][id]))
	}
	return b, len(ids) <= d.MaxValues()
}

// packDays returns the days with their clicks and firsts.
func (t *Tally) packDays() []byte {
	b := binary.AppendUvarint(nil, uint64(len(t.times)))
	for _, start := range slices.Sorted(maps.Keys(t.times)) {
		n := t.times[start]
		b = binary.AppendUvarint(b, uint64(terse.DayOf(start)))
		b = binary.AppendUvarint(b, uint64(n))
		b = binary.AppendUvarint(b, uint64(t.visits[start]))
	}
	return b
}

// maxDays bounds the days of a month.
const maxDays = 31

// AddMonth adds the counts of a month, as of clicks at the beginnings of its days. Each of these
// must be Whole. After ErrDamaged the Tally is of no use.
func (t *Tally) AddMonth(counts []byte) error {
	c, err := t.addCounts(counts)
	if err != nil {
		return err
	}
	for range c.days.uvarint(maxDays) {
		day := terse.Day(c.days.uvarint(math.MaxInt32))
		n := int64(c.days.uvarint(uint64(c.total)))
		firsts := int64(c.days.uvarint(uint64(n)))
		t.addTime(day.Start(), n, firsts)
		c.total, c.firsts = c.total-n, c.firsts-firsts
	}
	c.days.end()
	return damagedUnless(!c.days.bad && c.total == 0 && c.firsts == 0)
}
