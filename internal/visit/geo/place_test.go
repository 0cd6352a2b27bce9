package geo_test

import (
	"log/slog"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"

	"terse"
	"terse/internal/visit/geo"
	"terse/internal/visit/geo/geotest"
)

type (
	object = map[string]any
	list   = []any
)

// record is what City files have of a place.
func record(country string, city string, divisions ...any) object {
	return object{
		"continent":    object{"code": "EU"},
		"country":      object{"iso_code": country, "names": object{"en": "Somewhere"}},
		"subdivisions": divisions,
		"city":         object{"names": object{"de": "Anderswo", "en": city}},
	}
}

// division is one of a country.
func division(code, name string) object {
	return object{"iso_code": code, "names": object{"en": name, "fr": "Ailleurs"}}
}

func TestPlaces(t *testing.T) {
	long := strings.Repeat("x", 101)
	tests := map[string]struct {
		record any
		want   geo.Place
	}{
		"20.0.0.0/24": {
			record("DE", "Berlin", division("BE", "Land Berlin")),
			geo.Place{terse.ParseCountry("DE"), "DE-BE", "Berlin, DE-BE"},
		},
		"20.0.1.0/24": {
			record("GB", "Leeds", division("ENG", "England"), division("LDS", "Leeds")),
			geo.Place{terse.ParseCountry("GB"), "GB-ENG", "Leeds, GB-ENG"},
		},
		"20.0.2.0/24": {
			record("FR", "Paris", object{"names": object{"en": "Île-de-France"}}),
			geo.Place{terse.ParseCountry("FR"), "FR-Île-de-France", "Paris, FR-Île-de-France"},
		},
		"20.0.3.0/24": {
			record("SG", "Singapore"),
			geo.Place{terse.ParseCountry("SG"), "", "Singapore, SG"},
		},
		"20.0.4.0/24": {
			object{"country": object{"iso_code": "JP"}},
			geo.Place{terse.ParseCountry("JP"), "", ""},
		},
		"20.0.5.0/24": { // without a country the rest leads nowhere
			object{"city": object{"names": object{"en": "Atlantis"}}},
			geo.Place{Country: terse.UnknownCountry},
		},
		"20.0.6.0/24": {
			record("IT", "Ro\x01ma", division("6 2", "La\xffzio")),
			geo.Place{terse.ParseCountry("IT"), "", ""},
		},
		"20.0.7.0/24": {
			record("ES", long, division("MD"+long, long)),
			geo.Place{terse.ParseCountry("ES"), "", ""},
		},
		"20.0.8.0/24": { // other types than those that are documented
			object{
				"country": object{"iso_code": "PT"}, "subdivisions": "Lisboa",
				"city": list{"Lisboa"},
			},
			geo.Place{terse.ParseCountry("PT"), "", ""},
		},
		"2001:db8:1::/48": {
			record("us", "Austin", division("tx", "Texas")),
			geo.Place{terse.ParseCountry("US"), "US-TX", "Austin, US-TX"},
		},
	}
	records := map[string]any{}
	for prefix, test := range tests {
		records[prefix] = test.record
	}
	path := filepath.Join(t.TempDir(), "city.mmdb")
	write(t, path, geotest.FileOf(records))
	db := open(t, path)
	for prefix, test := range tests {
		addr := netip.MustParsePrefix(prefix).Addr().Next()
		for range 2 { // read, and remembered
			if got := db.Place(addr); got != test.want {
				t.Errorf("%s is in %+v, not in %+v", addr, got, test.want)
			}
		}
		if got := db.Country(addr); got != test.want.Country {
			t.Errorf("%s is in %s, not in %s", addr, got, test.want.Country)
		}
		n := testing.AllocsPerRun(100, func() { db.Place(addr) })
		if n != 0 {
			t.Errorf("%s: %v allocations", addr, n)
		}
	}
	if got := db.Place(netip.MustParseAddr("20.0.99.1")); got.Country != terse.UnknownCountry {
		t.Errorf("outside of all networks: %+v", got)
	}
}

// More places than are remembered: each is told all the same.
func TestManyPlaces(t *testing.T) {
	t.Parallel()
	records := map[string]any{}
	addrOf := func(i int) netip.Addr {
		return netip.AddrFrom4([4]byte{20, byte(i >> 8), byte(i), 0})
	}
	nameOf := func(i int) string { return "Town " + strings.Repeat("a", i%20) + addrOf(i).String() }
	const n = 40_000
	for i := range n {
		records[netip.PrefixFrom(addrOf(i), 24).String()] = record("NL", nameOf(i))
	}
	path := filepath.Join(t.TempDir(), "city.mmdb")
	write(t, path, geotest.FileOf(records))
	db := open(t, path)
	for i := range n {
		if got, want := db.Place(addrOf(i)).City, nameOf(i)+", NL"; got != want {
			t.Fatalf("%q, not %q", got, want)
		}
	}
}

// The built-in data knows countries only.
func TestBuiltInPlace(t *testing.T) {
	t.Parallel()
	want := geo.Place{Country: terse.ParseCountry("DE")}
	if got := open(t, "").Place(netip.MustParseAddr("141.14.0.1")); got != want {
		t.Errorf("%+v", got)
	}
}

func BenchmarkPlace(b *testing.B) {
	path := filepath.Join(b.TempDir(), "city.mmdb")
	records := map[string]any{}
	for i := range 200 {
		prefix := netip.PrefixFrom(netip.AddrFrom4([4]byte{byte(i + 1), 0, 0, 0}), 8)
		records[prefix.String()] = record("DE", "Berlin", division("BE", "Land Berlin"))
	}
	write(b, path, geotest.FileOf(records))
	db, err := geo.Open(path, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	addr := netip.MustParseAddr("8.8.8.8")
	b.ReportAllocs()
	for b.Loop() {
		db.Place(addr)
	}
}
