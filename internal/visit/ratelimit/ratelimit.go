package ratelimit

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"net/netip"
	"sync"
	"time"
)

// Window is the time in which a client gets no more requests than the limit (contract: Limits).
const Window = time.Minute

// Never is the wait for more requests at once than the limit.
const Never = time.Duration(math.MaxInt64)

const (
	// tick is the resolution of grants. A client has no more than 256 marks, 2 KiB, whatever the
	// limit.
	tick = Window / 256
	// windowTicks is after how many ticks a grant no longer counts. It includes one tick more,
	// because the grant may have come at the end of its tick.
	windowTicks = uint32(Window/tick) + 1

	// shardCount keeps requests on different cores from waiting for one mutex.
	shardCount = 64

	// memoryBudget is small beside the link cache. Half of it is for 262,144 clients, and half for
	// marks: 16,000 clients may have 65 to 128 requests a minute.
	memoryBudget = 32 << 20
)

// Limiter grants each client at most its limit of requests in any 60 seconds. The window slides; it
// does not start over each minute. Its methods may be called concurrently. A nil Limiter grants
// everything.
//
// A client never gets more than the limit. A grant counts for up to 234 ms longer than a minute.
//
// Memory is bounded. If more clients than fit were granted requests within a minute, a new one
// evicts the one whose last grant is the oldest among a few that share its set by chance. So a
// client that keeps sending requests is hardly ever forgotten. A client's address stays in memory
// until another client takes its place, or until Forget, which also frees memory.
type Limiter struct {
	limit  uint32
	window uint32 // windowTicks, except in tests
	start  time.Time
	budget int          // bytes per shard
	seed   maphash.Seed // keeps clients from choosing their shard and set
	shards [shardCount]shard

	// The rest is for budgets that nodes share.
	shared *Shared // nil: this node counts alone
	kind   string  // prefix of the keys in Redis
	next   int     // first shard of the next batch; belongs to Shared.Run
}

// New returns a limiter of limit requests in any 60 seconds for each client. If limit is 0 or less
// it returns nil, which means no limit.
func New(limit int) *Limiter { return newLimiter(limit, memoryBudget) }

func newLimiter(limit, budget int) *Limiter {
	if limit <= 0 {
		return nil
	}
	l := &Limiter{
		// No process gets more than 2^31-1 requests a minute.
		limit:  uint32(min(limit, math.MaxInt32)),
		window: windowTicks,
		start:  time.Now(),
		budget: budget / shardCount,
		seed:   maphash.MakeSeed(),
	}
	for i := range l.shards {
		l.shards[i].sets = make([]*clients, l.budget/2/(ways*clientBytes))
	}
	return l
}

// Take takes one request of the client at addr. It returns 0 if the request is granted. Otherwise
// it returns how long the client has to wait for its next request, more than 0 and at most 60.24 s.
// A refused request does not count.
//
// IPv4 clients are distinguished by address, also if it is written as IPv6 (::ffff:192.0.2.1), IPv6
// clients by their /64, which is what one customer gets. All invalid addresses are one client.
//
// With a Shared, a client is also refused if the nodes together have granted the limit.
func (l *Limiter) Take(addr netip.Addr) time.Duration { return l.TakeAll(addr, 1) }

// TakeAll takes n requests at once, all or none, and otherwise works like Take. It returns how long
// the client has to wait until all are granted; for more than the limit that is Never. With n = 0
// it returns what Take would, and counts nothing.
//
// With a Shared, nodes together may exceed the limit by n, not only by one, because Redis reports
// only that nothing is left.
func (l *Limiter) TakeAll(addr netip.Addr, n int) time.Duration {
	switch {
	case l == nil:
		return 0
	case n > int(l.limit):
		return Never
	}
	key := clientKey(addr)
	hash := l.hash(key)
	s := l.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	elapsed, now := l.now()
	c, known := s.find(key, hash)
	if !known {
		if n == 0 {
			return 0
		}
		s.put(c, key, now)
	}
	c.forget(now, l.window)
	if c.refused > elapsed {
		return c.refused - elapsed
	}
	// The grants that count must leave room for all n.
	wanted := uint32(n)
	if most := l.limit - max(wanted, 1); c.total > most {
		return time.Duration(c.expiry(c.total-most)+l.window)*tick - elapsed
	}
	if wanted == 0 {
		return 0
	}
	s.marks += c.grant(now, wanted)
	if l.shared != nil {
		l.shared.queue(s, key, wanted)
	}
	for s.marks*markBytes > l.budget/2 {
		s.shed() // may drop c
	}
	return 0
}

// Left returns how many requests the client at addr would be granted now, and how long until the
// oldest of those that count leaves the window: at most Window, which it is if there is none. Over
// the limit, it returns 0 and what Take would. A nil Limiter has no limit to ask for.
//
// With a Shared, it knows of other nodes' grants only when nothing is left.
func (l *Limiter) Left(addr netip.Addr) (left int, reset time.Duration) {
	key := clientKey(addr)
	hash := l.hash(key)
	s := l.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	elapsed, now := l.now()
	c, known := s.find(key, hash)
	if !known {
		return int(l.limit), Window
	}
	c.forget(now, l.window)
	switch {
	case c.refused > elapsed:
		return 0, c.refused - elapsed
	case c.total == 0:
		return int(l.limit), Window
	}
	// A grant counts for up to a tick longer than a Window, which matters only when none is left.
	reset = time.Duration(c.expiry(1)+l.window)*tick - elapsed
	if left = int(l.limit - c.total); left > 0 {
		reset = min(reset, Window)
	}
	return left, reset
}

// now returns the time since the limiter's start, and its tick. Call it under a shard's mutex, so
// that time never goes backwards within a shard.
func (l *Limiter) now() (elapsed time.Duration, now uint32) {
	elapsed = time.Since(l.start)
	return elapsed, uint32(elapsed / tick)
}

// Forget overwrites clients without grants that count, so that their addresses are not kept.
func (l *Limiter) Forget() {
	if l == nil {
		return
	}
	for i := range l.shards {
		l.shards[i].forget(l)
	}
}

func (s *shard) forget(l *Limiter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	elapsed, now := l.now()
	for c := range s.all() {
		if c.forget(now, l.window); c.total == 0 && c.refused <= elapsed {
			s.free(c)
		}
	}
	for i, set := range s.sets {
		if set != nil && set.empty() {
			s.sets[i] = nil
		}
	}
}

// Limit returns the number of requests that a client gets in any 60 seconds; 0: unlimited.
func (l *Limiter) Limit() int {
	if l == nil {
		return 0
	}
	return int(l.limit)
}

func (l *Limiter) hash(key uint64) uint64 { return maphash.Comparable(l.seed, key) }

func (l *Limiter) shard(hash uint64) *shard { return &l.shards[hash%shardCount] }

// clientKey packs a client's identity into a number other than 0. IPv4 addresses take the place of
// the networks below 0:1::/32, which are not in use: 0000::/8 is reserved (RFC 4291, section 4).
func clientKey(addr netip.Addr) uint64 {
	addr = addr.Unmap()
	if addr.Is4() {
		b := addr.As4()
		return 1<<32 | uint64(binary.BigEndian.Uint32(b[:]))
	}
	b := addr.As16()
	return max(binary.BigEndian.Uint64(b[:8]), 1)
}

// shard holds the clients whose keys hash to it. It fills a cache line, so that its mutex does not
// slow down the next one's.
type shard struct {
	mu    sync.Mutex // guards everything below
	sets  []*clients // a hash table; nil: an empty set
	marks int        // capacity of all clients' rings
	// unsent holds grants, by client, that were not sent to Redis yet; nil without a Shared.
	unsent map[uint64]uint32
	_      [16]byte
}
