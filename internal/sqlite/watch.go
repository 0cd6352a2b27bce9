package sqlite

import (
	"context"
	"errors"
	"time"

	"terse"
)

// watchInterval is how often to look for what others wrote: to look takes some microseconds. It is
// also how long the watch waits for the writer, so that changes are seen within half a second.
const watchInterval = 250 * time.Millisecond

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
// called last. It is called at the start of each transaction, while others can't write. PRAGMA
// data_version changes on the writer's connection with the commits of other connections only, and
// all others of ours just read.
func (w *writer) lookAround() {
	version, err := queryInt(w.conn, "PRAGMA data_version")
	c := &w.codes
	if err == nil && w.conn == c.conn && version == c.version {
		return
	}
	c.conn, c.version = w.conn, version
	c.drop()
	w.linkCodes.forgetAll()
	w.wantTexts()
	w.tellWatch()
}

// watch has the writer look around when others may have written and nobody else uses it.
func (s *Store) watch(ctx context.Context) {
	var told walState // of which Watch was told without the writer
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for wait(ctx, tick.C) {
		if s.undisturbed() {
			continue
		}
		waiting, cancel := context.WithTimeout(ctx, watchInterval)
		err := s.write(waiting, (*writer).checkWrite)
		cancel()
		switch state := s.pages.Load().state(); {
		case err == nil:
		case !errors.Is(err, context.DeadlineExceeded):
			s.codes.drop() // the writer can't look, so that nobody knows what others write
		case state != told: // others hold the write lock
			told = state
			s.tellWatch()
		}
	}
}

// undisturbed reports whether the database is as our last commit left it.
func (s *Store) undisturbed() bool {
	known, err := s.verify()
	return known && err == nil && uint64(s.pages.Load().state()) == s.codes.wal.Load()
}
