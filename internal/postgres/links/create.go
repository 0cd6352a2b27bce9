package links

import (
	"context"

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
	if made, err = c.insertLinks(ctx, drafts); err != nil || len(made) == 0 {
		return made, err
	}
	var codes []string
	var ids []int64
	var managed []*draft
	for i, link := range links {
		if !made[link.ID] {
			continue
		}
		codes, ids = append(codes, link.Code.String()), append(ids, int64(link.ID))
		c.owners.Add(link.CreatedBy, int64(link.ID), link.CreatedAt.UnixMicro(), 1)
		if link.Options != "" {
			managed = append(managed, drafts[i])
		}
	}
	_, err = c.dialect.Insert(ctx, c.tx, "link_clicks (code, link_id)", "", codes, ids)
	if err != nil || len(managed) == 0 {
		return made, err
	}
	if err := c.insertStates(ctx, managed); err != nil {
		return nil, err
	}
	return made, c.insertTags(ctx, managed)
}

func (c *Changes) insertLinks(ctx context.Context, drafts []*draft) (
	made map[terse.LinkID]bool, err error,
) {
	var codes, urls, owners, options []string
	var ids, times, open []int64
	for _, link := range drafts {
		codes, ids = append(codes, link.Code.String()), append(ids, int64(link.ID))
		urls, owners = append(urls, string(link.URL)), append(owners, link.CreatedBy)
		times = append(times, link.CreatedAt.UnixMicro())
		options, open = append(options, string(link.Options)), append(open, link.openUntil())
	}
	inserted, err := c.dialect.Insert(ctx, c.tx,
		"links (code, id, url, created_by, created_at, options, open_until)",
		"ON CONFLICT DO NOTHING RETURNING id", codes, ids, urls, owners, times, options, open)
	made = make(map[terse.LinkID]bool, len(inserted))
	for _, id := range inserted {
		made[terse.LinkID(id)] = true
	}
	return made, err
}

func (c *Changes) insertStates(ctx context.Context, drafts []*draft) error {
	var codes, owners []string
	var ids, times, starts, expires, most []int64
	var disabled []bool
	for _, d := range drafts {
		if !d.options.HasStatus() {
			continue
		}
		s := d.state()
		codes, ids = append(codes, d.Code.String()), append(ids, int64(d.ID))
		owners, times = append(owners, d.CreatedBy), append(times, d.CreatedAt.UnixMicro())
		disabled, starts = append(disabled, s.disabled), append(starts, s.startsAt)
		expires, most = append(expires, s.expiresAt), append(most, s.maxClicks)
	}
	if len(codes) == 0 {
		return nil
	}
	_, err := c.dialect.Insert(ctx, c.tx, "link_states "+
		"(code, link_id, owner, created_at, disabled, starts_at, expires_at, max_clicks)", "",
		codes, ids, owners, times, disabled, starts, expires, most)
	return err
}

func (c *Changes) insertTags(ctx context.Context, drafts []*draft) error {
	var codes, tags, owners []string
	var ids, times []int64
	var disabled, usedUp []*bool
	var starts, expires []*int64
	for _, d := range drafts {
		off, from, until := d.known()
		var no *bool // NULL for a link without states
		if off != nil {
			no = new(bool)
		}
		for _, name := range d.options.Tags {
			folded := terse.FoldTag(name)
			codes, ids = append(codes, d.Code.String()), append(ids, int64(d.ID))
			tags, owners = append(tags, folded), append(owners, d.CreatedBy)
			times = append(times, d.CreatedAt.UnixMicro())
			disabled, starts = append(disabled, off), append(starts, from)
			expires = append(expires, until)
			usedUp = append(usedUp, no)
			c.count(d.CreatedBy, folded, int64(d.ID), 1)
		}
	}
	if len(codes) == 0 {
		return nil
	}
	_, err := c.dialect.Insert(ctx, c.tx, "link_tags "+
		"(code, link_id, tag, owner, created_at, disabled, starts_at, expires_at, used_up)", "",
		codes, ids, tags, owners, times, disabled, starts, expires, usedUp)
	return err
}
