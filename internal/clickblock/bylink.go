package clickblock

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"terse"
)

// Exist returns those of some links that there are, in their era, and that are asked for: the zero
// LinkRef in the place of each other one.
type Exist func(links []Link) ([]terse.LinkRef, error)

// OfLinks has only clicks of some links counted, of those of all links. Clicks that are of none are
// not.
func (t *Tally) OfLinks(has func(Link) bool) {
	t.has, t.known, t.filtered = has, map[string]bool{}, true
}

// ByLink has the clicks counted by link, too.
func (t *Tally) ByLink() { t.links = &linkSums{places: map[string]int32{}} }

// linkSums are clicks by link.
type linkSums struct {
	byID   []int32          // 1 + the place of the link that has an ID, if that is small
	places map[string]int32 // by packed link, of the others
	packed []string
	n      []int64
}

// maxSmallID bounds byID at 16 MB. IDs are given out one by one, so that most are small.
const maxSmallID = 1 << 22

// add finds nearly all links by their IDs: to look them up by hash takes three times as long.
func (s *linkSums) add(packed []byte, n int64) {
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

func (s *linkSums) append(packed []byte) (place int32) {
	s.packed, s.n = append(s.packed, string(packed)), append(s.n, 0)
	return int32(len(s.n) - 1)
}

// maxKnown bounds what a Tally remembers of links, at about 100 bytes each.
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
func (t *Tally) filterLinks(b *opened) (some, ok bool) {
	if t.has == nil {
		return true, true
	}
	part := b.links
	if part.b == nil {
		return false, true
	}
	k, places, ok := t.places(&part, b.n)
	if !ok {
		return false, false
	}
	c := &t.chosen
	want := slices.Grow(c.want[:0], k)[:k]
	c.want = want
	for i := range want {
		var fine bool
		want[i], fine = t.hasLink(part.packedLink())
		ok = ok && fine
	}
	if part.end(); part.bad || !ok {
		return false, false
	}
	c.keep(places, want)
	return len(c.some) > 0, true
}

// hasLink reports whether a packed link is asked for. ok is false when it is damaged.
func (t *Tally) hasLink(packed []byte) (has, ok bool) {
	has, known := t.known[string(packed)]
	if known {
		return has, true
	}
	r := reader{b: packed}
	link := r.link()
	if r.bad {
		return false, false
	}
	has = link != Link{} && t.has(link)
	if len(t.known) > maxKnown {
		clear(t.known)
	}
	t.known[string(packed)] = has
	return has, true
}

// addLinks counts the chosen clicks of a block by link.
func (t *Tally) addLinks(b *opened) bool {
	part := b.links
	if t.links == nil || part.b == nil {
		return true
	}
	sums, ok := t.countColumn(&part, b.n)
	if !ok {
		return false
	}
	for _, n := range sums {
		if packed := part.packedLink(); n > 0 && !part.bad {
			t.links.add(packed, n)
		}
	}
	part.end()
	return !part.bad
}

// addLinkOf counts one click of a block by link.
func (t *Tally) addLinkOf(b *opened, i int) bool {
	c := &t.chosen
	every, some, from, to := c.every, c.some, c.from, c.to
	c.every, c.some = false, []uint16{uint16(i)}
	ok := t.addLinks(b)
	c.every, c.some, c.from, c.to = every, some, from, to
	return ok
}

// Links calls f for each link with its clicks.
func (t *Tally) Links(f func(link Link, clicks int64)) {
	for i, packed := range t.links.packed {
		r := reader{b: []byte(packed)}
		f(r.link(), t.links.n[i])
	}
}

// AddLinks adds clicks by link that PackLinks returned; nil is none.
func (t *Tally) AddLinks(packed []byte) error {
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
			t.links.add(link, int64(n))
		}
	}
	return damagedUnless(!r.bad)
}

// PackLinks returns the clicks by link as bytes: a version, and the packed links with their clicks.
func (t *Tally) PackLinks() []byte {
	b := []byte{counting}
	for i, packed := range t.links.packed {
		b = append(b, packed...)
		b = binary.AppendUvarint(b, uint64(t.links.n[i]))
	}
	return b
}

// NewLinkTally returns a Tally of nothing but the clicks of each link in a range.
func NewLinkTally(r terse.TimeRange) *Tally {
	q := terse.SeriesQuery{Range: r}
	for d := range q.Without {
		q.Without[d] = true
	}
	t := NewTally(q)
	t.ByLink()
	return t
}

// Top returns the links with the most clicks, of those that exist: of equal ones the newest first.
func (t *Tally) Top(n int, exist Exist) (top []terse.LinkClicks, err error) {
	order := make([]int32, len(t.links.n))
	ids := make([]terse.LinkID, len(order))
	for i := range order {
		r := reader{b: []byte(t.links.packed[i])}
		order[i], ids[i] = int32(i), r.link().ID
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(t.links.n[b], t.links.n[a]), cmp.Compare(ids[b], ids[a]))
	})
	const atOnce = 32
	for some := range slices.Chunk(order, atOnce) {
		links := make([]Link, len(some))
		for i, place := range some {
			r := reader{b: []byte(t.links.packed[place])}
			links[i] = r.link()
		}
		found, err := exist(links)
		if err != nil {
			return nil, err
		}
		for i, place := range some {
			if found[i] != (terse.LinkRef{}) && len(top) < n {
				top = append(top, terse.LinkClicks{LinkRef: found[i], Clicks: t.links.n[place]})
			}
		}
		if len(top) == n {
			break
		}
	}
	return top, nil
}
