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
		link, err := r.Link(ctx, c.Code)
		return "Forget the " + words.Count(link.ClickCount, "click") + " (bots included) of " +
			console.Printable(c.Code) + "?", r.explain(err, c.Code)
	})
	if err != nil {
		return err
	}
	return c.done(r, r.ClearClicks(ctx, c.Code), c.Code, "cleared", "Cleared")
}
