package sqlite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/clickblock"
)

// write is something for the writer to do within a transaction. An error of run must leave the
// database as it was, so run changes it in one statement or has the transaction to itself.
type write struct {
	ctx  context.Context
	run  func(*writer) error
	err  error
	done chan struct{}
	// Taken by the writer, or given up by the caller, whoever is first.
	taken atomic.Bool
}

func (w *write) answer(err error) {
	w.err = err
	close(w.done)
}

// write hands run to the writer and waits until it is committed. A write whose context ends before it
// is run is not run. One whose context ends later may still be committed.
func (s *Store) write(ctx context.Context, run func(*writer) error) error {
	w := &write{ctx: ctx, run: run, done: make(chan struct{})}
	if err := s.submit(ctx, s.writes, w); err != nil {
		return err
	}
	select {
	case <-w.done:
		return w.err
	case <-ctx.Done():
		w.taken.Store(true)
		return context.Cause(ctx)
	case <-s.closed:
		return s.answerOfClosed(w)
	}
}

// writeAlone is write for a long one, which is interrupted and taken back when its context ends. It
// does not return before run has ended.
func (s *Store) writeAlone(ctx context.Context, run func(*writer) error) error {
	w := &write{ctx: ctx, run: run, done: make(chan struct{})}
	if err := s.submit(ctx, s.batches, w); err != nil {
		return err
	}
	gaveUp := ctx.Done()
	for {
		select {
		case <-w.done:
			return w.err
		case <-gaveUp:
			if w.taken.CompareAndSwap(false, true) {
				return context.Cause(ctx)
			}
			gaveUp = nil
		case <-s.closed:
			return s.answerOfClosed(w)
		}
	}
}

func (s *Store) submit(ctx context.Context, queue chan *write, w *write) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case queue <- w:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
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

// writer is the one goroutine that writes, and what only it touches.
type writer struct {
	*Store
	conn   *sqlite.Conn
	files  files
	packer *clickblock.Packer
	blob   []byte // what was read last
	group  []*write
}

func newWriter(s *Store) *writer {
	return &writer{Store: s, packer: clickblock.NewPacker()}
}

// open opens all connections.
func (w *writer) open(ctx context.Context) (err error) {
	if err := createFile(w.path); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.closeConns())
		}
	}()
	if w.conn, err = openConn(ctx, w.path, writerCacheKiB); err != nil {
		return err
	}
	w.conn.SetInterrupt(ctx.Done())
	defer w.conn.SetInterrupt(nil)
	if err := migrate(w.conn); err != nil {
		return openError(err)
	}
	for range numReaders {
		r, err := openReader(ctx, w.path)
		if err != nil {
			return err
		}
		w.readers <- r
	}
	w.files, err = identify(w.path)
	return err
}

// closeConns waits for the readers and closes everything that is open.
func (w *writer) closeConns() error {
	var errs []error
	for range cap(w.readers) {
		select {
		case r := <-w.readers:
			errs = append(errs, r.Close())
		default:
		}
	}
	if w.conn != nil {
		errs = append(errs, w.conn.Close())
		w.conn = nil
	}
	return errors.Join(errs...)
}

func (w *writer) run() {
	defer close(w.closed)
	for {
		select {
		case first := <-w.writes:
			w.runGroup(first)
		case b := <-w.batches:
			w.runAlone(b)
		case <-w.closing:
			w.finish()
			return
		}
	}
}

// finish runs what waits, and closes.
func (w *writer) finish() {
	for {
		select {
		case first := <-w.writes:
			w.runGroup(first)
			continue
		case b := <-w.batches:
			w.runAlone(b)
			continue
		default:
		}
		break
	}
	if w.conn != nil {
		if err := sqlitex.ExecuteTransient(w.conn, "PRAGMA wal_checkpoint(TRUNCATE)", nil); err != nil {
			w.log.Error("checkpoint at close", "error", err)
		}
	}
	if err := w.closeConns(); err != nil {
		w.log.Error("close database", "error", err)
	}
}

// runGroup runs the writes that wait, commits them together, and answers all.
func (w *writer) runGroup(first *write) {
	// Those who were just answered come again at once; let them, so that they share the next sync.
	runtime.Gosched()
	w.group = append(w.group[:0], first)
	for len(w.group) < maxGroup && len(w.writes) > 0 {
		w.group = append(w.group, <-w.writes)
	}
	ctx, cancel := context.WithTimeout(context.Background(), w.timeout)
	defer cancel()
	err := w.transact(ctx, func() error {
		w.conn.SetInterrupt(nil) // that was for the lock; to interrupt one would take back all
		for _, op := range w.group {
			if !op.taken.CompareAndSwap(false, true) {
				continue
			}
			op.err = op.run(w)
			if op.err != nil && w.conn.AutocommitEnabled() {
				return fmt.Errorf("transaction was taken back: %w", op.err)
			}
		}
		return nil
	})
	for _, op := range w.group {
		answer := op.err
		if err != nil {
			answer = err
		}
		op.answer(answer)
	}
	clear(w.group)
}

// runAlone runs one write in a transaction of its own.
func (w *writer) runAlone(op *write) {
	if !op.taken.CompareAndSwap(false, true) {
		return
	}
	op.answer(w.transact(op.ctx, func() error { return op.run(w) }))
}

// transact runs f in a transaction, which is interrupted when the context ends. When it returns nil, all
// is synced to the database file that is at the path.
func (w *writer) transact(ctx context.Context, f func() error) (err error) {
	defer func() {
		if err != nil {
			w.failed(err)
		} else {
			w.failure.Store(nil)
		}
	}()
	if err := w.files.verify(w.path); err != nil {
		return err
	}
	w.conn.SetInterrupt(ctx.Done())
	defer w.conn.SetInterrupt(nil)
	if err := w.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	w.writing.Store(true)
	defer w.writing.Store(false)
	if err = f(); err == nil {
		err = w.exec("COMMIT")
	}
	if err != nil {
		w.conn.SetInterrupt(nil)
		if !w.conn.AutocommitEnabled() {
			err = errors.Join(err, w.exec("ROLLBACK"))
		}
		return err
	}
	return w.files.verify(w.path)
}

func (w *writer) failed(err error) {
	w.failure.Store(&err)
}

func (w *writer) exec(sql string) error {
	stmt, err := w.conn.Prepare(sql)
	if err != nil {
		return err
	}
	_, err = stmt.Step()
	return err
}
