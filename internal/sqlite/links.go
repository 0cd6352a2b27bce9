package sqlite

import (
	"context"
	"errors"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
)

// linkChange is a statement that changes a link, for changeLink and nothing else.
type linkChange string

const (
	// insertLink fails before it has changed anything when the code is taken. Like that it needs no
	// copies of the pages that it changes, see the triggers in the schema.
	insertLink linkChange = "INSERT OR FAIL INTO links (code, url, created_at, created_by) " +
		"VALUES (?, ?, ?, ?)"
	deleteLink linkChange = "DELETE FROM links WHERE id = ? AND code = ?"
)

// changeLink runs a statement that makes a link, or changes or deletes the one with an ID. It tells
// all that remembers codes what code the link has now, or had. It returns the link's ID, or
// terse.ErrNotFound when the statement changed nothing.
func (w *writer) changeLink(change linkChange, link terse.LinkRef, bind func(*sqlite.Stmt)) (
	terse.LinkID, error,
) {
	stmt, err := w.conn.Prepare(string(change))
	if err != nil {
		return 0, err
	}
	bind(stmt)
	if _, err := stmt.Step(); err != nil {
		return 0, err
	}
	if w.conn.Changes() == 0 {
		return 0, terse.ErrNotFound
	}
	if link.ID == 0 {
		link.ID = terse.LinkID(w.conn.LastInsertRowID())
	}
	w.index.Add(link.Code, link.ID)
	w.counter.LinkChanged(link.ID)
	return link.ID, nil
}

// Create stores a new link.
func (s *Store) Create(ctx context.Context, l terse.NewLink) (terse.Link, error) {
	at := l.CreatedAt
	if at.IsZero() {
		at = time.Now()
	}
	micros := at.UnixMicro()
	link := terse.Link{
		Code: l.Code, URL: l.URL, CreatedAt: time.UnixMicro(micros).UTC(),
		CreatedBy: l.CreatedBy,
	}
	code := l.Code.String()
	err := s.write(ctx, func(w *writer) (err error) {
		link.ID, err = w.changeLink(insertLink, link.Ref(), func(stmt *sqlite.Stmt) {
			stmt.BindText(1, code)
			stmt.BindText(2, string(l.URL))
			stmt.BindInt64(3, micros)
			stmt.BindText(4, l.CreatedBy)
		})
		return err
	})
	if err != nil {
		return terse.Link{}, translate(ctx, err, "create link %s", code)
	}
	return link, nil
}

// Link returns the link of a code. One look-up can't be interrupted: the goroutine for that would
// take longer.
func (s *Store) Link(ctx context.Context, code terse.Code) (link terse.Link, err error) {
	link, err = s.link(ctx, code)
	return link, translate(ctx, err, "look up link %v", code)
}

func (s *Store) link(ctx context.Context, code terse.Code) (terse.Link, error) {
	r, err := s.takeReader(ctx)
	if err != nil {
		return terse.Link{}, err
	}
	defer func() { s.readers <- r }()
	text := code.String()
	if id, _ := s.index.Find(code); id != 0 { // the row by its key, without SQLite's index of codes
		r.byID.BindInt64(1, int64(id))
		r.byID.BindText(2, text)
		link, err := findLink(r.byID, code)
		if !errors.Is(err, terse.ErrNotFound) {
			return link, err
		}
	}
	r.byCode.BindText(1, text)
	return findLink(r.byCode, code)
}

// Look-ups of a reader.
const (
	selectByID   = "SELECT id, url, created_at, created_by FROM links WHERE id = ? AND code = ?"
	selectByCode = "SELECT id, url, created_at, created_by FROM links WHERE code = ?"
)

// findLink returns the link that a look-up finds.
func findLink(stmt *sqlite.Stmt, code terse.Code) (terse.Link, error) {
	found, err := stmt.Step()
	if err != nil {
		return terse.Link{}, err
	}
	if !found {
		if err := stmt.Reset(); err != nil {
			return terse.Link{}, err
		}
		return terse.Link{}, terse.ErrNotFound
	}
	link := terse.Link{
		ID: terse.LinkID(stmt.ColumnInt64(0)), Code: code, URL: terse.URL(stmt.ColumnText(1)),
		CreatedAt: time.UnixMicro(stmt.ColumnInt64(2)).UTC(), CreatedBy: stmt.ColumnText(3),
	}
	return link, stmt.Reset()
}

// Delete removes a link; a trigger removes its clicks and counts.
func (s *Store) Delete(ctx context.Context, link terse.LinkRef) error {
	err := s.write(ctx, func(w *writer) error {
		_, err := w.changeLink(deleteLink, link, func(stmt *sqlite.Stmt) {
			stmt.BindInt64(1, int64(link.ID))
			stmt.BindText(2, link.Code.String())
		})
		return err
	})
	return translate(ctx, err, "delete link %d %v", link.ID, link.Code)
}
