package terse

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Dimension is a property of a click that is counted on its own. What stores, counts and answers
// clicks loops over the table of them; CONTRIBUTING.md says how to add one.
type Dimension uint8

// The dimensions, in the order in which answers have them.
const (
	ByCountry      Dimension = iota // as ParseCountry returns it, for example "DE"
	ByRegion                        // ISO 3166-2 or country and name, for example "DE-BE"
	ByCity                          // its name and the region, for example "Berlin, DE-BE"
	ByReferrer                      // as ParseReferrer returns it, "https://news.example/"
	ByReferrerHost                  // of the referrer that is counted; it is not stored
	ByBrowser                       // its family without a version, for example "Firefox"
	ByOS                            // for example "Android"
	ByDevice                        // "desktop", "mobile", "tablet", "tv", "console"
	ByLanguage                      // what the browser prefers, two or three letters
	ByVisitor                       // Person, Bot or Prefetch
	BySource                        // utm_source of the visited short URL
	ByMedium                        // utm_medium
	ByCampaign                      // utm_campaign
	ByRule                          // the Name of the link's Rule that decided
	NumDimensions
)

// The kinds of visitors.
const (
	Person   = "person"
	Bot      = "bot"      // a crawler, link preview, monitor or other program
	Prefetch = "prefetch" // a browser that loads in advance
)

// Values has a value for each Dimension; "" stands for Unknown.
type Values [NumDimensions]string

// Of returns the value of a dimension as it is counted.
func (v *Values) Of(d Dimension) string {
	if v[d] == "" {
		return d.Unknown()
	}
	return v[d]
}

const (
	// OtherValue counts the clicks whose value came after the first MaxValues different ones
	// of a link on a UTC day.
	OtherValue = "other"
	// MaxValueBytes bounds the values of all dimensions.
	MaxValueBytes = 1024
	// MaxUTMChars bounds utm values; of a longer one the beginning counts.
	MaxUTMChars = 100

	// Of some dimensions these count the clicks of which nothing is known.
	unknownValue = "unknown"
	noneValue    = "none"
)

// dimension is a row of the table.
type dimension struct {
	// id names the dimension in stored clicks and counts, for ever.
	id uint8
	// name is the dimension's name in the API and in addresses of the dashboard.
	name string
	// unknown counts the clicks of which the value is not known. It takes no space.
	unknown string
	// maxValues bounds the different values of a link on a UTC day, and so the size of its
	// counts. OtherValue and unknown come on top.
	maxValues int
	// maxBytes bounds a value: a longer one is not known. The journal keeps room for it.
	maxBytes int
	// parse returns the value that a filter asks for, or what it must be; nil accepts any text of
	// at most MaxValueBytes.
	parse func(string) (value, want string)
	// fold is set where a filter may be spelled in any case.
	fold bool
	// from is the dimension whose values tell this one's, for those that are not stored.
	from Dimension
	// unasked leaves the dimension out of answers to clients that did not ask for it by name.
	unasked bool
}

var dimensions = [NumDimensions]dimension{
	ByCountry: {
		id: 1, name: "country", unknown: UnknownCountry.String(),
		maxValues: 1 << 16, // all pairs of bytes: countries are never folded
		maxBytes:  2, parse: parseCountryFilter,
	},
	ByRegion: {
		id: 3, name: "region", unknown: unknownValue,
		maxValues: MaxReferrersPerDay, maxBytes: 128, unasked: true, fold: true,
	},
	ByCity: {
		id: 4, name: "city", unknown: unknownValue,
		maxValues: MaxReferrersPerDay, maxBytes: 256, unasked: true,
	},
	ByReferrer: {
		id: 2, name: "referrer", unknown: DirectReferrer,
		maxValues: MaxReferrersPerDay, maxBytes: MaxReferrerBytes,
	},
	ByReferrerHost: {
		id: 5, name: "referrer_host", unknown: DirectReferrer,
		maxValues: MaxReferrersPerDay, maxBytes: MaxReferrerBytes, unasked: true, fold: true,
		from: ByReferrer,
	},
	ByBrowser: {
		id: 6, name: "browser", unknown: OtherValue,
		maxValues: MaxReferrersPerDay, maxBytes: 64, unasked: true, fold: true,
	},
	ByOS: {
		id: 7, name: "os", unknown: OtherValue,
		maxValues: MaxReferrersPerDay, maxBytes: 32, unasked: true, fold: true,
	},
	ByDevice: {
		id: 8, name: "device", unknown: OtherValue,
		maxValues: MaxReferrersPerDay, maxBytes: 16, unasked: true,
		parse: exactly("desktop", "mobile", "tablet", "tv", "console", OtherValue),
	},
	ByLanguage: {
		id: 9, name: "language", unknown: unknownValue,
		maxValues: MaxReferrersPerDay, maxBytes: 3, unasked: true, fold: true,
	},
	ByVisitor: {
		id: 10, name: "visitor", unknown: unknownValue,
		maxValues: MaxReferrersPerDay, maxBytes: 16, unasked: true,
		parse: exactly(Person, Bot, Prefetch, unknownValue),
	},
	BySource: {
		id: 11, name: "source", unknown: noneValue,
		maxValues: MaxReferrersPerDay, maxBytes: MaxUTMChars * utf8.UTFMax, unasked: true,
	},
	ByMedium: {
		id: 12, name: "medium", unknown: noneValue,
		maxValues: MaxReferrersPerDay, maxBytes: MaxUTMChars * utf8.UTFMax, unasked: true,
	},
	ByCampaign: {
		id: 13, name: "campaign", unknown: noneValue,
		maxValues: MaxReferrersPerDay, maxBytes: MaxUTMChars * utf8.UTFMax, unasked: true,
	},
	ByRule: {
		id: 14, name: "rule", unknown: DefaultRule,
		maxValues: MaxReferrersPerDay, maxBytes: MaxRuleName * utf8.UTFMax, unasked: true,
	},
}

// MaxDimensionID bounds the IDs of dimensions. Formats of the stores use those above it.
const MaxDimensionID = 99

// byID finds a dimension by its ID; NumDimensions is none.
var byID = indexByID(dimensions[:])

// indexByID panics unless each row has what clicks can be stored and counted by: a row that was
// forgotten would otherwise lose clicks in silence.
func indexByID(rows []dimension) (index [MaxDimensionID + 1]Dimension) {
	for id := range index {
		index[id] = NumDimensions
	}
	names := map[string]bool{}
	for i, row := range rows {
		switch {
		case row.id == 0 || row.id > MaxDimensionID || index[row.id] != NumDimensions:
			panic(fmt.Sprintf("dimension %d (%q) needs an ID of its own, 1 to %d",
				i, row.name, MaxDimensionID))
		case row.name == "" || names[row.name]:
			panic(fmt.Sprintf("dimension %d needs a name of its own", i))
		case row.unknown == "" || row.maxValues <= 0 || row.maxBytes <= 0 ||
			row.maxBytes > MaxValueBytes:
			panic(fmt.Sprintf("dimension %s needs a value for unknown, and bounds", row.name))
		}
		index[row.id], names[row.name] = Dimension(i), true
	}
	return index
}

// DimensionOf returns the dimension with an ID, if this version knows it.
func DimensionOf(id uint64) (d Dimension, ok bool) {
	if id > MaxDimensionID {
		return NumDimensions, false
	}
	d = byID[id]
	return d, d < NumDimensions
}

// ID returns what names the dimension in stored clicks and counts.
func (d Dimension) ID() uint8 { return dimensions[d].id }

// String returns the dimension's name in the API, for example "country".
func (d Dimension) String() string { return dimensions[d].name }

// Unknown returns the value of clicks of which nothing is known.
func (d Dimension) Unknown() string { return dimensions[d].unknown }

// Unasked reports whether only those see the dimension who ask for it by name.
func (d Dimension) Unasked() bool { return dimensions[d].unasked }

// From returns the dimension whose values tell those of d, if d is not stored.
func (d Dimension) From() (from Dimension, derived bool) {
	return dimensions[d].from, dimensions[d].from != 0
}

// MaxValues bounds the different values of a link on a UTC day, without Unknown and OtherValue.
func (d Dimension) MaxValues() int { return dimensions[d].maxValues }

// MaxBytes bounds a value.
func (d Dimension) MaxBytes() int { return dimensions[d].maxBytes }

// same reports whether a filter's value names a value of clicks.
func (d Dimension) same(named, value string) bool {
	return named == value || dimensions[d].fold && strings.EqualFold(named, value)
}

// ParseFilter returns the value that a filter asks for. Its error is an *Error of kind Invalid that
// calls it name.
func (d Dimension) ParseFilter(name, value string) (string, error) {
	parsed, want := value, ""
	if parse := dimensions[d].parse; parse != nil {
		parsed, want = parse(value)
	} else if len(value) > MaxValueBytes {
		want = fmt.Sprintf("at most %d bytes", MaxValueBytes)
	}
	if want != "" {
		return "", Invalidf(name, "%s must be %s", name, want)
	}
	return parsed, nil
}

// exactly parses filters of a dimension that has these values only.
func exactly(values ...string) func(string) (value, want string) {
	last := len(values) - 1
	want := strings.Join(values[:last], ", ") + " or " + values[last]
	return func(s string) (string, string) {
		for _, value := range values {
			if strings.EqualFold(s, value) {
				return value, ""
			}
		}
		return "", want
	}
}

func parseCountryFilter(value string) (country, want string) {
	if country = ParseCountry(value).String(); !strings.EqualFold(value, country) {
		want = "an ISO 3166-1 alpha-2 code, or XX for clicks whose country is not known"
	}
	return country, want
}
