package cli

import (
	"context"
	"fmt"

	"terse/api"
	"terse/internal/cli/console"
)

type shareCommand struct {
	linkFlags `embed:""`

	Stop bool `help:"Stop sharing: the page is gone, and sharing again makes another one." variable:""`
}

// Help implements kong.HelpProvider.
func (*shareCommand) Help() string {
	return "Prints the address of a page with the link's title, code and clicks, for people " +
		"without a token. A link that was not shared before is from then on."
}

// Run prints the address of the shared page, or stops sharing.
func (c *shareCommand) Run(ctx context.Context, r *remote) error {
	if c.Stop {
		err := r.onLink(ctx, &c.Code, func() error { return r.Unshare(ctx, c.Code) })
		return c.done(r, err, c.Code, "stopped", "Stopped sharing")
	}
	var share api.Share
	err := r.onLink(ctx, &c.Code, func() (err error) {
		share, err = r.Share(ctx, c.Code)
		return err
	})
	return c.answer(r, err, c.Code, share, func() error {
		_, err := fmt.Fprintln(r.Out, console.Printable(r.shortURL(share.URL)))
		return err
	})
}
