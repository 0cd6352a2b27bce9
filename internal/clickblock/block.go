package clickblock

import (
	"cmp"
	"encoding/binary"
	"iter"
	"math"
	"slices"

	"terse"
)

// Click is one click, for the Packer or Selector that made it and no other.
type Click struct {
	Time int64                       // microseconds since 1970
	IDs  [terse.NumDimensions]uint32 // of its values
	of   uint32                      // which link it is of, in a linkTable
	// its link's offset among those of its block; 0 for a click from a block of one link
	Link uint16
	// First tells the first click of a visitor on the link and UTC day. The caller sets it.
	First bool
	// Untracked tells a click of which only its day may be kept. A block knows no such clicks.
	Untracked bool
}

// Packer packs clicks of one link or bucket after another, from blocks and new ones. It must not be
// used concurrently.
type Packer struct {
	decoder
	links  linkTable
	batch  *terse.NumberedClicks
	known  [terse.NumDimensions][]uint32 // by number in the batch: IDs plus 1, 0: not looked up
	epoch  uint64
	ids    []uint32 // of the dictionary being made
	tally  []Sum    // counts in the order of ids
	index  []uint32
	block  []byte
	value  []byte
	order  []placed // of Sort
	before []Click
}

// NewPacker returns a Packer.
func NewPacker() *Packer {
	p := &Packer{}
	p.forget()
	return p
}

// These bound what a Packer keeps: the bytes of values, of which it keeps a quarter from one batch
// to the next, and the links, at some 75 bytes each.
const (
	maxKeptBytes = 4 << 20
	maxKeptLinks = 1 << 17
)

func (p *Packer) keptBytes() (n int) {
	for d := range p.tables {
		n += p.tables[d].packed.Size()
	}
	return n
}

// Full reports whether it is time to be done with the clicks that were made so far, and to call
// Reset.
func (p *Packer) Full() bool {
	return p.keptBytes() > maxKeptBytes || len(p.links.links) > maxKeptLinks
}

// Reset says that the clicks that were made so far are of no use any more.
func (p *Packer) Reset() {
	if p.keptBytes() > maxKeptBytes/4 || len(p.links.links) > maxKeptLinks {
		p.forget()
	}
}

func (p *Packer) forget() {
	p.links.reset()
	for d := range terse.NumDimensions {
		p.tables[d].reset(d, math.MaxInt32)
		clear(p.known[d])
	}
}

// Begin says which batch the clicks are of that New is given from now on. It looks up the values of
// the batch in the order in which they lie in memory, as long as there is room: New is asked for
// them in no order, which takes several times as long.
func (p *Packer) Begin(batch *terse.NumberedClicks) {
	p.batch = batch
	for d := range terse.NumDimensions {
		first, end := batch.Numbers(d)
		p.known[d] = slices.Grow(p.known[d][:0], int(end))[:end]
		clear(p.known[d])
		for number := first; number < end && p.keptBytes() <= maxKeptBytes/2; number++ {
			p.look(d, number)
		}
	}
}

// New returns a click of the batch, of the link at an offset.
func (p *Packer) New(c *terse.NumberedClick, offset uint16) Click {
	click := Click{Time: c.Time, Link: offset}
	for d, number := range c.Values {
		known := p.known[d][number]
		if known == 0 {
			known = p.look(terse.Dimension(d), number)
		}
		click.IDs[d] = known - 1
	}
	return click
}

// look notes the ID of a value of the batch, and returns it plus 1.
func (p *Packer) look(d terse.Dimension, number uint32) (known uint32) {
	p.value = appendValue(p.value[:0], d, p.batch.Text(d, number))
	known = 1 + p.tables[d].find(p.value)
	p.known[d][number] = known
	return known
}

// Unpack appends the clicks of a block. It fails with ErrDamaged and appends nothing when the bytes
// are no block.
func (p *Packer) Unpack(clicks []Click, block []byte) ([]Click, error) {
	start := len(clicks)
	b, ok := open(block)
	if !ok {
		return clicks, ErrDamaged
	}
	clicks, err := p.unpack(clicks, &b)
	if err == nil && b.links.b != nil && !p.unpackLinks(b.links, clicks[start:]) {
		return clicks[:start], ErrDamaged
	}
	return clicks, err
}

// unpack is Unpack without their links.
func (dec *decoder) unpack(clicks []Click, b *opened) ([]Click, error) {
	start, ok := len(clicks), true
	clicks = slices.Grow(clicks, b.n)[:start+b.n]
	added := clicks[start:]
	clear(added) // a dimension that is missing has its default value
	for d := range terse.NumDimensions {
		ok = ok && (b.columns[d].b == nil || dec.unpackColumn(d, b.columns[d], added))
	}
	for i := range added {
		added[i].Link, added[i].First = b.offset(i), b.first(i) == 1
	}
	micros, timed := dec.readTimes(&b.times, b.n)
	if !ok || !timed {
		return clicks[:start], ErrDamaged
	}
	for i, t := range micros {
		added[i].Time = t
	}
	return clicks, nil
}

func (dec *decoder) unpackColumn(d terse.Dimension, part reader, clicks []Click) bool {
	k, places, ok := dec.places(&part, len(clicks))
	if !ok {
		return false
	}
	ids := dec.ids[:0]
	for range k {
		ids = append(ids, dec.tables[d].next(&part))
	}
	dec.ids = ids
	if part.end(); part.bad {
		return false
	}
	for i, place := range places {
		clicks[i].IDs[d] = ids[place]
	}
	return true
}

// Bot reports whether the click is not one of people.
func (c *Click) Bot() bool { return c.IDs[terse.ByVisitor] == botID }

// Sort sorts clicks by time. Those of one instant have no order in a block. A click is large:
// places are sorted, and each click is moved once.
func (p *Packer) Sort(clicks []Click) {
	sorted := true
	for i := 1; i < len(clicks) && sorted; i++ {
		sorted = clicks[i-1].Time <= clicks[i].Time
	}
	if sorted {
		return
	}
	p.order, p.before = p.order[:0], append(p.before[:0], clicks...)
	for i := range clicks {
		p.order = append(p.order, placed{clicks[i].Time, i})
	}
	slices.SortFunc(p.order, func(a, b placed) int { return cmp.Compare(a.time, b.time) })
	for i, from := range p.order {
		clicks[i] = p.before[from.at]
	}
}

// placed is where a click with a time is.
type placed struct {
	time int64
	at   int
}

// Before returns how many of sorted clicks are from before a time.
func Before(clicks []Click, micros int64) int {
	n, _ := slices.BinarySearchFunc(clicks, micros, func(c Click, t int64) int {
		if c.Time < t {
			return -1
		}
		return 1 // also for one at that time: the first of them is looked for
	})
	return n
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
// Pack or PackNeighbours.
func (p *Packer) Pack(clicks []Click) []byte { return p.pack(clicks, false) }

// PackNeighbours is Pack for clicks of several links, with their offsets: those of a bucket or of a
// region.
func (p *Packer) PackNeighbours(clicks []Click) []byte { return p.pack(clicks, true) }

func (p *Packer) pack(clicks []Click, offsets bool) []byte {
	b := append(p.block[:0], version)
	b = binary.AppendUvarint(b, uint64(len(clicks)))
	columns := len(b)
	b = append(b, 0)
	if offsets {
		b = appendOffsets(b, columns, clicks)
	}
	if slices.ContainsFunc(clicks, func(c Click) bool { return c.of > 0 }) {
		b = p.packLinks(b, clicks)
		b[columns]++
	}
	for d := range terse.NumDimensions {
		if !AllDefault(clicks, d) {
			b = p.packColumn(b, d, clicks)
			b[columns]++
		}
	}
	if slices.ContainsFunc(clicks, func(c Click) bool { return c.First }) {
		b = appendFirsts(b, clicks)
		b[columns]++
	}
	p.block = appendTimes(b, clicks)
	return p.block
}

// appendOffsets appends the column of offsets, and counts it, unless all are 0.
func appendOffsets(b []byte, columns int, clicks []Click) []byte {
	all := uint16(0)
	for i := range clicks {
		all |= clicks[i].Link
	}
	if all == 0 {
		return b
	}
	width := 1
	if all > math.MaxUint8 {
		width = 2
	}
	b[columns]++
	b = binary.AppendUvarint(b, linkID)
	b = binary.AppendUvarint(b, uint64(width*len(clicks)))
	for i := range clicks {
		if b = append(b, byte(clicks[i].Link)); width == 2 {
			b = append(b, byte(clicks[i].Link>>8))
		}
	}
	return b
}

func appendFirsts(b []byte, clicks []Click) []byte {
	b = binary.AppendUvarint(b, firstID)
	size := indexSize(len(clicks), 1)
	b = binary.AppendUvarint(b, uint64(size))
	at := len(b)
	b = append(b, make([]byte, size)...)
	for i := range clicks {
		if clicks[i].First {
			b[at+i/8] |= 1 << (i % 8)
		}
	}
	return b
}

// AllDefault reports whether clicks have no other value of a dimension than the default.
func AllDefault(clicks []Click, d terse.Dimension) bool {
	for i := range clicks {
		if clicks[i].IDs[d] != defaultID {
			return false
		}
	}
	return true
}

func appendTimes(b []byte, clicks []Click) []byte {
	before := clicks[0].Time
	b = binary.AppendVarint(b, before)
	for i := range clicks[1:] {
		t := clicks[i+1].Time
		b = binary.AppendUvarint(b, uint64(t-before))
		before = t
	}
	return b
}

func (p *Packer) packColumn(b []byte, d terse.Dimension, clicks []Click) []byte {
	p.startDictionary()
	index, t := p.index[:0], &p.tables[d]
	for i := range clicks {
		index = append(index, p.place(t.entries, clicks[i].IDs[d]))
	}
	p.index = index
	size := uvarintLen(uint64(len(p.ids)))
	for _, id := range p.ids {
		size += len(t.packed.At(id))
	}
	width := placeBits(len(p.ids))
	b = binary.AppendUvarint(b, uint64(d.ID()))
	b = binary.AppendUvarint(b, uint64(size+indexSize(len(clicks), width)))
	b = binary.AppendUvarint(b, uint64(len(p.ids)))
	for _, id := range p.ids {
		b = append(b, t.packed.At(id)...)
	}
	return appendIndex(b, index, width)
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
func (p *Packer) place(entries []entry, id uint32) uint32 {
	e := &entries[id]
	if e.epoch != p.epoch {
		e.epoch, e.place = p.epoch, uint32(len(p.ids))
		p.ids = append(p.ids, id)
	}
	return e.place
}
