package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"terse/api"
	"terse/internal/cli"
)

// seen is what a client gets: a status, and a text that the head or the body has.
type seen struct {
	request, body string
	status        int
	text          string
}

// wantSeen sends requests on both of the server's ways, and checks the answers.
func (i *instance) wantSeen(t *testing.T, requests ...seen) {
	t.Helper()
	for _, want := range requests {
		for _, headers := range [][]string{nil, {"TE: trailers"}} { // the second: by net/http
			headers = append(headers, authorized())
			if strings.HasPrefix(want.body, "password=") {
				headers = append(headers, "Content-Type: application/x-www-form-urlencoded")
			}
			a := i.do(t, want.request, want.body, headers...)
			var head bytes.Buffer
			_ = a.Header.Write(&head)
			if a.StatusCode != want.status || !strings.Contains(head.String()+a.body, want.text) {
				t.Errorf("%s: %d, want %d and %q\n%s\n%s", want.request, a.StatusCode, want.status,
					want.text, &head, a.body)
			}
		}
	}
}

// The path of BASE_URL is cut off requests that have it, once, as a whole segment, as written.
// Others are served as they are.
func TestBasePath(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, i *instance) {
		i.shortenAs(t, "abc", "https://a.example/")
		i.shortenAs(t, "gopher", "https://gopher.example/")
		i.makeLink(t, "forward", "https://f.example/x", `"forward_path":true,"forward_query":true`)
		i.makeLink(t, "locked", "https://l.example/", `"password":"secret"`)
		i.makeLink(t, "aliased", "https://d.example/", `"aliases":["docs/install","go/x","1"]`)
		i.wantSeen(t,
			seen{"GET /go/docs/install", "", 302, "Location: https://d.example/\r\n"},
			seen{"GET /docs/install", "", 302, "Location: https://d.example/\r\n"},
			seen{"GET /go/go/x", "", 302, "Location: https://d.example/\r\n"},
			seen{"GET /go/1", "", 302, "Location: https://d.example/\r\n"},
			seen{"GET /go/docs/install+", "", 200, `href="install"`}, // in /go/docs/
			seen{"GET /go/docs/install+", "", 200, "https://example.com/go/docs/install"},
			seen{"GET /go/docs/install.svg", "", 200, "image/svg+xml"},
			seen{"GET /go/api/urls?search=example.com/go/docs/install", "", 200, `"total":1,`},
			seen{"GET /abc", "", 302, "Location: https://a.example/\r\n"},
			seen{"GET /go/abc", "", 302, "Location: https://a.example/\r\n"},
			seen{"GET /go/abc/", "", 302, "Location: https://a.example/\r\n"},
			seen{"GET /go/abc?x=1", "", 302, "Location: https://a.example/\r\n"},
			seen{"GET /go/%61bc", "", 302, "Location: https://a.example/\r\n"},
			seen{"GET /gopher", "", 302, "Location: https://gopher.example/\r\n"},
			seen{"GET /go/gopher", "", 302, "Location: https://gopher.example/\r\n"},
			seen{"GET /go/forward/go/a?x=1", "", 302, "Location: https://f.example/x/go/a?x=1\r\n"},
			seen{"HEAD /go/abc", "", 302, "Location: https://a.example/\r\n"},
			seen{"GET /go/go/abc", "", 404, "This link doesn't work"},
			seen{"GET /%67o/abc", "", 404, "This link doesn't work"},
			seen{"GET /GO/abc", "", 404, "This link doesn't work"},
			seen{"GET /go//abc", "", 404, "This link doesn't work"},
			seen{"GET /go/nobody", "", 404, "This link doesn't work"},
			seen{"GET /gohealth", "", 404, "This link doesn't work"},

			seen{"GET /", "", 302, "Location: /go/ui/\r\n"},
			seen{"GET /go", "", 302, "Location: /go/ui/\r\n"},
			seen{"GET /go/", "", 302, "Location: /go/ui/\r\n"},
			seen{"GET /go?x", "", 302, "Location: /go/ui/\r\n"},
			seen{"GET /go/ui", "", 301, "Location: /go/ui/\r\n"},
			seen{"GET /ui", "", 301, "Location: /go/ui/\r\n"},

			seen{"GET /go/health", "", 200, `{"status":"ok"}`},
			seen{"GET /health", "", 200, `{"status":"ok"}`},
			seen{"GET /go/ready", "", 200, `{"status":"ready"}`},
			seen{"GET /go/metrics", "", 200, "terse_clicks_recorded_total"},
			seen{"GET /go/robots.txt", "", 200, "\nDisallow: /go/api/\nDisallow: /go/ui/\n"},
			seen{"GET /go/favicon.ico", "", 200, "Content-Type: image/x-icon\r\n"},
			seen{"GET /go/openapi.yaml", "", 200, "\nservers:\n  - url: /go\n"},
			seen{"GET /go/api/urls/abc", "", 200, `"short_url":"https://example.com/go/abc"`},
			seen{"GET /go/go/api/urls/abc", "", 404, ""},
			seen{"GET /go/api/urls?search=https://example.com/go/abc", "", 200, `"total":1,`},
			seen{"GET /go/api/nothing", "", 404, `{"error":"not found"}`},
			seen{"DELETE /go/api/urls/nobody", "", 404, `{"error":"URL not found"}`},
			seen{"POST /go/health", "", 405, `{"error":"method not allowed"}`},
			seen{
				"POST /go/api/urls", `{"original_url":"https://example.com/go/abc"}`, 400,
				`{"error":"original URL must not be a short link of this service"}`,
			},
			seen{
				"POST /go/api/urls", `{"original_url":"https://example.com/abc"}`, 201,
				`"short_url":"https://example.com/go/`,
			},

			seen{"GET /go/abc+", "", 200, "https://example.com/go/abc"},
			seen{"GET /go/abc+", "", 200, `href="abc"`}, // relative: /go/abc
			seen{"GET /abc+", "", 200, `href="abc"`},
			seen{"GET /go/abc.png", "", 200, "Content-Type: image/png\r\n"},
			seen{"GET /go/locked", "", 200, `<form method="post">`}, // to the same address
			seen{"POST /go/locked", "password=wrong", 403, "Wrong password."},
			seen{"POST /go/locked", "password=secret", 303, "Location: https://l.example/\r\n"},
		)
		want := drawQR(t, "https://example.com/go/abc")
		path := filepath.Join(t.TempDir(), "code.svg")
		picture := []byte(i.do(t, "GET /go/abc.svg", "").body)
		if err := os.WriteFile(path, picture, 0o600); err != nil {
			t.Fatal(err)
		}
		sameModules(t, "the picture", readSVG(t, path), want)

		whole := i.raw(t, "GET", "GET http://example.com/go/abc HTTP/1.1\r\nHost: example.com\r\n"+
			"Connection: close\r\n\r\n")
		if whole.StatusCode != 302 {
			t.Errorf("the whole URL as target: %d", whole.StatusCode)
		}
		i.drain(t)
		stats := i.clicks(t, "gopher", 4)
		if stats.TotalClicks != 4 {
			t.Errorf("%+v", stats)
		}
		for _, line := range i.logLines(t, `"path":"/gopher"`) {
			if !strings.Contains(line, `"status":302`) {
				t.Error(line)
			}
		}
	}, "BASE_URL=https://example.com/go")
}

// A link may have the code that the path has.
func TestBasePathIsACode(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=http://example.com/abc/")
	i.shortenAs(t, "abc", "https://a.example/")
	i.wantSeen(t,
		seen{"GET /abc/abc", "", 302, "Location: https://a.example/\r\n"},
		seen{"GET /abc", "", 302, "Location: /abc/ui/\r\n"},
		seen{"GET /abc/", "", 302, "Location: /abc/ui/\r\n"},
		seen{"GET /abc/abc+", "", 200, "http://example.com/abc/abc"},
		seen{"GET /abc/api/urls/abc", "", 200, `"short_url":"http://example.com/abc/abc"`},
	)
}

func TestBasePathOfSeveralSegments(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=http://example.com/tools/s~1.x", "ROOT_REDIRECT_URL=https://r.example/")
	i.shortenAs(t, "abc", "https://a.example/")
	i.wantSeen(t,
		seen{"GET /tools/s~1.x/abc", "", 302, "Location: https://a.example/\r\n"},
		seen{"GET /tools/abc", "", 404, ""},
		seen{"GET /tools/s~1.x", "", 302, "Location: https://r.example/\r\n"},
		seen{"GET /tools/s~1.x/ui", "", 301, "Location: /tools/s~1.x/ui/\r\n"},
		seen{"GET /tools/s~1.x/api/urls/abc", "", 200, "http://example.com/tools/s~1.x/abc"},
	)
}

// Both planes answer on one connection, whose requests come without a pause.
func TestBasePathOnOneConnection(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=http://example.com/go")
	i.shortenAs(t, "abc", "https://a.example/")
	client := plain(t, 1)
	for n := range 30 {
		path, want := "/go/abc", http.StatusFound
		if n%3 == 0 {
			path, want = "/go/health", http.StatusOK
		}
		resp, err := client.Get(i.url + path)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d", path, resp.StatusCode)
		}
	}
}

// addresses are what a page of the dashboard names.
var addresses = regexp.MustCompile(`(?:href|src)="([^"#]+)"`)

// Every address that the dashboard's pages name is below the path, and is found there and, as
// behind a proxy that cuts it off, without it.
func TestBasePathOfPages(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=http://example.com/go")
	i.shortenAs(t, "abc", "https://a.example/")
	shared, err := i.client().Share(t.Context(), "abc")
	if err != nil || !strings.HasPrefix(shared.URL, "http://example.com/go/ui/share/") {
		t.Fatalf("%+v, %v", shared, err)
	}
	share := strings.TrimPrefix(shared.URL, "http://example.com")
	for _, page := range []string{"/go/ui/", "/go/ui/overview", "/go/ui/links/abc", share} {
		a := i.do(t, "GET "+page, "")
		if a.StatusCode != http.StatusOK || !strings.Contains(a.body,
			`content="http://example.com/go" data-path="/go">`) {
			t.Fatalf("%s: %d\n%s", page, a.StatusCode, a.body)
		}
		found := addresses.FindAllStringSubmatch(a.body, -1)
		if len(found) < 3 {
			t.Errorf("%s names %q", page, found)
		}
		for _, match := range found {
			rest, below := strings.CutPrefix(match[1], "/go/")
			if !below {
				t.Errorf("%s names %s", page, match[1])
			}
			for _, path := range []string{match[1], "/" + rest} {
				if a := i.do(t, "GET "+path, ""); a.StatusCode != http.StatusOK {
					t.Errorf("%s: %d", path, a.StatusCode)
				}
			}
		}
	}
	i.wantSeen(t, seen{"GET " + share + "/clicks", "", 200, `"short_code":"abc"`})
	if lines := i.logLines(t, "/ui/share/"); strings.Contains(strings.Join(lines, ""),
		strings.TrimPrefix(share, "/go/ui/share/")) {
		t.Error("the log has a share")
	}
}

// The session's cookie is for what is below the path, and origins have none.
func TestBasePathOfSessions(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=https://example.com/go", "ALLOWED_ORIGINS=https://app.example")
	signIn := `{"token":"` + testToken + `"}`
	for _, path := range []string{"/go/ui/session", "/ui/session"} {
		a := i.do(t, "POST "+path, signIn, "Origin: https://example.com",
			"Sec-Fetch-Site: same-origin")
		cookies := a.Cookies()
		if a.StatusCode != http.StatusNoContent || len(cookies) != 1 || cookies[0].Path != "/go/" {
			t.Fatalf("%s: %d %v", path, a.StatusCode, cookies)
		}
		cookie := "Cookie: " + cookies[0].Name + "=" + cookies[0].Value
		for _, row := range []struct {
			origin string
			status int
		}{{"https://example.com", 201}, {"https://other.example", 403}} {
			b := i.do(t, "POST /go/api/urls", `{"original_url":"https://a.example/"}`, cookie,
				"Origin: "+row.origin)
			if b.StatusCode != row.status {
				t.Errorf("from %s: %d %s", row.origin, b.StatusCode, b.body)
			}
		}
		a = i.do(t, "DELETE "+path, "", cookie)
		if cookies := a.Cookies(); len(cookies) != 1 || cookies[0].Path != "/go/" ||
			cookies[0].MaxAge >= 0 {
			t.Errorf("signing out: %v", cookies)
		}
	}
	a := i.do(t, "OPTIONS /go/api/urls", "", "Origin: https://app.example")
	if a.StatusCode != 204 || a.Header.Get("Access-Control-Allow-Origin") != "https://app.example" {
		t.Errorf("a preflight: %d %v", a.StatusCode, a.Header)
	}
}

// A browser keeps the sessions of two servers on one host apart.
func TestBasePathOfCookies(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=http://example.com/go")
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := plain(t, 1)
	client.Jar = jar
	resp, err := client.Post(i.url+"/go/ui/session", "application/json",
		strings.NewReader(`{"token":"`+testToken+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	for path, want := range map[string]int{
		"/go/api/urls": http.StatusOK, "/go/ui/session": http.StatusOK,
		"/api/urls": http.StatusUnauthorized,
	} {
		resp, err := client.Get(i.url + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, resp.StatusCode, want)
		}
	}
}

// Commands take a server's address with its path.
func TestBasePathOfCommands(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=http://example.com/go")
	environ := []string{"HOME=" + t.TempDir()}
	for _, address := range []string{i.url + "/go", i.url + "/go/", i.url} {
		environ := append(environ, "TERSE_URL="+address, "TERSE_TOKEN="+testToken)
		r := command(t, environ, "", "create", "https://a.example/")
		if r.code != cli.ExitOK || !strings.HasPrefix(r.out, "http://example.com/go/") {
			t.Errorf("%s: %+v", address, r)
		}
		if r := command(t, environ, "", "list"); r.code != cli.ExitOK ||
			!strings.Contains(r.out, "https://a.example/") {
			t.Errorf("%s: %+v", address, r)
		}
	}
	address := i.url + "/go"
	if r := command(t, environ, testToken+"\n", "login", address); r.code != cli.ExitOK ||
		!strings.HasPrefix(r.out, "Logged in to "+address+".") {
		t.Errorf("%+v", r)
	}
	i.shortenAs(t, "abc", "https://a.example/")
	opener := filepath.Join(t.TempDir(), "browser")
	opened := opener + ".opened"
	script := "#!/bin/sh\necho \"$1\" >>" + opened + "\n"
	if err := os.WriteFile(opener, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	environ = append(environ, "BROWSER="+opener)
	for _, args := range [][]string{{"open", "abc"}, {"open", "abc", "--page"}} {
		if r := command(t, environ, "", args...); r.code != cli.ExitOK {
			t.Errorf("%v: %+v", args, r)
		}
	}
	text, err := os.ReadFile(opened)
	if want := "http://example.com/go/abc\n" + address + "/ui/links/abc\n"; err != nil ||
		string(text) != want {
		t.Errorf("opened %q, %v, want %q", text, err, want)
	}
	if _, err := api.New(address, testToken).List(t.Context(), 1, 0); err != nil {
		t.Error(err)
	}
}

func TestBadBasePaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/gö": "only letters", "/a b": "BASE_URL", "/a%20b": "only letters",
		"/a//b": "only letters", "/a/../b": "only letters", "/.": "only letters",
		"/a;b": "only letters", `/a"b`: "only letters", "//go": "only letters",
		"/api": "does not begin with /api,", "/ui/go": "does not begin with /ui,",
		"/metrics/": "does not begin with /metrics,",
		"/go?x":     "without user, query and fragment",
	} {
		base := "BASE_URL=https://example.com" + path
		r := command(t, environFor(t.TempDir(), []string{base}), "", "serve")
		if r.code != cli.ExitSettings || strings.Count(r.err, "\n") != 1 ||
			!strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", path, r)
		}
	}
	for path, want := range map[string]string{"/": "", "/go/": "/go", "/a/api": "/a/api"} {
		raw := rawSettings{BaseURL: "https://example.com" + path}
		if got := (&problems{}).baseURL(raw.BaseURL); got != "https://example.com"+want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
