package clickblock

import (
	"bytes"
	"math"
	"slices"

	"terse"
)

// Selector chooses clicks of one block after another, and reads what they say. It must not be used
// concurrently.
type Selector struct {
	decoder
	wanted [terse.NumDimensions]wanted
	of     func(Link) bool // nil: clicks are of one link, or of any
	block  opened
	chosen choice
	timed  bool // the times of the block are read

	// Memory for the block that is being read.
	bots     []byte
	sums     []Sum
	links    []Link
	texts    []string
	unpacked []byte

	shared      map[string]string // texts of values: clicks share them
	sharedBytes int
}

// NewSelector returns a Selector of the clicks that a filter lets through. If of is not nil, they
// must also be of links for which it returns true; clicks of no link are not. Blocks are asked
// about each of their links once.
func NewSelector(filter *terse.ClickFilter, of func(Link) bool) *Selector {
	s := &Selector{of: of, shared: map[string]string{}}
	for d := range terse.NumDimensions {
		s.wanted[d] = newWanted(d, filter)
	}
	return s
}

// Open chooses clicks of a block, from one time to another, both included: those of the link at an
// offset, of all if that is -1. It returns how many there are. The block is read until the next
// Open.
func (s *Selector) Open(block []byte, offset int, first, last int64) (n int, err error) {
	var ok bool
	if s.block, ok = open(block); !ok {
		return 0, ErrDamaged
	}
	s.timed = false
	c := &s.chosen
	c.every, c.some, c.from, c.to = true, c.some[:0], 0, s.block.n
	if offset >= 0 {
		c.keepOffset(&s.block, uint16(offset))
	}
	for d := range s.wanted {
		if w := &s.wanted[d]; !w.all() && c.count() > 0 && !s.keepBy(s.block.columns[d], w.next) {
			return 0, ErrDamaged
		}
	}
	if s.of != nil && c.count() > 0 && !s.keepBy(s.block.links, s.nextLink) {
		return 0, ErrDamaged
	}
	if c.count() > 0 && (first > math.MinInt64 || last < math.MaxInt64) {
		times, err := s.Times()
		if err != nil {
			return 0, err
		}
		c.keepTimes(times, first, last)
	}
	return c.count(), nil
}

// keepBy leaves out the chosen clicks whose value in a column is not wanted. want reads the next
// value; a column without bytes has packedDefault only.
func (s *Selector) keepBy(part reader, want func(*reader) bool) (ok bool) {
	c := &s.chosen
	if part.b == nil {
		if !want(&reader{b: packedDefault}) {
			c.every, c.some = false, c.some[:0]
		}
		return true
	}
	k, index, width, ok := part.cut(s.block.n)
	if !ok {
		return false
	}
	all, some, wanted := true, false, c.want[:0]
	for range k {
		has := want(&part)
		all, some, wanted = all && has, some || has, append(wanted, has)
	}
	c.want = wanted
	if part.end(); part.bad {
		return false
	}
	if all { // as in most blocks: the index need not be read
		return true
	}
	if !some {
		c.every, c.some = false, c.some[:0]
		return true
	}
	places, ok := s.placesIn(index, width, s.block.n, k)
	if ok {
		c.keep(places, wanted)
	}
	return ok
}

func (s *Selector) nextLink(r *reader) bool {
	l := r.link()
	return l != Link{} && s.of(l)
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

// Choose chooses the block's clicks with these indexes.
func (s *Selector) Choose(indexes []uint16) {
	s.chosen.every, s.chosen.some = false, append(s.chosen.some[:0], indexes...)
}

// Times returns the times of all clicks of the block, by index.
func (s *Selector) Times() ([]int64, error) {
	if !s.timed {
		times := s.block.times
		if _, s.timed = s.readTimes(&times, s.block.n); !s.timed {
			return nil, ErrDamaged
		}
	}
	return s.micros, nil
}

// People says which of the block's clicks are firsts and, unless bots are not to be told, which are
// of people.
func (s *Selector) People(bots bool) (People, error) {
	part := s.block.columns[terse.ByVisitor]
	p := People{firsts: s.block.firsts}
	if !bots || part.b == nil {
		return p, nil
	}
	k, places, ok := s.places(&part, s.block.n)
	bot := -1
	for place := range k {
		if bytes.Equal(part.value(), packedBot) {
			bot = place
		}
	}
	if part.end(); !ok || part.bad {
		return p, ErrDamaged
	}
	if bot < 0 {
		return p, nil
	}
	p.bots = slices.Grow(s.bots[:0], indexSize(s.block.n, 1))[:indexSize(s.block.n, 1)]
	s.bots = p.bots
	clear(p.bots)
	for i, place := range places {
		if int(place) == bot {
			p.bots[i/8] |= 1 << (i % 8)
		}
	}
	return p, nil
}

// People are bits of the clicks of a block.
type People struct{ firsts, bots []byte }

// Of returns the Sum of the block's click i.
func (p *People) Of(i int) Sum { return Sum{1, 1 - bit(p.bots, i), bit(p.firsts, i)} }

// Sum returns the Sum of the chosen clicks, of clicks only unless people are given.
func (s *Selector) Sum(people *People) (sum Sum) {
	if sum.Clicks = int64(s.Len()); people != nil {
		sum.People = sum.Clicks
		for k := range s.Len() {
			i := s.At(k)
			sum.People -= bit(people.bots, i)
			sum.Firsts += bit(people.firsts, i)
		}
	}
	return sum
}

// sumBy returns the sums of the chosen clicks by their place in a column, of clicks only unless
// people are given. What is left of the column are the values.
func (s *Selector) sumBy(part *reader, people *People) (sums []Sum, ok bool) {
	k, places, ok := s.places(part, s.block.n)
	if !ok {
		return nil, false
	}
	sums = slices.Grow(s.sums[:0], k)[:k]
	s.sums = sums
	clear(sums)
	c := &s.chosen
	switch {
	case k == 1:
		sums[0] = s.Sum(people)
		return sums, true
	case c.every:
		for _, place := range places[c.from:c.to] {
			sums[place].Clicks++
		}
	default:
		for _, i := range c.some {
			sums[places[i]].Clicks++
		}
	}
	if people != nil {
		for place := range sums {
			sums[place].People = sums[place].Clicks
		}
		if people.bots != nil || people.firsts != nil {
			for k := range s.Len() {
				i := s.At(k)
				sum := &sums[places[i]]
				sum.People -= bit(people.bots, i)
				sum.Firsts += bit(people.firsts, i)
			}
		}
	}
	return sums, true
}

// Links returns the links of the chosen clicks: the zero Link for those of none. They are valid
// until the next call.
func (s *Selector) Links() ([]Link, error) {
	part, n := s.block.links, s.Len()
	if part.b == nil {
		return make([]Link, n), nil
	}
	k, places, ok := s.places(&part, s.block.n)
	links := s.links[:0]
	for range k {
		links = append(links, part.link())
	}
	if part.end(); !ok || part.bad {
		return nil, ErrDamaged
	}
	for i := range n {
		links = append(links, links[places[s.At(i)]])
	}
	s.links = links
	return links[k:], nil
}

// maxShared bounds the bytes of the texts that clicks share.
const maxShared = 1 << 20

// Values calls set with the values of the chosen clicks that are not their dimension's default.
func (s *Selector) Values(set func(k int, d terse.Dimension, value string)) error {
	for d := range terse.NumDimensions {
		part := s.block.columns[d]
		if part.b == nil {
			continue
		}
		values, places, ok := s.places(&part, s.block.n)
		if !ok {
			return ErrDamaged
		}
		texts := slices.Grow(s.texts[:0], values)[:values]
		s.texts = texts
		used := slices.Grow(s.chosen.want[:0], values)[:values]
		s.chosen.want = used
		clear(used)
		for k := range s.Len() {
			used[places[s.At(k)]] = true
		}
		for place := range values {
			if packed := part.value(); used[place] && !part.bad {
				texts[place] = s.text(d, packed)
			}
		}
		if part.end(); part.bad {
			return ErrDamaged
		}
		for k := range s.Len() {
			if value := texts[places[s.At(k)]]; value != d.Unknown() {
				set(k, d, value)
			}
		}
	}
	return nil
}

// text returns a value's text, which it shares with other clicks.
func (s *Selector) text(d terse.Dimension, packed []byte) string {
	s.unpacked = appendUnpacked(s.unpacked[:0], d, packed)
	text, known := s.shared[string(s.unpacked)]
	if !known {
		if s.sharedBytes > maxShared {
			clear(s.shared)
			s.sharedBytes = 0
		}
		text = string(s.unpacked)
		s.shared[text] = text
		s.sharedBytes += len(text)
	}
	return text
}
