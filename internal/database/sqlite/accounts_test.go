package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"terse"
	"terse/internal/database/storetest"
)

// TestManyUsers: of several that would be the last one, one is created.
func TestManyUsers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	t.Cleanup(func() { must(t, s.Close()) })
	byHand(t, path, fmt.Sprintf("WITH RECURSIVE n (i) AS "+
		"(SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "+
		"INSERT INTO users (identity, role, created_at) SELECT 'u' || i, 'admin', 0 FROM n",
		terse.MaxUsers))
	storetest.LastUser(t, s, s)
	if n := queryByHand(t, path, "SELECT count(*) FROM users"); n != terse.MaxUsers {
		t.Errorf("there are %d users", n)
	}
}

// TestAccountsByHand: what belongs to a user goes with it, however it is deleted, and rows that
// can't be read grant nothing.
func TestAccountsByHand(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	t.Cleanup(func() { must(t, s.Close()) })
	storetest.AccountsByHand(t, s, func(sql string) { byHand(t, path, sql) })
}
