package clickblock

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"terse"
)

// Sum is how many clicks there are, how many of them are of people, and how many are firsts.
type Sum struct{ Clicks, People, Firsts int64 }

// Add adds another Sum.
func (s *Sum) Add(other Sum) {
	s.Clicks += other.Clicks
	s.People += other.People
	s.Firsts += other.Firsts
}

// SumOf returns the Sum of some clicks.
func SumOf(clicks []Click) (s Sum) {
	for i := range clicks {
		s.Add(clicks[i].sum())
	}
	return s
}

func (c *Click) sum() Sum {
	s := Sum{Clicks: 1}
	if !c.Bot() {
		s.People = 1
	}
	if c.First {
		s.Firsts = 1
	}
	return s
}

// appendSum appends a Sum: its clicks, those of bots, and its firsts.
func appendSum(b []byte, s Sum) []byte {
	b = binary.AppendUvarint(b, uint64(s.Clicks))
	b = binary.AppendUvarint(b, uint64(s.Clicks-s.People))
	return binary.AppendUvarint(b, uint64(s.Firsts))
}

// sum returns the next Sum.
func (r *reader) sum() (s Sum) {
	s.Clicks = int64(r.uvarint(math.MaxInt64 / 2))
	s.People = s.Clicks - int64(r.uvarint(uint64(s.Clicks)))
	s.Firsts = int64(r.uvarint(uint64(s.Clicks)))
	return s
}

// Head are the counts of a day or month without regard to values.
type Head struct {
	Sum
	Last int64 // the time of the last click, of dropped ones only
	Days []DaySum
}

// DaySum are the clicks of a day, in the Head of its month.
type DaySum struct {
	Day terse.Day
	Sum
}

// maxDays bounds the days of a month.
const maxDays = 31

// Append appends the Head as a row.
func (h *Head) Append(b []byte) []byte {
	b = appendSum(append(b, version), h.Sum)
	b = binary.AppendVarint(b, h.Last)
	b = binary.AppendUvarint(b, uint64(len(h.Days)))
	for _, day := range h.Days {
		b = appendSum(binary.AppendUvarint(b, uint64(day.Day)), day.Sum)
	}
	return b
}

// ParseHead is the reverse of Append. It fails with ErrDamaged.
func ParseHead(row []byte) (h Head, err error) {
	r := reader{b: row}
	r.version()
	h.Sum = r.sum()
	last := r.uvarint(math.MaxUint64)
	h.Last = int64(last>>1) ^ -int64(last&1)
	for range r.uvarint(maxDays) {
		day := DaySum{Day: terse.Day(r.uvarint(math.MaxInt32))}
		day.Sum = r.sum()
		h.Days = append(h.Days, day)
	}
	r.end()
	return h, damagedUnless(!r.bad)
}

// Bounds of the values of a dimension in the counts of a day; terse.Dimension.MaxValues is another.
const (
	// MaxDayBytes bounds the bytes of the values' texts.
	MaxDayBytes = 256 << 10
	// maxPiece bounds a row of counts.
	maxPiece = 64 << 10
)

// Count returns the counts of a dimension on a day (no pieces for none yet) with the day's clicks
// added, in pieces of at most 64 KiB. Values that no longer fit the bounds of a day become
// terse.OtherValue, in the counts and in the clicks, so that both keep agreeing. What counts do not
// have is of the dimension's default. The pieces are the caller's.
func (p *Packer) Count(d terse.Dimension, pieces [][]byte, clicks []Click) ([][]byte, error) {
	if err := p.startCounts(d, pieces); err != nil {
		return nil, err
	}
	t := &p.tables[d]
	values, bytes := d.MaxValues(), MaxDayBytes
	for _, id := range p.ids {
		if id > OtherID {
			values, bytes = values-1, bytes-textLen(t.packed.At(id))
		}
	}
	for i := range clicks {
		id := clicks[i].IDs[d]
		if t.entries[id].epoch != p.epoch && id > OtherID {
			n := textLen(t.packed.At(id))
			if values > 0 && n <= bytes {
				values, bytes = values-1, bytes-n
			} else {
				id = OtherID
				clicks[i].IDs[d] = id
			}
		}
		p.count(d, id, clicks[i].sum())
	}
	return p.pieces(d), nil
}

// Merge returns the counts of a dimension over several days, from the pieces of all of them.
func (p *Packer) Merge(d terse.Dimension, pieces [][]byte) ([][]byte, error) {
	if err := p.startCounts(d, pieces); err != nil {
		return nil, err
	}
	return p.pieces(d), nil
}

// startCounts starts the sums of a dimension with those of pieces.
func (p *Packer) startCounts(d terse.Dimension, pieces [][]byte) error {
	p.startDictionary()
	p.tally = p.tally[:0]
	for _, piece := range pieces {
		r := reader{b: piece}
		for r.version(); r.at < len(r.b); {
			value := r.value()
			sum := r.sum()
			if r.bad {
				break
			}
			p.count(d, p.tables[d].find(value), sum)
		}
		if r.bad {
			return ErrDamaged
		}
	}
	return nil
}

func (p *Packer) count(d terse.Dimension, id uint32, s Sum) {
	place := int(p.place(p.tables[d].entries, id))
	if place == len(p.tally) {
		p.tally = append(p.tally, Sum{})
	}
	p.tally[place].Add(s)
}

// pieces packs the sums that were counted, in the order of their packed values.
func (p *Packer) pieces(d terse.Dimension) (pieces [][]byte) {
	t := &p.tables[d]
	slices.SortFunc(p.ids,
		func(x, y uint32) int { return bytes.Compare(t.packed.At(x), t.packed.At(y)) })
	b := p.counts[:0]
	for _, id := range p.ids {
		if id == defaultID {
			continue
		}
		if len(b) > maxPiece-terse.MaxValueBytes-sumBytes {
			pieces, b = append(pieces, slices.Clone(b)), b[:0]
		}
		if len(b) == 0 {
			b = append(b, version)
		}
		b = appendSum(append(b, t.packed.At(id)...), p.tally[t.entries[id].place])
	}
	if p.counts = b; len(b) > 0 {
		pieces = append(pieces, slices.Clone(b))
	}
	return pieces
}

// sumBytes bounds a packed Sum and the head of a packed value.
const sumBytes = 3*binary.MaxVarintLen64 + binary.MaxVarintLen64

// CountLinks returns the counts of an owner's day by link (no pieces for none yet) with clicks
// added: what Count is for a dimension.
func (p *Packer) CountLinks(pieces [][]byte, clicks []Click) ([][]byte, error) {
	sums := map[Link]Sum{}
	err := EachLink(pieces, func(l Link, s Sum) { sums[l] = s })
	if err != nil {
		return nil, err
	}
	for i := range clicks {
		if link := p.LinkOf(&clicks[i]); link != (Link{}) {
			sum := sums[link]
			sum.Add(clicks[i].sum())
			sums[link] = sum
		}
	}
	var rows [][]byte
	var b []byte
	for _, link := range slices.SortedFunc(maps.Keys(sums), func(x, y Link) int {
		return cmp.Or(cmp.Compare(x.ID, y.ID), cmp.Compare(x.Era, y.Era))
	}) {
		if len(b) > maxPiece-2*sumBytes {
			rows, b = append(rows, b), nil
		}
		if len(b) == 0 {
			b = append(b, version)
		}
		b = appendSum(appendLink(b, link), sums[link])
	}
	if len(b) > 0 {
		rows = append(rows, b)
	}
	return rows, nil
}

// EachLink calls f for each link of an owner's counts by link.
func EachLink(pieces [][]byte, f func(Link, Sum)) error {
	for _, piece := range pieces {
		r := reader{b: piece}
		for r.version(); r.at < len(r.b); {
			link := r.link()
			if sum := r.sum(); !r.bad {
				f(link, sum)
			}
		}
		if r.bad {
			return ErrDamaged
		}
	}
	return nil
}
