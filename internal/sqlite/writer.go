package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"

	"terse/internal/clickstore"
	"terse/internal/sqlite/query"
)

// lockPatience is how long the writer waits for another program's lock before it looks again for
// what others wrote.
const lockPatience = 10 * time.Millisecond

// checkpointPatience is how long another program may take to move the write-ahead log into the
// database file. Until it is done, that looks as if the file was overwritten.
const checkpointPatience = 2 * time.Second

// writer is the connection that writes. Only the goroutine that has taken it from Store.writer
// touches its fields.
type writer struct {
	conn    *sqlite.Conn
	files   *files
	counter *clickstore.Counter
	log     *slog.Logger
	timeout time.Duration
	writing *atomic.Bool    // whether a transaction has the write lock just now; all may read it
	foreign chan<- struct{} // others changed the database
	lost    *loss

	version int64     // PRAGMA data_version, see checkForeignWrites
	others  bool      // others have committed since the files were looked at
	frames  frames    // when the files were looked at
	doubt   time.Time // since when the database file may have been overwritten; 0: it was not
	suspect bool      // the disk refused a write, and has taken none of checkWrite since
	probed  bool      // checkWrite has written in this transaction
}

// frames is how many pages the write-ahead log has, and how many of them were moved into the
// database file.
type frames struct{ logged, moved int64 }

// openWriter opens the connection that writes, and brings the schema up to date. The caller fills
// in the rest.
func openWriter(ctx context.Context, path string, migrations fs.FS) (_ *writer, err error) {
	w := &writer{counter: clickstore.NewCounter(), version: -1} // which no database has
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	if w.files, err = openFiles(path); err != nil {
		return nil, err
	}
	if w.conn, err = openConn(ctx, path, writerCacheKiB); err != nil {
		return nil, err
	}
	if err := migrate(ctx, w.conn, migrations); err != nil {
		return nil, openError(err)
	}
	w.conn.SetBusyTimeout(lockPatience)
	return w, nil
}

// close closes what is open.
func (w *writer) close() error {
	var errs []error
	if w.conn != nil {
		errs = append(errs, w.conn.Close())
	}
	if w.files != nil {
		errs = append(errs, w.files.database.Close())
	}
	return errors.Join(errs...)
}

// transact runs f in a transaction, which is interrupted when the context ends. When it returns
// nil, all is synced to the database file that is at the path.
func (w *writer) transact(ctx context.Context, f func() error) error {
	err := w.begin(ctx)
	if err == nil {
		err = f()
	}
	return w.end(err)
}

// begin begins a transaction, which is interrupted when the context ends. The caller calls end,
// after an error as well.
func (w *writer) begin(ctx context.Context) error {
	if err := w.awaitCertainty(ctx); err != nil {
		return err
	}
	w.probed = false
	w.conn.SetInterrupt(ctx.Done())
	err := w.lock()
	w.writing.Store(err == nil)
	return err
}

// end commits a transaction, or takes it back after an error, which it returns.
func (w *writer) end(err error) error {
	if err == nil {
		err = w.exec("COMMIT")
	}
	w.writing.Store(false)
	w.conn.SetInterrupt(nil)
	w.counter.End(err == nil)
	if err == nil {
		w.suspect = w.suspect && !w.probed
		return w.settle()
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

// lock begins a transaction that may write. While it waits for another program's, it notices what
// that one has committed before.
func (w *writer) lock() error {
	for {
		err := w.exec("BEGIN IMMEDIATE") // waits for lockPatience
		w.checkForeignWrites()
		if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy {
			return err
		}
	}
}

// look fails when the files are not SQLite's any more: others lie at the path, or the database file
// has changed without a page of the write-ahead log having been moved into it. While another
// program moves some, that is in doubt.
func (w *writer) look() error {
	if err := w.lost.get(); err != nil {
		return err
	}
	now, err := w.files.look()
	if errors.Is(err, errMoved) || errors.Is(err, errLogMoved) {
		return w.lose(err)
	}
	if err != nil {
		return err
	}
	frames, err := w.readFrames()
	if err != nil {
		return err
	}
	if now != w.files.last && frames.moved == w.frames.moved && frames.logged >= w.frames.logged {
		if w.checkForeignWrites(); !w.others { // whose VACUUM would make it shorter
			if w.doubt.IsZero() {
				w.doubt = time.Now()
			}
			if time.Since(w.doubt) > checkpointPatience {
				return w.lose(errOverwritten)
			}
			return nil
		}
	}
	w.files.last, w.frames, w.others, w.doubt = now, frames, false, time.Time{}
	return nil
}

// awaitCertainty is look, and waits while it is in doubt: no commit is acknowledged that lose might
// drop with the log.
func (w *writer) awaitCertainty(ctx context.Context) error {
	for {
		if err := w.look(); err != nil || w.doubt.IsZero() {
			return err
		}
		select {
		case <-time.After(lockPatience):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (w *writer) readFrames() (f frames, err error) {
	err = query.Each(w.conn, "PRAGMA wal_checkpoint(NOOP)", func(row *sqlite.Stmt) error {
		f = frames{logged: row.ColumnInt64(1), moved: row.ColumnInt64(2)}
		return nil
	})
	return f, err
}

// settle makes sure that a commit went to the files at the path. Then it moves the write-ahead log
// into the database file if it is long enough. SQLite would do so without a look.
func (w *writer) settle() error {
	if err := w.look(); err != nil {
		return w.lost.get() // otherwise the commit stays
	}
	if w.frames.logged >= walPages {
		_, _ = w.checkpoint("PASSIVE") // the next commit tries again
	}
	return nil
}

// checkpoint moves the write-ahead log into the database file. It reports whether another program,
// or doubt, is in the way.
func (w *writer) checkpoint(mode string) (busy bool, err error) {
	if !w.doubt.IsZero() {
		return true, nil
	}
	n, err := query.Int(w.conn, "PRAGMA wal_checkpoint("+mode+")")
	if now, err := w.files.look(); err == nil {
		w.files.last = now
	}
	if frames, err := w.readFrames(); err == nil {
		w.frames = frames
	}
	return n != 0, err
}

// empty moves all of the write-ahead log into the database file that is open. When another process
// is in the way, the log stays, and is read when the database is opened next.
func (w *writer) empty() error {
	ctx, cancel := context.WithTimeout(context.Background(), w.timeout)
	defer cancel()
	w.conn.SetInterrupt(ctx.Done())
	defer w.conn.SetInterrupt(nil)
	w.conn.SetBlockOnBusy()
	_, err := w.checkpoint("TRUNCATE")
	if ctx.Err() != nil {
		w.log.Warn("write-ahead log is left to the next start, the database is locked", "path",
			w.files.path)
		return nil
	}
	return err
}

// lose ends the store. What was committed goes into the file that was open, wherever that is now,
// unless that was overwritten. The connections stay open as long as the process: when the last one
// is closed, SQLite would write into that file.
func (w *writer) lose(why error) error {
	overwritten := errors.Is(why, errOverwritten)
	var err error
	if !overwritten {
		err = w.empty()
	}
	if err = errors.Join(err, w.files.dropLog(overwritten)); err != nil {
		w.log.Error("leave the database file", "path", w.files.path, "error", err)
	}
	w.lost.set(fmt.Errorf("database %s was %w while it was open: start again to open what is "+
		"there now", w.files.path, why))
	return w.lost.err
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
	w.version, w.others = version, true
	w.counter.Forget()
	select {
	case w.foreign <- struct{}{}:
	default: // Watch has a signal already
	}
}

// checkWrite writes one page when the disk refused a write before: only that shows whether it
// still does.
func (w *writer) checkWrite() error {
	if !w.suspect {
		return nil
	}
	w.probed = true
	version, err := query.Int(w.conn, "PRAGMA user_version")
	if err != nil {
		return err
	}
	return w.exec(fmt.Sprintf("PRAGMA user_version = %d", version))
}

func (w *writer) exec(sql string) error { return query.Run(w.conn, sql) }
