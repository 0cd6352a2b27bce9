package postgres_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/link/derive"
	"terse/internal/tests/pgtest"
)

// version1 is a dump of a database of version 1 of the schema: its migration, and the rows of a
// plain link and one with all that a link may have.
const version1 = "testdata/version1.sql"

// TestVersion1 checks that the first migration has not changed.
func TestVersion1(t *testing.T) {
	t.Parallel()
	first, err := os.ReadFile("schema/0001_tables.sql")
	must(t, err)
	if !strings.HasPrefix(readVersion1(t), string(first)) {
		t.Error("the first migration is another than that of the dump")
	}
}

// TestUpgrade migrates a database of version 1 to the newest schema and one step further, and
// checks its contents.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	loadVersion1(t, url)
	pgtest.Exec(t, url, "INSERT INTO links (code, id, url, created_at, created_by) "+
		"VALUES ('of-ci', 9, 'https://example.org/', 1, 'ci')")
	pgtest.Exec(t, url, "INSERT INTO link_ranges VALUES ('ci', 0, 3, 2, 1, 1), "+
		"('ci', 0, 4, -1, 1, 1), ('gone', 0, 3, 1, 1, 1), ('gone', 0, 4, -1, 1, 1)")
	more := migrationsOf(t)
	next := 1
	for name := range more {
		if !strings.HasPrefix(name, "schema/citus_") {
			next++
		}
	}
	more[fmt.Sprintf("schema/%04d_more.sql", next)] = &fstest.MapFile{Data: []byte(`
CREATE TABLE notes (code text PRIMARY KEY, note text NOT NULL);
ALTER TABLE links ADD COLUMN more integer NOT NULL DEFAULT 7;
INSERT INTO notes SELECT code, url FROM links;
`)}
	for range 2 { // the second finds nothing to do
		s := openWith(t, url, more)
		checkVersion1(t, s)
		storetest.WantFirstUsers(t, s)
		must(t, s.Close())
	}
	if n := count(t, url, "SELECT sum(more) FROM links JOIN notes USING (code)"); n != 21 {
		t.Errorf("the migration left %d", n)
	}
	if n := count(t, url, "SELECT max(version) FROM terse_migrations"); n != next {
		t.Errorf("it has version %d, want %d", n, next)
	}
	wantRefused(t, url, "later version")
}

// TestOwnersMigrated: the migration finds the links of all owners that are there.
func TestOwnersMigrated(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := open(t, url)
	storetest.CreateOfOwners(t, s, 200)
	must(t, s.Close())
	scripts, err := filepath.Glob("schema/0*_owners.sql")
	must(t, err)
	script, err := os.ReadFile(scripts[0])
	must(t, err)
	pgtest.Exec(t, url, "DROP INDEX links_of_others")
	pgtest.Exec(t, url, "DELETE FROM link_ranges WHERE owner = '*'")
	pgtest.Exec(t, url, "DELETE FROM link_sets WHERE owner = '*'")
	for statement := range strings.SplitAfterSeq(string(script), ";\n") {
		pgtest.Exec(t, url, statement)
	}
	found, err := postgres.Compare(t.Context(), url, derive.Options{})
	must(t, err)
	if lines := found.Lines(); len(lines) > 0 {
		t.Errorf("rows differ: %q", lines)
	}
}

// TestBeforeTheFirstRelease: a database of a version before the first release is refused and left
// unchanged.
func TestBeforeTheFirstRelease(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	pgtest.Exec(t, url, "CREATE SEQUENCE link_ids")
	wantRefused(t, url, "made by a version before the first release")
	if n := count(t, url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"); n != 0 {
		t.Errorf("it has %d tables", n)
	}
}

func wantRefused(t *testing.T, url, why string) {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.Options{URL: url})
	if err == nil {
		must(t, s.Close())
		t.Fatal("it is opened")
	}
	if !strings.Contains(err.Error(), why) {
		t.Errorf("%v, want it to tell of %q", err, why)
	}
}

func openWith(t *testing.T, url string, migrations fs.FS) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(),
		postgres.WithMigrations(postgres.Options{URL: url}, migrations))
	must(t, err)
	return s
}

func migrationsOf(t *testing.T) fstest.MapFS {
	t.Helper()
	names, err := filepath.Glob("schema/*.sql")
	must(t, err)
	scripts := fstest.MapFS{}
	for _, name := range names {
		script, err := os.ReadFile(name)
		must(t, err)
		scripts[name] = &fstest.MapFile{Data: script}
	}
	return scripts
}

func readVersion1(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile(version1)
	must(t, err)
	return string(script)
}

// loadVersion1 fills an empty database with the dump.
func loadVersion1(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	_, err = conn.Exec(t.Context(), readVersion1(t), pgx.QueryExecModeSimpleProtocol)
	must(t, err)
	must(t, conn.Close(t.Context()))
}

func textsOf(t *testing.T, url, sql string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), sql)
	must(t, err)
	texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	return texts
}

// checkVersion1 checks that a store has everything that is in the dump.
func checkVersion1(t *testing.T, s *postgres.Store) {
	t.Helper()
	series, err := s.Series(t.Context(), terse.AllLinks, storetest.AllTime)
	must(t, err)
	if by := series.By[terse.ByCountry]; by["DE"] != 3 || by["XX"] != 3 {
		t.Errorf("clicks by country: %v", by)
	}
	page, err := s.Links(t.Context(), terse.LinkQuery{
		Owner: terse.Identity, Limit: 10,
		Filter: terse.LinkFilter{Tags: []string{"news"}, Status: terse.Active, Now: time.Now()},
	})
	must(t, err)
	if page.Total != 1 || len(page.Links) != 1 || page.Links[0].Clicks != 3 ||
		page.Links[0].Code != code(t, "managed") || page.Links[0].Used != 1 {
		t.Fatalf("listed %+v", page)
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
	if err != nil || len(history) != 1 || len(history[0].Fields) != 2 {
		t.Errorf("its history is %+v, %v", history, err)
	}
}
