// Package clickquery reads what a request asks of clicks, over time and one by one, and makes the
// answers of what the store counted.
//
// It knows query parameters and the store's answers, but neither requests nor who may ask what.
package clickquery

import (
	"context"
	"maps"
	"math"
	"net/url"
	"slices"
	"time"
	_ "time/tzdata" // so that zones are known on machines without them

	"terse"
	"terse/api"
)

const (
	// maxPoints bounds a series: more can't be told apart in a chart.
	maxPoints = 5000
	// maxYears bounds how far from now all time begins and ends: only a wrong clock is further
	// off. The months of twice as many years are fewer than maxPoints.
	maxYears = 200
)

var units = map[string]terse.IntervalUnit{
	"hour": terse.Hourly, "day": terse.Daily, "week": terse.Weekly,
	"month": terse.Monthly,
}

// longer is the interval to take where one makes too many.
var longer = map[string]string{"hour": "day", "day": "week", "week": "month"}

// Query is what a request asks of clicks over time.
type Query struct {
	terse.SeriesQuery
	Breakdown
	start, end string  // as given; empty: all time
	starts     []int64 // of the intervals in the answer
	interval   string  // a key of units
	zone       string
}

// Parse returns what the query of a URL asks for. An empty parameter is as good as none.
func Parse(query string, who Readers) (q Query, err error) {
	if q.Range, q.start, q.end, err = ParseRange(query); err != nil {
		return q, err
	}
	values, _ := url.ParseQuery(query) // ParseRange has refused what can't be read
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

// intervals returns the starts of those that a range overlaps, or an error when they are too many.
func (q *Query) intervals(first, last int64) ([]int64, error) {
	starts, ok := q.Intervals.Overlapping(first, last, maxPoints)
	if !ok {
		return nil, terse.Invalidf("", // the range and the interval don't go together
			"the time range has more than %d intervals; ask for a shorter one or for longer "+
				"intervals", maxPoints)
	}
	for i, at := range []int64{first, last} {
		// RFC 3339 has four digits for the year, and elsewhere it may be the next one already.
		start, _ := q.Intervals.Containing(at)
		if year := q.time(start).Year(); year < 0 || year > 9999 {
			return nil, terse.Invalidf([]string{"start_time", "end_time"}[i],
				"the time range reaches beyond the years 0000 to 9999 of the time zone")
		}
	}
	return starts, nil
}

// Bounded reports whether the query is of less than all time.
func (q *Query) Bounded() bool { return q.start != "" }

// Ask asks a store for a link's clicks: once, or once more with the interval that all time turned
// out to need.
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

// allTime has the answer go from the first click to now, or to the last one: a clock may have been
// ahead. It returns the interval, which is a longer one where the one asked for makes too many.
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

// Answer returns the answer. Clicks outside of its intervals, which only all time has, count in
// the first or the last one, so that the series adds up.
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

// Counted returns the range that was counted, if it is another than was asked for. end is what the
// answer shows as the end of all time.
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

// lastInstant returns the last instant that the answer is about.
func (q *Query) lastInstant() int64 {
	if len(q.starts) == 0 {
		return time.Now().UnixMicro()
	}
	_, end := q.Intervals.Containing(q.starts[len(q.starts)-1])
	return end - 1
}

// addTo adds counts to the intervals of an answer, each of which set gives a count of its own.
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

// indexOf returns the interval of an answer in which what begins at a time counts.
func (q *Query) indexOf(at int64) int {
	i, exact := slices.BinarySearch(q.starts, at)
	if !exact {
		i = max(0, i-1)
	}
	return i
}

// time returns an instant as the zone's clocks show it.
func (q *Query) time(micros int64) time.Time {
	t := time.UnixMicro(micros)
	if q.Intervals.Zone == nil {
		return t.UTC()
	}
	return t.In(q.Intervals.Zone)
}

// ParseRange returns the range that a query asks for and its bounds as given; AllTime
// without bounds.
func ParseRange(query string) (span terse.TimeRange, start, end string, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		// Leaving out what can't be read could turn a range into all time.
		return span, "", "", terse.Invalidf("", "malformed query string")
	}
	start, end = values.Get("start_time"), values.Get("end_time")
	if start == "" && end == "" {
		return terse.AllTime, "", "", nil
	}
	span, err = terse.ParseTimeRange(start, end)
	return span, start, end, err
}
