package links

import (
	"context"
	"time"

	"terse"
)

// Create makes those of some links, which have IDs, whose codes are free. It returns their IDs, and
// spells the links' tags as their owners do.
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
	var codes, urls, owners, options, tags, statuses []string
	var ids, times, open []int64
	var since, until []*int64
	for i, d := range all {
		f := d.facts(now)
		codes, ids = append(codes, d.Code.String()), append(ids, int64(d.ID))
		urls, owners = append(urls, string(d.URL)), append(owners, d.CreatedBy)
		times, options = append(times, d.CreatedAt.UnixMicro()), append(options, string(d.Options))
		open, tags, statuses = append(open, f.openUntil), append(tags, f.tags),
			append(statuses, f.status)
		since, until = append(since, f.since), append(until, f.until)
		written[i] = f
	}
	inserted, err := c.dialect.Insert(ctx, c.tx, "links (code, id, url, created_by, created_at, "+
		"options, open_until, tags, status, since, until)",
		"ON CONFLICT DO NOTHING RETURNING id",
		codes, ids, urls, owners, times, options, open, tags, statuses, since, until)
	made = make(map[terse.LinkID]bool, len(inserted))
	for _, id := range inserted {
		made[terse.LinkID(id)] = true
	}
	for i, link := range links {
		if made[link.ID] {
			c.count(*link, 1)
			c.move(link.CreatedBy, link.ID, sets{}, written[i].sets)
		}
	}
	return made, err
}
