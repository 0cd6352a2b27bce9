package cli

import (
	"context"
	"io"
	"time"

	"terse/internal/cli/report"
	"terse/internal/cli/words"
)

type overviewCommand struct {
	clientFlags `embed:""`
	rangeFlags  `embed:""`

	Tags []string `name:"tag" help:"Only clicks of links with this tag; repeat it for links with all of several tags." placeholder:"TAG" variable:""`
}

// Run shows the clicks of all links, and the most clicked ones.
func (c *overviewCommand) Run(ctx context.Context, r *remote) error {
	query, err := c.query(r.Env, time.Now())
	if err != nil {
		return err
	}
	query.Tags = c.Tags
	overview, err := r.Overview(ctx, query)
	return c.answer(r, err, "", overview, func() error {
		p := report.NewCharts(r.Env)
		p.Title(words.Count(overview.Links, "link"), "")
		p.Clicks(overview.Clicks, query)
		p.TopLinks(overview.TopLinks)
		_, err := io.WriteString(r.Out, p.String())
		return err
	})
}
