package clickblock

import (
	"math"
	"slices"

	"terse"
)

// Selector chooses clicks of one block after another, and reads what they say. It must not be used
// concurrently. After ErrDamaged it is of no use.
type Selector struct {
	decoder
	wanted [terse.NumDimensions]wanted
	has    func(Link) bool // nil: clicks are of one link, or of any
	known  map[string]bool // what has said, by packed link
	block  opened
	chosen choice
	texts  [terse.NumDimensions][]string // by ID; "" is not known yet

	// Memory for the block that is being read.
	sums   []int64 // by a value's place
	used   []bool  // by a value's place
	names  []string
	links  []Link
	clicks []Click
}

// NewSelector returns a Selector of the clicks that a filter lets through.
func NewSelector(filter *terse.ClickFilter) *Selector {
	s := &Selector{}
	s.init(filter, math.MaxInt32)
	return s
}

func (s *Selector) init(filter *terse.ClickFilter, values int) {
	for d := range terse.NumDimensions {
		s.wanted[d] = newWanted(d, filter)
		s.tables[d].reset(d, values)
	}
}

// OfLinks has only clicks of some links chosen, of those of all links. Clicks that are of none are
// not.
func (s *Selector) OfLinks(has func(Link) bool) { s.has, s.known = has, map[string]bool{} }

// Filtered reports whether some clicks are left out, whenever they were.
func (s *Selector) Filtered() bool {
	filtered := s.has != nil
	for d := range s.wanted {
		filtered = filtered || !s.wanted[d].all()
	}
	return filtered
}

// Open chooses the clicks of a block: those of the link at an offset, all if that is -1. It reports
// whether there are any, as do the other methods that leave clicks out.
func (s *Selector) Open(block []byte, offset int) (some bool, err error) {
	var ok bool
	if s.block, ok = open(block); !ok {
		return false, ErrDamaged
	}
	c := &s.chosen
	c.every, c.some, c.from, c.to = true, c.some[:0], 0, s.block.n
	if offset >= 0 {
		c.keepOffset(&s.block, uint16(offset))
	}
	return c.every || len(c.some) > 0, nil
}

// Filter leaves out what is not asked for by its values or its link.
func (s *Selector) Filter() (some bool, err error) {
	some, ok := s.filter()
	if some && ok {
		some, ok = s.filterLinks()
	}
	return some, damagedUnless(ok)
}

func damagedUnless(ok bool) error {
	if ok {
		return nil
	}
	return ErrDamaged
}

// Between leaves out what is not from one time to another, both inclusive.
func (s *Selector) Between(first, last int64) (some bool, err error) {
	times := s.block.times
	micros, ok := s.readTimes(&times, s.block.n)
	if !ok {
		return false, ErrDamaged
	}
	s.chosen.keepTimes(micros, first, last)
	return s.Len() > 0, nil
}

// Keep leaves out clicks of links that are not asked for, and those that keep refuses. It is called
// with one click after another.
func (s *Selector) Keep(keep func(*Click) bool) error {
	some, ok := s.filterLinks()
	if !some || !ok {
		return damagedUnless(ok)
	}
	var err error
	if s.clicks, err = s.unpack(s.clicks[:0], &s.block); err != nil {
		return err
	}
	c := &s.chosen
	if c.every {
		c.every, c.some = false, c.some[:0]
		for i := range s.clicks {
			c.some = append(c.some, uint16(i))
		}
	}
	c.some = slices.DeleteFunc(c.some, func(i uint16) bool { return !keep(&s.clicks[i]) })
	return nil
}

// Wants reports whether a click that Keep gave is asked for by its values.
func (s *Selector) Wants(c *Click) bool {
	for d := range s.wanted {
		w := &s.wanted[d]
		if !w.all() && !w.has(s.tables[d].packed.At(c.IDs[d])) {
			return false
		}
	}
	return true
}

// Len returns how many clicks are chosen.
func (s *Selector) Len() int { return s.chosen.count() }

// At returns the index in the block of the chosen click k. They are in the order of time.
func (s *Selector) At(k int) int {
	if s.chosen.every {
		return s.chosen.from + k
	}
	return int(s.chosen.some[k])
}

// Time returns the time of the block's click i, after Between.
func (s *Selector) Time(i int) int64 { return s.micros[i] }

// First returns 1 if the block's click i is the first of a visitor, else 0.
func (s *Selector) First(i int) int64 { return s.block.first(i) }

// Choose chooses the block's clicks with these indexes.
func (s *Selector) Choose(indexes []uint16) {
	s.chosen.every, s.chosen.some = false, append(s.chosen.some[:0], indexes...)
}

// filter leaves out the chosen clicks that the filters do not let through, and reports whether
// there are others. Most blocks have few of the clicks that they let through, many have none.
func (s *Selector) filter() (some, ok bool) {
	for d := range terse.NumDimensions {
		if s.wanted[d].all() {
			continue
		}
		if some, ok := s.choose(d); !some || !ok {
			return false, ok
		}
	}
	return true, true
}

// choose is filter by one dimension.
func (s *Selector) choose(d terse.Dimension) (some, ok bool) {
	c, w, part := &s.chosen, &s.wanted[d], s.block.columns[d]
	if part.b == nil {
		return w.has(packedDefault), true
	}
	k, index, width, ok := part.cut(s.block.n)
	if !ok {
		return false, false
	}
	all, want := true, c.want[:0]
	for range k {
		has := w.has(part.value())
		all, some, want = all && has, some || has, append(want, has)
	}
	c.want = want
	if part.end(); part.bad {
		return false, false
	}
	if !some || all { // as in most blocks: the index need not be read
		return some, true
	}
	places, ok := s.placesIn(index, width, s.block.n, k)
	if !ok {
		return false, false
	}
	c.keep(places, want)
	return len(c.some) > 0, true
}

// maxTextBytes bounds the values that are kept from one block to the next.
const maxTextBytes = 4 << 20

// Values calls set with the values of the chosen clicks, but for those of dimensions in which all
// clicks of the block have the default.
func (s *Selector) Values(set func(k int, d terse.Dimension, value string)) error {
	bytes := 0
	for d := range terse.NumDimensions {
		if s.block.columns[d].b != nil && !s.readValues(d, set) {
			return ErrDamaged
		}
		bytes += s.tables[d].packed.Size()
	}
	if bytes > maxTextBytes {
		for d := range terse.NumDimensions {
			s.tables[d].reset(d, math.MaxInt32)
			s.texts[d] = s.texts[d][:0]
		}
	}
	return nil
}

func (s *Selector) readValues(
	d terse.Dimension, set func(k int, d terse.Dimension, value string),
) bool {
	part := s.block.columns[d]
	values, places, ok := s.places(&part, s.block.n)
	if !ok {
		return false
	}
	used := slices.Grow(s.used[:0], values)[:values]
	s.used = used
	clear(used)
	for k := range s.Len() {
		used[places[s.At(k)]] = true
	}
	names := s.names[:0]
	for _, used := range used {
		name := ""
		if used {
			name = s.text(d, s.tables[d].next(&part, 1))
		} else {
			part.value()
		}
		names = append(names, name)
	}
	s.names = names
	for k := range s.Len() {
		set(k, d, names[places[s.At(k)]])
	}
	part.end()
	return !part.bad
}

// text returns a value by its ID.
func (s *Selector) text(d terse.Dimension, id uint32) string {
	for int(id) >= len(s.texts[d]) {
		s.texts[d] = append(s.texts[d], "")
	}
	if s.texts[d][id] == "" {
		s.texts[d][id] = unpackValue(d, s.tables[d].packed.At(id))
	}
	return s.texts[d][id]
}
