package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"terse/api"
)

func TestEveryDimensionHasAChart(t *testing.T) {
	t.Parallel()
	var names []string
	for _, d := range dimensionCharts {
		if names = append(names, d.name); d.title == "" || d.label == nil {
			t.Errorf("%s lacks a title or labels", d.name)
		}
	}
	if want := api.Dimensions(); !slices.Equal(names, want) {
		t.Errorf("there are charts of %q, want %q", names, want)
	}
}

// A chart of 1,000 hours, and of counts with thousands separators.
func TestChartsOfMany(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	clicks := api.Clicks{Interval: "hour", TimeZone: "UTC", TotalClicks: 21989}
	clicks.ByCountry = map[string]int64{"US": 20000, "XX": 1989}
	for k := range 1000 {
		clicks.Series = append(clicks.Series, api.Point{
			Time:   at.Add(time.Duration(k) * time.Hour),
			Clicks: 20,
		})
	}
	clicks.Series[999].Clicks = 2009
	p := &Charts{width: 60}
	p.Clicks(clicks, api.ClicksQuery{TimeZone: "UTC"}, Audience{})
	for _, want := range []string{
		"21,989 clicks\n\nClicks by hour, UTC\n",
		"\n  (969 earlier)                                       19,380\n",
		"\n  2026-12-12 15:00  ████████████████████████████████   2,009\n",
		"\n  US United States  ████████████████████████████████  20,000\n",
		"\n  XX Unknown        ███▏                               1,989\n",
	} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("no %q in\n%s", want, p)
		}
	}
	if n := strings.Count(p.String(), "\n"); n != 3+1+MaxRows+4 {
		t.Errorf("%d lines:\n%s", n, p)
	}
}
