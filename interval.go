package terse

import "time"

// Unit is the length of the intervals that time is divided into.
type Unit uint8

// The units. Weeks begin on Monday.
const (
	Daily Unit = iota
	Hourly
	Weekly
	Monthly
)

// Intervals divide all time by the clocks and calendars of a time zone, without gaps and overlaps. Where a zone's clocks
// change, a day has 23 or 25 hours. The zero Intervals are the UTC days.
type Intervals struct {
	Unit Unit
	Zone *time.Location // nil is UTC
}

// far is the time, in microseconds since 1970, from which on and before whose negative there is one interval only: 36,000
// years away from now no calendar is of use.
const far = 1 << 60

// Around returns the interval that holds a time in microseconds since 1970: its first microsecond, and the first one
// after it.
func (i Intervals) Around(micros int64) (start, end int64) {
	switch {
	case micros < -far:
		return -1 << 63, -far
	case micros >= far:
		return far, 1<<63 - 1
	case i.Zone == nil && i.Unit == Daily:
		day := DayOf(micros)
		return day.Start(), (day + 1).Start()
	}
	t := time.UnixMicro(micros).In(i.zone())
	if i.Unit == Hourly {
		return hourAround(t)
	}
	year, month, day := t.Date()
	from := i.Unit.first(year, month, day)
	start = i.dayStart(from)
	for {
		to := i.Unit.next(from)
		// When clocks were put back over midnight, the time may belong to the day after its date.
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

// hourAround cuts at full hours of the clock, and where the clock changes.
func hourAround(t time.Time) (start, end int64) {
	past := time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
	from := t.Add(-past)
	to := from.Add(time.Hour)
	changed, changes := t.ZoneBounds()
	if from.Before(changed) {
		from = changed
	}
	if !changes.IsZero() && changes.Before(to) {
		to = changes
	}
	return from.UnixMicro(), to.UnixMicro()
}

// first returns the first day of the interval that holds a date, as midnight in UTC.
func (u Unit) first(year int, month time.Month, day int) time.Time {
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	switch u {
	case Weekly:
		return date.AddDate(0, 0, -int(date.Weekday()+6)%7)
	case Monthly:
		return date.AddDate(0, 0, 1-day)
	}
	return date
}

// next returns the first day of the interval after the one that begins on a day.
func (u Unit) next(date time.Time) time.Time {
	switch u {
	case Weekly:
		return date.AddDate(0, 0, 7)
	case Monthly:
		return date.AddDate(0, 1, 0)
	}
	return date.AddDate(0, 0, 1)
}

// dayStart returns the first instant whose date in the zone is a day, or a later one where that day was left out. It walks the
// zone's offsets from before the day can begin anywhere.
func (i Intervals) dayStart(midnight time.Time) int64 {
	const mostAhead = 27 * time.Hour // no offset is larger
	t := midnight.Add(-mostAhead).In(i.zone())
	for {
		_, offset := t.Zone()
		_, changes := t.ZoneBounds()
		if begins := midnight.Add(-time.Duration(offset) * time.Second); changes.IsZero() || begins.Before(changes) {
			return max(begins.UnixMicro(), t.UnixMicro())
		}
		t = changes
	}
}

// Overlapping returns the starts of all intervals that have an instant in common with a range of microseconds since 1970, both
// ends inclusive; ok is false when there are more than most.
func (i Intervals) Overlapping(first, last int64, most int) (starts []int64, ok bool) {
	for first <= last {
		if len(starts) == most {
			return nil, false
		}
		start, end := i.Around(first)
		starts = append(starts, start)
		first = end
	}
	return starts, true
}
