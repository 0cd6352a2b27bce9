package record

import (
	"errors"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
)

// Change is a statement that changes a link, for Writer.Change and nothing else.
type Change string

const (
	// InsertLink fails before it has changed anything when the code is taken. Like that it needs no
	// copies of the pages that it changes, see the triggers in the schema.
	InsertLink Change = "INSERT OR FAIL INTO links " +
		"(code, url, created_at, created_by, options) VALUES (?, ?, ?, ?, ?)"
	updateLink Change = "UPDATE links SET url = ?, options = ?, updated_at = ? WHERE id = ?"
	deleteLink Change = "DELETE FROM links WHERE id = ? AND code = ? AND updated_at = ?"
)

// Writer changes links.
type Writer struct {
	Conn *sqlite.Conn
	// Changed is told what code a link has now, or had. It has to be told of all changes.
	Changed func(terse.LinkRef)
}

// Change runs a statement that makes a link, or changes or deletes the one with an ID. It returns
// the link's ID, or terse.ErrNotFound when the statement changed nothing.
func (w *Writer) Change(change Change, link terse.LinkRef, bind func(*sqlite.Stmt)) (
	terse.LinkID, error,
) {
	stmt, err := w.Conn.Prepare(string(change))
	if err != nil {
		return 0, err
	}
	bind(stmt)
	if _, err := stmt.Step(); err != nil {
		return 0, err
	}
	if w.Conn.Changes() == 0 {
		return 0, terse.ErrNotFound
	}
	if link.ID == 0 {
		link.ID = terse.LinkID(w.Conn.LastInsertRowID())
	}
	w.Changed(link)
	return link.ID, nil
}

// Insert stores a new link, made now unless it says otherwise.
func (w *Writer) Insert(l terse.NewLink, now time.Time) (terse.Link, error) {
	options, err := respell(w.Conn, l.CreatedBy, &l.Options)
	if err != nil {
		return terse.Link{}, err
	}
	if l.CreatedAt.IsZero() {
		l.CreatedAt = now
	}
	link := terse.Link{
		Code: l.Code, URL: l.URL, CreatedAt: time.UnixMicro(l.CreatedAt.UnixMicro()).UTC(),
		CreatedBy: l.CreatedBy, Options: l.Options,
	}
	link.ID, err = w.Change(InsertLink, link.Ref(), func(stmt *sqlite.Stmt) {
		stmt.BindText(1, l.Code.String())
		stmt.BindText(2, string(l.URL))
		stmt.BindInt64(3, l.CreatedAt.UnixMicro())
		stmt.BindText(4, l.CreatedBy)
		stmt.BindText(5, string(l.Options))
	})
	if err != nil || l.Options == "" {
		return link, err
	}
	for _, tag := range options.Tags {
		if err := addTag(w.Conn, link, tag); err != nil {
			return link, err
		}
	}
	_, err = putState(w.Conn, link, options, now)
	return link, err
}

// Update makes a change, and writes it into the link's history.
func (w *Writer) Update(change terse.LinkChange, now time.Time) (terse.Link, error) {
	before, err := Of(w.Conn, change.Ref())
	if err != nil {
		return terse.Link{}, err
	}
	if !before.UpdatedAt.Equal(change.UpdatedAt) {
		return terse.Link{}, terse.ErrChanged
	}
	after := before
	after.URL, after.Options = change.URL, change.Options
	after.UpdatedAt = terse.Version(now, change.UpdatedAt)
	options, err := respell(w.Conn, after.CreatedBy, &after.Options)
	if err != nil {
		return terse.Link{}, err
	}
	_, err = w.Change(updateLink, after.Ref(), func(stmt *sqlite.Stmt) {
		stmt.BindText(1, string(after.URL))
		stmt.BindText(2, string(after.Options))
		stmt.BindInt64(3, after.UpdatedAt.UnixMicro())
		stmt.BindInt64(4, int64(after.ID))
	})
	if err != nil {
		return terse.Link{}, err
	}
	if before.Options != "" || after.Options != "" {
		if err := retag(w.Conn, after, options.Tags); err != nil {
			return terse.Link{}, err
		}
		if after.Used, err = putState(w.Conn, after, options, now); err != nil {
			return terse.Link{}, err
		}
	}
	return after, remember(w.Conn, before, after, change)
}

// Delete removes a version of a link; triggers remove what belongs to the link.
func (w *Writer) Delete(link terse.Link) error {
	_, err := w.Change(deleteLink, link.Ref(), func(stmt *sqlite.Stmt) {
		stmt.BindInt64(1, int64(link.ID))
		stmt.BindText(2, link.Code.String())
		stmt.BindInt64(3, version(link))
	})
	if !errors.Is(err, terse.ErrNotFound) {
		return err
	}
	if _, err = Of(w.Conn, link.Ref()); err == nil {
		err = terse.ErrChanged
	}
	return err
}

// version returns the UpdatedAt of a link as the database has it.
func version(link terse.Link) int64 {
	if link.UpdatedAt.IsZero() {
		return 0
	}
	return link.UpdatedAt.UnixMicro()
}
