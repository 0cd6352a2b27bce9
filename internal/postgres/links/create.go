package links

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"terse"
)

// NextIDs returns IDs for n new links.
func NextIDs(ctx context.Context, tx pgx.Tx, n int) ([]terse.LinkID, error) {
	rows, _ := tx.Query(ctx, "SELECT nextval('link_ids') FROM generate_series(1, $1)", n)
	return pgx.CollectRows(rows, pgx.RowTo[terse.LinkID])
}

// Create creates those links whose codes are free. The links must have IDs; made holds the IDs of
// the created ones. Create also spells the links' tags like their owners do.
func (c *Changes) Create(ctx context.Context, links []*terse.Link) (
	made map[terse.LinkID]bool, err error,
) {
	all := make([]*decoded, len(links))
	for i, link := range links {
		all[i] = decode(link)
	}
	if err := c.spell(ctx, all); err != nil {
		return nil, err
	}
	now := time.Now()
	written := make([]facts, len(links))
	made = make(map[terse.LinkID]bool, len(links))
	// One statement for each link: Citus opens further connections for INSERT … SELECT.
	batch := &pgx.Batch{}
	for i, d := range all {
		f := d.facts(now)
		written[i] = f
		batch.Queue("INSERT INTO links (code, id, url, created_by, created_at, options, "+
			"open_until, tags, status, since, until) "+
			"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING",
			d.Code.String(), d.ID, string(d.URL), d.CreatedBy, d.CreatedAt.UnixMicro(),
			string(d.Options), f.openUntil, f.tags, f.status, f.since, f.until,
		).Exec(func(done pgconn.CommandTag) error {
			made[d.ID] = done.RowsAffected() > 0
			return nil
		})
	}
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	for i, link := range links {
		if made[link.ID] {
			c.count(*link, 1)
			c.move(link.CreatedBy, link.ID, sets{}, written[i].sets)
		}
	}
	return made, nil
}
