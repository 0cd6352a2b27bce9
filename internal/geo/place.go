package geo

import (
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/oschwald/maxminddb-golang/v2"

	"terse"
)

// Place is where an address is.
type Place struct {
	Country terse.Country
	// Region is the ISO 3166-2 code of the country's first division, for example "DE-BE", or the
	// country and the division's English name where the data has no code; "" when it has neither.
	Region string
	// City is the English name and the region, or the country where the data has no region, for
	// example "Berlin, DE-BE"; "" when the data has none.
	City string
}

var nowhere = Place{Country: terse.UnknownCountry}

const (
	// maxNameBytes bounds names in the file, of which the longest in use have 60. With it a City
	// is shorter than the dimension allows.
	maxNameBytes = 100
	// maxCodeBytes is how long the part of an ISO 3166-2 code behind the country may be.
	maxCodeBytes = 3

	// rememberedPlaces is how many places are remembered. Files of cities have a hundred thousand,
	// but a site's visitors are in few. At some 150 bytes each they take 3 MB at most.
	rememberedPlaces = 1 << 14
)

// data is what a file held, and what was asked of it.
type data struct {
	*maxminddb.Reader
	// places are those asked for lately, by where their records are in the file: most visitors
	// share one with another, and to read it again allocates.
	places [rememberedPlaces]atomic.Pointer[remembered]
}

type remembered struct {
	record uintptr
	place  Place
}

// placeIn returns the place of a record, nowhere for one that is corrupt, about which a redirect
// can do nothing.
func (d *data) placeIn(record maxminddb.Result) Place {
	if record.Err() != nil || !record.Found() {
		return nowhere
	}
	at := record.Offset()
	slot := &d.places[at%rememberedPlaces]
	if r := slot.Load(); r != nil && r.record == at {
		return r.place
	}
	place := read(record)
	slot.Store(&remembered{at, place})
	return place
}

func read(record maxminddb.Result) Place {
	country := terse.ParseCountry(text(record, "country", "iso_code"))
	if country == terse.UnknownCountry {
		return nowhere
	}
	p := Place{Country: country}
	within := country.String()
	if region := regionOf(record); region != "" {
		p.Region = within + "-" + region
		within = p.Region
	}
	if city := nameIn(record, "city", "names", "en"); city != "" {
		p.City = city + ", " + within
	}
	return p
}

// regionOf returns the code of a record's first division, or its name.
func regionOf(record maxminddb.Result) string {
	code := text(record, "subdivisions", 0, "iso_code")
	if code != "" && len(code) <= maxCodeBytes && !strings.ContainsFunc(code, isNotCode) {
		return strings.ToUpper(code)
	}
	return nameIn(record, "subdivisions", 0, "names", "en")
}

func isNotCode(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// nameIn returns a name, or "" for one that can't be shown or is too long to be one.
func nameIn(record maxminddb.Result, path ...any) string {
	name := strings.TrimSpace(text(record, path...))
	if len(name) > maxNameBytes || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, unicode.IsControl) {
		return ""
	}
	return name
}

// text returns "" for a record without a text at path and for one that is corrupt.
func text(record maxminddb.Result, path ...any) (s string) {
	if err := record.DecodePath(&s, path...); err != nil {
		return ""
	}
	return s
}
