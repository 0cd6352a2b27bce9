package redirect

import (
	"cmp"
	"net/netip"
	"strings"
	"testing"
	"time"

	"terse"
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

// A loop does not recognize a user agent by rules, which takes long: it is done apart, once.
func TestANewUserAgent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	f.linkWith(t, "forward", "https://example.com/", "forward_query true")
	visit := func(path, agent string, wait time.Duration) Answer {
		v := Visit{Path: []byte(path), Time: time.Now()}
		v.Header[UserAgent] = []byte(agent)
		return f.Answer(&v, Attempt{Wait: wait})
	}
	for _, path := range []string{"/launch", "/forward"} {
		agent := firefox + " Unusual/" + path
		for name, got := range map[string]Answer{
			"known": visit(path, "", time.Minute), "new, waits": visit(path, agent, 0),
		} {
			if got.Reply == nil || got.Err != nil {
				t.Errorf("%s, %s: %+v", path, name, got)
			}
		}
		if got := visit(path, agent+" 2", time.Minute); got.Reply != nil || !got.Apart {
			t.Errorf("%s: a loop recognizes a user agent: %+v", path, got)
		}
		if got := visit(path, agent, time.Minute); got.Reply == nil {
			t.Errorf("%s: a user agent is recognized twice", path)
		}
	}
	var counted []string
	for _, click := range f.clicks.clicks {
		counted = append(counted, click.Values.Of(terse.ByBrowser))
	}
	if n := len(counted); n != 6 {
		t.Errorf("%d clicks, want one for each answer: %v", n, counted)
	}
	if counted[len(counted)-1] != "Firefox" {
		t.Errorf("browsers %v", counted)
	}
}

// What a click remembers of its request.
func TestWhatIsSeen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	long := strings.Repeat("ä", 99)
	for _, row := range []struct {
		request, header string
		dimension       terse.Dimension
		want            string
	}{
		{"", "User-Agent: " + firefox, terse.ByBrowser, "Firefox"},
		{"", "User-Agent: " + firefox, terse.ByOS, "Linux"},
		{"", "User-Agent: " + firefox, terse.ByDevice, "desktop"},
		{"", "User-Agent: " + firefox, terse.ByVisitor, "person"},
		{"", "x: y", terse.ByVisitor, "bot"},
		{"", "x: y", terse.ByOS, "other"},
		{"", "User-Agent: curl/8.0", terse.ByVisitor, "bot"},
		{"", "Accept-Language: de-DE,en;q=0.5", terse.ByLanguage, "de"},
		{"", "Accept-Language: DSB;q=0", terse.ByLanguage, "dsb"},
		{"", "Accept-Language: zz", terse.ByLanguage, "zz"},
		{"", "Accept-Language: aaa", terse.ByLanguage, "aaa"},
		{"", "Accept-Language: *", terse.ByLanguage, "unknown"},
		{"", "Accept-Language: engl", terse.ByLanguage, "unknown"},
		{"", "Accept-Language: e", terse.ByLanguage, "unknown"},
		{"", "Accept-Language: é", terse.ByLanguage, "unknown"},
		{"?utm_source=a&utm_source=b", "", terse.BySource, "a"},
		{"?utm_source=&utm_source=b", "", terse.BySource, "none"},
		{"?x=%zz&utm_source=+A%20b+", "", terse.BySource, "A b"},
		{"?utm%5Fmedium=a%26b", "", terse.ByMedium, "a&b"},
		{"?utm_source=%zz&utm_medium=m", "", terse.BySource, "none"},
		{"?utm_source=%zz&utm_medium=m", "", terse.ByMedium, "m"},
		{"?UTM_SOURCE=a&utm_sourc=b", "", terse.BySource, "none"},
		{"?utm_campaign=%ff", "", terse.ByCampaign, "none"},
		{"?utm_campaign=a%00b", "", terse.ByCampaign, "none"},
		{"?utm_campaign=a%c2%85b", "", terse.ByCampaign, "none"},
		{"?utm_campaign=" + long + "b" + long, "", terse.ByCampaign, long + "b"},
		{"?utm_campaign=" + long + "+b", "", terse.ByCampaign, long},
		{"", "x: y", terse.ByCampaign, "none"},
	} {
		header := cmp.Or(row.header, "x: y")
		request := "GET /launch" + strings.ReplaceAll(row.request, "ä", "%C3%A4")
		if _, err := f.ask(request, header); err != nil {
			t.Fatal(err)
		}
		click := f.clicks.clicks[len(f.clicks.clicks)-1]
		if got := click.Values.Of(row.dimension); got != row.want {
			t.Errorf("%.100s, %s: %v is %q, want %q", row.request, row.header, row.dimension, got,
				row.want)
		}
	}
}

// By which of its addresses a visit came to a link.
func TestAliasThatWasVisited(t *testing.T) {
	t.Parallel()
	sensitive, insensitive := newFixture(t), ignoringCase(t)
	sensitive.linkAt(t, "Launch", "https://example.com/", []string{
		"docs/install", "grüße", "1", "none", "Old",
	}, "forward_path true")
	insensitive.linkAt(t, "Launch", "https://example.com/", []string{"Docs/Install"})
	for _, row := range []struct {
		f          *fixture
		path, want string
	}{
		{sensitive, "/Launch", "none"},
		{sensitive, "/L%61unch", "none"},
		{sensitive, "/Launch/", "none"},
		{sensitive, "/Launch/a/b", "none"},
		{sensitive, "/docs/install", "/docs/install"},
		{sensitive, "/docs/install/", "/docs/install"},
		{sensitive, "/docs/install/linux", "/docs/install"},
		{sensitive, "/docs/%69nstall", "/docs/install"},
		{sensitive, "/gr%C3%BC%C3%9Fe", "/grüße"},
		{sensitive, "/gru%CC%88%C3%9Fe", "/grüße"},
		{sensitive, "/1", "/1"},
		{sensitive, "/none", "/none"},
		{sensitive, "/Old?utm_source=x", "/Old"},
		{insensitive, "/LAUNCH", "none"},
		{insensitive, "/launch/", "none"},
		{insensitive, "/DOCS/install", "/docs/install"},
	} {
		for range 2 { // by the store and by the cache
			row.f.wantStatus(t, 302, "GET "+row.path)
			click := row.f.clicks.clicks[len(row.f.clicks.clicks)-1]
			if got := click.Values.Of(terse.ByAlias); got != row.want {
				t.Errorf("%s: %q, want %q", row.path, got, row.want)
			}
		}
	}
}

// A prefetch is told from a visit by a person, and not from one by a bot. It is nobody's first.
func TestPrefetch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	f.linkWith(t, "once", "https://example.com/", "max_clicks 100")
	f.opts.Visitor = func(int64, netip.Addr, []byte, terse.LinkID) uint64 { return 7 }
	for _, row := range []struct{ agent, header, want string }{
		{firefox, "Sec-Purpose: prefetch", "prefetch"},
		{firefox, "Sec-Purpose: prefetch;prerender", "prefetch"},
		{firefox, "Sec-Purpose: prefetch ; anonymous-client-ip, x", "prefetch"},
		{firefox, "Sec-Purpose:  prefetch ,x", "prefetch"},
		{firefox, "Sec-Purpose: Prefetch", "prefetch"},
		{firefox, "Purpose: prefetch", "prefetch"},
		{firefox, "Purpose: PREFETCH", "prefetch"},
		{firefox, "X-Moz: prefetch", "prefetch"},
		{firefox, "X-Moz: prefetch;x", "prefetch"},
		{firefox, "Sec-Purpose: x, prefetch", "person"},
		{firefox, "Sec-Purpose: prefetching", "person"},
		{firefox, "Sec-Purpose: prefetch x", "person"},
		{firefox, "Sec-Purpose: x;prefetch", "person"},
		{firefox, "Purpose: prerender", "person"},
		{firefox, "Sec-Purpose: ", "person"},
		{"curl/8.0", "Sec-Purpose: prefetch", "bot"},
		{"curl/8.0", "X-Moz: prefetch", "bot"},
		{"", "Purpose: prefetch", "bot"},
	} {
		headers := []string{"User-Agent: " + row.agent, row.header}
		f.wantStatus(t, 302, "GET /launch", headers...)
		click := f.clicks.clicks[len(f.clicks.clicks)-1]
		if got := click.Values.Of(terse.ByVisitor); got != row.want {
			t.Errorf("%q: %s, want %s", headers, got, row.want)
		}
		if isFirst := click.Visitor != 0; isFirst != (row.want == "person") {
			t.Errorf("%q: visitor %d", headers, click.Visitor)
		}
		status := 302
		if row.want == "prefetch" || row.want == "bot" {
			status = 503
		}
		f.wantStatus(t, status, "GET /once", headers...)
	}
}

// Where a visitor is counts as far as the data and a trusted proxy agree.
func TestPlaceOfAVisit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	for header, want := range map[string][3]string{
		"x: y":             {"AU", "AU-VIC", "Melbourne, AU-VIC"},
		"CF-IPCountry: AU": {"AU", "AU-VIC", "Melbourne, AU-VIC"},
		"CF-IPCountry: NZ": {"NZ", "unknown", "unknown"},
		"CF-IPCountry: XX": {"AU", "AU-VIC", "Melbourne, AU-VIC"},
		"CF-IPCountry: UK": {"AU", "AU-VIC", "Melbourne, AU-VIC"},
	} {
		if _, err := f.ask("GET /launch", header, "trusted: yes"); err != nil {
			t.Fatal(err)
		}
		v := &f.clicks.clicks[len(f.clicks.clicks)-1].Values
		got := [3]string{v.Of(terse.ByCountry), v.Of(terse.ByRegion), v.Of(terse.ByCity)}
		if got != want {
			t.Errorf("%s: %v, want %v", header, got, want)
		}
	}
}

// Visitors are told from each other unless the operator or they don't want it.
func TestVisitorsAreTold(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.link(t, "launch", "https://example.com/")
	f.opts.Visitor = func(micros int64, a netip.Addr, agent []byte, l terse.LinkID) uint64 {
		if micros == 0 || a.String() != "203.0.113.7" || string(agent) != firefox ||
			l != link.ID {
			t.Errorf("asked for %d %s %s %v", micros, a, agent, l)
		}
		return 7
	}
	ask := func(change func(*Visit)) terse.Click {
		v := personVisit()
		change(v)
		if got := f.Answer(v, Attempt{}); got.Reply == nil || got.Err != nil {
			t.Fatalf("%+v", got)
		}
		return f.clicks.clicks[len(f.clicks.clicks)-1]
	}
	header := func(h Header, value string) func(*Visit) {
		return func(v *Visit) { v.Header[h] = []byte(value) }
	}
	for _, row := range []struct {
		name   string
		change func(*Visit)
		want   uint64
	}{
		{"a person", func(*Visit) {}, 7},
		{"Sec-GPC: 1", header(GPC, "1"), 0},
		{"DNT: 1", header(DNT, "1"), 0},
		{"Sec-GPC: 0", header(GPC, "0"), 7},
		{"DNT: 0", header(DNT, "0"), 7},
		{"a bot", header(UserAgent, "curl/8.0"), 0},
	} {
		if got := ask(row.change); got.Visitor != row.want {
			t.Errorf("%s: visitor %d", row.name, got.Visitor)
		} else if got.Values.Of(terse.ByLanguage) != "de" {
			t.Errorf("%s: %v", row.name, got.Values)
		}
	}
	f.opts.Tracking = TrackAnonymous
	if got := ask(func(*Visit) {}); got.Visitor != 0 || got.Values.Of(terse.ByOS) != "Linux" {
		t.Errorf("anonymous: %+v", got)
	}
}

// With tracking off a click is a click, and a loop does not wait for a user agent.
func TestTrackingOff(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	f.opts.Tracking = TrackOff
	f.opts.Visitor = func(int64, netip.Addr, []byte, terse.LinkID) uint64 { return 7 }
	v := personVisit()
	v.Addr, v.Trusted = netip.MustParseAddr("1.1.1.1"), true
	v.Query, v.Header[Country] = []byte("utm_source=a"), []byte("DE")
	if got := f.Answer(v, Attempt{Wait: time.Minute}); got.Reply == nil || got.Err != nil {
		t.Fatalf("%+v", got)
	}
	click := f.clicks.clicks[0]
	if click.Values != (terse.Values{}) || click.Visitor != 0 || click.Time == 0 {
		t.Errorf("%+v", click)
	}
}

// personVisit is a visit as a browser makes it.
func personVisit() *Visit {
	v := &Visit{Path: launch, Time: time.Now()}
	v.Addr = netip.MustParseAddr("203.0.113.7")
	v.Header[UserAgent], v.Header[Language] = []byte(firefox), []byte("de-DE,de;q=0.8,en;q=0.5")
	v.Header[Referrer] = []byte("https://news.example/item?id=1")
	return v
}

// BenchmarkPerson is a redirect of a browser, without server, journal and limiter.
func BenchmarkPerson(b *testing.B) {
	f := newFixture(b)
	f.link(b, "launch", "https://example.com/")
	h, v := hotHandler(f), personVisit()
	h.Answer(v, Attempt{Scratch: scratch})
	b.ReportAllocs()
	for b.Loop() {
		if a := h.Answer(v, Attempt{Scratch: scratch, Wait: time.Second}); a.Reply == nil {
			b.Fatal("the user agent is not remembered")
		}
	}
}
