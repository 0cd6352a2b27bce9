package cli

import (
	"context"
	"io"
	"time"

	"terse/internal/cli/console"
	"terse/internal/cli/report"
)

type statsCommand struct {
	linkFlags  `embed:""`
	rangeFlags `embed:""`
}

// Help implements kong.HelpProvider.
func (*statsCommand) Help() string {
	return "With --json the answer is that of the analytics route; with --interval, --time-zone, " +
		"--by, --only, --not, --people or --visitors it is that of clicks over time, which has a " +
		"series."
}

// Run shows the clicks of the link.
func (c *statsCommand) Run(ctx context.Context, r *remote) error {
	query, err := c.query(r.Env, time.Now())
	if err != nil {
		return err
	}
	if c.JSON && !c.filters() {
		stats, err := r.Stats(ctx, c.Code, query.Range)
		return c.answer(r, err, c.Code, stats, nil)
	}
	clicks, err := r.Clicks(ctx, c.Code, query)
	return c.answer(r, err, c.Code, clicks, func() error {
		p := report.NewCharts(r.Env)
		p.Title(clicks.ShortCode, " → "+console.Printable(clicks.OriginalURL))
		p.Clicks(clicks.Clicks, query)
		_, err := io.WriteString(r.Out, p.String())
		return err
	})
}
