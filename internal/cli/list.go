package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"terse/api"
)

type listCommand struct {
	clientFlags `embed:""`

	Search string `help:"Only links whose code or URL contains these words." variable:""`
	Sort   string `help:"newest, oldest or clicks (most first)." default:"newest" enum:"newest,oldest,clicks" variable:""`
	Limit  *int   `help:"How many; default 20." placeholder:"N" xor:"many" variable:""`
	All    bool   `help:"All of them." xor:"many" variable:""`
	Offset int    `help:"How many to skip; not with --search or --sort clicks." placeholder:"N" variable:""`
}

const defaultLimit = 20

// pageLimit is the largest page that the server gives.
const pageLimit = 100

// Run prints as many pages as it takes.
func (c *listCommand) Run(ctx context.Context, r *remote) error {
	left := defaultLimit
	switch {
	case c.All:
		left = math.MaxInt
	case c.Limit != nil:
		left = *c.Limit
	}
	switch {
	case left < 1:
		return misuse("--limit must be at least 1; --all lists all")
	case c.Offset < 0:
		return misuse("--offset must not be negative")
	case c.Offset > 0 && (c.Search != "" || c.Sort == "clicks"):
		return misuse("--offset doesn't go with --search and --sort clicks")
	}
	table := linkTable{Env: r.Env, width: r.width(), zone: r.zone()}
	query := api.Search{Text: c.Search, Sort: c.Sort, Offset: c.Offset}
	for {
		query.Limit = min(left, pageLimit)
		page, err := r.Search(ctx, query)
		if err != nil {
			return r.explain(err, "")
		}
		if c.JSON {
			err = r.printJSON(page)
		} else {
			err = table.add(page.URLs)
		}
		if err != nil {
			return err
		}
		left -= len(page.URLs)
		if query.Cursor, query.Offset = page.NextCursor, 0; left <= 0 || query.Cursor == "" {
			return c.finish(&table, page)
		}
	}
}

// finish says on a terminal how many there are.
func (c *listCommand) finish(table *linkTable, last api.Page) error {
	if c.JSON || table.width == 0 {
		return nil
	}
	text := fmt.Sprintf("%s of %s", humanize.Comma(table.rows), humanize.Comma(last.Total))
	switch {
	case table.rows == 0 && c.Search != "":
		text = "No link matches " + printable(c.Search) + "."
	case last.Total == 0:
		text = "No links yet. Shorten a URL: terse create https://example.com/"
	case last.NextCursor != "":
		text += "; --all lists all"
	}
	_, err := fmt.Fprintln(table.Out, table.colors().dim(text))
	return err
}

// linkTable prints links: for people as columns that fit the terminal, for programs whole and
// separated by tabs.
type linkTable struct {
	Env

	width  int // of the terminal, 0 without
	zone   *time.Location
	rows   int64
	code   int // widths of columns, which later pages may widen
	clicks int
}

func (t *linkTable) add(links []api.URL) error {
	var b strings.Builder
	if t.width > 0 {
		t.measure(links)
	}
	if t.rows == 0 && len(links) > 0 && t.width > 0 {
		b.WriteString(t.line("CODE", "CLICKS", "CREATED", "URL", colors.dim))
	}
	for _, link := range links {
		t.rows++
		if t.width == 0 {
			fmt.Fprintf(&b, "%s\t%d\t%s\t%s\n", printable(link.ShortCode), link.ClickCount,
				link.CreatedAt.UTC().Format(time.RFC3339), printable(link.OriginalURL))
			continue
		}
		b.WriteString(t.line(printable(link.ShortCode), humanize.Comma(link.ClickCount),
			link.CreatedAt.In(t.zone).Format("2006-01-02 15:04"), printable(link.OriginalURL),
			colors.accent))
	}
	_, err := io.WriteString(t.Out, b.String())
	return err
}

func (t *linkTable) measure(links []api.URL) {
	t.code, t.clicks = max(t.code, len("CODE")), max(t.clicks, len("CLICKS"))
	for _, link := range links {
		t.code = max(t.code, len(link.ShortCode))
		t.clicks = max(t.clicks, len(humanize.Comma(link.ClickCount)))
	}
}

// line returns a row of the terminal's width. A narrow one goes without the time.
func (t *linkTable) line(code, clicks, created, original string,
	paint func(colors, string) string,
) string {
	const gap, createdWidth, leastURL = 2, len("2006-01-02 15:04"), 24
	paints := t.colors()
	rest := t.width - t.code - gap - t.clicks - gap
	line := paint(paints, fit(code, t.code)) + "  " + strings.Repeat(" ", t.clicks-len(clicks)) +
		clicks + "  "
	if withTime := rest - createdWidth - gap; withTime >= leastURL {
		line, rest = line+paints.dim(fit(created, createdWidth))+"  ", withTime
	}
	if rest < 1 {
		return cells.Truncate(code+" "+clicks, t.width, "…") + "\n"
	}
	return line + cells.Truncate(original, rest, "…") + "\n"
}
