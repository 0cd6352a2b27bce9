package httpapi

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"terse"
	"terse/api"
)

// defaultUnknown is how many unknown codes an answer has by default.
const defaultUnknown = 100

// unknownCodes serves GET /api/unknown.
func (s *service) unknownCodes(w http.ResponseWriter, r *http.Request, _ string) error {
	today := terse.DayOf(time.Now().UnixMicro())
	day, limit, err := parseUnknownQuery(r.URL.RawQuery, today)
	if err != nil {
		return err
	}
	result := api.Unknown{Date: day.String(), Codes: []api.UnknownCode{}}
	if day < today-terse.UnknownDays {
		return respond(w, r, http.StatusOK, result) // too old; the store may still have it
	}
	nodes, err := s.Store.Unknown(r.Context(), day)
	if err != nil {
		return fmt.Errorf("unknown codes of %v: %w", day, err)
	}
	sum := terse.SumUnknown(slices.Collect(maps.Values(nodes))...).Top(limit)
	result.Total = sum.Total
	for _, c := range sum.Codes {
		result.Codes = append(result.Codes, api.UnknownCode{
			ShortCode: c.Code.String(), Count: c.Count, Error: c.Error,
		})
	}
	return respond(w, r, http.StatusOK, result)
}

// parseUnknownQuery returns the requested day, by default today, and number of codes.
func parseUnknownQuery(query string, today terse.Day) (day terse.Day, limit int, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return 0, 0, terse.Invalidf("", "malformed query string")
	}
	day, limit = today, defaultUnknown
	if date := values.Get("date"); date != "" {
		start, err := time.Parse(time.DateOnly, date)
		if err != nil {
			return 0, 0, terse.Invalidf("date", "date must be a day such as 2026-01-31")
		}
		day = terse.DayOf(start.UnixMicro())
	}
	if text := values.Get("limit"); text != "" {
		limit, err = strconv.Atoi(text)
		if err != nil || limit < 1 || limit > terse.MaxUnknownCodes {
			return 0, 0, terse.Invalidf("limit", "limit must be 1 to %d", terse.MaxUnknownCodes)
		}
	}
	return day, limit, nil
}
