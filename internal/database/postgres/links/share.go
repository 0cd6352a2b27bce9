package links

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/link/follow"
)

// shareColumns are the columns that shareRow reads.
const shareColumns = "share, owner, code, link_id, name, title, created_at, created_by, " +
	"expires_at, password"

// shareRow is a share as columns have it.
type shareRow struct {
	terse.Shared
	share            []byte
	code             string
	link             int64
	created, expires int64
}

// columns returns where to scan shareColumns.
func (r *shareRow) columns() []any {
	return []any{
		&r.share, &r.Target.Owner, &r.code, &r.link, &r.Target.Tag, &r.Title, &r.created,
		&r.CreatedBy, &r.expires, &r.Password,
	}
}

// shared returns the share of a row that was scanned.
func (r *shareRow) shared() terse.Shared {
	s := r.Shared
	s.Share, s.Target.Link.ID = terse.Share(r.share), terse.LinkID(r.link)
	s.Target.Link.Code, _ = terse.ParseKey(r.code) // empty unless it shows a link
	s.CreatedAt, s.ExpiresAt = TimeAt(r.created), TimeAt(r.expires)
	return s
}

// TimeAt returns a time that a row has, whose zero stands for none.
func TimeAt(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// MicrosAt is the reverse of TimeAt.
func MicrosAt(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// eachShare calls f with the shares that are found.
func eachShare(ctx context.Context, q Querier, f func(terse.Shared) error, where string,
	args ...any,
) error {
	rows, _ := q.Query(ctx, "SELECT "+shareColumns+" FROM shares "+where, args...)
	return scanShares(rows, f)
}

func scanShares(rows pgx.Rows, f func(terse.Shared) error) error {
	var r shareRow
	_, err := pgx.ForEachRow(rows, r.columns(), func() error { return f(r.shared()) })
	return err
}

// oneShare returns the share of a row, or terse.ErrShareNotFound.
func oneShare(rows pgx.Rows) (found terse.Shared, err error) {
	err = terse.ErrShareNotFound
	failed := scanShares(rows, func(s terse.Shared) error {
		found, err = s, nil
		return nil
	})
	if failed != nil {
		err = failed
	}
	return found, err
}

// shareBy returns the share with a hash, or terse.ErrShareNotFound.
func shareBy(ctx context.Context, q Querier, share terse.Share) (terse.Shared, error) {
	hash := share.Hash()
	rows, _ := q.Query(ctx, "SELECT "+shareColumns+" FROM shares WHERE hash = $1", hash[:])
	return oneShare(rows)
}

// shareOf returns the share of a target, or terse.ErrShareNotFound. lock may lock its row.
func shareOf(ctx context.Context, q Querier, t *terse.ShareTarget, lock string) (
	terse.Shared, error,
) {
	where, args := ofTarget(t)
	rows, _ := q.Query(ctx, "SELECT "+shareColumns+" FROM shares "+where+lock, args...)
	return oneShare(rows)
}

// ofTarget finds the share of a target. A link has one whoever owns it.
func ofTarget(t *terse.ShareTarget) (where string, args []any) {
	if t.IsLink() {
		return "WHERE link_id = $1 AND code = $2",
			[]any{int64(t.Link.ID), t.Link.Code.String()}
	}
	return "WHERE link_id = 0 AND owner = $1 AND tag = $2",
		[]any{t.Owner, terse.FoldTag(t.Tag)}
}

const forUpdate = " FOR UPDATE"

// Share returns the share of a target, or why there is none.
func Share(ctx context.Context, q Querier, target terse.ShareTarget) (terse.Shared, error) {
	s, err := shareOf(ctx, q, &target, "")
	return s, unshared(ctx, q, target, err)
}

// unshared returns the error of a look-up, or of one without a result why there is none.
func unshared(ctx context.Context, q Querier, target terse.ShareTarget, err error) error {
	if errors.Is(err, terse.ErrShareNotFound) {
		if _, absent := complete(ctx, q, target, ""); absent != nil {
			return absent
		}
	}
	return err
}

// complete returns a target with the owner of its link, or with the spelling of its tag. It fails
// if there is no such link, or no link with the tag. lock may lock the row of either.
func complete(ctx context.Context, q Querier, target terse.ShareTarget, lock string) (
	terse.ShareTarget, error,
) {
	sql, args := "SELECT name FROM tags WHERE owner = $1 AND tag = $2"+lock,
		[]any{target.Owner, terse.FoldTag(target.Tag)}
	to, none := &target.Tag, error(terse.ErrTagNotFound)
	switch {
	case target.IsLink():
		sql, args = "SELECT created_by FROM links WHERE code = $1 AND id = $2"+lock,
			[]any{target.Link.Code.String(), int64(target.Link.ID)}
		to, none = &target.Owner, terse.ErrNotFound
	case target.Tag == "":
		return target, nil
	}
	rows, _ := q.Query(ctx, sql, args...)
	found, err := pgx.CollectOneRow(rows, pgx.RowTo[string])
	if errors.Is(err, pgx.ErrNoRows) {
		return target, none
	}
	*to = found
	return target, err
}

// SharesOf returns shares of an owner, newest first.
func SharesOf(ctx context.Context, q Querier, owner string) (shares []terse.Shared, err error) {
	err = eachShare(ctx, q, func(s terse.Shared) error {
		shares = append(shares, s)
		return nil
	}, "WHERE owner = $1 ORDER BY created_at DESC, hash DESC LIMIT $2", owner,
		terse.MaxListedShares)
	return shares, err
}

// sharesAtOnce bounds the shares that EveryShare has in memory, with their links.
const sharesAtOnce = 500

// EveryShare calls f with the shares of a query that are not plain, and the URL of the link that
// each shows.
func EveryShare(ctx context.Context, tx pgx.Tx, q terse.ExportQuery,
	f func(terse.Shared, terse.URL) error,
) error {
	where := "WHERE (owner, created_at, hash) > ($1, $2, $3) "
	args := []any{"", int64(-1), []byte{}}
	if q.Owner != terse.AllOwners {
		where = "WHERE owner = $4 AND (owner, created_at, hash) > ($1, $2, $3) "
		args = append(args, q.Owner)
	}
	for {
		var some []terse.Shared
		var codes []string
		err := eachShare(ctx, tx, func(s terse.Shared) error {
			some = append(some, s)
			if s.Target.IsLink() {
				codes = append(codes, s.Target.Link.Code.String())
			}
			return nil
		}, where+fmt.Sprintf("ORDER BY owner, created_at, hash LIMIT %d", sharesAtOnce), args...)
		if err != nil {
			return err
		}
		found, err := Read(ctx, tx, "SELECT "+Columns+" FROM links AS l WHERE l.code = ANY($1)",
			codes)
		if err != nil {
			return err
		}
		urls := make(map[terse.LinkID]terse.URL, len(found))
		for _, link := range found {
			urls[link.ID] = link.URL
		}
		for _, s := range some {
			if s.IsPlain() || !q.Has(s) {
				continue
			}
			if err := f(s, urls[s.Target.Link.ID]); err != nil {
				return err
			}
		}
		if len(some) < sharesAtOnce {
			return nil
		}
		last := some[len(some)-1]
		hash := last.Share.Hash()
		args[0], args[1], args[2] = last.Target.Owner, MicrosAt(last.CreatedAt), hash[:]
	}
}

// Shared returns a share with the link that it shows, or terse.ErrShareNotFound. Links and shares
// may be on different servers, so it reads one after the other. A link that takes the code in
// between has another ID.
func Shared(ctx context.Context, q Querier, share terse.Share) (
	s terse.Shared, link terse.Link, err error,
) {
	s, err = shareBy(ctx, q, share)
	if err != nil || !s.Target.IsLink() {
		return s, link, err
	}
	link, err = Of(ctx, q, s.Target.Link.Code.String(), int64(s.Target.Link.ID))
	if errors.Is(err, terse.ErrNotFound) {
		err = terse.ErrShareNotFound
	}
	return s, link, err
}

// sharesLock is the first half of the advisory locks of transactions that make or move shares of an
// owner, so that their number is bounded, and nothing gets two: "shar" in ASCII. They take it
// after locks of links, and before those of shares and tags.
const sharesLock int32 = 0x73686172

func (c *Changes) lockShares(ctx context.Context, owner string) error {
	_, err := c.tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1, hashtext($2))", sharesLock, owner)
	return err
}

// putShare adds a share to a target that has none.
func (c *Changes) putShare(ctx context.Context, s terse.Shared) error {
	hash, t := s.Share.Hash(), &s.Target
	code := ""
	if t.IsLink() {
		code = t.Link.Code.String()
	}
	_, err := c.tx.Exec(ctx, `INSERT INTO shares (hash, share, owner, code, link_id, tag, name,
		title, created_at, created_by, expires_at, password)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		hash[:], []byte(s.Share), t.Owner, code, int64(t.Link.ID), terse.FoldTag(t.Tag), t.Tag,
		s.Title, MicrosAt(s.CreatedAt), s.CreatedBy, MicrosAt(s.ExpiresAt), s.Password)
	return err
}

// addShare is putShare within the bound of an owner's shares, which are locked.
func (c *Changes) addShare(ctx context.Context, by terse.Caller, s terse.Shared) error {
	var n int
	err := c.tx.QueryRow(ctx, "SELECT count(*) FROM shares WHERE owner = $1", s.Target.Owner).
		Scan(&n)
	if err == nil && n >= terse.MaxShares {
		err = terse.ErrTooManyShares
	}
	if err == nil {
		err = c.putShare(ctx, s)
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

// Share returns the share of a target as a change makes it. If there is none it makes it with
// fresh, unless that is the zero share. Until the transaction ends, deletes of a link and other
// calls for the owner wait.
func (c *Changes) Share(ctx context.Context, by terse.Caller, target terse.ShareTarget,
	fresh terse.Share, change terse.ShareChange,
) (s terse.Shared, made bool, err error) {
	if target.IsLink() {
		if target, err = complete(ctx, c.tx, target, forUpdate); err != nil {
			return s, false, err
		}
	}
	if err := c.lockShares(ctx, target.Owner); err != nil {
		return s, false, err
	}
	before, err := shareOf(ctx, c.tx, &target, forUpdate)
	switch {
	case err == nil:
		s = change.Of(before)
		return s, false, c.updateShare(ctx, by, before, s)
	case !errors.Is(err, terse.ErrShareNotFound):
		return s, false, err
	}
	// The lock makes wait what takes the tag from its last link: a tag that is renamed takes its
	// share along.
	if target, err = complete(ctx, c.tx, target, " FOR SHARE"); err != nil {
		return s, false, err
	}
	if fresh == "" {
		return s, false, terse.ErrShareNotFound
	}
	s = change.Of(terse.Shared{
		Share: fresh, Target: target, CreatedAt: TimeAt(time.Now().UnixMicro()),
		CreatedBy: by.Identity,
	})
	if err := c.addShare(ctx, by, s); err != nil {
		return terse.Shared{}, false, err
	}
	return s, true, nil
}

func (c *Changes) updateShare(ctx context.Context, by terse.Caller, before, after terse.Shared,
) error {
	hash := after.Share.Hash()
	_, err := c.tx.Exec(ctx, "UPDATE shares SET title = $2, expires_at = $3, password = $4 "+
		"WHERE hash = $1", hash[:], after.Title, MicrosAt(after.ExpiresAt), after.Password)
	if err != nil {
		return err
	}
	return c.noteShare(by, &before, &after)
}

// Unshare deletes the share of a target, or returns why there is none.
func (c *Changes) Unshare(ctx context.Context, by terse.Caller, target terse.ShareTarget) error {
	where, args := ofTarget(&target)
	rows, _ := c.tx.Query(ctx, "DELETE FROM shares "+where+" RETURNING "+shareColumns, args...)
	s, err := oneShare(rows)
	if err != nil {
		return unshared(ctx, c.tx, target, err)
	}
	return c.noteShare(by, &s, nil)
}

func (c *Changes) dropShare(ctx context.Context, by terse.Caller, s terse.Shared) error {
	hash := s.Share.Hash()
	if _, err := c.tx.Exec(ctx, "DELETE FROM shares WHERE hash = $1", hash[:]); err != nil {
		return err
	}
	return c.noteShare(by, &s, nil)
}

// MoveShare makes the share of a target that of another one, neither of them a link, unless that
// has one.
func (c *Changes) MoveShare(ctx context.Context, by terse.Caller, from, to terse.ShareTarget,
) error {
	first, second := min(from.Owner, to.Owner), max(from.Owner, to.Owner)
	if err := c.lockShares(ctx, first); err != nil {
		return err
	}
	if first != second {
		if err := c.lockShares(ctx, second); err != nil {
			return err
		}
	}
	s, err := shareOf(ctx, c.tx, &from, forUpdate)
	if errors.Is(err, terse.ErrShareNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if !from.Same(&to) {
		_, err := shareOf(ctx, c.tx, &to, "")
		if err == nil {
			return c.dropShare(ctx, by, s)
		}
		if !errors.Is(err, terse.ErrShareNotFound) {
			return err
		}
	}
	hash := s.Share.Hash()
	_, err = c.tx.Exec(ctx, "UPDATE shares SET owner = $2, tag = $3, name = $4 WHERE hash = $1",
		hash[:], to.Owner, terse.FoldTag(to.Tag), to.Tag)
	return err
}

// RestoreShare makes a share unless it is there.
func (c *Changes) RestoreShare(ctx context.Context, by terse.Caller, s terse.Shared) (
	made bool, err error,
) {
	if s.Target.IsLink() {
		if s.Target, err = complete(ctx, c.tx, s.Target, forUpdate); err != nil {
			return false, err
		}
	}
	if err := c.lockShares(ctx, s.Target.Owner); err != nil {
		return false, err
	}
	switch has, err := shareBy(ctx, c.tx, s.Share); {
	case err == nil && has.Target.Same(&s.Target):
		return false, nil
	case err == nil:
		return false, terse.ErrShareTaken
	case !errors.Is(err, terse.ErrShareNotFound):
		return false, err
	}
	_, err = shareOf(ctx, c.tx, &s.Target, "")
	if err == nil {
		return false, terse.ErrShared
	}
	if !errors.Is(err, terse.ErrShareNotFound) {
		return false, err
	}
	if err := c.addShare(ctx, by, s); err != nil {
		return false, err
	}
	return true, nil
}

// replaceShare gives a link, whose row is locked, a plain share in place of any other. The zero
// share changes nothing.
func (c *Changes) replaceShare(ctx context.Context, by terse.Caller, link terse.Link,
	share terse.Share,
) error {
	if share == "" {
		return nil
	}
	switch has, err := shareBy(ctx, c.tx, share); {
	case err == nil && has.Target.Link.ID == link.ID:
		return nil
	case err == nil:
		return terse.ErrShareTaken
	case !errors.Is(err, terse.ErrShareNotFound):
		return err
	}
	_, err := c.tx.Exec(ctx, "DELETE FROM shares WHERE link_id = $1", int64(link.ID))
	if err != nil {
		return err
	}
	return c.putShare(ctx, terse.Shared{
		Share:     share,
		Target:    terse.ShareTarget{Owner: link.CreatedBy, Link: link.Ref()},
		CreatedAt: TimeAt(time.Now().UnixMicro()), CreatedBy: by.Identity,
	})
}
