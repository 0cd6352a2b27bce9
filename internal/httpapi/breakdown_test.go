package httpapi_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/api"
)

// clickBy is a click of a rule, from a country and a referrer.
func clickBy(t *testing.T, rule, country, referrer string) terse.Click {
	t.Helper()
	c := clickAt(t, "2026-01-31T12:00:00Z", country, referrer)
	c.Values[terse.ByRule] = rule
	return c
}

func TestBreakdown(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	f.addClicks(t, "launch",
		clickBy(t, "ios", "DE", "direct"), clickBy(t, "ios", "US", "https://a.example/"),
		clickBy(t, "", "DE", "https://a.example/"), clickBy(t, "b", "FR", "https://b.example/"))
	type counted = map[string]int64
	for query, want := range map[string]api.Clicks{
		"": {TotalClicks: 4, Counts: api.Counts{
			ByCountry:  counted{"DE": 2, "US": 1, "FR": 1},
			ByReferrer: counted{"direct": 1, "https://a.example/": 2, "https://b.example/": 1},
		}},
		"by=rule": {TotalClicks: 4, Counts: api.Counts{
			ByRule: counted{"ios": 2, "default": 1, "b": 1},
		}},
		"by=rule,country&by=&by=rule&limit=1": {TotalClicks: 4, Counts: api.Counts{
			ByRule: counted{"ios": 2, "other": 2}, ByCountry: counted{"DE": 2, "other": 2},
		}},
		"by=rule&country=de&country=fr": {TotalClicks: 3, Counts: api.Counts{
			ByRule: counted{"ios": 1, "default": 1, "b": 1},
		}},
		"by=country&rule=ios&rule=default&not_country=us": {TotalClicks: 2, Counts: api.Counts{
			ByCountry: counted{"DE": 2},
		}},
		"by=rule&country=DE&not_country=DE": {Counts: api.Counts{ByRule: counted{}}},
		"by=rule&rule=IOS":                  {Counts: api.Counts{ByRule: counted{}}},
		"by=rule&not_rule=none&rule=": {TotalClicks: 4, Counts: api.Counts{
			ByRule: counted{"ios": 2, "default": 1, "b": 1},
		}},
	} {
		for _, path := range []string{"/api/urls/launch/clicks?", "/api/overview?"} {
			got := f.do(t, request{target: path + query, bad: strings.Contains(query, "rule=&") ||
				strings.HasSuffix(query, "=")})
			var clicks api.Clicks
			if strings.HasPrefix(path, "/api/overview") {
				clicks = decodeAs[api.Overview](t, got, http.StatusOK).Clicks
			} else {
				clicks = decodeAs[api.URLClicks](t, got, http.StatusOK).Clicks
			}
			var series int64
			for _, point := range clicks.Series {
				series += point.Clicks
			}
			if clicks.TotalClicks != want.TotalClicks || series != want.TotalClicks {
				t.Errorf("%s%s: %d clicks, %d in the series", path, query, clicks.TotalClicks,
					series)
			}
			for _, d := range api.Dimensions() {
				if got, want := clicks.By(d), want.By(d); !maps.Equal(got, want) ||
					(got == nil) != (want == nil) {
					t.Errorf("%s%s by %s: %v, want %v", path, query, d, got, want)
				}
			}
		}
	}
	// The contract's analytics know two dimensions.
	got := f.do(t, request{target: "/api/urls/launch/analytics?by=rule"})
	if strings.Contains(got.body, "by_rule") || !strings.Contains(got.body, "by_country") {
		t.Errorf("analytics: %s", got.body)
	}
}

// Answers with counts are what package json makes of them, in the order of their names.
func TestCountsAsJSON(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	for i, name := range []string{
		"b", "a", "ab", "", "A", `"\/`, "<&>", "\x00\n\x7f", "\u2028", "ä", "\U0001F517", "\ufffd",
	} {
		for range i + 1 {
			f.addClicks(t, "launch", clickBy(t, name, "DE", "https://"+name+".example/"))
		}
	}
	clicks := f.do(t, request{target: "/api/urls/launch/clicks?interval=week&by=" +
		strings.Join(api.Dimensions(), ",")})
	wantAsJSON(t, clicks, decodeAs[api.URLClicks](t, clicks, http.StatusOK))
	analytics := f.do(t, request{target: "/api/urls/launch/analytics"})
	wantAsJSON(t, analytics, decodeAs[api.Analytics](t, analytics, http.StatusOK))
}

func wantAsJSON(t *testing.T, got answer, body any) {
	t.Helper()
	want, err := json.Marshal(body, json.Deterministic(true))
	if err != nil || got.body != string(want) {
		t.Errorf("%s, want %s, %v", got.body, want, err)
	}
}

func TestBreakdownRefusals(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	badBy := "by must be names of dimensions separated by commas: " +
		strings.Join(api.Dimensions(), ", ")
	for query, want := range map[string]string{
		"by=browsers": badBy, "by=,country": badBy, "by=Country": badBy,
		"limit=0": "limit must be 1 to 1000", "limit=1001": "limit must be 1 to 1000",
		"limit=ten":            "limit must be 1 to 1000",
		"visitors=yes":         "visitors must be true, false or by",
		"visitors=&visitors=1": "visitors must be true, false or by",
		"people=1":             "people must be true or false",
		"not_country=DEU": "not_country must be an ISO 3166-1 alpha-2 code, or XX for clicks " +
			"whose country is not known",
		"not_rule=" + strings.Repeat("x", 1025): "not_rule must be at most 1024 bytes",
		strings.Repeat("&country=DE", 101):      "at most 100 filter values",
	} {
		// The link is not looked up.
		got := f.do(t, request{target: "/api/urls/nobody/clicks?" + query, bad: true})
		wantError(t, got, http.StatusBadRequest, want)
	}
}

// Of two mistakes in one request the same is always named: that of the first dimension, and of its
// filter before its negation.
func TestBreakdownRefusesTheSame(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for range 20 {
		for query, want := range map[string]string{
			"not_device=x&device=y":             `:"device must be`,
			"visitor=z&not_device=x&device=y":   `:"device must be`,
			"device=y&not_country=x&not_rule=a": `:"not_country must be`,
		} {
			for _, path := range []string{"/api/urls/nobody/clicks?", "/api/urls/nobody/events?"} {
				got := f.do(t, request{target: path + query, bad: true})
				if got.status != http.StatusBadRequest || !strings.Contains(got.body, want) {
					t.Fatalf("%s%s: %d %s, want %s", path, query, got.status, got.body, want)
				}
			}
		}
	}
}

func TestClientBreakdown(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	f.addClicks(t, "launch", clickBy(t, "ios", "DE", "direct"), clickBy(t, "b", "DE", "direct"),
		clickBy(t, "c", "DE", "direct"))
	clicks, err := api.New(f.server.URL, token).Clicks(t.Context(), "launch", api.ClicksQuery{
		By: []string{"rule", "country"}, Only: url.Values{"country": {"DE", "FR"}},
		Not: url.Values{"rule": {"b"}}, Limit: 1,
	})
	if err != nil || clicks.TotalClicks != 2 || clicks.ByRule["other"] != 1 ||
		clicks.ByCountry["DE"] != 2 || clicks.ByReferrer != nil {
		t.Errorf("%+v, %v", clicks, err)
	}
}

func TestVisitors(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	visit := func(at string, visitor uint64) terse.Click {
		c := clickAt(t, at, "DE", "direct")
		c.Visitor = visitor
		if _, err := f.store.VisitorKey(t.Context(), terse.DayOf(c.Time)); err != nil {
			t.Fatal(err)
		}
		return c
	}
	f.addClicks(t, "launch",
		visit("2026-01-30T12:00:00Z", 1<<60), visit("2026-01-30T12:00:01Z", 1<<60),
		visit("2026-01-30T12:00:00Z", 2<<60), visit("2026-01-31T12:00:00Z", 3<<60),
		visit("2026-01-31T13:00:00Z", 0))
	span := "start_time=2026-01-29T00:00:00Z&end_time=2026-01-31T23:59:59Z&"
	for query, want := range map[string]string{
		"visitors=true": `"total_clicks":5,"visitors":3,`,
		span + "visitors=true&country=DE": `"series":[{"time":"2026-01-29T00:00:00Z","clicks":0,` +
			`"visitors":0},{"time":"2026-01-30T00:00:00Z","clicks":3,"visitors":2},` +
			`{"time":"2026-01-31T00:00:00Z","clicks":2,"visitors":1}]`,
		span + "visitors=&visitors=true&country=FR": `"total_clicks":0,"visitors":0,`,
		"visitors=false": `"total_clicks":5,"by_country"`,
		"visitors=":      `"total_clicks":5,"by_country"`,
		span:             `"clicks":3},`,
	} {
		for _, path := range []string{"/api/urls/launch/clicks?", "/api/overview?"} {
			got := f.do(t, request{
				target: path + query, bad: strings.Contains(query+"&", "visitors=&"),
			})
			if !strings.Contains(got.body, want) {
				t.Errorf("%s%s: %s, want %s", path, query, got.body, want)
			}
		}
	}
	client := api.New(f.server.URL, token)
	clicks, err := client.Clicks(t.Context(), "launch", api.ClicksQuery{Visitors: true})
	if err != nil || clicks.Visitors == nil || *clicks.Visitors != 3 ||
		*clicks.Series[0].Visitors != 2 {
		t.Errorf("%+v, %v", clicks, err)
	}
}
