package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"terse/api"
)

// A search takes several words, short URLs as people paste them, and hosts in Unicode or punycode.
func TestSearchUnderstandsWhatPeopleType(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for code, original := range map[string]string{
		"goblog": "https://go.dev/blog/?from=acme", "acmejobs": "https://acme.example/JOBS/",
		"acmeblog": "https://acme.example/blog/",
		"unicode":  "https://münchen.example/straße",
		"ascii":    "https://xn--mnchen-3ya.example/platz",
	} {
		f.do(t, request{
			method: "POST", target: "/api/urls",
			body: fmt.Sprintf(`{"original_url":%q,"short_code":%q}`, original, code),
		})
	}
	base := strings.TrimPrefix(baseURL, "https://")
	for text, want := range map[string]string{
		"acme jobs":                   "acmejobs",
		"  JOBS\tacme ":               "acmejobs",
		"acme blog":                   "acmeblog goblog",
		"acme nothing":                "",
		base + "/goblog":              "goblog",
		"http://" + base + "/goblog":  "goblog",
		"https://" + base + "/goblog": "goblog",
		"HTTP://" + base + "/goblog/": "goblog",
		base + "/goblog?utm=1":        "goblog",
		base + "/goblog+":             "goblog",
		"/goblog":                     "goblog",
		"elsewhere.example/goblog":    "",
		base + "/goblog acme":         "goblog",
		base + "/goblog nothing":      "",
		base + "/gobl":                "",
		"münchen":                     "ascii unicode",
		"münchen.example":             "ascii unicode",
		"https://München.example/":    "ascii unicode",
		"xn--mnchen-3ya.example":      "ascii unicode",
		"xn--mnchen-3ya.example/stra": "unicode",
	} {
		codes, total := f.follow(t, "search="+url.QueryEscape(text))
		slices.Sort(codes)
		if got := strings.Join(codes, " "); got != want || int(total) != len(codes) {
			t.Errorf("%q: %s, total %d, want %s", text, got, total, want)
		}
	}
}

// A short URL finds its link and no other, though others have its address in them.
func TestPastedShortURLFindsItsLink(t *testing.T) {
	t.Parallel()
	for _, ignoreCase := range []bool{false, true} {
		f := newCasedFixture(t, ignoreCase, nil)
		for code, more := range map[string]string{
			"kX2a": `"tags":["a"],"aliases":["9","docs/install","grüße","a b"]`,
			"kX2":  `"title":"kX2a 9"`, "install": `"note":"x"`, "kX2ab": `"disabled":true`,
		} {
			f.do(t, post(`{"original_url":"https://example.com/9/docs/install","short_code":"`+
				code+`",`+more+`}`))
		}
		f.createForeign(t, "foreign")
		base := strings.TrimPrefix(baseURL, "https://")
		cased := "kX2a"
		if !ignoreCase {
			cased = ""
		}
		for text, want := range map[string]string{
			"/kX2":               "kX2",
			"/kX2/":              "kX2",
			"/kX2+":              "kX2",
			"/kX2?utm_source=qr": "kX2",
			"/kX2#part":          "kX2",
			"/kX2a":              "kX2a",
			"/KX2A":              cased,
			"/9":                 "kX2a",
			"/9+":                "kX2a",
			"/docs/install":      "kX2a",
			"/docs/install/?a=b": "kX2a",
			"/Docs/install":      cased,
			"/docs":              "",
			"/gru%CC%88%C3%9Fe":  "kX2a",
			"/a%20b":             "kX2a",
			"/install":           "install",
			"/kX":                "",
			"/foreign":           "",
			"/kX2a/deeper":       "",
		} {
			for _, scheme := range []string{"", "https://", "http://"} {
				for _, more := range []string{"", "&sort=clicks", "&sort=oldest&tag=a"} {
					query := "search=" + url.QueryEscape(scheme+base+text) + more
					found := want
					if strings.Contains(more, "tag") && want != "kX2a" {
						found = ""
					}
					codes, total := f.follow(t, query)
					if strings.Join(codes, " ") != found || int(total) != len(codes) {
						t.Errorf("%s: %q of %d, want %q", query, codes, total, found)
					}
				}
			}
		}
	}
}

// Words and texts are found however their letters are composed.
func TestSearchComposes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const apart, composed = "cafe\u0301", "caf\u00e9"
	for code, body := range map[string]string{
		"title-a": `"title":"The ` + strings.ToUpper(apart) + `"`,
		"title-c": `"title":"The ` + composed + `"`,
		"tag-a":   `"tags":["` + apart + `"]`,
	} {
		f.do(t, post(`{"original_url":"https://example.com/","short_code":"`+code+`",`+body+`}`))
	}
	for code, url := range map[string]string{
		"url-a": "https://example.com/" + apart, "url-c": "https://example.com/" + composed,
		"host-a": "https://" + apart + ".example/", "host-c": "https://" + composed + ".example/",
	} {
		f.do(t, post(`{"original_url":"`+url+`","short_code":"`+code+`"}`))
	}
	for word, want := range map[string]string{
		apart:                  "host-a host-c tag-a title-a title-c url-a url-c",
		composed:               "host-a host-c tag-a title-a title-c url-a url-c",
		"THE " + apart:         "title-a title-c",
		"example.com/" + apart: "url-a url-c",
		apart + ".example":     "host-a host-c",
		"xn--caf-dma.example":  "host-a host-c",
		"nothing " + composed:  "",
	} {
		codes, _ := f.follow(t, "search="+url.QueryEscape(word))
		slices.Sort(codes)
		wantStrings(t, word, codes, strings.Fields(want)...)
	}
}

// Each page of a search says how many links it finds in all.
func TestSearchTotalIsOfAllPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for i := range 7 {
		f.create(t, fmt.Sprintf("https://example.com/%d", i))
	}
	for _, sort := range []string{"newest", "oldest", "clicks"} {
		cursor := ""
		for n := range 4 {
			page := decodeAs[api.Page](
				t, f.do(t, request{target: "/api/urls?search=example&limit=2&sort=" + sort +
					cursor}), http.StatusOK)
			if page.Total != 7 || page.TotalAtLeast || (page.NextCursor == "") != (n == 3) {
				t.Errorf("%s, page %d: %+v", sort, n, page)
			}
			cursor = "&cursor=" + page.NextCursor
		}
	}
}

// follow reads a list by its cursors and returns the codes.
func (f *fixture) follow(t *testing.T, query string) (codes []string, total int64) {
	t.Helper()
	cursor := ""
	for range 100 {
		page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?" + query + cursor}),
			http.StatusOK)
		for _, u := range page.URLs {
			codes = append(codes, u.ShortCode)
		}
		if page.NextCursor == "" {
			return codes, page.Total
		}
		cursor = "&cursor=" + url.QueryEscape(page.NextCursor)
	}
	t.Fatalf("%s has no end", query)
	return nil, 0
}

func TestListIsSortedAndSearched(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for i := range 7 {
		body := fmt.Sprintf(`{"original_url":"https://Example.com/%d","short_code":"code%d"}`,
			i%2, i)
		f.do(t, request{method: "POST", target: "/api/urls", body: body})
	}
	click := clickAt(t, "2026-10-24T00:00:00Z", "SE", "direct")
	f.addClicks(t, "code3", click, click)
	f.addClicks(t, "code5", click)
	for query, want := range map[string]string{
		"sort=newest":                         "6543210",
		"sort=oldest":                         "0123456",
		"sort=clicks":                         "3564210",
		"search=EXAMPLE.com/1":                "531",
		"search=Code4":                        "4",
		"search=/0&sort=oldest":               "0246",
		"search=/1&sort=clicks":               "351",
		"search=nothing":                      "",
		"search=" + strings.Repeat("ä", 200):  "",
		"sort=newest&search=code&sort=oldest": "6543210",
	} {
		for _, limit := range []string{"&limit=1", "&limit=2", "&limit=7", ""} {
			codes, total := f.follow(t, query+limit)
			all := strings.ReplaceAll(strings.Join(codes, ""), "code", "")
			if all != want || strings.Contains(query, "search") && total != int64(len(want)) ||
				!strings.Contains(query, "search") && total != 7 {
				t.Errorf("%s%s: %s, total %d, want %s", query, limit, all, total, want)
			}
		}
	}
	page := decodeAs[api.Page](t, f.do(
		t, request{target: "/api/urls?sort=oldest&offset=5&limit=1"}), http.StatusOK)
	if len(page.URLs) != 1 || page.URLs[0].ShortCode != "code5" || page.NextCursor == "" ||
		page.Offset != 5 {
		t.Errorf("oldest from 5: %+v", page)
	}
	// The plain list says nothing of cursors.
	if got := f.do(t, request{target: "/api/urls?limit=2"}); strings.Contains(got.body, "cursor") {
		t.Errorf("plain list: %s", got.body)
	}
}

func TestListQueriesThatAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for i := range 3 {
		f.create(t, fmt.Sprintf("https://example.com/%d", i))
	}
	cursor := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?sort=newest&limit=1"}),
		http.StatusOK).NextCursor
	const (
		search  = "search must be 1-200 characters"
		sort    = "sort must be newest, oldest or clicks"
		foreign = "cursor must be the next_cursor of a list with the same search and sort"
		offset  = "offset can not be combined with search, cursor or sort=clicks"
	)
	refused := map[string]string{
		"search=": search, "search=+%09": search, "search=" + strings.Repeat("x", 201): search,
		"search=%FF": search,
		"sort=":      sort, "sort=Newest": sort, "sort=url": sort,
		"cursor=": foreign, "cursor=x": foreign, "cursor=AAAAAAAAAA": foreign,
		"cursor=" + cursor + "AA":      foreign,
		"sort=oldest&cursor=" + cursor: foreign, "search=a&cursor=" + cursor: foreign,
		"cursor=" + cursor + "&offset=1": offset, "search=a&offset=1": offset,
		"search=" + url.QueryEscape(baseURL+"/abc") + "&offset=1": offset,
		"sort=clicks&offset=1": offset,
		"sort=newest&limit=%":  "malformed query string",
	}
	for i := range cursor {
		for _, c := range "Ab_" {
			if other := cursor[:i] + string(c) + cursor[i+1:]; other != cursor {
				refused["cursor="+other] = foreign
			}
		}
	}
	for query, want := range refused {
		wantError(t, f.do(t, request{target: "/api/urls?" + query, bad: true}),
			http.StatusBadRequest, want)
	}
	// Without a sort a cursor is one of the newest.
	page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?cursor=" + cursor}),
		http.StatusOK)
	if len(page.URLs) != 2 || page.NextCursor != "" || page.Total != 3 {
		t.Errorf("%+v", page)
	}
}
