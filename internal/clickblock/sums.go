package clickblock

import (
	"hash/maphash"
	"math"
	"slices"

	"terse"
)

// Sums are clicks by their values, of blocks and of counts, however many values there are. The
// caller goes over all clicks once for each pass: while values take too much memory, a pass counts
// a part of them only.
//
//	for first := true; first || sums.Next(); first = false {
//		… AddPiece for all counts, then AddRest
//		… AddChosen for all blocks, then Fold
//	}
type Sums struct {
	audience Audience
	visitors bool                                            // are asked for by value
	asked    [terse.NumDimensions]bool                       // and not known yet
	values   [terse.NumDimensions]sumsOf                     // of this pass
	bytes    int                                             // that they take
	pieces   [terse.NumDimensions]Sum                        // of all pieces in this pass
	largest  largest                                         // of the passes before
	derive   [terse.NumDimensions]func(packed []byte) []byte // from what is stored
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

// maxPassBytes bounds what the values take that are counted in one pass.
const maxPassBytes = 16 << 20

// NewSums returns Sums of what a query asks for.
func NewSums(q *terse.SeriesQuery, audience Audience) *Sums {
	s := &Sums{audience: audience, visitors: q.VisitorsBy}
	s.largest = largest{most: MaxAnswerValues, byVisitors: q.VisitorsBy}
	if q.Limit > 0 {
		s.largest.most = min(q.Limit, MaxAnswerValues)
	}
	for d := range terse.NumDimensions {
		s.asked[d] = !q.Without[d]
		s.values[d].last = math.MaxUint64
	}
	for _, d := range derived {
		s.derive[d.of] = remember(func(packed []byte) []byte {
			return appendValue(nil, d.of, []byte(d.value(unpackValue(d.from, packed))))
		})
	}
	return s
}

// Next ends a pass, and reports whether there has to be another one.
func (s *Sums) Next() bool {
	for d := range terse.NumDimensions {
		if !s.asked[d] {
			continue
		}
		v := &s.values[d]
		for id, sum := range v.sums {
			if sum.Clicks > 0 {
				s.largest.add(d, unpackValue(d, v.packed.At(uint32(id))), sum)
			}
		}
		s.asked[d] = v.last < math.MaxUint64
		v.next()
	}
	s.largest.trim()
	s.bytes, s.pieces = 0, [terse.NumDimensions]Sum{}
	return slices.Contains(s.asked[:], true)
}

// Needs reports whether the counts of a stored dimension are needed in this pass.
func (s *Sums) Needs(d terse.Dimension) bool {
	needs := s.asked[d]
	for _, other := range derived {
		needs = needs || other.from == d && s.asked[other.of]
	}
	return needs
}

// add adds clicks with a packed value of a stored dimension.
func (s *Sums) add(d terse.Dimension, packed []byte, sum Sum) {
	if s.asked[d] {
		s.addTo(d, packed, sum)
	}
	for _, other := range derived {
		if other.from == d && s.asked[other.of] {
			s.addTo(other.of, s.derive[other.of](packed), sum)
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
		s.bytes -= most.halve()
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
		err := from.eachSum(from.block.columns[d], (*reader).value, people,
			func(packed []byte, sum Sum) { s.add(d, packed, sum) })
		if err != nil {
			return err
		}
	}
	return nil
}

// peopleOf returns which clicks of a block are firsts, if that is asked for.
func (s *Sums) peopleOf(from *Selector) (People, error) {
	if !s.visitors {
		return People{}, nil
	}
	return from.People(false)
}

// Fold moves the chosen clicks of a block, which were added, to terse.OtherValue where there is no
// room for their values.
func (s *Sums) Fold(from *Selector, room *Room) error {
	people, err := s.peopleOf(from)
	if err != nil {
		return err
	}
	keys, places, err := from.readColumn(from.block.columns[room.of], from.block.n, (*reader).value)
	if err != nil {
		return err
	}
	for _, i := range from.chosen {
		if packed := keys[places[i]]; !room.take(packed) {
			sum := people.Of(i)
			s.add(room.of, packedOther, sum)
			s.add(room.of, packed, Sum{-sum.Clicks, -sum.People, -sum.Firsts})
		}
	}
	return nil
}

// AddPiece adds a piece of the counts of a dimension.
func (s *Sums) AddPiece(d terse.Dimension, piece []byte) error {
	return eachCount([][]byte{piece}, (*reader).value, func(packed []byte, sum Sum) {
		s.pieces[d].Add(sum)
		s.add(d, packed, s.audience.Of(sum))
	})
}

// AddRest adds what no piece has of the counts with a sum: clicks with defaults. It comes after all
// pieces.
func (s *Sums) AddRest(of Sum) error {
	for _, d := range stored {
		if !s.Needs(d) {
			continue
		}
		rest, known := of, s.pieces[d]
		rest.Add(Sum{-known.Clicks, -known.People, -known.Firsts})
		if rest.negative() {
			return ErrDamaged
		}
		s.add(d, packedDefault, s.audience.Of(rest))
	}
	return nil
}

// Roomy reports whether it can be told from the values of all clicks in this pass that those of no
// day are too many.
func (s *Sums) Roomy(d terse.Dimension) bool {
	v := &s.values[d]
	if !s.asked[d] || !v.whole() || len(v.sums) > d.MaxValues() {
		return false
	}
	bytes := 0
	for id := range v.sums {
		bytes += textLen(v.packed.At(uint32(id)))
	}
	return bytes <= MaxDayBytes
}

// By returns the clicks and, if they were asked for, the visitors by value, when there are no more
// passes.
func (s *Sums) By() (clicks, visitors [terse.NumDimensions]map[string]int64) {
	sums := s.largest.sums()
	for d := range sums {
		clicks[d] = make(map[string]int64, len(sums[d]))
		if s.visitors {
			visitors[d] = make(map[string]int64, len(sums[d]))
		}
		for text, sum := range sums[d] {
			clicks[d][text] = sum.Clicks
			if s.visitors {
				visitors[d][text] = sum.Firsts
			}
		}
	}
	return clicks, visitors
}

// sumsOf are the values of a dimension whose hashes are in a range, with their sums.
type sumsOf struct {
	packed      terse.Texts
	sums        []Sum // by number
	bytes       int
	first, last uint64 // hashes, both included
}

var hashSeed = maphash.MakeSeed()

// valueBytes is what a value takes beside its own bytes.
const valueBytes = 40

// add adds clicks with a value, and returns how many bytes more it takes.
func (v *sumsOf) add(packed []byte, s Sum) (bytes int) {
	if !v.whole() {
		if hash := maphash.Bytes(hashSeed, packed); hash < v.first || hash > v.last {
			return 0
		}
	}
	id, _ := v.packed.Number(packed, math.MaxInt) // there are fewer than Texts can number
	if int(id) == len(v.sums) {
		v.sums = append(v.sums, Sum{})
		bytes = valueBytes + len(packed)
		v.bytes += bytes
	}
	v.sums[id].Add(s)
	return bytes
}

// whole reports whether the range has all hashes.
func (v *sumsOf) whole() bool { return v.first == 0 && v.last == math.MaxUint64 }

// halve leaves half of the values for later passes, and returns how many bytes less it takes.
func (v *sumsOf) halve() int {
	half := sumsOf{first: v.first, last: v.first + (v.last-v.first)/2}
	for id, sum := range v.sums {
		half.add(v.packed.At(uint32(id)), sum)
	}
	less := v.bytes - half.bytes
	*v = half
	return less
}

// next goes on with the values that are left.
func (v *sumsOf) next() {
	v.first, v.last = v.last+1, math.MaxUint64
	v.packed.Reset()
	v.sums, v.bytes = v.sums[:0], 0
}
