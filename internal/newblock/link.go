package clickblock

import (
	"encoding/binary"
	"math"

	"terse"
)

// Link says of which link a click is, in a block with clicks of all links of an owner. The zero
// Link is none.
type Link struct {
	ID terse.LinkID
	// Era is how often the link's clicks were cleared before this one: what is of an earlier era
	// counts for the owner only.
	Era uint32
}

// A packed link is its ID and its era.
func appendLink(b []byte, l Link) []byte {
	b = binary.AppendUvarint(b, uint64(l.ID))
	return binary.AppendUvarint(b, uint64(l.Era))
}

// link returns the next packed link.
func (r *reader) link() (l Link) {
	l.ID = terse.LinkID(r.uvarint(math.MaxInt64))
	l.Era = uint32(r.uvarint(math.MaxUint32))
	return l
}

// linkTable numbers links; 0 is none.
type linkTable struct {
	numbers map[Link]uint32
	links   []linkEntry
}

type linkEntry struct {
	Link
	// As in entry.
	place uint32
	epoch uint64
}

func (t *linkTable) reset() {
	if t.numbers == nil {
		t.numbers = map[Link]uint32{}
	}
	clear(t.numbers)
	t.links = t.links[:0]
	t.find(Link{})
}

// find returns a link's number.
func (t *linkTable) find(l Link) uint32 {
	n, known := t.numbers[l]
	if !known {
		n = uint32(len(t.links))
		t.links, t.numbers[l] = append(t.links, linkEntry{Link: l}), n
	}
	return n
}

// Of says which link a click of an owner's block is of.
func (p *Packer) Of(c *Click, l Link) { c.of = p.links.find(l) }

// LinkOf returns the link that Of or a block said.
func (p *Packer) LinkOf(c *Click) Link { return p.links.links[c.of].Link }

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
	width := placeBits(len(p.ids))
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
