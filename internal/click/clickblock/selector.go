package clickblock

import (
	"bytes"
	"math"
	"slices"
	"sort"

	"terse"
)

// Selector chooses clicks in one block after another, and reads them. It must not be used
// concurrently.
type Selector struct {
	decoder
	lets   [terse.NumDimensions]func(packed []byte) bool // nil: every value
	links  func(Link) bool                               // nil: every link
	rooms  [terse.NumDimensions]*Room                    // nil: every value counts as it is
	block  opened
	timed  bool     // the times of the block are in micros
	chosen []uint16 // indexes of the chosen clicks, in order

	// Memory that is reused.
	want  []bool
	sums  []Sum
	bots  []byte
	more  []further
	texts []string
}

// NewSelector returns a Selector for the clicks that a filter lets through. If links is not nil, it
// chooses only clicks on links for which links returns true, and none without a link. It calls
// links once for each link of a block.
func NewSelector(filter *terse.ClickFilter, links func(Link) bool) *Selector {
	s := &Selector{links: links}
	for _, d := range Stored {
		s.lets[d] = letsOf(d, filter)
	}
	return s
}

// Open chooses clicks of a block, from the time first to last, both included, and returns their
// number, in which each click is one. It chooses only clicks of the link with the offset; -1 means
// every link. The block must not change until the next Open.
func (s *Selector) Open(block []byte, offset int, first, last int64) (n int, err error) {
	s.timed, s.chosen = false, s.chosen[:0]
	if s.block, err = open(block); err != nil {
		return 0, err
	}
	s.chosen = s.block.of(s.chosen, offset)
	for d, lets := range s.lets {
		if lets != nil {
			counted := func(packed []byte) bool {
				return lets(s.counted(terse.Dimension(d), packed))
			}
			if err := s.keep(s.block.columns[d], (*reader).value, counted); err != nil {
				return 0, err
			}
		}
	}
	if s.links != nil {
		if err := s.keep(s.block.links, (*reader).link, func(packed []byte) bool {
			link := unpackLink(packed)
			return link != Link{} && s.links(link)
		}); err != nil {
			return 0, err
		}
	}
	if len(s.chosen) > 0 && (first > math.MinInt64 || last < math.MaxInt64) {
		times, err := s.Times()
		if err != nil {
			return 0, err
		}
		begin := sort.Search(len(s.chosen), func(k int) bool { return times[s.chosen[k]] >= first })
		end := sort.Search(len(s.chosen), func(k int) bool { return times[s.chosen[k]] > last })
		s.chosen = append(s.chosen[:0], s.chosen[min(begin, end):end]...)
	}
	return len(s.chosen), nil
}

// Within sets the rooms of the day whose clicks are chosen next: values of a dimension that its
// room does not have count as terse.OtherValue. A dimension without a room has no bounds.
func (s *Selector) Within(rooms [terse.NumDimensions]*Room) { s.rooms = rooms }

// counted returns the packed value as which a packed value counts.
func (s *Selector) counted(d terse.Dimension, packed []byte) []byte {
	if room := s.rooms[d]; room != nil && !room.has(packed) {
		return packedOther
	}
	return packed
}

// keep keeps those chosen clicks whose keys in a column are wanted.
func (s *Selector) keep(column reader, cut func(*reader) []byte, wanted func([]byte) bool) error {
	if len(s.chosen) == 0 {
		return nil
	}
	keys, places, err := s.readColumn(column, s.block.n, cut)
	if err != nil {
		return err
	}
	s.want = s.want[:0]
	for _, key := range keys {
		s.want = append(s.want, wanted(key))
	}
	s.chosen = slices.DeleteFunc(s.chosen, func(i uint16) bool { return !s.want[places[i]] })
	return nil
}

// Chosen returns the indexes of the chosen clicks in the block, in the order of time. They are
// valid until the next Open or Choose.
func (s *Selector) Chosen() []uint16 { return s.chosen }

// Choose chooses the clicks of the block with the given indexes.
func (s *Selector) Choose(indexes []uint16) { s.chosen = append(s.chosen[:0], indexes...) }

// Times returns the times of all clicks of the block, by index.
func (s *Selector) Times() ([]int64, error) {
	if s.timed {
		return s.micros, nil
	}
	times, err := s.readTimes(&s.block)
	s.timed = err == nil
	return times, err
}

// People returns what each of the block's clicks counts. It knows firsts and bots only if they are
// asked for.
func (s *Selector) People(firsts, bots bool) (p People, err error) {
	if firsts {
		p.firsts = s.block.firsts
	}
	if s.block.numbers.b != nil {
		if p.more, err = s.further(); err != nil {
			return p, err
		}
	}
	if !bots {
		return p, nil
	}
	keys, places, err := s.readColumn(s.block.columns[terse.ByVisitor], s.block.n, (*reader).value)
	if err != nil {
		return p, err
	}
	isBot := func(packed []byte) bool { return bytes.Equal(packed, packedBot) }
	bot := slices.IndexFunc(keys, isBot)
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

// People says what each click of a block counts: for how many it stands, and whether it is a first
// or by a bot.
type People struct {
	firsts, bots []byte
	more         []further // nil: each click is one
}

// Of returns the Sum of the block's click i.
func (p *People) Of(i uint16) Sum {
	s := Sum{1, 1 - bit(p.bots, int(i)), bit(p.firsts, int(i))}
	if p.more != nil {
		more := p.more[i]
		s = Sum{s.Clicks + more.clicks, s.People * (1 + more.clicks), s.Firsts + more.firsts}
	}
	return s
}

// Sum returns the Sum of the chosen clicks.
func (s *Selector) Sum(people People) (sum Sum) {
	if people.more != nil {
		for _, i := range s.chosen {
			sum.Add(people.Of(i))
		}
		return sum
	}
	sum = Sum{Clicks: int64(len(s.chosen)), People: int64(len(s.chosen))}
	if people.bots != nil || people.firsts != nil {
		for _, i := range s.chosen {
			sum.People -= bit(people.bots, int(i))
			sum.Firsts += bit(people.firsts, int(i))
		}
	}
	return sum
}

// eachSum calls f for each key of a column that chosen clicks have, with their Sum.
func (s *Selector) eachSum(column reader, cut func(*reader) []byte, people People,
	f func(key []byte, sum Sum),
) error {
	keys, places, err := s.readColumn(column, s.block.n, cut)
	if err != nil {
		return err
	}
	if len(keys) == 1 { // as in most columns
		f(keys[0], s.Sum(people))
		return nil
	}
	s.sums = slices.Grow(s.sums[:0], len(keys))[:len(keys)]
	clear(s.sums)
	if people.more != nil {
		for _, i := range s.chosen {
			s.sums[places[i]].Add(people.Of(i))
		}
	} else {
		s.sumOnes(places, people)
	}
	for place, sum := range s.sums {
		if sum.Clicks > 0 {
			f(keys[place], sum)
		}
	}
	return nil
}

// sumOnes adds the chosen clicks, each of which is one, to the Sums of their places.
func (s *Selector) sumOnes(places []uint16, people People) {
	for _, i := range s.chosen {
		s.sums[places[i]].Clicks++
	}
	for place, sum := range s.sums {
		s.sums[place].People = sum.Clicks
	}
	if people.bots != nil || people.firsts != nil {
		for _, i := range s.chosen {
			sum := &s.sums[places[i]]
			sum.People -= bit(people.bots, int(i))
			sum.Firsts += bit(people.firsts, int(i))
		}
	}
}

// Links returns the links of the chosen clicks in a block of an owner.
func (s *Selector) Links() ([]Link, error) {
	keys, places, err := s.readColumn(s.block.links, s.block.n, (*reader).link)
	if err != nil {
		return nil, err
	}
	links := make([]Link, len(s.chosen))
	for k, i := range s.chosen {
		links[k] = unpackLink(keys[places[i]])
	}
	return links, nil
}

// Values calls set for each value of the chosen clicks that is not its dimension's default. k is
// the click's index in Chosen.
func (s *Selector) Values(set func(k int, d terse.Dimension, value string)) error {
	for _, d := range Stored {
		keys, index, err := s.readKeys(s.block.columns[d], s.block.n, (*reader).value)
		if err != nil {
			return err
		}
		if len(keys) == 1 && bytes.Equal(keys[0], packedDefault) {
			continue
		}
		few, width := len(s.chosen) < s.block.n/fewOf, placeBits(len(keys))
		var places []uint16
		if !few {
			places, _ = s.readIndex(index, s.block.n, width)
		}
		s.texts = slices.Grow(s.texts[:0], len(keys))[:len(keys)] // clicks share them
		clear(s.texts)
		for k, i := range s.chosen {
			var place int
			if few {
				place = placeAt(index, int(i), width)
			} else {
				place = int(places[i])
			}
			if place >= len(keys) {
				return ErrDamaged
			}
			text := &s.texts[place]
			if *text == "" {
				*text = unpackValue(d, keys[place])
			}
			if *text != d.Unknown() {
				set(k, d, *text)
			}
		}
	}
	return nil
}

// fewOf is one in how many clicks at most make it faster to look up their values one by one.
const fewOf = 16
