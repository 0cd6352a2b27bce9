package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
	"terse/internal/link/hosts"
)

func post(body string) request { return request{method: "POST", target: "/api/urls", body: body} }

func badPost(body string) request {
	return request{method: "POST", target: "/api/urls", body: body, bad: true}
}

func quote(t testing.TB, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCreate(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	got := f.do(t, post(`{"original_url":"https://example.com/a?b=c"}`))
	created := decodeAs[api.Created](t, got, http.StatusCreated)
	if !generated.MatchString(created.ShortCode) ||
		created.ShortURL != baseURL+"/"+created.ShortCode ||
		created.OriginalURL != "https://example.com/a?b=c" {
		t.Errorf("answer %s", got.body)
	}
	// The contract shows no Location, and a client that uses only the contract sees no other field.
	if want := fmt.Sprintf(`{"short_code":%[1]q,"short_url":"https://sho.rt/%[1]s",`+
		`"original_url":"https://example.com/a?b=c"}`, created.ShortCode); got.body != want {
		t.Errorf("answer %s, want %s", got.body, want)
	}
	if got.header.Get("Content-Type") != "application/json" || got.header.Get("Location") != "" {
		t.Errorf("headers %v", got.header)
	}
	if !f.changed.has(created.ShortCode) {
		t.Error("the redirect's cache was not told")
	}
}

func TestCreateRows(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const (
		required = "original_url is required"
		badURL   = "original URL must be a valid http or https URL"
		object   = "request body must be a JSON object"
		badCode  = "short code must be 3-20 characters of a-z, A-Z, 0-9, _ and -"
		badChars = "short code may have only the characters a-z, A-Z, 0-9, _ and -"
		reserved = "short code is reserved"
	)
	url := func(s string) string { return `{"original_url":` + quote(t, s) + `}` }
	code := func(s string) string {
		return `{"original_url":"https://example.com/","short_code":` + s + `}`
	}
	for _, row := range []struct{ name, body, text string }{
		{"missing original_url", `{}`, required},
		{"null original_url", `{"original_url":null}`, required},
		{"empty original_url", `{"original_url":""}`, required},
		{"no scheme", url("example.com"), badURL},
		{"other scheme", url("ftp://example.com/"), badURL},
		{"only a port", url("http://:80/"), badURL},
		{"port 0", url("http://example.com:0/"), badURL},
		{"port 65536", url("http://example.com:65536/"), badURL},
		{
			"above 8192 bytes", url("https://example.com/" + strings.Repeat("a", 8173)),
			"original_url must be at most 8192 bytes",
		},
		{"control character", url("https://example.com/\x01"), badURL},
		{"escaped control character", `{"original_url":"https://example.com/\u0000"}`, badURL},
		{"raw space", url("https://example.com/a b"), badURL},
		{"white space before", url(" https://example.com/"), badURL},
		{"white space after", url("https://example.com/\n"), badURL},

		{"empty body", "", "malformed JSON at byte 0: the text ends too early"},
		{"an array", `[]`, object},
		{"a string", `"https://example.com/"`, object},
		{"a number", `1`, object},
		{"a boolean", `true`, object},
		{"null", ` null `, object},
		{"wrong type: number", `{"original_url":1}`, `field "original_url" must be a string`},
		{"wrong type: object", `{"original_url":{}}`, `field "original_url" must be a string`},
		{
			"wrong type: array", `{"original_url":["https://example.com/"]}`,
			`field "original_url" must be a string`,
		},
		{
			"wrong type: boolean", `{"original_url":"https://example.com/","short_code":true}`,
			`field "short_code" must be a string`,
		},
		{"wrong type: code as number", code(`12345`), `field "short_code" must be a string`},
		{
			"trailing data", url("https://example.com/") + ` {}`,
			`malformed JSON at byte 40: invalid character '{' after top-level value`,
		},
		{
			"ends early", `{"original_url":"https://exam`,
			`malformed JSON at byte 29: the text ends too early`,
		},
		{
			"not JSON", `original_url=https://example.com/`,
			`malformed JSON at byte 0: invalid character 'o' at start of value`,
		},
		{
			"single quotes", `{'original_url':'x'}`,
			`malformed JSON at byte 1: invalid character '\'' at start of value`,
		},
		{
			"comma at the end", `{"original_url":"https://example.com/",}`,
			`malformed JSON at byte 38: invalid character ',' at start of value`,
		},
		{
			"invalid UTF-8", "{\"original_url\":\"https://example.com/\xff\"}",
			`malformed JSON at byte 37: invalid UTF-8`,
		},
		{
			"half a surrogate pair", `{"original_url":"https://example.com/\ud800"}`,
			"malformed JSON at byte 37: invalid surrogate pair `\\ud800\"}` in string",
		},
		{"unknown field", `{"original_url":"https://example.com/","url":1}`, `unknown field "url"`},
		{
			"field in other case", `{"Original_URL":"https://example.com/"}`,
			`unknown field "Original_URL"`,
		},
		{
			"unknown field with a value that is not JSON", `{"nonsense":!}`,
			`unknown field "nonsense"`,
		},
		{
			"duplicate field",
			`{"original_url":"https://a.example/","original_url":"https://b.example/"}`,
			`duplicate field "original_url"`,
		},
		{
			"very long unknown field", `{` + quote(t, strings.Repeat("ä", 70)) + `:1}`,
			`unknown field "` + strings.Repeat("ä", 64) + `…"`,
		},

		{"empty code", code(`""`), badCode},
		{"short code", code(`"ab"`), badCode},
		{"long code", code(`"abcdefghijklmnopqrstu"`), badCode},
		{"code with a space", code(`"ab c"`), badChars},
		{"code with a slash", code(`"abc/def"`), badChars},
		{"code not ASCII", code(`"äöü"`), badChars},
		{"reserved word api", code(`"api"`), reserved},
		{"reserved word health", code(`"health"`), reserved},
		{"reserved word ready", code(`"ready"`), reserved},
		{"reserved word metrics", code(`"metrics"`), reserved},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			wantError(t, f.do(t, badPost(row.body)), http.StatusBadRequest, row.text)
		})
	}
}

// 100,000 nested brackets are refused, cheaply.
func TestCreateNestedBrackets(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	deep := strings.Repeat("[", 100_000)
	for body, text := range map[string]string{
		deep:                                "request body must be a JSON object",
		deep + strings.Repeat("]", 100_000): "request body must be a JSON object",
		`{"original_url":` + deep:           "malformed JSON at byte 10015: exceeded max depth",
		`{"x":` + deep:                      `unknown field "x"`,
		strings.Repeat(`{"original_url":`, 50_000): "" +
			"malformed JSON at byte 160000: exceeded max depth",
	} {
		wantError(t, f.do(t, badPost(body)), http.StatusBadRequest, text)
	}
}

func TestCreateBodyAbove1MiB(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	f := newFixture(t, nil)
	const object = `{"original_url":"https://example.com/"}`
	pad := strings.Repeat(" ", 1<<20-len(object))
	if got := f.do(t, post(object+pad)); got.status != http.StatusCreated {
		t.Errorf("a body of 1 MiB: %d %s", got.status, got.body)
	}
	wantError(t, f.do(t, badPost(object+pad+" ")), http.StatusRequestEntityTooLarge,
		"request body must be at most 1 MiB")
}

// A caller that goes away in the middle of its body is answered, for the log.
func TestCreateBodyEndsEarly(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	addr := f.server.Listener.Addr().String()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn,
		"POST /api/urls HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+token+
			"\r\nContent-Length: 100\r\n\r\n{")
	if err = errors.Join(err, conn.(*net.TCPConn).CloseWrite()); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusBadRequest ||
		string(body) != `{"error":"request body ended early"}` {
		t.Errorf("answer %d %s", resp.StatusCode, body)
	}
}

// Content-Type is not enforced.
func TestCreateContentType(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, contentType := range [][]string{
		nil,
		{"text/plain"},
		{"application/x-www-form-urlencoded"},
		{"nonsense"},
		{"application/json; charset=utf-8"},
	} {
		r := badPost(`{"original_url":"https://example.com/"}`)
		r.header = http.Header{"Content-Type": contentType}
		if got := f.do(t, r); got.status != http.StatusCreated {
			t.Errorf("Content-Type %q: %d %s", contentType, got.status, got.body)
		}
	}
}

// Stored and returned verbatim, byte for byte, without HTML escaping.
func TestCreateVerbatim(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, url := range []string{
		"https://example.com/?a=1&b=<2>&c='\"",
		"HTTPS://EXAMPLE.com:443/A/../B?",
		"http://bücher.example/straße/\u2028/日本語#ende",
		"https://user:pass@example.com/%7euser/%E4%BD%A0",
		"https://example.com/" + strings.Repeat("a", 8192-20),
	} {
		body := `{"original_url":` + quote(t, url) + `}`
		got := f.do(t, post(body))
		if created := decodeAs[api.Created](t, got,
			http.StatusCreated); created.OriginalURL != url {
			t.Errorf("created %q, want %q", created.OriginalURL, url)
		}
		if !strings.Contains(got.body, "&") && strings.Contains(url, "&") ||
			strings.Contains(got.body, `\u003c`) {
			t.Errorf("HTML is escaped: %s", got.body)
		}
		page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?limit=1"}), http.StatusOK)
		if page.URLs[0].OriginalURL != url {
			t.Errorf("listed %q, want %q", page.URLs[0].OriginalURL, url)
		}
	}
	// A JSON escape is the character it stands for.
	got := f.do(t, post(`{"original_url":"https:\/\/example.com\/\u0041"}`))
	if created := decodeAs[api.Created](
		t, got, http.StatusCreated); created.OriginalURL != "https://example.com/A" {
		t.Errorf("created %q", created.OriginalURL)
	}
}

// The same URL twice: two links, two codes.
func TestCreateSameURLTwice(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	if first, second := f.create(t, "https://example.com/"), f.create(t,
		"https://example.com/"); first == second {
		t.Error("one code for two links")
	}
}

func TestCreateChosenCode(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, code := range []string{
		"abc", "Launch-2026_x", "-_-", "abcdefghijklmnopqrst", "API",
		"urls",
	} {
		body := `{"original_url":"https://example.com/","short_code":"` + code + `"}`
		if created := decodeAs[api.Created](t, f.do(t, post(body)),
			http.StatusCreated); created.ShortCode != code {
			t.Errorf("asked for %q, got %q", code, created.ShortCode)
		}
		wantError(t, f.do(t, post(body)), http.StatusConflict, "short code already exists")
	}
	// Case is significant.
	got := f.do(t, post(`{"original_url":"https://example.com/","short_code":"ABC"}`))
	if got.status != http.StatusCreated {
		t.Errorf("other case: %d %s", got.status, got.body)
	}
	f.createForeign(t, "foreign")
	wantError(t, f.do(t, post(`{"original_url":"https://example.com/","short_code":"foreign"}`)),
		http.StatusConflict, "short code already exists")
	// Null is as if absent.
	got = f.do(t, post(`{"original_url":"https://example.com/","short_code":null}`))
	if created := decodeAs[api.Created](t, got, http.StatusCreated); !generated.MatchString(
		created.ShortCode) {
		t.Errorf("null code: %s", got.body)
	}
}

// A collision of a generated code is retried, never shown.
func TestCreateRetriesTakenCodes(t *testing.T) {
	t.Parallel()
	var tries, taken atomic.Int64
	f := newFixture(t, func(o *httpapi.Options) {
		db := o.Store
		o.Store = faulty{
			Store: db,
			create: func(ctx context.Context, link terse.NewLink) (terse.Link, error) {
				if tries.Add(1) <= taken.Load() {
					return terse.Link{}, fmt.Errorf("insert: %w", terse.ErrCodeTaken)
				}
				return db.Create(ctx, terse.Caller{}, link)
			},
		}
	})
	taken.Store(9)
	f.create(t, "https://example.com/")
	if n := tries.Load(); n != 10 {
		t.Errorf("%d tries, want 10", n)
	}
	tries.Store(0)
	taken.Store(1000)
	wantError(t, f.do(t, post(`{"original_url":"https://example.com/"}`)),
		http.StatusInternalServerError, "internal server error")
	if n := tries.Load(); n != 10 {
		t.Errorf("%d tries, want no more than 10", n)
	}
	tries.Store(0)
	wantError(t, f.do(t, post(`{"original_url":"https://example.com/","short_code":"mine"}`)),
		http.StatusConflict, "short code already exists")
	if n := tries.Load(); n != 1 {
		t.Errorf("%d tries of a chosen code, want 1", n)
	}
}

// A link to one of our own short links would loop.
func TestCreateOwnShortLink(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	port := newFixture(t, func(o *httpapi.Options) { o.BaseURL = "http://localhost:8080" })
	below := newFixture(t, func(o *httpapi.Options) { o.BaseURL = "https://bücher.example/go" })
	for _, row := range []struct {
		f    *fixture
		url  string
		ours bool
	}{
		{f, "https://sho.rt/abc", true},
		{f, "http://sho.rt/abc", true},
		{f, "HTTPS://SHO.RT/abc", true},
		{f, "https://sho.rt:443/abc", true},
		{f, "https://sho.rt:0443/abc", true},
		{f, "http://sho.rt:80/abc", true},
		{f, "https://sho.rt./abc", true},
		{f, "https://ｓｈｏ.rt/abc", true},
		{f, "https://user@sho.rt/abc?query#fragment", true},
		{f, "https://sho.rt/%61bc", true},
		{f, "https://sho.rt/./abc", true},
		{f, "https://sho.rt/x/../abc", true},
		{f, "https://sho.rt/x/%2e%2e/abc", true},
		{f, "https://sho.rt/", false},
		{f, "https://sho.rt", false},
		{f, "https://sho.rt/ab", true},
		{f, "https://sho.rt/a.b.c", true},
		{f, "https://sho.rt/abc/", true},
		{f, "https://sho.rt/abc//", true},
		{f, `https://sho.rt/x\..\abc`, true},
		{f, `https://sho.rt/..\abc`, true},
		{f, `https://sho.rt/abc\`, true},
		{f, `https://sho.rt/abc?\..\x`, true},
		{f, `https://sho.rt/api\abc`, false},
		{f, `https://sho.rt/api%5cabc`, true}, // browsers leave it as it is
		{f, `https://other.example/?sho.rt\..\abc`, false},
		{f, "https://sho.rt/abc/def", true},
		{f, "https://sho.rt/health", false},
		{f, "https://sho.rt/ui", false},
		{f, "https://sho.rt:8443/abc", false},
		{f, "http://sho.rt:443/abc", false},
		{f, "https://www.sho.rt/abc", false},
		{f, "https://sho.rt.example/abc", false},
		{port, "http://localhost:8080/abc", true},
		{port, "https://LOCALHOST:8080/abc", true},
		{port, "http://localhost/abc", false},
		{port, "http://127.0.0.1:8080/abc", false},
		{below, "https://xn--bcher-kva.example/go/abc", true},
		{below, "https://BÜCHER.example/go/abc", true},
		{below, "https://bücher.example/abc", false},
		{below, "https://bücher.example/go/abc/def", true},
	} {
		r := post(`{"original_url":` + quote(t, row.url) + `}`)
		if got := row.f.do(t, r); row.ours {
			wantError(t, got, http.StatusBadRequest,
				"original URL must not be a short link of this service")
		} else if got.status != http.StatusCreated {
			t.Errorf("%s: %d %s", row.url, got.status, got.body)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	// Nothing to show: [], never null.
	if got := f.do(t, request{target: "/api/urls"}); got.body !=
		`{"urls":[],"total":0,"limit":20,"offset":0}` {
		t.Errorf("empty list: %s", got.body)
	}
	var codes []string
	for i := range 25 {
		codes = append(codes, f.create(t, fmt.Sprintf("https://example.com/%d", i)))
	}
	f.createForeign(t, "foreign")
	f.addClicks(t, codes[24], clickAt(t, "2026-01-31T12:00:00Z", "DE", "direct"),
		clickAt(t, "2026-01-31T12:00:01Z", "DE", "direct"))

	got := f.do(t, request{target: "/api/urls"})
	page := decodeAs[api.Page](t, got, http.StatusOK)
	if page.Total != 25 || page.Limit != 20 || page.Offset != 0 || len(page.URLs) != 20 {
		t.Errorf("page of %d with %d, %d, %d", len(page.URLs), page.Total, page.Limit, page.Offset)
	}
	for i, u := range page.URLs { // newest first
		if u.ShortCode != codes[24-i] || u.OriginalURL != fmt.Sprintf("https://example.com/%d",
			24-i) || u.CreatedBy != "authenticated-user" || u.ID <= 0 {
			t.Errorf("URL %d is %+v", i, u)
		}
		if name, offset := u.CreatedAt.Zone(); offset != 0 ||
			time.Since(u.CreatedAt).Abs() > time.Hour {
			t.Errorf("created at %v (%s)", u.CreatedAt, name)
		}
	}
	if page.URLs[0].ClickCount != 2 || page.URLs[1].ClickCount != 0 {
		t.Errorf("click counts %d and %d", page.URLs[0].ClickCount, page.URLs[1].ClickCount)
	}
	rest := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?limit=10&offset=20"}),
		http.StatusOK)
	if rest.Total != 25 || rest.Limit != 10 || rest.Offset != 20 || len(rest.URLs) != 5 ||
		rest.URLs[4].ShortCode != codes[0] {
		t.Errorf("last page %+v", rest)
	}
	beyond := f.do(t, request{target: "/api/urls?offset=1000000000000"})
	if beyond.body != `{"urls":[],"total":25,"limit":20,"offset":1000000000000}` {
		t.Errorf("beyond the end: %s", beyond.body)
	}
}

func TestListCreatedAtIsUTC(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) {
		db := o.Store
		o.Store = faulty{
			Store: db,
			create: func(ctx context.Context, link terse.NewLink) (terse.Link, error) {
				link.CreatedAt = time.Date(2026, 1, 31, 13, 30, 0, 123456000,
					time.FixedZone("", 3600))
				return db.Create(ctx, terse.Caller{}, link)
			},
		}
	})
	f.create(t, "https://example.com/")
	if got := f.do(t, request{target: "/api/urls"}); !strings.Contains(got.body,
		`"created_at":"2026-01-31T12:30:00.123456Z"`) {
		t.Errorf("list %s", got.body)
	}
}

func TestListRows(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, row := range []struct {
		name, query   string
		limit, offset int
	}{
		{"default", "", 20, 0},
		{"limit 1", "limit=1", 1, 0},
		{"limit 100", "limit=100", 100, 0},
		{"limit above 100", "limit=101", 100, 0},
		{"limit far above 100", "limit=1000000000000", 100, 0},
		{"limit 0", "limit=0", 20, 0},
		{"limit negative", "limit=-5", 20, 0},
		{"limit non-numeric", "limit=ten", 20, 0},
		{"limit empty", "limit=", 20, 0},
		{"limit overflowing", "limit=99999999999999999999", 20, 0},
		{"limit underflowing", "limit=-99999999999999999999", 20, 0},
		{"limit fractional", "limit=1.5", 20, 0},
		{"limit in hexadecimal", "limit=0x10", 20, 0},
		{"limit with a space", "limit=%205", 20, 0},
		{"offset", "offset=7", 20, 7},
		{"offset negative", "offset=-1", 20, 0},
		{"offset non-numeric", "offset=x", 20, 0},
		{"offset empty", "offset=", 20, 0},
		{"offset overflowing", "offset=99999999999999999999", 20, 0},
		{"offset largest", "offset=9223372036854775807", 20, 9223372036854775807},
		{"repeated: the first wins", "limit=5&limit=6&offset=7&offset=8", 5, 7},
		{"other parameters", "x=y&limit=5", 5, 0},
		{"broken query", "limit=5&%zz=1", 5, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := f.do(t, request{target: "/api/urls?" + row.query, bad: true})
			want := fmt.Sprintf(`{"urls":[],"total":0,"limit":%d,"offset":%d}`, row.limit,
				row.offset)
			if got.status != http.StatusOK || got.body != want {
				t.Errorf("answer %d %s, want %s", got.status, got.body, want)
			}
		})
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const body = `{"original_url":"https://example.com/","short_code":"again"}`
	f.do(t, post(body))
	f.addClicks(t, "again", clickAt(t, "2026-01-31T12:00:00Z", "DE", "direct"))
	remove := request{method: "DELETE", target: "/api/urls/again"}
	f.changed.list = nil
	if got := f.do(t, remove); got.status != http.StatusNoContent || got.body != "" ||
		got.header.Get("Content-Type") != "" {
		t.Errorf("answer %d %q %v", got.status, got.body, got.header)
	}
	if !f.changed.has("again") {
		t.Error("the redirect's cache was not told")
	}
	wantError(t, f.do(t, remove), http.StatusNotFound, "URL not found")
	wantError(t, f.do(t, request{target: "/api/urls/again/analytics"}), http.StatusNotFound,
		"URL not found")
	if page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls"}),
		http.StatusOK); page.Total != 0 {
		t.Errorf("%d links are left", page.Total)
	}
	// A code once deleted may be chosen again and starts at zero.
	if got := f.do(t, post(body)); got.status != http.StatusCreated {
		t.Fatalf("chosen again: %d %s", got.status, got.body)
	}
	stats := decodeAs[api.Analytics](t, f.do(t, request{target: "/api/urls/again/analytics"}),
		http.StatusOK)
	if stats.TotalClicks != 0 {
		t.Errorf("it starts at %d", stats.TotalClicks)
	}
}

func TestCodeThatCanNotExist(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, code := range []string{
		"ab", "abcdefghijklmnopqrstu", "a.b.c", "a%2Fb", "%00%00%00",
		"a%20b", "%E4%E4%E4", "nothere",
	} {
		wantError(t, f.do(t, request{method: "DELETE", target: "/api/urls/" + code, bad: true}),
			http.StatusNotFound, "URL not found")
		wantError(t, f.do(t, request{target: "/api/urls/" + code + "/analytics", bad: true}),
			http.StatusNotFound, "URL not found")
	}
	// Percent-encoded is the same code (RFC 3986, 6.2.2.2).
	code := f.create(t, "https://example.com/")
	encoded := fmt.Sprintf("%%%02X%s", code[0], code[1:])
	if got := f.do(t, request{
		method: "DELETE", target: "/api/urls/" + encoded,
		bad: true,
	}); got.status != http.StatusNoContent {
		t.Errorf("percent-encoded: %d %s", got.status, got.body)
	}
}

func TestForeignLink(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createForeign(t, "foreign")
	wantError(t, f.do(t, request{method: "DELETE", target: "/api/urls/foreign"}),
		http.StatusForbidden, "unauthorized to delete this URL")
	wantError(t, f.do(t, request{target: "/api/urls/foreign/analytics"}), http.StatusForbidden,
		"unauthorized to view analytics for this URL")
	wantError(t, f.do(t, request{target: "/api/urls/foreign/analytics?start_time=x", bad: true}),
		http.StatusBadRequest,
		"both start_time and end_time must be provided for time range queries")
	if f.changed.has("foreign") {
		t.Error("the cache was told of a link that nobody changed")
	}
}

func TestAnalytics(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	code := f.create(t, "https://example.com/?a&b")
	target := "/api/urls/" + code + "/analytics"
	head := `{"short_code":"` + code + `","original_url":"https://example.com/?a&b",`
	none := head + `"total_clicks":0,"by_country":{},"by_referrer":{},`
	if got := f.do(t, request{target: target}); got.body != none+`"by_date":{}}` {
		t.Errorf("no clicks: %s", got.body)
	}
	const from, to = "?start_time=2026-01-31T00:00:00Z",
		"&end_time=2026-01-31T23:59:59.999999%2B00:00"
	echo := `"start_time":"2026-01-31T00:00:00Z","end_time":"2026-01-31T23:59:59.999999+00:00"}`
	if got := f.do(t, request{target: target + from + to}); got.body != none+echo {
		t.Errorf("no clicks in a range: %s", got.body)
	}
	f.addClicks(t, code,
		clickAt(t, "2026-01-30T23:59:59.999999Z", "", "direct"),
		clickAt(t, "2026-01-31T00:00:00Z", "DE", "https://news.example/<a>&b"),
		clickAt(t, "2026-01-31T23:59:59.999999Z", "AT", "direct"),
		clickAt(t, "2026-02-01T00:00:00Z", "DE", "direct"))
	want := head + `"total_clicks":4,"by_country":{"AT":1,"DE":2,"XX":1},` +
		`"by_referrer":{"direct":3,"https://news.example/<a>&b":1},` +
		`"by_date":{"2026-01-30":1,"2026-01-31":2,"2026-02-01":1}}`
	if got := f.do(t, request{target: target}); got.body != want {
		t.Errorf("all time: %s\nwant %s", got.body, want)
	}
	want = head + `"total_clicks":2,"by_country":{"AT":1,"DE":1},` +
		`"by_referrer":{"direct":1,"https://news.example/<a>&b":1},` + echo
	// both ends inclusive
	if got := f.do(t, request{target: target + from + to}); got.body != want {
		t.Errorf("range: %s\nwant %s", got.body, want)
	}
}

func TestAnalyticsRangeRows(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	code := f.create(t, "https://example.com/")
	const (
		half     = "both start_time and end_time must be provided for time range queries"
		reversed = "start_time must be strictly before end_time (equality not allowed)"
		badStart = "start_time must be an RFC 3339 time such as 2026-01-31T12:00:00Z"
		badEnd   = "end_time must be an RFC 3339 time such as 2026-01-31T12:00:00Z"
		plus     = "; a + in a query string must be sent as %2B"
		good     = "2026-01-31T12:00:00Z"
	)
	for _, row := range []struct{ name, query, text string }{
		{"only start", "start_time=" + good, half},
		{"only end", "end_time=" + good, half},
		{"end empty", "start_time=" + good + "&end_time=", half},
		{"start empty", "start_time=&end_time=" + good, half},
		{"equal", "start_time=" + good + "&end_time=" + good, reversed},
		{
			"equal instants", "start_time=" + good + "&end_time=2026-01-31T13:00:00%2B01:00",
			reversed,
		},
		{"reversed", "start_time=" + good + "&end_time=2026-01-31T11:00:00Z", reversed},
		{"start not RFC 3339", "start_time=2026-01-31&end_time=" + good, badStart},
		{"end not RFC 3339", "start_time=" + good + "&end_time=tomorrow", badEnd},
		{"one digit hour", "start_time=2026-01-31T0:00:00Z&end_time=" + good, badStart},
		{"decimal comma", "start_time=2026-01-31T00:00:00,5Z&end_time=" + good, badStart},
		{"offset of 24 hours", "start_time=2026-01-31T00:00:00%2B24:00&end_time=" + good, badStart},
		{
			"plus that arrived as a space", "start_time=2026-01-31T00:00:00+01:00&end_time=" + good,
			badStart + plus,
		},
		{"repeated: the first wins", "start_time=x&start_time=2026-01-30T00:00:00Z&end_time=" +
			good, badStart},
		{"broken query", "start_time=%zz&end_time=%zz", "malformed query string"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			// A bad range and an unknown code: 400, no look-up needed.
			for _, code := range []string{code, "nothere"} {
				wantError(t, f.do(t, request{target: "/api/urls/" + code + "/analytics?" +
					row.query, bad: true}), http.StatusBadRequest, row.text)
			}
		})
	}
	for _, row := range []struct{ name, query, start, end string }{
		{
			"lower-case letters", "start_time=2026-01-31t00:00:00z&end_time=" + good,
			"2026-01-31t00:00:00z", good,
		},
		{
			"offsets",
			"start_time=2026-01-31T00:00:00-11:30&end_time=2026-01-31T23:00:00.5%2B01:00",
			"2026-01-31T00:00:00-11:30", "2026-01-31T23:00:00.5+01:00",
		},
		{
			"nanoseconds", "start_time=" + good + "&end_time=2026-01-31T12:00:00.000000001Z", good,
			"2026-01-31T12:00:00.000000001Z",
		},
		{"repeated: the first wins", "start_time=2026-01-30T00:00:00Z&start_time=x&end_time=" +
			good + "&end_time=y", "2026-01-30T00:00:00Z", good},
		{"both empty: as if absent", "start_time=&end_time=", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			got := f.do(t, request{
				target: "/api/urls/" + code + "/analytics?" + row.query,
				bad:    true,
			})
			stats := decodeAs[api.Analytics](t, got, http.StatusOK)
			if stats.StartTime != row.start || stats.EndTime != row.end ||
				(stats.ByDate == nil) != (row.start != "") {
				t.Errorf("answer %s, want the bounds %q and %q as given", got.body, row.start,
					row.end)
			}
		})
	}
}

// The cache is told also when it is not known what a failed write did.
func TestChangedAfterAFailedWrite(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) {
		o.Store = faulty{
			Store: o.Store,
			err:   errors.New("cut off"),
		}
	})
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"unsure"}`))
	if !f.changed.has("unsure") {
		t.Error("the cache was not told")
	}
}

// What the client sends and reads is what the server reads and sends.
func TestClient(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	ctx := t.Context()
	client := api.New(f.server.URL+"/", token)
	if status, err := client.Health(ctx); err != nil || status.Status != "ok" {
		t.Errorf("Health = %+v, %v", status, err)
	}
	created, err := client.Create(ctx, api.CreateRequest{
		OriginalURL: "https://example.com/",
		ShortCode:   new("launch"),
	})
	if want := (api.Created{
		ShortCode: "launch", ShortURL: baseURL + "/launch",
		OriginalURL: "https://example.com/",
	}); err != nil || !reflect.DeepEqual(created, want) {
		t.Errorf("Create = %+v, %v, want %+v", created, err, want)
	}
	f.addClicks(t, "launch", clickAt(t, "2026-01-31T12:00:00Z", "DE", "direct"),
		clickAt(t, "2026-02-01T12:00:00Z", "DE", "direct"))
	page, err := client.List(ctx, 0, 0)
	if err != nil || page.Total != 1 || page.Limit != 20 || len(page.URLs) != 1 ||
		page.URLs[0].ClickCount != 2 {
		t.Errorf("List = %+v, %v", page, err)
	}
	stats, err := client.Stats(ctx, "launch", api.Range{})
	want := api.Analytics{
		ShortCode: "launch", OriginalURL: "https://example.com/", TotalClicks: 2,
		Counts: api.Counts{
			ByCountry: map[string]int64{"DE": 2}, ByReferrer: map[string]int64{"direct": 2},
		},
		ByDate: map[string]int64{"2026-01-31": 1, "2026-02-01": 1},
	}
	if diff := cmp.Diff(want, stats); err != nil || diff != "" {
		t.Errorf("Stats: %v %s", err, diff)
	}
	zone := time.FixedZone("", 3600)
	stats, err = client.Stats(ctx, "launch", api.Range{Start: time.Date(2026, 1, 31, 13, 0, 0, 0,
		zone), End: time.Date(2026, 1, 31, 13, 0, 1, 5000, zone)})
	if err != nil || stats.TotalClicks != 1 || stats.StartTime != "2026-01-31T13:00:00+01:00" ||
		stats.EndTime != "2026-01-31T13:00:01.000005+01:00" {
		t.Errorf("Stats of a range = %+v, %v", stats, err)
	}
	if found, err := client.Search(ctx, api.Search{
		Text: "LAUNCH", Sort: "clicks",
		Limit: 1,
	}); err != nil || len(found.URLs) != 1 || found.NextCursor != "" {
		t.Errorf("search: %+v, %v", found, err)
	}
	if link, err := client.Link(ctx, "launch"); err != nil ||
		link.OriginalURL != "https://example.com/" || link.ShortURL != baseURL+"/launch" {
		t.Errorf("link: %+v, %v", link, err)
	}
	if clicks, err := client.Clicks(ctx, "launch", api.ClicksQuery{Interval: "week"}); err != nil ||
		clicks.ShortCode != "launch" || clicks.Interval != "week" {
		t.Errorf("clicks: %+v, %v", clicks, err)
	}
	if overview, err := client.Overview(
		ctx, api.ClicksQuery{TimeZone: "Europe/Berlin"}); err != nil || overview.Links == 0 ||
		overview.TimeZone != "Europe/Berlin" {
		t.Errorf("overview: %+v, %v", overview, err)
	}
	if recent, err := client.Recent(ctx, "launch", "nothere"); err != nil ||
		len(recent.Clicks["launch"]) != 30 || len(recent.Clicks) != 1 {
		t.Errorf("recent: %+v, %v", recent, err)
	}
	testClientRanges(t, client)
	if err := client.Delete(ctx, "launch"); err != nil {
		t.Errorf("Delete: %v", err)
	}
	var failure *api.Error
	err = client.Delete(ctx, "a/b?c")
	if !errors.As(err, &failure) || !errors.Is(err, api.ErrNotFound) ||
		failure.Message != "URL not found" {
		t.Errorf("Delete of an odd code: %v", err)
	}
	if _, err := api.New(f.server.URL, "nope").List(ctx, 0, 0); !errors.Is(err,
		api.ErrUnauthorized) {
		t.Errorf("List with a bad token: %v", err)
	}
	testAll(t, client)
}

// testAll creates more links than a page has and follows them through all pages.
func testAll(t *testing.T, client *api.Client) {
	t.Helper()
	var want []string
	for range 7 {
		link, err := client.Create(t.Context(), api.CreateRequest{
			OriginalURL: "https://example.com/all",
		})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, link.ShortCode)
	}
	_, err := client.Create(t.Context(), api.CreateRequest{
		OriginalURL: "https://example.com/",
		ShortCode:   &want[0],
	})
	if !errors.Is(err, api.ErrConflict) {
		t.Errorf("a code that is taken: %v", err)
	}
	var got []string
	for link, err := range client.All(t.Context(),
		api.Search{Text: "com/all", Sort: "oldest", Limit: 3}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, link.ShortCode)
	}
	if !slices.Equal(got, want) {
		t.Errorf("All = %v, want %v", got, want)
	}
	for link, err := range client.All(t.Context(), api.Search{Limit: 2, Offset: 3}) {
		if err != nil || link.ShortCode != want[3] {
			t.Errorf("All from the fourth = %v, %v", link, err)
		}
		break
	}
	for _, err := range client.All(t.Context(), api.Search{Sort: "sideways"}) {
		if !errors.Is(err, api.ErrInvalid) {
			t.Errorf("All with an unknown order: %v", err)
		}
	}
}

// testClientRanges asks for the clicks of "launch", of January 31 and February 1, with ranges
// that have one end.
func testClientRanges(t *testing.T, client *api.Client) {
	t.Helper()
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		span api.Range
		want int64
	}{
		{"from the first click", api.Range{Start: noon}, 2},
		{"from behind it", api.Range{Start: noon.Add(time.Second)}, 1},
		{"to the first click", api.Range{End: noon}, 1},
		{"to before it", api.Range{End: noon.Add(-time.Second)}, 0},
		{"to a year after", api.Range{End: noon.AddDate(1, 0, 0)}, 2},
	} {
		stats, err := client.Stats(t.Context(), "launch", tt.span)
		if err != nil || stats.TotalClicks != tt.want {
			t.Errorf("%s: Stats = %d, %v, want %d", tt.name, stats.TotalClicks, err, tt.want)
		}
		query := api.ClicksQuery{Range: tt.span, Interval: "day", TimeZone: "Europe/Berlin"}
		clicks, err := client.Clicks(t.Context(), "launch", query)
		if err != nil || clicks.TotalClicks != tt.want {
			t.Errorf("%s: Clicks = %d, %v, want %d", tt.name, clicks.TotalClicks, err, tt.want)
		}
		overview, err := client.Overview(t.Context(), query)
		if err != nil || overview.TotalClicks != tt.want {
			t.Errorf("%s: Overview = %d, %v, want %d", tt.name, overview.TotalClicks, err, tt.want)
		}
	}
}

func FuzzRequestBody(f *testing.F) {
	for _, body := range []string{
		``, `{}`, `[]`, `null`, `{"original_url":"https://example.com/"}`,
		`{"original_url":"https://example.com/","short_code":"abc"}`,
		`{"original_url":null,"short_code":null}`, `{"original_url":"https://sho.rt/abc"}`,
		`{"original_url":1}`, `{"x":[[[[`, "{\"\xff\":1}",
		`{"original_url":"\ud800"}`, `{"original_url":"https://example.com/"} x`,
		`{"original_url":"http://a","original_url":"http://b"}`,
	} {
		f.Add([]byte(body))
	}
	// A database works in goroutines of its own, whose coverage the fuzzer would take for news.
	handler := httpapi.New(httpapi.Options{
		Dashboard: http.NotFoundHandler(),
		Store:     accepting{}, StoreTimeout: time.Minute, Gate: testGate(f, nil), BaseURL: baseURL,
		Limit: budget(unlimited), LimitFailures: unlimited, Changed: func(string) {},
		Hosts: hosts.New(hosts.Options{BaseURL: baseURL}), Logger: discard(),
	})
	f.Fuzz(func(t *testing.T, body []byte) {
		req := badPost(string(body)).build(t, "")
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, req)
		got := answer{rec.Code, rec.Result().Header, rec.Body.String()}
		if got.status >= http.StatusInternalServerError || got.status != http.StatusCreated &&
			got.status < http.StatusBadRequest {
			t.Fatalf("%q: answer %d %s", body, got.status, got.body)
		}
		if err := conforms(request{bad: true}, req, got); err != nil {
			t.Fatalf("%q: answer %d %s: %v", body, got.status, got.body, err)
		}
		for _, jargon := range []string{"jsontext", "json:", "Go ", "api.", "unmarshal"} {
			if got.status == http.StatusBadRequest && strings.Contains(got.body, jargon) &&
				!strings.Contains(string(body), jargon) {
				t.Fatalf("%q: answer %s speaks of %q", body, got.body, jargon)
			}
		}
	})
}

func BenchmarkCreate(b *testing.B) {
	handler := httpapi.New(httpapi.Options{
		Dashboard: http.NotFoundHandler(),
		Store:     accepting{}, StoreTimeout: time.Minute, Gate: testGate(b, nil), BaseURL: baseURL,
		Limit: budget(unlimited), LimitFailures: unlimited, Changed: func(string) {},
		Hosts: hosts.New(hosts.Options{BaseURL: baseURL}), Logger: discard(),
	})
	r := post(`{"original_url":"https://example.com/a/long/path?with=query"}`)
	b.ReportAllocs()
	for b.Loop() {
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, r.build(b, ""))
		if rec.Code != http.StatusCreated {
			b.Fatal(rec.Code)
		}
	}
}
