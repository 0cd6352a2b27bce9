package redirect

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/link/hosts"
	"terse/internal/visit/redirect/ring"
	"terse/internal/visit/unknown"
)

// me changes links where it does not matter who does.
var me = terse.Caller{Identity: "me"}

// clickLog is a journal that a test can look into and break.
type clickLog struct {
	mu     sync.Mutex // guards clicks
	clicks []terse.Click
	err    error
}

func (l *clickLog) record(c terse.Click) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.clicks = append(l.clicks, c)
	}
	return l.err
}

// faulty is a store that a test can take away, and that counts look-ups.
type faulty struct {
	LinkStore
	err     atomic.Pointer[error]
	lookups atomic.Int64
	during  func()
	failing func() error // in place of the look-up
}

func (f *faulty) Find(ctx context.Context, addresses []string) (map[string]terse.Link, error) {
	f.lookups.Add(1)
	if err := f.err.Load(); err != nil {
		return nil, *err
	}
	if f.failing != nil {
		return nil, f.failing()
	}
	links, err := f.LinkStore.Find(ctx, addresses)
	if f.during != nil {
		f.during()
	}
	return links, err
}

type fixture struct {
	*Handler
	store   *sqlite.Store
	links   *faulty
	clicks  *clickLog
	domains *hosts.Hosts
	wait    time.Duration // what the limiter says

	mu     sync.Mutex // guards what follows while requests are under way
	missed []string   // what Options.Unknown was told of
	// what Options.UnknownAlias was told of
	missedAliases []string
	taken         []netip.Addr // whom the limiter was asked about
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(),
		"terse.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	f := &fixture{
		store: store, links: &faulty{LinkStore: store}, clicks: &clickLog{},
		domains: startDomains(t, store, "go.example", "s2.example"),
	}
	f.Handler = New(Options{
		Links: f.links, LinkTimeout: time.Minute, Record: f.clicks.record,
		CacheBytes: MinCacheBytes, CountryHeader: "CF-IPCountry",
		Take: store.Take, Domains: f.domains.Table,
		Place: func(a netip.Addr) (country terse.Country, region, city string) {
			if a == netip.MustParseAddr("1.1.1.1") {
				return terse.Country{'A', 'U'}, "AU-VIC", "Melbourne, AU-VIC"
			}
			return terse.UnknownCountry, "", ""
		},
		Unknown: func(code terse.Code, at time.Time) {
			if time.Since(at) > time.Minute {
				t.Errorf("%v was asked for at %v", code, at)
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			f.missed = append(f.missed, code.String())
		},
		UnknownAlias: func(alias string, _ time.Time) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.missedAliases = append(f.missedAliases, alias)
		},
		Limit: func(a netip.Addr) time.Duration {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.taken = append(f.taken, a)
			return f.wait
		},
	})
	return f
}

// startDomains returns domains beside s.example.
func startDomains(t testing.TB, store *sqlite.Store, others ...string) *hosts.Hosts {
	t.Helper()
	h := hosts.New(hosts.Options{
		Store: store, BaseURL: "https://s.example", Others: others, Logger: slog.Default(),
	})
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

// link creates a link, and says so.
func (f *fixture) link(t testing.TB, code, url string) terse.Link {
	t.Helper()
	link := f.create(t, code, url)
	f.Invalidate(link.Code.String())
	return link
}

func (f *fixture) create(t testing.TB, code, url string) terse.Link {
	t.Helper()
	return f.createWith(t, code, url, "")
}

// linkWith creates a link with options; see optionsOf.
func (f *fixture) linkWith(t testing.TB, code, url string, options ...string) terse.Link {
	t.Helper()
	link := f.createWith(t, code, url, optionsOf(t, options...))
	f.Invalidate(link.Code.String())
	return link
}

// createWith creates a link, of another domain if code is the key of one.
func (f *fixture) createWith(t testing.TB, code, url string, o terse.EncodedOptions) terse.Link {
	t.Helper()
	c, err := terse.ParseKey(code)
	if err != nil {
		t.Fatal(err)
	}
	link, err := f.store.Create(t.Context(), me, terse.NewLink{
		Code: c, URL: terse.URL(url),
		CreatedBy: terse.Identity, Options: o,
	})
	if err != nil {
		t.Fatal(err)
	}
	return link
}

func (f *fixture) delete(t testing.TB, link terse.Link) {
	t.Helper()
	if err := f.store.Delete(t.Context(), me, link); err != nil {
		t.Fatal(err)
	}
}

// want asks for a path, which must lead to a location, or be unknown when that is empty.
func (f *fixture) want(t testing.TB, path, location string) {
	t.Helper()
	status := 302
	if location == "" {
		status = 404
	}
	w, err := f.ask("GET " + path)
	answered, got := w.Code, w.Header().Get("Location")
	if err != nil || answered != status || got != location {
		t.Errorf("%s: %d %q %v, want %d %q", path, answered, got, err, status, location)
	}
}

// ask sends one request to the default domain, or to that of a field Host, and returns the answer.
func (f *fixture) ask(request string, headers ...string) (*httptest.ResponseRecorder, error) {
	method, path, _ := strings.Cut(request, " ")
	path, form, given := strings.Cut(path, " ") // the password of a POST
	r := &http.Request{Method: method, RequestURI: path, Header: http.Header{}, Body: http.NoBody}
	visitor := Visitor{Addr: netip.MustParseAddr("1.1.1.1")}
	host := "s.example"
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			host = value
		}
		r.Header.Set(name, value)
		visitor.Trusted = visitor.Trusted || name == "trusted"
	}
	if method == "POST" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if given {
			r.Body = io.NopCloser(strings.NewReader("password=" + url.QueryEscape(form)))
		}
	}
	path, _, _ = strings.Cut(path, "?")
	w := httptest.NewRecorder()
	d, nothing := f.domains.Table().Asked([]byte(host))
	err := f.Serve(w, r, Visit{Path: []byte(path), Domain: d, Nothing: nothing, Visitor: visitor})
	return w, err
}

func TestRedirect(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/a?b=<c>&d")
	for _, path := range []string{"/launch", "/launch", "/l%61unch", "/launch/", "/l%61unch/"} {
		w, err := f.ask("GET " + path)
		h := w.Header()
		if err != nil || w.Code != 302 ||
			h.Get("Location") != "https://example.com/a?b=<c>&d" ||
			h.Get("Cache-Control") != "private, no-store" ||
			w.Body.Len() != 0 {
			t.Errorf("%s: %s %v", path, told(w), err)
		}
	}
	if f.links.lookups.Load() != 1 {
		t.Errorf("%d look-ups of one link", f.links.lookups.Load())
	}
}

func TestNotFoundPage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	impossible := []string{
		"/", "/launch%2F", "//launch", "//", "/%zz", "/\xff\xfe\xfd", "", "*", "/../launch", "/+",
		"/.svg", "/%00", "/%3F", "/a%5Cb", "/ launch", "/%C2%AD", "/" + strings.Repeat("a", 129),
		"/%c0%af", "/launch%252Fx", "/launch%25",
	}
	possible := []string{
		"/Launch", "/unknown", "/ab", "/launch//", "/launch/x", "/launch/x/", "/ab/", "/a.b",
		"/" + strings.Repeat("a", 21), "/" + strings.Repeat("a", 128),
	}
	var asked int64
	for i, path := range append(impossible, possible...) {
		if i == len(impossible) {
			asked = f.links.lookups.Load()
		}
		f.taken = nil
		w, err := f.ask("GET " + path)
		body, h := w.Body.String(), w.Header()
		if err != nil || w.Code != 404 ||
			h.Get("Content-Type") != "text/html; charset=utf-8" ||
			h.Get("Cache-Control") != "no-store" {
			t.Errorf("%q: %s %v", path, h, err)
		}
		if !strings.HasPrefix(body, "<!doctype html>") || strings.Contains(body, "://") ||
			strings.Contains(body, "src=") || strings.Contains(body, "<script") {
			t.Errorf("%q: the page is not self-contained", path)
		}
		if len(f.taken) != 1 {
			t.Errorf("%q: the miss counted %d times against the limit", path, len(f.taken))
		}
	}
	if asked > 0 {
		t.Errorf("%d look-ups of addresses that cannot exist", asked)
	}
	if len(f.clicks.clicks) != 0 {
		t.Error("a miss was counted as a click")
	}
}

func TestClicks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.link(t, "launch", "https://example.com/")
	for _, c := range []struct {
		header, referrer string
		country          string
	}{
		{"x: y", "direct", "AU"},
		{"Referer: https://news.example/a?b#c", "https://news.example/a?b", "AU"},
		{"CF-IPCountry: DE", "direct", "AU"},
		{"trusted: yes", "direct", "AU"},
	} {
		if _, err := f.ask("GET /launch", c.header); err != nil {
			t.Fatal(err)
		}
		got := f.clicks.clicks[len(f.clicks.clicks)-1]
		if got.Link != link.ID || got.Code != link.Code ||
			got.Values.Of(terse.ByReferrer) != c.referrer ||
			got.Values.Of(terse.ByCountry) != c.country || got.Time > time.Now().UnixMicro() {
			t.Errorf("%s: %+v", c.header, got)
		}
	}
	for header, country := range map[string]string{
		"CF-IPCountry: de": "DE",
		"CF-IPCountry: T1": "AU", "CF-IPCountry: XX": "AU",
	} {
		if _, err := f.ask("GET /launch", header, "trusted: yes"); err != nil {
			t.Fatal(err)
		}
		if got := f.clicks.clicks[len(f.clicks.clicks)-1]; got.Values[terse.ByCountry] != country {
			t.Errorf("%s from a trusted proxy counts as %s, want %s", header,
				got.Values[terse.ByCountry], country)
		}
	}
	n := len(f.clicks.clicks)
	if w, _ := f.ask("HEAD /launch"); w.Code != 302 ||
		len(f.clicks.clicks) != n {
		t.Error("HEAD must answer like GET and count nothing")
	}
}

func TestOtherMethods(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "BREW"} {
		w, _ := f.ask(method + " /launch")
		if w.Code != 405 ||
			w.Header().Get("Allow") != "GET, HEAD" ||
			w.Body.String() != `{"error":"method not allowed"}` {
			t.Errorf("%s: %s", method, told(w))
		}
	}
	if len(f.clicks.clicks) != 0 {
		t.Error("counted as a click")
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	for wait, header := range map[time.Duration]string{
		time.Nanosecond: "1", time.Second: "1",
		1500 * time.Millisecond: "2", time.Minute: "60",
	} {
		f.wait = wait
		w, _ := f.ask("GET /launch")
		if w.Code != 429 ||
			w.Header().Get("Retry-After") != header ||
			w.Body.String() != `{"error":"rate limit exceeded"}` {
			t.Errorf("%v: %s", wait, told(w))
		}
	}
	if len(f.clicks.clicks) != 0 {
		t.Error("a refused redirect was counted as a click")
	}
}

func TestStoreAway(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "cached", "https://example.com/")
	f.link(t, "cold", "https://example.com/")
	if _, err := f.ask("GET /cached"); err != nil {
		t.Fatal(err)
	}
	away := errors.New("away")
	f.links.err.Store(&away)
	if w, err := f.ask("GET /cached"); err != nil || w.Code != 302 ||
		len(f.clicks.clicks) != 2 {
		t.Errorf("a cached link: %d %v", w.Code, err)
	}
	w, err := f.ask("GET /cold")
	if !errors.Is(err, away) || w.Code != 500 ||
		w.Body.String() != `{"error":"internal server error"}` {
		t.Errorf("another: %s %v", told(w), err)
	}
	f.links.err.Store(nil)
	if w, _ := f.ask("GET /cold"); w.Code != 302 {
		t.Error("the failure was remembered")
	}
}

func TestJournalFull(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	f.clicks.err = errors.New("no room")
	w, err := f.ask("GET /launch")
	if !errors.Is(err, f.clicks.err) || w.Code != 302 ||
		f.ClicksLost.Load() != 1 {
		t.Errorf("%d %v, %d lost; redirects must go on and the loss be told",
			w.Code, err, f.ClicksLost.Load())
	}
}

func TestChangesAreSeenAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	if w, _ := f.ask("GET /launch"); w.Code != 404 {
		t.Fatal("exists already")
	}
	link := f.link(t, "launch", "https://example.com/1")
	if w, _ := f.ask("GET /launch"); w.Code != 302 {
		t.Error("a new link is hidden by its miss before")
	}
	if err := f.store.Delete(t.Context(), me, link); err != nil {
		t.Fatal(err)
	}
	f.Invalidate(link.Code.String())
	if w, _ := f.ask("GET /launch"); w.Code != 404 {
		t.Error("a deleted link still redirects")
	}
}

// TestInvalidateAll changes links behind the handler's back: what it has in memory is looked up
// before it is served again.
func TestInvalidateAll(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.link(t, "launch", "https://example.com/1")
	f.want(t, "/launch", "https://example.com/1")
	f.delete(t, link)
	f.want(t, "/launch", "https://example.com/1")
	f.InvalidateAll()
	f.want(t, "/launch", "")
	f.create(t, "launch", "https://example.com/2")
	f.InvalidateAll()
	f.want(t, "/launch", "https://example.com/2")

	f.InvalidateAll()
	before := f.links.lookups.Load()
	for range 3 {
		f.want(t, "/launch", "https://example.com/2")
	}
	if n := f.links.lookups.Load() - before; n != 1 {
		t.Errorf("a link that was found again is looked up %d times, want 1", n)
	}

	overtaken := f.link(t, "overtaken", "https://example.com/")
	f.links.during = func() {
		f.delete(t, overtaken)
		f.InvalidateAll()
		f.links.during = nil
	}
	f.want(t, "/overtaken", "https://example.com/")
	f.want(t, "/overtaken", "")
}

// TestInvalidateAllMakesWait: a stale link is handed to who may wait for the store, as a miss is.
func TestInvalidateAllMakesWait(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	f.want(t, "/launch", "https://example.com/")
	f.InvalidateAll()
	before := f.links.lookups.Load()
	v, r := Visit{Path: launch}, Attempt{Wait: -1}
	if a := f.Answer(&v, r); a.Reply != nil || f.links.lookups.Load() != before {
		t.Errorf("at once: %+v", a)
	}
	r.Wait = 0
	if a := f.Answer(&v, r); a.Reply == nil || a.Status != 302 ||
		f.links.lookups.Load() != before+1 {
		t.Errorf("then: %+v", a)
	}
	r.Wait = -1
	if a := f.Answer(&v, r); a.Reply == nil || a.Status != 302 {
		t.Errorf("when it was found: %+v", a)
	}
}

// TestStaleWhileStoreAway serves links that may have changed while the store cannot be asked.
func TestStaleWhileStoreAway(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	kept := f.link(t, "kept", "https://example.com/1")
	gone := f.link(t, "gone", "https://example.com/2")
	f.want(t, "/kept", "https://example.com/1")
	f.want(t, "/gone", "https://example.com/2")
	away := errors.New("away")
	f.links.err.Store(&away)
	f.InvalidateAll()
	f.delete(t, gone)
	before := f.links.lookups.Load()
	f.want(t, "/kept", "https://example.com/1")
	f.want(t, "/gone", "https://example.com/2") // which nobody told us of
	f.InvalidateAll()
	f.want(t, "/kept", "https://example.com/1")
	for _, wait := range []time.Duration{-1, time.Minute} {
		a := f.Answer(&Visit{Path: []byte("/gone")}, Attempt{Wait: wait})
		if a.Reply == nil || a.Status != 302 {
			t.Errorf("with a wait of %v: %+v", wait, a)
		}
	}
	if n := f.links.lookups.Load() - before; n != 1 {
		t.Errorf("%d look-ups in a store that had just failed, want 1", n)
	}
	f.Invalidate(gone.Code.String()) // told of it at last
	if w, err := f.ask("GET /gone"); !errors.Is(err, away) || w.Code != 500 {
		t.Errorf("a link that is known to have changed: %d %v", w.Code, err)
	}

	f.links.err.Store(nil)
	f.delete(t, kept)
	f.retryAt.Store(int64(time.Since(f.began))) // the time to try again has come
	f.want(t, "/kept", "")
}

// TestStoreAwayIsTriedByOne has many requests find a stale link when it is time to try the store
// again: one asks, and the others do not wait for it.
func TestStoreAwayIsTriedByOne(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	f.want(t, "/launch", "https://example.com/")
	f.InvalidateAll()
	f.retryAt.Store(1)
	before := f.links.lookups.Load()
	f.links.during = func() {
		f.links.during = nil
		for range 10 {
			f.want(t, "/launch", "https://example.com/")
		}
		if n := f.links.lookups.Load() - before; n != 1 {
			t.Errorf("%d look-ups, want 1", n)
		}
	}
	f.want(t, "/launch", "https://example.com/")
	if f.links.during != nil || f.retryAt.Load() != 0 {
		t.Error("the store that answers again was not tried, or is not trusted")
	}
}

// TestDeleteDuringFailedLookup deletes a link while a look-up of it is about to fail: it is not
// served from memory any more.
func TestDeleteDuringFailedLookup(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.link(t, "launch", "https://example.com/")
	f.want(t, "/launch", "https://example.com/")
	f.InvalidateAll()
	away := errors.New("away")
	f.links.failing = func() error {
		f.Invalidate(link.Code.String())
		return away
	}
	if w, err := f.ask("GET /launch"); !errors.Is(err, away) || w.Code != 500 {
		t.Errorf("%d %v", w.Code, err)
	}
}

// TestALookupThatAChangeOvertookIsNotKept changes the link between the store's answer and
// the cache's write.
func TestALookupThatAChangeOvertookIsNotKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.link(t, "launch", "https://example.com/")
	f.links.during = func() {
		if err := f.store.Delete(t.Context(), me, link); err != nil {
			t.Error(err)
		}
		f.Invalidate(link.Code.String())
		f.links.during = nil
	}
	_, _ = f.ask("GET /launch")
	if w, _ := f.ask("GET /launch"); w.Code != 404 {
		t.Error("what the store said before the change was kept")
	}
}

func TestUnknownAddressesExpire(t *testing.T) {
	t.Parallel()
	c := newCache(MinCacheBytes, false)
	v := c.versions()
	for i, address := range [][]byte{
		[]byte("launch"), []byte("docs/install"), []byte("launch"), []byte("docs/install"),
	} {
		d := terse.Domain(i/2) * terse.MaxDomain
		expired := uint64(time.Now().Add(-time.Second).UnixMicro())
		c.unknown.Put(c.key(d, address), binary.LittleEndian.AppendUint64(nil, expired), &v.unknown)
		if _, known := c.get(d, address, nil); known != notKnown {
			t.Error("an unknown address was remembered for too long")
		}
		c.putUnknown(d, address, &v)
		if _, known := c.get(d, address, nil); known != hasNone {
			t.Error("an unknown address was not remembered")
		}
		c.drop(d.Key(string(address)))
		if _, known := c.get(d, address, nil); known != notKnown {
			t.Error("an unknown address was remembered when it was created")
		}
		v = c.versions()
	}
}

func TestTheCacheKeepsItsBudget(t *testing.T) {
	t.Parallel()
	for _, aliases := range []int{0, terse.MaxAliases} {
		c := newCache(MinCacheBytes, false)
		v := c.versions()
		for n := range 50_000 {
			link := target{id: 1, code: terse.NewCode(false), location: make([]byte, 50)}
			c.put([]byte(link.code.String()), &link, &v)
			for i := range aliases {
				c.put(fmt.Append(nil, n, "/", i), &link, &v)
			}
			c.putUnknown(0, []byte(terse.NewCode(false).String()), &v)
		}
		for of, budget := range map[*ring.Cache]uint64{
			c.links: MinCacheBytes, c.unknown: unknownBytes,
		} {
			if n := of.Bytes(); n > budget || n < budget/2 {
				t.Errorf("%d bytes in a cache of %d, with %d aliases a link", n, budget, aliases)
			}
		}
	}
}

// TestACacheHitAllocatesNothing fails when an allocation is added to the redirect itself.
func TestACacheHitAllocatesNothing(t *testing.T) {
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	h := hotHandler(f)
	if n := testing.AllocsPerRun(1000, func() { hit(t, h) }); n > 0 {
		t.Errorf("%v allocations a redirect", n)
	}
}

// hotHandler has a journal and a limiter that cost nothing, so that a benchmark measures the
// handler.
func hotHandler(f *fixture) *Handler {
	return New(Options{
		Links: f.store, LinkTimeout: time.Minute, Record: func(terse.Click) error { return nil },
		CacheBytes: MinCacheBytes,
		Place: func(netip.Addr) (terse.Country, string, string) {
			return terse.UnknownCountry, "", ""
		},
		Limit: func(netip.Addr) time.Duration { return 0 },
	})
}

var launch, scratch = []byte("/launch"), make([]byte, 0, 256)

func hit(t testing.TB, h *Handler) {
	a := h.Answer(&Visit{Path: launch}, Attempt{Scratch: scratch})
	if a.Err != nil || a.Status != 302 {
		t.Fatal(a.Err, a.Status)
	}
}

func BenchmarkCacheHit(b *testing.B) {
	f := newFixture(b)
	f.link(b, "launch", "https://example.com/")
	h := hotHandler(f)
	b.ReportAllocs()
	for b.Loop() {
		hit(b, h)
	}
}

// BenchmarkCacheMiss looks each link up in the store.
func BenchmarkCacheMiss(b *testing.B) {
	f := newFixture(b)
	link := f.link(b, "launch", "https://example.com/")
	h := hotHandler(f)
	b.ReportAllocs()
	for b.Loop() {
		h.Invalidate(link.Code.String())
		hit(b, h)
	}
}

// BenchmarkUnknownCode asks for a new code each time, as a scanner does, with and without counting
// what was asked for.
func BenchmarkUnknownCode(b *testing.B) {
	counter := unknown.New(unknown.Options{})
	for name, add := range map[string]func(terse.Code, time.Time){
		"counted": counter.Add, "alone": nil,
	} {
		b.Run(name, func(b *testing.B) {
			h := hotHandler(newFixture(b))
			h.opts.Unknown = add
			b.ReportAllocs()
			path := []byte("/unknown0000000")
			for n := 0; b.Loop(); n++ {
				path = fmt.Appendf(path[:0], "/u%07d", n)
				if a := h.Answer(&Visit{Path: path}, Attempt{}); a.Err != nil || a.Status != 404 {
					b.Fatal(a.Err)
				}
			}
		})
	}
}

// BenchmarkCacheMemory reports what a link with a Location of 50 bytes takes.
func BenchmarkCacheMemory(b *testing.B) {
	const links, location = 1_000_000, 50
	for b.Loop() {
		before := heap()
		c := newCache(256<<20, false)
		v := c.versions()
		for range links {
			link := target{id: 1, code: terse.NewCode(false), location: make([]byte, location)}
			c.put([]byte(link.code.String()), &link, &v)
		}
		b.ReportMetric(float64(heap()-before)/links, "B-on-heap/link")
		b.ReportMetric(float64(c.links.Bytes())/links, "B-outside/link")
		runtime.KeepAlive(c)
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A request that may not wait so long is not answered, and takes one request off the budget when it
// is asked again.
func TestWait(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	v := Visit{Path: []byte("/launch"), Visitor: Visitor{Addr: netip.MustParseAddr("192.0.2.1")}}
	r := Attempt{Wait: -1}
	if a := f.Answer(&v, r); a.Reply != nil || f.links.lookups.Load() != 0 {
		t.Errorf("without a look-up: %+v, %d look-ups", a, f.links.lookups.Load())
	}
	late := fmt.Errorf("look up: %w", context.DeadlineExceeded)
	f.links.err.Store(&late)
	r.Wait, r.Admitted = time.Millisecond, true
	if a := f.Answer(&v, r); a.Reply != nil || f.links.lookups.Load() != 1 {
		t.Errorf("in too short a time: %+v, %d look-ups", a, f.links.lookups.Load())
	}
	r.Wait = 0
	if a := f.Answer(&v, r); a.Reply != Failed || !errors.Is(a.Err, late) {
		t.Errorf("when the store is too slow: %+v", a)
	}
	f.links.err.Store(nil)
	if a := f.Answer(&v, r); a.Reply == nil || a.Status != 302 || len(f.taken) != 1 {
		t.Errorf("at last: %+v, %d taken off the budget", a, len(f.taken))
	}
}
