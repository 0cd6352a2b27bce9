package rows

import "terse/internal/click/clickstore"

// WithoutValues are statements that read none.
func WithoutValues() []string {
	t := tables[clickstore.Level2]
	return []string{t.sizes, t.old}
}

// Named returns the table that has a name.
func Named(name string) clickstore.Table {
	t := clickstore.Totals
	for t < clickstore.NumTables && tables[t].name != name {
		t++
	}
	return t
}
