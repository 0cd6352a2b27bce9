package links

import (
	"context"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/postgres/rows"
)

// Delete deletes links that have the given versions, with everything that belongs to them. For each
// link that it does not delete, refused holds the reason: terse.ErrNotFound, or terse.ErrChanged if
// the link has another version. If a link is given twice, the second is not found.
//
// A delete waits for no batch of clicks. It writes a tombstone, and the next transaction that
// counts deletes the link's clicks.
func (c *Changes) Delete(ctx context.Context, all []terse.Link) (refused []error, err error) {
	found, err := c.lock(ctx, refs(all))
	if err != nil {
		return nil, err
	}
	refused = make([]error, len(all))
	var gone []terse.LinkRef
	var codes []string
	var ids []int64
	for i, link := range all {
		switch is := found[link.ID]; {
		case is == nil:
			refused[i] = terse.ErrNotFound
		case !is.UpdatedAt.Equal(link.UpdatedAt):
			refused[i] = terse.ErrChanged
		default:
			delete(found, link.ID)
			c.count(is.Link, -1)
			c.move(is.CreatedBy, is.ID, is.sets, sets{})
			gone, ids = append(gone, link.Ref()), append(ids, int64(link.ID))
			codes = append(codes, link.Code.String())
			c.changed = append(c.changed, is.Addresses()...)
		}
	}
	if len(gone) == 0 {
		return refused, nil
	}
	batch := &pgx.Batch{}
	rows.Bury(batch, gone)
	batch.Queue("DELETE FROM links WHERE code = ANY($1) AND id = ANY($2)", codes, ids)
	batch.Queue("DELETE FROM link_changes WHERE code = ANY($1) AND link_id = ANY($2)", codes, ids)
	batch.Queue("DELETE FROM shares WHERE code = ANY($1) AND link_id = ANY($2)", codes, ids)
	batch.Queue("DELETE FROM aliases WHERE link_id = ANY($1)", ids)
	batch.Queue("DELETE FROM former_codes WHERE link_id = ANY($1)", ids)
	return refused, c.tx.SendBatch(ctx, batch).Close()
}
