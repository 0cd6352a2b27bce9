// Package ring provides a cache of bytes by a key of 16 bytes, in a ring of memory that the garbage
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
)

// Key is what a value is found by.
type Key struct{ Hi, Lo uint64 }

// Cache holds a value per key in memory outside the garbage collector's heap, which would keep as
// much again in reserve. A look-up touches two places in memory, the slot and the record, where a
// general cache of this size touches four or five; on a hit that is most of a cache's cost. New
// records replace the oldest. A Cache is made once and lives as long as the process.
type Cache struct {
	seed1, seed2 uint64 // secret, or keys that share a slot could be chosen
	// epoch counts calls of Invalidate. A record of an earlier epoch is stale. At one call a
	// second, a record would have to stay untouched for 136 years to meet its number again.
	epoch atomic.Uint32
	// changes counts calls of Drop by shard. It changes under the shard's lock.
	changes [tableShards]atomic.Uint32
	shards  [tableShards]shard
}

// Version is the state of all changes before the store was asked: its answer says which keys it is
// about.
type Version struct {
	epoch   uint32
	changes [tableShards]uint32
}

const (
	tableShards = 64
	minSlots    = 512 // a page
	wordBytes   = 8
	// recordHeader: the key (16 bytes), the value's length (4), epoch (4).
	recordHeader = 24
)

// shard is a part of a Cache with its own lock.
//
// Records are in a ring, aligned to words. A slot refers to one: its upper half, the tag, has bits
// of the key's hash, its lower half the record's position in words plus one; zero is free. Slots
// are probed linearly, starting at the one that the tag selects, so that they can move without
// reading their records.
type shard struct {
	mu         sync.RWMutex // guards the fields below
	slots      []uint64     // mapped like the ring; a power of two
	maxSlots   int          // bounds how many there are
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
	// A quarter is for the slots, of which each record takes 11 to 21 bytes.
	quarter := budget / tableShards / 4
	maxSlots := minSlots
	for 2*maxSlots*wordBytes <= quarter {
		maxSlots *= 2
	}
	for i := range t.shards {
		t.shards[i].size = 3 * quarter &^ (wordBytes - 1)
		t.shards[i].slots, t.shards[i].maxSlots = mapSlots(minSlots), maxSlots
	}
	return t
}

func (t *Cache) hash(key Key) uint64 {
	a, b := bits.Mul64(key.Lo^t.seed1, key.Hi^t.seed2)
	a, b = bits.Mul64(a^b^t.seed2, 0x9E3779B97F4A7C15)
	return a ^ b
}

// number selects a shard by a hash's 6 highest bits.
func number(hash uint64) uint64 { return hash >> 58 }

func (t *Cache) shard(hash uint64) *shard { return &t.shards[number(hash)] }

func tag(hash uint64) uint64 { return hash << 32 }

// home is the index where the search for a slot starts.
func (s *shard) home(slot uint64) int { return int(slot>>32) & (len(s.slots) - 1) }

// Get appends a key's value to b, and reports whether it may have changed since it was stored.
func (t *Cache) Get(b []byte, key Key) (value []byte, stale, ok bool) {
	hash := t.hash(key)
	s := t.shard(hash)
	s.mu.RLock()
	defer s.mu.RUnlock()
	i := s.find(hash, key)
	if i < 0 {
		return b, false, false
	}
	r := s.record(s.slots[i])
	value = append(b, r[recordHeader:][:binary.LittleEndian.Uint32(r[16:])]...)
	return value, binary.LittleEndian.Uint32(r[20:]) != t.epoch.Load(), true
}

// Version is read before the store is asked, and passed to Put and Forget with the answer.
func (t *Cache) Version() (v Version) {
	v.epoch = t.epoch.Load()
	for i := range t.changes {
		v.changes[i] = t.changes[i].Load()
	}
	return v
}

// overtaken reports whether anything has changed since v in a hash's shard, whose lock the caller
// holds. The epoch is compared under the lock, too, so that values of a later epoch come behind
// those that are put now.
func (t *Cache) overtaken(v *Version, hash uint64) bool {
	n := number(hash)
	return t.changes[n].Load() != v.changes[n] || t.epoch.Load() != v.epoch
}

// find returns the slot of a key, or -1.
func (s *shard) find(hash uint64, key Key) int {
	for i := s.home(tag(hash)); s.slots[i] != 0; i = (i + 1) & (len(s.slots) - 1) {
		if s.slots[i]&^0xFFFFFFFF != tag(hash) {
			continue
		}
		if keyOf(s.record(s.slots[i])) == key {
			return i
		}
	}
	return -1
}

func keyOf(record []byte) Key {
	return Key{binary.LittleEndian.Uint64(record), binary.LittleEndian.Uint64(record[8:])}
}

// record returns the ring, starting at a slot's record.
func (s *shard) record(slot uint64) []byte { return s.ring[(int(uint32(slot))-1)*wordBytes:] }

// Put sets a key's value to the store's answer, unless something has changed since v: then the
// answer may be outdated. A record longer than the ring is not kept.
func (t *Cache) Put(key Key, value []byte, v *Version) {
	hash := t.hash(key)
	s := t.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.overtaken(v, hash) {
		return
	}
	s.remove(hash, key)
	n := recordBytes(len(value))
	if n > s.size || !s.makeRing() {
		return
	}
	at := s.reserve(t, n)
	r := s.ring[at : at+n]
	binary.LittleEndian.PutUint64(r, key.Hi)
	binary.LittleEndian.PutUint64(r[8:], key.Lo)
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

// full reports whether there is no room for one more slot.
func (s *shard) full() bool { return s.crowded() && len(s.slots) >= s.maxSlots }

func (s *shard) crowded() bool { return s.used >= len(s.slots)/4*3 }

// reserve makes room for n bytes, and for their slot, and returns their position. It drops the
// records in the way.
func (s *shard) reserve(t *Cache, n int) int {
	if s.head+n > s.size || s.end == 0 && s.full() { // wrap
		for s.end > 0 { // records behind head from the wrap before
			s.forgetOldest(t)
		}
		s.end, s.head = s.head, 0
		if s.tail == s.end {
			s.tail, s.end = 0, 0
		}
	}
	for s.end > 0 && (s.tail < s.head+n || s.full()) {
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
	key := keyOf(r)
	// A key that was dropped or stored again has no slot, or one that refers to another record.
	if i := s.find(t.hash(key), key); i >= 0 && (int(uint32(s.slots[i]))-1)*wordBytes == s.tail {
		s.free(i)
	}
	s.tail += recordBytes(int(binary.LittleEndian.Uint32(r[16:])))
	if s.tail >= s.end {
		s.tail, s.end = 0, 0
	}
}

func (s *shard) insert(slot uint64) {
	if s.crowded() && !s.full() {
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

// Drop drops a key. An answer that the store gave earlier can't bring it back.
func (t *Cache) Drop(key Key) {
	hash := t.hash(key)
	s := t.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	t.changes[number(hash)].Add(1)
	s.remove(hash, key)
}

// Forget drops a key because the store's answer is that it has no value, unless something has
// changed since v.
func (t *Cache) Forget(key Key, v *Version) {
	hash := t.hash(key)
	s := t.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !t.overtaken(v, hash) {
		s.remove(hash, key)
	}
}

// Invalidate makes all records stale. An answer that the store gave earlier can't replace them.
func (t *Cache) Invalidate() { t.epoch.Add(1) }

func (s *shard) remove(hash uint64, key Key) {
	if i := s.find(hash, key); i >= 0 {
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
