package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/words"
)

// Links prints links: for people in columns that fit the terminal, for programs whole and separated
// by tabs.
type Links struct {
	console.Env

	Rows    int64  // printed so far
	period  string // whose clicks are printed, for example "7d"; empty: all time
	width   int    // of the terminal, 0 without one
	zone    *time.Location
	columns [numColumns]int // widths of what was to print so far
	head    string          // that was printed last
}

// The columns on a terminal, from left to right.
const (
	colCode = iota
	colClicks
	colStatus
	colTitle
	colAliases
	colTags
	colCreated
	colURL
	numColumns
)

// columns say how the terminal shows each column. Code and clicks are always there; of the others,
// those of a lower rank give way first, and columns without any text.
var columns = [numColumns]struct {
	heading     string
	rank        int
	least, most int // widths
}{
	{"CODE", 0, 0, 0},
	{"CLICKS", 0, 0, 0},
	{"STATUS", 2, len("scheduled"), len("scheduled")},
	{"TITLE", 1, 12, 40},
	{"ALIASES", 6, 8, 24},
	{"TAGS", 4, 8, 24},
	{"CREATED", 5, len(time.DateOnly), len(time.DateOnly)},
	{"URL", 3, 20, 1 << 20},
}

const gap = 2

// NewLinks returns a table without rows, with the clicks of a period, or those of all time if it is
// empty.
func NewLinks(e console.Env, period string) *Links {
	return &Links{Env: e, width: e.Width(), zone: e.Zone(), period: period}
}

// Add prints more rows.
func (t *Links) Add(links []api.URL) error {
	var b strings.Builder
	t.Rows += int64(len(links))
	if t.width == 0 {
		for _, link := range links {
			b.WriteString(strings.Join(t.fields(link), "\t") + "\n")
		}
	} else if len(links) > 0 {
		t.draw(&b, links)
	}
	_, err := io.WriteString(t.Out, b.String())
	return err
}

// fields returns what programs read of a link.
func (t *Links) fields(link api.URL) []string {
	people, clicks := t.clicks(link)
	return []string{
		cell(words.Link(link.Domain, link.ShortCode)), cell(link.OriginalURL),
		strconv.FormatInt(people, 10), strconv.FormatInt(clicks, 10),
		link.CreatedAt.UTC().Format(time.RFC3339),
		cell(cmp.Or(words.Status(link.LinkDetails), "active")),
		cell(strings.Join(link.Tags, ",")), cell(link.Title),
	}
}

// blanks replaces what would end a cell.
var blanks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")

func cell(text string) string { return console.Printable(blanks.Replace(text)) }

// clicks returns a link's clicks, and how many of them are people's.
func (t *Links) clicks(link api.URL) (people, clicks int64) {
	clicks, of := link.ClickCount, link.People
	if t.period != "" && link.PeriodClicks != nil { // an older server has none
		clicks, of = *link.PeriodClicks, link.PeriodPeople
	}
	if of == nil { // only if it was not asked for
		return clicks, clicks
	}
	return *of, clicks
}

// draw writes rows for people, below a heading unless it is the one above.
func (t *Links) draw(b *strings.Builder, links []api.URL) {
	rows := make([][numColumns]string, len(links))
	var head [numColumns]string
	for c, column := range columns {
		head[c] = column.heading
	}
	if t.period != "" {
		head[colClicks] = "CLICKS IN " + strings.ToUpper(t.period)
	}
	for i, link := range links {
		people, _ := t.clicks(link)
		rows[i] = [numColumns]string{
			colCode:   cell(words.Link(link.Domain, link.ShortCode)),
			colClicks: humanize.Comma(people),
			colTitle:  cell(link.Title), colAliases: cell(strings.Join(link.Aliases, ", ")),
			colTags: tags(link.Tags), colURL: cell(t.Brief(link.OriginalURL)),
			colCreated: link.CreatedAt.In(t.zone).Format(time.DateOnly),
		}
		if link.Archived {
			rows[i][colStatus] = "archived"
		}
		if status := words.Status(link.LinkDetails); status != "active" && status != "" {
			rows[i][colStatus] = cell(status)
		}
		for c, text := range rows[i] {
			if text != "" {
				t.columns[c] = max(t.columns[c], len(head[c]),
					console.Cells.StringWidth(text))
			}
		}
	}
	widths := t.fit()
	if widths[colURL] == 0 {
		head[colTitle] = "LINK"
	}
	if text := t.row(head, widths, console.Colors.Dim); text != t.head {
		b.WriteString(text)
		t.head = text
	}
	for _, row := range rows {
		if widths[colURL] == 0 && row[colTitle] == "" {
			row[colTitle] = row[colURL]
		}
		b.WriteString(t.row(row, widths, console.Colors.Accent))
	}
}

func tags(tags []string) string {
	marked := make([]string, len(tags))
	for i, tag := range tags {
		marked[i] = "#" + cell(tag)
	}
	return strings.Join(marked, " ")
}

// fit returns the widths of the columns that there is room for, 0 for the others. Where there is
// none for URLs, titles have the room, and URLs stand in for those that are missing.
func (t *Links) fit() (widths [numColumns]int) {
	widths[colCode], widths[colClicks] = t.columns[colCode], t.columns[colClicks]
	left := t.width - widths[colCode] - gap - widths[colClicks]
	for rank := 1; rank < numColumns; rank++ {
		for c, column := range columns {
			least := min(column.least, t.columns[c])
			if column.rank == rank && least > 0 && left >= gap+least {
				widths[c] = least
				left -= gap + least
			}
		}
	}
	if widths[colURL] == 0 {
		if widths[colTitle] == 0 {
			left -= gap
		}
		widths[colTitle] += max(left, 0)
		return widths
	}
	for _, c := range []int{colTitle, colAliases, colTags, colURL} {
		if widths[c] > 0 {
			more := min(left, max(min(t.columns[c], columns[c].most)-widths[c], 0))
			widths[c] += more
			left -= more
		}
	}
	return widths
}

// row returns a line that fits the terminal.
func (t *Links) row(
	row [numColumns]string, widths [numColumns]int, paint func(console.Colors, string) string,
) string {
	paints := t.Colors()
	clicks := fmt.Sprintf("%*s", widths[colClicks], row[colClicks])
	if widths[colCode]+gap+widths[colClicks] > t.width {
		return console.Cells.Truncate(row[colCode]+" "+row[colClicks], t.width, "…") + "\n"
	}
	cells := []string{paint(paints, console.Fit(row[colCode], widths[colCode])), clicks}
	for c := colStatus; c < numColumns; c++ {
		if widths[c] > 0 {
			cells = append(cells, console.Fit(row[c], widths[c]))
		}
	}
	return strings.TrimRight(strings.Join(cells, "  "), " ") + "\n"
}
