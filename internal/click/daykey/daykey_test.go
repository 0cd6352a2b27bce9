package daykey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"terse"
)

// store is a terse.Visitors that notes what it was asked.
type store struct {
	mu      sync.Mutex // guards:
	asked   []string
	err     error
	waiting bool // clicks wait in the journal
}

func (s *store) ask(question string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.asked = append(s.asked, question)
	}
	return s.err
}

func (s *store) set(err error, waiting bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.waiting = err, waiting
}

func (s *store) counted(time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.waiting
}

func (s *store) VisitorKey(_ context.Context, day terse.Day) (terse.VisitorKey, error) {
	if err := s.ask(fmt.Sprint("key of ", day)); err != nil {
		return terse.VisitorKey{}, err
	}
	return terse.VisitorKey{byte(day), 1}, nil
}

func (s *store) EndDays(_ context.Context, journal string, today terse.Day, counted bool) error {
	return s.ask(fmt.Sprint(journal, " ends before ", today, " ", counted))
}

// rotate is the journal's.
func (s *store) rotate() error { return s.ask("rotate") }

func (s *store) wantAsked(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.asked, want) {
		t.Errorf("%v: the store was asked for %q, want %q", time.Now(), s.asked, want)
	}
	s.asked = nil
}

func wantKeys(t *testing.T, k *Keeper, want ...terse.Day) {
	t.Helper()
	today := terse.DayOf(time.Now().UnixMicro())
	for day := today - 2; day <= today+2; day++ {
		key, ok := k.Key(day)
		wanted := slices.Contains(want, day)
		if ok != wanted || ok && key != (terse.VisitorKey{byte(day), 1}) {
			t.Errorf("%v: key of %v: %v, %t, want %t", time.Now(), day, key, ok, wanted)
		}
		hash := k.Visitor(day.Start(), netip.Addr{}, nil, 0)
		if (hash != 0) != wanted {
			t.Errorf("%v: hash of %v: %d", time.Now(), day, hash)
		}
	}
}

// A day in the life of a Keeper, which begins at midnight, when the time of synctest does.
func TestKeeper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &store{}
		k := New(Options{
			Store: s, Journal: "j", Timeout: time.Second, Logger: slog.New(slog.DiscardHandler),
			Counted: s.counted, Rotate: s.rotate,
		})
		today := terse.DayOf(time.Now().UnixMicro())
		wantKeys(t, k)
		k.Start(t.Context())
		s.wantAsked(t, "key of 2000-01-01")
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- k.Run(ctx) }()
		time.Sleep(maxEarly - time.Second)
		s.wantAsked(t, "j ends before 2000-01-01 false", "j ends before 2000-01-01 true",
			"rotate")
		wantKeys(t, k, today)
		time.Sleep(minEarly + 2*time.Second)
		s.wantAsked(t, "key of 2000-01-02")
		wantKeys(t, k, today, today+1)

		// The database goes away before midnight, and clicks wait.
		s.set(errors.New("away"), true)
		time.Sleep(minEarly)
		synctest.Wait()
		wantKeys(t, k, today+1)
		time.Sleep(time.Minute)
		s.set(nil, true)
		time.Sleep(2 * maxRetry)
		s.wantAsked(t, "j ends before 2000-01-02 false")
		s.set(nil, false)
		time.Sleep(time.Minute)
		s.wantAsked(t, "j ends before 2000-01-02 true", "rotate")
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// A Keeper that starts late gets both keys, once the store has them.
func TestKeeperStartsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(23 * time.Hour)
		s := &store{err: errors.New("away")}
		k := New(Options{
			Store: s, Journal: "j", Timeout: time.Second, Logger: slog.New(slog.DiscardHandler),
			Counted: s.counted, Rotate: s.rotate,
		})
		k.Start(t.Context())
		wantKeys(t, k)
		go func() { _ = k.Run(t.Context()) }()
		time.Sleep(time.Minute)
		s.set(nil, false)
		time.Sleep(2 * maxRetry)
		s.wantAsked(t, "key of 2000-01-01", "key of 2000-01-02", "j ends before 2000-01-01 true",
			"rotate")
		today := terse.DayOf(time.Now().UnixMicro())
		wantKeys(t, k, today, today+1)
	})
}

// A store that can't forget a day yet keeps nobody from the keys, and is reported once that lasts.
func TestKeeperWhoseDaysDoNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(23 * time.Hour)
		var logged bytes.Buffer
		k := New(Options{
			Store: remembering{&store{}}, Journal: "j", Timeout: time.Second,
			Logger:  slog.New(slog.NewTextHandler(&logged, nil)),
			Counted: (&store{}).counted, Rotate: (&store{}).rotate,
		})
		k.Start(t.Context())
		runFor := func(d time.Duration) {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			defer cancel()
			_ = k.Run(ctx)
		}
		runFor(30 * time.Second)
		today := terse.DayOf(time.Now().UnixMicro())
		wantKeys(t, k, today, today+1)
		if logged.Len() > 0 {
			t.Errorf("logged at once: %s", &logged)
		}
		runFor(30 * time.Minute)
		if n := bytes.Count(logged.Bytes(), []byte("past visitors are still kept")); n != 1 {
			t.Errorf("logged %d times: %s", n, &logged)
		}
	})
}

// remembering is a store that can't forget.
type remembering struct{ *store }

func (remembering) EndDays(context.Context, string, terse.Day, bool) error {
	return errors.New("in use")
}

// A Keeper that is stopped while it asks the store says nothing: the store did not fail.
func TestKeeperStopsInSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logged bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		k := New(Options{
			Store: hanging{}, Timeout: time.Minute,
			Logger: slog.New(slog.NewTextHandler(&logged, nil)),
		})
		done := make(chan error)
		go func() { done <- k.Run(ctx) }()
		synctest.Wait()
		cancel()
		if err := <-done; err != nil || logged.Len() > 0 {
			t.Errorf("%v, logged %s", err, &logged)
		}
	})
}

// hanging is a store that does not answer.
type hanging struct{ terse.Visitors }

func (hanging) VisitorKey(ctx context.Context, _ terse.Day) (key terse.VisitorKey, err error) {
	<-ctx.Done()
	return key, ctx.Err()
}
