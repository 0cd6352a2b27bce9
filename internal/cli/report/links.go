package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"terse/api"
	"terse/internal/cli/console"
)

// Links prints links: for people in columns that fit the terminal, for programs whole and separated
// by tabs.
type Links struct {
	console.Env

	Rows  int64 // printed so far
	width int   // of the terminal, 0 without one
	zone  *time.Location
	// Widths of columns; later pages may widen them. people is 0 if not requested.
	code, clicks, people int
}

// NewLinks returns a table without rows.
func NewLinks(e console.Env) *Links {
	return &Links{Env: e, width: e.Width(), zone: e.Zone()}
}

// Add prints more rows.
func (t *Links) Add(links []api.URL) error {
	var b strings.Builder
	if t.width > 0 {
		t.measure(links)
	}
	if t.Rows == 0 && len(links) > 0 && t.width > 0 {
		b.WriteString(t.line("CODE", t.counts("CLICKS", "PEOPLE"), "CREATED", "URL",
			console.Colors.Dim))
	}
	for _, link := range links {
		t.Rows++
		if t.width == 0 {
			fmt.Fprintf(&b, "%s\t%d\t", console.Printable(link.ShortCode), link.ClickCount)
			if link.People != nil {
				fmt.Fprintf(&b, "%d\t", *link.People)
			}
			fmt.Fprintf(&b, "%s\t%s\n", link.CreatedAt.UTC().Format(time.RFC3339),
				console.Printable(link.OriginalURL))
			continue
		}
		b.WriteString(t.line(console.Printable(link.ShortCode),
			t.counts(humanize.Comma(link.ClickCount), people(link)),
			link.CreatedAt.In(t.zone).Format("2006-01-02 15:04"), about(link),
			console.Colors.Accent))
	}
	_, err := io.WriteString(t.Out, b.String())
	return err
}

// people returns how many of a link's clicks are people's, if requested.
func people(link api.URL) string {
	if link.People == nil {
		return ""
	}
	return humanize.Comma(*link.People)
}

// about returns a link's special properties, then where it leads.
func about(link api.URL) string {
	text := console.Printable(link.OriginalURL)
	if link.Title != "" {
		text = console.Printable(link.Title) + "  " + text
	}
	if link.Status != "" && link.Status != "active" {
		text = "[" + console.Printable(link.Status) + "] " + text
	}
	for _, tag := range link.Tags {
		text += "  #" + console.Printable(tag)
	}
	return text
}

func (t *Links) measure(links []api.URL) {
	t.code, t.clicks = max(t.code, len("CODE")), max(t.clicks, len("CLICKS"))
	for _, link := range links {
		t.code = max(t.code, len(link.ShortCode))
		t.clicks = max(t.clicks, len(humanize.Comma(link.ClickCount)))
		if link.People != nil {
			t.people = max(t.people, len("PEOPLE"), len(people(link)))
		}
	}
}

// counts returns the numeric columns.
func (t *Links) counts(clicks, people string) string {
	text := fmt.Sprintf("%*s", t.clicks, clicks)
	if t.people > 0 {
		text += fmt.Sprintf("  %*s", t.people, people)
	}
	return text
}

// line returns a row that fits the terminal. A narrow one has no time.
func (t *Links) line(code, counts, created, original string,
	paint func(console.Colors, string) string,
) string {
	const gap, createdWidth, leastURL = 2, len("2006-01-02 15:04"), 24
	paints := t.Colors()
	rest := t.width - t.code - gap - len(counts) - gap
	line := paint(paints, console.Fit(code, t.code)) + "  " + counts + "  "
	if withTime := rest - createdWidth - gap; withTime >= leastURL {
		line, rest = line+paints.Dim(console.Fit(created, createdWidth))+"  ", withTime
	}
	if rest < 1 {
		return console.Cells.Truncate(code+" "+strings.TrimSpace(counts), t.width, "…") + "\n"
	}
	return line + console.Cells.Truncate(original, rest, "…") + "\n"
}
