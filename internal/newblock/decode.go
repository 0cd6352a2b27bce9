package clickblock

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"terse"
)

// opened is a block that was cut into its columns.
type opened struct {
	n       int                         // clicks
	columns [terse.NumDimensions]reader // without bytes where all clicks have the default value
	offsets []byte                      // of links, in one byte or two each; nil: all 0
	links   reader                      // without bytes where clicks are of no link
	firsts  []byte                      // a bit for each click; nil: none is set
	times   reader
}

// first returns 1 for a click that is a first, else 0.
func (b *opened) first(i int) int64 {
	if b.firsts == nil {
		return 0
	}
	return int64(b.firsts[i/8] >> (i % 8) & 1)
}

// offset returns the offset of a click's link.
func (b *opened) offset(i int) uint16 {
	switch len(b.offsets) {
	case 0:
		return 0
	case b.n:
		return uint16(b.offsets[i])
	}
	return binary.LittleEndian.Uint16(b.offsets[2*i:])
}

// open cuts a block. It looks into no column.
func open(block []byte) (b opened, ok bool) {
	r := reader{b: block}
	r.version()
	if b.n = int(r.uvarint(MaxClicks)); b.n == 0 {
		r.fail()
	}
	for range r.uvarint(maxDimensions) {
		id, d, part, known := r.column()
		switch {
		case known:
			r.bad = r.bad || part.bad || b.columns[d].b != nil || len(part.b) == 0
			b.columns[d] = part
		case id == linkID:
			r.bad = r.bad || b.offsets != nil ||
				len(part.b) != b.n && len(part.b) != 2*b.n
			b.offsets = part.b
		case id == ofID:
			r.bad = r.bad || part.bad || b.links.b != nil || len(part.b) == 0
			b.links = part
		case id == firstID:
			r.bad = r.bad || b.firsts != nil || len(part.b) != indexSize(b.n, 1)
			b.firsts = part.b
		}
	}
	b.times = r
	return b, !r.bad
}

// decoder reads blocks and counts into tables.
type decoder struct {
	tables [terse.NumDimensions]table
	ids    []uint32 // of the dictionary that was read last
	index  []byte   // what was read last, with room behind it
	of     []uint16 // places that were read last
	micros []int64  // times that were read last
}

// cut cuts the index off a column of n clicks, and returns how many values it has and the bits of a
// place. What is left of the column are the values.
func (r *reader) cut(n int) (values int, index []byte, width int, ok bool) {
	k := int(r.uvarint(uint64(n)))
	width = placeBits(k)
	size := indexSize(n, width)
	if k == 0 || r.bad || size > len(r.rest()) {
		return 0, nil, 0, false
	}
	end := len(r.b) - size
	index = r.b[end:]
	r.b = r.b[:end]
	return k, index, width, true
}

// places returns how many values a column of n clicks has, and each click's place among them. What
// is left of the column are the values. places is valid until the next call.
func (dec *decoder) places(part *reader, n int) (values int, places []uint16, ok bool) {
	k, index, width, ok := part.cut(n)
	if !ok {
		return 0, nil, false
	}
	places, ok = dec.placesIn(index, width, n, k)
	return k, places, ok
}

// placesIn is places for an index that was cut off.
func (dec *decoder) placesIn(index []byte, width, n, values int) (places []uint16, ok bool) {
	places = slices.Grow(dec.of[:0], n)[:n]
	dec.of = places
	most := dec.readIndex(places, index, width)
	return places, int(most) < values
}

// placeAt returns the place of one click in an index.
func placeAt(index []byte, width int, i uint16) uint64 {
	bit := uint(i) * uint(width)
	rest := index[bit>>3:]
	if len(rest) >= 8 {
		return binary.LittleEndian.Uint64(rest) >> (bit & 7) & (1<<width - 1)
	}
	var last [8]byte
	copy(last[:], rest)
	return binary.LittleEndian.Uint64(last[:]) >> (bit & 7) & (1<<width - 1)
}

// readIndex reads the places of an index and returns the largest.
func (dec *decoder) readIndex(places []uint16, index []byte, width int) (most uint16) {
	switch width {
	case 0:
		clear(places)
		return 0
	case 8:
		for i, place := range index {
			places[i] = uint16(place)
			most = max(most, uint16(place))
		}
		return most
	}
	// The last places can be read as eight bytes, too.
	index = append(append(dec.index[:0], index...), 0, 0, 0, 0, 0, 0, 0)
	dec.index = index
	mask := uint64(1)<<width - 1
	for i := range places {
		bit := uint(i * width)
		place := uint16(binary.LittleEndian.Uint64(index[bit>>3:]) >> (bit & 7) & mask)
		places[i] = place
		most = max(most, place)
	}
	return most
}

// placeBits returns how many bits a place in a dictionary has.
func placeBits(values int) int { return bits.Len(uint(max(values, 1) - 1)) }

// indexSize returns how many bytes the places of so many clicks take.
func indexSize(clicks, width int) int { return (clicks*width + 7) / 8 }

// appendIndex is the reverse of readIndex.
func appendIndex(b []byte, places []uint32, width int) []byte {
	if width == 0 {
		return b
	}
	var kept uint64
	have := 0
	for _, place := range places {
		kept |= uint64(place) << have
		for have += width; have >= 8; have -= 8 {
			b = append(b, byte(kept))
			kept >>= 8
		}
	}
	if have > 0 {
		b = append(b, byte(kept))
	}
	return b
}

// readTimes returns the times of n clicks. They are valid until the next call.
func (dec *decoder) readTimes(r *reader, n int) (micros []int64, ok bool) {
	micros = slices.Grow(dec.micros[:0], n)[:n]
	dec.micros = micros
	first := r.uvarint(math.MaxUint64)
	t := int64(first>>1) ^ -int64(first&1)
	micros[0] = t
	for i := range micros[1:] {
		difference := r.shortUvarint()
		if t += int64(difference); t < micros[i] || difference > math.MaxInt64 {
			r.fail()
		}
		micros[i+1] = t
	}
	r.end()
	return micros, !r.bad
}

// shortUvarint is uvarint without a bound, and quicker for numbers of up to eight bytes that have
// as many behind them: it puts the groups of seven bits together two by two.
func (r *reader) shortUvarint() uint64 {
	const more = 0x8080808080808080
	if len(r.b)-r.at < 8 {
		return r.uvarint(math.MaxUint64)
	}
	v := binary.LittleEndian.Uint64(r.b[r.at:])
	ends := ^v & more
	if ends == 0 {
		return r.uvarint(math.MaxUint64)
	}
	n := bits.TrailingZeros64(ends) + 1
	r.at += n / 8
	v &= (1<<n - 1) &^ more
	v = v&0x007f007f007f007f | v&0x7f007f007f007f00>>1
	v = v&0x00003fff00003fff | v&0x3fff00003fff0000>>2
	return v&0x0fffffff | v>>32<<28
}

// choice is which clicks of a block are asked for.
type choice struct {
	every    bool // all of them, but for their time
	from, to int  // of every
	some     []uint16
	want     []bool // by the places of the column that was looked at last
}

func (c *choice) count() int {
	if c.every {
		return c.to - c.from
	}
	return len(c.some)
}

// keep leaves out the clicks with places that are not wanted.
func (c *choice) keep(places []uint16, want []bool) {
	if !c.every {
		c.some = slices.DeleteFunc(c.some, func(i uint16) bool { return !want[places[i]] })
		return
	}
	c.every, c.some = false, c.some[:0]
	for i, place := range places {
		if want[place] {
			c.some = append(c.some, uint16(i))
		}
	}
}

// keepOffset leaves out the clicks of other links of a block.
func (c *choice) keepOffset(b *opened, offset uint16) {
	if b.offsets == nil {
		c.every = offset == 0
		return
	}
	c.every = false
	if len(b.offsets) == b.n {
		for i, o := range b.offsets {
			if uint16(o) == offset {
				c.some = append(c.some, uint16(i))
			}
		}
		return
	}
	for i := range b.n {
		if b.offset(i) == offset {
			c.some = append(c.some, uint16(i))
		}
	}
}

// keepTimes leaves out the clicks outside of a range.
func (c *choice) keepTimes(micros []int64, first, last int64) {
	c.from, _ = slices.BinarySearch(micros, first)
	c.to = len(micros)
	if last < math.MaxInt64 {
		c.to, _ = slices.BinarySearch(micros, last+1)
	}
	if !c.every {
		c.some = slices.DeleteFunc(c.some, func(i uint16) bool {
			return int(i) < c.from || int(i) >= c.to
		})
	}
}

// BeginsBefore reports whether the first click of a block is from before a time. It is false for
// what is no block.
func BeginsBefore(block []byte, micros int64) bool {
	b, ok := open(block)
	if !ok {
		return false
	}
	first := b.times.uvarint(math.MaxUint64)
	return !b.times.bad && int64(first>>1)^-int64(first&1) < micros
}
