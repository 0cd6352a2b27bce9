package sqlite_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
	"terse/internal/link/derive"
)

// TestPlainSequences: whatever happens to links, by the store and by hand, the rows beside them
// follow.
func TestPlainSequences(t *testing.T) {
	t.Parallel()
	storetest.RunSequences(t, newDatabase(t, true), 400)
}

// TestPlainPlanted: rows that do not follow from their links are named.
func TestPlainPlanted(t *testing.T) {
	t.Parallel()
	storetest.RunPlanted(t, newDatabase(t, false), [][2]string{
		{
			"DELETE FROM link_ranges WHERE created_by = '*'",
			"everybody but authenticated-user has 4 links with IDs from 0 to 1023, and 0 are " +
				"counted",
		},
		{
			"UPDATE links SET ended = 1 WHERE code = 'plain'",
			"ended of link 1 (plain) is 1, its options say 0",
		},
		{
			"UPDATE link_states SET max_clicks = 7 WHERE link_id = 2",
			"max_clicks of link 2 (rich) is 7, its options say 2",
		},
		{
			"DELETE FROM link_states WHERE link_id = 3",
			"link 3 (ended) has no status, which its options don't say",
		},
		{
			"UPDATE link_states SET owner = 'bob' WHERE link_id = 3",
			"there is a state of link 3 (ended) with its former owner bob",
		},
		{
			"INSERT INTO link_sets VALUES ('alice', '#none', 900, 0)",
			"the tag none of alice has an empty row",
		},
		{
			"UPDATE link_sets SET links = links | 32 WHERE name = '#news'",
			"the set for the tag news of alice has link 5 (more), which does not have it",
		},
		{
			"INSERT INTO link_sets VALUES ('alice', '#news', 900, 1)",
			"the set for the tag news of alice has link 57600, which is gone, " +
				"which does not have it",
		},
	})
}

// newDatabase returns an empty database. In one with faults, writes can fail.
func newDatabase(t *testing.T, faults bool) *storetest.Database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	t.Cleanup(func() { must(t, s.Close()) })
	conn, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	t.Cleanup(func() { must(t, conn.Close()) })
	do := func(sql string, args ...any) (texts []string) {
		t.Helper()
		err := sqlitex.Execute(conn, sql, &sqlitex.ExecOptions{
			Args: args,
			ResultFunc: func(row *driver.Stmt) error {
				texts = append(texts, row.ColumnText(0))
				return nil
			},
		})
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return texts
	}
	do("PRAGMA synchronous = OFF")
	db := &storetest.Database{
		Store: s, Triggers: true, MoveDue: s.MoveDue,
		Texts: func(sql string) []string { return do(sql) },
		ByHand: func(sql ...string) {
			do("BEGIN IMMEDIATE")
			for _, one := range sql {
				do(one)
			}
			do("COMMIT")
		},
		Edited: func(sql string) (*derive.Found, error) {
			do("BEGIN IMMEDIATE")
			defer do("ROLLBACK")
			do(sql)
			return sqlite.CompareOn(conn)
		},
		Compare: func(o derive.Options) (*derive.Found, error) {
			return sqlite.Compare(t.Context(), path, o)
		},
	}
	if !faults {
		return db
	}
	ways := []string{"ABORT", "ROLLBACK", "FAIL"}
	do("CREATE TABLE faults (nth INTEGER, way INTEGER)")
	do("INSERT INTO faults VALUES (0, 0)")
	var raise strings.Builder
	for i, way := range ways {
		fmt.Fprintf(&raise, "SELECT RAISE(%s, 'fault') FROM faults WHERE nth = 0 AND way = %d;",
			way, i)
	}
	for _, table := range do("SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN (" +
		"'links', 'former_codes', 'link_states', 'link_changes', 'shares', 'link_ranges', " +
		"'link_sets', 'tags', 'aliases', 'tombstones')") {
		for _, write := range []string{"INSERT", "UPDATE", "DELETE"} {
			do(fmt.Sprintf("CREATE TRIGGER fault_%s_%s BEFORE %[2]s ON %[1]s "+
				"WHEN (SELECT nth FROM faults) > 0 "+
				"BEGIN UPDATE faults SET nth = nth - 1; %[3]s END",
				table, write, raise.String()))
		}
	}
	db.Ways = len(ways)
	db.Fail = func(nth, way int) { do("UPDATE faults SET nth = ?, way = ?", nth, way) }
	return db
}
