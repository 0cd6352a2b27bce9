package links

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"terse"
)

// Share returns the share of a link, or terse.ErrShareNotFound whether or not the link exists.
func Share(ctx context.Context, q Querier, link terse.LinkRef) (terse.Share, error) {
	rows, _ := q.Query(ctx, "SELECT share FROM shares WHERE code = $1 AND link_id = $2",
		link.Code.String(), int64(link.ID))
	kept, err := pgx.CollectOneRow(rows, pgx.RowTo[[]byte])
	if errors.Is(err, pgx.ErrNoRows) {
		err = terse.ErrShareNotFound
	}
	return terse.Share(kept), err
}

// Share stores fresh as the share of a link unless it has one, and returns its share. Until the
// transaction ends, deletes of the link and other calls of it for the link wait.
func (c *Changes) Share(
	ctx context.Context, by terse.Caller, link terse.LinkRef, fresh terse.Share,
) (terse.Share, error) {
	tx := c.tx
	code, id, hash := link.Code.String(), int64(link.ID), fresh.Hash()
	locked, err := tx.Exec(ctx,
		"SELECT id FROM links WHERE code = $1 AND id = $2 FOR UPDATE", code, id)
	if err == nil && locked.RowsAffected() == 0 {
		err = terse.ErrNotFound
	}
	if err == nil {
		_, err = tx.Exec(ctx, `INSERT INTO shares (code, link_id, share, hash)
			VALUES ($1, $2, $3, $4) ON CONFLICT (code, link_id) DO NOTHING`,
			code, id, []byte(fresh), hash[:])
	}
	if err != nil {
		return "", err
	}
	share, err := Share(ctx, tx, link)
	if err == nil && share == fresh {
		err = c.Note(by, terse.Noted{Action: terse.ActionShare, Target: code})
	}
	return share, err
}

// Unshare deletes the share of a link, and reports whether there was one.
func (c *Changes) Unshare(ctx context.Context, by terse.Caller, link terse.LinkRef) (bool, error) {
	code := link.Code.String()
	done, err := c.tx.Exec(ctx, "DELETE FROM shares WHERE code = $1 AND link_id = $2", code,
		int64(link.ID))
	if err != nil || done.RowsAffected() == 0 {
		return false, err
	}
	return true, c.Note(by, terse.Noted{Action: terse.ActionUnshare, Target: code})
}

// Shared returns the link of a share, or terse.ErrShareNotFound. Links and shares may be on
// different servers, so it reads one after the other. A link that takes the code in between has
// another ID.
func Shared(ctx context.Context, q Querier, share terse.Share) (terse.Link, error) {
	hash := share.Hash()
	rows, _ := q.Query(ctx, "SELECT code, link_id FROM shares WHERE hash = $1", hash[:])
	var code string
	var id int64
	if _, err := pgx.ForEachRow(rows, []any{&code, &id}, func() error { return nil }); err != nil {
		return terse.Link{}, err
	}
	link, err := Of(ctx, q, code, id)
	if errors.Is(err, terse.ErrNotFound) {
		err = terse.ErrShareNotFound
	}
	return link, err
}
