package terse_test

import (
	"errors"
	"testing"
	"time"

	"terse"
)

func TestValueFilter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		filter terse.ValueFilter
		d      terse.Dimension
		value  string
		want   bool
	}{
		{terse.ValueFilter{}, terse.ByCountry, "DE", true},
		{terse.ValueFilter{Only: []string{"DE", "FR"}}, terse.ByCountry, "FR", true},
		{terse.ValueFilter{Only: []string{"DE", "FR"}}, terse.ByCountry, "US", false},
		{terse.ValueFilter{Not: []string{"DE"}}, terse.ByCountry, "DE", false},
		{terse.ValueFilter{Not: []string{"DE"}}, terse.ByCountry, "US", true},
		{
			terse.ValueFilter{Only: []string{"DE"}, Not: []string{"DE"}},
			terse.ByCountry, "DE", false,
		},
		{terse.ValueFilter{Only: []string{"chrome"}}, terse.ByBrowser, "Chrome", true},
		{terse.ValueFilter{Only: []string{"Spring"}}, terse.ByCampaign, "spring", false},
	} {
		if got := tt.filter.Lets(tt.d, tt.value); got != tt.want {
			t.Errorf("%+v lets %s %q through: %t", tt.filter, tt.d, tt.value, got)
		}
		var all terse.ClickFilter
		all[tt.d] = tt.filter
		if nothing := len(tt.filter.Only)+len(tt.filter.Not) == 0; all.All() != nothing {
			t.Errorf("%+v lets all through: %t", all, all.All())
		}
	}
}

func TestCountedRange(t *testing.T) {
	t.Parallel()
	day := func(n terse.Day) int64 { return n.Start() }
	dropped := func(d terse.Day) (bool, error) { return d == 100 || d == 103, nil }
	last := day(103) + 5 // the time of the last dropped click
	for name, tt := range map[string]struct {
		query       terse.SeriesQuery
		first, last int64
	}{
		"cuts neither": {
			terse.SeriesQuery{Range: terse.Between(day(101)+7, day(102)+9)},
			day(101) + 7, day(102) + 9,
		},
		"begins in one": {
			terse.SeriesQuery{Range: terse.Between(day(100)+7, day(102)+9)}, day(100), day(102) + 9,
		},
		"ends in one": {
			terse.SeriesQuery{Range: terse.Between(day(101), day(103)+9)}, day(101), day(104) - 1,
		},
		"within one": {
			terse.SeriesQuery{Range: terse.Between(day(103)+1, day(103)+2)}, day(103), day(104) - 1,
		},
		"before there were clicks": {
			terse.SeriesQuery{Range: terse.Between(-9, day(103)+9)}, -9, day(104) - 1,
		},
		"of nothing": {
			terse.SeriesQuery{Range: terse.Between(day(100)+7, day(100)+6)},
			day(100) + 7, day(100) + 6,
		},
		"filtered": {
			terse.SeriesQuery{Range: terse.Between(day(100)+7, day(105)), Filter: terse.ClickFilter{
				terse.ByCountry: {Only: []string{"DE"}},
			}}, last + 1, day(105),
		},
		"of a tag": {
			terse.SeriesQuery{Range: terse.Between(day(104), day(105)), Tags: []string{"a"}},
			day(104), day(105),
		},
	} {
		r, err := tt.query.CountedRange(last, dropped)
		if first, last := r.Micros(); err != nil || first != tt.first || last != tt.last {
			t.Errorf("%s: from %d to %d, %v, want from %d to %d", name, first, last, err, tt.first,
				tt.last)
		}
	}
	broken := errors.New("broken")
	q := terse.SeriesQuery{Range: terse.Between(day(100), day(101))}
	if _, err := q.CountedRange(last, func(terse.Day) (bool, error) {
		return false, broken
	}); !errors.Is(err, broken) {
		t.Errorf("an error: %v", err)
	}
}

func TestRangesOfTimes(t *testing.T) {
	t.Parallel()
	at, err := terse.ParseTime("starts_at", "2026-11-01T10:00:00.1234567+02:00")
	if want := time.Date(2026, 11, 1, 8, 0, 0, 123_456_000, time.UTC); err != nil || at != want {
		t.Errorf("parsed: %v, %v, want %v", at, err, want)
	}
	if _, err := terse.ParseTime("starts_at", "2026-11-01"); err == nil {
		t.Error("a day is a time")
	}
	first, last := terse.Last(time.Hour, at).Micros()
	if last != at.UnixMicro() || first != last-time.Hour.Microseconds() {
		t.Errorf("the last hour is from %d to %d", first, last)
	}
}

func TestSearchFindsEveryWord(t *testing.T) {
	t.Parallel()
	text := []byte("launch https://xn--bcher-kva.example/ spring")
	for _, tt := range []struct {
		search terse.Search
		want   bool
	}{
		{terse.Search{}, true},
		{terse.Search{{"spring"}, {"launch"}}, true},
		{terse.Search{{"bücher", "xn--bcher-kva"}}, true},
		{terse.Search{{"spring"}, {"autumn"}}, false},
	} {
		if got := tt.search.Finds(text); got != tt.want {
			t.Errorf("%q: %t", tt.search, got)
		}
	}
}
