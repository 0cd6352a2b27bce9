package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"terse/api"
)

// body returns the JSON of a link to create, or of a patch, with aliases.
func aliasBody(code string, aliases ...string) string {
	fields := map[string]any{"aliases": aliases}
	if code != "" {
		fields["original_url"], fields["short_code"] = "https://example.com/", code
	}
	text, _ := json.Marshal(fields)
	return string(text)
}

// linkOf reads a link.
func (f *fixture) linkOf(t *testing.T, code string) (link api.Link, etag string) {
	t.Helper()
	got := f.do(t, request{target: "/api/urls/" + code})
	if got.status != http.StatusOK {
		t.Fatalf("%s: %v", code, got)
	}
	if err := json.Unmarshal([]byte(got.body), &link); err != nil {
		t.Fatal(err)
	}
	return link, got.header.Get("ETag")
}

func (f *fixture) wantAliases(t *testing.T, code string, want ...string) {
	t.Helper()
	if link, _ := f.linkOf(t, code); !slices.Equal(link.Aliases, want) {
		t.Errorf("%s has the aliases %q, want %q", code, link.Aliases, want)
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	made := f.do(t, post(aliasBody("launch", "1", "docs/install", "gru\u0308ße", "1", "launch",
		"v1.2", "grüße")))
	if made.status != http.StatusCreated ||
		!strings.Contains(made.body, `"aliases":["1","docs/install","grüße","v1.2"]`) {
		t.Fatalf("created: %v", made)
	}
	f.wantAliases(t, "launch", "1", "docs/install", "grüße", "v1.2")
	for _, address := range []string{"launch", "1", "docs/install", "grüße", "v1.2"} {
		if !f.changed.has(address) {
			t.Errorf("%s is not announced", address)
		}
	}
	plain := f.do(t, post(`{"original_url":"https://example.com/","short_code":"plain"}`))
	if strings.Contains(plain.body, "aliases") {
		t.Errorf("a link without aliases: %s", plain.body)
	}
	_, before := f.linkOf(t, "launch")
	patched := f.do(t, patchRequest("launch", aliasBody("", "docs/install", "2")))
	if patched.status != http.StatusOK || patched.header.Get("ETag") == before {
		t.Errorf("patched: %v", patched)
	}
	f.wantAliases(t, "launch", "docs/install", "2")
	history := f.do(t, request{target: "/api/urls/launch/history"})
	want := `"aliases":{"old":["1","docs/install","grüße","v1.2"],"new":["docs/install","2"]}`
	if !strings.Contains(history.body, want) {
		t.Errorf("the history is %s, want %s", history.body, want)
	}
	for _, search := range []string{
		"install", "DOCS/inst", "https%3A%2F%2Fsho.rt%2Fdocs%2Finstall",
	} {
		found := f.do(t, request{target: "/api/urls?search=" + search})
		if !strings.Contains(found.body, `"total":1,`) {
			t.Errorf("a search for %s finds %s", search, found.body)
		}
	}
	// Routes of the API take codes only.
	for _, target := range []string{"2", "docs%2Finstall"} {
		got := f.do(t, request{target: "/api/urls/" + target, bad: true})
		if got.status != http.StatusNotFound {
			t.Errorf("the alias %s: %v", target, got)
		}
	}
	for _, body := range []string{`{"aliases":[]}`, `{"aliases":null}`} {
		f.do(t, patchRequest("launch", aliasBody("", "3")))
		if got := f.do(t, patchRequest("launch", body)); got.status != http.StatusOK ||
			strings.Contains(got.body, "aliases") {
			t.Errorf("%s: %v", body, got)
		}
	}
}

// TestAddressTaken: codes and aliases share one space.
func TestAddressTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const taken = "short code already exists"
	f.do(t, post(aliasBody("first", "alias", "docs/install")))
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"second"}`))
	_, etag := f.linkOf(t, "second")
	for _, test := range []struct {
		request
		message, field string
	}{
		{
			post(`{"original_url":"https://example.com/","short_code":"alias"}`),
			"short code already exists", "short_code",
		},
		{
			post(aliasBody("third", "new", "docs/install", "first")),
			"address already exists: docs/install", "aliases[1]",
		},
		{post(aliasBody("third", "second")), "address already exists: second", "aliases[0]"},
		{post(aliasBody("first", "docs/install")), "short code already exists", "short_code"},
		{
			patchRequest("second", aliasBody("", "new", "first")),
			"address already exists: first", "aliases[1]",
		},
		{patchRequest("second", `{"short_code":"first"}`), taken, "short_code"},
		{patchRequest("second", `{"short_code":"alias"}`), taken, "short_code"},
	} {
		got := f.do(t, test.with("Prefer", "error-field"))
		wantError(t, got, http.StatusConflict, test.message)
		if field := got.header.Get("Error-Field"); field != test.field {
			t.Errorf("%s: the field is %q, want %q", test.body, field, test.field)
		}
	}
	if _, now := f.linkOf(t, "second"); now != etag {
		t.Error("something of it was done")
	}
	// In the order 401, 404, 403, 400, 412, 409.
	bad := patchRequest("second", aliasBody("", "a//b")).with("If-Match", `"other"`)
	if got := f.do(t, bad); got.status != http.StatusBadRequest {
		t.Errorf("a bad alias and another version: %v", got)
	}
	late := patchRequest("second", aliasBody("", "first")).with("If-Match", `"other"`)
	if got := f.do(t, late); got.status != http.StatusPreconditionFailed {
		t.Errorf("a taken alias and another version: %v", got)
	}
	// Freed by taking it off, and by deleting the link.
	f.do(t, patchRequest("first", aliasBody("", "alias")))
	if got := f.do(t, patchRequest("second", aliasBody("", "docs/install"))); got.status != 200 {
		t.Errorf("a freed alias: %v", got)
	}
	f.do(t, request{method: "DELETE", target: "/api/urls/second"})
	got := f.do(t, patchRequest("first", aliasBody("", "docs/install", "second")))
	if got.status != http.StatusOK {
		t.Errorf("addresses of a deleted link: %v", got)
	}
}

func TestBadAliases(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(aliasBody("launch", "kept")))
	numbers := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint(i))
		}
		return list
	}
	const rule = "aliases must each be 1 to 128 bytes"
	for _, test := range []struct {
		alias, message string
	}{
		{"", rule},
		{"a//b", rule},
		{"/a", rule},
		{"a/", rule},
		{"..", rule},
		{"a/../b", rule},
		{"a?b", rule},
		{"a#b", rule},
		{`a\b`, rule},
		{"a%2Fb", rule},
		{" a", rule},
		{"a\u200bb", rule},
		{"launch+", rule},
		{"x/launch.svg", rule},
		{"launch.png", rule},
		{"a\nb", rule},
		{strings.Repeat("ü", 64) + "x", rule},
		{"api/x", "address is reserved: api/x"},
		{"ui", "address is reserved: ui"},
		{"robots.txt", "address is reserved: robots.txt"},
		{".well-known/security", "address is reserved: .well-known/security"},
		{"openapi.yaml/x", "address is reserved: openapi.yaml/x"},
	} {
		for _, r := range []request{
			post(aliasBody("", "ok", test.alias)),
			patchRequest("launch", aliasBody("", "ok", test.alias)),
		} {
			if r.method == http.MethodPost {
				r.body = strings.Replace(r.body, "{", `{"original_url":"https://example.com/",`, 1)
			}
			r.bad = true
			got := f.do(t, r.with("Prefer", "error-field"))
			if got.status != http.StatusBadRequest || !strings.Contains(got.body, test.message) ||
				got.header.Get("Error-Field") != "aliases[1]" {
				t.Errorf("%s %q: %v %s", r.method, test.alias, got, got.header.Get("Error-Field"))
			}
		}
	}
	got := f.do(t, patchRequest("launch", aliasBody("", numbers(21)...)))
	wantError(t, got, http.StatusBadRequest, "at most 20 aliases")
	got = f.do(t, post(aliasBody("other", append(numbers(20), "19", "other")...)))
	if got.status != http.StatusCreated {
		t.Errorf("20 different aliases: %v", got)
	}
	f.wantAliases(t, "launch", "kept")
	bulk := f.do(t, request{method: http.MethodPost, target: "/api/bulk", body: `{"operations":[` +
		`{"op":"create","link":{"original_url":"https://example.com/","aliases":["kept"]}},` +
		`{"op":"create","link":{"original_url":"https://example.com/","aliases":["x","x/y"]}},` +
		`{"op":"update","short_code":"launch","link":{"aliases":["x"]}}]}`})
	var results api.BulkResults
	if err := json.Unmarshal([]byte(bulk.body), &results); err != nil {
		t.Fatalf("%v: %v", bulk, err)
	}
	var statuses []int
	for _, result := range results.Results {
		statuses = append(statuses, result.Status)
	}
	if !slices.Equal(statuses, []int{409, 201, 409}) {
		t.Errorf("bulk: %v", bulk)
	}
}

// TestChangeCode: the old code becomes the last alias unless the patch sets aliases.
func TestChangeCode(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(aliasBody("before", "1", "after")))
	before, etag := f.linkOf(t, "before")
	same := f.do(t, patchRequest("before", `{"short_code":"before"}`))
	if same.status != http.StatusOK || same.header.Get("ETag") != etag {
		t.Errorf("its own code: %v", same)
	}
	got := f.do(t, patchRequest("before", `{"short_code":"after","title":"new"}`))
	if got.status != http.StatusOK || !strings.Contains(got.body, `"short_code":"after"`) ||
		!strings.Contains(got.body, `"short_url":"`+baseURL+`/after"`) {
		t.Fatalf("another code: %v", got)
	}
	f.wantAliases(t, "after", "1", "before")
	if now, _ := f.linkOf(t, "after"); now.ID != before.ID {
		t.Error("it has another ID")
	}
	if got := f.do(t, request{target: "/api/urls/before"}); got.status != http.StatusNotFound {
		t.Errorf("the code before: %v", got)
	}
	history := f.do(t, request{target: "/api/urls/after/history"})
	if !strings.Contains(history.body, `"short_code":{"old":"before","new":"after"}`) {
		t.Errorf("its history: %s", history.body)
	}
	for _, address := range []string{"before", "after", "1"} {
		if !f.changed.has(address) {
			t.Errorf("%s is not announced", address)
		}
	}
	f.do(t, patchRequest("after", `{"short_code":"again","aliases":["1"]}`))
	f.wantAliases(t, "again", "1")
	f.do(t, post(aliasBody("after", "2")))
	var twenty []string
	for i := range 20 {
		twenty = append(twenty, fmt.Sprint("n", i))
	}
	f.do(t, patchRequest("again", aliasBody("", twenty...)))
	full := f.do(t, patchRequest("again", `{"short_code":"full"}`))
	wantError(t, full, http.StatusBadRequest, "at most 20 aliases")
	for body, message := range map[string]string{
		`{"short_code":"api"}`: "short code is reserved",
		`{"short_code":"a b"}`: "short code may have only the characters a-z, A-Z, 0-9, _ " +
			"and -",
		`{"short_code":null}`:      "short code must be 3-20 characters of a-z, A-Z, 0-9, _ and -",
		`{"short_code":["again"]}`: `field "short_code" must be a string`,
	} {
		r := patchRequest("again", body)
		r.bad = true
		wantError(t, f.do(t, r), http.StatusBadRequest, message)
	}
	// A link can swap its code for an alias when it is full.
	swapped := f.do(t, patchRequest("again", `{"short_code":"full","aliases":["again"]}`))
	if swapped.status != http.StatusOK {
		t.Errorf("swapped: %v", swapped)
	}
}

// TestOwnAddresses: no link may lead to an alias of the service, even one that is not there yet.
func TestOwnAddresses(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, path := range []string{"/docs/install", "/x.y", "/gr%C3%BC%C3%9Fe", "/a/b/c"} {
		got := f.do(t, post(`{"original_url":"`+baseURL+path+`"}`))
		wantError(t, got, http.StatusBadRequest,
			"original URL must not be a short link of this service")
	}
	for _, path := range []string{"", "/", "/ui/", "/api/urls", "/.well-known/x"} {
		if got := f.do(t, post(`{"original_url":"`+baseURL+path+`"}`)); got.status != 201 {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestOneAliasAtOnce: of a hundred patches that want an alias, one gets it.
func TestOneAliasAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const callers = 100
	for i := range callers {
		f.do(t, post(aliasBody(fmt.Sprint("link", i))))
	}
	statuses := make([]int, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			statuses[i] = f.do(t, patchRequest(fmt.Sprint("link", i),
				aliasBody("", fmt.Sprint("own/", i), "wanted"))).status
		})
	}
	wg.Wait()
	won := -1
	for i, status := range statuses {
		switch {
		case status == http.StatusOK && won < 0:
			won = i
		case status != http.StatusConflict:
			t.Errorf("caller %d: %d", i, status)
		}
	}
	for i := range callers {
		if i == won {
			f.wantAliases(t, fmt.Sprint("link", i), fmt.Sprint("own/", i), "wanted")
		} else {
			f.wantAliases(t, fmt.Sprint("link", i))
		}
	}
}

func TestIgnoreCase(t *testing.T) {
	t.Parallel()
	f := newCasedFixture(t, true, nil)
	f.do(t, post(aliasBody("Promo", "Docs/Install", "docs/INSTALL", "PROMO", "Straße")))
	link, etag := f.linkOf(t, "PROMO")
	if link.ShortCode != "Promo" ||
		!slices.Equal(link.Aliases, []string{"Docs/Install", "Straße"}) {
		t.Errorf("the link is %+v", link)
	}
	for _, r := range []request{
		post(aliasBody("PROMO")), post(aliasBody("other1", "promo")),
		post(aliasBody("other2", "DOCS/install")),
	} {
		if got := f.do(t, r); got.status != http.StatusConflict {
			t.Errorf("%s: %v", r.body, got)
		}
	}
	wantError(t, f.do(t, post(aliasBody("API"))), http.StatusBadRequest, "short code is reserved")
	wantError(t, f.do(t, post(aliasBody("other3", "Api/x"))), http.StatusBadRequest,
		"address is reserved: Api/x")
	// A change of case only is shown, and adds no alias.
	got := f.do(t, patchRequest("promo", `{"short_code":"PROMO"}`))
	if got.status != http.StatusOK || got.header.Get("ETag") == etag ||
		!strings.Contains(got.body, `"short_code":"PROMO"`) {
		t.Errorf("another case: %v", got)
	}
	f.wantAliases(t, "pRoMo", "Docs/Install", "Straße")
	history := f.do(t, request{target: "/api/urls/promo/history"})
	if !strings.Contains(history.body, `"short_code":{"old":"Promo","new":"PROMO"}`) {
		t.Errorf("its history: %s", history.body)
	}
	generated := f.do(t, post(`{"original_url":"https://example.com/"}`))
	var created api.Created
	if err := json.Unmarshal([]byte(generated.body), &created); err != nil {
		t.Fatal(err)
	}
	if strings.Trim(created.ShortCode, "abcdefghjkmnpqrstuvwxyz23456789") != "" ||
		len(created.ShortCode) != 7 {
		t.Errorf("the code %q is generated", created.ShortCode)
	}
	if got := f.do(t, request{method: "DELETE", target: "/api/urls/pROMO"}); got.status != 204 {
		t.Errorf("deleted: %v", got)
	}
}
