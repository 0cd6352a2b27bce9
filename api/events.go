package api

import (
	"context"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"time"
)

// EventTime is the layout of event times, for time.Time.Format.
const EventTime = "2006-01-02T15:04:05.000000Z07:00"

// Instant is a time in UTC that is encoded as EventTime.
type Instant struct{ time.Time }

// MarshalJSON writes the time with six fractional digits.
func (t Instant) MarshalJSON() ([]byte, error) {
	return []byte(t.UTC().Format(`"` + EventTime + `"`)), nil
}

// Events is a page of single clicks, newest first.
type Events struct {
	Events     []Event `json:"events"`
	NextCursor string  `json:"next_cursor,omitzero"` // empty on the last page
}

// EventsQuery says which clicks to list. The zero EventsQuery is all clicks.
type EventsQuery struct {
	Range
	Only, Not map[string][]string // as in ClicksQuery
	Tags      []string            // for all links only: clicks of links that have all of these
	Limit     int                 // size of a page, at most 1000; 0: 100
	Cursor    string              // NextCursor of the previous page
}

// Events returns a page of a link's clicks, or of all links' if shortCode is empty.
func (c *Client) Events(ctx context.Context, shortCode string, q EventsQuery) (Events, error) {
	return call[Events](ctx, c, http.MethodGet, eventsPath(shortCode, q, ""), nil)
}

// AllEvents returns the clicks from a page on and requests each page when it is needed. An error
// comes as the last pair.
func (c *Client) AllEvents(ctx context.Context, shortCode string, q EventsQuery) iter.Seq2[
	Event, error,
] {
	return func(yield func(Event, error) bool) {
		var seen cursors
		for q := q; ; {
			page, err := c.Events(ctx, shortCode, q)
			if err == nil {
				err = seen.add(page.NextCursor)
			}
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

// StreamEvents writes clicks as the server sends them, in one request, as lines of JSON ("ndjson")
// or as "csv". A Limit of 0 means all clicks.
func (c *Client) StreamEvents(ctx context.Context, shortCode, format string, q EventsQuery,
	to io.Writer,
) error {
	return c.stream(ctx, eventsPath(shortCode, q, format), to)
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
