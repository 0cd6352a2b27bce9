package ratelimit

import (
	"math/rand/v2"
	"time"
)

const (
	markBytes = 8
	// clientBytes is what one client costs without marks: 64 bytes for itself, an entry of
	// the map, and what slices and maps keep free to grow. TestMemoryIsBounded proves it.
	clientBytes = 120

	// samples is how many clients an eviction chooses from. With one client in ten near
	// its limit, all eight are such clients once in 10^8 evictions.
	samples = 8

	// sweepSteps is how many old clients each new one looks at. With two, a full round
	// is over before the number of clients has grown by half.
	sweepSteps = 2
)

// client is who was granted requests, and when.
type client struct {
	key   uint64
	last  int64  // tick of the newest grants
	count uint32 // how many there are of them
	total uint32 // grants within a window of last, count included

	// older is a ring of n marks from head on: the grants before last, oldest first. Its
	// length is 0 or a power of two.
	older []mark
	head  uint16
	n     uint16

	// refused is when the nodes together grant the client a request again, by what Redis said
	// last: the time since the limiter's start.
	refused time.Duration
}

// mark counts the grants of one tick. The tick's upper half is not stored: a mark is at
// most a window older than its client's last.
type mark struct{ tick, count uint32 }

// client returns the client of a key, which is new if there is none yet.
func (s *shard) client(key uint64, now, window int64) *client {
	i, known := s.index[key]
	if !known {
		s.sweep(now, window)
		i = uint32(len(s.clients))
		s.clients = append(s.clients, client{key: key})
		s.index[key] = i
		s.used += clientBytes
	}
	return &s.clients[i]
}

// sweep looks at the next few clients and removes those without a grant that counts.
// Every new client pays for a few, so that no request pays for all.
func (s *shard) sweep(now, window int64) {
	for range min(sweepSteps, len(s.clients)) {
		if s.hand >= len(s.clients) {
			s.hand = 0
		}
		c := &s.clients[s.hand]
		if c.forget(now, window); c.total == 0 {
			s.remove(s.hand)
		} else {
			s.hand++
		}
	}
}

// evict removes, of a few random clients, the one with the fewest grants, of several such
// the one that was away the longest.
func (s *shard) evict(now, window int64) {
	victim := -1
	for range samples {
		i := rand.IntN(len(s.clients))
		s.clients[i].forget(now, window)
		if victim < 0 || s.clients[i].lighter(&s.clients[victim]) {
			victim = i
		}
	}
	s.remove(victim)
}

// remove drops a client; the last one takes its place.
func (s *shard) remove(i int) {
	s.used -= clientBytes + markBytes*len(s.clients[i].older)
	delete(s.index, s.clients[i].key)
	end := len(s.clients) - 1
	if i < end {
		s.clients[i] = s.clients[end]
		s.index[s.clients[i].key] = uint32(i)
	}
	s.clients[end] = client{} // lets go of its marks
	s.clients = s.clients[:end]
}

// forget drops the grants that no longer count.
func (c *client) forget(now, window int64) {
	for c.n > 0 && now-c.oldest() >= window {
		c.total -= c.older[c.head].count
		c.head = c.place(1)
		c.n--
	}
	if now-c.last >= window {
		c.count, c.total = 0, 0
	}
}

// lighter reports whether a client is to be forgotten rather than another: first those that are
// not refused.
func (c *client) lighter(than *client) bool {
	if refused, other := c.refused > 0, than.refused > 0; refused != other {
		return other
	}
	return c.total < than.total || c.total == than.total && c.last < than.last
}

// oldest returns the tick of the oldest grants.
func (c *client) oldest() int64 {
	if c.n == 0 {
		return c.last
	}
	return c.last - int64(uint32(c.last)-c.older[c.head].tick)
}

// place returns where the mark i after the oldest is in the ring.
func (c *client) place(i uint16) uint16 { return (c.head + i) & uint16(len(c.older)-1) }

// grant counts one request and returns by how many bytes the client grew. It wants what no
// longer counts forgotten first.
func (c *client) grant(now int64) (grown int) {
	if c.count > 0 && c.last != now {
		if int(c.n) == len(c.older) {
			grown = c.grow()
		}
		c.older[c.place(c.n)] = mark{uint32(c.last), c.count}
		c.n++
		c.count = 0
	}
	c.last = now
	c.count++
	c.total++
	return grown
}

// grow doubles a full ring. Forgetting keeps it at 256 marks: one for each grant of the
// largest exact limit, or for each coarse tick of a window.
func (c *client) grow() (grown int) {
	ring := make([]mark, max(1, 2*len(c.older)))
	copied := copy(ring, c.older[c.head:])
	copy(ring[copied:], c.older[:c.head])
	grown = markBytes * (len(ring) - len(c.older))
	c.older, c.head = ring, 0
	return grown
}
