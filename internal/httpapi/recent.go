package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"terse"
	"terse/api"
	"terse/internal/click/clickquery"
	"terse/internal/link/manage"
)

// Bounds of an answer about recent clicks: as many links as a page of the list, and as many days as
// a row can show. UTC days are answered from their counts.
const (
	maxRecentLinks = manage.MaxLimit
	recentDays     = 30
)

// recent serves GET /api/recent.
func (s *service) recent(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	codes, people, err := s.parseRecent(r.URL.RawQuery)
	if err != nil {
		return err
	}
	today := terse.DayOf(time.Now().UnixMicro())
	first := today - recentDays + 1
	return s.answerQuestion(w, r, func(ctx context.Context) (any, error) {
		result := api.Recent{FirstDate: first.String(), Clicks: map[string][]int64{}}
		for _, code := range codes { // sequentially: this is one question
			days, err := s.clicksByDay(ctx, code, by, first, today, people)
			if errors.Is(err, terse.ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			result.Clicks[s.shownCode(code)] = days
		}
		return result, nil
	})
}

// parseRecent returns the requested codes, each once and without those that can be none, and
// whether only people's clicks are requested.
func (s *service) parseRecent(query string) (codes []terse.Code, people bool, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, false, terse.Invalidf("", "malformed query string")
	}
	parts := strings.Split(values.Get("short_codes"), ",")
	if len(parts) > maxRecentLinks || parts[0] == "" && len(parts) == 1 {
		return nil, false, terse.Invalidf("short_codes",
			"short_codes must be 1-%d short codes, separated by commas", maxRecentLinks)
	}
	if people, err = terse.ParsePeople(values["people"]); err != nil {
		return nil, false, err
	}
	table := s.Hosts.Table()
	for _, part := range parts {
		if code, err := table.ParseCode(part); err == nil {
			codes = append(codes, code)
		}
	}
	slices.SortFunc(codes, terse.Code.Compare)
	return slices.Compact(codes), people, nil
}

// clicksByDay returns a link's clicks, or people's clicks, of each day. It returns
// terse.ErrNotFound if the link is not the caller's.
func (s *service) clicksByDay(ctx context.Context, code terse.Code, by terse.Caller, first,
	last terse.Day, people bool,
) ([]int64, error) {
	link, err := s.Store.Link(ctx, code)
	if err == nil && !by.Reaches(link.CreatedBy) {
		err = terse.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("look up link %s: %w", code, err)
	}
	var nothing clickquery.Breakdown // nothing but the clicks themselves
	series, err := s.Store.Series(ctx, link.Ref(), terse.SeriesQuery{
		Range: terse.Days(first, last), Without: nothing.Excluded(), People: people,
	})
	if err != nil {
		return nil, fmt.Errorf("recent clicks of link %s: %w", code, err)
	}
	clicks := series.ByInterval
	if people {
		clicks = series.PeopleByInterval
	}
	days := make([]int64, last-first+1)
	for i := range days {
		days[i] = clicks[(first + terse.Day(i)).Start()]
	}
	return days, nil
}
