package clickblock

import (
	"encoding/binary"
	"math"

	"terse"
)

// openedCounts are counts that were cut into their columns.
type openedCounts struct {
	total, firsts int64
	columns       [terse.NumDimensions]reader // without bytes where all have the default value
	days          reader                      // of a month
}

// openCounts cuts counts. It looks into no column of values.
func openCounts(counts []byte) (c openedCounts, ok bool) {
	r := reader{b: counts}
	c.total = int64(r.header(counting, math.MaxInt64/2))
	for range r.uvarint(maxDimensions) {
		id, d, part, known := r.column()
		r.bad = r.bad || part.bad
		switch {
		case known:
			r.bad = r.bad || c.columns[d].b != nil
			c.columns[d] = part
		case id == firstID:
			c.firsts = part.number(uint64(c.total))
			r.bad = r.bad || part.bad
		case id == daysID:
			c.days = part
		}
	}
	r.end()
	return c, !r.bad
}

// Count returns a day's counts (nil for none yet) with the day's clicks added. Values that are new
// after the first MaxValues of their dimension become terse.OtherValue, in the counts and in the
// clicks, so that both keep agreeing. The result is valid until the next Count; it is ErrDamaged
// when the bytes are no counts.
func (p *Packer) Count(counts []byte, clicks []Click) ([]byte, error) {
	var before openedCounts
	if counts != nil {
		var ok bool
		if before, ok = openCounts(counts); !ok {
			return nil, ErrDamaged
		}
	}
	b := append(p.counts[:0], counting)
	b = binary.AppendUvarint(b, uint64(before.total)+uint64(len(clicks)))
	columns := len(b)
	b = append(b, 0)
	for d := range terse.NumDimensions {
		if before.columns[d].b == nil && allDefault(clicks, d) {
			continue
		}
		if !p.countBefore(d, &before.columns[d], before.total) {
			return nil, ErrDamaged
		}
		p.countClicks(d, clicks)
		b = p.appendCounts(b, d)
		b[columns]++
	}
	if firsts := before.firsts + countFirsts(clicks); firsts > 0 {
		b = appendNumber(b, firstID, uint64(firsts))
		b[columns]++
	}
	p.counts = b
	return b, nil
}

// appendNumber appends a column that is nothing but a number.
func appendNumber(b []byte, id, number uint64) []byte {
	b = binary.AppendUvarint(b, id)
	b = binary.AppendUvarint(b, uint64(uvarintLen(number)))
	return binary.AppendUvarint(b, number)
}

func countFirsts(clicks []Click) (firsts int64) {
	for i := range clicks {
		if clicks[i].First {
			firsts++
		}
	}
	return firsts
}

// countBefore starts the sums of a dimension with the stored ones.
func (p *Packer) countBefore(d terse.Dimension, part *reader, total int64) bool {
	p.startDictionary()
	p.tally = p.tally[:0]
	if part.b == nil {
		if total > 0 {
			p.count(d, defaultID, total)
		}
		return true
	}
	for id, n := range part.counted(d, &p.tables[d]) {
		p.count(d, id, n)
		total -= n
	}
	return !part.bad && total == 0
}

// sortedGuesses bounds how many values of counts are tried before one is looked up by its hash:
// they are in an order, but a day of a link with few clicks lacks some of those that its other days
// have.
const sortedGuesses = 32

// counted yields the values of a dimension of counts by their IDs. The caller must look at
// bad afterwards.
func (r *reader) counted(d terse.Dimension, t *table) func(yield func(uint32, int64) bool) {
	return func(yield func(uint32, int64) bool) {
		values := r.uvarint(maxCounted(d))
		for range values {
			id := t.next(r, sortedGuesses)
			n := r.uvarint(math.MaxInt64 / 2)
			if r.bad || !yield(id, int64(n)) {
				return
			}
		}
		r.end()
	}
}

// maxCounted bounds the values of counts: MaxValues, unknown and other.
func maxCounted(d terse.Dimension) uint64 { return uint64(d.MaxValues()) + 2 }

func (p *Packer) count(d terse.Dimension, id uint32, n int64) {
	place := int(p.place(p.tables[d].entries, id))
	if place == len(p.tally) {
		p.tally = append(p.tally, 0)
	}
	p.tally[place] += n
}

func (p *Packer) countClicks(d terse.Dimension, clicks []Click) {
	entries := p.tables[d].entries
	// Unknown and other are no values, so they are not among the first ones either.
	room := d.MaxValues() - len(p.ids)
	for _, id := range []uint32{defaultID, OtherID} {
		if entries[id].epoch == p.epoch {
			room++
		}
	}
	for i := range clicks {
		id := clicks[i].IDs[d]
		if entries[id].epoch != p.epoch && id > OtherID {
			if room <= 0 {
				id = OtherID
				clicks[i].IDs[d] = id
			}
			room--
		}
		p.count(d, id, 1)
	}
}

func (p *Packer) appendCounts(b []byte, d terse.Dimension) []byte {
	t := &p.tables[d]
	t.sort(p.ids)
	size := uvarintLen(uint64(len(p.ids)))
	for _, id := range p.ids {
		size += len(t.packed.At(id)) + uvarintLen(uint64(p.tally[t.entries[id].place]))
	}
	b = binary.AppendUvarint(b, uint64(d.ID()))
	b = binary.AppendUvarint(b, uint64(size))
	b = binary.AppendUvarint(b, uint64(len(p.ids)))
	for _, id := range p.ids {
		b = append(b, t.packed.At(id)...)
		b = binary.AppendUvarint(b, uint64(p.tally[t.entries[id].place]))
	}
	return b
}
