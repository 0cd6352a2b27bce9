package links

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"terse"
)

// Create creates those links whose addresses are free, and gives them IDs. For each link that it
// does not create, refused holds the reason. Create also spells the links' tags like their owners
// do.
func (c *Changes) Create(ctx context.Context, links []*terse.Link) (refused []error, err error) {
	all, wanted := make([]*decoded, len(links)), make([][]string, len(links))
	for i, link := range links {
		if all[i] = decode(link); all[i].options.MaxClicks == 0 {
			link.Used = 0 // kept only while there are MaxClicks
		}
		wanted[i] = append([]string{link.Code.String()}, all[i].options.Aliases...)
	}
	claimed, ids, err := c.claim(ctx, wanted, len(links))
	for i, id := range ids {
		links[i].ID = id
	}
	if err != nil {
		return nil, err
	}
	refused = make([]error, len(links))
	for i, d := range all {
		refused[i] = claimed.take(d.ID, d.Code, d.options.Aliases)
	}
	err = c.readSpelling(ctx, all)
	if err == nil {
		err = c.refuseTaken(ctx, all, refused)
	}
	if err == nil {
		err = c.spell(all, refused)
	}
	if err != nil {
		return nil, err
	}
	now := time.Now()
	written := make([]facts, len(links))
	batch := &pgx.Batch{}
	for i, d := range all {
		if refused[i] != nil {
			continue
		}
		written[i] = d.facts(now)
		d.insert(batch, &written[i]).Exec(func(done pgconn.CommandTag) error {
			if done.RowsAffected() > 0 {
				return nil
			}
			if refused[i] = terse.ErrCodeTaken; c.introduced(d) {
				return ErrConflict // the code was free when refuseTaken looked
			}
			return nil
		})
		putAliases(batch, d.ID, nil, d.options.Aliases)
	}
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	for i, link := range links {
		if refused[i] == nil {
			c.count(*link, 1)
			c.move(link.CreatedBy, link.ID, sets{}, written[i].sets)
		}
	}
	return refused, nil
}

// insert queues the insert of a link, which does nothing if the code is in use. It is one statement
// for each link: Citus opens further connections for INSERT … SELECT.
func (d *decoded) insert(batch *pgx.Batch, f *facts) *pgx.QueuedQuery {
	return batch.Queue("INSERT INTO links (code, id, url, created_by, created_at, updated_at, "+
		"options, used, open_until, tags, status, since, until) "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING",
		d.Code.String(), d.ID, string(d.URL), d.CreatedBy, d.CreatedAt.UnixMicro(), d.version(),
		string(d.Options), d.Used, f.openUntil, f.tags, f.status, f.since, f.until)
}
