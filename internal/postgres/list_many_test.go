package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/longtest"
	"terse/internal/pgtest"
	"terse/internal/postgres"
)

// TestListManyLinks lists links of which the planner knows nothing. Another's links are between
// them.
func TestListManyLinks(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	url := pgtest.URL(t)
	s := open(t, url)
	fillMany(t, url)
	wantLists(t, s, url)

	page, err := s.Links(t.Context(), terse.LinkQuery{
		Owner: terse.Identity, Order: terse.MostClickedFirst, Limit: 2000,
	})
	must(t, err)
	must(t, s.ClearClicks(t.Context(), page.Links[1].Ref()))
	must(t, s.Delete(t.Context(), page.Links[2]))
	addClicks(t, s, "j", 0, clicksOf(page.Links[1000:], 100_000)...)
	wantLists(t, s, url)
	wantRanges(t, url)
}

// fillMany makes 60,000 links, of which some come in another order than that of their IDs.
func fillMany(t *testing.T, url string) {
	for _, sql := range []string{
		`INSERT INTO links SELECT 'code' || g * 7919 % 60013, g, 'https://example.org/',
				CASE WHEN g % 7 = 0 THEN 'other' ELSE 'authenticated-user' END,
				CASE WHEN g < 20000 THEN g * 11 % 20011 ELSE g END
			FROM generate_series(1, 60000) AS g`,
		`INSERT INTO link_clicks (code, link_id, clicks)
			SELECT code, id,
				CASE WHEN id % 5 > 0 THEN 200000 / (id * 31 % 60000 + 1) ELSE 0 END
			FROM links`,
		"INSERT INTO link_clicks (code, link_id, clicks) VALUES ('*j', 0, 5)",
		`INSERT INTO owners SELECT created_by, 0, count(*) FROM links GROUP BY created_by`,
		`INSERT INTO link_states SELECT code, id, created_by, created_at, true,
				-9223372036854775808, 9223372036854775807, 0
			FROM links WHERE id % 30 = 0`,
		`INSERT INTO link_tags
			SELECT l.code, id, tag, created_by, l.created_at, disabled, starts_at, expires_at,
				used_up
			FROM links AS l LEFT JOIN link_states AS s ON s.code = l.code,
				(VALUES ('most', 10, 1), ('third', 3, 0), ('ninth', 9, 0)) AS t(tag, n, least)
			WHERE CASE least WHEN 0 THEN id % n = 0 ELSE id % n > 0 END`,
		`INSERT INTO tags SELECT owner, tag, tag, count(*) FROM link_tags GROUP BY owner, tag`,
		"SELECT setval('link_ids', 60000)",
	} {
		pgtest.Exec(t, url, sql)
	}
	fillRanges(t, url)
}

// wantLists compares lists with what conditions of links find.
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
			terse.MostClickedFirst: "c.clicks DESC, l.id DESC",
		} {
			for _, owner := range []string{terse.Identity, "other"} {
				want := idsOf(t, url, fmt.Sprintf(`SELECT l.id FROM links AS l
					JOIN link_clicks AS c ON c.code = l.code AND c.link_id = l.id
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

// wantRanges wants the ranges of IDs to say what rows of links say.
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
		"tags": `SELECT owner || ' ' || tag || ' ' || id_range || ' ' || links::text FROM link_sets
			WHERE links <> 0::bit(1024) ORDER BY owner, tag, id_range`,
		"links": `SELECT owner || ' ' || id_range || ' ' || sum(links) FROM link_ranges
			GROUP BY owner, id_range HAVING sum(links) <> 0 ORDER BY owner, id_range`,
		"clicks": `SELECT id_range || ' ' || clicks::text FROM click_totals
			WHERE clicks <> '' ORDER BY id_range`,
	} {
		rows, err := conn.Query(ctx, sql)
		must(t, err)
		said[what], err = pgx.CollectRows(rows, pgx.RowTo[string])
		must(t, err)
	}
	return said
}
