package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"terse/api"
	"terse/internal/tests/pgtest"
)

// onEachStore runs a test on a server with each store.
func onEachStore(t *testing.T, run func(t *testing.T, i *instance), env ...string) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		run(t, start(t, env...))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		run(t, start(t, append(env, "DATABASE_URL="+pgtest.URL(t))...))
	})
}

// makeLink creates a link; more is the members of its JSON beside code and URL.
func (i *instance) makeLink(t *testing.T, code, original, more string) {
	t.Helper()
	body := fmt.Sprintf(`{"short_code":%q,"original_url":%q,%s}`, code, original, more)
	if a := i.do(t, "POST /api/urls", body, authorized()); a.StatusCode != 201 {
		t.Fatalf("%s: %d %s", body, a.StatusCode, a.body)
	}
}

var document = sync.OnceValues(func() (*openapi3.T, error) {
	openapi3filter.RegisterBodyDecoder("text/html", openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder("image/svg+xml", openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder("image/png", openapi3filter.FileBodyDecoder)
	return openapi3.NewLoader().LoadFromData([]byte(api.OpenAPI))
})

// goTo follows a short link, and checks the answer against openapi.yaml.
func (i *instance) goTo(t *testing.T, request, body string, headers ...string) answer {
	t.Helper()
	if body != "" {
		headers = append(headers, "Content-Type: application/x-www-form-urlencoded")
	}
	a := i.do(t, request, body, headers...)
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	pattern := "/{shortCode}"
	method, path, _ := strings.Cut(request, " ")
	path, _, _ = strings.Cut(path, "?")
	for _, suffix := range []string{"+", ".svg", ".png"} {
		if strings.HasSuffix(path, suffix) && strings.Count(path, "/") == 1 {
			pattern += suffix
		}
	}
	if method == "HEAD" {
		method = "GET"
	}
	item := doc.Paths.Value(pattern)
	op := item.GetOperation(method)
	if err := openapi3filter.ValidateResponse(context.Background(),
		&openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{
				Request: a.Request,
				Route:   &routers.Route{Spec: doc, Path: pattern, PathItem: item, Operation: op},
			},
			Status: a.StatusCode, Header: a.Header, Body: io.NopCloser(strings.NewReader(a.body)),
			Options: &openapi3filter.Options{
				IncludeResponseStatus: true, ExcludeResponseBody: a.Request.Method == "HEAD",
			},
		}); err != nil {
		t.Errorf("%s: %d: %v", request, a.StatusCode, err)
	}
	return a
}

// TestLinkOptions follows links with options through both parsers, which must see the same.
func TestLinkOptions(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, i *instance) {
		i.makeLink(t, "scheduled", "https://example.com/", `"starts_at":"2999-01-01T00:00:00Z"`)
		i.makeLink(t, "expired", "https://example.com/", `"expires_at":"2001-01-01T00:00:00Z"`)
		i.makeLink(t, "moved", "https://example.com/",
			`"disabled":true,"expired_url":"https://over.example/"`)
		i.makeLink(t, "forward", "https://example.com/a/?x=1#f",
			`"forward_query":true,"forward_path":true,"redirect_status":301`)
		i.makeLink(t, "rules", "https://example.com/", `"rules":[
			{"name":"phones","when":{"device":["mobile"]},"url":"https://m.example/"},
			{"name":"german","when":{"language":["de"],"query":{"l":null}},
				"url":"https://de.example/"},
			{"name":"local","when":{"address":["127.0.0.0/8","::1"]},
				"url":"https://local.example/"}]`)
		const phone = "User-Agent: Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 " +
			"(KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36"
		for _, test := range []struct {
			path, header string
			status       int
			location     string
		}{
			{"/scheduled", "", 404, ""},
			{"/scheduled+", "", 404, ""},
			{"/expired", "", 410, ""},
			{"/expired+", "", 410, ""},
			{"/expired.svg", "", 200, ""},
			{"/moved?a=b", "", 302, "https://over.example/"},
			{"/forward", "", 301, "https://example.com/a/?x=1#f"},
			{"/forward/", "", 301, "https://example.com/a/?x=1#f"},
			{"/forward?y=%zz&x=2", "", 301, "https://example.com/a/?y=%zz&x=2#f"},
			{"/forward/b/c.svg", "", 301, "https://example.com/a/b/c.svg?x=1#f"},
			{"/forward/b/?y", "", 301, "https://example.com/a/b/?x=1&y#f"},
			{"/forward/%2e%2e/b", "", 404, ""},
			{"/forward/" + strings.Repeat("a", 9000), "", 404, ""},
			{"/rules", phone, 302, "https://m.example/"},
			{"/rules", "", 302, "https://local.example/"},
			{"/rules?l", "Accept-Language: fr, de-AT;q=0.5", 302, "https://de.example/"},
			{"/rules?m", "Accept-Language: de", 302, "https://local.example/"},
			{"/rules/x", "", 404, ""},
			{"/rules+", "", 200, ""},
			{"/rules.png?size=100", "", 200, ""},
			{"/rules.png?size=1", "", 400, ""},
			{"/rules%2b", "", 200, ""},
		} {
			check := func(way string, a answer) {
				if a.StatusCode != test.status || a.Header.Get("Location") != test.location {
					t.Errorf("%s, %.80s, %s: %d %.80q, want %d %.80q", way, test.path,
						test.header, a.StatusCode, a.Header.Get("Location"), test.status,
						test.location)
				}
			}
			fields, headers := "", []string(nil)
			if test.header != "" {
				fields, headers = test.header+"\r\n", []string{test.header}
			}
			check("a client", i.goTo(t, "GET "+test.path, "", headers...))
			for _, way := range ways[:4] {
				check(way.name, i.raw(t, way.method, way.method+" "+test.path+" "+way.version+
					"\r\nHost: x\r\n"+fields+way.fields+"\r\n"))
			}
		}
	})
}

func TestPasswordForm(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, i *instance) {
		i.makeLink(t, "locked", "https://example.com/?x",
			`"password":"p+ä ß","forward_query":true,"max_clicks":2,"redirect_status":308`)
		form := "password=" + url.QueryEscape("p+ä ß")
		for _, request := range []string{"GET /locked", "HEAD /locked", "GET /locked+"} {
			if a := i.goTo(t, request, ""); a.StatusCode != 200 ||
				strings.Contains(a.body, "example.com") {
				t.Errorf("%s: %d %s", request, a.StatusCode, a.body)
			}
		}
		if a := i.goTo(t, "POST /locked?y", form); a.StatusCode != 303 ||
			a.Header.Get("Location") != "https://example.com/?x&y" {
			t.Errorf("right: %d %v", a.StatusCode, a.Header)
		}
		if a := i.goTo(t, "POST /locked", "password=wrong"); a.StatusCode != 403 ||
			!strings.Contains(a.body, "<form") {
			t.Errorf("wrong: %d %s", a.StatusCode, a.body)
		}
		if a := i.goTo(t, "POST /locked", "other=1"); a.StatusCode != 200 ||
			!strings.Contains(a.body, "<form") {
			t.Errorf("no password: %d", a.StatusCode)
		}
		if a := i.goTo(t, "GET /locked", "", "X-Link-Password: wrong"); a.StatusCode != 403 {
			t.Errorf("wrong field: %d", a.StatusCode)
		}
		if a := i.goTo(t, "GET /locked", "", "X-Link-Password: p+ä ß"); a.StatusCode != 308 ||
			a.Header.Get("Location") != "https://example.com/?x" {
			t.Errorf("right field: %d %v", a.StatusCode, a.Header)
		}
		for _, request := range []string{"GET /locked", "HEAD /locked", "GET /locked+"} {
			if a := i.goTo(t, request, ""); a.StatusCode != 410 {
				t.Errorf("used up: %s: %d", request, a.StatusCode)
			}
		}
		if a := i.goTo(t, "POST /locked", form); a.StatusCode != 410 {
			t.Errorf("used up: %d", a.StatusCode)
		}
		i.makeLink(t, "open", "https://example.com/", `"title":"t"`)
		if a := i.goTo(t, "POST /open", form); a.StatusCode != 405 ||
			a.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("a link without a password: %d %v", a.StatusCode, a.Header)
		}
		i.drain(t)
		if n := i.clicks(t, "locked", 2).TotalClicks; n != 2 {
			t.Errorf("%d clicks", n)
		}
		// A changed password locks the link for those who had the one before.
		i.makeLink(t, "changed", "https://example.com/", `"password":"before"`)
		for password, status := range map[string]int{"before": 302, "after": 403} {
			if a := i.goTo(t, "GET /changed", "", "X-Link-Password: "+password); a.StatusCode !=
				status {
				t.Errorf("%s: %d", password, a.StatusCode)
			}
		}
		if a := i.do(t, "PATCH /api/urls/changed", `{"password":"after"}`,
			authorized()); a.StatusCode != 200 {
			t.Fatal(a.body)
		}
		for password, status := range map[string]int{"before": 403, "after": 302} {
			if a := i.goTo(t, "GET /changed", "", "X-Link-Password: "+password); a.StatusCode !=
				status {
				t.Errorf("then %s: %d", password, a.StatusCode)
			}
		}
	})
}

// TestMaxClicksOnNodes has many visitors follow links on two nodes: each link answers as many as it
// may, and those are its clicks.
func TestMaxClicksOnNodes(t *testing.T) {
	t.Parallel()
	database := "DATABASE_URL=" + pgtest.URL(t)
	nodes := []*instance{start(t, database), start(t, database)}
	nodes[0].makeLink(t, "some", "https://example.com/", `"max_clicks":100`)
	var all sync.WaitGroup
	var redirected, over atomic.Int64
	for n := range 8 {
		client := plain(t, 1)
		all.Go(func() {
			for range 30 {
				resp, err := client.Get(nodes[n%2].url + "/some")
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				switch resp.StatusCode {
				case http.StatusFound:
					redirected.Add(1)
				case http.StatusGone:
					over.Add(1)
				}
			}
		})
	}
	all.Wait()
	if redirected.Load() != 100 || over.Load() != 140 {
		t.Errorf("%d redirects, %d over", redirected.Load(), over.Load())
	}
	nodes[0].drain(t)
	nodes[1].drain(t)
	if n := nodes[0].clicks(t, "some", 100).TotalClicks; n != 100 {
		t.Errorf("%d clicks", n)
	}
	if a := nodes[1].do(t, "GET /api/urls/some", "", authorized()); !strings.Contains(a.body,
		`"clicks_left":0`) || !strings.Contains(a.body, `"status":"used_up"`) {
		t.Errorf("%s", a.body)
	}
}

// TestPrefetchTakesNone: a link for one click outlives being posted and being fetched before
// somebody comes.
func TestPrefetchTakesNone(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, i *instance) {
		i.makeLink(t, "once", "https://example.com/", `"max_clicks":1`)
		for range 3 {
			if a := i.goTo(t, "GET /once", "", "Sec-Purpose: prefetch;prerender"); a.StatusCode !=
				503 || a.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("a prefetch: %d %v", a.StatusCode, a.Header)
			}
			if a := i.goTo(t, "GET /once", "", "User-Agent: Slackbot-LinkExpanding 1.0 "+
				"(+https://api.slack.com/robots)"); a.StatusCode != 200 ||
				!strings.Contains(a.body, "<b>example.com</b>") {
				t.Errorf("a link preview: %d", a.StatusCode)
			}
			if a := i.goTo(t, "HEAD /once", ""); a.StatusCode != 302 {
				t.Errorf("HEAD: %d", a.StatusCode)
			}
		}
		if a := i.goTo(t, "GET /once", ""); a.StatusCode != 302 {
			t.Errorf("somebody: %d", a.StatusCode)
		}
		if a := i.goTo(t, "GET /once", ""); a.StatusCode != 410 {
			t.Errorf("somebody else: %d", a.StatusCode)
		}
		if a := i.do(t, "PATCH /api/urls/once", `{"max_clicks":2}`,
			authorized()); a.StatusCode != 200 {
			t.Fatal(a.body)
		}
		for _, status := range []int{302, 410} {
			if a := i.goTo(t, "GET /once", ""); a.StatusCode != status {
				t.Errorf("with one more: %d, want %d", a.StatusCode, status)
			}
		}
	})
}
