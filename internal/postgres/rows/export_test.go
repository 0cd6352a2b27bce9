package rows

import "time"

// SetLimit has Rows keep no more than some bytes in memory.
func (r *Rows) SetLimit(bytes int) { r.limit = bytes }

// Hurry has a node that goes silent be noticed after moments: idle by the server, and silent by
// another node.
func (w *Writer) Hurry(idle, silent time.Duration) {
	w.pace = pace{idle: idle, patience: silent, between: silent}
}
