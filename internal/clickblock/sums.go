package clickblock

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"terse"
)

// Sums are clicks by their values: the chosen ones of blocks, and those of counts.
type Sums struct {
	Selector
	without [terse.NumDimensions]bool    // nobody asks for these
	limit   int                          // values of a dimension in the answer; 0: all
	skipped [terse.NumDimensions]bool    // nothing asked for needs their counts
	counts  [terse.NumDimensions][]int64 // by ID
}

// NewSums returns Sums of the clicks that a query asks for, whenever they were.
func NewSums(q *terse.SeriesQuery) *Sums {
	s := &Sums{without: q.Without, limit: q.Limit, skipped: skipped(&q.Without)}
	s.init(&q.Filter, MaxAnswerValues+2)
	for d := range terse.NumDimensions {
		for _, value := range q.Filter[d].Only { // before there are too many values
			s.tables[d].find(appendValue(nil, d, []byte(value)))
		}
	}
	return s
}

// AddChosen adds the chosen clicks.
func (s *Sums) AddChosen() error {
	for d := range terse.NumDimensions {
		if !s.skipped[d] && !s.addColumn(d) {
			return ErrDamaged
		}
	}
	return nil
}

// AddClick adds a click that Keep gave.
func (s *Sums) AddClick(c *Click) {
	for d, id := range c.IDs {
		s.add(terse.Dimension(d), id, 1)
	}
}

func (s *Sums) add(d terse.Dimension, id uint32, n int64) {
	for int(id) >= len(s.counts[d]) {
		s.counts[d] = append(s.counts[d], 0)
	}
	s.counts[d][id] += n
}

// addColumn counts the chosen clicks of a block by the values of a dimension. Values that none of
// them has are skipped.
func (s *Sums) addColumn(d terse.Dimension) bool {
	part := s.block.columns[d]
	if part.b == nil {
		s.add(d, defaultID, int64(s.Len()))
		return true
	}
	sums, ok := s.countColumn(&part)
	if !ok {
		return false
	}
	for _, n := range sums {
		if n == 0 {
			part.value()
		} else {
			s.add(d, s.tables[d].next(&part, 1), n)
		}
	}
	part.end()
	return !part.bad
}

// fewer is how many times fewer clicks must be chosen than a block has, so that to look up the
// place of each is quicker than to read all.
const fewer = 8

// countColumn returns how many of the chosen clicks of a block have each value of a column. What is
// left of the column are the values.
func (s *Selector) countColumn(part *reader) (sums []int64, ok bool) {
	c, n := &s.chosen, s.block.n
	if c.every || len(c.some)*fewer > n {
		k, places, ok := s.places(part, n)
		if !ok {
			return nil, false
		}
		return s.countPlaces(k, places), true
	}
	k, index, width, ok := part.cut(n)
	if !ok {
		return nil, false
	}
	sums = slices.Grow(s.sums[:0], k)[:k]
	s.sums = sums
	clear(sums)
	for _, i := range c.some {
		place := placeAt(index, width, i)
		if place >= uint64(k) {
			return nil, false
		}
		sums[place]++
	}
	return sums, true
}

// countPlaces returns how many of the chosen clicks have each of k places.
func (s *Selector) countPlaces(k int, places []uint16) []int64 {
	c := &s.chosen
	sums := slices.Grow(s.sums[:0], k)[:k]
	s.sums = sums
	clear(sums)
	switch {
	case k == 1:
		sums[0] = int64(c.count())
	case c.every:
		for _, place := range places[c.from:c.to] {
			sums[place]++
		}
	default:
		for _, i := range c.some {
			sums[places[i]]++
		}
	}
	return sums
}

// Counted is how many clicks counts are of, and how many of them are firsts.
type Counted struct {
	Clicks, Firsts int64
	Days           []DayClicks // of a month
}

// DayClicks are the clicks and firsts of a day, in the counts of its month.
type DayClicks struct {
	Day            terse.Day
	Clicks, Firsts int64
}

// AddCounts adds the counts of a day or month.
func (s *Sums) AddCounts(counts []byte) (Counted, error) {
	opened, ok := openCounts(counts)
	if !ok {
		return Counted{}, ErrDamaged
	}
	for d := range terse.NumDimensions {
		if !s.addCounted(d, opened.columns[d], opened.total) {
			return Counted{}, ErrDamaged
		}
	}
	c := Counted{Clicks: opened.total, Firsts: opened.firsts}
	if opened.days.b != nil {
		c.Days, ok = opened.readDays()
	}
	return c, damagedUnless(ok)
}

// fewBytes is what a table has before values of clicks are in it, or little more.
const fewBytes = 1 << 10

func (s *Sums) addCounted(d terse.Dimension, part reader, total int64) bool {
	if part.b == nil || s.skipped[d] {
		s.add(d, defaultID, total)
		return true
	}
	if s.tables[d].packed.Size() <= fewBytes { // these are the first counts
		s.tables[d].packed.Grow(len(part.rest()))
	}
	for id, n := range part.counted(d, &s.tables[d]) {
		s.add(d, id, n)
		total -= n
	}
	return !part.bad && total == 0
}

// maxDays bounds the days of a month.
const maxDays = 31

// readDays returns the days of a month, which must add up to it.
func (c *openedCounts) readDays() (days []DayClicks, ok bool) {
	r, total, firsts := c.days, c.total, c.firsts
	for range r.uvarint(maxDays) {
		day := DayClicks{Day: terse.Day(r.uvarint(math.MaxInt32))}
		day.Clicks = int64(r.uvarint(uint64(total)))
		day.Firsts = int64(r.uvarint(uint64(day.Clicks)))
		days = append(days, day)
		total, firsts = total-day.Clicks, firsts-day.Firsts
	}
	r.end()
	return days, !r.bad && total == 0 && firsts == 0
}

// EachMany calls f with the IDs of the values of counts, by dimension, where they are more than a
// number.
func (s *Sums) EachMany(
	counts []byte, number func(terse.Dimension) uint64, f func(d terse.Dimension, ids []uint32),
) error {
	opened, ok := openCounts(counts)
	if !ok {
		return ErrDamaged
	}
	for d := range terse.NumDimensions {
		part := opened.columns[d]
		if s.skipped[d] && s.wanted[d].all() {
			continue // whatever they are called, nobody sees it
		}
		if values := part; values.b == nil || values.uvarint(maxCounted(d)) <= number(d) {
			continue
		}
		ids := s.ids[:0]
		for id := range part.counted(d, &s.tables[d]) {
			ids = append(ids, id)
		}
		if s.ids = ids; part.bad {
			return ErrDamaged
		}
		f(d, ids)
	}
	return nil
}

// By returns the sums of what was asked for, also of derived dimensions. Where values are limited,
// only those that are kept are copied.
func (s *Sums) By() (by [terse.NumDimensions]map[string]int64) {
	for d := range terse.NumDimensions {
		switch from, derived := d.From(); {
		case s.without[d]:
		case derived:
			// Cloned, or the part would keep the whole value.
			by[d] = s.limited(s.sumUp(from, func(value string) string {
				return strings.Clone(derive[d](value))
			}))
		case s.limit > 0:
			by[d] = s.largest(d)
		default:
			by[d] = s.sumUp(d, func(value string) string { return value })
		}
	}
	return by
}

// sumUp adds up the counts of a dimension by what f makes of its values.
func (s *Sums) sumUp(d terse.Dimension, f func(value string) string) map[string]int64 {
	by := map[string]int64{}
	var value []byte
	for id, n := range s.counts[d] {
		if n > 0 {
			value = appendUnpacked(value[:0], d, s.tables[d].packed.At(uint32(id)))
			by[f(string(value))] += n
		}
	}
	return by
}

// largest returns the largest counts of a dimension.
func (s *Sums) largest(d terse.Dimension) map[string]int64 {
	l := largest{most: s.limit}
	var value []byte
	for id, n := range s.counts[d] {
		if n > 0 {
			value = appendUnpacked(value[:0], d, s.tables[d].packed.At(uint32(id)))
			l.add(value, n)
		}
	}
	return l.counts()
}

// limited returns the largest of some counts.
func (s *Sums) limited(counts map[string]int64) map[string]int64 {
	if s.limit == 0 {
		return counts
	}
	l := largest{most: s.limit}
	for value, n := range counts {
		l.add([]byte(value), n)
	}
	return l.counts()
}

// PackMonth returns the sums as the counts of a month. It is not ok where a dimension has more
// values than a day may have.
func (s *Sums) PackMonth(c Counted) (packed []byte, ok bool) {
	b := append([]byte{counting}, binary.AppendUvarint(nil, uint64(c.Clicks))...)
	b = append(b, byte(terse.NumDimensions)+2)
	for d := range terse.NumDimensions {
		column, ok := s.packColumn(d)
		if !ok {
			return nil, false
		}
		b = appendColumn(b, uint64(d.ID()), column)
	}
	b = appendNumber(b, firstID, uint64(c.Firsts))
	return appendColumn(b, daysID, packDays(c.Days)), true
}

func appendColumn(b []byte, id uint64, column []byte) []byte {
	b = binary.AppendUvarint(b, id)
	b = binary.AppendUvarint(b, uint64(len(column)))
	return append(b, column...)
}

// packColumn returns the values of a dimension with their counts, sorted.
func (s *Sums) packColumn(d terse.Dimension) (b []byte, ok bool) {
	var ids []uint32
	for id, n := range s.counts[d] {
		if n > 0 {
			ids = append(ids, uint32(id))
		}
	}
	t := &s.tables[d]
	t.sort(ids)
	b = binary.AppendUvarint(nil, uint64(len(ids)))
	for _, id := range ids {
		b = append(b, t.packed.At(id)...)
		b = binary.AppendUvarint(b, uint64(s.counts[d][id]))
	}
	return b, len(ids) <= d.MaxValues()
}

func packDays(days []DayClicks) []byte {
	b := binary.AppendUvarint(nil, uint64(len(days)))
	for _, day := range days {
		b = binary.AppendUvarint(b, uint64(day.Day))
		b = binary.AppendUvarint(b, uint64(day.Clicks))
		b = binary.AppendUvarint(b, uint64(day.Firsts))
	}
	return b
}
