package links

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"terse"
)

// Update makes a change, whose result is after, with its new version. With ErrChanged it returns
// the link as it is. It spells the tags of after as their owner does.
func (c *Changes) Update(ctx context.Context, change terse.LinkChange, after *terse.Link) (
	updated terse.Link, err error,
) {
	before, err := one(ctx, c.tx, "SELECT "+Columns+
		" FROM links AS l WHERE l.code = $1 AND l.id = $2 FOR UPDATE",
		change.Code.String(), int64(change.ID))
	if err != nil {
		return before, err
	}
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
	batch := &pgx.Batch{}
	batch.Queue(`UPDATE links SET url = $3, options = $4, updated_at = $5, open_until = $6
		WHERE code = $1 AND id = $2`, updated.Code.String(), int64(updated.ID), string(updated.URL),
		string(updated.Options), updated.UpdatedAt.UnixMicro(), d.openUntil())
	updated.Used = 0
	if before.Options != "" || updated.Options != "" {
		c.updateState(batch, d)
		c.updateTags(batch, d)
	}
	if err := record(batch, change, before, updated); err != nil {
		return before, err
	}
	c.changed = append(c.changed, updated.Code.String())
	return updated, c.tx.SendBatch(ctx, batch).Close()
}

// updateState writes a link's state, and reads what it has used: a new number of clicks keeps it,
// none forgets it.
func (c *Changes) updateState(batch *pgx.Batch, d *draft) {
	if !d.options.HasStatus() {
		batch.Queue("DELETE FROM link_states WHERE code = $1 AND link_id = $2", d.Code.String(),
			int64(d.ID))
		return
	}
	s := d.state()
	batch.Queue(`INSERT INTO link_states AS s
			(code, link_id, owner, created_at, disabled, starts_at, expires_at, max_clicks)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (code, link_id) DO UPDATE SET disabled = excluded.disabled,
			starts_at = excluded.starts_at, expires_at = excluded.expires_at,
			max_clicks = excluded.max_clicks,
			used = CASE WHEN excluded.max_clicks > 0 THEN s.used ELSE 0 END,
			used_up = excluded.max_clicks > 0 AND s.used >= excluded.max_clicks
		RETURNING used`, d.Code.String(), int64(d.ID), d.CreatedBy, d.CreatedAt.UnixMicro(),
		s.disabled, s.startsAt, s.expiresAt, s.maxClicks,
	).QueryRow(func(row pgx.Row) error { return row.Scan(&d.Used) })
}

// updateTags writes which tags a link has, and its state beside them.
func (c *Changes) updateTags(batch *pgx.Batch, d *draft) {
	folded := make([]string, len(d.options.Tags))
	for i, name := range d.options.Tags {
		folded[i] = terse.FoldTag(name)
	}
	batch.Queue(`DELETE FROM link_tags WHERE code = $1 AND link_id = $2 AND tag <> ALL ($3)
		RETURNING tag`, d.Code.String(), int64(d.ID), folded,
	).Query(func(rows pgx.Rows) error {
		var tag string
		_, err := pgx.ForEachRow(rows, []any{&tag}, func() error {
			c.count(d.CreatedBy, tag, int64(d.ID), -1)
			return nil
		})
		return err
	})
	for _, tag := range folded {
		batch.Queue(`INSERT INTO link_tags (code, link_id, tag, owner, created_at)
			VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`, d.Code.String(), int64(d.ID), tag,
			d.CreatedBy, d.CreatedAt.UnixMicro(),
		).Exec(func(inserted pgconn.CommandTag) error {
			if inserted.RowsAffected() > 0 {
				c.count(d.CreatedBy, tag, int64(d.ID), 1)
			}
			return nil
		})
	}
	if len(folded) == 0 {
		return
	}
	disabled, startsAt, expiresAt := d.known()
	batch.Queue(`UPDATE link_tags SET disabled = $3, starts_at = $4, expires_at = $5,
			used_up = (SELECT used_up FROM link_states WHERE code = $1 AND link_id = $2)
		WHERE code = $1 AND link_id = $2`, d.Code.String(), int64(d.ID), disabled, startsAt,
		expiresAt)
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
