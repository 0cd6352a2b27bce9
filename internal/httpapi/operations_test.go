package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terse/internal/httpapi"
	"terse/internal/link/hosts"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) {
		o.Store = faulty{
			Store: o.Store,
			check: func(context.Context) error { return errors.New("down") },
		}
	})
	// Liveness only: the database is not looked at.
	if got := f.do(t, request{target: "/health"}); got.status != http.StatusOK ||
		got.body != `{"status":"ok"}` {
		t.Errorf("answer %d %s", got.status, got.body)
	}
}

// What browsers and crawlers ask for on their own, of which neither can be a short code.
func TestIconAndRobots(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	got := f.do(t, request{target: "/robots.txt"})
	if got.status != http.StatusOK || got.header.Get("Cache-Control") != "public, max-age=86400" ||
		got.body != "User-agent: *\nDisallow: /api/\nDisallow: /ui/\n" {
		t.Errorf("robots.txt: %d %q %q", got.status, got.header, got.body)
	}
	got = f.do(t, request{target: "/favicon.ico"})
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "image/x-icon" ||
		!strings.HasPrefix(got.body, "\x00\x00\x01\x00\x01\x00") {
		t.Errorf("favicon.ico: %d %q", got.status, got.header)
	}
	for _, target := range []string{"/robots.txt", "/favicon.ico"} {
		if got := f.do(t, request{method: "POST", target: target}); got.status != 405 {
			t.Errorf("POST %s: %d", target, got.status)
		}
	}
}

// arrived is what GET /ready?verbose says about how a request arrived.
const arrived = `"client_address":"127.0.0.1"`

func TestReady(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	if got := f.do(t, request{target: "/ready"}); got.status != http.StatusOK ||
		got.body != `{"status":"ready"}` {
		t.Errorf("answer %d %s", got.status, got.body)
	}
	if got := f.do(t, request{target: "/ready?verbose"}); got.status != http.StatusOK ||
		got.body != `{"status":"ready",`+arrived+`}` {
		t.Errorf("verbose answer with nothing to say: %d %s", got.status, got.body)
	}
	f.exec(t, "ALTER TABLE links RENAME TO links_away")
	if got := f.do(t, request{target: "/ready"}); got.status != http.StatusServiceUnavailable ||
		got.body != `{"status":"unavailable"}` {
		t.Errorf("answer without the database: %d %s", got.status, got.body)
	}
	f.exec(t, "ALTER TABLE links_away RENAME TO links")
	if got := f.do(t, request{target: "/ready"}); got.status != http.StatusOK {
		t.Errorf("answer with the database back: %d %s", got.status, got.body)
	}
}

func TestReadyVerbose(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 300)
	var failure atomic.Pointer[error]
	f := newFixture(t, func(o *httpapi.Options) {
		o.Store = faulty{Store: o.Store, check: func(context.Context) error {
			if err := failure.Load(); err != nil {
				return *err
			}
			return nil
		}}
		o.Warnings = func() []string {
			return []string{
				"click journal: no space left on device",
				long,
			}
		}
	})
	// What fits into 500 bytes, in whole characters.
	warnings := `"warnings":["click journal: no space left on device","` + long[:500] + `"],` +
		arrived
	if got := f.do(t, request{target: "/ready?verbose=1"}); got.status != http.StatusOK ||
		got.body != `{"status":"ready",`+warnings+`}` {
		t.Errorf("answer %d %s", got.status, got.body)
	}
	if got := f.do(t, request{target: "/ready"}); got.body != `{"status":"ready"}` {
		t.Errorf("plain answer %s", got.body)
	}
	down := errors.New("database file is gone\xff")
	failure.Store(&down)
	got := f.do(t, request{target: "/ready?verbose"})
	if got.status != http.StatusServiceUnavailable ||
		got.body != `{"status":"unavailable","error":"database file is gone",`+warnings+`}` {
		t.Errorf("answer %d %s", got.status, got.body)
	}
	got = f.do(t, request{
		target: "/ready?verbose",
		header: http.Header{"Authorization": {"Bearer wrong"}},
	})
	if got.status != http.StatusServiceUnavailable || got.body != `{"status":"unavailable"}` {
		t.Errorf("a stranger was told %d %s", got.status, got.body)
	}
	if !strings.Contains(f.log.String(), "database file is gone") {
		t.Errorf("the log does not say why: %s", f.log)
	}
}

// Whoever sets up a proxy sees how its requests arrive. Only the server decides whom to believe.
func TestReadyForwarded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	header := http.Header{"X-Forwarded-For": {"203.0.113.7, 10.0.0.1", "10.0.0.2\xff"}}
	want := `{"status":"ready",` + arrived +
		`,"forwarded":"203.0.113.7, 10.0.0.1, 10.0.0.2` + "\uFFFD" + `"}`
	if got := f.do(t, request{target: "/ready?verbose", header: header}); got.body != want {
		t.Errorf("%s, want %s", got.body, want)
	}
	if got := f.do(t, request{target: "/ready", header: header}); got.body != `{"status":"ready"}` {
		t.Errorf("without verbose: %s", got.body)
	}
	header["Authorization"] = []string{"Bearer wrong"}
	if got := f.do(t, request{target: "/ready?verbose", header: header}); got.body !=
		`{"status":"ready"}` {
		t.Errorf("a stranger was told %s", got.body)
	}
}

// The readiness check has a deadline of its own below the store's.
func TestReadyDeadline(t *testing.T) {
	t.Parallel()
	for timeout, want := range map[time.Duration]time.Duration{
		time.Second: time.Second,
		time.Minute: 2 * time.Second,
	} {
		synctest.Test(t, func(t *testing.T) {
			handler := httpapi.New(httpapi.Options{
				Dashboard: http.NotFoundHandler(),
				Store: faulty{
					check: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
				},
				StoreTimeout: timeout, Hosts: hosts.New(hosts.Options{BaseURL: "http://s.example"}),
				Logger: discard(),
			})
			start, rec := time.Now(), httptest.NewRecorder()
			handler.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/ready", nil))
			if took := time.Since(start); rec.Code != http.StatusServiceUnavailable ||
				took != want {
				t.Errorf("with a timeout of %v: %d after %v, want 503 after %v", timeout, rec.Code,
					took, want)
			}
		})
	}
}

// A store deadline is a 500 too, but for questions about clicks, and no handler waits longer for
// the store.
func TestStoreDeadline(t *testing.T) {
	t.Parallel()
	for _, r := range tokenRoutes {
		synctest.Test(t, func(t *testing.T) {
			handler := httpapi.New(httpapi.Options{
				Dashboard: http.NotFoundHandler(),
				Store:     hanging{}, StoreTimeout: 5 * time.Second, Gate: testGate(t, nil),
				Limit: budget(unlimited), LimitFailures: unlimited, Changed: (&codes{}).add,
				Hosts: hosts.New(hosts.Options{BaseURL: "http://s.example"}), Logger: discard(),
			})
			want := http.StatusInternalServerError
			if r.target == "/api/overview" { // the others look up a link before
				want = http.StatusServiceUnavailable
			}
			start, rec := time.Now(), httptest.NewRecorder()
			handler.ServeHTTP(rec, r.build(t, ""))
			if took := time.Since(start); rec.Code != want || took != 5*time.Second {
				t.Errorf("%s %s: %d after %v", r.method, r.target, rec.Code, took)
			}
		})
	}
}

// An unknown error is logged with the request ID and never shown.
func TestUnknownErrorIsLoggedAndNotShown(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) {
		o.Store = faulty{Store: o.Store, err: errors.New("disk I/O error in secret place")}
	})
	asked := 0
	for _, r := range tokenRoutes {
		if r.method == "HEAD" {
			continue
		}
		asked++
		r.header = http.Header{"X-Request-Id": {"request-" + r.method}}
		wantError(t, f.do(t, r), http.StatusInternalServerError, "internal server error")
		if log := f.log.String(); !strings.Contains(log, "request_id=request-"+r.method) {
			t.Errorf("%s: no log record with the request ID: %s", r.method, log)
		}
	}
	if log := f.log.String(); strings.Count(log, "disk I/O error in secret place") != asked {
		t.Errorf("want each error once in the log: %s", log)
	}
}
