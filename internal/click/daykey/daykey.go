// Package daykey keeps the keys of UTC days that hash visitors. It gets them from the store before
// they are needed, and makes the store and the click journal forget the hashes of past days.
package daykey

import (
	"context"
	"encoding/binary"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"sync/atomic"
	"time"

	"terse"
	"terse/internal/click/visitors"
)

// Options are a Keeper's parts. All are required.
type Options struct {
	Store   terse.Visitors
	Journal string // the ID of this node's journal
	// Counted reports whether no click from before a time is still waiting to be counted.
	Counted func(time.Time) bool
	// Rotate makes the journal drop counted clicks, and with them their hashes.
	Rotate  func() error
	Timeout time.Duration // for one call of the store
	Logger  *slog.Logger
}

// Keeper holds the keys of today and tomorrow, and makes the store forget those of past days.
// Nobody waits for it: without a key, visitors are unknown.
type Keeper struct {
	opts Options
	// keys holds the keys of two consecutive days, indexed by parity.
	keys [2]key
	// early is how long before midnight the next day's key is fetched, up to half a day, so that
	// nodes do not all ask at once and none lacks a key when the database is away.
	early time.Duration
	// Only Run uses the rest.
	ended terse.Day // the last day passed to EndDays with all earlier clicks counted
	begun terse.Day // the last day passed to EndDays
	fails int       // in a row
}

const (
	maxEarly = 12 * time.Hour
	minEarly = 6 * time.Hour
	// The delay between retries while the store fails: it doubles each time, less up to half at
	// random.
	minRetry = time.Second
	maxRetry = time.Minute
	// lasting is the number of failures in a row, within two to four minutes, after which even
	// those are reported that a backup may cause.
	lasting = 8
	// lateClick is how long after midnight a visit of the day before may still be recorded.
	// waitCounts is how often the Keeper then checks whether all are counted.
	lateClick  = 10 * time.Second
	waitCounts = 2 * time.Second
)

// New returns a Keeper without keys.
func New(opts Options) *Keeper {
	return &Keeper{opts: opts, early: minEarly + rand.N(maxEarly-minEarly)}
}

// key is the key of a day. It may be read while it is written.
type key struct {
	day    atomic.Int64 // the day plus 1; 0: no key
	k0, k1 atomic.Uint64
}

func (k *key) set(day terse.Day, to terse.VisitorKey) {
	k.wipe()
	k.k0.Store(binary.LittleEndian.Uint64(to[:]))
	k.k1.Store(binary.LittleEndian.Uint64(to[8:]))
	k.day.Store(int64(day) + 1)
}

func (k *key) wipe() {
	k.day.Store(0)
	k.k0.Store(0)
	k.k1.Store(0)
}

func (k *key) of(day terse.Day) bool { return k.day.Load() == int64(day)+1 }

// Key returns the key of a day, if there is one.
func (k *Keeper) Key(day terse.Day) (key terse.VisitorKey, ok bool) {
	slot := &k.keys[day&1]
	if !slot.of(day) {
		return key, false
	}
	binary.LittleEndian.PutUint64(key[:], slot.k0.Load())
	binary.LittleEndian.PutUint64(key[8:], slot.k1.Load())
	return key, slot.of(day) // false if it was wiped meanwhile
}

// Visitor returns the hash of a visitor of a link at a time, 0 without the day's key.
func (k *Keeper) Visitor(
	micros int64, addr netip.Addr, agent []byte, link terse.LinkID,
) uint64 {
	key, ok := k.Key(terse.DayOf(micros))
	if !ok {
		return 0
	}
	return visitors.Hash(key, addr, agent, link)
}

// Start gets today's key before visitors arrive. If that fails, Run tries again.
func (k *Keeper) Start(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, k.opts.Timeout)
	defer cancel()
	_ = k.fetch(ctx, terse.DayOf(time.Now().UnixMicro())) // Run will report the error
}

// Run keeps the keys until ctx ends, and returns nil.
func (k *Keeper) Run(ctx context.Context) error {
	for {
		timer := time.NewTimer(k.step(ctx))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil
		}
	}
}

// step does what is due, and returns how long until more is.
func (k *Keeper) step(ctx context.Context) time.Duration {
	now := time.Now()
	today := terse.DayOf(now.UnixMicro())
	for i := range k.keys {
		if day := k.keys[i].day.Load(); day != 0 && terse.Day(day-1) < today {
			k.keys[i].wipe()
		}
	}
	asking, cancel := context.WithTimeout(ctx, k.opts.Timeout)
	defer cancel()
	midnight := time.UnixMicro((today + 1).Start())
	// Keys come first: a store that can't forget a day yet may still know the next one's.
	err := k.fetchDue(asking, now, today, midnight)
	fetched := err == nil
	if fetched {
		err = k.endDays(asking, now, today)
	}
	if err != nil {
		if k.fails++; ctx.Err() == nil {
			k.report(fetched, err)
		}
		retry := min(minRetry<<min(k.fails-1, 10), maxRetry)
		return min(retry-rand.N(retry/2), time.Until(midnight))
	}
	k.fails = 0
	next := midnight
	if k.ended < today {
		next = now.Add(waitCounts)
	} else if early := midnight.Add(-k.early); now.Before(early) {
		next = early
	}
	return time.Until(next)
}

// report logs the first failure to get a key. It logs only lasting failures to forget a past day:
// a backup delays that, for example.
func (k *Keeper) report(fetched bool, err error) {
	switch {
	case !fetched && k.fails == 1:
		k.opts.Logger.Warn("visitors are not distinguished while the store fails", "error", err)
	case fetched && k.fails == lasting:
		k.opts.Logger.Warn("the hashes of past visitors are still kept, because the store fails",
			"error", err)
	}
}

// fetchDue fetches missing keys.
func (k *Keeper) fetchDue(ctx context.Context, now time.Time, today terse.Day, midnight time.Time,
) error {
	if err := k.fetch(ctx, today); err != nil {
		return err
	}
	if midnight.Sub(now) <= k.early {
		return k.fetch(ctx, today+1)
	}
	return nil
}

// endDays tells the store which days are over.
func (k *Keeper) endDays(ctx context.Context, now time.Time, today terse.Day) error {
	late := time.UnixMicro(today.Start()).Add(lateClick)
	counted := now.After(late) && k.opts.Counted(late)
	if k.ended >= today || k.begun >= today && !counted {
		return nil
	}
	if err := k.opts.Store.EndDays(ctx, k.opts.Journal, today, counted); err != nil {
		return err
	}
	if k.begun = today; !counted {
		return nil
	}
	if err := k.opts.Rotate(); err != nil {
		return err
	}
	k.ended = today
	return nil
}

func (k *Keeper) fetch(ctx context.Context, day terse.Day) error {
	slot := &k.keys[day&1]
	if slot.of(day) {
		return nil
	}
	key, err := k.opts.Store.VisitorKey(ctx, day)
	if err == nil {
		slot.set(day, key)
		clear(key[:])
	}
	return err
}
