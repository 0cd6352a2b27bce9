package ratelimit

import (
	"math/rand/v2"
	"time"
)

const (
	markBytes     = 8
	clientBytes   = 64 // a cache line; TestMemoryIsBounded proves it
	newcomerBytes = 16

	// ways is how many places of the table a client may have, and so how many clients an eviction
	// chooses from. With one client in ten near its limit, all eight are such clients once in 10^8
	// evictions.
	ways = 8
	// minSets is how many sets of places the smallest table has.
	minSets = 2
	// newcomerWays is how many places a newcomer may have: those of a cache line.
	newcomerWays = 4
)

// newcomer is who was granted one request. Most are never granted another within a window.
type newcomer struct {
	key  uint64 // 0: the place is free
	last int64  // tick of the grant
}

// client is who was granted more than one request, and when.
type client struct {
	key   uint64 // 0: the place is free; no client has it
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

// set returns the places that the client with a hash may have. They lie side by side, so that to
// look at all of them takes hardly longer than to look at one.
func (s *shard) set(hash uint64) []client {
	sets := uint64(len(s.clients) / ways)
	first := hash / shardCount % sets * ways
	return s.clients[first : first+ways]
}

// known returns the client of a key, or nil.
func (s *shard) known(key, hash uint64) *client {
	set := s.set(hash)
	for i := range set {
		if set[i].key == key {
			return &set[i]
		}
	}
	return nil
}

// newcomer returns the place of a client with one grant, and whether that grant counts. A client
// that is not there belongs at that place: it is free, or its newcomer was granted the longest ago.
func (s *shard) newcomer(key, hash uint64, now, window int64) (place *newcomer, known bool) {
	sets := uint64(len(s.newcomers) / newcomerWays)
	first := hash / shardCount % sets * newcomerWays
	set := s.newcomers[first : first+newcomerWays]
	place = &set[0]
	for i := range set {
		n := &set[i]
		if n.key == key {
			return n, now-n.last < window
		}
		if place.key != 0 && (n.key == 0 || n.last < place.last) {
			place = n
		}
	}
	return place, false
}

// promote makes a newcomer a client. It takes a free place, then that of a client without a grant
// that counts. Where there is none, the table grows, and when it may not, the client that matters
// least has to go.
func (l *Limiter) promote(s *shard, n *newcomer, now int64) *client {
	for {
		c := leastOf(s.set(l.hash(n.key)), now, l.window)
		if c.total > 0 && 2*len(s.clients)*clientBytes <= l.budget/4 {
			l.grow(s, now)
			continue
		}
		s.free(c)
		c.key, c.last, c.count, c.total = n.key, n.last, 1, 1
		*n = newcomer{}
		return c
	}
}

// leastOf returns, of a set of places, one that is free or has a client without a grant that
// counts, else that of the client with the fewest grants, of several such that of the one that was
// away the longest.
func leastOf(set []client, now, window int64) *client {
	least := &set[0]
	for i := range set {
		c := &set[i]
		if c.forget(now, window); c.total == 0 {
			return c
		}
		if c.lighter(least) {
			least = c
		}
	}
	return least
}

// grow doubles the table, and leaves out clients without a grant that counts. Those of a set are in
// two sets then, and so have room.
func (l *Limiter) grow(s *shard, now int64) {
	before := s.clients
	s.clients = make([]client, 2*len(before))
	for i := range before {
		c := &before[i]
		if c.forget(now, l.window); c.total == 0 {
			s.free(c)
			continue
		}
		set := s.set(l.hash(c.key))
		for to := range set {
			if set[to].key == 0 {
				set[to] = *c
				break
			}
		}
	}
}

// shed removes a client with marks: of those in a set at random the one that matters least.
func (l *Limiter) shed(s *shard, now int64) {
	set := s.set(rand.Uint64())
	least := -1
	for i := range set {
		c := &set[i]
		c.forget(now, l.window)
		if len(c.older) > 0 && (least < 0 || c.lighter(&set[least])) {
			least = i
		}
	}
	if least >= 0 {
		s.free(&set[least])
	}
}

// free empties a place.
func (s *shard) free(c *client) {
	s.marks -= len(c.older)
	*c = client{}
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

// expiry returns the tick of the last of the n oldest grants.
func (c *client) expiry(n uint32) int64 {
	for i := range c.n {
		m := c.older[c.place(i)]
		if n <= m.count {
			return c.last - int64(uint32(c.last)-m.tick)
		}
		n -= m.count
	}
	return c.last
}

// grant counts n requests and returns by how many marks the client grew. It wants what no
// longer counts forgotten first.
func (c *client) grant(now int64, n uint32) (grown int) {
	if c.count > 0 && c.last != now {
		if int(c.n) == len(c.older) {
			grown = c.grow()
		}
		c.older[c.place(c.n)] = mark{uint32(c.last), c.count}
		c.n++
		c.count = 0
	}
	c.last = now
	c.count += n
	c.total += n
	return grown
}

// grow doubles a full ring. Forgetting keeps it at 256 marks: one for each grant of the
// largest exact limit, or for each coarse tick of a window.
func (c *client) grow() (grown int) {
	ring := make([]mark, max(1, 2*len(c.older)))
	copied := copy(ring, c.older[c.head:])
	copy(ring[copied:], c.older[:c.head])
	grown = len(ring) - len(c.older)
	c.older, c.head = ring, 0
	return grown
}
