package record

import (
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
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
func (c *Changes) Insert(by terse.Caller, l terse.NewLink) (terse.Link, error) {
	if l.CreatedAt.IsZero() {
		l.CreatedAt = c.Now
	}
	link := follow.Decode(terse.Link{
		Code: l.Code, URL: l.URL, CreatedAt: time.UnixMicro(l.CreatedAt.UnixMicro()).UTC(),
		CreatedBy: l.CreatedBy, Options: l.Options,
	})
	if err := c.respell(link); err != nil {
		return terse.Link{}, err
	}
	if err := c.checkFree(c.Conn, 0, link.Code, link.Aliases); err != nil {
		return terse.Link{}, err
	}
	err := change(c.Conn, InsertLink, func(stmt *sqlite.Stmt) {
		stmt.BindText(1, link.Code.String())
		stmt.BindText(2, string(link.URL))
		stmt.BindInt64(3, link.CreatedAt.UnixMicro())
		stmt.BindText(4, link.CreatedBy)
		stmt.BindText(5, string(link.Options))
	})
	if err != nil {
		return link.Link, err
	}
	link.ID = terse.LinkID(c.Conn.LastInsertRowID())
	e, err := c.Rule(follow.Change{After: link, By: by, At: c.Now})
	if err != nil {
		return link.Link, err
	}
	return link.Link, c.follow(nil, link, e, nil)
}

// Update applies a change, and adds it to the link's history. A trigger notes another code.
func (c *Changes) Update(by terse.Caller, asked terse.LinkChange) (terse.Link, error) {
	before, err := c.stored(asked.Before.Ref())
	if err != nil {
		return terse.Link{}, err
	}
	if !before.UpdatedAt.Equal(asked.Before.UpdatedAt) {
		return terse.Link{}, terse.ErrChanged
	}
	link := before.Link
	link.Code, link.URL, link.Options = asked.After.Code, asked.After.URL, asked.After.Options
	link.CreatedBy = asked.After.CreatedBy
	link.UpdatedAt = terse.Version(c.Now, asked.Before.UpdatedAt)
	if before.Options != "" || link.Options != "" {
		if err := c.readSets(before); err != nil {
			return terse.Link{}, err
		}
	}
	after := before.Become(link)
	if err := c.respell(after); err != nil {
		return terse.Link{}, err
	}
	e, err := c.Rule(follow.Change{Before: before, After: after, By: by, At: c.Now})
	if err != nil {
		return terse.Link{}, err
	}
	if after.Code != before.Code || !slices.Equal(before.Aliases, after.Aliases) {
		if err := c.checkFree(c.Conn, after.ID, after.Code, after.Aliases); err != nil {
			return terse.Link{}, err
		}
	}
	return after.Link, c.follow(before, after, e, func() error { return c.update(before, after) })
}

// update writes the row of a link.
func (c *Changes) update(before, after *follow.Stored) error {
	const update = "UPDATE links SET code = ?, url = ?, options = ?, updated_at = ? WHERE id = ?"
	err := change(c.Conn, update, func(stmt *sqlite.Stmt) {
		stmt.BindText(1, after.Code.String())
		stmt.BindText(2, string(after.URL))
		stmt.BindText(3, string(after.Options))
		stmt.BindInt64(4, version(after.Link))
		stmt.BindInt64(5, int64(after.ID))
	})
	if err == nil && before.CreatedBy != after.CreatedBy {
		err = query.Run(c.Conn, "UPDATE links SET created_by = ? WHERE id = ?",
			after.CreatedBy, after.ID)
	}
	if err == nil && !before.CreatedAt.Equal(after.CreatedAt) {
		err = query.Run(c.Conn, "UPDATE links SET created_at = ? WHERE id = ?",
			after.CreatedAt.UnixMicro(), after.ID)
	}
	return err
}

// Delete deletes a link if it has the given version. Triggers delete what belongs to it.
func (c *Changes) Delete(by terse.Caller, link terse.Link) error {
	before, err := c.stored(link.Ref())
	if err != nil {
		return err
	}
	if !before.UpdatedAt.Equal(link.UpdatedAt) {
		return terse.ErrChanged
	}
	tags := before.Set.Tags
	if before.Damaged {
		err = c.readSets(before)
		tags = before.Tags
	}
	if err != nil {
		return err
	}
	for _, tag := range tags {
		if err := c.Held.hold(c.Conn, before.CreatedBy, terse.FoldTag(tag)); err != nil {
			return err
		}
	}
	e, err := c.Rule(follow.Change{Before: before, By: by, At: c.Now})
	if err != nil {
		return err
	}
	err = change(c.Conn, "DELETE FROM links WHERE id = ?", func(stmt *sqlite.Stmt) {
		stmt.BindInt64(1, int64(link.ID))
	})
	if err != nil {
		return err
	}
	return c.append(e.Rows)
}

// version returns the UpdatedAt of a link as stored in the database.
func version(link terse.Link) int64 {
	if link.UpdatedAt.IsZero() {
		return 0
	}
	return link.UpdatedAt.UnixMicro()
}
