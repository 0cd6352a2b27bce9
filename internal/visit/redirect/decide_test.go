package redirect

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/internal/link/manage/option"
	"terse/internal/link/weburl"
	"terse/internal/visit/redirect/urls"
	"terse/internal/visit/useragent"
)

// optionsOf returns options as a store keeps them. Each is a name, a space and a value in JSON. The
// password's value is kept as it is, as a hash.
func optionsOf(t testing.TB, options ...string) terse.EncodedOptions {
	t.Helper()
	var o terse.LinkOptions
	for _, text := range options {
		name, value, _ := strings.Cut(text, " ")
		if err := option.Set(&o, name, []byte(value)); err != nil {
			t.Fatal(err)
		}
	}
	text, err := o.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func targetOf(t testing.TB, location string, options ...string) *target {
	t.Helper()
	text := optionsOf(t, options...)
	link := &target{id: 1, location: []byte(location), encoded: []byte(text)}
	if text != "" {
		link.options = compile(text)
		if link.options.damaged != nil {
			t.Fatal(link.options.damaged)
		}
	}
	return link
}

// says is an outcome in short.
func says(o Outcome) string {
	kinds := map[OutcomeKind]string{
		NotFound: "404", Over: "410", AskPassword: "password", Preview: "preview", NotNow: "503",
		NotAllowed: "405", NotForm: "415", LacksUsed: "used?", LacksAgent: "agent?",
	}
	if o.Kind != Redirect {
		return kinds[o.Kind]
	}
	s := fmt.Sprintf("%d %s", o.Status, o.Location)
	if o.Rule != "" {
		s += " by " + o.Rule
	}
	if o.Take {
		s += " take"
	}
	if o.Click {
		s += " click"
	}
	return s
}

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func TestDecide(t *testing.T) {
	t.Parallel()
	const there = "https://example.com/"
	hash := `password "$argon2id$"`
	for _, test := range []struct {
		options string
		visit   Visit
		facts   facts
		want    string
	}{
		{"", Visit{}, facts{}, "302 " + there + " click"},
		{"", Visit{Head: true}, facts{}, "302 " + there},
		{"", Visit{Post: true}, facts{}, "405"},
		{"", Visit{}, facts{rest: []byte("/x")}, "404"},
		{`title "t"`, Visit{}, facts{}, "302 " + there + " click"},
		{`title "t"`, Visit{}, facts{rest: []byte("/x")}, "404"},
		{`redirect_status 308`, Visit{}, facts{}, "308 " + there + " click"},
		{`redirect_status 301`, Visit{Head: true}, facts{}, "301 " + there},

		// states, of which the first decides
		{`starts_at "2026-05-04T12:00:00.000001Z"`, Visit{}, facts{}, "404"},
		{`starts_at "2026-05-04T12:00:00Z"`, Visit{}, facts{}, "302 " + there + " click"},
		{`expires_at "2026-05-04T12:00:00Z"`, Visit{}, facts{}, "410"},
		{`expires_at "2026-05-04T12:00:00.000001Z"`, Visit{}, facts{}, "302 " + there + " click"},
		{`disabled true`, Visit{}, facts{}, "410"},
		{`disabled true;starts_at "2026-06-01T00:00:00Z"`, Visit{}, facts{}, "410"},
		{
			`disabled true;expired_url "https://other.example/ü"`,
			Visit{Query: []byte("a=b")},
			facts{},
			"302 https://other.example/%C3%BC",
		},
		{
			`disabled true;expired_url "https://o.example/";redirect_status 301;forward_query true`,
			Visit{Query: []byte("a=b")},
			facts{},
			"302 https://o.example/",
		},
		{`expired_url "https://o.example/"`, Visit{}, facts{}, "302 " + there + " click"},
		{`disabled true;forward_path true`, Visit{}, facts{rest: []byte("/../x")}, "410"},
		{`disabled true`, Visit{}, facts{rest: []byte("/x")}, "404"},
		{`expires_at "2026-05-04T12:00:00Z"`, Visit{}, facts{rest: []byte("/x")}, "404"},
		{`disabled true;` + hash, Visit{Post: true}, facts{rest: []byte("/x")}, "405"},
		{`starts_at "2027-01-01T00:00:00Z";` + hash, Visit{}, facts{}, "404"},
		{`starts_at "2027-01-01T00:00:00Z";` + hash, Visit{Post: true}, facts{}, "405"},
		{`disabled true;` + hash, Visit{}, facts{}, "410"},
		{`disabled true;` + hash, Visit{Post: true}, facts{}, "410"},
		{`disabled true`, Visit{Post: true}, facts{}, "405"},

		// max_clicks
		{`max_clicks 2`, Visit{}, facts{}, "302 " + there + " take click"},
		{`max_clicks 2`, Visit{}, facts{used: 2, usedKnown: true}, "410"},
		{
			`max_clicks 2;expired_url "https://o.example/"`,
			Visit{},
			facts{used: 2, usedKnown: true},
			"302 https://o.example/",
		},
		{`max_clicks 2`, Visit{Head: true}, facts{}, "used?"},
		{`max_clicks 2`, Visit{Head: true}, facts{used: 1, usedKnown: true}, "302 " + there},
		{`max_clicks 2`, Visit{Head: true}, facts{used: 2, usedKnown: true}, "410"},
		{`max_clicks 2`, Visit{}, facts{rest: []byte("/x")}, "404"},
		{`max_clicks 2`, Visit{}, facts{rest: []byte("/x"), used: 2, usedKnown: true}, "404"},
		{`max_clicks 2;forward_path true`, Visit{}, facts{rest: []byte("/..")}, "used?"},
		{
			`max_clicks 2;forward_path true`,
			Visit{},
			facts{rest: []byte("/.."), usedKnown: true},
			"404",
		},
		{`max_clicks 2;` + hash, Visit{}, facts{}, "used?"},
		{`max_clicks 2;` + hash, Visit{}, facts{usedKnown: true}, "password"},
		{
			`max_clicks 2;` + hash,
			Visit{},
			facts{usedKnown: true, unlocked: true},
			"302 " + there + " take click",
		},
		{`max_clicks 2;disabled true`, Visit{Head: true}, facts{}, "410"},
		{`max_clicks 2;starts_at "2027-01-01T00:00:00Z"`, Visit{}, facts{}, "404"},

		// programs that fetch before somebody comes
		{`max_clicks 2`, purposely("prefetch"), facts{usedKnown: true}, "503"},
		{`max_clicks 2`, purposely("prefetch;prerender"), facts{usedKnown: true}, "503"},
		{`max_clicks 2`, purposely("prefetch"), facts{}, "used?"},
		{`max_clicks 2`, purposely("prefetch"), facts{used: 2, usedKnown: true}, "410"},
		{`max_clicks 2`, purposely("prefetching"), facts{}, "302 " + there + " take click"},
		{`title "t"`, purposely("prefetch"), facts{}, "302 " + there + " click"},
		{`max_clicks 2`, agent("Slackbot-LinkExpanding 1.0"), facts{usedKnown: true}, "preview"},
		{`max_clicks 2;` + hash, agent("WhatsApp/2.23"), facts{usedKnown: true}, "preview"},
		{`title "t"`, agent("WhatsApp/2.23"), facts{}, "302 " + there + " click"},
		{`max_clicks 2`, agent("Viber/25.4.1.0"), facts{usedKnown: true}, "preview"},
		{
			`max_clicks 2`,
			agent("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) WhatsApp/2.25.20.78"),
			facts{usedKnown: true},
			"302 " + there + " take click",
		},
		{
			`max_clicks 2`,
			Visit{Header: [NumHeaders][]byte{
				UserAgent: []byte("Slackbot-LinkExpanding 1.0"), OldPurpose: []byte("prefetch"),
			}},
			facts{usedKnown: true},
			"503",
		},

		// the form of those previews
		{`max_clicks 2`, Visit{Post: true}, facts{}, "303 " + there + " take click"},
		{`max_clicks 2;redirect_status 301`, Visit{Post: true}, facts{}, "303 " + there +
			" take click"},
		{`max_clicks 2`, Visit{Post: true}, facts{used: 2, usedKnown: true}, "410"},
		{`max_clicks 2`, Visit{Post: true, foreign: true}, facts{usedKnown: true}, "415"},
		{`max_clicks 2`, Visit{Post: true}, facts{rest: []byte("/x")}, "405"},
		{`max_clicks 2;` + hash, Visit{Post: true}, facts{usedKnown: true}, "password"},
		{
			`max_clicks 2;` + hash,
			Visit{Post: true},
			facts{usedKnown: true, unlocked: true},
			"303 " + there + " take click",
		},
		{`max_clicks 2;starts_at "2027-01-01T00:00:00Z"`, Visit{Post: true}, facts{}, "405"},

		// passwords
		{hash, Visit{}, facts{}, "password"},
		{hash, Visit{Head: true}, facts{}, "password"},
		{hash, Visit{Post: true}, facts{}, "password"},
		{hash, Visit{Post: true}, facts{unlocked: true}, "303 " + there + " click"},
		{hash + `;redirect_status 307`, Visit{}, facts{unlocked: true}, "307 " + there + " click"},
		{
			hash + `;redirect_status 307`,
			Visit{Post: true},
			facts{unlocked: true},
			"303 " + there + " click",
		},
		{
			hash + `;rules [{"name":"r","url":"https://r.example/"}]`,
			Visit{Post: true},
			facts{unlocked: true},
			"303 https://r.example/ by r click",
		},
		{hash, Visit{Post: true, foreign: true}, facts{}, "415"},
		{hash, Visit{}, facts{rest: []byte("/x")}, "404"},
		{hash + ";forward_path true", Visit{}, facts{rest: []byte("/x")}, "password"},
	} {
		var options []string
		if test.options != "" {
			options = strings.Split(test.options, ";")
		}
		link := targetOf(t, there, options...)
		if got := says(decide(link, &test.visit, &test.facts, noon)); got != test.want {
			t.Errorf("%s, %+v, %+v: %s, want %s", test.options, test.visit, test.facts, got,
				test.want)
		}
	}
}

func purposely(purpose string) Visit {
	return Visit{Header: [NumHeaders][]byte{Purpose: []byte(purpose)}}
}

func agent(agent string) Visit {
	return Visit{Header: [NumHeaders][]byte{UserAgent: []byte(agent)}}
}

func reads(languages string) Visit {
	return Visit{Header: [NumHeaders][]byte{Language: []byte(languages)}}
}

func asks(query string) Visit { return Visit{Query: []byte(query)} }

func from(addr string) Visit {
	return Visit{Visitor: Visitor{Addr: netip.MustParseAddr(addr)}}
}

func TestRules(t *testing.T) {
	t.Parallel()
	phone := facts{agentKnown: true, agent: useragent.Families{
		Browser: "Samsung Internet", OS: "Android", Device: "mobile",
	}}
	iPad := facts{agentKnown: true, agent: useragent.Families{
		Browser: "Safari", OS: "iOS", Device: "tablet",
	}}
	german := facts{country: terse.Country{'D', 'E'}}
	for _, test := range []struct {
		when  string
		visit Visit
		facts facts
		holds bool
	}{
		{`{}`, Visit{}, facts{}, true},
		{`{"device":["ios","android"]}`, Visit{}, phone, true},
		{`{"device":["ios"]}`, Visit{}, phone, false},
		{`{"device":["ios"]}`, Visit{}, iPad, true},
		{`{"device":["desktop","mobile"]}`, Visit{}, phone, true},
		{`{"device":["desktop","mobile"]}`, Visit{}, iPad, false},
		{`{"device":["linux"]}`, Visit{}, phone, false},
		{`{"browser":["samsung"]}`, Visit{}, phone, true},
		{`{"browser":["chrome","safari"]}`, Visit{}, phone, false},
		{`{"browser":["chrome","safari"],"device":["tablet"]}`, Visit{}, iPad, true},
		{`{"browser":["safari"],"device":["mobile"]}`, Visit{}, iPad, false},

		{`{"country":["FR","DE"]}`, Visit{}, german, true},
		{`{"country":["FR"]}`, Visit{}, german, false},

		{`{"language":["de"]}`, reads("de"), facts{}, true},
		{`{"language":["de"]}`, reads("DE-at, en"), facts{}, true},
		{`{"language":["de"]}`, reads("en, de;q=0.5"), facts{}, true},
		{`{"language":["de"]}`, reads("en"), facts{}, false},
		{`{"language":["de"]}`, reads(""), facts{}, false},
		{`{"language":["de"]}`, reads("*"), facts{}, false},
		{`{"language":["de"]}`, reads("de;q=0"), facts{}, false},
		{`{"language":["de"]}`, reads("de;q=0.000, *"), facts{}, false},
		{`{"language":["de"]}`, reads("de-CH, de;q=0"), facts{}, false},
		{`{"language":["de-CH"]}`, reads("de-CH, de;q=0"), facts{}, true},
		{`{"language":["pt-BR"]}`, reads("pt"), facts{}, false},
		{`{"language":["pt-BR"]}`, reads("pt-br"), facts{}, true},
		{`{"language":["zh-Hant"]}`, reads("zh-Hant-x-private"), facts{}, true},
		{`{"language":["de"]}`, reads("fr;q=broken, de;q=1"), facts{}, true},
		{`{"language":["de"]}`, reads("de;q=1.5"), facts{}, false},
		{`{"language":["de"]}`, reads(strings.Repeat("en,", 31) + "de"), facts{}, true},
		{`{"language":["de"]}`, reads(strings.Repeat("en,", 3000) + "de"), facts{}, false},

		{`{"query":{"a":"b"}}`, asks("x&a=b"), facts{}, true},
		{`{"query":{"a":"b"}}`, asks("a=c&a=b"), facts{}, true},
		{`{"query":{"a":"b"}}`, asks("a=bc"), facts{}, false},
		{`{"query":{"a":"b"}}`, asks("a"), facts{}, false},
		{`{"query":{"a":"b"}}`, asks(""), facts{}, false},
		{`{"query":{"a":null}}`, asks("a"), facts{}, true},
		{`{"query":{"a":null}}`, asks("aa=1"), facts{}, false},
		{`{"query":{"a":""}}`, asks("a"), facts{}, true},
		{`{"query":{"a":""}}`, asks("a=1"), facts{}, false},
		{`{"query":{"a b":"ü+"}}`, asks("a+b=%c3%BC%2b"), facts{}, true},
		{`{"query":{"a b":"ü+"}}`, asks("a%20b=ü%2b"), facts{}, true},
		{`{"query":{"a":"%zz"}}`, asks("a=%zz"), facts{}, false},
		{`{"query":{"a":"1"}}`, asks("a=%zz&a=1"), facts{}, true},
		{`{"query":{"a":"1","b":null}}`, asks("b=&a=1"), facts{}, true},
		{`{"query":{"a":"1","b":null}}`, asks("a=1"), facts{}, false},

		{`{"after":"2026-05-04T12:00:00Z"}`, Visit{}, facts{}, true},
		{`{"after":"2026-05-04T12:00:00.000001Z"}`, Visit{}, facts{}, false},
		{`{"before":"2026-05-04T12:00:00.000001Z"}`, Visit{}, facts{}, true},
		{`{"before":"2026-05-04T12:00:00Z"}`, Visit{}, facts{}, false},

		{`{"address":["192.0.2.0/24"]}`, from("192.0.2.7"), facts{}, true},
		{`{"address":["192.0.2.99/24"]}`, from("192.0.2.7"), facts{}, true},
		{`{"address":["192.0.2.7"]}`, from("192.0.2.7"), facts{}, true},
		{`{"address":["192.0.2.7"]}`, from("192.0.2.8"), facts{}, false},
		{`{"address":["192.0.2.7","2001:db8::/32"]}`, from("2001:db8::1"), facts{}, true},
		{`{"address":["2001:db8::1"]}`, from("2001:db8::2"), facts{}, false},
	} {
		link := targetOf(t, "https://example.com/",
			`rules [{"name":"r","when":`+test.when+`,"url":"https://rule.example/"}]`)
		want := "302 https://example.com/ click"
		if test.holds {
			want = "302 https://rule.example/ by r click"
		}
		if got := says(decide(link, &test.visit, &test.facts, noon)); got != want {
			t.Errorf("%s, %+v, %+v: %s", test.when, test.visit, test.facts, got)
		}
	}
}

func TestFirstRuleDecides(t *testing.T) {
	t.Parallel()
	link := targetOf(t, "https://example.com/", `rules [
		{"name":"german","when":{"language":["de"],"country":["CH"]},"url":"https://1.example/"},
		{"name":"french","when":{"language":["fr"]},"url":"https://2.example/"},
		{"name":"tablets","when":{"device":["tablet"]},"url":"https://3.example/"},
		{"name":"all","url":"https://4.example/"},
		{"name":"never","url":"https://5.example/"}]`, "forward_query true")
	tablet := facts{agentKnown: true, agent: useragent.Families{Device: "tablet"}}
	for want, test := range map[string]struct {
		languages string
		facts     facts
	}{
		"agent?":                                    {"en", facts{}},
		"302 https://4.example/?a by all click":     {"en", facts{agentKnown: true}},
		"302 https://3.example/?a by tablets click": {"en", tablet},
		"302 https://2.example/?a by french click":  {"fr;q=0.1", facts{}},
	} {
		v := reads(test.languages)
		v.Query = []byte("a")
		if got := says(decide(link, &v, &test.facts, noon)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	// The first choice among the languages of all rules is German, whose rule fails: French, the
	// second choice, does not count.
	v := reads("de, fr")
	if got := says(decide(link, &v, &facts{agentKnown: true}, noon)); got != "302 "+
		"https://4.example/ by all click" {
		t.Errorf("the second choice of language decides: %s", got)
	}
}

// A share is of visitors: the same one always gets the same answer, a rule's share is independent
// of others, and one that grows keeps whom it had.
func TestShare(t *testing.T) {
	t.Parallel()
	const visitors = 20_000
	halves := targetOf(t, "https://example.com/", `rules [
		{"name":"a","share":33,"url":"https://a.example/"},
		{"name":"b","share":50,"url":"https://b.example/"}]`)
	more := targetOf(t, "https://example.com/", `rules [
		{"name":"a","share":40,"url":"https://a.example/"},
		{"name":"b","share":50,"url":"https://b.example/"}]`)
	counts, moved := map[string]int{}, 0
	for i := range visitors {
		v := agent(fmt.Sprint("Mozilla/5.0 ", i%100))
		v.Addr = netip.AddrFrom4([4]byte{192, 0, byte(i >> 8), byte(i)})
		f := facts{}
		got := decide(halves, &v, &f, noon)
		if again := decide(halves, &v, &f, noon.Add(time.Hour)); again.Rule != got.Rule {
			t.Fatalf("the same visitor got %q and %q", got.Rule, again.Rule)
		}
		counts[got.Rule]++
		if later := decide(more, &v, &f, noon); later.Rule != got.Rule {
			moved++
			if later.Rule != "a" {
				t.Fatalf("moved from %q to %q", got.Rule, later.Rule)
			}
		}
	}
	for _, rule := range []string{"a", "b", ""} {
		if n := counts[rule]; n < visitors*31/100 || n > visitors*36/100 {
			t.Errorf("%q got %d of %d", rule, n, visitors)
		}
	}
	if moved < visitors*6/100 || moved > visitors*8/100 {
		t.Errorf("%d of %d moved", moved, visitors)
	}
	one, other := from("2001:db8::1"), from("2001:db8::ffff:2")
	for i := range 100 {
		name := `"` + fmt.Sprint(i) + `"`
		link := targetOf(t, "https://example.com/",
			`rules [{"name":`+name+`,"share":50,"url":"https://a.example/"}]`)
		if a, b := decide(link, &one, &facts{}, noon), decide(link, &other, &facts{},
			noon); a.Rule != b.Rule {
			t.Fatal("a /64 is more than one visitor")
		}
	}
}

func TestForward(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ location, path, query, want string }{
		{"https://e.example/", "", "", "https://e.example/"},
		{"https://e.example/", "", "a=1", "https://e.example/?a=1"},
		{"https://e.example", "", "a=1", "https://e.example?a=1"},
		{"https://e.example/?", "", "a=1", "https://e.example/?a=1"},
		{"https://e.example/?x=1#top", "", "a=1", "https://e.example/?x=1&a=1#top"},
		{"https://e.example/#top?x", "", "a=1", "https://e.example/?a=1#top?x"},
		{"https://e.example/?a=1&b=2&a=3", "", "a=4&a=5", "https://e.example/?b=2&a=4&a=5"},
		{"https://e.example/?a=1", "", "a", "https://e.example/?a"},
		{"https://e.example/?%61=1&b", "", "a=2", "https://e.example/?b&a=2"},
		{"https://e.example/?a+b=1", "", "a%20b=2", "https://e.example/?a%20b=2"},
		{"https://e.example/?x=1", "", "%zz=%&&=", "https://e.example/?x=1&%zz=%&&="},
		{"https://e.example/?%zz=1", "", "%zz=2", "https://e.example/?%zz=2"},
		{"https://e.example/?x=1", "", "a=\"<ü> ", "https://e.example/?x=1&a=\"<%C3%BC>%20"},
		{
			"https://e.example/?x=1", "", strings.Repeat("a=1&", 100) + "x=2",
			"https://e.example/?" + strings.Repeat("a=1&", 100) + "x=2",
		},

		{"https://e.example/", "/a/b", "", "https://e.example/a/b"},
		{"https://e.example", "/a/b", "", "https://e.example/a/b"},
		{"https://e.example/x", "/a/b/", "", "https://e.example/x/a/b/"},
		{"https://e.example/x/?q#f", "/a", "", "https://e.example/x/a?q#f"},
		{"https://e.example/x?q#f", "/a", "r=1", "https://e.example/x/a?q&r=1#f"},
		{"https://e.example/x", "/a.svg", "", "https://e.example/x/a.svg"},
		{"https://e.example/x", "/a+", "", "https://e.example/x/a+"},
		{"https://e.example/x", "/%61%2Fb", "", "https://e.example/x/%61%2Fb"},
		{"https://e.example/x", "/...", "", "https://e.example/x/..."},
		{"https://e.example/x", "/.a/..b/c..", "", "https://e.example/x/.a/..b/c.."},
		{"https://e.example/x", "/ü", "", "https://e.example/x/%C3%BC"},
		{"https://e.example/x", "/%zz", "", "https://e.example/x/%zz"},
		{"https://e.example/x", "/..", "", ""},
		{"https://e.example/x", "/a/../b", "", ""},
		{"https://e.example/x", "/./b", "", ""},
		{"https://e.example/x", "/a/.", "", ""},
		{"https://e.example/x", "/%2e%2E/b", "", ""},
		{"https://e.example/x", "/.%2e", "", ""},
		{"https://e.example/x", "/a%2f..%2Fb", "", ""},
		{"https://e.example/x", "/a%5cb", "", ""},
		{"https://e.example/x", `/a\b`, "", ""},
		{"https://e.example/x", "/a%00", "", ""},
		{"https://e.example/x", "/a%0d", "", ""},
		{"https://e.example/x", "/a%0A", "", ""},
		{
			"https://e.example/", "/" + strings.Repeat("a", 8<<10-18), "",
			"https://e.example/" + strings.Repeat("a", 8<<10-18),
		},
		{"https://e.example/", "/" + strings.Repeat("a", 8<<10-17), "", ""},
		{"https://e.example/", "", strings.Repeat("a", 8<<10), ""},
	} {
		link := targetOf(t, test.location, "forward_query true", "forward_path true")
		want := "302 " + test.want + " click"
		if test.want == "" {
			want = "404"
		}
		v, f := Visit{Query: []byte(test.query)}, facts{rest: []byte(test.path)}
		if got := says(decide(link, &v, &f, noon)); got != want {
			t.Errorf("%.80s, %.80q, %.80q: %.80s, want %.80s", test.location, test.path, test.query,
				got, want)
		}
		plain := targetOf(t, test.location, `title "t"`)
		if got := says(decide(plain, &v, &facts{}, noon)); got != "302 "+test.location+" click" {
			t.Errorf("forwarded without being asked: %s", got)
		}
	}
}

// FuzzForward wants each Location to be a header field, to lead to the host that the owner chose,
// and to be no longer than allowed.
func FuzzForward(f *testing.F) {
	f.Add("https://e.example/x?a=1#f", "/a/b", "b=2")
	f.Add("https://e.example", "/%2e%2e//a", "%zz&&a=\r\n")
	f.Fuzz(func(t *testing.T, to, path, query string) {
		if _, err := weburl.Parse(to); err != nil || path != "" && path[0] != '/' {
			t.Skip()
		}
		location := urls.Location(terse.URL(to))
		both := terse.LinkOptions{ForwardQuery: true, ForwardPath: true}
		link := &target{location: []byte(location), options: &options{LinkOptions: both}}
		v, known := Visit{Query: []byte(query)}, facts{rest: []byte(path)}
		o := decide(link, &v, &known, noon)
		if o.Kind == NotFound {
			return
		}
		got := string(o.Location)
		unsendable := func(r rune) bool { return r < ' ' || r >= 0x7F }
		if strings.ContainsFunc(got, unsendable) ||
			len(got) > max(urls.MaxLocation, len(location)) {
			t.Fatalf("%q, %q, %q: %q", to, path, query, got)
		}
		before, _ := urls.CutBefore([]byte(location), '#')
		before, _ = urls.CutBefore(before, '?')
		if !strings.HasPrefix(got, strings.TrimSuffix(string(before), "/")) {
			t.Fatalf("%q, %q, %q leads to %q", to, path, query, got)
		}
	})
}

// FuzzRules looks for what a visitor can send that makes rules panic.
func FuzzRules(f *testing.F) {
	link := targetOf(f, "https://example.com/", `rules [
		{"name":"a","when":{"language":["de","pt-BR"]},"url":"https://a.example/"},
		{"name":"b","when":{"query":{"a":"b","ü":null}},"share":50,"url":"https://b.example/"}]`)
	f.Add("de-AT, pt-br;q=0.5, *;q=0", "a=b&%C3%BC", "Mozilla/5.0")
	f.Add("-,--;q=0.,a-;q=1.000", "%&%a&+", "")
	f.Fuzz(func(t *testing.T, languages, query, agent string) {
		v := reads(languages)
		v.Query, v.Header[UserAgent] = []byte(query), []byte(agent)
		if o := decide(link, &v, &facts{}, noon); o.Kind != Redirect {
			t.Fatal(o)
		}
	})
}
