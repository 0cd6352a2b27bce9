package rows_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/rows"
	"terse/internal/database/storetest/rowstest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// database is a database of rows.
type database struct {
	t    testing.TB
	path string
	conn *sqlite.Conn
}

// open makes an empty database.
func open(t testing.TB) *database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.db")
	conn, err := sqlite.OpenConn(path)
	must(t, err)
	t.Cleanup(func() { must(t, conn.Close()) })
	// Losing writes with the machine is not tested here.
	must(t, sqlitex.ExecuteTransient(conn, "PRAGMA synchronous = OFF", nil))
	schema, err := os.ReadFile("../schema/0001_tables.sql")
	must(t, err)
	must(t, sqlitex.ExecuteScript(conn, string(schema), nil))
	return &database{t, path, conn}
}

func (d *database) Write(f func(clickstore.Rows) error) (err error) {
	defer sqlitex.Transaction(d.conn)(&err)
	return f(rows.New(d.conn))
}

func (d *database) Read(f func(clickstore.Reader) error) (err error) {
	defer sqlitex.Transaction(d.conn)(&err)
	return f(rows.New(d.conn))
}

func (d *database) Wipe(t clickstore.Table) error {
	for {
		more, err := d.wipeSome(t)
		if err != nil || !more {
			return err
		}
	}
}

func (d *database) wipeSome(t clickstore.Table) (more bool, err error) {
	defer sqlitex.Transaction(d.conn)(&err)
	return rows.Wipe(d.conn, t)
}

func TestRows(t *testing.T) {
	t.Parallel()
	rowstest.Run(t, 8, func(t testing.TB) rowstest.Database { return open(t) })
}

func FuzzRows(f *testing.F) {
	rowstest.Fuzz(f, open(f))
}

// inFiles reports whether the files of a database hold some bytes, once its log is empty.
func (d *database) inFiles(text []byte) (found bool) {
	d.t.Helper()
	must(d.t, sqlitex.ExecuteTransient(d.conn, "PRAGMA wal_checkpoint(TRUNCATE)", nil))
	files, err := filepath.Glob(d.path + "*")
	must(d.t, err)
	for _, name := range files {
		content, err := os.ReadFile(name)
		must(d.t, err)
		found = found || bytes.Contains(content, text)
	}
	return found
}

// TestVisitorsAreOverwritten looks for hashes in the files after they were deleted.
func TestVisitorsAreOverwritten(t *testing.T) {
	t.Parallel()
	secret := []byte("hash of a visitor ")
	put := func(d *database) {
		must(t, d.Write(func(rows clickstore.Rows) error {
			for a := range int64(2500) {
				v := bytes.Repeat(secret, 1+int(a)%500)
				if err := rows.Put(clickstore.VisitorsOdd, clickstore.Key{A: a - 5, B: a % 3},
					clickstore.Span{}, v); err != nil {
					return err
				}
			}
			return nil
		}))
		if !d.inFiles(secret) {
			t.Fatal("what was written is not in the files")
		}
	}
	t.Run("delete", func(t *testing.T) {
		t.Parallel()
		d := open(t)
		for range 2 {
			put(d)
			must(t, d.Write(func(rows clickstore.Rows) error {
				for a := range int64(2500) {
					if err := rows.Delete(clickstore.Range{
						Table: clickstore.VisitorsOdd, A: a - 5, From: math.MinInt64,
						To: math.MaxInt64,
					}); err != nil {
						return err
					}
				}
				return nil
			}))
			if d.inFiles(secret) {
				t.Fatal("what was deleted is in the files")
			}
		}
	})
	t.Run("wipe", func(t *testing.T) {
		t.Parallel()
		d := open(t)
		for range 2 {
			put(d)
			more, err := d.wipeSome(clickstore.VisitorsOdd)
			must(t, err)
			if !more {
				t.Error("2,500 rows were wiped in one transaction")
			}
			must(t, d.Wipe(clickstore.VisitorsOdd))
			if d.inFiles(secret) {
				t.Fatal("what was wiped is in the files")
			}
		}
	})
}

// TestNoValuesAreRead checks by SQLite's plans that it reads sizes, and which rows are old, from
// the index.
func TestNoValuesAreRead(t *testing.T) {
	t.Parallel()
	d := open(t)
	for _, sql := range rows.WithoutValues() {
		stmt, _, err := d.conn.PrepareTransient("EXPLAIN QUERY PLAN " + sql)
		must(t, err)
		defer stmt.Finalize()
		found, err := stmt.Step()
		must(t, err)
		if plan := stmt.ColumnText(3); !found || !strings.Contains(plan, "COVERING INDEX") {
			t.Errorf("%s: %s", sql, plan)
		}
	}
}

func TestKeyOutOfRange(t *testing.T) {
	t.Parallel()
	r := rows.New(open(t).conn)
	for _, k := range []clickstore.Key{{A: 1 << 39}, {A: -1<<39 - 1}, {B: 1 << 24}, {B: -1}} {
		err := r.Put(clickstore.Level0, k, clickstore.Span{}, nil)
		if err == nil || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("put %v: %v", k, err)
		}
		if err := r.Get(clickstore.Level0, k, nil); err == nil {
			t.Errorf("get %v: no error", k)
		}
	}
}

// BenchmarkRewrites writes 60 batches of 782 totals and 49 runs.
// Looking for old rows takes little time at once, however many rows are young, and goes on.
func TestOldGoesInParts(t *testing.T) {
	t.Parallel()
	for _, table := range []clickstore.Table{clickstore.Level0, clickstore.Level2} {
		d := open(t)
		const rowsInAll, last = 30_000, 30_000
		must(t, d.Write(func(r clickstore.Rows) error {
			for a := range int64(rowsInAll) {
				span := clickstore.Span{First: 100, Last: 100}
				if a == last-1 {
					span.First = 1
				}
				if err := r.Put(table, clickstore.Key{A: a}, span, []byte("x")); err != nil {
					return err
				}
			}
			return nil
		}))
		var found []int64
		after, turns, done := int64(-1), 0, false
		for ; !done; turns++ {
			must(t, d.Write(func(r clickstore.Rows) (err error) {
				before := after
				after, done, err = r.Old(table, 0, after, 50, 10, func(a int64) {
					found = append(found, a)
				})
				if after <= before {
					t.Fatalf("table %d: it stays at %d", table, after)
				}
				return err
			}))
		}
		if turns < 3 || !slices.Equal(found, []int64{last - 1}) {
			t.Errorf("table %d: %d turns find %v", table, turns, found)
		}
	}
}

func BenchmarkRewrites(b *testing.B) {
	for b.Loop() {
		d := open(b)
		must(b, sqlitex.ExecuteTransient(d.conn, "PRAGMA synchronous = FULL", nil))
		rowstest.BenchRewrites(b, d)
		info, err := os.Stat(d.path)
		must(b, err)
		b.ReportMetric(float64(info.Size())/1e6, "MB")
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*rowstest.Rewrites), "ms/batch")
}
