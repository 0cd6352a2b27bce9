package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
)

// TestListManyLinks lists links about which the planner has no statistics. Links of another owner
// are between them.
func TestListManyLinks(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	url := pgtest.URL(t)
	s := patient(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	fillMany(t, url)
	addClicked(t, s, url)
	wantLists(t, s, url)

	page, err := s.Links(t.Context(), terse.LinkQuery{
		Owner: terse.Identity, Order: terse.MostClickedFirst, Limit: 2000,
	})
	must(t, err)
	must(t, s.ClearClicks(t.Context(), me, page.Links[1].Ref()))
	pgtest.Exec(t, url, "UPDATE clicked SET clicks = 0 WHERE id = $1", page.Links[1].ID)
	must(t, s.Delete(t.Context(), me, page.Links[2]))
	clicks := clicksOf(page.Links[1000:], 100_000)
	addClicks(t, s, "j", 0, clicks...)
	ids := make([]int64, len(clicks))
	for i, c := range clicks {
		ids[i] = int64(c.Link)
	}
	pgtest.Exec(t, url, `UPDATE clicked AS c SET clicks = c.clicks + n.clicks FROM (
			SELECT id, count(*) AS clicks FROM unnest($1::bigint[]) AS id GROUP BY id
		) AS n WHERE c.id = n.id`, ids)
	wantLists(t, s, url)
	wantRanges(t, url)
}

// addClicked adds as many clicks of links as the table clicked says.
func addClicked(t *testing.T, s *postgres.Store, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(),
		"SELECT id, code, clicks FROM links JOIN clicked USING (id) WHERE clicks > 0")
	must(t, err)
	var clicks []terse.Click
	var id terse.LinkID
	var text string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&id, &text, &n}, func() error {
		c := terse.Click{Link: id, Code: code(t, text), Time: 1_770_000_000_000_000}
		clicks = append(clicks, slices.Repeat([]terse.Click{c}, n)...)
		return nil
	})
	must(t, err)
	addClicks(t, s, "clicked", 0, clicks...)
}

// fillMany creates 60,000 links, some of them not in the order of their IDs.
func fillMany(t *testing.T, url string) {
	for _, sql := range []string{
		`INSERT INTO links (code, id, url, created_by, created_at, options, tags, status)
			SELECT 'code' || g * 7919 % 60013, g, 'https://example.org/',
				CASE WHEN g % 7 = 0 THEN 'other' ELSE 'authenticated-user' END,
				CASE WHEN g < 20000 THEN g * 11 % 20011 ELSE g END,
				CASE WHEN g % 30 = 0 THEN '{"disabled":true}' ELSE '' END,
				concat_ws(E'\n', CASE WHEN g % 10 > 0 THEN 'most' END,
					CASE WHEN g % 3 = 0 THEN 'third' END,
					CASE WHEN g % 9 = 0 THEN 'ninth' END),
				CASE WHEN g % 30 = 0 THEN 'disabled' ELSE '' END
			FROM generate_series(1, 60000) AS g`,
		`CREATE TABLE clicked AS SELECT id,
				CASE WHEN id % 5 > 0 THEN 20000 / (id * 31 % 60000 + 1) ELSE 0 END AS clicks
			FROM links`,
		insertTags,
		"SELECT setval('link_ids', 60000)",
	} {
		pgtest.Exec(t, url, sql)
	}
	fillRanges(t, url)
}

// wantLists compares lists with the links that SQL conditions find.
func wantLists(t *testing.T, s *postgres.Store, url string) {
	t.Helper()
	for where, f := range map[string]terse.LinkFilter{
		"true":          {},
		"l.id % 10 > 0": {Tags: []string{"most"}},
		"l.id % 9 = 0":  {Tags: []string{"ninth"}},
		"l.id % 30 = 0": {Status: terse.Disabled},
		"l.id % 30 > 0": {Status: terse.Active},
		"l.id % 90 = 0": {Tags: []string{"ninth", "third"}, Status: terse.Disabled},
		"l.id % 10 > 0 AND l.id % 3 = 0": {
			Tags: []string{"third", "most"}, Status: terse.Active,
		},
		"l.id % 9 = 0 AND l.id % 10 > 0":       {Tags: []string{"most", "ninth", "third"}},
		"l.created_at BETWEEN 7000 AND 9000":   between(7000, 9000),
		"l.created_at BETWEEN 7000 AND 59000":  between(7000, 59000),
		"l.created_at BETWEEN 21000 AND 58000": between(21000, 58000),
		"l.created_at BETWEEN 7000 AND 59000 AND l.id % 9 = 0 AND l.id % 30 > 0": {
			CreatedAfter: time.UnixMicro(7000), CreatedBefore: time.UnixMicro(59000),
			Tags: []string{"third", "ninth"}, Status: terse.Active,
		},
	} {
		f.Now = time.Now()
		for order, by := range map[terse.LinkOrder]string{
			terse.NewestFirst:      "l.created_at DESC, l.id DESC",
			terse.OldestFirst:      "l.created_at, l.id",
			terse.MostClickedFirst: "c.clicks DESC, l.created_at DESC, l.id DESC",
		} {
			for _, owner := range []string{terse.Identity, "other"} {
				want := idsOf(t, url, fmt.Sprintf(`SELECT l.id FROM links AS l
					JOIN clicked AS c ON c.id = l.id
					WHERE l.created_by = '%s' AND %s ORDER BY %s`, owner, where, by))
				wantList(t, s, terse.LinkQuery{Owner: owner, Filter: f, Order: order}, want)
			}
		}
	}
}

func between(first, last int64) terse.LinkFilter {
	return terse.LinkFilter{
		CreatedAfter: time.UnixMicro(first), CreatedBefore: time.UnixMicro(last),
	}
}

// idsOf returns what a query finds.
func idsOf(t *testing.T, url, sql string) []int64 {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), sql)
	must(t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	must(t, err)
	return ids
}

// wantList lists all links of a query page by page.
func wantList(t *testing.T, s *postgres.Store, q terse.LinkQuery, want []int64) {
	t.Helper()
	var got []int64
	for q.Limit = 50; ; q.Limit = 20_000 {
		page, err := s.Links(t.Context(), q)
		must(t, err)
		for _, link := range page.Links {
			got = append(got, int64(link.ID))
		}
		if page.Total != int64(len(want)) {
			t.Errorf("%+v: total %d, want %d", q, page.Total, len(want))
		}
		if q.After = page.Next; q.After == nil {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v: other links, or in another order", q)
	}
}

// wantRanges checks that the ranges of IDs agree with the rows of links.
func wantRanges(t *testing.T, url string) {
	t.Helper()
	said := ranges(t, url)
	fillRanges(t, url)
	for what, want := range ranges(t, url) {
		if got := said[what]; !slices.Equal(got, want) {
			t.Errorf("%s: ranges say\n%q, links say\n%q", what, got, want)
		}
	}
}

func ranges(t *testing.T, url string) map[string][]string {
	t.Helper()
	ctx := context.Background() // when a test ends, too
	conn, err := pgx.Connect(ctx, url)
	must(t, err)
	defer conn.Close(ctx)
	said := map[string][]string{}
	for what, sql := range map[string]string{
		"sets": `SELECT owner || ' ' || name || ' ' || id_range || ' ' || links::text FROM link_sets
			WHERE links <> 0::bit(1024) ORDER BY owner, name, id_range`,
		"links": `SELECT owner || ' ' || id_range || ' ' || sum(links) FROM link_ranges
			GROUP BY owner, id_range HAVING sum(links) <> 0 ORDER BY owner, id_range`,
	} {
		rows, err := conn.Query(ctx, sql)
		must(t, err)
		said[what], err = pgx.CollectRows(rows, pgx.RowTo[string])
		must(t, err)
	}
	return said
}
