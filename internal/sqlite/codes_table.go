package sqlite

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"terse"
)

// codeTable tells the ID of a code's link. It never denies a code that was added, and takes fewer
// than one in a million others for one that was, until a larger table is wanted. An ID is a hint:
// the row tells whether it has the code. Any number of goroutines may ask and add at the same time.
//
// The slots are probed one after the other. One has idBits of the ID and above them a fingerprint,
// bits of the code's hash; zero is free. Codes that meet in a fingerprint share a slot, which has
// the highest ID: that of a code that was deleted and chosen anew is the right one.
type codeTable struct {
	seed1, seed2 uint64 // so that nobody can choose codes that pass for members, or share slots
	slots        []atomic.Uint64
	used         atomic.Int64 // slots
	room         int64        // slots that may be used before a larger table is wanted
	// slots that may be used at all; then it knows nothing, and denies nothing
	most int64
}

const (
	idBits    = 40 // the ID of a link beyond the first 10^12 is not told
	slotBytes = 8
)

// A table is made with 12 bytes for each code that there is, in which it takes two probes to find
// one and five to find that there is none, next to each other. With a fifth more it takes three and
// thirteen, and a larger table is wanted.
const (
	codesPerSlots = 2.0 / 3
	fullSlots     = 0.8
	mostSlots     = 0.95
	minCodes      = 1000
)

// maxTableBytes bounds the tables, so that they don't take a small machine's memory: enough for 40
// million links. With more of them there is none, and all codes are looked up in the index.
const maxTableBytes = 512 << 20

// tableBytes returns what a table for so many codes takes.
func tableBytes(codes int64) int64 {
	return int64(float64(max(codes, minCodes))/codesPerSlots) * slotBytes
}

// newCodeTable makes a table outside the garbage collector's heap, which would keep as much again
// in reserve for it.
func newCodeTable(codes int64) (*codeTable, error) {
	memory, err := unix.Mmap(-1, 0, int(tableBytes(codes)), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("reserve memory for %d codes: %w", codes, err)
	}
	n := len(memory) / slotBytes
	t := &codeTable{
		seed1: rand.Uint64(), seed2: rand.Uint64(),
		slots: unsafe.Slice((*atomic.Uint64)(unsafe.Pointer(unsafe.SliceData(memory))), n),
		room:  int64(float64(n) * fullSlots), most: int64(float64(n) * mostSlots),
	}
	runtime.AddCleanup(t, func(memory []byte) { _ = unix.Munmap(memory) }, memory)
	return t, nil
}

func (t *codeTable) bytes() int64 { return int64(len(t.slots)) * slotBytes }

// place returns the slot at which a code is looked for first, and its fingerprint, at its place in
// a slot.
func (t *codeTable) place(code terse.Code) (at int, fingerprint uint64) {
	hi, lo := code.Pack()
	a, b := bits.Mul64(lo^t.seed1, hi^t.seed2)
	a, b = bits.Mul64(a^b^t.seed2, 0x9E3779B97F4A7C15)
	hash := a ^ b
	home, _ := bits.Mul64(hash, uint64(len(t.slots)))
	return int(home), max(hash<<idBits, 1<<idBits)
}

func (t *codeTable) next(at int) int {
	if at++; at < len(t.slots) {
		return at
	}
	return 0
}

// add adds a code, and tells whether a larger table is wanted from now on.
func (t *codeTable) add(code terse.Code, id terse.LinkID) (full bool) {
	defer runtime.KeepAlive(t) // and its memory
	at, slot := t.place(code)
	if 0 < id && id < 1<<idBits {
		slot |= uint64(id)
	}
	for ; ; at = t.next(at) {
		s := &t.slots[at]
		for old := s.Load(); old == 0 || old>>idBits == slot>>idBits; old = s.Load() {
			if old >= slot || old == 0 && t.used.Load() >= t.most {
				return false
			}
			if s.CompareAndSwap(old, slot) {
				return old == 0 && t.used.Add(1) == t.room
			}
		}
	}
}

// find tells whether a code may have been added, and then its link's ID, 0 when that is not known.
func (t *codeTable) find(code terse.Code) (id terse.LinkID, found bool) {
	defer runtime.KeepAlive(t) // and its memory
	if t.used.Load() >= t.most {
		return 0, true
	}
	at, fingerprint := t.place(code)
	for ; ; at = t.next(at) {
		switch slot := t.slots[at].Load(); {
		case slot == 0:
			return 0, false
		case slot>>idBits == fingerprint>>idBits:
			return terse.LinkID(slot & (1<<idBits - 1)), true
		}
	}
}
