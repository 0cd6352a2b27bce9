package ratelimit

import (
	"iter"
	"math/rand/v2"
	"time"
)

const (
	markBytes   = 8
	clientBytes = 64 // a cache line; TestMemoryIsBounded proves it

	// ways is how many places a client may have, and so how many clients an eviction chooses from.
	ways = 8
)

// client is a client's granted requests.
type client struct {
	key   uint64 // 0: the place is free; no client has this key
	last  uint32 // tick of the newest grants
	count uint32 // number of the newest grants
	total uint32 // grants within a window up to last, including count
	head  uint16 // of the ring
	n     uint16 // marks in the ring

	// older is a ring of n marks from head on: the grants before last, oldest first. Its length is
	// 0 or a power of two.
	older []mark

	// refused is until when the client is refused according to Redis, as time since the limiter's
	// start.
	refused time.Duration
}

// clients are the places of a set.
type clients [ways]client

// mark counts the grants of one tick.
type mark struct{ tick, count uint32 }

// find returns a client's place and whether the client is known. An unknown client's place is a
// free one, or that of the client whose last grant is the oldest.
func (s *shard) find(key, hash uint64) (c *client, known bool) {
	set := s.set(hash)
	c = &set[0]
	for i := range set {
		other := &set[i]
		if other.key == key {
			return other, true
		}
		if c.key != 0 && (other.key == 0 || other.last < c.last) {
			c = other
		}
	}
	return c, false
}

// put assigns a place that find returned to a client.
func (s *shard) put(c *client, key uint64, now uint32) {
	s.free(c)
	c.key, c.last = key, now
}

// set returns the places for clients with a hash. They are adjacent, so checking all takes hardly
// longer than checking one.
func (s *shard) set(hash uint64) *clients {
	set := &s.sets[hash/shardCount%uint64(len(s.sets))]
	if *set == nil {
		*set = new(clients)
	}
	return *set
}

// all yields the places of all sets.
func (s *shard) all() iter.Seq[*client] {
	return func(yield func(*client) bool) {
		for _, set := range s.sets {
			for i := 0; set != nil && i < ways; i++ {
				if !yield(&set[i]) {
					return
				}
			}
		}
	}
}

func (set *clients) empty() bool {
	for i := range set {
		if set[i].key != 0 {
			return false
		}
	}
	return true
}

// shed frees one place in a random set: among clients with older marks, the one whose last grant is
// the oldest.
func (s *shard) shed() {
	set := s.sets[rand.IntN(len(s.sets))]
	var oldest *client
	for i := 0; set != nil && i < ways; i++ {
		c := &set[i]
		if len(c.older) > 0 && (oldest == nil || c.last < oldest.last) {
			oldest = c
		}
	}
	if oldest != nil {
		s.free(oldest)
	}
}

// free empties a place.
func (s *shard) free(c *client) {
	s.marks -= len(c.older)
	*c = client{}
}

// forget drops grants that no longer count.
func (c *client) forget(now, window uint32) {
	for c.n > 0 && now-c.older[c.head].tick >= window {
		c.total -= c.older[c.head].count
		c.head = c.place(1)
		c.n--
	}
	if now-c.last >= window {
		c.count, c.total = 0, 0
	}
}

// place returns the ring index of the mark i after the oldest.
func (c *client) place(i uint16) uint16 { return (c.head + i) & uint16(len(c.older)-1) }

// expiry returns the tick of the last of the n oldest grants.
func (c *client) expiry(n uint32) uint32 {
	for i := range c.n {
		m := c.older[c.place(i)]
		if n <= m.count {
			return m.tick
		}
		n -= m.count
	}
	return c.last
}

// grant counts n requests and returns by how many marks the client grew. Call forget first.
func (c *client) grant(now, n uint32) (grown int) {
	if c.count > 0 && c.last != now {
		if int(c.n) == len(c.older) {
			grown = c.grow()
		}
		c.older[c.place(c.n)] = mark{c.last, c.count}
		c.n++
		c.count = 0
	}
	c.last = now
	c.count += n
	c.total += n
	return grown
}

// grow doubles a full ring. forget keeps it at 256 marks: one for each tick of a window but the
// last.
func (c *client) grow() (grown int) {
	ring := make([]mark, max(1, 2*len(c.older)))
	copied := copy(ring, c.older[c.head:])
	copy(ring[copied:], c.older[:c.head])
	grown = len(ring) - len(c.older)
	c.older, c.head = ring, 0
	return grown
}
