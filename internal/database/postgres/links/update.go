package links

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/link/follow"
)

// Update applies a change. wanted is the link with the change and its new version; Update spells
// its tags like their owner does. With ErrChanged it returns the link in its current state.
func (c *Changes) Update(
	ctx context.Context, by terse.Caller, change terse.LinkChange, wanted *terse.Link,
) (updated terse.Link, err error) {
	found, err := c.lock(ctx, []terse.LinkRef{change.Before.Ref()})
	if err != nil {
		return terse.Link{}, err
	}
	before := found[change.Before.ID]
	if before == nil {
		return terse.Link{}, terse.ErrNotFound
	}
	updated = before.Link
	updated.Code, updated.URL, updated.CreatedBy = wanted.Code, wanted.URL, wanted.CreatedBy
	updated.Options, updated.UpdatedAt = wanted.Options, wanted.UpdatedAt
	after := before.Become(updated)
	batch := &pgx.Batch{}
	refused := []error{nil}
	if !before.UpdatedAt.Equal(change.Before.UpdatedAt) {
		refused[0] = terse.ErrChanged
	}
	if refused[0] == nil &&
		(after.Code != before.Code || !slices.Equal(before.Aliases, after.Aliases)) {
		addresses := append([]string{after.Code.String()}, after.Aliases...)
		claimed, _, err := c.claim(ctx, [][]string{addresses}, 0)
		if err == nil {
			err = claimed.take(after.ID, after.Code, after.Aliases)
		}
		if err != nil {
			return before.Link, err
		}
		putAliases(batch, after.ID, before.Aliases, after.Aliases)
	}
	if err := c.readSpelling(ctx, []*follow.Stored{after}); err != nil {
		return before.Link, err
	}
	if err := c.spell([]*follow.Stored{after}, refused); err != nil {
		return before.Link, err
	}
	wanted.Options = after.Options // by which an earlier try is recognized
	if refused[0] != nil {
		return before.Link, refused[0]
	}
	made := follow.Change{Before: before, After: after, By: by, At: time.Now()}
	e, err := c.rule(made)
	if err != nil {
		return before.Link, err
	}
	if after.CreatedBy != before.CreatedBy {
		batch.Queue("UPDATE shares SET owner = $2 WHERE link_id = $1", int64(after.ID),
			after.CreatedBy)
	}
	if after.Code == before.Code {
		c.update(batch, made, e)
	} else if err := c.recode(ctx, batch, made, e); err != nil {
		return before.Link, err
	}
	return after.Link, c.tx.SendBatch(ctx, batch).Close()
}

// recode queues the change of a link's code. Rows that are on the shard of their code move to that
// of the new one.
func (c *Changes) recode(
	ctx context.Context, batch *pgx.Batch, change follow.Change, e follow.Effects,
) error {
	before, after := change.Before, change.After
	from, to, id := before.Code.String(), after.Code.String(), int64(after.ID)
	rows, _ := c.tx.Query(ctx, "SELECT at, changed_by, request_id, fields FROM link_changes "+
		"WHERE code = $1 AND link_id = $2", from, id)
	batch.Queue("DELETE FROM links WHERE code = $1 AND id = $2", from, id)
	batch.Queue("DELETE FROM link_changes WHERE code = $1 AND link_id = $2", from, id)
	insert(batch, after, &e.Facts)
	var at int64
	var by, request, fields string
	_, err := pgx.ForEachRow(rows, []any{&at, &by, &request, &fields}, func() error {
		batch.Queue("INSERT INTO link_changes (code, link_id, at, changed_by, request_id, fields) "+
			"VALUES ($1, $2, $3, $4, $5, $6)", to, id, at, by, request, fields)
		return nil
	})
	batch.Queue("UPDATE shares SET code = $2 WHERE link_id = $1", id, to)
	c.collect(batch, change, e)
	return err
}
