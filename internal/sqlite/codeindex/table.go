package codeindex

import (
	"math/bits"
	"math/rand/v2"
	"sync/atomic"

	"terse"
)

// table is a hash table with linear probing. It never denies a code that was added, and takes fewer
// than one in a million others for one that was, until a larger table is wanted.
//
// A slot has idBits of the ID and above them a fingerprint, bits of the code's hash; zero is free.
// Codes with the same fingerprint share a slot, which has the highest ID: that of a code that was
// deleted and chosen again is the right one.
type table struct {
	seed1, seed2 uint64 // so that nobody can choose codes that share slots
	slots        []atomic.Uint64
	used         atomic.Int64 // slots
	full         int64        // used slots from which on a larger table is wanted
	most         int64        // used slots at which nothing more is added, and nothing is denied
}

const (
	idBits    = 40 // the ID of a link beyond the first 10^12 is not kept
	slotBytes = 8
)

// A table is made with 12 bytes for each code that there is. A code is then found in two probes,
// and denied in five. With a fifth more codes it takes three and thirteen, and the table is full.
const (
	codesPerSlot = 2.0 / 3
	fullSlots    = 0.8
	mostSlots    = 0.95
	minCodes     = 1000
)

// maxTableBytes bounds a table, for the sake of small machines: enough for 20 million links. While
// a larger one is built there are two of them, and the garbage collector keeps as much in reserve.
const maxTableBytes = 256 << 20

// tableBytes returns what a table for so many codes takes.
func tableBytes(codes int64) int64 {
	return int64(float64(max(codes, minCodes))/codesPerSlot) * slotBytes
}

func newTable(codes int64) *table {
	n := tableBytes(codes) / slotBytes
	return &table{
		seed1: rand.Uint64(), seed2: rand.Uint64(), slots: make([]atomic.Uint64, n),
		full: int64(float64(n) * fullSlots), most: int64(float64(n) * mostSlots),
	}
}

// locate returns the slot at which a code is looked for first, and its fingerprint, shifted to
// where a slot has it.
func (t *table) locate(code terse.Code) (slot int, fingerprint uint64) {
	hi, lo := code.Pack()
	a, b := bits.Mul64(lo^t.seed1, hi^t.seed2)
	a, b = bits.Mul64(a^b^t.seed2, 0x9E3779B97F4A7C15)
	hash := a ^ b
	home, _ := bits.Mul64(hash, uint64(len(t.slots)))
	return int(home), max(hash<<idBits, 1<<idBits)
}

func (t *table) next(slot int) int {
	if slot++; slot < len(t.slots) {
		return slot
	}
	return 0
}

// add adds a code, and reports whether a larger table is wanted from now on.
func (t *table) add(code terse.Code, id terse.LinkID) (full bool) {
	i, slot := t.locate(code)
	if 0 < id && id < 1<<idBits {
		slot |= uint64(id)
	}
	for ; ; i = t.next(i) {
		s := &t.slots[i]
		for old := s.Load(); old == 0 || old>>idBits == slot>>idBits; old = s.Load() {
			if old >= slot || old == 0 && t.used.Load() >= t.most {
				return false
			}
			if s.CompareAndSwap(old, slot) {
				return old == 0 && t.used.Add(1) == t.full
			}
		}
	}
}

// find reports whether a code may have been added, and its link's ID, 0 when that is not known.
func (t *table) find(code terse.Code) (id terse.LinkID, found bool) {
	if t.used.Load() >= t.most {
		return 0, true
	}
	i, fingerprint := t.locate(code)
	for ; ; i = t.next(i) {
		switch slot := t.slots[i].Load(); {
		case slot == 0:
			return 0, false
		case slot>>idBits == fingerprint>>idBits:
			return terse.LinkID(slot & (1<<idBits - 1)), true
		}
	}
}
