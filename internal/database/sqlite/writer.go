package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"

	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/query"
	"terse/internal/database/sqlite/record"
	"terse/internal/link/follow"
)

// write is an operation for the writer within a transaction. If run returns an error, it must leave
// the database unchanged unless halfDone reports the error. So run changes it in one statement, or
// has its own transaction.
type write struct {
	run  func(*writer) error
	err  error
	done chan struct{}
	// Set by whichever comes first: the writer that runs it, or the caller that gives it up.
	taken atomic.Bool
}

// write passes run to the writer and waits until it is committed. If the context ends before run
// has begun, it is not run. If the context ends later, it may still be committed.
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

// writeAlone runs run in its own transaction, which is interrupted and rolled back when the context
// ends. Use it for long transactions: the caller's goroutine does the work, so that the caller can
// yield to others.
func (s *Store) writeAlone(ctx context.Context, run func(*writer) error) error {
	w, err := s.takeWriter(ctx)
	if err != nil {
		return err
	}
	defer func() { s.writer <- w }()
	return w.transact(ctx, func() error { return run(w) })
}

// takeWriter returns the writer. The caller must put it back into s.writer.
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

// writer is the connection that writes. Only the goroutine that has taken it from Store.writer
// touches its fields.
type writer struct {
	*Store
	conn      *sqlite.Conn // nil if the file at the path could not be reopened
	counter   *clickstore.Counter
	reading   int      // number of open readers
	waiting   []*write // to be committed together
	version   int64    // PRAGMA data_version, see checkForeignWrites
	suspect   bool     // the disk refused a write, and checkWrite has not succeeded since
	probed    bool     // checkWrite has written in this transaction
	until     int64    // the least time at which a link of this transaction changes its status
	truncated bool     // the file was too short
	rule      follow.Rule

	// The events that webhooks report, while that is known.
	heard      follow.Events
	heardKnown bool
}

// change runs f, which changes links, within a transaction.
func (w *writer) change(f func(*record.Changes) error) error {
	if err := w.learnHeard(); err != nil {
		return err
	}
	c := record.Changes{Naming: w.naming, Conn: w.conn, Rule: w.rule, Now: time.Now()}
	err := f(&c)
	if c.Until != 0 {
		w.until = min(w.until, c.Until)
	}
	if c.Users {
		w.heardKnown = false // their webhooks get nothing, or something again
	}
	return err
}

// runGroups runs waiting writes until the store closes, and then the rest of the queue.
func (s *Store) runGroups() {
	defer close(s.closed)
	for {
		select {
		case first := <-s.writes:
			w := <-s.writer
			w.runGroup(first)
			s.writer <- w
		case <-s.closing:
			w := <-s.writer
			for len(w.writes) > 0 {
				w.runGroup(<-w.writes)
			}
			s.closeErr = w.closeConns(context.Background())
			return
		}
	}
}

// runGroup runs the waiting writes, commits them together, and answers all.
func (w *writer) runGroup(first *write) {
	// Callers that were just answered may write again at once: let them share the next sync.
	runtime.Gosched()
	w.waiting = append(w.waiting[:0], first)
	for len(w.waiting) < maxGroup && len(w.writes) > 0 {
		w.waiting = append(w.waiting, <-w.writes)
	}
	ctx, cancel := context.WithTimeout(context.Background(), w.timeout)
	defer cancel()
	err := w.transact(ctx, func() error {
		w.conn.SetInterrupt(nil) // ctx bounds the lock; interrupting one write would undo all
		for _, op := range w.waiting {
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
	for _, op := range w.waiting {
		if err != nil {
			op.err = err
		}
		close(op.done)
	}
	clear(w.waiting)
}

// transact runs f in a transaction, which is interrupted when the context ends. If it returns nil,
// the changes are synced to the database file that is at the path.
func (w *writer) transact(ctx context.Context, f func() error) error {
	err := w.begin(ctx)
	if err == nil {
		err = f()
	}
	return w.end(err)
}

// begin begins a transaction, which is interrupted when the context ends. The caller must call end,
// even after an error.
func (w *writer) begin(ctx context.Context) error {
	if err := w.ensureOpen(ctx); err != nil {
		return err
	}
	w.probed, w.until = false, math.MaxInt64
	w.conn.SetInterrupt(ctx.Done())
	err := w.lock()
	w.writing.Store(err == nil)
	return err
}

// end commits a transaction, or rolls it back after an error, which it returns.
func (w *writer) end(err error) error {
	if w.conn == nil { // it could not be opened
		return err
	}
	if err == nil {
		err = w.exec("COMMIT")
	}
	w.writing.Store(false)
	w.conn.SetInterrupt(nil)
	w.counter.End(err == nil)
	w.heardKnown = w.heardKnown && err == nil
	if err == nil {
		w.suspect = w.suspect && !w.probed
		w.clock.Expect(w.until)
		return w.verifyAfterCommit()
	}
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultFull, sqlite.ResultIOErr, sqlite.ResultReadOnly, sqlite.ResultCorrupt:
		w.suspect = true
	}
	if !w.conn.AutocommitEnabled() {
		err = errors.Join(err, w.exec("ROLLBACK"))
	}
	return err
}

// lock begins a transaction that may write. While it waits for another program, it notices what
// that program has committed.
func (w *writer) lock() error {
	for {
		err := w.exec("BEGIN IMMEDIATE") // waits for lockPatience
		w.checkForeignWrites()
		if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy {
			return err
		}
	}
}

func (w *writer) exec(sql string) error { return query.Run(w.conn, sql) }
