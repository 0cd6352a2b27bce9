package rows_test

import (
	"testing"

	"terse/internal/click/clickstore"
	"terse/internal/database/postgres/rows"
	"terse/internal/tests/doctest"
)

// TestFormatOfKeys looks for rows where the page of keys says that they are.
func TestFormatOfKeys(t *testing.T) {
	t.Parallel()
	d := open(t)
	for _, row := range doctest.Table(t, "../../../../docs/format/keys.md", "## Examples") {
		name, part := row[0], doctest.Number(t, row[8])
		key := clickstore.Key{A: doctest.Number(t, row[5]), B: doctest.Number(t, row[6])}
		must(t, d.Write(func(r clickstore.Rows) error {
			return r.Put(rows.Named(name), key, clickstore.Span{First: 1, Last: 2}, []byte("v"))
		}))
		var found int
		must(t, d.pool.QueryRow(t.Context(), "SELECT count(*) FROM "+name+" WHERE part = $1 "+
			"AND a = $2 AND b = $3 AND first = 1 AND last = 2 AND value = 'v'", part, key.A,
			key.B).Scan(&found))
		if found != 1 {
			t.Errorf("%s: not where the page says", row)
		}
	}
}
