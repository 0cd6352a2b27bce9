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
	// maxExact is the largest limit whose grants are told apart by fineTick. Beyond it
	// they share coarse ticks, so that a client never takes more than 256 marks (2 KiB),
	// whatever the limit.
	maxExact   = 256
	fineTick   = time.Microsecond
	coarseTick = 250 * time.Millisecond

	// shardCount keeps requests on different cores from waiting for one mutex.
	shardCount = 64

	// memoryBudget is small beside the link cache. Half of it is for marks: 16,000 clients may have
	// 65 to 128 requests a minute. A quarter is for 131,072 clients with more than one grant, an
	// eighth for 262,144 with one.
	memoryBudget = 32 << 20
)

// Limiter grants each client at most its limit of requests in any 60 seconds: a sliding
// window, not one that starts over each minute. Its methods may be called from many
// goroutines. A nil Limiter grants everything.
//
// Up to a limit of 256 it is exact to the microsecond: no more than the limit, and no
// refusal of a client that stays within it. Beyond 256, grants count up to 250 ms longer
// than a minute: never more than the limit, and at worst as many as the limit in 60.25 s.
//
// Memory is bounded. When more clients than it holds were granted requests within a minute, a new
// one evicts one of a few that chance has put beside it: a client with one grant never one with
// more, and another the one with the fewest. A flood from many addresses evicts itself, hardly ever
// a client that is near its limit. Memory is reused, not given back. Who a client was stays in it
// until another comes, or until Forget.
type Limiter struct {
	limit  uint32
	tick   time.Duration
	window int64 // ticks until a grant no longer counts
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
		tick:   fineTick,
		window: int64(Window / fineTick),
		start:  time.Now(),
		budget: budget / shardCount,
		seed:   maphash.MakeSeed(),
	}
	if limit > maxExact {
		l.tick = coarseTick
		// A grant may have come at the end of its tick: one tick more is never too early.
		l.window = int64(Window/coarseTick) + 1
	}
	for i := range l.shards {
		l.shards[i].clients = make([]client, minSets*ways)
		l.shards[i].newcomers = make([]newcomer, l.budget/8/newcomerBytes)
	}
	return l
}

// Take asks for one request of the client at addr. It returns 0 when the request is
// granted. Otherwise it returns how long the client has to wait until its next request is
// granted, more than 0 and at most 60.25 s; a refused request counts for nothing.
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
	// Read under the mutex, so that the times that a shard sees never run backwards.
	elapsed := time.Since(l.start)
	now := int64(elapsed / l.tick)

	wanted := uint32(n)
	c := s.known(key, hash)
	if c == nil {
		place, known := s.newcomer(key, hash, now, l.window)
		if !known {
			if wanted == 0 {
				return 0
			}
			*place = newcomer{key, now}
			l.tell(s, key, 1)
			if wanted--; wanted == 0 {
				return 0
			}
		}
		c = l.promote(s, place, now)
	}
	c.forget(now, l.window)
	if c.refused > elapsed {
		return c.refused - elapsed
	}
	// No more may count than leave room for all that is wanted.
	if most := l.limit - max(wanted, 1); c.total > most {
		return time.Duration(c.expiry(c.total-most)+l.window)*l.tick - elapsed
	}
	if wanted == 0 {
		return 0
	}
	s.marks += c.grant(now, wanted)
	l.tell(s, key, wanted)
	for s.marks*markBytes > l.budget/2 {
		l.shed(s, now) // may drop c
	}
	return 0
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
	elapsed := time.Since(l.start)
	now := int64(elapsed / l.tick)
	for i := range s.newcomers {
		// Memory that was never written to is left so: it takes none of the system's.
		if n := &s.newcomers[i]; n.key != 0 && now-n.last >= l.window {
			*n = newcomer{}
		}
	}
	for i := range s.clients {
		c := &s.clients[i]
		if c.key == 0 {
			continue
		}
		if c.forget(now, l.window); c.total == 0 && c.refused <= elapsed {
			s.free(c)
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

// tell has the other nodes told of granted requests, if there are some.
func (l *Limiter) tell(s *shard, key uint64, granted uint32) {
	if l.shared != nil {
		l.shared.tell(s, key, granted)
	}
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

// shard holds the clients whose keys hash to it. It fills two cache lines, so that one shard's
// mutex does not slow down the next one's.
type shard struct {
	mu        sync.Mutex // guards everything below
	clients   []client   // a hash table of sets of ways places each
	newcomers []newcomer // the same, of newcomerWays
	marks     int        // that all clients have room for
	// untold is what was granted, by client, and Redis was not told yet; nil without a Shared.
	untold map[uint64]uint32
	_      [56]byte
}
