package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/api"
)

// points writes a series as people read it.
func points(series []api.Point) (text []string) {
	for _, p := range series {
		text = append(text, fmt.Sprint(p.Time.Format(time.RFC3339), " ", p.Clicks))
	}
	return text
}

// clicksFixture has a link "launch" with clicks around the end of summer time in Berlin, and one
// "other".
func clicksFixture(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t, nil)
	for _, code := range []string{"launch", "other"} {
		f.do(t, request{
			method: "POST", target: "/api/urls",
			body: fmt.Sprintf(`{"original_url":"https://example.com/%s","short_code":%[1]q}`, code),
		})
	}
	f.addClicks(t, "launch",
		clickAt(t, "2026-10-24T21:59:59.999999Z", "DE", "https://news.example/"),
		clickAt(t, "2026-10-24T22:00:00Z", "DE", "https://news.example/"),
		clickAt(t, "2026-10-25T22:59:59Z", "US", "direct"),
		clickAt(t, "2026-10-25T23:00:00Z", "", "https://news.example/"),
	)
	f.addClicks(t, "other", clickAt(t, "2026-10-25T01:00:00Z", "FR", "direct"))
	return f
}

func TestClicksOverTime(t *testing.T) {
	t.Parallel()
	f := clicksFixture(t)
	const berlin = "time_zone=Europe/Berlin&start_time=2026-10-23T22:00:00Z" +
		"&end_time=2026-10-26T22:59:59.999999Z"
	for _, row := range []struct {
		query  string
		total  int64
		series []string
	}{
		{berlin, 4, []string{
			"2026-10-24T00:00:00+02:00 1", "2026-10-25T00:00:00+02:00 2",
			"2026-10-26T00:00:00+01:00 1",
		}},
		{berlin + "&country=de", 2, []string{
			"2026-10-24T00:00:00+02:00 1",
			"2026-10-25T00:00:00+02:00 1", "2026-10-26T00:00:00+01:00 0",
		}},
		{berlin + "&country=XX", 1, []string{
			"2026-10-24T00:00:00+02:00 0",
			"2026-10-25T00:00:00+02:00 0", "2026-10-26T00:00:00+01:00 1",
		}},
		{
			berlin + "&referrer=direct&country=US", 1,
			[]string{
				"2026-10-24T00:00:00+02:00 0", "2026-10-25T00:00:00+02:00 1",
				"2026-10-26T00:00:00+01:00 0",
			},
		},
		{
			berlin + "&referrer=" + url.QueryEscape("https://news.example/"), 3,
			[]string{
				"2026-10-24T00:00:00+02:00 1", "2026-10-25T00:00:00+02:00 1",
				"2026-10-26T00:00:00+01:00 1",
			},
		},
		{berlin + "&interval=week", 4, []string{
			"2026-10-19T00:00:00+02:00 3",
			"2026-10-26T00:00:00+01:00 1",
		}},
		{berlin + "&interval=month&country=&referrer=", 4, []string{"2026-10-01T00:00:00+02:00 4"}},
		{
			"start_time=2026-10-24T22:00:00Z&end_time=2026-10-24T23:59:59Z&interval=hour", 1,
			[]string{"2026-10-24T22:00:00Z 1", "2026-10-24T23:00:00Z 0"},
		},
	} {
		got := decodeAs[api.URLClicks](t, f.do(t, request{target: "/api/urls/launch/clicks?" +
			row.query, bad: strings.Contains(row.query, "country=&")}), http.StatusOK)
		if got.TotalClicks != row.total || !slices.Equal(points(got.Series), row.series) {
			t.Errorf("%s: %d clicks, %v, want %d, %v", row.query, got.TotalClicks,
				points(got.Series), row.total, row.series)
		}
		sum := func(m map[string]int64) (sum int64) {
			for n := range maps.Values(m) {
				sum += n
			}
			return sum
		}
		if sum(got.ByCountry) != row.total || sum(got.ByReferrer) != row.total {
			t.Errorf("%s: %v, %v", row.query, got.ByCountry, got.ByReferrer)
		}
		asked, _ := url.ParseQuery(row.query)
		if got.StartTime != asked.Get("start_time") || got.EndTime != asked.Get("end_time") ||
			got.ShortCode != "launch" || got.OriginalURL != "https://example.com/launch" ||
			got.CreatedAt.IsZero() {
			t.Errorf("%s: %+v", row.query, got)
		}
	}
	day := decodeAs[api.URLClicks](t, f.do(t, request{
		target: "/api/urls/launch/clicks?interval=hour&start_time=2026-10-25T00:00:00Z" +
			"&end_time=2026-10-25T23:59:59.999999Z",
	}), http.StatusOK)
	if len(day.Series) != 24 || day.TimeZone != "UTC" || day.Interval != "hour" {
		t.Errorf("a day by the hour: %d points, %+v", len(day.Series), day)
	}
}

// Without a range the series goes from the first click to now.
func TestClicksOfAllTime(t *testing.T) {
	t.Parallel()
	f := clicksFixture(t)
	got := decodeAs[api.URLClicks](t, f.do(
		t, request{target: "/api/urls/launch/clicks?interval=month&time_zone=Asia/Kolkata"}),
		http.StatusOK)
	if got.TotalClicks != 4 || got.Series[0].Clicks != 4 ||
		got.StartTime != "2026-10-01T00:00:00+05:30" ||
		got.Series[0].Time.Format(time.RFC3339) != got.StartTime {
		t.Errorf("%+v", got)
	}
	end, err := time.Parse(time.RFC3339Nano, got.EndTime)
	if now := time.Now(); err != nil || end.Before(now) || end.Sub(now) > 32*24*time.Hour ||
		end.Nanosecond() != 999_999_000 {
		t.Errorf("end_time %s", got.EndTime)
	}
	// What the answer says can be asked for.
	again := decodeAs[api.URLClicks](
		t, f.do(t, request{
			target: "/api/urls/launch/clicks?interval=month&time_zone=Asia/Kolkata&start_time=" +
				url.QueryEscape(got.StartTime) + "&end_time=" + url.QueryEscape(got.EndTime),
		}),
		http.StatusOK)
	if diff := cmp.Diff(points(got.Series), points(again.Series)); diff != "" {
		t.Errorf("as a range:\n%s", diff)
	}

	code := f.create(t, "https://example.com/")
	for _, query := range []string{"", "?country=SE"} {
		target := "/api/urls/" + code + "/clicks" + query
		if query != "" {
			target = "/api/urls/launch/clicks" + query
		}
		if got := f.do(t, request{target: target}); got.status != http.StatusOK ||
			!strings.Contains(got.body, `"series":[]`) ||
			!strings.Contains(got.body, `"by_country":{}`) ||
			strings.Contains(got.body, "start_time") || strings.Contains(got.body, "end_time") {
			t.Errorf("%s: %d %s", target, got.status, got.body)
		}
	}
}

// A clock that was wrong once does not spoil all time: it is divided into longer intervals, which
// the answer names, and clicks that are centuries off count at its ends.
func TestClicksOfWrongClocks(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	instant := func(year int) int64 {
		return time.Date(year, 3, 15, 12, 0, 0, 0, time.UTC).UnixMicro()
	}
	for _, row := range []struct {
		name     string
		clicks   []int64           // in microseconds since 1970
		interval map[string]string // of the answer, for what is asked for
		first    int               // years from now of the series' begin and end
		last     int
	}{
		{
			"half a year",
			[]int64{now.AddDate(0, -6, 0).UnixMicro()},
			map[string]string{"": "day", "hour": "hour"},
			0, 0,
		},
		{
			"a year",
			[]int64{now.AddDate(-1, 0, 0).UnixMicro()},
			map[string]string{"hour": "day", "day": "day"},
			-1, 0,
		},
		{
			"1970",
			[]int64{0, 1},
			map[string]string{"": "week", "hour": "week", "month": "month"},
			1970 - now.Year(), 0,
		},
		{
			"2150",
			[]int64{instant(2150)},
			map[string]string{"": "month", "week": "month"},
			0,
			2150 - now.Year(),
		},
		{
			"10000",
			[]int64{instant(10000), instant(12000)},
			map[string]string{"": "month", "hour": "month"},
			0, 200,
		},
		{
			"before Christ",
			[]int64{instant(-1000), -1 << 62},
			map[string]string{"": "month"},
			-200,
			0,
		},
		{
			"all",
			[]int64{0, instant(2150), instant(10000), instant(1), 1 << 62},
			map[string]string{"": "month"},
			-200, 200,
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, nil)
			code := f.create(t, "https://example.com/")
			for _, at := range append(row.clicks, now.UnixMicro()) {
				f.addClicks(t, code, terse.Click{
					Time:   at,
					Values: terse.Values{terse.ByCountry: "DE"},
				})
			}
			total := int64(len(row.clicks) + 1)
			for asked, want := range row.interval {
				for _, zone := range []string{"UTC", "Europe/Berlin"} {
					for _, path := range []string{
						"/api/urls/" + code + "/clicks",
						"/api/overview",
					} {
						target := path + "?interval=" + asked + "&time_zone=" + zone
						answer := f.do(t, request{target: target, bad: asked == ""})
						var got api.Clicks
						if path == "/api/overview" {
							got = decodeAs[api.Overview](t, answer, http.StatusOK).Clicks
						} else {
							got = decodeAs[api.URLClicks](t, answer, http.StatusOK).Clicks
						}
						checkSums(t, target, got, total)
						if got.Interval != want {
							t.Errorf("%s: by %s, want %s", target, got.Interval, want)
						}
						for end, want := range map[string]int{
							got.StartTime: row.first,
							got.EndTime:   row.last,
						} {
							if at, err := time.Parse(time.RFC3339Nano, end); err != nil ||
								max(at.Year()-now.Year()-want, want+now.Year()-at.Year()) > 1 {
								t.Errorf("%s: from %s to %s: %v", target, got.StartTime,
									got.EndTime, err)
							}
						}
					}
				}
			}
		})
	}
}

// checkSums holds an answer to its promise: everything in it adds up.
func checkSums(t *testing.T, target string, got api.Clicks, total int64) {
	t.Helper()
	var sum int64
	for i, p := range got.Series {
		sum += p.Clicks
		if i > 0 && !p.Time.After(got.Series[i-1].Time) {
			t.Fatalf("%s: interval %d begins at %v, behind %v", target, i, p.Time,
				got.Series[i-1].Time)
		}
	}
	if got.TotalClicks != total || sum != total || got.ByCountry["DE"] != total ||
		got.ByReferrer["direct"] != total || len(got.Series) > 5000 {
		t.Errorf("%s: %d clicks, %d in %d intervals, %v, %v, want %d", target, got.TotalClicks, sum,
			len(got.Series), got.ByCountry, got.ByReferrer, total)
	}
}

func TestClicksQueriesThatAreRefused(t *testing.T) {
	t.Parallel()
	f := clicksFixture(t)
	const tooMany = "the time range has more than 5000 intervals; " +
		"ask for a shorter one or for longer intervals"
	for query, want := range map[string]string{
		"interval=year": "interval must be hour, day, week or month",
		"time_zone=Europe/Nowhere": "time_zone must be an IANA time zone such as " +
			"Europe/Berlin",
		"time_zone=Local": "time_zone must be an IANA time zone such as " +
			"Europe/Berlin",
		"time_zone=../../etc/passwd": "time_zone must be an IANA time zone such as " +
			"Europe/Berlin",
		"country=DEU": "country must be an ISO 3166-1 alpha-2 code, or " +
			"XX for clicks whose country is not known",
		"country=1%C3": "country must be an ISO 3166-1 alpha-2 code, or " +
			"XX for clicks whose country is not known",
		"referrer=" + strings.Repeat("x", 1025): "referrer must be at most 1024 bytes",
		"start_time=2026-10-25T00:00:00Z": "both start_time and end_time must be provided " +
			"for time range queries",
		"country=%": "malformed query string",
		"start_time=2026-01-01T00:00:00Z&end_time=2026-10-26T00:00:00Z&interval=hour":  tooMany,
		"start_time=0001-01-01T00:00:00Z&end_time=9999-10-26T00:00:00Z&interval=month": tooMany,
		"start_time=9999-12-30T00:00:00Z&end_time=9999-12-31T23:00:00Z&time_zone=Asia/Tokyo": "" +
			"the time range reaches beyond the years 0000 to 9999 of the time zone",
	} {
		for _, path := range []string{
			"/api/urls/launch/clicks", "/api/urls/nothere/clicks",
			"/api/overview",
		} {
			wantError(t, f.do(t, request{target: path + "?" + query, bad: true}),
				http.StatusBadRequest, want)
		}
	}
	f.createForeign(t, "foreign")
	for _, path := range []string{"/api/urls/foreign", "/api/urls/foreign/clicks"} {
		wantError(t, f.do(t, request{target: path}), http.StatusForbidden,
			"unauthorized to view analytics for this URL")
	}
	for _, path := range []string{"/api/urls/nothere", "/api/urls/nothere/clicks"} {
		wantError(t, f.do(t, request{target: path}), http.StatusNotFound, "URL not found")
	}
}

func TestReadLink(t *testing.T) {
	t.Parallel()
	f := clicksFixture(t)
	got := decodeAs[api.Link](t, f.do(t, request{target: "/api/urls/launch"}), http.StatusOK)
	list := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls"}), http.StatusOK)
	want := api.Link{
		URL: list.URLs[1], ShortURL: baseURL + "/launch", LastClickedAt: got.LastClickedAt,
	}
	if diff := cmp.Diff(want, got); diff != "" || got.ClickCount != 4 ||
		got.LastClickedAt.IsZero() {
		t.Errorf("(-listed +read)\n%s", diff)
	}
}

func TestOverview(t *testing.T) {
	t.Parallel()
	empty := decodeAs[api.Overview](t, newFixture(t, nil).do(t, request{target: "/api/overview"}),
		http.StatusOK)
	if diff := cmp.Diff(api.Overview{
		TopLinks: []api.TopLink{},
		Clicks: api.Clicks{
			Counts: api.Counts{
				ByCountry:  map[string]int64{},
				ByReferrer: map[string]int64{},
			}, Interval: "day", TimeZone: "UTC",
			Series: []api.Point{},
		},
	}, empty); diff != "" {
		t.Errorf("without links (-want +got)\n%s", diff)
	}

	f := clicksFixture(t)
	for i := range 12 {
		code := f.create(t, "https://example.com/")
		for range i {
			f.addClicks(t, code, clickAt(t, "2026-10-24T00:00:00Z", "SE", "direct"))
		}
	}
	const target = "/api/overview?start_time=2026-10-24T00:00:00Z&end_time=2026-10-25T23:59:59Z"
	got := decodeAs[api.Overview](t, f.do(t, request{target: target}), http.StatusOK)
	if got.Links != 14 || len(got.TopLinks) != 10 || got.TopLinks[0].Clicks != 11 ||
		got.TopLinks[9].Clicks != 3 || got.TotalClicks != 5+66 {
		t.Errorf("%+v", got)
	}
	if want := []string{
		"2026-10-24T00:00:00Z 68",
		"2026-10-25T00:00:00Z 3",
	}; !slices.Equal(points(got.Series), want) {
		t.Errorf("series %v, want %v", points(got.Series), want)
	}
	if got := decodeAs[api.Overview](t, f.do(t, request{target: target + "&country=DE"}),
		http.StatusOK); got.TotalClicks != 2 || len(got.TopLinks) != 1 {
		t.Errorf("of a country: %+v", got)
	}
	// Clicks of deleted links stay.
	f.do(t, request{method: "DELETE", target: "/api/urls/launch"})
	if got := decodeAs[api.Overview](t, f.do(t, request{target: target}),
		http.StatusOK); got.Links != 13 || got.TotalClicks != 5+66 {
		t.Errorf("after a delete: %+v", got)
	}
}
