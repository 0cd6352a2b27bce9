package redirect

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go4.org/netipx"

	"terse"
	"terse/internal/database/sqlite"
)

// linkAt creates a link with aliases and options; see optionsOf.
func (f *fixture) linkAt(t testing.TB, code, url string, aliases []string, options ...string,
) terse.Link {
	t.Helper()
	o, err := optionsOf(t, options...).Decode()
	if err != nil {
		t.Fatal(err)
	}
	o.Aliases = aliases
	text, err := o.Encode()
	if err != nil {
		t.Fatal(err)
	}
	link := f.createWith(t, code, url, text)
	f.changed(link)
	return link
}

// changed says that links, or versions of one, have changed.
func (f *fixture) changed(links ...terse.Link) {
	for _, link := range links {
		for _, address := range link.Addresses() {
			f.Invalidate(address)
		}
	}
}

// change gives a link another code and other aliases, and says nothing of it.
func (f *fixture) change(t testing.TB, before terse.Link, code string, aliases ...string,
) terse.Link {
	t.Helper()
	after := before
	var err error
	if after.Code, err = terse.ParseCode(code); err != nil {
		t.Fatal(err)
	}
	o, err := before.Options.Decode()
	if err != nil {
		t.Fatal(err)
	}
	o.Aliases = aliases
	if after.Options, err = o.Encode(); err != nil {
		t.Fatal(err)
	}
	after, err = f.store.Update(t.Context(), me,
		terse.LinkChange{Before: before, After: after})
	if err != nil {
		t.Fatal(err)
	}
	return after
}

func TestAliases(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	long := strings.Repeat("ü", 64)
	link := f.linkAt(t, "launch", "https://example.com/", []string{
		"1", "docs/install", "v1.2", "grüße", "a b", "launch2", "old.svg/x", long,
	})
	for _, path := range []string{
		"/launch", "/1", "/1/", "/%31", "/docs/install", "/docs/install/", "/docs/%69nstall",
		"/v1.2", "/v1%2E2/", "/grüße", "/gr%C3%BC%C3%9Fe", "/gr%c3%bc%c3%9fe", "/gru\u0308ße/",
		"/gru%CC%88%C3%9Fe", "/a%20b", "/launch2", "/launch2/", "/old.svg/x",
		"/" + long, "/" + strings.Repeat("u%CC%88", 64),
	} {
		for range 2 { // by the store, and by the cache
			f.want(t, path, "https://example.com/")
		}
		if w, _ := f.ask("HEAD " + path); w.Code != 302 {
			t.Errorf("HEAD %s: %d", path, w.Code)
		}
		f.wantStatus(t, 405, "POST "+path)
	}
	for _, path := range []string{
		"/2", "/Launch", "/docs", "/docs/", "/docs/install//", "/docs//install", "/docs%2Finstall",
		"/docs/install/x", "/DOCS/install", "/grusse", "/gr%FC%DFe", "/a+b", "/a%2520b",
		"/old.svg", "/old", "/v1.2/../v1.2", "/%C0%B1", "/" + long + "x", "/docs/install%2F",
	} {
		f.want(t, path, "")
	}
	for _, click := range f.clicks.clicks {
		if click.Link != link.ID || click.Code != link.Code {
			t.Fatalf("a click of %d %v", click.Link, click.Code)
		}
	}
	if n := len(f.clicks.clicks); n != 40 {
		t.Errorf("%d clicks, want 40", n)
	}
}

// An alias and its pages come before what a shorter address forwards; of several addresses that
// forward, the longest does.
func TestAliasesAndForwardPath(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkAt(t, "docs", "https://docs.example/", nil, "forward_path true")
	f.linkAt(t, "install", "https://install.example/", []string{"docs/install"})
	f.linkAt(t, "deep", "https://deep.example/", []string{"docs/a/b"}, "forward_path true")
	f.linkAt(t, "closed", "https://closed.example/", []string{"docs/a/b/c"}, "disabled true")
	f.linkAt(t, "later", "https://later.example/", []string{"docs/a/b/d"}, "forward_path true",
		`starts_at "2999-01-01T00:00:00Z"`)
	for range 2 {
		for path, location := range map[string]string{
			"/docs":                   "https://docs.example/",
			"/docs/x":                 "https://docs.example/x",
			"/docs/x/":                "https://docs.example/x/",
			"/docs/x%2Fy":             "https://docs.example/x%2Fy",
			"/docs/%zz":               "https://docs.example/%zz",
			"/docs/gru%cc%88ße":       "https://docs.example/gru%cc%88%C3%9Fe",
			"/docs//x":                "https://docs.example//x",
			"/docs/install":           "https://install.example/",
			"/docs/install/":          "https://install.example/",
			"/docs/%69nstall":         "https://install.example/",
			"/docs/install/x":         "https://docs.example/install/x",
			"/docs/install//":         "https://docs.example/install//",
			"/docs/install+/":         "https://docs.example/install+/",
			"/docs/install.gif":       "https://docs.example/install.gif",
			"/docs/other+":            "https://docs.example/other+",
			"/docs/other.svg":         "https://docs.example/other.svg",
			"/docs/+":                 "https://docs.example/+",
			"/docs/a":                 "https://docs.example/a",
			"/docs/a/b":               "https://deep.example/",
			"/docs/a/b/x":             "https://deep.example/x",
			"/docs/a/b/c/x":           "https://deep.example/c/x",
			"/docs/a/bc":              "https://docs.example/a/bc",
			"/docs/a/b/../x":          "",
			"/docs/a/b/d":             "",
			"/docs/a/b/d/x":           "",
			"/docs/" + long(129):      "https://docs.example/" + long(129),
			"/docs" + segments(100):   "https://docs.example" + segments(100),
			"/docs/a/b/%ff%2F%zz\xfc": "https://deep.example/%ff%2F%zz%FC",
		} {
			f.want(t, path, location)
		}
		f.wantStatus(t, 410, "GET /docs/a/b/c")
		for path, what := range map[string]string{
			"/docs/install+":    "https://s.example/docs/install</h1>",
			"/docs/a/b%2B":      "docs/a/b</h1>",
			"/docs/install.svg": "<svg",
		} {
			if w := f.wantStatus(t, 200, "GET "+path); !strings.Contains(w.Body.String(), what) {
				t.Errorf("%s has no %s: %s", path, what, w.Body)
			}
			f.wantStatus(t, 405, "POST "+path)
		}
	}
	f.wantStatus(t, 405, "POST /docs/x")
}

func long(n int) string { return strings.Repeat("a", n) }

func segments(n int) string { return strings.Repeat("/a", n) }

// one is a store with one link.
type one struct {
	terse.Link
	asked [][]string
}

func (o *one) Find(_ context.Context, addresses []string) (map[string]terse.Link, error) {
	o.asked = append(o.asked, addresses)
	found := map[string]terse.Link{}
	for _, address := range addresses {
		if slices.Contains(o.Addresses(), address) {
			found[address] = o.Link
		}
	}
	return found, nil
}

// A forwarded path is looked up with all of its addresses at once, and again when what is known of
// the longer ones is too old.
func TestForwardingAsksOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.linkAt(t, "docs", "https://docs.example/", []string{"d/e"}, "forward_path true")
	synctest.Test(t, func(t *testing.T) {
		store := &one{Link: link}
		h := hotHandler(f)
		h.opts.Links, h.cache = store, newCache(MinCacheBytes, false)
		visit := func(path, location string) {
			a := h.Answer(&Visit{Path: []byte(path)}, Attempt{})
			if a.Reply == nil || a.Status != 302 || string(a.Value) != location {
				t.Errorf("%s: %+v", path, a)
			}
		}
		for range 2 {
			for range 3 {
				visit("/docs/x+/y", "https://docs.example/x+/y")
				visit("/d/e/%zz", "https://docs.example/%zz")
			}
			h.cache.unknown.Invalidate() // as after unknownLifetime
		}
		visit("/docs", "https://docs.example/")
		want := [][]string{
			{"docs", "docs/x+/y"}, {"d", "d/e"}, {"docs", "docs/x+/y"},
		}
		if !reflect.DeepEqual(store.asked, want) {
			t.Errorf("asked for %q, want %q", store.asked, want)
		}
	})
}

func TestPagesOfAliases(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkAt(t, "launch", "https://example.com/", []string{
		"docs/install", "grüße/שלום", "a:b", "x y",
	})
	for path, parts := range map[string][]string{
		"/launch+":       {"<h1>https://s.example/launch</h1>", `href="launch"`},
		"/docs/install+": {"<h1>https://s.example/docs/install</h1>", `href="install"`},
		"/gr%C3%BC%C3%9Fe/%D7%A9%D7%9C%D7%95%D7%9D%2B": {
			"<h1>https://s.example/<bdi>grüße</bdi>/<bdi>שלום</bdi></h1>",
			`href="%D7%A9%D7%9C%D7%95%D7%9D"`, "<title>https://s.example/grüße/שלום</title>",
		},
		"/a:b+":   {"<h1>https://s.example/a:b</h1>", `href="./a:b"`},
		"/x%20y+": {"<h1>https://s.example/x%20y</h1>", `href="x%20y"`},
	} {
		w := f.wantStatus(t, 200, "GET "+path)
		for _, part := range parts {
			if !strings.Contains(w.Body.String(), part) {
				t.Errorf("%s has no %s: %s", path, part, w.Body)
			}
		}
	}
	pictures := map[string]bool{}
	for _, path := range []string{
		"/launch.svg", "/docs/install.svg", "/gr%C3%BC%C3%9Fe/%D7%A9%D7%9C%D7%95%D7%9D.svg",
	} {
		pictures[f.wantStatus(t, 200, "GET "+path).Body.String()] = true
	}
	if len(pictures) != 3 {
		t.Errorf("%d pictures of 3 addresses", len(pictures))
	}
	f.wantStatus(t, 200, "GET /docs/install.png")
	for _, path := range []string{
		"/docs/install+/", "/docs/install++", "/docs+", "/docs/.svg", "/docs/install.SVG",
	} {
		f.want(t, path, "")
	}
	if len(f.clicks.clicks) != 0 {
		t.Error("counted as clicks")
	}
}

// A password and max_clicks are the link's, at whichever address it is visited.
func TestOptionsAtAliases(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkAt(t, "locked", "https://example.com/", []string{"docs/locked"},
		quickHash(t, "secret"))
	f.wantStatus(t, 200, "GET /docs/locked")
	f.wantStatus(t, 403, "POST /docs/locked wrong")
	w := f.wantStatus(t, 303, "POST /docs/locked secret")
	if location(w) != "https://example.com/" {
		t.Error(told(w))
	}
	f.linkAt(t, "few", "https://example.com/", []string{"docs/few"}, "max_clicks 2")
	w = f.wantStatus(t, 200, "GET /docs/few", "User-Agent: Slackbot-LinkExpanding 1.0")
	if !strings.Contains(w.Body.String(), "https://s.example/docs/few") {
		t.Errorf("the preview does not show its address: %s", w.Body)
	}
	f.want(t, "/docs/few", "https://example.com/")
	f.want(t, "/few", "https://example.com/")
	f.wantStatus(t, 410, "GET /docs/few")
	f.wantStatus(t, 410, "GET /few")
}

// A link keeps its variants for each visitor when its code changes.
func TestVariantsStayWithANewCode(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.linkAt(t, "launch", "https://example.com/", nil,
		`rules [{"name":"half","share":50,"url":"https://half.example/"}]`)
	visit := func(i int, path string) string {
		v := Visit{Path: []byte(path), Time: time.Now()}
		v.Addr = netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		a := f.Answer(&v, Attempt{})
		return string(a.Value)
	}
	var before []string
	for i := range 100 {
		before = append(before, visit(i, "/launch"))
	}
	f.changed(link, f.change(t, link, "renamed", "launch"))
	for i := range 100 {
		for _, path := range []string{"/renamed", "/launch"} {
			if got := visit(i, path); got != before[i] {
				t.Fatalf("visitor %d of %s got %s, and %s before", i, path, got, before[i])
			}
		}
	}
}

// Another node changes a link's code, and this one does not know of it yet: it finds the link again
// where it has to ask the store.
func TestACodeThatChangedAMomentAgo(t *testing.T) {
	t.Parallel()
	for name, freed := range map[string]bool{"the old code is an alias": false, "freed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			link := f.linkAt(t, "few", "https://example.com/", []string{"docs/few"}, "max_clicks 3")
			f.want(t, "/docs/few", "https://example.com/")
			aliases := []string{"docs/few", "few"}
			if freed {
				aliases = aliases[:1]
			}
			f.change(t, link, "renamed", aliases...)
			f.want(t, "/docs/few", "https://example.com/")
			if last := f.clicks.clicks[1]; last.Code.String() != "renamed" || last.Link != link.ID {
				t.Errorf("a click of %v", last.Code)
			}
			f.wantStatus(t, 200, "GET /docs/few+")
			if !freed {
				f.wantStatus(t, 200, "GET /few+")
				f.want(t, "/few", "https://example.com/")
			} else {
				f.want(t, "/few", "")
			}
			if n := len(f.clicks.clicks); n != 3 && !freed || n != 2 && freed {
				t.Errorf("%d clicks", n)
			}
		})
	}
}

// The old code of a cached link becomes another link's: its other addresses, which nobody said
// anything of, do not lead there.
func TestACodeThatAnotherLinkGot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.linkAt(t, "launch", "https://example.com/1", []string{"docs/launch"})
	f.want(t, "/docs/launch", "https://example.com/1")
	f.change(t, link, "renamed", "docs/launch")
	f.Invalidate("launch")
	f.Invalidate("renamed")
	f.link(t, "launch", "https://example.com/2")
	f.want(t, "/launch", "https://example.com/2")
	f.want(t, "/docs/launch", "https://example.com/1")
	f.want(t, "/renamed", "https://example.com/1")
}

func TestChangesOfAliasesAreSeenAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.want(t, "/docs/a", "")
	link := f.linkAt(t, "launch", "https://example.com/1", []string{"docs/a"})
	f.want(t, "/docs/a", "https://example.com/1")
	after := f.change(t, link, "launch", "docs/b")
	f.changed(link, after)
	f.want(t, "/docs/a", "")
	f.want(t, "/docs/b", "https://example.com/1")
	other := f.linkAt(t, "other", "https://example.com/2", []string{"docs/a"})
	f.want(t, "/docs/a", "https://example.com/2")
	f.delete(t, other)
	f.changed(other)
	f.want(t, "/docs/a", "")
	// an alias becomes the code, and the code an alias
	again := f.change(t, after, "renamed", "docs/b", "launch")
	f.changed(after, again)
	for _, path := range []string{"/renamed", "/launch", "/docs/b"} {
		f.want(t, path, "https://example.com/1")
	}
	back := f.change(t, again, "launch", "docs/b", "renamed")
	f.changed(again, back)
	for _, path := range []string{"/renamed", "/launch", "/docs/b"} {
		f.want(t, path, "https://example.com/1")
	}
}

// TestInvalidateAllOfAliases changes aliases behind the handler's back: what it has in memory is
// looked up before it is served again, and served from memory while the store is away.
func TestInvalidateAllOfAliases(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.linkAt(t, "launch", "https://example.com/1", []string{"docs/a", "docs/b"})
	forwards := f.linkAt(t, "docs", "https://docs.example", nil, "forward_path true")
	paths := []string{"/docs/a", "/docs/b", "/docs/c", "/launch"}
	were := []string{
		"https://example.com/1", "https://example.com/1", "https://docs.example/c",
		"https://example.com/1",
	}
	for i, path := range paths {
		f.want(t, path, were[i])
	}
	away := errors.New("away")
	f.links.err.Store(&away)
	f.InvalidateAll()
	before := f.links.lookups.Load()
	for i, path := range paths {
		f.want(t, path, were[i])
	}
	if n := f.links.lookups.Load() - before; n != 1 {
		t.Errorf("%d look-ups in a store that had just failed, want 1", n)
	}
	f.Invalidate("docs/a")
	f.want(t, "/docs/a", "https://docs.example/a") // by what is in memory
	f.Invalidate("docs")
	if w, err := f.ask("GET /docs/a"); !errors.Is(err, away) || w.Code != 500 {
		t.Errorf("an address that is known to have changed: %d %v", w.Code, err)
	}
	f.links.err.Store(nil)
	f.delete(t, forwards)
	f.change(t, link, "renamed", "launch", "docs/c")
	f.retryAt.Store(int64(time.Since(f.began))) // the time to try again has come
	for i, want := range []string{"", "", "https://example.com/1", "https://example.com/1"} {
		f.want(t, paths[i], want)
	}
	before = f.links.lookups.Load()
	for i, want := range []string{"https://example.com/1", "https://example.com/1"} {
		f.want(t, paths[i+2], want)
	}
	if n := f.links.lookups.Load() - before; n != 0 {
		t.Errorf("links that were found again are looked up %d times", n)
	}
}

// TestALookUpOfAnAliasThatAChangeOvertook changes addresses between the store's answer and the
// cache's write.
func TestALookUpOfAnAliasThatAChangeOvertook(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.linkAt(t, "launch", "https://example.com/1", []string{"docs/a"})
	f.links.during = func() {
		f.links.during = nil
		f.delete(t, link)
		f.changed(link)
	}
	f.want(t, "/docs/a", "https://example.com/1")
	f.want(t, "/docs/a", "")
	f.want(t, "/launch", "")
	f.links.during = func() {
		f.links.during = nil
		f.linkAt(t, "other", "https://example.com/2", []string{"docs/b"})
	}
	f.want(t, "/docs/b", "")
	f.want(t, "/docs/b", "https://example.com/2")
}

// Waiting for the store is the same for aliases, forwarded paths and pages as for codes.
func TestWaitForAddresses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkAt(t, "docs", "https://docs.example", []string{"d/e"}, "forward_path true")
	for _, path := range []string{"/d/e", "/docs/x"} {
		v := Visit{Path: []byte(path)}
		before := f.links.lookups.Load()
		if a := f.Answer(&v, Attempt{Wait: -1}); a.Reply != nil || a.Apart {
			t.Errorf("%s, without a look-up: %+v", path, a)
		}
		if n := f.links.lookups.Load() - before; n != 0 {
			t.Errorf("%s: %d look-ups", path, n)
		}
		if a := f.Answer(&v, Attempt{}); a.Reply == nil || a.Status != 302 {
			t.Errorf("%s, with one: %+v", path, a)
		}
	}
	v := Visit{Path: []byte("/d/e+")}
	if a := f.Answer(&v, Attempt{Wait: -1}); a.Reply != nil || !a.Apart {
		t.Errorf("a page at once: %+v", a)
	}
	if a := f.Answer(&v, Attempt{}); a.Reply == nil || a.Status != 200 {
		t.Errorf("a page: %+v", a)
	}
}

const person = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

// Addresses that only an alias could be are reported where a person asks for them.
func TestUnknownAliases(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkAt(t, "launch", "https://example.com/", []string{"docs/install"})
	visit := func(path string, header ...string) {
		t.Helper()
		before := f.UnknownCodes.Load()
		if w, err := f.ask("GET "+path, header...); err != nil || w.Code != 404 {
			t.Errorf("%s: %d %v", path, w.Code, err)
		}
		if f.UnknownCodes.Load() != before+1 {
			t.Errorf("%s is not in the metric", path)
		}
	}
	const bot = "User-Agent: Googlebot/2.1"
	for _, path := range []string{
		"/1", "/v1.2", "/docs/x/", "/docs/install/x", "/gru%CC%88%C3%9Fe", "/x%20y",
	} {
		visit(path, person)
		visit(path, bot)
		visit(path)
		visit(path, person, "Sec-Purpose: prefetch")
	}
	for _, path := range []string{
		"/docs/x+", "/docs/x.svg", "/a//b", "/a%2Fb", "/a/../b", "/%ff", "/.well-known/x",
		"/" + strings.Repeat("x", terse.MaxAlias+1),
	} {
		visit(path, person)
	}
	want := []string{"1", "v1.2", "docs/x", "docs/install/x", "gr\u00fc\u00dfe", "x y"}
	if f.missed != nil || !slices.Equal(f.missedAliases, want) {
		t.Errorf("reported %v and %q, want %q", f.missed, f.missedAliases, want)
	}
}

// Own visits of unknown addresses are not reported.
func TestOwnVisitsOfUnknownAddresses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	own := netip.MustParseAddr("192.0.2.7")
	var b netipx.IPSetBuilder
	b.Add(own)
	set, err := b.IPSet()
	if err != nil {
		t.Fatal(err)
	}
	f.opts.Uncounted = *set
	for _, path := range []string{"/unknown", "/docs/x"} {
		for _, addr := range []netip.Addr{own, own.Next()} {
			_, name, _ := strings.Cut(person, ": ")
			v := agent(name)
			v.Path, v.Addr, v.Time = []byte(path), addr, time.Now()
			if a := f.Answer(&v, Attempt{}); a.Reply == nil || a.Status != 404 {
				t.Errorf("%s: %+v", path, a)
			}
		}
	}
	if got := append(f.missed, f.missedAliases...); !slices.Equal(got,
		[]string{"unknown", "docs/x"}) {
		t.Errorf("reported %q", got)
	}
}

func TestMetricsOfTheCache(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkAt(t, "docs", "https://docs.example", []string{"d/e"}, "forward_path true")
	for _, path := range []string{"/docs", "/d/e"} {
		for i, want := range [][2]int64{{0, 1}, {1, 0}} {
			hits, misses := f.CacheHits.Load(), f.CacheMisses.Load()
			f.want(t, path, "https://docs.example")
			hits, misses = f.CacheHits.Load()-hits, f.CacheMisses.Load()-misses
			if hits != want[0] || misses != want[1] {
				t.Errorf("%s, visit %d: %d hits, %d misses", path, i, hits, misses)
			}
		}
	}
	hits, misses := f.CacheHits.Load(), f.CacheMisses.Load()
	f.want(t, "/%zz", "")
	if f.CacheHits.Load() != hits || f.CacheMisses.Load() != misses {
		t.Error("what is no address hits or misses the cache")
	}
}

// ignoringCase is a fixture whose store and handler ignore case.
func ignoringCase(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t)
	store, err := sqlite.Open(t.Context(), sqlite.Options{
		Path: filepath.Join(t.TempDir(), "terse.db"), IgnoreCase: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	opts := f.opts
	f.store, f.links = store, &faulty{LinkStore: store}
	f.domains = startDomains(t, store, "go.example", "s2.example")
	opts.Domains = f.domains.Table
	opts.Links, opts.Take, opts.IgnoreCase = f.links, store.Take, true
	opts.Reserved = []string{"api", "health"}
	f.Handler = New(opts)
	return f
}

func TestIgnoreCase(t *testing.T) {
	t.Parallel()
	f := ignoringCase(t)
	link := f.linkAt(t, "Launch", "https://example.com/1", []string{"Docs/GRÜSSE", "Straße"})
	f.linkAt(t, "docs", "https://docs.example", nil, "forward_path true")
	for range 2 {
		for path, location := range map[string]string{
			"/Launch": "https://example.com/1", "/launch": "https://example.com/1",
			"/LAUNCH/": "https://example.com/1", "/docs/gr%C3%BCsse": "https://example.com/1",
			"/DOCS/GRu%CC%88SSE": "https://example.com/1", "/docs/GRÜ\u017f\u017fE": "" +
				"https://example.com/1",
			"/STRA\u1e9eE": "https://example.com/1", "/strasse": "",
			"/DOCS/X": "https://docs.example/X",
		} {
			f.want(t, path, location)
		}
		f.wantStatus(t, 200, "GET /LAUNCH+")
		f.wantStatus(t, 200, "GET /DOCS/grüsse.svg")
		f.want(t, "/launch.SVG", "")
	}
	for _, click := range f.clicks.clicks {
		if click.Link == link.ID && click.Code != link.Code {
			t.Fatalf("a click of %v", click.Code)
		}
	}
	if w, _ := f.ask("GET /no"); strings.Contains(w.Body.String(), "capitals") {
		t.Error("the page says that capitals matter")
	}
	for _, path := range []string{
		"/Unknown", "/UNKNOWN", "/API", "/Api/x", "/Health", "/he%41lth",
	} {
		before := f.links.lookups.Load()
		f.want(t, path, "")
		if n := f.links.lookups.Load() - before; n > 0 && !strings.EqualFold(path, "/unknown") {
			t.Errorf("%s: %d look-ups of a reserved word", path, n)
		}
	}
	if !slices.Equal(f.missed, []string{"strasse", "unknown", "unknown"}) &&
		!slices.Equal(f.missed, []string{"strasse", "strasse", "unknown", "unknown"}) {
		t.Errorf("reported %v", f.missed)
	}
	after := f.change(t, link, "LAUNCH", "docs/grüsse")
	f.changed(link, after)
	f.want(t, "/launch", "https://example.com/1")
	f.want(t, "/Straße", "")
	f.delete(t, after)
	f.changed(after)
	f.want(t, "/Launch", "")
	f.want(t, "/LAUNCH", "")
}

// TestAllocationsOfAliasHits fails when an allocation is added to redirects by alias. The click's
// alias takes one, and composing what is not ASCII takes another.
func TestAllocationsOfAliasHits(t *testing.T) {
	f := newFixture(t)
	f.linkAt(t, "launch", "https://example.com/", []string{
		"docs/install", "grüße", long(100), "a b",
	})
	h := hotHandler(f)
	for path, most := range map[string]float64{
		"/docs/install": 1, "/" + long(100): 1, "/a%20b": 1, "/launch/": 0, "/l%61unch": 0,
		"/grüße": 2, "/gr%C3%BC%C3%9Fe/": 2,
	} {
		v := Visit{Path: []byte(path)}
		if n := testing.AllocsPerRun(1000, func() {
			a := h.Answer(&v, Attempt{Scratch: scratch})
			if a.Err != nil || a.Status != 302 {
				t.Fatal(a.Err, a.Status)
			}
		}); n > most {
			t.Errorf("%s: %v allocations a redirect", path, n)
		}
	}
}

func TestWithoutAliases(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	value := `","aliases":["x"]`
	for _, o := range []terse.LinkOptions{
		{},
		{Title: `aliases`},
		{Title: `"aliases":["a"],`, Note: `\`},
		{Note: `{"aliases":["a"]}`, Tags: []string{`"`, `aliases`, `[`}, ForwardPath: true},
		{StartsAt: now, ExpiresAt: now.Add(time.Hour)},
		{Rules: []terse.Rule{{
			Name: `\"`, URL: "https://example.com/[",
			When: terse.Conditions{Query: map[string]*string{"aliases": &value, `"aliases`: nil}},
		}}},
	} {
		want, err := o.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got := withoutAliases(want); got != want {
			t.Errorf("%s became %s", want, got)
		}
		o.Aliases = []string{`a"]b`, "docs/[x", `{`, "]", `"aliases":[`}
		text, err := o.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got := withoutAliases(text); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
	for _, odd := range []terse.EncodedOptions{
		"", "{}", "null", "[", `{"`, `{"aliases`, `{"aliases":[`, `{"aliases":["a"`, `{"a":"\`,
		`{"later":{"aliases":[]}}`, `}}}]`, `{"aliases": ["a"]}`,
	} {
		if got := withoutAliases(odd); got != odd {
			t.Errorf("%s became %s", odd, got)
		}
	}
}

// TestMemoryOfAliases: an alias takes at most its address and 48 bytes, and a link without aliases
// takes nothing for them.
func TestMemoryOfAliases(t *testing.T) {
	t.Parallel()
	const links = 100_000
	c := newCache(64<<20, false)
	v := c.versions()
	all := make([]target, links)
	for n := range all {
		all[n] = target{
			id: terse.LinkID(n + 1), code: terse.NewCode(false), location: make([]byte, 50),
		}
		c.put([]byte(all[n].code.String()), &all[n], &v)
	}
	before, bytes := c.links.Bytes(), 0
	for n := range all {
		address := fmt.Appendf(nil, "docs/install/%06d", n)
		bytes += len(address)
		c.put(address, &all[n], &v)
	}
	// Each put stores the link again; the record before it stays until the ring is full.
	again := links * ((24 + targetHeader + 50 + 7) &^ 7)
	got := (int(c.links.Bytes()-before) - again) / links
	if most := bytes/links + 48; got > most {
		t.Errorf("an alias takes %d bytes, want at most %d", got, most)
	}
}

func BenchmarkAliasHit(b *testing.B) {
	for name, path := range map[string]string{
		"alias": "/docs/install", "encoded": "/gr%C3%BC%C3%9Fe", "word": "/install",
	} {
		b.Run(name, func(b *testing.B) {
			f := newFixture(b)
			f.linkAt(b, "launch", "https://example.com/",
				[]string{"docs/install", "grüße", "install"})
			h := hotHandler(f)
			v := Visit{Path: []byte(path)}
			b.ReportAllocs()
			for b.Loop() {
				if a := h.Answer(&v, Attempt{Scratch: scratch}); a.Status != 302 {
					b.Fatal(a)
				}
			}
		})
	}
}
