package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"terse"
	"terse/internal/pgtest"
	"terse/internal/postgres"
)

const million = 1_000_000

// openSeeded returns the address of a database with links of the IDs 1 to n and the codes c0000001 and so on, a second apart, and a store
// on it. As every store does after a while, it has statistics for the planner.
func openSeeded(b *testing.B, n int) (url string, s *postgres.Store) {
	url = pgtest.URL(b)
	must(b, openAt(b, url).Close())
	for _, sql := range []string{
		fmt.Sprintf(`INSERT INTO links (code, id, url, created_at, created_by)
			SELECT 'c' || lpad(i::text, 7, '0'), i, 'https://example.org/some/longer/path/' || i, 1700000000000000 + i * 1000000::bigint, 'authenticated-user'
			FROM generate_series(1, %d) AS i`, n),
		"INSERT INTO link_clicks (code, link_id) SELECT code, id FROM links",
		fmt.Sprintf("INSERT INTO owners VALUES ('authenticated-user', 0, %d)", n),
		fmt.Sprintf("SELECT setval('link_ids', %d)", n),
		"ANALYZE",
	} {
		pgtest.Exec(b, url, sql)
	}
	return url, openNode(b, url)
}

func openNode(b *testing.B, url string) *postgres.Store {
	s := openAt(b, url)
	b.Cleanup(func() { must(b, s.Close()) })
	return s
}

func seededCode(b *testing.B, i int) terse.Code { return code(b, fmt.Sprintf("c%07d", i)) }

func code(t testing.TB, s string) terse.Code {
	t.Helper()
	c, err := terse.ParseCode(s)
	must(t, err)
	return c
}

func BenchmarkCreate64(b *testing.B) {
	_, s := openSeeded(b, 1)
	b.ReportAllocs()
	codes := make(chan terse.NewLink, 64)
	var callers sync.WaitGroup
	for range 64 {
		callers.Go(func() {
			for l := range codes {
				_, err := s.Create(context.Background(), l)
				must(b, err)
			}
		})
	}
	start := time.Now()
	for b.Loop() {
		codes <- terse.NewLink{Code: terse.NewCode(), URL: "https://example.org/some/longer/path", CreatedBy: terse.Identity}
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
					_, err := s.Link(ctx, seededCode(b, 1+rand.IntN(million)))
					must(b, err)
				}
			} else {
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						_, err := s.Link(ctx, seededCode(b, 1+rand.IntN(million)))
						must(b, err)
					}
				})
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "look-ups/s")
		})
	}
}

func BenchmarkLinks(b *testing.B) {
	_, s := openSeeded(b, million)
	src := newClickSource(b, million)
	pick := even(million)(src.rng)
	clicks := make([]terse.Click, 200_000)
	for i := range int64(5) {
		src.batch(clicks, 20*time.Second, pick)
		must(b, s.AddClicks(context.Background(), terse.ClickBatch{Journal: "j", From: i, To: i + 1, Clicks: clicks}))
	}
	first := terse.LinkQuery{Owner: terse.Identity, Limit: 100}
	offset, clicked, search := first, first, first
	offset.Offset, clicked.Order, search.Search = million/2, terse.MostClickedFirst, "PATH/99999"
	none := search
	none.Search = "nowhere"
	for name, q := range map[string]terse.LinkQuery{"newest": first, "offset": offset, "clicks": clicked, "search": search, "search-none": none} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := s.Links(context.Background(), q)
				must(b, err)
			}
		})
	}
}

// clickSource makes clicks with 50 referrers and 60 countries.
type clickSource struct {
	rng       *rand.Rand
	referrers []string
	countries []terse.Country
	codes     []terse.Code
	now       int64
}

func newClickSource(b *testing.B, links int) *clickSource {
	src := &clickSource{rng: rand.New(rand.NewPCG(1, 2)), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()}
	for i := range 50 {
		src.referrers = append(src.referrers, fmt.Sprintf("https://referrer-%02d.example/", i))
	}
	for i := range 60 {
		src.countries = append(src.countries, terse.Country{'A' + byte(i/26), 'A' + byte(i%26)})
	}
	for i := range links {
		src.codes = append(src.codes, seededCode(b, i+1))
	}
	return src
}

// batch fills clicks with those that happen within a time, of the links that pick returns.
func (src *clickSource) batch(clicks []terse.Click, span time.Duration, pick func() int) {
	for i := range clicks {
		link := pick()
		clicks[i] = terse.Click{
			Link: terse.LinkID(link + 1), Code: src.codes[link], Time: src.now + int64(i)*span.Microseconds()/int64(len(clicks)),
			Country: src.countries[src.rng.IntN(60)], Referrer: src.referrers[src.rng.IntN(50)],
		}
	}
	src.now += span.Microseconds()
}

// benchmarkAddClicks adds batches from some nodes at the same time, of clicks that span a second each 10,000.
func benchmarkAddClicks(b *testing.B, nodes, links, size int, pick func(*rand.Rand) func() int) {
	url, s := openSeeded(b, links)
	stores := []*postgres.Store{s}
	for len(stores) < nodes {
		stores = append(stores, openNode(b, url))
	}
	src := newClickSource(b, links)
	next := pick(src.rng)
	// Batches are made beforehand and used again with other times, so that making them takes no time of the nodes'.
	batches := make([][]terse.Click, 4*nodes)
	for i := range batches {
		batches[i] = make([]terse.Click, size)
		src.batch(batches[i], time.Duration(size)*time.Second/10_000, next)
	}
	b.ReportAllocs()
	b.ResetTimer()
	var working sync.WaitGroup
	for node, s := range stores {
		working.Go(func() {
			for i := range (b.N + nodes - 1 - node) / nodes {
				clicks := batches[nodes*(i%4)+node]
				must(b, s.AddClicks(context.Background(), terse.ClickBatch{Journal: fmt.Sprint("j", node), From: int64(i), To: int64(i + 1), Clicks: clicks}))
				for k := range clicks {
					clicks[k].Time += int64(len(batches)) * int64(size) * 100
				}
			}
		})
	}
	working.Wait()
	b.ReportMetric(float64(b.N)*float64(size)/b.Elapsed().Seconds(), "clicks/s")
}

// The bar is 100,000 clicks a second.
func BenchmarkAddClicksZipf(b *testing.B) {
	for _, nodes := range []int{1, 2} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) { benchmarkAddClicks(b, nodes, million, 262_144, zipf(million)) })
	}
}

// The bar is that two nodes together count 1.3 times as many clicks of one link as one.
func BenchmarkAddClicksHot(b *testing.B) {
	for _, nodes := range []int{1, 2} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			benchmarkAddClicks(b, nodes, 1, 262_144, func(*rand.Rand) func() int { return func() int { return 0 } })
		})
	}
}

// Batches of 10,000 clicks: a busy server whose database is quick.
func BenchmarkAddClicks10000(b *testing.B) { benchmarkAddClicks(b, 1, 100_000, 10_000, zipf(100_000)) }

// Clicks that are spread evenly: the dearest there are.
func BenchmarkAddClicksEven(b *testing.B) { benchmarkAddClicks(b, 1, 100_000, 100_000, even(100_000)) }

// even picks all links equally often.
func even(links int) func(*rand.Rand) func() int {
	return func(rng *rand.Rand) func() int { return func() int { return rng.IntN(links) } }
}

// zipf picks links with the frequency 1/rank; ranks are spread over the IDs.
func zipf(links int) func(*rand.Rand) func() int {
	return func(rng *rand.Rand) func() int {
		z := rand.NewZipf(rng, 1.0001, 1, uint64(links-1))
		spread := rng.Perm(links)
		return func() int { return spread[z.Uint64()] }
	}
}
