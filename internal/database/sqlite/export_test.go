package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"reflect"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/record"
	"terse/internal/database/sqlite/rows"
	"terse/internal/link/derive"
	"terse/internal/link/follow"
	"terse/internal/link/list"
)

// SearchStep is a search by time that may look through one range only, or through those that it
// can't do without.
func (s *Store) SearchStep(ctx context.Context,
	q terse.LinkQuery,
) (ids []terse.LinkID, next *terse.LinkMark, err error) {
	page, err := s.page(ctx, q, list.Bounds{ByTime: 1, ByClicks: 1})
	for _, link := range page.Links {
		ids = append(ids, link.ID)
	}
	return ids, page.Next, err
}

// MoveDue moves some links whose status has changed with time, and returns how many.
func (s *Store) MoveDue(ctx context.Context) (int, error) {
	moved, _, err := s.moveDue(ctx, 500)
	return moved, err
}

// WithRule sets another rule for a store.
func WithRule(o Options, rule follow.Rule) Options {
	o.rule = rule
	return o
}

// WithMigrations sets other migrations for a store.
func WithMigrations(o Options, migrations fs.FS) Options {
	o.migrations = migrations
	return o
}

// CheckFiles fails when something is wrong with the files for certain.
func (s *Store) CheckFiles() error {
	_, err := s.checkFiles()
	if errors.Is(err, errTruncated) {
		return nil
	}
	return err
}

// InsertLink is how Create stores a link.
const InsertLink = record.InsertLink

// SelectNewestTo is how a transaction finds the newest link to a URL.
const SelectNewestTo = record.SelectNewestTo

// TakeWriter keeps all others from writing through the store until release is called.
func (s *Store) TakeWriter() (release func()) {
	w := <-s.writer
	return func() { s.writer <- w }
}

// CompareOn compares the rows that a connection sees.
func CompareOn(conn *sqlite.Conn) (*derive.Found, error) {
	return derive.Compare(rowsBeside(conn), derive.Options{})
}

// BoundAnswers sets the bound of stored answers, in bytes.
func (s *Store) BoundAnswers(most int64) { s.answering.most = most }

// BoundExportLog sets how long the write-ahead log may become while an export reads, in bytes.
func (s *Store) BoundExportLog(most int64) { s.maxExportLog = most }

// Ask asks a question that takes until f returns.
func (s *Store) Ask(ctx context.Context, f func()) error {
	return s.ask(ctx, func(*sqlite.Conn) error {
		f()
		return nil
	})
}

// Copy copies a database as Backup does, without counting what it holds.
func Copy(ctx context.Context, from, to string) error {
	source, err := sqlite.OpenConn(from, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	return errors.Join(copyPages(ctx, source, to), source.Close())
}

// UseRows calls f with the rows of clicks in a transaction, and takes it back if f fails.
func (s *Store) UseRows(ctx context.Context, f func(clickstore.Rows) error) error {
	return s.writeAlone(ctx, func(w *writer) error { return f(rows.New(w.conn)) })
}

// Work is what a statement has done so far.
type Work struct {
	Runs  int
	Steps int // from row to row of a table, or of an index, of which no part is chosen
	Ops   int // of SQLite's virtual machine: some ten for each row that is read
}

// Statements returns the statements that the connections of an idle store keep, and their work.
// Those are all that it has run, for each is kept.
func (s *Store) Statements() map[string]Work {
	all := map[string]Work{}
	tls := libc.NewTLS()
	defer tls.Close()
	add := func(conn *sqlite.Conn) {
		kept := reflect.ValueOf(conn).Elem().FieldByName("stmts").MapRange()
		for kept.Next() {
			sql, work := kept.Key().String(), Work{}
			status := func(op int32) int {
				at := uintptr(kept.Value().Elem().FieldByName("stmt").Uint())
				return int(lib.Xsqlite3_stmt_status(tls, at, op, 0))
			}
			work.Runs = all[sql].Runs + status(lib.SQLITE_STMTSTATUS_RUN)
			work.Steps = all[sql].Steps + status(lib.SQLITE_STMTSTATUS_FULLSCAN_STEP)
			work.Ops = all[sql].Ops + status(lib.SQLITE_STMTSTATUS_VM_STEP)
			all[sql] = work
		}
	}
	w := <-s.writer
	defer func() { s.writer <- w }()
	add(w.conn)
	s.readers.mu.Lock()
	defer s.readers.mu.Unlock()
	for _, r := range s.readers.idle {
		add(r.conn)
	}
	return all
}
