package terse

// Stats are the exact counts of one link's clicks, all time or in a range. Every map
// adds up to Total.
type Stats struct {
	Total      int64
	ByCountry  map[string]int64 // by ISO 3166-1 alpha-2 code, for example "DE"
	ByReferrer map[string]int64 // by referrer, DirectReferrer or OtherReferrer
	ByDate     map[string]int64 // by UTC day, for example "2026-01-31"
}

// NewStats returns counts of nothing.
func NewStats() Stats {
	return Stats{ByCountry: map[string]int64{}, ByReferrer: map[string]int64{}, ByDate: map[string]int64{}}
}

// SeriesQuery says which clicks of a link are counted, and how time is divided.
type SeriesQuery struct {
	Range     TimeRange
	Intervals Intervals
	Country   Country // zero: all
	Referrer  string  // a key of Stats.ByReferrer; empty: all
}

// Series are exact counts of clicks over time. Every map adds up to Total.
type Series struct {
	Total      int64
	ByCountry  map[string]int64 // as in Stats
	ByReferrer map[string]int64
	ByInterval map[int64]int64 // by the first microsecond of an interval, since 1970
}

// Stats returns a series of UTC days as the statistics that they are.
func (s Series) Stats() Stats {
	stats := Stats{Total: s.Total, ByCountry: s.ByCountry, ByReferrer: s.ByReferrer, ByDate: make(map[string]int64, len(s.ByInterval))}
	for at, n := range s.ByInterval {
		stats.ByDate[DayOf(at).String()] = n
	}
	return stats
}
