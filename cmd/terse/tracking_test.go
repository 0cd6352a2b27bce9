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

// A prefetch is a click but no visitor: the visit that follows it is the first.
func TestPrefetchIsNoVisitor(t *testing.T) {
	t.Parallel()
	i := start(t)
	for _, header := range []string{
		"Sec-Purpose: prefetch", "Sec-Purpose: Prefetch;anonymous-client-ip", "Purpose: prefetch",
		"X-Moz: prefetch",
	} {
		code := i.shorten(t, "https://example.com/")
		i.goTo(t, "GET /"+code, "", firefox, header)
		i.goTo(t, "GET /"+code, "", firefox)
		i.drain(t)
		for filter, want := range map[string]string{
			"": `"total_clicks":2,"visitors":1,`, "&visitor=prefetch": `"visitors":0,`,
			"&visitor=person": `"visitors":1,`,
		} {
			got := i.do(t, "GET /api/urls/"+code+"/clicks?visitors=true"+filter, "", authorized())
			if !strings.Contains(got.body, want) {
				t.Errorf("%s%s: %s, want %s", header, filter, got.body, want)
			}
		}
	}
}

// Where visitors came from: the page, the app, or what is left of a page with a long address.
func TestReferrersThatAreCounted(t *testing.T) {
	t.Parallel()
	i := start(t)
	code := i.shorten(t, "https://example.com/")
	for _, referrer := range []string{
		"https://www.news.example:8443/a", "https://www.news.example:8443/" + strings.Repeat("a",
			1024), "android-app://com.Example.reader/https/example.com/a", "about:blank",
	} {
		i.goTo(t, "GET /"+code, "", firefox, "Referer: "+referrer)
	}
	i.drain(t)
	got := i.do(t, "GET /api/urls/"+code+"/clicks?by=referrer,referrer_host", "", authorized())
	want := `"by_referrer":{"android-app://com.Example.reader/":1,"direct":1,` +
		`"https://www.news.example:8443/":1,"https://www.news.example:8443/a":1},` +
		`"by_referrer_host":{"com.Example.reader":1,"direct":1,"news.example":2}`
	if !strings.Contains(got.body, want) {
		t.Errorf("%s, want %s", got.body, want)
	}
}

// Clicks by address: in statistics and events, over an export and an import, and not on a shared
// page.
func TestClicksByAlias(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.makeLink(t, "launch", "https://example.com/",
		`"aliases":["docs/install","none"],"password":"secret"`)
	i.goTo(t, "GET /launch", "", firefox, "X-Link-Password: secret")
	i.goTo(t, "GET /none", "", firefox, "X-Link-Password: secret")
	for range 2 {
		i.goTo(t, "POST /docs/install", "password=secret", firefox,
			"Content-Type: application/x-www-form-urlencoded")
	}
	i.drain(t)
	check := func(i *instance) {
		t.Helper()
		for query, want := range map[string]string{
			"clicks?by=alias":                `"by_alias":{"/docs/install":2,"/none":1,"none":1}`,
			"clicks?by=alias&alias=none":     `"by_alias":{"none":1}`,
			"clicks?by=alias&alias=/none":    `"by_alias":{"/none":1}`,
			"clicks?by=alias&not_alias=none": `"by_alias":{"/docs/install":2,"/none":1}`,
			"events?alias=docs/install":      `"rule":"default","alias":"/docs/install"}`,
			"events?alias=none":              `"rule":"default"}`,
			"events?alias=none&format=csv":   ",campaign,rule,count\r\n",
			"clicks":                         `"by_country":{"XX":4},"by_referrer":{"direct":4}`,
		} {
			got := i.do(t, "GET /api/urls/launch/"+query, "", authorized())
			if !strings.Contains(got.body, want) {
				t.Errorf("%s: %s, want %s", query, got.body, want)
			}
		}
	}
	check(i)
	exported := i.do(t, "GET /api/export", "", authorized())
	other := start(t)
	if got := other.do(t, "POST /api/import", exported.body, authorized()); strings.Contains(
		got.body, "notes") || !strings.Contains(got.body, `"clicks_added":4`) {
		t.Errorf("import: %s", got.body)
	}
	other.drain(t)
	check(other)

	shared := i.do(t, "POST /api/urls/launch/share", "", authorized())
	_, path, _ := strings.Cut(strings.TrimSuffix(shared.body, `"}`), "/ui/share/")
	for query, want := range map[string]string{
		"?by=alias": "by must be names", "?alias=none": "alias is not known here",
		"": "total_clicks",
	} {
		got := i.do(t, "GET /ui/share/"+path+"/clicks"+query, "")
		if !strings.Contains(got.body, want) || strings.Contains(got.body, "install") {
			t.Errorf("shared%s: %s, want %s", query, got.body, want)
		}
	}
}

// A proxy that names no country leaves the question to the address, which is of none here.
func TestCountryHeader(t *testing.T) {
	t.Parallel()
	i := start(t, "GEOIP_HEADER=X-Country", "TRUSTED_PROXIES=127.0.0.1,::1")
	code := i.shorten(t, "https://example.com/")
	for _, country := range []string{"GB", "UK", "EU", "AP", "A1", "T1", "ZZ", "XX", "gb"} {
		i.goTo(t, "GET /"+code, "", firefox, "X-Country: "+country)
	}
	i.drain(t)
	got := i.do(t, "GET /api/urls/"+code+"/analytics", "", authorized())
	if want := `"by_country":{"GB":2,"XX":7}`; !strings.Contains(got.body, want) {
		t.Errorf("%s, want %s", got.body, want)
	}
}

// The fetcher of a messenger gets the preview of a link with max_clicks. Its users get to the
// target, also in the app's own window, and count as people.
func TestFetchersAndTheirApps(t *testing.T) {
	t.Parallel()
	const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 " +
		"(KHTML, like Gecko) Mobile/15E148 "
	i := start(t)
	i.makeLink(t, "several", "https://example.com/", `"max_clicks":5`)
	for _, visit := range []struct {
		agent  string
		status int
	}{
		{"WhatsApp/2.25.20.78 A", 200},
		{"Viber/25.4.1.0", 200},
		{phone + "WhatsApp/2.25.20.78", 302},
		{phone + "Viber/25.4.1.0", 302},
		{phone + "Instagram 380.0 (iPhone16,2; iOS 18_5; en_IR@calendar=gregorian; en)", 302},
		{"MetaIAB Facebook", 302},
		{"node", 302},
		{"node", 410},
	} {
		a := i.goTo(t, "GET /several", "", "User-Agent: "+visit.agent)
		if a.StatusCode != visit.status {
			t.Errorf("%s: %d, want %d", visit.agent, a.StatusCode, visit.status)
		}
	}
	i.drain(t)
	got := i.do(t, "GET /api/urls/several/clicks?by=visitor", "", authorized())
	if want := `"by_visitor":{"bot":1,"person":4}`; !strings.Contains(got.body, want) {
		t.Errorf("%s, want %s", got.body, want)
	}
}
