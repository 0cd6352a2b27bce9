package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
)

// Hosts of links in these tests. There are links at the old one, but no new ones.
const (
	ownHost   = "sho.rt"
	otherHost = "go.example"
	thirdHost = "xn--mnchen-3ya.example"
	oldHost   = "old.example"
)

// newDomains starts a control plane with several domains, among them one that is not configured any
// more.
func newDomains(t testing.TB, ignoreCase bool, change func(*httpapi.Options)) *fixture {
	t.Helper()
	f := newCasedFixture(t, ignoreCase, nil)
	if err := f.store.AddDomains(t.Context(), []string{"gone.example", oldHost}); err != nil {
		t.Fatal(err)
	}
	f.options.Hosts = f.domains(t, otherHost, "MÜNCHEN.example", ownHost)
	f.createOn(t, terse.Identity, oldHost, "old-link")
	f.options.Hosts = f.domains(t, otherHost, thirdHost)
	f.options.Importer = f.importer(t, nil)
	f.serve(t, change)
	return f
}

// domain returns the number of a host.
func (f *fixture) domain(t testing.TB, host string) terse.Domain {
	t.Helper()
	rows, err := f.store.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(rows, func(row terse.DomainRow) bool { return row.Host == host })
	if host == ownHost {
		i = 0
	}
	if i < 0 {
		t.Fatalf("no domain %s in %v", host, rows)
	}
	return rows[i].Domain
}

// createOn makes a link of an owner on a domain. Its code is its tag, too.
func (f *fixture) createOn(t testing.TB, owner, host, code string) terse.Link {
	t.Helper()
	parsed, err := terse.ParseCode(code)
	if err != nil {
		t.Fatal(err)
	}
	o := terse.LinkOptions{Tags: []string{code}}
	options, err := o.Encode()
	if err != nil {
		t.Fatal(err)
	}
	link, err := f.store.Create(t.Context(), terse.Caller{Identity: owner}, terse.NewLink{
		Code: parsed.On(f.domain(t, host)), URL: "https://example.com/", CreatedBy: owner,
		Options: options,
	})
	if err != nil {
		t.Fatal(err)
	}
	return link
}

// with adds a parameter to a target.
func with(target, name, value string) string {
	between := "?"
	if strings.Contains(target, "?") {
		between = "&"
	}
	return target + between + name + "=" + url.QueryEscape(value)
}

// Every route that knows the parameter domain reaches the link there and no other one, for another
// owner as well. Every other route ignores it.
func TestEveryRouteHeedsDomain(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, nil)
	f.addUsers(t, somebody)
	n := 0
	for _, route := range httpapi.Routes() {
		name := route.Method + " " + route.Pattern
		if route.Domains == httpapi.AnyDomain {
			if strings.Contains(route.Pattern, "{shortCode}") &&
				strings.HasPrefix(route.Pattern, "/api/") {
				t.Errorf("%s is about a link, and knows no domain", name)
			}
			continue
		}
		r, ok := owned[name]
		if !ok {
			t.Errorf("%s knows domains, and has no row in this test", name)
			continue
		}
		for asked, host := range map[string]string{
			"": ownHost, ownHost: ownHost, "Go.Example.": otherHost, oldHost: oldHost,
			"x.example": "",
		} {
			for _, on := range []string{ownHost, otherHost, oldHost} {
				if host == "" && on != ownHost {
					continue
				}
				owner := []string{terse.Identity, somebody}[n%2]
				n++
				thing := "thing-" + strconv.Itoa(n)
				link := f.createOn(t, owner, on, thing)
				f.clickAll(t, link.Code)
				if strings.Contains(route.Pattern, "/share") && route.Method != http.MethodPost {
					err := f.store.Transact(t.Context(), func(tx terse.Tx) error {
						_, _, err := tx.Share(t.Context(), terse.Caller{Identity: owner},
							terse.ShareOf(link.Ref()), terse.NewShare(), terse.ShareChange{})
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				got := f.do(t, request{
					method: route.Method, bad: true,
					target: withOwner(with(strings.ReplaceAll(r.target, "{}", thing), "domain",
						asked), owner),
					body: strings.ReplaceAll(r.body, "{}", thing),
				})
				if host == "" {
					wantError(t, got, http.StatusBadRequest, "unknown domain: "+asked)
					continue
				}
				reached := got.status < 300 && (!r.inBody || strings.Contains(got.body, thing))
				want := host == on || asked == "" && route.Domains == httpapi.Filtered
				if reached != want {
					t.Errorf("%s with domain=%s reaches a link on %s: %v, answer %d %.300s", name,
						asked, on, reached, got.status, got.body)
				}
			}
		}
	}
}

// clickAll counts a click on each of some links.
func (f *fixture) clickAll(t testing.TB, codes ...terse.Code) {
	t.Helper()
	for _, code := range codes {
		f.addClicks(t, code.String(), terse.Click{Time: time.Now().UnixMicro()})
	}
}

// The same code on three domains is three links, and each answer says which one it is about.
func TestSameCodeOnDomains(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, nil)
	for host, domain := range map[string]string{
		"": "", otherHost: `,"domain":"Go.EXAMPLE."`, thirdHost: `,"domain":"münchen.example"`,
	} {
		got := f.do(t, post(`{"original_url":"https://example.com/`+host+`","short_code":"launch"`+
			`,"aliases":["docs/install"]`+domain+`}`))
		shown, at := "", ownHost
		if host != "" {
			shown, at = `"domain":"`+host+`",`, host
		}
		want := `{"short_code":"launch",` + shown + `"short_url":"https://` + at + `/launch",` +
			`"original_url":"https://example.com/` + host + `","aliases":["docs/install"]}`
		if got.status != http.StatusCreated || got.body != want {
			t.Errorf("created on %q: %d %s, want %s", host, got.status, got.body, want)
		}
		taken := f.do(t, badPost(`{"original_url":"https://example.com/","short_code":"launch"`+
			domain+`}`))
		wantError(t, taken, http.StatusConflict, "short code already exists")
		code := parseCode(t, "launch").On(f.domain(t, at))
		f.clickAll(t, code)
		for _, key := range []string{code.String(), code.Domain().Key("docs/install")} {
			if !f.changed.has(key) {
				t.Errorf("%s was not announced", key)
			}
		}
	}
	for _, host := range []string{ownHost, otherHost, thirdHost} {
		f.wantAt(t, host)
	}
	f.wantAll(t)
	f.wantChangesApart(t)
}

func parseCode(t testing.TB, text string) terse.Code {
	t.Helper()
	code, err := terse.ParseCode(text)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// wantAt wants the link launch of a domain in answers about one link, and in those that are
// filtered by the domain.
func (f *fixture) wantAt(t *testing.T, host string) {
	t.Helper()
	of, shown := host, host
	if host == ownHost {
		of, shown = "", ""
	}
	get := func(target string) answer {
		t.Helper()
		return f.do(t, request{target: with(target, "domain", host)})
	}
	link := decodeAs[api.Link](t, get("/api/urls/launch"), http.StatusOK)
	if link.Domain != shown || link.ShortURL != "https://"+host+"/launch" ||
		link.OriginalURL != "https://example.com/"+of || link.ClickCount != 1 {
		t.Errorf("%s: read %+v", host, link)
	}
	page := decodeAs[api.Page](t, get("/api/urls"), http.StatusOK)
	if page.Total != 1 || len(page.URLs) != 1 || page.URLs[0].Domain != shown {
		t.Errorf("%s: listed %+v", host, page)
	}
	stats := decodeAs[api.Analytics](t, get("/api/urls/launch/analytics"), http.StatusOK)
	clicks := decodeAs[api.URLClicks](t, get("/api/urls/launch/clicks"), http.StatusOK)
	if stats.Domain != shown || clicks.Domain != shown || stats.TotalClicks != 1 ||
		stats.OriginalURL != link.OriginalURL || clicks.OriginalURL != link.OriginalURL {
		t.Errorf("%s: statistics %+v, clicks %+v", host, stats, clicks)
	}
	for _, target := range []string{"/api/urls/launch/events", "/api/events"} {
		events := decodeAs[api.Events](t, get(target), http.StatusOK).Events
		if len(events) != 1 || events[0].Domain != shown || events[0].ShortCode != "launch" {
			t.Errorf("%s: %s %+v", host, target, events)
		}
		csv := strings.Split(get(target+"?format=csv").body, "\r\n")
		if len(csv) != 3 || !strings.HasSuffix(csv[1], ",1,"+shown) {
			t.Errorf("%s: %s as CSV %q", host, target, csv)
		}
	}
	overview := decodeAs[api.Overview](t, get("/api/overview"), http.StatusOK)
	if overview.Links != 1 || overview.TotalClicks != 1 || len(overview.TopLinks) != 1 ||
		overview.TopLinks[0].Domain != shown {
		t.Errorf("%s: overview %+v", host, overview)
	}
	found := decodeAs[api.Created](t, f.do(t, post(`{"original_url":"`+link.OriginalURL+
		`","find_existing":true,"domain":"`+host+`"}`)), http.StatusOK)
	if found.Domain != shown || found.ShortCode != "launch" || found.ShortURL != link.ShortURL {
		t.Errorf("%s: found %+v", host, found)
	}
	pasted := decodeAs[api.Page](t, f.do(t, request{
		target: "/api/urls?search=" + url.QueryEscape(host+"/docs/install"),
	}), http.StatusOK)
	if pasted.Total != 1 || pasted.URLs[0].Domain != shown {
		t.Errorf("%s: a pasted short URL finds %+v", host, pasted)
	}
	shared := f.do(t, request{
		method: http.MethodPost, target: with("/api/urls/launch/share", "domain", host),
	})
	at := decodeAs[api.Share](t, shared, http.StatusCreated).URL[len(baseURL):]
	public := decodeAs[api.SharedClicks](t, f.do(t, request{target: at + "/clicks"}),
		http.StatusOK)
	if public.Domain != shown || public.TotalClicks != 1 {
		t.Errorf("%s: shared %+v", host, public)
	}
}

// wantAll wants the links of all domains in answers about all links.
func (f *fixture) wantAll(t *testing.T) {
	t.Helper()
	domains := []string{"", otherHost, thirdHost}
	var listed, top, events, shares []string
	page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls"}), http.StatusOK)
	for _, link := range page.URLs {
		if link.ShortCode == "launch" {
			listed = append(listed, link.Domain)
		}
	}
	overview := decodeAs[api.Overview](t, f.do(t, request{target: "/api/overview"}),
		http.StatusOK)
	for _, link := range overview.TopLinks {
		top = append(top, link.Domain)
	}
	found := decodeAs[api.Events](t, f.do(t, request{target: "/api/events"}), http.StatusOK)
	for _, event := range found.Events {
		events = append(events, event.Domain)
	}
	all := decodeAs[api.Shares](t, f.do(t, request{target: "/api/shares"}), http.StatusOK)
	for _, share := range all.Shares {
		shares = append(shares, share.Domain)
	}
	for name, got := range map[string][]string{
		"list": listed, "top_links": top, "events": events, "shares": shares,
	} {
		if slices.Sort(got); !slices.Equal(got, domains) {
			t.Errorf("%s: domains %q", name, got)
		}
	}
	recent := decodeAs[api.Recent](t, f.do(t, request{
		target: "/api/recent?short_codes=GO.example/launch,launch,sho.rt/launch," +
			"x.example/launch,xn--mnchen-3ya.example/launch,/launch,old.example/launch",
	}), http.StatusOK)
	var codes []string
	for code, days := range recent.Clicks {
		if codes = append(codes, code); days[29] != 1 {
			t.Errorf("recent clicks of %s: %v", code, days)
		}
	}
	slices.Sort(codes)
	want := []string{otherHost + "/launch", "launch", thirdHost + "/launch"}
	if !slices.Equal(codes, want) {
		t.Errorf("recent clicks of %q", codes)
	}
}

// wantChangesApart changes and deletes links of one domain, and wants the others as they were.
func (f *fixture) wantChangesApart(t *testing.T) {
	t.Helper()
	const at = "/api/urls/launch?domain=" + otherHost
	changed := decodeAs[api.Link](t, f.do(t, request{
		method: http.MethodPatch, target: at, body: `{"title":"New","short_code":"moved"}`,
	}), http.StatusOK)
	if changed.Domain != otherHost || changed.ShortURL != "https://go.example/moved" ||
		!slices.Equal(changed.Aliases, []string{"docs/install", "launch"}) {
		t.Errorf("changed: %+v", changed)
	}
	if link := f.read(t, "launch"); link.Title != "" || link.ShortCode != "launch" {
		t.Errorf("that of the default domain: %+v", link)
	}
	history := decodeAs[api.History](t, f.do(t, request{
		target: "/api/urls/moved/history?domain=" + otherHost,
	}), http.StatusOK).Changes
	if len(history) != 1 || string(history[0].Fields["short_code"].Old) != `"launch"` ||
		string(history[0].Fields["short_code"].New) != `"moved"` {
		t.Errorf("history: %+v", history)
	}
	got := f.bulk(t, `{"operations":[`+
		`{"op":"update","short_code":"moved","domain":"go.example","link":{"title":"Newer"}},`+
		`{"op":"update","short_code":"moved","link":{"title":"none"}},`+
		`{"op":"create","link":{"original_url":"https://example.com/","domain":"go.example",`+
		`"short_code":"launch2"}},`+
		`{"op":"delete","short_code":"launch","domain":"münchen.example"},`+
		`{"op":"delete","short_code":"moved"},`+
		`{"op":"delete","short_code":"launch2","domain":"go.example"},`+
		`{"op":"delete","short_code":"x","domain":"x.example"},`+
		`{"op":"create","domain":"go.example","link":{"original_url":"https://example.com/"}},`+
		`{"op":"update","short_code":"moved","domain":"go.example","link":{"domain":"sho.rt"}},`+
		`{"op":"create","link":{"original_url":"https://example.com/","domain":"old.example"}}]}`)
	var statuses []int
	for _, result := range got {
		statuses = append(statuses, result.Status)
	}
	want := []int{200, 404, 201, 204, 404, 204, 400, 400, 400, 400}
	if !slices.Equal(statuses, want) || got[0].Link.Domain != otherHost ||
		got[0].Link.Title != "Newer" || got[2].Link.Domain != otherHost ||
		got[6].Error != "unknown domain: x.example" ||
		got[7].Error != "domain must be a field of link to create one" ||
		got[8].Error != `field "domain" cannot be changed` ||
		got[9].Error != "unknown domain: old.example" {
		t.Errorf("bulk: %v %+v", statuses, got)
	}
	var codes []string
	for _, query := range []string{"", "&domain=sho.rt", "&domain=go.example", "&domain=" +
		thirdHost, "&domain=old.example", "&domain="} {
		codes = append(codes, strings.Join(f.codes(t, "sort=oldest"+query), "+"))
	}
	wantCodes := []string{
		"old-link+launch+moved", "launch", "moved", "", "old-link", "old-link+launch+moved",
	}
	sorted := strings.Split(codes[0], "+")
	slices.Sort(sorted)
	codes[0] = strings.Join(sorted, "+")
	sorted = strings.Split(codes[5], "+")
	slices.Sort(sorted)
	codes[5] = strings.Join(sorted, "+")
	wantCodes[0], wantCodes[5] = "launch+moved+old-link", "launch+moved+old-link"
	if diff := cmp.Diff(wantCodes, codes); diff != "" {
		t.Error(diff)
	}
	entries := f.entries(t, "?target=launch").Entries
	deleted := slices.IndexFunc(entries, func(e api.AuditEntry) bool {
		return e.Action == "link.delete"
	})
	if deleted < 0 || entries[deleted].Domain != thirdHost {
		t.Errorf("audit: %+v", entries)
	}
}

// A domain's name is refused where it is none, and a link stays where it is.
func TestDomainErrors(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, nil)
	for name, message := range map[string]string{
		`"x.example"`: "unknown domain: x.example", `"old.example"`: "unknown domain: old.example",
		`"gone.example"`: "unknown domain: gone.example", `""`: `unknown domain: ""`,
		`"https://go.example"`: `unknown domain: "https://go.example"`,
		`"go.example:443"`:     `unknown domain: "go.example:443"`,
		`"*.example"`:          `unknown domain: "*.example"`,
		`"a\u001b\nb"`:         `unknown domain: "a\x1b\nb"`,
		`7`:                    `field "domain" must be a string`,
	} {
		got := f.do(t, badPost(`{"original_url":"https://example.com/","domain":`+name+`}`))
		wantError(t, got, http.StatusBadRequest, message)
	}
	long := `{"original_url":"https://example.com/","domain":"` + strings.Repeat("x ", 9000) + `"}`
	if got := f.do(t, badPost(long)); got.status != http.StatusBadRequest || len(got.body) > 200 {
		t.Errorf("a long name: %d %.300s", got.status, got.body)
	}
	for _, same := range []string{`"sho.rt"`, "null", `"SHO.rt."`} {
		got := f.do(t, post(`{"original_url":"https://example.com/","domain":`+same+`}`))
		if got.status != http.StatusCreated || strings.Contains(got.body, "domain") {
			t.Errorf("domain %s: %d %s", same, got.status, got.body)
		}
	}
	for _, value := range []string{`"sho.rt"`, `"go.example"`, "null", "7"} {
		got := f.do(t, request{
			method: http.MethodPatch, target: "/api/urls/old-link?domain=old.example",
			body: `{"domain":` + value + `}`, bad: true,
		})
		wantError(t, got, http.StatusBadRequest, `field "domain" cannot be changed`)
	}
	for _, query := range []string{"domain=go.exampl%", "domain=%zz", "limit=1;domain=go.example"} {
		for _, target := range []string{"/api/urls", "/api/urls/old-link", "/api/overview"} {
			got := f.do(t, request{target: target + "?" + query, bad: true})
			wantError(t, got, http.StatusBadRequest, "malformed query string")
		}
	}
	for name, message := range map[string]string{
		"gone.example": "unknown domain: gone.example", "x": "unknown domain: x",
		"go.example:80": `unknown domain: "go.example:80"`, "a b": `unknown domain: "a b"`,
	} {
		got := f.do(t, request{target: with("/api/urls/old-link", "domain", name)})
		wantError(t, got, http.StatusBadRequest, message)
	}
	// A key of a store is no code.
	for _, path := range []string{"%233%2Fold-link", "old.example%2Fold-link"} {
		got := f.do(t, request{target: "/api/urls/" + path, bad: true})
		wantError(t, got, http.StatusNotFound, "URL not found")
	}
}

// An answer that is kept for an Idempotency-Key is that of one domain.
func TestDomainsOfKeptAnswers(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, nil)
	for _, host := range []string{ownHost, otherHost} {
		f.createOn(t, terse.Identity, host, "launch")
	}
	for _, host := range []string{"", otherHost, otherHost} {
		got := f.do(t, request{
			method: http.MethodPatch, target: "/api/urls/launch?domain=" + host,
			body: `{"title":"once"}`, header: http.Header{"Idempotency-Key": {"once"}},
		})
		link := decodeAs[api.Link](t, got, http.StatusOK)
		if link.Domain != host || link.Title != "once" {
			t.Errorf("on %q: %+v", host, link)
		}
	}
}

// A cursor belongs to the domain of its list.
func TestCursorsOfDomains(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, nil)
	for i := range 3 {
		f.createOn(t, terse.Identity, otherHost, fmt.Sprint("code-", i))
		f.createOn(t, terse.Identity, ownHost, fmt.Sprint("code-", i))
	}
	page := decodeAs[api.Page](t, f.do(t, request{
		target: "/api/urls?limit=2&domain=" + otherHost,
	}), http.StatusOK)
	if page.Total != 3 || page.NextCursor == "" {
		t.Fatalf("%+v", page)
	}
	next := "/api/urls?limit=2&cursor=" + page.NextCursor
	last := decodeAs[api.Page](t, f.do(t, request{target: next + "&domain=GO.EXAMPLE"}),
		http.StatusOK)
	if len(last.URLs) != 1 || last.URLs[0].ShortCode != "code-0" || last.NextCursor != "" {
		t.Errorf("second page: %+v", last)
	}
	for _, other := range []string{"", "&domain=", "&domain=sho.rt", "&domain=old.example"} {
		wantError(t, f.do(t, request{target: next + other, bad: true}), http.StatusBadRequest,
			"cursor must be the next_cursor of a list with the same search and sort")
	}
}

// Renaming a tag, and giving links away, reaches the links of each domain.
func TestTagsAndGiftsOnDomains(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, nil)
	f.addUsers(t, somebody, "ci")
	for _, host := range []string{ownHost, otherHost, oldHost} {
		f.createOn(t, somebody, host, "news")
	}
	got := f.do(t, request{
		method: http.MethodPatch, target: "/api/tags/news?owner=" + somebody,
		body: `{"name":"archive"}`,
	})
	if got.status != http.StatusOK || got.body != `{"tag":"archive","links":3}` {
		t.Errorf("renamed: %d %s", got.status, got.body)
	}
	gone := f.do(t, request{
		method: http.MethodDelete, target: "/api/users/" + somebody + "?move_to=ci",
	})
	if gone.status != http.StatusNoContent {
		t.Errorf("deleted: %d %s", gone.status, gone.body)
	}
	page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?tag=archive&owner=ci"}),
		http.StatusOK)
	if page.Total != 3 {
		t.Errorf("links that were given: %+v", page)
	}
}

// Where case is ignored, it is on each domain.
func TestDomainsIgnoringCase(t *testing.T) {
	t.Parallel()
	f := newDomains(t, true, nil)
	for _, host := range []string{ownHost, otherHost} {
		got := f.do(t, post(`{"original_url":"https://example.com/","short_code":"Launch",`+
			`"aliases":["Docs/x","LAUNCH"],"domain":"`+host+`"}`))
		if got.status != http.StatusCreated || !strings.Contains(got.body, `"aliases":["Docs/x"]`) {
			t.Errorf("on %s: %d %s", host, got.status, got.body)
		}
		for _, taken := range []string{"launch", "LAUNCH"} {
			got = f.do(t, badPost(`{"original_url":"https://example.com/","short_code":"`+taken+
				`","domain":"`+host+`"}`))
			wantError(t, got, http.StatusConflict, "short code already exists")
		}
		link := decodeAs[api.Link](t, f.do(t, request{
			target: "/api/urls/LAUNCH?domain=" + host,
		}), http.StatusOK)
		if link.ShortURL != "https://"+host+"/Launch" {
			t.Errorf("read: %+v", link)
		}
	}
}

// No link leads to a short URL of any domain.
func TestLoopsBetweenDomains(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, nil)
	const refused = "original URL must not be a short link of this service"
	for target, ours := range map[string]bool{
		"https://go.example/abc": true, "http://GO.example./abc": true,
		"https://go.example:443/x/y": true, "https://münchen.example/abc": true,
		"https://old.example/abc": true, "https://sho.rt/abc": true,
		"https://go.example/": false, "https://go.example:8443/abc": false,
		"https://gone.example/abc": false, "https://go.example/api/urls": false,
		"https://www.go.example/abc": false,
	} {
		for _, host := range []string{ownHost, otherHost} {
			got := f.do(t, request{
				method: http.MethodPost, target: "/api/urls", bad: ours,
				body: `{"original_url":"` + target + `","domain":"` + host + `"}`,
			})
			if ours {
				wantError(t, got, http.StatusBadRequest, refused)
			} else if got.status != http.StatusCreated {
				t.Errorf("%s on %s: %d %s", target, host, got.status, got.body)
			}
		}
	}
	wantError(t, f.do(t, badPost(`{"original_url":"https://example.com/","domain":"go.example",`+
		`"short_code":"api"}`)), http.StatusBadRequest, "short code is reserved")
}

// Domains are listed as they are, and lead where an admin says.
func TestDomainRows(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, func(o *httpapi.Options) { o.RootRedirect = "" })
	f.addUsers(t, somebody)
	f.createOn(t, somebody, otherHost, "launch")
	got := f.do(t, request{target: "/api/domains", header: f.tokenFor(t, somebody, terse.Viewer)})
	const nowhere = `"root_url":null,"unknown_url":null,"ended_url":null}`
	want := `{"domains":[` +
		`{"domain":"sho.rt","default":true,"configured":true,"links":0,` + nowhere + `,` +
		`{"domain":"old.example","default":false,"configured":false,"links":1,` + nowhere + `,` +
		`{"domain":"go.example","default":false,"configured":true,"links":1,` + nowhere + `,` +
		`{"domain":"xn--mnchen-3ya.example","default":false,"configured":true,"links":0,` +
		nowhere + `]}`
	if got.status != http.StatusOK || got.body != want {
		t.Errorf("domains: %d %s, want %s", got.status, got.body, want)
	}
	change := func(domain, body string) request {
		return request{
			method: http.MethodPatch, target: "/api/domains/" + domain, body: body, bad: true,
		}
	}
	row := decodeAs[api.Domain](t, f.do(t, change("GO.example.", `{"root_url":`+
		`"https://example.com/","unknown_url":"http://example.com/404","ended_url":`+
		`"https://go.example/"}`)), http.StatusOK)
	if row.Domain != otherHost || *row.RootURL != "https://example.com/" ||
		*row.UnknownURL != "http://example.com/404" || *row.EndedURL != "https://go.example/" {
		t.Errorf("changed: %+v", row)
	}
	targets := f.options.Hosts.Table().Of(f.domain(t, otherHost)).DomainTargets
	if targets.Root != "https://example.com/" || targets.Ended != "https://go.example/" {
		t.Errorf("this node knows %+v", targets)
	}
	row = decodeAs[api.Domain](t, f.do(t, change(otherHost, `{"root_url":null}`)),
		http.StatusOK)
	if row.RootURL != nil || row.UnknownURL == nil {
		t.Errorf("taken away: %+v", row)
	}
	f.do(t, change(otherHost, `{"root_url":null}`)) // changes nothing
	f.do(t, change(ownHost, `{"root_url":"https://example.com/own"}`))
	f.do(t, change(oldHost, `{"ended_url":"https://example.com/old"}`))
	var noted []string
	for _, entry := range f.entries(t, "").Entries {
		if entry.Action == "domain.update" {
			noted = append(noted, *entry.Target+" "+string(entry.Details))
		}
	}
	if diff := cmp.Diff([]string{
		`old.example {"fields":["ended_url"]}`, `sho.rt {"fields":["root_url"]}`,
		`go.example {"fields":["root_url"]}`,
		`go.example {"fields":["ended_url","root_url","unknown_url"]}`,
	}, noted); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"x.example", "gone.example", "go.example%3A443", "x"} {
		wantError(t, f.do(t, change(name, `{}`)), http.StatusNotFound, "domain not found")
	}
	const short, ours = "must not be a short link of this service",
		"must not lead to a host of this service"
	for body, message := range map[string]string{
		`{"root_url":"https://sho.rt/abc"}`:        "root_url " + short,
		`{"ended_url":"https://old.example/abc"}`:  "ended_url " + short,
		`{"unknown_url":"https://go.example/a"}`:   "unknown_url " + short,
		`{"root_url":"http://GO.example"}`:         "root_url " + ours,
		`{"root_url":"https://sho.rt/"}`:           "root_url " + ours,
		`{"unknown_url":"https://sho.rt/"}`:        "unknown_url " + ours,
		`{"unknown_url":"https://sho.rt/ui/"}`:     "unknown_url " + ours,
		`{"unknown_url":"http://Go.example.:99/"}`: "unknown_url " + ours,
		`{"unknown_url":"https://sho.rt:8443/x"}`:  "unknown_url " + ours,
		`{"unknown_url":"//example.com"}`:          "unknown_url must be a valid http or https URL",
		`{"ended_url":""}`:                         "ended_url must be a valid http or https URL",
		`{"ended_url":7}`:                          `field "ended_url" must be a string`,
		`{"domain":"go.example"}`:                  `unknown field "domain"`,
		`{"root_url":"https://münchen.example?x"}`: "root_url " + ours,
	} {
		got := f.do(t, change(otherHost, body))
		wantError(t, got, http.StatusBadRequest, message)
	}
	ok := f.do(t, change(otherHost, `{"root_url":"https://sho.rt/ui/"}`))
	if ok.status != http.StatusOK {
		t.Errorf("the dashboard: %d %s", ok.status, ok.body)
	}
}

// What a change of a domain repeats is not checked again, as with links.
func TestUpdateOfBlockedDomain(t *testing.T) {
	t.Parallel()
	var blocking atomic.Bool
	f := newDomains(t, false, func(o *httpapi.Options) {
		o.Blocked = func(u terse.URL) bool {
			return blocking.Load() && strings.Contains(string(u), "evil")
		}
	})
	change := func(body string) answer {
		return f.do(t, request{
			method: http.MethodPatch, target: "/api/domains/" + otherHost, body: body,
		})
	}
	const evil = `"unknown_url":"https://evil.example/a","ended_url":"https://evil.example/b"`
	if got := change(`{` + evil + `}`); got.status != http.StatusOK {
		t.Fatalf("%d %s", got.status, got.body)
	}
	blocking.Store(true)
	got := change(`{"root_url":"https://fine.example/",` + evil + `}`)
	row := decodeAs[api.Domain](t, got, http.StatusOK)
	if row.RootURL == nil || *row.RootURL != "https://fine.example/" ||
		row.UnknownURL == nil || *row.UnknownURL != "https://evil.example/a" {
		t.Errorf("%s", got.body)
	}
	for _, name := range []string{"root_url", "unknown_url"} {
		got := change(`{"` + name + `":"https://evil.example/b"}`)
		wantError(t, got, http.StatusBadRequest, name+" is blocked")
	}
	if got := change(`{"ended_url":null}`); got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.body)
	}
	wantError(t, change(`{`+evil+`}`), http.StatusBadRequest, "ended_url is blocked")
}

// The setting ROOT_REDIRECT_URL wins, and is shown.
func TestRootOfDefaultDomainIsSet(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, func(o *httpapi.Options) {
		o.RootRedirect = "https://example.com/home"
	})
	got := f.do(t, request{
		method: http.MethodPatch, target: "/api/domains/sho.rt", bad: true,
		body: `{"root_url":"https://example.com/"}`,
	})
	wantError(t, got, http.StatusBadRequest,
		"root_url of the default domain is that of the setting ROOT_REDIRECT_URL")
	row := decodeAs[api.Domain](t, f.do(t, request{
		method: http.MethodPatch, target: "/api/domains/sho.rt",
		body: `{"ended_url":"https://example.com/over"}`,
	}), http.StatusOK)
	if *row.RootURL != "https://example.com/home" || *row.EndedURL != "https://example.com/over" {
		t.Errorf("%+v", row)
	}
}

// An export has the domains of links, and an import takes the links there: the same comes out of a
// second server with these domains. One without them refuses the lines.
func TestMovesBetweenDomains(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, nil)
	f.do(t, request{method: http.MethodDelete, target: "/api/urls/old-link?domain=" + oldHost})
	for _, host := range []string{ownHost, otherHost, thirdHost} {
		at := f.do(t, post(`{"original_url":"https://example.com/`+host+`","short_code":"launch",`+
			`"aliases":["docs/install"],"domain":"`+host+`"}`))
		if at.status != http.StatusCreated {
			t.Fatal(at)
		}
		f.clickAll(t, parseCode(t, "launch").On(f.domain(t, host)))
	}
	f.do(t, request{
		method: http.MethodPost, target: "/api/urls/launch/share?domain=" + otherHost,
		body: `{"title":"Of go"}`,
	})
	export := func(f *fixture, query string) string {
		t.Helper()
		_, lines, _ := strings.Cut(f.do(t, request{target: "/api/export" + query}).body, "\n")
		return lines
	}
	all := export(f, "")
	var order []string
	for line := range strings.Lines(all) {
		if _, rest, found := strings.Cut(line, `"short_code":"launch"`); found {
			_, domain, _ := strings.Cut(rest, `,"domain":"`)
			domain, _, _ = strings.Cut(domain, `"`)
			order = append(order, domain)
		}
	}
	if want := []string{"", otherHost, thirdHost, otherHost}; !slices.Equal(order, want) {
		t.Errorf("domains in the order of lines: %q, want %q in\n%s", order, want, all)
	}
	one := f.do(t, request{target: "/api/export?domain=" + otherHost}).body
	if strings.Count(one, `"domain":"go.example"`) != 2 || strings.Contains(one, thirdHost) ||
		!strings.Contains(one, `"links":1,"clicks":1}`) || strings.Count(one, "\n") != 5 {
		t.Errorf("of one domain:\n%s", one)
	}
	table := f.do(t, request{target: "/api/export?format=csv"}).body
	if !strings.Contains(table, "launch,,https://example.com/sho.rt,") ||
		!strings.Contains(table, "launch,go.example,https://example.com/go.example,") {
		t.Errorf("as CSV:\n%s", table)
	}

	second := newDomains(t, false, nil)
	second.do(t, request{
		method: http.MethodDelete, target: "/api/urls/old-link?domain=" + oldHost,
	})
	for i, want := range []string{"created", "unchanged"} {
		got := second.send(t, "", strings.Split(strings.TrimSpace(all), "\n")...)
		var domains []string
		for _, result := range got.results {
			if domains = append(domains, result.Domain); result.Result != want ||
				result.ShortCode != "launch" {
				t.Errorf("import %d: %+v", i, result)
			}
		}
		if !slices.Equal(domains, order[:3]) {
			t.Errorf("results on %q", domains)
		}
	}
	if again := export(second, ""); again != all {
		t.Errorf("the second server has\n%s\nwant\n%s", again, all)
	}
	plain := newFixture(t, nil)
	got := plain.send(t, "", strings.Split(strings.TrimSpace(all), "\n")...)
	if got.summary.Created != 1 || got.summary.Failed != 2 || got.summary.LinesFailed != 1 {
		t.Errorf("a server without these domains: %+v", got)
	}
	for _, result := range got.results {
		if result.Result == "failed" && !strings.Contains(result.Error, "unknown domain: ") {
			t.Errorf("%+v", result)
		}
	}
}

// What imports do about addresses that are taken, they do on the domain of the line.
func TestImportConflictsOnDomains(t *testing.T) {
	t.Parallel()
	line := func(code, url, rest string) string {
		return `{"type":"link","short_code":"` + code + `","domain":"Go.example",` +
			`"original_url":"https://example.com/` + url + `"` + rest + `}`
	}
	for _, row := range []struct{ query, want string }{
		{"?", "skipped created skipped created created"},
		{"?conflict=overwrite", "updated created updated created created"},
		{"?conflict=rename", "renamed:launch-2 created renamed:free-2 created created"},
		{"?conflict=fail&dry_run=true", ""},
	} {
		for _, dry := range []string{"&dry_run=true", ""} {
			f := newDomains(t, false, nil)
			for _, host := range []string{ownHost, otherHost} {
				f.createOn(t, terse.Identity, host, "launch")
			}
			if strings.Contains(row.query, "fail") {
				got := f.do(t, request{
					method: http.MethodPost, target: "/api/import" + row.query, header: ndjsonType,
					body: line("launch", "a", ""),
				})
				wantError(t, got, http.StatusConflict,
					"short code already exists: go.example/launch")
				continue
			}
			got := f.send(t, row.query+dry, line("launch", "a", `,"aliases":["docs/a"]`),
				line("free", "b", `,"aliases":["launch2"]`), line("free", "b2", ""),
				`{"type":"link","domain":"go.example","original_url":"https://example.com/new"}`,
				`{"type":"link","short_code":"launch2","original_url":"https://example.com/own"}`)
			var results []string
			for _, r := range got.results {
				text := r.Result
				if r.NewShortCode != "" {
					text += ":" + r.NewShortCode
				}
				results = append(results, text)
			}
			if text := strings.Join(results, " "); text != row.want {
				t.Errorf("%s%s: %s, want %s", row.query, dry, text, row.want)
			}
			own := f.read(t, "launch")
			if own.OriginalURL != "https://example.com/" || own.Domain != "" {
				t.Errorf("%s: that of the default domain is %+v", row.query, own)
			}
		}
	}
}
