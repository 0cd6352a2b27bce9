package sqlite

import (
	"math/bits"
	"math/rand/v2"
	"sync/atomic"

	"terse"
)

// codeFilter is a set of codes that never denies one that was added, and takes fewer than one in a hundred others
// for a member: a Bloom filter whose bits of one code all lie in one cache line, one in each of its eight words.
// Any number of goroutines may ask and add at the same time.
type codeFilter struct {
	seed1, seed2 uint64 // so that nobody can choose codes that pass for members
	blocks       []codeBlock
	room         atomic.Int64 // for so many more codes; when it is used up more and more others pass
}

type codeBlock [8]atomic.Uint64

// A filter is made with newBits for each code that there is, and is full with fullBits for each. That takes 19 MB for
// 10,000,000 links; 0.1 % pass falsely when it is new, 0.8 % when it is full, which it is with a third more.
const (
	newBits  = 15
	fullBits = 11
	minCodes = 1000
)

const blockBits = 512

func newCodeFilter(codes int64) *codeFilter {
	n := max(codes, minCodes)*newBits/blockBits + 1
	f := &codeFilter{seed1: rand.Uint64(), seed2: rand.Uint64(), blocks: make([]codeBlock, n)}
	f.room.Store(n * blockBits / fullBits)
	return f
}

// place returns a code's block, and a hash of which 6 bits each choose the bits in its words.
func (f *codeFilter) place(code terse.Code) (*codeBlock, uint64) {
	hi, lo := code.Pack()
	a, b := bits.Mul64(lo^f.seed1, hi^f.seed2)
	a, b = bits.Mul64(a^b^f.seed2, 0x9E3779B97F4A7C15)
	hash := a ^ b
	at, _ := bits.Mul64(hash, uint64(len(f.blocks)))
	a, b = bits.Mul64(hash^f.seed1, 0xD6E8FEB86659FD93)
	return &f.blocks[at], a ^ b
}

// add adds a code, and tells whether the filter is full from now on.
func (f *codeFilter) add(code terse.Code) (full bool) {
	block, which := f.place(code)
	for i := range block {
		block[i].Or(1 << (which & 63))
		which >>= 6
	}
	return f.room.Add(-1) == 0
}

// has tells whether a code may have been added.
func (f *codeFilter) has(code terse.Code) bool {
	block, which := f.place(code)
	for i := range block {
		if block[i].Load()&(1<<(which&63)) == 0 {
			return false
		}
		which >>= 6
	}
	return true
}
