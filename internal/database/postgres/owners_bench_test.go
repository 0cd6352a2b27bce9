package postgres_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

var ownedLinks = flag.Int("owned", million, "links of 10,000 owners in BenchmarkOwners")

// BenchmarkOwners compares lists of all owners with those of one that has as many links.
func BenchmarkOwners(b *testing.B) {
	open := func(owners int) *postgres.Store {
		url := pgtest.URL(b)
		seedOf(b, url, *ownedLinks, owners)
		for _, sql := range []string{
			`UPDATE links SET status = CASE WHEN id % 20 = 7 THEN 'expired' ELSE '' END,
				options = CASE WHEN id % 20 = 7 THEN '{"expires_at":"2020-01-01T00:00:00Z"}'
					ELSE '' END,
				tags = CASE WHEN id % 100 = 0 THEN E'few\nhalf' WHEN id % 2 = 0 THEN 'half'
					ELSE '' END
				WHERE id % 2 = 0 OR id % 20 = 7`,
			insertTags,
			"INSERT INTO owner_numbers (owner) VALUES ('*')",
			"INSERT INTO owner_numbers (owner) SELECT DISTINCT created_by FROM links",
		} {
			pgtest.Exec(b, url, sql)
		}
		fillRanges(b, url)
		pgtest.Exec(b, url, "VACUUM ANALYZE")
		s, err := postgres.Open(b.Context(), postgres.Options{URL: url, Timeout: 10 * time.Minute})
		must(b, err)
		b.Cleanup(func() { must(b, s.Close()) })
		src := storetest.NewClickSource(b, *ownedLinks)
		pick := storetest.Even(*ownedLinks)(src.Rand)
		clicks := make([]terse.Click, *ownedLinks/5)
		for i := range int64(5) {
			src.Batch(clicks, 20*time.Second, pick)
			must(b, s.AddClicks(b.Context(), storetest.Batch("j", i, clicks...)))
		}
		pgtest.Exec(b, url, "VACUUM ANALYZE")
		return s
	}
	storetest.BenchmarkOwners(b, open(1), open(10_000), *ownedLinks)
}

// BenchmarkCreateOwned creates links of the one owner that nearly all installations have, and of
// others.
func BenchmarkCreateOwned(b *testing.B) {
	for _, owners := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("owners=%d", owners), func(b *testing.B) {
			_, s := openSeeded(b, 1)
			storetest.BenchmarkCreate(b, s, owners)
		})
	}
}
