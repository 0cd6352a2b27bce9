package cli

import (
	"context"
	"io"
	"time"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/report"
	"terse/internal/cli/words"
)

type statsCommand struct {
	linkFlags  `embed:""`
	rangeFlags `embed:""`
	webFlags   `embed:""`
}

// Help implements kong.HelpProvider.
func (*statsCommand) Help() string { return inJSON }

// inJSON is about the answers of stats and overview.
const inJSON = "--json has both numbers: total_clicks with bots, and people without. Its maps " +
	"count all clicks; --not visitor=bot leaves out those of bots."

// Run shows the clicks of the link.
func (c *statsCommand) Run(ctx context.Context, r *remote) error {
	query, err := c.query(r.Env, time.Now())
	if err != nil {
		return err
	}
	if c.Web {
		return c.open(ctx, r)
	}
	if c.JSON {
		var clicks api.URLClicks
		err := r.onLink(ctx, &c.Code, func() (err error) {
			clicks, err = r.Clicks(ctx, c.Code, query)
			return err
		})
		return c.answer(r, err, c.Code, clicks, nil)
	}
	var link api.URLClicks
	clicks, whose, err := c.count(query, func(query api.ClicksQuery) (api.Clicks, error) {
		err := r.onLink(ctx, &c.Code, func() (err error) {
			link, err = r.Clicks(ctx, c.Code, query)
			return err
		})
		return link.Clicks, err
	})
	if err != nil {
		return r.explain(err, c.Code)
	}
	p := report.NewCharts(r.Env)
	p.Title(words.Link(link.Domain, link.ShortCode), " → "+console.Printable(link.OriginalURL))
	p.Clicks(clicks, query, whose)
	_, err = io.WriteString(r.Out, p.String())
	return err
}

// open opens the link's page.
func (c *statsCommand) open(ctx context.Context, r *remote) error {
	query, err := c.webQuery(r.Env, time.Now())
	if err != nil {
		return err
	}
	link, err := c.link(ctx, r)
	if err != nil {
		return r.explain(err, c.Code)
	}
	return r.openLink(ctx, link, c.Owner, query)
}
