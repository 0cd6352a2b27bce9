package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
)

// readsAll names the statements that may read many rows, by a part of their text, with the reason.
var readsAll = map[string]string{
	// An export has an owner's links in the order of their codes, and needs the clicks of all.
	"created_by = ? ORDER BY code":                "It passes over those of others once.",
	"FROM links WHERE created_by = ? ORDER BY id": "It adds them up.",
	"AND code < ? ORDER BY code":                  "It is of all owners, on a domain.",
	"SELECT id FROM links ORDER BY id":            "It adds up all links.",
	"FROM tags GROUP BY tag, name":                "It adds up all tags.",
	"FROM links WHERE id BETWEEN":                 "A search reads all links of a range.",
	"ORDER BY s.owner, s.created_at, s.hash":      "It is an export, too.",
	// The retention looks at the times of all rows, so many at once.
	"LIMIT 1 OFFSET ?2":       "It finds the last of so many.",
	"AND first < ?2 ORDER BY": "It finds those that are old.",
	// The hashes of a day's visitors are deleted, all of them.
	"DELETE FROM visitor_hashes": "They have a table to themselves.",
	"FROM sqlite_schema":         "The schema has a few dozen rows.",
	// The sizes of all kept answers are added up after a start.
	"SELECT kept_at, length(body) FROM answers": "They take 256 MiB at most.",
	// An admin lists what all have.
	"FROM users AS u ORDER BY":  "It returns all users.",
	"FROM tokens AS t ORDER BY": "It returns the newest of all tokens.",
	"FROM users WHERE email =":  "There are 20,000 at most, and addresses seldom change.",
	// A start with IGNORE_CASE looks for addresses that are alike.
	"GROUP BY code COLLATE NOCASE": "It compares all codes.",
	"GROUP BY folded":              "It compares all aliases.",
	"FROM aliases JOIN links ON":   "It compares all aliases with all codes.",
}

// TestPlainPlans lets a store run its statements in tables with many rows that they do not want.
// None may read many of them, nor walk a table or an index without choosing some rows by its key.
func TestPlainPlans(t *testing.T) {
	t.Parallel()
	for _, ignoreCase := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), fmt.Sprint(ignoreCase, ".db"))
		must(t, openAt(t, path).Close())
		addStrangers(t, path)
		for sql, work := range useAll(t, path, ignoreCase) {
			if (work.Steps > 20*work.Runs || work.Ops > 20_000*work.Runs) && !mayReadAll(sql) {
				t.Errorf("%+v of %s", work, sql)
			}
		}
	}
}

// TestAllStatements has a store run each statement.
func TestAllStatements(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	for _, ignoreCase := range []bool{false, true} {
		useAll(t, path, ignoreCase)
	}
}

// useAll has a store run each statement that it has, and returns their work.
func useAll(t *testing.T, path string, ignoreCase bool) map[string]sqlite.Work {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, IgnoreCase: ignoreCase})
	must(t, err)
	if !ignoreCase {
		storetest.UseAll(t, s)
		_, err = s.MoveDue(t.Context())
		must(t, err)
		undo := errors.New("undo")
		if err := s.UseRows(t.Context(), func(r clickstore.Rows) error {
			storetest.UseRows(t, r, r)
			return undo
		}); !errors.Is(err, undo) {
			t.Fatal(err)
		}
	} else {
		storetest.UseAddresses(t, s)
	}
	all := s.Statements()
	must(t, s.Close())
	known.add(all)
	return all
}

func mayReadAll(sql string) bool {
	for part := range readsAll {
		if strings.Contains(sql, part) {
			return true
		}
	}
	return false
}

// Statements that useAll has run, and those that the stores of other tests have.
var known, ran statements

// statements is a set of statements.
type statements struct {
	mu  sync.Mutex
	all map[string]sqlite.Work
}

func (s *statements) add(all map[string]sqlite.Work) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]sqlite.Work{}
	}
	for sql, work := range all {
		if planned.MatchString(sql) {
			s.all[sql] = work
		}
	}
}

// planned matches statements that read or write tables.
var planned = regexp.MustCompile(`^\s*(SELECT|INSERT|REPLACE|UPDATE|DELETE|WITH)\b`)

// TestMain fails if tests have run a statement that useAll, if it has run, has not.
func TestMain(m *testing.M) {
	code := m.Run()
	if len(known.all) > 0 {
		for sql := range ran.all {
			if _, ok := known.all[sql]; !ok {
				fmt.Fprintf(os.Stderr, "TestPlainPlans does not know this statement: "+
					"storetest.UseAll has to make a store run it.\n%s\n", sql)
				code = 1
			}
		}
	}
	os.Exit(code)
}

// addStrangers fills tables with rows of others: links of another owner with all that belongs to
// them, and clicks of links of no one.
func addStrangers(t *testing.T, path string) {
	t.Helper()
	conn, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	run := func(sql string) {
		t.Helper()
		must(t, sqlitex.ExecuteTransient(conn, sql, nil))
	}
	const (
		some  = " FROM i"
		these = "WITH RECURSIVE i (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 20000) "
		id    = "(1 << 30) + i"
	)
	insert := func(into, values string) {
		t.Helper()
		run(these + "INSERT INTO " + into + " SELECT " + values + some)
	}
	run("BEGIN")
	insert("links (id, code, url, created_at, created_by)", id+", 'stranger' || i, "+
		"'https://example.org/' || i, 1600000000000000 + i, 'stranger' || (i % 3)")
	insert("aliases (folded, address, link_id)", "'their/' || i, 'their/' || i, "+id)
	insert("former_codes", id+", 'theirs' || i")
	insert("link_changes", "(1 << 30) + i / 5, i, '', '', '{}'")
	insert("link_states", id+", 'stranger', 1, -1 << 63, 9223372036854775807, 0, 0, 'disabled', "+
		"-1 << 63, 9223372036854775807")
	insert("link_sets", "'stranger' || i, 'disabled', i, 1")
	insert("shares (link_id, share, hash, owner)",
		id+", CAST(i AS BLOB), CAST('hash' || i AS BLOB), 'stranger' || (i % 3)")
	insert("answers", "CAST(i AS BLOB), unixepoch() * 1000000, x'', 200, '', x''")
	insert("unknown_codes", "50000 + i / 10, i, x''") // days to come
	insert("audit (at, actor, via, token, action, target, details, address, request_id)",
		"(unixepoch() - 600) * 1000000 + i, 'stranger' || (i % 3), '', '', 'link.update', "+
			"'stranger' || i, '', '', ''")
	insert("tags", "'stranger', 'tag' || i, 'tag' || i, 1")
	run("INSERT OR IGNORE INTO owner_numbers (owner) VALUES ('authenticated-user'), ('*')")
	insert("owner_numbers (owner)", "'stranger' || i")
	insert("users (identity, role, issuer, subject, created_at)",
		"'stranger' || i, 'viewer', 'https://id.example', 'them' || i, 0")
	run("DELETE FROM users WHERE identity LIKE 'stranger1%'") // there is room for more
	insert("tokens", "'theirs' || i, CAST(i AS BLOB), 'stranger' || (i % 200), i, 'viewer', "+
		"'', i, "+
		"'', 0, 0")
	insert("sessions", "CAST(i AS BLOB), 'stranger' || (i % 200), 'theirs' || i, i, "+
		"8000000000000000000")
	insert("tombstones (link_id, code, deleted, applied, number, random, at)", id+
		", 'theirs' || i, i % 2, 1, i + 1, i, 9000000000000000000")
	for table := range strings.FieldsSeq(
		"totals level0 level1 visitor_hashes_even visitor_hashes_odd") {
		insert(table, "(1 << 60) + i, 8000000000000000000, 8000000000000000000, zeroblob(200)")
	}
	for table := range strings.FieldsSeq("level2 day_counts month_counts dropped_counts") {
		insert(table, "(1 << 60) + i / 10, i % 10, 8000000000000000000, 8000000000000000000, "+
			"zeroblob(200)")
	}
	run("COMMIT")
	must(t, conn.Close())
}
