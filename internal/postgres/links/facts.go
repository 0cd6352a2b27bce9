package links

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/postgres/ranges"
)

// draft is a link that is to be written, with what its options say.
type draft struct {
	*terse.Link
	options terse.LinkOptions
}

// read reads options. Those that can't be read say nothing.
func read(link *terse.Link) *draft {
	d := &draft{Link: link}
	if options, err := link.Options.Decode(); err == nil {
		d.options = options
	}
	return d
}

// facts are what a row of links says of its options. NULL, here nil, stands for nothing.
type facts struct {
	openUntil       int64
	maxClicks, used *int64
	sets
	since, until *int64
}

// sets are those that have a link.
type sets struct{ tags, status *string }

// facts returns what a row says at a time, with what is used of the link's clicks.
func (d *draft) facts(now time.Time) (f facts) {
	f.openUntil = math.MaxInt64
	switch {
	case d.options.Disabled:
		f.openUntil = math.MinInt64
	case !d.options.ExpiresAt.IsZero():
		f.openUntil = d.options.ExpiresAt.UnixMicro()
	}
	if d.options.MaxClicks > 0 {
		f.maxClicks, f.used = &d.options.MaxClicks, &d.Used
	}
	if len(d.options.Tags) > 0 {
		var folded []string
		for _, name := range d.options.Tags {
			folded = append(folded, terse.FoldTag(name))
		}
		f.tags = new(strings.Join(folded, "\n"))
	}
	if !d.options.HasStatus() {
		return f
	}
	f.status = new(string(d.options.Status(now, d.Used)))
	since, until := d.options.StatusSpan(now)
	if since > math.MinInt64 {
		f.since = &since
	}
	if until < math.MaxInt64 {
		f.until = &until
	}
	return f
}

// names returns the sets' names.
func (s sets) names() (names []string) {
	if s.tags != nil {
		for tag := range strings.SplitSeq(*s.tags, "\n") {
			names = append(names, ranges.TagSet(tag))
		}
	}
	if s.status != nil && *s.status != string(terse.Active) {
		names = append(names, *s.status)
	}
	return names
}

// move moves a link of an owner from some sets to others, and counts its tags.
func (c *Changes) move(owner string, id int64, from, to sets) {
	before, after := from.names(), to.names()
	for _, name := range before {
		if !slices.Contains(after, name) {
			c.toggle(owner, name, id, -1)
		}
	}
	for _, name := range after {
		if !slices.Contains(before, name) {
			c.toggle(owner, name, id, 1)
		}
	}
}

func (c *Changes) toggle(owner, set string, id, links int64) {
	c.toggles.Toggle(owner, set, id, links > 0)
	if folded, isTag := strings.CutPrefix(set, ranges.TagSet("")); isTag {
		c.tag(owner, folded).links += links
	}
}

// Changing calls f for the links of an owner that are in the set of another status than theirs at a
// time, with that status, and for some more.
func Changing(ctx context.Context, tx pgx.Tx, owner string, now time.Time,
	f func(id int64, status terse.Status),
) error {
	found, err := Read(ctx, tx, "SELECT "+Columns+" FROM links AS l "+
		"WHERE l.created_by = $1 AND l.until <= $2 UNION ALL SELECT "+Columns+" FROM links AS l "+
		"WHERE l.created_by = $1 AND l.since > $2", owner, now.UnixMicro())
	for i := range found {
		d := read(&found[i])
		f(int64(d.ID), d.options.Status(now, d.Used))
	}
	return err
}

// Settle moves links of an owner whose status time has changed to their sets, so many at most, and
// returns how many it looked at. Those that others change meanwhile are left to the next time.
func (c *Changes) Settle(ctx context.Context, owner string, now time.Time, most int) (int, error) {
	if err := c.keepOrder(ctx); err != nil {
		return 0, err
	}
	due, before, err := readWithSets(ctx, c.tx, "l.created_by = $1 AND l.until <= $2 "+
		"ORDER BY l.until LIMIT $3", owner, now.UnixMicro(), most)
	if err != nil || len(due) == 0 {
		return 0, err
	}
	slices.SortFunc(due, func(a, b terse.Link) int { return a.Ref().Compare(b.Ref()) })
	batch := &pgx.Batch{}
	err = c.byShard(ctx, due, func(part []terse.Link) {
		var codes []string
		var ids, versions, used []int64
		var statuses, stored []*string
		var since, until []*int64
		after := map[terse.LinkID]sets{}
		for i := range part {
			d := read(&part[i])
			f := d.facts(now)
			codes, ids = append(codes, d.Code.String()), append(ids, int64(d.ID))
			versions, used = append(versions, versionOf(*d.Link).at), append(used, d.Used)
			statuses, stored = append(statuses, f.status), append(stored, before[d.ID].status)
			since, until = append(since, f.since), append(until, f.until)
			after[d.ID] = sets{before[d.ID].tags, f.status}
		}
		batch.Queue(`UPDATE links AS c SET status = n.status, since = n.since, until = n.until
			FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
				$6::text[], $7::bigint[], $8::bigint[])
				AS n(code, link_id, updated_at, used, stored, status, since, until)
			WHERE `+c.dialect.SameCode+` AND c.id = n.link_id AND c.updated_at = n.updated_at
				AND coalesce(c.used, 0) = n.used AND c.status = n.stored
			RETURNING c.id, 0::bigint`, codes, ids, versions, used, stored, statuses, since, until,
		).Query(func(rows pgx.Rows) error {
			moved, err := ByID(rows)
			for id := range moved {
				c.move(owner, int64(id), before[id], after[id])
			}
			return err
		})
	})
	if err == nil {
		err = c.tx.SendBatch(ctx, batch).Close()
	}
	return len(due), err
}
