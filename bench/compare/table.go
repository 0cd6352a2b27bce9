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

// series holds the values of one measure, in the order of the runs.
type series []float64

func (s series) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// at returns the quantile of the values at a share.
func (s series) at(share float64) float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// over returns the ratios of neighbouring runs.
func (s series) over(other series) series {
	ratios := make(series, 0, len(s))
	for i := range s {
		ratios = append(ratios, s[i]/other[i])
	}
	return ratios
}

// spread formats the median with the minimum and maximum, as "5 (4–7)".
func (s series) spread(format func(float64) string) string {
	if len(s) == 1 {
		return format(s[0])
	}
	return fmt.Sprintf("%s (%s–%s)", format(s.median()), format(slices.Min(s)),
		format(slices.Max(s)))
}

// Formats of values.
func whole(v float64) string  { return humanize.Comma(int64(math.Round(v))) }
func tenths(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
func ratio(v float64) string  { return strconv.FormatFloat(v, 'f', 2, 64) }

// floor is a limit that a figure must keep.
type floor struct {
	atMost bool // the limit is a maximum, not a minimum
	limit  float64
	unit   string // after the limit
	base   string // the ratio to it is judged; "": the figure itself is
	reason string // why it is not judged
}

func least(limit float64) *floor { return &floor{limit: limit} }

func most(limit float64, unit string) *floor {
	return &floor{atMost: true, limit: limit, unit: unit}
}

// of returns the floor for the ratio of a figure to the one beside it.
func (f *floor) of(base string) *floor {
	if f == nil {
		return nil
	}
	ratio := *f
	ratio.base = base
	return &ratio
}

// unjudged returns the floor for a figure that cannot be judged.
func (f *floor) unjudged(reason string) *floor {
	if f == nil {
		return nil
	}
	unsure := *f
	unsure.reason = reason
	return &unsure
}

const machineBusy = "the machine was busy"

// busy reports whether unrelated programs used much of the machine: figures that depend on the rate
// then say nothing.
func busy(runs ...measured) bool {
	const much = 0.1 // of a core, in half of the runs
	return slices.ContainsFunc(runs, func(m measured) bool { return m.others.median() > much })
}

func (f *floor) keeps(v float64) bool {
	if f.atMost {
		return v <= f.limit
	}
	return v >= f.limit
}

// verdict describes the floor and whether a figure keeps it; nil means no floor. A figure that
// misses the floor is within the scatter if one of its runs keeps it.
func (f *floor) verdict(v float64, runs series) string {
	if f == nil {
		return ""
	}
	text := "≥ "
	if f.atMost {
		text = "≤ "
	}
	text += humanize.Commaf(f.limit) + f.unit
	if f.base != "" {
		text += " of " + f.base
	}
	switch {
	case f.reason != "":
		return text + ": not judged, " + f.reason
	case f.keeps(v):
		return text + ": met"
	case slices.ContainsFunc(runs, f.keeps):
		return text + ": met within the scatter"
	}
	return text + ": missed"
}

var header = []string{
	"Scenario", "Measure", "terse", "beside", "ratio of medians",
	"ratio of neighbours", "floor",
}

// row is a line of the table, with a cell for each of header.
type row []string

// figures returns the row of a measure of terse, and of its counterpart if there is one.
func figures(scenario, measure string, format func(float64) string, of []series, f *floor) row {
	ours, judged := of[0], of[0].median()
	r := row{scenario, measure, ours.spread(format), "", "", "", ""}
	runs := ours
	if len(of) > 1 {
		neighbours, medians := ours.over(of[1]), ours.median()/of[1].median()
		r[3], r[4], r[5] = of[1].spread(format), ratio(medians), neighbours.spread(ratio)
		if f != nil && f.base != "" {
			judged, runs = medians, neighbours
		}
	}
	r[6] = f.verdict(judged, runs)
	return r
}

// table returns a Markdown table with aligned columns.
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

// writeBetween replaces the text between <!-- name:start --> and <!-- name:end --> in a document.
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
