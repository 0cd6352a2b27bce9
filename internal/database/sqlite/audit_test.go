package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
)

func TestAudit(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	off, err := sqlite.Open(t.Context(),
		sqlite.Options{Path: path, Timeout: time.Minute, NoAudit: true})
	must(t, err)
	t.Cleanup(func() { must(t, off.Close()) })
	storetest.RunAudit(t, s, s, off, func(sql string) { byHand(t, path, sql) })
}
