package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"terse/api"
	"terse/internal/cli/console"
)

type overviewCommand struct {
	clientFlags `embed:""`
	rangeFlags  `embed:""`

	Tags []string `name:"tag" help:"Only clicks of links with this tag; of several, with all." placeholder:"TAG" variable:""`
}

// Run shows the clicks of all links, and the links with the most.
func (c *overviewCommand) Run(ctx context.Context, r *remote) error {
	query, err := c.query(r.Env, time.Now())
	if err != nil {
		return err
	}
	query.Tags = c.Tags
	overview, err := r.Overview(ctx, query)
	if err != nil {
		return r.explain(err, "")
	}
	if c.JSON {
		return r.PrintJSON(overview)
	}
	p := newCharts(r.Env)
	p.title(plural(overview.Links, "link"), "")
	p.clicks(overview.Clicks, query)
	p.topLinks(overview.TopLinks)
	return p.print(r.Out)
}

// topLinks writes the links with the most clicks, with where they lead.
func (p *charts) topLinks(links []api.TopLink) {
	if len(links) == 0 {
		return
	}
	code, clicks := 0, 0
	for _, link := range links {
		code = max(code, len(link.ShortCode))
		clicks = max(clicks, len(humanize.Comma(link.Clicks)))
	}
	p.WriteString("\n" + p.Bold("Top links") + "\n")
	for _, link := range links {
		target := console.Printable(link.OriginalURL)
		if p.cut {
			target = console.Cells.Truncate(target, max(p.width-2-code-2-clicks-2, 0), "…")
		}
		name := p.Accent(console.Fit(console.Printable(link.ShortCode), code))
		fmt.Fprintf(p, "  %s  %*s  %s\n", name, clicks, humanize.Comma(link.Clicks), target)
	}
}
