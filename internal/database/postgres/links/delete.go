package links

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/link/follow"
)

// Unwanted is a link to delete.
type Unwanted struct {
	terse.Link
	By terse.Caller
}

// Delete deletes links that have the given versions, with everything that belongs to them. For each
// link that it does not delete, refused holds the reason: terse.ErrNotFound, or terse.ErrChanged if
// the link has another version. If a link is given twice, the second is not found.
//
// A delete waits for no batch of clicks. It writes a tombstone, and the next transaction that
// counts deletes the link's clicks.
func (c *Changes) Delete(ctx context.Context, all []Unwanted) (refused []error, err error) {
	wanted := make([]terse.LinkRef, len(all))
	for i, link := range all {
		wanted[i] = link.Ref()
	}
	found, err := c.lock(ctx, wanted)
	if err != nil {
		return nil, err
	}
	refused = make([]error, len(all))
	now := time.Now()
	batch := &pgx.Batch{}
	var codes []string
	var ids []int64
	for i, link := range all {
		before := found[link.ID]
		switch {
		case before == nil:
			refused[i] = terse.ErrNotFound
			continue
		case !before.UpdatedAt.Equal(link.UpdatedAt):
			refused[i] = terse.ErrChanged
			continue
		}
		delete(found, link.ID)
		change := follow.Change{Before: before, By: link.By, At: now}
		e, err := c.rule(change)
		if err != nil {
			return nil, err
		}
		c.collect(batch, change, e)
		codes, ids = append(codes, link.Code.String()), append(ids, int64(link.ID))
	}
	if len(ids) == 0 {
		return refused, nil
	}
	batch.Queue("DELETE FROM links WHERE code = ANY($1) AND id = ANY($2)", codes, ids)
	batch.Queue("DELETE FROM link_changes WHERE code = ANY($1) AND link_id = ANY($2)", codes, ids)
	batch.Queue("DELETE FROM shares WHERE link_id = ANY($1)", ids)
	batch.Queue("DELETE FROM aliases WHERE link_id = ANY($1)", ids)
	batch.Queue("DELETE FROM former_codes WHERE link_id = ANY($1)", ids)
	return refused, c.tx.SendBatch(ctx, batch).Close()
}
