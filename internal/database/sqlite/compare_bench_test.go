package sqlite_test

import (
	"testing"

	"terse/internal/database/sqlite"
	"terse/internal/link/derive"
)

// BenchmarkCompare compares the rows beside a million links, of which every second has a tag, and
// every hundredth two. terse doctor does.
func BenchmarkCompare(b *testing.B) {
	_, path := openSeeded(b, million)
	byHand(b, path, append([]string{
		`UPDATE links SET options = CASE WHEN id % 100 = 0 THEN '{"tags":["few","half"]}'
			ELSE '{"tags":["half"]}' END WHERE id % 2 = 0`,
	}, seedOptions[:3]...)...)
	for b.Loop() {
		found, err := sqlite.Compare(b.Context(), path, derive.Options{})
		must(b, err)
		if found.Links != million || len(found.Kinds) > 0 {
			b.Fatalf("%d links, %q", found.Links, found.Lines())
		}
	}
}
