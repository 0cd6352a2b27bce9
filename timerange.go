package terse

import (
	"math"
	"strings"
	"time"
)

// TimeRange is a range of instants, both ends inclusive, to the microsecond. The zero
// TimeRange is no range; AllTime holds every click.
type TimeRange struct{ start, end int64 }

// AllTime is the range of all instants.
var AllTime = TimeRange{math.MinInt64, math.MaxInt64}

// ErrReversedRange says that a time range ends before it begins, or then (contract: Errors).
var ErrReversedRange = &Error{
	Invalid, "start_time must be strictly before end_time (equality not allowed)", "start_time",
}

// halfRange returns the failure of a time range of which a bound is missing (contract: Errors).
func halfRange(missing string) error {
	return Invalidf(missing, "both start_time and end_time must be provided for time range queries")
}

// ParseTimeRange returns the range of two RFC 3339 times, the start strictly before the
// end as instants, at full precision. Every failure is an *Error of kind Invalid that
// names the bound.
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
	// Clicks are counted in whole microseconds: the first one inside is the start
	// rounded up, the last the end rounded down.
	first := from.UnixMicro()
	if from.Nanosecond()%1000 != 0 {
		first++
	}
	return TimeRange{first, to.UnixMicro()}, nil
}

// ParseTime returns an RFC 3339 time in UTC, cut to the microsecond. name is what errors call it.
func ParseTime(name, s string) (time.Time, error) {
	t, err := parseRFC3339(name, s)
	return t.UTC().Truncate(time.Microsecond), err
}

// Days returns the range of all instants from one UTC day to another, which it holds, too.
func Days(first, last Day) TimeRange { return TimeRange{first.Start(), (last + 1).Start() - 1} }

// Between returns the range from one microsecond since 1970 to another, which it holds, too.
func Between(first, last int64) TimeRange { return TimeRange{first, last} }

// Last returns the range of so long a time that ends now.
func Last(d time.Duration, now time.Time) TimeRange {
	return TimeRange{now.Add(-d).UnixMicro(), now.UnixMicro()}
}

// Micros returns the range's first and last microsecond since 1970, both inclusive. The
// first is after the last when no whole microsecond lies inside.
func (r TimeRange) Micros() (first, last int64) { return r.start, r.end }

// Contains reports whether a time in microseconds since 1970 lies in the range.
func (r TimeRange) Contains(micros int64) bool { return r.start <= micros && micros <= r.end }

// parseRFC3339 is strict where time.Parse is lenient: RFC 3339, section 5.6 wants two
// digits for the hour, a full stop before the fraction, and offsets below 24:00.
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
