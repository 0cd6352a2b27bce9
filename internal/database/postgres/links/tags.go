package links

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/link/follow"
)

// ownedTag is an owner's tag. Its name is folded.
type ownedTag struct{ owner, name string }

func (t ownedTag) compare(u ownedTag) int {
	return cmp.Or(cmp.Compare(t.owner, u.owner), cmp.Compare(t.name, u.name))
}

// tagChange is the change of a tag.
type tagChange struct {
	name      string       // as its owner spells it; "": not known, or it has none yet
	by        terse.LinkID // that introduced the spelling in this transaction; 0: it was there
	found     string       // its name in the options of a link that joined it
	respelled bool
	links     int64 // change of the number of its links
}

func (c *Changes) tag(owner, folded string) *tagChange {
	key := ownedTag{owner, folded}
	t := c.tags[key]
	if t == nil {
		t = &tagChange{}
		c.tags[key] = t
	}
	return t
}

// readSpelling reads how owners spell the tags of links.
func (c *Changes) readSpelling(ctx context.Context, all []*follow.Stored) error {
	var owners, tags []string
	asked := map[ownedTag]bool{}
	for _, d := range all {
		for _, name := range d.Set.Tags {
			key := ownedTag{d.CreatedBy, terse.FoldTag(name)}
			if c.tag(key.owner, key.name).name == "" && !asked[key] {
				asked[key] = true
				owners, tags = append(owners, key.owner), append(tags, key.name)
			}
		}
	}
	return c.readNames(ctx, owners, tags)
}

// spell spells the tags of links like their owners do. The first link with a new tag introduces its
// spelling. Refused links, those with an error in refused, introduce none: nothing stays of them.
func (c *Changes) spell(all []*follow.Stored, refused []error) error {
	for i, d := range all {
		if err := c.rename(d, refused[i] == nil); err != nil {
			return err
		}
	}
	return nil
}

// readNames reads the existing spelling of tags.
func (c *Changes) readNames(ctx context.Context, owners, tags []string) error {
	if len(tags) == 0 {
		return nil
	}
	rows, _ := c.tx.Query(ctx, `SELECT t.owner, t.tag, t.name
		FROM unnest($1::text[], $2::text[]) AS n(owner, tag)
		JOIN tags AS t ON t.owner = n.owner AND t.tag = n.tag`, owners, tags)
	var key ownedTag
	var name string
	_, err := pgx.ForEachRow(rows, []any{&key.owner, &key.name, &name}, func() error {
		c.tags[key].name = name
		return nil
	})
	return err
}

// refuseTaken refuses those new links that would introduce a spelling and whose code is in use. The
// inserts would tell too late: by then the texts of other links have the spelling.
func (c *Changes) refuseTaken(ctx context.Context, all []*follow.Stored, refused []error) error {
	var codes []string
	for i, d := range all {
		if refused[i] == nil && c.introduces(d) {
			codes = append(codes, d.Code.String())
		}
	}
	if len(codes) == 0 {
		return nil
	}
	rows, _ := c.tx.Query(ctx, "SELECT code FROM links WHERE code = ANY($1)", codes)
	taken, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for i, d := range all {
		if refused[i] == nil && slices.Contains(taken, d.Code.String()) {
			refused[i] = terse.ErrCodeTaken
		}
	}
	return err
}

// introduces reports whether a link has a tag that has no spelling yet.
func (c *Changes) introduces(d *follow.Stored) bool {
	return slices.ContainsFunc(d.Set.Tags, func(name string) bool {
		return c.tag(d.CreatedBy, terse.FoldTag(name)).name == ""
	})
}

// rename spells the tags of a link. It may introduce the spelling of new ones.
func (c *Changes) rename(d *follow.Stored, introduce bool) (err error) {
	renamed := false
	for i, name := range d.Set.Tags {
		t := c.tag(d.CreatedBy, terse.FoldTag(name))
		if t.name == "" && introduce {
			t.name, t.by = name, d.ID
		}
		if t.name != "" && t.name != name {
			d.Set.Tags[i], renamed = t.name, true
		}
	}
	if renamed {
		d.Options, err = d.Set.Encode()
	}
	return err
}

// introduced reports whether a link introduced the spelling of a tag in this transaction.
func (c *Changes) introduced(d *follow.Stored) bool {
	return slices.ContainsFunc(d.Set.Tags, func(name string) bool {
		return c.tag(d.CreatedBy, terse.FoldTag(name)).by == d.ID
	})
}

// SpellTag changes the spelling of an owner's tag.
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

// nameTags finds the names of tags that links joined without being spelled: their options are
// damaged, or were edited by hand. A tag that its owner does not have gets the name in the options,
// or the folded one.
func (c *Changes) nameTags(ctx context.Context) error {
	var owners, tags []string
	for key, t := range c.tags {
		if t.links > 0 && t.name == "" {
			owners, tags = append(owners, key.owner), append(tags, key.name)
		}
	}
	if err := c.readNames(ctx, owners, tags); err != nil {
		return err
	}
	for i, tag := range tags {
		t := c.tag(owners[i], tag)
		t.name = cmp.Or(t.name, t.found, tag)
	}
	return nil
}

// countTags writes the spelling and the number of links of tags, and deletes tags without links.
func (c *Changes) countTags(ctx context.Context) error {
	if err := c.nameTags(ctx); err != nil {
		return err
	}
	var owners, tags, names []string
	var links []int64
	less := false
	for _, key := range slices.SortedFunc(maps.Keys(c.tags), ownedTag.compare) {
		t := c.tags[key]
		if t.respelled {
			if err := c.respell(ctx, key, t.name); err != nil {
				return err
			}
		}
		if t.links == 0 {
			continue
		}
		owners, tags = append(owners, key.owner), append(tags, key.name)
		names, links = append(names, t.name), append(links, t.links)
		less = less || t.links < 0
	}
	if len(owners) == 0 {
		return nil
	}
	if err := c.addToTags(ctx, owners, tags, names, links); err != nil || !less {
		return err
	}
	_, err := c.tx.Exec(ctx, `DELETE FROM tags AS t
		USING unnest($1::text[], $2::text[]) AS n(owner, tag)
		WHERE t.owner = n.owner AND t.tag = n.tag AND t.links <= 0`, owners, tags)
	return err
}

// addToTags adds to the totals of sorted tags. It returns ErrConflict for a new tag that another
// transaction has meanwhile spelled differently.
func (c *Changes) addToTags(
	ctx context.Context, owners, tags, names []string, links []int64,
) error {
	rows, _ := c.tx.Query(ctx, `INSERT INTO tags (owner, tag, name, links)
		SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
		ON CONFLICT (owner, tag) DO UPDATE SET links = tags.links + excluded.links
		RETURNING owner, tag, name`, owners, tags, names, links)
	var key ownedTag
	var name string
	_, err := pgx.ForEachRow(rows, []any{&key.owner, &key.name, &name}, func() error {
		if t := c.tags[key]; t.links > 0 && t.name != name {
			return ErrConflict
		}
		return nil
	})
	return err
}

func (c *Changes) respell(ctx context.Context, key ownedTag, name string) error {
	_, err := c.tx.Exec(ctx, "UPDATE tags SET name = $3 WHERE owner = $1 AND tag = $2",
		key.owner, key.name, name)
	return err
}
