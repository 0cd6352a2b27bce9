package postgres_test

import (
	"fmt"
	"testing"

	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

// BenchmarkDomains has a million links, half of them on another domain, and one URL on 100 domains.
func BenchmarkDomains(b *testing.B) {
	url := pgtest.URL(b)
	must(b, openAt(b, url).Close())
	const atOnce = 100_000 // a statement has a minute
	for i := 0; i < million; i += atOnce {
		pgtest.Exec(b, url, fmt.Sprintf(`INSERT INTO links (code, id, url, created_at, created_by)
			SELECT CASE WHEN i <= 20000 THEN '#' || (i / 200 + 1) || '/'
				WHEN i %% 2 = 0 THEN '#1/' ELSE '' END || 'c' || lpad(i::text, 7, '0'), i,
				'https://example.org/' ||
					CASE WHEN i <= 20000 AND i %% 2 = 0 THEN 'same' ELSE i::text END,
				1700000000000000 + i * 1000000, 'authenticated-user'
			FROM generate_series(%d::bigint, %d) AS i`, i+1, i+atOnce))
	}
	fillRanges(b, url)
	pgtest.Exec(b, url, "ANALYZE")
	for _, gaps := range []bool{false, true} {
		if gaps {
			pgtest.Exec(b, url, "DELETE FROM links WHERE id % 1000 = 7")
			fillRanges(b, url)
		}
		b.Run(fmt.Sprintf("gaps=%t", gaps), func(b *testing.B) {
			storetest.BenchmarkDomains(b, openNode(b, url), "https://example.org/same")
		})
	}
}
