package ratelimit

import (
	"context"
	_ "embed" // for the script
	"fmt"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"terse/internal/visit/ratelimit/redis"
)

const (
	// answerTimeout is how long Redis may take to answer before this node counts alone. It is
	// longer than a busy machine takes, because nodes that count alone let more through. No request
	// waits for it.
	answerTimeout = time.Second
	// probeInterval is how often Run probes Redis, if it is away or there is nothing to send.
	probeInterval = time.Second
	// maxBatch bounds the clients of one kind in a batch. Redis answers that many in a few
	// milliseconds.
	maxBatch = 256
	// maxUnsent bounds the clients per shard whose grants wait to be sent: 65,536 of a kind, about
	// 3 MiB.
	maxUnsent = 1024
	// logPause is the minimum time between two log entries about problems: a server that fails now
	// and then is worth one a minute.
	logPause = time.Minute
)

//go:embed shared.lua
var script string

// Shared counts requests together with all nodes that share a Redis server. Each node decides by
// its own count and by the last answer from Redis, so no request waits for Redis. Hold is for
// requests that may wait. While Redis does not answer, each node counts alone.
type Shared struct {
	client   *redis.Client
	logger   *slog.Logger
	window   time.Duration // Window, except in tests
	timeout  time.Duration // answerTimeout, except in tests
	limiters []*Limiter
	up       atomic.Bool
	failures atomic.Int64

	wake  chan struct{} // holds an item if there is something to send
	awoke atomic.Bool   // wake holds an item, so another is not needed

	// Only Run uses the rest.
	sha    string // identifies the script in Redis
	probed time.Time
	batch  []grants
	more   bool   // there is more to send than one batch
	logged string // the last logged problem, "" if the last entry says that there is none
	warned time.Time
}

// grants is the number of a client's grants since the last batch.
type grants struct {
	limiter *Limiter
	key     uint64
	granted uint32
}

// NewShared returns a Shared that Run connects to Redis.
func NewShared(server redis.Server, logger *slog.Logger) *Shared {
	return &Shared{
		client: redis.New(server), logger: logger, window: Window, timeout: answerTimeout,
		wake: make(chan struct{}, 1), logged: "nothing yet",
	}
}

// Limiter returns a limiter like New's, whose clients have one budget on all nodes. Each kind has
// its own budgets. Call it before Run.
//
// In any 60 seconds, all nodes together grant a client no more than the limit, plus what each node
// grants before Redis has answered it: one request of a client that sends one at a time and less
// often than Redis answers.
func (s *Shared) Limiter(kind string, limit int) *Limiter {
	l := New(limit)
	if l == nil {
		return nil
	}
	l.shared, l.kind = s, "terse:"+kind+":"
	for i := range l.shards {
		l.shards[i].unsent = map[uint64]uint32{}
	}
	s.limiters = append(s.limiters, l)
	return l
}

// Up reports whether nodes count together, that is, whether Redis answers.
func (s *Shared) Up() bool { return s.up.Load() }

// Failures returns how often sending grants to Redis failed.
func (s *Shared) Failures() int64 { return s.failures.Load() }

// queue queues granted requests for Redis. The caller holds the shard's mutex.
func (s *Shared) queue(sh *shard, key uint64, granted uint32) {
	if !s.up.Load() {
		return
	}
	n, waiting := sh.unsent[key]
	if !waiting && len(sh.unsent) >= maxUnsent {
		s.failures.Add(1)
		return
	}
	sh.unsent[key] = n + granted
	if !s.awoke.Load() && !s.awoke.Swap(true) {
		s.wake <- struct{}{}
	}
}

// Run sends grants to Redis until ctx ends.
func (s *Shared) Run(ctx context.Context) error {
	defer s.close()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for ctx.Err() == nil {
		if s.up.Load() {
			s.round(ctx)
		}
		if time.Since(s.probed) >= probeInterval {
			s.probe(ctx)
		}
		pause.Reset(s.pause())
		select {
		case <-ctx.Done():
		case <-pause.C:
		case <-s.wake:
			s.awoke.Store(false)
		}
	}
	return ctx.Err()
}

func (s *Shared) close() {
	s.down()
	s.client.Close()
}

// pause returns how long Run may sleep unless a request is granted.
func (s *Shared) pause() time.Duration {
	if s.more {
		return 0
	}
	return max(0, probeInterval-time.Since(s.probed))
}

// round sends one batch to Redis, and applies the answers.
func (s *Shared) round(ctx context.Context) {
	s.batch, s.more = s.batch[:0], false
	for _, l := range s.limiters {
		var more bool
		s.batch, more = l.takeUnsent(s.batch)
		s.more = s.more || more
	}
	if len(s.batch) == 0 {
		return
	}
	asked := time.Now()
	defer clear(s.batch) // it has addresses, and the next batch may be long in coming
	if err := s.exchange(ctx); err != nil {
		s.fail(err)
		return
	}
	s.probed = asked
}

// takeUnsent moves grants of at most maxBatch clients to the batch, and reports whether there are
// more.
func (l *Limiter) takeUnsent(batch []grants) (_ []grants, more bool) {
	room := maxBatch
	for range l.shards {
		s := &l.shards[l.next]
		s.mu.Lock()
		for key, granted := range s.unsent {
			if room == 0 {
				s.mu.Unlock()
				return batch, true
			}
			room--
			batch = append(batch, grants{l, key, granted})
			delete(s.unsent, key)
		}
		s.mu.Unlock()
		l.next = (l.next + 1) % shardCount
	}
	return batch, false
}

// exchange sends the batch, and applies the answers to the limiters.
func (s *Shared) exchange(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	commands := make([][]string, len(s.batch))
	for i, n := range s.batch {
		run, name := "EVALSHA", s.sha
		if i == 0 { // Redis may have been told to forget its scripts
			run, name = "EVAL", script
		}
		commands[i] = []string{
			run, name, "1", n.limiter.kind + strconv.FormatUint(n.key, 16), decimal(n.granted),
			decimal(n.limiter.limit), micros(tick), micros(s.window),
		}
	}
	replies, err := s.client.Do(ctx, commands...)
	if err != nil {
		return fmt.Errorf("tell Redis: %w", err)
	}
	for i, reply := range replies {
		if reply.Err != nil {
			return fmt.Errorf("tell Redis: %w", reply.Err)
		}
		s.batch[i].limiter.applyWait(s.batch[i].key, bounded(reply.Number, s.window+tick))
	}
	return nil
}

// bounded returns microseconds that Redis has answered as a wait, which is never longer than the
// longest that the script returns.
func bounded(micros int64, longest time.Duration) time.Duration {
	return time.Duration(min(max(micros, 0), longest.Microseconds())) * time.Microsecond
}

// applyWait makes a client wait as long as Redis says.
func (l *Limiter) applyWait(key uint64, wait time.Duration) {
	hash := l.hash(key)
	s := l.shard(hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	elapsed, now := l.now()
	c, known := s.find(key, hash)
	if !known {
		if wait == 0 {
			return
		}
		s.put(c, key, now)
	}
	c.refused = 0
	if wait > 0 {
		c.refused = elapsed + wait
	}
}

// forgetShared drops the answers from Redis, and grants that were not sent.
func (l *Limiter) forgetShared() {
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		clear(s.unsent)
		for c := range s.all() {
			c.refused = 0
		}
		s.mu.Unlock()
	}
}

func micros(d time.Duration) string { return strconv.FormatInt(d.Microseconds(), 10) }

func decimal(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// probe checks whether Redis answers, and loads the script.
func (s *Shared) probe(ctx context.Context) {
	s.probed = time.Now()
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if err := s.reach(ctx); err != nil {
		s.fail(fmt.Errorf("reach Redis: %w", err))
		return
	}
	if s.up.Load() {
		return
	}
	s.up.Store(true)
	s.log("")
}

// reach loads the script into Redis.
func (s *Shared) reach(ctx context.Context) error {
	replies, err := s.client.Do(ctx, []string{"SCRIPT", "LOAD", script})
	if err != nil {
		return err
	}
	s.sha = replies[0].Text
	return replies[0].Err
}

// fail makes the node count alone until Redis answers again.
func (s *Shared) fail(err error) {
	s.failures.Add(1)
	s.down()
	s.log(err.Error())
}

// log logs a problem, or with "" that it is over. Each problem is logged once, and at most one each
// logPause, whatever Redis does.
func (s *Shared) log(problem string) {
	switch {
	case problem == s.logged:
	case problem == "":
		s.logged = ""
		s.logger.Info("rate limits: counted together with the other nodes, through Redis")
	case s.warned.IsZero() || time.Since(s.warned) >= logPause:
		s.logged, s.warned = problem, time.Now()
		s.logger.Warn("rate limits: this node counts alone", "error", problem)
	}
}

// down makes each limiter go by its own count.
func (s *Shared) down() {
	s.up.Store(false)
	for _, l := range s.limiters {
		l.forgetShared()
	}
	s.more = false
}
