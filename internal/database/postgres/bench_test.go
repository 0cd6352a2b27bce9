package postgres_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

const million = 1_000_000

// openSeeded returns the address of a database with links of the IDs 1 to n and their SeededCode, a
// second apart, and a store on it. As every store does after a while, it has statistics for the
// planner.
func openSeeded(b *testing.B, n int) (url string, s *postgres.Store) {
	url = pgtest.URL(b)
	return url, openSeededAt(b, url, n)
}

func openSeededAt(b *testing.B, url string, n int) *postgres.Store {
	seedOf(b, url, n, 1)
	return openNode(b, url)
}

// seedOf is openSeededAt without a store, with links of so many owners in turn.
func seedOf(b *testing.B, url string, n, owners int) {
	must(b, openAt(b, url).Close())
	const atOnce = 100_000 // a statement has a minute
	for i := 0; i < n; i += atOnce {
		pgtest.Exec(b, url, fmt.Sprintf(`INSERT INTO links (code, id, url, created_at, created_by)
			SELECT 'c' || lpad((%[1]s)::text, 7, '0'), i,
				'https://example.org/some/longer/path/' || i,
				1700000000000000 + i * 1000000,
				CASE %[2]d WHEN 1 THEN 'authenticated-user' ELSE 'owner' || i %% %[2]d END
			FROM generate_series(%[3]d::bigint, %[4]d) AS i`, storetest.SeededNumber, owners, i+1,
			min(i+atOnce, n)))
	}
	for _, sql := range []string{
		fmt.Sprintf("SELECT setval('link_ids', %d)", n),
		"ANALYZE",
	} {
		pgtest.Exec(b, url, sql)
	}
	fillRanges(b, url)
}

func openNode(b *testing.B, url string) *postgres.Store {
	s := openAt(b, url)
	b.Cleanup(func() { must(b, s.Close()) })
	return s
}

func code(t testing.TB, s string) terse.Code {
	t.Helper()
	c, err := terse.ParseCode(s)
	must(t, err)
	return c
}

func BenchmarkCreate64(b *testing.B) {
	_, s := openSeeded(b, 1)
	benchmarkCreate64(b, s)
}

func benchmarkCreate64(b *testing.B, s *postgres.Store) {
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

// Look-ups by one caller, and by as many as a busy node has.
func BenchmarkLink(b *testing.B) {
	_, s := openSeeded(b, million)
	ctx := context.Background()
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism((callers + 1) / 2)
			if callers == 1 {
				for b.Loop() {
					_, err := s.Link(ctx, storetest.SeededCode(b, 1+rand.IntN(million)))
					must(b, err)
				}
			} else {
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						_, err := s.Link(ctx, storetest.SeededCode(b, 1+rand.IntN(million)))
						must(b, err)
					}
				})
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "look-ups/s")
		})
	}
}

// addEvenly adds batches of 200,000 clicks of a million links.
func addEvenly(b *testing.B, s *postgres.Store, batches int64) {
	src := storetest.NewClickSource(b, million)
	pick := storetest.Even(million)(src.Rand)
	clicks := make([]terse.Click, 200_000)
	for i := range batches {
		src.Batch(clicks, 20*time.Second, pick)
		must(b, s.AddClicks(context.Background(), storetest.Batch("j", i, clicks...)))
	}
}

func BenchmarkLinks(b *testing.B) {
	_, s := openSeeded(b, million)
	addEvenly(b, s, 5)
	first := terse.LinkQuery{Owner: terse.Identity, Limit: 100}
	offset, clicked, search := first, first, first
	offset.Offset, clicked.Order, search.Search = million/2, terse.MostClickedFirst,
		terse.Search{{"path/99999"}}
	none := search
	none.Search = terse.Search{{"nowhere"}}
	for name, q := range map[string]terse.LinkQuery{
		"newest": first, "offset": offset,
		"clicks": clicked, "search": search, "search-none": none,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := s.Links(context.Background(), q)
				must(b, err)
			}
		})
	}
}

// benchmarkAddClicks adds batches from some nodes at the same time, of clicks that span a second
// each 10,000.
func benchmarkAddClicks(b *testing.B, nodes, links, size int, pick func(*rand.Rand) func() int) {
	url := pgtest.URL(b)
	must(b, openSeededAt(b, url, links).Close())
	benchmarkAddClicksAt(b, url, nodes, links, size, pick)
}

var plain = flag.Bool("plain", false, "clicks have a country and a referrer, as they once had")

func benchmarkAddClicksAt(b *testing.B, url string, nodes, links, size int,
	pick func(*rand.Rand) func() int,
) {
	var stores []*postgres.Store
	for len(stores) < nodes {
		stores = append(stores, openNode(b, url))
	}
	src := storetest.NewClickSource(b, links)
	if src.Persons = !*plain; src.Persons {
		_, err := stores[0].VisitorKey(b.Context(), terse.DayOf(src.Now))
		must(b, err)
	}
	next := pick(src.Rand)
	before := used(b, url)
	// Batches are made beforehand and used again with other times, so that making them takes no
	// time of the nodes'.
	batches := make([][]terse.Click, 4*nodes)
	for i := range batches {
		batches[i] = make([]terse.Click, size)
		src.Batch(batches[i], time.Duration(size)*time.Second/10_000, next)
	}
	b.ReportAllocs()
	b.ResetTimer()
	var working sync.WaitGroup
	for node, s := range stores {
		working.Go(func() {
			for i := range (b.N + nodes - 1 - node) / nodes {
				clicks := batches[nodes*(i%4)+node]
				must(b, s.AddClicks(context.Background(),
					storetest.Batch(fmt.Sprint("j", node), int64(i), clicks...)))
				for k := range clicks {
					clicks[k].Time += int64(len(batches)) * int64(size) * 100
					clicks[k].Visitor *= 0x9E3779B97F4A7C15 // others, or still none
				}
			}
		})
	}
	working.Wait()
	clicks, after := float64(b.N)*float64(size), used(b, url)
	b.ReportMetric(clicks/b.Elapsed().Seconds(), "clicks/s")
	b.ReportMetric((after.wal-before.wal)/clicks, "WAL-bytes/click")
	b.ReportMetric((after.size-before.size)/clicks, "bytes/click")
	b.ReportMetric(float64(after.server-before.server)/clicks, "server-cpu-ns/click")
	b.ReportMetric(float64(after.own-before.own)/clicks, "cpu-ns/click")
}

// usage is what was used so far: bytes that the server has logged and that the database takes, and
// CPU of the server's connections to it and of this process.
type usage struct {
	wal, size   float64
	server, own time.Duration
}

func used(b *testing.B, url string) (u usage) {
	conn, err := pgx.Connect(b.Context(), url)
	must(b, err)
	defer conn.Close(b.Context())
	must(b, conn.QueryRow(b.Context(), `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8,
		pg_database_size(current_database())::float8`).Scan(&u.wal, &u.size))
	rows, _ := conn.Query(b.Context(), `SELECT pid FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	pids, err := pgx.CollectRows(rows, pgx.RowTo[uint32])
	must(b, err)
	for _, pid := range pids {
		u.server += pgtest.CPU(b, pid)
	}
	u.own = pgtest.CPU(b, uint32(os.Getpid()))
	return u
}

// The floor is 250,000 clicks a second of one node.
func BenchmarkAddClicksZipf(b *testing.B) {
	for _, nodes := range []int{1, 2} {
		b.Run(fmt.Sprintf("nodes=%d", nodes),
			func(b *testing.B) {
				benchmarkAddClicks(b, nodes, million, 262_144, storetest.Zipf(million))
			})
	}
}

// Links of 10,000 owners with 100 each: their clicks are counted once more for all of them.
func BenchmarkAddClicksOwners(b *testing.B) {
	for _, size := range []int{10_000, 262_144} {
		b.Run(fmt.Sprintf("clicks=%d", size), func(b *testing.B) {
			url := pgtest.URL(b)
			must(b, openSeededAt(b, url, million).Close())
			giveAway(b, url)
			benchmarkAddClicksAt(b, url, 1, million, size, storetest.Zipf(million))
		})
	}
}

// giveAway gives each 100 links an owner of their own.
func giveAway(b *testing.B, url string) {
	const atOnce = 100_000 // a statement has a minute
	for i := 0; i < million; i += atOnce {
		pgtest.Exec(b, url, fmt.Sprintf("UPDATE links SET created_by = 'owner' || (id - 1) / 100 "+
			"WHERE id BETWEEN %d AND %d", i+1, i+atOnce))
	}
	fillRanges(b, url)
	pgtest.Exec(b, url, "VACUUM ANALYZE links")
}

// Two nodes take turns: together they count as many clicks as one.
func BenchmarkAddClicksHot(b *testing.B) {
	for _, nodes := range []int{1, 2} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			benchmarkAddClicks(b, nodes, 1, 262_144,
				func(*rand.Rand) func() int { return func() int { return 0 } })
		})
	}
}

// Batches of 10,000 clicks: a busy server whose database is quick.
func BenchmarkAddClicks10000(b *testing.B) {
	benchmarkAddClicks(b, 1, 100_000, 10_000, storetest.Zipf(100_000))
}

// Clicks that are spread evenly: the dearest there are.
func BenchmarkAddClicksEven(b *testing.B) {
	benchmarkAddClicks(b, 1, 100_000, 100_000, storetest.Even(100_000))
}

// onCitus runs a benchmark on databases of some shards, with 200,000 links.
func onCitus(b *testing.B, bench func(b *testing.B, url string, s *postgres.Store)) {
	for _, shards := range []int{8, 32} {
		b.Run(fmt.Sprintf("shards=%d", shards), func(b *testing.B) {
			url, _ := pgtest.Citus(b, shards)
			bench(b, url, openSeededAt(b, url, citusLinks))
		})
	}
}

const citusLinks = 200_000

func BenchmarkCitusCreate64(b *testing.B) {
	onCitus(b, func(b *testing.B, _ string, s *postgres.Store) { benchmarkCreate64(b, s) })
}

func BenchmarkCitusDelete16(b *testing.B) {
	onCitus(b, func(b *testing.B, _ string, s *postgres.Store) {
		var next atomic.Int64
		b.SetParallelism(8)
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				link, err := s.Link(context.Background(), storetest.SeededCode(b, int(next.Add(1))))
				must(b, err)
				must(b, s.Delete(context.Background(), me, link))
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deletes/s")
	})
}

func BenchmarkCitusAddClicksZipf(b *testing.B) {
	onCitus(b, func(b *testing.B, url string, _ *postgres.Store) {
		benchmarkAddClicksAt(b, url, 1, citusLinks, 131_072, storetest.Zipf(citusLinks))
	})
}

// seedFiltered returns a store with a million links that have tags, states and clicks.
func seedFiltered(b *testing.B) *postgres.Store {
	url, s := openSeeded(b, million)
	for _, sql := range []string{
		`UPDATE links SET status = CASE WHEN id % 100 = 0 THEN 'disabled'
				WHEN id % 20 = 0 THEN 'expired' WHEN id % 30 = 0 THEN 'used_up' ELSE 'active' END,
			used = (id % 30 = 0)::int,
			options = CASE WHEN id % 100 = 0 THEN '{"max_clicks":1,"disabled":true}'
				WHEN id % 20 = 0 THEN '{"expires_at":"2020-01-01T00:00:00Z","max_clicks":1}'
				ELSE '{"max_clicks":1}' END
			WHERE id % 10 = 0`,
		`UPDATE links SET tags = concat_ws(E'\n', CASE WHEN id % 97 = 0 THEN 'percent' END,
				CASE WHEN id % 11 = 0 THEN 'tenth' END, CASE WHEN id % 2 = 0 THEN 'half' END)
			WHERE id % 97 = 0 OR id % 11 = 0 OR id % 2 = 0`,
		insertTags,
	} {
		pgtest.Exec(b, url, sql)
	}
	fillRanges(b, url)
	addEvenly(b, s, 15)
	pgtest.Exec(b, url, "VACUUM ANALYZE links")
	pgtest.Exec(b, url, "VACUUM ANALYZE totals")
	return s
}

// BenchmarkLinksPlanned lists a million links by clicks, and those that are unused, with statements
// that the server has planned for their parameters, and for any. The floor is 100 ms.
func BenchmarkLinksPlanned(b *testing.B) {
	url, s := openSeeded(b, million)
	src := storetest.NewClickSource(b, million)
	clicks := make([]terse.Click, 25_000)
	for i := range int64(40) { // two of three links get a click
		src.Batch(clicks, 20*time.Second, storetest.Even(million)(src.Rand))
		must(b, s.AddClicks(context.Background(), storetest.Batch("j", i, clicks...)))
	}
	pgtest.Exec(b, url, "VACUUM ANALYZE totals")
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		s := openNode(b, url+"&plan_cache_mode="+mode)
		for name, q := range map[string]terse.LinkQuery{
			"clicks": {Order: terse.MostClickedFirst},
			"unused": {Filter: terse.LinkFilter{UnusedSince: clickedDay, Now: time.Now()}},
			"unused-clicks": {
				Order:  terse.MostClickedFirst,
				Filter: terse.LinkFilter{UnusedSince: clickedDay, Now: time.Now()},
			},
		} {
			q.Owner, q.Limit = terse.Identity, 100
			b.Run(mode+"/"+name, func(b *testing.B) {
				before := used(b, url)
				for b.Loop() {
					must(b, errOf(s.Links(context.Background(), q)))
				}
				reportCPU(b, before, used(b, url))
			})
		}
	}
}

// reportCPU reports the CPU time of an operation, which says more than the time where other
// programs run, too.
func reportCPU(b *testing.B, before, after usage) {
	for name, spent := range map[string]time.Duration{
		"server-cpu-ms": after.server - before.server, "cpu-ms": after.own - before.own,
	} {
		b.ReportMetric(spent.Seconds()*1000/float64(b.N), name)
	}
}

// clickedDay is the day of all clicks in benchmarks of lists: one in twenty links has none.
var clickedDay = new(terse.DayOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()))

// BenchmarkLinksFiltered lists a million links with three million clicks: of a tag that one in a
// hundred has, one in ten or every second, in states that one in ten can have. The bar is 20 ms.
func BenchmarkLinksFiltered(b *testing.B) {
	s := seedFiltered(b)
	for name, f := range map[string]terse.LinkFilter{
		"none":             {},
		"percent":          {Tags: []string{"percent"}},
		"tenth":            {Tags: []string{"tenth"}},
		"half":             {Tags: []string{"half"}},
		"both":             {Tags: []string{"tenth", "percent"}},
		"both-large":       {Tags: []string{"tenth", "half"}},
		"percent-disabled": {Tags: []string{"percent"}, Status: terse.Disabled},
		"percent-active":   {Tags: []string{"percent"}, Status: terse.Active},
		"tenth-expired":    {Tags: []string{"tenth"}, Status: terse.Expired},
		"tenth-active":     {Tags: []string{"tenth"}, Status: terse.Active},
		"disabled":         {Status: terse.Disabled},
		"expired":          {Status: terse.Expired},
		"scheduled":        {Status: terse.Scheduled},
		"active":           {Status: terse.Active},
		"month": {
			CreatedAfter:  time.UnixMicro(1_700_000_000_000_000),
			CreatedBefore: time.UnixMicro(1_700_000_000_000_000).AddDate(0, 0, 3),
		},
		"unused":        {UnusedSince: clickedDay},
		"half-unused":   {Tags: []string{"half"}, UnusedSince: clickedDay},
		"active-unused": {Status: terse.Active, UnusedSince: clickedDay},
	} {
		f.Now = time.Now()
		b.Run(name, func(b *testing.B) { benchmarkFilter(b, s, f) })
	}
}

// BenchmarkLinksArchived lists a million links of which few or most are archived. The bar is 25 ms.
func BenchmarkLinksArchived(b *testing.B) {
	url, s := openSeeded(b, million)
	for _, percent := range []int{0, 1, 90} {
		pgtest.Exec(b, url, "DELETE FROM link_sets WHERE name = 'archived'")
		pgtest.Exec(b, url, fmt.Sprintf(`INSERT INTO link_sets
			SELECT created_by, 'archived', id >> 10,
				bit_or(set_bit(0::bit(1024), (id & 1023)::integer, 1))
			FROM links WHERE id * 31 %% 100 < %d GROUP BY created_by, id >> 10`, percent))
		for _, archived := range []bool{false, true} {
			name := fmt.Sprintf("%d%%/archived=%v", percent, archived)
			b.Run(name, func(b *testing.B) {
				benchmarkFilter(b, s, terse.LinkFilter{Archived: &archived})
			})
		}
	}
}

// benchmarkFilter lists first pages, and one by clicks that begins among links with 6.
func benchmarkFilter(b *testing.B, s *postgres.Store, f terse.LinkFilter) {
	for name, q := range map[string]terse.LinkQuery{
		"newest": {Order: terse.NewestFirst},
		"clicks": {Order: terse.MostClickedFirst},
		"clicks-after": {
			Order: terse.MostClickedFirst, After: &terse.LinkMark{
				Key: 6, CreatedAt: 1_700_000_000_000_000 + million/2*1_000_000, ID: million / 2,
			},
		},
	} {
		q.Owner, q.Filter, q.Limit = terse.Identity, f, 100
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := s.Links(context.Background(), q)
				must(b, err)
			}
		})
	}
}
