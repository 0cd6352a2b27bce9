package redirect

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"terse"
)

// lead sets where domains lead visitors for whom they have no link. A field is empty for nowhere.
func (f *fixture) lead(t testing.TB, d terse.Domain, root, unknown, ended terse.URL) {
	t.Helper()
	_, err := f.store.UpdateDomain(t.Context(), me, d, terse.DomainChange{
		Root: &root, Unknown: &unknown, Ended: &ended,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.domains.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// wantAt is want for a path at a host. status is that of the answer.
func (f *fixture) wantAt(t testing.TB, host, request string, status int, to string) {
	t.Helper()
	w, err := f.ask(request, "Host: "+host)
	if err != nil || w.Code != status || location(w) != to {
		t.Errorf("%s at %s: %s %v, want %d %q", request, host, told(w), err, status, to)
	}
}

// sameEverywhere creates links of the same addresses on the default domain, 1 and 2: codes launch,
// the alias docs/install of docs, and onward, which forwards paths.
func (f *fixture) sameEverywhere(t testing.TB) {
	t.Helper()
	for d, host := range []string{"s.example", "go.example", "s2.example"} {
		at := func(code string) string { return terse.Domain(d).Key(code) }
		f.link(t, at("launch"), "https://"+host+".test/launch")
		f.linkAt(t, at("docs"), "https://"+host+".test/docs", []string{"docs/install", "Grüße"})
		f.linkWith(t, at("onward"), "https://"+host+".test/onward", "forward_path true")
	}
}

// The same address is another link at each host, from the store, from the cache, and after each
// way to forget it.
func TestSameAddressesOnDomains(t *testing.T) {
	t.Parallel()
	for _, ignoreCase := range []bool{false, true} {
		f := newFixture(t)
		if ignoreCase {
			f = ignoringCase(t)
		}
		f.sameEverywhere(t)
		for round := range 4 {
			for i, host := range []string{"s.example", "go.example", "s2.example", "x.example"} {
				to := "https://" + host + ".test"
				if i == 3 {
					to = "https://s.example.test"
				}
				for path, end := range map[string]string{
					"/launch": "/launch", "/launch/": "/launch", "/l%61unch": "/launch",
					"/docs": "/docs", "/docs/install": "/docs", "/docs/install/": "/docs",
					"/Gr%C3%BC%C3%9Fe": "/docs", "/onward/x": "/onward/x", "/onward": "/onward",
				} {
					f.wantAt(t, host, "GET "+path, 302, to+end)
				}
				f.wantAt(t, host, "GET /docs/other", 404, "")
				if ignoreCase {
					f.wantAt(t, host, "GET /LAUNCH", 302, to+"/launch")
					f.wantAt(t, host, "GET /DOCS/Install", 302, to+"/docs")
				}
			}
			switch round {
			case 0:
				f.InvalidateAll()
			case 1:
				f.Invalidate("#1/launch")
				f.Invalidate("#1/docs/install")
			}
		}
		aliases := map[string]int{}
		for _, click := range f.clicks.clicks {
			aliases[click.Code.Text()+" "+click.Values[terse.ByAlias]]++
		}
		want := map[string]int{
			"launch ": 48, "onward ": 32, "docs ": 16, "docs /docs/install": 32, "docs /Grüße": 16,
		}
		if ignoreCase {
			want = map[string]int{
				"launch ": 64, "onward ": 32, "docs ": 16, "docs /docs/install": 48,
				"docs /" + terse.FoldAddress("Grüße"): 16,
			}
		}
		if !maps.Equal(aliases, want) {
			t.Errorf("clicks by code and alias: %v, want %v", aliases, want)
		}
	}
}

// A click has the code of its domain. Deleting a link on one domain leaves those on others.
func TestClicksAndChangesOfOneDomain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.sameEverywhere(t)
	f.wantAt(t, "go.example", "GET /docs/install", 302, "https://go.example.test/docs")
	if got := f.clicks.clicks[0]; got.Code.String() != "#1/docs" ||
		got.Values[terse.ByAlias] != "/docs/install" {
		t.Errorf("the click is of %s at %q", got.Code, got.Values[terse.ByAlias])
	}
	link := f.link(t, "#2/gone", "https://example.com/2")
	f.link(t, "#1/gone", "https://example.com/1")
	f.link(t, "gone", "https://example.com/0")
	for d, host := range []string{"s.example", "go.example", "s2.example"} {
		f.wantAt(t, host, "GET /gone", 302, fmt.Sprint("https://example.com/", d))
	}
	f.delete(t, link)
	f.Invalidate(link.Code.String())
	looked := f.links.lookups.Load()
	f.wantAt(t, "s.example", "GET /gone", 302, "https://example.com/0")
	f.wantAt(t, "go.example", "GET /gone", 302, "https://example.com/1")
	f.wantAt(t, "s2.example", "GET /gone", 404, "")
	if n := f.links.lookups.Load() - looked; n != 1 {
		t.Errorf("%d look-ups, want that of the deleted link only", n)
	}
}

// No path spells the key of another domain's link, whatever is cached.
func TestNoPathIsAKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.sameEverywhere(t)
	for _, path := range []string{"/launch", "/docs/install"} {
		f.wantAt(t, "go.example", "GET "+path, 302, "https://go.example.test/"+path[1:5]+
			map[bool]string{true: "ch"}[path == "/launch"])
	}
	for _, path := range []string{
		"/%231/launch", "/%231/docs/install", "/%231%2Flaunch", "/%231/launch+", "/#1/launch",
		"/%23", "/%231", "/%231/", "/%230/launch", "/%23127/launch", "//%231/launch",
	} {
		for _, host := range []string{"s.example", "go.example", "s2.example"} {
			f.wantAt(t, host, "GET "+path, 404, "")
		}
	}
	if len(f.missed)+len(f.missedAliases) > 0 {
		t.Errorf("%q, %q are counted as unknown", f.missed, f.missedAliases)
	}
	var r addresses
	if r.read([]byte("/%231/launch")); r.n > 0 {
		t.Errorf("%q is an address", r.at(0))
	}
}

// A link that was found by its former code is found there from the cache.
func TestFormerCodesOnDomains(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.sameEverywhere(t)
	before := f.link(t, "#1/former", "https://example.com/")
	f.wantAt(t, "go.example", "GET /former", 302, "https://example.com/")
	after := before
	after.Code, _ = terse.ParseKey("#1/latter")
	after.Options = `{"aliases":["former"]}`
	change := terse.LinkChange{Before: before, After: after}
	if _, err := f.store.Update(t.Context(), me, change); err != nil {
		t.Fatal(err)
	}
	f.InvalidateAll()
	looked := f.links.lookups.Load()
	for range 3 {
		f.wantAt(t, "go.example", "GET /former", 302, "https://example.com/")
	}
	if n := f.links.lookups.Load() - looked; n != 1 {
		t.Errorf("%d look-ups, want 1", n)
	}
	f.wantAt(t, "go.example", "GET /latter", 302, "https://example.com/")
	f.wantAt(t, "s.example", "GET /former", 404, "")
}

// The last domain's codes are none of the cache's hashes.
func TestKeysOfTheCache(t *testing.T) {
	t.Parallel()
	c := newCache(MinCacheBytes, false)
	for d := range terse.MaxDomain + 1 {
		code := terse.NewCode(false).On(d)
		if codeKey(code).Hi&notCode == notCode {
			t.Errorf("the key of a code on domain %d is one of an address", d)
		}
		if c.key(d, []byte("docs/install")).Hi&notCode != notCode {
			t.Errorf("the key of an address on domain %d is one of a code", d)
		}
		v := c.versions()
		link := target{id: terse.LinkID(d) + 1, code: code, location: []byte("https://example.com")}
		c.put([]byte("docs/install"), &link, &v)
	}
	v := c.versions()
	code, _ := terse.ParseKey("#126/launch")
	c.put([]byte("launch"), &target{id: 1, code: code}, &v)
	c.putUnknown(terse.MaxDomain, []byte("launch"), &v)
	if _, is := c.get(terse.MaxDomain, []byte("launch"), nil); is != hasNone {
		t.Error("a code that is unknown now is remembered")
	}
	for d := range terse.MaxDomain + 1 {
		got, is := c.get(d, []byte("docs/install"), nil)
		if is != hasLink || got.id != terse.LinkID(d)+1 || got.code.Domain() != d {
			t.Errorf("domain %d has the link %+v", d, got)
		}
	}
}

// Unknown addresses are counted the same on all domains.
func TestUnknownOnDomains(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.lead(t, 1, "", "https://example.com/?grüße", "")
	const firefox = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 " +
		"Firefox/140.0"
	for _, host := range []string{"s.example", "go.example", "s2.example"} {
		for _, path := range []string{"/missing", "/docs/missing"} {
			if _, err := f.ask("GET "+path, "Host: "+host, firefox); err != nil {
				t.Error(err)
			}
		}
	}
	if !slices.Equal(f.missed, []string{"missing", "missing", "missing"}) ||
		!slices.Equal(f.missedAliases, []string{"docs/missing", "docs/missing", "docs/missing"}) ||
		f.UnknownCodes.Load() != 6 {
		t.Errorf("%q, %q and %d are counted", f.missed, f.missedAliases, f.UnknownCodes.Load())
	}
}

func TestWhereDomainsLead(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const away = "https://example.com/"
	for _, at := range []string{"", "#1/", "#2/"} {
		f.linkWith(t, at+"later", "https://a.example/", `starts_at "2999-01-01T00:00:00Z"`)
		f.linkWith(t, at+"ended", "https://a.example/", `expires_at "2001-01-01T00:00:00Z"`)
		f.linkWith(t, at+"over", "https://a.example/", `expires_at "2001-01-01T00:00:00Z"`,
			`expired_url "https://b.example/"`)
		f.linkWith(t, at+"disabled", "https://a.example/", "disabled true")
		f.linkWith(t, at+"locked", "https://a.example/", `password "x"`,
			`starts_at "2999-01-01T00:00:00Z"`)
	}
	f.lead(t, 0, away+"0r", away+"0u", away+"0e")
	f.lead(t, 1, away+"1r", away+"1ü", away+"1e")
	if got := f.Root(); got != away+"0r" {
		t.Errorf("the default domain leads to %q", got)
	}
	for _, c := range []struct{ host, n string }{
		{"s.example", "0"}, {"go.example", "1"}, {"s2.example", ""},
	} {
		unknown, ended, root := away+c.n+"u", away+c.n+"e", away+c.n+"r"
		status, gone := 302, 302
		switch c.n {
		case "":
			unknown, ended, root, status, gone = "", "", "", 404, 410
		case "1":
			unknown = away + "1%C3%BC"
		}
		for _, method := range []string{"GET ", "HEAD "} {
			for _, path := range []string{
				"/missing", "/missing/", "/docs/missing", "/x", "/later", "/later/", "/locked",
				"/disabled/x", "/.well-known/x", "/gr%C3%BC%C3%9Fe",
			} {
				f.wantAt(t, c.host, method+path, status, unknown)
			}
			for _, path := range []string{ // no addresses of links
				"/missing+", "/missing.svg", "/missing.png", "/later+", "/later.svg", "//", "/a//b",
				"/a%2Fb", "/%zz", "/a%00", "/..", "/" + strings.Repeat("a", 200), "/%231/launch",
			} {
				f.wantAt(t, c.host, method+path, 404, "")
			}
			f.wantAt(t, c.host, method+"/ended", gone, ended)
			f.wantAt(t, c.host, method+"/disabled", gone, ended)
			f.wantAt(t, c.host, method+"/over", 302, "https://b.example/")
			f.wantAt(t, c.host, method+"/ended+", 410, "")
			if c.n != "0" { // there the control plane has it
				f.wantAt(t, c.host, method+"/", max(status, 302), root)
				f.wantAt(t, c.host, method+"/?x=y", max(status, 302), root)
			}
		}
		f.wantAt(t, c.host, "POST /missing", 405, "")
		f.wantAt(t, c.host, "POST /later", 405, "")
		f.wantAt(t, c.host, "POST /", 405, "")
		f.wantAt(t, c.host, "DELETE /missing", 405, "")
	}
	if len(f.clicks.clicks) > 0 {
		t.Errorf("%d clicks", len(f.clicks.clicks))
	}
	w, _ := f.ask("GET /missing", "Host: go.example")
	if w.Header().Get("Cache-Control") != "no-store" || w.Body.Len() > 0 {
		t.Errorf("%v %s", w.Header(), w.Body)
	}
	f.lead(t, 1, "", "", "") // at once
	f.wantAt(t, "go.example", "GET /missing", 404, "")
	f.wantAt(t, "go.example", "GET /ended", 410, "")
	f.wantAt(t, "go.example", "GET /", 404, "")
}

// A host that is one of ours now gets no unknown visitors of another one. What is no web address
// counts as none.
func TestDomainsLeadToNoneOfOurs(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, to := range []terse.URL{
		"https://s.example/x", "https://S.Example:8443/x", "http://go.example./", "javascript:x",
		"https://s2.example", "https://user@GO.example/", "//go.example/", "x",
	} {
		f.lead(t, 1, "", to, "")
		f.wantAt(t, "go.example", "GET /missing", 404, "")
	}
	f.lead(t, 1, "javascript:x", "https://go.example.com/", "x:y")
	f.wantAt(t, "go.example", "GET /missing", 302, "https://go.example.com/")
	f.wantAt(t, "go.example", "GET /", 404, "")
}

// Nothing is at a host that was closed, nor at paths that only the default domain serves.
func TestNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.sameEverywhere(t)
	f.lead(t, 2, "https://example.com/r", "https://example.com/u", "https://example.com/e")
	f.domains = startDomains(t, f.store, "go.example")
	f.Handler.opts.Domains = f.domains.Table
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"} {
		for _, path := range []string{
			"/launch", "/launch+", "/docs/install", "/missing", "/", "/%zz",
		} {
			f.wantAt(t, "s2.example", method+" "+path, 404, "")
		}
	}
	f.wantAt(t, "go.example", "GET /launch", 302, "https://go.example.test/launch")
	if len(f.clicks.clicks) != 1 || len(f.missed) > 0 || f.UnknownCodes.Load() > 0 {
		t.Errorf("%d clicks, %q unknown", len(f.clicks.clicks), f.missed)
	}
	if n := len(f.taken); n != 6*6+1 {
		t.Errorf("the limiter was asked %d times", n)
	}
}

// Previews, pictures and the form for a password have the short URL of their host.
func TestPagesOnDomains(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.sameEverywhere(t)
	pictures := map[string]bool{}
	for _, host := range []string{"s.example", "go.example", "s2.example"} {
		for _, path := range []string{"/launch", "/docs/install"} {
			w, err := f.ask("GET "+path+"+", "Host: "+host)
			body := w.Body.String()
			if err != nil || !strings.Contains(body, ">https://"+host+path+"<") ||
				!strings.Contains(body, "<b>"+host+".test</b>") || strings.Contains(body, "#1/") {
				t.Errorf("preview of %s at %s: %v\n%s", path, host, err, body)
			}
			w, err = f.ask("GET "+path+".svg", "Host: "+host)
			if err != nil || w.Code != 200 {
				t.Errorf("picture of %s at %s: %s %v", path, host, told(w), err)
			}
			pictures[w.Body.String()] = true
		}
	}
	if len(pictures) != 6 {
		t.Errorf("%d pictures of 6 short URLs", len(pictures))
	}
	f.linkWith(t, "#1/few", "https://few.example/", "max_clicks 3")
	w, err := f.ask("GET /few", "Host: go.example", "User-Agent: Slackbot-LinkExpanding 1.0")
	if err != nil || !strings.Contains(w.Body.String(), "https://go.example/few") {
		t.Errorf("%s %v", told(w), err)
	}
	f.wantAt(t, "go.example", "GET /few", 302, "https://few.example/")
	f.linkWith(t, "#1/secret", "https://secret.example/", quickHash(t, "open"))
	f.wantAt(t, "go.example", "POST /secret open", 303, "https://secret.example/")
	f.wantAt(t, "s2.example", "POST /secret open", 405, "")
}

// The log names a link as people know it.
func TestErrorsNameTheHost(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "#1/broken", "javascript:x")
	_, err := f.ask("GET /broken", "Host: go.example")
	if err == nil || !strings.Contains(err.Error(), "link https://go.example/broken is closed") {
		t.Error(err)
	}
}

// TestDomainsAllocateNothing fails when an allocation is added to redirects on other domains.
func TestDomainsAllocateNothing(t *testing.T) {
	f := newFixture(t)
	f.sameEverywhere(t)
	h := hotHandler(f)
	scratch := make([]byte, 2<<10)
	for _, path := range []string{"/launch", "/docs/install"} {
		v := Visit{
			Path: []byte(path), Domain: 1, Time: time.Now(),
			Visitor: Visitor{Addr: netip.MustParseAddr("192.0.2.1")},
		}
		once := func() {
			if a := h.Answer(&v, Attempt{Scratch: scratch[:0]}); a.Status != 302 {
				t.Fatalf("%s: %+v", path, a)
			}
		}
		once()
		most := 0.0
		if path != "/launch" {
			most = 1 // the alias of the click
		}
		if n := testing.AllocsPerRun(1000, once); n > most {
			t.Errorf("%s: %v allocations", path, n)
		}
	}
}
