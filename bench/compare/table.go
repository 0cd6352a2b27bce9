package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// series are the values of one measure in the order of their runs.
type series []float64

func (s series) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// at returns the value that a share of all is not above.
func (s series) at(share float64) float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// over returns the ratios of runs that were made next to each other.
func (s series) over(other series) series {
	ratios := make(series, 0, len(s))
	for i := range s {
		ratios = append(ratios, s[i]/other[i])
	}
	return ratios
}

// spread is the median with the least and the most, as "5 (4–7)".
func (s series) spread(format func(float64) string) string {
	if len(s) == 1 {
		return format(s[0])
	}
	return fmt.Sprintf("%s (%s–%s)", format(s.median()), format(slices.Min(s)),
		format(slices.Max(s)))
}

// Formats of values.
func whole(v float64) string   { return humanize.Comma(int64(math.Round(v))) }
func tenths(v float64) string  { return strconv.FormatFloat(v, 'f', 1, 64) }
func ratio(v float64) string   { return strconv.FormatFloat(v, 'f', 2, 64) }
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 0, 64) }

// bar is what a value must reach.
type bar struct {
	atMost bool // or at least
	limit  float64
	unit   string // after the limit
	busy   bool   // the machine was, so that nobody can say
}

func atLeast(limit float64) *bar             { return &bar{limit: limit} }
func atMost(limit float64, unit string) *bar { return &bar{atMost: true, limit: limit, unit: unit} }

// quietly is the bar, or one that judges nothing when programs that have no part in it used much of
// the machine: one of a thing that comes and goes with the rate.
func (b *bar) quietly(runs ...measured) *bar {
	const much = 0.1 // of a core, in half of the runs
	if b == nil {
		return nil
	}
	unsure := *b
	for _, m := range runs {
		unsure.busy = unsure.busy || m.others.median() > much
	}
	return &unsure
}

// verdict says the bar and whether a value reaches it; a nil bar has none.
func (b *bar) verdict(v float64) string {
	if b == nil {
		return ""
	}
	sign, reached, verdict := "≥", v >= b.limit, "missed"
	if b.atMost {
		sign, reached = "≤", v <= b.limit
	}
	switch {
	case b.busy:
		verdict = "not judged, the machine was busy"
	case reached:
		verdict = "reached"
	}
	return fmt.Sprintf("%s %s%s: %s", sign, humanize.Commaf(b.limit), b.unit, verdict)
}

var header = []string{
	"Scenario", "Measure", "terse", "beside", "ratio of medians",
	"ratio of neighbours", "bar",
}

// row is a line of the table, with a cell for each of header.
type row []string

// compared is a row with values of terse and of what is beside it. The bar is for the ratio of
// medians.
func compared(scenario, measure string, format func(float64) string, ours, others series,
	b *bar,
) row {
	of := ours.median() / others.median()
	return row{
		scenario, measure, ours.spread(format), others.spread(format), ratio(of),
		ours.over(others).spread(ratio), b.verdict(of),
	}
}

// single is a row with nothing beside it. The bar is for the median.
func single(scenario, measure string, format func(float64) string, ours series, b *bar) row {
	return row{scenario, measure, ours.spread(format), "", "", "", b.verdict(ours.median())}
}

// table is Markdown whose columns stand below each other.
func table(header []string, rows []row) string {
	width := make([]int, len(header))
	for _, r := range append([]row{header}, rows...) {
		for i, cell := range r {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var out strings.Builder
	line := func(r row, fill string) {
		for i, cell := range r {
			out.WriteString("|" + fill + cell + strings.Repeat(fill,
				width[i]-utf8.RuneCountInString(cell)) + fill)
		}
		out.WriteString("|\n")
	}
	line(header, " ")
	line(make(row, len(header)), "-")
	for _, r := range rows {
		line(r, " ")
	}
	return out.String()
}

// writeBetween replaces what a document has between <!-- name:start --> and <!-- name:end -->.
func writeBetween(path, name, text string) error {
	document, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	start, end := "<!-- "+name+":start -->\n", "<!-- "+name+":end -->"
	before, rest, found := strings.Cut(string(document), start)
	_, after, ends := strings.Cut(rest, end)
	if !found || !ends {
		return fmt.Errorf("%s has no place for %s", path, name)
	}
	//nolint:gosec // a document for all to read
	return os.WriteFile(path, []byte(before+start+"\n"+text+"\n"+end+after), 0o644)
}
