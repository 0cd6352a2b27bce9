package sqlite_test

import (
	"flag"
	"fmt"
	"testing"

	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
)

var ownedLinks = flag.Int("owned", million, "links of 10,000 owners in BenchmarkOwners")

// seedOwned gives the seeded links tags and states as the server would.
var seedOwned = []string{
	`INSERT INTO tags SELECT created_by, 'half', 'half', count(*) FROM links WHERE id % 2 = 0
		GROUP BY created_by`,
	`INSERT INTO tags SELECT created_by, 'few', 'few', count(*) FROM links WHERE id % 100 = 0
		GROUP BY created_by`,
	`INSERT INTO link_states SELECT id, created_by, 0, -9223372036854775808, 1700000000000000, 0,
		0, 'expired', 1700000000000000, 9223372036854775807 FROM links WHERE id % 20 = 7`,
	`INSERT INTO link_sets SELECT created_by, '#half', id >> 6, sum(1 << (id & 63)) FROM links
		WHERE id % 2 = 0 GROUP BY created_by, id >> 6`,
	`INSERT INTO link_sets SELECT created_by, '#few', id >> 6, sum(1 << (id & 63)) FROM links
		WHERE id % 100 = 0 GROUP BY created_by, id >> 6`,
	`INSERT INTO link_sets SELECT owner, 'expired', link_id >> 6, sum(1 << (link_id & 63))
		FROM link_states GROUP BY owner, link_id >> 6`,
	`INSERT INTO link_sets SELECT '*', name, id_range, sum(links) FROM link_sets
		WHERE owner <> 'authenticated-user' GROUP BY name, id_range`,
	"ANALYZE",
}

// BenchmarkOwners compares lists of all owners with those of one that has as many links.
func BenchmarkOwners(b *testing.B) {
	open := func(owners int) *sqlite.Store {
		s, path := openOwned(b, *ownedLinks, 1, owners)
		byHand(b, path, seedOwned...)
		addEvenly(b, s, *ownedLinks, *ownedLinks)
		return s
	}
	storetest.BenchmarkOwners(b, open(1), open(10_000), *ownedLinks)
}

// BenchmarkCreateOwned creates links of the one owner that nearly all installations have, and of
// others.
func BenchmarkCreateOwned(b *testing.B) {
	for _, owners := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("owners=%d", owners), func(b *testing.B) {
			s, _ := openSeeded(b, 1)
			storetest.BenchmarkCreate(b, s, owners)
		})
	}
}
