package ratelimit

import (
	"hash/maphash"
	"strconv"
	"sync"
	"time"
)

const (
	// leaseTime is how long a node may hold what it was granted and did not use.
	leaseTime = 100 * time.Millisecond

	// maxAhead bounds what a node holds of one client's budget: requests of 100 ms, more than a node answers.
	maxAhead = 1 << 16

	// leasesPerShard bounds the clients that a node knows something of to 65,536, some 8 MiB: those that it asks Redis
	// for, holds a lease of, or refuses. The first are few while Redis answers in milliseconds; the others may go.
	leasesPerShard = 1024
)

// leases are what this node knows of the shared budgets of one kind. It knows of a client as long as it has to.
type leases struct {
	shared *Shared
	kind   string       // begins the keys in Redis
	limit  string       // and tick: arguments of the script
	tick   string       //
	start  time.Time    // what the times below count from
	seed   maphash.Seed // which clients share a shard is not for them to choose
	shards [shardCount]leaseShard
	next   int // the shard whose turn it is to be asked for; Shared.Run's
}

// leaseShard holds the clients whose keys hash to it.
type leaseShard struct {
	mu      sync.Mutex // guards what follows
	clients map[uint64]lease
	pending []uint64 // the clients that Redis is to be asked for, each once
	_       [24]byte // up to a cache line
}

// lease is what this node knows of one client's budget. The zero lease is that of a client that it knows nothing of.
type lease struct {
	tokens uint32 // granted ahead and not used, good until end
	size   uint32 // what tokens was after the last grant
	used   uint32 // let through, and not told to Redis yet
	need   uint32 // requests that wait for what Redis says
	asking bool   // Redis is being asked, or about to be
	wanted bool   // because a request came, not to give something back
	listed bool   // in Shared.leased
	end    time.Duration
	// When nothing was left: until when, and when to ask again, because unused leases of others come back.
	until, again time.Duration
	answer       chan struct{} // closed by the answer; nil when nobody waits
}

// decision is what a node says of a request.
type decision uint8

const (
	granted decision = iota
	refused
	unknown  // only Redis knows; it is being asked
	notAsked // Redis can't be asked
)

func newLeases(s *Shared, kind string, local *Limiter) *leases {
	ls := &leases{
		shared: s, kind: "terse:" + kind + ":", limit: strconv.Itoa(int(local.limit)),
		tick: strconv.FormatInt(local.tick.Microseconds(), 10), start: local.start, seed: local.seed,
	}
	for i := range ls.shards {
		ls.shards[i].clients = map[uint64]lease{}
	}
	return ls
}

func (ls *leases) shard(key uint64) *leaseShard {
	return &ls.shards[maphash.Comparable(ls.seed, key)%shardCount]
}

// ask decides on one request without waiting. A request for which it did not know may ask again as one that waits: the
// answer's channel is for those.
//
// A request is let through on credit when the node has nothing of the client's budget at hand, does not wait for an
// answer about it, and was not told that nothing is left. Redis hears of it at once. So each node is ahead of Redis by
// one request of a client at most, and most visitors, who follow one link, do not wait.
func (ls *leases) ask(key uint64, waits bool) (_ decision, wait time.Duration, answer <-chan struct{}) {
	s := ls.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Since(ls.start)
	c, known := s.clients[key]
	if !known && !s.room() {
		return notAsked, 0, nil
	}
	decided := granted
	switch {
	case c.tokens > 0 && now < c.end:
		c.tokens--
		c.used++
		if !c.asking && (c.tokens <= c.size/4 || now > c.end-leaseTime/2) {
			ls.enqueue(s, key, &c, true)
		}
	case now < c.again:
		return refused, c.until - now, nil
	case now >= c.until && !c.asking:
		c.used++
		ls.enqueue(s, key, &c, true)
	default:
		decided = unknown
		answer = ls.queueUp(s, key, &c, waits)
	}
	s.clients[key] = c
	return decided, 0, answer
}

// queueUp notes that a request needs an answer. One that waits was noted before, if Redis is still being asked.
func (ls *leases) queueUp(s *leaseShard, key uint64, c *lease, waits bool) <-chan struct{} {
	if !waits || !c.asking {
		c.need++
	}
	if !c.asking {
		ls.enqueue(s, key, c, true)
	}
	if waits && c.answer == nil {
		c.answer = make(chan struct{})
	}
	return c.answer
}

func (ls *leases) enqueue(s *leaseShard, key uint64, c *lease, wanted bool) {
	c.asking, c.wanted = true, wanted
	s.pending = append(s.pending, key)
	ls.shared.awake()
}

// room tells whether one more client can be known. If necessary it forgets one, of a few at random, that Redis is not
// being asked for: if that is refused, it gets one more request through on this node.
func (s *leaseShard) room() bool {
	if len(s.clients) < leasesPerShard {
		return true
	}
	looked := 0
	for key, c := range s.clients {
		if c.idle() {
			delete(s.clients, key)
			return true
		}
		if looked++; looked == samples {
			break
		}
	}
	return false
}

// idle tells whether the node holds nothing of a client's budget and owes nothing to it.
func (c *lease) idle() bool { return !c.asking && c.tokens == 0 && c.used == 0 }

// question is what a node asks Redis about one client; see shared.lua.
type question struct {
	ls                      *leases
	key                     uint64
	used, keep, need, ahead uint32
}

// questions appends what is to be asked, maxBatch at most, and tells whether there is more.
func (ls *leases) questions(to []question) (_ []question, more bool) {
	room := maxBatch
	for range ls.shards {
		s := &ls.shards[ls.next]
		s.mu.Lock()
		now := time.Since(ls.start)
		n := min(len(s.pending), room)
		for _, key := range s.pending[:n] {
			c := s.clients[key]
			to = append(to, c.question(ls, key, now))
			s.clients[key] = c
		}
		s.pending = append(s.pending[:0], s.pending[n:]...)
		more = len(s.pending) > 0
		s.mu.Unlock()
		if more {
			return to, true
		}
		room -= n
		ls.next = (ls.next + 1) % shardCount
	}
	return to, false
}

// question settles what was used, and asks for what is needed. A client that used several since then will soon use as
// many again: the node wants to hold twice as much.
func (c *lease) question(ls *leases, key uint64, now time.Duration) question {
	if now >= c.end {
		c.tokens = 0
	}
	q := question{ls: ls, key: key, used: c.used, keep: c.tokens, need: c.need}
	if c.wanted {
		q.ahead = min(max(c.need, 2*(max(1, c.used)-1)), maxAhead)
	}
	c.used, c.need = 0, 0
	return q
}

// reply is what Redis says.
type reply struct {
	granted     uint32
	wait, again time.Duration // 0 unless nothing is left
}

// answered takes the answer to a question that was asked at some time, and tells whether the node now holds a lease that
// is not listed yet.
func (ls *leases) answered(q *question, asked time.Time, r reply) (list bool) {
	s := ls.shard(q.key)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Since(ls.start)
	c := s.clients[q.key]
	if q.keep+r.granted > 0 {
		c.tokens += r.granted
		c.size = c.tokens
		c.end = asked.Sub(ls.start) + leaseTime
	}
	c.until, c.again = 0, 0
	if r.wait > 0 {
		c.until, c.again = now+r.wait, now+r.again
	}
	if c.answer != nil {
		close(c.answer)
		c.answer = nil
	}
	c.asking = false
	if r.wait == 0 && c.need > c.tokens { // they came while Redis was asked
		c.need -= c.tokens
		ls.enqueue(s, q.key, &c, true)
	} else {
		c.need = 0
	}
	if c.idle() && c.until == 0 {
		delete(s.clients, q.key)
		return false
	}
	list = c.tokens+c.used > 0 && !c.listed
	c.listed = c.listed || list
	s.clients[q.key] = c
	return list
}

// settle gives a lease back when it is over, and tells whether it is still to be looked after.
func (ls *leases) settle(key uint64) bool {
	s := ls.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.clients[key]
	if !ok {
		return false
	}
	if c.asking || c.tokens+c.used > 0 && time.Since(ls.start) < c.end {
		return true
	}
	c.listed = false
	if !c.idle() {
		ls.enqueue(s, key, &c, false)
	}
	s.clients[key] = c
	return false
}

// forget drops everything, and lets those go that wait.
func (ls *leases) forget() {
	for i := range ls.shards {
		s := &ls.shards[i]
		s.mu.Lock()
		for _, c := range s.clients {
			if c.answer != nil {
				close(c.answer)
			}
		}
		clear(s.clients)
		s.pending = s.pending[:0]
		s.mu.Unlock()
	}
}
