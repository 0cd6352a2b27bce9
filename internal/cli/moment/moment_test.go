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
