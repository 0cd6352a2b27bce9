package postgres_test

import (
	"fmt"
	"testing"

	"terse"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

// BenchmarkTaggedDropped asks for the statistics of a tag whose links have dropped days. The floor
// is 2 s for 20,000 links.
func BenchmarkTaggedDropped(b *testing.B) {
	for _, links := range []int{100, 1_000, 20_000} {
		b.Run(fmt.Sprintf("links=%d", links), func(b *testing.B) {
			url, s := openSeeded(b, links)
			pgtest.Exec(b, url, "UPDATE links SET tags = 'tag'")
			pgtest.Exec(b, url, insertTags)
			fillRanges(b, url)
			const atOnce = 500
			for first := 1; first <= links; first += atOnce {
				var past []terse.Past
				for i := first; i < min(first+atOnce, links+1); i++ {
					ref := terse.LinkRef{ID: terse.LinkID(i), Code: storetest.SeededCode(b, i)}
					past = append(past, storetest.PastDays(ref, 2))
				}
				storetest.AddPast(b, s, past...)
			}
			pgtest.Exec(b, url, "ANALYZE")
			q := terse.SeriesQuery{
				Range: terse.AllTime, Some: terse.SomeLinks{Tags: []string{"tag"}},
				Owner: terse.Identity, Top: 10,
			}
			before := used(b, url)
			b.ResetTimer()
			for b.Loop() {
				series, err := s.Series(b.Context(), terse.AllLinks, q)
				must(b, err)
				if series.Total != int64(links)*2*12 {
					b.Fatal(series.Total, "clicks")
				}
			}
			reportCPU(b, before, used(b, url))
		})
	}
}
