package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Check reports whether the store can read and write now. It reads, and takes the write lock like a
// write would, unless one of the store's own transactions holds it. If the file was replaced with a
// good one, Check opens that.
func (s *Store) Check(ctx context.Context) error {
	if err := s.checkWrite(ctx); err != nil {
		return fmt.Errorf("check database %s: %w", s.path, translate(ctx, err, "write"))
	}
	return translate(ctx, s.read(ctx, checkRead), "check database %s", s.path)
}

func (s *Store) checkWrite(ctx context.Context) error {
	w := &write{run: (*writer).checkWrite, done: make(chan struct{})}
	if err := s.submit(ctx, w); err != nil {
		return err
	}
	// A large batch may take long. It holds the lock, which proves that the store can write.
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
			// If the file is shorter, only the writer knows whether it was cut off.
			if _, err := s.checkFiles(); !errors.Is(err, errTruncated) {
				w.taken.Store(true)
				return err
			}
		}
	}
}
