package web

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const baseURL = "https://sho.rt"

var dashboard = Handler(baseURL, false)

// get asks the handler for a path, as a browser does, with header fields as name, value.
func get(t *testing.T, target string, fields ...string) *http.Response {
	t.Helper()
	return do(t, http.MethodGet, target, fields...)
}

func do(t *testing.T, method, target string, fields ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	dashboard.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, res *http.Response) string {
	t.Helper()
	var from io.Reader = res.Body
	if res.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		from = unzipped
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var addressed = regexp.MustCompile(`(?:href|src)="(/[^"]+)"`)

// loaded returns the addresses of all that the page loads, each once.
func loaded(t *testing.T) []string {
	t.Helper()
	var urls []string
	for _, match := range addressed.FindAllStringSubmatch(body(t, get(t, "/ui/")), -1) {
		urls = append(urls, match[1])
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}

var inline = regexp.MustCompile(`<script type="importmap">(.*)</script>`)

// imports returns the page's import map, as text and read.
func imports(t *testing.T) (text string, urls map[string]string) {
	t.Helper()
	match := inline.FindStringSubmatch(body(t, get(t, "/ui/")))
	if match == nil {
		t.Fatal("the page has no import map")
	}
	var read struct{ Imports map[string]string }
	if err := json.Unmarshal([]byte(match[1]), &read); err != nil {
		t.Fatal(err)
	}
	return match[1], read.Imports
}

func TestPage(t *testing.T) {
	t.Parallel()
	for target, status := range map[string]int{
		"/ui/": 200, "/ui/overview": 200, "/ui/links/launch": 200, "/ui/?search=a": 200,
		"/ui/links/": 404, "/ui/links/a/b": 404, "/ui/other": 404,
	} {
		res := get(t, target)
		if res.StatusCode != status || res.Header.Get(
			"Content-Type") != "text/html; charset=utf-8" ||
			res.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("GET %s: %d %v, want %d", target, res.StatusCode, res.Header, status)
		}
		if page := body(t, res); !strings.Contains(page,
			`<meta name="terse-base-url" content="`+baseURL+`">`) {
			t.Errorf("GET %s: the page does not know what short URLs start with:\n%s", target, page)
		}
	}
	if res := get(t, "/ui"); res.StatusCode != http.StatusMovedPermanently ||
		res.Header.Get("Location") != "/ui/" {
		t.Errorf("GET /ui: %d to %q", res.StatusCode, res.Header.Get("Location"))
	}
}

// Only the page knows by which address it was reached, so it has to know whether the base URL is a
// mere default.
func TestPageSaysThatTheBaseURLIsAssumed(t *testing.T) {
	t.Parallel()
	for assumed, want := range map[bool]string{
		false: `content="http://localhost:8080">`,
		true:  `content="http://localhost:8080" data-assumed>`,
	} {
		w := httptest.NewRecorder()
		Handler("http://localhost:8080", assumed).ServeHTTP(w,
			httptest.NewRequest(http.MethodGet, "/ui/", nil))
		if page := w.Body.String(); !strings.Contains(page, want) {
			t.Errorf("assumed %t: no %s in\n%s", assumed, want, page)
		}
	}
}

func TestPageIsAskedForAgainOnlyWhenItChanged(t *testing.T) {
	t.Parallel()
	tag := get(t, "/ui/").Header.Get("ETag")
	if res := get(t, "/ui/", "If-None-Match", tag); res.StatusCode != http.StatusNotModified ||
		body(t, res) != "" {
		t.Errorf("with its own tag: %d", res.StatusCode)
	}
	if res := get(t, "/ui/", "If-None-Match", `"other"`); res.StatusCode != http.StatusOK {
		t.Errorf("with another tag: %d", res.StatusCode)
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"/ui/", "/ui/other", "/ui/assets/none.js", loaded(t)[0]} {
		header := get(t, target).Header
		if got := header.Get("Content-Security-Policy"); !strings.HasPrefix(got,
			"default-src 'none'; ") || strings.Contains(got, "unsafe") {
			t.Errorf("%s: policy %q", target, got)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff",
			"Referrer-Policy":        "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", target, name, got, want)
			}
		}
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	if res := do(t, http.MethodHead, "/ui/"); res.StatusCode != http.StatusOK ||
		body(t, res) != "" || res.Header.Get("Content-Length") == "0" {
		t.Errorf("HEAD: %d %v", res.StatusCode, res.Header)
	}
	if res := do(t, http.MethodPost, "/ui/"); res.StatusCode != http.StatusMethodNotAllowed ||
		res.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", res.StatusCode, res.Header)
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	for accepted, want := range map[string]string{
		"": "", "gzip": "gzip", "br, GZIP;q=0.5": "gzip", "gzip;q=0": "", "deflate": "",
		"gzip;q=x": "",
	} {
		res := get(t, "/ui/", "Accept-Encoding", accepted)
		if got := res.Header.Get("Content-Encoding"); got != want ||
			res.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: %q, want %q", accepted, got, want)
		}
		if !strings.HasPrefix(body(t, res), "<!doctype html>") {
			t.Errorf("Accept-Encoding %q: not the page", accepted)
		}
	}
}

// The page names all that it loads, by the hash of its content: nothing finds out by being run what
// else there is to fetch.
func TestEverythingLoadedIsNamedByThePageAndKeptForEver(t *testing.T) {
	t.Parallel()
	total := len(body(t, get(t, "/ui/")))
	for _, url := range loaded(t) {
		res := get(t, url, "Accept-Encoding", "gzip")
		if res.StatusCode != http.StatusOK || res.Header.Get(
			"Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s: %d %v", url, res.StatusCode, res.Header)
			continue
		}
		total += int(res.ContentLength)
		content := body(t, res)
		if sum := digest([]byte(content)); !strings.Contains(path.Base(url), "."+sum+".") {
			t.Errorf("%s is not named by its content, %s", url, sum)
		}
	}
	t.Logf("all that the page loads: %.1f KiB compressed", float64(total)/1024)
	if total > 200<<10 {
		t.Errorf("the page loads %d bytes, at most 200 KiB", total)
	}
}

// The forms of import in our modules and the vendored ones:
// `import{h as a}from"preact"`, `import htm from "htm"`.
var importing = regexp.MustCompile(`\b(?:im|ex)port\b[^;"'()]*\bfrom\s*"([^"]+)"`)

// A module that the page does not preload would be found only once what imports it has arrived,
// and one that is missing from the map would not be found at all.
func TestEveryImportIsMappedAndPreloaded(t *testing.T) {
	t.Parallel()
	page := body(t, get(t, "/ui/"))
	_, urls := imports(t)
	used := map[string]bool{assets + "app.js": true}
	for _, url := range urls {
		if !strings.Contains(page, `<link rel="modulepreload" href="`+url+`">`) {
			t.Errorf("%s is not preloaded", url)
		}
		for _, match := range importing.FindAllStringSubmatch(body(t, get(t, url)), -1) {
			name := match[1]
			if strings.HasPrefix(name, ".") {
				name = path.Join(path.Dir(url), name)
			}
			if urls[name] == "" {
				t.Errorf("%s imports %s, which the map does not have", url, match[1])
			}
			used[name] = true
		}
	}
	for name := range urls {
		if !used[name] {
			t.Errorf("no module imports %s", name)
		}
	}
	main, mapped := strings.Index(page, `<script type="module" src="`+urls[assets+"app.js"]+`">`),
		strings.Index(page, "importmap")
	if first := strings.Index(page, "modulepreload"); main < first || first < mapped {
		t.Errorf("the import map is at %d, the first preload at %d, the main module at %d", mapped,
			first, main)
	}
}

// The import map is the page's only inline script, and the policy allows just that.
func TestPolicyAllowsTheImportMapOnly(t *testing.T) {
	t.Parallel()
	text, _ := imports(t)
	sum := sha256.Sum256([]byte(text))
	want := "script-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"
	res := get(t, "/ui/")
	if got := res.Header.Get("Content-Security-Policy"); !strings.Contains(got, want) {
		t.Errorf("policy %q, want %s", got, want)
	}
	page := body(t, res)
	if n := strings.Count(page, "<script") - strings.Count(page, " src="); n != 1 {
		t.Errorf("%d inline scripts", n)
	}
}

// Nothing is ever fetched from another host: the files name none, but for the names of
// XML namespaces and what comments say.
func TestNoOtherHost(t *testing.T) {
	t.Parallel()
	foreign := regexp.MustCompile(`https?://[a-z0-9.-]+`)
	// and the placeholder of an input
	namespaces := map[string]bool{"http://www.w3.org": true, "https://example.com": true}
	err := fs.WalkDir(static, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || contentTypes[path.Ext(name)] == "" &&
			path.Ext(name) != ".mjs" && path.Ext(name) != ".html" {
			return err
		}
		content, err := static.ReadFile(name)
		for _, url := range foreign.FindAllString(string(content), -1) {
			if !namespaces[url] {
				t.Errorf("%s names %s", name, url)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What is vendored is what the manifest says, byte for byte.
func TestVendoredFilesAreAsPublished(t *testing.T) {
	t.Parallel()
	files := readManifest().Files
	if len(files) == 0 {
		t.Fatal("no vendored files")
	}
	for _, f := range files {
		sum := sha256.Sum256(read("vendor/" + f.File))
		if got := "sha256-" + base64.StdEncoding.EncodeToString(sum[:]); got != f.Integrity {
			t.Errorf("%s has %s, the manifest says %s", f.File, got, f.Integrity)
		}
	}
}
