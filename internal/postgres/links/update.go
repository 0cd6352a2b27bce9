package links

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
)

// Update makes a change, whose result is after, with its new version. With ErrChanged it returns
// the link as it is. It spells the tags of after as their owner does.
func (c *Changes) Update(ctx context.Context, change terse.LinkChange, after *terse.Link) (
	updated terse.Link, err error,
) {
	found, in, err := readWithSets(ctx, c.tx, "l.code = $1 AND l.id = $2 FOR UPDATE",
		change.Code.String(), int64(change.ID))
	if err != nil || len(found) == 0 {
		return terse.Link{}, cmp.Or(err, error(terse.ErrNotFound))
	}
	before := found[0]
	updated = before
	updated.URL, updated.Options, updated.UpdatedAt = after.URL, after.Options, after.UpdatedAt
	d := read(&updated)
	if err := c.spell(ctx, []*draft{d}); err != nil {
		return before, err
	}
	after.Options = updated.Options
	if !before.UpdatedAt.Equal(change.UpdatedAt) {
		return before, terse.ErrChanged
	}
	if d.options.MaxClicks == 0 {
		updated.Used = 0 // a new number of clicks keeps what is used, none forgets it
	}
	f := d.facts(time.Now())
	c.move(updated.CreatedBy, int64(updated.ID), in[updated.ID], f.sets)
	batch := &pgx.Batch{}
	batch.Queue(`UPDATE links SET url = $3, options = $4, updated_at = $5, open_until = $6,
			max_clicks = $7, used = $8, tags = $9, status = $10, since = $11, until = $12
		WHERE code = $1 AND id = $2`, updated.Code.String(), int64(updated.ID), string(updated.URL),
		string(updated.Options), updated.UpdatedAt.UnixMicro(), f.openUntil, f.maxClicks, f.used,
		f.tags, f.status, f.since, f.until)
	if err := record(batch, change, before, updated); err != nil {
		return before, err
	}
	c.changed = append(c.changed, updated.Code.String())
	return updated, c.tx.SendBatch(ctx, batch).Close()
}

// record keeps a change in the link's history, and forgets the oldest one beyond MaxHistory.
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
