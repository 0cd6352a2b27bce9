package clickblock

import (
	"hash/maphash"
	"math"
	"slices"

	"terse"
)

// Sums counts clicks by value, from blocks and counts. Its memory is bounded, however many values
// there are: if they do not fit, a pass counts only part of them, and the caller reads all clicks
// again for each further pass.
//
//	for first := true; first || sums.Next(); first = false {
//		… AddPiece for all counts, then AddRest
//		… AddChosen for all blocks, then MoveToOther
//	}
type Sums struct {
	audience Audience
	visitors bool                                            // count visitors by value, too
	asked    [terse.NumDimensions]bool                       // asked for and not complete yet
	values   [terse.NumDimensions]sumsOf                     // of this pass
	bytes    int                                             // memory of values
	pieces   [terse.NumDimensions]Sum                        // of all AddPiece calls of this pass
	largest  largest                                         // of earlier passes
	derive   [terse.NumDimensions]func(packed []byte) []byte // from a stored value
}

// Audience is whose clicks count.
type Audience int

// The audiences.
const (
	Everyone Audience = iota
	OnlyPeople
	OnlyBots
)

// Of returns the part of a Sum that counts for the audience. Bots are not visitors.
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

// maxPassBytes bounds the memory of the values of one pass.
const maxPassBytes = 16 << 20

// NewSums returns empty Sums for a query.
func NewSums(q *terse.SeriesQuery, audience Audience) *Sums {
	s := &Sums{audience: audience, visitors: q.VisitorsBy}
	s.largest = largest{most: maxAnswerValues, byVisitors: q.VisitorsBy}
	if q.Limit > 0 {
		s.largest.most = min(q.Limit, maxAnswerValues)
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

// Next ends a pass, and reports whether another one is needed.
func (s *Sums) Next() bool {
	for d := range terse.NumDimensions {
		if !s.asked[d] {
			continue
		}
		v := &s.values[d]
		for id, sum := range v.sums {
			if sum.Clicks > 0 || s.visitors && sum.Firsts > 0 {
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

// Needs reports whether this pass needs the counts of a stored dimension.
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
	people, err := from.People(s.visitors, false)
	if err != nil {
		return err
	}
	for _, d := range Stored {
		if !s.Needs(d) {
			continue
		}
		err := from.eachSum(from.block.columns[d], (*reader).value, people,
			func(packed []byte, sum Sum) { s.add(d, from.counted(d, packed), sum) })
		if err != nil {
			return err
		}
	}
	return nil
}

// MoveToOther moves the chosen clicks of a block, which were added before, to terse.OtherValue if
// there is no room for their values.
func (s *Sums) MoveToOther(from *Selector, room *Room) error {
	people, err := from.People(s.visitors, false)
	if err != nil {
		return err
	}
	keys, places, err := from.readColumn(from.block.columns[room.of], from.block.n, (*reader).value)
	if err != nil {
		return err
	}
	for _, i := range from.chosen {
		if packed := keys[places[i]]; !room.admit(packed) {
			sum, less := people.Of(i), Sum{}
			less.Sub(sum)
			s.add(room.of, packedOther, sum)
			s.add(room.of, packed, less)
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

// AddRest adds the clicks with default values, which pieces leave out. of is the Sum of all counts.
// Call it after all AddPiece calls of the pass.
func (s *Sums) AddRest(of Sum) error {
	for _, d := range Stored {
		if !s.Needs(d) {
			continue
		}
		rest := of
		rest.Sub(s.pieces[d])
		if rest.negative() {
			return ErrDamaged
		}
		s.add(d, packedDefault, s.audience.Of(rest))
	}
	return nil
}

// Roomy reports whether the values of this pass fit the bounds of a single day. Then the values of
// every day do.
func (s *Sums) Roomy(d terse.Dimension) bool {
	v := &s.values[d]
	if !s.asked[d] || !v.whole() || len(v.sums) > d.MaxValues() {
		return false
	}
	bytes := 0
	for id := range v.sums {
		bytes += textLen(v.packed.At(uint32(id)))
	}
	return bytes <= terse.MaxDayBytes
}

// By returns clicks by value and, if asked for, visitors by value. Call it after the last pass.
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

// sumsOf holds the Sums of a dimension's values whose hashes are in a range.
type sumsOf struct {
	packed      terse.Texts
	sums        []Sum // by number
	bytes       int
	first, last uint64 // hashes, both included
}

var hashSeed = maphash.MakeSeed()

// valueOverhead is the approximate memory of a value beside its bytes.
const valueOverhead = 40

// add adds clicks with a value, and returns how many bytes of memory that adds.
func (v *sumsOf) add(packed []byte, s Sum) (bytes int) {
	if !v.whole() {
		if hash := maphash.Bytes(hashSeed, packed); hash < v.first || hash > v.last {
			return 0
		}
	}
	id, _ := v.packed.Number(packed, math.MaxInt) // there are fewer than Texts can number
	if int(id) == len(v.sums) {
		v.sums = append(v.sums, Sum{})
		bytes = valueOverhead + len(packed)
		v.bytes += bytes
	}
	v.sums[id].Add(s)
	return bytes
}

// whole reports whether the range includes all hashes.
func (v *sumsOf) whole() bool { return v.first == 0 && v.last == math.MaxUint64 }

// halve leaves the upper half of the range to later passes, and returns how many bytes that frees.
func (v *sumsOf) halve() int {
	half := sumsOf{first: v.first, last: v.first + (v.last-v.first)/2}
	for id, sum := range v.sums {
		half.add(v.packed.At(uint32(id)), sum)
	}
	less := v.bytes - half.bytes
	*v = half
	return less
}

// next moves on to the values that earlier passes left.
func (v *sumsOf) next() {
	v.first, v.last = v.last+1, math.MaxUint64
	v.packed.Reset()
	v.sums, v.bytes = v.sums[:0], 0
}
