package main

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"terse/api"
)

type overviewCommand struct {
	clientFlags `embed:""`
	rangeFlags  `embed:""`
}

func (c *overviewCommand) run(ctx context.Context, to streams) error {
	query, err := c.query(to, time.Now())
	if err != nil {
		return err
	}
	r, err := c.connect(to)
	if err != nil {
		return err
	}
	overview, err := r.Overview(ctx, query)
	if err != nil {
		return r.explain(err, "")
	}
	if c.JSON {
		return to.printJSON(overview)
	}
	p := newCharts(to)
	p.title(plural(overview.Links, "link"), "")
	p.clicks(overview.Clicks, query)
	p.topLinks(overview.TopLinks)
	return p.print(to)
}

// topLinks writes the links with the most clicks, with where they lead.
func (r *charts) topLinks(links []api.TopLink) {
	if len(links) == 0 {
		return
	}
	code, clicks := 0, 0
	for _, link := range links {
		code = max(code, len(link.ShortCode))
		clicks = max(clicks, len(humanize.Comma(link.Clicks)))
	}
	r.WriteString("\n" + r.bold("Top links (all time)") + "\n")
	for _, link := range links {
		target := printable(link.OriginalURL)
		if rest := r.width - 2 - code - 2 - clicks - 2; r.cut {
			target = cells.Truncate(target, max(rest, 0), "…")
		}
		name := r.accent(fit(printable(link.ShortCode), code))
		fmt.Fprintf(r, "  %s  %*s  %s\n", name, clicks, humanize.Comma(link.Clicks), target)
	}
}
