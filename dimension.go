package terse

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Dimension is a property of a click that is counted separately. Whatever stores, counts or returns
// clicks loops over the table of dimensions; CONTRIBUTING.md says how to add one.
type Dimension uint8

// The dimensions, in the order of answers.
const (
	ByCountry      Dimension = iota // as ParseCountry returns it, for example "DE"
	ByRegion                        // ISO 3166-2 or country and name, for example "DE-BE"
	ByCity                          // name and region, for example "Berlin, DE-BE"
	ByReferrer                      // as ParseReferrer returns it, "https://news.example/"
	ByReferrerHost                  // host of the counted referrer; not stored
	ByBrowser                       // family without a version, for example "Firefox"
	ByOS                            // for example "Android"
	ByDevice                        // "desktop", "mobile", "tablet", "tv", "console"
	ByLanguage                      // the browser's preferred one, two or three letters
	ByVisitor                       // Person, Bot or Prefetch
	BySource                        // utm_source of the visited short URL
	ByMedium                        // utm_medium
	ByCampaign                      // utm_campaign
	ByRule                          // Name of the Rule that decided
	ByAlias                         // a slash and the alias that was visited, "/docs/install"
	NumDimensions
)

// The kinds of visitors.
const (
	Person   = "person"
	Bot      = "bot"      // a crawler, link preview, monitor or other program
	Prefetch = "prefetch" // a browser loading in advance
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
	// OtherValue counts clicks whose value came after the first MaxValues distinct ones of a link
	// on a UTC day.
	OtherValue = "other"
	// MaxValueBytes bounds the values of every dimension.
	MaxValueBytes = 1024
	// MaxDayBytes bounds the values of a dimension that a link has on a UTC day together, in bytes.
	// Dimension.MaxValues bounds their number.
	MaxDayBytes = 256 << 10
	// MaxUTMChars bounds utm values. Longer ones are cut.
	MaxUTMChars = 100

	// The values of Unknown that several dimensions share.
	unknownValue = "unknown"
	noneValue    = "none"
)

// dimension is a row of the table.
type dimension struct {
	// id names the dimension in stored clicks and counts, forever.
	id uint8
	// name is the dimension's name in the API and in URLs of the dashboard.
	name string
	// unknown is the value of clicks whose real value is not known. Storing it takes no space.
	unknown string
	// maxValues bounds the distinct values of a link on a UTC day, and so the size of its counts.
	// OtherValue and unknown come on top.
	maxValues int
	// maxBytes bounds a value. A longer one counts as unknown. The journal reserves room for it.
	maxBytes int
	// parse returns the value that a filter asks for, or a description of what it must be. If nil,
	// any text of at most MaxValueBytes is accepted.
	parse func(string) (value, want string)
	// fold makes filters ignore case.
	fold bool
	// from is the dimension that this one is derived from, if it is not stored itself.
	from Dimension
	// unasked leaves the dimension out of answers unless the client asks for it by name.
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
	ByAlias: {
		id: 15, name: "alias", unknown: noneValue,
		maxValues: MaxReferrersPerDay, maxBytes: 1 + MaxAlias, unasked: true,
		parse: parseAliasFilter,
	},
}

// MaxDimensionID bounds the IDs of dimensions. Store formats use the IDs above it.
const MaxDimensionID = 99

// byID maps an ID to its dimension, or to NumDimensions.
var byID = indexByID(dimensions[:])

// indexByID panics unless each row has all that storing and counting clicks needs: an incomplete
// row would silently lose clicks.
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

// ID identifies the dimension in stored clicks and counts.
func (d Dimension) ID() uint8 { return dimensions[d].id }

// String returns the dimension's name in the API, for example "country".
func (d Dimension) String() string { return dimensions[d].name }

// Unknown returns the value of clicks whose real value is not known.
func (d Dimension) Unknown() string { return dimensions[d].unknown }

// Unasked reports whether answers have the dimension only if the client asks for it by name.
func (d Dimension) Unasked() bool { return dimensions[d].unasked }

// From returns the dimension that d is derived from, if d is not stored.
func (d Dimension) From() (from Dimension, derived bool) {
	return dimensions[d].from, dimensions[d].from != 0
}

// MaxValues bounds the distinct values of a link on a UTC day, not counting Unknown and OtherValue.
func (d Dimension) MaxValues() int { return dimensions[d].maxValues }

// MaxBytes bounds a value.
func (d Dimension) MaxBytes() int { return dimensions[d].maxBytes }

// same reports whether a filter's value matches a click's value.
func (d Dimension) same(named, value string) bool {
	return named == value || dimensions[d].fold && strings.EqualFold(named, value)
}

// ParseFilter returns the value that a filter asks for. Its error is an *Error of kind Invalid that
// refers to the filter as name.
func (d Dimension) ParseFilter(name, value string) (string, error) {
	parsed, want := value, tooLong(value)
	if parse := dimensions[d].parse; parse != nil {
		parsed, want = parse(value)
	}
	if want != "" {
		return "", Invalidf(name, "%s must be %s", name, want)
	}
	return parsed, nil
}

func tooLong(value string) (want string) {
	if len(value) > MaxValueBytes {
		return fmt.Sprintf("at most %d bytes", MaxValueBytes)
	}
	return ""
}

// exactly returns the parse function of a dimension with a fixed list of values.
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

// parseAliasFilter also takes an alias without its slash, except for those that read like a value
// that is no alias.
func parseAliasFilter(value string) (alias, want string) {
	switch {
	case value == noneValue, value == OtherValue, strings.HasPrefix(value, "/"):
		return value, tooLong(value)
	}
	return "/" + value, tooLong(value)
}

func parseCountryFilter(value string) (country, want string) {
	if country = ParseCountry(value).String(); !strings.EqualFold(value, country) {
		want = "an ISO 3166-1 alpha-2 code, or XX for clicks whose country is not known"
	}
	return country, want
}
