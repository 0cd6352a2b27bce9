package unknown

import (
	"slices"

	"terse"
)

// capacity is how many codes a sketch counts at a time. All shards together count eight times as
// many as are kept of a day, so that those are counted well.
const capacity = 512

// sketch counts codes in memory that does not grow (Metwally, Agrawal, El Abbadi, "Efficient
// Computation of Frequent and Top-k Elements in Data Streams", 2005). A code that finds no room
// takes the place of one with the least count, and its count, which is how wrong it may be.
type sketch struct {
	day   terse.Day
	total int64
	used  int
	// What belongs to a code is at one place of each.
	codes  [capacity]terse.Code
	counts [capacity]int64
	errors [capacity]int64
	chains [capacity]int16 // each code's
	// A chain are the places of codes with some hashes, as numbers from one on; zero is its end.
	first [numChains]int16
	after [capacity]int16
	// No count is less than least. At places before next, none is as little.
	least int64
	next  int
}

// numChains is a power of two. Chains have half a code on average.
const numChains = 2 * capacity

// add counts a code.
func (s *sketch) add(code terse.Code, hash uint64) {
	s.total++
	chain := hash % numChains
	for at := s.first[chain]; at != 0; at = s.after[at-1] {
		if s.codes[at-1] == code {
			s.counts[at-1]++
			return
		}
	}
	at := s.used
	if at < capacity {
		s.used++
	} else {
		at = s.leastOne()
		s.unlink(at)
		s.errors[at] = s.counts[at]
	}
	s.codes[at], s.chains[at] = code, int16(chain)
	s.counts[at]++
	s.after[at], s.first[chain] = s.first[chain], int16(at+1)
}

// unlink takes a place out of its chain.
func (s *sketch) unlink(at int) {
	link := &s.first[s.chains[at]]
	for *link != int16(at+1) {
		link = &s.after[*link-1]
	}
	*link = s.after[at]
}

// leastOne returns a place with the least count of a sketch that is full. The count there is about
// to grow, and counts never become less, so a walk through all places finds each such place once.
func (s *sketch) leastOne() int {
	for {
		for ; s.next < capacity; s.next++ {
			if s.counts[s.next] == s.least {
				return s.next
			}
		}
		s.next, s.least = 0, slices.Min(s.counts[:])
	}
}

// appendTo adds what was counted to u, which has none of the codes.
func (s *sketch) appendTo(u *terse.UnknownCodes) {
	u.Total += s.total
	for i := range s.used {
		u.Codes = append(u.Codes, terse.UnknownCode{
			Code: s.codes[i], Count: s.counts[i], Error: s.errors[i],
		})
	}
	if s.used == capacity {
		u.Rest = max(u.Rest, slices.Min(s.counts[:]))
	}
}
