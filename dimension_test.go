package terse

import (
	"strings"
	"testing"
)

// A row that lacks something stops the program when it starts.
func TestIncompleteDimensionsPanic(t *testing.T) {
	t.Parallel()
	whole := dimensions[ByReferrer]
	for want, spoil := range map[string]func(*dimension){
		"ID":                  func(d *dimension) { d.id = 0 },
		"name":                func(d *dimension) { d.name = "" },
		"unknown":             func(d *dimension) { d.unknown = "" },
		"bounds":              func(d *dimension) { d.maxValues = 0 },
		"unknown, and bounds": func(d *dimension) { d.maxBytes = MaxValueBytes + 1 },
		"own, 1 to 99":        func(d *dimension) { d.id = MaxDimensionID + 1 },
		"own":                 func(d *dimension) { d.id = dimensions[ByCountry].id },
		"name of its own":     func(d *dimension) { d.name = dimensions[ByCountry].name },
		"ID of its own":       func(d *dimension) { *d = dimension{} },
	} {
		row := whole
		spoil(&row)
		if got := panicOf(
			func() { indexByID([]dimension{dimensions[ByCountry], row}) }); !strings.Contains(got,
			want) {
			t.Errorf("panic %q, want one about %q", got, want)
		}
	}
}

func panicOf(f func()) (message string) {
	defer func() { message, _ = recover().(string) }()
	f()
	return ""
}

// The numbers stand in stored clicks.
func TestDimensionIDsStay(t *testing.T) {
	t.Parallel()
	for id, want := range map[uint64]Dimension{
		1: ByCountry, 2: ByReferrer, 3: ByRegion, 4: ByCity, 5: ByReferrerHost, 6: ByBrowser,
		7: ByOS, 8: ByDevice, 9: ByLanguage, 10: ByVisitor, 11: BySource, 12: ByMedium,
		13: ByCampaign, 14: ByRule, 15: ByAlias,
	} {
		if d, ok := DimensionOf(id); !ok || d != want || uint64(d.ID()) != id {
			t.Errorf("ID %d is dimension %d, %v", id, d, ok)
		}
	}
	for _, id := range []uint64{0, 16, MaxDimensionID, MaxDimensionID + 1, 1 << 40} {
		if d, ok := DimensionOf(id); ok {
			t.Errorf("ID %d is dimension %v", id, d)
		}
	}
}

func TestParseFilter(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", MaxReferrerBytes)
	for _, row := range []struct {
		d                 Dimension
		value, want, fail string
	}{
		{ByCountry, "de", "DE", ""},
		{ByCountry, "xx", "XX", ""},
		{ByCountry, "UK", "", "country must be an ISO 3166-1 alpha-2 code"},
		{ByCountry, "D1", "", "country must be an ISO 3166-1 alpha-2 code"},
		{ByCountry, "DEU", "", "country must be an ISO 3166-1 alpha-2 code"},
		{ByDevice, "TV", "tv", ""},
		{ByDevice, "phone", "", "device must be desktop, mobile, tablet, tv, console or other"},
		{ByVisitor, "unknown", "unknown", ""},
		{ByVisitor, "", "", "visitor must be person, bot, prefetch or unknown"},
		{ByReferrer, long, long, ""},
		{ByAlias, "docs/install", "/docs/install", ""},
		{ByAlias, "/docs/install", "/docs/install", ""},
		{ByAlias, "none", "none", ""},
		{ByAlias, "/none", "/none", ""},
		{ByAlias, "other", "other", ""},
		{ByAlias, long + "x", "", "alias must be at most 1024 bytes"},
		{ByReferrer, long + "x", "", "referrer must be at most 1024 bytes"},
	} {
		got, err := row.d.ParseFilter(row.d.String(), row.value)
		if got != row.want || (err == nil) != (row.fail == "") || err != nil &&
			!strings.HasPrefix(err.Error(), row.fail) {
			t.Errorf("%v=%.10s: %.10q, %v", row.d, row.value, got, err)
		}
	}
}

func TestCountryString(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			c := Country{byte(a), byte(b)}
			if c.String() != string(c[:]) {
				t.Fatalf("%q is %q", c[:], c.String())
			}
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = ParseCountry("de").String() }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
