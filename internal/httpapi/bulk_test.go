package httpapi_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"terse/api"
	"terse/internal/httpapi"
)

func bulk(body string) request {
	return request{method: "POST", target: "/api/bulk", body: body, bad: true}
}

func (f *fixture) bulk(t *testing.T, body string) []api.BulkResult {
	t.Helper()
	return decodeAs[api.BulkResults](t, f.do(t, bulk(body)), http.StatusOK).Results
}

// statuses returns the statuses of results, and their errors behind them.
func statuses(results []api.BulkResult) (all []string) {
	for _, r := range results {
		all = append(all, strings.TrimSpace(fmt.Sprint(r.Status, " ", r.Error)))
	}
	return all
}

func wantStatuses(t *testing.T, results []api.BulkResult, want ...string) {
	t.Helper()
	if got := statuses(results); !slices.Equal(got, want) {
		t.Errorf("results\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Operations are done in their order; later ones see what earlier ones did.
func TestBulk(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/old","short_code":"old"}`))
	f.createForeign(t, "theirs")
	results := f.bulk(t, `{"operations":[
		{"op":"create","link":{"original_url":"https://example.com/a","short_code":"aaa",
			"tags":["x"]}},
		{"op":"update","short_code":"aaa","link":{"title":"A","max_clicks":5}},
		{"op":"create","link":{"original_url":"https://example.com/b","short_code":"aaa"}},
		{"op":"create","link":{"original_url":"https://example.com/c"}},
		{"op":"create","link":{"original_url":"https://example.com/c","find_existing":true}},
		{"op":"delete","short_code":"old"},
		{"op":"update","short_code":"old","link":{"title":"gone"}},
		{"op":"create","link":{"original_url":"https://example.com/new","short_code":"old"}},
		{"op":"update","short_code":"theirs","link":{}},
		{"op":"delete","short_code":"theirs"},
		{"op":"update","short_code":"aaa","link":{"title":7}}]}`)
	wantStatuses(t, results, "201", "200", "409 short code already exists", "201", "200", "204",
		"404 URL not found", "201", "403 unauthorized to update this URL",
		"403 unauthorized to delete this URL", `400 field "title" must be a string`)
	if a := results[1].Link; a == nil || a.Title != "A" || a.MaxClicks != 5 ||
		!slices.Equal(a.Tags, []string{"x"}) || a.OriginalURL != "https://example.com/a" {
		t.Errorf("the changed link is %+v", a)
	}
	if made, found := results[3].Link, results[4].Link; made == nil || found == nil ||
		made.ShortCode != found.ShortCode {
		t.Errorf("made %+v, then found %+v", made, found)
	}
	if link := f.read(t, "old"); link.OriginalURL != "https://example.com/new" {
		t.Errorf("the code that was chosen anew has %+v", link)
	}
	for _, code := range []string{"aaa", "old", results[3].Link.ShortCode} {
		if !f.changed.has(code) {
			t.Errorf("redirects do not know that %s changed", code)
		}
	}
}

// What is atomic is done as a whole or not at all.
func TestBulkAtomic(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	const other = "424 another operation of this request failed"
	results := f.bulk(t, `{"atomic":true,"operations":[
		{"op":"create","link":{"original_url":"https://example.com/a","short_code":"aaa"}},
		{"op":"update","short_code":"launch","link":{"title":"new"}},
		{"op":"create","link":{"original_url":"https://example.com/a","short_code":"launch"}},
		{"op":"delete","short_code":"launch"}]}`)
	wantStatuses(t, results, other, other, "409 short code already exists", other)
	if got := f.do(t, request{target: "/api/urls/aaa"}); got.status != http.StatusNotFound {
		t.Errorf("what was undone is there: %v", got)
	}
	if link := f.read(t, "launch"); link.Title != "" || !link.UpdatedAt.IsZero() {
		t.Errorf("what was undone changed the link: %+v", link)
	}
	results = f.bulk(t, `{"atomic":true,"operations":[
		{"op":"update","short_code":"launch","link":{"title":"new"}},
		{"op":"update","short_code":"launch","link":{"title":"newer"}}]}`)
	wantStatuses(t, results, "200", "200")
	if link := f.read(t, "launch"); link.Title != "newer" {
		t.Errorf("the link is %+v", link)
	}
}

func TestBulkRefusals(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const create = `{"op":"create","link":{"original_url":"https://example.com/"}}`
	many := func(n int) string {
		return `{"operations":[` + strings.TrimSuffix(strings.Repeat(create+",", n), ",") + `]}`
	}
	for body, want := range map[string]string{
		`[]`:                             "request body must be a JSON object",
		`{}`:                             "operations must be a list of at most 1000",
		`{"operations":null}`:            "operations must be a list of at most 1000",
		`{"operations":7}`:               `field "operations" must be a list`,
		`{"operations":[],"all":true}`:   `unknown field "all"`,
		`{"operations":[],"atomic":"a"}`: `field "atomic" must be true or false`,
		many(1001):                       "operations must be a list of at most 1000",
	} {
		wantError(t, f.do(t, bulk(body)), http.StatusBadRequest, want)
	}
	if results := f.bulk(t, `{"operations":[]}`); len(results) != 0 {
		t.Errorf("an empty list has the results %v", results)
	}
	wantStatuses(t, f.bulk(t, `{"operations":[7,{"op":"make"},{"op":"create"},{"op":"delete"},
		{"op":"update","short_code":"abc"},{"op":"delete","short_code":"abc","link":{}},
		{"op":"create","short_code":"abc","link":{}},{"op":"create","link":{},"x":1},
		{"op":"create","link":{}},{"op":"delete","short_code":"x"},{"op":7}]}`),
		"400 request body must be a JSON object",
		"400 op must be create, update or delete",
		"400 link is required to create one",
		"400 short_code is required to delete a link",
		"400 link is required to update one",
		"400 link must be absent to delete one",
		"400 short_code must be a field of link to create one",
		`400 unknown field "x"`,
		"400 original_url is required",
		"404 URL not found",
		`400 field "op" must be a string`)
	got := f.do(t, bulk(`{"operations":["`+strings.Repeat("x", 8<<20)+`"]}`))
	wantError(t, got, http.StatusRequestEntityTooLarge, "request body must be at most 8 MiB")
}

func TestBulkOfThousand(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	var b strings.Builder
	b.WriteString(`{"operations":[`)
	for i := range 1000 {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"op":"create","link":{"original_url":"https://example.com/%d",`+
			`"tags":["bulk"]}}`, i)
	}
	b.WriteString(`]}`)
	results := f.bulk(t, b.String())
	if len(results) != 1000 || slices.ContainsFunc(results,
		func(r api.BulkResult) bool { return r.Status != http.StatusCreated }) {
		t.Errorf("%d results: %v", len(results), statuses(results))
	}
	page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?tag=BULK&limit=1"}), 200)
	if page.Total != 1000 {
		t.Errorf("%d links have the tag", page.Total)
	}
}

// TestBulkCost: each 100 operations begun cost one request.
func TestBulkCost(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	left := 3 // guarded by mu
	f := newFixture(t, func(o *httpapi.Options) {
		o.Limit = func(netip.Addr) time.Duration {
			mu.Lock()
			defer mu.Unlock()
			if left == 0 {
				return time.Second
			}
			left--
			return 0
		}
	})
	deletes := func(n int) string {
		return `{"operations":[` + strings.TrimSuffix(
			strings.Repeat(`{"op":"delete","short_code":"none"},`, n), ",") + `]}`
	}
	if results := f.bulk(t, deletes(200)); len(results) != 200 {
		t.Errorf("%d results", len(results))
	}
	f.bulk(t, deletes(100))
	mu.Lock()
	if left != 0 {
		t.Errorf("%d requests are left", left)
	}
	left = 2
	mu.Unlock()
	got := f.do(t, bulk(strings.Replace(deletes(300), "none", "launch", 1)))
	wantError(t, got, http.StatusTooManyRequests, "rate limit exceeded")
}
