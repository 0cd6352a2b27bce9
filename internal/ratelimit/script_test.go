package ratelimit_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/rueidis"

	"terse/internal/ratelimit"
	"terse/internal/redistest"
)

const (
	second  = int64(1_000_000)
	window  = 60 * second
	leased  = second / 10
	newYear = 1_800_000_000 * second
)

// sharedBudget is a client's budget in Redis, at a time of the test's choice.
type sharedBudget struct {
	t           testing.TB
	client      rueidis.Client
	key         string
	limit, tick int64
	now         int64
}

func dial(t testing.TB, server *redistest.Server) rueidis.Client {
	t.Helper()
	options := rueidis.MustParseURL(server.URL())
	options.DisableCache = true
	client, err := rueidis.NewClient(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

var timed = rueidis.NewLuaScript(strings.Replace(ratelimit.Script, "redis.call('TIME')", "{math.floor(ARGV[10] / 1000000), ARGV[10] % 1000000}", 1))

// ask returns what the script grants, and the two times to wait.
func (b *sharedBudget) ask(node string, used, keep, need, ahead int64) (granted, wait, again int64) {
	b.t.Helper()
	args := []string{node}
	for _, n := range []int64{used, keep, need, ahead, b.limit, b.tick, window, leased, b.now} {
		args = append(args, strconv.FormatInt(n, 10))
	}
	reply, err := timed.Exec(context.Background(), b.client, []string{b.key}, args).AsIntSlice()
	if err != nil || len(reply) != 3 {
		b.t.Fatal(reply, err)
	}
	return reply[0], reply[1], reply[2]
}

// want asks, and says what the answer should have been.
func (b *sharedBudget) want(node string, used, keep, need, ahead int64, granted, wait, again int64) {
	b.t.Helper()
	if g, w, a := b.ask(node, used, keep, need, ahead); g != granted || w != wait || a != again {
		b.t.Errorf("used %d, keep %d, need %d, ahead %d: granted %d, wait %d, again %d; want %d, %d, %d", used, keep, need, ahead, g, w, a, granted, wait, again)
	}
}

func TestScript(t *testing.T) {
	t.Parallel()
	client := dial(t, redistest.Start(t))
	n := 0
	start := func(limit, tick int64) *sharedBudget {
		n++
		return &sharedBudget{t: t, client: client, key: fmt.Sprint("client", n), limit: limit, tick: tick, now: newYear}
	}

	b := start(2, 1) // exact at the edges of the window
	b.want("a", 1, 0, 0, 0, 0, 0, 0)
	b.now += 10 * second
	b.want("b", 1, 0, 0, 0, 0, 50*second, 50*second)
	b.now += 50*second - 1
	b.want("c", 0, 0, 1, 0, 0, 1, 1)
	b.now++
	b.want("c", 0, 0, 1, 0, 1, 10*second, 10*second)
	b.want("c", 1, 0, 0, 0, 0, 10*second, 10*second)

	b = start(2, 1) // a node ahead by one
	b.want("a", 2, 0, 0, 0, 0, window, window)
	b.now += second
	b.want("b", 1, 0, 0, 0, 0, 59*second, 59*second) // the first two came together
	b.now += 59*second - 1
	b.want("c", 0, 0, 1, 0, 0, 1, 1)
	b.now++
	b.want("c", 1, 0, 0, 0, 0, second, second)

	b = start(80, 1)                     // leases
	b.want("a", 0, 0, 8, 100, 8+9, 0, 0) // an eighth of the 72 that were left
	b.want("b", 0, 0, 0, 100, 7, 0, 0)   // of 63
	b.want("a", 8, 9, 0, 100, 7, 0, 0)   // of 56: what is kept stays
	b.want("a", 0, 0, 0, 0, 0, 0, 0)     // given back
	b.want("b", 0, 0, 0, 0, 0, 0, 0)     // and this
	b.want("c", 0, 0, 100, 0, 72, window, window)
	b.want("a", 0, 0, 1, 0, 0, window, leased) // the eight are the oldest
	b.now += leased                            // c is gone: all it held counts as used by now
	b.want("a", 0, 0, 1, 0, 0, window-leased, leased)
	b.now += leased
	b.want("a", 0, 0, 1, 0, 0, window-2*leased, window-2*leased)
	b.now += window - 2*leased
	b.want("a", 8, 0, 0, 0, 0, leased, leased)
	b.now += leased
	b.want("a", 0, 0, 73, 0, 72, window-leased, window-leased)

	b = start(1000, second/4) // ticks: what comes within one counts from its end
	b.now++
	b.want("a", 1000, 0, 0, 0, 0, window+second/4-1, window+second/4-1)
	b.now += window + second/4 - 2
	b.want("b", 0, 0, 1, 0, 0, 1, 1)
	b.now++
	b.want("b", 1000, 0, 0, 0, 0, window, window)

	b = start(3, 1) // the clock is set back
	b.want("a", 3, 0, 0, 0, 0, window, window)
	b.now -= 3600 * second
	b.want("a", 0, 0, 1, 0, 0, window, window)
	b.now += window
	b.want("a", 0, 0, 1, 0, 1, 0, 0)
}

// However much comes of a client, its budget takes a few KiB, and an idle client's none.
func TestABudgetIsSmall(t *testing.T) {
	t.Parallel()
	client := dial(t, redistest.Start(t))
	length := func(key string) int64 {
		n, err := client.Do(context.Background(), client.B().Strlen().Key(key).Build()).AsInt64()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, test := range []struct{ limit, tick, step, most int64 }{
		{256, 1, second / 10, 3 << 10},         // as many as a client can get
		{256, 1, 1, 6 << 10},                   // more: the node lets everything through
		{1 << 31, second / 4, 10_000, 3 << 10}, // a high limit
	} {
		b := &sharedBudget{t: t, client: client, key: fmt.Sprint(test), limit: test.limit, tick: test.tick, now: newYear}
		for range 7000 {
			if _, wait, _ := b.ask("a", 0, 0, 1, 0); wait == 0 || test.step == 1 {
				b.ask("a", 1, 0, 0, 0)
			}
			b.now += test.step
		}
		if got := length(b.key); got > test.most {
			t.Errorf("limit %d: %d bytes, want at most %d", test.limit, got, test.most)
		}
		if ttl, err := client.Do(context.Background(), client.B().Pttl().Key(b.key).Build()).AsInt64(); err != nil || ttl < 1 || ttl > 61_000 {
			t.Errorf("limit %d: is kept for %d ms, %v", test.limit, ttl, err)
		}
		b.now += 2 * window
		if b.ask("a", 0, 0, 0, 0); length(b.key) != 0 {
			t.Errorf("limit %d: something is kept of an idle client", test.limit)
		}
	}
}
