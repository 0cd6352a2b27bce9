package rows

import (
	"time"

	"terse/internal/clickstore"
)

// SetLimit has Rows keep no more than some bytes in memory.
func (r *Rows) SetLimit(bytes int) { r.limit = bytes }

// Hurry has a node that goes silent be noticed after moments: idle by the server, and silent by
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
