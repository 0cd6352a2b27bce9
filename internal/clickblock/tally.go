package clickblock

import (
	"math"
	"slices"

	"terse"
)

// Tally adds up blocks and counts of one link to an answer. It must not be used concurrently.
type Tally struct {
	selector
	first, last int64
	intervals   terse.Intervals
	skipped     [terse.NumDimensions]bool // nobody asks for their counts
	filtered    bool                      // not all clicks are wanted
	total       int64
	// the interval of the last click: its first microsecond, and the one after it
	from, until int64
	within      int64                        // clicks in it that are not in times yet
	times       map[int64]int64              // by the first microsecond of an interval
	visitors    int64                        // these like total, within and times
	firsts      int64                        // the visitors within
	visits      map[int64]int64              // the visitors by interval
	counts      [terse.NumDimensions][]int64 // by ID
	named       map[nameKey]*names           // of days with many values
	has         func(Link) bool              // nil: clicks are of one link, or of any
	known       map[string]bool              // what has said, by packed link
	links       *linkSums                    // nil: nobody asks for them

	// Memory for the block that is being read.
	sums   []int64 // by a value's place
	clicks []Click
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
		intervals: q.Intervals, times: map[int64]int64{}, visits: map[int64]int64{},
		named: map[nameKey]*names{},
	}
	t.first, t.last = q.Range.Micros()
	t.skipped = skipped(&q.Without)
	t.want(&q.Filter)
	for d := range terse.NumDimensions {
		t.tables[d].reset(d, MaxAnswerValues+2)
		t.filtered = t.filtered || !t.wanted[d].all()
		for _, value := range q.Filter[d].Only { // before there are too many values
			t.tables[d].find(appendValue(nil, d, value))
		}
	}
	return t
}

// Whole reports whether the counts of a day answer for all of its clicks: they are all asked for,
// and in one interval.
func (t *Tally) Whole(day terse.Day) bool {
	if t.filtered || day.Start() < t.first || (day+1).Start()-1 > t.last {
		return false
	}
	_, end := t.intervals.Containing(day.Start())
	return (day + 1).Start() <= end
}

// AddBlock adds the clicks of a block that are asked for. After ErrDamaged the Tally is of
// no use.
func (t *Tally) AddBlock(block []byte) error {
	b, ok := open(block)
	if !ok {
		return ErrDamaged
	}
	t.chosen.every = true
	return t.addOpened(&b)
}

// addOpened adds those of the chosen clicks that are asked for. Filters come first: most blocks
// have few of the clicks that they let through, many have none.
func (t *Tally) addOpened(b *opened) error {
	c := &t.chosen
	if some, ok := t.filter(b); !some || !ok {
		return damagedUnless(ok)
	}
	c.from, c.to = 0, b.n
	if some, ok := t.filterLinks(b); !some || !ok {
		return damagedUnless(ok)
	}
	micros, ok := t.readTimes(&b.times, b.n)
	if !ok {
		return ErrDamaged
	}
	c.keepTimes(micros, t.first, t.last)
	if c.every {
		for i := c.from; i < c.to; i++ {
			t.addTime(micros[i], 1, b.first(i))
		}
	} else {
		for _, i := range c.some {
			t.addTime(micros[i], 1, b.first(int(i)))
		}
	}
	for d := range terse.NumDimensions {
		if !t.skipped[d] && !t.addColumn(d, b) {
			return ErrDamaged
		}
	}
	return damagedUnless(t.addLinks(b))
}

func damagedUnless(ok bool) error {
	if ok {
		return nil
	}
	return ErrDamaged
}

// addColumn counts the chosen clicks of a block by the values of a dimension. Values that none of
// them has are skipped.
func (t *Tally) addColumn(d terse.Dimension, b *opened) bool {
	c, part := &t.chosen, b.columns[d]
	if part.b == nil {
		t.add(d, defaultID, int64(c.count()))
		return true
	}
	sums, ok := t.countColumn(&part, b.n)
	if !ok {
		return false
	}
	for _, n := range sums {
		if n == 0 {
			part.value()
		} else {
			t.add(d, t.tables[d].next(&part, 1), n)
		}
	}
	part.end()
	return !part.bad
}

// fewer is how many times fewer clicks must be chosen than a block has, so that to look up the
// place of each is quicker than to read all.
const fewer = 8

// countColumn returns how many of the chosen clicks of a block of n have each value of a column.
// What is left of the column are the values.
func (t *Tally) countColumn(part *reader, n int) (sums []int64, ok bool) {
	c := &t.chosen
	if c.every || len(c.some)*fewer > n {
		k, places, ok := t.places(part, n)
		if !ok {
			return nil, false
		}
		return t.countPlaces(k, places), true
	}
	k, index, width, ok := part.cut(n)
	if !ok {
		return nil, false
	}
	sums = slices.Grow(t.sums[:0], k)[:k]
	t.sums = sums
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
func (t *Tally) countPlaces(k int, places []uint16) []int64 {
	c := &t.chosen
	sums := slices.Grow(t.sums[:0], k)[:k]
	t.sums = sums
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

func (t *Tally) add(d terse.Dimension, id uint32, n int64) {
	for int(id) >= len(t.counts[d]) {
		t.counts[d] = append(t.counts[d], 0)
	}
	t.counts[d][id] += n
}

// AddCounts adds the counts of a day, as of clicks at its beginning. The day must be Whole, or the
// counts those of dropped clicks. After ErrDamaged the Tally is of no use.
func (t *Tally) AddCounts(day terse.Day, counts []byte) error {
	c, err := t.addCounts(counts)
	if err == nil {
		t.addTime(day.Start(), c.total, c.firsts)
	}
	return err
}

// counted is what counts say beside their values.
type counted struct {
	total, firsts int64
	days          reader // of a month
}

// addCounts adds the values of counts.
func (t *Tally) addCounts(counts []byte) (c counted, err error) {
	r := reader{b: counts}
	total := int64(r.header(counting, math.MaxInt64/2))
	c.total = total
	var sums [terse.NumDimensions]int64
	for range r.uvarint(maxDimensions) {
		id, d, part, known := r.column()
		switch id {
		case firstID:
			c.firsts = part.number(uint64(total))
			r.bad = r.bad || part.bad
		case daysID:
			c.days = part
		}
		if !known || t.skipped[d] {
			continue
		}
		for id, n := range part.counted(d, &t.tables[d]) {
			t.add(d, id, n)
			sums[d] += n
		}
		if part.bad || sums[d] != total {
			return c, ErrDamaged
		}
	}
	if r.end(); r.bad {
		return c, ErrDamaged
	}
	for d, sum := range sums {
		t.add(terse.Dimension(d), defaultID, total-sum)
	}
	return c, nil
}

// many is how many values a day must have for what is not sealed to be able to exceed
// MaxValues: stores seal a day before seven eighths of the smallest MaxValues wait.
func many(d terse.Dimension) uint64 { return uint64(d.MaxValues()) / 8 }

// Limit bounds the values that AddLoose adds to a day with these counts: together they are at
// most MaxValues of their dimension. After ErrDamaged the Tally is of no use.
func (t *Tally) Limit(day terse.Day, counts []byte) error {
	r := reader{b: counts}
	r.header(counting, math.MaxInt64/2)
	for range r.uvarint(maxDimensions) {
		d, part, known := r.dimension()
		if !known {
			continue
		}
		if counted := part; counted.uvarint(maxCounted(d)) <= many(d) {
			continue
		}
		names := &names{max: d.MaxValues()}
		t.named[nameKey{day, d}] = names
		for id := range part.counted(d, &t.tables[d]) {
			names.add(id)
		}
		if part.bad {
			return ErrDamaged
		}
	}
	if r.bad {
		return ErrDamaged
	}
	return nil
}

// add reports whether a value keeps its name.
func (n *names) add(id uint32) bool {
	if id <= otherID {
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

// AddLoose is AddBlock for clicks that are in no day's counts. The Limits of their days must be
// set before.
func (t *Tally) AddLoose(block []byte) error {
	if len(t.named) == 0 {
		return t.AddBlock(block)
	}
	return t.addClicks(block, t.addLoose)
}

// AddBucket is AddLoose for the clicks of one link in a block of a bucket.
func (t *Tally) AddBucket(block []byte, offset byte) error {
	if len(t.named) > 0 {
		return t.addClicks(block, func(c *Click) bool {
			return c.Link == uint16(offset) && t.addLoose(c)
		})
	}
	b, ok := open(block)
	if !ok {
		return ErrDamaged
	}
	t.chosen.every, t.chosen.some = true, t.chosen.some[:0]
	if t.chosen.keepOffset(b.offsets, offset); !t.chosen.every && len(t.chosen.some) == 0 {
		return nil
	}
	return t.addOpened(&b)
}

// addClicks adds the clicks of a block one by one. add reports whether one is asked for.
func (t *Tally) addClicks(block []byte, add func(*Click) bool) (err error) {
	b, ok := open(block)
	if !ok {
		return ErrDamaged
	}
	c := &t.chosen
	c.every, c.some, c.from, c.to = true, c.some[:0], 0, b.n
	if some, ok := t.filterLinks(&b); !some || !ok {
		return damagedUnless(ok)
	}
	if t.clicks, err = t.unpack(t.clicks[:0], &b); err != nil {
		return err
	}
	for k := range c.count() {
		i := k
		if !c.every {
			i = int(c.some[k])
		}
		if add(&t.clicks[i]) && t.links != nil && !t.addLinkOf(&b, i) {
			return ErrDamaged
		}
	}
	return nil
}

// addLoose adds a click that is in no day's counts, under the names that its values have there.
func (t *Tally) addLoose(c *Click) bool {
	if c.Time < t.first || c.Time > t.last {
		return false
	}
	if len(t.named) > 0 {
		t.fold(c)
	}
	return t.addClick(c)
}

// fold counts a click with other where its day has too many values to keep its own.
func (t *Tally) fold(c *Click) {
	day := terse.DayOf(c.Time)
	for d, id := range c.values {
		if names := t.named[nameKey{day, terse.Dimension(d)}]; names != nil && !names.add(id) {
			c.values[d] = otherID
		}
	}
}

// addClick adds a click if it is asked for, which it reports.
func (t *Tally) addClick(c *Click) bool {
	if c.Time < t.first || c.Time > t.last {
		return false
	}
	for d := range t.wanted {
		if w := &t.wanted[d]; !w.all() && !w.has([]byte(t.tables[d].values[c.values[d]].packed)) {
			return false
		}
	}
	first := int64(0)
	if c.First {
		first = 1
	}
	t.addTime(c.Time, 1, first)
	for d, id := range c.values {
		t.add(terse.Dimension(d), id, 1)
	}
	return true
}
