package httpapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"terse"
	"terse/api"
	"terse/internal/database/storetest"
	"terse/internal/httpapi"
	"terse/internal/tests/longtest"
)

// shareOf returns the path of the page of a link that is shared.
func (f *fixture) shareOf(t *testing.T, code string, status int) string {
	t.Helper()
	share := decodeAs[api.Share](t, f.do(t, request{
		method: "POST", target: "/api/urls/" + code + "/share",
	}), status)
	path, found := strings.CutPrefix(share.URL, baseURL)
	if !found || !regexp.MustCompile(`\A/ui/share/[a-zA-Z0-9_-]{22}\z`).MatchString(path) {
		t.Fatalf("the share of %s is at %s", code, share.URL)
	}
	return path
}

// anybody is a request without a token.
func anybody(method, target string) request {
	return request{method: method, target: target, header: authorization()}
}

func TestShare(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch","title":"Spring"}`))
	before := f.do(t, request{target: "/api/urls/launch"})
	const target = "/api/urls/launch/share"
	wantError(t, f.do(t, request{target: target}), http.StatusNotFound, "share not found")
	wantError(t, f.do(t, request{method: "DELETE", target: target}), http.StatusNotFound,
		"share not found")
	first := f.shareOf(t, "launch", http.StatusCreated)
	if again := f.shareOf(t, "launch", http.StatusOK); again != first {
		t.Errorf("shared again at %s, before at %s", again, first)
	}
	if got := decodeAs[api.Share](t, f.do(t, request{target: target}), http.StatusOK); got.URL !=
		baseURL+first {
		t.Errorf("the share is said to be at %s", got.URL)
	}
	// Sharing is no change of the link.
	after := f.do(t, request{target: "/api/urls/launch"})
	history := f.do(t, request{target: "/api/urls/launch/history"})
	if after.body != before.body || after.header.Get("ETag") != before.header.Get("ETag") ||
		history.body != `{"changes":[]}` {
		t.Errorf("the link was %s, is %s, history %s", before.body, after.body, history.body)
	}
	f.wantShared(t, first, true)
	if got := f.do(t, request{method: "DELETE", target: target}); got.status !=
		http.StatusNoContent || got.body != "" {
		t.Errorf("%d %s", got.status, got.body)
	}
	f.wantShared(t, first, false)
	wantError(t, f.do(t, request{method: "DELETE", target: target}), http.StatusNotFound,
		"share not found")
	second := f.shareOf(t, "launch", http.StatusCreated)
	if second == first {
		t.Error("a share that was taken back is there again")
	}
	// With the link the share is gone, and its code inherits nothing.
	f.do(t, request{method: "DELETE", target: "/api/urls/launch"})
	f.wantShared(t, second, false)
	wantError(t, f.do(t, request{target: target}), http.StatusNotFound, "URL not found")
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	wantError(t, f.do(t, request{target: target}), http.StatusNotFound, "share not found")
	f.wantShared(t, second, false)
}

// wantShared checks whether something is at the path of a share, for those without a token, with a
// wrong one and with a good one.
func (f *fixture) wantShared(t *testing.T, path string, shared bool) {
	t.Helper()
	for _, header := range []http.Header{authorization(), authorization("Bearer nope"), nil} {
		page := f.do(t, request{target: path, header: header})
		clicks := f.do(t, request{target: path + "/clicks", header: header})
		want := http.StatusNotFound
		if shared {
			want = http.StatusOK
			if clicks.header.Get("X-Robots-Tag") != "noindex" {
				t.Errorf("clicks may be indexed: %v", clicks.header)
			}
		} else {
			wantError(t, clicks, want, "share not found")
		}
		if page.status != want || clicks.status != want || page.body != "page of a share" {
			t.Errorf("%s: %d %s, clicks %d %s, want %d", path, page.status, page.body,
				clicks.status, clicks.body, want)
		}
	}
}

// A link that is shared again with its key is answered again, from the share itself: the kept
// answer does not have it.
func TestShareOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	share := request{method: "POST", target: "/api/urls/launch/share"}
	keyed := share.with("Idempotency-Key", "one")
	first := f.do(t, keyed)
	again := f.do(t, keyed)
	if first.status != http.StatusCreated || again.status != http.StatusCreated ||
		first.body != again.body || first.header.Get("Idempotent-Replayed") != "" ||
		again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("%v, then %v", first, again)
	}
	if got := f.do(t, share); got.status != http.StatusOK || got.body != first.body {
		t.Errorf("without the key: %v", got)
	}
	other := keyed
	other.body = "{}"
	wantError(t, f.do(t, other), http.StatusUnprocessableEntity,
		"this Idempotency-Key was sent with another request body")
	// What was taken back stays so.
	f.do(t, request{method: "DELETE", target: share.target})
	for range 2 {
		wantError(t, f.do(t, keyed), http.StatusNotFound, "share not found")
	}
	wantError(t, f.do(t, request{target: share.target}), http.StatusNotFound, "share not found")
	unknown := request{method: "POST", target: "/api/urls/nobody/share"}
	for _, replayed := range []string{"", "true"} {
		got := f.do(t, unknown.with("Idempotency-Key", "one"))
		wantError(t, got, http.StatusNotFound, "URL not found")
		if got.header.Get("Idempotent-Replayed") != replayed {
			t.Errorf("%v", got)
		}
	}
	bad := share.with("Idempotency-Key", "")
	bad.bad = true
	wantError(t, f.do(t, bad), http.StatusBadRequest,
		"Idempotency-Key must be 1 to 255 visible ASCII characters")
}

func TestShareOfOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createForeign(t, "foreign")
	for _, method := range []string{"POST", "GET", "DELETE"} {
		for target, text := range map[string]string{
			"/api/urls/nowhere/share": "URL not found", "/api/urls/a/share": "URL not found",
		} {
			wantError(t, f.do(t, request{method: method, target: target, bad: true}),
				http.StatusNotFound, text)
		}
		wantError(t, f.do(t, request{method: method, target: "/api/urls/foreign/share"}),
			http.StatusForbidden, "unauthorized to view analytics for this URL")
		wantError(t, f.do(t, anybody(method, "/api/urls/foreign/share")),
			http.StatusUnauthorized, "Unauthorized: missing authorization header")
	}
}

// Answers are those to the owner, but for what strangers do not see.
func TestSharedClicks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch","title":"Spring"}`))
	f.addClicks(t, "launch",
		clickBy(t, "ios", "DE", "direct"), clickBy(t, "ios", "US", "https://a.example/x"),
		clickBy(t, "", "DE", "https://a.example/y"), clickBy(t, "b", "FR", "https://b.example/"))
	path := f.shareOf(t, "launch", http.StatusCreated)
	const span = "start_time=2026-01-31T00:00:00Z&end_time=2026-02-01T12:00:00Z"
	var shared []string
	for _, name := range api.Dimensions() {
		if name != "referrer" && name != "alias" {
			shared = append(shared, name)
		}
	}
	for _, query := range []string{
		"by=country", "by=rule&limit=1", span + "&by=country", "by=" + strings.Join(shared, ","),
		span + "&interval=hour&time_zone=Europe/Berlin&by=rule&country=DE&not_rule=ios",
		"visitors=true&by=country", "by=country&rule=nobody",
		"interval=month&by=country&unheard=of",
	} {
		own := f.do(t, request{target: "/api/urls/launch/clicks?" + query})
		got := f.do(t, anybody("GET", path+"/clicks?"+query))
		want, have := decodeAs[map[string]any](t, own, 200), decodeAs[map[string]any](t, got, 200)
		delete(want, "original_url")
		want["title"] = "Spring"
		if a, b := asJSON(t, want), asJSON(t, have); a != b {
			t.Errorf("%s: %s, want %s", query, b, a)
		}
	}
	usual := decodeAs[api.SharedClicks](t, f.do(t, anybody("GET", path+"/clicks")), 200)
	if usual.TotalClicks != 4 || usual.ByCountry["DE"] != 2 || usual.ByReferrer != nil ||
		usual.ByReferrerHost["a.example"] != 2 || usual.ByRule != nil {
		t.Errorf("without a question: %+v", usual)
	}
	known := "by must be names of dimensions separated by commas: " + strings.Join(shared, ", ")
	for query, text := range map[string]string{
		"by=referrer": known, "by=country,referrer": known, "by=nothing": known,
		"referrer=https://a.example/x": "referrer is not known here",
		"not_referrer=direct":          "not_referrer is not known here",
		"limit=0":                      "limit must be 1 to 1000",
		"interval=year":                "interval must be hour, day, week or month",
		"country=Germany": "country must be an ISO 3166-1 alpha-2 code, or XX for clicks whose " +
			"country is not known",
	} {
		for _, at := range []string{path, "/ui/share/nothing"} { // checked before the look-up
			got := f.do(t, request{
				target: at + "/clicks?" + query, header: authorization(), bad: true,
			})
			wantError(t, got, http.StatusBadRequest, text)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Of a link with all it can have, a share shows title, code and clicks.
func TestShareShowsNothingElse(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://secret.example/","short_code":"launch","title":"Spring",
		"note":"secret note","tags":["secret tag"],"password":"secret password",
		"expired_url":"https://secret.example/over","expires_at":"2020-01-01T00:00:00Z",
		"max_clicks":7654321,"rules":[{"name":"named","url":"https://secret.example/rule",
			"when":{"query":{"secret":"secret"}}}]}`))
	f.do(t, request{
		method: "PATCH", target: "/api/urls/launch", body: `{"note":"secret, still"}`,
		header: http.Header{"X-Request-Id": {"secret-request"}},
	})
	f.addClicks(t, "launch", clickBy(t, "named", "DE", "https://shown.example/secret"))
	path := f.shareOf(t, "launch", http.StatusCreated)
	targets := []string{path, path + "/clicks"}
	for _, name := range api.Dimensions() {
		targets = append(targets, path+"/clicks?by="+name)
	}
	targets = append(targets, path+"?by=referrer", path+"/clicks?referrer=https://shown.example/")
	for _, target := range targets {
		got := f.do(t, request{target: target, header: authorization(), bad: true})
		for _, word := range []string{"secret", "authenticated-user", "7654321", "expire"} {
			if strings.Contains(got.body, word) || strings.Contains(asJSON(t, got.header), word) {
				t.Errorf("%s tells %s: %d %v %s", target, word, got.status, got.header, got.body)
			}
		}
	}
}

func TestShareHasNoOtherMethodsAndNames(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	path := f.shareOf(t, "launch", http.StatusCreated)
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		for _, target := range []string{
			path, path + "/clicks", "/ui/share/nothing", "/ui/share/nothing/clicks",
		} {
			got := f.do(t, request{method: method, target: target, header: authorization()})
			wantError(t, got, http.StatusMethodNotAllowed, "method not allowed")
			want := "GET, HEAD"
			if method != "POST" && !strings.HasSuffix(target, "/clicks") {
				want = "GET, HEAD, POST" // the form of a password
			}
			if allow := got.header.Values("Allow"); !slices.Equal(allow, []string{want}) {
				t.Errorf("%s %s: Allow %q", method, target, allow)
			}
		}
	}
	for _, target := range []string{path, path + "/clicks"} {
		if got := f.do(t, anybody("HEAD", target)); got.status != 200 || got.body != "" {
			t.Errorf("HEAD %s: %d %s", target, got.status, got.body)
		}
	}
	share := path[len("/ui/share/"):]
	for _, other := range []string{
		"x", share[:21], share + "A", share + "=", share[:21] + "%0A", "%2e%2e", "launch",
		"AAAAAAAAAAAAAAAAAAAAAA", share + "%2Fclicks", "%ff",
	} {
		page := f.do(t, request{target: "/ui/share/" + other, bad: true, header: authorization()})
		if page.status != http.StatusNotFound || page.body != "page of a share" {
			t.Errorf("%s: %d %s", other, page.status, page.body)
		}
		wantError(t, f.do(t, request{
			target: "/ui/share/" + other + "/clicks", bad: true, header: authorization(),
		}), http.StatusNotFound, "share not found")
	}
}

// The clicks of a share are taken from the API's budget, the page is not.
func TestShareIsLimited(t *testing.T) {
	t.Parallel()
	var left atomic.Int64
	left.Store(1000)
	f := newFixture(t, func(o *httpapi.Options) {
		o.Limit = budget(func(netip.Addr) time.Duration {
			if left.Add(-1) < 0 {
				return 7 * time.Second
			}
			return 0
		})
		o.LimitFailures = func(netip.Addr) time.Duration { return time.Hour }
	})
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	path := f.shareOf(t, "launch", http.StatusCreated)
	left.Store(2)
	for _, target := range []string{path + "/clicks", "/ui/share/nothing/clicks"} {
		f.do(t, anybody("GET", target))
	}
	for _, target := range []string{
		path + "/clicks", "/ui/share/nothing/clicks", path + "/clicks?by=x",
	} {
		got := f.do(t, request{target: target, header: authorization("Bearer nope"), bad: true})
		wantError(t, got, http.StatusTooManyRequests, "rate limit exceeded")
		if got.header.Get("Retry-After") != "7" {
			t.Errorf("%s: %v", target, got.header)
		}
	}
	f.wantPage(t, path, http.StatusOK)
	f.wantPage(t, "/ui/share/nothing", http.StatusNotFound)
}

func (f *fixture) wantPage(t *testing.T, path string, status int) {
	t.Helper()
	if got := f.do(t, anybody("GET", path)); got.status != status {
		t.Errorf("%s: %d, want %d", path, got.status, status)
	}
}

// What fails shows no share in the log, nor to the caller.
func TestShareOfStoreThatIsAway(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	path := f.shareOf(t, "launch", http.StatusCreated)
	if err := f.store.Close(); err != nil {
		t.Fatal(err)
	}
	f.serve(t, func(o *httpapi.Options) { o.StoreTimeout = 100 * time.Millisecond })
	for _, target := range []string{path, path + "/clicks"} {
		wantError(t, f.do(t, anybody("GET", target)), http.StatusInternalServerError,
			"internal server error")
	}
	if log := f.log.String(); strings.Contains(log, path[len("/ui/share/"):]) ||
		!strings.Contains(log, "look up a share") {
		t.Errorf("the log has %s", log)
	}
}

func TestLoggedPath(t *testing.T) {
	t.Parallel()
	own := terse.NewShare().String()
	long := strings.Repeat("0123456789-_abcd", 4) // also an alias
	for sent, want := range map[string]string{
		"/ui/share/abc": "/ui/share/…", "/ui/share/abc/clicks": "/ui/share/…",
		"/ui/share/abc/": "/ui/share/…", "/%75i/sh%61re/abc": "/ui/share/…",
		"/ui/share%2Fabc": "/ui/share/…", "/ui//share/./abc": "/ui/share/…",
		"//ui/share/abc%zz": "/ui/share/…", "/ui/x/../share/abc": "/ui/share/…",
		"/ui/share/": "/ui/share/", "/ui/share": "/ui/share", "/ui/shared": "/ui/shared",
		"/ui/": "/ui/", "/api/urls/abc/share": "/api/urls/abc/share", "/%zz": "/%zz", "": "",
		"/api/urls/share/analytics": "/api/urls/share/analytics", "/abc/%25zz/x": "/abc/%25zz/x",
		"/shareholders-meeting-2026": "/shareholders-meeting-2026",
		"/ui/shares/abc":             "/ui/shares/abc",
		"/" + own:                    "/ui/share/…", "/x/Share/" + own: "/ui/share/…",
		"/share" + own: "/ui/share/…", "/share" + long: "/share" + long,
		"/ui/share" + long: "/ui/share/…", "/UI/SHARE" + long: "/ui/share/…",
		"/ui/share/" + long: "/ui/share/…", "/ui%2Fshare" + long + "%2f": "/ui/share/…",
		"/" + long: "/" + long, "/x/" + long: "/x/" + long,
		"/UI\\Share;abc": "/ui/share/…", "/ui%25252fshare%25252fabc": "/ui/share/…",
		"/x%" + strings.Repeat("25", 20) + "41": "/ui/share/…", // that many times
	} {
		if got := string(httpapi.LoggedPath([]byte(sent))); got != want {
			t.Errorf("LoggedPath(%q) = %q, want %q", sent, got, want)
		}
	}
}

func TestShareByClient(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	f.addClicks(t, "launch", clickBy(t, "ios", "DE", "direct"))
	client := api.New(f.server.URL, token)
	made, err := client.Share(t.Context(), "launch")
	if err != nil {
		t.Fatal(err)
	}
	again, err := client.Share(t.Context(), "launch")
	read, err2 := client.ReadShare(t.Context(), "launch")
	if made != again || made != read || err != nil || err2 != nil {
		t.Errorf("%v, %v %v, %v %v", made, again, err, read, err2)
	}
	u, err := url.Parse(made.URL)
	if err != nil {
		t.Fatal(err)
	}
	share := u.Path[strings.LastIndexByte(u.Path, '/')+1:]
	stranger := api.New(f.server.URL, "")
	clicks, err := stranger.SharedClicks(t.Context(), share, api.ClicksQuery{By: []string{"rule"}})
	if err != nil || clicks.ShortCode != "launch" || clicks.ByRule["ios"] != 1 {
		t.Errorf("%+v, %v", clicks, err)
	}
	if err := client.Unshare(t.Context(), "launch"); err != nil {
		t.Fatal(err)
	}
	_, err = client.ReadShare(t.Context(), "launch")
	_, err2 = stranger.SharedClicks(t.Context(), share, api.ClicksQuery{})
	for _, err := range []error{err, err2, client.Unshare(t.Context(), "launch")} {
		if !errors.Is(err, api.ErrNotFound) || !strings.Contains(err.Error(), "share not found") {
			t.Errorf("%v, want share not found", err)
		}
	}
}

// A question and an answer are documented for a share as for the owner, but for what strangers do
// not see.
func TestSharedClicksMatchInDocument(t *testing.T) {
	t.Parallel()
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	own, shared := doc.Paths.Value("/api/urls/{shortCode}/clicks").Get,
		doc.Paths.Value("/ui/share/{share}/clicks").Get
	names := func(op *openapi3.Operation) (all []string) {
		for _, p := range op.Parameters {
			all = append(all, p.Value.In+" "+p.Value.Name)
		}
		for name := range op.Responses.Status(200).Value.Content.Get("application/json").
			Schema.Value.Properties {
			all = append(all, name)
		}
		slices.Sort(all)
		return all
	}
	want := slices.DeleteFunc(names(own), func(name string) bool {
		return slices.Contains([]string{
			"path shortCode", "query owner", "query domain", "query referrer",
			"query not_referrer", "original_url", "by_referrer", "visitors_by_referrer",
			"query alias", "query not_alias", "by_alias", "visitors_by_alias",
		}, name)
	})
	want = append(want, "path share", "header X-Share-Password", "title")
	slices.Sort(want)
	if got := names(shared); !slices.Equal(got, want) {
		t.Errorf("documented are %q, want %q", got, want)
	}
}

// A stranger gets the 1,000 largest values of each map, and no more.
func TestShareHasTheLargestValues(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	// Each of ten days has as many values as fit, and no other day has them.
	const days, kept = 10, 655
	for day := range terse.Day(days) {
		clicks := storetest.FullDay(20_000 + day)[:kept]
		for i := range clicks {
			for d, value := range clicks[i].Values {
				if value != "" {
					clicks[i].Values[d] = strings.Replace(value, "0", fmt.Sprint(int(day)), 1)
				}
			}
		}
		f.addClicks(t, "launch", clicks...)
	}
	path := f.shareOf(t, "launch", http.StatusCreated)
	for query, want := range map[string]int{
		"by=source,referrer_host": 1000, "by=source&limit=3": 3,
	} {
		got := f.do(t, anybody("GET", path+"/clicks?"+query))
		clicks := decodeAs[api.SharedClicks](t, got, http.StatusOK)
		for name, counts := range map[string]map[string]int64{
			"source": clicks.BySource, "referrer_host": clicks.ByReferrerHost,
		} {
			if counts == nil {
				continue
			}
			sum := int64(0)
			for _, n := range counts {
				sum += n
			}
			if len(counts) != want+1 || sum != days*kept {
				t.Errorf("%s: %d values of %s, with %d clicks", query, len(counts), name, sum)
			}
		}
	}
	// The owner gets all of them, unless their names are more than 8 MiB.
	all := decodeAs[api.URLClicks](t, f.do(t, request{
		target: "/api/urls/launch/clicks?by=source",
	}), http.StatusOK)
	if len(all.BySource) != days*kept {
		t.Errorf("%d values", len(all.BySource))
	}
	names := 0
	all = decodeAs[api.URLClicks](t, f.do(t, request{
		target: "/api/urls/launch/clicks?by=source,medium,campaign,referrer",
	}), http.StatusOK)
	for _, counts := range []map[string]int64{
		all.BySource, all.ByMedium, all.ByCampaign, all.ByReferrer,
	} {
		for value := range counts {
			names += len(value)
		}
	}
	if names > 8<<20 || names < 8<<20-2000 {
		t.Errorf("%d bytes of names", names)
	}
}
