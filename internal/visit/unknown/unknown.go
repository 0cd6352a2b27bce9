// Package unknown counts requests for codes that no link has, and for other addresses that no link
// has as its alias, by UTC day.
//
// It decides nothing about visits, and knows neither requests nor visitors, only addresses and
// times. Addresses are spread over shards, each with a lock and a sketch, so that loops seldom wait
// for each other and memory does not grow, whatever is requested. In the background, the most
// frequent ones go to the store as this node's part of the day. A process that crashes loses its
// counts since then.
//
// A day's part in the store is the sum of what earlier processes of the node stored, which is read
// once, and of what this one counted. Writing it twice changes nothing, so a write without an
// answer is repeated.
package unknown

import (
	"context"
	"fmt"
	"hash/maphash"
	"log/slog"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"terse"
)

// Store is the Counter's part of the store; see terse.Node.
type Store interface {
	KeepUnknown(ctx context.Context, node string, day terse.Day, codes terse.UnknownCodes) error
	Unknown(ctx context.Context, day terse.Day) (map[string]terse.UnknownCodes, error)
}

// Options are a Counter's parts; all are required.
type Options struct {
	Store   Store
	Node    string        // identifies its part of a day, also after a restart
	Timeout time.Duration // for one call of the store
	Logger  *slog.Logger
}

// Counter counts unknown codes.
type Counter struct {
	opts         Options
	seed1, seed2 uint64 // of hash, so that nobody can target a shard
	seed         maphash.Seed
	codes        [numShards]shard[terse.Code]
	aliases      [aliasShards]shard[string]

	mu   sync.Mutex            // held by Flush; guards days
	days map[terse.Day]*dayLog // the same days as in shards
}

// The numbers of shards are powers of two. If more loops than that request codes, some wait for a
// moment. Aliases are requested less, and are longer.
const (
	numShards   = 16
	shardBits   = 4
	aliasShards = 4
	aliasBits   = 2
)

// shard counts codes or aliases.
type shard[K comparable] struct {
	mu sync.Mutex // guards days
	// The last one counts visits; those before it wait for the store. There are at most maxDays,
	// which take 10 MB in all shards of codes, and as much in those of aliases; the store would
	// drop older ones.
	days []*sketch[K]
}

const maxDays = terse.UnknownDays + 1

// dayLog is Flush's record of a day.
type dayLog struct {
	before terse.UnknownCodes // what earlier processes stored
	read   bool               // before has been read
	kept   int64              // the total stored by this process, -1: none yet
}

// New returns a Counter.
func New(opts Options) *Counter {
	return &Counter{
		opts: opts, seed1: rand.Uint64(), seed2: rand.Uint64(), seed: maphash.MakeSeed(),
		days: map[terse.Day]*dayLog{},
	}
}

func (c *Counter) hash(code terse.Code) uint64 {
	hi, lo := code.Pack()
	hi, lo = bits.Mul64(lo^c.seed1, hi^c.seed2)
	hi, lo = bits.Mul64(hi^lo^c.seed2, 0x9E3779B97F4A7C15)
	return hi ^ lo
}

// Add counts a visit to a code that no link has.
func (c *Counter) Add(code terse.Code, at time.Time) {
	hash := c.hash(code)
	c.codes[hash>>(64-shardBits)].add(code, hash, at)
}

// AddAlias counts a visit to an address that only an alias could be, and no link has. It keeps the
// address.
func (c *Counter) AddAlias(alias string, at time.Time) {
	hash := maphash.String(c.seed, alias)
	c.aliases[hash>>(64-aliasBits)].add(alias, hash, at)
}

func (s *shard[K]) add(code K, hash uint64, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on(terse.DayOf(at.UnixMicro())).add(code, hash)
}

// on returns the sketch of a day. It never goes back: visits that are a moment late at midnight, or
// come after a clock was set back, count for the later day.
func (s *shard[K]) on(day terse.Day) *sketch[K] {
	if n := len(s.days); n > 0 && s.days[n-1].day >= day {
		return s.days[n-1]
	}
	if len(s.days) >= maxDays {
		s.days = slices.Delete(s.days, 0, 1)
	}
	s.days = append(s.days, &sketch[K]{day: day})
	return s.days[len(s.days)-1]
}

// interval is how often counts go to the store. They should arrive within 10 seconds, even if the
// store is busy.
const interval = 3 * time.Second

// Run writes counts to the store until ctx ends.
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

// Flush writes all counts so far to the store. It writes each day once even if nothing was counted,
// so that the store drops old days.
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

// totals begins today in all shards, so that earlier days no longer change, and returns the number
// of visits of each day.
func (c *Counter) totals(today terse.Day) map[terse.Day]int64 {
	totals := map[terse.Day]int64{}
	addTotals(totals, c.codes[:], today)
	addTotals(totals, c.aliases[:], today)
	return totals
}

func addTotals[K comparable](totals map[terse.Day]int64, shards []shard[K], today terse.Day) {
	for i := range shards {
		s := &shards[i]
		s.mu.Lock()
		s.on(today)
		for _, sketch := range s.days {
			totals[sketch.day] += sketch.total
		}
		s.mu.Unlock()
	}
}

// keep stores a day.
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

// counted returns this process's counts of a day. An address is in only one shard.
func (c *Counter) counted(day terse.Day) (u terse.UnknownCodes) {
	eachOf(c.codes[:], day, func(s *sketch[terse.Code]) {
		u.Total, u.Rest = u.Total+s.total, max(u.Rest, s.rest())
		s.each(func(code terse.Code, n, tooMany int64) {
			u.Codes = append(u.Codes, terse.UnknownCode{Code: code, Count: n, Error: tooMany})
		})
	})
	eachOf(c.aliases[:], day, func(s *sketch[string]) {
		u.Total, u.AliasRest = u.Total+s.total, max(u.AliasRest, s.rest())
		s.each(func(alias string, n, tooMany int64) {
			u.Aliases = append(u.Aliases, terse.UnknownCode{
				Alias: alias, Count: n, Error: tooMany,
			})
		})
	})
	return u
}

// eachOf calls f for the sketches of a day.
func eachOf[K comparable](shards []shard[K], day terse.Day, f func(*sketch[K])) {
	for i := range shards {
		s := &shards[i]
		s.mu.Lock()
		for _, sketch := range s.days {
			if sketch.day == day {
				f(sketch)
			}
		}
		s.mu.Unlock()
	}
}

// forget drops a finished day that is in the store.
func (c *Counter) forget(day terse.Day) {
	forgetIn(c.codes[:], day)
	forgetIn(c.aliases[:], day)
}

func forgetIn[K comparable](shards []shard[K], day terse.Day) {
	for i := range shards {
		s := &shards[i]
		s.mu.Lock()
		if s.days[0].day == day {
			s.days = slices.Delete(s.days, 0, 1)
		}
		s.mu.Unlock()
	}
}
