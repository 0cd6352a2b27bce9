package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ExportQuery says what to export. The zero ExportQuery is all links with their clicks, as lines of
// JSON.
type ExportQuery struct {
	WithoutClicks bool
	Format        string // "ndjson" or "csv", which has links only; empty: ndjson
}

// Export writes an export as the server sends it. If the caller has another one under way, it waits
// as after ErrRateLimited. Lines of JSON that do not end with one of the type "end" are incomplete.
func (c *Client) Export(ctx context.Context, q ExportQuery, to io.Writer) error {
	query := url.Values{}
	if q.WithoutClicks {
		query.Set("clicks", "false")
	}
	set(query, "format", q.Format)
	return c.stream(ctx, withQuery("/api/export", query), to)
}

// stream writes an answer of any length as the server sends it.
func (c *Client) stream(ctx context.Context, path string, to io.Writer) error {
	return c.exchange(ctx, http.MethodGet, path, nil, func(resp *http.Response) error {
		if _, err := io.Copy(to, resp.Body); err != nil {
			return fmt.Errorf("GET %s: %w", path, err)
		}
		return nil
	})
}

// ImportQuery says what to do with a body.
type ImportQuery struct {
	// Format is "terse", the form of an export; "csv", a table of links; or "auto", one of them;
	// empty: terse.
	Format string
	// Conflict is what to do with links whose code is taken: "skip", "overwrite", "rename" or
	// "fail"; empty: skip.
	Conflict string
	DryRun   bool // find out what would be done, and change nothing
	// ShowLinks asks what the first five links are as the server has read them: their results have
	// a Link.
	ShowLinks bool
	// Encoding is how the body is compressed: "gzip" or "zstd"; empty: not at all.
	Encoding string

	// What follows is for tables.

	// Map says what columns stand for. A column with an empty field is not read; others are known
	// by their names and by what is in them.
	Map        []ColumnField
	TimeZone   string // of times that name none, such as Europe/Berlin; empty: UTC
	DateFormat string // a strftime pattern of all times; empty: many styles are known
	Delimiter  string // between columns: a character or "tab"; empty: the one that the names have
	// Guess says that a table is meant as it is, where the server would refuse it with a question.
	Guess bool
	// OnColumns, if set, is called with the columns of a table before anything else.
	OnColumns func([]ImportColumn) error
}

// ColumnField says which field of a link a column of a table is.
type ColumnField struct{ Column, Field string }

// Import sends links and clicks in the form of an export, and calls each with what becomes of each
// link, when that is done, and of each other line that failed. It may be sent again: what is there
// stays as it is. That is the way to go on after any error, which io.ErrUnexpectedEOF is where the
// answer was cut off. If the caller has another import under way, it waits as after ErrRateLimited.
func (c *Client) Import(ctx context.Context, q ImportQuery, body io.ReadSeeker,
	each func(ImportResult) error,
) (summary ImportSummary, err error) {
	query := url.Values{}
	set(query, "format", q.Format)
	set(query, "conflict", q.Conflict)
	if q.DryRun {
		query.Set("dry_run", "true")
	}
	if q.ShowLinks {
		query.Set("show_links", "true")
	}
	for _, m := range q.Map {
		query.Add("map", m.Column+"="+m.Field)
	}
	set(query, "time_zone", q.TimeZone)
	set(query, "date_format", q.DateFormat)
	set(query, "delimiter", q.Delimiter)
	if q.Guess {
		query.Set("guess", "true")
	}
	const path = "/api/import"
	complete := false
	read := func(resp *http.Response) error {
		for lines := jsontext.NewDecoder(resp.Body); ; {
			var line struct {
				ImportResult
				Summary *ImportSummary `json:"summary"`
				Columns []ImportColumn `json:"columns"`
			}
			err := json.UnmarshalDecode(lines, &line)
			switch {
			case err == io.EOF: //nolint:errorlint // where a line would begin
				return nil
			case err != nil:
				return fmt.Errorf("POST %s: %w", path, err)
			case line.Summary != nil:
				summary, complete = *line.Summary, true
			case line.Columns != nil:
				if q.OnColumns == nil {
					continue
				}
				if err := q.OnColumns(line.Columns); err != nil {
					return err
				}
			default:
				if err := each(line.ImportResult); err != nil {
					return err
				}
			}
		}
	}
	sender := c.with("Content-Type", "application/x-ndjson").with("Content-Encoding", q.Encoding)
	err = sender.exchange(ctx, http.MethodPost, withQuery(path, query), body, read)
	if err == nil && !complete {
		err = fmt.Errorf("POST %s: the answer has no summary: %w", path, io.ErrUnexpectedEOF)
	}
	return summary, err
}

// ImportColumns is the first line of the answer to POST /api/import of a table.
type ImportColumns struct {
	Columns []ImportColumn `json:"columns"` // all, in their order
}

// ImportColumn is a column of a table.
type ImportColumn struct {
	Name string `json:"name"`
	// Field is what it stands for; empty: it is not read.
	Field string `json:"field,omitzero"`
	// Example is its first cell that is not empty, or the first 60 characters of it.
	Example string `json:"example,omitzero"`
}

// ImportEnd is the last line of the answer to POST /api/import.
type ImportEnd struct {
	Summary ImportSummary `json:"summary"`
}

// ImportResult is a line of the answer to POST /api/import: what became of a link, or of a line
// that failed.
type ImportResult struct {
	Line      int64  `json:"line"` // of the body, from 1
	ShortCode string `json:"short_code,omitzero"`
	Domain    string `json:"domain,omitzero"` // of the link; empty: the default one
	// Result is "created", "updated", "unchanged", "renamed", "skipped" or "failed".
	Result       string   `json:"result"`
	NewShortCode string   `json:"new_short_code,omitzero"`
	ClicksAdded  int64    `json:"clicks_added,omitzero"`
	ClicksKnown  int64    `json:"clicks_known,omitzero"`
	Error        string   `json:"error,omitzero"`  // why it was skipped or failed
	Notes        []string `json:"notes,omitempty"` // what was dropped or cut
	// Link is set for the first links, if that was asked for.
	Link *ImportedLink `json:"link,omitempty"`
}

// ImportedLink is what an import has read about a link. What it has not read is zero.
type ImportedLink struct {
	ShortCode   string    `json:"short_code,omitzero"` // as in the body
	Domain      string    `json:"domain,omitzero"`     // as in the body
	OriginalURL string    `json:"original_url,omitzero"`
	Title       string    `json:"title,omitzero"`
	CreatedAt   time.Time `json:"created_at,omitzero"` // UTC, microseconds
}

// ImportSummary says what an import did, once it is complete.
type ImportSummary struct {
	Created       int64 `json:"created"`
	Updated       int64 `json:"updated"`
	Unchanged     int64 `json:"unchanged"`
	Renamed       int64 `json:"renamed"`
	Skipped       int64 `json:"skipped"`
	Failed        int64 `json:"failed"`       // links
	LinesFailed   int64 `json:"lines_failed"` // other lines, and those that can't be read
	ClicksAdded   int64 `json:"clicks_added"`
	ClicksKnown   int64 `json:"clicks_known"`
	ClicksSkipped int64 `json:"clicks_skipped"`
}
