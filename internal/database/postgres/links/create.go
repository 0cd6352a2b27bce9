package links

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"terse"
	"terse/internal/link/follow"
)

// New is a link to create.
type New struct {
	*terse.Link
	By terse.Caller
}

// Create creates those links whose addresses are free, and gives them IDs. For each link that it
// does not create, refused holds the reason. Create also spells the links' tags like their owners
// do.
func (c *Changes) Create(ctx context.Context, links []New) (refused []error, err error) {
	all, wanted := make([]*follow.Stored, len(links)), make([][]string, len(links))
	for i, link := range links {
		all[i] = follow.Decode(*link.Link)
		wanted[i] = append([]string{link.Code.String()}, all[i].Aliases...)
	}
	claimed, ids, err := c.claim(ctx, wanted, len(links))
	for i, id := range ids {
		links[i].ID, all[i].ID = id, id
	}
	if err != nil {
		return nil, err
	}
	refused = make([]error, len(links))
	for i, d := range all {
		refused[i] = claimed.take(d.ID, d.Code, d.Aliases)
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
	changes, effects := make([]follow.Change, len(links)), make([]follow.Effects, len(links))
	batch := &pgx.Batch{}
	for i, link := range all {
		*links[i].Link = link.Link // as spelled
		if refused[i] != nil {
			continue
		}
		changes[i] = follow.Change{After: link, By: links[i].By, At: now}
		if effects[i], err = c.rule(changes[i]); err != nil {
			return nil, err
		}
		insert(batch, link, &effects[i].Facts).Exec(func(done pgconn.CommandTag) error {
			if done.RowsAffected() > 0 {
				return nil
			}
			if refused[i] = terse.ErrCodeTaken; c.introduced(link) {
				return ErrConflict // the code was free when refuseTaken looked
			}
			return nil
		})
		putAliases(batch, link.ID, nil, link.Aliases)
	}
	if err := c.tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	for i := range all {
		if refused[i] == nil {
			c.collect(nil, changes[i], effects[i])
		}
	}
	return refused, nil
}

// insert queues the insert of a link, which does nothing if the code is in use. It is one statement
// for each link: Citus opens further connections for INSERT … SELECT.
func insert(batch *pgx.Batch, link *follow.Stored, f *follow.Facts) *pgx.QueuedQuery {
	return batch.Queue("INSERT INTO links (code, id, url, created_by, created_at, updated_at, "+
		"options, used, open_until, tags, status, since, until, archived) "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) "+
		"ON CONFLICT DO NOTHING",
		link.Code.String(), link.ID, string(link.URL), link.CreatedBy,
		link.CreatedAt.UnixMicro(), version(link), string(link.Options), link.Used, f.OpenUntil,
		lines(f.Tags), string(f.Status), bound(f.Since), bound(f.Until),
		f.Archived)
}
