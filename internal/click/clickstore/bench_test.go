package clickstore_test

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/storetest"
	"terse/internal/database/storetest/memrows"
)

// seededLinks are links with the IDs from 1 on, and storetest.SeededCode. Each owner has as many.
type seededLinks struct {
	*memrows.Links
	tb     testing.TB
	owners int
}

// ownerOf returns the owner of a link: neighbours have the same, as they were made.
func (l *seededLinks) ownerOf(id terse.LinkID) string {
	if l.owners == 1 {
		return terse.Identity
	}
	return strconv.Itoa(int(id) * l.owners / 1_000_000)
}

func (l *seededLinks) Lookup(ids []terse.LinkID, f func(clickstore.LinkRow)) error {
	for _, id := range ids {
		f(clickstore.LinkRow{
			Kind: clickstore.CurrentCode, ID: id, Owner: l.ownerOf(id),
			Code: storetest.SeededCode(l.tb, int(id)).String(),
		})
	}
	return nil
}

// BenchmarkAdd counts batches in memory, so that only the engine's own work is measured.
func BenchmarkAdd(b *testing.B) {
	for _, bb := range []struct {
		name        string
		links, size int
		pick        func(*rand.Rand) func() int
		persons     bool
		owners      int
	}{
		{"zipf", 1_000_000, 262_144, storetest.Zipf(1_000_000), false, 1},
		{"zipf persons", 1_000_000, 262_144, storetest.Zipf(1_000_000), true, 1},
		{"even", 100_000, 100_000, storetest.Even(100_000), false, 1},
		{"owners", 1_000_000, 262_144, storetest.Zipf(1_000_000), false, 10_000},
		{"owners evenly", 1_000_000, 262_144, storetest.Even(1_000_000), false, 10_000},
		{"hot", 1, 262_144, storetest.Even(1), false, 1},
	} {
		b.Run(bb.name, func(b *testing.B) {
			src := storetest.NewClickSource(b, bb.links)
			src.Persons = bb.persons
			links, rows := &seededLinks{memrows.NewLinks(), b, bb.owners}, memrows.New()
			counter, pick := clickstore.NewCounter(), bb.pick(src.Rand)
			clicks := make([]terse.Click, bb.size)
			days := []terse.Day{terse.DayOf(src.Now)}
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				src.Batch(clicks, time.Second, pick)
				batch := terse.ClicksOf(clicks...)
				b.StartTimer()
				if err := counter.Begin(rows, links, days, time.Now()); err != nil {
					b.Fatal(err)
				}
				if _, err := counter.Add(&batch, false); err != nil {
					b.Fatal(err)
				}
				counter.End(true)
				n += len(clicks)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "clicks/s")
			b.ReportMetric(float64(rows.Bytes())/float64(n), "bytes/click")
		})
	}
}
