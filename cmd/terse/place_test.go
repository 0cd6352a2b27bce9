package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terse/internal/visit/geo/geotest"
)

// Clicks count by the places in a file, the header of a trusted proxy wins.
func TestPlaces(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	path := filepath.Join(t.TempDir(), "city.mmdb")
	file := geotest.FileOf(map[string]any{"20.0.0.0/8": object{
		"country":      object{"iso_code": "DE"},
		"subdivisions": []any{object{"iso_code": "BE", "names": object{"en": "Land Berlin"}}},
		"city":         object{"names": object{"en": "Berlin"}},
	}})
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	i := start(t, "GEOIP_DATABASE="+path, "GEOIP_HEADER=X-Country",
		"TRUSTED_PROXIES=127.0.0.1,::1")
	code := i.shorten(t, "https://example.com/")
	i.do(t, "GET /"+code, "", "X-Forwarded-For: 20.0.0.1")
	i.do(t, "GET /"+code, "", "X-Forwarded-For: 20.0.0.1", "X-Country: FR")
	i.do(t, "GET /"+code, "", "X-Forwarded-For: 21.0.0.1")
	i.drain(t)
	got := i.do(t, "GET /api/urls/"+code+"/clicks?by=country,region,city", "", authorized())
	if want := `"by_country":{"DE":1,"FR":1,"XX":1},"by_region":{"DE-BE":1,"unknown":2},` +
		`"by_city":{"Berlin, DE-BE":1,"unknown":2}`; !strings.Contains(got.body, want) {
		t.Errorf("%s, want %s", got.body, want)
	}
	got = i.do(t, "GET /api/urls/"+code+"/clicks?region=de-be&city=Berlin,%20DE-BE", "",
		authorized())
	if !strings.Contains(got.body, `"total_clicks":1,`) {
		t.Error(got.body)
	}
}
