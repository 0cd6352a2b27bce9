package web

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const baseURL = "https://sho.rt"

var dashboard = New(Options{BaseURL: baseURL})

// TestModules runs the tests of the dashboard's modules that need no browser, in Node.
func TestModules(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		loud := "THE DASHBOARD'S MODULES ARE NOT TESTED: node is missing"
		if os.Getenv("CI") == "true" {
			t.Fatal(loud)
		}
		t.Skip(loud)
	}
	files, err := filepath.Glob("src/*.test.js")
	if err != nil || len(files) == 0 {
		t.Fatal("no tests", err)
	}
	args := append([]string{"--test", "--test-reporter=spec"}, files...)
	out, err := exec.CommandContext(t.Context(), node, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

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

var addressed = regexp.MustCompile(`(?:href|src)="(/ui/assets/[^"]+)"`)

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

// The page of a share is loaded by strangers: it needs nothing of the dashboard, and nobody keeps
// it.
func TestSharePage(t *testing.T) {
	t.Parallel()
	for page, says := range map[sharePage]string{
		{"clicks", http.StatusOK}:   `data-shows="clicks"`,
		{"overview", http.StatusOK}: `data-shows="overview"`,
		{"", http.StatusNotFound}:   "Nothing is shared here",

		{passwordForm, http.StatusOK}:                 `<form class="state unlock" method="post">`,
		{passwordForm, http.StatusForbidden}:          "Wrong password.",
		{passwordForm, http.StatusTooManyRequests}:    "in a minute.",
		{passwordForm, http.StatusServiceUnavailable}: "is busy.",
	} {
		status, policy := page.status, dashboard.files().policy
		if page.data == passwordForm {
			policy = dashboard.files().formPolicy
		}
		w := httptest.NewRecorder()
		dashboard.ServeShare(w, httptest.NewRequest(http.MethodGet, "/ui/share/x", nil), status,
			page.data)
		res := w.Result()
		text := body(t, res)
		if res.StatusCode != status || !strings.Contains(text, says) ||
			strings.Contains(text, "/app-") || !strings.Contains(text, `content="noindex"`) ||
			strings.Contains(text, "/share-") != strings.Contains(text, "data-shows") ||
			strings.Contains(text, `role="alert"`) != (status != 200 && page.data != "") {
			t.Errorf("%d: %s %s", status, res.Status, text)
		}
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "X-Robots-Tag": "noindex", "ETag": "",
			"Referrer-Policy": "no-referrer", "Content-Security-Policy": policy,
		} {
			if got := res.Header.Get(name); got != want {
				t.Errorf("%d: %s is %q", status, name, got)
			}
		}
		for _, match := range addressed.FindAllStringSubmatch(text, -1) {
			asset := body(t, get(t, match[1]))
			if strings.Contains(asset, "/api/") &&
				!strings.Contains(match[1], "/first-") {
				t.Errorf("%s has what is private to the dashboard", match[1])
			}
		}
	}
	for target, status := range map[string]int{
		"/ui/share": 404, "/ui/share/": 404, "/ui/share/a/b": 404, "/ui/shared": 404,
	} {
		res := get(t, target)
		shared := strings.Contains(body(t, res), "Nothing is shared")
		if res.StatusCode != status || shared != (target != "/ui/shared") {
			t.Errorf("%s: %s, a page of shares: %v", target, res.Status, shared)
		}
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	for target, status := range map[string]int{
		"/ui/": 200, "/ui/overview": 200, "/ui/unknown": 200, "/ui/links/launch": 200,
		"/ui/settings":  200,
		"/ui/move":      200,
		"/ui/shares":    200,
		"/ui/?search=a": 200, "/ui/unknown/": 404, "/ui/links/": 404, "/ui/links/a/b": 404,
		"/ui/other": 404,
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

// What is drawn before the modules are there says which page it is.
func TestPageBeginsWithItsOwnHeader(t *testing.T) {
	t.Parallel()
	for target, current := range map[string]string{
		"/ui/": "/ui/", "/ui/?search=a": "/ui/", "/ui/overview": "/ui/overview",
		"/ui/unknown": "/ui/unknown", "/ui/links/launch": "", "/ui/other": "",
	} {
		page := body(t, get(t, target))
		var got string
		for _, match := range regexp.MustCompile(
			`<a href="([^"]+)" aria-current="page">`).FindAllStringSubmatch(page, -1) {
			got += match[1]
		}
		hasRows := strings.Contains(page, `class="rows-skeleton"`)
		if got != current || hasRows != (current == "/ui/") {
			t.Errorf("%s: the current page is %q, the list's skeleton %v", target, got, hasRows)
		}
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
		New(Options{BaseURL: "http://localhost:8080", Assumed: assumed}).ServeHTTP(w,
			httptest.NewRequest(http.MethodGet, "/ui/", nil))
		if page := w.Body.String(); !strings.Contains(page, want) {
			t.Errorf("assumed %t: no %s in\n%s", assumed, want, page)
		}
	}
}

// Only the server knows whether people can sign in with an OpenID provider.
func TestPageKnowsTheProvider(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]Options{
		`">`: {}, `" data-oidc="Key &#34;cloak">`: {Provider: `Key "cloak`},
		`" data-oidc="Keycloak" data-oidc-auto>`: {Provider: "Keycloak", Redirect: true},
	} {
		o.BaseURL = baseURL
		w := httptest.NewRecorder()
		New(o).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/ui/", nil))
		meta := `<meta name="terse-base-url" content="` + baseURL + want
		if page := w.Body.String(); !strings.Contains(page, meta) {
			t.Errorf("no %s in\n%s", meta, page)
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

var hashed = regexp.MustCompile(`-[0-9A-Z]{8}\.[a-z]+$`)

// The page names all of the first load, by the hash of its content: nothing finds out by being run
// what else there is to fetch. Pages and dialogs that most don't open at once are no part of it.
func TestFirstLoadIsNamedByThePageAndKeptForEver(t *testing.T) {
	t.Parallel()
	page := get(t, "/ui/", "Accept-Encoding", "gzip")
	total := int(page.ContentLength)
	for _, url := range loaded(t) {
		res := get(t, url, "Accept-Encoding", "gzip")
		if res.StatusCode != http.StatusOK || res.Header.Get(
			"Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s: %d %v", url, res.StatusCode, res.Header)
		}
		if !hashed.MatchString(url) {
			t.Errorf("%s is not named by its content", url)
		}
		total += int(res.ContentLength)
	}
	t.Logf("first load: %.1f KiB compressed", float64(total)/1024)
	if total > 64<<10 {
		t.Errorf("the page loads %d bytes, at most 64 KiB", total)
	}
}

// An installed dashboard has the manifest's address for good, and all that it names is there, also
// below a path.
func TestManifest(t *testing.T) {
	t.Parallel()
	for url, prefix := range map[string]string{baseURL: "", baseURL + "/go": "/go"} {
		handler := New(Options{BaseURL: url})
		ask := func(target string, fields ...string) *http.Response {
			r := httptest.NewRequest(http.MethodGet, target, nil)
			for i := 0; i < len(fields); i += 2 {
				r.Header.Set(fields[i], fields[i+1])
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			return w.Result()
		}
		if page := body(t, ask("/ui/")); !strings.Contains(page,
			`<link rel="manifest" href="`+prefix+`/ui/manifest.webmanifest"`) {
			t.Errorf("%s: the page names no manifest", url)
		}
		res := ask("/ui/manifest.webmanifest")
		if kind := res.Header.Get("Content-Type"); kind != "application/manifest+json" {
			t.Errorf("%s: %s, %s", url, res.Status, kind)
		}
		var got manifest
		if err := json.Unmarshal([]byte(body(t, res)), &got); err != nil {
			t.Fatal(err)
		}
		home := prefix + "/ui/"
		if got.StartURL != home || got.Scope != home || got.ShareTarget.Action != home {
			t.Errorf("%s: %+v", url, got)
		}
		for _, icon := range got.Icons {
			path, ok := strings.CutPrefix(icon.Source, prefix)
			res := ask(path)
			size, err := png.DecodeConfig(res.Body)
			if is := fmt.Sprintf("%dx%d", size.Width, size.Height); !ok || err != nil ||
				is != icon.Sizes || res.Header.Get("Content-Type") != icon.Type {
				t.Errorf("%s: %+v is %s, %v", url, icon, is, err)
			}
		}
		again := ask("/ui/manifest.webmanifest", "If-None-Match", res.Header.Get("ETag"))
		if again.StatusCode != http.StatusNotModified {
			t.Errorf("%s: asked again: %s", url, again.Status)
		}
	}
}

// A module that the page does not preload would be found only once what imports it has arrived.
func TestEveryImportIsPreloaded(t *testing.T) {
	t.Parallel()
	page, urls := body(t, get(t, "/ui/")), loaded(t)
	modules := 0
	for _, url := range urls {
		if path.Ext(url) != ".js" {
			continue
		}
		for _, match := range importing.FindAllStringSubmatch(body(t, get(t, url)), -1) {
			modules++
			if !strings.Contains(page, `<link rel="modulepreload" href="`+assets+match[1]+`">`) {
				t.Errorf("%s imports %s, which is not preloaded", url, match[1])
			}
		}
	}
	if modules == 0 {
		t.Error("no module imports another one")
	}
}

// What is loaded later is there, too, and says what it is.
func TestEveryBundledFileIsServed(t *testing.T) {
	t.Parallel()
	entries, err := dist.ReadDir("dist")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		res := get(t, assets+entry.Name())
		if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind == "" {
			t.Errorf("%s: %d, %q", entry.Name(), res.StatusCode, kind)
		}
	}
}

var inline = regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`)

// The policy allows no inline script or style but the one of each that it has the hash of.
func TestInlineScriptAndStyle(t *testing.T) {
	t.Parallel()
	shared := httptest.NewRecorder()
	dashboard.ServeShare(shared, httptest.NewRequest(http.MethodGet, "/ui/share/x", nil), 200,
		"clicks")
	for _, res := range []*http.Response{get(t, "/ui/"), get(t, "/ui/overview"), shared.Result()} {
		page, policy := body(t, res), res.Header.Get("Content-Security-Policy")
		found := inline.FindAllStringSubmatch(page, -1)
		if len(found) != 2 || strings.Count(page, "<script")-strings.Count(page, " src=") != 1 ||
			strings.Count(page, "<style") != 1 || strings.Contains(page, " style=") {
			t.Fatalf("%d inline scripts and styles", len(found))
		}
		for _, match := range found {
			sum := sha256.Sum256([]byte(match[2]))
			want := match[1] + "-src 'self' 'sha256-" +
				base64.StdEncoding.EncodeToString(sum[:]) + "';"
			if len(match[2]) < 100 || !strings.Contains(policy, want) {
				t.Errorf("policy %q, want %q", policy, want)
			}
		}
	}
}

// What is checked in is what the sources make.
func TestBundleIsCurrent(t *testing.T) {
	t.Parallel()
	made := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "../../scripts/bundle-web.sh",
		made).CombinedOutput()
	if err != nil {
		t.Fatalf("bundle-web.sh: %v\n%s", err, out)
	}
	want, got := contents(t, os.DirFS(made)), contents(t, os.DirFS("dist"))
	if !maps.Equal(got, want) {
		t.Errorf("dist has %v, src makes %v: go generate ./internal/web",
			slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

func contents(t *testing.T, dir fs.FS) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(dir, name)
		files[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Nothing is ever fetched from another host: the files name none, but for the names of XML
// namespaces and the placeholder of an input.
func TestNoOtherHost(t *testing.T) {
	t.Parallel()
	foreign := regexp.MustCompile(`https?://[a-z0-9.-]+`)
	namespaces := map[string]bool{"http://www.w3.org": true, "https://example.com": true}
	for name, content := range contents(t, dist) {
		for _, url := range foreign.FindAllString(content, -1) {
			if !namespaces[url] {
				t.Errorf("%s names %s", name, url)
			}
		}
	}
}

// What is vendored is what the manifest says, byte for byte.
func TestVendoredFilesAreAsPublished(t *testing.T) {
	t.Parallel()
	vendored := contents(t, os.DirFS("src/vendor"))
	var manifest struct {
		Files []struct{ File, Integrity string }
	}
	if err := json.Unmarshal([]byte(vendored["manifest.json"]), &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Files) == 0 {
		t.Fatal("no vendored files")
	}
	for _, f := range manifest.Files {
		sum := sha256.Sum256([]byte(vendored[f.File]))
		if got := "sha256-" + base64.StdEncoding.EncodeToString(sum[:]); got != f.Integrity {
			t.Errorf("%s has %s, the manifest says %s", f.File, got, f.Integrity)
		}
	}
}

// What a sign-in says may have been made up at the provider: it is text, not markup.
func TestSignInPage(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	dashboard.ServeSignIn(w, httptest.NewRequest(http.MethodGet, "/ui/oidc/callback", nil),
		http.StatusForbidden, "No <b>entry</b>", `"><script>alert(1)</script>`, textPlace)
	res := w.Result()
	text := body(t, res)
	if res.StatusCode != http.StatusForbidden || strings.Count(text, "<script") != 1 ||
		!strings.Contains(text, "<h1>No &lt;b&gt;entry&lt;/b&gt;</h1>") ||
		strings.Count(text, textPlace) != 1 || !strings.HasSuffix(text, "</html>\n") ||
		!strings.Contains(text, `href="/ui/?token"`) || strings.Contains(text, "/app-") {
		t.Errorf("%s %s", res.Status, text)
	}
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "X-Robots-Tag": "noindex", "ETag": "",
		"Referrer-Policy": "no-referrer", "Content-Security-Policy": dashboard.files().policy,
	} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}
