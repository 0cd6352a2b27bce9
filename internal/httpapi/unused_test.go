package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terse"
	"terse/api"
)

// seedUnused makes links with clicks around the midnight before 2026-01-31.
func (f *fixture) seedUnused(t *testing.T) {
	t.Helper()
	news := terse.LinkOptions{Tags: []string{"news"}}
	for i, link := range []struct {
		code string
		o    terse.LinkOptions
	}{
		{"never", news},
		{"before", terse.LinkOptions{Tags: []string{"news", "shop"}}},
		{"midnight", news},
		{"later", terse.LinkOptions{Tags: []string{"shop"}}},
		{"bots", terse.LinkOptions{Tags: []string{"shop"}, Title: "Summer sale"}},
		{"untracked", terse.LinkOptions{Disabled: true}},
		{"cleared", terse.LinkOptions{
			Disabled: true, Tags: []string{"news"}, Title: "Winter sale",
		}},
		{"deleted", news},
	} {
		f.createAt(t, link.code, fmt.Sprintf("2025-12-01T00:00:0%dZ", i), link.o)
	}
	f.createForeign(t, "foreign")
	for code, at := range map[string][]string{
		"before":   {"2026-01-30T23:59:59.999999Z"},
		"midnight": {"2026-01-30T12:00:00Z", "2026-01-31T00:00:00Z", "2026-01-29T12:00:00Z"},
		"later":    {"2026-03-01T12:34:56.789Z"},
		"bots":     {"2026-02-01T12:00:00Z"},
		"cleared":  {"2026-03-01T12:00:00Z"},
		"deleted":  {"2026-03-01T12:00:00Z"},
		"foreign":  {"2026-03-01T12:00:00Z"},
	} {
		for _, at := range at {
			click := clickAt(t, at, "SE", "direct")
			if code == "bots" {
				click.Values[terse.ByVisitor] = terse.Bot
			}
			f.addClicks(t, code, click)
		}
	}
	click := clickAt(t, "2026-01-31T17:00:00Z", "SE", "direct")
	click.Untracked, click.Values = true, terse.Values{}
	f.addClicks(t, "untracked", click)
	for _, target := range []string{"/api/urls/cleared/clicks", "/api/urls/deleted"} {
		if got := f.do(t, request{method: "DELETE", target: target}); got.status != 204 {
			t.Fatalf("%s: %v", target, got)
		}
	}
}

func TestUnusedSince(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.seedUnused(t)
	const (
		day, february = "unused_since=2026-01-31", "unused_since=2026-02-02"
		old           = "bots midnight before never"
		all           = "cleared untracked bots later midnight before never"
		byClicks      = "midnight untracked bots before cleared never"
	)
	for query, want := range map[string]string{
		day:                       "cleared before never",
		"unused_since=2026-01-30": "cleared never",
		"unused_since=2026-01-01": "cleared never",
		"unused_since=0001-01-01": "",
		"unused_since=2025-12-01": "",
		"unused_since=2025-12-02": "cleared never",
		"unused_since=2026-02-01": "cleared untracked midnight before never",

		february:                                       "cleared untracked " + old,
		"unused_since=2099-12-31":                      all,
		day + "&tag=NEWS":                              "cleared before never",
		day + "&tag=news&tag=shop":                     "before",
		day + "&tag=none":                              "",
		day + "&status=active":                         "before never",
		day + "&status=disabled":                       "cleared",
		day + "&tag=news&status=active":                "before never",
		day + "&search=sale":                           "cleared",
		day + "&search=e&tag=shop":                     "before",
		day + "&created_after=2099-01-01T00:00:00Z":    "",
		day + "&created_before=2099-01-01T00:00:00Z":   "cleared before never",
		day + "&people=true":                           "cleared before never",
		day + "&sort=oldest":                           "never before cleared",
		day + "&sort=clicks":                           "before cleared never",
		february + "&sort=clicks":                      byClicks,
		february + "&sort=clicks&tag=shop&people=true": "before bots",
		day + "&sort=clicks&period=7d":                 "cleared before never",
		day + "&sort=clicks&status=active":             "before never",
		day + "&sort=oldest&search=example":            "never before cleared",
		day + "&sort=clicks&search=example":            "before cleared never",
	} {
		links := strings.Fields(want)
		for _, limit := range []string{"&limit=1", "&limit=2", ""} {
			codes, total := f.follow(t, query+limit)
			wantStrings(t, query+limit, codes, links...)
			if int(total) != len(links) {
				t.Errorf("%s%s: total %d, want %d", query, limit, total, len(links))
			}
		}
		if strings.Contains(query, "search") || strings.Contains(query, "clicks") {
			continue
		}
		for offset := range len(links) + 2 {
			got := f.do(t, request{
				target: "/api/urls?" + query + "&limit=1&offset=" + strconv.Itoa(offset),
			})
			page := decodeAs[api.Page](t, got, http.StatusOK)
			rest := links[min(offset, len(links)):]
			var codes []string
			for _, u := range page.URLs {
				codes = append(codes, u.ShortCode)
			}
			wantStrings(t, query, codes, rest[:min(1, len(rest))]...)
			if int(page.Total) != len(links) {
				t.Errorf("%s from %d: total %d, want %d", query, offset, page.Total, len(links))
			}
		}
	}
	// A page after clicks were counted knows of them.
	f.addClicks(t, "never", clickAt(t, "2026-01-31T00:00:00Z", "SE", "direct"))
	codes, total := f.follow(t, day)
	wantStrings(t, "after a click", codes, "cleared", "before")
	if total != 2 {
		t.Errorf("after a click: total %d", total)
	}
}

// A link that was made on the day or later had no chance to be clicked before it.
func TestNewLinksAreNotUnused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for code, at := range map[string]string{
		"older": "2026-01-30T23:59:59.999999Z", "newer": "2026-01-31T00:00:00Z",
	} {
		f.createAt(t, code, at, terse.LinkOptions{Tags: []string{"news"}})
	}
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"newest","tags":["news"]}`))
	for _, more := range []string{
		"", "&tag=news", "&status=active", "&search=example", "&sort=clicks", "&sort=oldest",
		"&created_before=2099-01-01T00:00:00Z", "&sort=clicks&search=example",
	} {
		for day, want := range map[string]string{
			"2026-01-30": "", "2026-01-31": "older", "2026-02-01": "newer older",
		} {
			codes, total := f.follow(t, "unused_since="+day+more)
			slices.Sort(codes)
			if strings.Join(codes, " ") != want || int(total) != len(codes) {
				t.Errorf("%s%s: %q of %d, want %q", day, more, codes, total, want)
			}
		}
	}
}

func TestUnusedSinceThatIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.seedUnused(t)
	for _, day := range []string{
		"", "today", "2026-1-31", "2026-02-30", "2026-01-31T00:00:00Z", "+2026-01-31", "20260131",
		"2026-01-31+", "26-01-31",
	} {
		wantError(t, f.do(t, request{target: "/api/urls?unused_since=" + day, bad: true}),
			http.StatusBadRequest, "unused_since must be a day such as 2026-01-31")
	}
	first := decodeAs[api.Page](t, f.do(t, request{
		target: "/api/urls?unused_since=2026-01-31&limit=1",
	}), http.StatusOK)
	for _, query := range []string{"", "&unused_since=2026-02-01", "&sort=newest"} {
		got := f.do(t, request{target: "/api/urls?limit=1&cursor=" + first.NextCursor + query})
		wantError(t, got, http.StatusBadRequest,
			"cursor must be the next_cursor of a list with the same search and sort")
	}
}

func TestLastClickedAt(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.seedUnused(t)
	for code, want := range map[string]string{
		"never":     "",
		"before":    "2026-01-30T23:59:59.999999Z",
		"midnight":  "2026-01-31T00:00:00Z",
		"later":     "2026-03-01T12:34:56.789Z",
		"bots":      "2026-02-01T12:00:00Z",
		"untracked": "2026-01-31T00:00:00Z",
		"cleared":   "",
	} {
		field := `"last_clicked_at":"` + want + `"`
		if want == "" {
			field = ""
		}
		target := "/api/urls/" + code
		for what, got := range map[string]answer{
			"GET":    f.do(t, request{target: target}),
			"people": f.do(t, request{target: target + "?people=true"}),
			"PATCH":  f.do(t, patchRequest(code, `{"note":"a note"}`)),
			"again":  f.do(t, patchRequest(code, `{}`)),
			"bulk": f.do(t, request{
				method: "POST", target: "/api/bulk",
				body: `{"operations":[{"op":"update","short_code":"` + code + `","link":{}}]}`,
			}),
		} {
			if got.status != http.StatusOK || !strings.Contains(got.body, field) ||
				field == "" && strings.Contains(got.body, "last_clicked_at") {
				t.Errorf("%s of %s: %s, want %s", what, code, got.body, field)
			}
		}
	}
	for _, query := range []string{
		"", "?people=true", "?unused_since=2026-01-31", "?sort=clicks", "?search=e",
	} {
		got := f.do(t, request{target: "/api/urls" + query})
		if got.status != http.StatusOK || strings.Contains(got.body, "last_clicked_at") {
			t.Errorf("a list%s: %s", query, got.body)
		}
	}
	got := f.do(t, post(`{"original_url":"https://example.com/"}`))
	if strings.Contains(got.body, "last_clicked_at") {
		t.Errorf("POST: %s", got.body)
	}
	// A click does not change the ETag.
	read := f.do(t, request{target: "/api/urls/never"})
	f.addClicks(t, "never", clickAt(t, "2026-04-01T00:00:00.5Z", "SE", "direct"))
	then := f.do(t, request{target: "/api/urls/never"})
	if then.header.Get("ETag") != read.header.Get("ETag") ||
		!strings.Contains(then.body, `"last_clicked_at":"2026-04-01T00:00:00.5Z"`) {
		t.Errorf("%v after %v", then, read)
	}
	// Statistics that were cleared know nothing of earlier clicks.
	f.do(t, request{method: "DELETE", target: "/api/urls/never/clicks"})
	f.addClicks(t, "never", clickAt(t, "2026-02-01T10:00:00Z", "SE", "direct"))
	link := decodeAs[api.Link](t, f.do(t, request{target: "/api/urls/never"}), http.StatusOK)
	if at := link.LastClickedAt.Format("2006-01-02"); at != "2026-02-01" {
		t.Errorf("after clearing: %s", at)
	}
	codes, _ := f.follow(t, "unused_since=2026-02-02&tag=news")
	wantStrings(t, "unused after clearing", codes, "cleared", "midnight", "before", "never")
}
