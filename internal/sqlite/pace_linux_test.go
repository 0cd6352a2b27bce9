package sqlite

import (
	"os"
	"testing"
)

// SQLite writes through politeWrite, and gives it what pwrite gets. Not parallel: what others write
// counts, too.
func TestPace(t *testing.T) { //nolint:paralleltest // see above
	s := openTemp(t)
	size := func() int64 {
		log, err := os.Stat(s.path + "-wal")
		must(t, err)
		return log.Size()
	}
	w := <-s.writer // and nobody else writes
	defer func() { s.writer <- w }()
	bytes, before := size(), written.Load()
	must(t, w.transact(t.Context(), func() error {
		return executeScript(w.conn,
			"CREATE TABLE large (b); INSERT INTO large VALUES (zeroblob(1 << 20))")
	}))
	if grown, n := size()-bytes, written.Load()-before; grown < 1<<20 || n < grown {
		t.Errorf("the log grew by %d bytes, of which SQLite gave %d to politeWrite", grown, n)
	}
}
