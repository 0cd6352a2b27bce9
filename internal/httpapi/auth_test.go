package httpapi_test

import (
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse/internal/httpapi"
)

// tokenRoutes are one request of each route that wants a token.
var tokenRoutes = []request{
	{method: "POST", target: "/api/urls", body: `{"original_url":"https://example.com/"}`},
	{target: "/api/urls"},
	{method: "HEAD", target: "/api/urls"},
	{method: "DELETE", target: "/api/urls/nothere"},
	{target: "/api/urls/nothere/analytics"},
	{target: "/api/urls/nothere"},
	{target: "/api/urls/nothere/clicks"},
	{target: "/api/overview"},
}

func authorization(values ...string) http.Header { return http.Header{"Authorization": values} }

func TestAuthenticationRows(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const (
		missing = "Unauthorized: missing authorization header"
		format  = "Unauthorized: invalid authorization format"
		unknown = "Unauthorized: invalid token"
	)
	for _, row := range []struct {
		name    string
		headers []string
		text    string
	}{
		{"header absent", nil, missing},
		{"header empty", []string{""}, missing},
		{"other scheme", []string{"Basic Z29vZC10b2tlbg=="}, format},
		{"lower-case bearer", []string{"bearer " + token}, format},
		{"no token", []string{"Bearer"}, format},
		{"two spaces", []string{"Bearer  " + token}, format},
		{"several headers", []string{"Bearer " + token, "Bearer " + token}, format},
		{"unknown token", []string{"Bearer nope"}, unknown},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			for _, r := range tokenRoutes {
				r.header = authorization(row.headers...)
				got := f.do(t, r)
				if r.method != "HEAD" {
					wantError(t, got, http.StatusUnauthorized, row.text)
				}
				if challenge := got.header.Values("WWW-Authenticate"); len(challenge) != 1 ||
					challenge[0] != "Bearer" {
					t.Errorf("%s %s: WWW-Authenticate %q", r.method, r.target, challenge)
				}
			}
		})
	}
}

func TestEveryConfiguredTokenIsAccepted(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	code := f.create(t, "https://example.com/")
	// All tokens stand for one identity.
	got := f.do(t, request{
		method: "DELETE", target: "/api/urls/" + code,
		header: authorization("Bearer other-token"),
	})
	if got.status != http.StatusNoContent {
		t.Errorf("delete with the other token: %d %s", got.status, got.body)
	}
}

// Authentication is decided before the body, the query or the code is looked at.
func TestAuthenticationComesFirst(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, r := range []request{
		{method: "POST", target: "/api/urls", body: "not JSON", bad: true},
		{method: "POST", target: "/api/urls", body: strings.Repeat(" ", 2<<20), bad: true},
		{target: "/api/urls?limit=x", bad: true},
		{method: "DELETE", target: "/api/urls/!", bad: true},
		{target: "/api/urls/nothere/analytics?start_time=x", bad: true},
	} {
		r.header = authorization("Bearer nope")
		wantError(t, f.do(t, r), http.StatusUnauthorized, "Unauthorized: invalid token")
	}
}

func TestPublicRoutesNeedNoToken(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, target := range []string{"/health", "/ready", "/metrics", "/openapi.yaml"} {
		for _, header := range []http.Header{authorization(), authorization("Bearer nope")} {
			if got := f.do(t, request{
				target: target,
				header: header,
			}); got.status != http.StatusOK {
				t.Errorf("%s with %v: %d %s", target, header, got.status, got.body)
			}
		}
	}
}

func TestMetricsAuth(t *testing.T) {
	t.Parallel()
	open := newFixture(t, nil)
	got := open.do(t, request{target: "/metrics", header: authorization()})
	if got.status != http.StatusOK || !strings.HasPrefix(got.header.Get("Content-Type"),
		"text/plain") || !strings.Contains(got.body, "terse_up 1") {
		t.Errorf("public metrics: %d %v %q", got.status, got.header, got.body)
	}
	closed := newFixture(t, func(o *httpapi.Options) { o.MetricsAuth = true })
	wantError(t, closed.do(t, request{target: "/metrics", header: authorization()}),
		http.StatusUnauthorized, "Unauthorized: missing authorization header")
	wantError(t, closed.do(t, request{target: "/metrics", header: authorization("Bearer x")}),
		http.StatusUnauthorized, "Unauthorized: invalid token")
	if got := closed.do(t, request{target: "/metrics"}); got.status != http.StatusOK {
		t.Errorf("metrics with a token: %d", got.status)
	}
}

// Rate limits: 429 is JSON, with Retry-After in whole seconds, at least 1, and truthful.
func TestLimit(t *testing.T) {
	t.Parallel()
	var wait atomic.Int64
	var asked atomic.Int64
	f := newFixture(t, func(o *httpapi.Options) {
		o.Limit = budget(func(addr netip.Addr) time.Duration {
			if addr != netip.MustParseAddr("127.0.0.1") {
				t.Errorf("the limiter was asked for %v", addr)
			}
			asked.Add(1)
			return time.Duration(wait.Load())
		})
		o.MetricsAuth = true
	})
	for duration, seconds := range map[time.Duration]string{
		1: "1", time.Millisecond: "1", time.Second: "1", time.Second + 1: "2",
		59*time.Second + time.Millisecond: "60", time.Minute: "60",
	} {
		wait.Store(int64(duration))
		for _, r := range tokenRoutes {
			got := f.do(t, r)
			if r.method != "HEAD" {
				wantError(t, got, http.StatusTooManyRequests, "rate limit exceeded")
			}
			if retry := got.header.Values("Retry-After"); len(retry) != 1 || retry[0] != seconds {
				t.Errorf("to wait %v: Retry-After %q, want %s", duration, retry, seconds)
			}
		}
	}
	asked.Store(0)
	for _, target := range []string{"/health", "/ready", "/metrics", "/openapi.yaml"} {
		if got := f.do(t, request{target: target}); got.status != http.StatusOK {
			t.Errorf("operational route %s: %d", target, got.status)
		}
	}
	f.do(t, request{target: "/api/urls", header: authorization("Bearer nope")})
	f.do(t, request{target: "/api/nothing"})
	f.do(t, request{method: "PUT", target: "/api/urls"})
	if n := asked.Load(); n != 0 {
		t.Errorf("%d of these were taken from the budget", n)
	}
}

// Failed authentication has its own budget, so that one bad caller cannot lock out a good
// token on the same address.
func TestLimitFailures(t *testing.T) {
	t.Parallel()
	const budget = 3
	var failures atomic.Int64
	f := newFixture(t, func(o *httpapi.Options) {
		o.LimitFailures = func(netip.Addr) time.Duration {
			if failures.Add(1) > budget {
				return 30 * time.Second
			}
			return 0
		}
		o.MetricsAuth = true
	})
	bad := request{target: "/api/urls", header: authorization("Bearer nope")}
	for range budget {
		wantError(t, f.do(t, bad), http.StatusUnauthorized, "Unauthorized: invalid token")
	}
	got := f.do(t, bad)
	wantError(t, got, http.StatusTooManyRequests, "rate limit exceeded")
	if got.header.Get("Retry-After") != "30" || got.header.Get("WWW-Authenticate") != "" {
		t.Errorf("headers %v", got.header)
	}
	if got := f.do(t, request{target: "/api/urls"}); got.status != http.StatusOK {
		t.Errorf("a good token is locked out: %d %s", got.status, got.body)
	}
	for _, target := range []string{"/metrics", "/ready?verbose"} {
		wantError(t, f.do(t, request{target: target, header: authorization("Bearer nope")}),
			http.StatusTooManyRequests, "rate limit exceeded")
		if got := f.do(t, request{target: target}); got.status != http.StatusOK {
			t.Errorf("%s with a good token: %d %s", target, got.status, got.body)
		}
	}
	for _, target := range []string{"/ready?verbose", "/ready", "/health"} {
		got := f.do(t, request{target: target, header: authorization()})
		if got.status != http.StatusOK {
			t.Errorf("%s without a token: %d %s", target, got.status, got.body)
		}
	}
}

func TestAddressThatIsNoneIsOneClient(t *testing.T) {
	t.Parallel()
	var addr atomic.Value
	f := newFixture(t, func(o *httpapi.Options) {
		o.Limit = budget(func(a netip.Addr) time.Duration { addr.Store(a); return 0 })
	})
	inner := f.server.Config.Handler
	var remote atomic.Value
	f.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr, _ = remote.Load().(string)
		inner.ServeHTTP(w, r)
	})
	for from, want := range map[string]netip.Addr{
		"192.0.2.7:80":          netip.MustParseAddr("192.0.2.7"),
		"[::ffff:192.0.2.7]:80": netip.MustParseAddr("192.0.2.7"),
		"[2001:db8::1]:80":      netip.MustParseAddr("2001:db8::1"),
		"@":                     {},
		"":                      {},
	} {
		remote.Store(from)
		f.do(t, request{target: "/api/urls"})
		if got := addr.Load(); got != want {
			t.Errorf("from %q: the limiter was asked for %v, want %v", from, got, want)
		}
	}
}
