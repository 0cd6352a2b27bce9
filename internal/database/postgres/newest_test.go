package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/postgres/links"
	"terse/internal/tests/pgtest"
)

func newestTo(ctx context.Context, s *postgres.Store, url terse.URL) (link terse.Link, err error) {
	err = s.Transact(ctx, func(tx terse.Tx) error {
		link, err = tx.NewestTo(ctx, terse.Identity, terse.DefaultDomain, url, time.Now())
		return err
	})
	return link, err
}

// seedEnded makes n links to one URL, a second apart, that expired long ago, and as many archived
// ones to another.
func seedEnded(tb testing.TB, url string, n int) {
	pgtest.Exec(tb, url, `INSERT INTO links
			(code, id, url, created_at, created_by, options, open_until, status, since)
		SELECT 'ended' || i, 10000000 + i, 'https://example.org/ended',
			1800000000000000 + i * 1000000, 'authenticated-user',
			'{"expires_at":"2020-01-01T00:00:00Z"}', 1577836800000000, 'expired', 1577836800000000
		FROM generate_series(1::bigint, $1) AS i`, n)
	pgtest.Exec(tb, url, `INSERT INTO links
			(code, id, url, created_at, created_by, options, archived)
		SELECT 'archived' || i, 20000000 + i, 'https://example.org/archived',
			1800000000000000 + i * 1000000, 'authenticated-user', '{"archived":true}', true
		FROM generate_series(1::bigint, $1) AS i`, n)
	pgtest.Exec(tb, url, "ANALYZE")
}

// TestNewestToByIndex: to find the newest link to a URL walks through one index, in which links
// that have ended, or are archived, are passed over.
func TestNewestToByIndex(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := open(t, url)
	made := create(t, s, "link")
	made = change(t, s, made, terse.LinkOptions{Title: "a"})
	pgtest.Exec(t, url, `INSERT INTO links (code, id, url, created_by, created_at)
		SELECT 'other' || i, 10000 + i, 'https://example.org/' || i, 'authenticated-user', i
		FROM generate_series(1, 5000) AS i`)
	seedEnded(t, url, 5000)
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	tx, err := conn.Begin(t.Context())
	must(t, err)
	for _, of := range []string{"https://example.org/ended", "https://example.org/archived"} {
		rows, err := tx.Query(t.Context(), "EXPLAIN (ANALYZE, TIMING OFF) "+links.SelectNewestTo,
			terse.Identity, of, time.Now().UnixMicro(), false, "-", "{")
		must(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		must(t, err)
		plan := strings.Join(lines, "\n")
		if !strings.Contains(plan, "Index Scan using links_to_url on links l ") ||
			strings.Contains(plan, "Rows Removed") || strings.Contains(plan, "Sort") {
			t.Errorf("%s is found by\n%s", of, plan)
		}
		if _, err := newestTo(t.Context(), s, terse.URL(of)); !errors.Is(err,
			terse.ErrNotFound) {
			t.Errorf("%s is found: %v", of, err)
		}
	}
	must(t, conn.Close(t.Context()))
	link, err := newestTo(t.Context(), s, made.URL)
	if err != nil || link.ID != made.ID {
		t.Errorf("found %+v, %v", link, err)
	}
}

// TestOpenUntil: the index has until when a link is open.
func TestOpenUntil(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := open(t, url)
	want := func(what string, open ...int64) {
		t.Helper()
		for i, want := range open {
			n := count(t, url, fmt.Sprintf(
				"SELECT open_until FROM links ORDER BY id OFFSET %d LIMIT 1", i))
			if int64(n) != want {
				t.Errorf("%s: link %d is open until %d, want %d", what, i, n, want)
			}
		}
	}
	const always, never = math.MaxInt64, math.MinInt64
	soon := time.UnixMicro(2_000_000_000_000_000)
	var made []terse.Link
	for i, options := range []terse.LinkOptions{{}, {Disabled: true}, {ExpiresAt: soon}} {
		text, err := options.Encode()
		must(t, err)
		link, err := s.Create(t.Context(), me, terse.NewLink{
			Code: code(t, fmt.Sprint("link", i)), URL: "https://example.org/",
			CreatedBy: terse.Identity, Options: text,
		})
		must(t, err)
		made = append(made, link)
	}
	want("made", always, never, soon.UnixMicro())
	change(t, s, made[0], terse.LinkOptions{Disabled: true})
	change(t, s, made[1], terse.LinkOptions{ExpiresAt: soon})
	change(t, s, made[2], terse.LinkOptions{MaxClicks: 1})
	want("changed", never, soon.UnixMicro(), always)
}

func BenchmarkNewestTo(b *testing.B) {
	address, s := openSeeded(b, million)
	seedEnded(b, address, 50_000)
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
