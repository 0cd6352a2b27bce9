package cli

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestMoments(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 10, 26, 15, 30, 0, 0, berlin) // the day after clocks were put back
	for value, want := range map[string][2]string{
		"2026-10-25": {
			"2026-10-25T00:00:00+02:00",
			"2026-10-25T23:59:59.999999+01:00",
		},
		"today": {
			"2026-10-26T00:00:00+01:00",
			"2026-10-26T23:59:59.999999+01:00",
		},
		"yesterday": {
			"2026-10-25T00:00:00+02:00",
			"2026-10-25T23:59:59.999999+01:00",
		},
		"24h": {"2026-10-25T15:30:00+01:00", "2026-10-25T15:30:00+01:00"},
		"7d": {
			"2026-10-20T00:00:00+02:00",
			"2026-10-19T23:59:59.999999+02:00",
		},
		"2w": {
			"2026-10-13T00:00:00+02:00",
			"2026-10-12T23:59:59.999999+02:00",
		},
		"2026-11-01T12:00:00.5Z":    {"2026-11-01T12:00:00.5Z", "2026-11-01T12:00:00.5Z"},
		"2026-11-01T12:00:00+05:30": {"2026-11-01T12:00:00+05:30", "2026-11-01T12:00:00+05:30"},
		"":                          {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
	} {
		for k, end := range []bool{false, true} {
			got, err := pastFlag("--x", value, now, end)
			if err != nil || got.Format(time.RFC3339Nano) != want[k] {
				t.Errorf("%q (end: %t) = %s, %v, want %s", value, end, got.Format(time.RFC3339Nano),
					err, want[k])
			}
		}
	}
	for _, value := range []string{
		"2026-13-01", "2026-02-30", "7", "d", "-7d", "+7d", "7x", "7m",
		"tomorrow", "2026-11-01 12:00", "1000000w", "99999999999999999999d", "é",
	} {
		_, err := pastFlag("--until", value, now, true)
		if Report(io.Discard, err) != ExitUsage || !strings.Contains(err.Error(),
			"--until is "+strconv.Quote(value)+"; it must be a date (2026-11-01), today") {
			t.Errorf("%q: %v", value, err)
		}
	}
	for _, tt := range []struct {
		start, end, interval string
	}{
		{"24h", "", "hour"},
		{"yesterday", "yesterday", "hour"},
		{"7d", "", "day"},
		{"2026-09-26", "", "day"},
		{"90d", "", "week"},
		{"2024-01-01", "", "month"},
		{"", "7d", "day"},
		{"", "", "day"},
	} {
		q, err := (&rangeFlags{
			Since: tt.start, Until: tt.end,
			TimeZone: "Europe/Berlin",
		}).query(Env{}, now)
		if err != nil || q.Interval != tt.interval || q.TimeZone != "Europe/Berlin" ||
			q.End.IsZero() != (tt.end == "") {
			t.Errorf("%s to %s: %+v, %v, want by %s", tt.start, tt.end, q, err, tt.interval)
		}
	}
}
