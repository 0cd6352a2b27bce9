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

// BenchmarkUsers lists 10,000 users with 100 links each, as far apart as can be.
func BenchmarkUsers(b *testing.B) {
	path := filepath.Join(b.TempDir(), "terse.db")
	s := openAt(b, path)
	b.Cleanup(func() { must(b, s.Close()) })
	const numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
	byHand(b, path, fmt.Sprintf(numbers, 9_999)+
		"INSERT INTO users (identity, role, created_at) SELECT 'u' || i, 'admin', 0 FROM n",
		fmt.Sprintf(numbers, 999_999)+
			"INSERT INTO link_ranges SELECT 'u' || (i % 10000), i / 10000, 1, 0, 0 FROM n")
	for b.Loop() {
		_, err := s.Users(b.Context(), nil)
		must(b, err)
	}
}
