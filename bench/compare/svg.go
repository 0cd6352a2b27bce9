package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The size of a chart and of the room around its plot, in pixels.
const (
	chartWidth, chartHeight   = 640, 360
	left, right, top, bottom  = 70, 170, 40, 50
	plotWidth                 = chartWidth - left - right
	plotHeight                = chartHeight - top - bottom
	besidePlot, labelDistance = 8, 15
)

// Colours that stand out from white and from black; the rest takes the colour of text.
var colours = []string{"#2f81f7", "#d1622b", "#2da44e", "#a371f7"}

const style = `<style>
text { font: 12px sans-serif; fill: #1f2328 }
.title { font-size: 14px; font-weight: bold }
.grid { stroke: #808080; stroke-opacity: .35 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }
</style>
`

// chart is a picture of values over sizes, with logarithmic axes. All values are above 0.
type chart struct {
	title, x, y string
	lines       []string // names in values
	sizes       []float64
	values      points
}

// decades returns the powers of ten that values lie between.
func decades(values []float64) (low, high float64) {
	low, high = math.Floor(math.Log10(slices.Min(values))), math.Ceil(math.Log10(slices.Max(values)))
	return low, max(high, low+1)
}

// axis maps values to pixels.
type axis struct{ low, high, from, to float64 }

func (a axis) at(v float64) float64 {
	return a.from + (math.Log10(v)-a.low)/(a.high-a.low)*(a.to-a.from)
}

// each calls f with the label and the place of each power of ten.
func (a axis) each(f func(label string, at float64)) {
	for power := a.low; power <= a.high; power++ {
		v := math.Pow(10, power)
		label := strconv.FormatFloat(v, 'g', -1, 64)
		if v >= 1 {
			label = whole(v)
		}
		f(label, a.at(v))
	}
}

func (c chart) svg() string {
	var all []float64
	for _, name := range c.lines {
		all = append(all, c.values[name]...)
	}
	xLow, xHigh := decades(c.sizes)
	yLow, yHigh := decades(all)
	x, y := axis{xLow, xHigh, left, left + plotWidth}, axis{yLow, yHigh, top + plotHeight, top}

	var out strings.Builder
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%[1]d\" height=\"%[2]d\" role=\"img\" aria-label=\"%[3]s\">\n%[4]s",
		chartWidth, chartHeight, c.title, style)
	fmt.Fprintf(&out, "<text class=\"title\" x=\"%d\" y=\"20\">%s</text>\n", left, c.title)
	fmt.Fprintf(&out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", left+plotWidth/2, chartHeight-12, c.x)
	fmt.Fprintf(&out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left-besidePlot, top-besidePlot, c.y)
	x.each(func(label string, at float64) {
		fmt.Fprintf(&out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1[1]f\" y2=\"%[3]d\"/><text x=\"%.1[1]f\" y=\"%[4]d\" text-anchor=\"middle\">%[5]s</text>\n",
			at, top, top+plotHeight, top+plotHeight+18, label)
	})
	y.each(func(label string, at float64) {
		fmt.Fprintf(&out, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1[2]f\"/><text x=\"%[4]d\" y=\"%.1[5]f\" text-anchor=\"end\">%[6]s</text>\n",
			left, at, left+plotWidth, left-besidePlot, at+4, label)
	})
	c.draw(&out, x, y)
	out.WriteString("</svg>\n")
	return out.String()
}

// draw adds the lines, and at their ends their names, as far from each other as they need.
func (c chart) draw(out *strings.Builder, x, y axis) {
	type end struct {
		name, colour string
		at           float64
	}
	var ends []end
	for i, name := range c.lines {
		values, colour := c.values[name], colours[i%len(colours)]
		fmt.Fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour)
		for n, v := range values {
			fmt.Fprintf(out, "%.1f,%.1f ", x.at(c.sizes[n]), y.at(v))
		}
		out.WriteString("\"/>\n")
		for n, v := range values {
			fmt.Fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x.at(c.sizes[n]), y.at(v), colour)
		}
		ends = append(ends, end{name, colour, y.at(values[len(values)-1])})
	}
	slices.SortFunc(ends, func(a, b end) int { return int(math.Copysign(1, a.at-b.at)) })
	last := math.Inf(-1)
	for _, e := range ends {
		last = max(e.at+4, last+labelDistance)
		fmt.Fprintf(out, "<text x=\"%d\" y=\"%.1f\" style=\"fill:%s\">%s</text>\n", left+plotWidth+besidePlot, last, e.colour, e.name)
	}
}
