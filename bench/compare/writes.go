package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"terse/api"
)

const (
	// limitedLinks behind the hot ones have max_clicks, so that each of their redirects is a write.
	limitedLinks = 1000

	lag = "terse_ingest_lag_seconds" // a series of /metrics
)

// writes measures creates and redirects with max_clicks at full load: while no clicks come, while
// they are counted as they come, and while the journal always has more. Each waits for the batch
// that is being counted.
func (b *bench) writes(ctx context.Context) (rows []row, err error) {
	type part struct {
		*data

		name, mode string // mode is that of the load
		backlog    int    // clicks in the journal at the start
	}
	var parts []part
	for _, of := range b.programs() {
		for _, p := range []part{
			{nil, "", unknown, 0},
			{nil, "as clicks come", known, 0},
			{nil, "journal full", known, b.links(million)},
		} {
			p.data, err = b.newData(ctx, of, sqlite, hotLinks+limitedLinks, limits)
			if err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
	}
	values, err := inTurns(min(b.runs, 3), parts, func(p part) ([]float64, error) {
		if p.backlog > 0 {
			v := visits{
				pick:  func(_ int, rng *rand.Rand) int { return 1 + rng.IntN(hotLinks) },
				first: time.Now(), visitors: true,
			}
			if err := v.write(p.data, p.backlog); err != nil {
				return nil, err
			}
			p.clicks += int64(p.backlog)
		}
		return b.writesAtFullLoad(ctx, p.data, p.mode)
	})
	if err != nil {
		return nil, err
	}
	quiet := 0 // the part of the same program that counts no clicks
	for i, p := range parts {
		if p.mode == unknown {
			quiet = i
			continue
		}
		beside := func(m int) []series { return []series{values[m][i], values[m][quiet]} }
		rows = append(rows,
			figures(fmt.Sprintf("writes of %s at full load, %s, beside no clicks", p.of.name,
				p.name), "create p99, ms", tenths, beside(0), nil),
			figures("", "redirect with max_clicks p99, ms", tenths, beside(1), nil))
		if p.backlog == 0 {
			rows = append(rows, figures("", "most age of a click that is not counted, s", ratio,
				values[2][i:i+1], nil))
		}
	}
	return rows, nil
}

func limits(i int) (o api.LinkOptions) {
	if i > hotLinks {
		o.MaxClicks = 1_000_000_000
	}
	return o
}

// writesAtFullLoad returns the p99 of creates and of redirects with max_clicks beside a load, in
// ms, and the most age of a click that is not counted, in seconds.
func (b *bench) writesAtFullLoad(ctx context.Context, d *data, mode string) ([]float64, error) {
	s, err := b.start(ctx, d)
	if err != nil {
		return nil, err
	}
	if _, err := b.wrk(ctx, s.process, mode, hotLinks, b.warmup); err != nil {
		return nil, err
	}
	var of [3]result
	var errs [4]error
	var loads sync.WaitGroup
	took := 2 * b.seconds
	for i, mode := range []string{seldom, limited, mode} {
		loads.Go(func() { of[i], errs[i] = b.wrk(ctx, s.process, mode, hotLinks, took) })
	}
	const pace = 100 * time.Millisecond
	oldest := 0.0
	for n := took / pace; n > 0 && errs[3] == nil; n-- {
		time.Sleep(pace)
		var age float64
		age, errs[3] = s.metric(ctx, lag)
		oldest = max(oldest, age)
	}
	loads.Wait()
	say("%s, %s: p99 of creates %.1f ms, with max_clicks %.1f ms; %.0f requests/s", d.of.name, mode,
		of[0].p99/1000, of[1].p99/1000, of[2].rate)
	return []float64{of[0].p99 / 1000, of[1].p99 / 1000, oldest},
		errors.Join(append(errs[:], b.stop(ctx, s))...)
}
