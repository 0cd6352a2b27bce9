package sqlite_test

import (
	"path/filepath"
	"testing"

	"terse/internal/database/storetest"
)

func TestWebhooks(t *testing.T) {
	t.Parallel()
	storetest.RunWebhooks(t, func(t *testing.T) (storetest.Store, func(sql string)) {
		path := filepath.Join(t.TempDir(), "terse.db")
		s := openAt(t, path)
		t.Cleanup(func() {
			ran.add(s.Statements())
			must(t, s.Close())
		})
		return s, func(sql string) { byHand(t, path, sql) }
	})
}
