package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
)

// sharedAt makes a share with a body, and returns the path of its page.
func (f *fixture) sharedAt(t *testing.T, target, body string) string {
	t.Helper()
	share := decodeAs[api.Share](t, f.do(t, request{
		method: "POST", target: target, body: body,
	}), http.StatusCreated)
	return strings.TrimPrefix(share.URL, baseURL)
}

const (
	tagShare = "/api/tags/news/share"
	allShare = "/api/overview/share"
)

// Links that have the tag news, and one that has not.
func (f *fixture) createNews(t *testing.T) {
	t.Helper()
	for _, body := range []string{
		`{"original_url":"https://secret.example/one","short_code":"one","tags":["News"],
			"title":"1st","note":"secret note"}`,
		`{"original_url":"https://secret.example/two","short_code":"two","tags":["news","secret"]}`,
		`{"original_url":"https://secret.example/else","short_code":"secret-code",
			"title":"secret"}`,
	} {
		decodeAs[map[string]any](t, f.do(t, post(body)), http.StatusCreated)
	}
	f.addClicks(t, "one", clickBy(t, "ios", "DE", "https://shown.example/secret"))
	f.addClicks(t, "two", clickBy(t, "", "DE", "direct"), clickBy(t, "", "FR", "direct"))
	f.addClicks(t, "secret-code", clickBy(t, "", "US", "direct"))
}

// A tag and the overview have a share each, of the identity that asks.
func TestShareOfManyLinks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	for _, target := range []string{tagShare, allShare} {
		for _, method := range []string{"GET", "DELETE"} {
			wantError(t, f.do(t, request{method: method, target: target}), http.StatusNotFound,
				"share not found")
		}
		wantError(t, f.do(t, request{method: "PATCH", target: target, body: `{"title":"a"}`}),
			http.StatusNotFound, "share not found")
		path := f.sharedAt(t, target, "")
		plain := `{"url":"` + baseURL + path + `"}`
		for _, again := range []request{{method: "POST", target: target}, {target: target}} {
			if got := f.do(t, again); got.status != http.StatusOK || got.body != plain {
				t.Errorf("%s %s: %d %s, want %s", again.method, target, got.status, got.body, plain)
			}
		}
		page := f.do(t, anybody("GET", path))
		if page.status != http.StatusOK || page.body != "page of a share of many links" {
			t.Errorf("%d %s", page.status, page.body)
		}
		wantError(t, f.do(t, anybody("GET", path+"/clicks")), http.StatusNotFound,
			"share not found")
		if got := f.do(t, anybody("GET", path+"/overview")); got.status != http.StatusOK ||
			got.header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("%d %v", got.status, got.header)
		}
		done := f.do(t, request{method: "DELETE", target: target})
		if done.status != http.StatusNoContent {
			t.Errorf("DELETE: %d %s", done.status, done.body)
		}
		for at, text := range map[string]string{"": "", "/overview": "share not found"} {
			got := f.do(t, anybody("GET", path+at))
			if got.status != http.StatusNotFound || !strings.Contains(got.body, text) {
				t.Errorf("%s afterwards: %d %s", at, got.status, got.body)
			}
		}
		if again := f.sharedAt(t, target, ""); again == path {
			t.Error("a share that was taken back is there again")
		}
	}
	for _, method := range []string{"POST", "GET", "DELETE"} {
		wantError(t, f.do(t, request{method: method, target: "/api/tags/none/share"}),
			http.StatusNotFound, "tag not found")
	}
	// The share of a link has no overview.
	path := f.shareOf(t, "one", http.StatusCreated)
	wantError(t, f.do(t, anybody("GET", path+"/overview")), http.StatusNotFound,
		"share not found")
}

// A tag that lost its last link keeps its share, with an empty answer.
func TestShareOfEmptyTag(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://e.example/","short_code":"one","tags":["a/b"]}`))
	const target = "/api/tags/a%2Fb/share"
	path := f.sharedAt(t, target, "")
	f.do(t, request{method: "DELETE", target: "/api/urls/one"})
	got := decodeAs[api.SharedOverview](t, f.do(t, anybody("GET", path+"/overview")), 200)
	if got.Title != "a/b" || got.Links != 0 || got.TotalClicks != 0 || len(got.TopLinks) != 0 {
		t.Errorf("%+v", got)
	}
	for _, method := range []string{"GET", "POST"} {
		if got := f.do(t, request{method: method, target: target}); got.status != 200 {
			t.Errorf("%s: %d %s", method, got.status, got.body)
		}
	}
	if got := f.do(t, request{method: "DELETE", target: target}); got.status != 204 {
		t.Errorf("%d %s", got.status, got.body)
	}
	wantError(t, f.do(t, request{target: target}), http.StatusNotFound, "tag not found")
}

// Answers are those of the overview to the owner, but for what strangers do not see.
func TestSharedOverview(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	f.addUsers(t, somebody)
	f.createOf(t, somebody, "foreign", "https://secret.example/foreign", "news")
	f.addClicks(t, "foreign", clickBy(t, "", "DE", "direct"))
	const span = "start_time=2026-01-31T00:00:00Z&end_time=2026-02-01T12:00:00Z"
	for target, own := range map[string]string{
		tagShare: "/api/overview?tag=news&", allShare: "/api/overview?",
	} {
		path := f.sharedAt(t, target, "")
		for _, query := range []string{
			"by=country", "by=rule&limit=1", span + "&by=country", "by=country&country=DE",
			span + "&interval=hour&time_zone=Europe/Berlin&by=rule,referrer_host&not_rule=ios",
			"visitors=true&by=country", "people=true&by=country&visitors=by",
		} {
			want := decodeAs[map[string]any](t, f.do(t, request{target: own + query}), 200)
			got := f.do(t, anybody("GET", path+"/overview?"+query))
			have := decodeAs[map[string]any](t, got, 200)
			want["title"] = map[string]string{tagShare: "News", allShare: "Overview"}[target]
			for _, link := range want["top_links"].([]any) {
				delete(link.(map[string]any), "original_url")
			}
			if a, b := asJSON(t, want), asJSON(t, have); a != b {
				t.Errorf("%s: %s, want %s", query, b, a)
			}
			if strings.Contains(got.body, "secret.example") {
				t.Errorf("%s tells a target: %s", query, got.body)
			}
		}
		if got := f.do(t, request{
			target: path + "/overview?tag=&owner=", header: authorization(), bad: true,
		}); got.status != http.StatusOK {
			t.Errorf("empty parameters: %d %s", got.status, got.body)
		}
		for query, text := range map[string]string{
			"tag=news": "tag is not known here", "tag=&tag=other": "tag is not known here",
			"owner=" + somebody: "owner is not known here", "owner=*": "owner is not known here",
			"domain=x.example": "domain is not known here",
			"referrer=direct":  "referrer is not known here",
			"not_referrer=x":   "not_referrer is not known here",
			"limit=0":          "limit must be 1 to 1000",
		} {
			got := f.do(t, request{
				target: path + "/overview?" + query, header: authorization(), bad: true,
			})
			wantError(t, got, http.StatusBadRequest, text)
		}
	}
}

// A share has a title, an end and a password; each is changed and taken away.
func TestShareOptions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	for _, target := range []string{"/api/urls/one/share", tagShare, allShare} {
		path := f.sharedAt(t, target,
			`{"title":"Spring","expires_at":"2999-01-31T01:00:00+01:00"}`)
		want := func(got answer, status int, text string) {
			t.Helper()
			if text = `{"url":"` + baseURL + path + `"` + text + `}`; got.status != status ||
				got.body != text {
				t.Errorf("%s: %d %s, want %s", target, got.status, got.body, text)
			}
		}
		set := `,"title":"Spring","expires_at":"2999-01-31T00:00:00Z"`
		want(f.do(t, request{target: target}), 200, set)
		patch := func(body string) request {
			return request{method: "PATCH", target: target, body: body}
		}
		want(f.do(t, patch(`{}`)), 200, set)
		want(f.do(t, request{method: "POST", target: target}), 200, set)
		want(f.do(t, patch(`{"password":"open","title":"2nd"}`)), 200,
			`,"title":"2nd","expires_at":"2999-01-31T00:00:00Z","password":true`)
		want(f.do(t, request{
			method: "POST", target: target, body: `{"title":"3rd","expires_at":null}`,
		}), 200, `,"title":"3rd","password":true`)
		want(f.do(t, patch(`{"title":null,"password":null}`)), 200, "")
		if got := f.do(t, anybody("GET", path)); !strings.HasPrefix(got.body, "page of a share") {
			t.Errorf("%d %s", got.status, got.body)
		}
		longer := strings.Repeat("x", 129)
		const noTitle = "title must be 1 to 200 characters, not only spaces, none a control " +
			"character"
		for body, text := range map[string]string{
			`{"title":""}`: noTitle, `{"title":"` + strings.Repeat("x", 201) + `"}`: noTitle,
			`{"expires_at":"2020-01-01T00:00:00Z"}`: "expires_at must be in the future",
			`{"expires_at":"tomorrow"}`:             "expires_at must be an RFC 3339 time",
			`{"password":true}`:                     `field "password" must be a string`,
			`{"password":""}`:                       "password must be 1 to 128 bytes",
			`{"password":"` + longer + `"}`:         "password must be 1 to 128 bytes",
			`{"note":"a"}`:                          `unknown field "note"`,
			`[]`:                                    "request body must be a JSON object",
		} {
			for _, method := range []string{"POST", "PATCH"} {
				got := f.do(t, request{method: method, target: target, body: body, bad: true})
				if got.status != http.StatusBadRequest || !strings.Contains(got.body,
					strings.Split(strings.ReplaceAll(text, `"`, `\"`), " RFC")[0]) {
					t.Errorf("%s %s: %d %s, want %s", method, body, got.status, got.body, text)
				}
			}
		}
		want(f.do(t, request{target: target}), 200, "")
	}
	wantError(t, f.do(t, request{
		method: "PATCH", target: "/api/urls/two/share", body: `{"title":"a"}`,
	}), http.StatusNotFound, "share not found")
	// The title of a share stands for that of its link.
	f.do(t, request{method: "PATCH", target: "/api/urls/one/share", body: `{"title":"Shown"}`})
	path := f.do(t, request{target: "/api/urls/one/share"})
	share := decodeAs[api.Share](t, path, 200)
	got := decodeAs[api.SharedClicks](t, f.do(t, anybody("GET",
		strings.TrimPrefix(share.URL, baseURL)+"/clicks")), 200)
	if got.Title != "Shown" || got.TotalClicks != 1 {
		t.Errorf("%+v", got)
	}
}

// From its end on a share is as if it were withdrawn, but for its owner, who can open it again.
func TestShareEnds(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	for target, data := range map[string]string{
		"/api/urls/one/share": "/clicks", tagShare: "/overview", allShare: "/overview",
	} {
		end := time.Now().Add(time.Hour)
		path := f.sharedAt(t, target, fmt.Sprintf(`{"expires_at":%q,"password":"open"}`,
			end.UTC().Format(time.RFC3339Nano)))
		if got := f.do(t, anybody("GET", path)); got.status != 200 {
			t.Errorf("before its end: %d %s", got.status, got.body)
		}
		f.exec(t, fmt.Sprintf("UPDATE shares SET expires_at = %d WHERE expires_at <> 0",
			time.Now().UnixMicro())) // the hour is over
		unknown := "/ui/share/" + terse.NewShare().String()
		for _, r := range []request{
			anybody("GET", ""), anybody("GET", data), anybody("POST", ""), anybody("HEAD", ""),
		} {
			rest := r.target
			r.target, r.bad = path+rest, true
			got := f.do(t, r)
			r.target = unknown + rest
			if want := f.do(t, r); got.status != want.status || got.body != want.body ||
				got.status < 400 {
				t.Errorf("%s %s: %d %s, want %d %s", r.method, rest, got.status, got.body,
					want.status, want.body)
			}
		}
		shown := decodeAs[api.Share](t, f.do(t, request{target: target}), 200)
		if shown.ExpiresAt == nil || !strings.HasSuffix(shown.URL, path) {
			t.Errorf("the owner sees %+v", shown)
		}
		f.do(t, request{
			method: "PATCH", target: target, body: `{"expires_at":null,"password":null}`,
		})
		if got := f.do(t, anybody("GET", path+data)); got.status != 200 {
			t.Errorf("opened again: %d %s", got.status, got.body)
		}
	}
	all := decodeAs[api.Shares](t, f.do(t, request{target: "/api/shares"}), 200)
	if len(all.Shares) != 3 {
		t.Errorf("%+v", all)
	}
}

// form is a request with a password for the page at a path.
func form(path, password string) request {
	r := anybody("POST", path)
	r.body = url.Values{"password": {password}}.Encode()
	r.header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

// cookieOf returns the cookie of an answer.
func cookieOf(t *testing.T, got answer) *http.Cookie {
	t.Helper()
	for _, cookie := range (&http.Response{Header: got.header}).Cookies() {
		if cookie.Name == "terse_share" {
			return cookie
		}
	}
	t.Fatalf("no cookie in %d %v", got.status, got.header)
	return nil
}

// A page with a password is a form, and its data is closed, until the password is sent.
func TestSharePassword(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	other := f.sharedAt(t, "/api/urls/two/share", `{"password":"open"}`)
	for target, data := range map[string]string{
		"/api/urls/one/share": "/clicks", tagShare: "/overview", allShare: "/overview",
	} {
		path := f.sharedAt(t, target, `{"password":"op\u0308en","title":"secret"}`)
		const closed = "page of a share, which has a password"
		wantForm := func(got answer, status int) {
			t.Helper()
			if got.status != status || got.body != closed || got.header.Get("Set-Cookie") != "" {
				t.Errorf("%s: %d %v %s, want %d", target, got.status, got.header, got.body, status)
			}
		}
		wantForm(f.do(t, anybody("GET", path)), http.StatusOK)
		wantError(t, f.do(t, anybody("GET", path+data)), http.StatusUnauthorized,
			"password required")
		wrong := func() {
			if target == tagShare { // each check is followed by a pause
				wantForm(f.do(t, form(path, "wrong")), http.StatusForbidden)
			}
		}
		empty := form(path, "")
		empty.body = ""
		empty.bad = true
		wantForm(f.do(t, empty), http.StatusOK)
		foreign := form(path, "open")
		foreign.header.Set("Content-Type", "text/plain")
		foreign.bad = true
		if got := f.do(t, foreign); got.status != http.StatusUnsupportedMediaType {
			t.Errorf("%d %s", got.status, got.body)
		}
		wrong()
		got := f.do(t, form(path, "op\u0308en"))
		cookie := cookieOf(t, got)
		if got.status != http.StatusSeeOther || got.header.Get("Location") != path ||
			cookie.Path != path || !cookie.HttpOnly || !cookie.Secure ||
			cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge != 12*3600 ||
			strings.Contains(cookie.Value, "open") {
			t.Errorf("%d %v, cookie %+v", got.status, got.header, cookie)
		}
		with := func(path, value string) answer {
			r := anybody("GET", path)
			r.header.Set("Cookie", "terse_share="+value)
			return f.do(t, r)
		}
		if got := with(path, cookie.Value); !strings.HasPrefix(got.body, "page of a share") ||
			got.body == closed {
			t.Errorf("with the cookie: %d %s", got.status, got.body)
		}
		if got := with(path+data, cookie.Value); got.status != http.StatusOK {
			t.Errorf("data with the cookie: %d %s", got.status, got.body)
		}
		// It opens nothing else, and is not to be made up.
		wantForm(with(other, cookie.Value), http.StatusOK)
		end, mac, _ := strings.Cut(cookie.Value, ".")
		for _, value := range []string{
			"", ".", end, end + ".", "9" + end + "." + mac, "." + mac, end + "." + mac[1:],
			"-1." + mac, mac,
		} {
			wantForm(with(path, value), http.StatusOK)
			wantError(t, with(path+data, value), http.StatusUnauthorized, "password required")
		}
		// Programs send the password with the request.
		for password, status := range map[string]int{
			"op\u0308en": 200, "wrong": http.StatusForbidden, "": http.StatusUnauthorized,
		} {
			if password == "wrong" && target != tagShare {
				continue
			}
			r := anybody("GET", path+data)
			r.header.Set("X-Share-Password", password)
			if got := f.do(t, r); got.status != status {
				t.Errorf("%q: %d %s", password, got.status, got.body)
			}
		}
		// Setting the password anew, even the same one, ends the cookie; without one it is not
		// needed.
		for _, body := range []string{`{"password":"op\u0308en"}`, `{"password":"other"}`} {
			f.do(t, request{method: "PATCH", target: target, body: body})
			wantForm(with(path, cookie.Value), http.StatusOK)
		}
		f.do(t, request{method: "PATCH", target: target, body: `{"password":null}`})
		if got := f.do(t, anybody("GET", path+data)); got.status != http.StatusOK {
			t.Errorf("without a password: %d %s", got.status, got.body)
		}
		if got := f.do(t, form(path, "open")); got.status != http.StatusMethodNotAllowed ||
			got.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("a form for no password: %d %v", got.status, got.header)
		}
		f.do(t, request{method: "PATCH", target: target, body: `{"password":"op\u0308en"}`})
		wantForm(with(path, cookie.Value), http.StatusOK)
	}
}

// Ten wrong passwords a minute of a client and share: then even the right one has to wait.
func TestSharePasswordAttempts(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	path := f.sharedAt(t, tagShare, `{"password":"open"}`)
	other := f.sharedAt(t, allShare, `{"password":"open"}`)
	for range 10 {
		if got := f.do(t, form(path, "wrong")); got.status != http.StatusForbidden {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	got := f.do(t, form(path, "open"))
	if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" ||
		got.header.Get("Set-Cookie") != "" {
		t.Errorf("%d %v", got.status, got.header)
	}
	data := anybody("GET", path+"/overview")
	data.header.Set("X-Share-Password", "open")
	wantError(t, f.do(t, data), http.StatusTooManyRequests, "too many wrong passwords")
	if got := f.do(t, form(other, "open")); got.status != http.StatusSeeOther {
		t.Errorf("another share: %d %s", got.status, got.body)
	}
}

// The cookie is Secure where the page is reached by HTTPS.
func TestShareCookieIsSecureBehindHTTPS(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) {
		o.BaseURL = strings.Replace(o.BaseURL, "https:", "http:", 1)
	})
	f.createNews(t)
	share := decodeAs[api.Share](t, f.do(t, request{
		method: "POST", target: tagShare, body: `{"password":"open"}`,
	}), http.StatusCreated)
	path := share.URL[strings.Index(share.URL, "/ui/"):]
	for proto, want := range map[string]bool{"": false, "https": true} {
		r := form(path, "open")
		r.header.Set("X-Forwarded-Proto", proto)
		if cookie := cookieOf(t, f.do(t, r)); cookie.Secure != want {
			t.Errorf("%q: %+v", proto, cookie)
		}
	}
}

// The list has every share of the identity, newest first.
func TestListShares(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	f.addUsers(t, somebody)
	f.createOf(t, somebody, "theirs", "https://example.com/", "news")
	if got := f.do(t, request{target: "/api/shares"}); got.body != `{"shares":[]}` {
		t.Errorf("%d %s", got.status, got.body)
	}
	link := f.sharedAt(t, "/api/urls/one/share", "")
	tag := f.sharedAt(t, tagShare, `{"title":"Spring","expires_at":"2999-01-01T00:00:00Z"}`)
	all := f.sharedAt(t, allShare, `{"password":"open"}`)
	f.sharedAt(t, tagShare+"?owner="+somebody, "")
	got := decodeAs[api.Shares](t, f.do(t, request{target: "/api/shares"}), 200).Shares
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	for i := range got {
		if got[i].CreatedAt == nil || time.Since(*got[i].CreatedAt) > time.Hour ||
			got[i].CreatedBy != terse.Identity {
			t.Errorf("%+v", got[i])
		}
		got[i].CreatedAt, got[i].CreatedBy = nil, ""
	}
	end := time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)
	want := []api.ListedShare{
		{Share: api.Share{URL: baseURL + all, Password: true}, Overview: true},
		{Share: api.Share{URL: baseURL + tag, Title: "Spring", ExpiresAt: &end}, Tag: "News"},
		{Share: api.Share{URL: baseURL + link}, ShortCode: "one"},
	}
	if a, b := asJSON(t, got), asJSON(t, want); a != b {
		t.Errorf("%s, want %s", a, b)
	}
	theirs := decodeAs[api.Shares](t, f.do(t, request{
		target: "/api/shares?owner=" + somebody,
	}), 200)
	if len(theirs.Shares) != 1 || theirs.Shares[0].CreatedBy != terse.Identity ||
		theirs.Shares[0].Tag != "news" {
		t.Errorf("%+v", theirs)
	}
}

// A share that is made again with its key is answered again, from the share itself; one that is
// changed with a key is changed once.
func TestShareManyOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	for _, target := range []string{tagShare, allShare} {
		share := request{method: "POST", target: target, body: `{"title":"a","password":"open"}`}.
			with("Idempotency-Key", "one")
		first, again := f.do(t, share), f.do(t, share)
		if first.status != 201 || again.status != 201 || first.body != again.body ||
			again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%v, then %v", first, again)
		}
		patch := request{method: "PATCH", target: target, body: `{"title":"b"}`}.
			with("Idempotency-Key", "two")
		f.do(t, patch)
		f.do(t, request{method: "PATCH", target: target, body: `{"title":"c"}`})
		if got := f.do(t, patch); got.header.Get("Idempotent-Replayed") != "true" ||
			!strings.Contains(got.body, `"title":"c"`) {
			t.Errorf("%v", got)
		}
		f.do(t, request{method: "DELETE", target: target})
		wantError(t, f.do(t, share), http.StatusNotFound, "share not found")
	}
}

// A tag that is renamed keeps its share; one that is merged into a shared tag, or deleted, loses
// it.
func TestShareFollowsTag(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	path := f.sharedAt(t, tagShare, "")
	title := func(path string) string {
		t.Helper()
		got := f.do(t, anybody("GET", path+"/overview"))
		if got.status == http.StatusNotFound {
			return ""
		}
		shared := decodeAs[api.SharedOverview](t, got, 200)
		return fmt.Sprint(shared.Title, " ", shared.Links)
	}
	rename := func(tag, name string) {
		t.Helper()
		got := f.do(t, request{
			method: "PATCH", target: "/api/tags/" + tag, body: `{"name":"` + name + `"}`,
		})
		if got.status != 200 {
			t.Fatalf("%d %s", got.status, got.body)
		}
	}
	rename("news", "Press")
	if got := title(path); got != "Press 2" {
		t.Errorf("renamed, it shows %s", got)
	}
	rename("press", "PRESS")
	if got := title(path); got != "PRESS 2" {
		t.Errorf("respelled, it shows %s", got)
	}
	other := f.sharedAt(t, "/api/tags/secret/share", "")
	rename("secret", "press") // merged into a tag that has one
	if got := title(other) + title(path); got != "PRESS 2" {
		t.Errorf("merged, they show %s", got)
	}
	f.do(t, request{method: "PATCH", target: "/api/urls/one", body: `{"tags":["press","late"]}`})
	rename("press", "late") // merged into a tag that has none
	if got := title(path); got != "late 2" {
		t.Errorf("merged, it shows %s", got)
	}
	if got := f.do(t, request{method: "DELETE", target: "/api/tags/late"}); got.status != 204 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := title(path); got != "" {
		t.Errorf("deleted, it shows %s", got)
	}
	audit := decodeAs[api.Audit](t, f.do(t, request{target: "/api/audit?limit=50"}), 200)
	var actions []string
	for _, e := range audit.Entries {
		if strings.Contains(e.Action, "share") {
			actions = append(actions, e.Action+" "+targetOf(e))
		}
	}
	slices.Reverse(actions)
	if want := "tag.share News,tag.share secret,tag.unshare secret,tag.unshare late"; strings.Join(
		actions, ",") != want {
		t.Errorf("the audit has %q, want %s", actions, want)
	}
}

// With an identity its shares are gone, unless somebody else gets them who has none.
func TestShareOfDeletedUser(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.addUsers(t, "ci", "deploy", "gone")
	f.createOf(t, "ci", "theirs", "https://example.com/", "news", "more")
	shared := func(target, owner string) string { return f.sharedAt(t, target+"?owner="+owner, "") }
	link, news, more, all := shared("/api/urls/theirs/share", "ci"), shared(tagShare, "ci"),
		shared("/api/tags/more/share", "ci"), shared(allShare, "ci")
	f.createOf(t, "deploy", "other", "https://example.com/", "more")
	kept := shared("/api/tags/more/share", "deploy")
	lost := shared(allShare, "gone")
	if got := f.do(t, request{method: "DELETE", target: "/api/users/gone"}); got.status != 204 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	got := f.do(t, request{method: "DELETE", target: "/api/users/ci?move_to=deploy"})
	if got.status != 204 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	for path, want := range map[string]int{
		link: 200, news: 200, all: 200, kept: 200, more: 404, lost: 404,
	} {
		if got := f.do(t, anybody("GET", path)); got.status != want {
			t.Errorf("%s: %d, want %d", path, got.status, want)
		}
	}
	list := decodeAs[api.Shares](t, f.do(t, request{target: "/api/shares?owner=deploy"}), 200)
	if len(list.Shares) != 4 {
		t.Errorf("%+v", list)
	}
	overview := decodeAs[api.SharedOverview](t, f.do(t, anybody("GET", news+"/overview")), 200)
	if overview.Links != 1 || overview.Title != "news" {
		t.Errorf("%+v", overview)
	}
}

// The audit says what was shared by whom, and neither where nor with which password.
func TestAuditOfShares(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	f.addUsers(t, somebody)
	var paths []string
	for _, target := range []string{
		"/api/urls/one/share", tagShare, allShare, allShare + "?owner=" + somebody,
	} {
		paths = append(paths, f.sharedAt(t, target, `{"password":"hidden","title":"Shown"}`))
		f.do(t, request{method: "PATCH", target: target, body: `{"title":"Shown"}`}) // no change
		f.do(t, request{method: "PATCH", target: target, body: `{"password":"concealed"}`})
		f.do(t, request{method: "DELETE", target: target})
	}
	got := f.do(t, request{target: "/api/audit?limit=100"})
	for _, path := range paths {
		if strings.Contains(got.body, path[len("/ui/share/"):]) {
			t.Errorf("the audit has a share: %s", got.body)
		}
	}
	if strings.Contains(got.body, "hidden") || strings.Contains(got.body, "concealed") ||
		strings.Contains(got.body, "argon2") {
		t.Errorf("the audit has a password: %s", got.body)
	}
	var actions []string
	for _, e := range decodeAs[api.Audit](t, got, 200).Entries {
		if strings.Contains(e.Action, "share") {
			actions = append(actions, strings.TrimSpace(e.Action+" "+targetOf(e)+" "+
				strings.TrimSuffix(string(e.Details), "{}")))
		}
	}
	slices.Reverse(actions)
	want := []string{
		`link.share one {"fields":["title","password"]}`,
		`share.update one {"fields":["password"],"of":"link"}`, `link.unshare one`,
		`tag.share News {"fields":["title","password"]}`,
		`share.update News {"fields":["password"],"of":"tag"}`, `tag.unshare News`,
		`overview.share  {"fields":["title","password"]}`,
		`share.update  {"fields":["password"],"of":"overview"}`, `overview.unshare`,
		`overview.share  {"fields":["title","password"],"owner":"somebody"}`,
		`share.update  {"fields":["password"],"of":"overview","owner":"somebody"}`,
		`overview.unshare  {"owner":"somebody"}`,
	}
	if !slices.Equal(actions, want) {
		t.Errorf("the audit has\n%s\nwant\n%s", strings.Join(actions, "\n"),
			strings.Join(want, "\n"))
	}
}

// At most 1,000 shares of an identity.
func TestTooManyShares(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	if err := f.store.Transact(t.Context(), func(tx terse.Tx) error {
		for i := range terse.MaxShares - 1 {
			if _, err := tx.RestoreShare(t.Context(), terse.Caller{}, terse.Shared{
				Share:  terse.NewShare(),
				Target: terse.ShareTarget{Owner: terse.Identity, Tag: fmt.Sprint("tag", i)},
			}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	path := f.sharedAt(t, tagShare, "")
	for _, target := range []string{"/api/urls/one/share", allShare} {
		wantError(t, f.do(t, request{method: "POST", target: target}), http.StatusConflict,
			"at most 1000 shares")
	}
	if got := f.do(t, request{method: "POST", target: tagShare}); got.status != 200 ||
		!strings.Contains(got.body, path) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if all := decodeAs[api.Shares](t, f.do(t, request{target: "/api/shares"}), 200); len(
		all.Shares) != terse.MaxShares {
		t.Errorf("%d shares", len(all.Shares))
	}
}

// A question and an answer are documented for a share as for the owner, but for what strangers do
// not see.
func TestSharedOverviewMatchesInDocument(t *testing.T) {
	t.Parallel()
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	own, shared := doc.Paths.Value("/api/overview").Get,
		doc.Paths.Value("/ui/share/{share}/overview").Get
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
			"query owner", "query domain", "query tag", "query referrer", "query not_referrer",
			"by_referrer", "visitors_by_referrer", "query alias", "query not_alias", "by_alias",
			"visitors_by_alias",
		}, name)
	})
	want = append(want, "path share", "header X-Share-Password", "title")
	slices.Sort(want)
	if got := names(shared); !slices.Equal(got, want) {
		t.Errorf("documented are %q, want %q", got, want)
	}
}

func TestShareManyByClient(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	client, ctx := api.New(f.server.URL, token), t.Context()
	for _, what := range []api.Shareable{
		api.ShareableLink("one"), api.ShareableTag("news"), api.ShareableOverview(),
	} {
		made, err := client.ShareWith(ctx, what, api.ShareOptions{Title: "a", Password: "open"})
		if err != nil || made.Title != "a" || !made.Password {
			t.Fatalf("%+v, %v", made, err)
		}
		read, err := client.ShareOf(ctx, what)
		if err != nil || read != made {
			t.Errorf("%+v, %v", read, err)
		}
		changed, err := client.UpdateShare(ctx, what, api.Changes{"title": nil})
		if err != nil || changed.Title != "" || !changed.Password {
			t.Errorf("%+v, %v", changed, err)
		}
	}
	all, err := client.Shares(ctx)
	if err != nil || len(all) != 3 || !all[0].Overview || all[1].Tag != "News" {
		t.Fatalf("%+v, %v", all, err)
	}
	share := all[1].URL[strings.LastIndexByte(all[1].URL, '/')+1:]
	stranger := api.New(f.server.URL, "")
	if _, err := stranger.SharedOverview(ctx, share, api.ClicksQuery{}); err == nil {
		t.Error("it is open without a password")
	}
	overview, err := stranger.WithSharePassword("open").SharedOverview(ctx, share,
		api.ClicksQuery{By: []string{"country"}})
	if err != nil || overview.Links != 2 || overview.ByCountry["DE"] != 2 {
		t.Errorf("%+v, %v", overview, err)
	}
	if err := client.UnshareOf(ctx, api.ShareableTag("news")); err != nil {
		t.Error(err)
	}
	if _, err := client.ShareOf(ctx, api.ShareableTag("news")); err == nil {
		t.Error("it is there still")
	}
}

func targetOf(e api.AuditEntry) string {
	if e.Target == nil {
		return ""
	}
	return *e.Target
}
