package sqlite

import (
	"context"
	"time"

	"terse"
)

// watchInterval is how often to look for what others wrote: to look takes some microseconds.
const watchInterval = 250 * time.Millisecond

// lockPatience is how long the writer waits for the lock of another program before it looks around.
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

// tellWatch has Watch say that all may have changed.
func (s *Store) tellWatch() {
	select {
	case s.foreign <- struct{}{}:
	default: // it is told already
	}
}

// lookAround forgets what is known of the links when others wrote to the database since it was
// called last. It is called at the start of each transaction, while others can't write, and when
// the writer has nothing to do. PRAGMA data_version changes on the writer's connection with the
// commits of other connections only, and all others of ours just read.
func (w *writer) lookAround() {
	version, err := queryInt(w.conn, "PRAGMA data_version")
	c := &w.codes
	if err == nil && w.conn == c.conn && version == c.version {
		return
	}
	c.conn, c.version = w.conn, version
	c.drop()
	w.linkCodes.forgetAll()
	w.mayBeVacuumed()
	w.tellWatch()
}

// watch looks around all the time. While the writer is at work it does that itself, see lock.
func (s *Store) watch(ctx context.Context) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for wait(ctx, tick.C) {
		select {
		case w := <-s.writer:
			w.look(ctx)
			s.writer <- w
		case <-ctx.Done():
		}
	}
}

// look looks around between two transactions.
func (w *writer) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	if err := w.ready(ctx); err != nil {
		w.codes.drop() // nobody knows what others write
		return
	}
	w.lookAround()
}
