package sqlite_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
)

// seedLinks makes n links with IDs that are so far apart and their SeededCode, a second apart, of
// so many owners in turn.
const seedLinks = `
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
INSERT INTO links (id, code, url, created_at, created_by)
SELECT i * ?2, printf('c%07d', ` + storetest.SeededNumber + `),
	'https://example.org/some/longer/path/' || i,
	1700000000000000 + i * 1000000,
	CASE ?3 WHEN 1 THEN 'authenticated-user' ELSE 'owner' || (i % ?3) END FROM n`

const million = 1_000_000

// openSeeded returns a store with n links.
func openSeeded(b *testing.B, n int) (*sqlite.Store, string) { return openSpread(b, n, 1) }

// openSpread is openSeeded with IDs that are so far apart.
func openSpread(b testing.TB, n, apart int) (*sqlite.Store, string) {
	return openOwned(b, n, apart, 1)
}

// openOwned is openSpread with links of so many owners.
func openOwned(b testing.TB, n, apart, owners int) (*sqlite.Store, string) {
	path := filepath.Join(b.TempDir(), "terse.db")
	must(b, openAt(b, path).Close())
	conn, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(b, err)
	args := []any{n, apart, owners}
	must(b, sqlitex.ExecuteTransient(conn, seedLinks, &sqlitex.ExecOptions{Args: args}))
	must(b, sqlitex.ExecuteTransient(conn, "PRAGMA wal_checkpoint(TRUNCATE)", nil))
	must(b, conn.Close())
	s := openAt(b, path)
	b.Cleanup(func() { must(b, s.Close()) })
	return s, path
}

func BenchmarkCreate64(b *testing.B) {
	s, _ := openSeeded(b, 1)
	b.ReportAllocs()
	codes := make(chan terse.NewLink, 64)
	var callers sync.WaitGroup
	for range 64 {
		callers.Go(func() {
			for l := range codes {
				_, err := s.Create(context.Background(), me, l)
				must(b, err)
			}
		})
	}
	start := time.Now()
	for b.Loop() {
		codes <- terse.NewLink{
			Code: terse.NewCode(false), URL: "https://example.org/some/longer/path",
			CreatedBy: terse.Identity,
		}
	}
	close(codes)
	callers.Wait()
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "creates/s")
}

func BenchmarkLink(b *testing.B) {
	s, _ := openSeeded(b, million)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		_, err := s.Link(ctx, storetest.SeededCode(b, 1+rand.IntN(million)))
		must(b, err)
	}
}

// The bar is a millisecond for a page in the order of time, 100 ms for the most clicked, and 50 ms
// for a search.
func BenchmarkLinks(b *testing.B) {
	s, path := openSeeded(b, million)
	addEvenly(b, s, million, 3_000_000)
	benchmarkLinks(b, s)
	// After an import, IDs say nothing about times.
	const shuffle = "UPDATE links SET created_at = 1700000000000000 + id * 7919 % 1000003 * 1000000"
	byHand(b, path, shuffle)
	b.Run("moved", func(b *testing.B) { benchmarkLinks(b, s) })
}

// atHalf is a mark in the middle of the links that have so many clicks.
func atHalf(clicks int64) *terse.LinkMark {
	return &terse.LinkMark{
		Key: clicks, CreatedAt: 1700000000000000 + million/2*1000000, ID: million / 2,
	}
}

func benchmarkLinks(b *testing.B, s *sqlite.Store) {
	b.Helper()
	first := terse.LinkQuery{Owner: terse.Identity, Limit: 100}
	with := func(change func(q *terse.LinkQuery)) terse.LinkQuery {
		q := first
		change(&q)
		return q
	}
	middle := &terse.LinkMark{Key: 1700000000000000 + million/2*1000000, ID: million / 2}
	for name, q := range map[string]terse.LinkQuery{
		"newest": first,
		"offset": with(func(q *terse.LinkQuery) { q.Offset = million / 2 }),
		"after":  with(func(q *terse.LinkQuery) { q.After = middle }),
		"oldest": with(func(q *terse.LinkQuery) { q.Order, q.After = terse.OldestFirst, middle }),
		"clicks": with(func(q *terse.LinkQuery) { q.Order = terse.MostClickedFirst }),
		"clicks-after": with(func(q *terse.LinkQuery) {
			q.Order, q.After = terse.MostClickedFirst, atHalf(3)
		}),
		"unclicked": with(func(q *terse.LinkQuery) {
			q.Order, q.After = terse.MostClickedFirst, atHalf(0)
		}),
		"search-few": with(func(q *terse.LinkQuery) {
			q.Search = terse.Search{
				{"path/99999"},
			}
		}),
		"search-oldest": with(func(q *terse.LinkQuery) {
			q.Search = terse.Search{
				{"c0000001"},
			}
		}),
		"search-many": with(func(q *terse.LinkQuery) { q.Search = terse.Search{{"example"}} }),
		"search-none": with(func(q *terse.LinkQuery) { q.Search = terse.Search{{"nowhere"}} }),
		"search-words": with(func(q *terse.LinkQuery) {
			q.Search = terse.Search{
				{"path"},
				{"99999", "xn--"},
			}
		}),
		"search-by-clicks": with(func(q *terse.LinkQuery) {
			q.Search,
				q.Order = terse.Search{{"nowhere"}}, terse.MostClickedFirst
		}),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var page terse.LinkPage
			for b.Loop() {
				var err error
				page, err = s.Links(context.Background(), q)
				must(b, err)
			}
			if q.Search == nil && (len(page.Links) != 100 || page.Total != million ||
				page.Next == nil) {
				b.Fatal(len(page.Links), page.Total, page.Next)
			}
		})
	}
}

// addEvenly adds clicks of the first links, over 10,000 of them a second.
func addEvenly(b *testing.B, s *sqlite.Store, links, n int) {
	src := storetest.NewClickSource(b, links)
	pick := storetest.Even(links)(src.Rand)
	clicks := make([]terse.Click, 200_000)
	for i := range int64(n / len(clicks)) {
		src.Batch(clicks, 20*time.Second, pick)
		must(b, s.AddClicks(context.Background(), storetest.Batch("j", i, clicks...)))
	}
}

// All links together, with 10,000,000 clicks over a year.
func BenchmarkSeries(b *testing.B) {
	const links, batches = 1000, 50
	s, _ := openSeeded(b, links)
	src := storetest.NewClickSource(b, links)
	pick := storetest.Zipf(links)(src.Rand)
	clicks := make([]terse.Click, 200_000)
	for i := range int64(batches) {
		src.Batch(clicks, 365*24*time.Hour/batches, pick)
		must(b, s.AddClicks(context.Background(), storetest.Batch("j", i, clicks...)))
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	must(b, err)
	for name, q := range map[string]terse.SeriesQuery{
		"days":               {},
		"weeks-Berlin":       {Intervals: terse.Intervals{Unit: terse.Weekly, Zone: berlin}},
		"days-Berlin":        {Intervals: terse.Intervals{Zone: berlin}},
		"hours":              {Intervals: terse.Intervals{Unit: terse.Hourly}},
		"days-of-a-country":  {Filter: only(terse.ByCountry, "AB")},
		"days-of-a-referrer": {Filter: only(terse.ByReferrer, src.Referrers[7])},
		"weeks-Berlin-filter": {
			Intervals: terse.Intervals{Unit: terse.Weekly, Zone: berlin},
			Filter:    only(terse.ByCountry, "AB"),
		},
	} {
		b.Run(name, func(b *testing.B) {
			q.Range, q.Owner = terse.AllTime, terse.Identity
			b.ReportAllocs()
			for b.Loop() {
				series, err := s.Series(context.Background(), terse.AllLinks, q)
				must(b, err)
				if series.Total < 100_000 {
					b.Fatal(series.Total)
				}
			}
		})
	}
}

var plain = flag.Bool("plain", false, "clicks have a country and a referrer, as they once had")

// benchmarkAddClicks adds batches, of clicks that span a second each 10,000.
func benchmarkAddClicks(b *testing.B, links, size int, pick func(*rand.Rand) func() int) {
	benchmarkBatches(b, storetest.NewClickSource(b, links), links, 1, size, pick)
}

// benchmarkBatches is benchmarkAddClicks for links whose IDs are so far apart.
func benchmarkBatches(b *testing.B, src *storetest.ClickSource, links, apart, size int,
	pick func(*rand.Rand) func() int,
) {
	s, path := openSpread(b, links, apart)
	benchmarkCounting(b, s, path, src, apart, size, pick(src.Rand))
}

func benchmarkCounting(b *testing.B, s *sqlite.Store, path string, src *storetest.ClickSource,
	apart, size int, next func() int,
) {
	if src.Persons = !*plain; src.Persons {
		_, err := s.VisitorKey(context.Background(), terse.DayOf(src.Now))
		must(b, err)
	}
	clicks := make([]terse.Click, size)
	before := databaseSize(b, path)
	position := int64(0)
	var cpu, longest time.Duration
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		b.StopTimer()
		src.Batch(clicks, time.Duration(size)*time.Second/10_000, next)
		for i := range clicks {
			clicks[i].Link *= terse.LinkID(apart)
		}
		batch := terse.ClicksOf(clicks...)
		b.StartTimer()
		start, used := time.Now(), cpuTime(b)
		must(b, s.AddClicks(context.Background(), terse.ClickBatch{
			Journal: "j", From: position,
			To: position + 1, Clicks: batch,
		}))
		longest, cpu = max(longest, time.Since(start)), cpu+cpuTime(b)-used
		position++
	}
	b.ReportMetric(float64(longest.Milliseconds()), "longest-ms")
	added := float64(b.N) * float64(size)
	b.ReportMetric(added/b.Elapsed().Seconds(), "clicks/s")
	b.ReportMetric(float64(cpu.Nanoseconds())/added, "cpu-ns/click")
	b.StopTimer()
	q := storetest.AllTime
	q.Owner = terse.AllOwners
	all, err := s.Series(context.Background(), terse.AllLinks, q)
	must(b, err)
	if float64(all.Total) != added {
		b.Fatalf("%d of %.0f clicks are counted", all.Total, added)
	}
	must(b, s.Close())
	b.ReportMetric(float64(databaseSize(b, path)-before)/added, "bytes/click")
}

// cpuTime returns what the process has used: on a machine that others use, too, it tells more than
// the clock.
func cpuTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func databaseSize(b *testing.B, path string) int64 {
	info, err := os.Stat(path)
	must(b, err)
	return info.Size()
}

func BenchmarkAddClicks10000(b *testing.B) {
	benchmarkAddClicks(b, 100_000, 10_000, storetest.Zipf(100_000))
}

func BenchmarkAddClicksZipf(b *testing.B) {
	benchmarkAddClicks(b, million, 262_144, storetest.Zipf(million))
}

func BenchmarkAddClicksHot(b *testing.B) {
	benchmarkAddClicks(b, 1, 262_144,
		func(*rand.Rand) func() int { return func() int { return 0 } })
}

// Links of 10,000 owners with 100 each: their clicks are counted once more for all of them.
func BenchmarkAddClicksOwners(b *testing.B) {
	for _, size := range []int{10_000, 262_144} {
		b.Run(fmt.Sprintf("clicks=%d", size), func(b *testing.B) {
			s, path := openSeeded(b, million)
			byHand(b, path, giveAway)
			src := storetest.NewClickSource(b, million)
			benchmarkCounting(b, s, path, src, 1, size, storetest.Zipf(million)(src.Rand))
		})
	}
}

// giveAway gives each 100 links an owner of their own.
const giveAway = "UPDATE links SET created_by = 'owner' || (id - 1) / 100"

// Batches of a server under full load, whose clicks are spread evenly: the dearest there are.
func BenchmarkAddClicksEven(b *testing.B) {
	for _, size := range []int{10_000, 100_000, 500_000} {
		b.Run(fmt.Sprintf("clicks=%d", size), func(b *testing.B) {
			benchmarkAddClicks(b, 100_000, size, storetest.Even(100_000))
		})
	}
}

// A flood of visitors of whom each is new, and comes with a campaign of its own.
func BenchmarkAddClicksStrangers(b *testing.B) {
	src := storetest.NewClickSource(b, 100_000)
	src.Strangers = true
	benchmarkBatches(b, src, 100_000, 1, 100_000, storetest.Even(100_000))
}

// Batches on a day that has had more visitors than are kept in memory.
func BenchmarkAddClicksCrowded(b *testing.B) {
	const links, visitors = 100_000, 8_000_000
	s, _ := openSpread(b, links, 1)
	src := storetest.NewClickSource(b, links)
	_, err := s.VisitorKey(context.Background(), terse.DayOf(src.Now))
	must(b, err)
	next, position := storetest.Even(links)(src.Rand), int64(0)
	batch := func(n int) terse.ClickBatch {
		clicks := make([]terse.Click, n)
		src.Batch(clicks, time.Second, next)
		for i := range clicks {
			clicks[i].Visitor = src.Rand.Uint64()
		}
		position++
		return storetest.Batch("j", position-1, clicks...)
	}
	for range visitors / 250_000 {
		must(b, s.AddClicks(context.Background(), batch(250_000)))
	}
	for _, size := range []int{1000, 250_000} {
		b.Run(fmt.Sprintf("clicks=%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				clicks := batch(size)
				b.StartTimer()
				must(b, s.AddClicks(context.Background(), clicks))
			}
		})
	}
}

// Enough clicks that they are rolled up: 12,000,000 at -benchtime 120x.
func BenchmarkAddClicksRolledUp(b *testing.B) {
	benchmarkAddClicks(b, 10_000, 100_000, storetest.Even(10_000))
}

// openCounted returns a link with so many clicks over three years. With persons, they have all
// dimensions.
func openCounted(b *testing.B, n int, persons bool) (*sqlite.Store, terse.Link) {
	const batches = 50
	s, _ := openSeeded(b, 1)
	src := storetest.NewClickSource(b, 1)
	src.Persons = persons
	clicks := make([]terse.Click, n/batches)
	for i := range int64(batches) {
		src.Batch(clicks, 3*365*24*time.Hour/batches, func() int { return 0 })
		must(b, s.AddClicks(context.Background(), storetest.Batch("j", i, clicks...)))
	}
	link, err := s.Link(context.Background(), storetest.SeededCode(b, 1))
	must(b, err)
	return s, link
}

func BenchmarkStatsAllTime(b *testing.B) {
	s, link := openCounted(b, 1_000_000, false)
	benchmarkStats(b, s, link, terse.AllTime)
}

// All time of a link with 10,000,000 clicks that tell all there is to know, by all dimensions.
func BenchmarkStatsPersons(b *testing.B) {
	s, link := openCounted(b, 10_000_000, true)
	benchmarkStats(b, s, link, terse.AllTime)
}

// All time of a link with 91 clicks a day: each day lacks some of the values that others have.
func BenchmarkStatsFew(b *testing.B) {
	s, link := openCounted(b, 100_000, false)
	benchmarkStats(b, s, link, terse.AllTime)
}

// All time of a link among 255 that are clicked as often, when their bucket is about to be rolled
// up.
func BenchmarkStatsBucket(b *testing.B) {
	s, _ := openSeeded(b, 256)
	src := storetest.NewClickSource(b, 256)
	clicks := make([]terse.Click, 10_000)
	for i := range int64(13) {
		src.Batch(clicks, time.Hour, storetest.Even(256)(src.Rand))
		must(b, s.AddClicks(context.Background(), storetest.Batch("j", i, clicks...)))
	}
	link, err := s.Link(context.Background(), storetest.SeededCode(b, 1))
	must(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := s.Series(context.Background(), link.Ref(),
			terse.SeriesQuery{Range: terse.AllTime})
		must(b, err)
	}
}

// All time of a link with few clicks, among many that have as few.
func BenchmarkStatsSpread(b *testing.B) {
	const links = 1 << 14
	s, _ := openSeeded(b, links)
	src := storetest.NewClickSource(b, links)
	clicks := make([]terse.Click, 1500)
	for i := range int64(9) {
		src.Batch(clicks, time.Minute, storetest.Even(links)(src.Rand))
		must(b, s.AddClicks(context.Background(), storetest.Batch("j", i, clicks...)))
	}
	link, err := s.Link(context.Background(), storetest.SeededCode(b, 1))
	must(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := s.Series(context.Background(), link.Ref(),
			terse.SeriesQuery{Range: terse.AllTime})
		must(b, err)
	}
}

func BenchmarkStatsRange(b *testing.B) {
	s, link := openCounted(b, 1_000_000, false)
	r, err := terse.ParseTimeRange("2026-03-01T12:34:56Z", "2028-09-01T01:02:03.456Z")
	must(b, err)
	benchmarkStats(b, s, link, r)
}

func benchmarkStats(b *testing.B, s *sqlite.Store, link terse.Link, r terse.TimeRange) {
	b.ReportAllocs()
	for b.Loop() {
		stats, err := s.Series(context.Background(), link.Ref(), terse.SeriesQuery{Range: r})
		must(b, err)
		if stats.Total < 100_000 {
			b.Fatal(stats.Total)
		}
	}
}

// Few clicks of many links: each bucket of links gets some of a batch.
func BenchmarkAddClicksSparse(b *testing.B) {
	for _, apart := range []int{1, 10} {
		for _, size := range []int{30_000, 100_000} {
			b.Run(fmt.Sprintf("ids=%d/clicks=%d", million*apart, size), func(b *testing.B) {
				benchmarkBatches(b, storetest.NewClickSource(b, million), million, apart, size,
					storetest.Even(million))
			})
		}
	}
}

func only(d terse.Dimension, value string) (f terse.ClickFilter) {
	f[d].Only = []string{value}
	return f
}
