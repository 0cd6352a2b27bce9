package ratelimit

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"net/netip"
	"sync"
	"time"
)

// Window is the time in which a client gets no more requests than the limit
// (contract: Limits).
const Window = time.Minute

// Never is how long a client would have to wait for more requests at once than its limit.
const Never = time.Duration(math.MaxInt64)

const (
	// tick is how closely grants are told apart, so that a client has no more than 256 marks, 2
	// KiB, whatever the limit.
	tick = Window / 256
	// windowTicks is after how many ticks a grant no longer counts. It may have come at the end of
	// its tick: one tick more is never too early.
	windowTicks = uint32(Window/tick) + 1

	// shardCount keeps requests on different cores from waiting for one mutex.
	shardCount = 64

	// memoryBudget is small beside the link cache. Half of it is for 262,144 clients, and half for
	// marks: 16,000 clients may have 65 to 128 requests a minute.
	memoryBudget = 32 << 20
)

// Limiter grants each client at most its limit of requests in any 60 seconds: a sliding
// window, not one that starts over each minute. Its methods may be called from many
// goroutines. A nil Limiter grants everything.
//
// A client never gets more than the limit. A grant counts for up to 234 ms longer than a minute.
//
// Memory is bounded. When more clients than it holds were granted requests within a minute, a new
// one evicts, of a few that chance has put beside it, the one that was granted the longest ago. So
// a client that goes on asking for what it gets is hardly ever forgotten. Who a client was
// stays in memory until another comes, or until Forget, which also gives memory back.
type Limiter struct {
	limit  uint32
	window uint32 // windowTicks, but in tests
	start  time.Time
	budget int          // bytes that each shard may take
	seed   maphash.Seed // which clients share a shard or a set is not for them to choose
	shards [shardCount]shard

	// What follows is for budgets that nodes share.
	shared *Shared // nil: this node counts alone
	kind   string  // begins the keys in Redis
	next   int     // the shard that the next batch begins with; Shared.Run's
}

// New returns a limiter of limit requests in any 60 seconds for each client, and nil,
// which is no limit, when limit is 0 or less.
func New(limit int) *Limiter { return newLimiter(limit, memoryBudget) }

func newLimiter(limit, budget int) *Limiter {
	if limit <= 0 {
		return nil
	}
	l := &Limiter{
		// More than 2^31-1 requests a minute reach no process.
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

// Take asks for one request of the client at addr. It returns 0 when the request is
// granted. Otherwise it returns how long the client has to wait until its next request is
// granted, more than 0 and at most 60.24 s; a refused request counts for nothing.
//
// IPv4 clients are told apart by address, also when it is written as IPv6
// (::ffff:192.0.2.1), IPv6 clients by their /64, which is what one customer gets. All
// invalid addresses are one client.
//
// With a Shared, a client is also refused when the nodes together have granted the limit.
func (l *Limiter) Take(addr netip.Addr) time.Duration { return l.TakeAll(addr, 1) }

// TakeAll asks for n requests at once, as Take does for one: all of them are granted or none. It
// returns how long the client has to wait until all are. For more than the limit that is Never. For
// none at all, n is 0, it returns what Take would, and counts nothing.
//
// With a Shared, nodes together may grant more than the limit by n, where one alone would do so by
// one: Redis says only when nothing is left.
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
	// No more may count than leave room for all that is wanted.
	wanted := uint32(n)
	if most := l.limit - max(wanted, 1); c.total > most {
		return time.Duration(c.expiry(c.total-most)+l.window)*tick - elapsed
	}
	if wanted == 0 {
		return 0
	}
	s.marks += c.grant(now, wanted)
	if l.shared != nil {
		l.shared.tell(s, key, wanted)
	}
	for s.marks*markBytes > l.budget/2 {
		s.shed() // may drop c
	}
	return 0
}

// now returns the time since the limiter's start, and its tick. It is asked for under a shard's
// mutex, so that the times that a shard sees never run backwards.
func (l *Limiter) now() (elapsed time.Duration, now uint32) {
	elapsed = time.Since(l.start)
	return elapsed, uint32(elapsed / tick)
}

// Forget overwrites clients without a grant that counts, so that their addresses are not kept.
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

// Limit returns the most requests that a client gets in any 60 seconds; 0 is any number.
func (l *Limiter) Limit() int {
	if l == nil {
		return 0
	}
	return int(l.limit)
}

func (l *Limiter) hash(key uint64) uint64 { return maphash.Comparable(l.seed, key) }

func (l *Limiter) shard(hash uint64) *shard { return &l.shards[hash%shardCount] }

// clientKey packs what identifies a client, into a number that is not 0. IPv4 addresses take the
// place of the networks below 0:1::/32, which are not in use: 0000::/8 is reserved (RFC 4291,
// section 4).
func clientKey(addr netip.Addr) uint64 {
	addr = addr.Unmap()
	if addr.Is4() {
		b := addr.As4()
		return 1<<32 | uint64(binary.BigEndian.Uint32(b[:]))
	}
	b := addr.As16()
	return max(binary.BigEndian.Uint64(b[:8]), 1)
}

// shard holds the clients whose keys hash to it. It fills a cache line, so that one shard's
// mutex does not slow down the next one's.
type shard struct {
	mu    sync.Mutex // guards everything below
	sets  []*clients // a hash table; nil: nobody is there
	marks int        // that all clients have room for
	// untold is what was granted, by client, and Redis was not told yet; nil without a Shared.
	untold map[uint64]uint32
	_      [16]byte
}
