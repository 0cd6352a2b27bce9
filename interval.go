package terse

import (
	"sort"
	"time"
)

// IntervalUnit is the length of an interval.
type IntervalUnit uint8

// The units. Weeks begin on Monday.
const (
	Daily IntervalUnit = iota
	Hourly
	Weekly
	Monthly
)

// Intervals divide all time by the clock and calendar of a time zone, without gaps or overlaps.
// Where the clock changes, a day has 23 or 25 hours. The zero Intervals are UTC days.
type Intervals struct {
	Unit IntervalUnit
	Zone *time.Location // nil is UTC
}

// maxInstant bounds the times, in microseconds since 1970, that are divided. Everything before
// -maxInstant is one interval, and so is everything from maxInstant on.
const maxInstant = 1 << 60

// Containing returns the interval that contains a time in microseconds since 1970: its first
// microsecond, and the first one after it.
func (i Intervals) Containing(micros int64) (start, end int64) {
	switch {
	case micros < -maxInstant:
		return -1 << 63, -maxInstant
	case micros >= maxInstant:
		return maxInstant, 1<<63 - 1
	case i.Zone == nil && i.Unit == Daily:
		day := DayOf(micros)
		return day.Start(), (day + 1).Start()
	}
	t := time.UnixMicro(micros).In(i.zone())
	if i.Unit == Hourly {
		return i.hourContaining(t)
	}
	year, month, day := t.Date()
	from := i.Unit.first(year, month, day)
	start = i.dayStart(from)
	for {
		to := i.Unit.next(from)
		// If the clock goes back over midnight, the time may belong to the day after its date.
		if end = i.dayStart(to); micros < end {
			return start, end
		}
		from, start = to, end
	}
}

func (i Intervals) zone() *time.Location {
	if i.Zone == nil {
		return time.UTC
	}
	return i.Zone
}

// hourContaining splits at full hours of the clock, and where the clock changes.
func (i Intervals) hourContaining(t time.Time) (start, end int64) {
	const hour = 60 * 60
	at := t.Unix()
	from := at - int64(60*t.Minute()+t.Second())
	to := from + hour
	if i.offset(from) != i.offset(at) {
		from = i.change(from, at)
	}
	if i.offset(to-1) != i.offset(at) {
		to = i.change(at, to-1)
	}
	return from * 1_000_000, to * 1_000_000
}

// offset returns how many seconds the zone's clocks are ahead of UTC at a time in seconds since
// 1970.
func (i Intervals) offset(at int64) int64 {
	_, offset := time.Unix(at, 0).In(i.zone()).Zone()
	return int64(offset)
}

// change returns when the clock changes between two times with different offsets. Time.ZoneBounds
// does not serve: it also reports the ends of future years as changes, and in a leap year a day
// early.
func (i Intervals) change(from, to int64) int64 {
	before := i.offset(from)
	return from + int64(sort.Search(
		int(to-from), func(n int) bool { return i.offset(from+int64(n)) != before }))
}

// first returns the first day of the interval that contains a date, as midnight in UTC.
func (u IntervalUnit) first(year int, month time.Month, day int) time.Time {
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	switch u {
	case Weekly:
		return date.AddDate(0, 0, -int(date.Weekday()+6)%7)
	case Monthly:
		return date.AddDate(0, 0, 1-day)
	}
	return date
}

// next returns the first day of the interval after the one that begins on date.
func (u IntervalUnit) next(date time.Time) time.Time {
	switch u {
	case Weekly:
		return date.AddDate(0, 0, 7)
	case Monthly:
		return date.AddDate(0, 1, 0)
	}
	return date.AddDate(0, 0, 1)
}

// DayStart returns the first instant of a date in a time zone, nil for UTC. That is midnight,
// unless the clock goes forward at midnight or back over it. If the zone skips the date, it is the
// first instant of the next one. Months and days out of range are normalized as by time.Date.
func DayStart(year int, month time.Month, day int, zone *time.Location) time.Time {
	i := Intervals{Zone: zone}
	start := i.dayStart(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
	return time.UnixMicro(start).In(i.zone())
}

// dayStart returns the first instant whose date in the zone is date or, if the zone skips that, a
// later one. The search begins before the day can begin anywhere.
func (i Intervals) dayStart(date time.Time) int64 {
	const mostAhead = 27 * 60 * 60 // no offset is larger
	midnight := date.Unix()
	for at := midnight - mostAhead; ; {
		begins := midnight - i.offset(at)
		switch {
		case begins <= at: // the clock went forward, past midnight
			return at * 1_000_000
		case i.offset(begins-1) != i.offset(at):
			at = i.change(at, begins-1)
		case i.offset(begins) < i.offset(at): // the clock goes back at midnight, which comes twice
			at = begins
		default:
			return begins * 1_000_000
		}
	}
}

// Overlapping returns the starts of all intervals that overlap a range of microseconds since 1970,
// both ends inclusive. ok is false if there are more than most.
func (i Intervals) Overlapping(first, last int64, most int) (starts []int64, ok bool) {
	for first <= last {
		if len(starts) == most {
			return nil, false
		}
		start, end := i.Containing(first)
		starts = append(starts, start)
		first = end
	}
	return starts, true
}
