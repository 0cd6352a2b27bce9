package unknown

import (
	"slices"

	"terse"
)

// capacity is how many codes a sketch counts at a time. All shards together count eight times as
// many codes as are kept per day, so that those are counted accurately.
const capacity = 512

// sketch counts codes in fixed memory (Metwally, Agrawal, El Abbadi, "Efficient Computation of
// Frequent and Top-k Elements in Data Streams", 2005). If there is no room, a new code replaces one
// with the lowest count and takes over that count, which is the bound of its error.
type sketch struct {
	day   terse.Day
	total int64
	used  int
	// Parallel arrays with an entry per code.
	codes  [capacity]terse.Code
	counts [capacity]int64
	errors [capacity]int64
	chains [capacity]int16 // the hash chain of each code
	// A chain links the codes whose hashes collide, by index plus one; zero is its end.
	first [numChains]int16
	after [capacity]int16
	// No count is below least, and none before next is as low as least.
	least int64
	next  int
}

// numChains is a power of two. A chain has half a code on average.
const numChains = 2 * capacity

// add counts a visit to a code.
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

// unlink removes a code's index from its chain.
func (s *sketch) unlink(at int) {
	link := &s.first[s.chains[at]]
	for *link != int16(at+1) {
		link = &s.after[*link-1]
	}
	*link = s.after[at]
}

// leastOne returns the index of a code with the lowest count, in a full sketch. The caller
// increments that count, and counts never decrease, so one pass over all indexes finds each such
// code once.
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

// appendTo adds the counts to u, which must have none of the codes.
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
