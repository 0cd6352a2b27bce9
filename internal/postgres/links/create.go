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
	drafts := make([]*draft, len(links))
	for i, link := range links {
		drafts[i] = read(link)
	}
	if err := c.spell(ctx, drafts); err != nil {
		return nil, err
	}
	made, written, err := c.insertLinks(ctx, drafts)
	if err != nil || len(made) == 0 {
		return made, err
	}
	for i, link := range links {
		if !made[link.ID] {
			continue
		}
		c.owners.Add(link.CreatedBy, int64(link.ID), link.CreatedAt.UnixMicro(), 1)
		c.move(link.CreatedBy, int64(link.ID), sets{}, written[i].sets)
	}
	return made, nil
}

// insertLinks inserts rows, and returns what they say of options.
func (c *Changes) insertLinks(ctx context.Context, drafts []*draft) (
	made map[terse.LinkID]bool, written []facts, err error,
) {
	var codes, urls, owners, options []string
	var ids, times, open []int64
	var most, used, since, until []*int64
	var tags, statuses []*string
	now := time.Now()
	for _, d := range drafts {
		f := d.facts(now)
		codes, ids = append(codes, d.Code.String()), append(ids, int64(d.ID))
		urls, owners = append(urls, string(d.URL)), append(owners, d.CreatedBy)
		times, options = append(times, d.CreatedAt.UnixMicro()), append(options, string(d.Options))
		open, most = append(open, f.openUntil), append(most, f.maxClicks)
		used, tags = append(used, f.used), append(tags, f.tags)
		statuses = append(statuses, f.status)
		since, until = append(since, f.since), append(until, f.until)
		written = append(written, f)
	}
	inserted, err := c.dialect.Insert(ctx, c.tx,
		"links (code, id, url, created_by, created_at, options, open_until, max_clicks, used, "+
			"tags, status, since, until)",
		"ON CONFLICT DO NOTHING RETURNING id", codes, ids, urls, owners, times, options, open,
		most, used, tags, statuses, since, until)
	made = make(map[terse.LinkID]bool, len(inserted))
	for _, id := range inserted {
		made[terse.LinkID(id)] = true
	}
	return made, written, err
}
