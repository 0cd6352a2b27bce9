package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
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

// ImportResult is a line of the answer to POST /api/import: what became of a link, or of a line
// that failed.
type ImportResult struct {
	Line      int64  `json:"line"` // of the body, from 1
	ShortCode string `json:"short_code,omitzero"`
	// Result is "created", "updated", "unchanged", "renamed", "skipped" or "failed".
	Result       string   `json:"result"`
	NewShortCode string   `json:"new_short_code,omitzero"`
	ClicksAdded  int64    `json:"clicks_added,omitzero"`
	ClicksKnown  int64    `json:"clicks_known,omitzero"`
	Error        string   `json:"error,omitzero"`  // why it was skipped or failed
	Notes        []string `json:"notes,omitempty"` // what was dropped or cut
}

// ImportSummary is the last line of the answer, after which the import is complete.
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
