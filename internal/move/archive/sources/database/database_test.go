package database_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/move/archive/sources/database"
	"terse/internal/tests/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// newSQLite returns the path of a new database, and a connection that is open until the test ends.
func newSQLite(t *testing.T, script string) (string, *sqlite.Conn) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "some.db")
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	execute(t, c, script)
	return path, c
}

func execute(t *testing.T, c *sqlite.Conn, script string) {
	t.Helper()
	for _, statement := range strings.SplitAfter(script, ";\n") {
		if err := sqlitex.ExecuteTransient(c, strings.TrimSpace(statement), nil); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func open(t *testing.T, source string) *database.Conn {
	t.Helper()
	c, err := database.Open(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// texts returns the rows of a query, their columns between blanks.
func texts(c *database.Conn, columns int, query string, args ...any) (rows []string, err error) {
	err = c.Query(query, func(r *database.Row) error {
		var row []string
		for i := range columns {
			row = append(row, r.Text(i))
		}
		rows = append(rows, strings.Join(row, " "))
		return r.Err()
	}, args...)
	return rows, err
}

func wantTexts(t *testing.T, c *database.Conn, query string, want ...string) {
	t.Helper()
	rows, err := texts(c, 1, query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	if fmt.Sprint(rows) != fmt.Sprint(want) {
		t.Errorf("%s = %q; want %q", query, rows, want)
	}
}

// TestKinds reads the same from both kinds of database with the same queries.
func TestKinds(t *testing.T) {
	t.Parallel()
	address := pgtest.URL(t)
	pgtest.Exec(t, address, `CREATE TABLE links (id int, code text, banned boolean, hits bigint,
		made timestamptz, local timestamp)`)
	pgtest.Exec(t, address, `INSERT INTO links VALUES
		(1, 'Ä', true, 9007199254740993, '2024-02-29 12:00:00.25+02', '2024-02-29 12:00:00'),
		(2, NULL, NULL, NULL, NULL, NULL), (3, 'c', false, -1, 'infinity', NULL)`)
	path, _ := newSQLite(t, `
		CREATE TABLE links (id integer, code text, banned boolean, hits bigint, made, local);
		INSERT INTO links VALUES
		(1, 'Ä', 1, 9007199254740993, '2024-02-29 10:00:00.25', '2024-02-29 12:00:00'),
		(2, NULL, NULL, NULL, NULL, NULL), (3, 'c', 0, -1, 'infinity', NULL)`)
	for _, source := range []string{address, path} {
		t.Run(strings.SplitN(source, ":", 2)[0], func(t *testing.T) {
			t.Parallel()
			c := open(t, source)
			if !c.Has("links") || !c.Has("links", "id", "made") || c.Has("links", "id", "notes") ||
				c.Has("visits") {
				t.Error("other tables or columns")
			}
			if err := c.Need("links", "id", "notes"); err == nil ||
				err.Error() != "the table links has no column notes" {
				t.Error(err)
			}
			if err := c.Need("visits", "id"); err == nil ||
				err.Error() != "the database has no table visits" {
				t.Error(err)
			}
			if err := c.Need("links", "id"); err != nil {
				t.Error(err)
			}
			var rows []string
			err := c.Query(`SELECT code, banned, hits, made, local, id FROM links
				WHERE id >= $1 AND (code IS NULL OR code <> $2) ORDER BY id`,
				func(r *database.Row) error {
					made := r.Time(3)
					rows = append(rows, fmt.Sprintln(r.IsNull(0), r.Text(0), r.Bool(1), r.Int(2),
						made, r.Time(4), r.Err()))
					return nil
				}, 1, "b")
			if err != nil {
				t.Fatal(err)
			}
			want := []string{
				"false Ä true 9007199254740993 2024-02-29 10:00:00.25 +0000 UTC " +
					"2024-02-29 12:00:00 +0000 UTC <nil>",
				"true  false 0 0001-01-01 00:00:00 +0000 UTC 0001-01-01 00:00:00 +0000 UTC <nil>",
				"false c false -1 0001-01-01 00:00:00 +0000 UTC 0001-01-01 00:00:00 +0000 UTC " +
					`"infinity" is no time`,
			}
			if got := strings.Join(rows, ""); got != strings.Join(want, "\n")+"\n" {
				t.Errorf("rows:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
			}
			err = c.Query("SELECT 1", func(*database.Row) error {
				_, err := texts(c, 1, "SELECT 2")
				return err
			})
			if err == nil || err.Error() != "another query is being read" {
				t.Errorf("a query within a query: %v", err)
			}
			if rows, err := texts(c, 1, "SELECT count(*) FROM links"); err != nil ||
				rows[0] != "3" {
				t.Error(rows, err)
			}
		})
	}
}

// TestValues reads what SQLite stores in columns of any type.
func TestValues(t *testing.T) {
	t.Parallel()
	path, _ := newSQLite(t, `CREATE TABLE v (a)`)
	c := open(t, path)
	day := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]any{
		`'12'`: int64(12), `3.0`: int64(3), `x'3132'`: int64(12),
		`3.5`: `"3.5" is no whole number`, `'12a'`: `"12a" is no whole number`,
		`1e300`: `"1.0e+300" is no whole number`, `''`: `"" is no whole number`,
		`9223372036854775807`: int64(1<<63 - 1),
		`'TRUE'`:              true, `1`: true, `'f'`: false, `2`: `"2" is no truth value`,
		`1709208000`: day, `1709208000000`: day, `'2024-02-29 12:00:00'`: day,
		`'2024-02-29T12:00:00Z'`: day, `'2024-02-29 14:00:00+02:00'`: day,
		`'2024-02-29 14:00:00+02'`: day, `'2024-02-29T12:00:00'`: day,
		`'2024-02-29 12:00:00 +0000 UTC m=+0.5'`: day,
		`'2024-02-29 12:00:00.5'`:                day.Add(time.Second / 2),
		`'yesterday'`:                            `"yesterday" is no time`,
		`9223372036854775806`:                    `"9223372036854775806" is no time`,
	} {
		err := c.Query("SELECT "+text, func(r *database.Row) error {
			var got any
			switch w := want.(type) {
			case int64:
				got = r.Int(0)
			case bool:
				got = r.Bool(0)
			case time.Time:
				got = r.Time(0)
			case string:
				switch {
				case strings.HasSuffix(w, "time"):
					_ = r.Time(0)
				case strings.HasSuffix(w, "number"):
					_ = r.Int(0)
				default:
					_ = r.Bool(0)
				}
				got = fmt.Sprint(r.Err())
			}
			if got != want {
				t.Errorf("%s is %v; want %v", text, got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestCancelled ends a query that would take for ever.
func TestCancelled(t *testing.T) {
	t.Parallel()
	many := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		INSERT INTO many SELECT i FROM n`
	address := pgtest.URL(t)
	pgtest.Exec(t, address, "CREATE TABLE many (i int)")
	pgtest.Exec(t, address, many)
	path, _ := newSQLite(t, "CREATE TABLE many (i);\n"+many)
	for _, source := range []string{address, path} {
		ctx, cancel := context.WithCancel(t.Context())
		c, err := database.Open(ctx, source)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(50*time.Millisecond, cancel)
		_, err = texts(c, 1, "SELECT count(*) FROM many a, many b, many c, many d, many e")
		if err == nil || err.Error() != "context canceled" {
			t.Errorf("cancelled: %v", err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
