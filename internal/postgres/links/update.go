package links

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"terse"
)

// Update applies a change. after is the link with the change and its new version; Update spells its
// tags like their owner does. With ErrChanged it returns the link in its current state.
func (c *Changes) Update(ctx context.Context, change terse.LinkChange, after *terse.Link) (
	updated terse.Link, err error,
) {
	found, err := c.lock(ctx, []terse.LinkRef{change.Ref()})
	if err != nil {
		return terse.Link{}, err
	}
	before := found[change.ID]
	if before == nil {
		return terse.Link{}, terse.ErrNotFound
	}
	updated = before.Link
	updated.URL, updated.Options, updated.UpdatedAt = after.URL, after.Options, after.UpdatedAt
	d := decode(&updated)
	if err := c.spell(ctx, []*decoded{d}); err != nil {
		return before.Link, err
	}
	after.Options = updated.Options
	if !before.UpdatedAt.Equal(change.UpdatedAt) {
		return before.Link, terse.ErrChanged
	}
	if d.options.MaxClicks == 0 {
		updated.Used = 0 // kept only while there are MaxClicks
	}
	batch := &pgx.Batch{}
	c.write(batch, d, before.sets)
	if err := record(batch, change, before.Link, updated); err != nil {
		return before.Link, err
	}
	c.changed = append(c.changed, updated.Code.String())
	return updated, c.tx.SendBatch(ctx, batch).Close()
}

// record adds a change to the link's history, and deletes changes beyond MaxHistory.
func record(batch *pgx.Batch, change terse.LinkChange, before, after terse.Link) error {
	fields, err := json.Marshal(terse.DiffLinks(before, after))
	if err != nil {
		return fmt.Errorf("encode a change: %w", err)
	}
	batch.Queue(`INSERT INTO link_changes (code, link_id, at, changed_by, request_id, fields)
		VALUES ($1, $2, $3, $4, $5, $6)`, after.Code.String(), int64(after.ID),
		after.UpdatedAt.UnixMicro(), change.By, change.RequestID, string(fields))
	batch.Queue(`DELETE FROM link_changes WHERE code = $1 AND link_id = $2 AND at <= (
			SELECT at FROM link_changes WHERE code = $1 AND link_id = $2
			ORDER BY at DESC LIMIT 1 OFFSET $3)`, after.Code.String(), int64(after.ID),
		terse.MaxHistory)
	return nil
}
