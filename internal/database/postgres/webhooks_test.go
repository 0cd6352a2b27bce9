package postgres_test

import (
	"testing"
	"time"

	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

func TestWebhooks(t *testing.T) {
	t.Parallel()
	storetest.RunWebhooks(t, func(t *testing.T) (storetest.Store, func(sql string)) {
		url := pgtest.URL(t)
		s, err := postgres.Open(t.Context(), postgres.WithTracer(
			postgres.Options{URL: url, Timeout: time.Minute}, &ran))
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		return s, func(sql string) { pgtest.Exec(t, url, sql) }
	})
}
