package cli

import (
	"context"

	"terse/internal/cli/console"
	"terse/internal/cli/words"
)

type clearCommand struct {
	linkFlags `embed:""`
	yesFlags  `embed:""`
}

// Run deletes a link's statistics after confirmation.
func (c *clearCommand) Run(ctx context.Context, r *remote) error {
	err := c.confirm(ctx, r.Env, "Nothing was cleared.", func() (string, error) {
		link, err := c.link(ctx, r)
		return "Forget the " + words.Count(link.ClickCount, "click") + " (bots included) of " +
			console.Printable(c.Code) + "?", r.explain(err, c.Code)
	})
	if err != nil {
		return err
	}
	err = r.onLink(ctx, &c.Code, func() error { return r.ClearClicks(ctx, c.Code) })
	return c.done(r, err, c.Code, "cleared", "Cleared")
}
