// Package ingest moves clicks from the journal into the store: in batches, in order, each
// click exactly once, however often the store fails or the process dies.
//
// The store's position is authoritative: it moves in the transaction that counts a batch. A failure
// may leave the outcome unknown. Ingest then asks for the position and resumes the journal there.
// It tries again until the store succeeds; meanwhile the journal grows. It must not change or
// discard a click, and does not decide what counts.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"terse"
	"terse/internal/click/journal"
	"terse/internal/click/yield"
)

// Timing of batches. A single click is ingested at once. While clicks keep coming, a pause follows
// each batch: larger batches make each click cheaper, and the pause leaves the cores to redirects.
const (
	// share bounds ingest to 1/share of a core: the pause is share-1 times as long as the batch
	// took, within the bounds below.
	share = 20
	// minPause bounds the transactions a second of a quiet service. With quietBatch it also bounds
	// the delay of its clicks: well under 200 ms.
	minPause = 50 * time.Millisecond
	// After a batch of at most quietBatch clicks the pause is minPause, however slow the disk is.
	quietBatch = 256
	// maxLag is the target age of a click when it is counted. In the worst case a click arrives
	// just after a batch was read. It waits for that batch, the pause, and its own batch, which may
	// be as slow as the slowest recent one. Slow batches shorten the pause, but not below the
	// duration of a batch, so that other writers get their turn. On a busy machine a click is still
	// counted within two seconds.
	maxLag = 1200 * time.Millisecond

	// Backoff while the store fails: doubled each time, minus a random part of up to half.
	minBackoff = 50 * time.Millisecond
	maxBackoff = 2 * time.Second

	// After quietTime without clicks the store is asked to tidy up.
	quietTime = time.Minute

	// unknownPatience is how long a batch waits for links that the store does not know yet. A
	// commit that hangs between two servers may take a minute.
	unknownPatience = 2 * time.Minute

	// logAgain is how often a lasting failure is logged.
	logAgain = time.Minute

	// defaultMaxBatch bounds the memory of a batch, 28 MB and its texts, and the transaction that
	// counts it, a tenth of a second of a core. That is 1.1 s of 240,000 clicks a second.
	defaultMaxBatch = 1 << 18
	// minBatch bounds how far a slow or failing store shrinks batches. They must shrink: a batch
	// that exceeds the timeout would never be counted.
	minBatch = 1024
	// maxHold is how long a batch should keep the store's writer busy: creating links waits for it.
	// Batches are halved above it. While requests leave hardly any time, a batch takes several
	// times as long as it computes.
	maxHold = 500 * time.Millisecond
	// maxHoldSmall is the same for batches of at most a quarter of the largest. If the clicks are
	// of many links, most of a small batch's time goes to the rows of these, and a batch of half
	// the clicks takes nearly as long: smaller and smaller ones would count fewer and fewer clicks
	// a second.
	maxHoldSmall = 2 * time.Second
)

// Store is the part of terse.Clicks that ingest needs.
type Store interface {
	AddClicks(ctx context.Context, batch terse.ClickBatch) error
	JournalPosition(ctx context.Context, journal string) (int64, error)
}

// Options configure an Ingester. All except MaxBatch are required.
type Options struct {
	Journal  *journal.Journal
	Store    Store
	Logger   *slog.Logger
	MaxBatch int           // clicks; 0: 262,144
	Timeout  time.Duration // of one call of the store, for example 5s
}

// Stats are figures for metrics and the readiness detail.
type Stats struct {
	// accepted by the store since the start, including clicks of deleted links
	Clicks   int64
	Batches  int64     // accepted by the store since the start
	Failures int64     // failed tries since the start
	Lost     int64     // clicks since the start of links that never appeared
	Err      error     // error of the last try, nil if it succeeded
	Failing  time.Time // since when all tries have failed, zero if the last one succeeded
	// age of the oldest click of the last batch: when it was counted, or now if it is not counted
	// yet
	Lag time.Duration
}

// Ingester is the only reader of a journal. Run and Drain must not run at the same time.
type Ingester struct {
	journal  *journal.Journal
	store    Store
	log      *slog.Logger
	maxBatch int
	timeout  time.Duration

	yielder yield.Yielder
	limit   int                   // clicks of the next batch at most
	clicks  *terse.NumberedClicks // memory for the next batch
	tried   terse.ClickBatch      // the last batch until it is known to be counted
	n       int                   // clicks in it
	unsure  bool                  // it may or may not have been counted
	full    bool                  // it had the maximum number of clicks
	took    time.Duration         // duration of the store's call for it
	slow    time.Duration         // duration of the slowest recent batch, decaying
	fails   int                   // consecutive failed tries
	since   time.Time             // when the first of them failed
	logged  time.Time             // when the failure was last logged
	unknown time.Time             // since when a batch has been waiting for links; zero: none is

	mu    sync.Mutex // guards what Stats returns
	stats Stats
	// time of the oldest click that is read but not counted, in microseconds; 0: none
	pending int64
	// time of the first click of the last counted batch, in microseconds
	reached int64
}

// New returns an Ingester. Nothing happens before Run or Drain.
func New(opts Options) *Ingester {
	if opts.MaxBatch == 0 {
		opts.MaxBatch = defaultMaxBatch
	}
	return &Ingester{
		journal: opts.Journal, store: opts.Store, log: opts.Logger,
		maxBatch: opts.MaxBatch, limit: opts.MaxBatch, timeout: opts.Timeout,
	}
}

// Run ingests until ctx ends, and returns nil. If the store fails, it tries again until the store
// succeeds.
func (i *Ingester) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		err := i.try(ctx)
		sleep(ctx, i.pause(err))
	}
	return nil
}

// Drain ingests the rest of the journal. Call it after Run has returned and the last click was
// appended. If ctx ends first, the remaining clicks stay in the journal for the next start, and the
// error says how many bytes they are.
func (i *Ingester) Drain(ctx context.Context) error {
	for i.journal.Stats().Backlog > 0 {
		if ctx.Err() != nil {
			return fmt.Errorf("ingest: %d bytes of clicks stay in the journal: %w",
				i.journal.Stats().Backlog, ctx.Err())
		}
		if err := i.try(ctx); err != nil {
			sleep(ctx, i.pause(err))
		}
	}
	return nil
}

// try ingests one batch. It logs a failure when it begins, once a minute while it lasts, and when
// it is over.
func (i *Ingester) try(ctx context.Context) error {
	err := i.next(ctx)
	switch {
	case err == nil && i.fails > 0:
		i.log.Info("clicks are counted again", "tries", i.fails, "after", time.Since(i.since))
		i.fails, i.since = 0, time.Time{}
	case err != nil && ctx.Err() != nil:
		return err // the end, not a failure
	case err != nil:
		i.failed(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stats.Failing = i.since
	if i.stats.Err = err; err != nil {
		i.stats.Failures++
	}
	return err
}

func (i *Ingester) failed(err error) {
	now := time.Now()
	if i.fails++; i.fails == 1 {
		i.since = now
	}
	if i.fails == 1 || now.Sub(i.logged) >= logAgain {
		i.logged = now
		i.log.Error("clicks are not counted for now; they are kept in the journal",
			"error", err, "tries", i.fails, "for", now.Sub(i.since))
	}
}

// pause returns how long to wait after a try.
func (i *Ingester) pause(err error) time.Duration {
	switch {
	case err != nil:
		backoff := min(minBackoff<<min(i.fails, 10), maxBackoff)
		return backoff - rand.N(backoff/2)
	case i.full:
		return 0
	case i.quiet():
		return minPause
	}
	return max(minPause, min((share-1)*i.took, max(maxLag-i.took-i.slow, i.took)))
}

func (i *Ingester) quiet() bool { return i.n <= quietBatch }

// next ingests the next batch, unless it finds that the last one was counted after all.
func (i *Ingester) next(ctx context.Context) error {
	if i.unsure {
		if counted, err := i.resume(ctx); counted || err != nil {
			return err
		}
	}
	waiting, cancel := context.WithTimeout(ctx, quietTime)
	from, to, err := i.read(waiting)
	cancel()
	if err != nil && ctx.Err() == nil && waiting.Err() != nil {
		return i.tidy(ctx)
	}
	if err != nil {
		return err
	}
	i.tried = terse.ClickBatch{Journal: i.journal.ID(), From: from, To: to, Clicks: *i.clicks}
	if !i.unknown.IsZero() && time.Since(i.unknown) >= unknownPatience {
		i.tried.GiveUp = i.giveUp
	}
	i.n = len(i.clicks.List)
	i.setPending(i.clicks.List)
	if err := i.add(ctx); err != nil {
		i.shrink()
		i.clicks = nil // the store may not be done with them
		if errors.Is(err, terse.ErrUnknownLink) && i.unknown.IsZero() {
			i.unknown = time.Now()
		}
		return fmt.Errorf("add %d clicks from %d to %d: %w", i.n, from, to, err)
	}
	i.counted()
	return nil
}

// tidy counts an empty batch, so that the store deletes the clicks of deleted links.
func (i *Ingester) tidy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, i.timeout)
	defer cancel()
	at, err := i.store.JournalPosition(ctx, i.journal.ID())
	if err == nil {
		err = i.store.AddClicks(ctx, terse.ClickBatch{Journal: i.journal.ID(), From: at, To: at})
	}
	if err != nil {
		return fmt.Errorf("count nothing: %w", err)
	}
	return nil
}

// giveUp records clicks of links that never appeared.
func (i *Ingester) giveUp(lost int) {
	i.log.Error("clicks of links that are not there are lost", "clicks", lost)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stats.Lost += int64(lost)
}

// readAtOnce is the number of clicks read before yielding to others: about 150 µs of work.
const readAtOnce = 1 << 10

// read waits for clicks, and reads those that have come, up to the limit and as far as there is
// room. It doubles the room after a full batch, not while it reads one: that would copy all of it
// at once.
func (i *Ingester) read(ctx context.Context) (from, to int64, err error) {
	switch {
	case i.clicks == nil:
		i.clicks = journal.NewClicks(min(readAtOnce, i.maxBatch))
	case i.full && cap(i.clicks.List) < i.limit:
		i.clicks = journal.NewClicks(min(2*cap(i.clicks.List), i.limit))
	}
	i.clicks.Reset()
	limit := min(i.limit, cap(i.clicks.List))
	defer func() { i.full = len(i.clicks.List) == limit }()
	from, to, err = i.journal.Read(ctx, i.clicks, min(limit, readAtOnce))
	ended, cancel := context.WithCancel(ctx)
	cancel() // for reads that do not wait
	more := func() bool {
		n := len(i.clicks.List)
		return n > 0 && n%readAtOnce == 0 && n < limit
	}
	for err == nil && more() {
		i.yielder.Yield()
		_, to, err = i.journal.Read(ended, i.clicks, min(limit-len(i.clicks.List), readAtOnce))
		if err != nil { // nothing is left, or the next read gets the same error
			return from, to, nil
		}
	}
	return from, to, err
}

// add hands the batch to the store.
func (i *Ingester) add(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, i.timeout)
	defer cancel()
	start := time.Now()
	i.unsure = true
	if err := i.store.AddClicks(ctx, i.tried); err != nil {
		return err
	}
	i.unsure = false
	i.took = time.Since(start)
	i.slow = max(i.took, i.slow-i.slow/8)
	i.adapt()
	return nil
}

// adapt sets the limit of the next batch by how long the last one took. A full batch grows when
// twice as many clicks will stay below the bound.
func (i *Ingester) adapt() {
	most := maxHold
	if i.n <= i.maxBatch/4 {
		most = maxHoldSmall
	}
	switch {
	case i.took > most:
		i.shrink()
	case i.full && i.n < i.maxBatch/4 && i.took < maxHold, i.full && i.took < maxHold/4:
		i.grow()
	}
}

func (i *Ingester) grow() { i.limit = min(2*i.limit, i.maxBatch) }

func (i *Ingester) shrink() { i.limit = max(i.limit/2, min(minBatch, i.maxBatch)) }

// resume finds out whether the last batch was counted. If not, the journal resumes at the store's
// position.
func (i *Ingester) resume(ctx context.Context) (counted bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, i.timeout)
	defer cancel()
	pos, err := i.store.JournalPosition(ctx, i.journal.ID())
	if err != nil {
		return false, fmt.Errorf("position of the journal: %w", err)
	}
	if err := i.journal.ResumeAt(pos); err != nil {
		return false, err
	}
	i.unsure = false
	if pos == i.tried.To {
		i.counted()
		return true, nil
	}
	i.journal.Release(pos)
	return false, nil
}

// counted records that the last batch is in the store.
func (i *Ingester) counted() {
	i.journal.Release(i.tried.To)
	i.tried, i.unknown = terse.ClickBatch{}, time.Time{}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stats.Clicks += int64(i.n)
	i.stats.Batches++
	if i.pending != 0 {
		i.stats.Lag = age(i.pending)
		i.reached = i.pending
	}
	i.pending = 0
}

func (i *Ingester) setPending(clicks []terse.NumberedClick) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.pending = 0
	if len(clicks) > 0 {
		i.pending = clicks[0].Time
	}
}

// Counted reports whether all clicks before a time in the past are counted: the journal is empty,
// or a later click has been counted.
func (i *Ingester) Counted(before time.Time) bool {
	if i.journal.Stats().Backlog == 0 {
		return true
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.reached >= before.UnixMicro()
}

func age(micros int64) time.Duration { return max(0, time.Since(time.UnixMicro(micros))) }

// Stats returns the figures. It may be called at any time.
func (i *Ingester) Stats() Stats {
	i.mu.Lock()
	defer i.mu.Unlock()
	s := i.stats
	if i.pending != 0 {
		s.Lag = max(s.Lag, age(i.pending))
	}
	return s
}

// sleep waits for d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
