package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terse"
	"terse/api"
	"terse/internal/cli"
	"terse/internal/tests/pgtest"
)

// shareOf returns the path of the page of a link that is shared, and its secret.
func (i *instance) shareOf(t *testing.T, code string) (path, secret string) {
	t.Helper()
	share, err := i.client().Share(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	_, secret, found := strings.Cut(share.URL, "/ui/share/")
	if !found {
		t.Fatalf("shared at %s", share.URL)
	}
	return "/ui/share/" + secret, secret
}

func TestShareCommand(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "spring", "https://example.com/")
	if r := i.command(t, "share", "spring", "--stop"); r.code != cli.ExitNotFound ||
		!strings.Contains(r.err, `"spring" is not shared.`) {
		t.Errorf("not shared: %+v", r)
	}
	first, again := i.command(t, "share", "spring"), i.command(t, "share", "spring")
	path, _ := i.shareOf(t, "spring")
	if first != again || first.code != cli.ExitOK || !strings.HasSuffix(first.out, path+"\n") {
		t.Errorf("shared: %+v, %+v, want %s", first, again, path)
	}
	var share api.Share
	r := i.command(t, "share", "spring", "--json")
	if json.Unmarshal([]byte(r.out), &share) != nil || !strings.HasSuffix(share.URL, path) {
		t.Errorf("as JSON: %+v", r)
	}
	if a := i.do(t, "GET "+path, ""); a.StatusCode != http.StatusOK {
		t.Errorf("the page: %d", a.StatusCode)
	}
	r = i.command(t, "share", "--stop", "spring")
	if r != (result{out: "Stopped sharing spring\n"}) {
		t.Errorf("--stop: %+v", r)
	}
	if a := i.do(t, "GET "+path, ""); a.StatusCode != http.StatusNotFound {
		t.Errorf("the page, afterwards: %d", a.StatusCode)
	}
	i.command(t, "share", "spring")
	r = i.command(t, "share", "spring", "--stop", "--json")
	if !strings.Contains(r.out, `"stopped": "spring"`) {
		t.Errorf("--stop --json: %+v", r)
	}
	for _, args := range [][]string{{"share", "nothere"}, {"share", "nothere", "--stop"}} {
		if r := i.command(t, args...); r.code != cli.ExitNotFound ||
			!strings.Contains(r.err, `No link "nothere".`) {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// Whoever reads logs or metrics learns of no share, however its path was spelled.
func TestLogsHaveNoShare(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"json", "pretty"} {
		i := start(t, "LOG_FORMAT="+format, "LOG_LEVEL=debug")
		i.shortenAs(t, "spring", "https://example.com/")
		path, secret := i.shareOf(t, "spring")
		requests := map[string]int{
			"GET " + path: 200, "HEAD " + path: 200, "GET " + path + "/clicks?by=country": 200,
			"POST " + path: 405, "DELETE " + path + "/clicks": 405, "GET " + path + "/": 404,
			"GET " + path + "/events": 404, "GET /ui/%73hare/" + secret: 200,
			"GET /ui//share/" + secret: 404, "GET " + path + "/clicks?by=referrer": 400,
			"GET " + path + "/clicks?%zz": 400, "GET /ui/share/" + secret[1:]: 404,
			"GET /" + path: 404, "GET /." + path: 404, "GET /x/.." + path: 404,
			"GET /ui%2fshare%2f" + secret: 404, "GET /ui%252fshare%252f" + secret: 404,
			"GET /UI/share/" + secret: 404, "GET /ui/Share/" + secret: 404,
			"GET /share/" + secret: 404, "GET /" + secret: 404, "GET /ui/share" + secret: 404,
			"GET /x" + path + "?x": 404, "GET /ui;x/share/" + secret + ".html": 404,
			"POST /" + path: 405, "HEAD /" + path: 404,
		}
		for request, status := range requests {
			a := i.do(t, request, "", "X-Request-ID: the-request")
			if a.StatusCode != status {
				t.Errorf("%s: %d %s, want %d", request, a.StatusCode, a.body, status)
			}
		}
		for target, status := range map[string]int{
			"/ui/%73hare/" + secret + "%zz": 400, "/ui\\share\\" + secret: 404,
			"http://x/" + path: 404, "/ui/ share/" + secret: 400,
		} {
			request := "GET " + target + " HTTP/1.1\r\nHost: x\r\nX-Request-ID: raw\r\n\r\n"
			if a := i.raw(t, "GET", request); a.StatusCode != status {
				t.Errorf("%s: %d %s, want %d", target, a.StatusCode, a.body, status)
			}
		}
		await(t, "all requests in the log", func() bool {
			return strings.Count(i.log.String(), "the-request") >= len(requests)
		})
		metrics := i.do(t, "GET /metrics", "")
		for what, text := range map[string]string{
			"log": i.log.String() + i.told.String(), "metrics": metrics.body,
		} {
			if strings.Contains(text, secret[1:]) {
				t.Errorf("the %s has a share: %s", what, text)
			}
			if !strings.Contains(text, "/ui/share/") {
				t.Errorf("the %s does not tell of shares: %s", what, text)
			}
		}
		if format == "json" && len(i.logLines(t, `"path":"/ui/share/…"`)) < len(requests)-1 {
			t.Errorf("logged %s", i.log)
		}
	}
}

// An import keeps any share of 22 to 64 characters of base64url. It is found at its own address
// only, and is exported as it came. No log shows it.
func TestForeignShares(t *testing.T) {
	t.Parallel()
	shares := map[string]string{
		"own":      terse.NewShare().String(),
		"trailing": strings.Repeat("A", 21) + "B", // it decodes to the bytes of 22 times A
		"a23":      "0123456789-abcdefghijkl",
		"a24":      "0123456789_abcdefghijklm", // of 18 bytes
		"longest":  strings.Repeat("0123456789-_abcd", 4),
	}
	lines := filepath.Join(t.TempDir(), "lines.ndjson")
	var text strings.Builder
	for code, share := range shares {
		fmt.Fprintf(&text, `{"type":"link","short_code":%q,"original_url":"https://example.com/",`+
			`"share":%q}`+"\n", code, share)
	}
	must(t, os.WriteFile(lines, []byte(text.String()), 0o600))
	for store, env := range map[string]string{
		"SQLite": "LOG_LEVEL=debug", "PostgreSQL": "DATABASE_URL=" + pgtest.URL(t),
	} {
		i := start(t, env)
		for range 2 { // the second time they are there
			done(t, i.command(t, "import", "terse", lines))
		}
		for code, share := range shares {
			for _, path := range []string{"", "/clicks"} {
				if a := i.do(t, "GET /ui/share/"+share+path, ""); a.StatusCode != 200 ||
					path != "" && !strings.Contains(a.body, `"short_code":"`+code+`"`) {
					t.Errorf("%s, %s%s: %s %s", store, code, path, a.Status, a.body)
				}
			}
			if a := i.do(t, "GET /api/urls/"+code+"/share", "",
				authorized()); !strings.HasSuffix(a.body, "/ui/share/"+share+`"}`) {
				t.Errorf("%s, %s: %s %s", store, code, a.Status, a.body)
			}
			for spelling, status := range map[string]int{
				"/ui/share/" + share + "A": 404, "/ui/share/" + share[:len(share)-1]: 404,
				"/ui/%73hare/" + share: 200, "/ui//share/" + share: 404, "/ui/share" + share: 404,
				"/ui%2fshare%2f" + share: 404, "/UI/Share/" + share + "/": 404,
			} {
				if a := i.do(t, "GET "+spelling, ""); a.StatusCode != status {
					t.Errorf("%s, %s: %s", store, spelling, a.Status)
				}
			}
		}
		if a := i.do(t, "GET /ui/share/"+strings.Repeat("A", 22), ""); a.StatusCode != 404 {
			t.Errorf("%s: a share with the same bytes: %s", store, a.Status)
		}
		alias := "/a-long-alias-of-a-link_" + strings.Repeat("x", 40)
		i.do(t, "GET "+alias, "")
		i.logLines(t, alias) // it is no share
		for code, share := range shares {
			if strings.Contains(i.log.String(), share[1:]) {
				t.Errorf("%s: the log has the share of %s", store, code)
			}
		}
		exported := filepath.Join(t.TempDir(), "exported.ndjson")
		done(t, i.command(t, "export", exported))
		content, err := os.ReadFile(exported)
		must(t, err)
		for code, share := range shares {
			if !strings.Contains(string(content), `"share":"`+share+`"`) {
				t.Errorf("%s: the export lacks the share of %s: %s", store, code, content)
			}
		}
		lines = exported // for the next one
	}
}

// A page of shares, and what it loads, has nothing of the link; other names below a share's have
// nothing at all.
func TestShareTellsNothingElse(t *testing.T) {
	t.Parallel()
	i := start(t)
	_, err := i.client().Create(t.Context(), api.CreateRequest{
		OriginalURL: "https://marker.example/", ShortCode: new("spring"), Password: "marker",
		LinkOptions: api.LinkOptions{
			Title: "Spring", Note: "marker", Tags: []string{"marker"},
			ExpiredURL: "https://marker.example/over",
			Rules:      []api.Rule{{Name: "ios", URL: "https://marker.example/ios"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	path, _ := i.shareOf(t, "spring")
	for rest, status := range map[string]int{
		"": 200, "?by=referrer": 200, "/clicks": 200, "/clicks?by=rule,country&visitors=true": 200,
		"/clicks?by=referrer": 400, "/": 404, "/clicks/": 404, "/events": 404, "/history": 404,
		"/analytics": 404, "/share": 404, "/clicks.csv": 404, "+": 404, ".svg": 404,
		"/clicks+": 404,
	} {
		a := i.do(t, "GET "+path+rest, "")
		var told strings.Builder
		if err := a.Header.Write(&told); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(&told, a.body); err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"marker", "authenticated-user"} {
			if strings.Contains(told.String(), word) {
				t.Errorf("%s tells %s: %s", rest, word, told.String())
			}
		}
		if a.StatusCode != status || len(a.Header.Values("Set-Cookie")) > 0 {
			t.Errorf("%s: %d %s, want %d", rest, a.StatusCode, told.String(), status)
		}
		if page := strings.Contains(a.Header.Get("Content-Type"), "text/html"); page &&
			(a.Header.Get("Cache-Control") != "no-store" ||
				a.Header.Get("Referrer-Policy") != "no-referrer" ||
				a.Header.Get("X-Robots-Tag") != "noindex" ||
				!strings.Contains(a.Header.Get("Content-Security-Policy"), "default-src 'none'")) {
			t.Errorf("%s: %v", rest, a.Header)
		}
	}
}

// What was acknowledged of shares stands after a kill.
func TestSharesSurviveAKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := startProcess(t, dir)
	paths := map[string]int{}
	for _, code := range []string{"shared", "stopped", "deleted"} {
		i.shortenAs(t, code, "https://example.com/")
		path, _ := i.shareOf(t, code)
		paths[path] = http.StatusNotFound
		switch code {
		case "shared":
			paths[path] = http.StatusOK
		case "stopped":
			if err := i.client().Unshare(t.Context(), code); err != nil {
				t.Fatal(err)
			}
		case "deleted":
			if err := i.client().Delete(t.Context(), code); err != nil {
				t.Fatal(err)
			}
		}
	}
	i.kill()
	i = startProcess(t, dir)
	for path, status := range paths {
		for _, at := range []string{path, path + "/clicks"} {
			if a := i.do(t, "GET "+at, ""); a.StatusCode != status {
				t.Errorf("%s: %d, want %d", at, a.StatusCode, status)
			}
		}
	}
	before, _ := i.shareOf(t, "shared")
	if paths[before] != http.StatusOK {
		t.Errorf("shared at %s now", before)
	}
}

// The command line shares a tag and all links, with what a share may have, lists shares and takes
// them back.
func TestShareManyCommand(t *testing.T) {
	t.Parallel()
	i := start(t)
	done(t, i.command(t, "create", "https://example.com/", "--code", "spring", "--tag", "news"))
	password := filepath.Join(t.TempDir(), "password")
	must(t, os.WriteFile(password, []byte("open\n"), 0o600))
	link := i.command(t, "share", "spring", "--title", "Spring", "--expires", "7d")
	tag := i.command(t, "share", "--tag", "news", "--password-file", password)
	all := i.command(t, "share", "--all")
	for _, r := range []result{link, tag, all} {
		if r.code != cli.ExitOK || !strings.Contains(r.out, "/ui/share/") {
			t.Errorf("%+v", r)
		}
	}
	_, path, _ := strings.Cut(strings.TrimSpace(tag.out), "/ui/share/")
	path = "/ui/share/" + path
	if a := i.do(t, "GET "+path+"/overview", ""); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the password: %d", a.StatusCode)
	}
	a := i.do(t, "GET "+path+"/overview", "", "X-Share-Password: open")
	if a.StatusCode != http.StatusOK || !strings.Contains(a.body, `"links":1`) {
		t.Errorf("with the password: %d %s", a.StatusCode, a.body)
	}
	list := i.command(t, "shares")
	rows := strings.Split(strings.TrimSpace(list.out), "\n")
	if len(rows) != 3 || !strings.HasPrefix(rows[0], "all links\t\t\t\t") ||
		!strings.HasPrefix(rows[1], "#news\t\t\tyes\t") ||
		!strings.HasPrefix(rows[2], "spring\tSpring\t2") {
		t.Errorf("shares: %+v", list)
	}
	var listed api.Shares
	if r := i.command(t, "shares", "--json"); json.Unmarshal([]byte(r.out), &listed) != nil ||
		len(listed.Shares) != 3 {
		t.Errorf("as JSON: %+v", r)
	}
	// An export takes them to another server, behind a link with clicks.
	i.do(t, "GET /spring", "")
	exported := filepath.Join(t.TempDir(), "links.ndjson")
	done(t, i.command(t, "export", exported))
	other := start(t)
	for range 2 {
		done(t, other.command(t, "import", "terse", exported))
	}
	if a := other.do(t, "GET "+path+"/overview", "", "X-Share-Password: open"); a.StatusCode !=
		http.StatusOK {
		t.Errorf("imported: %d %s", a.StatusCode, a.body)
	}
	cleared := i.command(t, "share", "--tag", "news", "--clear", "password")
	if a := i.do(t, "GET "+path+"/overview", ""); a.StatusCode != 200 || cleared != tag {
		t.Errorf("without a password: %d, %+v", a.StatusCode, cleared)
	}
	for _, args := range [][]string{{"spring"}, {"--tag", "news"}, {"--all"}} {
		done(t, i.command(t, append([]string{"unshare"}, args...)...))
		if r := i.command(t, append([]string{"unshare"}, args...)...); r.code !=
			cli.ExitNotFound || !strings.Contains(r.err, "is not shared") {
			t.Errorf("%q, again: %+v", args, r)
		}
	}
	for _, args := range [][]string{
		{"share"},
		{"share", "spring", "--all"},
		{"unshare", "--tag", "a", "--all"},
		{"share", "spring", "--clear", "note"},
		{"share", "spring", "--expires", "soon"},
	} {
		if r := i.command(t, args...); r.code != cli.ExitUsage {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if r := i.command(t, "share", "--tag", "none"); r.code != cli.ExitNotFound ||
		!strings.Contains(r.err, `No tag "none".`) {
		t.Errorf("no tag: %+v", r)
	}
}
