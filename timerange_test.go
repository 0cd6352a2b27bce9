package terse_test

import (
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"terse"
)

func TestParseTimeRange(t *testing.T) {
	t.Parallel()
	const second = 1_000_000
	for _, tt := range []struct {
		start, end  string
		first, last int64
	}{
		{"1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z", 0, second},
		{"1970-01-01t00:00:00z", "1970-01-01T00:00:01z", 0, second},
		{"1970-01-01T02:00:00+02:00", "1969-12-31T19:00:01-05:00", 0, second},
		{"1970-01-01T00:00:00.5Z", "1970-01-01T00:00:00.500001Z", second / 2, second/2 + 1},
		{"1970-01-01T00:00:00-00:00", "1970-01-01T00:00:00.000001Z", 0, 1},
		{"1970-01-01T23:59:00+23:59", "1970-01-02T00:00:00Z", 0, 86400 * second},
		// Beyond microseconds: the range still ends where it says.
		{"1970-01-01T00:00:00.0000001Z", "1970-01-01T00:00:00.0000019Z", 1, 1},
		{"1970-01-01T00:00:00.0000001Z", "1970-01-01T00:00:00.0000002Z", 1, 0},
		// Before 1970 rounding goes the same way.
		{"1969-12-31T23:59:59.9999991Z", "1969-12-31T23:59:59.9999999Z", 0, -1},
		{"1969-12-31T23:59:59.9999981Z", "1969-12-31T23:59:59.9999999Z", -1, -1},
		{
			"2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000001Z", 1709164800 * second,
			1709164800*second + 1,
		},
		{
			"0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", -62167219200 * second,
			253402300799*second + 999999,
		},
	} {
		r, err := terse.ParseTimeRange(tt.start, tt.end)
		if err != nil {
			t.Errorf("ParseTimeRange(%q, %q): %v", tt.start, tt.end, err)
			continue
		}
		if first, last := r.Micros(); first != tt.first || last != tt.last {
			t.Errorf("ParseTimeRange(%q, %q) = %d to %d, want %d to %d", tt.start, tt.end, first,
				last, tt.first, tt.last)
		}
	}
}

func TestDays(t *testing.T) {
	t.Parallel()
	if first, last := terse.Days(-1, 0).Micros(); first != -86_400_000_000 ||
		last != 86_400_000_000-1 {
		t.Errorf("from %d to %d", first, last)
	}
}

func TestParseTimeRangeRefuses(t *testing.T) {
	t.Parallel()
	const good = "2026-01-31T12:00:00Z"
	if _, err := terse.ParseTimeRange(good, good); err != terse.ErrReversedRange {
		t.Errorf("equal bounds: %v", err)
	}
	if _, err := terse.ParseTimeRange(
		good, "2026-01-31T13:00:00+01:00"); err != terse.ErrReversedRange {
		t.Errorf("equal instants: %v", err)
	}
	if _, err := terse.ParseTimeRange(good, "2026-01-31T11:59:59Z"); err != terse.ErrReversedRange {
		t.Errorf("reversed bounds: %v", err)
	}
	for _, half := range [][3]string{
		{good, "", "end_time"},
		{"", good, "start_time"},
		{"", "", "start_time"},
		{"x", "", "end_time"},
	} {
		_, err := terse.ParseTimeRange(half[0], half[1])
		if got, ok := errors.AsType[*terse.Error](err); !ok || got.Kind != terse.Invalid ||
			!strings.HasPrefix(got.Message, "both start_time and end_time must be provided") ||
			got.Field != half[2] {
			t.Errorf("ParseTimeRange(%q, %q): %+v, want %s missing", half[0], half[1], got, half[2])
		}
	}
	const hint = "%2B"
	for _, tt := range []struct {
		in   string
		hint bool
	}{
		{in: "2026-01-31"},
		{in: "1769860800"},
		{in: "2026-01-31T12:00:00"},
		{in: "2026-01-31T12:00Z"},
		{in: "2026-01-31T0:00:00Z"},
		{in: "2026-01-31T12:00:00,5Z"},
		{in: "2026-01-31T12:00:00.Z"},
		{in: "2026-01-31T12:00:00+24:00"},
		{in: "2026-01-31T12:00:00+00:60"},
		{in: "2026-01-31T12:00:00+0100"},
		{in: "2026-01-31T12:00:00+01"},
		{in: "2026-01-31T24:00:00Z"},
		{in: "2026-01-31T12:60:00Z"},
		{in: "2026-02-29T12:00:00Z"},
		{in: "2026-13-01T12:00:00Z"},
		{in: "26-01-31T12:00:00Z"},
		{in: "+2026-01-31T12:00:00Z"},
		{in: "2026-01-31_12:00:00Z"},
		{in: "2026-01-31T12:00:00Zulu"},
		{in: "2026-01-31T12:00:00ſ"},
		{in: "2026-01-31T12:00:00." + strings.Repeat("1", 64) + "Z"},
		{in: "2026-01-31T12:00:00 01:00", hint: true},
		{in: "2026-01-31 12:00:00Z", hint: true},
	} {
		_, err := terse.ParseTimeRange(tt.in, good)
		checkBoundError(t, err, "start_time", tt.in,
			strings.Contains(errorText(err), hint) == tt.hint)
		_, err = terse.ParseTimeRange("0001-01-01T00:00:00Z", tt.in)
		checkBoundError(t, err, "end_time", tt.in,
			strings.Contains(errorText(err), hint) == tt.hint)
	}
}

func checkBoundError(t *testing.T, err error, name, in string, hintRight bool) {
	t.Helper()
	var known *terse.Error
	if !errors.As(err, &known) || known.Kind != terse.Invalid ||
		!strings.HasPrefix(known.Message, name+" must be an RFC 3339 time") || !hintRight {
		t.Errorf("%s = %q: error %v", name, in, err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestTimeRangeContainsBothEnds(t *testing.T) {
	t.Parallel()
	r, err := terse.ParseTimeRange("1970-01-01T00:00:00.000010Z", "1970-01-01T00:00:00.000020Z")
	if err != nil {
		t.Fatal(err)
	}
	for micros, want := range map[int64]bool{9: false, 10: true, 15: true, 20: true, 21: false} {
		if r.Contains(micros) != want {
			t.Errorf("Contains(%d) = %v", micros, !want)
		}
	}
	for _, micros := range []int64{math.MinInt64, -1, 0, math.MaxInt64} {
		if !terse.AllTime.Contains(micros) {
			t.Errorf("AllTime does not contain %d", micros)
		}
	}
}

// rfc3339 is the grammar of RFC 3339, section 5.6, without leap seconds.
var rfc3339 = regexp.MustCompile(
	`\A\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)\z`)

func FuzzTimeRange(f *testing.F) {
	f.Add("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000001Z")
	f.Add("2026-01-31t12:00:00.5+01:00", "2026-02-31T12:00:00z")
	f.Add("", "2026-01-31T12:00:00Z")
	f.Add("2026-01-31T1:00:00Z", "2026-01-31T12:00:00,5Z")
	f.Fuzz(func(t *testing.T, start, end string) {
		r, err := terse.ParseTimeRange(start, end)
		if err != nil {
			var known *terse.Error
			if !errors.As(err, &known) || known.Kind != terse.Invalid {
				t.Fatalf("ParseTimeRange(%q, %q): %v", start, end, err)
			}
			return
		}
		if !rfc3339.MatchString(start) || !rfc3339.MatchString(end) {
			t.Fatalf("ParseTimeRange accepts %q, %q", start, end)
		}
		from, to := mustTime(t, start), mustTime(t, end)
		first, last := r.Micros()
		if !from.Before(to) || time.UnixMicro(first).Before(from) ||
			time.UnixMicro(last).After(to) {
			t.Fatalf("ParseTimeRange(%q, %q) = %d to %d", start, end, first, last)
		}
		if time.UnixMicro(first-1).Compare(from) >= 0 || time.UnixMicro(last+1).Compare(to) <= 0 {
			t.Fatalf("ParseTimeRange(%q, %q) = %d to %d leaves out a microsecond", start, end,
				first, last)
		}
	})
}

func mustTime(t *testing.T, s string) time.Time {
	t.Helper()
	parsed, err := time.Parse(time.RFC3339Nano, strings.ToUpper(s))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
