package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/query"
	"terse/internal/database/sqlite/record"
)

// files identifies the database's files, to notice when others take their place. The files are only
// examined, never opened: closing a database file drops all locks that SQLite holds on it (POSIX).
type files struct {
	database, wal os.FileInfo
	minSize       int64 // the database file is shorter only if it was cut off
}

var (
	errMoved     = errors.New("the database file was removed or replaced")
	errTruncated = errors.New("the database file is shorter than it was")
	errReadOnly  = errors.New("the database file is read-only")
)

// identify returns the files at a path. SQLite creates the write-ahead log when a connection is
// opened.
func identify(path string) (*files, error) {
	database, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errMoved, err)
	}
	if database.Mode().Perm()&0o222 == 0 {
		return nil, errReadOnly
	}
	wal, err := os.Stat(path + "-wal")
	if err != nil {
		wal = nil
	}
	return &files{database: database, wal: wal}, nil
}

// same reports whether f and g are the same two files.
func (f *files) same(g *files) bool {
	return os.SameFile(f.database, g.database) && f.wal != nil && g.wal != nil &&
		os.SameFile(f.wal, g.wal)
}

// checkFiles returns the files at the path, if there are any. It fails if they are not the open
// ones, or if the database is too short; confirmTruncated finds out whether it was cut off.
func (s *Store) checkFiles() (*files, error) {
	now, err := identify(s.path)
	if err != nil {
		return nil, err
	}
	before := s.files.Load()
	if !now.same(before) {
		return now, errMoved
	}
	if now.minSize = before.minSize; now.database.Size() < now.minSize {
		return now, errTruncated
	}
	if now.database.Size() > before.database.Size() { // all of it is in use
		now.minSize = now.database.Size()
	}
	return now, nil
}

// confirmTruncated finds out whether a file that has become shorter is complete: only VACUUM
// shortens it without cutting it off.
func (w *writer) confirmTruncated() error {
	w.checkForeignWrites()
	_, err := w.checkFiles()
	w.truncated = w.truncated || errors.Is(err, errTruncated)
	return err
}

// verifyAfterCommit records the state of the files after a commit. It fails if they are not the
// files that the commit went to.
func (w *writer) verifyAfterCommit() error {
	now, err := w.checkFiles()
	if errors.Is(err, errTruncated) {
		return w.confirmTruncated()
	}
	if err == nil {
		w.files.Store(now)
	}
	return err
}

// allowShorter is called after another process has committed. The file may be shorter now, or
// become as short as the database when the write-ahead log is moved into it.
func (w *writer) allowShorter() {
	now, err := w.checkFiles()
	if err != nil && !errors.Is(err, errTruncated) {
		return // ensureOpen deals with it
	}
	bytes, err := query.Int(w.conn,
		"SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
	if err != nil {
		return
	}
	now.minSize = min(now.database.Size(), bytes)
	w.files.Store(now)
}

// ensureOpen makes sure that the connections are open on the files at the path. If those were
// replaced, it opens the new ones.
func (w *writer) ensureOpen(ctx context.Context) error {
	now, err := w.checkFiles()
	if now == nil {
		return err
	}
	if w.conn == nil || errors.Is(err, errMoved) {
		return w.reopen(ctx)
	}
	if err != nil {
		return w.confirmTruncated()
	}
	if w.truncated {
		return w.reopen(ctx)
	}
	return nil
}

// reopen closes all connections and opens new ones.
func (w *writer) reopen(ctx context.Context) error {
	w.log.Warn("database file was changed from outside, opening it again", "path", w.path)
	if err := w.closeConns(ctx); err != nil {
		w.log.Error("close changed database", "path", w.path, "error", err)
	}
	if w.reading > 0 {
		return fmt.Errorf("reopen: %w", ctx.Err())
	}
	w.dropStaleWAL()
	err := w.open(ctx, true)
	if err != nil {
		err = fmt.Errorf("reopen: %w", err)
		w.broken.Store(&err)
	}
	return err
}

// dropStaleWAL removes the old write-ahead log if another database took the place of the old one:
// SQLite would apply the log to it. Its contents are in the old database file, see closeConns.
func (w *writer) dropStaleWAL() {
	now, err := identify(w.path)
	before := w.files.Load()
	if err != nil || before == nil || os.SameFile(now.database, before.database) ||
		now.wal == nil || before.wal == nil || !os.SameFile(now.wal, before.wal) {
		return
	}
	if err := errors.Join(os.Remove(w.path+"-wal"), os.Remove(w.path+"-shm")); err != nil {
		w.log.Error("remove write-ahead log of replaced database", "path", w.path, "error", err)
	}
}

// open opens all connections. It creates a missing schema, unless must is set: an empty file that
// took the place of the database must not be mistaken for it.
func (w *writer) open(ctx context.Context, must bool) (err error) {
	w.heardKnown = false
	defer func() {
		if err != nil {
			err = errors.Join(err, w.closeConns(context.Background()))
		}
	}()
	if w.conn, err = openConn(ctx, w.path, writerCacheKiB); err != nil {
		return err
	}
	if err := checkForeign(w.conn, w.migrations); err != nil {
		return openError(err)
	}
	if err := migrate(ctx, w.conn, w.migrations, must); err != nil {
		return openError(err)
	}
	if w.naming.IgnoreCase {
		clashes, err := record.Clashes(w.conn, terse.MaxClashes)
		if err := cmp.Or(err, terse.ClashError(clashes)); err != nil {
			return err
		}
	}
	w.conn.SetBusyTimeout(lockPatience)
	for range cap(w.readers.count) {
		r, err := openReader(ctx, w.path, w.naming)
		if err != nil {
			return err
		}
		w.readers.put(r)
		w.reading++
	}
	now, err := identify(w.path)
	if err != nil {
		return err
	}
	w.files.Store(now)
	w.counter, w.version = clickstore.NewCounter(), -1 // no database has this version
	w.checkForeignWrites()
	w.broken.Store(nil)
	w.suspect, w.truncated = false, false
	return nil
}

// closeConns waits for the readers until the context ends, moves the write-ahead log into the
// database file (wherever that is now), and closes the open connections.
func (w *writer) closeConns(ctx context.Context) error {
	var errs []error
	for w.reading > 0 {
		r, err := w.takeIdle(ctx, nil)
		if err != nil {
			break
		}
		w.reading--
		errs = append(errs, r.conn.Close())
	}
	if w.conn != nil {
		if !w.truncated {
			errs = append(errs, w.checkpoint())
		}
		errs = append(errs, w.conn.Close())
		w.conn = nil
	}
	return errors.Join(errs...)
}

// checkpoint moves the write-ahead log into the database file. If another process is in the way,
// the log stays, and is read when the database is next opened.
func (w *writer) checkpoint() error {
	ctx, cancel := context.WithTimeout(context.Background(), w.timeout)
	defer cancel()
	w.conn.SetInterrupt(ctx.Done())
	defer w.conn.SetInterrupt(nil)
	w.conn.SetBlockOnBusy()
	err := w.exec("PRAGMA wal_checkpoint(TRUNCATE)")
	if ctx.Err() != nil {
		w.log.Warn("write-ahead log is left to the next start, the database is locked", "path",
			w.path)
		return nil
	}
	return err
}

// checkWrite writes one page if the disk has refused a write: only a write shows whether it still
// does.
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

func checkRead(conn *sqlite.Conn) error {
	_, err := query.Int(conn, "SELECT count(*) FROM (SELECT 1 FROM links LIMIT 1)")
	return err
}
