package httpapi_test

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/api"
)

func TestEvents(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, code := range []string{"launch", "other"} {
		f.do(t, post(`{"original_url":"https://example.com/","short_code":"`+code+
			`","tags":["`+code+`"]}`))
	}
	var clicks []terse.Click
	for i := range 250 {
		at := fmt.Sprintf("2026-01-30T09:15:%02d.%06dZ", i/10, 123_447+i%10)
		c := clickAt(t, at, []string{"DE", "US"}[i%2], "https://www.News.example/a")
		c.Values[terse.ByCampaign] = fmt.Sprint("n", i)
		clicks = append(clicks, c)
	}
	clicks[249].Values[terse.BySource] = "=cmd()"
	f.addClicks(t, "launch", clicks...)
	f.addClicks(t, "other", clickAt(t, "2026-01-30T09:16:00.5Z", "FR", "direct"))

	page := func(target string) api.Events {
		t.Helper()
		return decodeAs[api.Events](t, f.do(t, request{target: target}), http.StatusOK)
	}
	want := api.Event{
		ShortCode: "launch", Country: "US", Region: "unknown", City: "unknown",
		Referrer: "https://www.News.example/a", ReferrerHost: "news.example", Browser: "other",
		OS: "other", Device: "other", Language: "unknown", Visitor: "unknown", Source: "=cmd()",
		Medium: "none", Campaign: "n249", Rule: "default",
	}
	got := page("/api/urls/launch/events?limit=1")
	want.Time = got.Events[0].Time
	if len(got.Events) != 1 || got.Events[0] != want || got.NextCursor == "" {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"/api/urls/launch/events?", "/api/events?tag=LAUNCH&"} {
		var campaigns []string
		cursor := ""
		for pages := 1; ; pages++ {
			got := page(path + "cursor=" + cursor + "&country=us")
			for _, e := range got.Events {
				campaigns = append(campaigns, e.Campaign)
			}
			if cursor = got.NextCursor; cursor == "" {
				if pages != 2 {
					t.Errorf("%s: %d pages", path, pages)
				}
				break
			}
		}
		for i, campaign := range campaigns {
			if want := fmt.Sprint("n", 249-2*i); campaign != want {
				t.Fatalf("%s: %d is %s, want %s", path, i, campaign, want)
			}
		}
		if len(campaigns) != 125 {
			t.Errorf("%s: %d events", path, len(campaigns))
		}
	}
	if all := page("/api/events?limit=2").Events; len(all) != 2 || all[0].ShortCode != "other" ||
		all[1].Campaign != "n249" {
		t.Errorf("of all links: %+v", all)
	}
	if none := f.do(t, request{target: "/api/events?tag=none"}); none.body != `{"events":[]}` {
		t.Errorf("of no link: %s", none.body)
	}
	f.wantStreams(t, want)
}

// wantStreams wants the same in all formats.
func (f *fixture) wantStreams(t *testing.T, first api.Event) {
	t.Helper()
	lines := f.do(t, request{target: "/api/urls/launch/events?format=ndjson"})
	if n := strings.Count(lines.body, "\n"); n != 250 {
		t.Errorf("%d lines", n)
	}
	var event api.Event
	line, _, _ := strings.Cut(lines.body, "\n")
	if err := json.Unmarshal([]byte(line), &event); err != nil || event != first ||
		!strings.HasPrefix(line, `{"time":"2026-01-30T09:15:24.123456Z","short_code":"launch",`) {
		t.Errorf("%v: %s", err, line)
	}
	cells := f.do(t, request{target: "/api/events?format=csv&limit=2&country=us"})
	rows, err := csv.NewReader(strings.NewReader(cells.body)).ReadAll()
	if err != nil || len(rows) != 3 || strings.Count(cells.body, "\r\n") != 3 {
		t.Fatalf("%v: %q", err, cells.body)
	}
	names := "time,short_code," + strings.Join(api.EventColumns(), ",") + ",count"
	if strings.Join(rows[0], ",") != names || rows[1][1] != "launch" ||
		rows[1][0] != "2026-01-30T09:15:24.123456Z" || rows[1][12] != "'=cmd()" ||
		rows[1][16] != "1" {
		t.Errorf("%q", rows)
	}
	head := f.do(t, request{method: "HEAD", target: "/api/events?format=csv"})
	if head.status != 200 {
		t.Errorf("HEAD: %+v", head)
	}
}

func TestEventsAreChecked(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	code := f.create(t, "https://example.com/")
	for query, want := range map[string]string{
		"format=xml":         "format must be json, ndjson or csv",
		"limit=0":            "limit must be 1 to 1000",
		"limit=1001":         "limit must be 1 to 1000",
		"limit=x":            "limit must be 1 to 1000",
		"limit=0&format=csv": "limit must be at least 1",
		"cursor=x":           "cursor must be the next_cursor of events",
		"cursor=AAAAAAAA":    "cursor must be the next_cursor of events",
		"device=car":         "device must be desktop, mobile, tablet, tv, console or other",
		"start_time=2026-01-01": "both start_time and end_time must be provided for time range " +
			"queries",
	} {
		for _, path := range []string{
			"/api/urls/" + code + "/events?", "/api/urls/none/events?", "/api/events?",
		} {
			wantError(t, f.do(t, request{target: path + query, bad: true}), 400, want)
		}
	}
	badTag := "/api/events?tag=" + url.QueryEscape("a,b")
	wantError(t, f.do(t, request{target: badTag, bad: true}), 400,
		"a tag must be 1 to 40 characters, without commas and control characters")
	wantError(t, f.do(t, request{target: "/api/urls/none/events"}), 404, "URL not found")
	f.createForeign(t, "foreign")
	wantError(t, f.do(t, request{target: "/api/urls/foreign/events"}), 403,
		"unauthorized to view analytics for this URL")
}

// Clicks of one instant are in the order of their links, the older first, and of one link in the
// same order on each page. A cursor is short, whatever visitors send.
func TestEventsOfOneInstant(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const instant = "2026-01-30T09:15:00Z"
	for _, code := range []string{"older", "newer"} {
		f.do(t, post(`{"original_url":"https://example.com/","short_code":"`+code+`"}`))
	}
	for _, code := range []string{"newer", "older"} {
		for i := range 6 {
			c := clickAt(t, instant, "DE", "https://"+strings.Repeat("x", 900)+".example/")
			c.Values[terse.ByCampaign] = fmt.Sprint("n", i/2) // each twice, so 3 events
			f.addClicks(t, code, c)
		}
	}
	for path, want := range map[string]int{
		"/api/events?": 6, "/api/urls/older/events?": 3, "/api/events?campaign=n1&": 2,
	} {
		whole := decodeAs[api.Events](t, f.do(t, request{target: path}), 200).Events
		var paged []api.Event
		for cursor := ""; ; {
			page := decodeAs[api.Events](t, f.do(t, request{
				target: path + "limit=1&cursor=" + cursor,
			}), 200)
			paged = append(paged, page.Events...)
			if cursor = page.NextCursor; len(cursor) > 64 {
				t.Errorf("%s: cursor of %d characters", path, len(cursor))
			}
			if cursor == "" || len(paged) > want {
				break
			}
		}
		for i := range whole {
			if whole[i].Count != 2 {
				t.Errorf("%s: %d is of %d clicks", path, i, whole[i].Count)
			}
		}
		if len(whole) != want || !slices.Equal(paged, whole) {
			t.Errorf("%s: %d events, page by page %d", path, len(whole), len(paged))
		}
		if !slices.IsSortedFunc(whole, func(a, b api.Event) int {
			return strings.Compare(b.ShortCode, a.ShortCode) // "older" before "newer"
		}) {
			t.Errorf("%s: %+v", path, whole)
		}
	}
}

// No cursor but one of events is taken: none that is damaged, and none with the name of a journal
// in it, as cursors once had.
func TestCursorsOfEventsAreChecked(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	code := f.create(t, "https://example.com/")
	f.addClicks(t, code, clickAt(t, "2026-01-30T09:15:00Z", "DE", "direct"),
		clickAt(t, "2026-01-30T09:15:01Z", "DE", "direct"))
	target := "/api/urls/" + code + "/events?limit=1&cursor="
	cursor := decodeAs[api.Events](t, f.do(t, request{target: target}), 200).NextCursor
	bad := []string{cursor + "AA", cursor[4:], cursor[:len(cursor)-4]}
	for i := range cursor {
		for _, c := range "Ab_" {
			if other := cursor[:i] + string(c) + cursor[i+1:]; other != cursor {
				bad = append(bad, other)
			}
		}
	}
	for _, journal := range []string{"", "node", "0123456789abcdef0123456789abcdef"} {
		b := binary.AppendVarint(binary.AppendVarint(nil, 1_769_764_500_000_000), 1)
		b = append(b, journal...)
		b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
		bad = append(bad, base64.RawURLEncoding.EncodeToString(b))
	}
	for _, cursor := range bad {
		wantError(t, f.do(t, request{target: target + cursor}), 400,
			"cursor must be the next_cursor of events")
	}
}

func TestTopLinks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, code := range []string{"aaa", "bbb", "ccc", "ddd"} {
		tags := map[string]string{"aaa": `"x"`, "bbb": `"x","y"`, "ccc": `"y"`}[code]
		f.do(t, post(`{"original_url":"https://example.com/`+code+`","short_code":"`+code+
			`","tags":[`+tags+`]}`))
	}
	f.do(t, request{method: "PATCH", target: "/api/urls/bbb", body: `{"title":"The second"}`})
	titles := map[string]string{"bbb": "The second"}
	at := func(day, country string, n int) (clicks []terse.Click) {
		for range n {
			clicks = append(clicks, clickAt(t, "2026-01-"+day+"T12:00:00Z", country, "direct"))
		}
		return clicks
	}
	f.addClicks(t, "aaa", append(at("01", "DE", 5), at("02", "US", 1)...)...)
	f.addClicks(t, "bbb", append(at("01", "US", 2), at("02", "DE", 3)...)...)
	f.addClicks(t, "ccc", append(at("01", "DE", 1), at("02", "US", 4)...)...)
	f.addClicks(t, "ddd", at("02", "DE", 9)...)
	f.do(t, request{method: "DELETE", target: "/api/urls/ddd"})
	const second = "start_time=2026-01-02T00:00:00Z&end_time=2026-01-02T23:00:00Z"
	for query, want := range map[string]string{
		"":                        "3 25: aaa 6, ccc 5, bbb 5",
		second:                    "3 17: ccc 4, bbb 3, aaa 1",
		"country=de":              "3 18: aaa 5, bbb 3, ccc 1",
		second + "&country=de":    "3 12: bbb 3",
		"tag=X":                   "2 11: aaa 6, bbb 5",
		"tag=x&tag=Y":             "1 5: bbb 5",
		"tag=y&not_country=us":    "2 4: bbb 3, ccc 1",
		"tag=x&limit=1&" + second: "2 4: bbb 3, aaa 1",
		"tag=none":                "0 0: ",
	} {
		got := decodeAs[api.Overview](t, f.do(t, request{target: "/api/overview?" + query}), 200)
		var top []string
		for _, link := range got.TopLinks {
			top = append(top, fmt.Sprint(link.ShortCode, " ", link.Clicks))
			if link.OriginalURL != "https://example.com/"+link.ShortCode ||
				link.Title != titles[link.ShortCode] {
				t.Errorf("%+v", link)
			}
		}
		text := fmt.Sprint(got.Links, " ", got.TotalClicks, ": ", strings.Join(top, ", "))
		if text != want {
			t.Errorf("%s: %s, want %s", query, text, want)
		}
	}
	f.do(t, request{method: "DELETE", target: "/api/urls/aaa/clicks"})
	for query, want := range map[string]int64{"tag=x": 5, second: 17, "": 25} {
		got := decodeAs[api.Overview](t, f.do(t, request{target: "/api/overview?" + query}), 200)
		if got.TotalClicks != want || got.TopLinks[0].ShortCode == "aaa" {
			t.Errorf("%s after a clear: %+v", query, got)
		}
	}
}

func TestSortByPeriod(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for code, ago := range map[string][]time.Duration{
		"aaa": {time.Hour, 50 * time.Hour, 51 * time.Hour, 52 * time.Hour},
		"bbb": {time.Hour, 2 * time.Hour, 9 * 24 * time.Hour, 40 * 24 * time.Hour},
		"ccc": {8 * 24 * time.Hour, 8 * 24 * time.Hour, 8 * 24 * time.Hour},
		"ddd": {},
	} {
		f.do(t, post(`{"original_url":"https://example.com/","short_code":"`+code+`"}`))
		for _, d := range ago {
			at := time.Now().Add(-d).UTC().Format(time.RFC3339Nano)
			f.addClicks(t, code, clickAt(t, at, "DE", "direct"))
		}
	}
	for period, want := range map[string][]string{
		"24h": {"bbb", "aaa"}, "7d": {"aaa", "bbb"}, "30d": {"aaa", "bbb", "ccc"},
	} {
		codes, total := f.follow(t, "sort=clicks&limit=2&period="+period)
		if period == "30d" { // two are as many
			slices.Sort(codes[1:3])
		}
		if total != 4 || len(codes) != 4 || !slices.Equal(codes[:len(want)], want) {
			t.Errorf("%s: %v of %d, want %v", period, codes, total, want)
		}
	}
	bot := clickAt(t, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339), "DE", "direct")
	bot.Values[terse.ByVisitor] = terse.Bot
	f.addClicks(t, "ddd", bot, bot, bot, bot)
	for query, want := range map[string][]string{
		"period=24h":             {"ddd 4 4", "bbb 4 2", "aaa 4 1", "ccc 3 0"},
		"period=7d":              {"ddd 4 4", "aaa 4 4", "bbb 4 2", "ccc 3 0"},
		"period=7d&people=true":  {"aaa 4 4 4 4", "bbb 4 2 4 2", "ddd 4 4 0 0", "ccc 3 0 3 0"},
		"period=30d&people=true": {"aaa 4 4 4 4", "bbb 4 3 4 3", "ccc 3 3 3 3", "ddd 4 4 0 0"},
		"people=true": {
			"bbb 4 -1 4 -1", "aaa 4 -1 4 -1", "ccc 3 -1 3 -1", "ddd 4 -1 0 -1",
		},
	} {
		page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?sort=clicks&" + query}),
			http.StatusOK)
		none := int64(-1)
		var got []string
		for _, u := range page.URLs {
			numbers := []int64{u.ClickCount, *cmp.Or(u.PeriodClicks, &none)}
			if u.People != nil {
				numbers = append(numbers, *u.People, *cmp.Or(u.PeriodPeople, &none))
			}
			got = append(got, u.ShortCode+" "+strings.Trim(fmt.Sprint(numbers), "[]"))
		}
		slices.Sort(got)
		slices.Sort(want)
		wantStrings(t, query, got, want...)
	}
	page := decodeAs[api.Page](t, f.do(t, request{
		target: "/api/urls?sort=clicks&period=24h&limit=1",
	}), 200)
	if page.URLs[0].ClickCount != 4 {
		t.Errorf("%+v", page)
	}
	for query, want := range map[string]string{
		"sort=clicks&period=1d": "period must be 24h, 7d or 30d",
		"sort=clicks&period=":   "period must be 24h, 7d or 30d",
		"period=7d":             "period can only be combined with sort=clicks",
		"sort=clicks&period=7d&cursor=" + page.NextCursor: "cursor must be the next_cursor of a " +
			"list with the same search and sort",
	} {
		wantError(t, f.do(t, request{target: "/api/urls?" + query, bad: true}), 400, want)
	}
}
