package postgres_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/postgres"
	"terse/internal/database/postgres/rows"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

// me changes links where it does not matter who does.
var me = terse.Caller{Identity: "me"}

func TestStore(t *testing.T) { storetest.Run(t, openEmpty) }

func TestPlainStore(t *testing.T) { storetest.RunPlain(t, openEmpty) }

// migrated has the tables, and nothing in them.
var migrated = pgtest.Template{Prepare: func(url string) error {
	s, err := postgres.Open(context.Background(), postgres.WithTracer(
		postgres.Options{URL: url, Timeout: time.Minute}, &ran))
	if err != nil {
		return err
	}
	return s.Close()
}}

// openEmpty opens a store on a database without links, and notes its statements.
func openEmpty(t *testing.T) storetest.Store {
	t.Helper()
	url := migrated.Copy(t)
	s, err := postgres.Open(t.Context(), postgres.WithTracer(
		postgres.Options{URL: url, Timeout: time.Minute}, &ran))
	must(t, err)
	t.Cleanup(func() {
		must(t, s.Close())
		wantRanges(t, url)
	})
	return s
}

func TestIgnoreCase(t *testing.T) {
	t.Parallel()
	open := func(url string) (*postgres.Store, error) {
		return postgres.Open(t.Context(),
			postgres.WithTracer(postgres.Options{
				URL: url, Timeout: time.Minute, IgnoreCase: true,
			}, &ran))
	}
	storetest.RunIgnoringCase(t, func(t *testing.T) storetest.Store {
		s, err := open(pgtest.URL(t))
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		return s
	})
	url := pgtest.URL(t)
	s, err := postgres.Open(t.Context(), postgres.Options{URL: url, Timeout: time.Minute})
	must(t, err)
	storetest.Clash(t, s)
	must(t, s.Close())
	_, err = open(url)
	storetest.WantClashes(t, err)
}

func TestReopen(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	storetest.RunReopen(t, func(t *testing.T) storetest.Store { return openAt(t, url) })
}

func openAt(t testing.TB, url string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.WithTracer(postgres.Options{URL: url}, &ran))
	must(t, err)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fillRanges says again what rows say that were written by hand.
func fillRanges(t testing.TB, url string) {
	t.Helper()
	for _, sql := range []string{
		"TRUNCATE link_sets, link_ranges",
		`INSERT INTO link_sets
			SELECT created_by, name, id >> 10,
				bit_or(set_bit(0::bit(1024), (id & 1023)::integer, 1))::bit(1024)
			FROM (
				SELECT created_by, '#' || tag AS name, id
				FROM links, unnest(string_to_array(tags, E'\n')) AS tag
				UNION ALL SELECT created_by, status, id FROM links
				WHERE status NOT IN ('', 'active')
				UNION ALL SELECT created_by, 'archived', id FROM links WHERE archived
				UNION ALL SELECT created_by, '@' || on_domain, id FROM links, unnest(
					ARRAY['0', substring(code FROM '^#([0-9]+)/')]) AS on_domain
					WHERE code LIKE '#%'
			) AS sets GROUP BY created_by, name, id >> 10`,
		`INSERT INTO link_ranges
			SELECT created_by, id >> 10, 0, count(*), min(created_at), max(created_at)
			FROM links GROUP BY created_by, id >> 10`,
		// Once more, those of all owners but one.
		`INSERT INTO link_sets SELECT '*', name, id_range, bit_or(links) FROM link_sets
			WHERE owner <> 'authenticated-user' GROUP BY name, id_range`,
		`INSERT INTO link_ranges
			SELECT '*', id >> 10, 0, count(*), min(created_at), max(created_at)
			FROM links WHERE created_by <> 'authenticated-user' GROUP BY id >> 10`,
	} {
		pgtest.Exec(t, url, sql)
	}
}

// totalsOf returns the clicks of each link of a database that has any, and of each owner.
func totalsOf(t testing.TB, url string) map[terse.LinkID]int64 {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	tx, err := conn.Begin(t.Context())
	must(t, err)
	found, err := tx.Query(t.Context(), "SELECT a FROM totals ORDER BY a DESC")
	must(t, err)
	buckets, err := pgx.CollectRows(found, pgx.RowTo[int64])
	must(t, err)
	totals := map[terse.LinkID]int64{}
	must(t, clickstore.EachBucket(rows.NewReader(t.Context(), tx), buckets,
		func(first terse.LinkID, of clickstore.BucketTotals) {
			for i, clicks := range of.Clicks {
				if clicks != 0 {
					totals[first+terse.LinkID(i)] = clicks
				}
			}
		}))
	return totals
}

// TestNodesIgnoreCaseAlike: a node starts only if those that run compare addresses as it does.
func TestNodesIgnoreCaseAlike(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	start := func(journal string, ignoreCase bool) (*postgres.Store, error) {
		s, err := postgres.Open(t.Context(),
			postgres.Options{URL: url, Timeout: time.Minute, IgnoreCase: ignoreCase})
		must(t, err)
		return s, s.Claim(t.Context(), journal)
	}
	first, err := start("first", true)
	must(t, err)
	second, err := start("second", true)
	must(t, err)
	other, err := start("other", false)
	if err == nil || !strings.Contains(err.Error(), "IGNORE_CASE is false here, and true on 2") {
		t.Errorf("a node with the other setting starts: %v", err)
	}
	must(t, other.Close())
	must(t, first.Close())
	must(t, second.Close())
	other, err = start("other", false)
	must(t, err)
	// One that was killed counts as running for a while.
	pgtest.Exec(t, url, "INSERT INTO nodes SELECT 'killed', ignore_case, seen_at FROM nodes")
	must(t, other.Close())
	refused, err := start("first", true)
	if err == nil {
		t.Error("a node starts although one with the other setting was there a moment ago")
	}
	must(t, refused.Close())
	pgtest.Exec(t, url, "UPDATE nodes SET seen_at = seen_at - 30000000")
	again, err := start("first", true)
	must(t, err)
	must(t, again.Close())
}
