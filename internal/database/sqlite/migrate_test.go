package sqlite_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
	"terse/internal/link/derive"
)

// version1 is a dump of a database of version 1 of the schema: a plain link, and one with all that
// a link may have.
const version1 = "testdata/version1.sql"

// TestVersion1 checks that the first migration has not changed.
func TestVersion1(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("schema/0001_tables.sql")
	must(t, err)
	first := filepath.Join(t.TempDir(), "first.db")
	runScript(t, first, string(script))
	if got, want := schemaOf(t, loadVersion1(t)), schemaOf(t, first); !slices.Equal(got, want) {
		t.Errorf("version 1 was %q, now it is %q", got, want)
	}
}

// TestUpgrade migrates a database of version 1 to the newest schema and one step further: it then
// has the schema of a new database, and its old contents.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	more := migrationsOf(t, "schema/*.sql")
	next := int64(len(more) + 1)
	more[fmt.Sprintf("schema/%04d_more.sql", next)] = &fstest.MapFile{Data: []byte(`
		CREATE TABLE notes (link_id INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;
		ALTER TABLE links ADD COLUMN more INTEGER NOT NULL DEFAULT 7;
		INSERT INTO notes SELECT id, code FROM links;`)}
	path, fresh := loadVersion1(t), filepath.Join(t.TempDir(), "fresh.db")
	for _, owner := range []string{"ci", "gone"} {
		byHand(t, path, "INSERT INTO links (code, url, created_at, created_by) "+
			"VALUES ('of-"+owner+"', 'https://example.org/', 1, '"+owner+"')")
	}
	byHand(t, path, "DELETE FROM links WHERE created_by = 'gone'")
	must(t, openWith(t, fresh, more).Close())
	s := openWith(t, path, more)
	checkVersion1(t, s)
	storetest.WantFirstUsers(t, s)
	create(t, s, "after")
	must(t, s.Close())
	if got, want := schemaOf(t, path), schemaOf(t, fresh); !slices.Equal(got, want) {
		t.Errorf("the schema is %q, a new database has %q", got, want)
	}
	if n := queryByHand(t, path, "PRAGMA user_version"); n != next {
		t.Errorf("it has version %d, want %d", n, next)
	}
	n := queryByHand(t, path, "SELECT sum(more) FROM links JOIN notes ON id = link_id")
	if n != 21 {
		t.Errorf("the migration left %d", n)
	}
	if _, err := sqlite.Open(t.Context(), sqlite.Options{Path: path}); err == nil ||
		!strings.Contains(err.Error(), "later version") {
		t.Errorf("an earlier program opens it: %v", err)
	}
}

// TestOwnersMigrated: the migration finds the links of all owners that are there.
func TestOwnersMigrated(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	storetest.CreateOfOwners(t, s, 200)
	must(t, s.Close())
	scripts, err := filepath.Glob("schema/*_owners.sql")
	must(t, err)
	script, err := os.ReadFile(scripts[0])
	must(t, err)
	runScript(t, path, `DROP INDEX links_of_others;
		DROP TRIGGER link_of_others_inserted; DROP TRIGGER link_range_of_others_updated;
		DROP TRIGGER link_of_others_given; DROP TRIGGER link_of_others_deleted;
		DELETE FROM link_ranges WHERE created_by = '*'; DELETE FROM link_sets WHERE owner = '*';`)
	runScript(t, path, string(script))
	found, err := sqlite.Compare(t.Context(), path, derive.Options{})
	must(t, err)
	if lines := found.Lines(); len(lines) > 0 {
		t.Errorf("rows differ: %q", lines)
	}
}

func openWith(t *testing.T, path string, migrations fs.FS) *sqlite.Store {
	t.Helper()
	o := sqlite.Options{Path: path}
	s, err := sqlite.Open(t.Context(), sqlite.WithMigrations(o, migrations))
	must(t, err)
	return s
}

// migrationsOf returns the scripts that a pattern finds.
func migrationsOf(t *testing.T, pattern string) fstest.MapFS {
	t.Helper()
	names, err := filepath.Glob(pattern)
	must(t, err)
	scripts := fstest.MapFS{}
	for _, name := range names {
		script, err := os.ReadFile(name)
		must(t, err)
		scripts[name] = &fstest.MapFile{Data: script}
	}
	return scripts
}

// loadVersion1 makes a database of the dump.
func loadVersion1(t *testing.T) (path string) {
	t.Helper()
	script, err := os.ReadFile(version1)
	must(t, err)
	path = filepath.Join(t.TempDir(), "version1.db")
	runScript(t, path, string(script))
	return path
}

func runScript(t *testing.T, path, script string) {
	t.Helper()
	conn, err := driver.OpenConn(path, driver.OpenReadWrite, driver.OpenCreate)
	must(t, err)
	must(t, sqlitex.ExecuteScript(conn, script, nil))
	must(t, conn.Close())
}

// checkVersion1 checks that a store has everything that is in the dump.
func checkVersion1(t *testing.T, s *sqlite.Store) {
	t.Helper()
	for name, want := range map[string]int64{"DE": 3, "XX": 3} {
		all, err := s.Series(t.Context(), terse.AllLinks, storetest.AllTime)
		must(t, err)
		if got := all.By[terse.ByCountry][name]; got != want {
			t.Errorf("%d clicks from %s, want %d", got, name, want)
		}
	}
	for _, f := range []terse.LinkFilter{
		{Tags: []string{"news"}},
		{Tags: []string{"news"}, Status: terse.Active, Now: time.Now()},
		{Status: terse.UsedUp, Now: time.Now()},
	} {
		q := terse.LinkQuery{Owner: terse.Identity, Limit: 10, Filter: f}
		if f.Status == terse.UsedUp {
			link, err := s.Link(t.Context(), code(t, "managed"))
			must(t, err)
			must(t, s.Take(t.Context(), link.Ref()))
		}
		page, err := s.Links(t.Context(), q)
		must(t, err)
		if page.Total != 1 || len(page.Links) != 1 || page.Links[0].Clicks != 3 ||
			page.Links[0].Code.String() != "managed" {
			t.Errorf("%+v: %+v", f, page)
		}
	}
	for archived, want := range map[bool]int64{true: 0, false: 3} {
		page, err := s.Links(t.Context(), terse.LinkQuery{
			Owner: terse.AllOwners, Limit: 10, Filter: terse.LinkFilter{Archived: &archived},
		})
		must(t, err)
		if page.Total != want || len(page.Links) != int(want) {
			t.Errorf("archived %v: %d links", archived, page.Total)
		}
	}
	shared, link, err := s.Shared(t.Context(),
		terse.Share("\x01\x02\x03"+strings.Repeat("\x00", 13)))
	must(t, err)
	all, err := s.SharesOf(t.Context(), terse.Identity)
	if err != nil || len(all) != 1 || all[0] != shared || !shared.IsPlain() ||
		shared.Target != (terse.ShareTarget{Owner: terse.Identity, Link: link.Ref()}) {
		t.Errorf("it has the shares %+v, %v", all, err)
	}
	history, err := s.History(t.Context(), link.Ref())
	if err != nil || len(history) != 1 || len(history[0].Fields) != 3 {
		t.Errorf("its history is %+v, %v", history, err)
	}
}

// schemaOf returns the schema of a database.
func schemaOf(t *testing.T, path string) (objects []string) {
	t.Helper()
	eachRow(t, path, "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY type, name",
		func(row *driver.Stmt) { objects = append(objects, row.ColumnText(0)) })
	return objects
}

func eachRow(t *testing.T, path, sql string, f func(*driver.Stmt)) {
	t.Helper()
	conn, err := driver.OpenConn(path, driver.OpenReadOnly)
	must(t, err)
	must(t, sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{
		ResultFunc: func(row *driver.Stmt) error {
			f(row)
			return nil
		},
	}))
	must(t, conn.Close())
}
