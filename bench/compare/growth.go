package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"terse"
	"terse/internal/sqlite"
)

// Bounds of what the growth is measured over.
const (
	fewest      = 1_000
	most        = maxLinks // links, and clicks of one link
	lookUps     = 20_000   // timed for each number of links
	answers     = 200      // timed for each number of clicks and kind of statistics
	clicksBatch = 250_000  // counted at once: a hundredth of a second of a link's day at most
)

// Clicks of the growth lie within this time.
var (
	firstClick = time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	clickSpan  = 3 * 365 * 24 * time.Hour
)

// points are the values that belong to sizes, by what they are.
type points map[string][]float64

func (p points) add(name string, v float64) { p[name] = append(p[name], v) }

// growth measures how cost grows, and writes the table.
func (b *bench) growth(ctx context.Context) error {
	largest, began := most, time.Now()
	if b.short {
		largest = most / 100
	}
	var sizes []float64
	values := points{}
	for n := fewest; n <= largest; n *= 10 {
		b.say("%d", n)
		sizes = append(sizes, float64(n))
		for _, measure := range []func(context.Context, int, points) error{
			b.redirectsOf,
			b.lookUpsOf, b.statisticsOf,
		} {
			if err := measure(ctx, n, values); err != nil {
				return fmt.Errorf("with %d: %w", n, err)
			}
		}
	}
	about, err := b.machine(ctx, time.Since(began))
	if err != nil {
		return err
	}
	text := about + "\n" + growthTable(sizes, values)
	fmt.Println(text)
	if b.document == "" {
		return nil
	}
	return writeBetween(b.document, "growth", text)
}

// What is measured, as the table calls it.
const (
	redirects  = "redirects/s"
	lookUp50   = "look-up p50, µs"
	lookUp99   = "look-up p99, µs"
	allTime50  = "all time p50, ms"
	allTime99  = "all time p99, ms"
	range50    = "range p50, ms"
	range99    = "range p99, ms"
	numberOf   = "links, or clicks of one link"
	bytesClick = "bytes a click"
)

func growthTable(sizes []float64, values points) string {
	columns := []string{
		redirects, lookUp50, lookUp99, allTime50, allTime99, range50, range99,
		bytesClick,
	}
	formats := []func(float64) string{whole, tenths, tenths, ratio, ratio, ratio, ratio, tenths}
	var rows []row
	for i, size := range sizes {
		r := row{whole(size)}
		for c, name := range columns {
			r = append(r, formats[c](values[name][i]))
		}
		rows = append(rows, r)
	}
	return table(append([]string{numberOf}, columns...), rows)
}

// redirectsOf asks a server for n links at random.
func (b *bench) redirectsOf(ctx context.Context, n int, values points) (err error) {
	server, err := b.startSeeded(ctx, n)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.remove()) }()
	var m measured
	for range b.runs {
		if err := b.measure(ctx, server.under(anyLink, n), b.seconds, &m); err != nil {
			return err
		}
	}
	server.owed = m.requests
	values.add(redirects, m.rate.median())
	return server.prove(ctx)
}

// lookUpsOf looks links up in a store of n, without cache and server.
func (b *bench) lookUpsOf(ctx context.Context, n int, values points) error {
	data, err := b.dataFolder(ctx, n)
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	return withStore(ctx, data, func(store *sqlite.Store) error {
		for !store.Absent(terse.NewCode()) { // it does not know all codes yet
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(10 * time.Millisecond):
			}
		}
		took, err := timed(lookUps, func() error {
			code, err := terse.ParseCode(codeOf(1 + rand.IntN(n)))
			if err == nil {
				_, err = store.Link(ctx, code)
			}
			return err
		})
		if err != nil {
			return err
		}
		values.add(lookUp50, took.at(0.5)*1000)
		values.add(lookUp99, took.at(0.99)*1000)
		return nil
	})
}

func withStore(ctx context.Context, data string, do func(*sqlite.Store) error) error {
	store, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(data, "terse.db")})
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}

// timed returns how many milliseconds each time took.
func timed(times int, do func() error) (took series, err error) {
	for range times {
		began := time.Now()
		if err := do(); err != nil {
			return nil, err
		}
		took = append(took, float64(time.Since(began).Nanoseconds())/1e6)
	}
	return took, nil
}

// statisticsOf asks for the statistics of a link with n clicks.
func (b *bench) statisticsOf(ctx context.Context, n int, values points) error {
	data, err := b.dataFolder(ctx, fewest)
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	before, err := os.Stat(filepath.Join(data, "terse.db"))
	if err != nil {
		return err
	}
	if err := withStore(ctx, data,
		func(store *sqlite.Store) error { return statistics(ctx, store, n, values) }); err != nil {
		return err
	}
	after, err := os.Stat(filepath.Join(data, "terse.db"))
	if err != nil {
		return err
	}
	values.add(bytesClick, float64(after.Size()-before.Size())/float64(n))
	return nil
}

func statistics(ctx context.Context, store *sqlite.Store, n int, values points) error {
	code, err := terse.ParseCode(codeOf(1))
	if err != nil {
		return err
	}
	link, err := store.Link(ctx, code)
	if err != nil {
		return err
	}
	if err := addClicks(ctx, store, link, n); err != nil {
		return err
	}
	allTime, err := timed(answers, func() error {
		stats, err := store.Series(ctx, link.Ref(), terse.SeriesQuery{Range: terse.AllTime})
		if err == nil && stats.Total != int64(n) {
			err = fmt.Errorf("%d clicks counted of %d", stats.Total, n)
		}
		return err
	})
	if err != nil {
		return err
	}
	inRange, err := timed(answers, func() error {
		some, err := someRange()
		if err == nil {
			_, err = store.Series(ctx, link.Ref(), terse.SeriesQuery{Range: some})
		}
		return err
	})
	if err != nil {
		return err
	}
	values.add(allTime50, allTime.at(0.5))
	values.add(allTime99, allTime.at(0.99))
	values.add(range50, inRange.at(0.5))
	values.add(range99, inRange.at(0.99))
	return nil
}

// addClicks counts n clicks of a link at even distances, from 60 countries and 50 pages.
func addClicks(ctx context.Context, store *sqlite.Store, link terse.Link, n int) error {
	clicks := make([]terse.Click, 0, clicksBatch)
	for done := 0; done < n; {
		clicks = clicks[:0]
		for ; done < n && len(clicks) < clicksBatch; done++ {
			clicks = append(clicks, terse.Click{
				Link: link.ID, Code: link.Code, Time: firstClick.UnixMicro() +
					int64(float64(done)/float64(n)*float64(clickSpan.Microseconds())),
				Values: terse.Values{
					terse.ByCountry: terse.Country{
						'A' + byte(rand.IntN(6)),
						'A' + byte(rand.IntN(10)),
					}.String(),
					terse.ByReferrer: fmt.Sprintf("https://referrer-%02d.example/", rand.IntN(50)),
				},
			})
		}
		batch := terse.ClickBatch{
			Journal: "growth", From: int64(done - len(clicks)),
			To: int64(done), Clicks: clicks,
		}
		if err := store.AddClicks(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// someRange is any part of clickSpan.
func someRange() (terse.TimeRange, error) {
	from, to := rand.Int64N(int64(clickSpan)), rand.Int64N(int64(clickSpan))
	at := func(offset int64) string {
		return firstClick.Add(time.Duration(offset)).Format(time.RFC3339Nano)
	}
	return terse.ParseTimeRange(at(min(from, to)), at(max(from, to)+1000))
}
