package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"terse/api"
	"terse/internal/database/storetest"
)

// question is asked again and again.
type question struct {
	what  string
	path  func() string
	total int64  // expected in each answer; 0: any except 0
	p99   *floor // of an answer, in ms
}

// asked asks a question for a while, one answer after the other, and returns the p50 and p99 of the
// answers in ms.
func (q question) asked(ctx context.Context, s *terseServer, d time.Duration) ([]float64, error) {
	var took series
	for began := time.Now(); len(took) == 0 || time.Since(began) < d; {
		ms, err := q.once(ctx, s)
		if err != nil {
			return nil, err
		}
		took = append(took, ms)
	}
	return []float64{took.at(0.5), took.at(0.99)}, nil
}

// once asks once, and returns the time of the answer in milliseconds.
func (q question) once(ctx context.Context, s *terseServer) (float64, error) {
	path := q.path()
	body, took, err := s.get(ctx, path)
	if err != nil {
		return 0, err
	}
	n, err := total(body)
	// A search ends its page when it has looked at enough links, even if it has found none.
	none := n == 0 && !strings.Contains(body, `"next_cursor"`)
	if err == nil && (none || q.total != 0 && n != q.total) {
		err = fmt.Errorf("%s: the total is %d, want %d", path, n, q.total)
	}
	return float64(took.Nanoseconds()) / 1e6, err
}

// rows returns the rows of p50 and p99.
func (q question) rows(scenario string, values [][]series) []row {
	return []row{
		figures(scenario, q.what+" p50, ms", ratio, values[0], nil),
		figures("", q.what+" p99, ms", ratio, values[1], q.p99),
	}
}

// statistics measures statistics of a link with many clicks, and of one among links with few.
func (b *bench) statistics(ctx context.Context) (rows []row, err error) {
	const span = 3 * 365 * 24 * time.Hour
	clicks := 10 * million
	if b.short {
		clicks /= 100
	}
	every := span / time.Duration(clicks)
	first := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	link := "/api/urls/" + codeOf(1)
	all := int64(clicks)
	return b.clicksOn(ctx, fmt.Sprintf("%s clicks of one link", whole(float64(clicks))), 1, clicks,
		visits{pick: func(int, *rand.Rand) int { return 1 }, first: first, every: every},
		[]question{
			{"all time", constant(link + "/analytics"), all, most(15, " ms")},
			{"of people", constant(link + "/clicks?not_visitor=bot"), 0, most(15, " ms")},
			{
				"by day and all dimensions",
				constant(link + "/clicks?by=" + strings.Join(api.Dimensions(), ",")),
				all, most(20, " ms"),
			},
			{"a range with two filters", func() string {
				from := first.Add(rand.N(24 * time.Hour)) // cuts the first and the last day
				return link + "/clicks?" + url.Values{
					"start_time": {from.Format(time.RFC3339Nano)},
					"end_time":   {from.Add(span - 48*time.Hour).Format(time.RFC3339Nano)},
					"country":    {"AD"},
					"device":     {"mobile"},
				}.Encode()
			}, 0, most(500, " ms")},
		})
}

// sparse measures statistics of links with a click a day.
func (b *bench) sparse(ctx context.Context) ([]row, error) {
	const links = 256
	days := 3650
	if b.short {
		days /= 10
	}
	now := time.Now().UTC().Truncate(24 * time.Hour)
	return b.clicksOn(ctx, fmt.Sprintf("a click a day of %d links, for %s days", links,
		whole(float64(days))), links, days*links,
		visits{
			pick:  func(i int, _ *rand.Rand) int { return 1 + i%links },
			first: now.AddDate(0, 0, -days), every: 24 * time.Hour / links,
		},
		[]question{{"all time", func() string {
			return "/api/urls/" + codeOf(1+rand.IntN(links)) + "/analytics"
		}, int64(days), most(15, " ms")}})
}

func constant(path string) func() string { return func() string { return path } }

// clicksOn counts clicks, and asks questions about them, on both stores.
func (b *bench) clicksOn(ctx context.Context, name string, links, clicks int, of visits,
	questions []question,
) (rows []row, err error) {
	for _, kind := range []store{sqlite, postgres} {
		var servers []*terseServer
		var bytes []series
		for _, program := range b.programs() {
			s, size, err := b.counted(ctx, program, kind, links, clicks, of)
			if err != nil {
				return rows, err
			}
			servers, bytes = append(servers, s), append(bytes, series{size})
		}
		rows = append(rows,
			figures(fmt.Sprintf("%s, on %s", name, kind), "bytes a click", tenths, bytes,
				most(40, "")))
		for _, q := range questions {
			values, err := inTurns(b.runs, servers, func(s *terseServer) ([]float64, error) {
				return q.asked(ctx, s, b.seconds)
			})
			if err != nil {
				return rows, err
			}
			rows = append(rows, q.rows("", values)...)
		}
		if err := b.finish(ctx); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// counted returns a server that has counted clicks, and the bytes that each takes.
func (b *bench) counted(ctx context.Context, of *program, kind store, links, clicks int, v visits,
) (*terseServer, float64, error) {
	d, err := b.newData(ctx, of, kind, links, nil)
	if err != nil {
		return nil, 0, err
	}
	before, err := d.bytes(ctx)
	if err != nil {
		return nil, 0, err
	}
	if _, err := b.count(ctx, d, v, clicks); err != nil {
		return nil, 0, err
	}
	after, err := d.bytes(ctx)
	if err != nil {
		return nil, 0, err
	}
	s, err := b.start(ctx, d)
	return s, float64(after-before) / float64(clicks), err
}

// lists measures searches and lists of similar links.
func (b *bench) lists(ctx context.Context) (rows []row, err error) {
	for _, kind := range []store{sqlite, postgres} {
		more, err := b.listsOn(ctx, kind)
		if err != nil {
			return rows, err
		}
		rows = append(rows, more...)
		if err := b.finish(ctx); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

func (b *bench) listsOn(ctx context.Context, kind store) ([]row, error) {
	n := b.links(million)
	over := time.Now().Add(-time.Hour)
	options := func(i int) (o api.LinkOptions) {
		for tag, each := range map[string]int{"half": 2, "few": 100} {
			if i%each == 0 {
				o.Tags = append(o.Tags, tag)
			}
		}
		if i%7 == 0 {
			o.ExpiresAt = over
		}
		return o
	}
	search := question{"any words", func() string {
		return "/api/urls?limit=20&search=page+" + strconv.Itoa(1+rand.IntN(n))
	}, 0, most(50, " ms")}
	list := question{"by tag and state", func() string {
		return fmt.Sprintf("/api/urls?limit=100&tag=%s&status=%s&sort=%s", one("half", "few"),
			one("active", "expired"), one("newest", "oldest", "clicks"))
	}, 0, most(25, " ms")}
	byClicks := question{
		"by clicks", constant("/api/urls?limit=100&sort=clicks"), int64(n), most(100, " ms"),
	}
	// All links are older than tomorrow, and none has a click then.
	tomorrow := time.Now().AddDate(0, 0, 1).UTC().Format(time.DateOnly)
	unused := question{
		"unused since a day", constant("/api/urls?limit=100&unused_since=" + tomorrow), int64(n),
		most(100, " ms"),
	}
	var parts []*data
	for _, of := range b.programs() {
		d, err := b.newData(ctx, of, kind, n, options)
		if err != nil {
			return nil, err
		}
		pick := storetest.Zipf(n)(rand.New(rand.NewPCG(3, 4)))
		if _, err := b.count(ctx, d, visits{
			pick:  func(int, *rand.Rand) int { return 1 + pick() },
			first: time.Now().Add(-time.Hour), every: time.Millisecond,
		}, n); err != nil {
			return nil, err
		}
		parts = append(parts, d)
	}
	values, err := inTurns(b.runs, parts, func(d *data) ([]float64, error) {
		s, err := b.start(ctx, d)
		if err != nil {
			return nil, err
		}
		first, err := search.once(ctx, s)
		if err != nil {
			return nil, err
		}
		took := []float64{first}
		for _, q := range []question{search, list, byClicks, unused} {
			of, err := q.asked(ctx, s, b.seconds)
			if err != nil {
				return nil, err
			}
			took = append(took, of...)
		}
		return took, b.stop(ctx, s)
	})
	if err != nil {
		return nil, err
	}
	of := fmt.Sprintf("%s links, on %s", whole(float64(n)), kind)
	return slices.Concat(
		search.rows("search in "+of, values[1:3]),
		[]row{figures("", "the first after a start, ms", ratio, values[0], most(300, " ms"))},
		list.rows("lists of "+of, values[3:5]), byClicks.rows("", values[5:7]),
		unused.rows("", values[7:9]),
	), nil
}

// one returns one of the values, at random.
func one(of ...string) string { return of[rand.IntN(len(of))] }

// creates measures creates, with as many callers as connections.
func (b *bench) creates(ctx context.Context) (rows []row, err error) {
	for _, of := range []struct {
		kind  store
		floor float64
	}{{sqlite, 7500}, {citus, 1000}} {
		var servers []*terseServer
		for _, program := range b.programs() {
			s, err := b.startNew(ctx, program, of.kind, 1000)
			if err != nil {
				return rows, err
			}
			servers = append(servers, s)
		}
		values, err := inTurns(b.runs, servers, func(s *terseServer) ([]float64, error) {
			rate, err := b.create(ctx, s)
			return []float64{rate}, err
		})
		if err != nil {
			return rows, err
		}
		rows = append(rows, figures(fmt.Sprintf("create links over HTTP, %d callers, on %s",
			connections, of.kind), "creates/s", whole, values[0], least(of.floor)))
		if err := b.finish(ctx); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// create creates links for a while, and returns the number a second. All acknowledged links must
// exist afterwards.
func (b *bench) create(ctx context.Context, s *terseServer) (rate float64, err error) {
	before, err := s.ask(ctx, "/api/urls?limit=1")
	if err != nil {
		return 0, err
	}
	r, err := b.wrk(ctx, s.process, create, len(s.data.ids), b.seconds)
	if err != nil {
		return 0, err
	}
	after, err := s.ask(ctx, "/api/urls?limit=1")
	// wrk ends while its last requests are being answered, as it did in the run before.
	made, most := after-before, r.requests+2*connections
	if err == nil && (made < r.requests || made > most) {
		err = fmt.Errorf("%d links were made, %d were acknowledged", made, r.requests)
	}
	return r.rate, err
}

// begin measures the time from a start on many links to the first redirect.
func (b *bench) begin(ctx context.Context) ([]row, error) {
	n := b.manyLinks()
	var parts []*data
	for _, of := range b.programs() {
		d, err := b.newData(ctx, of, sqlite, n, nil)
		if err != nil {
			return nil, err
		}
		parts = append(parts, d)
	}
	values, err := inTurns(b.runs, parts, func(d *data) ([]float64, error) {
		s, err := b.start(ctx, d)
		if err != nil {
			return nil, err
		}
		err = s.redirectOnce(ctx, codeOf(1+rand.IntN(n)))
		took := time.Since(s.born)
		return []float64{float64(took.Microseconds()) / 1000}, errors.Join(err, b.stop(ctx, s))
	})
	if err != nil {
		return nil, err
	}
	return []row{figures(fmt.Sprintf("start with %s links", whole(float64(n))),
		"until the first redirect, ms", tenths, values[0], most(100, " ms"))}, nil
}
