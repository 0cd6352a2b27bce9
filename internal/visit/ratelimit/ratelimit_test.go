package ratelimit_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terse/internal/visit/ratelimit"
)

var someone = netip.MustParseAddr("192.0.2.1")

func TestNoLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, -1} {
		l := ratelimit.New(limit)
		for range 1000 {
			if wait := l.Take(someone); wait != 0 {
				t.Fatalf("limit %d: refused for %v", limit, wait)
			}
		}
	}
}

// tick is how closely grants are told apart.
const tick = ratelimit.Window / 256

// expiry returns when a grant no longer counts. Times are since the limiter's start.
func expiry(granted time.Duration) time.Duration {
	return granted.Truncate(tick) + ratelimit.Window + tick
}

func TestWindowSlides(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start, l := time.Now(), ratelimit.New(2)
		// until is when the request at a time would be granted; it is that time if it is.
		step := func(at, until time.Duration) {
			t.Helper()
			time.Sleep(at - time.Since(start))
			if got := l.Take(someone); got != until-at {
				t.Fatalf("Take after %v = %v, want %v", at, got, until-at)
			}
		}
		const second = 10 * time.Second
		first, day := expiry(0), 24*time.Hour
		step(0, 0)
		step(second, second)
		step(second, first)
		step(30*time.Second, first)
		step(first-1, first)
		step(first, first)
		step(first, expiry(second))
		step(expiry(second), expiry(second))
		step(day, day)
		step(day, day)
		step(day, expiry(day))
	})
}

// A client that waits as long as it was told is granted, and not a nanosecond earlier.
func TestWaitIsTruthful(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 3, 120, 256, 257, 1000} {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, uint64(limit)))
			l := ratelimit.New(limit)
			refused := 0
			for range 20 * limit {
				time.Sleep(time.Duration(
					random.Int64N(int64(70 * time.Second / time.Duration(limit)))))
				wait := l.Take(someone)
				if wait == 0 {
					continue
				}
				refused++
				time.Sleep(wait - time.Nanosecond)
				if got := l.Take(someone); got != time.Nanosecond {
					t.Fatalf("limit %d: 1 ns before its time: %v", limit, got)
				}
				time.Sleep(time.Nanosecond)
				if got := l.Take(someone); got != 0 {
					t.Fatalf("limit %d: told to wait %v, then refused for %v", limit, wait, got)
				}
			}
			if refused == 0 {
				t.Fatalf("limit %d: nothing was refused", limit)
			}
		})
	}
}

// model is the limiter as one would define it: every grant's time, and a count.
type model struct{ grants []time.Time }

func (m *model) within(window time.Duration) (n int) {
	for i := len(m.grants) - 1; i >= 0 && time.Since(m.grants[i]) < window; i-- {
		n++
	}
	return n
}

// Random traffic of a few clients against the model: the limiter is never laxer, and never stricter
// than a window that is a tick longer.
func TestAgainstModel(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 2, 5, 60, 255, 256, 257, 400} {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(2, uint64(limit)))
			l := ratelimit.New(limit)
			var models [3]model
			for range 20_000 {
				time.Sleep(pause(random, limit))
				who := random.IntN(len(models))
				m := &models[who]
				granted := l.Take(netip.AddrFrom4([4]byte{10, 0, 0, byte(who)})) == 0
				if granted && m.within(ratelimit.Window) >= limit {
					t.Fatalf("limit %d: one request too many", limit)
				}
				if !granted && m.within(ratelimit.Window+tick) < limit {
					t.Fatalf("limit %d: refused within the limit", limit)
				}
				if granted {
					m.grants = append(m.grants, time.Now())
				}
			}
		})
	}
}

// What is left is granted and not more, and the oldest grant leaves when it was said to.
func TestLeft(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 2, 60, 400} {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, uint64(limit)))
			l := ratelimit.New(limit)
			if left, reset := l.Left(someone); left != limit || reset != ratelimit.Window {
				t.Fatalf("limit %d: before any request %d, %v", limit, left, reset)
			}
			var m model
			for range 2000 {
				time.Sleep(pause(random, limit))
				left, reset := l.Left(someone)
				most := limit - m.within(ratelimit.Window)
				least := limit - m.within(ratelimit.Window+tick)
				if left < least || left > most {
					t.Fatalf("limit %d: %d left, want %d to %d", limit, left, least, most)
				}
				if left == limit && reset != ratelimit.Window ||
					left < limit && (reset <= 0 || reset > ratelimit.Window+tick) ||
					left > 0 && reset > ratelimit.Window {
					t.Fatalf("limit %d: %d left, reset in %v", limit, left, reset)
				}
				wait := l.Take(someone)
				if (wait == 0) != (left > 0) || left == 0 && wait != reset {
					t.Fatalf("limit %d: %d left and %v until the next, but Take = %v", limit, left,
						reset, wait)
				}
				if wait == 0 {
					m.grants = append(m.grants, time.Now())
				}
			}
		})
	}
}

// pause is around what exhausts the limit, with bursts and silences.
func pause(random *rand.Rand, limit int) time.Duration {
	switch random.IntN(200) {
	case 0:
		return ratelimit.Window
	case 1:
		return time.Duration(random.IntN(100)) * time.Second
	}
	if random.IntN(4) == 0 {
		return 0
	}
	return time.Duration(random.IntN(30_000_000/limit+1)) * time.Microsecond
}

func TestHugeLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := ratelimit.New(1_000_000_000)
		for range 100_000 {
			if wait := l.Take(someone); wait != 0 {
				t.Fatalf("refused for %v", wait)
			}
		}
	})
}

func TestWhoIsAClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tests := []struct {
			a, b string
			same bool
		}{
			{"192.0.2.1", "192.0.2.1", true},
			{"192.0.2.1", "192.0.2.2", false},
			{"192.0.2.1", "::ffff:192.0.2.1", true},
			{"::ffff:192.0.2.1", "::ffff:192.0.2.2", false},
			{"2001:db8:1:2::1", "2001:db8:1:2:ffff::2", true},
			{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
			{"fe80::1%eth0", "fe80::2%eth1", true},
			{"0.0.0.0", "::", false},
			{"192.0.2.1", "", false},
			{"", "", true},
		}
		for _, test := range tests {
			l := ratelimit.New(1)
			a, _ := netip.ParseAddr(test.a)
			b, _ := netip.ParseAddr(test.b)
			if wait := l.Take(a); wait != 0 {
				t.Fatalf("%q: refused at once", test.a)
			}
			if same := l.Take(b) > 0; same != test.same {
				t.Errorf("%q and %q: same client %v, want %v", test.a, test.b, same, test.same)
			}
		}
	})
}

// Many goroutines ask for a few clients at once: the clients get their limit exactly.
func TestParallel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const limit, clients = 100, 5
		l := ratelimit.New(limit)
		var granted [clients]atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for i := range 1000 {
					if l.Take(address(uint64(i%clients))) == 0 {
						granted[i%clients].Add(1)
					}
				}
			})
		}
		wg.Wait()
		for i := range granted {
			if got := granted[i].Load(); got != limit {
				t.Errorf("client %d: %d granted, want %d", i, got, limit)
			}
		}
	})
}

// address returns the nth client's address.
func address(n uint64) netip.Addr {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], 0x20<<56|n)
	return netip.AddrFrom16(b)
}

// budget is a quarter of what New grants, so that floods need not be long; the limiter
// may take a tenth more, because it estimates.
const (
	budget   = 8 << 20
	atMost   = budget * 11 / 10
	perLight = 128 // bytes of the budget for a client with one request
)

// A flood from three times as many addresses as the budget holds stays within it, and does
// not make the limiter forget the clients that go on asking.
func TestMemoryIsBounded(t *testing.T) {
	const limit, busy, rounds = 120, 1000, 24
	const flood = 3 * budget / perLight / rounds // in each round
	for _, requests := range []int{1, 2} {
		before := heapInUse()
		synctest.Test(t, func(t *testing.T) {
			l := ratelimit.NewWithBudget(limit, budget)
			random := rand.New(rand.NewPCG(3, 3))
			for range rounds {
				for i := range uint64(busy) {
					l.TakeAll(address(i), 2)
				}
				for range flood {
					time.Sleep(2 * time.Second / flood)
					addr := address(1<<55 | random.Uint64()>>9)
					for range requests {
						l.Take(addr)
					}
				}
			}
			if got := heapInUse() - before; got > atMost {
				t.Errorf("%d bytes after the flood, want at most %d", got, atMost)
			}
			forgotten := 0
			for i := range uint64(busy) {
				if l.TakeAll(address(i), limit-2*rounds+1) == 0 {
					forgotten++
				}
			}
			if forgotten > busy/50 {
				t.Errorf("%d of %d busy clients were forgotten", forgotten, busy)
			}
		})
	}
}

// A flood of clients with one request each pushes out those that came first.
func TestTheLastClientsAreKnown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const most = budget / perLight
		l := ratelimit.NewWithBudget(1, budget)
		for i := range uint64(3 * most) {
			time.Sleep(50 * time.Second / (3 * most))
			l.Take(address(i))
		}
		granted := func(first int) (n int) {
			for i := range most / 10 {
				if l.Take(address(uint64(first+i))) == 0 {
					n++
				}
			}
			return n
		}
		if n := granted(3*most - most/10); n > most/1000 {
			t.Errorf("%d of the last %d clients were forgotten", n, most/10)
		}
		if n := granted(0); n < most/11 {
			t.Errorf("only %d of the first %d clients were forgotten", n, most/10)
		}
	})
}

// Clients that all grow at once stay within the budget as well.
func TestMemoryOfBusyClientsIsBounded(t *testing.T) {
	const limit, clients, rounds = 256, 16_000, 64
	before := heapInUse()
	l := ratelimit.NewWithBudget(limit, budget)
	for range rounds {
		for i := range clients {
			l.Take(address(uint64(i)))
		}
	}
	if got := heapInUse() - before; got > atMost {
		t.Errorf("%d bytes, want at most %d", got, atMost)
	}
	runtime.KeepAlive(l)
}

// Clients whose minute is over are forgotten, so that memory follows the clients of the last
// minutes, not all that ever came.
func TestExpiredClientsMakeRoom(t *testing.T) {
	before := heapInUse()
	synctest.Test(t, func(t *testing.T) {
		l := ratelimit.New(10)
		for minute := range 20 {
			for i := range 10_000 {
				l.Take(address(uint64(minute*10_000 + i)))
			}
			time.Sleep(expiry(0))
			l.Forget()
		}
		if got, want := heapInUse()-before, int64(1<<20); got > want {
			t.Errorf("%d bytes after 10,000 clients a minute, want at most %d", got, want)
		}
		runtime.KeepAlive(l)
	})
}

// Clients are forgotten when their minute is over, and no sooner.
func TestForget(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{2, 1000} {
		synctest.Test(t, func(t *testing.T) {
			l := ratelimit.New(limit)
			take := func(first, n int) {
				for i := range uint64(n) {
					for range 1 + i%2 {
						l.Take(address(uint64(first) + i))
					}
				}
			}
			forget := func(pause time.Duration, want int) {
				t.Helper()
				time.Sleep(pause)
				if l.Forget(); l.Known() != want {
					t.Errorf("limit %d: %d clients are known, want %d", limit, l.Known(), want)
				}
			}
			take(0, 100)
			forget(30*time.Second, 100)
			take(100, 50)
			forget(29*time.Second, 150)
			forget(2*time.Second, 50)
			forget(time.Hour, 0)
			take(0, 10)
			forget(0, 10)
		})
	}
	var none *ratelimit.Limiter
	none.Forget()
}

func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestKnownClientDoesNotAllocate(t *testing.T) {
	for _, limit := range []int{1, 120, 1_000_000} {
		l := ratelimit.New(limit)
		for range 1000 {
			l.Take(someone)
		}
		if n := testing.AllocsPerRun(1000, func() { l.Take(someone) }); n != 0 {
			t.Errorf("limit %d: %v allocations", limit, n)
		}
	}
}

func BenchmarkTake(b *testing.B) {
	for _, limit := range []int{120, 1_000_000_000} {
		b.Run(fmt.Sprintf("known/limit=%d", limit), func(b *testing.B) {
			l := ratelimit.New(limit)
			b.ReportAllocs()
			for b.Loop() {
				l.Take(someone)
			}
		})
	}
	b.Run("known/clients=100000", func(b *testing.B) {
		l := ratelimit.New(1_000_000_000)
		addresses := make([]netip.Addr, 100_000)
		for i := range addresses {
			addresses[i] = address(uint64(i))
		}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			l.Take(addresses[i%len(addresses)])
		}
	})
	b.Run("flood", func(b *testing.B) {
		l := ratelimit.New(120)
		b.ReportAllocs()
		for i := uint64(0); b.Loop(); i++ {
			l.Take(address(i))
		}
	})
	b.Run("parallel", func(b *testing.B) {
		l := ratelimit.New(120)
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for i := rand.Uint64(); pb.Next(); i++ {
				l.Take(address(i % 1000))
			}
		})
	})
}

// Several requests at once are granted together or not at all.
func TestTakeAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start, l := time.Now(), ratelimit.New(12)
		step := func(at time.Duration, n int, until time.Duration) {
			t.Helper()
			time.Sleep(at - time.Since(start))
			if got := l.TakeAll(someone, n); got != until-at {
				t.Fatalf("TakeAll(%d) after %v = %v, want %v", n, at, got, until-at)
			}
		}
		const second, third, hour = 10 * time.Second, 20 * time.Second, time.Hour
		first := expiry(0)
		step(0, 0, 0)
		step(0, 10, 0)
		step(second, 3, first) // two are left, and stay
		step(second, 2, second)
		step(second, 0, first)
		step(third, 10, first)
		step(third, 11, expiry(second)) // one of those that came later has to go as well
		step(first, 11, expiry(second))
		step(first, 10, first)
		step(first, 1, expiry(second))
		step(hour, 12, hour)
		step(expiry(hour)-1, 12, expiry(hour))
		step(expiry(hour), 12, expiry(hour))
		if got := l.TakeAll(someone, 13); got != ratelimit.Never {
			t.Errorf("more than the limit: %v", got)
		}
		if got := l.Limit(); got != 12 {
			t.Errorf("the limit is %d", got)
		}
	})
	none := ratelimit.New(0)
	if wait := none.TakeAll(someone, 1<<40); wait != 0 || none.Limit() != 0 {
		t.Errorf("without a limit: %v, limit %d", wait, none.Limit())
	}
}

// TestTakeAllAtRandom compares a limiter with a list of all grants.
func TestTakeAllAtRandom(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 7, 120, 256} {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, uint64(limit)))
			l := ratelimit.New(limit)
			start := time.Now()
			var grants []time.Duration // when they no longer count
			for range 5000 {
				longest := int64(4*time.Minute) / int64(limit)
				time.Sleep(time.Duration(random.Int64N(longest)))
				n := random.IntN(limit + 1)
				now := time.Since(start)
				for len(grants) > 0 && grants[0] <= now {
					grants = grants[1:]
				}
				want := time.Duration(0)
				if over := len(grants) + max(n, 1) - limit; over > 0 {
					want = grants[over-1] - now
				}
				if got := l.TakeAll(someone, n); got != want {
					t.Fatalf("limit %d, %d granted: TakeAll(%d) = %v, want %v", limit,
						len(grants), n, got, want)
				}
				if want == 0 {
					for range n {
						grants = append(grants, expiry(now))
					}
				}
			}
		})
	}
}
