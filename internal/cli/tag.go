package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"terse/api"
	"terse/internal/cli/console"
)

type tagCommand struct {
	List   tagListCommand   `cmd:"" aliases:"ls" help:"List your tags, and how many links have each."`
	Add    tagAddCommand    `cmd:"" help:"Add a tag to links."`
	Remove tagRemoveCommand `cmd:"" help:"Remove a tag from links."`
	Rename tagRenameCommand `cmd:"" help:"Rename a tag on all links. An existing name merges the two."`
	Delete tagDeleteCommand `cmd:"" help:"Remove a tag from all links."`
}

type tagListCommand struct {
	ownerFlags `embed:""`
}

// Run lists the tags.
func (c *tagListCommand) Run(ctx context.Context, r *remote) error {
	tags, err := r.Tags(ctx)
	return c.answer(r, err, "", api.Tags{Tags: tags}, func() error { return r.printTags(tags) })
}

func (r *remote) printTags(tags []api.Tag) error {
	if len(tags) == 0 && r.Width() > 0 {
		_, err := fmt.Fprintln(r.Out, r.Colors().Dim("No tags."))
		return err
	}
	columns := 0
	for _, tag := range tags {
		columns = max(columns, console.Cells.StringWidth(tag.Tag))
	}
	for _, tag := range tags {
		err := r.PrintRow(r.Pad(tag.Tag, columns), strconv.FormatInt(tag.Links, 10))
		if err != nil {
			return err
		}
	}
	return nil
}

// tagFlags name a tag and links.
type tagFlags struct {
	domainFlags `embed:""`

	Tag   string   `arg:"" help:"The tag."`
	Codes []string `arg:"" name:"code" help:"The short codes." complete:"codes"`
}

type (
	tagAddCommand struct {
		tagFlags `embed:""`
	}
	tagRemoveCommand struct {
		tagFlags `embed:""`
	}
)

// Run adds the tag to the links.
func (c *tagAddCommand) Run(ctx context.Context, r *remote) error {
	return c.each(ctx, r, func(tags []string) []string { return withTag(tags, c.Tag) })
}

// Run removes the tag from the links.
func (c *tagRemoveCommand) Run(ctx context.Context, r *remote) error {
	return c.each(ctx, r, func(tags []string) []string { return withoutTag(tags, c.Tag) })
}

// each changes the tags of each link and prints them.
func (c *tagFlags) each(
	ctx context.Context, r *remote, change func(tags []string) []string,
) error {
	return c.eachLink(ctx, r, c.Codes, func(code string) (api.Link, error) {
		return r.amend(ctx, code, "", nil, func(link api.Link, to api.Changes) error {
			setTags(link, to, change)
			return nil
		})
	}, func(link api.Link) string { return strings.Join(link.Tags, ", ") })
}

// withoutTag returns tags without one of them, in whatever case.
func withoutTag(tags []string, tag string) []string {
	tag = norm.NFC.String(strings.TrimSpace(tag))
	return slices.DeleteFunc(slices.Clone(tags), func(other string) bool {
		return strings.EqualFold(other, tag)
	})
}

// withTag returns tags with another one, unless it is among them.
func withTag(tags []string, tag string) []string {
	if others := withoutTag(tags, tag); len(others) < len(tags) {
		return tags
	}
	return append(slices.Clone(tags), tag)
}

// setTags adds a link's new tags to the changes, unless they are the same.
func setTags(link api.Link, to api.Changes, change func(tags []string) []string) {
	if tags := change(link.Tags); !slices.Equal(tags, link.Tags) {
		to["tags"] = tags
	}
}

// maxAmends bounds the retries for a link that others keep changing.
const maxAmends = 10

// amend makes changes of a link, and those that change adds by what the link has. Others may change
// the link at the same time. With an ETag it tries once.
func (r *remote) amend(
	ctx context.Context, code, etag string, changes api.Changes,
	change func(link api.Link, to api.Changes) error,
) (link api.Link, err error) {
	for range maxAmends {
		if link, err = r.Link(ctx, code); err != nil {
			return link, err
		}
		all := api.Changes{}
		maps.Copy(all, changes)
		if err = change(link, all); err != nil || len(all) == 0 && etag == "" {
			return link, err
		}
		link, err = r.Update(ctx, code, cmp.Or(etag, link.ETag), all)
		if etag != "" || !errors.Is(err, api.ErrChanged) {
			return link, err
		}
	}
	return link, err
}

type tagRenameCommand struct {
	ownerFlags `embed:""`

	Tag  string `arg:"" help:"The tag."`
	Name string `arg:"" help:"Its new name."`
}

// Run renames the tag.
func (c *tagRenameCommand) Run(ctx context.Context, r *remote) error {
	tag, err := r.RenameTag(ctx, c.Tag, c.Name)
	return c.answer(r, err, c.Tag, tag, func() error {
		return r.PrintRow(tag.Tag, strconv.FormatInt(tag.Links, 10))
	})
}

type tagDeleteCommand struct {
	ownerFlags `embed:""`
	yesFlags   `embed:""`

	Tag string `arg:"" help:"The tag."`
}

// Run removes the tag from all links after confirmation.
func (c *tagDeleteCommand) Run(ctx context.Context, r *remote) error {
	err := c.confirm(ctx, r.Env, "Not deleted.", func() (string, error) {
		return "Remove " + console.Printable(c.Tag) + " from all links?", nil
	})
	if err != nil {
		return err
	}
	return c.done(r, r.DeleteTag(ctx, c.Tag), c.Tag, "deleted", "Deleted")
}
