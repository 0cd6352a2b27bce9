package links

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
)

// Delete deletes links with all that belongs to them, and returns the IDs of those that there were.
// Rows are locked in the order in which click batches lock them.
//
// The row of link_clicks comes first: deleting it waits for a batch that is adding clicks, and the
// next statements see what the batch wrote. A later batch finds no row to add to.
func (c *Changes) Delete(ctx context.Context, refs []terse.LinkRef) (
	deleted map[terse.LinkID]bool, err error,
) {
	if err := c.keepOrder(ctx); err != nil {
		return nil, err
	}
	var codes []string
	var ids []int64
	for _, ref := range refs {
		codes, ids = append(codes, ref.Code.String()), append(ids, int64(ref.ID))
	}
	batch := &pgx.Batch{}
	remove := func(table, id, returning string) *pgx.QueuedQuery {
		return batch.Queue(c.deleteFrom(table, id)+returning, codes, ids)
	}
	var owner string
	if err := c.deleteClicks(ctx, batch, codes, ids); err != nil {
		return nil, err
	}
	deleted = map[terse.LinkID]bool{}
	var id, at int64
	remove("links", "id", "RETURNING c.id, c.created_by, c.created_at").Query(
		func(rows pgx.Rows) error {
			_, err := pgx.ForEachRow(rows, []any{&id, &owner, &at}, func() error {
				deleted[terse.LinkID(id)] = true
				c.owners.Add(owner, id, at, -1)
				return nil
			})
			return err
		})
	remove("link_states", "link_id", "")
	remove("link_tags", "link_id", "RETURNING c.owner, c.tag, c.link_id").Query(
		func(rows pgx.Rows) error {
			var tag string
			_, err := pgx.ForEachRow(rows, []any{&owner, &tag, &id}, func() error {
				c.count(owner, tag, id, -1)
				return nil
			})
			return err
		})
	for _, table := range []string{
		"link_changes", "click_blocks", "click_days", "click_months", "dropped_days", "shares",
	} {
		remove(table, "link_id", "")
	}
	c.changed = append(c.changed, codes...)
	return deleted, c.tx.SendBatch(ctx, batch).Close()
}

func (c *Changes) deleteFrom(table, id string) string {
	return "DELETE FROM " + table + ` AS c
		USING unnest($1::text[], $2::bigint[]) AS n(code, link_id)
		WHERE ` + c.dialect.SameCode + " AND c." + id + " = n.link_id "
}

// deleteClicks deletes rows of link_clicks shard by shard, as batches lock them.
func (c *Changes) deleteClicks(
	ctx context.Context, batch *pgx.Batch, codes []string, ids []int64,
) error {
	shards, err := c.dialect.Shards(ctx, c.tx, codes)
	if err != nil {
		return err
	}
	codesOn, idsOn := map[int64][]string{}, map[int64][]int64{}
	for i, shard := range shards {
		codesOn[shard] = append(codesOn[shard], codes[i])
		idsOn[shard] = append(idsOn[shard], ids[i])
	}
	for _, shard := range slices.Sorted(maps.Keys(codesOn)) {
		batch.Queue(c.deleteFrom("link_clicks", "link_id")+"RETURNING c.link_id, c.clicks",
			codesOn[shard], idsOn[shard]).Query(func(rows pgx.Rows) error {
			var id, clicks int64
			_, err := pgx.ForEachRow(rows, []any{&id, &clicks}, func() error {
				if clicks > 0 {
					c.clicked = append(c.clicked, id)
				}
				return nil
			})
			return err
		})
	}
	return nil
}
