package api

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"time"
)

// EventTime is how the times of events are written, for time.Time.Format.
const EventTime = "2006-01-02T15:04:05.000000Z07:00"

// Instant is a time in UTC that is written as EventTime.
type Instant struct{ time.Time }

// MarshalJSON writes the time with all six digits of the second's fraction.
func (t Instant) MarshalJSON() ([]byte, error) {
	return []byte(t.UTC().Format(`"` + EventTime + `"`)), nil
}

// Events are a page of single clicks, the newest first.
type Events struct {
	Events     []Event `json:"events"`
	NextCursor string  `json:"next_cursor,omitzero"` // empty on the last page
}

// EventsQuery says which clicks are listed. The zero EventsQuery is all of them.
type EventsQuery struct {
	Range
	Only, Not map[string][]string // as in ClicksQuery
	Tags      []string            // of all links: only clicks of links that have all of these
	Limit     int                 // of a page, at most 1000; 0: 100
	Cursor    string              // NextCursor of the page before
}

// Events returns a page of the clicks of a link, or of those of all links when shortCode is empty.
func (c *Client) Events(ctx context.Context, shortCode string, q EventsQuery) (Events, error) {
	return call[Events](ctx, c, http.MethodGet, eventsPath(shortCode, q, ""), nil)
}

// AllEvents returns the clicks from a page on, each page asked for when it is needed. An error is
// the last pair.
func (c *Client) AllEvents(ctx context.Context, shortCode string, q EventsQuery) iter.Seq2[
	Event, error,
] {
	return func(yield func(Event, error) bool) {
		for q := q; ; {
			page, err := c.Events(ctx, shortCode, q)
			for _, e := range page.Events {
				if !yield(e, nil) {
					return
				}
			}
			if err != nil {
				yield(Event{}, err)
				return
			}
			if q.Cursor = page.NextCursor; q.Cursor == "" {
				return
			}
		}
	}
}

// StreamEvents writes clicks as the server sends them, in one request: as lines of JSON ("ndjson")
// or as "csv". With a Limit of 0 these are all clicks.
func (c *Client) StreamEvents(ctx context.Context, shortCode, format string, q EventsQuery,
	to io.Writer,
) error {
	path := eventsPath(shortCode, q, format)
	return c.exchange(ctx, http.MethodGet, path, nil, func(resp *http.Response) error {
		if _, err := io.Copy(to, resp.Body); err != nil {
			return fmt.Errorf("GET %s: %w", path, err)
		}
		return nil
	})
}

func eventsPath(shortCode string, q EventsQuery, format string) string {
	path := "/api/events"
	if shortCode != "" {
		path = linkPath(shortCode) + "/events"
	}
	query := q.Range.query()
	addFilters(query, q.Only, q.Not, q.Tags)
	setCount(query, "limit", q.Limit)
	set(query, "cursor", q.Cursor)
	set(query, "format", format)
	return withQuery(path, query)
}

func addFilters(query url.Values, only, not map[string][]string, tags []string) {
	query["tag"] = tags
	maps.Copy(query, url.Values(only))
	for name, values := range not {
		query["not_"+name] = values
	}
}
