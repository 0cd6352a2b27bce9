package rows_test

import (
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/rows"
	"terse/internal/tests/doctest"
)

// TestFormatOfKeys looks for rows where the page of keys says that they are.
func TestFormatOfKeys(t *testing.T) {
	t.Parallel()
	d := open(t)
	for _, row := range doctest.Table(t, "../../../../docs/format/keys.md", "## Examples") {
		name, a, b, id := row[0], row[5], row[6], row[7]
		key := clickstore.Key{A: doctest.Number(t, a), B: doctest.Number(t, b)}
		must(t, d.Write(func(r clickstore.Rows) error {
			return r.Put(rows.Named(name), key, clickstore.Span{First: 1, Last: 2}, []byte("v"))
		}))
		where := " WHERE a = " + a + " AND b = " + b
		if id != "" {
			where = " WHERE id = " + id
		}
		found := 0
		must(t, sqlitex.ExecuteTransient(d.conn, "SELECT first, last, value FROM "+name+where,
			&sqlitex.ExecOptions{ResultFunc: func(stmt *sqlite.Stmt) error {
				found++
				if stmt.ColumnInt(0) != 1 || stmt.ColumnInt(1) != 2 || stmt.ColumnText(2) != "v" {
					t.Errorf("%s: another row", row)
				}
				return nil
			}}))
		if found != 1 {
			t.Errorf("%s: not where the page says", row)
		}
	}
}
