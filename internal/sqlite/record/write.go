package record

import (
	"errors"
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
)

// InsertLink fails before it changes anything if the code is taken. OR FAIL saves copies of the
// pages that it changes, see the triggers in the schema.
const InsertLink = "INSERT OR FAIL INTO links " +
	"(code, url, created_at, created_by, options) VALUES (?, ?, ?, ?, ?)"

// change runs a statement that creates, changes or deletes a link. It returns terse.ErrNotFound if
// the statement changed nothing.
func change(conn *sqlite.Conn, sql string, bind func(*sqlite.Stmt)) error {
	stmt, err := conn.Prepare(sql)
	if err != nil {
		return err
	}
	bind(stmt)
	if _, err := stmt.Step(); err != nil {
		return err
	}
	if conn.Changes() == 0 {
		return terse.ErrNotFound
	}
	return nil
}

// Insert stores a new link, created now unless CreatedAt is set.
func (n Naming) Insert(conn *sqlite.Conn, l terse.NewLink, now time.Time) (terse.Link, error) {
	options, err := respell(conn, l.CreatedBy, &l.Options)
	if err != nil {
		return terse.Link{}, err
	}
	if err := n.checkFree(conn, 0, l.Code, options.Aliases); err != nil {
		return terse.Link{}, err
	}
	if l.CreatedAt.IsZero() {
		l.CreatedAt = now
	}
	link := terse.Link{
		Code: l.Code, URL: l.URL, CreatedAt: time.UnixMicro(l.CreatedAt.UnixMicro()).UTC(),
		CreatedBy: l.CreatedBy, Options: l.Options,
	}
	err = change(conn, InsertLink, func(stmt *sqlite.Stmt) {
		stmt.BindText(1, l.Code.String())
		stmt.BindText(2, string(l.URL))
		stmt.BindInt64(3, l.CreatedAt.UnixMicro())
		stmt.BindText(4, l.CreatedBy)
		stmt.BindText(5, string(l.Options))
	})
	if err != nil {
		return link, err
	}
	link.ID = terse.LinkID(conn.LastInsertRowID())
	if l.Options == "" {
		return link, nil
	}
	for _, tag := range options.Tags {
		if err := addTag(conn, link, tag); err != nil {
			return link, err
		}
	}
	if err := putAliases(conn, link.ID, nil, options.Aliases); err != nil {
		return link, err
	}
	_, err = putState(conn, link, options, now)
	return link, err
}

// Update applies a change, and adds it to the link's history. A trigger notes another code.
func (n Naming) Update(conn *sqlite.Conn, c terse.LinkChange, now time.Time) (terse.Link, error) {
	before, err := Of(conn, c.Before.Ref())
	if err != nil {
		return terse.Link{}, err
	}
	if !before.UpdatedAt.Equal(c.Before.UpdatedAt) {
		return terse.Link{}, terse.ErrChanged
	}
	after := before
	after.Code, after.URL, after.Options = c.After.Code, c.After.URL, c.After.Options
	after.UpdatedAt = terse.Version(now, c.Before.UpdatedAt)
	options, err := respell(conn, after.CreatedBy, &after.Options)
	if err != nil {
		return terse.Link{}, err
	}
	aliases := decode(before.Options).Aliases
	if after.Code != before.Code || !slices.Equal(aliases, options.Aliases) {
		if err := n.checkFree(conn, after.ID, after.Code, options.Aliases); err != nil {
			return terse.Link{}, err
		}
	}
	const update = "UPDATE links SET code = ?, url = ?, options = ?, updated_at = ? WHERE id = ?"
	err = change(conn, update, func(stmt *sqlite.Stmt) {
		stmt.BindText(1, after.Code.String())
		stmt.BindText(2, string(after.URL))
		stmt.BindText(3, string(after.Options))
		stmt.BindInt64(4, after.UpdatedAt.UnixMicro())
		stmt.BindInt64(5, int64(after.ID))
	})
	if err != nil {
		return terse.Link{}, err
	}
	if err := putAliases(conn, after.ID, aliases, options.Aliases); err != nil {
		return terse.Link{}, err
	}
	if before.Options != "" || after.Options != "" {
		if err := retag(conn, after, options.Tags); err != nil {
			return terse.Link{}, err
		}
		if after.Used, err = putState(conn, after, options, now); err != nil {
			return terse.Link{}, err
		}
	}
	return after, addHistory(conn, before, after, c)
}

// Delete deletes a link if it has the given version. Triggers delete what belongs to it.
func Delete(conn *sqlite.Conn, link terse.Link) error {
	const remove = "DELETE FROM links WHERE id = ? AND code = ? AND updated_at = ?"
	err := change(conn, remove, func(stmt *sqlite.Stmt) {
		stmt.BindInt64(1, int64(link.ID))
		stmt.BindText(2, link.Code.String())
		stmt.BindInt64(3, version(link))
	})
	if !errors.Is(err, terse.ErrNotFound) {
		return err
	}
	if _, err = Of(conn, link.Ref()); err == nil {
		err = terse.ErrChanged
	}
	return err
}

// version returns the UpdatedAt of a link as stored in the database.
func version(link terse.Link) int64 {
	if link.UpdatedAt.IsZero() {
		return 0
	}
	return link.UpdatedAt.UnixMicro()
}
