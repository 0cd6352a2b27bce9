package httpapi_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"terse/api"
)

// A request that is sent again with its key is answered again, and not done again.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	create := post(`{"original_url":"https://example.com/"}`).with("Idempotency-Key", "one")
	first := f.do(t, create)
	again := f.do(t, create)
	if first.status != http.StatusCreated || again.body != first.body ||
		again.status != first.status || again.header.Get("ETag") != first.header.Get("ETag") ||
		again.header.Get("Idempotent-Replayed") != "true" ||
		first.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("first %v, again %v", first, again)
	}
	other := post(`{"original_url":"https://example.org/"}`).with("Idempotency-Key", "one")
	wantError(t, f.do(t, other), http.StatusUnprocessableEntity,
		"this Idempotency-Key was sent with another request body")
	page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls"}), http.StatusOK)
	if page.Total != 1 {
		t.Fatalf("%d links", page.Total)
	}
	code := page.URLs[0].ShortCode
	// The key of another address is another key.
	patch := patchRequest(code, `{"title":"a"}`).with("Idempotency-Key", "one")
	if got := f.do(t, patch); got.status != http.StatusOK ||
		got.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("PATCH: %v", got)
	}
	f.do(t, patchRequest(code, `{"title":"b"}`))
	if got := f.do(t, patch); !strings.Contains(got.body, `"title":"a"`) {
		t.Errorf("PATCH again: %v", got)
	}
	if link := f.read(t, code); link.Title != "b" {
		t.Errorf("the repeated PATCH was done: %+v", link)
	}
}

func TestIdempotencyKeyOfFailures(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createForeign(t, "theirs")
	taken := post(`{"original_url":"https://example.com/","short_code":"theirs"}`)
	for name, tt := range map[string]struct {
		r      request
		status int
		kept   bool
	}{
		"bad":     {badPost(`{"original_url":7}`), 400, true},
		"unknown": {patchRequest("nobody", `{}`), 404, true},
		"foreign": {patchRequest("theirs", `{}`), 403, false},
		"taken":   {taken, 409, true},
		"atomic": {
			bulk(`{"atomic":true,"operations":[{"op":"delete","short_code":"abc"}]}`), 200, true,
		},
		"old": {patchRequest("nobody", `{}`).with("If-Match", `"x"`), 404, true},
	} {
		r := tt.r.with("Idempotency-Key", name)
		first, again := f.do(t, r), f.do(t, r)
		replayed := again.header.Get("Idempotent-Replayed") == "true"
		if first.status != tt.status || again.status != tt.status || first.body != again.body ||
			replayed != tt.kept {
			t.Errorf("%s: %v, then %v", name, first, again)
		}
	}
	for _, key := range []string{"", "a b", "ä", strings.Repeat("k", 256)} {
		r := post(`{"original_url":"https://example.com/"}`).with("Idempotency-Key", key)
		r.bad = true
		wantError(t, f.do(t, r), http.StatusBadRequest,
			"Idempotency-Key must be 1 to 255 visible ASCII characters")
	}
	// Requests that can be repeated as they are take no notice of it.
	if got := f.do(t, request{target: "/api/urls"}.with("Idempotency-Key", "")); got.status != 200 {
		t.Errorf("GET: %v", got)
	}
}

// TestIdempotencyKeyRace: of requests at once with one key, one is done; the others repeat its
// answer or are told that it is under way.
func TestIdempotencyKeyRace(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	var wg sync.WaitGroup
	answers := make([]answer, 16)
	for i := range answers {
		wg.Go(func() {
			answers[i] = f.do(t, post(`{"original_url":"https://example.com/"}`).
				with("Idempotency-Key", "race"))
		})
	}
	wg.Wait()
	body := ""
	for _, a := range answers {
		switch {
		case a.status == http.StatusConflict &&
			strings.Contains(a.body, "a request with this Idempotency-Key is under way"):
		case a.status != http.StatusCreated || body != "" && a.body != body:
			t.Errorf("answer %v, another one %s", a, body)
		default:
			body = a.body
		}
	}
	page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls"}), http.StatusOK)
	if page.Total != 1 || body == "" {
		t.Errorf("%d links, answer %q", page.Total, body)
	}
}

func TestFindExisting(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	find := func(url string) answer {
		return f.do(t, post(`{"original_url":"`+url+`","find_existing":true,"title":"t"}`))
	}
	made := decodeAs[api.Created](t, find("https://example.com/a"), http.StatusCreated)
	found := decodeAs[api.Created](t, find("https://example.com/a"), http.StatusOK)
	if made.ShortCode != found.ShortCode || made.Title != "t" {
		t.Errorf("made %+v, found %+v", made, found)
	}
	other := decodeAs[api.Created](t, find("https://example.com/A"), http.StatusCreated)
	if other.ShortCode == made.ShortCode {
		t.Error("another URL was found")
	}
	f.do(t, post(`{"original_url":"https://example.com/a","short_code":"newest"}`))
	if got := decodeAs[api.Created](t, find("https://example.com/a"), 200); got.ShortCode !=
		"newest" {
		t.Errorf("found %+v, want the newest", got)
	}
	f.do(t, patchRequest("newest", `{"disabled":true}`))
	if got := decodeAs[api.Created](t, find("https://example.com/a"), 200); got.ShortCode !=
		made.ShortCode {
		t.Errorf("found %+v, want one that has not ended", got)
	}
	for body, want := range map[string]string{
		`"find_existing":true,"short_code":"abc"`: "find_existing can not be combined with " +
			"short_code",
		`"find_existing":true,"aliases":["docs/a"]`: "find_existing can not be combined with " +
			"aliases",
		`"find_existing":1`: `field "find_existing" must be true or false`,
	} {
		r := badPost(`{"original_url":"https://example.com/a",` + body + `}`)
		wantError(t, f.do(t, r), http.StatusBadRequest, want)
	}
	wantError(t, f.do(t, patchRequest("newest", `{"find_existing":true}`)), http.StatusBadRequest,
		`unknown field "find_existing"`)
	f.do(t, request{method: "DELETE", target: "/api/urls/" + other.ShortCode})
	var wg sync.WaitGroup
	var mu sync.Mutex
	codes := map[string]bool{} // guarded by mu
	for range 8 {
		wg.Go(func() {
			got := find("https://example.com/A")
			mu.Lock()
			defer mu.Unlock()
			codes[got.body] = true
		})
	}
	wg.Wait()
	if len(codes) != 1 {
		t.Errorf("asked at once: %v", codes)
	}
}
