// Package linkset provides sets of links, which lists combine and count, and finds the links that
// come first in a list. It knows nothing about links except their IDs. It does no I/O.
//
// A million links with consecutive IDs take 250 KB.
package linkset

import (
	"math/bits"
	"slices"
	"sort"
)

// Links are counted in ranges of 1,024 IDs. A set is made of words of 64 IDs.
const (
	RangeBits = 10
	RangeSize = 1 << RangeBits

	wordBits = 6
	wordSize = 1 << wordBits
)

// Word is 64 consecutive IDs: bit i stands for the ID At*64 + i.
type Word struct {
	At   int64
	Bits uint64
}

// Set is a set of IDs. Its words are in order and not empty.
type Set []Word

// First returns the first ID that the word may have.
func (w Word) First() int64 { return w.At << wordBits }

// Of returns the set of IDs. It sorts ids.
func Of(ids []int64) (s Set) {
	slices.Sort(ids)
	for _, id := range ids {
		s = s.With(id)
	}
	return s
}

// OfRange returns all IDs of a range.
func OfRange(number int64) Set {
	all := make(Set, RangeSize/wordSize)
	for i := range all {
		all[i] = Word{number<<(RangeBits-wordBits) + int64(i), ^uint64(0)}
	}
	return all
}

// With adds an ID that is not below any ID of the set.
func (s Set) With(id int64) Set {
	at, bit := id>>wordBits, uint64(1)<<(id&(wordSize-1))
	if n := len(s); n > 0 && s[n-1].At == at {
		s[n-1].Bits |= bit
		return s
	}
	return append(s, Word{at, bit})
}

// And returns the IDs in both sets.
func (s Set) And(t Set) (both Set) {
	for _, w := range s {
		t = t.from(w.At)
		if len(t) > 0 && t[0].At == w.At && t[0].Bits&w.Bits != 0 {
			both = append(both, Word{w.At, t[0].Bits & w.Bits})
		}
	}
	return both
}

// Without returns the IDs in s but not in t.
func (s Set) Without(t Set) (rest Set) {
	if len(t) == 0 {
		return s
	}
	for _, w := range s {
		if t = t.from(w.At); len(t) > 0 && t[0].At == w.At {
			w.Bits &^= t[0].Bits
		}
		if w.Bits != 0 {
			rest = append(rest, w)
		}
	}
	return rest
}

// Or returns the IDs in s, t or both.
func (s Set) Or(t Set) Set {
	if len(s) == 0 {
		return t
	}
	if len(t) == 0 {
		return s
	}
	all := make(Set, 0, len(s)+len(t))
	for len(s) > 0 && len(t) > 0 {
		switch a, b := s[0], t[0]; {
		case a.At < b.At:
			all, s = append(all, a), s[1:]
		case b.At < a.At:
			all, t = append(all, b), t[1:]
		default:
			all, s, t = append(all, Word{a.At, a.Bits | b.Bits}), s[1:], t[1:]
		}
	}
	return append(append(all, s...), t...)
}

// from returns the words from a place on. It is meant for places nearby.
func (s Set) from(at int64) Set {
	for len(s) > 0 && s[0].At < at {
		s = s[1:]
	}
	return s
}

// find returns the index of the word of an ID, or the one where it would be.
func (s Set) find(id int64) int {
	return sort.Search(len(s), func(i int) bool { return s[i].At >= id>>wordBits })
}

// InRange returns the part of the set in the range with a number.
func (s Set) InRange(number int64) Set {
	return s.Between(number<<RangeBits, (number+1)<<RangeBits)
}

// Between returns the part of the set from one ID to another, which is not included. Both are
// multiples of 64.
func (s Set) Between(from, to int64) Set { return s[s.find(from):s.find(to)] }

// Has reports whether an ID is in the set.
func (s Set) Has(id int64) bool {
	i := s.find(id)
	return i < len(s) && s[i].At == id>>wordBits && s[i].Bits>>(id&(wordSize-1))&1 != 0
}

// Count returns the number of IDs.
func (s Set) Count() (n int64) {
	for _, w := range s {
		n += int64(bits.OnesCount64(w.Bits))
	}
	return n
}

// IDs returns all IDs, in order.
func (s Set) IDs() []int64 {
	ids := make([]int64, 0, s.Count())
	for _, w := range s {
		for rest := w.Bits; rest != 0; rest &= rest - 1 {
			ids = append(ids, w.At<<wordBits+int64(bits.TrailingZeros64(rest)))
		}
	}
	return ids
}
