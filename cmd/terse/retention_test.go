package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"terse/api"
)

// Single clicks go, and what is said of them after that is of whole days.
func TestClickRetention(t *testing.T) {
	t.Parallel()
	i := start(t, "CLICK_RETENTION=1s")
	code := i.shorten(t, "https://example.com/")
	before := time.Now().UTC()
	for range 3 {
		i.do(t, "GET /"+code, "", "User-Agent: curl/8.0")
	}
	i.drain(t)
	day := before.Truncate(24 * time.Hour)
	filtered := "GET /api/urls/" + code + "/clicks?by=visitor&device=other"
	for got := i.do(t, filtered, "", authorized()); !strings.Contains(got.body,
		`"total_clicks":0`); got = i.do(t, filtered, "", authorized()) {
		if t.Context().Err() != nil || time.Since(before) > time.Minute {
			t.Fatalf("single clicks stay: %s", got.body)
		}
		time.Sleep(50 * time.Millisecond)
	}
	got := i.do(t, "GET /api/urls/"+code+"/clicks?interval=hour&by=visitor", "", authorized())
	if !strings.Contains(got.body, `"by_visitor":{"bot":3}`) ||
		!strings.Contains(got.body, fmt.Sprintf(`{"time":%q,"clicks":3}`,
			day.Format(time.RFC3339))) {
		t.Errorf("after the clicks are gone: %s", got.body)
	}
	for _, kind := range []string{"analytics", "clicks"} {
		got = i.do(t, fmt.Sprintf("GET /api/urls/%s/%s?start_time=%s&end_time=%s", code, kind,
			day.Format(time.RFC3339), day.Add(time.Second).Format(time.RFC3339)), "", authorized())
		var counted api.Counted
		if err := json.Unmarshal([]byte(got.body), &counted); err != nil {
			t.Fatalf("%s: %v", got.body, err)
		}
		if want := (api.Counted{
			CountedStartTime: day.Format(time.RFC3339),
			CountedEndTime:   day.AddDate(0, 0, 1).Add(-time.Microsecond).Format(time.RFC3339Nano),
		}); counted != want || !strings.Contains(got.body, `"total_clicks":3`) {
			t.Errorf("%s of a second of the day: %s, want %+v", kind, got.body, want)
		}
	}
}
