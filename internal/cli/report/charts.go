package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/moment"
	"terse/internal/cli/words"
)

// Bounds of printed statistics: one screen.
const (
	// MaxRows is how many intervals a chart over time has.
	MaxRows = 31
	maxBars = 10 // bars of any other chart
)

// Charts print statistics. They fit the terminal, or 80 columns without one.
type Charts struct {
	strings.Builder
	console.Colors

	env   console.Env
	width int
	cut   bool // cut other lines, too: there is a terminal
	ascii bool
}

// NewCharts returns empty charts.
func NewCharts(e console.Env) *Charts {
	width := e.Width()
	return &Charts{
		Colors: e.Colors(), env: e, width: cmp.Or(width, console.DefaultWidth), cut: width > 0,
		ascii: e.ASCII(),
	}
}

// String returns the charts, without our own characters beyond ASCII if the locale has only that.
func (p *Charts) String() string {
	if !p.ascii {
		return p.Builder.String()
	}
	return asciiSigns.Replace(p.Builder.String())
}

var asciiSigns = strings.NewReplacer("█", "#", "▉", "#", "▊", "#", "▋", "#", "▌", "-", "▍", "-",
	"▎", "-", "▏", "-", "→", "->", "…", ".")

// Title writes the title.
func (p *Charts) Title(bold, rest string) {
	if p.cut {
		rest = console.Cells.Truncate(rest, max(0, p.width-console.Cells.StringWidth(bold)), "…")
	}
	p.WriteString(p.Bold(console.Printable(bold)) + rest + "\n")
}

// Audience says whose clicks were counted.
type Audience struct {
	Bots     bool  // those of bots, too
	LeftOut  int64 // how many clicks of bots were not counted
	Visitors bool  // charts count visitors
}

// unit names what charts count.
func (a Audience) unit() string {
	if a.Visitors {
		return "visitors"
	}
	return a.clicks()
}

// clicks names the clicks that were counted.
func (a Audience) clicks() string {
	if a.Bots {
		return "clicks with bots"
	}
	return "clicks"
}

// total returns the numbers of all clicks and visitors in words.
func (a Audience) total(clicks api.Clicks) string {
	text := words.Count(clicks.TotalClicks, "click")
	if a.Bots {
		text += " with bots"
	}
	if clicks.Visitors != nil {
		text += ", " + words.Count(*clicks.Visitors, "visitor")
	}
	return text
}

// Clicks writes the totals, and charts over time and by each dimension.
func (p *Charts) Clicks(clicks api.Clicks, query api.ClicksQuery, whose Audience) {
	zone, err := time.LoadLocation(query.TimeZone)
	if err != nil { // query loaded it before
		zone = time.UTC
	}
	span := moment.Span(query.Start, query.End, zone)
	p.WriteString(whose.total(clicks) + span + "\n")
	switch {
	case whose.LeftOut == 1:
		p.line("1 click by a bot is left out; --bots counts it.")
	case whose.LeftOut > 1:
		p.line(humanize.Comma(whose.LeftOut) + " clicks by bots are left out; --bots counts them.")
	}
	if clicks.TotalClicks == 0 {
		return
	}
	p.bars(capital(whose.unit())+" by "+clicks.Interval+", "+clicks.TimeZone,
		overTime(clicks, whose.Visitors))
	for _, d := range dimensionCharts {
		counts := clicks.By(d.name)
		if whose.Visitors {
			counts = clicks.VisitorsBy(d.name)
		}
		p.bars(d.title+" by "+whose.unit(), largest(counts, d.label))
	}
}

// line writes a remark.
func (p *Charts) line(text string) {
	if p.cut {
		text = console.Cells.Truncate(text, p.width, "…")
	}
	p.WriteString(p.Dim(text) + "\n")
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// dimensionCharts lists a chart for each dimension, in the order of answers.
var dimensionCharts = []struct {
	name  string // in the API
	title string
	label func(value string) string
}{
	{"country", "Countries", country},
	{"region", "Regions", console.Printable},
	{"city", "Cities", console.Printable},
	{"referrer", "Referring pages", console.Printable},
	{"referrer_host", "Referring sites", console.Printable},
	{"browser", "Browsers", console.Printable},
	{"os", "Systems", console.Printable},
	{"device", "Devices", console.Printable},
	{"language", "Languages", console.Printable},
	{"visitor", "People and bots", console.Printable},
	{"source", "UTM sources", console.Printable},
	{"medium", "UTM mediums", console.Printable},
	{"campaign", "UTM campaigns", console.Printable},
	{"rule", "Rules", console.Printable},
	{"alias", "Aliases", console.Printable},
}

// overTime returns a bar for each of the last MaxRows intervals, and the sum of those before.
func overTime(clicks api.Clicks, visitors bool) []console.Bar {
	count := func(point api.Point) int64 {
		if visitors && point.Visitors != nil {
			return *point.Visitors
		}
		return point.Clicks
	}
	layout := map[string]string{"hour": "2006-01-02 15:04", "month": "2006-01"}[clicks.Interval]
	layout = cmp.Or(layout, time.DateOnly)
	series := clicks.Series
	var bars []console.Bar
	if earlier := len(series) - MaxRows; earlier > 0 {
		rest := console.Bar{Rest: true}
		rest.Label = fmt.Sprintf("(%s earlier)", humanize.Comma(int64(earlier)))
		for _, point := range series[:earlier] {
			rest.Value += count(point)
		}
		bars, series = append(bars, rest), series[earlier:]
	}
	for _, point := range series {
		bars = append(bars, console.Bar{Label: point.Time.Format(layout), Value: count(point)})
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

// country returns a country's code and name.
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

func (p *Charts) bars(title string, bars []console.Bar) {
	p.WriteString(p.Bars(title, bars, p.width))
}

// TopLinks writes the most clicked links: their titles, or else where they lead.
func (p *Charts) TopLinks(links []api.TopLink, whose Audience) {
	if len(links) == 0 {
		return
	}
	code, clicks := 0, 0
	for _, link := range links {
		code = max(code, len(words.Link(link.Domain, link.ShortCode)))
		clicks = max(clicks, len(humanize.Comma(link.Clicks)))
	}
	p.WriteString("\n" + p.Bold("Top links by "+whose.clicks()) + "\n")
	for _, link := range links {
		target := console.Printable(cmp.Or(link.Title, p.env.Brief(link.OriginalURL)))
		if p.cut {
			target = console.Cells.Truncate(target, max(p.width-2-code-2-clicks-2, 0), "…")
		}
		name := words.Link(link.Domain, link.ShortCode)
		name = p.Accent(console.Fit(console.Printable(name), code))
		fmt.Fprintf(p, "  %s  %*s  %s\n", name, clicks, humanize.Comma(link.Clicks), target)
	}
}
