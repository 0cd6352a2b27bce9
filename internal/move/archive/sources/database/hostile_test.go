package database_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"terse/internal/move/archive/sources/database"
	"terse/internal/tests/pgtest"
)

// tree returns the files of a folder with what is in them.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

// TestLog reads what is in the log of a database that its server has open, through a symbolic link,
// and leaves the folder as it was.
func TestLog(t *testing.T) {
	t.Parallel()
	path, writer := newSQLite(t, `PRAGMA journal_mode = WAL;
		CREATE TABLE links (code);
		INSERT INTO links VALUES ('a')`)
	dir := filepath.Dir(path)
	before := tree(t, dir)
	if len(before["some.db-wal"]) == 0 || len(before["some.db"]) > 4096 {
		t.Fatal("the log is empty")
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, link} {
		c := open(t, path)
		wantTexts(t, c, "SELECT code FROM links", "a")
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	after := tree(t, dir)
	delete(before, "some.db-shm") // the writer's
	delete(after, "some.db-shm")
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Error("the folder has changed")
	}

	// What is read is of one instant.
	c := open(t, path)
	execute(t, writer, "INSERT INTO links VALUES ('b')")
	wantTexts(t, c, "SELECT code FROM links", "a")
	wantTexts(t, open(t, path), "SELECT code FROM links ORDER BY code", "a", "b")
}

// TestNothingLeft finds no copy in the temporary folder, while it is read and later.
func TestNothingLeft(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	path, _ := newSQLite(t, "PRAGMA journal_mode = WAL;\nCREATE TABLE links (code)")
	c := open(t, path)
	broken := filepath.Join(filepath.Dir(path), "broken.db")
	text := bytes.Repeat([]byte("SQLite format 3\x00"), 99)
	if err := os.WriteFile(broken, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := database.Open(t.Context(), broken); err == nil {
		t.Error("a broken file was opened")
	}
	if _, err := database.Open(t.Context(), t.TempDir()); err == nil {
		t.Error("a folder was opened")
	}
	check := func() {
		t.Helper()
		if files, err := os.ReadDir(temporary); err != nil || len(files) > 0 {
			t.Errorf("left: %v, %v", files, err)
		}
	}
	check()
	wantTexts(t, c, "SELECT count(*) FROM links", "0")
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	check()
}

// TestBusy copies a database whose server writes all the time: it is of one instant or an error.
func TestBusy(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"WAL", "DELETE", "TRUNCATE", "PERSIST"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			path, writer := newSQLite(t, "PRAGMA journal_mode = "+mode+`;
				CREATE TABLE account (name, has, filler);
				INSERT INTO account VALUES ('a', 500, zeroblob(100000)), ('b', 500, 0);
				PRAGMA wal_autocheckpoint = 20`)
			ctx, cancel := context.WithCancel(t.Context())
			var writing sync.WaitGroup
			writing.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					execute(t, writer, `BEGIN;
						UPDATE account SET has = has - 1 WHERE name = 'a';
						UPDATE account SET has = has + 1 WHERE name = 'b';
						COMMIT`)
					if n%5 == 0 {
						time.Sleep(time.Duration(n%40) * time.Millisecond)
					}
				}
			})
			for range 3 {
				c, err := database.Open(t.Context(), path)
				if err != nil {
					if !strings.Contains(err.Error(), "it is being written all the time") &&
						!strings.Contains(err.Error(), "a transaction was not finished") {
						t.Error(err)
					}
					continue
				}
				wantTexts(t, c, "SELECT sum(has) FROM account", "1000")
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
			cancel()
			writing.Wait()
			wantTexts(t, open(t, path), "SELECT sum(has) FROM account", "1000")
		})
	}
}

// asked calls itself whenever the context is asked, as copying does.
type asked struct {
	context.Context
	call func()
}

func (a asked) Err() error {
	a.call()
	return a.Context.Err()
}

// TestChanged gives up a database that is changed within each copy.
func TestChanged(t *testing.T) {
	t.Parallel()
	path, _ := newSQLite(t, "CREATE TABLE links (code)")
	at := time.Now().Add(-time.Hour)
	ctx := asked{t.Context(), func() {
		at = at.Add(time.Second)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Error(err)
		}
	}}
	c, err := database.Open(ctx, path)
	if err == nil {
		t.Fatal("it was opened", c.Close())
	}
	if !strings.Contains(err.Error(), "it is being written all the time") {
		t.Error(err)
	}
}

// TestJournal refuses a database whose server died within a transaction. A journal may name a file
// that SQLite deletes when it plays it back.
func TestJournal(t *testing.T) {
	t.Parallel()
	path, writer := newSQLite(t, `CREATE TABLE links (code);
		PRAGMA cache_size = 1;
		BEGIN;
		INSERT INTO links VALUES (zeroblob(100000))`)
	dir := t.TempDir()
	died := filepath.Join(dir, "died.db")
	for name, text := range tree(t, filepath.Dir(path)) {
		name = strings.Replace(name, "some.db", "died.db", 1)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	execute(t, writer, "ROLLBACK")
	before := tree(t, dir)
	if len(before) != 2 {
		t.Fatal("there is no journal")
	}
	_, err := database.Open(t.Context(), died)
	if err == nil || !strings.Contains(err.Error(), "a transaction was not finished") {
		t.Errorf("with a journal: %v", err)
	}
	if fmt.Sprint(before) != fmt.Sprint(tree(t, dir)) {
		t.Error("the folder has changed")
	}
}

// TestLies reads nothing but stored columns of tables.
func TestLies(t *testing.T) {
	t.Parallel()
	path, _ := newSQLite(t, `
		CREATE TABLE other (code, url);
		INSERT INTO other VALUES ('a', 'b');
		CREATE VIEW view AS SELECT code, url FROM other;
		CREATE VIEW endless AS WITH RECURSIVE n(code) AS (SELECT 1 UNION ALL SELECT code + 1 FROM n)
			SELECT count(*) AS code FROM n;
		CREATE VIRTUAL TABLE virtual USING fts5(code, url);
		CREATE TABLE generated (code, url, bad AS (zeroblob(length(code))), worse AS (1) STORED);
		INSERT INTO generated VALUES ('a', 'b')`)
	c := open(t, path)
	for _, table := range []string{
		"view", "endless", "virtual", "virtual_content", "sqlite_dbpage",
		"pragma_table_list",
	} {
		if c.Has(table) {
			t.Errorf("%s is a table", table)
		}
	}
	if c.Has("generated", "bad") || c.Has("generated", "worse") {
		t.Error("a generated column is there")
	}
	wantTexts(t, c, "SELECT code FROM generated", "a")
	wantTexts(t, c, "SELECT count(*) FROM other o JOIN generated g ON o.code = g.code", "1")
	for _, query := range []string{
		"SELECT code FROM view", "SELECT count(*) FROM view", "SELECT code FROM endless",
		"SELECT code FROM virtual", "SELECT count(*) FROM virtual",
		"SELECT c0 FROM virtual_content",
		"SELECT bad FROM generated", "SELECT worse FROM generated", "SELECT * FROM generated",
		"SELECT * FROM pragma_database_list", "SELECT * FROM json_each('[1]')",
		"SELECT count(*) FROM json_each('[1]')", "SELECT data FROM sqlite_dbpage",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
		"INSERT INTO other VALUES (1, 2)", "DELETE FROM other", "DROP TABLE other",
		"CREATE TEMP TABLE t (i)", "ATTACH '/tmp/x' AS x", "ATTACH ':memory:' AS x", "COMMIT",
		"PRAGMA query_only = OFF", "PRAGMA writable_schema = ON", "PRAGMA table_list", "VACUUM",
		"VACUUM INTO '/tmp/x'", "SELECT load_extension('x')", "SELECT 1; SELECT 2",
	} {
		if rows, err := texts(c, 1, query); err == nil {
			t.Errorf("%s is answered: %q", query, rows)
		}
	}
}

// TestLie refuses a schema that calls a view a table.
func TestLie(t *testing.T) {
	t.Parallel()
	path, writer := newSQLite(t, `
		CREATE TABLE other (code, url);
		PRAGMA writable_schema = ON;
		INSERT INTO sqlite_schema VALUES ('table', 'links', 'links', 2,
			'CREATE VIEW links AS SELECT code FROM other')`)
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := database.Open(t.Context(), path)
	if err == nil && c.Has("links") {
		t.Errorf("a view is a table")
	}
	t.Log(err)
}

// TestDamage opens a database with bytes that were changed, and with less and less of it.
func TestDamage(t *testing.T) {
	t.Parallel()
	path, writer := newSQLite(t, `CREATE TABLE links (id INTEGER PRIMARY KEY, code, url);
		CREATE UNIQUE INDEX of_codes ON links (code);
		INSERT INTO links (code, url) VALUES ('a', 'https://example.com'), ('b', zeroblob(9000))`)
	for n := range 8 {
		execute(t, writer, fmt.Sprintf(
			"INSERT INTO links (code, url) SELECT code || '-%d', url FROM links", n))
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := func(text []byte) error {
		if err := os.WriteFile(path+"2", text, 0o600); err != nil {
			t.Fatal(err)
		}
		past := time.Now().Add(-time.Second) // no pause
		if err := os.Chtimes(path+"2", past, past); err != nil {
			t.Fatal(err)
		}
		c, err := database.Open(t.Context(), path+"2")
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.Need("links", "id", "code", "url"); err != nil {
			return err
		}
		_, err = texts(c, 3, "SELECT id, code, url FROM links ORDER BY code")
		return err
	}
	if err := read(good); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for n := range 100 {
		text := bytes.Clone(good)
		if n < 25 {
			text = text[:len(text)*n/25]
		} else {
			for i := range 40 { // most of it near the beginnings of pages
				at := (n*7919 + i*104729) % len(text)
				text[at/4096*4096+at%64] ^= byte(1 + n)
			}
		}
		if err := read(text); err != nil {
			failed++
		} else if n < 25 && n > 0 {
			t.Errorf("%d bytes of %d were read", len(text), len(good))
		}
	}
	if failed < 50 {
		t.Errorf("only %d of 100 failed", failed)
	}
}

// TestHuge bounds values, and the schema.
func TestHuge(t *testing.T) {
	t.Parallel()
	path, _ := newSQLite(t, `CREATE TABLE links (code, url);
		INSERT INTO links VALUES ('a', zeroblob(17000000))`)
	c := open(t, path)
	wantTexts(t, c, "SELECT code FROM links", "a")
	if _, err := texts(c, 2, "SELECT code, url FROM links"); err == nil ||
		!strings.Contains(err.Error(), "too big") {
		t.Errorf("a value of 17 MB: %v", err)
	}
	address := pgtest.URL(t)
	pgtest.Exec(t, address, "CREATE TABLE links (code text, url text)")
	pgtest.Exec(t, address, "INSERT INTO links VALUES ('a', repeat('x', 17000000))")
	c = open(t, address)
	wantTexts(t, c, "SELECT code FROM links", "a")
	if _, err := texts(c, 2, "SELECT code, url FROM links"); err == nil ||
		!strings.Contains(err.Error(), "invalid body length") {
		t.Errorf("a row of 17 MB: %v", err)
	}

	for what, sql := range map[string]string{
		"more than 1000 tables": `SELECT 'table', 't' || i, 't' || i, 2,
			'CREATE TABLE t' || i || ' (a)' FROM n`,
		"too many columns": `SELECT 'table', 't', 't', 2,
			'CREATE TABLE t (' || group_concat('c' || i) || ')' FROM n`,
		"too big": `SELECT 'table', 't', 't', 2,
			'CREATE TABLE t (a ' || group_concat('/* ' || hex(zeroblob(1000))) || ')' FROM n`,
	} {
		path, writer := newSQLite(t, "CREATE TABLE links (code);\nPRAGMA writable_schema = ON")
		execute(t, writer, `INSERT INTO sqlite_schema WITH RECURSIVE n(i) AS (
			SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) `+sql)
		if _, err := database.Open(t.Context(), path); err == nil ||
			!strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestFiles opens what is no database.
func TestFiles(t *testing.T) {
	t.Parallel()
	path, _ := newSQLite(t, "CREATE TABLE links (code)")
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("code,url\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{path: true, text: false, dir: false, os.DevNull: false}
	for name, want := range kinds {
		if is, err := database.IsFile(name); is != want || err != nil {
			t.Errorf("%s: %t, %v", name, is, err)
		}
	}
	// Nothing is read of a pipe, for its reader gets the rest.
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if _, err := write.WriteString("SQLite format 3\x00"); err != nil {
		t.Fatal(err)
	}
	if is, err := database.IsFile(fmt.Sprintf("/dev/fd/%d", read.Fd())); is || err != nil {
		t.Errorf("a pipe: %t, %v", is, err)
	}
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(read); len(rest) != 16 || err != nil {
		t.Errorf("of a pipe are left %q, %v", rest, err)
	}
	if _, err := database.IsFile(filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Error(err)
	}
	for _, name := range []string{text, dir, os.DevNull, filepath.Join(dir, "none")} {
		if _, err := database.Open(t.Context(), name); err == nil {
			t.Errorf("%s was opened", name)
		}
	}
	if err := os.Symlink(dir, path+"-wal"); err != nil {
		t.Fatal(err)
	}
	if _, err := database.Open(t.Context(), path); err == nil {
		t.Error("opened with a log that is a folder")
	}
}

// TestPostgres reads one snapshot, no views, and nothing that a policy hides.
func TestPostgres(t *testing.T) {
	t.Parallel()
	address := pgtest.URL(t)
	for _, sql := range []string{
		"CREATE TABLE links (code text)", "INSERT INTO links VALUES ('a')",
		"CREATE VIEW view AS SELECT code FROM links",
		"CREATE MATERIALIZED VIEW stored AS SELECT code FROM links",
		"CREATE TABLE parts (code text) PARTITION BY LIST (code)",
		"CREATE SEQUENCE numbers", "CREATE SCHEMA hidden", "CREATE TABLE hidden.users (code text)",
	} {
		pgtest.Exec(t, address, sql)
	}
	c := open(t, address)
	pgtest.Exec(t, address, "INSERT INTO links VALUES ('b')")
	wantTexts(t, c, "SELECT code FROM links", "a")
	if !c.Has("links", "code") || !c.Has("parts") || c.Has("view") || c.Has("stored") ||
		c.Has("users") {
		t.Error("other tables")
	}
	for query, want := range map[string]string{
		"SELECT code FROM view":                   "non-system view",
		"SELECT nextval('numbers')":               "read-only",
		"DELETE FROM links RETURNING code":        "read-only",
		"SELECT code FROM links FOR UPDATE":       "read-only",
		"SELECT repeat('x', 17000000) FROM links": "invalid body length",
	} {
		c := open(t, address)
		if _, err := texts(c, 1, query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", query, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}

	if err := c.Close(); err != nil { // before it waits for the change
		t.Error(err)
	}
	pgtest.Exec(t, address, "ALTER TABLE links ENABLE ROW LEVEL SECURITY")
	pgtest.Exec(t, address, "CREATE POLICY none ON links USING (code = 'a')")
	role := fmt.Sprintf("reader%d", time.Now().UnixNano())
	pgtest.Exec(t, address, "CREATE ROLE "+role+" LOGIN")
	t.Cleanup(func() {
		pgtest.Exec(t, address, "DROP OWNED BY "+role)
		pgtest.Exec(t, address, "DROP ROLE "+role)
	})
	pgtest.Exec(t, address, "GRANT SELECT ON links TO "+role)
	_, host, _ := strings.Cut(address, "@")
	c = open(t, "postgres://"+role+"@"+host)
	if _, err := texts(c, 1, "SELECT code FROM links"); err == nil ||
		!strings.Contains(err.Error(), "row-level security") {
		t.Errorf("rows that a policy hides: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestPassword has no password in an error.
func TestPassword(t *testing.T) {
	t.Parallel()
	host, _, _ := strings.Cut(strings.SplitN(pgtest.URL(t), "@", 2)[1], "/")
	for _, address := range []string{
		"postgres://postgres:geheim@" + host + "/missing",
		"postgres://postgres:geheim@" + host + "/missing?password=geheim",
		"postgres://nobody:geheim@" + host + "/postgres",
		"postgres://postgres:geheim@127.0.0.1:1/x",
		"postgres://postgres:ge#geheim@127.0.0.1:1/x",
		"postgres://postgres:%geheim@127.0.0.1:1/x",
		"postgres://postgres:/geheim@127.0.0.1:1/x",
		"postgres://a:b:geheim@h:geheim/x",
		"postgres://postgres:ge@geheim@127.0.0.1:1/x",
		"postgresql://postgres:geheim@127.0.0.1:1/x?sslmode=geheim",
	} {
		_, err := database.Open(t.Context(), address)
		if err == nil || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
