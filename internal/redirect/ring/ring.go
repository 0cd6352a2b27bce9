// Package ring provides a cache of bytes by short code, in a ring of memory that the garbage
// collector does not manage. Package redirect explains why.
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

// Cache holds a value per code in memory outside the garbage collector's heap, which would keep as
// much again in reserve. A look-up touches two places in memory, the slot and the record, where a
// general cache of this size touches four or five; on a hit that is most of a cache's cost. New
// records replace the oldest. A Cache is made once and lives as long as the process.
type Cache struct {
	seed1, seed2 uint64 // secret, or codes that share a slot could be chosen
	// epoch counts calls of Invalidate. A record of an earlier epoch is stale. At one call a
	// second, a record would have to stay untouched for 136 years to meet its number again.
	epoch  atomic.Uint32
	shards [tableShards]shard
}

// Version is the state of a code's changes before the store was asked for its link.
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

// shard is a part of a Cache with its own lock.
//
// Records are in a ring, aligned to words. A slot refers to one: its upper half, the tag, has bits
// of the code's hash, its lower half the record's position in words plus one; zero is free. Slots
// are probed linearly, starting at the one that the tag selects, so that they can move without
// reading their records.
type shard struct {
	mu         sync.RWMutex // guards the fields below
	changes    uint64       // number of calls of Drop
	slots      []uint64     // mapped like the ring; a power of two
	used       int          // slots
	ring       []byte       // nil until the first record
	size       int          // of the ring
	head, tail int          // position of the next record; of the oldest
	end        int          // end of the records before the wrap, 0 if nothing is wrapped
	_          [8]byte      // gives a shard its own cache lines
}

// New returns a Cache that takes budget bytes.
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

// shard selects a shard by a hash's 6 highest bits.
func (t *Cache) shard(hash uint64) *shard { return &t.shards[hash>>58] }

func tag(hash uint64) uint64 { return hash << 32 }

// home is the index where the search for a slot starts.
func (s *shard) home(slot uint64) int { return int(slot>>32) & (len(s.slots) - 1) }

// Get appends a code's value to b, and reports whether it may have changed since it was stored.
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

// Version is read before the store is asked, and passed to Put with the answer.
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

// record returns the ring, starting at a slot's record.
func (s *shard) record(slot uint64) []byte { return s.ring[(int(uint32(slot))-1)*wordBytes:] }

// Put sets a code's value to the store's answer, unless something has changed since v: then the
// answer may be outdated. A record longer than the ring is not kept.
func (t *Cache) Put(code terse.Code, value []byte, v Version) {
	hi, lo := code.Pack()
	hash := t.hash(hi, lo)
	s := t.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	// The epoch is compared under the lock, so that values of a later epoch come behind this
	// record.
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

// makeRing reserves the ring's addresses; the kernel provides memory when it is written. If it
// fails, the cache does without this shard.
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

// mapSlots returns n free slots, from the Go heap if mapping fails.
func mapSlots(n int) []uint64 {
	memory, err := mapMemory(n * wordBytes)
	if err != nil {
		return make([]uint64, n)
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(memory))), n)
}

// unmapSlots frees the memory of mapSlots. The mapping is found by its address, so for slots on the
// Go heap this does nothing.
func unmapSlots(slots []uint64) {
	memory := (*byte)(unsafe.Pointer(unsafe.SliceData(slots)))
	_ = unix.Munmap(unsafe.Slice(memory, len(slots)*wordBytes))
}

// reserve makes room for n bytes and returns their position. It drops the records in the way.
func (s *shard) reserve(t *Cache, n int) int {
	if s.head+n > s.size { // wrap
		for s.end > 0 { // records behind head from the wrap before
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

// forgetOldest moves the tail past one record; past the last one before the wrap, to the ring's
// start.
func (s *shard) forgetOldest(t *Cache) {
	r := s.ring[s.tail:]
	hi, lo := binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint64(r[8:])
	hash := t.hash(hi, lo)
	// A code that was dropped or stored again has no slot, or one that refers to another record.
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

// Drop drops a code. An answer that the store gave earlier can't bring it back.
func (t *Cache) Drop(code terse.Code) {
	hi, lo := code.Pack()
	hash := t.hash(hi, lo)
	s := t.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes++
	s.remove(hash, hi, lo)
}

// Invalidate makes all records stale. An answer that the store gave earlier can't replace them.
func (t *Cache) Invalidate() { t.epoch.Add(1) }

func (s *shard) remove(hash, hi, lo uint64) {
	if i := s.find(hash, hi, lo); i >= 0 {
		s.free(i)
	}
}

// free empties a slot, and moves slots that it had displaced.
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

// Bytes returns the memory of records and slots in bytes.
func (t *Cache) Bytes() (n uint64) {
	for i := range t.shards {
		s := &t.shards[i]
		s.mu.RLock()
		n += uint64(max(s.head, s.end) + wordBytes*len(s.slots))
		s.mu.RUnlock()
	}
	return n
}
