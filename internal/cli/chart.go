package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/moment"
)

// Bounds of what statistics print: a screen.
const (
	maxRows = 31 // of a chart over time
	maxBars = 10 // of other charts
)

// charts are what statistics print: they fit the terminal, or 80 columns without one.
type charts struct {
	strings.Builder
	console.Colors

	width int
	cut   bool // on a terminal also what is no chart
}

func newCharts(e Env) *charts {
	width := e.Width()
	return &charts{Colors: e.Colors(), width: cmp.Or(width, console.DefaultWidth), cut: width > 0}
}

func (p *charts) title(bold, rest string) {
	if p.cut {
		rest = console.Cells.Truncate(rest, max(0, p.width-console.Cells.StringWidth(bold)), "…")
	}
	p.WriteString(p.Bold(console.Printable(bold)) + rest + "\n")
}

// clicks writes the sum and charts over time and by each dimension.
func (p *charts) clicks(clicks api.Clicks, query api.ClicksQuery) {
	zone, err := time.LoadLocation(query.TimeZone)
	if err != nil { // query has loaded it before
		zone = time.UTC
	}
	span := moment.Span(query.Start, query.End, zone)
	p.WriteString(plural(clicks.TotalClicks, "click") + visitors(clicks) + span + "\n")
	if clicks.TotalClicks == 0 {
		return
	}
	p.bars("By "+clicks.Interval+", "+clicks.TimeZone, overTime(clicks))
	for _, d := range dimensionCharts {
		p.bars(d.title, largest(clicks.By(d.name), d.label))
	}
}

func visitors(clicks api.Clicks) string {
	if clicks.Visitors == nil {
		return ""
	}
	return " (" + plural(*clicks.Visitors, "visitor") + ")"
}

// dimensionCharts has a chart for each dimension of clicks, in the order of the answers.
var dimensionCharts = []struct {
	name  string // in the API
	title string
	label func(value string) string
}{
	{"country", "Countries", country},
	{"region", "Regions", console.Printable},
	{"city", "Cities", console.Printable},
	{"referrer", "Referrers", console.Printable},
	{"referrer_host", "Hosts", console.Printable},
	{"browser", "Browsers", console.Printable},
	{"os", "Systems", console.Printable},
	{"device", "Devices", console.Printable},
	{"language", "Languages", console.Printable},
	{"visitor", "Visitors", console.Printable},
	{"source", "Sources", console.Printable},
	{"medium", "Media", console.Printable},
	{"campaign", "Campaigns", console.Printable},
	{"rule", "Rules", console.Printable},
}

func (p *charts) print(to io.Writer) error {
	_, err := io.WriteString(to, p.String())
	return err
}

// overTime returns a bar for each of the last maxRows intervals, and the sum of those before.
func overTime(clicks api.Clicks) []console.Bar {
	layout := map[string]string{"hour": "2006-01-02 15:04", "month": "2006-01"}[clicks.Interval]
	layout = cmp.Or(layout, time.DateOnly)
	series := clicks.Series
	var bars []console.Bar
	if earlier := len(series) - maxRows; earlier > 0 {
		rest := console.Bar{Rest: true}
		rest.Label = fmt.Sprintf("(%s earlier)", humanize.Comma(int64(earlier)))
		for _, point := range series[:earlier] {
			rest.Value += point.Clicks
		}
		bars, series = append(bars, rest), series[earlier:]
	}
	for _, point := range series {
		bars = append(bars, console.Bar{Label: point.Time.Format(layout), Value: point.Clicks})
	}
	return bars
}

// largest returns the maxBars largest counts, and the sum of the rest.
func largest(counts map[string]int64, name func(string) string) []console.Bar {
	bars := make([]console.Bar, 0, len(counts))
	for key, value := range counts {
		bars = append(bars, console.Bar{Label: key, Value: value})
	}
	slices.SortFunc(bars, func(a, b console.Bar) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Label, b.Label))
	})
	rest := console.Bar{Rest: true}
	if len(bars) > maxBars {
		rest.Label = fmt.Sprintf("(%s more)", humanize.Comma(int64(len(bars)-maxBars)))
		for _, b := range bars[maxBars:] {
			rest.Value += b.Value
		}
		bars = bars[:maxBars]
	}
	for i := range bars {
		bars[i].Label = name(bars[i].Label)
	}
	if rest.Label != "" {
		bars = append(bars, rest)
	}
	return bars
}

// country returns a country's code with its name.
func country(code string) string {
	if code == "XX" {
		return "XX Unknown"
	}
	region, err := language.ParseRegion(code)
	if err != nil {
		return console.Printable(code)
	}
	return code + " " + display.English.Regions().Name(region)
}

func (p *charts) bars(title string, bars []console.Bar) {
	p.WriteString(p.Bars(title, bars, p.width))
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return humanize.Comma(n) + " " + noun + "s"
}
