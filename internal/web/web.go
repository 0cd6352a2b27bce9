// Package web provides the dashboard, the page and everything that it loads, as one net/http
// handler for /ui/.
//
// It serves only built-in files, and knows no links, clicks or sessions. The page is a client of
// the API.
//
// The dashboard is plain JavaScript modules with Preact and htm, in src. esbuild bundles them into
// dist, which is checked in: building the server needs no bundler. The page has the header, a
// skeleton of its content and the style sheet, so it is drawn when it arrives. What the list of
// links needs is one module file. Statistics are loaded when the list is complete, or at once at an
// address of theirs; forms and dialogs when they are opened. A page that few open brings its
// style with its module. No module imports itself through others, at once or on demand.
//
// The page of a share is a bundle of its own, which knows no session.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"terse/internal/link/weburl"
	"terse/internal/text/accept"
)

//go:generate ../../scripts/bundle-web.sh dist

//go:embed src/index.html src/share.html src/signin.html
var sources embed.FS

// dist is the output of scripts/bundle-web.sh for src. File names contain a hash of the content,
// for example "app-3KX2QW7P.js".
//
//go:embed dist
var dist embed.FS

const (
	root   = "/ui/"
	assets = root + "assets/"
	shares = root + "share/"
)

// policy lets a page load what this handler serves and talk to this server, and nothing else: no
// other host, no frame around it, no inline script or style but first.js and the style sheet, of
// which it has the hashes. They are in the page so that it is drawn when it arrives. Trusted types
// turn text that would become markup or script into an error.
const policy = "default-src 'none'; script-src 'self' %s; style-src 'self' %s; " +
	"img-src 'self'; connect-src 'self'; manifest-src 'self'; font-src 'none'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// What the list begins with, as in links.js and toolbar.js.
const rows = 8

var (
	// On a phone they are in a sheet.
	choices = []string{"Any tag", "Any state", "Any activity", "Not archived"}
	order   = "Newest"
)

// contentTypes are the types of files with addresses of their own.
var contentTypes = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
	".png": "image/png",
}

// sharePage is a page that may stand at the address of a share.
type sharePage struct {
	data   string // as for ServeShare
	status int
}

// sharePages are all of them, with what the form for a password says of the one before.
var sharePages = map[sharePage]string{
	{"clicks", http.StatusOK}:                     "",
	{"overview", http.StatusOK}:                   "",
	{"", http.StatusNotFound}:                     "",
	{passwordForm, http.StatusOK}:                 "",
	{passwordForm, http.StatusForbidden}:          "Wrong password.",
	{passwordForm, http.StatusTooManyRequests}:    "Too many attempts. Try again in a minute.",
	{passwordForm, http.StatusServiceUnavailable}: "The server is busy. Try again.",
}

const passwordForm = "password"

// file is an answer that is ready to be sent.
type file struct {
	contentType  string
	cacheControl string
	etag         string // in quotes; empty for files that never change under their name
	plain        []byte
	gzipped      []byte // nil if that is not shorter
}

// files are the dashboard's files.
type files struct {
	index  map[string]*file // the dashboard's page, by what it begins with
	shares map[sharePage]*file
	signIn [2]string         // the page of a sign-in that failed, before and after its text
	assets map[string]*file  // by path, "/ui/assets/app-3KX2QW7P.js", and the manifest
	named  map[string]string // paths by name without the hash, for example "app.js"
	policy string
	// formPolicy leaves out form-action, which browsers would apply to the redirect that follows.
	formPolicy string
	// basePath stands before every path in what is served, for example "/go". Requests come without
	// it.
	basePath string
}

// Dashboard serves GET and HEAD of /ui and everything below it that no route of the API takes. It
// prepares its files on the first request, so that they do not delay the start.
type Dashboard struct{ files func() *files }

// Options are what the pages know of the server.
type Options struct {
	// BaseURL is the prefix of short URLs, without a trailing slash, for example "https://sho.rt".
	BaseURL string
	// Assumed means that it was not set: the pages then use the address through which they were
	// reached.
	Assumed bool
	// Provider is the name of the OpenID provider that people sign in with, on the button that
	// leads there; "" if there is none. With Redirect nobody has to press it.
	Provider string
	Redirect bool
	// Several means that links are served at more hosts than that of BaseURL.
	Several bool
}

// New returns a Dashboard. Requests panic if the built-in files do not fit together, which no
// setting can cause.
func New(o Options) *Dashboard {
	return &Dashboard{sync.OnceValue(func() *files { return newFiles(o) })}
}

func newFiles(o Options) *files {
	f := &files{
		index: map[string]*file{}, shares: map[sharePage]*file{},
		assets: map[string]*file{}, named: map[string]string{}, basePath: weburl.Path(o.BaseURL),
	}
	f.addAssets()
	f.addManifest()
	first, style := f.assets[f.asset("first.js")].plain, f.assets[f.asset("style.css")].plain
	f.policy = fmt.Sprintf(policy, sourceHash(first), sourceHash(style))
	f.formPolicy = strings.Replace(f.policy, "form-action 'none'; ", "", 1)
	// Both are built in.
	script, sheet := template.JS(first), template.CSS(style) //nolint:gosec // nobody's input
	for _, name := range []string{
		"links", "overview", "unknown", "shares", "settings", "move", "link", "",
	} {
		modules := f.imports(f.asset("app.js"), nil)
		part := map[string]string{
			"overview": "pages.js", "unknown": "pages.js", "link": "pages.js",
			"shares": "shares.js", "settings": "settings.js", "move": "move.js",
		}[name]
		if part != "" {
			modules = f.imports(f.asset(part), append(modules, f.asset(part)))
		}
		page := f.page("index.html", map[string]any{
			"First": script, "Style": sheet,
			"Server": o, "Imports": modules, "Page": name,
			"Rows": make([]struct{}, rows), "Choices": choices, "Order": order,
		})
		page.cacheControl, page.etag = "no-cache", `"`+digest(page.plain)+`"`
		f.index[name] = page
	}
	for page, wrong := range sharePages {
		f.shares[page] = f.page("share.html", map[string]any{
			"First": script, "Style": sheet, "Server": o,
			"Data": page.data, "Form": page.data == passwordForm, "Wrong": wrong,
			"Imports": f.imports(f.asset("share.js"), nil),
		})
		f.shares[page].cacheControl = "no-store"
	}
	failed := f.page("signin.html", map[string]any{
		"First": script, "Style": sheet, "Server": o, "Text": textPlace,
	})
	f.signIn[0], f.signIn[1], _ = strings.Cut(string(failed.plain), textPlace)
	return f
}

// textPlace is where the text of a sign-in that failed comes.
const textPlace = "@@text@@"

// page renders a page of src.
func (f *files) page(name string, data map[string]any) *file {
	var page bytes.Buffer
	url := func(path string) string { return f.basePath + path }
	asset := func(name string) string { return url(f.asset(name)) }
	data["BasePath"] = f.basePath
	if err := template.Must(template.New(name).
		Funcs(template.FuncMap{"asset": asset, "url": url}).
		ParseFS(sources, "src/"+name)).Execute(&page, data); err != nil {
		panic(err)
	}
	return newFile("text/html; charset=utf-8", page.Bytes())
}

// addAssets adds the bundled files. Their addresses contain a hash of the content, so browsers may
// keep them forever.
func (f *files) addAssets() {
	entries, err := dist.ReadDir("dist")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		content, err := dist.ReadFile("dist/" + name)
		if err != nil {
			panic(err)
		}
		ext := path.Ext(name)
		added := newFile(contentTypes[ext], content)
		added.cacheControl = "public, max-age=31536000, immutable"
		f.assets[assets+name] = added
		f.named[name[:strings.LastIndexByte(name, '-')]+ext] = assets + name
	}
}

// asset returns the path of the bundled file of a file in src.
func (f *files) asset(name string) string {
	url, ok := f.named[name]
	if !ok {
		panic("dist has no " + name)
	}
	return url
}

// importing matches a bundled module's static imports, but not later ones by
// import("./stats-QK3X7A2M.js").
var importing = regexp.MustCompile(`\b(?:from|import)"\./([^"]+)"`)

// imports appends the modules that a module imports, directly or not, each once. The page lists
// them as preloads, so that a browser fetches them at once, not level by level.
func (f *files) imports(module string, found []string) []string {
	for _, match := range importing.FindAllSubmatch(f.assets[module].plain, -1) {
		if url := assets + string(match[1]); !slices.Contains(found, url) {
			found = f.imports(url, append(found, url))
		}
	}
	return found
}

func newFile(contentType string, content []byte) *file {
	f := &file{contentType: contentType, plain: content}
	var buf bytes.Buffer
	// the level is valid, and writing to a buffer can't fail
	w, _ := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	_, _ = w.Write(content)
	_ = w.Close()
	if buf.Len() < len(content) {
		f.gzipped = buf.Bytes()
	}
	return f
}

// digest identifies content in a URL: 96 bits of SHA-256.
func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// sourceHash is the expression of a policy that allows an inline script or style (CSP, 2.3).
func sourceHash(content []byte) string {
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// protect sets the headers that restrict what browsers do with an answer.
func (f *files) protect(header http.Header) {
	header.Set("Content-Security-Policy", f.policy)
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Referrer-Policy", "no-referrer") // links tried from here count as direct
	header.Set("X-Content-Type-Options", "nosniff")
}

// ServeShare serves what stands at the address of a share. With status 200 and data "clicks" or
// "overview" it is the page of statistics, which requests them from the API at its own address and
// that name. "password" is the form for a password, which posts it to the same address; 403, 429
// and 503 say what was wrong with the one before. Status 404 and "" say that nothing is shared.
func (d *Dashboard) ServeShare(w http.ResponseWriter, r *http.Request, status int, data string) {
	made := d.files()
	made.protect(w.Header())
	if data == passwordForm {
		w.Header().Set("Content-Security-Policy", made.formPolicy)
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	made.shares[sharePage{data, status}].serve(w, r, status)
}

// ServeSignIn serves a page that says, with status, why somebody was not signed in: a heading and
// paragraphs. The page leads to the provider again, and to the way in by token.
func (d *Dashboard) ServeSignIn(
	w http.ResponseWriter, r *http.Request, status int, heading string, paragraphs ...string,
) {
	made := d.files()
	made.protect(w.Header())
	w.Header().Set("X-Robots-Tag", "noindex")
	var text strings.Builder
	text.WriteString(made.signIn[0] + "<h1>" + template.HTMLEscapeString(heading) + "</h1>")
	for _, paragraph := range paragraphs {
		text.WriteString("\n<p>" + template.HTMLEscapeString(paragraph) + "</p>")
	}
	text.WriteString(made.signIn[1])
	page := file{
		contentType: "text/html; charset=utf-8", cacheControl: "no-store",
		plain: []byte(text.String()),
	}
	page.serve(w, r, status)
}

func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	made, header := d.files(), w.Header()
	made.protect(header)
	switch asset, found := made.assets[r.URL.Path]; {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		header.Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "method not allowed")
	case found:
		asset.serve(w, r, http.StatusOK)
	case r.URL.Path+"/" == root:
		http.Redirect(w, r, made.basePath+root, http.StatusMovedPermanently)
	case strings.HasPrefix(r.URL.Path, assets):
		refuse(w, http.StatusNotFound, "not found")
	case strings.HasPrefix(r.URL.Path+"/", shares):
		d.ServeShare(w, r, http.StatusNotFound, "")
	default:
		name, status := pageOf(r.URL.Path)
		made.index[name].serve(w, r, status)
	}
}

// pageOf returns what the page at an address begins with, and 404 where it says that there is
// nothing.
func pageOf(path string) (name string, status int) {
	switch path {
	case root:
		return "links", http.StatusOK
	case root + "overview", root + "unknown", root + "shares", root + "settings", root + "move":
		return path[len(root):], http.StatusOK
	}
	code, isLink := strings.CutPrefix(path, root+"links/")
	if isLink && code != "" && !strings.Contains(code, "/") {
		return "link", http.StatusOK
	}
	return "", http.StatusNotFound
}

func (f *file) serve(w http.ResponseWriter, r *http.Request, status int) {
	header := w.Header()
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", f.cacheControl)
	header.Set("Vary", "Accept-Encoding")
	if f.etag != "" {
		header.Set("ETag", f.etag)
		if status == http.StatusOK && strings.Contains(r.Header.Get("If-None-Match"), f.etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	body := f.plain
	if f.gzipped != nil && accept.Gzip(r.Header) {
		header.Set("Content-Encoding", "gzip")
		body = f.gzipped
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // fails only if the caller has gone
	}
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(`{"error":"` + message + `"}`))
}
