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
