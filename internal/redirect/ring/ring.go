// Package ring provides a cache of bytes by short code, in a ring of memory that the garbage
// collector does not manage. Package redirect says what it is made for.
package ring

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"terse"
)

// Cache holds a value by code in memory outside the garbage collector's heap, which would keep
// as much again in reserve. A look-up touches two places in memory, the slot and the record, where
// a general cache of this size touches four or five; on a hit that is most of what a cache costs.
// The oldest records make room for new ones. A Cache is made once and lives as long as the
// process.
type Cache struct {
	seed1, seed2 uint64 // secret: codes that share a slot could be chosen
	// epoch counts the calls of Invalidate. A record of an earlier epoch is stale. At one call a
	// second a record would have to lie untouched for 136 years to meet its number again.
	epoch  atomic.Uint32
	shards [tableShards]shard
}

// Version is what a Cache knew of changes to a code's links before the store was asked for one.
type Version struct {
	epoch   uint32
	changes uint64
}

const (
	tableShards = 64
	minSlots    = 512 // a page
	wordBytes   = 8
	// recordHeader: the code (16 bytes), the value's length (4), epoch (4).
	recordHeader = 24
)

// shard is a part of a Cache, with a lock of its own.
//
// Records lie in a ring, each at a whole word. A slot refers to one: the upper half, its tag, has
// bits of the code's hash, the lower the record's place in words plus one; zero is free. Slots are
// probed one after the other, beginning at the one that the tag tells, so that slots move without a
// look at their records.
type shard struct {
	mu         sync.RWMutex // guards what follows
	changes    uint64       // how many times Drop was called
	slots      []uint64     // mapped as the ring is; their number is a power of two
	used       int          // slots
	ring       []byte       // nil until the first record
	size       int          // of the ring
	head, tail int          // where the next record goes; where the oldest is
	end        int          // where the records before the wrap end, 0 when nothing is wrapped
	_          [8]byte      // so that a shard has cache lines of its own
}

// New returns a Cache that takes so many bytes.
func New(budget int) *Cache {
	t := &Cache{seed1: rand.Uint64(), seed2: rand.Uint64()}
	for i := range t.shards {
		// A quarter is for the slots: 11 to 21 bytes for each record of at least 48.
		t.shards[i].size = budget / tableShards / 4 * 3 &^ (wordBytes - 1)
		t.shards[i].slots = mapSlots(minSlots)
	}
	return t
}

func (t *Cache) hash(hi, lo uint64) uint64 {
	a, b := bits.Mul64(lo^t.seed1, hi^t.seed2)
	a, b = bits.Mul64(a^b^t.seed2, 0x9E3779B97F4A7C15)
	return a ^ b
}

// shard returns where a hash belongs: its 6 highest bits.
func (t *Cache) shard(hash uint64) *shard { return &t.shards[hash>>58] }

func tag(hash uint64) uint64 { return hash << 32 }

// home is where a slot is looked for at first.
func (s *shard) home(slot uint64) int { return int(slot>>32) & (len(s.slots) - 1) }

// Get appends a code's value to b, and reports whether it may have changed since it was put.
func (t *Cache) Get(b []byte, code terse.Code) (value []byte, stale, ok bool) {
	hi, lo := code.Pack()
	hash := t.hash(hi, lo)
	s := t.shard(hash)
	s.mu.RLock()
	defer s.mu.RUnlock()
	i := s.find(hash, hi, lo)
	if i < 0 {
		return b, false, false
	}
	r := s.record(s.slots[i])
	value = append(b, r[recordHeader:][:binary.LittleEndian.Uint32(r[16:])]...)
	return value, binary.LittleEndian.Uint32(r[20:]) != t.epoch.Load(), true
}

// Version is taken before the store is asked, and given to Put with the answer.
func (t *Cache) Version(code terse.Code) Version {
	s := t.shard(t.hash(code.Pack()))
	s.mu.RLock()
	defer s.mu.RUnlock()
	return Version{t.epoch.Load(), s.changes}
}

// find returns the slot of a code, or -1.
func (s *shard) find(hash, hi, lo uint64) int {
	for i := s.home(tag(hash)); s.slots[i] != 0; i = (i + 1) & (len(s.slots) - 1) {
		if s.slots[i]&^0xFFFFFFFF != tag(hash) {
			continue
		}
		if r := s.record(s.slots[i]); binary.LittleEndian.Uint64(r) == hi &&
			binary.LittleEndian.Uint64(r[8:]) == lo {
			return i
		}
	}
	return -1
}

// record returns the ring from a slot's record on.
func (s *shard) record(slot uint64) []byte { return s.ring[(int(uint32(slot))-1)*wordBytes:] }

// Put sets a code's value to what the store answered, unless something changed since the version:
// the answer may be older than that. One whose record is longer than the ring is not kept.
func (t *Cache) Put(code terse.Code, value []byte, v Version) {
	hi, lo := code.Pack()
	hash := t.hash(hi, lo)
	s := t.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	// The epoch is compared under the lock: what a later epoch puts comes behind this record.
	if s.changes != v.changes || t.epoch.Load() != v.epoch {
		return
	}
	s.remove(hash, hi, lo)
	n := recordBytes(len(value))
	if n > s.size || !s.makeRing() {
		return
	}
	at := s.reserve(t, n)
	r := s.ring[at : at+n]
	binary.LittleEndian.PutUint64(r, hi)
	binary.LittleEndian.PutUint64(r[8:], lo)
	binary.LittleEndian.PutUint32(r[16:], uint32(len(value)))
	binary.LittleEndian.PutUint32(r[20:], v.epoch)
	copy(r[recordHeader:], value)
	s.insert(tag(hash) | uint64(at/wordBytes+1))
}

func recordBytes(value int) int {
	return (recordHeader + value + wordBytes - 1) &^ (wordBytes - 1)
}

// makeRing reserves the ring's addresses; the kernel gives memory as it is written. Without it
// the cache does without this shard.
func (s *shard) makeRing() bool {
	if s.ring == nil {
		ring, err := mapMemory(s.size)
		if err != nil {
			return false
		}
		s.ring = ring
	}
	return true
}

func mapMemory(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

// mapSlots returns so many free slots, from the Go heap where the kernel maps no more.
func mapSlots(n int) []uint64 {
	memory, err := mapMemory(n * wordBytes)
	if err != nil {
		return make([]uint64, n)
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(memory))), n)
}

// unmapSlots gives back what mapSlots returned. The mapping is known by its address: for slots of
// the Go heap this does nothing.
func unmapSlots(slots []uint64) {
	memory := (*byte)(unsafe.Pointer(unsafe.SliceData(slots)))
	_ = unix.Munmap(unsafe.Slice(memory, len(slots)*wordBytes))
}

// reserve makes room for n bytes and returns where. Records in the way are forgotten.
func (s *shard) reserve(t *Cache, n int) int {
	if s.head+n > s.size { // wrap
		for s.end > 0 { // what the wrap before left behind head
			s.forgetOldest(t)
		}
		s.end, s.head = s.head, 0
		if s.tail == s.end {
			s.tail, s.end = 0, 0
		}
	}
	for s.end > 0 && s.tail < s.head+n {
		s.forgetOldest(t)
	}
	at := s.head
	s.head += n
	return at
}

// forgetOldest moves the tail over one record, and behind the last one before the wrap to the
// ring's start.
func (s *shard) forgetOldest(t *Cache) {
	r := s.ring[s.tail:]
	hi, lo := binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint64(r[8:])
	hash := t.hash(hi, lo)
	// A code that was dropped or put again has no slot, or one that refers to another record.
	if i := s.find(hash, hi, lo); i >= 0 && (int(uint32(s.slots[i]))-1)*wordBytes == s.tail {
		s.free(i)
	}
	s.tail += recordBytes(int(binary.LittleEndian.Uint32(r[16:])))
	if s.tail >= s.end {
		s.tail, s.end = 0, 0
	}
}

func (s *shard) insert(slot uint64) {
	if s.used >= len(s.slots)/4*3 {
		old := s.slots
		s.slots, s.used = mapSlots(2*len(old)), 0
		for _, moved := range old {
			if moved != 0 {
				s.insert(moved)
			}
		}
		unmapSlots(old)
	}
	i := s.home(slot)
	for s.slots[i] != 0 {
		i = (i + 1) & (len(s.slots) - 1)
	}
	s.slots[i] = slot
	s.used++
}

// Drop forgets a code. No answer of the store that is older comes back.
func (t *Cache) Drop(code terse.Code) {
	hi, lo := code.Pack()
	hash := t.hash(hi, lo)
	s := t.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes++
	s.remove(hash, hi, lo)
}

// Invalidate makes all records stale. No answer of the store that is older comes back.
func (t *Cache) Invalidate() { t.epoch.Add(1) }

func (s *shard) remove(hash, hi, lo uint64) {
	if i := s.find(hash, hi, lo); i >= 0 {
		s.free(i)
	}
}

// free empties a slot, and moves those behind it that were pushed away from it.
func (s *shard) free(hole int) {
	mask := len(s.slots) - 1
	for i := (hole + 1) & mask; s.slots[i] != 0; i = (i + 1) & mask {
		home := s.home(s.slots[i])
		// The slot may move to the hole unless its home lies behind the hole.
		if (i-home)&mask >= (i-hole)&mask {
			s.slots[hole] = s.slots[i]
			hole = i
		}
	}
	s.slots[hole] = 0
	s.used--
}

// Bytes returns how much memory the records and slots take.
func (t *Cache) Bytes() (n uint64) {
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.RLock()
		n += uint64(max(s.head, s.end) + wordBytes*len(s.slots))
		s.mu.RUnlock()
	}
	return n
}
