package ratelimit_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"terse/internal/tests/redistest"
	"terse/internal/visit/ratelimit"
	"terse/internal/visit/ratelimit/redis"
)

// patience is how long something may take that should come at once: then it is wrong, not slow.
const patience = 60 * time.Second

// aNode is one node's connection to the Redis server, running until the test ends.
func aNode(t testing.TB, url string, prepare func(*ratelimit.Shared)) *ratelimit.Shared {
	t.Helper()
	address, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	s := ratelimit.NewShared(address, slog.New(slog.DiscardHandler))
	// However busy the machine is, Redis is not taken for dead; tests that need it to be choose.
	s.SetTimes(ratelimit.Window, patience)
	prepare(s)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return s
}

// nodes returns the limiters of so many nodes, which are connected.
func nodes(t testing.TB, server *redistest.Server, n, limit int,
	prepare func(*ratelimit.Shared),
) ([]*ratelimit.Limiter, []*ratelimit.Shared) {
	t.Helper()
	limiters, shared := make([]*ratelimit.Limiter, n), make([]*ratelimit.Shared, n)
	for i := range n {
		shared[i] = aNode(t, server.URL(), func(s *ratelimit.Shared) {
			limiters[i] = s.Limiter("test", limit)
			if prepare != nil {
				prepare(s)
			}
		})
	}
	for _, s := range shared {
		await(t, "the node is connected", s.Up)
	}
	return limiters, shared
}

func await(t testing.TB, what string, done func() bool) {
	t.Helper()
	for begin := time.Now(); !done(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatalf("waited %v until %s", patience, what)
		}
	}
}

// grant is when a request was granted: at some time between these two.
type grant struct{ asked, answered time.Time }

// However requests come to three nodes: in any window a client gets no more than the limit, and
// what each node grants until Redis has answered it.
func TestNodesShareABudget(t *testing.T) {
	t.Parallel()
	const window, count = time.Second, 3
	server := redistest.Start(t)
	for _, test := range []struct{ limit, burst int }{
		{1, 1},
		{5, 1},
		{120, 1},
		{120, 7},
		{256, 1},
		{1000, 20},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			t.Parallel()
			limiters, shared := make([]*ratelimit.Limiter, count), make([]*ratelimit.Shared, count)
			for i := range shared {
				shared[i] = unconnected(t, server.URL())
				limiters[i] = shared[i].Limiter("test", test.limit)
				shared[i].SetTimes(window, patience)
				shared[i].Connect(t.Context())
			}
			random := rand.New(rand.NewPCG(7, uint64(test.limit)))
			addr, refused := address(uint64(test.limit*100+test.burst)), 0
			var grants []grant
			began := time.Now()
			for time.Since(began) < 5*window ||
				len(grants) < test.limit && time.Since(began) < patience { // on a busy machine
				i := random.IntN(count)
				for range 1 + random.IntN(test.burst) {
					asked := time.Now()
					if limiters[i].Take(addr) > 0 {
						refused++
						continue
					}
					grants = append(grants, grant{asked, time.Now()})
				}
				shared[i].Round(t.Context())
				time.Sleep(time.Duration(random.Int64N(int64(window) / int64(test.limit))))
			}
			most := mostWithin(grants, window)
			if most > test.limit+count*test.burst || len(grants) < test.limit {
				t.Errorf("%d granted in a window, %d in all", most, len(grants))
			}
			if !shared[0].Up() || !shared[1].Up() || !shared[2].Up() {
				t.Error("Redis failed")
			}
			t.Logf("%d granted, %d refused; at most %d in a window", len(grants), refused, most)
		})
	}
}

// unconnected is one node's side, which tells Redis when the test says so.
func unconnected(t testing.TB, url string) *ratelimit.Shared {
	t.Helper()
	address, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	return ratelimit.NewShared(address, slog.New(slog.DiscardHandler))
}

// mostWithin returns how many grants there were for sure in the fullest window.
func mostWithin(grants []grant, window time.Duration) (most int) {
	slices.SortFunc(grants, func(a, b grant) int { return a.asked.Compare(b.asked) })
	for i, first := range grants {
		n := 0
		for _, g := range grants[i:] {
			if g.answered.Before(first.asked.Add(window)) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// A client gets the whole limit, on whichever nodes; then all nodes refuse it, for as long as its
// first requests count.
func TestNothingOfABudgetIsLost(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for _, limit := range []int{1, 7, 120, 600} {
		limiters, _ := nodes(t, server, 3, limit, nil)
		addr := address(uint64(limit))
		var granted atomic.Int64
		var wg sync.WaitGroup
		for i := range 3 * limit { // at once
			wg.Go(func() {
				if limiters[i%3].Take(addr) == 0 {
					granted.Add(1)
				}
			})
		}
		wg.Wait()
		if granted.Load() < int64(limit) {
			t.Errorf("limit %d: %d granted", limit, granted.Load())
		}
		for _, l := range limiters {
			var wait time.Duration
			await(t, "the node refuses", func() bool { wait = l.Take(addr); return wait > 0 })
			if wait > ratelimit.Window+time.Second/4 {
				t.Errorf("limit %d: refused for %v", limit, wait)
			}
		}
	}
}

// A request is decided without Redis, and its answer refuses the next one.
func TestTheNextRequestIsRefused(t *testing.T) {
	t.Parallel()
	url := redistest.Start(t).URL()
	a, b := unconnected(t, url), unconnected(t, url)
	la, lb := a.Limiter("test", 3), b.Limiter("test", 3)
	a.Connect(t.Context())
	b.Connect(t.Context())
	for known, addr := range map[bool]netip.Addr{true: address(1), false: address(2)} {
		take := func(l *ratelimit.Limiter, granted bool) {
			t.Helper()
			if wait := l.Take(addr); (wait == 0) != granted {
				t.Errorf("known before: %t: wait %v, want granted %t", known, wait, granted)
			}
		}
		if known {
			take(la, true)
			a.Round(t.Context())
		}
		for range 3 {
			take(lb, true)
		}
		b.Round(t.Context())
		take(la, true) // by what Redis said before it knew of the other three
		a.Round(t.Context())
		take(la, false)
		take(lb, false)
	}
}

// TestSharedTakeAll has one node grant several requests at once, which the others hear of.
func TestSharedTakeAll(t *testing.T) {
	t.Parallel()
	url := redistest.Start(t).URL()
	a, b := unconnected(t, url), unconnected(t, url)
	la, lb := a.Limiter("test", 12), b.Limiter("test", 12)
	a.Connect(t.Context())
	b.Connect(t.Context())
	addr := address(1)
	take := func(l *ratelimit.Limiter, n int, granted bool) {
		t.Helper()
		if wait := l.TakeAll(addr, n); (wait == 0) != granted {
			t.Errorf("TakeAll(%d): wait %v, want granted %t", n, wait, granted)
		}
	}
	take(la, 10, true)
	take(la, 3, false) // of which Redis is not told
	a.Round(t.Context())
	take(lb, 1, true)
	b.Round(t.Context())
	take(lb, 1, true) // the twelfth
	b.Round(t.Context())
	take(lb, 1, false)
	take(la, 1, true) // by what Redis said last
	a.Round(t.Context())
	take(la, 0, false)
}

func TestSharedClients(t *testing.T) {
	t.Parallel()
	limiters, _ := nodes(t, redistest.Start(t), 2, 1, nil)
	a, b := limiters[0], limiters[1]
	for _, test := range []struct {
		first, second string
		same          bool
	}{
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff::2", true},
		{"2001:db8:2:2::1", "2001:db8:2:3::1", false},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"192.0.2.2", "192.0.2.3", false},
	} {
		first, second := netip.MustParseAddr(test.first), netip.MustParseAddr(test.second)
		a.Take(first)
		await(t, "the other node knows", func() bool { return b.Take(first) > 0 })
		if refused := b.Take(second) > 0; refused != test.same {
			t.Errorf("%s and %s: refused %v, want %v", test.first, test.second, refused, test.same)
		}
	}
}

// Each kind has its own budgets, and all kinds come through one connection.
func TestKinds(t *testing.T) {
	t.Parallel()
	var api, redirects *ratelimit.Limiter
	s := aNode(t, redistest.Start(t).URL(), func(s *ratelimit.Shared) {
		api, redirects = s.Limiter("api", 3), s.Limiter("redirect", 4)
		if s.Limiter("none", 0) != nil {
			t.Error("a limiter without a limit")
		}
	})
	await(t, "it is connected", s.Up)
	for l, limit := range map[*ratelimit.Limiter]int{api: 3, redirects: 4} {
		granted := 0
		for range 3 * limit {
			if l.Take(someone) == 0 {
				granted++
			}
		}
		if granted != limit {
			t.Errorf("%d granted, want %d", granted, limit)
		}
	}
}

// While Redis is away each node counts alone, by what it granted before; nothing hangs; and it is
// used again.
func TestRedisGoesAway(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]struct{ begin, end func(*redistest.Server) }{
		"killed": {(*redistest.Server).Kill, (*redistest.Server).Start},
		"hung":   {(*redistest.Server).Pause, (*redistest.Server).Resume},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const limit = 100
			server := redistest.Start(t)
			limiters, shared := nodes(t, server, 3, limit,
				func(s *ratelimit.Shared) { s.SetTimes(ratelimit.Window, 50*time.Millisecond) })
			var asked atomic.Int64
			stop := make(chan struct{})
			var wg sync.WaitGroup
			for i := range 12 {
				wg.Go(func() {
					for n := uint64(0); ; n++ {
						select {
						case <-stop:
							return
						default:
							limiters[i%3].Take(address(n % 100))
							asked.Add(1)
						}
					}
				})
			}
			more := func() {
				before := asked.Load()
				await(t, "requests are decided",
					func() bool { return asked.Load() > before+10_000 })
			}
			more()
			spent := address(5000)
			for limiters[0].Take(spent) == 0 { // all of it on one node
			}
			faults.begin(server)
			for _, s := range shared {
				await(t, "it counts alone", func() bool { return !s.Up() && s.Failures() > 0 })
			}
			more()
			if limiters[0].Take(spent) == 0 {
				t.Error("the node has forgotten what it granted")
			}
			for i, l := range limiters { // a new client has a budget on each node
				granted := 0
				for range 2 * limit {
					if l.Take(someone) == 0 {
						granted++
					}
				}
				if granted != limit {
					t.Errorf("node %d alone: %d granted, want %d", i, granted, limit)
				}
			}
			faults.end(server)
			for _, s := range shared {
				await(t, "they count together again", s.Up)
			}
			more()
			close(stop)
			wg.Wait()
		})
	}
}

// A server that is not there yet is found when it is.
func TestRedisComesLater(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	server.Kill()
	var l *ratelimit.Limiter
	s := aNode(t, server.URL(), func(s *ratelimit.Shared) { l = s.Limiter("test", 10) })
	await(t, "Redis was looked for", func() bool { return s.Failures() > 0 })
	if s.Up() || l.Take(someone) != 0 {
		t.Error("without Redis the node does not count alone")
	}
	server.Start()
	await(t, "Redis is found", s.Up)
	if s.Failures() == 0 || l.Take(someone) != 0 {
		t.Error("with Redis it does not go on")
	}
}

// Redis that does not answer does not make the node remember without a bound.
func TestMemoryOfWhatIsUntoldIsBounded(t *testing.T) {
	before := heapInUse()
	s := ratelimit.NewShared(redis.Server{}, slog.New(slog.DiscardHandler))
	l := s.Limiter("test", 2)
	s.Pretend()
	for i := range uint64(500_000) {
		if wait := l.Take(address(i)); wait != 0 {
			t.Fatal("refused")
		}
	}
	if s.Failures() == 0 {
		t.Error("all are remembered")
	}
	// 32 MiB are for what the node counts by itself.
	if got, most := heapInUse()-before, int64(32+7)<<20; got > most {
		t.Errorf("%d bytes, want at most %d", got, most)
	}
	runtime.KeepAlive(l)
}

func TestAKnownSharedClientDoesNotAllocate(t *testing.T) {
	s := ratelimit.NewShared(redis.Server{}, slog.New(slog.DiscardHandler))
	l := s.Limiter("test", 1_000_000)
	s.Pretend()
	for range 1000 {
		l.Take(someone)
	}
	if n := testing.AllocsPerRun(1000, func() { l.Take(someone) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkTakeShared is Take with Redis: of one client, and where each request is of a new one, of
// which Redis is told. It reports how often Redis could not be told.
func BenchmarkTakeShared(b *testing.B) {
	for name, limit := range map[string]int{"one": 1_000_000_000, "flood": 120} {
		b.Run(name, func(b *testing.B) {
			limiters, shared := nodes(b, redistest.Start(b), 1, limit, nil)
			b.ReportAllocs()
			for i := uint64(0); b.Loop(); i++ {
				addr := someone
				if name == "flood" {
					addr = address(i)
				}
				limiters[0].Take(addr)
			}
			b.ReportMetric(float64(shared[0].Failures())/float64(b.N), "untold/op")
		})
	}
}
