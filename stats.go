package terse

// SeriesQuery says which clicks of a link are counted, and how time is divided.
type SeriesQuery struct {
	Range     TimeRange
	Intervals Intervals
	Country   Country // zero: all
	Referrer  string  // a key of Series.ByReferrer; empty: all
}

// Series are exact counts of clicks over time. Every map adds up to Total.
type Series struct {
	Total      int64
	ByCountry  map[string]int64 // by ISO 3166-1 alpha-2 code, for example "DE"
	ByReferrer map[string]int64 // by referrer, DirectReferrer or OtherReferrer
	ByInterval map[int64]int64  // by the first microsecond of an interval, since 1970
}
