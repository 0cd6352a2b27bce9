package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"terse"
	"terse/api"
	store "terse/internal/sqlite"
	"terse/internal/storetest"
)

// answers are timed for each kind of question.
const answers = 200

// client asks the server for what is no redirect.
func (p *process) client() *api.Client { return api.New("http://"+p.addr, token) }

// stopwatch measures from when a request is sent until the last byte of its answer is there,
// unpacked. What the client then makes of the answer is no part of it.
type stopwatch struct{ took time.Duration }

func (s *stopwatch) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now()
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	s.took += time.Since(began)
	err = errors.Join(err, resp.Body.Close())
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, err
}

// timed returns how many milliseconds answers took, after a second to warm up. It takes over the
// client's HTTP client.
func timed(client *api.Client, do func() error) (took series, err error) {
	for start := time.Now(); time.Since(start) < time.Second; {
		if _, err := timedOnce(client, do); err != nil {
			return nil, err
		}
	}
	for range answers {
		once, err := timedOnce(client, do)
		if err != nil {
			return nil, err
		}
		took = append(took, once)
	}
	return took, nil
}

// timedOnce is timed for one answer, without a second to warm up.
func timedOnce(client *api.Client, do func() error) (ms float64, err error) {
	var watch stopwatch
	client.HTTPClient = &http.Client{Transport: &watch}
	err = do()
	return float64(watch.took.Nanoseconds()) / 1e6, err
}

// latency are the rows of answers that were timed.
func latency(scenario, what string, took series, p99 *bar) []row {
	return []row{
		single(scenario, what+" p50, ms", ratio, series{took.at(0.5)}, nil),
		single("", what+" p99, ms", ratio, series{took.at(0.99)}, p99),
	}
}

// searches lists links by any words, and their first page.
func (b *bench) searches(ctx context.Context) (rows []row, err error) {
	for _, n := range []int{hotLinks, maxLinks / 10} {
		server, err := b.startSeeded(ctx, n)
		if err != nil {
			return nil, err
		}
		client := server.client()
		search := func() error {
			text := "page " + strconv.Itoa(1+rand.IntN(n))
			_, err := client.Search(ctx, api.Search{Text: text, Limit: 20})
			return err
		}
		cold, err := timedOnce(client, search) // at once after the start
		if err != nil {
			return nil, err
		}
		words, err := timed(client, search)
		if err != nil {
			return nil, err
		}
		first, err := timed(client, func() error {
			_, err := client.List(ctx, 100, 0)
			return err
		})
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("search in %s links, over HTTP", whole(float64(n)))
		rows = append(rows, latency(name, "any words", words, atMost(50, " ms"))...)
		rows = append(rows, single("", "the first one, ms", ratio, series{cold}, nil))
		rows = append(rows, latency("", "first page", first, atMost(500, " ms"))...)
	}
	return rows, nil
}

// Clicks whose statistics are asked for lie within this time.
var firstClick = time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)

const clickSpan = 3 * 365 * 24 * time.Hour

// statistics are those of a link with 10,000,000 clicks.
func (b *bench) statistics(ctx context.Context) ([]row, error) {
	clicks := 10_000_000
	if b.short {
		clicks /= 100
	}
	data, err := b.dataFolder(ctx, 1000)
	if err != nil {
		return nil, err
	}
	var took time.Duration
	before := size(data)
	if err := withStore(ctx, data, func(s *store.Store) (err error) {
		took, err = addClicks(ctx, s, clicks)
		return err
	}); err != nil {
		return nil, err
	}
	bytes := float64(size(data)-before) / float64(clicks)
	server, err := b.startTerse(ctx, data)
	if err != nil {
		return nil, err
	}
	client := server.client()
	allTime, err := timed(client, func() error {
		stats, err := client.Stats(ctx, codeOf(1), api.Range{})
		if err == nil && stats.TotalClicks != int64(clicks) {
			err = fmt.Errorf("%d clicks counted of %d", stats.TotalClicks, clicks)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	allMaps, err := timed(client, func() error {
		all, err := client.Clicks(ctx, codeOf(1), api.ClicksQuery{By: api.Dimensions()})
		if err == nil && all.TotalClicks != int64(clicks) {
			err = fmt.Errorf("%d clicks counted of %d", all.TotalClicks, clicks)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	inRange, err := timed(client, func() error {
		from, to := rand.Int64N(int64(clickSpan)), rand.Int64N(int64(clickSpan))
		_, err := client.Stats(ctx, codeOf(1), api.Range{
			Start: firstClick.Add(time.Duration(min(from, to))),
			End:   firstClick.Add(time.Duration(max(from, to) + 1000)),
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s clicks of one link", whole(float64(clicks)))
	rows := []row{
		single(name, "counted/s by the store", whole, series{float64(clicks) / took.Seconds()},
			atLeast(150_000)),
		single("", "bytes a click", tenths, series{bytes}, atMost(40, "")),
	}
	rows = append(rows, latency("", "statistics of all time", allTime, atMost(15, " ms"))...)
	rows = append(rows, latency("", "the same by day and all dimensions", allMaps,
		atMost(20, " ms"))...)
	return append(rows, latency("", "statistics of a range", inRange, atMost(15, " ms"))...), nil
}

// size is that of a stopped server's database in bytes.
func size(data string) int64 {
	info, err := os.Stat(filepath.Join(data, "terse.db"))
	if err != nil {
		return 0
	}
	return info.Size()
}

// addClicks counts n clicks of a link at even distances, most from a few countries, pages and
// devices, and returns how long the store took.
func addClicks(ctx context.Context, s *store.Store, n int) (took time.Duration, err error) {
	code, err := terse.ParseCode(codeOf(1))
	if err != nil {
		return 0, err
	}
	link, err := s.Link(ctx, code)
	if err != nil {
		return 0, err
	}
	rng := rand.New(rand.NewPCG(1, 2))
	clicks := make([]terse.Click, 0, 250_000) // a hundredth of a second of a link's day at most
	for done := 0; done < n; {
		clicks = clicks[:0]
		for ; done < n && len(clicks) < cap(clicks); done++ {
			at := firstClick.Add(time.Duration(float64(done) / float64(n) * float64(clickSpan)))
			click := terse.Click{Link: link.ID, Code: link.Code, Time: at.UnixMicro()}
			storetest.Visit(rng, &click.Values)
			clicks = append(clicks, click)
		}
		began := time.Now()
		if err := s.AddClicks(ctx, terse.ClickBatch{
			Journal: "bench", From: int64(done - len(clicks)), To: int64(done),
			Clicks: terse.ClicksOf(clicks...),
		}); err != nil {
			return 0, err
		}
		took += time.Since(began)
	}
	return took, nil
}
