package rows

import "time"

// SetLimit has Rows keep no more than some bytes in memory.
func (r *Rows) SetLimit(bytes int) { r.limit = bytes }

// Hurry has a Writer look at a node that has the lock after a moment, and again.
func (w *Writer) Hurry(patience, between time.Duration) { w.pace = pace{patience, between} }

// Lock is the key of the lock that transactions take.
const Lock = int64(lock)
