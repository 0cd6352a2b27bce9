package cli

import (
	"context"
	"io"
	"time"

	"terse/api"
	"terse/internal/cli/report"
	"terse/internal/cli/words"
)

type overviewCommand struct {
	domainFlags `embed:""`
	rangeFlags  `embed:""`
	webFlags    `embed:""`

	Tags []string `name:"tag" short:"l" help:"Only clicks of links with this tag; repeat it for links with all of several tags." placeholder:"TAG" variable:""`
}

// Help implements kong.HelpProvider.
func (*overviewCommand) Help() string { return inJSON }

// Run shows the clicks of all links, and the most clicked ones.
func (c *overviewCommand) Run(ctx context.Context, r *remote) error {
	query, err := c.query(r.Env, time.Now())
	if err != nil {
		return err
	}
	if c.Web {
		web, err := c.webQuery(r.Env, time.Now())
		if err != nil {
			return err
		}
		web["tag"] = c.Tags
		if c.Domain != "" {
			web.Set("domain", c.Domain)
		}
		return r.openPage(ctx, "overview", c.Owner, web)
	}
	query.Tags = c.Tags
	if c.JSON {
		overview, err := r.Overview(ctx, query)
		return c.answer(r, err, "", overview, nil)
	}
	var overview api.Overview
	clicks, whose, err := c.count(query, func(query api.ClicksQuery) (api.Clicks, error) {
		overview, err = r.Overview(ctx, query)
		return overview.Clicks, err
	})
	if err != nil {
		return r.explain(err, "")
	}
	p := report.NewCharts(r.Env)
	p.Title(words.Count(overview.Links, "link"), "")
	p.Clicks(clicks, query, whose)
	p.TopLinks(overview.TopLinks, whose)
	_, err = io.WriteString(r.Out, p.String())
	return err
}
