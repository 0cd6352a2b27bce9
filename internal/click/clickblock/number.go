package clickblock

import "encoding/binary"

// further is the clicks for which a click stands beyond itself, and how many of them are firsts.
type further struct{ clicks, firsts int64 }

// appendFurther packs further clicks.
func appendFurther(b []byte, more further) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(more.clicks)), uint64(more.firsts))
}

// further returns the next packed further clicks.
func (r *reader) further() []byte {
	start := r.at
	r.uvarint(r.uvarint(MaxEqual - 1))
	if r.bad {
		return nil
	}
	return r.b[start:r.at]
}

// unpackFurther is the reverse of appendFurther, for bytes that reader.further returned.
func unpackFurther(packed []byte) further {
	clicks, n := binary.Uvarint(packed)
	firsts, _ := binary.Uvarint(packed[n:])
	return further{int64(clicks), int64(firsts)}
}

// Number lets a click stand for 1 to MaxEqual equal clicks, of which some are firsts.
func (p *Packer) Number(c *Click, clicks, firsts int64) {
	c.First, c.IDs[byNumber] = firsts > 0, defaultID
	if clicks == 1 {
		return
	}
	more := further{clicks: clicks - 1, firsts: max(firsts-1, 0)}
	p.value = appendFurther(p.value[:0], more)
	c.IDs[byNumber] = p.tables[byNumber].find(p.value)
}

// further returns the further clicks with an ID.
func (p *Packer) further(id uint32) further {
	return unpackFurther(p.tables[byNumber].packed.At(id))
}

// further returns the further clicks of all clicks of the block, by index.
func (s *Selector) further() ([]further, error) {
	keys, places, err := s.readColumn(s.block.numbers, s.block.n, (*reader).further)
	if err != nil {
		return nil, err
	}
	s.more = s.more[:0]
	for _, place := range places {
		s.more = append(s.more, unpackFurther(keys[place]))
	}
	return s.more, nil
}
