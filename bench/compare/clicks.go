package main

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"terse"
	"terse/internal/click/journal"
	"terse/internal/database/storetest"
)

// visits describes clicks with all dimensions, spread evenly over a span of time.
type visits struct {
	pick  func(i int, rng *rand.Rand) int // the link of the i-th, from 1 on
	first time.Time
	every time.Duration
	// Some clicks are their visitor's first of the day. Servers find that out only for days whose
	// key they have.
	visitors bool
	off      bool // as with TRACKING=off
}

// write writes n visits to a new journal in a data folder, as if a server had been killed before it
// counted any of them. So a server with any schema can count them, if it knows this format of the
// journal.
func (v visits) write(d *data, n int) error {
	dir := filepath.Join(d.dir, "journal")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	j, err := journal.Open(journal.Options{Dir: dir, Logger: slog.New(slog.DiscardHandler)},
		func(string) (int64, error) { return 0, nil })
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(1, 2))
	visitor := uint64(0)
	for i := range n {
		link := v.pick(i, rng)
		click := terse.Click{
			Link: terse.LinkID(d.ids[link-1]), Untracked: v.off,
			Time: v.first.Add(time.Duration(i) * v.every).UnixMicro(),
		}
		if click.Code, err = terse.ParseCode(codeOf(link)); err != nil {
			break
		}
		if !v.off {
			storetest.Visit(rng, &click.Values)
		}
		if v.visitors && !v.off {
			if rng.IntN(3) > 0 { // one in three has been there before
				visitor++
			}
			click.Visitor = visitor*0x9E3779B97F4A7C15 + uint64(link)
		}
		if err = j.Append(&click); err != nil {
			break
		}
	}
	if closeErr := j.Close(); err == nil {
		err = closeErr
	}
	return err
}

// count lets a program count n visits, and returns the visits a second and the µs of CPU for each.
func (b *bench) count(ctx context.Context, d *data, v visits, n int) ([]float64, error) {
	if err := v.write(d, n); err != nil {
		return nil, err
	}
	s, err := b.start(ctx, d)
	if err != nil && d.of == b.other {
		say("%v", err)
		return nil, notMeasuredError("the second terse does not start with this journal")
	}
	if err != nil {
		return nil, err
	}
	began := time.Now()
	d.clicks += int64(n)
	if err := s.drain(ctx); err != nil {
		return nil, err
	}
	took := time.Since(began)
	cpu, err := s.cpu()
	if err != nil {
		return nil, err
	}
	of := []float64{float64(n) / took.Seconds(), float64(cpu.Microseconds()) / float64(n)}
	say("%s: %.0f clicks/s, %.2f µs of CPU", d.of.name, of[0], of[1])
	return of, b.stop(ctx, s)
}

// counting counts clicks of today. On PostgreSQL, creating a million links would take too long.
func (b *bench) counting(ctx context.Context) (rows []row, err error) {
	for _, of := range []struct {
		kind  store
		links int
		floor float64
	}{
		{sqlite, b.links(million), 250_000},
		{postgres, b.links(hotLinks), 250_000},
		{citus, b.links(hotLinks), 100_000},
	} {
		more, err := b.countingOn(ctx, of.kind, of.links, least(of.floor))
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

// countingOn counts on one kind of database, and on SQLite in turns with TRACKING=off.
func (b *bench) countingOn(ctx context.Context, kind store, links int, to *floor) ([]row, error) {
	clicks := 2 * million
	if b.short {
		clicks /= 10
	}
	type part struct {
		*data

		off    bool
		before int64
	}
	var parts []part
	for _, off := range []bool{false, true} {
		for _, of := range b.programs() {
			if off && kind != sqlite {
				continue
			}
			d, err := b.newData(ctx, of, kind, links, nil)
			if err != nil {
				return nil, err
			}
			before, err := d.bytes(ctx)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part{d, off, before})
		}
	}
	pick := storetest.Zipf(links)(rand.New(rand.NewPCG(3, 4)))
	values, err := inTurns(b.runs, parts, func(p part) ([]float64, error) {
		every := 100 * time.Microsecond
		return b.count(ctx, p.data, visits{
			pick:     func(int, *rand.Rand) int { return 1 + pick() },
			first:    time.Now().Add(-time.Duration(clicks) * every),
			every:    every,
			visitors: true, off: p.off,
		}, clicks)
	})
	if err != nil {
		return nil, err
	}
	bytes := make([]series, len(parts))
	for i, p := range parts {
		after, err := p.bytes(ctx)
		if err != nil {
			return nil, err
		}
		bytes[i] = series{float64(after-p.before) / float64(clicks*b.runs)}
	}
	n := len(b.programs())
	name := fmt.Sprintf("clicks of %s links, Zipf, on %s", whole(float64(links)), kind)
	rows := []row{
		figures(name, "counted/s", whole, values[0][:n], to),
		figures("", "CPU µs/click", ratio, values[1][:n], nil),
		figures("", "bytes a click, with the visitors of the day", tenths, bytes[:n], nil),
	}
	if kind == sqlite {
		name, off := "the same with TRACKING=off", values[0][n:]
		if b.other == nil {
			name, off = name+", beside the same without", []series{off[0], values[0][0]}
		}
		rows = append(rows, figures(name, "counted/s", whole, off,
			b.besides(least(0.5).of("the same"))))
	}
	return rows, nil
}
