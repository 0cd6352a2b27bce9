package api

// Counts are clicks by the value of each dimension. Every map adds up to TotalClicks.
type Counts struct {
	// by ISO 3166-1 alpha-2 code, XX when not known
	ByCountry  map[string]int64 `json:"by_country"`
	ByReferrer map[string]int64 `json:"by_referrer"` // by URL, "direct" or "other"
}

// ClicksQuery says which clicks are counted over time. The zero ClicksQuery is all of them, by
// UTC day.
type ClicksQuery struct {
	Range
	Interval string // "hour", "day", "week" or "month"; empty: day
	TimeZone string // for example "Europe/Berlin"; empty: UTC
	Country  string // for example "DE"; empty: all
	Referrer string // a key of ByReferrer; empty: all
}

// dimensions is the table of what clicks are counted by, in the order of the answers.
var dimensions = []struct {
	name   string // by_<name> has the counts, the parameter <name> is the filter
	counts func(*Counts) *map[string]int64
	filter func(*ClicksQuery) *string
}{
	{
		"country",
		func(c *Counts) *map[string]int64 { return &c.ByCountry },
		func(q *ClicksQuery) *string { return &q.Country },
	},
	{
		"referrer",
		func(c *Counts) *map[string]int64 { return &c.ByReferrer },
		func(q *ClicksQuery) *string { return &q.Referrer },
	},
}

// Dimensions returns the names of all dimensions, for example "country", in the order of the
// answers.
func Dimensions() []string {
	names := make([]string, len(dimensions))
	for i, d := range dimensions {
		names[i] = d.name
	}
	return names
}

// By returns the counts of the dimension with a name, nil when there is none.
func (c *Counts) By(dimension string) map[string]int64 {
	for _, d := range dimensions {
		if d.name == dimension {
			return *d.counts(c)
		}
	}
	return nil
}

// NewCounts returns the counts that by has for each name of a dimension.
func NewCounts(by func(dimension string) map[string]int64) (c Counts) {
	for _, d := range dimensions {
		*d.counts(&c) = by(d.name)
	}
	return c
}
