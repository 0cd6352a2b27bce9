package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"terse/internal/database/storetest"
)

// BenchmarkDomains has a million links, half of them on another domain, and one URL on 100 domains.
func BenchmarkDomains(b *testing.B) {
	path := filepath.Join(b.TempDir(), "terse.db")
	must(b, openAt(b, path).Close())
	byHand(b, path, `WITH RECURSIVE n(i) AS (
			SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000
		)
		INSERT INTO links (id, code, url, created_at, created_by)
		SELECT i, CASE WHEN i <= 20000 THEN '#' || (i / 200 + 1) || '/' WHEN i % 2 = 0 THEN '#1/'
			ELSE '' END || printf('c%07d', i),
			'https://example.org/' || CASE WHEN i <= 20000 AND i % 2 = 0 THEN 'same' ELSE i END,
			1700000000000000 + i * 1000000, 'authenticated-user' FROM n`)
	for _, gaps := range []bool{false, true} {
		if gaps {
			byHand(b, path, "DELETE FROM links WHERE id % 1000 = 7")
		}
		b.Run(fmt.Sprintf("gaps=%t", gaps), func(b *testing.B) {
			s := openAt(b, path)
			b.Cleanup(func() { must(b, s.Close()) })
			storetest.BenchmarkDomains(b, s, "https://example.org/same")
		})
	}
}
