package rows

import (
	"time"

	"terse/internal/click/clickstore"
)

// SetLimit bounds the memory of Rows, in bytes.
func (r *Rows) SetLimit(bytes int) { r.limit = bytes }

// Hurry lets a silent node be noticed quickly: after idle by the server, and after silent by
// another node.
func (w *Writer) Hurry(idle, silent time.Duration) {
	w.pace = pace{idle: idle, patience: silent, between: silent}
}

// Lock is the key of the lock that transactions take.
const Lock = int64(lock)

// Named returns the table that has a name.
func Named(name string) clickstore.Table {
	t := clickstore.Totals
	for t < clickstore.NumTables && tables[t].name != name {
		t++
	}
	return t
}
