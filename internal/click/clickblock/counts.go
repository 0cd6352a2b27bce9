package clickblock

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"terse"
)

// Sum is a number of clicks, how many of them are by people, and how many are firsts. A dropped day
// may have more firsts than clicks, for visitors whose single clicks are not known to be firsts.
type Sum struct{ Clicks, People, Firsts int64 }

// Add adds another Sum.
func (s *Sum) Add(other Sum) {
	s.Clicks += other.Clicks
	s.People += other.People
	s.Firsts += other.Firsts
}

// Sub subtracts another Sum.
func (s *Sum) Sub(other Sum) {
	s.Clicks -= other.Clicks
	s.People -= other.People
	s.Firsts -= other.Firsts
}

// negative reports whether the Sum is invalid: more was subtracted than there was.
func (s *Sum) negative() bool { return min(s.Clicks, s.People, s.Clicks-s.People, s.Firsts) < 0 }

// SumOf returns the Sum of clicks.
func (p *Packer) SumOf(clicks []Click) (s Sum) {
	for i := range clicks {
		s.Add(p.sum(&clicks[i]))
	}
	return s
}

func (p *Packer) sum(c *Click) Sum {
	s := Sum{Clicks: 1}
	if c.First {
		s.Firsts = 1
	}
	if id := c.IDs[byNumber]; id != defaultID {
		more := p.further(id)
		s.Clicks, s.Firsts = s.Clicks+more.clicks, s.Firsts+more.firsts
	}
	if !c.Bot() {
		s.People = s.Clicks
	}
	return s
}

// appendSum appends a Sum: its clicks, its clicks by bots, and its firsts.
func appendSum(b []byte, s Sum) []byte {
	b = binary.AppendUvarint(b, uint64(s.Clicks))
	b = binary.AppendUvarint(b, uint64(s.Clicks-s.People))
	return binary.AppendUvarint(b, uint64(s.Firsts))
}

// sum returns the next Sum.
func (r *reader) sum() (s Sum) {
	s.Clicks = int64(r.uvarint(math.MaxInt64 / 2))
	s.People = s.Clicks - int64(r.uvarint(uint64(s.Clicks)))
	s.Firsts = int64(r.uvarint(math.MaxInt64 / 2))
	return s
}

// Head counts the clicks of a day or month, whatever their values.
type Head struct {
	Sum
	Last   int64    // of a dropped day: the time of its last click
	Blocks int64    // of a counted day: the number of its blocks
	Days   []DaySum // of a month
}

// DaySum is the Sum of a day, in the Head of its month.
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

// ParseHead is the reverse of Append. It fails with ErrDamaged if the bytes are not a valid Head.
func ParseHead(row []byte) (h Head, err error) {
	r := reader{b: row}
	r.version()
	h.Sum = r.sum()
	h.Last = r.varint()
	h.Blocks = int64(r.uvarint(math.MaxInt64))
	for range r.uvarint(maxDays) {
		day := DaySum{Day: terse.Day(r.uvarint(math.MaxInt32))}
		day.Sum = r.sum()
		h.Days = append(h.Days, day)
	}
	r.end()
	return h, damagedUnless(!r.bad)
}

// maxPiece bounds a piece, which is a row of counts, in bytes.
const maxPiece = 64 << 10

// countReader reads the pieces of counts by value or by link, key by key.
type countReader struct {
	pieces [][]byte
	cut    func(*reader) []byte // reader.value or reader.link
	reader
	key []byte // nil: at the end
	sum Sum
}

func readCounts(pieces [][]byte, cut func(*reader) []byte) *countReader {
	r := &countReader{pieces: pieces, cut: cut}
	r.next()
	return r
}

// next moves to the next key.
func (r *countReader) next() {
	for !r.bad && r.at == len(r.b) {
		if len(r.pieces) == 0 {
			r.key = nil
			return
		}
		r.reader, r.pieces = reader{b: r.pieces[0]}, r.pieces[1:]
		r.version()
	}
	r.key = r.cut(&r.reader)
	if r.sum = r.reader.sum(); r.bad {
		r.key = nil
	}
}

// eachCount calls f for each key of counts.
func eachCount(pieces [][]byte, cut func(*reader) []byte, f func(key []byte, sum Sum)) error {
	r := readCounts(pieces, cut)
	for ; r.key != nil; r.next() {
		f(r.key, r.sum)
	}
	return damagedUnless(!r.bad)
}

// EachValue calls f for each value of a dimension's counts.
func EachValue(d terse.Dimension, pieces [][]byte, f func(value string, sum Sum)) error {
	return eachCount(pieces, (*reader).value, func(packed []byte, sum Sum) {
		f(unpackValue(d, packed), sum)
	})
}

// EachLink calls f for each link of an owner's counts by link.
func EachLink(pieces [][]byte, f func(Link, Sum)) error {
	return eachCount(pieces, (*reader).link, func(packed []byte, sum Sum) {
		f(unpackLink(packed), sum)
	})
}

// countWriter packs counts into pieces. Its caller adds them in the order of their keys.
type countWriter struct {
	pieces [][]byte
	piece  []byte
}

// sumBytes bounds a packed Sum.
const sumBytes = 3 * binary.MaxVarintLen64

func (w *countWriter) add(key []byte, sum Sum) {
	if len(w.piece)+len(key)+sumBytes > maxPiece {
		w.end()
	}
	if len(w.piece) == 0 {
		w.piece = append(w.piece, version)
	}
	w.piece = appendSum(append(w.piece, key...), sum)
}

func (w *countWriter) end() [][]byte {
	if len(w.piece) > 0 {
		w.pieces, w.piece = append(w.pieces, w.piece), nil
	}
	return w.pieces
}

// Merge adds the counts of a dimension on two days.
func Merge(a, b [][]byte) ([][]byte, error) {
	return merge(a, b, (*reader).value, (*Sum).Add)
}

// Subtract subtracts counts of a dimension from others. The result leaves out values without
// clicks. It fails with ErrDamaged if a result is negative.
func Subtract(all, some [][]byte) ([][]byte, error) {
	return merge(all, some, (*reader).value, (*Sum).Sub)
}

// merge joins the Sums of b to the Sums of a with join, which adds or subtracts them.
func merge(a, b [][]byte, cut func(*reader) []byte, join func(to *Sum, other Sum)) (
	[][]byte, error,
) {
	x, y := readCounts(a, cut), readCounts(b, cut)
	var w countWriter
	for x.key != nil || y.key != nil {
		order := bytes.Compare(x.key, y.key)
		if x.key == nil || y.key == nil {
			order = -order // the end comes last
		}
		key, sum := x.key, Sum{}
		if order <= 0 {
			sum = x.sum
			x.next()
		}
		if order >= 0 {
			key = y.key
			join(&sum, y.sum)
			y.next()
		}
		if sum.negative() {
			return nil, ErrDamaged
		}
		if sum != (Sum{}) {
			w.add(key, sum)
		}
	}
	return w.end(), damagedUnless(!x.bad && !y.bad)
}

// Count adds clicks of a day to the pieces of its counts by a dimension, and returns the new
// pieces, of at most 64 KiB each. Values that exceed the bounds of a day become terse.OtherValue,
// in the counts and in the clicks, so that both agree. beside are other counts of that day, which
// share its bounds. Counts leave out the dimension's default value.
func (p *Packer) Count(d terse.Dimension, pieces, beside [][]byte, clicks []Click) (
	[][]byte, error,
) {
	room := NewRoom(d)
	if err := room.Admit(slices.Concat(pieces, beside)...); err != nil {
		return nil, err
	}
	t := &p.tables[d]
	ids, places := p.number(clicks, d)
	for place, id := range ids { // first come, first served
		if !room.admit(t.packed.At(id)) {
			ids[place] = otherID
		}
	}
	byPlace := make([]Sum, len(ids))
	for i := range clicks {
		clicks[i].IDs[d] = ids[places[i]]
		byPlace[places[i]].Add(p.sum(&clicks[i]))
	}
	sums := map[string]Sum{}
	for place, id := range ids {
		if id != defaultID {
			packed := t.packed.At(id)
			sum := sums[string(packed)]
			sum.Add(byPlace[place])
			sums[string(packed)] = sum
		}
	}
	return addSums(pieces, (*reader).value, sums)
}

// Share returns the part of a day's counts by a dimension that some of its clicks make up. A click
// counts as its value, or as terse.OtherValue if the counts lack that value, or clicks of it.
func (p *Packer) Share(d terse.Dimension, pieces [][]byte, clicks []Click) ([][]byte, error) {
	has := map[string]Sum{}
	err := eachCount(pieces, (*reader).value, func(packed []byte, sum Sum) {
		has[string(packed)] = sum
	})
	if err != nil {
		return nil, err
	}
	ids, places := p.number(clicks, d)
	sums := make([]Sum, len(ids))
	for i := range clicks {
		sums[places[i]].Add(p.sum(&clicks[i]))
	}
	share, other := map[string]Sum{}, Sum{}
	for place, id := range ids {
		switch id {
		case defaultID:
		case otherID:
			other.Add(sums[place])
		default:
			packed := p.tables[d].packed.At(id)
			some := inBoth(sums[place], has[string(packed)])
			sums[place].Sub(some)
			if other.Add(sums[place]); some != (Sum{}) {
				share[string(packed)] = some
			}
		}
	}
	if other != (Sum{}) {
		share[string(packedOther)] = other
	}
	return packSums(share), nil
}

// inBoth returns what two sums have in common.
func inBoth(s, has Sum) Sum {
	bots := min(s.Clicks-s.People, has.Clicks-has.People)
	people := min(s.People, has.People)
	return Sum{people + bots, people, min(s.Firsts, has.Firsts)}
}

// Values returns how many different values of a dimension some clicks have.
func (p *Packer) Values(d terse.Dimension, clicks []Click, some []int) (n int) {
	seen := p.tables[d].places
	for _, i := range some {
		if id := clicks[i].IDs[d]; seen[id] == 0 {
			seen[id], n = 1, n+1
		}
	}
	for _, i := range some {
		seen[clicks[i].IDs[d]] = 0
	}
	return n
}

// Fold sets the values of some clicks for which a room has no place to terse.OtherValue. The room
// does not change.
func (p *Packer) Fold(room *Room, clicks []Click, some []int) {
	t := &p.tables[room.of]
	for _, i := range some {
		id := &clicks[i].IDs[room.of]
		if packed := t.packed.At(*id); !room.has(packed) && !room.fits(textLen(packed)) {
			*id = otherID
		}
	}
}

// CountLinks is Count for an owner's counts by link. Their only bound is the number of links.
func (p *Packer) CountLinks(pieces [][]byte, clicks []Click) ([][]byte, error) {
	sums := map[string]Sum{}
	for i := range clicks {
		if link := clicks[i].IDs[ByLink]; link != defaultID {
			packed := p.tables[ByLink].packed.At(link)
			sum := sums[string(packed)]
			sum.Add(p.sum(&clicks[i]))
			sums[string(packed)] = sum
		}
	}
	return addSums(pieces, (*reader).link, sums)
}

// addSums adds Sums, by key, to the pieces of counts.
func addSums(pieces [][]byte, cut func(*reader) []byte, sums map[string]Sum) ([][]byte, error) {
	return merge(pieces, packSums(sums), cut, (*Sum).Add)
}

func packSums(sums map[string]Sum) [][]byte {
	var w countWriter
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		w.add([]byte(key), sums[key])
	}
	return w.end()
}
