package cli

import (
	"context"
	"fmt"

	"terse/internal/cli/console"
	"terse/internal/cli/words"
)

type clearCommand struct {
	clientFlags `embed:""`
	yesFlags    `embed:""`

	Code string `arg:"" help:"The short code."`
}

// Run deletes the statistics of a link, when it is confirmed.
func (c *clearCommand) Run(ctx context.Context, r *remote) error {
	err := c.confirm(ctx, r.Env, "Nothing was cleared.", func() (string, error) {
		link, err := r.Link(ctx, c.Code)
		return "Forget the " + words.Count(link.ClickCount, "click") + " of " +
			console.Printable(c.Code) + "?", r.explain(err, c.Code)
	})
	if err != nil {
		return err
	}
	if err := r.ClearClicks(ctx, c.Code); err != nil {
		return r.explain(err, c.Code)
	}
	if c.JSON {
		return r.PrintJSON(map[string]string{"cleared": c.Code})
	}
	_, err = fmt.Fprintln(r.Out, "Cleared", console.Printable(c.Code))
	return err
}
