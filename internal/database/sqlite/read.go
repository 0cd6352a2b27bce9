package sqlite

import (
	"context"
	"errors"
	"sync"

	"zombiezen.com/go/sqlite"

	"terse/internal/database/sqlite/query"
)

// reader is a reading connection. While idle it has no transaction: a snapshot would block
// checkpoints, above all those of other programs, which hold the write lock meanwhile.
type reader struct {
	conn      *sqlite.Conn
	byAddress *sqlite.Stmt
}

// readers holds the idle reading connections. The one returned last is taken first, so that a few
// callers fill a few page caches, not all caches with the same pages.
type readers struct {
	count chan struct{} // holds an element for each idle reader
	mu    sync.Mutex
	idle  []*reader
}

func (r *readers) put(idle *reader) {
	r.mu.Lock()
	r.idle = append(r.idle, idle)
	r.mu.Unlock()
	r.count <- struct{}{}
}

// last returns a reader. The caller must have received from count.
func (r *readers) last() *reader {
	r.mu.Lock()
	defer r.mu.Unlock()
	end := len(r.idle) - 1
	idle := r.idle[end]
	r.idle = r.idle[:end]
	return idle
}

// takeReader returns a reader. The caller must put it back into s.readers.
func (s *Store) takeReader(ctx context.Context) (*reader, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := s.broken.Load(); err != nil {
		return nil, *err
	}
	return s.takeIdle(ctx, s.closing)
}

func (s *Store) takeIdle(ctx context.Context, closing <-chan struct{}) (*reader, error) {
	select {
	case <-s.readers.count:
		return s.readers.last(), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-closing:
		return nil, errClosed
	}
}

// read runs f with a reading connection, which is interrupted when the context ends.
func (s *Store) read(ctx context.Context, f func(*sqlite.Conn) error) error {
	r, err := s.takeReader(ctx)
	if err != nil {
		return err
	}
	defer s.readers.put(r)
	r.conn.SetInterrupt(ctx.Done())
	defer r.conn.SetInterrupt(nil)
	return f(r.conn)
}

// ask is snapshot for a question that may take seconds. At most Options.Questions of them have a
// reader, so that look-ups always find one.
func (s *Store) ask(ctx context.Context, f func(*sqlite.Conn) error) error {
	return s.oneOf(ctx, s.questions, f)
}

// oneOf is snapshot for long work. slots bounds how many of its kind have a reader.
func (s *Store) oneOf(ctx context.Context, slots chan struct{}, f func(*sqlite.Conn) error) error {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
	return s.snapshot(ctx, f)
}

// snapshot is read for several statements that see the same state of the database.
func (s *Store) snapshot(ctx context.Context, f func(*sqlite.Conn) error) error {
	return s.read(ctx, func(conn *sqlite.Conn) error {
		if err := query.Run(conn, "BEGIN"); err != nil {
			return err
		}
		err := f(conn)
		conn.SetInterrupt(nil) // or the end would be interrupted, too
		return errors.Join(err, query.Run(conn, "ROLLBACK"))
	})
}
