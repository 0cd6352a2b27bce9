package sqlite

import (
	"context"
	"fmt"
	"time"
)

// Check tells whether the store can read and write now: it reads, and takes the write lock as a
// write would, unless a transaction of ours holds it just now. When the file was replaced by a good
// one, that one is opened.
func (s *Store) Check(ctx context.Context) error {
	if err := s.checkWrite(ctx); err != nil {
		return fmt.Errorf("check database %s: %w", s.path, translate(ctx, err, "write"))
	}
	return translate(ctx, s.read(ctx, checkRead), "check database %s", s.path)
}

func (s *Store) checkWrite(ctx context.Context) error {
	w := &write{ctx: ctx, run: (*writer).checkWrite, done: make(chan struct{})}
	if err := s.submit(ctx, w); err != nil {
		return err
	}
	// A large batch takes its time; what is asked is answered by its holding the lock.
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-w.done:
			return w.err
		case <-ctx.Done():
			w.taken.Store(true)
			return ctx.Err()
		case <-s.closed:
			return s.answerOfClosed(w)
		case <-tick.C:
			if !s.writing.Load() {
				continue
			}
			if known, err := s.verify(); known {
				w.taken.Store(true)
				return err
			}
		}
	}
}

// verify tells whether the files at the path are the ones that are open. Of a file that is shorter
// than it was only the writer knows whether it was cut off: see shorter.
func (s *Store) verify() (known bool, err error) {
	now, err := identify(s.path)
	if err != nil {
		return true, err
	}
	before := s.files.Load()
	if !now.same(before) {
		return true, errMoved
	}
	return now.database.Size() >= before.least, nil
}
