package clickblock

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"terse"
)

// opened is a block, cut into its columns.
type opened struct {
	n       int // clicks
	columns [terse.NumDimensions]reader
	offsets []byte // of links, in one byte or two each; nil: all 0
	links   reader
	firsts  []byte // one bit for each click; nil: none is set
	numbers reader // nil: each click is one
	times   reader
}

// Stand-ins for missing columns: all clicks have the default value, or no link.
var (
	defaultColumn = append([]byte{1}, packedDefault...)
	noLinksColumn = appendLink([]byte{1}, Link{})
)

// bit returns bit i. It is 0 if there are no bits.
func bit(bits []byte, i int) int64 {
	if bits == nil {
		return 0
	}
	return int64(bits[i/8] >> (i % 8) & 1)
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

// of appends the indexes of the clicks of the link with an offset, or with -1 of all clicks.
func (b *opened) of(chosen []uint16, offset int) []uint16 {
	switch {
	case offset < 0 || b.offsets == nil:
		for i := range b.n {
			if offset <= 0 {
				chosen = append(chosen, uint16(i))
			}
		}
	case len(b.offsets) == b.n:
		for i, o := range b.offsets {
			if int(o) == offset {
				chosen = append(chosen, uint16(i))
			}
		}
	default:
		low, high := byte(offset), byte(offset>>8)
		for i := range b.n {
			if o := b.offsets[2*i : 2*i+2]; o[0] == low && o[1] == high {
				chosen = append(chosen, uint16(i))
			}
		}
	}
	return chosen
}

// maxColumns bounds the columns of a block.
const maxColumns = 64

// open cuts a block into its columns without reading them.
func open(block []byte) (b opened, err error) {
	r := reader{b: block}
	v := r.bytes(1)
	if r.bad || v[0] != version && v[0] != numbered {
		return b, ErrDamaged
	}
	if b.n = int(r.uvarint(MaxClicks)); b.n == 0 {
		r.fail()
	}
	for range r.uvarint(maxColumns) {
		id := r.uvarint(math.MaxUint32)
		column := r.bytes(r.uvarint(math.MaxInt32))
		d, known := terse.DimensionOf(id)
		switch {
		case known && slices.Contains(Stored, d):
			r.bad = r.bad || b.columns[d].b != nil || len(column) == 0
			b.columns[d].b = column
		case id == offsetID:
			r.bad = r.bad || b.offsets != nil || len(column) != b.n && len(column) != 2*b.n
			b.offsets = column
		case id == linkID:
			r.bad = r.bad || b.links.b != nil || len(column) == 0
			b.links.b = column
		case id == firstID:
			r.bad = r.bad || b.firsts != nil || len(column) != indexSize(b.n, 1)
			b.firsts = column
		case id == numberID:
			r.bad = r.bad || b.numbers.b != nil || len(column) == 0
			b.numbers.b = column
		}
	}
	if (v[0] == numbered) != (b.numbers.b != nil) {
		r.fail()
	}
	b.times = r
	for d := range b.columns {
		if b.columns[d].b == nil {
			b.columns[d].b = defaultColumn
		}
	}
	if b.links.b == nil {
		b.links.b = noLinksColumn
	}
	return b, damagedUnless(!r.bad)
}

// decoder reads columns into memory that it reuses.
type decoder struct {
	keys   [][]byte
	index  []byte
	places []uint16
	micros []int64
}

// readColumn returns the keys of a column of n clicks, and the place of each click's key among
// them. cut cuts off one key. The results are valid until the next call.
func (dec *decoder) readColumn(r reader, n int, cut func(*reader) []byte) (
	keys [][]byte, places []uint16, err error,
) {
	keys, index, err := dec.readKeys(r, n, cut)
	if err != nil {
		return nil, nil, err
	}
	places, most := dec.readIndex(index, n, placeBits(len(keys)))
	return keys, places, damagedUnless(int(most) < len(keys))
}

// readKeys is readColumn, but returns the index of the places.
func (dec *decoder) readKeys(r reader, n int, cut func(*reader) []byte) (
	keys [][]byte, index []byte, err error,
) {
	k := int(r.uvarint(uint64(n)))
	end := len(r.b) - indexSize(n, placeBits(k))
	if k == 0 || end < r.at {
		return nil, nil, ErrDamaged
	}
	index = r.b[end:]
	r.b = r.b[:end]
	keys = dec.keys[:0]
	for range k {
		keys = append(keys, cut(&r))
	}
	r.end()
	dec.keys = keys
	return keys, index, damagedUnless(!r.bad)
}

// placeAt returns place i of an index. For many places, readIndex is faster.
func placeAt(index []byte, i, width int) int {
	bit, word := i*width, 0
	for k, b := range index[bit>>3 : min(bit>>3+3, len(index))] {
		word |= int(b) << (8 * k)
	}
	return word >> (bit & 7) & (1<<width - 1)
}

// placeBits returns the number of bits of a place among that many values.
func placeBits(values int) int { return bits.Len(uint(max(values, 1) - 1)) }

// indexSize returns the number of bytes of an index: a place of width bits for each click.
func indexSize(clicks, width int) int { return (clicks*width + 7) / 8 }

// readIndex returns the places of n clicks, and the highest place.
func (dec *decoder) readIndex(index []byte, n, width int) (places []uint16, most uint16) {
	places = slices.Grow(dec.places[:0], n)[:n]
	dec.places = places
	if width == 0 { // as in most columns
		clear(places)
		return places, 0
	}
	// Padding lets every place be read from a word of eight bytes.
	index = append(append(dec.index[:0], index...), 0, 0, 0, 0, 0, 0, 0)
	dec.index = index
	mask := uint64(1)<<width - 1
	for i := range places {
		bit := uint(i * width)
		place := uint16(binary.LittleEndian.Uint64(index[bit>>3:]) >> (bit & 7) & mask)
		places[i], most = place, max(most, place)
	}
	return places, most
}

// appendIndex is the reverse of readIndex.
func appendIndex(b []byte, places []uint32, width int) []byte {
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

// readTimes returns the times of a block's clicks. They are valid until the next call.
func (dec *decoder) readTimes(b *opened) ([]int64, error) {
	r := b.times
	times := append(dec.micros[:0], r.varint())
	for i := range b.n - 1 {
		times = append(times, times[i]+int64(r.uvarint(math.MaxInt64)))
		if times[i+1] < times[i] {
			r.fail()
		}
	}
	r.end()
	dec.micros = times
	return times, damagedUnless(!r.bad)
}
