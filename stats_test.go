package terse_test

import (
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
