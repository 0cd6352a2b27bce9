package cli

import (
	"context"
	"strings"

	"terse/internal/cli/console"
	"terse/internal/cli/words"
)

// yesFlags are for commands that can't be undone.
type yesFlags struct {
	Yes bool `short:"y" help:"Don't ask. Required where there is no terminal to ask on." variable:""`
}

// confirm asks a question, and fails with a text unless the answer or the flag is yes.
func (f *yesFlags) confirm(
	ctx context.Context, e Env, otherwise string, question func() (string, error),
) error {
	if f.Yes {
		return nil
	}
	if !e.CanAsk() {
		return misuse("--yes is required where there is no terminal to ask on")
	}
	text, err := question()
	if err != nil {
		return err
	}
	answer, err := e.Ask(ctx, text+" [y/N] ")
	if yes := strings.ToLower(answer); err == nil && (yes == "y" || yes == "yes") {
		return nil
	}
	return fail(ExitFailure, "%s", otherwise)
}

type deleteCommand struct {
	linkFlags `embed:""`
	yesFlags  `embed:""`
}

// Run deletes the link after confirmation.
func (c *deleteCommand) Run(ctx context.Context, r *remote) error {
	err := c.confirm(ctx, r.Env, "Not deleted.", func() (string, error) {
		link, err := c.link(ctx, r)
		what := console.Printable(words.Link(link.Domain, link.ShortCode))
		if link.ClickCount > 0 {
			what += " and its " + words.Count(link.ClickCount, "click") + " (bots included)"
		}
		return "Delete " + what + "?", r.explain(err, c.Code)
	})
	if err != nil {
		return err
	}
	err = r.onLink(ctx, &c.Code, func() error { return r.Delete(ctx, c.Code) })
	return c.done(r, err, c.Code, "deleted", "Deleted")
}
