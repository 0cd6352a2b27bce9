package ratelimit_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"terse/internal/tests/redistest"
	"terse/internal/visit/ratelimit"
	"terse/internal/visit/ratelimit/redis"
)

const (
	second  = int64(1_000_000)
	window  = 60 * second
	newYear = 1_800_000_000 * second
)

// sharedBudget is a client's budget in Redis, at a time of the test's choice.
type sharedBudget struct {
	client      database
	key         string
	limit, tick int64
	now         int64
}

// database asks a Redis server directly.
type database struct {
	t      testing.TB
	client *redis.Client
}

func dial(t testing.TB, server *redistest.Server) database {
	t.Helper()
	address, err := redis.ParseURL(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.New(address)
	t.Cleanup(client.Close)
	return database{t, client}
}

// do runs a command, whose reply must not be an error.
func (d database) do(command ...string) redis.Reply {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	replies, err := d.client.Do(ctx, command)
	if err == nil {
		err = replies[0].Err
	}
	if err != nil {
		d.t.Fatalf("%.40q: %v", command, err)
	}
	return replies[0]
}

var timed = strings.Replace(ratelimit.Script, "redis.call('TIME')",
	"{math.floor(ARGV[5] / 1000000), ARGV[5] % 1000000}", 1)

// grant tells of granted requests, and returns how long the client has to wait for the next.
func (b *sharedBudget) grant(n int64) (wait int64) {
	b.client.t.Helper()
	command := []string{"EVAL", timed, "1", b.key}
	for _, n := range []int64{n, b.limit, b.tick, window, b.now} {
		command = append(command, strconv.FormatInt(n, 10))
	}
	return b.client.do(command...).Number
}

// want moves the clock, tells of granted requests, and says what the answer should have been.
func (b *sharedBudget) want(later, granted, wait int64) {
	b.client.t.Helper()
	b.now += later
	if got := b.grant(granted); got != wait {
		b.client.t.Errorf("%d granted: wait %d, want %d", granted, got, wait)
	}
}

func TestScript(t *testing.T) {
	t.Parallel()
	client := dial(t, redistest.Start(t))
	n := 0
	start := func(limit, tick int64) *sharedBudget {
		n++
		return &sharedBudget{
			client: client, key: fmt.Sprint("client", n), limit: limit,
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
	for _, test := range []struct{ limit, tick, step, most int64 }{
		{256, 1, second / 4, 3 << 10},          // about as many as a client can get
		{256, 1, 1, 6 << 10},                   // more: the nodes let everything through
		{1 << 31, second / 4, 10_000, 3 << 10}, // a high limit
	} {
		b := &sharedBudget{
			client: client, key: fmt.Sprint(test), limit: test.limit,
			tick: test.tick, now: newYear,
		}
		for range 7000 {
			b.grant(1)
			b.now += test.step
		}
		if got := client.do("STRLEN", b.key).Number; got > test.most {
			t.Errorf("limit %d: %d bytes, want at most %d", test.limit, got, test.most)
		}
		if ttl := client.do("PTTL", b.key).Number; ttl < 1 || ttl > 61_000 {
			t.Errorf("limit %d: is kept for %d ms", test.limit, ttl)
		}
	}
}

// Whatever others write under a client's key, no other client notices, and this one at most begins
// anew.
func TestAKeyThatIsNotOurs(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := dial(t, server)
	inLua := func(value string) []string {
		return []string{
			"EVAL", "return redis.call('SET', KEYS[1], cmsgpack.pack(" + value + "))", "1",
		}
	}
	for name, write := range map[string][]string{
		"junk":           {"SET", "junkjunk"},
		"nothing":        {"SET", ""},
		"cut off":        {"SET", "\xdd\xff\xff\xff"},
		"another type":   {"RPUSH", "1"},
		"a set":          {"SADD", "1"},
		"no list":        inLua("{a = 1}"),
		"one number":     inLua("{1}"),
		"texts":          inLua("{'a', 'b'}"),
		"no numbers":     inLua("{0 / 0, 1, 1e15, 0 / 0}"),
		"infinite":       inLua("{1 / 0, 1 / 0, 1 / 0, 1 / 0}"),
		"less than none": inLua("{1e15, -1e15}"),
		"parts":          inLua("{1e15, 0.5}"),
		"nested":         inLua("{{{}}, {{}}}"),
	} {
		const limit = 3
		var l, other *ratelimit.Limiter
		s := unconnected(t, server.URL())
		l, other = s.Limiter(name, limit), s.Limiter(name+" others", limit)
		s.Connect(t.Context())
		key := "terse:" + name + ":" + ratelimit.RedisKey(someone)
		if write[0] == "EVAL" {
			client.do(append(write, key)...)
		} else {
			client.do(write[0], key, write[1])
		}
		for range limit {
			if l.Take(someone) > 0 || other.Take(someone) > 0 {
				t.Errorf("%s: refused", name)
			}
			s.Round(t.Context())
		}
		if !s.Up() || s.Failures() > 0 {
			t.Errorf("%s ends the limits of all clients", name)
		}
		if l.Take(someone) == 0 || other.Take(someone) == 0 {
			t.Errorf("%s: more than the limit is granted", name)
		}
	}
}

// The same for a key under which places are held.
func TestPlacesThatAreNotOurs(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := dial(t, server)
	_, shared := nodes(t, server, 1, 1, nil)
	for name, write := range map[string][]string{
		"a text":      {"SET", "terse:hold:a text", "junk"},
		"a list":      {"RPUSH", "terse:hold:a list", "junk"},
		"the far end": {"ZADD", "terse:hold:the far end", "inf", "a", "9e15", "b"},
	} {
		client.do(write...)
		if _, wait := shared[0].Hold(name, 1, time.Hour); wait != 0 {
			t.Errorf("%s: wait %v", name, wait)
		}
		if _, wait := shared[0].Hold(name, 1, time.Hour); wait == 0 {
			t.Errorf("%s: the place is given twice", name)
		}
	}
	if shared[0].Failures() > 0 {
		t.Errorf("%d failures", shared[0].Failures())
	}
}
