package api

import (
	"context"
	"net/url"
	"time"
)

// Unknown is the answer to GET /api/unknown: the codes without a link that visitors requested on a
// day, or on several, and other addresses that people requested.
type Unknown struct {
	Date   string           `json:"date"`             // the last UTC day, for example "2026-01-30"
	Total  int64            `json:"total"`            // all visits of such codes; exact
	ByDate map[string]int64 `json:"by_date,omitzero"` // Total by UTC day; nil for one day
	Codes  []UnknownCode    `json:"codes"`            // most requested first, ties by their bytes
}

// UnknownCode says how often a code was requested: between Count - Error and Count times.
type UnknownCode struct {
	ShortCode string `json:"short_code"` // or an address that only an alias could be
	Count     int64  `json:"count"`
	Error     int64  `json:"error"`

	// ByDate is the visits of each UTC day on which the code is among the most requested. Nil for
	// one day.
	ByDate map[string]int64 `json:"by_date,omitzero"`
}

// Unknown returns the most requested codes without a link on the UTC day of a time, or today if
// that is zero, and on the days before it. days is 1 to 30, 0 means 1. limit is 1 to 1000, 0 means
// 100. The server keeps the last 30 days.
func (c *Client) Unknown(ctx context.Context, day time.Time, days, limit int) (Unknown, error) {
	query := url.Values{}
	setDay(query, "date", day)
	setCount(query, "days", days)
	setCount(query, "limit", limit)
	return get[Unknown](ctx, c, "/api/unknown", query)
}
