package sqlite

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
)

// write is something for the writer to do within a transaction. Unless halfDone says otherwise, an
// error of run must leave the database as it was, so run changes it in one statement or has the
// transaction to itself.
type write struct {
	run  func(*writer) error
	err  error
	done chan struct{}
	// Set by the first of two: the writer that takes it, or the caller that gives it up.
	taken atomic.Bool
}

// write hands run to the writer and waits until it is committed. A write whose context ends before
// it is run is not run. One whose context ends later may still be committed.
func (s *Store) write(ctx context.Context, run func(*writer) error) error {
	w := &write{run: run, done: make(chan struct{})}
	if err := s.submit(ctx, w); err != nil {
		return err
	}
	select {
	case <-w.done:
		return w.err
	case <-ctx.Done():
		w.taken.Store(true)
		return ctx.Err()
	case <-s.closed:
		return s.answerOfClosed(w)
	}
}

// writeAlone runs f in a transaction of its own, which is interrupted and rolled back when the
// context ends. It is for long ones: the caller's goroutine does the work, so that the caller can
// yield to others.
func (s *Store) writeAlone(ctx context.Context, run func(*writer) error) error {
	w, err := s.takeWriter(ctx)
	if err != nil {
		return err
	}
	defer func() { s.writer <- w }()
	return w.transact(ctx, func() error { return run(w) })
}

// takeWriter returns the writer, which the caller puts back into s.writer.
func (s *Store) takeWriter(ctx context.Context) (*writer, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	select {
	case w := <-s.writer:
		return w, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.closing:
		return nil, errClosed
	}
}

func (s *Store) submit(ctx context.Context, w *write) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	select {
	case s.writes <- w:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
}

func (s *Store) answerOfClosed(w *write) error {
	select {
	case <-w.done:
		return w.err
	default:
		return errClosed
	}
}

// runGroups runs the writes that wait until the store closes, and then the rest of the queue.
func (s *Store) runGroups() {
	defer close(s.closed)
	for {
		select {
		case first := <-s.writes:
			w := <-s.writer
			s.runGroup(w, first)
			s.writer <- w
		case <-s.closing:
			w := <-s.writer
			for len(s.writes) > 0 {
				s.runGroup(w, <-s.writes)
			}
			_ = w.look() // so that nothing goes into another's file
			s.closeErr = s.closeConns(w, cap(s.readers.count))
			return
		}
	}
}

// runGroup runs the writes that wait, commits them together, and answers all.
func (s *Store) runGroup(w *writer, first *write) {
	// Callers that were just answered may write again at once: let them share the next sync.
	runtime.Gosched()
	s.waiting = append(s.waiting[:0], first)
	for len(s.waiting) < maxGroup && len(s.writes) > 0 {
		s.waiting = append(s.waiting, <-s.writes)
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	err := w.transact(ctx, func() error {
		w.conn.SetInterrupt(nil) // that was for the lock; to interrupt one would take back all
		for _, op := range s.waiting {
			if !op.taken.CompareAndSwap(false, true) {
				continue
			}
			op.err = op.run(w)
			if halfDone(op.err) {
				return fmt.Errorf("transaction is taken back: %w", op.err)
			}
		}
		return nil
	})
	for _, op := range s.waiting {
		if err != nil {
			op.err = err
		}
		close(op.done)
	}
	clear(s.waiting)
}
