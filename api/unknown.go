package api

import (
	"context"
	"net/url"
	"time"
)

// Unknown is the answer to GET /api/unknown: codes that visitors asked for on a day and that no
// link had.
type Unknown struct {
	Date  string        `json:"date"`  // the UTC day, for example "2026-01-30"
	Total int64         `json:"total"` // visits of all such codes; exact
	Codes []UnknownCode `json:"codes"` // most first, then by their bytes
}

// UnknownCode is how often a code was asked for: between Count - Error and Count times.
type UnknownCode struct {
	ShortCode string `json:"short_code"`
	Count     int64  `json:"count"`
	Error     int64  `json:"error"`
}

// Unknown returns the codes without a link that were asked for most on the UTC day of a time, of
// today when that is zero: at most limit, 1 to 1000, and 100 when that is zero. Those of the last
// 30 days are kept.
func (c *Client) Unknown(ctx context.Context, day time.Time, limit int) (Unknown, error) {
	query := url.Values{}
	if !day.IsZero() {
		query.Set("date", day.UTC().Format(time.DateOnly))
	}
	setCount(query, "limit", limit)
	return get[Unknown](ctx, c, "/api/unknown", query)
}
