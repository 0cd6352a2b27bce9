package clickblock

import (
	"encoding/binary"
	"math"

	"terse"
)

// Link says of which link a click is, in a block with clicks of all links. The zero Link is none:
// that of clicks which earlier versions counted.
type Link struct {
	// A store that gives no ID out twice leaves the code out: it is most of what a link takes.
	terse.LinkRef
	// Era is how often the link's clicks were cleared before this one: what is of an earlier era
	// counts for all links only.
	Era uint32
}

// A packed link is its ID, then its era and the length of its code in one number, and the code.
const codeBits = 5

func appendLink(b []byte, l Link) []byte {
	b = binary.AppendUvarint(b, uint64(l.ID))
	if l == (Link{}) {
		return append(b, 0)
	}
	var buf [terse.MaxCodeLength]byte
	code := l.Code.AppendTo(buf[:0])
	b = binary.AppendUvarint(b, uint64(l.Era)<<codeBits|uint64(len(code)))
	return append(b, code...)
}

// link returns the next packed link.
func (r *reader) link() (l Link) {
	l.ID = terse.LinkID(r.uvarint(math.MaxInt64))
	head := r.uvarint(math.MaxUint32<<codeBits | (1<<codeBits - 1))
	code := r.bytes(head & (1<<codeBits - 1))
	if r.bad || l.ID == 0 && len(code) == 0 {
		return Link{}
	}
	if len(code) > 0 {
		var err error
		if l.Code, err = terse.ParseCode(code); err != nil {
			r.fail()
		}
	}
	l.Era = uint32(head >> codeBits)
	return l
}

// linkTable numbers links; 0 is none. Links are found by their IDs, which nearly always tell them:
// a map of whole Links would take three times the memory.
type linkTable struct {
	latest map[terse.LinkID]uint32 // the number, plus 1, of the latest link that has the ID
	links  []linkEntry
}

type linkEntry struct {
	Link
	before uint32 // the number, plus 1, of the link before this one that has the same ID, or 0
	// As in entry.
	place uint32
	epoch uint64
}

func (t *linkTable) reset() {
	if t.latest == nil {
		t.latest = map[terse.LinkID]uint32{}
	}
	clear(t.latest)
	t.links = t.links[:0]
	t.find(Link{})
}

// add gives a link a number that find does not know.
func (t *linkTable) add(l Link) uint32 {
	t.links = append(t.links, linkEntry{Link: l})
	return uint32(len(t.links) - 1)
}

// find returns a link's number.
func (t *linkTable) find(l Link) uint32 {
	latest := t.latest[l.ID]
	for n := latest; n > 0; n = t.links[n-1].before {
		if t.links[n-1].Link == l {
			return n - 1
		}
	}
	n := t.add(l)
	t.links[n].before, t.latest[l.ID] = latest, n+1
	return n
}

// Of has a click that Add made be one of all links. It is for the first click of each link; the
// link has one more place in a block for each time that Of is told of it, instead of OfSame.
func (p *Packer) Of(c *Click, l Link) { c.of = p.links.add(l) }

// OfSame is Of for a click of the same link as another one of the packer's.
func (c *Click) OfSame(other *Click) { c.of = other.of }

// Alone returns the click as one of its link only, which is at an offset.
func (c *Click) Alone(offset uint16) Click {
	alone := *c
	alone.Link, alone.of = offset, 0
	return alone
}

// packLinks appends the column that says of which links clicks are.
func (p *Packer) packLinks(b []byte, clicks []Click) []byte {
	p.startDictionary()
	index := p.index[:0]
	for i := range clicks {
		id := clicks[i].of
		e := &p.links.links[id]
		if e.epoch != p.epoch {
			e.epoch, e.place = p.epoch, uint32(len(p.ids))
			p.ids = append(p.ids, id)
		}
		index = append(index, e.place)
	}
	p.index, p.value = index, p.value[:0]
	for _, id := range p.ids {
		p.value = appendLink(p.value, p.links.links[id].Link)
	}
	width := placeBits(len(p.ids), bitwise)
	size := uvarintLen(uint64(len(p.ids))) + len(p.value) + indexSize(len(clicks), width)
	b = binary.AppendUvarint(b, ofID)
	b = binary.AppendUvarint(b, uint64(size))
	b = binary.AppendUvarint(b, uint64(len(p.ids)))
	return appendIndex(append(b, p.value...), index, width)
}

func (p *Packer) unpackLinks(part reader, clicks []Click) bool {
	k, places, ok := p.places(&part, len(clicks))
	if !ok {
		return false
	}
	ids := p.decoder.ids[:0]
	for range k {
		ids = append(ids, p.links.find(part.link()))
	}
	p.decoder.ids = ids
	if part.end(); part.bad {
		return false
	}
	for i, place := range places {
		clicks[i].of = ids[place]
	}
	return true
}
