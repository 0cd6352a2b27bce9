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

// link returns the next packed link as it is.
func (r *reader) link() []byte {
	start := r.at
	r.uvarint(math.MaxInt64)
	r.uvarint(math.MaxUint32)
	if r.bad {
		return nil
	}
	return r.b[start:r.at]
}

// unpackLink is the reverse of appendLink, for a link that reader.link returned.
func unpackLink(packed []byte) Link {
	id, n := binary.Uvarint(packed)
	era, _ := binary.Uvarint(packed[n:])
	return Link{terse.LinkID(id), uint32(era)}
}

// Of says which link a click of an owner's block is of.
func (p *Packer) Of(c *Click, l Link) {
	p.value = appendLink(p.value[:0], l)
	c.of = p.links.find(p.value)
}

// LinkOf returns the link that Of or a block said.
func (p *Packer) LinkOf(c *Click) Link { return unpackLink(p.links.packed.At(c.of)) }

// Alone returns the click as one of its link only, which is at an offset.
func (c *Click) Alone(offset uint16) Click {
	alone := *c
	alone.Link, alone.of = offset, 0
	return alone
}
