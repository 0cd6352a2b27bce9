package api

import "time"

// Counts are clicks by the value of each dimension that was asked for. Every map adds up to
// TotalClicks.
type Counts struct {
	// by ISO 3166-1 alpha-2 code, XX when not known
	ByCountry map[string]int64 `json:"by_country,omitzero"`
	// by ISO 3166-2 code, or country and name; "unknown"
	ByRegion map[string]int64 `json:"by_region,omitzero"`
	ByCity   map[string]int64 `json:"by_city,omitzero"` // by name and region; "unknown"
	// by URL; "direct" or "other"
	ByReferrer     map[string]int64 `json:"by_referrer,omitzero"`
	ByReferrerHost map[string]int64 `json:"by_referrer_host,omitzero"`
	// by family, without a version; "other" for what is not known and for bots
	ByBrowser map[string]int64 `json:"by_browser,omitzero"`
	ByOS      map[string]int64 `json:"by_os,omitzero"`
	// by "desktop", "mobile", "tablet", "tv", "console"; "other"
	ByDevice   map[string]int64 `json:"by_device,omitzero"`
	ByLanguage map[string]int64 `json:"by_language,omitzero"` // by two or three letters; "unknown"
	// by "person", "bot", "prefetch"; "unknown"
	ByVisitor map[string]int64 `json:"by_visitor,omitzero"`
	// by what the visited short URL had as utm_source and so on; "none"
	BySource   map[string]int64 `json:"by_source,omitzero"`
	ByMedium   map[string]int64 `json:"by_medium,omitzero"`
	ByCampaign map[string]int64 `json:"by_campaign,omitzero"`
	// by the name of the link's rule that decided, "default" or "other"
	ByRule map[string]int64 `json:"by_rule,omitzero"`
}

// Event is a single click, with its value of each dimension.
type Event struct {
	Time         Instant `json:"time"`
	ShortCode    string  `json:"short_code"`
	Country      string  `json:"country"` // this and all below as in Counts
	Region       string  `json:"region"`
	City         string  `json:"city"`
	Referrer     string  `json:"referrer"`
	ReferrerHost string  `json:"referrer_host"`
	Browser      string  `json:"browser"`
	OS           string  `json:"os"`
	Device       string  `json:"device"`
	Language     string  `json:"language"`
	Visitor      string  `json:"visitor"`
	Source       string  `json:"source"`
	Medium       string  `json:"medium"`
	Campaign     string  `json:"campaign"`
	Rule         string  `json:"rule"`
}

// ClicksQuery says which clicks are counted over time, and by what. The zero ClicksQuery is all of
// them by country and referrer, and by UTC day.
type ClicksQuery struct {
	Range
	Interval string   // "hour", "day", "week" or "month"; empty: day
	TimeZone string   // for example "Europe/Berlin"; empty: UTC
	By       []string // of Dimensions; empty: country and referrer
	// Only and Not are values of dimensions: of each in Only a click has one, of those in Not none.
	Only, Not map[string][]string
	// Limit is how many values each map of Counts may have, the rest under "other": 1 to 1000; 0:
	// all.
	Limit    int
	Visitors bool // count visitors, too
	// Tags are for the overview: only clicks of links that have all of them.
	Tags []string
}

// dimensions is the table of what clicks are counted by, in the order of the answers and of the
// columns of CSV.
var dimensions = []struct {
	name   string // by_<name> has the counts, the parameter <name> is the filter
	counts func(*Counts) *map[string]int64
	value  func(*Event) *string
}{
	{
		"country", func(c *Counts) *map[string]int64 { return &c.ByCountry },
		func(e *Event) *string { return &e.Country },
	},
	{
		"region", func(c *Counts) *map[string]int64 { return &c.ByRegion },
		func(e *Event) *string { return &e.Region },
	},
	{
		"city", func(c *Counts) *map[string]int64 { return &c.ByCity },
		func(e *Event) *string { return &e.City },
	},
	{
		"referrer", func(c *Counts) *map[string]int64 { return &c.ByReferrer },
		func(e *Event) *string { return &e.Referrer },
	},
	{
		"referrer_host", func(c *Counts) *map[string]int64 { return &c.ByReferrerHost },
		func(e *Event) *string { return &e.ReferrerHost },
	},
	{
		"browser", func(c *Counts) *map[string]int64 { return &c.ByBrowser },
		func(e *Event) *string { return &e.Browser },
	},
	{
		"os", func(c *Counts) *map[string]int64 { return &c.ByOS },
		func(e *Event) *string { return &e.OS },
	},
	{
		"device", func(c *Counts) *map[string]int64 { return &c.ByDevice },
		func(e *Event) *string { return &e.Device },
	},
	{
		"language", func(c *Counts) *map[string]int64 { return &c.ByLanguage },
		func(e *Event) *string { return &e.Language },
	},
	{
		"visitor", func(c *Counts) *map[string]int64 { return &c.ByVisitor },
		func(e *Event) *string { return &e.Visitor },
	},
	{
		"source", func(c *Counts) *map[string]int64 { return &c.BySource },
		func(e *Event) *string { return &e.Source },
	},
	{
		"medium", func(c *Counts) *map[string]int64 { return &c.ByMedium },
		func(e *Event) *string { return &e.Medium },
	},
	{
		"campaign", func(c *Counts) *map[string]int64 { return &c.ByCampaign },
		func(e *Event) *string { return &e.Campaign },
	},
	{
		"rule", func(c *Counts) *map[string]int64 { return &c.ByRule },
		func(e *Event) *string { return &e.Rule },
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

// By returns the counts of the dimension with a name, nil when there are none.
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

// NewEvent returns an event with the value that of has for each name of a dimension.
func NewEvent(at time.Time, shortCode string, of func(dimension string) string) Event {
	e := Event{Time: Instant{at}, ShortCode: shortCode}
	for _, d := range dimensions {
		*d.value(&e) = of(d.name)
	}
	return e
}

// Value returns the event's value of a dimension, empty when there is no such dimension.
func (e *Event) Value(dimension string) string {
	for _, d := range dimensions {
		if d.name == dimension {
			return *d.value(e)
		}
	}
	return ""
}
