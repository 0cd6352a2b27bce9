package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"terse"
)

// orderly makes 3500 links, some of another owner; what is put into it is their IDs and times.
const orderly = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3500)
	INSERT INTO links (id, code, url, created_at, created_by)
	SELECT %s, printf('c%%07d', i), 'https://example.org/' || (i %% 97), 1700000000000000 + %s,
		CASE WHEN i %% 5 = 0 THEN 'other' ELSE 'authenticated-user' END FROM n`

// disorders are what an operator may do to a database.
var disorders = map[string][]string{
	"in order":        {fmt.Sprintf(orderly, "i", "i")},
	"all at once":     {fmt.Sprintf(orderly, "i", "0")},
	"many at once":    {fmt.Sprintf(orderly, "i", "i / 800")},
	"backwards":       {fmt.Sprintf(orderly, "i", "-i")},
	"shuffled":        {fmt.Sprintf(orderly, "i", "i * 7919 % 3500")},
	"shuffled nearby": {fmt.Sprintf(orderly, "i", "(i / 1000) * 1000 + i * 7919 % 1000")},
	"one old": {
		fmt.Sprintf(orderly, "i", "i"),
		"UPDATE links SET created_at = 5 WHERE id = 3499",
	},
	"one old and gone": {
		fmt.Sprintf(orderly, "i", "i"),
		"UPDATE links SET created_at = 5 WHERE id = 3499", "DELETE FROM links WHERE id = 3499",
	},
	"one of the future": {
		fmt.Sprintf(orderly, "i", "i"),
		"UPDATE links SET created_at = 9000000000000000 WHERE id = 1",
	},
	"holes": {
		fmt.Sprintf(orderly, "i", "i"),
		"DELETE FROM links WHERE id % 3 = 0 OR id BETWEEN 1000 AND 2100",
	},
	"another owner": {
		fmt.Sprintf(orderly, "i", "i"),
		"UPDATE links SET created_by = 'other' WHERE id BETWEEN 1000 AND 2500",
	},
	"many owners, shuffled": {
		fmt.Sprintf(orderly, "i", "i * 7919 % 3500"),
		"UPDATE links SET created_by = 'other' || (id % 700) WHERE id % 5 > 1",
		"UPDATE links SET created_by = 'authenticated-user' WHERE id % 7 = 0",
		"DELETE FROM links WHERE id % 11 = 0",
	},
	"IDs far apart": {fmt.Sprintf(orderly, "i * 1000 + 1000000000", "i")},
	"negative IDs":  {fmt.Sprintf(orderly, "-i", "i")},
	"ends of the number": {
		fmt.Sprintf(orderly, "i", "i"),
		"UPDATE links SET created_at = 9223372036854775807 WHERE id > 2400",
		"UPDATE links SET created_at = -9223372036854775807 - 1 WHERE id < 1000",
	},
}

// Pages deep in a list are the same as if it were read from its start, whatever was written by
// hand.
func TestPlainDeepPages(t *testing.T) {
	t.Parallel()
	for name, sql := range disorders {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "terse.db")
			s := openAt(t, path)
			byHand(t, path, sql...)
			for _, owner := range []string{terse.Identity, terse.AllOwners} {
				deepPages(t, s, owner, terse.NewestFirst)
				deepPages(t, s, owner, terse.OldestFirst)
			}
			must(t, s.Close())
			if n := queryByHand(t, path,
				`SELECT (SELECT sum(links) FROM link_ranges WHERE created_by <> '*') -
				(SELECT count(*) FROM links) + count(*) FROM
				(SELECT created_by, id_range, links FROM link_ranges
				EXCEPT SELECT created_by, id >> 10, count(*) FROM links GROUP BY 1, 2
				EXCEPT SELECT '*', id >> 10, count(*) FROM links
					WHERE created_by <> 'authenticated-user' GROUP BY 1, 2)`); n != 0 {
				t.Errorf("ranges are not what links are: %d", n)
			}
		})
	}
}

func deepPages(t *testing.T, s terse.Links, owner string, order terse.LinkOrder) {
	t.Helper()
	q := terse.LinkQuery{Owner: owner, Order: order, Limit: 1_000_000}
	all, err := s.Links(t.Context(), q)
	must(t, err)
	links := all.Links
	for _, q.Offset = range []int{
		1023, 1024, 1500, 2047, 2048, 2500, len(links) - 5, len(links), len(links) + 5000,
	} {
		q.Limit = 10
		page, err := s.Links(t.Context(), q)
		must(t, err)
		want := links[min(q.Offset, len(links)):min(q.Offset+10, len(links))]
		if int(page.Total) != len(links) || fmt.Sprint(page.Links) != fmt.Sprint(want) {
			t.Errorf("order %v, offset %d of %d: %v\nwant %v",
				order, q.Offset, page.Total, page.Links, want)
		}
	}
}

// listAll returns a list from its start, where nothing is skipped.
func listAll(t *testing.T, s terse.Links) []terse.Link {
	t.Helper()
	links, _, err := list(t, s, terse.Identity, 1_000_000, 0)
	must(t, err)
	return links
}
