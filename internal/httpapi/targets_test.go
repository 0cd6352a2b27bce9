package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
)

// targetRequests are the requests that lead a link to a URL, by the name that errors have for it.
func targetRequests(t *testing.T, url string) map[string]request {
	t.Helper()
	quoted := quote(t, url)
	return map[string]request{
		"original_url": post(`{"original_url":` + quoted + `}`),
		"expired_url": post(`{"original_url":"https://example.com/","expired_url":` + quoted +
			`}`),
		"rules[0].url": post(`{"original_url":"https://example.com/",` +
			`"rules":[{"name":"a","url":` + quoted + `}]}`),
	}
}

// wantTarget checks what all requests that lead a link to a URL are answered: text says what is
// wrong with it, behind its name; "": nothing.
func (f *fixture) wantTarget(t *testing.T, url, text string) {
	t.Helper()
	for name, r := range targetRequests(t, url) {
		r.bad = true // long ones
		got := f.do(t, r)
		if text == "" {
			if got.status != http.StatusCreated {
				t.Errorf("%s %.80q: %d %.500s", name, url, got.status, got.body)
			}
			continue
		}
		if name == "original_url" && text != longURL {
			name = "original URL" // as the contract calls it
		}
		wantError(t, got, http.StatusBadRequest, name+" "+text)
	}
}

const (
	noURL     = "must be a valid http or https URL"
	longURL   = "must be at most 8192 bytes"
	shortLink = "must not be a short link of this service"
)

// A host that browsers do not open is no valid one, however it is spelled.
func TestTargetHosts(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for url, text := range map[string]string{
		"https://％65xample.com/pay":                        noURL,
		"http://％3127.0.0.1:31000/":                        noURL,
		"https://例子.xn--/a":                                noURL,
		"https://xn--/":                                    noURL,
		"https://xn--a/":                                   noURL,
		"https://a.xn--example-.com/":                      noURL,
		"https://256.1.1.1/":                               noURL,
		"https://1.2.3.4.5/":                               noURL,
		"https://example.0x/":                              noURL,
		"https://example.09/":                              noURL,
		"http://[fe80::1%25eth0]/":                         noURL,
		"http://%ff.example/":                              noURL,
		"http://%E2%80.example/":                           noURL,
		"https://a。。b/":                                    noURL,
		"https://exa／mple.com/":                            noURL,
		"https://exa：mple.com/":                            noURL,
		"https://exa＃mple.com/":                            noURL,
		"https://א1a.example/":                             noURL, // of both directions
		"https://\u0301a.example/":                         noURL,
		"https://example.com/":                             "",
		"https://r3---sn-a.example/":                       "",
		"https://a_b.example/":                             "",
		"https://-a-.example/":                             "",
		"https://b%c3%bccher.example/":                     "",
		"https://XN--BCHER-KVA.example":                    "",
		"https://" + strings.Repeat("日", 30) + ".example/": "", // 90 bytes, a label of 50
		"https://例子。测试/":                                   "",
		"https://नी\u200dत.example/":                       noURL, // a joiner where none belongs
		"https://ش\u200cش.example/":                        "",
		"http://0x7f.1/":                                   "",
		"http://[::1]/":                                    "",
		"http://127.0.0.1./":                               "",
	} {
		f.wantTarget(t, url, text)
	}
}

func TestTargetLength(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const start = "https://example.com/"
	f.wantTarget(t, start+strings.Repeat("a", terse.MaxURLBytes-len(start)), "")
	f.wantTarget(t, start+strings.Repeat("a", terse.MaxURLBytes-len(start)+1), longURL)
	f.wantTarget(t, start+strings.Repeat("ä", terse.MaxURLBytes/2), longURL)
}

// A "%" that begins no escape is what people paste, and browsers take it.
func TestTargetPercent(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, url := range []string{
		"https://shop.example/sale-25%-off", "https://shop.example/%", "https://shop.example/%zz",
		"https://shop.example/#25%", "https://shop.example/?q=25%-off", "https://shop.example/?%",
		"https://shop.example?100%#5%",
	} {
		f.wantTarget(t, url, "")
		created := decodeAs[api.Created](t, f.do(t, post(
			`{"original_url":`+quote(t, url)+`,"find_existing":true}`)), http.StatusOK)
		if created.OriginalURL != url {
			t.Errorf("%s is %s", url, created.OriginalURL)
		}
	}
	found := decodeAs[api.Page](t, f.do(t, request{
		target: "/api/urls?search=sale-25%25-off",
	}), http.StatusOK)
	if found.Total != 1 {
		t.Errorf("%d found", found.Total)
	}
	for _, url := range []string{
		"https://100%.example/", "https://a%@example.com/", "https://example.com:8%/",
	} {
		f.wantTarget(t, url, noURL)
	}
	f.wantTarget(t, "https://sho.rt/abc%", shortLink)
	f.wantTarget(t, "https://sho.rt/abc?25%", shortLink)
	f.wantTarget(t, "https://sho.rt/abc#25%", shortLink)
}

// A link to one of our own short links would loop, also by another spelling of our address.
func TestTargetLoops(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	at := func(base string) *fixture {
		return newFixture(t, func(o *httpapi.Options) { o.BaseURL = base })
	}
	address := at("http://127.0.0.1:8080")
	for _, host := range []string{
		"127.0.0.1", "2130706433", "0x7f000001", "0x7F.0.0.1", "0177.0.0.1", "017700000001",
		"127.1", "127.0.1", "127.000.000.001", "127.0.0.1.", "[::ffff:127.0.0.1]",
		"[::ffff:7f00:1]", "[0:0:0:0:0:FFFF:7F00:0001]", "①27.0.0.1", "127。0。0。1", "0x7f.1",
		"0x7f.0x0.0x1",
	} {
		address.wantTarget(t, "http://"+host+":8080/abc", shortLink)
		address.wantTarget(t, "http://"+host+":8081/abc", "")
	}
	six := at("http://[2001:db8::7]:8080")
	six.wantTarget(t, "http://[2001:DB8:0:0::0007]:8080/abc", shortLink)
	six.wantTarget(t, "http://[2001:db8::8]:8080/abc", "")
	named := at("https://bücher.example/go")
	for path, text := range map[string]string{
		"/go/abc": shortLink, "/go/abc/def": shortLink, "/go/abc/def/": shortLink,
		"/go/abc//": shortLink, "/go/ab": shortLink, "/go/v1.2": shortLink,
		"/go/abc.svg": shortLink, "/go/abc+": shortLink, "/go/abc?x/y": shortLink,
		"/x/../go/abc/def": shortLink, `/x\..\go\abc\def`: shortLink,
		"/go/./abc": shortLink, "/go/x/%2E./abc": shortLink, "/%67o/abc/x": shortLink,
		"/go/api/../abc/x": shortLink, "/go/abc%2Fdef": shortLink, "/go/gr%C3%BC%C3%9Fe": shortLink,
		"/go": "", "/go/": "", "/go/?abc": "", "/go/#abc": "", "/go//": "", "/abc/def": "",
		"/gone/abc": "", "/go/api/urls": "", "/go/health": "", "/go/abc/..": "", "/go/ui/x": "",
		"/go/abc/../api/x": "", "/go/..": "", "/go/../abc": "",
	} {
		named.wantTarget(t, "https://b%C3%BCcher.example"+path, text)
	}
}

// createBefore makes the link "before", which the interface would refuse.
func (f *fixture) createBefore(t *testing.T, url terse.URL, options terse.LinkOptions) {
	t.Helper()
	encoded, err := options.Encode()
	if err != nil {
		t.Fatal(err)
	}
	code, err := terse.ParseCode("before")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.store.Create(t.Context(), terse.Caller{}, terse.NewLink{
		Code: code, URL: url, CreatedBy: terse.Identity, Options: encoded,
	}); err != nil {
		t.Fatal(err)
	}
}

// A link that leads to one of our own from the time when this was not refused can be changed, also
// by who sends all of it again, only not be led to another of them.
func TestTargetFromBefore(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	options := terse.LinkOptions{
		ExpiredURL: "https://sho.rt/a/b", Title: "old",
		Rules: []terse.Rule{{Name: "r", URL: "https://sho.rt/c/d"}},
	}
	f.createBefore(t, "https://sho.rt/before/x", options)
	link := decodeAs[api.Link](t, f.do(t, patchRequest("before", `{"title":"new"}`)), 200)
	if link.Title != "new" || link.ExpiredURL != "https://sho.rt/a/b" {
		t.Errorf("%+v", link)
	}
	for _, body := range []string{
		`{"original_url":"https://sho.rt/before/x"}`,
		`{"title":"x","rules":[{"name":"r","url":"https://sho.rt/c/d"}]}`,
		`{"expired_url":"https://sho.rt/a/b"}`,
	} {
		if got := f.do(t, patchRequest("before", body)); got.status != http.StatusOK {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
		other := strings.Replace(body, "https://sho.rt/", "https://sho.rt/other/", 1)
		if got := f.do(t, patchRequest("before", other)); got.status != http.StatusBadRequest ||
			!strings.Contains(got.body, shortLink) {
			t.Errorf("%s: %d %s", other, got.status, got.body)
		}
	}
	link = decodeAs[api.Link](t, f.do(t, patchRequest("before",
		`{"original_url":"https://example.com/","rules":null,"expired_url":null}`)), 200)
	if link.OriginalURL != "https://example.com/" {
		t.Errorf("%+v", link)
	}
}
