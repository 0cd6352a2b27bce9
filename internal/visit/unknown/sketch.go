package unknown

import (
	"slices"

	"terse"
)

// capacity is how many addresses a sketch counts at a time. All shards together count eight times
// as many codes, and twice as many aliases, as are kept per day, so that those are accurate.
const capacity = 512

// sketch counts codes or aliases in bounded memory (Metwally, Agrawal, El Abbadi, "Efficient
// Computation of Frequent and Top-k Elements in Data Streams", 2005). If there is no room, a new
// code replaces one with the lowest count and takes over that count, which is the bound of its
// error.
type sketch[K comparable] struct {
	day   terse.Day
	total int64
	used  int
	// Parallel arrays with an entry per code.
	codes  [capacity]K
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
func (s *sketch[K]) add(code K, hash uint64) {
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
func (s *sketch[K]) unlink(at int) {
	link := &s.first[s.chains[at]]
	for *link != int16(at+1) {
		link = &s.after[*link-1]
	}
	*link = s.after[at]
}

// leastOne returns the index of a code with the lowest count, in a full sketch. The caller
// increments that count, and counts never decrease, so one pass over all indexes finds each such
// code once.
func (s *sketch[K]) leastOne() int {
	for {
		for ; s.next < capacity; s.next++ {
			if s.counts[s.next] == s.least {
				return s.next
			}
		}
		s.next, s.least = 0, slices.Min(s.counts[:])
	}
}

// each calls f for all counts.
func (s *sketch[K]) each(f func(code K, count, over int64)) {
	for i := range s.used {
		f(s.codes[i], s.counts[i], s.errors[i])
	}
}

// rest returns the upper bound on the visits of a code that is not counted.
func (s *sketch[K]) rest() int64 {
	if s.used < capacity {
		return 0
	}
	return slices.Min(s.counts[:])
}
