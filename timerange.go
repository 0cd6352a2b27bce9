package terse

import (
	"math"
	"strings"
	"time"
)

// TimeRange is a range of instants to the microsecond, both ends inclusive. The zero TimeRange is
// not a range; AllTime contains every click.
type TimeRange struct{ start, end int64 }

// AllTime is the range of all instants.
var AllTime = TimeRange{math.MinInt64, math.MaxInt64}

// ErrReversedRange means that a time range does not end after it begins (contract: Errors).
var ErrReversedRange = &Error{
	Invalid, "start_time must be strictly before end_time (equality not allowed)", "start_time",
}

// halfRange returns the error for a time range that lacks a bound (contract: Errors).
func halfRange(missing string) error {
	return Invalidf(missing, "both start_time and end_time must be provided for time range queries")
}

// ParseTimeRange returns the range between two RFC 3339 times. As instants at full precision, start
// must be strictly before end. Every failure is an *Error of kind Invalid that names the bound.
func ParseTimeRange(start, end string) (TimeRange, error) {
	if start == "" {
		return TimeRange{}, halfRange("start_time")
	}
	if end == "" {
		return TimeRange{}, halfRange("end_time")
	}
	from, err := parseRFC3339("start_time", start)
	if err != nil {
		return TimeRange{}, err
	}
	to, err := parseRFC3339("end_time", end)
	if err != nil {
		return TimeRange{}, err
	}
	if !from.Before(to) {
		return TimeRange{}, ErrReversedRange
	}
	// Clicks have whole microseconds, so the start is rounded up and the end down.
	first := from.UnixMicro()
	if from.Nanosecond()%1000 != 0 {
		first++
	}
	return TimeRange{first, to.UnixMicro()}, nil
}

// ParseTime parses an RFC 3339 time and returns it in UTC, truncated to the microsecond. Errors
// refer to it as name.
func ParseTime(name, s string) (time.Time, error) {
	t, err := parseRFC3339(name, s)
	return t.UTC().Truncate(time.Microsecond), err
}

// ParseDay parses a UTC day such as 2026-01-31. Errors refer to it as name.
func ParseDay(name, s string) (Day, error) {
	start, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, Invalidf(name, "%s must be a day such as 2026-01-31", name)
	}
	return DayOf(start.UnixMicro()), nil
}

// Days returns the range from the first UTC day to the last, inclusive.
func Days(first, last Day) TimeRange { return TimeRange{first.Start(), (last + 1).Start() - 1} }

// Between returns the range from first to last, in microseconds since 1970, inclusive.
func Between(first, last int64) TimeRange { return TimeRange{first, last} }

// Last returns the range of length d that ends now.
func Last(d time.Duration, now time.Time) TimeRange {
	return TimeRange{now.Add(-d).UnixMicro(), now.UnixMicro()}
}

// Micros returns the range's first and last microsecond since 1970, both inclusive. first is after
// last if the range contains no whole microsecond.
func (r TimeRange) Micros() (first, last int64) { return r.start, r.end }

// Contains reports whether a time in microseconds since 1970 lies in the range.
func (r TimeRange) Contains(micros int64) bool { return r.start <= micros && micros <= r.end }

// parseRFC3339 is strict where time.Parse is lenient: RFC 3339, section 5.6 requires two digits for
// the hour, a full stop before the fraction, and offsets below 24:00.
func parseRFC3339(name, s string) (time.Time, error) {
	refuse := func(hint string) (time.Time, error) {
		return time.Time{}, Invalidf(name,
			"%s must be an RFC 3339 time such as 2026-01-31T12:00:00Z%s", name, hint)
	}
	if strings.Contains(s, " ") {
		return refuse("; a + in a query string must be sent as %2B")
	}
	t := strings.ToUpper(s)
	parsed, err := time.Parse(time.RFC3339Nano, t)
	if err != nil || len(s) > 64 || len(t) != len(s) || t[10] != 'T' || t[13] != ':' ||
		strings.Contains(t, ",") {
		return refuse("")
	}
	if t[len(t)-1] != 'Z' {
		if zone := t[len(t)-5:]; zone[:2] > "23" || zone[3:] > "59" {
			return refuse("")
		}
	}
	return parsed, nil
}
