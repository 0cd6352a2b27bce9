package clickblock

import (
	"encoding/binary"
	"math"
	"slices"
)

// maxKnown bounds what a Selector remembers of links, at about 100 bytes each.
const maxKnown = 1 << 20

// packedLink returns the next packed link as it is.
func (r *reader) packedLink() []byte {
	start := r.at
	r.uvarint(1<<63 - 1)
	r.bytes(r.uvarint(1<<63-1) & (1<<codeBits - 1))
	if r.bad {
		return nil
	}
	return r.b[start:r.at]
}

// filterLinks leaves out the chosen clicks of links that are not asked for, and reports whether
// there are others.
func (s *Selector) filterLinks() (some, ok bool) {
	if s.has == nil {
		return true, true
	}
	part := s.block.links
	if part.b == nil {
		return false, true
	}
	k, places, ok := s.places(&part, s.block.n)
	if !ok {
		return false, false
	}
	c := &s.chosen
	want := slices.Grow(c.want[:0], k)[:k]
	c.want = want
	for i := range want {
		var fine bool
		want[i], fine = s.hasLink(part.packedLink())
		ok = ok && fine
	}
	if part.end(); part.bad || !ok {
		return false, false
	}
	c.keep(places, want)
	return len(c.some) > 0, true
}

// hasLink reports whether a packed link is asked for. ok is false when it is damaged.
func (s *Selector) hasLink(packed []byte) (has, ok bool) {
	has, known := s.known[string(packed)]
	if known {
		return has, true
	}
	r := reader{b: packed}
	link := r.link()
	if r.bad {
		return false, false
	}
	has = link != Link{} && s.has(link)
	if len(s.known) > maxKnown {
		clear(s.known)
	}
	s.known[string(packed)] = has
	return has, true
}

// Links returns the links of the chosen clicks: the zero Link for those of none. They are valid
// until the next call.
func (s *Selector) Links() ([]Link, error) {
	part := s.block.links
	if part.b == nil {
		return make([]Link, s.Len()), nil
	}
	values, places, ok := s.places(&part, s.block.n)
	if !ok {
		return nil, ErrDamaged
	}
	links := s.links[:0]
	for range values {
		links = append(links, part.link())
	}
	for k := range s.Len() {
		links = append(links, links[places[s.At(k)]])
	}
	s.links = links
	part.end()
	return links[values:], damagedUnless(!part.bad)
}

// LinkSums are clicks by link.
type LinkSums struct {
	byID   []int32          // 1 + the place of the link that has an ID, if that is small
	places map[string]int32 // by packed link, of the others
	packed []string
	n      []int64
}

// NewLinkSums returns sums without clicks.
func NewLinkSums() *LinkSums { return &LinkSums{places: map[string]int32{}} }

// maxSmallID bounds byID at 16 MB. IDs are given out one by one, so that most are small.
const maxSmallID = 1 << 22

// add finds nearly all links by their IDs: to look them up by hash takes three times as long.
func (s *LinkSums) add(packed []byte, n int64) {
	id, _ := binary.Uvarint(packed)
	if id < maxSmallID {
		if id >= uint64(len(s.byID)) {
			s.byID = append(s.byID, make([]int32, id+1-uint64(len(s.byID)))...)
		}
		place := s.byID[id] - 1
		if place < 0 {
			place = s.append(packed)
			s.byID[id] = place + 1
		}
		if s.packed[place] == string(packed) {
			s.n[place] += n
			return
		}
	}
	place, ok := s.places[string(packed)]
	if !ok {
		place = s.append(packed)
		s.places[s.packed[place]] = place
	}
	s.n[place] += n
}

func (s *LinkSums) append(packed []byte) (place int32) {
	s.packed, s.n = append(s.packed, string(packed)), append(s.n, 0)
	return int32(len(s.n) - 1)
}

// AddChosen adds the chosen clicks of a block that are of links.
func (s *LinkSums) AddChosen(from *Selector) error {
	part := from.block.links
	if part.b == nil {
		return nil
	}
	sums, ok := from.countColumn(&part)
	if !ok {
		return ErrDamaged
	}
	for _, n := range sums {
		if packed := part.packedLink(); n > 0 && !part.bad {
			s.add(packed, n)
		}
	}
	part.end()
	return damagedUnless(!part.bad)
}

// Len returns how many links have clicks.
func (s *LinkSums) Len() int { return len(s.n) }

// At returns one of the links with its clicks.
func (s *LinkSums) At(i int) (link Link, clicks int64) {
	r := reader{b: []byte(s.packed[i])}
	return r.link(), s.n[i]
}

// Add adds what Pack returned; nil is nothing.
func (s *LinkSums) Add(packed []byte) error {
	if len(packed) == 0 {
		return nil
	}
	r := reader{b: packed}
	if v := r.bytes(1); v[0] != counting {
		return ErrDamaged
	}
	for r.at < len(r.b) {
		link := r.packedLink()
		if n := r.uvarint(math.MaxInt64 / 2); !r.bad {
			s.add(link, int64(n))
		}
	}
	return damagedUnless(!r.bad)
}

// Pack returns the sums as bytes: a version, and the packed links with their clicks.
func (s *LinkSums) Pack() []byte {
	b := []byte{counting}
	for i, packed := range s.packed {
		b = append(b, packed...)
		b = binary.AppendUvarint(b, uint64(s.n[i]))
	}
	return b
}
