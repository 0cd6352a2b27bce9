package links

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
)

// decoded is a link with its decoded options. Malformed options are empty.
type decoded struct {
	*terse.Link
	options terse.LinkOptions
}

func decode(link *terse.Link) *decoded {
	d := &decoded{Link: link}
	if options, err := link.Options.Decode(); err == nil {
		d.options = options
	}
	return d
}

// facts are the columns of a row of links that are derived from its options and the time.
type facts struct {
	openUntil int64
	sets
	since, until *int64 // nil, which is NULL: for ever
}

func (d *decoded) facts(now time.Time) (f facts) {
	o := &d.options
	f.openUntil = math.MaxInt64
	switch {
	case o.Disabled, o.MaxClicks > 0 && d.Used >= o.MaxClicks:
		f.openUntil = math.MinInt64
	case !o.ExpiresAt.IsZero():
		f.openUntil = o.ExpiresAt.UnixMicro()
	}
	var folded []string
	for _, name := range o.Tags {
		folded = append(folded, terse.FoldTag(name))
	}
	f.tags = strings.Join(folded, "\n")
	if o.HasStatus() {
		f.status = string(o.Status(now, d.Used))
	}
	since, until := o.StatusSpan(now)
	if since > math.MinInt64 {
		f.since = &since
	}
	if until < math.MaxInt64 {
		f.until = &until
	}
	return f
}

// version returns the link's UpdatedAt as it is stored.
func (d *decoded) version() int64 {
	if d.UpdatedAt.IsZero() {
		return 0
	}
	return d.UpdatedAt.UnixMicro()
}

// write queues the update of a link whose row is locked, and moves the link to its sets.
func (c *Changes) write(batch *pgx.Batch, d *decoded, from sets) {
	f := d.facts(time.Now())
	c.move(d.CreatedBy, d.ID, from, f.sets)
	batch.Queue(`UPDATE links SET url = $3, options = $4, updated_at = $5, used = $6,
			open_until = $7, tags = $8, status = $9, since = $10, until = $11
		WHERE code = $1 AND id = $2`, d.Code.String(), int64(d.ID), string(d.URL),
		string(d.Options), d.version(), d.Used, f.openUntil, f.tags, f.status, f.since, f.until)
}

// Changing calls f for each link of an owner that is in the wrong set at a time, and maybe for
// others, with the status that the link has then.
func Changing(ctx context.Context, tx pgx.Tx, owner string, now time.Time,
	f func(id int64, status terse.Status),
) error {
	found, err := Read(ctx, tx, "SELECT "+Columns+" FROM links AS l "+
		"WHERE l.created_by = $1 AND l.until <= $2 UNION ALL SELECT "+Columns+" FROM links AS l "+
		"WHERE l.created_by = $1 AND l.since > $2", owner, now.UnixMicro())
	for i := range found {
		d := decode(&found[i])
		f(int64(d.ID), d.options.Status(now, d.Used))
	}
	return err
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
	for _, s := range found {
		c.write(batch, decode(&s.Link), s.sets)
	}
	return len(due), c.tx.SendBatch(ctx, batch).Close()
}
