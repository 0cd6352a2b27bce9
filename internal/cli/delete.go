package cli

import (
	"context"
	"fmt"
	"strings"
)

type deleteCommand struct {
	clientFlags `embed:""`

	Code string `arg:"" help:"The short code."`
	Yes  bool   `short:"y" help:"Don't ask. Required where there is no terminal to ask on." variable:""`
}

// Run deletes the link, when it is confirmed.
func (c *deleteCommand) Run(ctx context.Context, r *remote) error {
	if !c.Yes {
		if !r.canAsk() {
			return misuse("--yes is required where there is no terminal to ask on")
		}
		if err := c.confirm(ctx, r); err != nil {
			return err
		}
	}
	if err := r.Delete(ctx, c.Code); err != nil {
		return r.explain(err, c.Code)
	}
	if c.JSON {
		return r.printJSON(map[string]string{"deleted": c.Code})
	}
	_, err := fmt.Fprintln(r.Out, "Deleted", printable(c.Code))
	return err
}

// confirm asks, because the clicks can't be brought back.
func (c *deleteCommand) confirm(ctx context.Context, r *remote) error {
	link, err := r.Link(ctx, c.Code)
	if err != nil {
		return r.explain(err, c.Code)
	}
	what := printable(link.ShortCode)
	if link.ClickCount > 0 {
		what += " and its " + plural(link.ClickCount, "click")
	}
	answer, err := r.ask(ctx, "Delete "+what+"? [y/N] ")
	if yes := strings.ToLower(answer); err == nil && (yes == "y" || yes == "yes") {
		return nil
	}
	return fail(ExitFailure, "Not deleted.")
}
