package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"terse/api"
)

type statsCommand struct {
	clientFlags `embed:""`
	rangeFlags  `embed:""`

	Code string `arg:"" help:"The short code."`
}

// Help implements kong.HelpProvider.
func (*statsCommand) Help() string {
	return "With --json the answer is that of the analytics route; with --interval or --time-zone " +
		"it is that of clicks over time, which has a series."
}

func (c *statsCommand) run(ctx context.Context, to streams) error {
	query, err := c.query(to, time.Now())
	if err != nil {
		return err
	}
	r, err := c.connect(to)
	if err != nil {
		return err
	}
	if c.JSON && c.Interval == "" && c.TimeZone == "" {
		stats, err := r.Stats(ctx, c.Code, query.Range)
		if err != nil {
			return r.explain(err, c.Code)
		}
		return to.printJSON(stats)
	}
	clicks, err := r.Clicks(ctx, c.Code, query)
	if err != nil {
		return r.explain(err, c.Code)
	}
	if c.JSON {
		return to.printJSON(clicks)
	}
	p := newCharts(to)
	p.title(clicks.ShortCode, " → "+printable(clicks.OriginalURL))
	p.clicks(clicks.Clicks, query)
	return p.print(to)
}

// charts are what statistics print: they fit the terminal, or 80 columns without one.
type charts struct {
	strings.Builder
	colors

	width int
	cut   bool // on a terminal also what is no chart
}

func newCharts(to streams) *charts {
	r := &charts{width: to.width(), colors: to.colors()}
	if r.cut = r.width > 0; !r.cut {
		r.width = defaultWidth
	}
	return r
}

func (r *charts) title(bold, rest string) {
	if r.cut {
		rest = cells.Truncate(rest, max(0, r.width-cells.StringWidth(bold)), "…")
	}
	r.WriteString(r.bold(printable(bold)) + rest + "\n")
}

// clicks writes the sum and charts over time and by each dimension.
func (r *charts) clicks(clicks api.Clicks, query api.ClicksQuery) {
	zone, err := time.LoadLocation(query.TimeZone)
	if err != nil { // query has loaded it before
		zone = time.UTC
	}
	span := spell(query.Range, zone)
	r.WriteString(clickCount(clicks.TotalClicks) + span + "\n")
	if clicks.TotalClicks == 0 {
		return
	}
	r.bars("By "+clicks.Interval+", "+clicks.TimeZone, overTime(clicks))
	for _, d := range dimensionCharts {
		r.bars(d.title, largest(clicks.By(d.name), d.label))
	}
}

// dimensionCharts has a chart for each dimension of clicks, in the order of the answers.
var dimensionCharts = []struct {
	name  string // in the API
	title string
	label func(value string) string
}{
	{"country", "Countries", country},
	{"referrer", "Referrers", printable},
}

func (r *charts) print(to streams) error {
	_, err := fmt.Fprint(to.out, r.String())
	return err
}
