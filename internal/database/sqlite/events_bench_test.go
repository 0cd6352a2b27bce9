package sqlite_test

import (
	"context"
	"flag"
	"testing"
	"time"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
)

var millions = flag.Int("millions", 10, "how many million clicks of a month are looked at")

// openMonth returns a store with clicks of 100,000 links in 30 days, with all dimensions. With
// owners, each ten links have their own.
func openMonth(b *testing.B, owners bool) (*sqlite.Store, *storetest.ClickSource) {
	const links, days = 100_000, 30
	s, path := openSeeded(b, links)
	byHand(b, path, `INSERT INTO tags VALUES ('authenticated-user', 'half', 'half', 50000)`)
	if owners {
		byHand(b, path, "UPDATE links SET created_by = 'owner' || (id - 1) / 10")
	}
	byHand(b, path, seedOptions[1])
	if owners {
		byHand(b, path, "UPDATE link_sets SET owner = '*' WHERE name = '#half'")
	}
	src := storetest.NewClickSource(b, links)
	src.Persons = true
	pick := storetest.Zipf(links)(src.Rand)
	before, size := databaseSize(b, path), *millions*1_000_000/days/10
	clicks := make([]terse.Click, size)
	for i := range int64(days * 10) {
		src.Batch(clicks, 24*time.Hour/10, pick)
		must(b, s.AddClicks(context.Background(), storetest.Batch("j", i, clicks...)))
	}
	b.Logf("%.1f bytes a click",
		float64(databaseSize(b, path)-before)/float64(size*days*10))
	return s, src
}

// The bar is 500 ms for a range with two filters over 10,000,000 clicks.
func BenchmarkTopLinks(b *testing.B) {
	s, src := openMonth(b, false)
	benchmarkTopLinks(b, s, src, terse.Identity)
}

// All clicks of 10,000 owners. The bar is twice the time of BenchmarkTopLinks.
func BenchmarkTopLinksOfAll(b *testing.B) {
	s, src := openMonth(b, true)
	benchmarkTopLinks(b, s, src, terse.AllOwners)
}

func benchmarkTopLinks(b *testing.B, s *sqlite.Store, src *storetest.ClickSource, owner string) {
	two := only(terse.ByCountry, "AB")
	two[terse.ByDevice].Only = []string{"mobile"}
	start := time.UnixMicro(src.Now).UTC()
	month, err := terse.ParseTimeRange(start.AddDate(0, 0, -29).Format(time.RFC3339),
		start.Format(time.RFC3339))
	must(b, err)
	for name, q := range map[string]terse.SeriesQuery{
		"all":              {Range: terse.AllTime, Top: 10},
		"range":            {Range: month, Top: 10},
		"range-two":        {Range: month, Top: 10, Filter: two},
		"range-two-series": {Range: month, Filter: two},
		"tag": {
			Range: terse.AllTime, Top: 10, Some: terse.SomeLinks{Tags: []string{"half"}},
		},
	} {
		q.Owner = owner
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				series, err := s.Series(context.Background(), terse.AllLinks, q)
				must(b, err)
				if series.Total == 0 || len(series.Top) != q.Top {
					b.Fatal(series.Total, series.Top)
				}
			}
		})
	}
	for name, q := range map[string]terse.EventQuery{
		"events":      {Limit: 100},
		"events-some": {Limit: 1000, Filter: two},
		"events-none": {Limit: 100, Filter: only(terse.ByCampaign, "nothing")},
		"events-tag":  {Limit: 100, Some: terse.SomeLinks{Tags: []string{"half"}}},
		"events-many": {Limit: 4096},
	} {
		q.Owner, q.Range = owner, terse.AllTime
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := s.Events(context.Background(), terse.AllLinks, q)
				must(b, err)
			}
		})
	}
}
