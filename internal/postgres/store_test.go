package postgres_test

import (
	"os"
	"strings"
	"testing"

	"terse"
	"terse/internal/pgtest"
	"terse/internal/postgres"
	"terse/internal/storetest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) terse.Store {
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
	storetest.RunReopen(t, func(t *testing.T) terse.Store { return openAt(t, url) })
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

// fillRanges says again what rows say that were written by hand, as the migration does.
func fillRanges(t testing.TB, url string) {
	t.Helper()
	script, err := os.ReadFile("schema/0005_ranges.sql")
	must(t, err)
	for sql := range strings.SplitAfterSeq(string(script), ";\n") {
		if rest, fills := strings.CutPrefix(sql, "\nINSERT INTO "); fills {
			pgtest.Exec(t, url, "TRUNCATE "+strings.Fields(rest)[0])
			pgtest.Exec(t, url, sql)
		}
	}
}
