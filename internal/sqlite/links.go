package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
)

// insertLink fails before it has changed anything when the code is taken. Like that it needs no copies of the pages that it changes,
// see the triggers (schema/0006_insert_or_fail.sql).
const insertLink = "INSERT OR FAIL INTO links (code, url, created_at, created_by) VALUES (?, ?, ?, ?)"

// Create stores a new link.
func (s *Store) Create(ctx context.Context, l terse.NewLink) (terse.Link, error) {
	at := l.CreatedAt
	if at.IsZero() {
		at = time.Now()
	}
	micros := at.UnixMicro()
	link := terse.Link{Code: l.Code, URL: l.URL, CreatedAt: time.UnixMicro(micros).UTC(), CreatedBy: l.CreatedBy}
	code := l.Code.String()
	err := s.write(ctx, func(w *writer) error {
		stmt, err := w.conn.Prepare(insertLink)
		if err != nil {
			return err
		}
		stmt.BindText(1, code)
		stmt.BindText(2, string(l.URL))
		stmt.BindInt64(3, micros)
		stmt.BindText(4, l.CreatedBy)
		if _, err := stmt.Step(); err != nil {
			return err
		}
		link.ID = terse.LinkID(w.conn.LastInsertRowID())
		w.codes.add(link.Code, link.ID)
		return nil
	})
	if err != nil {
		return terse.Link{}, translate(ctx, err, "create link %s", code)
	}
	if link.ID&(runLinks-1) == 0 {
		s.wantTexts() // of the run before, which is full
	}
	return link, nil
}

// Link returns the link of a code. One look-up can't be interrupted: the goroutine for that would take longer.
func (s *Store) Link(ctx context.Context, code terse.Code) (link terse.Link, err error) {
	forgets := s.known.forgets.Load()
	r, err := s.takeReader(ctx)
	if err == nil {
		link, err = r.find(code, s.codes.id(code), s.walNow())
		s.readers.giveBack(r)
	}
	if err == nil {
		s.known.add(link.ID, forgets)
	}
	return link, translate(ctx, err, "look up link %v", code)
}

// By ID a row is found in less than half of the time: that is one tree to descend instead of two, and numbers to compare.
const (
	selectByID   = "SELECT id, code, url, created_at, created_by FROM links WHERE id = ?"
	selectByCode = "SELECT id, code, url, created_at, created_by FROM links WHERE code = ?"
)

// find returns the link of a code, and leaves its transaction open if it may. The ID is where to look first, or 0. The
// state of the write-ahead log is of now.
func (r *reader) find(code terse.Code, id terse.LinkID, wal walState) (terse.Link, error) {
	if err := r.begin(wal); err != nil {
		return terse.Link{}, err
	}
	if id != 0 {
		r.byID.BindInt64(1, int64(id))
		link, err := r.row(r.byID)
		if err != nil || link.Code == code {
			return link, err
		}
	}
	r.byCode.BindText(1, code.String())
	link, err := r.row(r.byCode)
	if err == nil && link.Code != code {
		err = terse.ErrNotFound
	}
	return link, err
}

// row runs one of the statements, and returns the link that it finds, if any.
func (r *reader) row(stmt *sqlite.Stmt) (terse.Link, error) {
	found, err := stmt.Step()
	if err != nil {
		r.end() // the next one shall see whether all is well again
		return terse.Link{}, err
	}
	if !found {
		return terse.Link{}, stmt.Reset()
	}
	var code [terse.MaxCodeLength + 1]byte
	link := terse.Link{
		ID: terse.LinkID(stmt.ColumnInt64(0)), URL: terse.URL(stmt.ColumnText(2)),
		CreatedAt: time.UnixMicro(stmt.ColumnInt64(3)).UTC(), CreatedBy: stmt.ColumnText(4),
	}
	link.Code, _ = terse.ParseCode(code[:stmt.ColumnBytes(1, code[:])]) // what was written by hand and is none is nobody's
	return link, stmt.Reset()
}

// Delete removes a link; a trigger removes its clicks and counts.
func (s *Store) Delete(ctx context.Context, link terse.Link) error {
	err := s.write(ctx, func(w *writer) error {
		stmt, err := w.conn.Prepare("DELETE FROM links WHERE id = ? AND code = ?")
		if err != nil {
			return err
		}
		stmt.BindInt64(1, int64(link.ID))
		stmt.BindText(2, link.Code.String())
		if _, err := stmt.Step(); err != nil {
			return err
		}
		if w.conn.Changes() == 0 {
			return terse.ErrNotFound
		}
		if len(w.deleted) <= maxDeleted {
			w.deleted = append(w.deleted, link.ID)
		}
		return nil
	})
	if err == nil {
		s.wantTexts() // of its run, which are deleted with it
	}
	return translate(ctx, err, "delete link %d %v", link.ID, link.Code)
}
