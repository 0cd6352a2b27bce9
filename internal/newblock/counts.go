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
	// Blocks is how many blocks a counted day has: the number of its next one.
	Blocks int64
	Days   []DaySum // of a month
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
	b = binary.AppendUvarint(b, uint64(h.Blocks))
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
	h.Blocks = int64(r.uvarint(math.MaxInt64))
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

// names reads the values of pieces, in their order.
type names struct {
	pieces [][]byte
	reader
}

// next returns the next value and its Sum; nil at the end.
func (n *names) next() (value []byte, sum Sum) {
	for !n.bad && n.at == len(n.b) {
		if len(n.pieces) == 0 {
			return nil, Sum{}
		}
		n.reader, n.pieces = reader{b: n.pieces[0]}, n.pieces[1:]
		n.version()
	}
	value = n.value()
	sum = n.sum()
	if n.bad {
		return nil, Sum{}
	}
	return value, sum
}

// pieceWriter packs values in their order into pieces.
type pieceWriter struct {
	pieces [][]byte
	b      []byte
}

func (w *pieceWriter) add(value []byte, sum Sum) {
	if len(w.b) > 0 && len(w.b)+len(value)+sumBytes > maxPiece {
		w.pieces, w.b = append(w.pieces, w.b), nil
	}
	if len(w.b) == 0 {
		w.b = append(w.b, version)
	}
	w.b = appendSum(append(w.b, value...), sum)
}

func (w *pieceWriter) end() [][]byte {
	if len(w.b) > 0 {
		w.pieces = append(w.pieces, w.b)
	}
	return w.pieces
}

// Merge adds up the pieces of a dimension's counts on two days.
func Merge(a, b [][]byte) ([][]byte, error) {
	x, y := names{pieces: a}, names{pieces: b}
	var w pieceWriter
	xv, xs := x.next()
	yv, ys := y.next()
	for xv != nil || yv != nil {
		order := bytes.Compare(xv, yv)
		switch {
		case yv == nil || xv != nil && order < 0:
			w.add(xv, xs)
			xv, xs = x.next()
		case xv == nil || order > 0:
			w.add(yv, ys)
			yv, ys = y.next()
		default:
			xs.Add(ys)
			w.add(xv, xs)
			xv, xs = x.next()
			yv, ys = y.next()
		}
	}
	return w.end(), damagedUnless(!x.bad && !y.bad)
}

// Subtract takes the pieces of a dimension's counts off those of more clicks. Values of which
// nothing is left are gone. It fails with ErrDamaged where there is not that much to take off.
func Subtract(all, some [][]byte) ([][]byte, error) {
	x, y := names{pieces: all}, names{pieces: some}
	var w pieceWriter
	yv, ys := y.next()
	for xv, xs := x.next(); xv != nil; xv, xs = x.next() {
		if yv != nil && bytes.Equal(xv, yv) {
			xs.Add(Sum{-ys.Clicks, -ys.People, -ys.Firsts})
			yv, ys = y.next()
		}
		if min(xs.Clicks, xs.People, xs.Clicks-xs.People, xs.Firsts) < 0 {
			return nil, ErrDamaged
		}
		if xs.Clicks > 0 {
			w.add(xv, xs)
		}
	}
	return w.end(), damagedUnless(!x.bad && !y.bad && yv == nil)
}

// Count returns the counts of a dimension on a day (no pieces for none yet) with the day's clicks
// added, in pieces of at most 64 KiB. Values that no longer fit the bounds of a day become
// terse.OtherValue, in the counts and in the clicks, so that both keep agreeing. What counts do not
// have is of the dimension's default. The pieces are the caller's.
func (p *Packer) Count(d terse.Dimension, pieces [][]byte, clicks []Click) ([][]byte, error) {
	t := &p.tables[d]
	p.startDictionary()
	p.tally = p.tally[:0]
	for i := range clicks {
		place := int(p.place(t.entries, clicks[i].IDs[d]))
		if place == len(p.tally) {
			p.tally = append(p.tally, Sum{})
		}
		p.tally[place].Add(clicks[i].sum())
	}
	sorted := slices.Clone(p.ids)
	slices.SortFunc(sorted,
		func(x, y uint32) int { return bytes.Compare(t.packed.At(x), t.packed.At(y)) })
	folded, err := p.fold(d, pieces, sorted)
	if err != nil {
		return nil, err
	}
	other := Sum{}
	for id := range folded {
		other.Add(p.tally[t.entries[id].place])
	}
	if len(folded) > 0 {
		for i := range clicks {
			if folded[clicks[i].IDs[d]] {
				clicks[i].IDs[d] = OtherID
			}
		}
	}
	var w pieceWriter
	for _, id := range sorted {
		if id > OtherID && !folded[id] {
			w.add(t.packed.At(id), p.tally[t.entries[id].place])
		}
	}
	added := w.end()
	if t.entries[OtherID].epoch == p.epoch {
		other.Add(p.tally[t.entries[OtherID].place])
	}
	if other.Clicks > 0 {
		var w pieceWriter
		w.add(t.packed.At(OtherID), other)
		if added, err = Merge(added, w.end()); err != nil {
			return nil, err
		}
	}
	return Merge(pieces, added)
}

// fold returns which values, of those that are in the dictionary being made, no longer fit into the
// counts of a day. sorted are the values in their order.
func (p *Packer) fold(d terse.Dimension, pieces [][]byte, sorted []uint32) (
	folded map[uint32]bool, err error,
) {
	t := &p.tables[d]
	values, bytesLeft := d.MaxValues(), MaxDayBytes
	known := map[uint32]bool{}
	n := names{pieces: pieces}
	for value, _ := n.next(); value != nil; value, _ = n.next() {
		for len(sorted) > 0 && bytes.Compare(t.packed.At(sorted[0]), value) < 0 {
			sorted = sorted[1:]
		}
		if len(sorted) > 0 && bytes.Equal(t.packed.At(sorted[0]), value) {
			known[sorted[0]] = true
		}
		if !bytes.Equal(value, t.packed.At(OtherID)) {
			values, bytesLeft = values-1, bytesLeft-textLen(value)
		}
	}
	for _, id := range p.ids { // those that came first are taken first
		if id <= OtherID || known[id] {
			continue
		}
		if n := textLen(t.packed.At(id)); values > 0 && n <= bytesLeft {
			values, bytesLeft = values-1, bytesLeft-n
			continue
		}
		if folded == nil {
			folded = map[uint32]bool{}
		}
		folded[id] = true
	}
	return folded, damagedUnless(!n.bad)
}

// sumBytes bounds a packed Sum and the head of a packed value.
const sumBytes = 3*binary.MaxVarintLen64 + binary.MaxVarintLen64

// CountLinks returns the counts of an owner's day by link (no pieces for none yet) with clicks
// added: what Count is for a dimension.
func (p *Packer) CountLinks(pieces [][]byte, clicks []Click) ([][]byte, error) {
	sums := map[Link]Sum{}
	for i := range clicks {
		if link := p.LinkOf(&clicks[i]); link != (Link{}) {
			sum := sums[link]
			sum.Add(clicks[i].sum())
			sums[link] = sum
		}
	}
	added := slices.SortedFunc(maps.Keys(sums), Link.compare)
	var w linkWriter
	err := EachLink(pieces, func(l Link, s Sum) {
		for ; len(added) > 0 && added[0].compare(l) <= 0; added = added[1:] {
			if added[0] == l {
				s.Add(sums[l])
			} else {
				w.add(added[0], sums[added[0]])
			}
		}
		w.add(l, s)
	})
	for _, l := range added {
		w.add(l, sums[l])
	}
	return w.end(), err
}

// linkWriter packs links in their order into pieces.
type linkWriter struct{ pieceWriter }

func (w *linkWriter) add(l Link, s Sum) {
	if len(w.b) > 0 && len(w.b)+2*sumBytes > maxPiece {
		w.pieces, w.b = append(w.pieces, w.b), nil
	}
	if len(w.b) == 0 {
		w.b = append(w.b, version)
	}
	w.b = appendSum(appendLink(w.b, l), s)
}

func (l Link) compare(other Link) int {
	return cmp.Or(cmp.Compare(l.ID, other.ID), cmp.Compare(l.Era, other.Era))
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

// EachValue calls f for each value of a dimension's counts.
func EachValue(d terse.Dimension, pieces [][]byte, f func(value string, sum Sum)) error {
	n := names{pieces: pieces}
	for value, sum := n.next(); value != nil; value, sum = n.next() {
		f(unpackValue(d, value), sum)
	}
	return damagedUnless(!n.bad)
}
