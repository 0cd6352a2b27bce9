package links

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
)

// Update applies a change. after is the link with the change and its new version; Update spells its
// tags like their owner does. With ErrChanged it returns the link in its current state.
func (c *Changes) Update(ctx context.Context, change terse.LinkChange, after *terse.Link) (
	updated terse.Link, err error,
) {
	found, err := c.lock(ctx, []terse.LinkRef{change.Before.Ref()})
	if err != nil {
		return terse.Link{}, err
	}
	before := found[change.Before.ID]
	if before == nil {
		return terse.Link{}, terse.ErrNotFound
	}
	updated = before.Link
	updated.Code, updated.URL = after.Code, after.URL
	updated.Options, updated.UpdatedAt = after.Options, after.UpdatedAt
	d := decode(&updated)
	batch := &pgx.Batch{}
	refused := []error{nil}
	if !before.UpdatedAt.Equal(change.Before.UpdatedAt) {
		refused[0] = terse.ErrChanged
	}
	aliases := decode(&before.Link).options.Aliases
	if refused[0] == nil &&
		(updated.Code != before.Code || !slices.Equal(aliases, d.options.Aliases)) {
		wanted := append([]string{updated.Code.String()}, d.options.Aliases...)
		claimed, _, err := c.claim(ctx, [][]string{wanted}, 0)
		if err == nil {
			err = claimed.take(d.ID, d.Code, d.options.Aliases)
		}
		if err != nil {
			return before.Link, err
		}
		putAliases(batch, d.ID, aliases, d.options.Aliases)
	}
	if err := c.readSpelling(ctx, []*decoded{d}); err != nil {
		return before.Link, err
	}
	if err := c.spell([]*decoded{d}, refused); err != nil {
		return before.Link, err
	}
	after.Options = updated.Options // by which an earlier try is recognized
	if refused[0] != nil {
		return before.Link, refused[0]
	}
	if d.options.MaxClicks == 0 {
		updated.Used = 0 // kept only while there are MaxClicks
	}
	if updated.Code == before.Code {
		c.write(batch, d, before.sets)
	} else if err := c.recode(ctx, batch, before, d); err != nil {
		return before.Link, err
	}
	if err := record(batch, change, before.Link, updated); err != nil {
		return before.Link, err
	}
	addresses := append(before.Addresses(), updated.Addresses()...)
	slices.Sort(addresses)
	c.changed = append(c.changed, slices.Compact(addresses)...)
	return updated, c.tx.SendBatch(ctx, batch).Close()
}

// recode queues the change of a link's code. Rows that are on the shard of their code move to that
// of the new one.
func (c *Changes) recode(ctx context.Context, batch *pgx.Batch, before *locked, d *decoded) error {
	f := d.facts(time.Now())
	c.move(d.CreatedBy, d.ID, before.sets, f.sets)
	from, to, id := before.Code.String(), d.Code.String(), int64(d.ID)
	rows, _ := c.tx.Query(ctx, "SELECT at, changed_by, request_id, fields FROM link_changes "+
		"WHERE code = $1 AND link_id = $2", from, id)
	batch.Queue("DELETE FROM links WHERE code = $1 AND id = $2", from, id)
	batch.Queue("DELETE FROM link_changes WHERE code = $1 AND link_id = $2", from, id)
	d.insert(batch, &f)
	var at int64
	var by, request, fields string
	_, err := pgx.ForEachRow(rows, []any{&at, &by, &request, &fields}, func() error {
		batch.Queue("INSERT INTO link_changes (code, link_id, at, changed_by, request_id, fields) "+
			"VALUES ($1, $2, $3, $4, $5, $6)", to, id, at, by, request, fields)
		return nil
	})
	batch.Queue("UPDATE shares SET code = $2 WHERE code = $1 AND link_id = $3", from, to, id)
	batch.Queue("INSERT INTO former_codes (link_id, code) VALUES ($1, $2) ON CONFLICT DO NOTHING",
		id, from)
	batch.Queue("INSERT INTO tombstones (link_id, code, deleted, applied) "+
		"VALUES ($1, $2, false, true)", id, from)
	return err
}

// record adds a change to the link's history, and deletes changes beyond MaxHistory.
func record(batch *pgx.Batch, change terse.LinkChange, before, after terse.Link) error {
	fields, err := json.Marshal(terse.DiffLinks(before, after))
	if err != nil {
		return fmt.Errorf("encode a change: %w", err)
	}
	putHistory(batch, after.Ref(), terse.HistoryEntry{
		Time: after.UpdatedAt, By: change.By, RequestID: change.RequestID,
	}, fields)
	batch.Queue(`DELETE FROM link_changes WHERE code = $1 AND link_id = $2 AND at <= (
			SELECT at FROM link_changes WHERE code = $1 AND link_id = $2
			ORDER BY at DESC LIMIT 1 OFFSET $3)`, after.Code.String(), int64(after.ID),
		terse.MaxHistory)
	return nil
}
