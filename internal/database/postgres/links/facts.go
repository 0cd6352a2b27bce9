package links

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/link/follow"
)

// bound returns a bound of the time for which a status holds as it is stored: NULL for ever.
func bound(at int64) *int64 {
	if at == math.MinInt64 || at == math.MaxInt64 {
		return nil
	}
	return &at
}

// lines returns folded tags as they are stored, one a line.
func lines(tags []string) string { return strings.Join(tags, "\n") }

// version returns a link's UpdatedAt as it is stored.
func version(link *follow.Stored) int64 {
	if link.UpdatedAt.IsZero() {
		return 0
	}
	return link.UpdatedAt.UnixMicro()
}

// write queues the update of a link whose row is locked, and takes what follows from it.
func (c *Changes) write(batch *pgx.Batch, before, after *follow.Stored, by terse.Caller) error {
	change := follow.Change{Before: before, After: after, By: by, At: time.Now()}
	e, err := c.rule(change)
	if err == nil {
		c.update(batch, change, e)
	}
	return err
}

func (c *Changes) update(batch *pgx.Batch, change follow.Change, e follow.Effects) {
	after := change.After
	batch.Queue(`UPDATE links SET url = $3, options = $4, updated_at = $5, used = $6,
			open_until = $7, tags = $8, status = $9, since = $10, until = $11, created_at = $12,
			created_by = $13, archived = $14
		WHERE code = $1 AND id = $2`, after.Code.String(), int64(after.ID), string(after.URL),
		string(after.Options), version(after), after.Used, e.OpenUntil, lines(e.Tags),
		string(e.Status), bound(e.Since), bound(e.Until), after.CreatedAt.UnixMicro(),
		after.CreatedBy, e.Archived)
	c.collect(batch, change, e)
}

// Changing calls f for each link of an owner, or of all, that is in the wrong set at a time, and
// maybe for others, with the status that the link has then.
func Changing(ctx context.Context, tx pgx.Tx, owner string, now time.Time,
	f func(id int64, status terse.Status),
) error {
	found, err := Read(ctx, tx, "SELECT "+Columns+" FROM links AS l "+
		"WHERE $1 IN (l.created_by, '*') AND l.until <= $2 UNION ALL SELECT "+Columns+
		" FROM links AS l WHERE $1 IN (l.created_by, '*') AND l.since > $2",
		owner, now.UnixMicro())
	for i := range found {
		link := follow.Decode(found[i])
		f(int64(link.ID), link.Set.Status(now, link.Used))
	}
	return err
}

// NextDue returns when the next status changes, in microseconds since 1970.
func (c *Changes) NextDue(ctx context.Context) (at int64, err error) {
	err = c.tx.QueryRow(ctx, "SELECT coalesce(min(until), $1) FROM links WHERE until IS NOT NULL",
		int64(math.MaxInt64)).Scan(&at)
	return at, err
}

// Advance moves up to most links whose status has changed with time to the right sets, and returns
// how many it examined.
func (c *Changes) Advance(ctx context.Context, most int) (int, error) {
	due, err := Read(ctx, c.tx, "SELECT "+Columns+" FROM links AS l WHERE l.until <= $1 "+
		"ORDER BY l.until LIMIT $2", time.Now().UnixMicro(), most)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	found, err := c.lock(ctx, refs(due))
	if err != nil {
		return 0, err
	}
	batch := &pgx.Batch{}
	for _, link := range found {
		by := terse.Caller{Cause: terse.CauseTime}
		if err := c.write(batch, link, link.Become(link.Link), by); err != nil {
			return 0, err
		}
	}
	return len(due), c.tx.SendBatch(ctx, batch).Close()
}
