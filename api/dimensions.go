package api

import (
	"slices"
	"time"
)

// Counts are clicks by the value of each requested dimension. Every map adds up to TotalClicks.
// Beside each is a map of visitors by the same values, if requested; these add up to Visitors.
type Counts struct {
	// by ISO 3166-1 alpha-2 code, XX when not known
	ByCountry         map[string]int64 `json:"by_country,omitzero"`
	VisitorsByCountry map[string]int64 `json:"visitors_by_country,omitzero"`
	// by ISO 3166-2 code, or country and name; "unknown"
	ByRegion         map[string]int64 `json:"by_region,omitzero"`
	VisitorsByRegion map[string]int64 `json:"visitors_by_region,omitzero"`
	ByCity           map[string]int64 `json:"by_city,omitzero"` // by name and region; "unknown"
	VisitorsByCity   map[string]int64 `json:"visitors_by_city,omitzero"`
	// by URL; "direct" or "other"
	ByReferrer             map[string]int64 `json:"by_referrer,omitzero"`
	VisitorsByReferrer     map[string]int64 `json:"visitors_by_referrer,omitzero"`
	ByReferrerHost         map[string]int64 `json:"by_referrer_host,omitzero"`
	VisitorsByReferrerHost map[string]int64 `json:"visitors_by_referrer_host,omitzero"`
	// by family, without a version; "other" for unknown browsers and bots
	ByBrowser         map[string]int64 `json:"by_browser,omitzero"`
	VisitorsByBrowser map[string]int64 `json:"visitors_by_browser,omitzero"`
	ByOS              map[string]int64 `json:"by_os,omitzero"`
	VisitorsByOS      map[string]int64 `json:"visitors_by_os,omitzero"`
	// by "desktop", "mobile", "tablet", "tv", "console"; "other"
	ByDevice         map[string]int64 `json:"by_device,omitzero"`
	VisitorsByDevice map[string]int64 `json:"visitors_by_device,omitzero"`
	// by two or three letters; "unknown"
	ByLanguage         map[string]int64 `json:"by_language,omitzero"`
	VisitorsByLanguage map[string]int64 `json:"visitors_by_language,omitzero"`
	// by "person", "bot", "prefetch"; "unknown"
	ByVisitor         map[string]int64 `json:"by_visitor,omitzero"`
	VisitorsByVisitor map[string]int64 `json:"visitors_by_visitor,omitzero"`
	// by utm_source and so on of the visited short URL; "none"
	BySource           map[string]int64 `json:"by_source,omitzero"`
	VisitorsBySource   map[string]int64 `json:"visitors_by_source,omitzero"`
	ByMedium           map[string]int64 `json:"by_medium,omitzero"`
	VisitorsByMedium   map[string]int64 `json:"visitors_by_medium,omitzero"`
	ByCampaign         map[string]int64 `json:"by_campaign,omitzero"`
	VisitorsByCampaign map[string]int64 `json:"visitors_by_campaign,omitzero"`
	// by the name of the link's rule that decided, "default" or "other"
	ByRule         map[string]int64 `json:"by_rule,omitzero"`
	VisitorsByRule map[string]int64 `json:"visitors_by_rule,omitzero"`
	// by the alias that was visited, "/docs/install"; "none" for the code, or "other"
	ByAlias         map[string]int64 `json:"by_alias,omitzero"`
	VisitorsByAlias map[string]int64 `json:"visitors_by_alias,omitzero"`
}

// Event is all clicks of a link at one instant that have the same value of each dimension: nearly
// always one.
type Event struct {
	Time         Instant `json:"time"`
	ShortCode    string  `json:"short_code"`
	Domain       string  `json:"domain,omitzero"` // empty: the default one
	Country      string  `json:"country"`         // this and all below: as in Counts
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
	Alias        string  `json:"alias,omitzero"` // empty for a visit at the code
	Count        int64   `json:"count,omitzero"` // how many clicks; 0: 1
}

// ClicksQuery says which clicks to count over time, and by which dimensions. The zero ClicksQuery
// is all clicks by country and referrer, and by UTC day.
type ClicksQuery struct {
	Range
	Interval string   // "hour", "day", "week" or "month"; empty: day
	TimeZone string   // for example "Europe/Berlin"; empty: UTC
	By       []string // names from Dimensions; empty: country and referrer
	// Only and Not are filters, by dimension: a click must have one of the values in Only, and none
	// of those in Not.
	Only, Not map[string][]string
	// Limit is how many values each map of Counts has, 1 to 1000, with the rest under "other"; 0:
	// all.
	Limit    int
	Visitors bool // also count visitors
	// VisitorsBy also counts visitors by value. Limit then keeps the values with the most visitors.
	VisitorsBy bool
	People     bool // also count people's clicks, that is, all but bots'
	// Tags are for the overview only: clicks of links that have all of these.
	Tags []string
}

// dimensions is the table of all dimensions, in the order of answers and of CSV columns. alias is
// none of the columns.
var dimensions = []struct {
	name     string // by_<name> are the counts, the parameter <name> is the filter
	counts   func(*Counts) *map[string]int64
	visitors func(*Counts) *map[string]int64
	value    func(*Event) *string
}{
	{
		"country", func(c *Counts) *map[string]int64 { return &c.ByCountry },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByCountry },
		func(e *Event) *string { return &e.Country },
	},
	{
		"region", func(c *Counts) *map[string]int64 { return &c.ByRegion },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByRegion },
		func(e *Event) *string { return &e.Region },
	},
	{
		"city", func(c *Counts) *map[string]int64 { return &c.ByCity },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByCity },
		func(e *Event) *string { return &e.City },
	},
	{
		"referrer", func(c *Counts) *map[string]int64 { return &c.ByReferrer },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByReferrer },
		func(e *Event) *string { return &e.Referrer },
	},
	{
		"referrer_host", func(c *Counts) *map[string]int64 { return &c.ByReferrerHost },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByReferrerHost },
		func(e *Event) *string { return &e.ReferrerHost },
	},
	{
		"browser", func(c *Counts) *map[string]int64 { return &c.ByBrowser },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByBrowser },
		func(e *Event) *string { return &e.Browser },
	},
	{
		"os", func(c *Counts) *map[string]int64 { return &c.ByOS },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByOS },
		func(e *Event) *string { return &e.OS },
	},
	{
		"device", func(c *Counts) *map[string]int64 { return &c.ByDevice },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByDevice },
		func(e *Event) *string { return &e.Device },
	},
	{
		"language", func(c *Counts) *map[string]int64 { return &c.ByLanguage },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByLanguage },
		func(e *Event) *string { return &e.Language },
	},
	{
		"visitor", func(c *Counts) *map[string]int64 { return &c.ByVisitor },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByVisitor },
		func(e *Event) *string { return &e.Visitor },
	},
	{
		"source", func(c *Counts) *map[string]int64 { return &c.BySource },
		func(c *Counts) *map[string]int64 { return &c.VisitorsBySource },
		func(e *Event) *string { return &e.Source },
	},
	{
		"medium", func(c *Counts) *map[string]int64 { return &c.ByMedium },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByMedium },
		func(e *Event) *string { return &e.Medium },
	},
	{
		"campaign", func(c *Counts) *map[string]int64 { return &c.ByCampaign },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByCampaign },
		func(e *Event) *string { return &e.Campaign },
	},
	{
		"rule", func(c *Counts) *map[string]int64 { return &c.ByRule },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByRule },
		func(e *Event) *string { return &e.Rule },
	},
	{
		"alias", func(c *Counts) *map[string]int64 { return &c.ByAlias },
		func(c *Counts) *map[string]int64 { return &c.VisitorsByAlias },
		func(e *Event) *string { return &e.Alias },
	},
}

// Dimensions returns the names of all dimensions, for example "country", in the order of answers.
func Dimensions() []string {
	names := make([]string, len(dimensions))
	for i, d := range dimensions {
		names[i] = d.name
	}
	return names
}

// EventColumns returns the names of the dimensions that events in CSV have: all but alias, which
// few clicks have.
func EventColumns() []string {
	return slices.DeleteFunc(Dimensions(), func(name string) bool { return name == "alias" })
}

// By returns the counts of a dimension by its name, nil if there are none.
func (c *Counts) By(dimension string) map[string]int64 {
	for _, d := range dimensions {
		if d.name == dimension {
			return *d.counts(c)
		}
	}
	return nil
}

// VisitorsBy returns the visitors of a dimension by its name, nil if there are none.
func (c *Counts) VisitorsBy(dimension string) map[string]int64 {
	for _, d := range dimensions {
		if d.name == dimension {
			return *d.visitors(c)
		}
	}
	return nil
}

// NewCounts returns Counts with the maps that by returns for each dimension's name.
func NewCounts(by func(dimension string) (clicks, visitors map[string]int64)) (c Counts) {
	for _, d := range dimensions {
		*d.counts(&c), *d.visitors(&c) = by(d.name)
	}
	return c
}

// NewEvent returns an Event of some clicks with the values that of returns for each dimension's
// name. domain is empty for the default one.
func NewEvent(at time.Time, shortCode, domain string, clicks int64,
	of func(dimension string) string,
) Event {
	e := Event{Time: Instant{at}, ShortCode: shortCode, Domain: domain}
	if clicks != 1 {
		e.Count = clicks
	}
	for _, d := range dimensions {
		*d.value(&e) = of(d.name)
	}
	return e
}

// Clicks returns how many clicks the event is.
func (e *Event) Clicks() int64 { return max(e.Count, 1) }

// Value returns the event's value of a dimension, or "" if there is no such dimension.
func (e *Event) Value(dimension string) string {
	for _, d := range dimensions {
		if d.name == dimension {
			return *d.value(e)
		}
	}
	return ""
}
