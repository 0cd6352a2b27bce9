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

var timed = rueidis.NewLuaScript(strings.Replace(ratelimit.Script,
	"redis.call('TIME')", "{math.floor(ARGV[5] / 1000000), ARGV[5] % 1000000}", 1))

// grant tells of granted requests, and returns how long the client has to wait for the next.
func (b *sharedBudget) grant(n int64) (wait int64) {
	b.t.Helper()
	var args []string
	for _, n := range []int64{n, b.limit, b.tick, window, b.now} {
		args = append(args, strconv.FormatInt(n, 10))
	}
	wait, err := timed.Exec(context.Background(), b.client, []string{b.key}, args).AsInt64()
	if err != nil {
		b.t.Fatal(err)
	}
	return wait
}

// want moves the clock, tells of granted requests, and says what the answer should have been.
func (b *sharedBudget) want(later, granted, wait int64) {
	b.t.Helper()
	b.now += later
	if got := b.grant(granted); got != wait {
		b.t.Errorf("%d granted: wait %d, want %d", granted, got, wait)
	}
}

func TestScript(t *testing.T) {
	t.Parallel()
	client := dial(t, redistest.Start(t))
	n := 0
	start := func(limit, tick int64) *sharedBudget {
		n++
		return &sharedBudget{
			t: t, client: client, key: fmt.Sprint("client", n), limit: limit,
			tick: tick, now: newYear,
		}
	}

	b := start(2, 1) // exact at the edges of the window
	b.want(0, 1, 0)
	b.want(10*second, 1, 50*second)
	b.want(50*second-1, 0, 1)
	b.want(1, 0, 0)
	b.want(0, 1, 10*second)

	b = start(2, 1) // nodes that were ahead
	b.want(0, 2, window)
	b.want(second, 1, 59*second) // the first two came together
	b.want(second, 3, window)    // two of these have to go as well
	b.want(58*second, 0, 2*second)
	b.want(2*second, 1, 0)

	b = start(1000, second/4) // ticks: what comes within one counts from its end
	b.want(1, 1000, window+second/4-1)
	b.want(window+second/4-2, 0, 1)
	b.want(1, 1000, window)

	b = start(3, 1) // the clock is set back
	b.want(0, 3, window)
	b.want(-3600*second, 0, window)
	b.want(window, 1, 0)
}

// However much comes of a client, its budget takes a few KiB, for little more than a minute.
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
		{256, 1, second / 4, 3 << 10},          // about as many as a client can get
		{256, 1, 1, 6 << 10},                   // more: the nodes let everything through
		{1 << 31, second / 4, 10_000, 3 << 10}, // a high limit
	} {
		b := &sharedBudget{
			t: t, client: client, key: fmt.Sprint(test), limit: test.limit,
			tick: test.tick, now: newYear,
		}
		for range 7000 {
			b.grant(1)
			b.now += test.step
		}
		if got := length(b.key); got > test.most {
			t.Errorf("limit %d: %d bytes, want at most %d", test.limit, got, test.most)
		}
		if ttl, err := client.Do(context.Background(),
			client.B().Pttl().Key(b.key).Build()).AsInt64(); err != nil || ttl < 1 || ttl > 61_000 {
			t.Errorf("limit %d: is kept for %d ms, %v", test.limit, ttl, err)
		}
	}
}
