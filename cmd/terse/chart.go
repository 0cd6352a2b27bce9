package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of what statistics print: a screen.
const (
	maxChartDays = 30
	maxBars      = 10
	barWidth     = 40
)

// bar is one line of a chart.
type bar struct {
	label string
	value int64
}

// lastDays returns a bar for each of the last maxChartDays days that have clicks, and for
// the days without between them.
func lastDays(byDate map[string]int64) []bar {
	if len(byDate) == 0 {
		return nil
	}
	days := slices.Sorted(maps.Keys(byDate))
	first, err1 := time.Parse(time.DateOnly, days[0])
	last, err2 := time.Parse(time.DateOnly, days[len(days)-1])
	if err1 != nil || err2 != nil { // no days as we know them: as they come
		return largest(byDate)
	}
	if oldest := last.AddDate(0, 0, 1-maxChartDays); first.Before(oldest) {
		first = oldest
	}
	var bars []bar
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		label := day.Format(time.DateOnly)
		bars = append(bars, bar{label, byDate[label]})
	}
	return bars
}

// largest returns the maxBars largest counts, and the sum of the rest.
func largest(counts map[string]int64) []bar {
	bars := make([]bar, 0, len(counts))
	for label, value := range counts {
		bars = append(bars, bar{label, value})
	}
	slices.SortFunc(bars, func(a, b bar) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.label, b.label))
	})
	if len(bars) > maxBars {
		rest := bar{label: fmt.Sprintf("(%d more)", len(bars)-maxBars)}
		for _, b := range bars[maxBars:] {
			rest.value += b.value
		}
		bars = append(bars[:maxBars], rest)
	}
	return bars
}

// writeBars draws bars as wide as their share of the largest.
func writeBars(b *strings.Builder, title string, bars []bar) {
	if len(bars) == 0 {
		return
	}
	const maxLabel = 48
	var top int64
	width := 0
	for i := range bars {
		label := []rune(printable(bars[i].label))
		if len(label) > maxLabel {
			label = append(label[:maxLabel-1], '…')
		}
		bars[i].label = string(label)
		top = max(top, bars[i].value)
		width = max(width, len(label))
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for _, line := range bars {
		pad := strings.Repeat(" ", width-utf8.RuneCountInString(line.label))
		fmt.Fprintf(b, "  %s%s  %-*s %d\n", line.label, pad, barWidth, drawBar(line.value, top), line.value)
	}
}

// drawBar returns a bar in eighths of a character.
func drawBar(value, top int64) string {
	if top <= 0 {
		return ""
	}
	eighths := int(float64(value) / float64(top) * barWidth * 8)
	if eighths == 0 && value > 0 {
		eighths = 1
	}
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return bar
}
