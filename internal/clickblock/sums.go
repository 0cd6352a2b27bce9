package clickblock

import (
	"hash/maphash"
	"math"

	"terse"
)

// Sums are clicks by their values, of blocks and of counts, however many values there are. The
// caller goes over all clicks once for each pass: while values take too much memory, a pass counts
// a part of them only.
//
//	for sums.Begin() {
//		… AddPiece for all counts, then AddRest
//		… AddChosen for all blocks, then Fold
//	}
type Sums struct {
	audience Audience
	passes   int
	asked    [terse.NumDimensions]bool // and not known yet
	counting [terse.NumDimensions]bool // in this pass
	values   [terse.NumDimensions]valueSums
	bytes    int                      // that they take
	pieces   [terse.NumDimensions]Sum // of all pieces in this pass
	largest  [terse.NumDimensions]largest
	value    []byte
	visitors bool // are asked for by value
}

// Audience says whose clicks of counts are taken.
type Audience int

// The audiences.
const (
	Everyone Audience = iota
	OnlyPeople
	OnlyBots
)

// Of returns what of a Sum is taken. Bots are no visitors.
func (a Audience) Of(s Sum) Sum {
	switch a {
	case OnlyPeople:
		s.Clicks = s.People
	case OnlyBots:
		s = Sum{Clicks: s.Clicks - s.People}
	case Everyone:
	}
	return s
}

// maxPassBytes bounds what the values take that are counted in one pass. At the end of one, the
// values that are derived from them take as much again at most.
const maxPassBytes = 16 << 20

// NewSums returns Sums of what a query asks for.
func NewSums(q *terse.SeriesQuery, audience Audience) *Sums {
	s := &Sums{audience: audience, visitors: q.VisitorsBy}
	for d := range terse.NumDimensions {
		s.asked[d] = !q.Without[d]
		s.largest[d] = largest{most: MaxAnswerValues, byVisitors: q.VisitorsBy}
		if q.Limit > 0 {
			s.largest[d].most = min(q.Limit, MaxAnswerValues)
		}
	}
	return s
}

// Begin ends the pass before, and reports whether there has to be another one.
func (s *Sums) Begin() bool {
	if s.passes > 0 {
		s.end()
	}
	more := false
	for d := range terse.NumDimensions {
		_, isDerived := d.From()
		s.counting[d] = s.asked[d] && (s.passes > 0 || !isDerived)
		more = more || s.asked[d]
	}
	if s.passes == 0 { // at its end values are derived from these, if all fit
		for _, d := range derived {
			s.counting[d.from] = s.counting[d.from] || s.asked[d.of]
		}
	}
	s.passes++
	s.bytes, s.pieces = 0, [terse.NumDimensions]Sum{}
	return more || s.passes == 1
}

// end keeps the largest values of a pass.
func (s *Sums) end() {
	for _, d := range derived {
		if from := &s.values[d.from]; s.passes == 1 && s.asked[d.of] && !from.cut() {
			to := &s.values[d.of]
			for id, sum := range from.sums {
				to.add(s.derive(d, from.packed.At(uint32(id))), sum)
			}
			s.counting[d.of] = true
		}
	}
	var text []byte
	for d := range terse.NumDimensions {
		v := &s.values[d]
		if s.asked[d] && s.counting[d] {
			for id, sum := range v.sums {
				if sum.Clicks > 0 {
					text = appendUnpacked(text[:0], d, v.packed.At(uint32(id)))
					s.largest[d].add(text, sum)
				}
			}
			s.asked[d] = v.cut()
		}
		v.next(fill * maxPassBytes / float64(max(s.bytes, 1)))
	}
}

// derive returns the packed value that is derived from one. It is valid until the next call.
func (s *Sums) derive(d derivation, packed []byte) []byte {
	s.value = appendValue(s.value[:0], d.of, []byte(d.value(unpackValue(d.from, packed))))
	return s.value
}

// Needs reports whether the counts of a stored dimension are needed in this pass.
func (s *Sums) Needs(d terse.Dimension) bool {
	needs := s.counting[d]
	for _, other := range derived {
		needs = needs || other.from == d && s.counting[other.of]
	}
	return needs
}

// add adds clicks with a packed value of a stored dimension.
func (s *Sums) add(d terse.Dimension, packed []byte, sum Sum) {
	if s.counting[d] {
		s.addTo(d, packed, sum)
	}
	for _, other := range derived {
		if other.from == d && s.counting[other.of] {
			s.addTo(other.of, s.derive(other, packed), sum)
		}
	}
}

func (s *Sums) addTo(d terse.Dimension, packed []byte, sum Sum) {
	s.bytes += s.values[d].add(packed, sum)
	for s.bytes > maxPassBytes {
		most := &s.values[0]
		for i := range s.values {
			if s.values[i].bytes > most.bytes {
				most = &s.values[i]
			}
		}
		before := most.bytes
		most.halve()
		s.bytes += most.bytes - before
	}
}

// AddChosen adds the chosen clicks of a block.
func (s *Sums) AddChosen(from *Selector) error {
	people, err := s.peopleOf(from)
	if err != nil {
		return err
	}
	for _, d := range stored {
		if !s.Needs(d) {
			continue
		}
		err := from.eachValue(d, people, func(packed []byte, sum Sum) { s.add(d, packed, sum) })
		if err != nil {
			return err
		}
	}
	return nil
}

// peopleOf returns which clicks of a block are firsts, if that is asked for.
func (s *Sums) peopleOf(from *Selector) (*People, error) {
	if !s.visitors {
		return nil, nil
	}
	people, err := from.People(false)
	return &people, err
}

// eachValue calls f for the values of the chosen clicks, with their sums: of clicks only unless
// people are given.
func (s *Selector) eachValue(d terse.Dimension, people *People, f func([]byte, Sum)) error {
	part := s.block.columns[d]
	if part.b == nil {
		f(packedDefault, s.Sum(people))
		return nil
	}
	sums, ok := s.sumBy(&part, people)
	if !ok {
		return ErrDamaged
	}
	for _, sum := range sums {
		if packed := part.value(); sum.Clicks > 0 && !part.bad {
			f(packed, sum)
		}
	}
	part.end()
	return damagedUnless(!part.bad)
}

// AddPiece adds a piece of the counts of a dimension.
func (s *Sums) AddPiece(d terse.Dimension, piece []byte) error {
	r := reader{b: piece}
	for r.version(); r.at < len(r.b); {
		packed, sum := r.value(), r.sum()
		if r.bad {
			break
		}
		s.pieces[d].Add(sum)
		s.add(d, packed, s.audience.Of(sum))
	}
	return damagedUnless(!r.bad)
}

// AddRest adds what no piece has of the counts with a sum: clicks with defaults. It comes after all
// pieces.
func (s *Sums) AddRest(of Sum) error {
	for _, d := range stored {
		if !s.Needs(d) {
			continue
		}
		rest := of
		rest.Add(Sum{-s.pieces[d].Clicks, -s.pieces[d].People, -s.pieces[d].Firsts})
		if min(rest.Clicks, rest.People, rest.Clicks-rest.People, rest.Firsts) < 0 {
			return ErrDamaged
		}
		s.add(d, packedDefault, s.audience.Of(rest))
	}
	return nil
}

// By returns the clicks and, if they were asked for, the visitors by value, when there are no more
// passes.
func (s *Sums) By() (clicks, visitors [terse.NumDimensions]map[string]int64) {
	trimAll(s.largest[:])
	for d := range s.largest {
		clicks[d], visitors[d] = s.largest[d].counts()
	}
	return clicks, visitors
}

// valueSums are the values of a dimension whose hashes are in a range, with their sums.
type valueSums struct {
	packed terse.Texts
	sums   []Sum // by number
	bytes  int
	first  uint64 // hash
	until  uint64 // the hash that the next pass begins with; 0: all the rest are in
}

var hashSeed = maphash.MakeSeed()

// valueBytes is what a value takes beside its own bytes.
const valueBytes = 40

// add adds clicks with a value, and returns how many bytes more it takes.
func (v *valueSums) add(packed []byte, s Sum) (bytes int) {
	if !v.has(packed) {
		return 0
	}
	id, ok := v.packed.Number(packed, math.MaxInt)
	if !ok {
		return 0
	}
	if int(id) == len(v.sums) {
		v.sums = append(v.sums, Sum{})
		bytes = valueBytes + len(packed)
		v.bytes += bytes
	}
	v.sums[id].Add(s)
	return bytes
}

// cut reports whether some values are left for another pass.
func (v *valueSums) cut() bool { return v.until > 0 }

// has reports whether the hash of a value is in the range.
func (v *valueSums) has(packed []byte) bool {
	if v.first == 0 && v.until == 0 {
		return true
	}
	hash := maphash.Bytes(hashSeed, packed)
	return hash >= v.first && (v.until == 0 || hash < v.until)
}

// halve leaves half of the values for the next pass.
func (v *valueSums) halve() {
	last := v.until - 1 // of 0, too
	half := valueSums{first: v.first, until: v.first + (last-v.first)/2 + 1}
	for id, sum := range v.sums {
		half.add(v.packed.At(uint32(id)), sum)
	}
	*v = half
}

// fill is how much of its room a pass is to take: values are halved where they take more.
const fill = 0.9

// next begins with the values of the next pass: of those that are left so many times as many as in
// this one.
func (v *valueSums) next(times float64) {
	width := float64(v.until-v.first) * times
	v.first, v.until = v.until, 0
	if v.first > 0 && width < float64(math.MaxUint64-v.first) {
		v.until = v.first + max(uint64(width), 1)
	}
	v.packed.Reset()
	v.sums, v.bytes = v.sums[:0], 0
}
