// Package moment parses moments as people write them: dates, and times from now or ago.
package moment

import (
	"fmt"
	"strconv"
	"time"

	"terse"
)

// Direction says whether moments lie in the past or the future.
type Direction struct {
	sign int
	day  string // the name of the day beside today
	like string // examples of other values, for people
}

// The directions.
var (
	Past   = Direction{-1, "yesterday", "the last hours, days or weeks (24h, 7d, 2w)"}
	Future = Direction{+1, "tomorrow", "a time from now (24h, 7d, 2w)"}
)

// Parse returns the instant that a value names; errors refer to it as name. For a day, end selects
// its last microsecond, which is the server's precision. Hours are hours. Days and weeks of the
// past are calendar days that end today: 7d begins with the day six days ago, and as an end it is
// the last microsecond before.
func (d Direction) Parse(name, value string, now time.Time, end bool) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339Nano, value); err == nil {
		return at, nil
	}
	if at, ok := d.away(value, now, end); ok {
		return at, nil
	}
	day, ok := d.dayOf(value, now)
	if !ok {
		return time.Time{}, fmt.Errorf("%s is %q; it must be a date (2026-11-01), today, %s, "+
			"%s or RFC 3339 (2026-11-01T12:00:00Z)", name, value, d.day, d.like)
	}
	if end {
		return dayStart(day.AddDate(0, 0, 1), now.Location()).Add(-time.Microsecond), nil
	}
	return dayStart(day, now.Location()), nil
}

// dayStart returns the first instant of a date, given as midnight in UTC.
func dayStart(date time.Time, zone *time.Location) time.Time {
	return terse.DayStart(date.Year(), date.Month(), date.Day(), zone)
}

// maxAway bounds the number of hours, days or weeks. away also checks the year.
const maxAway = 1_000_000

func (d Direction) away(value string, now time.Time, end bool) (at time.Time, ok bool) {
	if value == "" {
		return at, false
	}
	n, err := strconv.Atoi(value[:len(value)-1])
	if err != nil || n < 0 || n > maxAway || value[0] == '+' {
		return at, false
	}
	n *= d.sign
	days := n
	switch value[len(value)-1] {
	case 'h':
		at = now.Add(time.Duration(n) * time.Hour)
		return at, at.Year() > 1 && at.Year() < 10_000
	case 'd':
	case 'w':
		days = 7 * n
	default:
		return at, false
	}
	if at = now.AddDate(0, 0, days); d == Past {
		at = dayStart(today(now).AddDate(0, 0, days+1), now.Location())
		if end {
			at = at.Add(-time.Microsecond)
		}
	}
	return at, at.Year() > 1 && at.Year() < 10_000
}

// today returns the date of a time, as midnight in UTC.
func today(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
}

// dayOf returns the date that a value names, as midnight in UTC, where every day has 24 hours.
func (d Direction) dayOf(value string, now time.Time) (date time.Time, ok bool) {
	switch value {
	case "today":
		return today(now), true
	case d.day:
		return today(now).AddDate(0, 0, d.sign), true
	}
	date, err := time.Parse(time.DateOnly, value)
	return date, err == nil
}

// Span describes a range of time, "" for all time. Zero ends are open.
func Span(start, end time.Time, zone *time.Location) string {
	at := func(t time.Time) string { return t.In(zone).Format("2006-01-02 15:04") }
	switch {
	case start.IsZero() && end.IsZero():
		return ""
	case end.IsZero():
		return " since " + at(start)
	case start.IsZero():
		return " until " + at(end)
	}
	return " from " + at(start) + " to " + at(end)
}
