package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

// TestPlainStatementsOfAnswers: an answer takes about as many statements for many links as for few.
func TestPlainStatementsOfAnswers(t *testing.T) {
	t.Parallel()
	few, many := statementsOfAnswers(t, 100), statementsOfAnswers(t, 2000)
	for what, n := range many {
		if n > few[what]+20 {
			t.Errorf("%s: %d statements for 100 links, %d for 2000", what, few[what], n)
		}
	}
}

func errOf[T any](_ T, err error) error { return err }

// BenchmarkStatements counts the statements that answers need.
func BenchmarkStatements(b *testing.B) {
	for _, links := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("links=%d", links), func(b *testing.B) {
			for what, n := range statementsOfAnswers(b, links) {
				b.ReportMetric(float64(n), what)
			}
		})
	}
}

// statementsOfAnswers returns the number of statements of each answer, in a database with links
// that have a tag, single clicks and a dropped day.
func statementsOfAnswers(tb testing.TB, links int) map[string]int64 {
	tb.Helper()
	url := pgtest.URL(tb)
	must(tb, openAt(tb, url).Close())
	pgtest.Exec(tb, url, fmt.Sprintf(`INSERT INTO links
			(code, id, url, created_at, created_by, tags)
		SELECT 'c' || lpad((%s)::text, 7, '0'), i, 'https://example.org/' || i,
			1700000000000000 + i * 1000000, 'authenticated-user', 'tag'
		FROM generate_series(1::bigint, %d) AS i`, storetest.SeededNumber, links))
	pgtest.Exec(tb, url, insertTags)
	fillRanges(tb, url)
	pgtest.Exec(tb, url, "ANALYZE")
	counted := &statements{}
	s, err := postgres.Open(tb.Context(), postgres.WithTracer(postgres.Options{
		URL: url, Timeout: time.Minute,
	}, counted))
	must(tb, err)
	defer func() { must(tb, s.Close()) }()
	refs := make([]terse.LinkRef, links)
	clicks := make([]terse.Click, links)
	past := make([]terse.Past, links)
	for i := range refs {
		refs[i] = terse.LinkRef{ID: terse.LinkID(i + 1), Code: storetest.SeededCode(tb, i+1)}
		clicks[i] = terse.Click{
			Link: refs[i].ID, Code: refs[i].Code, Time: 1_750_000_000_000_000 + int64(i),
		}
		past[i] = storetest.PastDays(refs[i], 1)
	}
	storetest.AddPast(tb, s, past...)
	must(tb, s.AddClicks(tb.Context(), storetest.Batch("j", 0, clicks...)))

	needed := map[string]int64{}
	count := func(what string, f func() error) {
		before := counted.n.Load()
		must(tb, f())
		needed[what] = counted.n.Load() - before
	}
	for what, q := range map[string]terse.SeriesQuery{
		"overview": {Range: terse.AllTime, Top: 10},
		"overview-by-tag": {
			Range: terse.AllTime, Top: 10, Some: terse.SomeLinks{Tags: []string{"tag"}},
		},
		"overview-filter": {Range: terse.AllTime, Top: 10, Filter: only(terse.ByCountry, "DE")},
	} {
		q.Owner = terse.Identity
		count(what, func() error { return errOf(s.Series(tb.Context(), terse.AllLinks, q)) })
	}
	count("events", func() error {
		return errOf(s.Events(tb.Context(), terse.AllLinks,
			terse.EventQuery{Range: terse.AllTime, Owner: terse.Identity, Limit: 20}))
	})
	now := time.Now()
	for what, q := range map[string]terse.LinkQuery{
		"newest":   {},
		"tagged":   {Filter: terse.LinkFilter{Tags: []string{"tag"}, Now: now}},
		"active":   {Filter: terse.LinkFilter{Status: terse.Active, Now: now}},
		"unused":   {Filter: terse.LinkFilter{UnusedSince: clickedDay, Now: now}},
		"clicks":   {Order: terse.MostClickedFirst},
		"month":    {Order: terse.MostClickedFirst, Within: terse.Between(0, now.UnixMicro())},
		"searched": {Search: terse.Search{{"nowhere"}}},
	} {
		q.Owner, q.Limit = terse.Identity, 20
		count("list-"+what, func() error { return errOf(s.Links(tb.Context(), q)) })
	}
	bulk := make([]terse.RestoredLink, 100)
	for i := range bulk {
		bulk[i].Link = terse.NewLink{
			Code: terse.NewCode(false), URL: "https://example.org/", CreatedBy: terse.Identity,
			Options: `{"tags":["tag"]}`,
		}
	}
	count("bulk-create-100", func() error {
		return s.Transact(tb.Context(), func(tx terse.Tx) error {
			_, _, err := tx.CreateAll(tb.Context(), me, bulk)
			return err
		})
	})
	count("bulk-delete-100", func() error {
		return s.Transact(tb.Context(), func(tx terse.Tx) error {
			codes := make([]terse.Code, len(bulk))
			for i := range bulk {
				codes[i] = bulk[i].Link.Code
			}
			found, _, err := tx.LinkAll(tb.Context(), codes)
			if err == nil {
				_, err = tx.DeleteAll(tb.Context(), me, found)
			}
			return err
		})
	})
	pages := int64((links + 255) / 256)
	before := counted.n.Load()
	must(tb, s.Export(tb.Context(), terse.ExportQuery{Owner: terse.Identity},
		func(int64, int64) error { return nil },
		func(e terse.Exported) error {
			return e.Past(func(terse.PastDay) error { return nil },
				func(terse.PastClick) error { return nil })
		}, nil))
	needed["export-page"] = (counted.n.Load() - before) / pages
	return needed
}

// TestPlainStatementsOfOwners: counting clicks of links of many owners takes far fewer statements
// than there are owners, where these are new, and where a node does not know them yet.
func TestPlainStatementsOfOwners(t *testing.T) {
	t.Parallel()
	counted := func(owners int) (needed []int64) {
		const links = 500
		url := pgtest.URL(t)
		must(t, openAt(t, url).Close())
		seed := fmt.Sprintf(`INSERT INTO links (code, id, url, created_at, created_by)
			SELECT 'c' || lpad((%s)::text, 7, '0'), i, 'https://example.org/', 1, 'owner' || i %% %d
			FROM generate_series(1::bigint, %d) AS i`, storetest.SeededNumber, owners, links)
		pgtest.Exec(t, url, seed)
		fillRanges(t, url)
		for node := range 2 {
			counted := &statements{}
			s, err := postgres.Open(t.Context(), postgres.WithTracer(postgres.Options{
				URL: url, Timeout: time.Minute,
			}, counted))
			must(t, err)
			clicks := make([]terse.Click, links)
			for i := range clicks {
				clicks[i] = terse.Click{
					Link: terse.LinkID(i + 1), Code: storetest.SeededCode(t, i+1),
					Time: 1_750_000_000_000_000,
				}
			}
			before := counted.n.Load()
			must(t, s.AddClicks(t.Context(), storetest.Batch(fmt.Sprint("j", node), 0, clicks...)))
			needed = append(needed, counted.n.Load()-before)
			must(t, s.Close())
		}
		return needed
	}
	few, many := counted(2), counted(500)
	for node, n := range many {
		if n > few[node]+200 { // the counts of owners are read some at a time
			t.Errorf("node %d: %d statements for 2 owners, %d for 500", node, few[node], n)
		}
	}
}

// A plan that was made while a table was empty must not scan it when it has grown: counting the
// clicks of many owners looks up thousands of rows that the same transaction has added.
func TestPlainCountingAfterAnalyzeOfEmptyTables(t *testing.T) {
	t.Parallel()
	const links = 16_000
	url := pgtest.URL(t)
	must(t, openAt(t, url).Close())
	pgtest.Exec(t, url, fmt.Sprintf(`INSERT INTO links (code, id, url, created_at, created_by)
		SELECT 'c' || lpad((%s)::text, 7, '0'), i, 'https://example.org/', 1, 'owner' || i
		FROM generate_series(1::bigint, %d) AS i`, storetest.SeededNumber, links))
	fillRanges(t, url)
	pgtest.Exec(t, url, "ANALYZE")
	s, err := postgres.Open(t.Context(), // a busy machine takes long for so many links
		postgres.WithTracer(postgres.Options{URL: url, Timeout: time.Minute}, &ran))
	must(t, err)
	clicks := make([]terse.Click, links)
	for i := range clicks {
		clicks[i] = terse.Click{
			Link: terse.LinkID(i + 1), Code: storetest.SeededCode(t, i+1),
			Time: 1_750_000_000_000_000,
		}
	}
	must(t, s.AddClicks(t.Context(), storetest.Batch("j", 0, clicks...)))
	must(t, s.Close()) // which writes the server's statistics
	const scanned = "SELECT coalesce(sum(seq_tup_read), 0)::int FROM pg_stat_user_tables " +
		"WHERE relname IN ('totals', 'level0', 'level1')"
	if n := count(t, url, scanned); n > 10*links {
		t.Errorf("%d rows were scanned", n)
	}
}
