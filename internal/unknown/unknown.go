// Package unknown counts which codes visitors ask for that no link has, by UTC day.
//
// It decides nothing about visits, and knows neither requests nor visitors: it is told of a code
// and a time. Codes are spread over shards, each with a lock and a sketch of its own, so that loops
// seldom wait for each other and memory does not grow, whatever is asked for. In the background the
// most frequent ones go to the store, as this node's part of the day. A process that ends without
// notice loses what it counted since.
//
// A day's part in the store is what earlier processes of the node kept there, which is read once,
// and what this one counted. To write it again changes nothing, so a write whose answer was lost is
// repeated.
package unknown

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"terse"
)

// Store is what a Counter needs of the store; see terse.Node.
type Store interface {
	KeepUnknown(ctx context.Context, node string, day terse.Day, codes terse.UnknownCodes) error
	Unknown(ctx context.Context, day terse.Day) (map[string]terse.UnknownCodes, error)
}

// Options are a Counter's parts; all are needed.
type Options struct {
	Store   Store
	Node    string        // by which its part of a day is known, also after a restart
	Timeout time.Duration // of what is asked of the store at a time
	Logger  *slog.Logger
}

// Counter counts unknown codes.
type Counter struct {
	opts         Options
	seed1, seed2 uint64 // of hash, so that nobody can aim at a shard
	shards       [numShards]shard

	mu   sync.Mutex            // held by Flush; guards what follows
	days map[terse.Day]*dayLog // as many as shards have
}

// numShards is a power of two. Where more loops than that ask for codes, some wait for a moment.
const (
	numShards = 16
	shardBits = 4
)

type shard struct {
	mu sync.Mutex // guards days
	// The last one is counted in, those before it wait for the store. They are at most maxDays,
	// which are 10 MB in all shards: what is older the store would forget.
	days []*sketch
}

const maxDays = terse.UnknownDays + 1

// dayLog is what Flush knows of a day.
type dayLog struct {
	before terse.UnknownCodes // what earlier processes kept
	read   bool               // before is known
	kept   int64              // the total in the store, -1: nothing was written yet
}

// New returns a Counter.
func New(opts Options) *Counter {
	return &Counter{
		opts: opts, seed1: rand.Uint64(), seed2: rand.Uint64(),
		days: map[terse.Day]*dayLog{},
	}
}

func (c *Counter) hash(code terse.Code) uint64 {
	hi, lo := code.Pack()
	hi, lo = bits.Mul64(lo^c.seed1, hi^c.seed2)
	hi, lo = bits.Mul64(hi^lo^c.seed2, 0x9E3779B97F4A7C15)
	return hi ^ lo
}

// Add counts a visit of a code that no link has.
func (c *Counter) Add(code terse.Code, at time.Time) {
	hash := c.hash(code)
	s := &c.shards[hash>>(64-shardBits)]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on(terse.DayOf(at.UnixMicro())).add(code, hash)
}

// on returns the sketch of a day. It never goes back: what is a moment late at midnight, or comes
// after a clock was set back, is counted on the later day.
func (s *shard) on(day terse.Day) *sketch {
	if n := len(s.days); n > 0 && s.days[n-1].day >= day {
		return s.days[n-1]
	}
	if len(s.days) >= maxDays {
		s.days = slices.Delete(s.days, 0, 1)
	}
	s.days = append(s.days, &sketch{day: day})
	return s.days[len(s.days)-1]
}

// interval is how often the store gets what was counted. It is to be there within 10 seconds, also
// while the store is busy.
const interval = 3 * time.Second

// Run writes to the store what was counted, until ctx ends.
func (c *Counter) Run(ctx context.Context) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		err := c.Flush(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			c.opts.Logger.Warn("unknown codes wait for the store", "error", err)
		}
		failing = err != nil
	}
}

// Flush writes to the store what was counted until now. A day is written once even if nothing was
// counted, so that the store forgets old ones.
func (c *Counter) Flush(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	today := terse.DayOf(time.Now().UnixMicro())
	totals := c.totals(today)
	maps.DeleteFunc(c.days, func(day terse.Day, _ *dayLog) bool {
		_, counted := totals[day]
		return !counted
	})
	for _, day := range slices.Sorted(maps.Keys(totals)) {
		log := c.days[day]
		if log == nil {
			log = &dayLog{kept: -1}
			c.days[day] = log
		}
		if log.kept != totals[day] {
			if err := c.keep(ctx, day, log); err != nil {
				return fmt.Errorf("unknown codes of %v: %w", day, err)
			}
		}
		if day < today {
			c.forget(day)
		}
	}
	return nil
}

// totals begins a day in all shards, so that nothing is added to earlier ones any more, and returns
// how many visits each day has.
func (c *Counter) totals(today terse.Day) map[terse.Day]int64 {
	totals := map[terse.Day]int64{}
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		s.on(today)
		for _, sketch := range s.days {
			totals[sketch.day] += sketch.total
		}
		s.mu.Unlock()
	}
	return totals
}

// keep writes a day.
func (c *Counter) keep(ctx context.Context, day terse.Day, log *dayLog) error {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	if !log.read {
		nodes, err := c.opts.Store.Unknown(ctx, day)
		if err != nil {
			return err
		}
		log.before, log.read = nodes[c.opts.Node], true
	}
	counted := c.counted(day)
	err := c.opts.Store.KeepUnknown(ctx, c.opts.Node, day, terse.SumUnknown(log.before, counted))
	if err == nil {
		log.kept = counted.Total
	}
	return err
}

// counted returns what this process counted on a day. A code is in one shard only.
func (c *Counter) counted(day terse.Day) (u terse.UnknownCodes) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		for _, sketch := range s.days {
			if sketch.day == day {
				sketch.appendTo(&u)
			}
		}
		s.mu.Unlock()
	}
	return u
}

// forget lets go of the first day, which is over and in the store.
func (c *Counter) forget(day terse.Day) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		if s.days[0].day == day {
			s.days = slices.Delete(s.days, 0, 1)
		}
		s.mu.Unlock()
	}
}
