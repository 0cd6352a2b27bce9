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
	insertLink linkChange = "INSERT OR FAIL INTO links " +
		"(code, url, created_at, created_by, options) VALUES (?, ?, ?, ?, ?)"
	updateLink linkChange = "UPDATE links SET url = ?, options = ?, updated_at = ? WHERE id = ?"
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
		CreatedBy: l.CreatedBy, Options: l.Options,
	}
	code := l.Code.String()
	err := s.write(ctx, func(w *writer) (err error) {
		link.ID, err = w.changeLink(insertLink, link.Ref(), func(stmt *sqlite.Stmt) {
			stmt.BindText(1, code)
			stmt.BindText(2, string(l.URL))
			stmt.BindInt64(3, micros)
			stmt.BindText(4, l.CreatedBy)
			stmt.BindText(5, string(l.Options))
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
		link, err := findLink(r.byID)
		if !errors.Is(err, terse.ErrNotFound) {
			return link, err
		}
	}
	r.byCode.BindText(1, text)
	return findLink(r.byCode)
}

// linkColumns are what scanLink reads.
const linkColumns = "id, code, url, created_at, created_by, updated_at, options"

// Look-ups of a reader.
const (
	selectByID   = "SELECT " + linkColumns + " FROM links WHERE id = ? AND code = ?"
	selectByCode = "SELECT " + linkColumns + " FROM links WHERE code = ?"
)

// scanLink returns the link of a row with linkColumns.
func scanLink(row *sqlite.Stmt) (terse.Link, error) {
	code, err := terse.ParseCode(row.ColumnText(1))
	link := terse.Link{
		ID: terse.LinkID(row.ColumnInt64(0)), Code: code, URL: terse.URL(row.ColumnText(2)),
		CreatedAt: time.UnixMicro(row.ColumnInt64(3)).UTC(), CreatedBy: row.ColumnText(4),
		Options: terse.EncodedOptions(row.ColumnText(6)),
	}
	if at := row.ColumnInt64(5); at != 0 {
		link.UpdatedAt = time.UnixMicro(at).UTC()
	}
	return link, err
}

// findLink returns the link that a look-up finds.
func findLink(stmt *sqlite.Stmt) (terse.Link, error) {
	found, err := stmt.Step()
	if err != nil {
		return terse.Link{}, err
	}
	link, err := terse.Link{}, error(terse.ErrNotFound)
	if found {
		link, err = scanLink(stmt)
	}
	return link, errors.Join(err, stmt.Reset())
}

// linkOf returns a link, or terse.ErrNotFound.
func linkOf(conn *sqlite.Conn, link terse.LinkRef) (terse.Link, error) {
	stmt, err := conn.Prepare(selectByID)
	if err != nil {
		return terse.Link{}, err
	}
	stmt.BindInt64(1, int64(link.ID))
	stmt.BindText(2, link.Code.String())
	return findLink(stmt)
}

// Update changes a link.
func (s *Store) Update(ctx context.Context, changed terse.LinkChange) (terse.Link, error) {
	var updated terse.Link
	err := s.write(ctx, func(w *writer) (err error) {
		if updated, err = linkOf(w.conn, changed.Ref()); err != nil {
			return err
		}
		if !updated.UpdatedAt.Equal(changed.UpdatedAt) {
			return terse.ErrChanged
		}
		updated.URL, updated.Options = changed.URL, changed.Options
		updated.UpdatedAt = terse.Version(time.Now(), changed.UpdatedAt)
		_, err = w.changeLink(updateLink, changed.Ref(), func(stmt *sqlite.Stmt) {
			stmt.BindText(1, string(updated.URL))
			stmt.BindText(2, string(updated.Options))
			stmt.BindInt64(3, updated.UpdatedAt.UnixMicro())
			stmt.BindInt64(4, int64(changed.ID))
		})
		return err
	})
	if err != nil {
		return terse.Link{}, translate(ctx, err, "update link %d %v", changed.ID, changed.Code)
	}
	return updated, nil
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
