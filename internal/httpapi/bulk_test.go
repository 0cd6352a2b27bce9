package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terse/api"
	"terse/internal/httpapi"
	"terse/internal/visit/password"
	"terse/internal/visit/ratelimit"
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
	skipOnPostgres(t)
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

// limited gives a control plane a budget of so many requests a minute.
func limited(requests int) func(*httpapi.Options) {
	return func(o *httpapi.Options) { o.Limit = ratelimit.New(requests) }
}

// deletes returns a bulk request of so many operations that find nothing.
func deletes(n int) request {
	return bulk(`{"operations":[` + strings.TrimSuffix(
		strings.Repeat(`{"op":"delete","short_code":"none"},`, n), ",") + `]}`)
}

// TestBulkCost: each 100 operations begun cost one request, all of them or nothing.
func TestBulkCost(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	f := newFixture(t, limited(12))
	list := request{target: "/api/urls"}
	status := func(what string, r request, want int) {
		t.Helper()
		if got := f.do(t, r); got.status != want {
			t.Fatalf("%s: %v, want %d", what, got, want)
		}
	}
	status("ten", deletes(1000), http.StatusOK)
	for range 3 { // two are left, and stay
		got := f.do(t, deletes(201))
		wantError(t, got, http.StatusTooManyRequests, "rate limit exceeded")
		if wait, _ := strconv.Atoi(got.header.Get("Retry-After")); wait < 1 || wait > 61 {
			t.Errorf("Retry-After: %d", wait)
		}
	}
	status("one", deletes(1), http.StatusOK)
	status("the last", list, http.StatusOK)
	status("one more", list, http.StatusTooManyRequests)
	status("a bulk", deletes(1), http.StatusTooManyRequests)
	status("a bulk of nothing", deletes(0), http.StatusTooManyRequests)

	f = newFixture(t, limited(2))
	status("what can't be read", bulk(`{"operations":7}`), http.StatusBadRequest)
	status("too much to be read", bulk(strings.Repeat(" ", 8<<20+1)),
		http.StatusRequestEntityTooLarge)
	status("after these two", list, http.StatusTooManyRequests)
}

// TestBulkBeyondLimit: what would never be granted is not 429, which asks to come again.
func TestBulkBeyondLimit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, limited(9))
	for range 3 {
		wantError(t, f.do(t, deletes(901)), http.StatusRequestEntityTooLarge,
			"this server's rate limit allows at most 900 operations at once")
	}
	if got := f.do(t, deletes(900)); got.status != http.StatusOK {
		t.Errorf("what the limit allows: %v", got)
	}
}

// largeLink makes a link with 20 rules with long URLs, and returns about how large it is, in bytes.
func (f *fixture) largeLink(t *testing.T, code string) (size int) {
	t.Helper()
	long := "https://example.com/" + strings.Repeat("x", 8100)
	var rules []string
	for i := range 20 {
		rules = append(rules, fmt.Sprintf(`{"name":"r%d","url":"%s%d"}`, i, long, i))
	}
	body := `{"original_url":"https://example.com/large","short_code":"` + code + `","rules":[` +
		strings.Join(rules, ",") + `]}`
	if got := f.do(t, post(body)); got.status != http.StatusCreated {
		t.Fatal(got)
	}
	return len(body)
}

// TestBulkAnswerIsBounded asks for one large link again and again.
func TestBulkAnswerIsBounded(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	f := newFixture(t, nil)
	size := f.largeLink(t, "large")
	const finds = 60
	body := `{"operations":[` + strings.Repeat(`{"op":"create","link":{"original_url":`+
		`"https://example.com/large","find_existing":true}},`, finds) +
		`{"op":"delete","short_code":"none"}]}`
	r := bulk(body).with("Idempotency-Key", "k")
	first := f.do(t, r)
	results := decodeAs[api.BulkResults](t, first, http.StatusOK).Results
	if len(first.body) > 8<<20 || len(first.body) < 7<<20 || len(results) != finds+1 {
		t.Errorf("%d bytes for %d results", len(first.body), len(results))
	}
	whole := 0
	for i, result := range results[:finds] {
		if result.Status != http.StatusOK || (result.Link == nil) != result.LinkOmitted {
			t.Errorf("result %d has status %d, link %t, omitted %t", i, result.Status,
				result.Link != nil, result.LinkOmitted)
		}
		if result.Link != nil {
			whole++
		}
	}
	if fit := 8 << 20 / size; whole > fit || whole < fit-5 {
		t.Errorf("%d results have their link of %d bytes", whole, size)
	}
	if last := results[finds]; last.Status != http.StatusNotFound || last.Error == "" {
		t.Errorf("the last result is %+v", last)
	}
	again := f.do(t, r)
	if again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: status %d, %d bytes", again.status, len(again.body))
	}
}

// TestBulkIsCheapToRefuse: neither millions of operations nor millions of fields take much memory.
func TestBulkIsCheapToRefuse(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	f := newFixture(t, nil)
	wantError(t, f.do(t, bulk(`{"operations":[`+strings.Repeat("1,", 4_000_000)+`1]}`)),
		http.StatusBadRequest, "operations must be a list of at most 1000")
	var b strings.Builder
	b.WriteString(`{"operations":[{"op":"create","link":{"original_url":"https://example.com/"`)
	for i := range 500_000 {
		fmt.Fprintf(&b, `,"%x":1`, i)
	}
	b.WriteString(`}}]}`)
	wantStatuses(t, f.bulk(t, b.String()), `400 unknown field "0"`)
}

func TestBulkPasswords(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	hashed := 0
	f := newFixture(t, func(o *httpapi.Options) {
		o.HashPassword = func(p string) string { hashed++; return password.Hash(p) }
	})
	operation := `{"op":"create","link":{"original_url":"https://example.com/","password":"p"}},`
	results := f.bulk(t, `{"operations":[`+strings.Repeat(operation, 51)+
		strings.Repeat(strings.Replace(operation, `"p"`, `""`, 1), 2)+
		strings.TrimSuffix(strings.Replace(operation, `"p"`, `null`, 1), ",")+`]}`)
	want := slices.Repeat([]string{"201"}, 50)
	want = append(want, "400 a request may set 50 passwords", "400 password must be 1 to 128 bytes",
		"400 password must be 1 to 128 bytes", "201")
	wantStatuses(t, results, want...)
	if hashed != 50 {
		t.Errorf("%d passwords were hashed", hashed)
	}
}
