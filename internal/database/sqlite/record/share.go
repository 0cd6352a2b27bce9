package record

import (
	"errors"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
)

// shareColumns are the columns that scanShare reads, from shares AS s and the link that one shows.
const (
	shareColumns = "s.share, s.owner, s.link_id, l.code, s.name, s.title, s.created_at, " +
		"s.created_by, s.expires_at, s.password"
	numShareColumns = 10
	fromShares      = " FROM shares AS s LEFT JOIN links AS l ON l.id = s.link_id "
)

// scanShare returns the share of a row with shareColumns. A link that is gone has no code.
func scanShare(row *sqlite.Stmt) (s terse.Shared) {
	kept := make([]byte, row.ColumnLen(0))
	row.ColumnBytes(0, kept)
	s = terse.Shared{
		Share: terse.Share(kept),
		Target: terse.ShareTarget{
			Owner: row.ColumnText(1), Link: terse.LinkRef{ID: terse.LinkID(row.ColumnInt64(2))},
			Tag: row.ColumnText(4),
		},
		Title:     row.ColumnText(5),
		CreatedAt: timeAt(row.ColumnInt64(6)), CreatedBy: row.ColumnText(7),
		ExpiresAt: timeAt(row.ColumnInt64(8)), Password: row.ColumnText(9),
	}
	s.Target.Link.Code, _ = terse.ParseKey(row.ColumnText(3))
	return s
}

// eachShare calls f with the shares that a query for shareColumns finds.
func eachShare(conn *sqlite.Conn, f func(terse.Shared) error, where string, args ...any) error {
	return query.Each(conn, "SELECT "+shareColumns+fromShares+where, func(row *sqlite.Stmt) error {
		return f(scanShare(row))
	}, args...)
}

// findShare returns the share that a query finds, or terse.ErrShareNotFound.
func findShare(conn *sqlite.Conn, where string, args ...any) (found terse.Shared, err error) {
	err = terse.ErrShareNotFound
	failed := eachShare(conn, func(s terse.Shared) error {
		found, err = s, nil
		return nil
	}, where, args...)
	if failed != nil {
		err = failed
	}
	return found, err
}

// shareOf returns the share of a target, or terse.ErrShareNotFound. A link has one whoever owns it.
func shareOf(conn *sqlite.Conn, t *terse.ShareTarget) (terse.Shared, error) {
	if t.IsLink() {
		return findShare(conn, "WHERE s.link_id = ?", t.Link.ID)
	}
	return findShare(conn, "WHERE s.link_id = 0 AND s.owner = ? AND s.tag = ?", t.Owner,
		terse.FoldTag(t.Tag))
}

// Share returns the share of a target, or why there is none.
func Share(conn *sqlite.Conn, target terse.ShareTarget) (terse.Shared, error) {
	s, err := shareOf(conn, &target)
	if err == nil && target.IsLink() && s.Target.Link.Code != target.Link.Code {
		err = terse.ErrShareNotFound // and there is no such link
	}
	if !errors.Is(err, terse.ErrShareNotFound) {
		return s, err
	}
	if _, absent := complete(conn, target); absent != nil {
		err = absent
	}
	return terse.Shared{}, err
}

// complete returns a target with the owner of its link, or with the spelling of its tag. It fails
// if there is no such link, or no link with the tag.
func complete(conn *sqlite.Conn, target terse.ShareTarget) (terse.ShareTarget, error) {
	switch {
	case target.IsLink():
		link, err := Of(conn, target.Link)
		target.Owner = link.CreatedBy
		return target, err
	case target.Tag == "":
		return target, nil
	}
	err := error(terse.ErrTagNotFound)
	failed := query.Each(conn, "SELECT name FROM tags WHERE owner = ? AND tag = ?",
		func(row *sqlite.Stmt) error {
			target.Tag, err = row.ColumnText(0), nil
			return nil
		}, target.Owner, terse.FoldTag(target.Tag))
	if failed != nil {
		err = failed
	}
	return target, err
}

// SharesOf returns shares of an owner, newest first.
func SharesOf(conn *sqlite.Conn, owner string) (shares []terse.Shared, err error) {
	err = eachShare(conn, func(s terse.Shared) error {
		shares = append(shares, s)
		return nil
	}, "WHERE s.owner = ? ORDER BY s.created_at DESC, s.rowid DESC LIMIT ?", owner,
		terse.MaxListedShares)
	return shares, err
}

// EveryShare calls f with the shares of a query that are not plain, and the URL of the link that
// each shows.
func EveryShare(
	conn *sqlite.Conn, q terse.ExportQuery, f func(terse.Shared, terse.URL) error,
) error {
	where, args := "", []any(nil)
	if q.Owner != terse.AllOwners {
		where, args = "WHERE s.owner = ? ", []any{q.Owner}
	}
	return query.Each(conn, "SELECT "+shareColumns+", l.url"+fromShares+where+
		"ORDER BY s.owner, s.created_at, s.hash", func(row *sqlite.Stmt) error {
		s := scanShare(row)
		if s.IsPlain() || !q.Has(s) {
			return nil
		}
		return f(s, terse.URL(row.ColumnText(numShareColumns)))
	}, args...)
}

// Shared returns a share with the link that it shows, or terse.ErrShareNotFound.
func Shared(conn *sqlite.Conn, share terse.Share) (s terse.Shared, link terse.Link, err error) {
	hash := share.Hash()
	s, err = findShare(conn, "WHERE s.hash = ?", hash[:])
	if err != nil || !s.Target.IsLink() {
		return s, link, err
	}
	link, err = Of(conn, s.Target.Link)
	if errors.Is(err, terse.ErrNotFound) {
		err = terse.ErrShareNotFound
	}
	return s, link, err
}

// putShare adds a share to a target that has none.
func putShare(conn *sqlite.Conn, s terse.Shared) error {
	hash, t := s.Share.Hash(), &s.Target
	return query.Run(conn, "INSERT INTO shares (hash, share, owner, link_id, tag, name, title, "+
		"created_at, created_by, expires_at, password) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		hash[:], []byte(s.Share), t.Owner, t.Link.ID, terse.FoldTag(t.Tag), t.Tag, s.Title,
		at(s.CreatedAt, 0), s.CreatedBy, at(s.ExpiresAt, 0), s.Password)
}

// addShare is putShare within the bound of an owner's shares.
func (c *Changes) addShare(by terse.Caller, s terse.Shared) error {
	n, err := query.Int(c.Conn, "SELECT count(*) FROM shares WHERE owner = ?", s.Target.Owner)
	if err == nil && n >= terse.MaxShares {
		err = terse.ErrTooManyShares
	}
	if err == nil {
		err = putShare(c.Conn, s)
	}
	if err != nil {
		return err
	}
	return c.noteShare(by, nil, &s)
}

func (c *Changes) noteShare(by terse.Caller, before, after *terse.Shared) error {
	if what, changed := follow.Share(&by, before, after); changed {
		return c.Note(by, what)
	}
	return nil
}

// MakeShare returns the share of a target as a change makes it. If there is none it makes it with
// fresh, unless that is the zero share.
func (c *Changes) MakeShare(by terse.Caller, target terse.ShareTarget, fresh terse.Share,
	change terse.ShareChange,
) (s terse.Shared, made bool, err error) {
	before, err := Share(c.Conn, target)
	switch {
	case err == nil:
		s = change.Of(before)
		return s, false, c.updateShare(by, before, s)
	case !errors.Is(err, terse.ErrShareNotFound) || fresh == "":
		return s, false, err
	}
	if target, err = complete(c.Conn, target); err != nil {
		return s, false, err
	}
	s = change.Of(terse.Shared{
		Share: fresh, Target: target, CreatedAt: timeAt(c.Now.UnixMicro()), CreatedBy: by.Identity,
	})
	if err := c.addShare(by, s); err != nil {
		return terse.Shared{}, false, err
	}
	return s, true, nil
}

func (c *Changes) updateShare(by terse.Caller, before, after terse.Shared) error {
	hash := after.Share.Hash()
	err := query.Run(c.Conn, "UPDATE shares SET title = ?, expires_at = ?, password = ? "+
		"WHERE hash = ?", after.Title, at(after.ExpiresAt, 0), after.Password, hash[:])
	if err != nil {
		return err
	}
	return c.noteShare(by, &before, &after)
}

// DropShare deletes the share of a target, or returns why there is none.
func (c *Changes) DropShare(by terse.Caller, target terse.ShareTarget) error {
	s, err := Share(c.Conn, target)
	if err != nil {
		return err
	}
	return c.dropShare(by, s)
}

func (c *Changes) dropShare(by terse.Caller, s terse.Shared) error {
	hash := s.Share.Hash()
	if err := query.Run(c.Conn, "DELETE FROM shares WHERE hash = ?", hash[:]); err != nil {
		return err
	}
	return c.noteShare(by, &s, nil)
}

// MoveShare makes the share of a target that of another one, neither of them a link, unless that
// has one.
func (c *Changes) MoveShare(by terse.Caller, from, to terse.ShareTarget) error {
	s, err := shareOf(c.Conn, &from)
	if errors.Is(err, terse.ErrShareNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if !from.Same(&to) {
		_, err := shareOf(c.Conn, &to)
		if err == nil {
			return c.dropShare(by, s)
		}
		if !errors.Is(err, terse.ErrShareNotFound) {
			return err
		}
	}
	hash := s.Share.Hash()
	return query.Run(c.Conn, "UPDATE shares SET owner = ?, tag = ?, name = ? WHERE hash = ?",
		to.Owner, terse.FoldTag(to.Tag), to.Tag, hash[:])
}

// RestoreShare makes a share unless it is there.
func (c *Changes) RestoreShare(by terse.Caller, s terse.Shared) (made bool, err error) {
	if s.Target.IsLink() {
		if s.Target, err = complete(c.Conn, s.Target); err != nil {
			return false, err
		}
	}
	switch has, _, err := Shared(c.Conn, s.Share); {
	case err == nil && has.Target.Same(&s.Target):
		return false, nil
	case err == nil:
		return false, terse.ErrShareTaken
	case !errors.Is(err, terse.ErrShareNotFound):
		return false, err
	}
	_, err = shareOf(c.Conn, &s.Target)
	if err == nil {
		return false, terse.ErrShared
	}
	if !errors.Is(err, terse.ErrShareNotFound) {
		return false, err
	}
	return true, c.addShare(by, s)
}

// replaceShare gives a link a plain share in place of any other. The zero share changes nothing.
func (c *Changes) replaceShare(by terse.Caller, link terse.Link, share terse.Share) error {
	if share == "" {
		return nil
	}
	switch has, _, err := Shared(c.Conn, share); {
	case err == nil && has.Target.Link.ID == link.ID:
		return nil
	case err == nil:
		return terse.ErrShareTaken
	case !errors.Is(err, terse.ErrShareNotFound):
		return err
	}
	if err := query.Run(c.Conn, "DELETE FROM shares WHERE link_id = ?", link.ID); err != nil {
		return err
	}
	return putShare(c.Conn, terse.Shared{
		Share:     share,
		Target:    terse.ShareTarget{Owner: link.CreatedBy, Link: link.Ref()},
		CreatedAt: timeAt(c.Now.UnixMicro()), CreatedBy: by.Identity,
	})
}
