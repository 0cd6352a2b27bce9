package clickblock

import (
	"encoding/binary"
	"math"

	"terse"
)

// Tally adds up blocks and counts of one link to an answer. It must not be used concurrently.
type Tally struct {
	decoder
	first, last int64
	intervals   terse.Intervals
	wanted      [numDimensions]int64 // the ID of the value that is counted; -1: all
	filtered    bool                 // one of them is not -1
	total       int64
	from, until int64                  // the interval of the last click: its first microsecond, and the one after it
	within      int64                  // clicks in it that are not in times yet
	times       map[int64]int64        // by the first microsecond of an interval
	counts      [numDimensions][]int64 // by ID
	places      []int64                // the counts of the block that is being read
	named       map[terse.Day]*names   // of days with many referrers
	clicks      []Click                // of the block that is being read
}

// names are the referrers of a day that keep their names.
type names struct {
	has []bool // by ID
	n   int
}

// NewTally returns a Tally of the clicks that a query asks for.
func NewTally(q terse.SeriesQuery) *Tally {
	t := &Tally{intervals: q.Intervals, times: map[int64]int64{}, named: map[terse.Day]*names{}}
	t.first, t.last = q.Range.Micros()
	t.tables[country].reset(country, math.MaxInt32)
	t.tables[referrer].reset(referrer, MaxAnswerReferrers+2)
	t.wanted = [numDimensions]int64{-1, -1}
	if q.Country != (terse.Country{}) {
		t.want(country, q.Country.String())
	}
	if q.Referrer != "" {
		t.want(referrer, q.Referrer)
	}
	return t
}

// want counts the clicks with one value only. Its ID is given out before there are too many.
func (t *Tally) want(d dimension, value string) {
	t.wanted[d], t.filtered = int64(t.tables[d].find(appendValue(nil, d, value))), true
}

// Whole tells whether the counts of a day answer for all of its clicks: they are all asked for, and in one interval.
func (t *Tally) Whole(day terse.Day) bool {
	if t.filtered || day.Start() < t.first || (day+1).Start()-1 > t.last {
		return false
	}
	_, end := t.intervals.Around(day.Start())
	return (day + 1).Start() <= end
}

// AddBlock adds the clicks of a block that are asked for. After ErrDamaged the Tally is of
// no use.
func (t *Tally) AddBlock(block []byte) error {
	if t.filtered {
		return t.addClicks(block, t.addClick)
	}
	r := reader{b: block}
	n := r.header(MaxClicks)
	dimensions := r.uvarint(maxDimensions)
	columns := r
	for range dimensions {
		r.uvarint(math.MaxUint32)
		r.bytes(r.uvarint(math.MaxInt32))
	}
	from, to := t.addTimes(&r, n)
	var seen [numDimensions]bool
	for range dimensions {
		d, part, known := columns.dimension()
		if !known {
			continue
		}
		if seen[d] || !t.addColumn(d, &part, n, from, to) {
			return ErrDamaged
		}
		seen[d] = true
	}
	if r.bad || columns.bad {
		return ErrDamaged
	}
	for d, ok := range seen {
		if !ok {
			t.add(dimension(d), defaultID, int64(to-from))
		}
	}
	return nil
}

// addTimes counts the clicks in the range by interval, and returns where they start and end.
func (t *Tally) addTimes(r *reader, n int) (from, to int) {
	var micros int64
	for i := range n {
		if micros = r.time(micros, i == 0); r.bad {
			return 0, 0
		}
		if micros < t.first {
			from = i + 1
			to = from
			continue
		}
		if micros > t.last {
			continue
		}
		to = i + 1
		t.addTime(micros, 1)
	}
	r.end()
	return from, to
}

// addTime counts clicks in the interval that holds a time.
func (t *Tally) addTime(micros, n int64) {
	if micros < t.from || micros >= t.until {
		t.endInterval()
		t.from, t.until = t.intervals.Around(micros)
	}
	t.within += n
}

func (t *Tally) endInterval() {
	if t.within > 0 {
		t.times[t.from] += t.within
		t.total += t.within
		t.within = 0
	}
}

func (t *Tally) addColumn(d dimension, part *reader, n, from, to int) bool {
	ids, index, wide := t.column(d, part, n)
	if part.bad {
		return false
	}
	places := append(t.places[:0], make([]int64, len(ids))...)
	t.places = places
	switch {
	case len(ids) == 1:
		places[0] = int64(to - from)
	case wide:
		for i := from; i < to; i++ {
			place := int(binary.LittleEndian.Uint16(index[2*i:]))
			if place >= len(places) {
				return false
			}
			places[place]++
		}
	default:
		for _, place := range index[from:to] {
			if int(place) >= len(places) {
				return false
			}
			places[place]++
		}
	}
	for i, count := range places {
		t.add(d, ids[i], count)
	}
	return true
}

func (t *Tally) add(d dimension, id uint32, n int64) {
	for int(id) >= len(t.counts[d]) {
		t.counts[d] = append(t.counts[d], 0)
	}
	t.counts[d][id] += n
}

// AddCounts adds the counts of a day, which must be Whole. After ErrDamaged
// the Tally is of no use.
func (t *Tally) AddCounts(day terse.Day, counts []byte) error {
	r := reader{b: counts}
	total := int64(r.header(math.MaxInt64 / 2))
	var sums [numDimensions]int64
	for range r.uvarint(maxDimensions) {
		d, part, known := r.dimension()
		if !known {
			continue
		}
		for id, n := range part.counted(d, &t.tables[d]) {
			t.add(d, id, n)
			sums[d] += n
		}
		if part.bad || sums[d] != total {
			return ErrDamaged
		}
	}
	if r.end(); r.bad {
		return ErrDamaged
	}
	for d, sum := range sums {
		t.add(dimension(d), defaultID, total-sum)
	}
	t.addTime(day.Start(), total)
	return nil
}

// manyReferrers is how many a day must have for what is not sealed to be able to exceed
// terse.MaxReferrersPerDay: stores seal a day before seven eighths of that wait.
const manyReferrers = terse.MaxReferrersPerDay / 8

// Limit bounds the referrers that AddLoose adds to a day with these counts: together they are at
// most terse.MaxReferrersPerDay. After ErrDamaged the Tally is of no use.
func (t *Tally) Limit(day terse.Day, counts []byte) error {
	r := reader{b: counts}
	r.header(math.MaxInt64 / 2)
	for range r.uvarint(maxDimensions) {
		d, part, _ := r.dimension()
		if many := part; d != referrer || many.uvarint(d.maxValues()) <= manyReferrers {
			continue
		}
		names := &names{}
		t.named[day] = names
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

// add tells whether a referrer keeps its name.
func (n *names) add(id uint32) bool {
	if id <= otherID {
		return true
	}
	if int(id) >= len(n.has) {
		n.has = append(n.has, make([]bool, int(id)+1-len(n.has))...)
	}
	if !n.has[id] && n.n >= terse.MaxReferrersPerDay {
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

// AddGroup is AddLoose for the clicks of one link in a block of a group.
func (t *Tally) AddGroup(block []byte, place byte) error {
	return t.addClicks(block, func(c *Click) {
		if c.Link == uint16(place) {
			t.addLoose(c)
		}
	})
}

// AddSome is AddLoose for those clicks of a block that are at some places in it.
func (t *Tally) AddSome(block []byte, at []int) (err error) {
	if t.clicks, err = t.Unpack(t.clicks[:0], block); err != nil {
		return err
	}
	for _, i := range at {
		if i >= len(t.clicks) {
			return ErrDamaged
		}
		t.addLoose(&t.clicks[i])
	}
	return nil
}

// addClicks adds the clicks of a block one by one.
func (t *Tally) addClicks(block []byte, add func(*Click)) (err error) {
	if t.clicks, err = t.Unpack(t.clicks[:0], block); err != nil {
		return err
	}
	for i := range t.clicks {
		add(&t.clicks[i])
	}
	return nil
}

// addLoose adds a click that is in no day's counts, under the name that its referrer has there.
func (t *Tally) addLoose(c *Click) {
	if c.Time < t.first || c.Time > t.last {
		return
	}
	if len(t.named) > 0 {
		if names := t.named[terse.DayOf(c.Time)]; names != nil && !names.add(c.values[referrer]) {
			c.values[referrer] = otherID
		}
	}
	t.addClick(c)
}

// addClick adds a click if it is asked for.
func (t *Tally) addClick(c *Click) {
	if c.Time < t.first || c.Time > t.last {
		return
	}
	for d, id := range t.wanted {
		if id >= 0 && id != int64(c.values[d]) {
			return
		}
	}
	t.addTime(c.Time, 1)
	for d, id := range c.values {
		t.add(dimension(d), id, 1)
	}
}

// Series returns the sums.
func (t *Tally) Series() terse.Series {
	t.endInterval()
	s := terse.Series{Total: t.total, ByCountry: map[string]int64{}, ByReferrer: map[string]int64{}, ByInterval: t.times}
	maps := [numDimensions]map[string]int64{country: s.ByCountry, referrer: s.ByReferrer}
	for d, counts := range t.counts {
		for id, n := range counts {
			if n > 0 {
				maps[d][unpackValue(dimension(d), t.tables[d].values[id].packed)] += n
			}
		}
	}
	return s
}
