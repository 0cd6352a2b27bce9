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
)

// Bounds of what statistics print: a screen.
const (
	maxRows     = 31 // of a chart over time
	maxBars     = 10 // of other charts
	maxBarWidth = 40
)

// charts are what statistics print: they fit the terminal, or 80 columns without one.
type charts struct {
	strings.Builder
	colors

	width int
	cut   bool // on a terminal also what is no chart
}

func newCharts(e Env) *charts {
	width := e.width()
	return &charts{colors: e.colors(), width: cmp.Or(width, defaultWidth), cut: width > 0}
}

func (p *charts) title(bold, rest string) {
	if p.cut {
		rest = cells.Truncate(rest, max(0, p.width-cells.StringWidth(bold)), "…")
	}
	p.WriteString(p.bold(printable(bold)) + rest + "\n")
}

// clicks writes the sum and charts over time and by each dimension.
func (p *charts) clicks(clicks api.Clicks, query api.ClicksQuery) {
	zone, err := time.LoadLocation(query.TimeZone)
	if err != nil { // query has loaded it before
		zone = time.UTC
	}
	p.WriteString(plural(clicks.TotalClicks, "click") + spell(query.Range, zone) + "\n")
	if clicks.TotalClicks == 0 {
		return
	}
	p.bars("By "+clicks.Interval+", "+clicks.TimeZone, overTime(clicks))
	for _, d := range dimensionCharts {
		p.bars(d.title, largest(clicks.By(d.name), d.label))
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

func (p *charts) print(to io.Writer) error {
	_, err := io.WriteString(to, p.String())
	return err
}

// bar is one line of a chart.
type bar struct {
	label string
	value int64
	rest  bool // the sum of those that have no line; it is not drawn and sets no scale
}

// overTime returns a bar for each of the last maxRows intervals, and the sum of those before.
func overTime(clicks api.Clicks) []bar {
	layout := map[string]string{"hour": "2006-01-02 15:04", "month": "2006-01"}[clicks.Interval]
	layout = cmp.Or(layout, time.DateOnly)
	series := clicks.Series
	var bars []bar
	if earlier := len(series) - maxRows; earlier > 0 {
		rest := bar{label: fmt.Sprintf("(%s earlier)", humanize.Comma(int64(earlier))), rest: true}
		for _, point := range series[:earlier] {
			rest.value += point.Clicks
		}
		bars, series = append(bars, rest), series[earlier:]
	}
	for _, point := range series {
		bars = append(bars, bar{label: point.Time.Format(layout), value: point.Clicks})
	}
	return bars
}

// largest returns the maxBars largest counts, and the sum of the rest.
func largest(counts map[string]int64, name func(string) string) []bar {
	bars := make([]bar, 0, len(counts))
	for key, value := range counts {
		bars = append(bars, bar{label: key, value: value})
	}
	slices.SortFunc(bars, func(a, b bar) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.label, b.label))
	})
	rest := bar{rest: true}
	if len(bars) > maxBars {
		rest.label = fmt.Sprintf("(%s more)", humanize.Comma(int64(len(bars)-maxBars)))
		for _, b := range bars[maxBars:] {
			rest.value += b.value
		}
		bars = bars[:maxBars]
	}
	for i := range bars {
		bars[i].label = name(bars[i].label)
	}
	if rest.label != "" {
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
		return printable(code)
	}
	return code + " " + display.English.Regions().Name(region)
}

// bars writes a chart: labels, bars as wide as their share of the largest, and values.
func (p *charts) bars(title string, bars []bar) {
	if len(bars) == 0 {
		return
	}
	var top int64
	labels, values := 0, 0
	for _, b := range bars {
		if !b.rest {
			top = max(top, b.value)
		}
		labels = max(labels, cells.StringWidth(b.label))
		values = max(values, len(humanize.Comma(b.value)))
	}
	// Two spaces before each of the three columns. Bars get a fifth at least.
	room := p.width - 3*2 - values
	labels = min(labels, max(room-p.width/5, 1))
	width := min(max(room-labels, 0), maxBarWidth)
	p.WriteString("\n" + p.bold(title) + "\n")
	for _, b := range bars {
		drawn := ""
		if !b.rest {
			drawn = drawBar(b.value, top, width)
		}
		pad := strings.Repeat(" ", width-cells.StringWidth(drawn))
		line := fmt.Sprintf("  %s  %s%s  %*s",
			fit(b.label, labels), p.accent(drawn), pad, values, humanize.Comma(b.value))
		if b.rest {
			line = p.dim(line)
		}
		p.WriteString(line + "\n")
	}
}

// drawBar returns a bar in eighths of a character.
func drawBar(value, top int64, width int) string {
	if top <= 0 || width == 0 {
		return ""
	}
	eighths := int(float64(value) / float64(top) * float64(width) * 8)
	if eighths == 0 && value > 0 {
		eighths = 1
	}
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return bar
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return humanize.Comma(n) + " " + noun + "s"
}
