package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"terse"
	"terse/internal/click/journal"
)

var errDown = errors.New("store is down")

// faultyStore counts clicks in memory, and fails on demand.
type faultyStore struct {
	before func(call int) error // fails an AddClicks that then counts nothing
	after  func(call int) error // fails an AddClicks that has counted
	slow   func(clicks int) time.Duration
	down   func() bool // fails JournalPosition
	// unknown makes all links unknown.
	unknown func() bool

	mu       sync.Mutex // guards the fields below
	calls    int
	largest  int
	position int64
	seen     map[terse.LinkID]int
}

func (s *faultyStore) AddClicks(ctx context.Context, b terse.ClickBatch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.slow != nil {
		select {
		case <-time.After(s.slow(len(b.Clicks.List))):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if s.before != nil {
		if err := s.before(s.calls); err != nil {
			return err
		}
	}
	if s.unknown != nil && s.unknown() {
		if b.GiveUp == nil {
			return terse.ErrUnknownLink
		}
		s.position = b.To
		b.GiveUp(len(b.Clicks.List))
		return nil
	}
	if b.From != s.position {
		return fmt.Errorf("position is %d, not %d", s.position, b.From)
	}
	for _, c := range b.Clicks.List {
		s.seen[c.Link]++
	}
	s.position, s.largest = b.To, max(s.largest, len(b.Clicks.List))
	if s.after != nil {
		return s.after(s.calls)
	}
	return nil
}

func (s *faultyStore) JournalPosition(context.Context, string) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down != nil && s.down() {
		return 0, errDown
	}
	return s.position, nil
}

// once checks that the clicks 1 to n were counted once each, and nothing else.
func (s *faultyStore) once(t *testing.T, n int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := 1; id <= n; id++ {
		if s.seen[terse.LinkID(id)] != 1 {
			t.Fatalf("click %d was counted %d times", id, s.seen[terse.LinkID(id)])
		}
	}
	if len(s.seen) != n {
		t.Fatalf("%d clicks were counted, want %d", len(s.seen), n)
	}
}

type fixture struct {
	*Ingester
	journal *journal.Journal
	store   *faultyStore
	log     *strings.Builder
	clicks  int
}

// setup opens a journal with small segments. Clicks in it are appended by add.
func setup(t *testing.T, store *faultyStore, opts Options) *fixture {
	t.Helper()
	f := &fixture{store: store, log: new(strings.Builder)}
	store.seen = map[terse.LinkID]int{}
	var err error
	opts.Logger = slog.New(slog.NewTextHandler(f.log, nil))
	opts.Journal, err = journal.Open(journal.Options{
		Dir: t.TempDir(), SegmentBytes: 64 << 10,
		Sync: time.Hour, Logger: opts.Logger,
	},
		func(string) (int64, error) { return 0, nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opts.Journal.Close(); err != nil {
			t.Error(err)
		}
	})
	opts.Store = store
	if opts.Timeout == 0 {
		opts.Timeout = 5 * time.Second
	}
	f.journal, f.Ingester = opts.Journal, New(opts)
	return f
}

// add appends n clicks, each on its own link: 1, 2, 3...
func (f *fixture) add(tb testing.TB, n int) {
	tb.Helper()
	code, err := terse.ParseCode("abc")
	if err != nil {
		tb.Fatal(err)
	}
	for range n {
		f.clicks++
		if err := f.journal.Append(&terse.Click{
			Link: terse.LinkID(f.clicks), Code: code,
			Time: time.Now().UnixMicro(),
		}); err != nil {
			tb.Fatal(err)
		}
	}
}

// start runs the ingester until stop.
func (f *fixture) start(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- f.Run(ctx) }()
	return func() {
		t.Helper()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestQuietServiceIsPrompt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := setup(t, &faultyStore{slow: func(int) time.Duration { return 60 * time.Millisecond }},
			Options{})
		defer f.start(t)()
		for range 50 {
			f.add(t, 1)
			time.Sleep(199 * time.Millisecond)
			f.store.once(t, f.clicks)
		}
	})
}

func TestBusyServiceMakesLargeBatches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := setup(t, &faultyStore{slow: func(clicks int) time.Duration {
			return time.Duration(clicks) * 10 * time.Microsecond
		}}, Options{})
		stop := f.start(t)
		var late time.Duration
		for range 1000 { // ten seconds of 10,000 clicks/s
			f.add(t, 100)
			time.Sleep(10 * time.Millisecond)
			late = max(late, f.Stats().Lag)
		}
		time.Sleep(2 * time.Second)
		stop()
		f.store.once(t, 100_000)
		if s := f.Stats(); s.Clicks != 100_000 || s.Batches > 40 || s.Failures != 0 ||
			late >= 2*time.Second || late == 0 {
			t.Errorf("%+v, at most %s late", s, late)
		}
		if room := cap(f.Ingester.clicks.List); room > 2*f.store.largest {
			t.Errorf("room for %d clicks, batches have %d at most", room, f.store.largest)
		}
	})
}

func TestFullBatchesFollowAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := setup(t, &faultyStore{}, Options{MaxBatch: 100})
		f.add(t, 5050)
		defer f.start(t)()
		time.Sleep(time.Millisecond)
		f.store.once(t, 5050)
		if f.store.largest != 100 {
			t.Errorf("largest batch has %d clicks", f.store.largest)
		}
	})
}

// Whatever fails and however, each click counts once.
func TestFaults(t *testing.T) {
	t.Parallel()
	failFirst := func(n int) func(int) error {
		return func(call int) error {
			if call <= n {
				return errDown
			}
			return nil
		}
	}
	failOdd := func(call int) error {
		if call%2 == 1 {
			return errDown
		}
		return nil
	}
	downUntil := func(calls int) func() bool {
		return func() bool { calls--; return calls > 0 }
	}
	for name, store := range map[string]*faultyStore{
		"nothing counted":               {before: failFirst(20)},
		"counted, then failed":          {after: failFirst(1)},
		"always counted, then failed":   {after: func(int) error { return errDown }},
		"every other one":               {before: failOdd},
		"every other one, then counted": {after: failOdd},
		"position unknown as well":      {after: failFirst(3), down: downUntil(10)},
		"too slow for the timeout": {slow: func(clicks int) time.Duration {
			return time.Duration(clicks) * 3 * time.Millisecond
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := setup(t, store, Options{})
				stop := f.start(t)
				for range 20 {
					f.add(t, 700)
					time.Sleep(time.Second)
				}
				for f.journal.Stats().Backlog > 0 {
					time.Sleep(time.Second)
				}
				stop()
				f.store.once(t, 14_000)
				if s := f.Stats(); s.Clicks != 14_000 {
					t.Errorf("%+v", s)
				}
			})
		})
	}
}

// Creating a link during a long catch-up waits for one batch, which must not take long.
func TestCatchUpLeavesGaps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var longest time.Duration
		f := setup(t, &faultyStore{}, Options{MaxBatch: 1 << 13})
		f.store.slow = func(clicks int) time.Duration {
			d := time.Duration(clicks) * 1500 * time.Microsecond
			if f.store.calls > 6 {
				longest = max(longest, d)
			}
			return d
		}
		f.add(t, 20_000)
		if err := f.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.store.once(t, 20_000)
		if longest > maxHoldSmall {
			t.Errorf("a batch takes %s", longest)
		}
	})
}

// A store that takes as long for few clicks as for many gets many, else it would never catch up.
func TestSlowForAnyNumber(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const most = 1 << 14
		f := setup(t, &faultyStore{}, Options{MaxBatch: most})
		always, each := 700*time.Millisecond, 10*time.Microsecond
		f.store.slow = func(clicks int) time.Duration {
			return always + time.Duration(clicks)*each
		}
		clicks := 0
		drain := func(n int) (batches int) {
			before := f.store.calls
			f.add(t, n)
			if err := f.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			clicks += n
			f.store.once(t, clicks)
			return f.store.calls - before
		}
		if got, atMost := drain(4*most), 30; got > atMost {
			t.Errorf("%d batches, want %d at most", got, atMost)
		}
		always, each = 0, time.Millisecond
		if got, atLeast := drain(most), 8; got < atLeast {
			t.Errorf("%d batches of clicks that take long, want %d at least", got, atLeast)
		}
		// After a load that left hardly any time for them, batches do not stay small.
		always, each = 200*time.Millisecond, time.Microsecond
		if got, atMost := drain(4*most), 25; got > atMost {
			t.Errorf("%d batches after small ones, want %d at most", got, atMost)
		}
		always, each = 0, time.Microsecond
		drain(4 * most)
		if f.limit != most {
			t.Errorf("batches of %d clicks at most, want %d", f.limit, most)
		}
	})
}

// Clicks on unknown links wait for the links, but not for ever.
func TestUnknownLinks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		appears time.Duration
		lost    int64
	}{{90 * time.Second, 0}, {time.Hour, 3}} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			store := &faultyStore{}
			store.unknown = func() bool { return time.Since(began) < tt.appears }
			f := setup(t, store, Options{})
			f.add(t, 3)
			defer f.start(t)()
			time.Sleep(unknownPatience - 10*time.Second)
			if n := f.Stats().Lost; n > 0 || tt.lost > 0 && f.Stats().Err == nil {
				t.Errorf("%d clicks are lost too soon", n)
			}
			time.Sleep(15 * time.Second)
			if s := f.Stats(); s.Lost != tt.lost || s.Err != nil || s.Clicks != 3 {
				t.Errorf("%+v", s)
			}
			if tt.lost > 0 && !strings.Contains(f.log.String(), "are lost") {
				t.Error("nothing is logged of clicks that are lost")
			}
		})
	}
}

func TestOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		down := true
		store := &faultyStore{before: func(int) error {
			if down {
				return errDown
			}
			return nil
		}}
		f := setup(t, store, Options{})
		stop := f.start(t)
		f.add(t, 10)
		began := time.Now()
		time.Sleep(time.Hour)
		f.add(t, 10)
		if s := f.Stats(); !errors.Is(s.Err, errDown) || s.Lag < time.Hour || s.Failures < 1800 ||
			s.Failures > 3700 || !s.Failing.Equal(began) {
			t.Errorf("during the outage since %v: %+v", began, s)
		}
		store.mu.Lock()
		down = false
		store.mu.Unlock()
		time.Sleep(maxBackoff)
		stop()
		f.store.once(t, 20)
		if s := f.Stats(); s.Err != nil || s.Clicks != 20 || !s.Failing.IsZero() {
			t.Errorf("after the outage: %+v", s)
		}
		// At the begin, each minute and at most one try later, and at the end.
		failing, over := strings.Count(f.log.String(), "clicks are not counted for now"),
			strings.Count(f.log.String(), "clicks are counted again")
		if lines := strings.Count(f.log.String(), "\n"); failing < 58 || failing > 61 ||
			over != 1 || lines != failing+over {
			t.Errorf("%d log lines of the trouble, %d of its end:\n%s", failing, over, f.log)
		}
	})
}

// A position that the journal does not have is an operator's mistake: nothing is dropped or counted
// twice, and the log says so.
func TestForeignPosition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &faultyStore{}
		f := setup(t, store, Options{})
		store.position = 1 << 40
		defer f.start(t)()
		f.add(t, 10)
		time.Sleep(time.Minute)
		store.once(t, 0)
		if s := f.Stats(); s.Err == nil || f.journal.Stats().Backlog == 0 {
			t.Errorf("%+v", s)
		}
		store.mu.Lock()
		store.position = 0
		store.mu.Unlock()
		time.Sleep(maxBackoff)
		store.once(t, 10)
	})
}

// A store that lost its latest transactions gets their clicks again.
func TestStoreGoesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &faultyStore{}
		f := setup(t, store, Options{})
		defer f.start(t)()
		f.add(t, 10)
		time.Sleep(time.Minute)
		store.mu.Lock()
		position, seen := store.position, maps.Clone(store.seen)
		store.mu.Unlock()
		f.add(t, 10)
		time.Sleep(time.Minute)
		store.once(t, 20)
		store.mu.Lock()
		store.position, store.seen = position, seen
		store.mu.Unlock()
		f.add(t, 1)
		time.Sleep(time.Minute)
		store.once(t, 21)
	})
}

func TestDrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := setup(t, &faultyStore{slow: func(int) time.Duration { return time.Second }},
			Options{MaxBatch: 1000})
		stop := f.start(t)
		f.add(t, 10_000)
		time.Sleep(2500 * time.Millisecond)
		stop() // in the middle of a batch
		f.add(t, 10)
		if err := f.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.store.once(t, 10_010)
		if err := f.Drain(t.Context()); err != nil || f.log.Len() > 0 {
			t.Errorf("%v, logged:\n%s", err, f.log)
		}
	})
}

func TestDrainGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := setup(t, &faultyStore{before: func(int) error { return errDown }}, Options{})
		f.add(t, 10)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		err := f.Drain(ctx)
		if !errors.Is(err, context.DeadlineExceeded) ||
			!strings.Contains(err.Error(), "480 bytes") {
			t.Errorf("%v", err)
		}
		if f.journal.Stats().Backlog == 0 {
			t.Error("clicks were dropped")
		}
	})
}
