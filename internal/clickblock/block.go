package clickblock

import (
	"cmp"
	"encoding/binary"
	"iter"
	"math"
	"slices"

	"terse"
)

// Click is one click, for the Packer that made it and no other.
type Click struct {
	Time   int64 // microseconds since 1970
	values [terse.NumDimensions]uint32
	// its link's offset in its bucket; 0 for a click from a block of one link
	Link uint16
}

// Packer packs clicks of one link or bucket after another, from blocks and new ones. It must not be
// used concurrently.
type Packer struct {
	decoder
	known  [terse.NumDimensions]map[string]uint32 // the IDs of values as they are in clicks
	epoch  uint64
	ids    []uint32 // of the dictionary being made
	tally  []int64  // counts in the order of ids
	index  []uint32
	block  []byte
	counts []byte
	value  []byte
}

// NewPacker returns a Packer.
func NewPacker() *Packer {
	p := &Packer{}
	for d := range p.known {
		p.known[d] = map[string]uint32{}
	}
	p.forget()
	return p
}

// maxKeptBytes bounds the values that a Packer keeps.
const maxKeptBytes = 4 << 20

// Full reports whether it is time to be done with the clicks that were made so far, and to call
// Reset.
func (p *Packer) Full() bool {
	kept := 0
	for d := range p.tables {
		kept += p.tables[d].bytes
	}
	return kept > maxKeptBytes
}

// Reset says that the clicks that were made so far are of no use any more.
func (p *Packer) Reset() {
	if p.Full() {
		p.forget()
	}
}

func (p *Packer) forget() {
	for d := range terse.NumDimensions {
		p.tables[d].reset(d, math.MaxInt32)
		clear(p.known[d])
	}
}

// Add appends a click of the link at an offset of its bucket.
func (p *Packer) Add(clicks []Click, c *terse.Click, offset uint16) []Click {
	added := Click{Time: c.Time, Link: offset}
	for d := range terse.NumDimensions {
		id, ok := p.known[d][c.Values[d]]
		if !ok {
			p.value = appendValue(p.value[:0], d, c.Values[d])
			id = p.tables[d].find(p.value)
			p.known[d][c.Values[d]] = id
		}
		added.values[d] = id
	}
	return append(clicks, added)
}

// Unpack appends the clicks of a block. It fails with ErrDamaged and appends nothing when the bytes
// are no block.
func (dec *decoder) Unpack(clicks []Click, block []byte) ([]Click, error) {
	r := reader{b: block}
	n := r.header(MaxClicks)
	start := len(clicks)
	clicks = slices.Grow(clicks, n)[:start+n]
	added := clicks[start:]
	clear(added) // a dimension that is missing has its default value
	for range r.uvarint(maxDimensions) {
		id, d, part, known := r.column()
		switch {
		case known:
			dec.unpackColumn(d, &part, added)
		case id == linkID:
			unpackLinks(&part, added)
		}
		r.bad = r.bad || part.bad
	}
	unpackTimes(&r, added)
	if r.bad {
		return clicks[:start], ErrDamaged
	}
	return clicks, nil
}

func unpackLinks(part *reader, clicks []Click) {
	if len(part.b) != len(clicks) {
		part.fail()
		return
	}
	for i, offset := range part.b {
		clicks[i].Link = uint16(offset)
	}
}

func (dec *decoder) unpackColumn(d terse.Dimension, part *reader, clicks []Click) {
	ids, index, wide := dec.column(d, part, len(clicks))
	if part.bad {
		return
	}
	for i := range clicks {
		place := 0
		switch {
		case wide:
			place = int(binary.LittleEndian.Uint16(index[2*i:]))
		case len(index) > 0:
			place = int(index[i])
		}
		if place >= len(ids) {
			part.fail()
			return
		}
		clicks[i].values[d] = ids[place]
	}
}

func unpackTimes(r *reader, clicks []Click) {
	var t int64
	for i := range clicks {
		if t = r.time(t, i == 0); r.bad {
			return
		}
		clicks[i].Time = t
	}
	r.end()
}

// time returns the next time of a block after the one before.
func (r *reader) time(before int64, first bool) int64 {
	v := r.uvarint(math.MaxUint64)
	if first {
		return int64(v>>1) ^ -int64(v&1)
	}
	t := before + int64(v)
	if t < before || v > math.MaxInt64 {
		r.fail()
	}
	return t
}

// Sort sorts clicks by time.
func Sort(clicks []Click) {
	byTime := func(a, b Click) int { return cmp.Compare(a.Time, b.Time) }
	if !slices.IsSortedFunc(clicks, byTime) {
		slices.SortFunc(clicks, byTime)
	}
}

// Days yields sorted clicks day by day, in order.
func Days(clicks []Click) iter.Seq2[terse.Day, []Click] {
	return func(yield func(terse.Day, []Click) bool) {
		for len(clicks) > 0 {
			day, n := terse.DayOf(clicks[0].Time), 1
			for n < len(clicks) && terse.DayOf(clicks[n].Time) == day {
				n++
			}
			// The rest is taken first: the caller may overwrite what it was given.
			ofDay := clicks[:n]
			clicks = clicks[n:]
			if !yield(day, ofDay) {
				return
			}
		}
	}
}

// Pack returns the block of 1 to MaxClicks sorted clicks of one link. It is valid until the next
// Pack or PackBucket.
func (p *Packer) Pack(clicks []Click) []byte {
	b := p.startBlock(clicks, uint64(terse.NumDimensions))
	return p.endBlock(b, clicks)
}

// PackBucket is Pack for clicks of a bucket of links, whose offsets are below 256.
func (p *Packer) PackBucket(clicks []Click) []byte {
	b := p.startBlock(clicks, uint64(terse.NumDimensions)+1)
	b = binary.AppendUvarint(b, linkID)
	b = binary.AppendUvarint(b, uint64(len(clicks)))
	for i := range clicks {
		b = append(b, byte(clicks[i].Link))
	}
	return p.endBlock(b, clicks)
}

func (p *Packer) startBlock(clicks []Click, dimensions uint64) []byte {
	b := append(p.block[:0], version)
	b = binary.AppendUvarint(b, uint64(len(clicks)))
	return binary.AppendUvarint(b, dimensions)
}

// endBlock appends the dimensions that are counted, and the times.
func (p *Packer) endBlock(b []byte, clicks []Click) []byte {
	for d := range terse.NumDimensions {
		b = p.packColumn(b, d, clicks)
	}
	before := clicks[0].Time
	b = binary.AppendVarint(b, before)
	for i := range clicks[1:] {
		t := clicks[i+1].Time
		b = binary.AppendUvarint(b, uint64(t-before))
		before = t
	}
	p.block = b
	return b
}

func (p *Packer) packColumn(b []byte, d terse.Dimension, clicks []Click) []byte {
	p.startDictionary()
	index, values := p.index[:0], p.tables[d].values
	for i := range clicks {
		index = append(index, p.place(values, clicks[i].values[d]))
	}
	p.index = index
	size := uvarintLen(uint64(len(p.ids)))
	for _, id := range p.ids {
		size += len(values[id].packed)
	}
	width := indexWidth(len(p.ids))
	b = binary.AppendUvarint(b, uint64(d.ID()))
	b = binary.AppendUvarint(b, uint64(size+width*len(clicks)))
	b = binary.AppendUvarint(b, uint64(len(p.ids)))
	for _, id := range p.ids {
		b = append(b, values[id].packed...)
	}
	return appendIndex(b, index, width)
}

func appendIndex(b []byte, index []uint32, width int) []byte {
	switch width {
	case 1:
		for _, i := range index {
			b = append(b, byte(i))
		}
	case 2:
		for _, i := range index {
			b = binary.LittleEndian.AppendUint16(b, uint16(i))
		}
	}
	return b
}

func indexWidth(values int) int {
	switch {
	case values == 1:
		return 0
	case values <= 256:
		return 1
	}
	return 2
}

func uvarintLen(v uint64) int {
	n := 1
	for ; v >= 0x80; v >>= 7 {
		n++
	}
	return n
}

func (p *Packer) startDictionary() {
	p.epoch++
	p.ids = p.ids[:0]
}

// place returns a value's place in the dictionary being made, at its end when it is new.
func (p *Packer) place(values []entry, id uint32) uint32 {
	e := &values[id]
	if e.epoch != p.epoch {
		e.epoch, e.place = p.epoch, uint32(len(p.ids))
		p.ids = append(p.ids, id)
	}
	return e.place
}
