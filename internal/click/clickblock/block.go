package clickblock

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"unicode/utf8"

	"terse"
)

// Click is a click, or a number of equal ones. Its IDs are valid in the Packer that made it.
type Click struct {
	Time int64 // microseconds since 1970
	// IDs holds the IDs of its values; at ByLink that of its link, 0 outside of an owner's blocks;
	// at byNumber that of the further clicks for which it stands, 0 if there are none.
	IDs [byNumber + 1]uint32
	// Offset is the offset of its link in a run; 0 in other blocks.
	Offset uint16
	// First marks a visitor's first click on the link and UTC day. The caller sets it, or Number.
	First bool
	// Untracked is set if only the day of the click may be kept. Blocks contain no such clicks.
	Untracked bool
}

// ByLink is the index of the link among the IDs of a click.
const ByLink = terse.NumDimensions

// byNumber is the index of the number among the IDs of a click.
const byNumber = ByLink + 1

// Packer makes clicks from a batch or from blocks, and packs them into blocks and counts. It must
// not be used concurrently.
type Packer struct {
	decoder
	tables [byNumber + 1]table
	batch  *terse.NumberedClicks
	idOf   [terse.NumDimensions][]uint32 // by number in the batch: ID + 1; 0: not looked up yet

	// Memory that is reused.
	ids     []uint32
	placeOf []uint32
	value   []byte
	column  []byte
	block   []byte
}

// NewPacker returns a Packer.
func NewPacker() *Packer {
	p := &Packer{}
	p.forget()
	return p
}

// Bounds of what a Packer keeps: the bytes of values and numbers, a quarter of them from one batch
// to the next, and the links, at about 25 bytes each.
const (
	maxKeptBytes = 4 << 20
	maxKeptLinks = 1 << 17
)

func (p *Packer) keptBytes() (n int) {
	for d := range terse.NumDimensions {
		n += p.tables[d].packed.Size()
	}
	return n + p.tables[byNumber].packed.Size()
}

// Full reports whether the Packer has reached its bounds. The caller should then finish with its
// clicks and call Reset.
func (p *Packer) Full() bool {
	return p.keptBytes() > maxKeptBytes || p.tables[ByLink].packed.Len() > maxKeptLinks
}

// Reset invalidates all clicks that were made so far.
func (p *Packer) Reset() {
	if p.keptBytes() > maxKeptBytes/4 || p.tables[ByLink].packed.Len() > maxKeptLinks {
		p.forget()
	}
}

func (p *Packer) forget() {
	p.tables[ByLink].reset(appendLink(nil, Link{}))
	p.tables[byNumber].reset(appendFurther(nil, further{}))
	for d := range terse.NumDimensions {
		p.tables[d].reset(packedDefault, packedOther, packedBot)
		clear(p.idOf[d])
	}
}

// Begin sets the batch from which New makes clicks.
func (p *Packer) Begin(batch *terse.NumberedClicks) {
	p.batch = batch
	for d := range terse.NumDimensions {
		_, end := batch.Numbers(d)
		p.idOf[d] = slices.Grow(p.idOf[d][:0], int(end))[:end]
		clear(p.idOf[d])
	}
}

// New makes a click from c, a click of the batch. offset is the offset of its link.
func (p *Packer) New(c *terse.NumberedClick, offset uint16) Click {
	click := Click{Time: c.Time, Offset: offset, Untracked: c.Untracked}
	for d, number := range c.Values {
		click.IDs[d] = p.id(terse.Dimension(d), number)
	}
	return click
}

// Make makes a click with the given values, other than derived ones. Values that are too long, or
// no UTF-8, count as unknown.
func (p *Packer) Make(at int64, values *terse.Values) Click {
	click := Click{Time: at}
	for _, d := range Stored {
		if text := values[d]; text != "" && len(text) <= terse.MaxValueBytes &&
			utf8.ValidString(text) {
			p.value = appendValue(p.value[:0], d, []byte(text))
			click.IDs[d] = p.tables[d].find(p.value)
		}
	}
	return click
}

// Bot reports whether c, a click of the batch, is by a bot.
func (p *Packer) Bot(c *terse.NumberedClick) bool {
	return p.id(terse.ByVisitor, c.Values[terse.ByVisitor]) == botID
}

// id returns the ID of a value of the batch.
func (p *Packer) id(d terse.Dimension, number uint32) uint32 {
	if id := p.idOf[d][number]; id > 0 {
		return id - 1
	}
	return p.lookUp(d, number)
}

// lookUp is id for a value that is met for the first time. A value that no answer could have is
// unknown: a journal may be damaged in a way that its checksums don't show.
func (p *Packer) lookUp(d terse.Dimension, number uint32) uint32 {
	id, text := uint32(defaultID), p.batch.Text(d, number)
	if len(text) <= terse.MaxValueBytes && utf8.Valid(text) {
		p.value = appendValue(p.value[:0], d, text)
		id = p.tables[d].find(p.value)
	}
	p.idOf[d][number] = id + 1
	return id
}

// Unpack appends the clicks of a block. If the block is damaged, it appends nothing and fails with
// ErrDamaged.
func (p *Packer) Unpack(clicks []Click, block []byte) ([]Click, error) {
	b, err := open(block)
	if err != nil {
		return clicks, err
	}
	times, err := p.readTimes(&b)
	if err != nil {
		return clicks, err
	}
	start := len(clicks)
	all := slices.Grow(clicks, b.n)[:start+b.n]
	added := all[start:]
	for i, t := range times {
		added[i] = Click{Time: t, Offset: b.offset(i), First: bit(b.firsts, i) == 1}
	}
	for _, d := range Stored {
		ids, places, err := p.readIDs(b.columns[d], b.n, (*reader).value, &p.tables[d])
		if err != nil {
			return clicks, err
		}
		for i, place := range places {
			added[i].IDs[d] = ids[place]
		}
	}
	ids, places, err := p.readIDs(b.links, b.n, (*reader).link, &p.tables[ByLink])
	if err != nil {
		return clicks, err
	}
	for i, place := range places {
		added[i].IDs[ByLink] = ids[place]
	}
	if b.numbers.b == nil { // as in most blocks
		return all, nil
	}
	ids, places, err = p.readIDs(b.numbers, b.n, (*reader).further, &p.tables[byNumber])
	if err != nil {
		return clicks, err
	}
	for i, place := range places {
		added[i].IDs[byNumber] = ids[place]
	}
	return all, nil
}

// readIDs is readColumn, but returns the IDs of the keys.
func (p *Packer) readIDs(column reader, n int, cut func(*reader) []byte, t *table) (
	ids []uint32, places []uint16, err error,
) {
	keys, places, err := p.readColumn(column, n, cut)
	p.ids = p.ids[:0]
	if err == nil {
		for _, key := range keys {
			p.ids = append(p.ids, t.find(key))
		}
	}
	return p.ids, places, err
}

// Bot reports whether a bot clicked. All other clicks are by people.
func (c *Click) Bot() bool { return c.IDs[terse.ByVisitor] == botID }

// Sort sorts clicks by time. Clicks of one instant have no order in a block.
func Sort(clicks []Click) {
	slices.SortFunc(clicks, func(a, b Click) int { return cmp.Compare(a.Time, b.Time) })
}

// Before returns how many of the sorted clicks are before a time.
func Before(clicks []Click, micros int64) int {
	n, _ := slices.BinarySearchFunc(clicks, micros, func(c Click, t int64) int {
		if c.Time < t {
			return -1
		}
		return 1 // also if equal, to find the first such click
	})
	return n
}

// Pack returns a block of 1 to MaxClicks sorted clicks of one link. It is valid until the next Pack
// or PackNeighbours.
func (p *Packer) Pack(clicks []Click) []byte { return p.pack(clicks, nil) }

// PackNeighbours is Pack for clicks of several links of a bucket or region. It also packs their
// offsets.
func (p *Packer) PackNeighbours(clicks []Click) []byte { return p.pack(clicks, p.offsets(clicks)) }

func (p *Packer) pack(clicks []Click, offsets []byte) []byte {
	b := append(p.block[:0], version)
	b = binary.AppendUvarint(b, uint64(len(clicks)))
	columns := len(b)
	b = append(b, 0)
	add := func(id uint8, column []byte) {
		if len(column) == 0 {
			return
		}
		b[columns]++
		b = binary.AppendUvarint(b, uint64(id))
		b = binary.AppendUvarint(b, uint64(len(column)))
		b = append(b, column...)
	}
	add(offsetID, offsets)
	add(linkID, p.dictionary(clicks, ByLink))
	for d := range terse.NumDimensions {
		add(d.ID(), p.dictionary(clicks, d))
	}
	add(firstID, p.firsts(clicks))
	if !AllDefault(clicks, byNumber) {
		b[0] = numbered
		add(numberID, p.dictionary(clicks, byNumber))
	}
	before := int64(0)
	for i := range clicks {
		if t := clicks[i].Time; i == 0 {
			b = binary.AppendVarint(b, t)
		} else {
			b = binary.AppendUvarint(b, uint64(t-before))
		}
		before = clicks[i].Time
	}
	p.block = b
	return b
}

// offsets returns the column of offsets. It is empty if all are 0: like other columns, it is left
// out if all clicks have the default.
func (p *Packer) offsets(clicks []Click) []byte {
	all := uint16(0)
	for i := range clicks {
		all |= clicks[i].Offset
	}
	b := p.column[:0]
	for i := range clicks {
		switch {
		case all > math.MaxUint8:
			b = binary.LittleEndian.AppendUint16(b, clicks[i].Offset)
		case all > 0:
			b = append(b, byte(clicks[i].Offset))
		}
	}
	p.column = b
	return b
}

// firsts returns the column of firsts.
func (p *Packer) firsts(clicks []Click) []byte {
	places, some := p.placeOf[:0], false
	for i := range clicks {
		place := uint32(0)
		if clicks[i].First {
			place, some = 1, true
		}
		places = append(places, place)
	}
	if p.placeOf = places; !some {
		return nil
	}
	p.column = appendIndex(p.column[:0], places, 1)
	return p.column
}

// dictionary returns the column of a dimension, of links or of numbers.
func (p *Packer) dictionary(clicks []Click, d terse.Dimension) []byte {
	ids, places := p.number(clicks, d)
	if len(ids) == 1 && ids[0] == defaultID {
		return nil
	}
	b := binary.AppendUvarint(p.column[:0], uint64(len(ids)))
	for _, id := range ids {
		b = append(b, p.tables[d].packed.At(id)...)
	}
	p.column = appendIndex(b, places, placeBits(len(ids)))
	return p.column
}

// number returns the distinct IDs of clicks, in the order of their first appearance, and the place
// of each click's ID among them. Both are valid until the next call.
func (p *Packer) number(clicks []Click, d terse.Dimension) (ids, places []uint32) {
	placeOf := p.tables[d].places
	ids, places = p.ids[:0], slices.Grow(p.placeOf[:0], len(clicks))[:len(clicks)]
	for i := range clicks {
		id := clicks[i].IDs[d]
		place := placeOf[id]
		if place == 0 {
			ids = append(ids, id)
			place = uint32(len(ids))
			placeOf[id] = place
		}
		places[i] = place - 1
	}
	for _, id := range ids {
		placeOf[id] = 0
	}
	p.ids, p.placeOf = ids, places
	return ids, places
}

// AllDefault reports whether all clicks have the default value of a dimension.
func AllDefault(clicks []Click, d terse.Dimension) bool {
	for i := range clicks {
		if clicks[i].IDs[d] != defaultID {
			return false
		}
	}
	return true
}
