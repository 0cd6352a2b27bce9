package moment

import (
	"testing"
	"time"
)

func TestMomentsToCome(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 10, 24, 15, 30, 0, 0, berlin) // the day before clocks are put back
	for value, want := range map[string][2]string{
		"2026-10-25": {"2026-10-25T00:00:00+02:00", "2026-10-25T23:59:59.999999+01:00"},
		"today":      {"2026-10-24T00:00:00+02:00", "2026-10-24T23:59:59.999999+02:00"},
		"tomorrow":   {"2026-10-25T00:00:00+02:00", "2026-10-25T23:59:59.999999+01:00"},
		"24h":        {"2026-10-25T14:30:00+01:00", "2026-10-25T14:30:00+01:00"},
		"1d":         {"2026-10-25T15:30:00+01:00", "2026-10-25T15:30:00+01:00"},
		"2w":         {"2026-11-07T15:30:00+01:00", "2026-11-07T15:30:00+01:00"},
	} {
		for k, end := range []bool{false, true} {
			got, err := Future.Parse("--x", value, now, end)
			if err != nil || got.Format(time.RFC3339Nano) != want[k] {
				t.Errorf("%q (end: %t) = %s, %v, want %s", value, end, got.Format(time.RFC3339Nano),
					err, want[k])
			}
		}
	}
	for _, value := range []string{"", "yesterday", "-1d", "1000000w", "soon"} {
		if got, err := Future.Parse("--x", value, now, false); err == nil {
			t.Errorf("%q is %s", value, got)
		}
	}
}

// Where clocks change at midnight, days begin and end when the calendar says so.
func TestDaysWithoutAMidnight(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ zone, now, value, start, end string }{
		{
			"Africa/Cairo", "2027-04-29T12:00:00Z", "2027-04-30",
			"2027-04-30T01:00:00+03:00", "2027-04-30T23:59:59.999999+03:00",
		},
		{
			"Africa/Cairo", "2026-04-23T12:00:00Z", "tomorrow",
			"2026-04-24T01:00:00+03:00", "2026-04-24T23:59:59.999999+03:00",
		},
		{
			"America/Santiago", "2027-09-03T12:00:00Z", "2027-09-04",
			"2027-09-04T00:00:00-04:00", "2027-09-04T23:59:59.999999-04:00",
		},
		{
			"America/Santiago", "2027-09-03T12:00:00Z", "2027-09-05",
			"2027-09-05T01:00:00-03:00", "2027-09-05T23:59:59.999999-03:00",
		},
		{
			"America/Havana", "2026-11-01T12:00:00Z", "today",
			"2026-11-01T00:00:00-04:00", "2026-11-01T23:59:59.999999-05:00",
		},
	} {
		zone, err := time.LoadLocation(row.zone)
		if err != nil {
			t.Fatal(err)
		}
		now, err := time.ParseInLocation(time.RFC3339, row.now, zone)
		if err != nil {
			t.Fatal(err)
		}
		now = now.In(zone)
		for k, want := range []string{row.start, row.end} {
			at, err := Future.Parse("--x", row.value, now, k == 1)
			if got := at.Format(time.RFC3339Nano); err != nil || got != want {
				t.Errorf("%s in %s (end: %t) = %s, %v, want %s", row.value, row.zone, k == 1, got,
					err, want)
			}
		}
	}
}

// Days and weeks of the past are calendar days that end today, hours are hours.
func TestPast(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 10, 26, 15, 30, 0, 0, berlin) // the day after a night of 25 hours
	for value, want := range map[string][2]string{
		"yesterday": {"2026-10-25T00:00:00+02:00", "2026-10-25T23:59:59.999999+01:00"},
		"48h":       {"2026-10-24T16:30:00+02:00", "2026-10-24T16:30:00+02:00"},
		"0h":        {"2026-10-26T15:30:00+01:00", "2026-10-26T15:30:00+01:00"},
		"1d":        {"2026-10-26T00:00:00+01:00", "2026-10-25T23:59:59.999999+01:00"},
		"2d":        {"2026-10-25T00:00:00+02:00", "2026-10-24T23:59:59.999999+02:00"},
		"30d":       {"2026-09-27T00:00:00+02:00", "2026-09-26T23:59:59.999999+02:00"},
		"1w":        {"2026-10-20T00:00:00+02:00", "2026-10-19T23:59:59.999999+02:00"},
	} {
		for k, end := range []bool{false, true} {
			got, err := Past.Parse("--x", value, now, end)
			if err != nil || got.In(berlin).Format(time.RFC3339Nano) != want[k] {
				t.Errorf("%q (end: %t) = %s, %v, want %s", value, end,
					got.In(berlin).Format(time.RFC3339Nano), err, want[k])
			}
		}
	}
	for _, value := range []string{"", "tomorrow", "1m", "7", "-1d", "1000000w"} {
		if got, err := Past.Parse("--x", value, now, false); err == nil {
			t.Errorf("%q is %s", value, got)
		}
	}
}
