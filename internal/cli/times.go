package cli

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"terse/api"
)

// rangeFlags choose the clicks that statistics count, and how they are divided.
type rangeFlags struct {
	Start    string `help:"First instant that counts: a date (2026-11-01), today, yesterday, a time ago (24h, 7d, 2w) or RFC 3339. Default the beginning." placeholder:"TIME" variable:""`
	End      string `help:"Last instant that counts, in the same forms; of a day its end. Default now." placeholder:"TIME" variable:""`
	Interval string `help:"hour, day, week or month; default what suits the range." placeholder:"LENGTH" variable:""`
	TimeZone string `help:"Whose days and clocks, such as Europe/Berlin; default the local zone." placeholder:"ZONE" variable:""`
}

var intervals = []string{"hour", "day", "week", "month"}

// query returns what the flags ask for.
func (f *rangeFlags) query(e Env, now time.Time) (q api.ClicksQuery, err error) {
	zone := e.zone()
	if f.TimeZone != "" {
		if zone, err = time.LoadLocation(f.TimeZone); err != nil || f.TimeZone == "Local" {
			return q, misuse(
				"--time-zone is %q; it must be an IANA time zone such as Europe/Berlin", f.TimeZone)
		}
	}
	if f.Interval != "" && !slices.Contains(intervals, f.Interval) {
		return q, misuse("--interval is %q; it must be hour, day, week or month", f.Interval)
	}
	now = now.In(zone)
	if q.Start, err = parseMoment("--start", f.Start, now, false); err != nil {
		return q, err
	}
	if q.End, err = parseMoment("--end", f.End, now, true); err != nil {
		return q, err
	}
	last := q.End
	if last.IsZero() {
		last = now
	}
	if !q.Start.Before(last) {
		return q, misuse("--start must be before --end, which is now when it is not given")
	}
	q.TimeZone = zone.String()
	q.Interval = cmp.Or(f.Interval, intervalFor(q.Start, last))
	return q, nil
}

// intervalFor returns one that divides a range into about as many parts as a screen has lines.
func intervalFor(start, end time.Time) string {
	const day = 24 * time.Hour
	switch length := end.Sub(start); {
	case start.IsZero():
		return "day"
	case length <= 30*time.Hour:
		return "hour"
	case length <= maxRows*day:
		return "day"
	case length <= maxRows*7*day:
		return "week"
	}
	return "month"
}

// parseMoment returns the instant that a flag names, zero for none. A day as an end is its last
// microsecond, which is as exact as clicks are.
func parseMoment(flag, value string, now time.Time, end bool) (time.Time, error) {
	if value == "" {
		return time.Time{}, nil
	}
	if at, err := time.Parse(time.RFC3339Nano, value); err == nil {
		return at, nil
	}
	if at, ok := ago(value, now); ok {
		return at, nil
	}
	day, ok := dayOf(value, now)
	if !ok {
		return time.Time{}, misuse("%s is %q; it must be a date (2026-11-01), today, yesterday, "+
			"a time ago (24h, 7d, 2w) or RFC 3339 (2026-11-01T12:00:00Z)", flag, value)
	}
	if end {
		return day.AddDate(0, 0, 1).Add(-time.Microsecond), nil
	}
	return day, nil
}

// maxAgo bounds a time ago: beyond it there is no date that the interface can write.
const maxAgo = 1_000_000

func ago(value string, now time.Time) (at time.Time, ok bool) {
	n, err := strconv.Atoi(value[:len(value)-1])
	if err != nil || n < 0 || n > maxAgo || value[0] == '+' {
		return at, false
	}
	switch value[len(value)-1] {
	case 'h':
		at = now.Add(-time.Duration(n) * time.Hour)
	case 'd':
		at = now.AddDate(0, 0, -n)
	case 'w':
		at = now.AddDate(0, 0, -7*n)
	}
	return at, at.Year() > 1
}

func dayOf(value string, now time.Time) (day time.Time, ok bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch value {
	case "today":
		return today, true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	}
	day, err := time.ParseInLocation(time.DateOnly, value, now.Location())
	return day, err == nil
}

// zone returns the user's time zone: $TZ or the system's, UTC when neither has a name that the
// server could know.
func (e Env) zone() *time.Location {
	name := strings.TrimPrefix(e.Vars["TZ"], ":")
	if name == "" {
		link, _ := os.Readlink("/etc/localtime") // none: UTC
		_, name, _ = strings.Cut(link, "zoneinfo/")
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return time.UTC
	}
	return zone
}

// spell says which range a query is of, "" for all time.
func spell(r api.Range, zone *time.Location) string {
	at := func(t time.Time) string { return t.In(zone).Format("2006-01-02 15:04") }
	switch {
	case r == (api.Range{}):
		return ""
	case r.End.IsZero():
		return " since " + at(r.Start)
	case r.Start.IsZero():
		return " until " + at(r.End)
	}
	return " from " + at(r.Start) + " to " + at(r.End)
}
