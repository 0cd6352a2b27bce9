package geo

import (
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/oschwald/maxminddb-golang/v2"

	"terse"
)

// Place is the location of an address.
type Place struct {
	Country terse.Country
	// Region is the ISO 3166-2 code of the country's first division, for example "DE-BE". If the
	// data has no code, it is the country and the division's English name; without a name it is "".
	Region string
	// City is the English name and the region, for example "Berlin, DE-BE", or the country if the
	// data has no region. It is "" if the data has no city.
	City string
}

var nowhere = Place{Country: terse.UnknownCountry}

const (
	// maxNameBytes bounds names in the file; the longest in use have 60. It keeps a City shorter
	// than its dimension allows.
	maxNameBytes = 100
	// maxCodeBytes bounds the part of an ISO 3166-2 code behind the country.
	maxCodeBytes = 3

	// rememberedPlaces is how many places are cached. City files have a hundred thousand, but a
	// site's visitors come from few. At about 150 bytes each they take up to 3 MB.
	rememberedPlaces = 1 << 14
)

// data is the content of a file, and a cache of its places.
type data struct {
	*maxminddb.Reader
	// places caches recent places by the offset of their record: most visitors share one, and
	// decoding allocates.
	places [rememberedPlaces]atomic.Pointer[remembered]
}

type remembered struct {
	record uintptr
	place  Place
}

// placeIn returns the place of a record, or nowhere if it is corrupt: a redirect can't do anything
// about that.
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

// nameIn returns a name, or "" if it can't be shown or is too long to be one.
func nameIn(record maxminddb.Result, path ...any) string {
	name := strings.TrimSpace(text(record, path...))
	if len(name) > maxNameBytes || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, unicode.IsControl) {
		return ""
	}
	return name
}

// text returns the text at path, or "" if there is none or the record is corrupt.
func text(record maxminddb.Result, path ...any) (s string) {
	if err := record.DecodePath(&s, path...); err != nil {
		return ""
	}
	return s
}
