// Package ingest moves clicks from the journal into the store: in batches, in order, each
// click exactly once, however often the store fails or the process dies.
//
// The store's position is the truth: it moves in the transaction that counts a batch.
// After any failure, whose outcome may be unknown, ingest asks for it and has the journal
// resume there. It may not change or discard a click, and decides nothing about what is
// counted.
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
	"terse/internal/journal"
	"terse/internal/yield"
)

// When batches are made. A click that comes alone is ingested at once. While clicks keep
// coming there is a pause after each batch, so that batches get larger, which makes each
// click cheaper, and leave the cores to the redirects.
const (
	// share bounds what ingest takes of a core to one part in so many: the pause is share-1
	// times as long as the batch took, within the bounds below.
	share = 20
	// minPause bounds the transactions a second of a quiet service, and with quietBatch how
	// late its clicks are: well under 200 ms.
	minPause = 50 * time.Millisecond
	// quietBatch is the clicks of a batch up to which the pause is minPause however slow the
	// disk is.
	quietBatch = 256
	// maxLag is the target age of a click when it is counted. In the worst case a click arrives
	// just after a batch was read, and waits for that batch, the pause, and its own batch, which
	// may be as slow as the slowest of the last ones. Slow batches shorten the pause, but not below
	// the length of a batch: other writers come in between. On a busy machine a click is still
	// counted within two seconds.
	maxLag = 1200 * time.Millisecond

	// Between tries while the store fails: doubled each time, less up to half at random.
	minBackoff = 50 * time.Millisecond
	maxBackoff = 2 * time.Second

	// quietTime is how long no clicks come until the store is asked to tidy up.
	quietTime = time.Minute

	// unknownPatience is how long a batch waits for links that the store does not know yet. A
	// commit that hangs between two servers takes up to a minute.
	unknownPatience = 2 * time.Minute

	// logAgain is how often a failure that lasts is logged.
	logAgain = time.Minute

	// defaultMaxBatch bounds the memory of a batch, 28 MB and its texts, and the transaction that
	// counts it, a tenth of a second of a core. That is 1.1 s of 240,000 clicks a second.
	defaultMaxBatch = 1 << 18
	// minBatch is how small a slow or failing store makes batches: one that does not fit into
	// the timeout would never be counted.
	minBatch = 1024
	// maxHold is how long a batch should keep the store's writer busy: creating links waits for it.
	// Batches are halved above it, while that helps, and doubled when twice as many clicks will
	// stay below. While requests leave hardly any time, a batch takes several times as long as it
	// computes.
	maxHold = 500 * time.Millisecond
)

// Store is what ingest needs of terse.Clicks.
type Store interface {
	AddClicks(ctx context.Context, batch terse.ClickBatch) error
	JournalPosition(ctx context.Context, journal string) (int64, error)
}

// Options are what an Ingester works with. All but MaxBatch are needed.
type Options struct {
	Journal  *journal.Journal
	Store    Store
	Logger   *slog.Logger
	MaxBatch int           // clicks; 0: 262,144
	Timeout  time.Duration // of one call of the store, for example 5s
}

// Stats are figures for metrics and for the readiness detail.
type Stats struct {
	// taken by the store since the start; clicks of links that are gone count here
	Clicks   int64
	Batches  int64     // taken by the store since the start
	Failures int64     // failed tries since the start
	Lost     int64     // clicks since the start of links that never appeared
	Err      error     // why the last try failed, nil when it did not
	Failing  time.Time // since when all tries failed, zero when the last one did not
	// age of the oldest click of the last batch when it was counted, or now, of one that is not
	// counted
	Lag time.Duration
}

// Ingester is a journal's one reader. Run and Drain are not for use at the same time.
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
	n       int                   // its clicks
	unsure  bool                  // whether it was counted
	full    bool                  // it had as many clicks as it could
	took    time.Duration         // of the store's call for it
	slow    time.Duration         // of the slowest of the last batches
	before  batch                 // the batch before
	fails   int                   // tries in a row that failed
	since   time.Time             // when the first of them did
	logged  time.Time             // when that was logged last
	unknown time.Time             // since when a batch waits for links; zero: none does

	mu    sync.Mutex // guards what Stats returns
	stats Stats
	// time of the oldest click that was read and not counted, microseconds, 0 for none
	pending int64
	// time of the first click of the last batch that was counted, microseconds
	reached int64
}

// batch is how long the store took for so many clicks.
type batch struct {
	n    int
	took time.Duration
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

// Run ingests until ctx ends, and returns nil. A store that fails is tried again for as
// long as it takes.
func (i *Ingester) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		err := i.try(ctx)
		sleep(ctx, i.pause(err))
	}
	return nil
}

// Drain ingests what is in the journal, after Run returned and the last click was
// appended. What is left when ctx ends stays in the journal for the next start, and the
// error says how much that is.
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

// try ingests one batch. It logs when trouble begins, once a minute while it lasts, and when it is
// over.
func (i *Ingester) try(ctx context.Context) error {
	err := i.next(ctx)
	switch {
	case err == nil && i.fails > 0:
		i.log.Info("clicks are counted again", "tries", i.fails, "after", time.Since(i.since))
		i.fails, i.since = 0, time.Time{}
	case err != nil && ctx.Err() != nil:
		return err // it is the end and no failure
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

// next ingests the next batch, or finds that the last one was counted after all.
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

// tidy counts an empty batch, so that the store deletes the clicks of links that were deleted.
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

// giveUp notes clicks of links that never appeared.
func (i *Ingester) giveUp(lost int) {
	i.log.Error("clicks of links that are not there are lost", "clicks", lost)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stats.Lost += int64(lost)
}

// readAtOnce is the clicks that are read without letting others go first, in some 150 µs.
const readAtOnce = 1 << 10

// read waits for clicks, and reads those that are there then, the limit at most and as many as
// there is room for. Twice the room is made after a batch that was full, and not while one is read:
// that would copy it in one go.
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
		if err != nil { // there is nothing more, or the next read meets it again
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

// adapt sets the limit of the next batch by what the last two took. When twice as many clicks take
// hardly longer, most of the time goes to what does not depend on their number: smaller and smaller
// batches would count fewer and fewer clicks a second. So small batches grow again, and those that
// a busy machine made small do so when it is over: to a quarter of the largest, for the sake of
// memory. Larger ones grow only while they are fast.
func (i *Ingester) adapt() {
	few, many := i.before, batch{i.n, i.took}
	i.before = many
	if few.n > many.n {
		few, many = many, few
	}
	alike := 2*few.n <= many.n && few.took > many.took*3/4
	small, fast := i.limit < i.maxBatch/4, maxHold/4
	if small {
		fast = maxHold / 2
	}
	switch {
	case i.full && i.took < fast, i.took > maxHold && alike && small:
		i.grow()
	case i.took > maxHold:
		i.shrink()
	}
}

func (i *Ingester) grow() { i.limit = min(2*i.limit, i.maxBatch) }

func (i *Ingester) shrink() { i.limit = max(i.limit/2, min(minBatch, i.maxBatch)) }

// resume finds out whether the last batch was counted. If not, the journal goes on from
// where the store is.
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

// counted notes that the last batch is in the store.
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

// Counted reports whether the clicks from before a time that has passed are counted: the journal
// has no more, or they came before others that are.
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

// sleep waits, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
