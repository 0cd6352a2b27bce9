package postgres_test

import (
	"testing"

	"terse/internal/database/postgres"
	"terse/internal/link/derive"
	"terse/internal/tests/pgtest"
)

// BenchmarkCompare compares the rows beside a million links with a tag. terse doctor does.
func BenchmarkCompare(b *testing.B) {
	const links = 1_000_000
	url, _ := openSeeded(b, links)
	pgtest.Exec(b, url, `UPDATE links SET tags = 'tag', options = '{"tags":["tag"]}'`)
	pgtest.Exec(b, url, insertTags)
	fillRanges(b, url)
	pgtest.Exec(b, url, "VACUUM ANALYZE")
	for b.Loop() {
		found, err := postgres.Compare(b.Context(), url, derive.Options{})
		must(b, err)
		if found.Links != links || len(found.Kinds) > 0 {
			b.Fatalf("%d links, %q", found.Links, found.Lines())
		}
	}
}
