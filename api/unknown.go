package api

import (
	"context"
	"net/url"
	"time"
)

// Unknown is the answer to GET /api/unknown: the codes without a link that visitors requested on a
// day.
type Unknown struct {
	Date  string        `json:"date"`  // the UTC day, for example "2026-01-30"
	Total int64         `json:"total"` // all visits of such codes; exact
	Codes []UnknownCode `json:"codes"` // most requested first, ties by their bytes
}

// UnknownCode says how often a code was requested: between Count - Error and Count times.
type UnknownCode struct {
	ShortCode string `json:"short_code"`
	Count     int64  `json:"count"`
	Error     int64  `json:"error"`
}

// Unknown returns the most requested codes without a link on the UTC day of a time, or today if
// that is zero. limit is 1 to 1000; 0 means 100. The server keeps the last 30 days.
func (c *Client) Unknown(ctx context.Context, day time.Time, limit int) (Unknown, error) {
	query := url.Values{}
	if !day.IsZero() {
		query.Set("date", day.UTC().Format(time.DateOnly))
	}
	setCount(query, "limit", limit)
	return get[Unknown](ctx, c, "/api/unknown", query)
}
