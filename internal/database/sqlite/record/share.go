package record

import (
	"errors"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
)

// Share returns the share of a link, or terse.ErrShareNotFound.
func Share(conn *sqlite.Conn, link terse.LinkRef) (share terse.Share, err error) {
	if _, err := Of(conn, link); err != nil {
		return share, err
	}
	err = terse.ErrShareNotFound
	failed := query.Each(conn, "SELECT share FROM shares WHERE link_id = ?",
		func(row *sqlite.Stmt) error {
			kept := make([]byte, row.ColumnLen(0))
			row.ColumnBytes(0, kept)
			share = terse.Share(kept)
			err = nil
			return nil
		}, link.ID)
	if failed != nil {
		return share, failed
	}
	return share, err
}

// putShare adds a share to a link that has none.
func putShare(conn *sqlite.Conn, link terse.LinkID, share terse.Share) error {
	hash := share.Hash()
	return query.Run(conn, "INSERT INTO shares (link_id, share, hash) VALUES (?, ?, ?)",
		link, []byte(share), hash[:])
}

// MakeShare returns the share of a link, after setting it to fresh if there was none.
func (c *Changes) MakeShare(by terse.Caller, link terse.LinkRef, fresh terse.Share) (
	terse.Share, error,
) {
	share, err := Share(c.Conn, link)
	if !errors.Is(err, terse.ErrShareNotFound) {
		return share, err
	}
	if err := putShare(c.Conn, link.ID, fresh); err != nil {
		return "", err
	}
	return fresh, c.Note(by, terse.Noted{Action: terse.ActionShare, Target: link.Code.String()})
}

// DropShare deletes the share of a link, or returns terse.ErrShareNotFound.
func (c *Changes) DropShare(by terse.Caller, link terse.LinkRef) error {
	if _, err := Share(c.Conn, link); err != nil {
		return err
	}
	if err := query.Run(c.Conn, "DELETE FROM shares WHERE link_id = ?", link.ID); err != nil {
		return err
	}
	return c.Note(by, terse.Noted{Action: terse.ActionUnshare, Target: link.Code.String()})
}

// Shared returns the link of a share, or terse.ErrShareNotFound.
func Shared(conn *sqlite.Conn, share terse.Share) (link terse.Link, err error) {
	hash, found := share.Hash(), false
	err = query.Each(conn, "SELECT "+Columns+" FROM links "+
		"WHERE id = (SELECT link_id FROM shares WHERE hash = ?)",
		func(row *sqlite.Stmt) (err error) {
			found = true
			link, err = Scan(row)
			return err
		}, hash[:])
	if err == nil && !found {
		err = terse.ErrShareNotFound
	}
	return link, err
}
