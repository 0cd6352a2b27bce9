package links

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
)

// Delete deletes versions of links, with all that belongs to the links, and returns for each why
// it did not: terse.ErrNotFound, or terse.ErrChanged when the link has another version. When one is
// asked for twice, the second is not found.
//
// The row of links comes first, as the one that has the version. That of link_clicks is next:
// deleting it waits for a batch that is adding clicks, and the next statements see what the batch
// wrote. A later batch finds no row to add to. Rows are locked in the order in which click batches
// lock them.
func (c *Changes) Delete(ctx context.Context, all []terse.Link) (refused []error, err error) {
	if err := c.keepOrder(ctx); err != nil {
		return nil, err
	}
	refused, gone, err := c.deleteLinks(ctx, all)
	if err != nil || len(gone) == 0 {
		return refused, err
	}
	var codes []string
	var ids []int64
	for _, link := range gone {
		codes, ids = append(codes, link.Code.String()), append(ids, int64(link.ID))
	}
	batch := &pgx.Batch{}
	remove := func(table, returning string) *pgx.QueuedQuery {
		return batch.Queue(c.deleteFrom(table)+returning, codes, ids)
	}
	if err := c.deleteClicks(ctx, batch, gone); err != nil {
		return nil, err
	}
	remove("link_states", "")
	remove("link_tags", "RETURNING c.owner, c.tag, c.link_id").Query(
		func(rows pgx.Rows) error {
			var owner, tag string
			var id int64
			_, err := pgx.ForEachRow(rows, []any{&owner, &tag, &id}, func() error {
				c.count(owner, tag, id, -1)
				return nil
			})
			return err
		})
	for _, table := range []string{
		"link_changes", "click_blocks", "click_days", "click_months", "dropped_days", "shares",
	} {
		remove(table, "")
	}
	batch.Queue("DELETE FROM former_codes WHERE link_id = ANY($1)", ids)
	c.changed = append(c.changed, codes...)
	return refused, c.tx.SendBatch(ctx, batch).Close()
}

func (c *Changes) deleteFrom(table string) string {
	return "DELETE FROM " + table + ` AS c
		USING unnest($1::text[], $2::bigint[]) AS n(code, link_id)
		WHERE ` + c.dialect.SameCode + " AND c.link_id = n.link_id "
}

// version is a link as it was changed last, at a time in microseconds.
type version struct {
	id terse.LinkID
	at int64
}

func versionOf(link terse.Link) version {
	if link.UpdatedAt.IsZero() {
		return version{id: link.ID}
	}
	return version{link.ID, link.UpdatedAt.UnixMicro()}
}

// deleteLinks deletes the rows of links, and returns those of them that are gone.
func (c *Changes) deleteLinks(ctx context.Context, all []terse.Link) (
	refused []error, gone []terse.Link, err error,
) {
	batch := &pgx.Batch{}
	deleted := map[version]bool{}
	err = c.byShard(ctx, all, func(part []terse.Link) {
		var codes []string
		var ids, versions []int64
		for _, link := range part {
			codes, ids = append(codes, link.Code.String()), append(ids, int64(link.ID))
			versions = append(versions, versionOf(link).at)
		}
		batch.Queue(`DELETE FROM links AS c
			USING unnest($1::text[], $2::bigint[], $3::bigint[]) AS n(code, link_id, updated_at)
			WHERE `+c.dialect.SameCode+` AND c.id = n.link_id AND c.updated_at = n.updated_at
			RETURNING c.id, c.updated_at, c.created_by, c.created_at`, codes, ids, versions,
		).Query(func(rows pgx.Rows) error {
			var owner string
			var id, updated, created int64
			_, err := pgx.ForEachRow(rows, []any{&id, &updated, &owner, &created}, func() error {
				deleted[version{terse.LinkID(id), updated}] = true
				c.owners.Add(owner, id, created, -1)
				return nil
			})
			return err
		})
	})
	if err == nil {
		err = c.tx.SendBatch(ctx, batch).Close()
	}
	if err != nil {
		return nil, nil, err
	}
	refused = make([]error, len(all))
	var left []string
	for i, link := range all {
		if v := versionOf(link); deleted[v] {
			gone = append(gone, link)
			delete(deleted, v)
			continue
		}
		refused[i] = terse.ErrNotFound
		left = append(left, link.Code.String())
	}
	if len(left) == 0 {
		return refused, gone, nil
	}
	rows, _ := c.tx.Query(ctx, "SELECT id, updated_at FROM links WHERE code = ANY($1)", left)
	changed, err := ByID(rows)
	for i, link := range all {
		if _, is := changed[link.ID]; is {
			refused[i] = terse.ErrChanged
		}
	}
	return refused, gone, err
}

// byShard calls f for the links of each shard, in the order in which batches lock shards.
func (c *Changes) byShard(ctx context.Context, all []terse.Link, f func([]terse.Link)) error {
	codes := make([]string, len(all))
	for i, link := range all {
		codes[i] = link.Code.String()
	}
	shards, err := c.dialect.Shards(ctx, c.tx, codes)
	if err != nil {
		return err
	}
	on := map[int64][]terse.Link{}
	for i, shard := range shards {
		on[shard] = append(on[shard], all[i])
	}
	for _, shard := range slices.Sorted(maps.Keys(on)) {
		f(on[shard])
	}
	return nil
}

// deleteClicks deletes the rows of link_clicks.
func (c *Changes) deleteClicks(ctx context.Context, batch *pgx.Batch, gone []terse.Link) error {
	return c.byShard(ctx, gone, func(part []terse.Link) {
		var codes []string
		var ids []int64
		for _, link := range part {
			codes, ids = append(codes, link.Code.String()), append(ids, int64(link.ID))
		}
		batch.Queue(c.deleteFrom("link_clicks")+"RETURNING c.link_id, c.clicks", codes, ids).Query(
			func(rows pgx.Rows) error {
				var id, clicks int64
				_, err := pgx.ForEachRow(rows, []any{&id, &clicks}, func() error {
					if clicks > 0 {
						c.clicked = append(c.clicked, id)
					}
					return nil
				})
				return err
			})
	})
}
