package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/api"
)

// addVisits adds clicks of a link on a day, each of a kind and a country, and of a visitor of its
// own unless it is a bot or a prefetch.
func (f *fixture) addVisits(t *testing.T, code, day string, visits ...string) {
	t.Helper()
	clicks := make([]terse.Click, len(visits))
	for i, visit := range visits {
		kind, country, _ := strings.Cut(visit, " ")
		clicks[i] = clickAt(t, day+"T12:00:00Z", country, "direct")
		clicks[i].Values[terse.ByVisitor] = kind
		if kind == terse.Person {
			clicks[i].Visitor = uint64(i+1) << 56
		}
		if _, err := f.store.VisitorKey(t.Context(), terse.DayOf(clicks[i].Time)); err != nil {
			t.Fatal(err)
		}
	}
	f.addClicks(t, code, clicks...)
}

// seedPeople makes two links: "bots" with more clicks, and "people" with more of people.
func (f *fixture) seedPeople(t *testing.T) {
	t.Helper()
	for _, code := range []string{"people", "bots", "none"} {
		f.do(t, post(`{"original_url":"https://example.com/","short_code":"`+code+
			`","tags":["`+code+`"]}`))
	}
	f.addVisits(t, "people", "2026-01-30", "person DE", "person FR", "bot US")
	f.addVisits(t, "people", "2026-01-31", "prefetch DE")
	f.addVisits(t, "bots", "2026-01-30", "bot US", "bot US", "bot US", "person FR")
	f.addVisits(t, "bots", "2026-01-31", "bot US")
}

func TestPeople(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.seedPeople(t)
	const days = "&start_time=2026-01-30T00:00:00Z&end_time=2026-01-31T23:59:59Z"
	const top = `"top_links":[{"short_code":"people","original_url":"https://example.com/",` +
		`"clicks":4,"people":3},{"short_code":"bots","original_url":"https://example.com/",` +
		`"clicks":5,"people":1}]`
	ask := map[string][]string{
		"/api/urls/people/clicks?people=true" + days: {
			`"total_clicks":4,"people":3,"by_country"`, `"series":[{"time":` +
				`"2026-01-30T00:00:00Z","clicks":3,"people":2},{"time":` +
				`"2026-01-31T00:00:00Z","clicks":1,"people":1}]`,
		},
		"/api/urls/people/clicks?people=true&visitors=true&country=DE" + days: {
			`"total_clicks":2,"people":2,"visitors":1,`, `"clicks":1,"people":1,"visitors":1},`,
		},
		"/api/urls/bots/clicks?people=true&visitor=bot": {`"total_clicks":4,"people":0,`},
		"/api/overview?people=true":                     {`"total_clicks":9,"people":4,`, top},
		"/api/overview?people=true" + days:              {`"total_clicks":9,"people":4,`, top},
		"/api/overview?people=true&tag=bots":            {`"total_clicks":5,"people":1,`},
		"/api/urls/bots?people=true":                    {`"click_count":5,"people":1,`},
		"/api/urls/none?people=true":                    {`"click_count":0,"people":0,`},
		"/api/urls?people=true&limit=3": {
			`"click_count":0,"people":0,`, `"click_count":5,"people":1,`,
			`"click_count":4,"people":3,`,
		},
	}
	share := strings.TrimPrefix(decodeAs[api.Share](t, f.do(t, request{
		method: "POST", target: "/api/urls/people/share",
	}), http.StatusCreated).URL, baseURL)
	ask[share+"/clicks?people=true"] = []string{`"total_clicks":4,"people":3,"by_country"`}
	wantParts(t, f, ask)
	for target := range ask {
		target = strings.Replace(target, "people=true", "people=false", 1)
		got := f.do(t, request{target: target})
		if strings.Contains(got.body, `"people":`) || got.status != http.StatusOK ||
			strings.Contains(got.body, "next_cursor") {
			t.Errorf("%s: %s", target, got.body)
		}
		for _, value := range []string{"1", "True", "&people=no"} {
			target := strings.Replace(target, "people=false", "people="+value, 1)
			wantError(t, f.do(t, request{target: target, bad: true}), http.StatusBadRequest,
				"people must be true or false")
		}
	}
	// What is asked for is checked before the link is looked up.
	for _, target := range []string{
		"/api/urls/nobody?people=x", "/api/recent?short_codes=a&people=x",
	} {
		wantError(t, f.do(t, request{target: target, bad: true}), http.StatusBadRequest,
			"people must be true or false")
	}
	// Days with dropped clicks keep what is known of people.
	if err := f.store.DropClicks(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	delete(ask, "/api/urls/people/clicks?people=true&visitors=true&country=DE"+days)
	wantParts(t, f, ask)
}

func wantParts(t *testing.T, f *fixture, ask map[string][]string) {
	t.Helper()
	for target, want := range ask {
		got := f.do(t, request{target: target})
		for _, part := range want {
			if got.status != http.StatusOK || !strings.Contains(got.body, part) {
				t.Errorf("%s: %d %s, want %s", target, got.status, got.body, part)
			}
		}
	}
}

func TestListByPeople(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.seedPeople(t)
	// A visit is at noon, which may still be to come today.
	yesterday := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	f.addVisits(t, "none", yesterday, "bot US", "bot US")
	f.addVisits(t, "bots", yesterday, "person DE")
	for query, want := range map[string]string{
		"sort=clicks":                            "bots people none",
		"sort=clicks&people=true":                "people bots none",
		"sort=clicks&period=7d":                  "none bots people",
		"sort=clicks&period=7d&people=true":      "bots none people",
		"sort=clicks&people=true&tag=BOTS":       "bots",
		"search=example&sort=clicks&people=true": "people bots none",
		"people=true":                            "none bots people",
	} {
		codes, total := f.follow(t, query+"&limit=1")
		if got := strings.Join(codes, " "); got != want || int(total) != len(codes) {
			t.Errorf("%s: %s of %d, want %s", query, got, total, want)
		}
	}
	cursor := func(query string) string {
		return decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?limit=1&" + query}),
			http.StatusOK).NextCursor
	}
	for query, other := range map[string]string{
		"sort=clicks": "sort=clicks&people=true", "sort=clicks&people=true": "sort=clicks",
		"sort=newest": "people=true", "people=true": "sort=newest",
	} {
		wantError(t, f.do(t, request{
			target: "/api/urls?" + other + "&cursor=" + cursor(query), bad: true,
		}), http.StatusBadRequest,
			"cursor must be the next_cursor of a list with the same search and sort")
	}
	page, err := api.New(f.server.URL, token).Search(t.Context(),
		api.Search{Sort: "clicks", People: true})
	if err != nil || page.URLs[0].ShortCode != "people" || *page.URLs[0].People != 3 {
		t.Errorf("%+v, %v", page, err)
	}
	link, err := api.New(f.server.URL, token).LinkWithPeople(t.Context(), "people")
	if err != nil || link.ClickCount != 4 || *link.People != 3 {
		t.Errorf("%+v, %v", link, err)
	}
}

func TestRecentOfPeople(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	today := time.Now().UTC().Format(time.DateOnly)
	f.addVisits(t, "launch", today, "person DE", "bot US", "bot US", "prefetch DE", "unknown FR")
	for query, want := range map[string]int64{"": 5, "&people=false": 5, "&people=true": 3} {
		got := decodeAs[api.Recent](t, f.do(t, request{
			target: "/api/recent?short_codes=launch" + query,
		}), http.StatusOK)
		sum := int64(0)
		for _, n := range got.Clicks["launch"] {
			sum += n
		}
		if sum != want {
			t.Errorf("%q: %d clicks, want %d", query, sum, want)
		}
	}
	recent, err := api.New(f.server.URL, token).RecentPeople(t.Context(), "launch")
	if last := recent.Clicks["launch"]; err != nil || last[len(last)-1] != 3 {
		t.Errorf("%+v, %v", recent, err)
	}
}

func TestVisitorsByValue(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.seedPeople(t)
	ask := map[string][]string{
		"/api/urls/people/clicks?visitors=by": {
			`"total_clicks":4,"visitors":2,"by_country":{"DE":2,"FR":1,"US":1},` +
				`"visitors_by_country":{"DE":1,"FR":1,"US":0},"by_referrer":{"direct":4},` +
				`"visitors_by_referrer":{"direct":2},"start_time"`,
		},
		// By clicks US would be first.
		"/api/overview?visitors=by&by=country&limit=1": {
			`"by_country":{"FR":2,"other":7},"visitors_by_country":{"FR":2,"other":1}`,
		},
		"/api/overview?visitors=by&people=true&by=visitor": {
			`"total_clicks":9,"people":4,"visitors":3,"by_visitor":{"bot":5,"person":3,` +
				`"prefetch":1},"visitors_by_visitor":{"bot":0,"person":3,"prefetch":0}`,
		},
		"/api/overview?visitors=by&by=country&tag=people&visitor=person": {
			`"by_country":{"DE":1,"FR":1},"visitors_by_country":{"DE":1,"FR":1}`,
		},
	}
	wantParts(t, f, ask)
	got := f.do(t, request{target: "/api/urls/people/clicks?visitors=true"})
	if strings.Contains(got.body, "visitors_by") {
		t.Error(got.body)
	}
	clicks, err := api.New(f.server.URL, token).Overview(t.Context(), api.ClicksQuery{
		By: []string{"country"}, VisitorsBy: true, People: true, Limit: 1,
	})
	if got := fmt.Sprint(clicks.ByCountry, clicks.VisitorsBy("country")); err != nil ||
		got != "map[FR:2 other:7] map[FR:2 other:1]" || *clicks.People != 4 {
		t.Errorf("%s, %v", got, err)
	}
}
