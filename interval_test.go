package terse_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
	_ "time/tzdata"

	"terse"
)

// Zones whose clocks change by less than an hour, at midnight, over midnight and by a whole day,
// are here, too.
var zones = []string{
	"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu",
	"Australia/Lord_Howe", "America/St_Johns", "America/Sao_Paulo",
	"America/Havana", "Asia/Beirut", "Pacific/Apia", "Pacific/Kwajalein", "Pacific/Kiritimati",
	"Africa/Cairo", "Europe/Dublin", "Africa/Monrovia",
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// Intervals follow each other without gaps, and every instant is in the one that begins at or
// before it.
func TestIntervalsDivideTime(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range append(zones, "") {
		for _, unit := range []terse.IntervalUnit{
			terse.Hourly, terse.Daily, terse.Weekly, terse.Monthly,
		} {
			i := terse.Intervals{Unit: unit}
			if name != "" {
				i.Zone = zone(t, name)
			}
			for range 100 {
				at := time.Date(1900+rng.IntN(200), 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro() +
					rng.Int64N(366*24*time.Hour.Microseconds())
				checkAround(t, i, name, at)
			}
			for _, at := range []int64{
				math.MinInt64, math.MaxInt64, 1 << 60, -1<<60 - 1, -1 << 60,
				1<<60 - 1, 0, -1,
			} {
				if start, end := i.Containing(at); start > at || end <= at && at != math.MaxInt64 {
					t.Errorf("%s, unit %d: %d is in %d to %d", name, unit, at, start, end)
				}
			}
		}
	}
}

// checkAround also looks at every change of a zone's clocks near a time.
func checkAround(t *testing.T, i terse.Intervals, name string, at int64) {
	t.Helper()
	times := []int64{at}
	if i.Zone != nil {
		if from, to := time.UnixMicro(at).In(i.Zone).ZoneBounds(); !from.IsZero() && !to.IsZero() {
			for _, off := range []time.Duration{
				-25 * time.Hour, -time.Hour, -1000, 0, 1000,
				30 * time.Minute, time.Hour, 25 * time.Hour,
			} {
				times = append(times, from.Add(off).UnixMicro(), to.Add(off).UnixMicro())
			}
		}
	}
	for _, at := range times {
		start, end := i.Containing(at)
		if at < start || at >= end {
			t.Fatalf("%s, unit %d: %v is in %v to %v", name, i.Unit, time.UnixMicro(at),
				time.UnixMicro(start), time.UnixMicro(end))
		}
		for _, same := range []int64{start, end - 1} {
			if s, e := i.Containing(same); s != start || e != end {
				t.Fatalf("%s, unit %d: %v is in %v to %v, but %v in %v to %v", name, i.Unit,
					time.UnixMicro(at), time.UnixMicro(start), time.UnixMicro(end),
					time.UnixMicro(same), time.UnixMicro(s), time.UnixMicro(e))
			}
		}
		if next, _ := i.Containing(end); next != end {
			t.Fatalf("%s, unit %d: a gap between %v and %v", name, i.Unit, time.UnixMicro(end),
				time.UnixMicro(next))
		}
	}
}

func TestIntervalsOfClocksThatChange(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		zone       string
		unit       terse.IntervalUnit
		at         string
		start, end string
	}{
		{
			"Europe/Berlin", terse.Daily, "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z",
			"2026-03-29T22:00:00Z",
		},
		{
			"Europe/Berlin", terse.Daily, "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z",
			"2026-10-25T23:00:00Z",
		},
		{
			"Europe/Berlin", terse.Hourly, "2026-10-25T00:30:00Z", "2026-10-25T00:00:00Z",
			"2026-10-25T01:00:00Z",
		},
		{
			"Europe/Berlin", terse.Hourly, "2026-10-25T01:30:00Z", "2026-10-25T01:00:00Z",
			"2026-10-25T02:00:00Z",
		},
		{
			"Europe/Berlin", terse.Weekly, "2026-11-22T22:59:59Z", "2026-11-15T23:00:00Z",
			"2026-11-22T23:00:00Z",
		},
		{
			"Europe/Berlin", terse.Monthly, "2026-03-31T21:59:59Z", "2026-02-28T23:00:00Z",
			"2026-03-31T22:00:00Z",
		},
		{
			"Asia/Kolkata", terse.Hourly, "2026-01-01T00:29:59Z", "2025-12-31T23:30:00Z",
			"2026-01-01T00:30:00Z",
		},
		{
			"Australia/Lord_Howe", terse.Hourly, "2026-04-04T15:15:00Z", "2026-04-04T15:00:00Z",
			"2026-04-04T15:30:00Z",
		},
		// no midnight
		{
			"America/Sao_Paulo", terse.Daily, "2018-11-04T12:00:00Z", "2018-11-04T03:00:00Z",
			"2018-11-05T02:00:00Z",
		},
		// two midnights
		{
			"America/Havana", terse.Daily, "2026-11-01T12:00:00Z", "2026-11-01T04:00:00Z",
			"2026-11-02T05:00:00Z",
		},
		// no 30 December
		{
			"Pacific/Apia", terse.Daily, "2011-12-30T11:00:00Z", "2011-12-30T10:00:00Z",
			"2011-12-31T10:00:00Z",
		},
		// from 00:01 back to 23:01
		{
			"America/St_Johns", terse.Daily, "2006-10-29T02:31:30Z", "2006-10-29T02:30:00Z",
			"2006-10-30T03:30:00Z",
		},
		{
			"UTC", terse.Weekly, "1970-01-01T00:00:00Z", "1969-12-29T00:00:00Z",
			"1970-01-05T00:00:00Z",
		},
		{
			"UTC", terse.Monthly, "2024-02-29T23:59:59Z", "2024-02-01T00:00:00Z",
			"2024-03-01T00:00:00Z",
		},
	} {
		at, err := time.Parse(time.RFC3339, row.at)
		if err != nil {
			t.Fatal(err)
		}
		i := terse.Intervals{Unit: row.unit, Zone: zone(t, row.zone)}
		from, to := i.Containing(at.UnixMicro())
		text := func(micros int64) string {
			return time.UnixMicro(micros).UTC().Format(time.RFC3339Nano)
		}
		if text(from) != row.start || text(to) != row.end {
			t.Errorf("%s, unit %d, %s: %s to %s, want %s to %s", row.zone, row.unit, row.at,
				text(from), text(to), row.start, row.end)
		}
	}
}

func TestOverlapping(t *testing.T) {
	t.Parallel()
	i := terse.Intervals{Unit: terse.Hourly}
	hour := time.Hour.Microseconds()
	for _, row := range []struct {
		first, last int64
		most, want  int // -1: too many
	}{
		{0, 24*hour - 1, 24, 24},
		{0, 24*hour - 1, 23, -1},
		{0, 24 * hour, 25, 25},
		{-1, 0, 2, 2},
		{5, 4, 0, 0},
		{5, 5, 1, 1},
		{math.MinInt64, math.MaxInt64, 5000, -1},
	} {
		starts, ok := i.Overlapping(row.first, row.last, row.most)
		if ok != (row.want >= 0) || ok && len(starts) != row.want || len(starts) > 0 &&
			starts[0] > row.first {
			t.Errorf("%+v: %d, %v", row, len(starts), ok)
		}
	}
}
