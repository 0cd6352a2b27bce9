package cli

import (
	"context"

	"terse/api"
)

// codesFlags name some links.
type codesFlags struct {
	domainFlags `embed:""`

	Codes []string `arg:"" name:"code" help:"The short codes, aliases or short URLs." complete:"codes"`
}

type (
	archiveCommand struct {
		codesFlags `embed:""`
	}
	unarchiveCommand struct {
		codesFlags `embed:""`
	}
)

// Help implements kong.HelpProvider.
func (*archiveCommand) Help() string {
	return "An archived link redirects and is counted as before. It is only left out of lists: " +
		"terse list --archived lists archived links, and terse unarchive brings them back."
}

// Run archives the links.
func (c *archiveCommand) Run(ctx context.Context, r *remote) error {
	return c.set(ctx, r, true, "archived")
}

// Run takes the links out of the archive.
func (c *unarchiveCommand) Run(ctx context.Context, r *remote) error {
	return c.set(ctx, r, nil, "not archived")
}

// set sets the option of each link.
func (c *codesFlags) set(ctx context.Context, r *remote, archived any, said string) error {
	return c.eachLink(ctx, r, c.Codes, func(code string) (api.Link, error) {
		return r.Update(ctx, code, "", api.Changes{"archived": archived})
	}, func(api.Link) string { return said })
}
