package sqlite

import (
	"context"
	"time"

	"terse/internal/database/sqlite/query"
)

// watchInterval is how often to check whether others wrote. A check takes a few microseconds.
const watchInterval = 250 * time.Millisecond

// lockPatience is how long the writer waits for another program's lock before it checks again
// whether others wrote.
const lockPatience = 10 * time.Millisecond

// Watch calls all within a second after another program changed the database or its file was
// replaced. It cannot know what changed, so it never calls its first function. While the database
// cannot be opened, it calls nothing. It returns nil when the context ends. Only one caller is
// allowed at a time.
func (s *Store) Watch(ctx context.Context, _ func(string), all func()) error {
	for wait(ctx, s.foreign) {
		all()
	}
	return nil
}

// checkForeignWrites empties caches of links if others wrote to the database since its last call.
// It is called at the start of each transaction, while others can't write, and when the writer is
// idle. On the writer's connection, PRAGMA data_version changes only with commits of other
// connections, and all others of the store only read.
func (w *writer) checkForeignWrites() {
	version, err := query.Int(w.conn, "PRAGMA data_version")
	if err == nil && version == w.version {
		return
	}
	w.version = version
	w.counter.Forget()
	w.heardKnown = false
	w.allowShorter()
	select {
	case w.foreign <- struct{}{}:
	default: // Watch has a signal already
	}
}

// watch checks whether others wrote. While the writer is busy, it checks itself, see lock.
func (s *Store) watch(ctx context.Context) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for wait(ctx, tick.C) {
		select {
		case w := <-s.writer:
			w.checkIdle(ctx)
			s.writer <- w
		case <-ctx.Done():
		}
	}
}

// checkIdle checks between two transactions whether others wrote.
func (w *writer) checkIdle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	if w.ensureOpen(ctx) == nil {
		w.checkForeignWrites()
	}
}

// wait reports whether something came before the context ended.
func wait[T any](ctx context.Context, c <-chan T) bool {
	select {
	case <-c:
		return true
	case <-ctx.Done():
		return false
	}
}
