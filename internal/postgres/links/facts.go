package links

import (
	"context"
	"math"
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

// state is what tells a link's state, as link_states has it.
type state struct {
	disabled            bool
	startsAt, expiresAt int64
	maxClicks           int64
}

func (d *draft) state() state {
	s := state{
		disabled: d.options.Disabled, maxClicks: d.options.MaxClicks,
		startsAt: math.MinInt64, expiresAt: math.MaxInt64,
	}
	for bound, at := range map[*int64]time.Time{
		&s.startsAt: d.options.StartsAt, &s.expiresAt: d.options.ExpiresAt,
	} {
		if !at.IsZero() {
			*bound = at.UnixMicro()
		}
	}
	return s
}

// known returns the state as link_tags has it: nothing where a link is always active. It leaves out
// whether it is used up.
func (d *draft) known() (disabled *bool, startsAt, expiresAt *int64) {
	if !d.options.HasStatus() {
		return nil, nil, nil
	}
	s := d.state()
	return &s.disabled, &s.startsAt, &s.expiresAt
}

// tagChange is what becomes of a tag.
type tagChange struct {
	name      string // as its owner spells it
	respelled bool
	links     int64 // so many more have it
}

func (c *Changes) tag(owner, folded string) *tagChange {
	key := ranges.Tag{Owner: owner, Name: folded}
	t := c.tags[key]
	if t == nil {
		t = &tagChange{}
		c.tags[key] = t
	}
	return t
}

// count notes that one link more has a tag, or that one has it no more: -1.
func (c *Changes) count(owner, folded string, link, links int64) {
	c.tag(owner, folded).links += links
	c.toggles.Toggle(ranges.Tag{Owner: owner, Name: folded}, link)
	c.untagged = c.untagged || links < 0
}

// spell gives the tags of drafts the spelling of their owners.
func (c *Changes) spell(ctx context.Context, drafts []*draft) error {
	var owners, tags []string
	for _, d := range drafts {
		for _, name := range d.options.Tags {
			folded := terse.FoldTag(name)
			if t := c.tag(d.CreatedBy, folded); t.name == "" {
				t.name = name
				owners, tags = append(owners, d.CreatedBy), append(tags, folded)
			}
		}
	}
	if err := c.readNames(ctx, owners, tags); err != nil {
		return err
	}
	for _, d := range drafts {
		if err := c.rename(d); err != nil {
			return err
		}
	}
	return nil
}

// readNames reads how tags are spelled already.
func (c *Changes) readNames(ctx context.Context, owners, tags []string) error {
	if len(tags) == 0 {
		return nil
	}
	rows, _ := c.tx.Query(ctx, `SELECT t.owner, t.tag, t.name
		FROM unnest($1::text[], $2::text[]) AS n(owner, tag)
		JOIN tags AS t ON t.owner = n.owner AND t.tag = n.tag`, owners, tags)
	var key ranges.Tag
	var name string
	_, err := pgx.ForEachRow(rows, []any{&key.Owner, &key.Name, &name}, func() error {
		c.tags[key].name = name
		return nil
	})
	return err
}

func (c *Changes) rename(d *draft) (err error) {
	renamed := false
	for i, name := range d.options.Tags {
		spelled := c.tag(d.CreatedBy, terse.FoldTag(name)).name
		renamed = renamed || spelled != name
		d.options.Tags[i] = spelled
	}
	if renamed {
		d.Options, err = d.options.Encode()
	}
	return err
}

// SpellTag spells a tag of an owner anew.
func (c *Changes) SpellTag(ctx context.Context, owner, name string) error {
	folded := terse.FoldTag(name)
	t := c.tag(owner, folded)
	if t.name == "" {
		if err := c.readNames(ctx, []string{owner}, []string{folded}); err != nil {
			return err
		}
	}
	if t.name == "" {
		return terse.ErrTagNotFound
	}
	t.name, t.respelled = name, true
	return nil
}
