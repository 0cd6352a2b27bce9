package postgres_test

import (
	"context"
	"encoding/binary"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"terse/internal/pgtest"
	"terse/internal/postgres"
	"terse/internal/storetest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Store {
		url := pgtest.URL(t)
		s := openAt(t, url)
		t.Cleanup(func() {
			must(t, s.Close())
			wantRanges(t, url)
		})
		return s
	})
}

func TestReopen(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	storetest.RunReopen(t, func(t *testing.T) storetest.Store { return openAt(t, url) })
}

func openAt(t testing.TB, url string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Options{URL: url})
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
		"TRUNCATE link_sets, link_ranges, click_totals",
		`INSERT INTO link_sets
			SELECT created_by, name, id >> 10,
				bit_or(set_bit(0::bit(1024), (id & 1023)::integer, 1))::bit(1024)
			FROM (
				SELECT created_by, '#' || tag AS name, id
				FROM links, unnest(string_to_array(tags, E'\n')) AS tag
				UNION ALL SELECT created_by, status, id FROM links WHERE status <> 'active'
			) AS sets GROUP BY created_by, name, id >> 10`,
		`INSERT INTO link_ranges
			SELECT created_by, id >> 10, 0, count(*), min(created_at), max(created_at)
			FROM links GROUP BY created_by, id >> 10`,
	} {
		pgtest.Exec(t, url, sql)
	}
	conn, err := pgx.Connect(context.Background(), url) // when a test ends, too
	must(t, err)
	defer conn.Close(context.Background())
	rows, err := conn.Query(context.Background(),
		"SELECT link_id, clicks FROM link_clicks WHERE link_id > 0 AND clicks > 0 ORDER BY link_id")
	must(t, err)
	totals, next := map[int64][]byte{}, int64(0)
	var id, clicks int64
	_, err = pgx.ForEachRow(rows, []any{&id, &clicks}, func() error {
		number := id >> 10
		for next = max(next, number<<10); next < id; next++ {
			totals[number] = append(totals[number], 0)
		}
		totals[number] = binary.AppendUvarint(totals[number], uint64(clicks))
		next = id + 1
		return nil
	})
	must(t, err)
	_, err = conn.CopyFrom(context.Background(), pgx.Identifier{"click_totals"},
		[]string{"id_range", "clicks"}, pgx.CopyFromRows(func() (all [][]any) {
			for number, packed := range totals {
				all = append(all, []any{number, packed})
			}
			return all
		}()))
	must(t, err)
}
