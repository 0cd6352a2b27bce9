package terse

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Dimension is a property of a click that is counted on its own. To add one, add a constant
// and its row in dimensions; what stores, counts and answers clicks loops over them.
type Dimension uint8

// The dimensions, in the order in which answers have them.
const (
	ByCountry  Dimension = iota // as ParseCountry returns it, for example "DE"
	ByReferrer                  // as ParseReferrer returns it, for example "https://news.example/"
	ByBrowser                   // its family without a version, for example "Firefox"
	ByRule                      // the Name of the link's Rule that decided
	NumDimensions
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
	// unasked leaves the dimension out of answers to clients that did not ask for it by name.
	unasked bool
}

var dimensions = [NumDimensions]dimension{
	ByCountry: {
		id: 1, name: "country", unknown: UnknownCountry.String(),
		maxValues: 1 << 16, // all pairs of bytes: countries are never folded
		maxBytes:  2, parse: parseCountryFilter,
	},
	ByReferrer: {
		id: 2, name: "referrer", unknown: DirectReferrer,
		maxValues: MaxReferrersPerDay, maxBytes: MaxReferrerBytes,
	},
	ByBrowser: {
		id: 6, name: "browser", unknown: OtherValue,
		maxValues: MaxReferrersPerDay, maxBytes: 64, unasked: true,
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

// MaxValues bounds the different values of a link on a UTC day, without Unknown and OtherValue.
func (d Dimension) MaxValues() int { return dimensions[d].maxValues }

// MaxBytes bounds a value.
func (d Dimension) MaxBytes() int { return dimensions[d].maxBytes }

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
		return "", invalid("%s must be %s", name, want)
	}
	return parsed, nil
}

func parseCountryFilter(value string) (country, want string) {
	if country = ParseCountry(value).String(); !strings.EqualFold(value, country) {
		want = "an ISO 3166-1 alpha-2 code, or XX for clicks whose country is not known"
	}
	return country, want
}
