package ratelimit

import (
	"context"
	_ "embed" // for the script
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/rueidis"
)

const (
	// askTimeout is how long Redis may take to answer before this node counts alone: longer than a busy machine takes,
	// because nodes that count alone let more through. Only requests of a client that come faster than answers wait, for the
	// answers to two batches at most.
	askTimeout = 200 * time.Millisecond
	// probeInterval is how often Redis is looked for when it is away, and looked after when there is nothing to ask.
	probeInterval = time.Second
	// probeTimeout bounds such a look, which may have to connect.
	probeTimeout = time.Second
	// settleInterval is how often leases that are over are looked for.
	settleInterval = leaseTime / 2
	// maxBatch bounds the questions about one kind of budget that are sent together: Redis answers so many in a few
	// milliseconds.
	maxBatch = 256
)

// Redis is where a Redis or Valkey server is.
type Redis struct{ options rueidis.ClientOption }

// ParseRedis takes a URL such as redis://user:password@host:6379/0, rediss://host or unix:///run/redis.sock. Its error
// does not tell what the URL holds, which may be a password.
func ParseRedis(url string) (Redis, error) {
	options, err := rueidis.ParseURL(url)
	if err != nil || options.InitAddress[0] == "" {
		return Redis{}, errors.New("must be a URL such as redis://user:password@host:6379/0, rediss://host or unix:///path")
	}
	options.Dialer.Timeout = probeTimeout
	options.Dialer.KeepAlive = -1 // Run looks after the connection
	options.ConnWriteTimeout = probeTimeout
	options.PipelineMultiplex = -1 // one connection: one goroutine asks
	options.DisableCache = true
	options.DisableRetry = true
	return Redis{options}, nil
}

//go:embed shared.lua
var script string

// Shared counts the requests of all nodes that share a Redis server together. While that does not answer, each node counts
// alone, by what it let through before.
type Shared struct {
	redis    Redis
	logger   *slog.Logger
	window   time.Duration // Window, and
	timeout  time.Duration // askTimeout, but in tests
	budgets  []*leases
	up       atomic.Bool
	failures atomic.Int64

	wake  chan struct{} // holds one when there is something to ask
	awoke atomic.Bool   // it does, and nobody needs to send another

	// What follows is Run's alone.
	client rueidis.Client // nil until Redis was reached once
	sha    string         // names the script in Redis
	node   string         // names this node there, for as long as it knows what it holds
	leased []leased
	probed time.Time
	batch  []question
	more   bool   // there was more to ask than one batch
	said   string // the last problem that was logged
}

// leased is a client of which the node holds a lease.
type leased struct {
	ls  *leases
	key uint64
}

// NewShared returns what Run connects to Redis.
func NewShared(redis Redis, logger *slog.Logger) *Shared {
	return &Shared{redis: redis, logger: logger, window: Window, timeout: askTimeout, wake: make(chan struct{}, 1)}
}

// Limiter returns a limiter like New's, whose clients have one budget on all nodes. Each kind has budgets of its own. All
// are made before Run.
//
// In any 60 seconds all nodes together grant a client no more than the limit and one for each node. A client that was
// refused is granted again when the limit allows it, but for what nodes hold of its budget ahead: at most an eighth of
// what was left, for 0.2 s.
func (s *Shared) Limiter(kind string, limit int) *Limiter {
	l := New(limit)
	if l != nil {
		l.leases = newLeases(s, kind, l)
		s.budgets = append(s.budgets, l.leases)
	}
	return l
}

// Up tells whether nodes count together: Redis answers.
func (s *Shared) Up() bool { return s.up.Load() }

// Failures returns how often Redis could not be asked.
func (s *Shared) Failures() int64 { return s.failures.Load() }

// patience is the longest wait of a request. Run's own are over earlier, unless the machine is too busy.
func (s *Shared) patience() time.Duration { return 5 * s.timeout / 2 }

// awake has Run ask what is pending.
func (s *Shared) awake() {
	if !s.awoke.Load() && !s.awoke.Swap(true) {
		s.wake <- struct{}{}
	}
}

// Run asks Redis until ctx ends.
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
	if s.client != nil {
		s.client.Close()
	}
}

// pause is how long there is nothing to do unless somebody asks.
func (s *Shared) pause() time.Duration {
	switch {
	case s.more:
		return 0
	case len(s.leased) > 0:
		return settleInterval
	}
	return max(0, probeInterval-time.Since(s.probed))
}

// round asks Redis what is pending, with all answers in one go.
func (s *Shared) round(ctx context.Context) {
	s.settle()
	s.batch, s.more = s.batch[:0], false
	for _, ls := range s.budgets {
		var more bool
		s.batch, more = ls.questions(s.batch)
		s.more = s.more || more
	}
	if len(s.batch) == 0 {
		return
	}
	asked := time.Now()
	replies, err := s.exchange(ctx)
	if err != nil {
		s.fail(err)
		return
	}
	s.probed = asked
	for i := range s.batch {
		q := &s.batch[i]
		if q.ls.answered(q, asked, replies[i]) {
			s.leased = append(s.leased, leased{q.ls, q.key})
		}
	}
}

// settle has leases that are over given back.
func (s *Shared) settle() {
	kept := s.leased[:0]
	for _, l := range s.leased {
		if l.ls.settle(l.key) {
			kept = append(kept, l)
		}
	}
	s.leased = kept
}

// exchange sends the batch and returns the replies to it.
func (s *Shared) exchange(ctx context.Context) ([]reply, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	window, lease := micros(s.window), micros(leaseTime)
	commands := make(rueidis.Commands, len(s.batch))
	for i := range s.batch {
		q := &s.batch[i]
		commands[i] = s.client.B().Evalsha().Sha1(s.sha).Numkeys(1).Key(q.ls.kind+strconv.FormatUint(q.key, 16)).
			Arg(s.node, decimal(q.used), decimal(q.keep), decimal(q.need), decimal(q.ahead), q.ls.limit, q.ls.tick, window, lease).Build()
	}
	replies := make([]reply, len(s.batch))
	for i, result := range s.client.DoMulti(ctx, commands...) {
		numbers, err := result.AsIntSlice()
		if err == nil && len(numbers) != 3 {
			err = fmt.Errorf("%d numbers, want 3", len(numbers))
		}
		if err != nil {
			return nil, fmt.Errorf("ask Redis: %w", err)
		}
		replies[i] = reply{
			granted: uint32(numbers[0]),
			wait:    time.Duration(numbers[1]) * time.Microsecond, again: time.Duration(numbers[2]) * time.Microsecond,
		}
	}
	return replies, nil
}

func micros(d time.Duration) string { return strconv.FormatInt(d.Microseconds(), 10) }

func decimal(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// probe looks whether Redis is there, and gives it the script.
func (s *Shared) probe(ctx context.Context) {
	s.probed = time.Now()
	timeout := probeTimeout
	if s.up.Load() {
		timeout = s.timeout // requests may be waiting
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := s.reach(ctx); err != nil {
		s.fail(fmt.Errorf("reach Redis: %w", err))
		return
	}
	if s.up.Load() {
		return
	}
	for _, ls := range s.budgets {
		ls.forget() // what came while it went down
	}
	s.node = strconv.FormatUint(rand.Uint64(), 36)
	s.up.Store(true)
	s.said = ""
	s.logger.Info("rate limits: counted together with the other nodes, through Redis")
}

func (s *Shared) reach(ctx context.Context) error {
	if s.client == nil {
		client, err := rueidis.NewClient(s.redis.options)
		if err != nil {
			return err
		}
		s.client = client
	}
	for _, server := range s.client.Nodes() {
		sha, err := server.Do(ctx, server.B().ScriptLoad().Script(script).Build()).ToString()
		if err != nil {
			return err
		}
		s.sha = sha
	}
	return nil
}

// fail has the node count alone until Redis is there again.
func (s *Shared) fail(err error) {
	s.failures.Add(1)
	s.down()
	if text := err.Error(); text != s.said {
		s.said = text
		s.logger.Warn("rate limits: this node counts alone", "error", err)
	}
}

// down drops what the node knew. What it holds in Redis counts there as used.
func (s *Shared) down() {
	s.up.Store(false)
	for _, ls := range s.budgets {
		ls.forget()
	}
	s.leased, s.more = nil, false
}
