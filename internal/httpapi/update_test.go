package httpapi_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
)

// patchRequest is a merge patch of a link. What it holds may break openapi.yaml.
func patchRequest(code, body string) request {
	return request{method: "PATCH", target: "/api/urls/" + code, body: body, bad: true}
}

// with returns the request with one more header field.
func (r request) with(name, value string) request {
	r.header = r.header.Clone()
	if r.header == nil {
		r.header = http.Header{}
	}
	r.header.Set(name, value)
	return r
}

func (f *fixture) read(t *testing.T, code string) api.Link {
	t.Helper()
	return decodeAs[api.Link](t, f.do(t, request{target: "/api/urls/" + code}), http.StatusOK)
}

func TestUpdateTarget(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	before := f.read(t, "launch")
	got := f.do(t, patchRequest("launch", `{"original_url":"https://example.org/autumn"}`))
	link := decodeAs[api.Link](t, got, http.StatusOK)
	if link.OriginalURL != "https://example.org/autumn" || link.UpdatedAt.IsZero() ||
		link.ID != before.ID || link.ShortURL != baseURL+"/launch" {
		t.Errorf("the link is %+v", link)
	}
	if after := f.read(t, "launch"); !reflect.DeepEqual(after, link) {
		t.Errorf("read afterwards: %+v, want %+v", after, link)
	}
	if !f.changed.has("launch") {
		t.Error("redirects do not know of the change")
	}
	for _, body := range []string{`{}`, `{"original_url":"https://example.org/autumn"}`} {
		got := f.do(t, patchRequest("launch", body))
		if same := decodeAs[api.Link](t, got, http.StatusOK); !reflect.DeepEqual(same, link) {
			t.Errorf("%s, which changes nothing: %+v, want %+v", body, same, link)
		}
	}
}

func TestUpdateRefusals(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	f.createForeign(t, "theirs")
	before := f.read(t, "launch")
	for body, want := range map[string]string{
		``:                        "malformed JSON at byte 0: the text ends too early",
		`null`:                    "request body must be a JSON object",
		`[]`:                      "request body must be a JSON object",
		`{"original_url":null}`:   "original_url is required",
		`{"original_url":""}`:     "original_url is required",
		`{"original_url":7}`:      `field "original_url" must be a string`,
		`{"original_url":"ftp:"}`: "original URL must be a valid http or https URL",
		`{"original_url":"` + baseURL +
			`/launch"}`: "original URL must not be a short link of this service",
		`{"created_by":"other"}`:                  `field "created_by" cannot be changed`,
		`{"click_count":0}`:                       `field "click_count" cannot be changed`,
		`{"nonsense":0}`:                          `unknown field "nonsense"`,
		`{"Original_URL":"https://example.org/"}`: `unknown field "Original_URL"`,
	} {
		wantError(t, f.do(t, patchRequest("launch", body)), http.StatusBadRequest, want)
	}
	if after := f.read(t, "launch"); !reflect.DeepEqual(after, before) {
		t.Errorf("a refused patch made %+v of %+v", after, before)
	}
	// What the link is comes before what the body is.
	wantError(t, f.do(t, patchRequest("theirs", "{")), http.StatusForbidden,
		"unauthorized to update this URL")
	for _, code := range []string{"nobody", "x"} {
		wantError(t, f.do(t, patchRequest(code, "{")), http.StatusNotFound, "URL not found")
	}
}

func TestEntityTags(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	created := f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	first := created.header.Get("ETag")
	if first == "" || strings.HasPrefix(first, "W/") {
		t.Fatalf("ETag %q, want a strong one", first)
	}
	if got := f.do(t, request{target: "/api/urls/launch"}); got.header.Get("ETag") != first {
		t.Errorf("GET: ETag %q, want %q", got.header.Get("ETag"), first)
	}
	other := f.do(t, post(`{"original_url":"https://example.com/"}`)).header.Get("ETag")
	if other == first {
		t.Error("two links have one ETag")
	}
	changes := func(i int) string {
		return fmt.Sprintf(`{"original_url":"https://example.com/%d"}`, i)
	}
	for _, match := range []string{`"x"`, other, "W/" + first, ""} {
		got := f.do(t, patchRequest("launch", changes(1)).with("If-Match", match))
		wantError(t, got, http.StatusPreconditionFailed, "URL was changed meanwhile")
	}
	// 400 comes before 412.
	if got := f.do(t, patchRequest("launch", `{"x":1}`).with("If-Match",
		other)); got.status != http.StatusBadRequest {
		t.Errorf("a bad patch of another version: %v", got)
	}
	second := f.do(t, patchRequest("launch", changes(1)).with("If-Match",
		`"x", `+first)).header.Get("ETag")
	if second == first || second == "" {
		t.Errorf("ETag %q after a change, before %q", second, first)
	}
	for _, got := range []answer{
		f.do(t, patchRequest("launch", changes(2)).with("If-Match", first)),
		f.do(t, request{method: "DELETE", target: "/api/urls/launch"}.with("If-Match", first)),
	} {
		if got.status != http.StatusPreconditionFailed {
			t.Errorf("with the ETag of before: %v", got)
		}
	}
	if got := f.do(t, patchRequest("launch", changes(3)).with("If-Match",
		"*")); got.status != http.StatusOK {
		t.Errorf("If-Match *: %v", got)
	}
	third := f.do(t, request{target: "/api/urls/launch"}).header.Get("ETag")
	for match, want := range map[string]int{
		third: 304, "W/" + third: 304, "*": 304, `"x",` + third: 304, second: 200,
	} {
		got := f.do(t, request{target: "/api/urls/launch"}.with("If-None-Match", match))
		if got.status != want || got.header.Get("ETag") != third || want == 304 && got.body != "" {
			t.Errorf("If-None-Match %s: %v, ETag %q", match, got, got.header.Get("ETag"))
		}
	}
	got := f.do(t, request{method: "DELETE", target: "/api/urls/launch"}.with("If-Match", third))
	if got.status != http.StatusNoContent {
		t.Errorf("DELETE of the current version: %v", got)
	}
}

// An option is answered wherever its link is, and absent where it is not set.
func TestTitle(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	titled := `{"original_url":"https://example.com/","short_code":"launch","title":"Ä title"}`
	created := decodeAs[api.Created](t, f.do(t, post(titled)), http.StatusCreated)
	if created.Title != "Ä title" {
		t.Errorf("created: %+v", created)
	}
	got := f.do(t, post(`{"original_url":"https://example.com/","title":null}`))
	if strings.Contains(got.body, "title") {
		t.Errorf("a link without a title: %s", got.body)
	}
	listed := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls"}), http.StatusOK)
	if listed.URLs[1].Title != "Ä title" || listed.URLs[0].Title != "" {
		t.Errorf("listed: %+v", listed.URLs)
	}
	for body, want := range map[string]string{
		`{"title":"Another"}`: "Another", `{"title":null}`: "",
	} {
		got := f.do(t, patchRequest("launch", body))
		if link := decodeAs[api.Link](t, got, http.StatusOK); link.Title != want ||
			strings.Contains(got.body, "title") != (want != "") {
			t.Errorf("%s: %s", body, got.body)
		}
		if link := f.read(t, "launch"); link.Title != want {
			t.Errorf("%s: read %+v", body, link)
		}
	}
	wantError(t, f.do(t, badPost(`{"original_url":"https://example.com/","title":" "}`)), 400,
		"title must be 1 to 200 characters, not only spaces, none a control character")
}

// What a change repeats is not checked again: a link that leads where none may lead by now can be
// changed otherwise, by clients that send all of it, too.
func TestUpdateOfBlocked(t *testing.T) {
	t.Parallel()
	var blocking atomic.Bool
	f := newFixture(t, func(o *httpapi.Options) {
		o.Blocked = func(u terse.URL) bool {
			return blocking.Load() && strings.Contains(string(u), "evil")
		}
	})
	const (
		rules = `"rules":[{"name":"a","url":"https://fine.example/a"},` +
			`{"name":"b","url":"https://evil.example/b"}]`
		moved = `"rules":[{"name":"new","url":"https://fine.example/new"},` +
			`{"name":"a","url":"https://fine.example/a"},` +
			`{"name":"b","url":"https://evil.example/b"}]`
		whole = `"original_url":"https://evil.example/","expired_url":"https://evil.example/end",`
	)
	created := f.do(t, request{
		method: http.MethodPost, target: "/api/urls",
		body: `{"short_code":"launch",` + whole + rules + `}`,
	})
	if created.status != http.StatusCreated {
		t.Fatalf("%d %s", created.status, created.body)
	}
	blocking.Store(true)
	for n, body := range []string{whole + rules, whole + moved, moved} {
		got := f.do(t, patchRequest("launch", fmt.Sprintf(`{"title":"%d",%s}`, n, body)))
		if got.status != http.StatusOK || !strings.Contains(got.body, `"blocked":true`) ||
			!strings.Contains(got.body, fmt.Sprintf(`"title":"%d"`, n)) {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
	for body, want := range map[string]string{
		`{"original_url":"https://evil.example/b"}`:              "original URL is blocked",
		`{"expired_url":"https://evil.example/b"}`:               "expired_url is blocked",
		`{"rules":[{"name":"b","url":"https://evil.example/"}]}`: "rules[0].url is blocked",
	} {
		wantError(t, f.do(t, patchRequest("launch", body)), http.StatusBadRequest, want)
	}
	wantError(t, f.do(t, badPost(`{`+strings.TrimSuffix(whole, ",")+`}`)), http.StatusBadRequest,
		"expired_url is blocked")
}
