// Package clickquery parses questions about clicks, over time and one by one, and turns what the
// store counted into answers of the API.
//
// It knows query parameters and the store's answers, but neither requests nor permissions. Readers
// defines what a group of people may see: Owners everything, Strangers what a shared page shows.
package clickquery

import (
	"context"
	"maps"
	"math"
	"net/url"
	"slices"
	"time"
	_ "time/tzdata" // for machines without time zone data

	"terse"
	"terse/api"
)

const (
	// maxPoints bounds a series: more cannot be distinguished in a chart.
	maxPoints = 5000
	// maxYears bounds how far from now all time begins and ends: only a wrong clock is further off.
	// Twice as many years have fewer months than maxPoints.
	maxYears = 200
)

var units = map[string]terse.IntervalUnit{
	"hour": terse.Hourly, "day": terse.Daily, "week": terse.Weekly,
	"month": terse.Monthly,
}

// longer is the next longer interval, for ranges with too many.
var longer = map[string]string{"hour": "day", "day": "week", "week": "month"}

// Query is a question about clicks over time.
type Query struct {
	terse.SeriesQuery
	Breakdown
	start, end string  // as given; empty: all time
	starts     []int64 // of the intervals in the answer
	interval   string  // a key of units
	zone       string
}

// Parse parses the query string of a URL. An empty parameter counts as missing.
func Parse(query string, who Readers) (q Query, err error) {
	if q.Range, q.start, q.end, err = ParseRange(query); err != nil {
		return q, err
	}
	values, _ := url.ParseQuery(query) // ParseRange refuses malformed ones
	if q.interval = values.Get("interval"); q.interval == "" {
		q.interval = "day"
	}
	var known bool
	if q.Intervals.Unit, known = units[q.interval]; !known {
		return q, terse.Invalidf("interval", "interval must be hour, day, week or month")
	}
	if q.zone = values.Get("time_zone"); q.zone == "" {
		q.zone = "UTC"
	}
	// The machine's own zone is private.
	if q.Intervals.Zone, err = time.LoadLocation(q.zone); err != nil || q.zone == "Local" {
		return q, terse.Invalidf("time_zone",
			"time_zone must be an IANA time zone such as Europe/Berlin")
	}
	if q.Intervals.Zone == time.UTC {
		q.Intervals.Zone = nil
	}
	if q.Filter, err = who.parseFilter(values); err != nil {
		return q, err
	}
	if q.Breakdown, err = who.parseBreakdown(values); err != nil {
		return q, err
	}
	q.Without, q.SeriesQuery.Limit = q.Excluded(), q.limit
	q.People, q.VisitorsBy = q.people, q.visitorsBy
	if q.Bounded() {
		first, last := q.Range.Micros()
		q.starts, err = q.intervals(first, last)
	}
	return q, err
}

// intervals returns the starts of the intervals that a range overlaps. It fails if there are too
// many.
func (q *Query) intervals(first, last int64) ([]int64, error) {
	starts, ok := q.Intervals.Overlapping(first, last, maxPoints)
	if !ok {
		return nil, terse.Invalidf("", // the range and the interval don't go together
			"the time range has more than %d intervals; ask for a shorter one or for longer "+
				"intervals", maxPoints)
	}
	for i, at := range []int64{first, last} {
		// RFC 3339 has four digits for the year, and in another zone the next year may have begun.
		start, _ := q.Intervals.Containing(at)
		if year := q.time(start).Year(); year < 0 || year > 9999 {
			return nil, terse.Invalidf([]string{"start_time", "end_time"}[i],
				"the time range reaches beyond the years 0000 to 9999 of the time zone")
		}
	}
	return starts, nil
}

// Bounded reports whether the query covers less than all time.
func (q *Query) Bounded() bool { return q.start != "" }

// Ask asks a store for a link's clicks. It asks again if all time turns out to need a longer
// interval.
func (q *Query) Ask(ctx context.Context, store terse.Clicks, link terse.LinkRef) (
	terse.Series, error,
) {
	for {
		series, err := store.Series(ctx, link, q.SeriesQuery)
		asked := q.interval
		if err != nil || q.Bounded() || series.Total == 0 ||
			q.allTime(series, time.Now()) == asked {
			return series, err
		}
	}
}

// allTime sets the answer's range, from the first click to now, or to the last click if a clock was
// ahead. It returns the interval, a longer one than asked for if there would be too many.
func (q *Query) allTime(series terse.Series, now time.Time) string {
	first, last := int64(math.MaxInt64), now.UnixMicro()
	for at := range maps.Keys(series.ByInterval) {
		first, last = min(first, at), max(last, at)
	}
	oldest, newest := now.AddDate(-maxYears, 0, 0).UnixMicro(),
		now.AddDate(maxYears, 0, 0).UnixMicro()
	first, last = min(max(first, oldest), newest), min(last, newest)
	var fits bool
	for ; ; q.interval = longer[q.interval] {
		q.Intervals.Unit = units[q.interval]
		if q.starts, fits = q.Intervals.Overlapping(first, last, maxPoints); fits {
			break
		}
	}
	_, end := q.Intervals.Containing(last)
	q.start = q.time(q.starts[0]).Format(time.RFC3339Nano)
	q.end = q.time(end - 1).Format(time.RFC3339Nano)
	return q.interval
}

// Answer returns the answer. Clicks outside of its intervals, which occur only with all time, count
// in the first or the last one, so that the series adds up.
func (q *Query) Answer(series terse.Series) api.Clicks {
	result := api.Clicks{
		TotalClicks: series.Total, Counts: q.Counts(series),
		StartTime: q.start, EndTime: q.end, Interval: q.interval, TimeZone: q.zone,
		Series: make([]api.Point, len(q.starts)),
	}
	end := int64(math.MaxInt64)
	if q.Range == terse.AllTime {
		end = q.lastInstant()
	}
	result.Counted = Counted(q.Range, series, end)
	for i, at := range q.starts {
		result.Series[i].Time = q.time(at)
	}
	for at, clicks := range series.ByInterval {
		result.Series[q.indexOf(at)].Clicks += clicks
	}
	if q.people {
		result.People = &series.People
		q.addTo(result.Series, series.PeopleByInterval,
			func(p *api.Point, n *int64) { p.People = n })
	}
	if q.visitors {
		result.Visitors = &series.Visitors
		q.addTo(result.Series, series.VisitorsByInterval,
			func(p *api.Point, n *int64) { p.Visitors = n })
	}
	return result
}

// Counted returns the range that was counted, if it differs from the one asked for. end is the end
// of all time in the answer.
func Counted(asked terse.TimeRange, series terse.Series, end int64) api.Counted {
	first, last := asked.Micros()
	if series.First == first && series.Last == last {
		return api.Counted{}
	}
	micros := func(at int64) string { return time.UnixMicro(at).UTC().Format(time.RFC3339Nano) }
	return api.Counted{
		CountedStartTime: micros(series.First), CountedEndTime: micros(min(series.Last, end)),
	}
}

// lastInstant returns the last instant that the answer covers.
func (q *Query) lastInstant() int64 {
	if len(q.starts) == 0 {
		return time.Now().UnixMicro()
	}
	_, end := q.Intervals.Containing(q.starts[len(q.starts)-1])
	return end - 1
}

// addTo adds counts to the points of an answer. set stores a pointer to its count in each point.
func (q *Query) addTo(points []api.Point, byInterval map[int64]int64,
	set func(*api.Point, *int64),
) {
	counts := make([]int64, len(points))
	for i := range points {
		set(&points[i], &counts[i])
	}
	for at, n := range byInterval {
		counts[q.indexOf(at)] += n
	}
}

// indexOf returns the index of the answer's interval in which clicks at a time count.
func (q *Query) indexOf(at int64) int {
	i, exact := slices.BinarySearch(q.starts, at)
	if !exact {
		i = max(0, i-1)
	}
	return i
}

// time returns an instant in the query's time zone.
func (q *Query) time(micros int64) time.Time {
	t := time.UnixMicro(micros)
	if q.Intervals.Zone == nil {
		return t.UTC()
	}
	return t.In(q.Intervals.Zone)
}

// ParseRange returns the range of a query string, and its bounds as given. Without bounds it is
// AllTime.
func ParseRange(query string) (span terse.TimeRange, start, end string, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		// Ignoring a malformed bound could turn a range into all time.
		return span, "", "", terse.Invalidf("", "malformed query string")
	}
	start, end = values.Get("start_time"), values.Get("end_time")
	if start == "" && end == "" {
		return terse.AllTime, "", "", nil
	}
	span, err = terse.ParseTimeRange(start, end)
	return span, start, end, err
}
