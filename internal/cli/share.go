package cli

import (
	"context"
	"fmt"

	"terse/internal/cli/console"
)

type shareCommand struct {
	clientFlags `embed:""`

	Stop bool `help:"Stop sharing: the page is gone, and sharing again makes another one."`

	Code string `arg:"" help:"The short code."`
}

// Help implements kong.HelpProvider.
func (*shareCommand) Help() string {
	return "Prints the address of a page with the link's title, code and clicks, for people " +
		"without a token. A link that was not shared before is from then on."
}

// Run prints the address of the shared page, or takes it back.
func (c *shareCommand) Run(ctx context.Context, r *remote) error {
	if c.Stop {
		return c.stop(ctx, r)
	}
	share, err := r.Share(ctx, c.Code)
	if err != nil {
		return r.explain(err, c.Code)
	}
	if c.JSON {
		return r.PrintJSON(share)
	}
	_, err = fmt.Fprintln(r.Out, console.Printable(r.shortURL(share.URL)))
	return err
}

func (c *shareCommand) stop(ctx context.Context, r *remote) error {
	if err := r.Unshare(ctx, c.Code); err != nil {
		return r.explain(err, c.Code)
	}
	if c.JSON {
		return r.PrintJSON(map[string]string{"stopped": c.Code})
	}
	_, err := fmt.Fprintln(r.Out, "Stopped sharing", console.Printable(c.Code))
	return err
}
