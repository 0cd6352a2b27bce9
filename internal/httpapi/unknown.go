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

// unknownCodes serves GET /api/unknown. The store may still have days that are too old to be shown.
func (s *service) unknownCodes(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	today := terse.DayOf(time.Now().UnixMicro())
	asked, err := parseUnknownQuery(r.URL.RawQuery, today)
	if err != nil {
		return err
	}
	result := api.Unknown{Date: asked.last.String(), Codes: []api.UnknownCode{}}
	if asked.days > 1 {
		result.ByDate = map[string]int64{}
	}
	var days []terse.UnknownCodes
	byDate := map[string]map[string]int64{}
	first := max(asked.last-terse.Day(asked.days-1), today-(terse.UnknownDays-1))
	for day := first; day <= min(asked.last, today); day++ {
		nodes, err := s.Store.Unknown(r.Context(), day)
		if err != nil {
			return fmt.Errorf("unknown codes of %v: %w", day, err)
		}
		sum := terse.SumUnknown(slices.Collect(maps.Values(nodes))...)
		// What a full list does not have was not requested more often than its last one.
		if n := len(sum.Codes); n == terse.MaxUnknownCodes {
			sum.Rest = sum.Codes[n-1].Count
		}
		if n := len(sum.Aliases); n == terse.MaxUnknownCodes {
			sum.AliasRest = sum.Aliases[n-1].Count
		}
		days = append(days, sum)
		if asked.days > 1 && sum.Total > 0 {
			result.ByDate[day.String()] = sum.Total
			for _, c := range sum.All(2 * terse.MaxUnknownCodes) {
				if byDate[c.Address()] == nil {
					byDate[c.Address()] = map[string]int64{}
				}
				byDate[c.Address()][day.String()] = c.Count
			}
		}
	}
	sum := terse.SumUnknown(days...)
	result.Total = sum.Total
	for _, c := range sum.All(asked.limit) {
		address := c.Address()
		result.Codes = append(result.Codes, api.UnknownCode{
			ShortCode: address, Count: c.Count, Error: c.Error, ByDate: byDate[address],
		})
	}
	return respond(w, r, http.StatusOK, result)
}

// unknownQuery asks for the codes of so many days up to the last one.
type unknownQuery struct {
	last        terse.Day
	days, limit int
}

// parseUnknownQuery returns the query; by default it is for today alone.
func parseUnknownQuery(query string, today terse.Day) (unknownQuery, error) {
	asked := unknownQuery{last: today}
	values, err := url.ParseQuery(query)
	if err != nil {
		return asked, terse.Invalidf("", "malformed query string")
	}
	if date := values.Get("date"); date != "" {
		if asked.last, err = terse.ParseDay("date", date); err != nil {
			return asked, err
		}
	}
	asked.days, err = parseUpTo(values, "days", terse.UnknownDays, 1)
	if err == nil {
		asked.limit, err = parseUpTo(values, "limit", terse.MaxUnknownCodes, defaultUnknown)
	}
	return asked, err
}

// parseUpTo returns a parameter that is a number from 1 to most, or its default.
func parseUpTo(values url.Values, name string, most, otherwise int) (int, error) {
	text := values.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, terse.Invalidf(name, "%s must be 1 to %d", name, most)
	}
	return n, nil
}
