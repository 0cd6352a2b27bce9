package sqlite

import (
	"context"
	"time"

	"terse"
	"terse/internal/sqlite/query"
)

// watchInterval is how often to look for what others wrote: to look takes some microseconds.
const watchInterval = 250 * time.Millisecond

// lockPatience is how long the writer waits for another program's lock before it looks again for
// what others wrote.
const lockPatience = 10 * time.Millisecond

// Watch calls all within a second after another program changed the database or its file was
// replaced. It cannot know what changed, so that it never calls changed. While the database cannot
// be opened it is quiet. It returns nil when the context ends. There is one caller at a time.
func (s *Store) Watch(ctx context.Context, _ func(terse.Code), all func()) error {
	for wait(ctx, s.foreign) {
		all()
	}
	return nil
}

// checkForeignWrites forgets what is known of links when others wrote to the database since it was
// called last. It is called at the start of each transaction, while others can't write, and when
// the writer has nothing to do. PRAGMA data_version changes on the writer's connection with the
// commits of other connections only, and all others of ours just read.
func (w *writer) checkForeignWrites() {
	version, err := query.Int(w.conn, "PRAGMA data_version")
	if err == nil && version == w.version {
		return
	}
	w.version = version
	w.counter.Forget()
	w.allowShorter()
	select {
	case w.foreign <- struct{}{}:
	default: // Watch has a signal already
	}
}

// watch looks for what others wrote. While the writer is at work it does that itself, see lock.
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

// checkIdle looks for what others wrote between two transactions.
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
