package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// visitAt asks for a path in one of the ways.
func (i *instance) visitAt(t *testing.T, method, version, fields, path string) answer {
	t.Helper()
	return i.raw(t, method, method+" "+path+" "+version+"\r\nHost: x\r\n"+fields+"\r\n")
}

// TestVisitsAtAliases visits links at all kinds of addresses, in all ways: the answers are those of
// the code, and so are the clicks.
func TestVisitsAtAliases(t *testing.T) {
	t.Parallel()
	awayFromMidnight(t)
	onEachStore(t, func(t *testing.T, i *instance) {
		letters := strings.Repeat("ü", 64) // of 2 bytes each
		i.makeLink(t, "launch", "https://example.com/", fmt.Sprintf(
			`"aliases":["1","docs/install","v1.2","gru\u0308ße","a b","old-code",%q]`, letters))
		i.makeLink(t, "docs", "https://docs.example/", `"forward_path":true`)
		i.makeLink(t, "deeper", "https://deep.example/",
			`"forward_path":true,"aliases":["docs/a/b"]`)
		const there = "https://example.com/"
		clicks := map[string]int64{}
		codes := map[string]string{
			"example.com": "launch", "docs.example": "docs", "deep.example": "deeper",
		}
		for path, location := range map[string]string{
			"/launch": there, "/l%61unch/": there, "/1": there, "/%31": there, "/v1.2": there,
			"/v1%2e2/": there, "/docs/install": there, "/docs/install/": there,
			"/docs/%69nst%61ll": there, "/grüße": there, "/gru\u0308ße": there,
			"/gr%C3%BC%C3%9Fe": there, "/gr%c3%bc%c3%9fe/": there, "/gru%CC%88%C3%9Fe": there,
			"/a%20b": there, "/old-code": there, "/" + letters: there,
			"/" + strings.Repeat("u%CC%88", 64): there,

			"/docs/other": "https://docs.example/other", "/docs/a": "https://docs.example/a",
			"/docs/install/x":    "https://docs.example/install/x",
			"/docs/install%2Fx":  "https://docs.example/install%2Fx",
			"/docs/install//":    "https://docs.example/install//",
			"/docs/%zz/gr\xfc":   "https://docs.example/%zz/gr%FC",
			"/docs/other+":       "https://docs.example/other+",
			"/docs/gru%cc%88%C3": "https://docs.example/gru%cc%88%C3",
			"/docs/a/b":          "https://deep.example/",
			"/docs/a/b/c/":       "https://deep.example/c/",
			"/docs/a/b/c%2Bd":    "https://deep.example/c%2Bd",
			"/docs/a/bb":         "https://docs.example/a/bb",
			"/docs/" + strings.Repeat("a", 200): "https://docs.example/" +
				strings.Repeat("a", 200),

			"/2": "", "/v1.2.3": "", "/DOCS/install": "", "/docs%2Finstall": "", "/launch%2F": "",
			"//docs/install": "", "/gr\xfc\xdfe": "", "/gr%FC%DFe": "", "/%C0%B1": "", "/1%": "",
			"/%zz": "", "/a+b": "", "/a%2520b": "", "/a%2Bb": "", "/grusse": "",
			"/" + letters + "x": "", "/v1.2/..": "", "/.well-known/x": "", "/%2e%2e/launch": "",
			"/docs/%2e%2e/launch": "", "/1%00": "", "/1%0d%0a": "", "/\u200b1": "",
		} {
			for _, way := range ways {
				a := i.visitAt(t, way.method, way.version, way.fields, path)
				status := http.StatusFound
				switch {
				case way.method == http.MethodPost:
					status = http.StatusMethodNotAllowed
				case location == "":
					status = http.StatusNotFound
				default:
					clicks[codes[strings.Split(location, "/")[2]]] += way.clicks
				}
				if got := a.Header.Get("Location"); a.StatusCode != status ||
					status == http.StatusFound && got != location {
					t.Errorf("%s, %q: %d %q, want %d %q", way.name, path, a.StatusCode, got, status,
						location)
				}
			}
		}
		i.drain(t)
		for code, n := range clicks {
			if got := i.clicks(t, code, n).TotalClicks; got != n {
				t.Errorf("%d clicks of %s were counted, want %d", got, code, n)
			}
		}
		if got := i.unknown(t, 3); got != "grusse 3" { // the only one that a code can be
			t.Errorf("unknown codes: %s", got)
		}
	})
}

// TestPagesAtAliases asks for previews and QR codes, which show the address they were asked at, and
// come before what a shorter address forwards.
func TestPagesAtAliases(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=https://sho.rt")
	i.makeLink(t, "launch", "https://example.com/",
		`"aliases":["docs/install","docs/grüße","1"],"title":"Installed"`)
	i.makeLink(t, "docs", "https://docs.example/", `"forward_path":true`)
	dir := t.TempDir()
	for path, text := range map[string]string{
		"launch": "launch", "docs/install": "docs/install", "1": "1",
		"docs/gr%C3%BC%C3%9Fe": "docs/<bdi>grüße</bdi>",
		"docs/gru\u0308ße":     "docs/<bdi>grüße</bdi>",
	} {
		for _, fields := range []string{"", "Content-Length: 0\r\n"} {
			ask := func(method, suffix string) answer {
				return i.visitAt(t, method, "HTTP/1.1", fields, "/"+path+suffix)
			}
			for _, suffix := range []string{"+", "%2B"} {
				if a := ask("GET", suffix); a.StatusCode != 200 ||
					!strings.Contains(a.body, "<p>https://sho.rt/"+text+"</p>") {
					t.Errorf("%s%s: %d %s", path, suffix, a.StatusCode, a.body)
				}
			}
			encoded := strings.NewReplacer("<bdi>grüße</bdi>", "gr%C3%BC%C3%9Fe").Replace(text)
			want := drawQR(t, "https://sho.rt/"+encoded)
			for suffix, read := range map[string]func(*testing.T, string) [][]bool{
				".svg": readSVG, "%2Epng": readPNG,
			} {
				a := ask("GET", fmt.Sprint(suffix, "?size=", 8*len(want))) // as readPNG expects
				file := filepath.Join(dir, "qr")
				if err := os.WriteFile(file, []byte(a.body), 0o600); err != nil ||
					a.StatusCode != 200 {
					t.Fatal(path, suffix, a.StatusCode, err)
				}
				sameModules(t, path+suffix, read(t, file), want)
				if a := ask("HEAD", suffix); a.StatusCode != 200 || a.body != "" {
					t.Errorf("HEAD %s%s: %d", path, suffix, a.StatusCode)
				}
			}
			if a := ask("POST", "+"); a.StatusCode != 405 {
				t.Errorf("POST %s+: %d", path, a.StatusCode)
			}
		}
	}
	for path, status := range map[string]int{
		"/docs/install+/": 302, "/docs/other+": 302, "/docs/other.svg": 302, "/docs/+": 302,
		"/launch+/": 404, "/2+": 404, "/1++": 404, "/launch/install+": 404,
	} {
		if a := i.visitAt(t, "GET", "HTTP/1.1", "", path); a.StatusCode != status {
			t.Errorf("%s: %d, want %d", path, a.StatusCode, status)
		}
	}
}

// TestOptionsOfAliases: a password and max_clicks are the link's, at each of its addresses.
func TestOptionsOfAliases(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, i *instance) {
		i.makeLink(t, "locked", "https://example.com/",
			`"password":"right","aliases":["docs/locked"]`)
		i.makeLink(t, "few", "https://example.com/", `"max_clicks":2,"aliases":["docs/few","1"]`)
		for body, status := range map[string]int{"password=wrong": 403, "password=right": 303} {
			a := i.do(t, "POST /docs/locked/", body,
				"Content-Type: application/x-www-form-urlencoded")
			if a.StatusCode != status {
				t.Errorf("%s: %d, want %d", body, a.StatusCode, status)
			}
		}
		if a := i.do(t, "GET /docs/locked", ""); a.StatusCode != 200 ||
			!strings.Contains(a.body, `<form method="post">`) {
			t.Errorf("the form: %d %s", a.StatusCode, a.body)
		}
		for n, path := range []string{"/docs/few", "/1", "/docs/few", "/few", "/1/"} {
			want := 302
			if n >= 2 {
				want = 410
			}
			if a := i.do(t, "GET "+path, ""); a.StatusCode != want {
				t.Errorf("visit %d, at %s: %d, want %d", n, path, a.StatusCode, want)
			}
		}
	})
}

// TestVisitsIgnoreCase visits links in any case of their addresses.
func TestVisitsIgnoreCase(t *testing.T) {
	t.Parallel()
	awayFromMidnight(t)
	onEachStore(t, func(t *testing.T, i *instance) {
		i.makeLink(t, "Launch", "https://example.com/", `"aliases":["Docs/Grüße","K2"]`)
		i.makeLink(t, "docs", "https://docs.example/", `"forward_path":true`)
		for path, location := range map[string]string{
			"/Launch": "https://example.com/", "/launch": "https://example.com/",
			"/LAUNCH/": "https://example.com/", "/l%41UNCH": "https://example.com/",
			"/docs/GRÜ%C3%9FE": "https://example.com/", "/DOCS/gru%CC%88ße": "https://example.com/",
			"/docs/gr\u00dc\u1e9ee": "https://example.com/", "/k2": "https://example.com/",
			"/%E2%84%AA2": "https://example.com/", // the Kelvin sign
			"/DOCS/Other": "https://docs.example/Other", "/API": "", "/Api/x": "", "/HEALTH": "",
			"/h%45alth": "", "/launch.SVG": "", "/Mistyped": "", "/MISTYPED": "",
		} {
			for _, fields := range []string{"", "Content-Length: 0\r\n"} {
				status := http.StatusFound
				if location == "" {
					status = http.StatusNotFound
				}
				a := i.visitAt(t, "GET", "HTTP/1.1", fields, path)
				if got := a.Header.Get("Location"); a.StatusCode != status || got != location {
					t.Errorf("%q: %d %q, want %q", path, a.StatusCode, got, location)
				}
			}
		}
		for path, status := range map[string]int{"/LAUNCH+": 200, "/k2.svg": 200, "/K2.PNG": 404} {
			if a := i.visitAt(t, "GET", "HTTP/1.1", "", path); a.StatusCode != status {
				t.Errorf("%s: %d, want %d", path, a.StatusCode, status)
			}
		}
		if got := i.unknown(t, 4); got != "mistyped 4" {
			t.Errorf("unknown codes: %s", got)
		}
	}, "IGNORE_CASE=true")
}

// TestVisitsOfUnknownAddresses: only addresses that can be codes are counted.
func TestVisitsOfUnknownAddresses(t *testing.T) {
	t.Parallel()
	awayFromMidnight(t)
	i := start(t)
	for _, path := range []string{
		"/1", "/v1.2", "/docs/install", "/gr%C3%BC%C3%9Fe", "/a%20b", "/%zz", "/lanch+",
		"/" + strings.Repeat("a", 21),
	} {
		if a := i.visitAt(t, "GET", "HTTP/1.1", "", path); a.StatusCode != 404 {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
	i.lookFor(t, "lanch", 2)
	if got := i.unknown(t, 2); got != "lanch 2" {
		t.Error(got)
	}
}
