package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"terse/api"
	"terse/internal/httpapi"
)

func TestDocumentIsValidWithItsExamples(t *testing.T) {
	t.Parallel()
	if _, err := document(); err != nil {
		t.Fatal(err)
	}
}

// The route table and openapi.yaml match one to one.
func TestRoutesMatchDocument(t *testing.T) {
	t.Parallel()
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for pattern, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			documented = append(documented, method+" "+pattern)
		}
	}
	var routed []string
	for _, route := range httpapi.Routes() {
		routed = append(routed, route.Method+" "+route.Pattern)
		if op := doc.Paths.Value(route.Pattern).GetOperation(route.Method); op != nil {
			checkSecurity(t, route, op)
		}
	}
	slices.Sort(documented)
	slices.Sort(routed)
	if !slices.Equal(documented, routed) {
		t.Errorf("openapi.yaml has %v\nthe table has %v", documented, routed)
	}
}

// checkSecurity wants the document to say what the table says about tokens and limits.
func checkSecurity(t *testing.T, route httpapi.Route, op *openapi3.Operation) {
	t.Helper()
	name := route.Method + " " + route.Pattern
	if op.Security == nil {
		t.Fatalf("%s: openapi.yaml says nothing about security", name)
	}
	wants := slices.ContainsFunc(*op.Security,
		func(r openapi3.SecurityRequirement) bool { return r["bearer"] != nil })
	session := slices.ContainsFunc(*op.Security,
		func(r openapi3.SecurityRequirement) bool { return r["session"] != nil })
	optional := slices.ContainsFunc(
		*op.Security, func(r openapi3.SecurityRequirement) bool { return len(r) == 0 })
	either := route.Auth == httpapi.Token || route.Auth == httpapi.Unmetered
	token := either || route.Auth == httpapi.MetricsToken
	if wants != token || session != (either || route.Auth == httpapi.SignedIn) || wants &&
		optional != (route.Auth == httpapi.MetricsToken) {
		t.Errorf("%s: openapi.yaml wants a token: %v, a session: %v, optional: %v; the table "+
			"says %v", name, wants, session, optional, route.Auth)
	}
	for status, want := range map[int]bool{
		http.StatusUnauthorized: !slices.Contains([]httpapi.Auth{
			httpapi.Public, httpapi.Limited, httpapi.OnlyFailures,
		}, route.Auth) || strings.HasPrefix(route.Pattern, "/ui/share/{share}/"), // of a password
		http.StatusTooManyRequests: route.Auth != httpapi.Public ||
			strings.HasPrefix(route.Pattern, "/{shortCode}") || route.Pattern == "/ready" ||
			name == "POST /ui/share/{share}",
		http.StatusMethodNotAllowed: true,
	} {
		if (op.Responses.Status(status) != nil) != want {
			t.Errorf("%s: openapi.yaml has a %d: %v", name, status, !want)
		}
	}
}

// Reserved words: every first path segment that the server routes, from the one route
// table.
func TestReserved(t *testing.T) {
	t.Parallel()
	for segment, want := range map[string]bool{
		"api": true, "health": true, "ready": true, "metrics": true, "openapi.yaml": true,
		"ui": true, "": true,
		"API": false, "Health": false, "apis": false, "ap": false, "urls": false, "launch": false,
	} {
		if slices.Contains(httpapi.Reserved(), segment) != want {
			t.Errorf("Reserved(%q) = %v", segment, !want)
		}
	}
}

// What every domain serves are routes of the table that take no token.
func TestEverywhere(t *testing.T) {
	t.Parallel()
	var everywhere []string
	for _, route := range httpapi.Routes() {
		if httpapi.Everywhere([]byte(route.Pattern)) {
			everywhere = append(everywhere, route.Pattern)
			if route.Auth != httpapi.Public {
				t.Errorf("%s takes a token", route.Pattern)
			}
		}
	}
	slices.Sort(everywhere)
	if want := []string{"/favicon.ico", "/health", "/ready", "/robots.txt"}; !slices.Equal(
		everywhere, want) {
		t.Errorf("%q, want %q", everywhere, want)
	}
}

func TestRoutesIsACopy(t *testing.T) {
	t.Parallel()
	httpapi.Routes()[0].Pattern = "/changed"
	if httpapi.Routes()[0].Pattern == "/changed" {
		t.Error("callers can change the table")
	}
}

func TestUnknownRouteIsJSON404(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, target := range []string{
		"//", "/api", "/api/", "/api/urls/", "/api/urls/abc/", "/api/urls/abc/analytics/",
		"/api/urls/abc/click", "/api/overview/", "/api/v1/urls",
		"//api/urls", "/api//urls", "/api/../x", "/api/./urls", "/api/urls/abc/..", "/health/",
		"/health/x", "/Health", "/API/urls", "/ui//", "/ui/../x", "/uix/",
		"/openapi.yml", "/api/urls/a/b/analytics", "/%2e%2e/api/urls", "/api%2Furls",
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "DELETE", "OPTIONS", "BREW"} {
			got := f.do(t, request{method: method, target: target, bad: true})
			if got.status != http.StatusNotFound ||
				got.header.Get("Content-Type") != "application/json" ||
				got.header.Get("Location") != "" {
				t.Errorf("%s %s: %d %v", method, target, got.status, got.header)
			}
		}
	}
}

func TestWrongMethodIsJSON405WithOneAllowLine(t *testing.T) {
	t.Parallel()
	plain := newFixture(t, nil)
	cors := newFixture(t, func(o *httpapi.Options) {
		o.AllowedOrigins = []string{
			"https://app.example",
		}
	})
	for target, allow := range map[string]string{
		"/api/urls":               "GET, HEAD, POST",
		"/api/urls/abc":           "DELETE, GET, HEAD, PATCH",
		"/api/urls/abc/clicks":    "DELETE, GET, HEAD",
		"/api/urls/abc/history":   "GET, HEAD",
		"/api/urls/abc/share":     "DELETE, GET, HEAD, PATCH, POST",
		"/api/tags/abc/share":     "DELETE, GET, HEAD, PATCH, POST",
		"/api/overview/share":     "DELETE, GET, HEAD, PATCH, POST",
		"/api/shares":             "GET, HEAD",
		"/api/bulk":               "POST",
		"/api/tags":               "GET, HEAD",
		"/api/tags/abc":           "DELETE, PATCH",
		"/api/overview":           "GET, HEAD",
		"/api/recent":             "GET, HEAD",
		"/api/unknown":            "GET, HEAD",
		"/api/audit":              "GET, HEAD",
		"/api/urls/abc/analytics": "GET, HEAD",
		"/":                       "GET, HEAD",
		"/ui/session":             "DELETE, GET, HEAD, POST",
		"/health":                 "GET, HEAD",
		"/ready":                  "GET, HEAD",
		"/metrics":                "GET, HEAD",
		"/openapi.yaml":           "GET, HEAD",
	} {
		for _, method := range []string{
			"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
			"BREW", "get",
		} {
			if slices.Contains(strings.Split(allow, ", "), method) {
				continue
			}
			got := plain.do(t, request{
				method: method, target: target,
				header: http.Header{"Authorization": nil},
			})
			wantError(t, got, http.StatusMethodNotAllowed, "method not allowed")
			if lines := got.header.Values("Allow"); len(lines) != 1 || lines[0] != allow {
				t.Errorf("%s %s: Allow %q, want %q", method, target, lines, allow)
			}
		}
		want := allow
		if strings.HasPrefix(target, "/api/") {
			want = strings.Join(sorted(strings.Split(allow+", OPTIONS", ", ")), ", ")
		}
		if got := cors.do(t, request{
			method: "PUT",
			target: target,
		}); got.header.Get("Allow") != want {
			t.Errorf("PUT %s with CORS: Allow %q, want %q", target, got.header.Get("Allow"), want)
		}
	}
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

func TestGetRoutesAlsoAnswerHead(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	code := f.create(t, "https://example.com/")
	for _, target := range []string{
		"/api/urls", "/api/urls/" + code,
		"/api/urls/" + code + "/clicks", "/api/overview", "/api/recent?short_codes=" + code,
		"/api/unknown", "/api/audit?limit=1",
		"/api/urls/" + code + "/analytics", "/api/urls/nothere/analytics", "/",
		"/ui/session", "/health", "/ready", "/metrics", "/openapi.yaml",
	} {
		get, head := f.do(t, request{target: target}),
			f.do(t, request{method: "HEAD", target: target})
		if head.status != get.status || head.body != "" {
			t.Errorf("HEAD %s: %d %q, GET: %d", target, head.status, head.body, get.status)
		}
		for _, name := range []string{"Content-Type", "Content-Length"} {
			if head.header.Get(name) != get.header.Get(name) {
				t.Errorf("HEAD %s: %s %q, GET: %q", target, name, head.header.Get(name),
					get.header.Get(name))
			}
		}
	}
}

func TestPatternIsLeftOnTheRequest(t *testing.T) {
	t.Parallel()
	patterns := make(chan string, 1) // one request at a time
	f := newFixture(t, nil)
	inner := f.server.Config.Handler
	f.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner.ServeHTTP(w, r)
		patterns <- r.Pattern
	})
	for target, want := range map[string]string{
		"/health": "/health", "/api/urls": "/api/urls",
		"/api/urls/abc/analytics": "/api/urls/{shortCode}/analytics",
		"/api/nothing":            "", "/api/urls/": "", "//health": "",
		"/ui/session": "/ui/session",
	} {
		f.do(t, request{target: target})
		if got := <-patterns; got != want {
			t.Errorf("%s leaves the pattern %q, want %q", target, got, want)
		}
	}
}

func TestCORS(t *testing.T) {
	t.Parallel()
	const origin = "https://app.example"
	from := func(origin string) http.Header { return http.Header{"Origin": {origin}} }
	preflight := http.Header{
		"Origin": {origin}, "Access-Control-Request-Method": {"POST"},
		"Authorization": nil,
	}

	off := newFixture(t, nil)
	for name, values := range off.do(t, request{target: "/api/urls", header: from(origin)}).header {
		if strings.HasPrefix(name, "Access-Control") || name == "Vary" &&
			slices.Contains(values, "Origin") {
			t.Errorf("without allowed origins: %s", name)
		}
	}

	on := newFixture(t, func(o *httpapi.Options) {
		o.AllowedOrigins = []string{
			"https://one.example", origin,
		}
	})
	got := on.do(t, request{target: "/api/urls", header: from(origin)})
	if got.header.Get("Access-Control-Allow-Origin") != origin ||
		!slices.Contains(got.header["Vary"], "Origin") ||
		got.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("allowed origin: %v", got.header)
	}
	got = on.do(t, request{target: "/api/urls", header: http.Header{
		"Origin":        {origin},
		"Authorization": nil,
	}})
	if got.status != http.StatusUnauthorized || got.header.Get(
		"Access-Control-Allow-Origin") != origin {
		t.Errorf("an error that a page can't read: %d %v", got.status, got.header)
	}
	got = on.do(t, request{target: "/api/urls", header: from("https://evil.example")})
	if got.header.Get("Access-Control-Allow-Origin") != "" ||
		!slices.Contains(got.header["Vary"], "Origin") {
		t.Errorf("other origin: %v", got.header)
	}
	if got = on.do(t, request{target: "/health", header: from(origin)}); got.header.Get(
		"Access-Control-Allow-Origin") != "" {
		t.Errorf("outside the API: %v", got.header)
	}

	got = on.do(t, request{method: "OPTIONS", target: "/api/urls", header: preflight})
	if got.status != http.StatusNoContent || got.body != "" ||
		got.header.Get("Access-Control-Allow-Origin") != origin ||
		got.header.Get("Access-Control-Allow-Methods") != "GET, HEAD, OPTIONS, POST" ||
		!strings.Contains(got.header.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("preflight: %d %v", got.status, got.header)
	}
	preflight.Set("Origin", "https://evil.example")
	got = on.do(t, request{method: "OPTIONS", target: "/api/urls", header: preflight})
	if got.status != http.StatusNoContent || got.header.Get("Access-Control-Allow-Methods") != "" {
		t.Errorf("preflight of another origin: %d %v", got.status, got.header)
	}

	anyone := newFixture(t, func(o *httpapi.Options) { o.AllowedOrigins = []string{"*"} })
	if got = anyone.do(t, request{
		target: "/api/urls",
		header: from(origin),
	}); got.header.Get("Access-Control-Allow-Origin") != origin {
		t.Errorf("any origin allowed: %v", got.header)
	}
}

// Pages of an allowed origin can use each header that the document has, and each that is sent.
func TestCORSHeaders(t *testing.T) {
	t.Parallel()
	const origin = "https://app.example"
	f := newFixture(t, func(o *httpapi.Options) { o.AllowedOrigins = []string{origin} })
	list := f.do(t, request{target: "/api/urls", header: http.Header{"Origin": {origin}}})
	listed := func(got answer, name string) []string {
		return strings.Split(strings.ToLower(got.header.Get(name)), ", ")
	}
	exposed := listed(list, "Access-Control-Expose-Headers")
	allowed := listed(f.do(t, request{method: "OPTIONS", target: "/api/urls", header: http.Header{
		"Origin": {origin}, "Access-Control-Request-Method": {"POST"}, "Authorization": nil,
	}}), "Access-Control-Allow-Headers")
	// Those that pages can read anyway (Fetch standard, 2.2.2), and those that are for browsers.
	readable := []string{
		"cache-control", "content-length", "content-type", "date", "vary", "x-content-type-options",
		"content-encoding", "access-control-allow-origin", "access-control-expose-headers",
	}
	check := func(name string, list []string) {
		t.Helper()
		if name = strings.ToLower(name); !slices.Contains(list, name) {
			t.Errorf("%s is not among %q", name, list)
		}
	}
	unauthorized := f.do(t, request{target: "/api/urls", header: http.Header{
		"Origin": {origin}, "Authorization": nil,
	}})
	wrongMethod := f.do(t, request{
		method: "PUT", target: "/api/urls", header: http.Header{"Origin": {origin}},
	})
	for _, got := range []answer{list, unauthorized, wrongMethod} {
		for name := range got.header {
			check(name, append(readable, exposed...))
		}
	}
	for _, name := range []string{"Authorization", "Content-Type"} {
		check(name, allowed)
	}
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		if !strings.HasPrefix(path, "/api/") {
			continue
		}
		for _, operation := range item.Operations() {
			for _, parameter := range operation.Parameters {
				if parameter.Value.In == "header" {
					check(parameter.Value.Name, allowed)
				}
			}
			for _, response := range operation.Responses.Map() {
				for name := range response.Value.Headers {
					check(name, append(readable, exposed...))
				}
			}
		}
	}
}

func TestOpenAPIIsServed(t *testing.T) {
	t.Parallel()
	got := newFixture(t, nil).do(t, request{
		target: "/openapi.yaml",
		header: http.Header{"Authorization": nil},
	})
	if got.status != http.StatusOK || got.body != api.OpenAPI ||
		got.header.Get("Content-Type") != "application/yaml" {
		t.Errorf("answer %d %v, %d bytes", got.status, got.header, len(got.body))
	}
}
