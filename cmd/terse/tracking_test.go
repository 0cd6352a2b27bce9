package main

import (
	"strings"
	"testing"
)

// What is counted of a visit by a browser with each of the settings.
func TestTracking(t *testing.T) {
	t.Parallel()
	seen := `"by_country":{"DE":1},"by_browser":{"Firefox":1},"by_source":{"mail":1}`
	nothing := `"by_country":{"XX":1},"by_browser":{"other":1},"by_source":{"none":1}`
	for tracking, want := range map[string]string{
		"full": seen, "anonymous": seen, "off": nothing,
	} {
		t.Run(tracking, func(t *testing.T) {
			t.Parallel()
			i := start(t, "TRACKING="+tracking, "GEOIP_HEADER=X-Country",
				"TRUSTED_PROXIES=127.0.0.1,::1")
			code := i.shorten(t, "https://example.com/")
			i.do(t, "GET /"+code+"?utm_source=mail", "", "X-Country: DE",
				"User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0")
			i.drain(t)
			got := i.do(t, "GET /api/urls/"+code+"/clicks?by=country,browser,source", "",
				authorized())
			if !strings.Contains(got.body, want) {
				t.Errorf("%s, want %s", got.body, want)
			}
			got = i.do(t, "GET /api/urls/"+code+"/events", "", authorized())
			if none := strings.Contains(got.body, `"events":[]`); none != (tracking == "off") {
				t.Errorf("single clicks: %s", got.body)
			}
		})
	}
}
