package httpapi_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"terse/api"
	"terse/internal/auth"
	"terse/internal/httpapi"
)

// signIn returns the cookie of a new session.
func (f *fixture) signIn(t testing.TB, header http.Header) *http.Cookie {
	t.Helper()
	if header == nil {
		header = http.Header{}
	}
	header["Authorization"] = nil
	got := f.do(t, request{
		method: "POST", target: "/ui/session", body: `{"token":"` + token + `"}`,
		header: header,
	})
	if got.status != http.StatusNoContent || got.body != "" {
		t.Fatalf("sign in: %d %s", got.status, got.body)
	}
	return setCookie(t, got)
}

func setCookie(t testing.TB, got answer) *http.Cookie {
	t.Helper()
	lines := got.header.Values("Set-Cookie")
	if len(lines) != 1 {
		t.Fatalf("Set-Cookie %q", lines)
	}
	cookie, err := http.ParseSetCookie(lines[0])
	if err != nil {
		t.Fatalf("Set-Cookie %q: %v", lines[0], err)
	}
	return cookie
}

// by is a request's header for what a browser with a cookie sends, and more.
func by(cookie *http.Cookie, more ...string) http.Header {
	header := http.Header{"Authorization": nil, "Cookie": {"theme=dark; " + cookie.Name + "=" +
		cookie.Value}}
	for i := 0; i < len(more); i += 2 {
		header.Set(more[i], more[i+1])
	}
	return header
}

func TestSession(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	before := time.Now()
	cookie := f.signIn(t, nil)
	if cookie.Name != "terse_session" || cookie.Path != "/" || cookie.MaxAge != 604800 ||
		!cookie.HttpOnly || !cookie.Secure ||
		cookie.SameSite != http.SameSiteStrictMode || cookie.Domain != "" ||
		strings.Contains(cookie.Value, token) {
		t.Errorf("cookie %+v", cookie)
	}
	session := decodeAs[api.Session](t, f.do(t, request{target: "/ui/session", header: by(cookie)}),
		http.StatusOK)
	if end := session.ExpiresAt.Add(-auth.SessionLifetime); end.Before(before.Add(-time.Second)) ||
		end.After(time.Now()) {
		t.Errorf("the session ends at %v", session.ExpiresAt)
	}

	got := f.do(t, request{
		method: "POST", target: "/api/urls",
		body: `{"original_url":"https://example.com/","short_code":"launch"}`, header: by(cookie),
	})
	if got.status != http.StatusCreated {
		t.Errorf("create: %d %s", got.status, got.body)
	}
	for target, status := range map[string]int{
		"/api/urls": 200, "/api/urls/launch/analytics": 200,
		"/metrics": 200, "/openapi.yaml": 200,
	} {
		if got := f.do(t, request{target: target, header: by(cookie)}); got.status != status {
			t.Errorf("%s: %d %s", target, got.status, got.body)
		}
	}
	if got := f.do(t, request{
		method: "DELETE", target: "/api/urls/launch",
		header: by(cookie),
	}); got.status != http.StatusNoContent {
		t.Errorf("delete: %d %s", got.status, got.body)
	}

	out := f.do(t, request{method: "DELETE", target: "/ui/session", header: by(cookie)})
	if forgotten := setCookie(t, out); out.status != http.StatusNoContent ||
		forgotten.Value != "" || forgotten.MaxAge >= 0 || forgotten.Path != "/" ||
		forgotten.Name != cookie.Name {
		t.Errorf("sign out: %d %+v", out.status, forgotten)
	}
}

func TestSessionIsSecureBehindHTTPS(t *testing.T) {
	t.Parallel()
	https := newFixture(t, nil)
	plain := newFixture(t, func(o *httpapi.Options) { o.BaseURL = "http://localhost:8080" })
	for _, row := range []struct {
		f      *fixture
		proto  string
		secure bool
	}{
		{https, "", true},
		{https, "http", true},
		{plain, "", false},
		{plain, "http", false},
		{plain, "https", true},
		{plain, "HTTPS, http", true},
	} {
		header := http.Header{}
		if row.proto != "" {
			header.Set("X-Forwarded-Proto", row.proto)
		}
		if cookie := row.f.signIn(t, header); cookie.Secure != row.secure {
			t.Errorf("X-Forwarded-Proto %q: Secure %v", row.proto, cookie.Secure)
		}
	}
}

func TestBadSignIn(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for body, want := range map[string]string{
		`{"token":"nope"}`: "Unauthorized: invalid token",
		`{"token":""}`:     "Unauthorized: invalid token",
		`{}`:               "Unauthorized: invalid token",
	} {
		got := f.do(t, request{method: "POST", target: "/ui/session", body: body, bad: true})
		wantError(t, got, http.StatusUnauthorized, want)
		if got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: a cookie", body)
		}
	}
	for body, want := range map[string]string{
		"":                                   "malformed JSON at byte 0: the text ends too early",
		"null":                               "request body must be a JSON object",
		`{"token":7}`:                        `field "token" must be a string`,
		`{"token":"` + token + `","more":1}`: `unknown field "more"`,
	} {
		wantError(t, f.do(t, request{method: "POST", target: "/ui/session", body: body, bad: true}),
			http.StatusBadRequest, want)
	}
}

// A session that is none is 401 everywhere, and an Authorization header hides the cookie.
func TestBadSession(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	good := f.signIn(t, nil)
	bad := &http.Cookie{Name: good.Name, Value: good.Value[:len(good.Value)-1]}
	for _, r := range append([]request{{target: "/ui/session"}}, tokenRoutes...) {
		r.header = by(bad)
		got := f.do(t, r)
		if r.method != "HEAD" {
			wantError(t, got, http.StatusUnauthorized, "Unauthorized: invalid session")
		}
		if got.header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%s: no challenge", r.target)
		}
	}
	wantError(t, f.do(t, request{
		target: "/api/urls",
		header: by(good, "Authorization", "Bearer nope"),
	}), http.StatusUnauthorized,
		"Unauthorized: invalid token")
	wantError(t, f.do(t, request{target: "/ui/session", header: authorization("Bearer " + token)}),
		http.StatusUnauthorized, "Unauthorized: invalid session")
	if got := f.do(t, request{
		target: "/api/urls",
		header: by(bad, "Authorization", "Bearer "+token),
	}); got.status != http.StatusOK {
		t.Errorf("a good token beside a bad cookie: %d", got.status)
	}
}

func TestSessionsAreProtectedFromOtherSites(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	f := newFixture(t, nil)
	cookie := f.signIn(t, nil)
	create := request{
		method: "POST", target: "/api/urls",
		body: `{"original_url":"https://example.com/"}`,
	}
	signIn := request{method: "POST", target: "/ui/session", body: `{"token":"` + token + `"}`}
	for _, foreign := range [][]string{
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
		{"Origin", "https://evil.example"},
		{"Origin", "null"},
		{"Origin", "http://sho.rt"},
	} {
		for _, r := range []request{
			create, signIn,
			{method: "DELETE", target: "/api/urls/nothere"},
			{method: "DELETE", target: "/ui/session"},
		} {
			r.header = by(cookie, foreign...)
			wantError(t, f.do(t, r), http.StatusForbidden, "cross-origin request refused")
		}
		read := request{target: "/api/urls", header: by(cookie, foreign...)}
		// the browser keeps the answer from the page
		if got := f.do(t, read); got.status != http.StatusOK {
			t.Errorf("%v, read: %d", foreign, got.status)
		}
		// A page that has the token needs no session.
		create.header = http.Header{foreign[0]: {foreign[1]}}
		if got := f.do(t, create); got.status != http.StatusCreated {
			t.Errorf("%v, create by token: %d", foreign, got.status)
		}
	}
	for base, as := range map[string]string{
		"https://Sho.RT": "https://sho.rt", "https://sho.rt:443": "https://sho.rt",
		"http://sho.rt:80/go": "http://sho.rt", "http://Sho.rt:443": "http://sho.rt:443",
		"HTTPS://sho.rt":              "https://sho.rt",
		"https://bücher.example:8443": "https://xn--bcher-kva.example:8443",
		"http://[::1]:80":             "http://[::1]",
	} {
		spelled := newFixture(t, func(o *httpapi.Options) { o.BaseURL = base })
		r := create
		r.header = by(spelled.signIn(t, nil), "Origin", as)
		if got := spelled.do(t, r); got.status != http.StatusCreated {
			t.Errorf("a page at %s, with the base URL %s: %d %s", as, base, got.status, got.body)
		}
	}
	for _, own := range [][]string{
		{"Sec-Fetch-Site", "same-origin"},
		{"Sec-Fetch-Site", "none"},
		{"Origin", baseURL},
		{"Origin", f.server.URL},
	} {
		create.header = by(cookie, own...)
		if got := f.do(t, create); got.status != http.StatusCreated {
			t.Errorf("%v: %d %s", own, got.status, got.body)
		}
	}
}

func TestSessionsHaveABudgetOfTheirOwn(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	limit := func(seconds int) func(netip.Addr) time.Duration {
		return func(addr netip.Addr) time.Duration {
			if addr != netip.MustParseAddr("127.0.0.1") {
				t.Errorf("the limiter was asked for %v", addr)
			}
			return time.Duration(seconds) * time.Second
		}
	}
	open := newFixture(t, nil)
	cookie := open.signIn(t, nil)
	bad := &http.Cookie{Name: cookie.Name, Value: "x"}
	signIn := request{method: "POST", target: "/ui/session", body: `{"token":"nope"}`}
	for _, row := range []struct {
		budget  func(*httpapi.Options)
		seconds string
		over    []request
		within  []request
	}{
		{
			func(o *httpapi.Options) { o.Limit = budget(limit(1)) }, "1",
			[]request{{target: "/api/urls"}},
			[]request{
				{target: "/api/urls", header: by(cookie)},
				{target: "/ui/session", header: by(cookie)},
			},
		},
		{
			func(o *httpapi.Options) { o.LimitSessions = budget(limit(2)) }, "2",
			[]request{{target: "/api/urls", header: by(cookie)}},
			[]request{{target: "/api/urls"}, {target: "/ui/session", header: by(cookie)}},
		},
		{
			func(o *httpapi.Options) { o.LimitFailures = limit(3) }, "3",
			[]request{
				signIn,
				{target: "/api/urls", header: by(bad)},
				{target: "/ui/session", header: by(bad)},
			},
			[]request{
				{target: "/api/urls", header: by(cookie)},
				{target: "/ui/session", header: by(cookie)},
			},
		},
	} {
		f := newFixture(t, row.budget)
		for _, r := range row.over {
			got := f.do(t, r)
			wantError(t, got, http.StatusTooManyRequests, "rate limit exceeded")
			if got.header.Get("Retry-After") != row.seconds {
				t.Errorf("%s: Retry-After %q, want %s", r.target, got.header.Get("Retry-After"),
					row.seconds)
			}
		}
		for _, r := range row.within {
			if got := f.do(t, r); got.status != http.StatusOK {
				t.Errorf("%s over another budget: %d", r.target, got.status)
			}
		}
	}
	// Nobody tried anything.
	closed := newFixture(t, func(o *httpapi.Options) { o.LimitFailures = limit(3) })
	wantError(t, closed.do(t, request{target: "/ui/session", header: authorization()}),
		http.StatusUnauthorized, "Unauthorized: invalid session")
	// Guessing ends with the budget: the right token is not told from a wrong one.
	right := request{
		method: "POST", target: "/ui/session", body: `{"token":"` + token + `"}`,
		header: authorization(),
	}
	wantError(t, closed.do(t, right), http.StatusTooManyRequests, "rate limit exceeded")
}

// Where / leads may change, unless a setting says it.
func TestRootOfTheDefaultDomain(t *testing.T) {
	t.Parallel()
	to := ""
	f := newFixture(t, func(o *httpapi.Options) {
		o.RootRedirect, o.Root = "", func() string { return to }
	})
	for _, want := range []struct{ set, location string }{
		{"", "/ui/"}, {"https://a.example/", "https://a.example/"}, {"", "/ui/"},
	} {
		to = want.set
		got := f.do(t, request{method: "GET", target: "/"})
		if got.status != http.StatusFound || got.header.Get("Location") != want.location ||
			got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%q: %d %v", want.set, got.status, got.header)
		}
	}
}

func TestDashboardAndRoot(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) { o.RootRedirect = "https://example.com/?a&b" })
	for _, method := range []string{"GET", "HEAD"} {
		got := f.do(t, request{method: method, target: "/", header: authorization()})
		if got.status != http.StatusFound || got.header.Get(
			"Location") != "https://example.com/?a&b" || got.body != "" {
			t.Errorf("%s /: %d %v", method, got.status, got.header)
		}
	}
	for _, path := range []string{
		"/ui", "/ui/", "/ui/links/abc", "/ui/links/", "/ui/session/",
		"/ui/assets/app.js",
	} {
		resp, err := f.server.Client().Get(f.server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != http.StatusOK || resp.ContentLength != int64(len("page "+path)) {
			t.Errorf("%s: %d, %d bytes", path, resp.StatusCode, resp.ContentLength)
		}
	}
}
