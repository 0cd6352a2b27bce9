package console

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
)

// Bar is one line of a chart.
type Bar struct {
	Label string
	Value int64
	Rest  bool // the sum of values without a bar; not drawn and not scaled by
}

// maxBarWidth keeps a chart of a few bars from filling a wide terminal.
const maxBarWidth = 40

// Bars draws a chart: labels, bars in proportion to the largest value, and values.
func (c Colors) Bars(title string, bars []Bar, columns int) string {
	if len(bars) == 0 {
		return ""
	}
	var top int64
	labels, values := 0, 0
	for _, b := range bars {
		if !b.Rest {
			top = max(top, b.Value)
		}
		labels = max(labels, Cells.StringWidth(b.Label))
		values = max(values, len(humanize.Comma(b.Value)))
	}
	// Two spaces precede each of the three columns. Bars get at least a fifth.
	room := columns - 3*2 - values
	labels = min(labels, max(room-columns/5, 1))
	width := min(max(room-labels, 0), maxBarWidth)
	text := strings.Builder{}
	text.WriteString("\n" + c.Bold(title) + "\n")
	for _, b := range bars {
		drawn := ""
		if !b.Rest {
			drawn = drawBar(b.Value, top, width)
		}
		pad := strings.Repeat(" ", width-Cells.StringWidth(drawn))
		line := fmt.Sprintf("  %s  %s%s  %*s",
			Fit(b.Label, labels), c.Accent(drawn), pad, values, humanize.Comma(b.Value))
		if b.Rest {
			line = c.Dim(line)
		}
		text.WriteString(line + "\n")
	}
	return text.String()
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
