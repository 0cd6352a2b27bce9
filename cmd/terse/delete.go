package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

type deleteCommand struct {
	clientFlags `embed:""`

	Code string `arg:"" help:"The short code."`
	Yes  bool   `short:"y" help:"Don't ask. Required where there is no terminal to ask on." variable:""`
}

func (c *deleteCommand) run(ctx context.Context, to streams) error {
	if !c.Yes && !to.canAsk() {
		return misuse{errors.New("--yes is required where there is no terminal to ask on")}
	}
	r, err := c.connect(to)
	if err != nil {
		return err
	}
	if !c.Yes {
		if err := c.confirm(ctx, to, r); err != nil {
			return err
		}
	}
	if err := r.Delete(ctx, c.Code); err != nil {
		return r.explain(err, c.Code)
	}
	if c.JSON {
		return to.printJSON(map[string]string{"deleted": c.Code})
	}
	_, err = fmt.Fprintln(to.out, "Deleted", printable(c.Code))
	return err
}

// confirm asks, because the clicks can't be brought back.
func (c *deleteCommand) confirm(ctx context.Context, to streams, r remote) error {
	link, err := r.Link(ctx, c.Code)
	if err != nil {
		return r.explain(err, c.Code)
	}
	what := printable(link.ShortCode)
	if link.ClickCount > 0 {
		what += " and its " + clickCount(link.ClickCount)
	}
	answer, err := to.ask(ctx, "Delete "+what+"? [y/N] ")
	if yes := strings.ToLower(answer); err == nil && (yes == "y" || yes == "yes") {
		return nil
	}
	return failure{"Not deleted.", exitFailure}
}
