package postgres_test

import (
	"os"
	"testing"

	"terse"
	"terse/internal/pgtest"
	"terse/internal/postgres"
	"terse/internal/storetest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) terse.Store {
		s := openAt(t, pgtest.URL(t))
		t.Cleanup(func() { must(t, s.Close()) })
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
