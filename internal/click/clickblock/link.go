package clickblock

import (
	"encoding/binary"
	"math"

	"terse"
)

// Link is the link of a click in a block of an owner. The zero Link means no link.
type Link struct {
	ID  terse.LinkID
	Era uint32 // how often the link had been cleared when the click was counted
}

// A packed link is its ID and its era.
func appendLink(b []byte, l Link) []byte {
	b = binary.AppendUvarint(b, uint64(l.ID))
	return binary.AppendUvarint(b, uint64(l.Era))
}

// link returns the next packed link.
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

// LinkID returns the ID of a link, for clicks in a block of an owner.
func (p *Packer) LinkID(l Link) uint32 {
	p.value = appendLink(p.value[:0], l)
	return p.tables[ByLink].find(p.value)
}

// LinkOf returns the link of a click in a block of an owner.
func (p *Packer) LinkOf(c *Click) Link {
	return unpackLink(p.tables[ByLink].packed.At(c.IDs[ByLink]))
}
