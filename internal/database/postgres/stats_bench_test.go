package postgres_test

import (
	"cmp"
	"context"
	"flag"
	"slices"
	"testing"
	"time"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

var millions = flag.Int("millions", 10, "how many million clicks statistics are of")

// addOver adds the clicks that -millions says, with all dimensions, evenly over a time.
func addOver(b *testing.B, s *postgres.Store, src *storetest.ClickSource, span time.Duration,
	batches int, pick func() int,
) {
	src.Persons = true
	clicks := make([]terse.Click, *millions*million/batches)
	for i := range int64(batches) {
		src.Batch(clicks, span/time.Duration(batches), pick)
		must(b, s.AddClicks(context.Background(), storetest.Batch("j", i, clicks...)))
	}
}

// benchmarkAnswers asks a store again and again, and reports the slowest of a hundred answers.
func benchmarkAnswers(b *testing.B, answer func()) {
	b.ReportAllocs()
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		answer()
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	for name, percent := range map[string]int{"p50-ms": 50, "p99-ms": 99} {
		b.ReportMetric(took[len(took)*percent/100].Seconds()*1000, name)
	}
}

func benchmarkSeries(b *testing.B, s *postgres.Store, link terse.LinkRef, q terse.SeriesQuery) {
	q.Owner = cmp.Or(q.Owner, terse.Identity)
	benchmarkAnswers(b, func() {
		series, err := s.Series(context.Background(), link, q)
		must(b, err)
		if series.Total == 0 || len(series.Top) != q.Top {
			b.Fatal(series.Total, series.Top)
		}
	})
}

func only(d terse.Dimension, value string) (f terse.ClickFilter) {
	f[d].Only = []string{value}
	return f
}

// twoFilters lets one click in some hundred through.
func twoFilters() terse.ClickFilter {
	f := only(terse.ByCountry, "AB")
	f[terse.ByDevice].Only = []string{"mobile"}
	return f
}

// A link with 10,000,000 clicks in three years, by all dimensions. The bars are 20 ms for 99 of 100
// answers about all time, and 500 ms for a range with two filters, which reads single clicks.
func BenchmarkStatsPersons(b *testing.B) {
	_, s := openSeeded(b, 1)
	src := storetest.NewClickSource(b, 1)
	start := time.UnixMicro(src.Now).UTC()
	addOver(b, s, src, 3*365*24*time.Hour, 50, func() int { return 0 })
	link, err := s.Link(context.Background(), storetest.SeededCode(b, 1))
	must(b, err)
	some, err := terse.ParseTimeRange(start.Add(12*time.Hour).Format(time.RFC3339),
		start.AddDate(3, 0, -2).Format(time.RFC3339))
	must(b, err)
	for name, q := range map[string]terse.SeriesQuery{
		"all":       {Range: terse.AllTime},
		"range":     {Range: some},
		"range-two": {Range: some, Filter: twoFilters()},
	} {
		b.Run(name, func(b *testing.B) { benchmarkSeries(b, s, link.Ref(), q) })
	}
	b.Run("all-links", func(b *testing.B) {
		benchmarkSeries(b, s, terse.AllLinks, terse.SeriesQuery{Range: terse.AllTime})
	})
}

// Clicks of 100,000 links in 30 days. The bar is 500 ms for a range with two filters over
// 10,000,000 clicks.
func BenchmarkTopLinks(b *testing.B) { benchmarkTopLinks(b, terse.Identity) }

// All clicks of 10,000 owners. The bar is twice the time of BenchmarkTopLinks.
func BenchmarkTopLinksOfAll(b *testing.B) { benchmarkTopLinks(b, terse.AllOwners) }

func benchmarkTopLinks(b *testing.B, owner string) {
	const links = 100_000
	batches := 300
	url, s := openSeeded(b, links)
	for _, sql := range []string{
		"UPDATE links SET tags = 'half' WHERE id % 2 = 0",
		"INSERT INTO tags VALUES ('authenticated-user', 'half', 'half', 50000)",
	} {
		pgtest.Exec(b, url, sql)
	}
	if owner == terse.AllOwners {
		batches *= 10 // a batch of thousands of owners takes seconds
		pgtest.Exec(b, url, "UPDATE links SET created_by = 'owner' || (id - 1) / 10")
	}
	fillRanges(b, url)
	src := storetest.NewClickSource(b, links)
	addOver(b, s, src, 30*24*time.Hour, batches, storetest.Zipf(links)(src.Rand))
	pgtest.Exec(b, url, "VACUUM ANALYZE")
	end := time.UnixMicro(src.Now).UTC()
	month, err := terse.ParseTimeRange(end.AddDate(0, 0, -29).Format(time.RFC3339),
		end.Format(time.RFC3339))
	must(b, err)
	for name, q := range map[string]terse.SeriesQuery{
		"all":              {Range: terse.AllTime, Top: 10},
		"range":            {Range: month, Top: 10},
		"range-two":        {Range: month, Top: 10, Filter: twoFilters()},
		"range-two-series": {Range: month, Filter: twoFilters()},
		"tag": {
			Range: terse.AllTime, Top: 10, Some: terse.SomeLinks{Tags: []string{"half"}},
		},
	} {
		q.Owner = owner
		b.Run(name, func(b *testing.B) { benchmarkSeries(b, s, terse.AllLinks, q) })
	}
	for name, q := range map[string]terse.EventQuery{
		"events":      {Limit: 100},
		"events-some": {Limit: 1000, Filter: twoFilters()},
		"events-none": {Limit: 100, Filter: only(terse.ByCampaign, "nothing")},
		"events-tag":  {Limit: 100, Some: terse.SomeLinks{Tags: []string{"half"}}},
		"events-many": {Limit: 4096},
	} {
		q.Owner, q.Range = owner, terse.AllTime
		b.Run(name, func(b *testing.B) {
			benchmarkAnswers(b, func() {
				_, err := s.Events(context.Background(), terse.AllLinks, q)
				must(b, err)
			})
		})
	}
}
