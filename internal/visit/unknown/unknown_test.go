package unknown_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/visit/unknown"
)

// memory is a store whose faults are made here. All else has a real database.
type memory struct {
	mu   sync.Mutex
	days map[terse.Day]map[string]terse.UnknownCodes // guarded by mu
	// What is next to happen; guarded by mu.
	fail   error // to all calls
	after  bool  // fail comes after the write
	writes int
}

func newMemory() *memory {
	return &memory{days: map[terse.Day]map[string]terse.UnknownCodes{}}
}

func (m *memory) KeepUnknown(
	_ context.Context, node string, day terse.Day, codes terse.UnknownCodes,
) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.writes++
	if m.fail == nil || m.after {
		if m.days[day] == nil {
			m.days[day] = map[string]terse.UnknownCodes{}
		}
		m.days[day][node] = codes
	}
	return m.fail
}

func (m *memory) Unknown(_ context.Context, day terse.Day) (
	map[string]terse.UnknownCodes, error,
) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil && !m.after {
		return nil, m.fail
	}
	return maps.Clone(m.days[day]), nil
}

func (m *memory) breaks(err error, after bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail, m.after = err, after
}

func newCounter(store unknown.Store, node string) *unknown.Counter {
	return unknown.New(unknown.Options{
		Store: store, Node: node, Timeout: 10 * time.Second,
		Logger: slog.New(slog.DiscardHandler),
	})
}

func open(t *testing.T) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Options{
		Path: filepath.Join(t.TempDir(), "terse.db"),
	})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func code(t testing.TB, format string, args ...any) terse.Code {
	t.Helper()
	c, err := terse.ParseCode(fmt.Sprintf(format, args...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// naive counts without bounds.
type naive struct {
	total int64
	codes map[terse.Code]int64
}

func (n *naive) add(code terse.Code) {
	if n.codes == nil {
		n.codes = map[terse.Code]int64{}
	}
	n.total++
	n.codes[code]++
}

// compare wants what all nodes of a day kept to be as true as they say. It returns it.
func (n *naive) compare(t *testing.T, what string, store unknown.Store, day terse.Day) (
	sum terse.UnknownCodes,
) {
	t.Helper()
	nodes, err := store.Unknown(t.Context(), day)
	must(t, err)
	var parts []terse.UnknownCodes
	for _, part := range nodes {
		parts = append(parts, part)
	}
	sum = terse.SumUnknown(parts...)
	if sum.Total != n.total {
		t.Errorf("%s: total %d, want %d", what, sum.Total, n.total)
	}
	listed := map[terse.Code]bool{}
	for _, c := range sum.Codes {
		listed[c.Code] = true
		if truth := n.codes[c.Code]; c.Error < 0 || truth < c.Count-c.Error || truth > c.Count {
			t.Errorf("%s: %v was met %d times, not %d with an error of %d", what, c.Code, truth,
				c.Count, c.Error)
		}
	}
	for code, truth := range n.codes {
		if !listed[code] && truth > sum.Rest {
			t.Errorf("%s: %v is missing, it was met %d times; the rest is %d", what, code, truth,
				sum.Rest)
		}
	}
	if len(sum.Codes) < min(len(n.codes), terse.MaxUnknownCodes) {
		t.Errorf("%s: %d codes of %d are kept", what, len(sum.Codes), len(n.codes))
	}
	return sum
}

func TestFewCodesAreCountedExactly(t *testing.T) {
	t.Parallel()
	store, rng := open(t), rand.New(rand.NewPCG(1, 2))
	c, now, want := newCounter(store, "a"), time.Now(), &naive{}
	for range 20_000 {
		met := code(t, "code%d", int(rng.ExpFloat64()*200)%1000)
		c.Add(met, now)
		want.add(met)
	}
	must(t, c.Flush(t.Context()))
	got := want.compare(t, "at once", store, terse.DayOf(now.UnixMicro()))
	for _, met := range got.Codes {
		if met.Error != 0 {
			t.Errorf("%v has an error of %d", met.Code, met.Error)
		}
	}
	if got.Rest != 0 || len(got.Codes) != len(want.codes) {
		t.Errorf("%d codes of %d, the rest %d", len(got.Codes), len(want.codes), got.Rest)
	}
}

// Aliases are counted beside codes, each within bounds of its own.
func TestAliasesAreCountedApart(t *testing.T) {
	t.Parallel()
	store, now := open(t), time.Now()
	day := terse.DayOf(now.UnixMicro())
	c := newCounter(store, "a")
	for range 3 {
		for n := range 20_000 {
			c.AddAlias(fmt.Sprintf("docs/%d", n), now)
		}
		for range 1000 {
			c.AddAlias("docs/instal", now)
			c.Add(code(t, "abc"), now)
		}
		must(t, c.Flush(t.Context()))
		c = newCounter(store, "a") // goes on after a restart
	}
	nodes, err := store.Unknown(t.Context(), day)
	must(t, err)
	u := nodes["a"]
	abc := terse.UnknownCode{Code: code(t, "abc"), Count: 3000}
	if u.Total != 3*22_000 || u.Rest != 0 || len(u.Codes) != 1 || u.Codes[0] != abc {
		t.Errorf("%d in all, codes %v", u.Total, u.Codes)
	}
	first := u.Aliases[0]
	if len(u.Aliases) != terse.MaxUnknownCodes || first.Alias != "docs/instal" ||
		first.Count < 3000 || first.Count-first.Error > 3000 || u.AliasRest == 0 {
		t.Errorf("%d aliases, the first is %v", len(u.Aliases), first)
	}
}

// Far more codes than there is room for are met by several nodes, which restart: no count is
// further off than it says, and the codes that most ask for are found.
func TestManyCodesAreCountedWithinBounds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		store, rng := open(t), rand.New(rand.NewPCG(seed, 5))
		now, want := time.Now(), &naive{}
		day := terse.DayOf(now.UnixMicro())
		names := []string{"a", "b", "c"}[:1+seed%3]
		nodes := map[string]*unknown.Counter{}
		zipf := rand.NewZipf(rng, 1.01+.2*float64(seed%3), 1, 200_000)
		for step := range 120_000 {
			name := names[rng.IntN(len(names))]
			if nodes[name] == nil {
				nodes[name] = newCounter(store, name)
			}
			met := code(t, "code%d", zipf.Uint64())
			if rng.IntN(3) == 0 { // a flood
				met = terse.NewCode(false)
			}
			nodes[name].Add(met, now)
			want.add(met)
			if step%7919 == 0 {
				must(t, nodes[name].Flush(t.Context()))
				delete(nodes, name)
			}
		}
		for _, c := range nodes {
			must(t, c.Flush(t.Context()))
		}
		got := want.compare(t, fmt.Sprint("seed ", seed), store, day)
		if first := got.Codes[0]; first.Code.String() != "code0" || first.Error > first.Count/10 {
			t.Errorf("seed %d: the first is %v", seed, first)
		}
	}
}

func TestConcurrentVisitsAreAllCounted(t *testing.T) {
	t.Parallel()
	const visits = 20_000
	store := open(t)
	c, now, want := newCounter(store, "a"), time.Now(), &naive{}
	flushing, cancel := context.WithCancel(t.Context())
	var visitors, flusher sync.WaitGroup
	flusher.Go(func() {
		for flushing.Err() == nil {
			_ = c.Flush(flushing) // its end may be in the way
		}
	})
	for v := range 4 {
		met := make([]terse.Code, visits)
		for i := range met {
			met[i] = code(t, "code%d", i%(100+v))
			want.add(met[i])
		}
		visitors.Go(func() {
			for _, code := range met {
				c.Add(code, now)
			}
		})
	}
	visitors.Wait()
	cancel()
	flusher.Wait()
	must(t, c.Flush(t.Context()))
	want.compare(t, "at the end", store, terse.DayOf(now.UnixMicro()))
}

// Time goes on over midnight twice, while the store fails the second time.
func TestDaysAreCountedApart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, days := newMemory(), map[terse.Day]*naive{}
		c := newCounter(store, "a")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = c.Run(ctx) }()
		rng := rand.New(rand.NewPCG(1, 2))
		today := func() terse.Day { return terse.DayOf(time.Now().UnixMicro()) }
		second := today() + 1
		end := time.UnixMicro((second + 1).Start()).Add(10 * time.Second)
		for ; time.Now().Before(end); time.Sleep(time.Second) {
			left := time.Until(time.UnixMicro((today() + 1).Start()))
			if left > 10*time.Second && left < 86390*time.Second {
				time.Sleep(left - 10*time.Second)
			}
			if today() == second && left < 5*time.Second {
				store.breaks(errors.New("away"), false)
			}
			if days[today()] == nil {
				days[today()] = &naive{}
			}
			for range 100 {
				met := code(t, "code%d", rng.IntN(200))
				c.Add(met, time.Now())
				days[today()].add(met)
			}
		}
		store.breaks(nil, false)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		for day, want := range days {
			want.compare(t, day.String(), store, day)
		}
	})
}

// The store has what is counted within 10 seconds, and hears of nothing while nothing comes; at
// the start and each day it is told of, so that it forgets old days.
func TestStoreHearsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, want := newMemory(), &naive{}
		c := newCounter(store, "a")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = c.Run(ctx) }()
		time.Sleep(47 * time.Hour)
		synctest.Wait()
		if store.writes != 2 {
			t.Errorf("%d writes without visits in two days", store.writes)
		}
		c.Add(code(t, "abc"), time.Now())
		want.add(code(t, "abc"))
		time.Sleep(10 * time.Second)
		want.compare(t, "after 10 seconds", store, terse.DayOf(time.Now().UnixMicro()))
	})
}

// A store that fails is asked again, also when it may have written; nothing is counted twice.
func TestFailuresLoseNothing(t *testing.T) {
	t.Parallel()
	store, want, now := newMemory(), &naive{}, time.Now()
	day := terse.DayOf(now.UnixMicro())
	c := newCounter(store, "a")
	visit := func() {
		c.Add(code(t, "abc"), now)
		want.add(code(t, "abc"))
	}
	for _, after := range []bool{false, true, false, true} {
		visit()
		store.breaks(errors.New("away"), after)
		if c.Flush(t.Context()) == nil {
			t.Error("no word of a store that fails")
		}
		store.breaks(nil, false)
		visit()
		must(t, c.Flush(t.Context()))
		want.compare(t, "after a failure", store, day)
	}
	c = newCounter(store, "a")
	visit()
	must(t, c.Flush(t.Context()))
	want.compare(t, "after a restart", store, day)
}

// What comes with an earlier time than others, as at midnight, is counted all the same.
func TestClocksMayGoBack(t *testing.T) {
	t.Parallel()
	store, now := newMemory(), time.Now()
	c := newCounter(store, "a")
	for _, at := range []time.Time{now, now.Add(-time.Hour), now.AddDate(0, 0, -3)} {
		c.Add(code(t, "abc"), at)
	}
	must(t, c.Flush(t.Context()))
	want := &naive{total: 3, codes: map[terse.Code]int64{code(t, "abc"): 3}}
	want.compare(t, "today", store, terse.DayOf(now.UnixMicro()))
}

func BenchmarkAdd(b *testing.B) {
	codes := make([]terse.Code, 1<<20)
	for i := range codes {
		codes[i] = terse.NewCode(false)
	}
	for name, mask := range map[string]int{"new": 1<<20 - 1, "same": 0, "some": 1<<10 - 1} {
		b.Run(name, func(b *testing.B) {
			c, now := newCounter(newMemory(), "a"), time.Now()
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for i := rand.Int(); pb.Next(); i++ {
					c.Add(codes[i&mask], now)
				}
			})
		})
	}
}
