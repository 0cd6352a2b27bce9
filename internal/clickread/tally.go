package clickread

import (
	"terse"
	"terse/internal/clickblock"
)

// Tally adds up blocks and counts of one link to an answer. It must not be used concurrently, and
// is of no use after clickblock.ErrDamaged.
type Tally struct {
	// Links has the clicks by link, too; nil where nobody asks for them.
	Links *clickblock.LinkSums

	sums        *clickblock.Sums
	first, last int64
	intervals   terse.Intervals
	total       int64
	// the interval of the last click: its first microsecond, and the one after it
	from, until int64
	within      int64              // clicks in it that are not in times yet
	times       map[int64]int64    // by the first microsecond of an interval
	visitors    int64              // these like total, within and times
	firsts      int64              // the visitors within
	visits      map[int64]int64    // the visitors by interval
	named       map[nameKey]*names // of days with many values
}

// nameKey is a dimension on a day.
type nameKey struct {
	day terse.Day
	of  terse.Dimension
}

// names are the values of a dimension on a day that are not folded into other.
type names struct {
	has []bool // by ID
	n   int
	max int
}

// NewTally returns a Tally of the clicks that a query asks for.
func NewTally(q terse.SeriesQuery) *Tally {
	t := &Tally{
		sums: clickblock.NewSums(&q), intervals: q.Intervals,
		times: map[int64]int64{}, visits: map[int64]int64{}, named: map[nameKey]*names{},
	}
	t.first, t.last = q.Range.Micros()
	return t
}

// OfLinks has only clicks of some links counted, of those of all links. Clicks that are of none are
// not.
func (t *Tally) OfLinks(has func(clickblock.Link) bool) { t.sums.OfLinks(has) }

// Whole reports whether the counts of a day answer for all of its clicks: they are all asked for,
// and in one interval.
func (t *Tally) Whole(day terse.Day) bool {
	if t.sums.Filtered() || day.Start() < t.first || (day+1).Start()-1 > t.last {
		return false
	}
	_, end := t.intervals.Containing(day.Start())
	return (day + 1).Start() <= end
}

// WholeMonth reports whether all days of a month are Whole.
func (t *Tally) WholeMonth(m terse.Month) bool {
	for day := m.First(); day < (m + 1).First(); day++ {
		if !t.Whole(day) {
			return false
		}
	}
	return true
}

// AddBlock adds the clicks of a block that are asked for.
func (t *Tally) AddBlock(block []byte) error {
	if some, err := t.sums.Open(block, -1); !some || err != nil {
		return err
	}
	return t.addOpened()
}

// AddLoose is AddBlock for clicks that are in no day's counts. The Limits of their days must be
// set before.
func (t *Tally) AddLoose(block []byte) error { return t.AddLooseOf(block, -1) }

// AddLooseOf is AddLoose for the clicks of the link at an offset of the block; -1 is all.
func (t *Tally) AddLooseOf(block []byte, offset int) error {
	if some, err := t.sums.Open(block, offset); !some || err != nil {
		return err
	}
	if len(t.named) > 0 {
		return t.addOneByOne()
	}
	return t.addOpened()
}

// addOpened adds those of the chosen clicks that are asked for.
func (t *Tally) addOpened() error {
	if some, err := t.sums.Filter(); !some || err != nil {
		return err
	}
	if _, err := t.sums.Between(t.first, t.last); err != nil {
		return err
	}
	for k := range t.sums.Len() {
		i := t.sums.At(k)
		t.addTime(t.sums.Time(i), 1, t.sums.First(i))
	}
	if err := t.sums.AddChosen(); err != nil {
		return err
	}
	return t.addLinks()
}

func (t *Tally) addLinks() error {
	if t.Links == nil {
		return nil
	}
	return t.Links.AddChosen(&t.sums.Selector)
}

// addOneByOne adds those of the chosen clicks that are asked for, under the names that their values
// have in the counts of their days.
func (t *Tally) addOneByOne() error {
	err := t.sums.Keep(func(c *clickblock.Click) bool {
		if c.Time < t.first || c.Time > t.last {
			return false
		}
		if t.fold(c); !t.sums.Wants(c) {
			return false
		}
		first := int64(0)
		if c.First {
			first = 1
		}
		t.addTime(c.Time, 1, first)
		t.sums.AddClick(c)
		return true
	})
	if err != nil || t.sums.Len() == 0 {
		return err
	}
	return t.addLinks()
}

// fold counts a click with other where its day has too many values to keep its own.
func (t *Tally) fold(c *clickblock.Click) {
	day := terse.DayOf(c.Time)
	for d, id := range c.IDs {
		if names := t.named[nameKey{day, terse.Dimension(d)}]; names != nil && !names.add(id) {
			c.IDs[d] = clickblock.OtherID
		}
	}
}

// addTime counts clicks, and how many of them are firsts, in the interval that holds a time.
func (t *Tally) addTime(micros, n, firsts int64) {
	if micros < t.from || micros >= t.until {
		t.endInterval()
		t.from, t.until = t.intervals.Containing(micros)
	}
	t.within += n
	t.firsts += firsts
}

func (t *Tally) endInterval() {
	if t.within > 0 {
		t.times[t.from] += t.within
		t.total += t.within
		t.within = 0
	}
	if t.firsts > 0 {
		t.visits[t.from] += t.firsts
		t.visitors += t.firsts
		t.firsts = 0
	}
}

// AddCounts adds the counts of a day, as of clicks at its beginning. The day must be Whole, or the
// counts those of dropped clicks.
func (t *Tally) AddCounts(day terse.Day, counts []byte) error {
	c, err := t.sums.AddCounts(counts)
	if err == nil {
		t.addTime(day.Start(), c.Clicks, c.Firsts)
	}
	return err
}

// AddMonth adds the counts of a WholeMonth, as of clicks at the beginnings of its days.
func (t *Tally) AddMonth(counts []byte) error {
	c, err := t.sums.AddCounts(counts)
	if err == nil && len(c.Days) == 0 {
		err = clickblock.ErrDamaged
	}
	for _, day := range c.Days {
		t.addTime(day.Day.Start(), day.Clicks, day.Firsts)
	}
	return err
}

// many is how many values a day must have for what is not sealed to be able to exceed
// MaxValues: stores seal a day before seven eighths of the smallest MaxValues wait.
func many(d terse.Dimension) uint64 { return uint64(d.MaxValues()) / 8 }

// Limit bounds the values that AddLoose adds to a day with these counts: together they are at
// most MaxValues of their dimension.
func (t *Tally) Limit(day terse.Day, counts []byte) error {
	return t.sums.EachMany(counts, many, func(d terse.Dimension, ids []uint32) {
		names := &names{max: d.MaxValues()}
		for _, id := range ids {
			names.add(id)
		}
		t.named[nameKey{day, d}] = names
	})
}

// add reports whether a value keeps its name.
func (n *names) add(id uint32) bool {
	if id <= clickblock.OtherID {
		return true
	}
	if int(id) >= len(n.has) {
		n.has = append(n.has, make([]bool, int(id)+1-len(n.has))...)
	}
	if !n.has[id] && n.n >= n.max {
		return false
	}
	if !n.has[id] {
		n.has[id] = true
		n.n++
	}
	return true
}

// Series returns the sums.
func (t *Tally) Series() terse.Series {
	t.endInterval()
	return terse.Series{
		Total: t.total, ByInterval: t.times,
		Visitors: t.visitors, VisitorsByInterval: t.visits,
		By: t.sums.By(),
	}
}
