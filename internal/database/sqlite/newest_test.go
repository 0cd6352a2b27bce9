package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/database/sqlite"
)

// seedEnded makes n links to one URL, a second apart, that expired long ago, and seedStates their
// states.
const seedEnded = `
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
INSERT INTO links (code, url, created_at, created_by, options, ended)
SELECT 'ended' || i, 'https://example.org/ended', 1800000000000000 + i * 1000000,
	'authenticated-user', '{"expires_at":"2020-01-01T00:00:00Z"}', 1 FROM n`

const seedStates = `
INSERT INTO link_states (link_id, owner, disabled, starts_at, expires_at, max_clicks, used, status,
	since, until)
SELECT id, created_by, 0, -9223372036854775808, 1577836800000000, 0, 0, 'expired',
	1577836800000000, 9223372036854775807 FROM links WHERE options <> ''`

// seedArchived makes ?1 archived links to one URL, a second apart.
const seedArchived = `
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
INSERT INTO links (code, url, created_at, created_by, options, archived)
SELECT 'archived' || i, 'https://example.org/archived', 1800000000000000 + i * 1000000,
	'authenticated-user', '{"archived":true}', 1 FROM n`

func openWithEnded(tb testing.TB, links, ended int) *sqlite.Store {
	s, path := openSpread(tb, links, 1)
	conn, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(tb, err)
	must(tb, sqlitex.ExecuteTransient(conn, seedEnded, &sqlitex.ExecOptions{Args: []any{ended}}))
	must(tb, sqlitex.ExecuteTransient(conn, seedStates, nil))
	must(tb, sqlitex.ExecuteTransient(conn, seedArchived,
		&sqlitex.ExecOptions{Args: []any{ended}}))
	must(tb, conn.Close())
	return s
}

func newestTo(ctx context.Context, s *sqlite.Store, url terse.URL) (link terse.Link, err error) {
	err = s.Transact(ctx, func(tx terse.Tx) error {
		link, err = tx.NewestTo(ctx, terse.Identity, terse.DefaultDomain, url, time.Now())
		return err
	})
	return link, err
}

// TestNewestToByIndex: to find the newest link to a URL reads one entry of an index, whichever
// statistics there are.
func TestNewestToByIndex(t *testing.T) {
	t.Parallel()
	s, path := openSpread(t, 1000, 1)
	for _, statistics := range []string{"SELECT 1", "ANALYZE"} {
		conn, err := driver.OpenConn(path, driver.OpenReadWrite)
		must(t, err)
		must(t, sqlitex.ExecuteTransient(conn, statistics, nil))
		var plan []string
		must(t, sqlitex.ExecuteTransient(conn, "EXPLAIN QUERY PLAN "+sqlite.SelectNewestTo,
			&sqlitex.ExecOptions{
				Args: []any{"https://example.org/", terse.Identity, 0, 0, "-", "{"},
				ResultFunc: func(row *driver.Stmt) error {
					plan = append(plan, row.ColumnText(3))
					return nil
				},
			}))
		must(t, conn.Close())
		if all := strings.Join(plan, "\n"); plan[0] !=
			"SEARCH links USING INDEX links_to_url (url=?)" || strings.Contains(all, "SCAN") ||
			strings.Contains(all, "B-TREE") {
			t.Errorf("after %s it is found by\n%s", statistics, all)
		}
	}
	link, err := newestTo(t.Context(), s, "https://example.org/some/longer/path/7")
	if err != nil || link.ID != 7 {
		t.Errorf("found %+v, %v", link, err)
	}
}

// TestEndedAreNotInTheIndex: links that are disabled, used up or expired leave the index that the
// newest link to a URL is found by, and come back when they lead somewhere again.
func TestEndedAreNotInTheIndex(t *testing.T) {
	t.Parallel()
	s, path := openSpread(t, 1, 1)
	soon := time.Now().Add(time.Second)
	var links []terse.Link
	for i, options := range []terse.LinkOptions{
		{Disabled: true}, {MaxClicks: 1}, {ExpiresAt: soon}, {StartsAt: soon.Add(time.Hour)}, {},
	} {
		text, err := options.Encode()
		must(t, err)
		link, err := s.Create(t.Context(), me, terse.NewLink{
			Code: code(t, fmt.Sprint("link", i)), URL: "https://example.org/",
			CreatedBy: terse.Identity, Options: text,
		})
		must(t, err)
		links = append(links, link)
	}
	ended := func() int64 { return queryByHand(t, path, "SELECT count(*) FROM links WHERE ended") }
	want := func(what string, n int64) {
		t.Helper()
		if got := ended(); got != n {
			t.Errorf("%s: %d links have ended, want %d", what, got, n)
		}
	}
	want("made", 1)
	must(t, s.Take(t.Context(), links[1].Ref()))
	want("used up", 2)
	links[4].Options = `{"disabled":true}`
	links[4] = update(t, s, links[4])
	want("disabled", 3)
	links[0].Options, links[4].Options = "", `{"title":"a"}`
	links[0], links[4] = update(t, s, links[0]), update(t, s, links[4])
	want("enabled", 1)
	links[1].Options = `{"max_clicks":2}`
	links[1] = update(t, s, links[1])
	want("more clicks", 0)
	link, err := newestTo(t.Context(), s, "https://example.org/")
	if err != nil || link.ID != links[4].ID {
		t.Errorf("the newest is %+v, %v", link, err)
	}
}

// TestManyEnd has more links to one URL end at one time than a look for the newest passes over:
// they leave the index.
func TestManyEnd(t *testing.T) {
	t.Parallel()
	const links = 1000
	s, path := openSpread(t, 1, 1)
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		text, err := (&terse.LinkOptions{ExpiresAt: time.Now().Add(time.Hour)}).Encode()
		for i := range links {
			if err == nil {
				_, err = tx.Create(t.Context(), me, terse.NewLink{
					Code: code(t, fmt.Sprint("link", i)), URL: "https://example.org/",
					CreatedBy: terse.Identity, Options: text,
				})
			}
		}
		return err
	}))
	byHand(t, path, "UPDATE link_states SET expires_at = 1, until = 1") // an hour later
	byHand(t, path, `UPDATE links SET options = '{"expires_at":"1970-01-01T00:00:00.000001Z"}'`)
	for range 2 {
		if _, err := newestTo(t.Context(), s, "https://example.org/"); !errors.Is(err,
			terse.ErrNotFound) {
			t.Errorf("a link that has ended is found: %v", err)
		}
	}
	moveDue(t, s)
	if n := queryByHand(t, path, "SELECT count(*) FROM links WHERE ended"); n != links {
		t.Errorf("%d links leave the index, want %d", n, links)
	}
}

func BenchmarkNewestTo(b *testing.B) {
	s := openWithEnded(b, million, 50_000)
	for _, url := range []terse.URL{
		"https://example.org/some/longer/path/500000", "https://none.example/",
		"https://example.org/ended", "https://example.org/archived",
	} {
		b.Run(strings.ReplaceAll(string(url), "/", "_"), func(b *testing.B) {
			for b.Loop() {
				if _, err := newestTo(b.Context(), s, url); err != nil &&
					!errors.Is(err, terse.ErrNotFound) {
					b.Fatal(err)
				}
			}
		})
	}
}
