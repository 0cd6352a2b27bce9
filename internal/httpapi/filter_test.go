package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"terse/api"
)

func TestListFilters(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for code, members := range map[string]string{
		"plain":     `"title":"Summer sale"`,
		"tagged":    `"tags":["News","Shop"]`,
		"once":      `"tags":["shop"],"max_clicks":1`,
		"later":     `"starts_at":"2099-01-01T00:00:00Z"`,
		"over":      `"expires_at":"2001-01-01T00:00:00Z","tags":["shop"]`,
		"switched":  `"disabled":true`,
		"untilthen": `"expires_at":"2099-01-01T00:00:00Z"`,
	} {
		f.do(t, post(`{"original_url":"https://example.com/`+code+`","short_code":"`+code+`",`+
			members+`}`))
	}
	list := func(query string) []string {
		t.Helper()
		page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?" + query}), 200)
		var codes []string
		for _, link := range page.URLs {
			codes = append(codes, link.ShortCode)
		}
		slices.Sort(codes)
		if page.Total != int64(len(codes)) {
			t.Errorf("%s: total %d of %v", query, page.Total, codes)
		}
		return codes
	}
	for query, want := range map[string]string{
		"tag=shop": "once over tagged", "tag=SHOP&tag=news": "tagged", "tag=none": "",
		"status=active":    "once plain tagged untilthen",
		"status=scheduled": "later", "status=expired": "over", "status=disabled": "switched",
		"status=used_up":                     "",
		"tag=shop&status=active&sort=oldest": "once tagged",
		"tag=shop&status=active&sort=clicks": "once tagged",
		"created_after=2099-01-01T00:00:00Z": "",
		"created_after=2001-01-01T00:00:00Z&created_before=2099-01-01T00:00:00Z&tag=news": "tagged",
		"search=sale": "plain", "search=NEWS+tagged": "tagged",
		"search=shop&status=expired": "over",
	} {
		wantStrings(t, query, list(query), strings.Fields(want)...)
	}
	const badTime = " must be an RFC 3339 time such as 2026-01-31T12:00:00Z"
	for query, want := range map[string]string{
		"status=open":       "status must be active, scheduled, expired, used_up or disabled",
		"status=":           "status must be active, scheduled, expired, used_up or disabled",
		"created_after=now": "created_after" + badTime,
		"created_before=":   "created_before" + badTime,
		"tag=a,b": "a tag must be 1 to 40 characters, without commas and control " +
			"characters",
	} {
		got := f.do(t, request{target: "/api/urls?" + query, bad: true})
		wantError(t, got, http.StatusBadRequest, want)
	}
	// Cursors belong to their filter.
	first := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?tag=shop&limit=1"}), 200)
	if first.Total != 3 || first.NextCursor == "" {
		t.Fatalf("first page: %+v", first)
	}
	second := decodeAs[api.Page](t, f.do(t, request{
		target: "/api/urls?tag=shop&limit=5&cursor=" + first.NextCursor,
	}), 200)
	if len(second.URLs) != 2 || second.Total != 3 {
		t.Errorf("second page: %+v", second)
	}
	other := f.do(t, request{target: "/api/urls?tag=news&cursor=" + first.NextCursor})
	if other.status != http.StatusBadRequest {
		t.Errorf("a cursor of another filter: %v", other)
	}
}
