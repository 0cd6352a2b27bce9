package rows

import (
	"time"

	"terse/internal/clickstore"
)

// SetLimit has Rows keep no more than some bytes in memory.
func (r *Rows) SetLimit(bytes int) { r.limit = bytes }

// Hurry has a Writer look at a node that has the lock after a moment, and again.
func (w *Writer) Hurry(patience, between time.Duration) { w.pace = pace{patience, between} }

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
