package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"html"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// needSearch skips a test aloud that needs what make site installs from npm.
func needSearch(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("node_modules/minisearch"); err != nil {
		miss(t, "npm ci in site")
	}
}

// miss skips a test aloud. Continuous integration has to have what it needs.
func miss(t *testing.T, what string) {
	t.Helper()
	loud := "THE DOCUMENTATION SITE IS NOT TESTED: missing is " + what
	if os.Getenv("CI") == "true" {
		t.Fatal(loud)
	}
	t.Skip(loud)
}

// build makes the site of the repository, for a URL or none, and returns its files by their paths.
func build(t *testing.T, url string) map[string][]byte {
	t.Helper()
	written, _ := buildIn(t, url)
	return written
}

// buildIn also returns the folder with the files.
func buildIn(t *testing.T, url string) (written map[string][]byte, folder string) {
	t.Helper()
	needSearch(t)
	s := site{root: "..", repository: source, revision: "HEAD", version: "v0.1.0", url: url}
	folder = filepath.Join(t.TempDir(), "site")
	if err := s.make(folder); err != nil {
		t.Fatal(err)
	}
	written = map[string][]byte{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		written[name], err = os.ReadFile(filepath.Join(folder, name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return written, folder
}

const source = "https://github.com/terse/terse"

var (
	links = regexp.MustCompile(`\s(?:href|src|srcset|data-script)="([^"]*)"`)
	ids   = regexp.MustCompile(`\sid="([^"]*)"`)
)

// pages returns the pages of a site.
func pages(written map[string][]byte) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(written)), func(name string) bool {
		return path.Ext(name) != ".html"
	})
}

func TestEveryDocumentIsAPage(t *testing.T) {
	t.Parallel()
	written := build(t, "")
	found := 0
	err := fs.WalkDir(os.DirFS("../docs"), ".", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) != ".md" {
			return err
		}
		found++
		text, err := os.ReadFile("../docs/" + name)
		if err != nil {
			return err
		}
		page := string(written[target("docs/"+name)])
		line, _, _ := strings.Cut(string(text), "\n")
		if title := html.EscapeString(strings.TrimPrefix(line, "# ")); !strings.Contains(page,
			"<h1>"+title+"</h1>") {
			t.Errorf("%s: there is no page %q", name, title)
		}
		return nil
	})
	if err != nil || found < 40 {
		t.Error(found, err)
	}
	for _, name := range []string{
		"index.html", "deploy.html", "changelog.html", "security.html", "contributing.html",
		"architecture.html", "404.html", "icon.svg", "openapi.yaml",
	} {
		if len(written[name]) == 0 {
			t.Errorf("%s is missing", name)
		}
	}
}

// All that a page loads and leads to is in the site, below whatever path that is, or is elsewhere
// by https.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	for at, root := range map[string]string{"": "/", "https://docs.example/below/": "/below/"} {
		written := build(t, at)
		places := map[string]bool{} // pages, and page#anchor
		for name, text := range written {
			places[name] = true
			for _, id := range ids.FindAllSubmatch(text, -1) {
				if place := name + "#" + html.UnescapeString(string(id[1])); !places[place] {
					places[place] = true
				} else {
					t.Errorf("%s is there twice", place)
				}
			}
		}
		checked := 0
		for _, name := range pages(written) {
			for _, found := range links.FindAllSubmatch(written[name], -1) {
				link := html.UnescapeString(string(found[1]))
				if strings.HasPrefix(link, "https://") ||
					strings.HasPrefix(link, "http://localhost") {
					continue
				}
				checked++
				to, anchor, _ := strings.Cut(link, "#")
				if below, ok := strings.CutPrefix(to, root); ok && name == lost {
					to = below
				} else if to == "" {
					to = name
				} else {
					to = path.Join(path.Dir(name), to)
				}
				if anchor != "" {
					to += "#" + anchor
				}
				if !places[to] {
					t.Errorf("%s: %s leads nowhere", name, link)
				}
			}
		}
		if checked < 3000 {
			t.Errorf("found only %d links", checked)
		}
	}
}

// Pictures have their size before they are loaded, a text, and wait until they are seen, all but
// the first of a page. Those of the light dashboard have one for the dark.
func TestPictures(t *testing.T) {
	t.Parallel()
	written := build(t, "")
	pictures := regexp.MustCompile(`<img src="[^"]+\.png" alt="[^"]+" width="\d+" height="\d+"` +
		`(?: class="phone")?( loading="lazy")?>`)
	found := 0
	for _, name := range pages(written) {
		here := pictures.FindAllSubmatch(written[name], -1)
		found += len(here)
		if n := bytes.Count(written[name], []byte("<img")); n != len(here) {
			t.Errorf("%s has %d pictures, %d as they should be", name, n, len(here))
		}
		for i, picture := range here {
			if isLazy := len(picture[1]) > 0; isLazy != (i > 0) {
				t.Errorf("%s: %s", name, picture[0])
			}
		}
	}
	if found < 20 {
		t.Errorf("found only %d pictures", found)
	}
	dark := `media="(prefers-color-scheme: dark)" srcset="screenshots/link-dark.png"`
	if !bytes.Contains(written["index.html"], []byte(dark)) {
		t.Errorf("index.html has no %s", dark)
	}
}

// heaviest is how many bytes a page may weigh on the wire when it is compressed, with its style and
// its script; there are no fonts. Pictures come besides, and the search when somebody searches.
const (
	heaviest       = 40 << 10
	heaviestSearch = 250 << 10
)

func TestWeights(t *testing.T) {
	t.Parallel()
	written := build(t, "")
	shared, most, heavy := 0, 0, ""
	for name, text := range written {
		switch {
		case strings.HasPrefix(name, "style-"), strings.HasPrefix(name, "site-"):
			shared += compressed(t, text)
		case strings.HasPrefix(name, "search-"):
			if n := compressed(t, text); n > heaviestSearch {
				t.Errorf("the search weighs %d bytes, more than %d", n, heaviestSearch)
			} else {
				t.Logf("the search weighs %d bytes", n)
			}
		}
	}
	for _, name := range pages(written) {
		if n := compressed(t, written[name]) + shared; n > most {
			most, heavy = n, name
		}
	}
	t.Logf("the heaviest page is %s: %d bytes, %d of them style and script", heavy, most, shared)
	if most > heaviest || shared == 0 {
		t.Errorf("%s weighs %d bytes, more than %d", heavy, most, heaviest)
	}
}

func compressed(t *testing.T, text []byte) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// With the address of the site, search engines get a list of all pages, and the page for addresses
// that do not exist works below a path.
func TestAddress(t *testing.T) {
	t.Parallel()
	written := build(t, "https://docs.example/below/")
	for name, want := range map[string]string{
		"sitemap.xml":      "<loc>https://docs.example/below/moving/kutt.html</loc>",
		"moving/kutt.html": `rel="canonical" href="https://docs.example/below/moving/kutt.html">`,
		"index.html":       `<link rel="canonical" href="https://docs.example/below/">`,
		"404.html":         `<a href="/below/contents.html">`,
	} {
		if !bytes.Contains(written[name], []byte(want)) {
			t.Errorf("%s has no %s", name, want)
		}
	}
	if _, exists := build(t, "")["sitemap.xml"]; exists {
		t.Error("there is a sitemap of a site without an address")
	}
}

// tree returns the folder of a small repository.
func tree(t *testing.T, change map[string]string) string {
	t.Helper()
	files := map[string]string{
		"README.md": "# Small\n\nSee [the page](docs/page.md#a--b).\n",
		"docs/README.md": "# Contents\n\n## All\n\n- [Start](../README.md)\n" +
			"- [The page](page.md): one\n  - [Below](below/page.md)\n",
		"docs/page.md": "# Page\n\n[source](../main.go)\n\n## A & `b`\n",
		"docs/below/page.md": "# Below\n\n- **`SET`**: a value of [page.md](../page.md)\n" +
			"- [own](" + source + "/blob/v0.1.0/docs/page.md#a--b)\n",
		"main.go":                   "package main\n",
		"internal/web/src/icon.svg": "<svg/>",
		"site/node_modules/minisearch/dist/umd/index.js": "// searches\n",
		"site/node_modules/minisearch/LICENSE.txt":       "MIT License\n",
	}
	maps.Copy(files, change)
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestLinks(t *testing.T) {
	t.Parallel()
	s := site{root: tree(t, nil), repository: source, revision: "abc"}
	if err := s.make(filepath.Join(t.TempDir(), "site")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, want string }{
		{"index.html", `See <a href="page.html#a--b">the page</a>.`},
		{"page.html", `<a href="` + source + `/blob/abc/main.go">source</a>`},
		{"below/page.html", `<li id="set"><strong><code>SET</code></strong>: a value of ` +
			`<a href="../page.html">Page</a></li>`},
		{"below/page.html", `<li><a href="../page.html#a--b">own</a></li>`},
		{"contents.html", `<a href="below/page.html">Below</a>`},
	} {
		if !bytes.Contains(s.out[tt.name], []byte(tt.want)) {
			t.Errorf("%s has no %s:\n%s", tt.name, tt.want, s.out[tt.name])
		}
	}
	for name, text := range s.out {
		if strings.HasPrefix(name, "search-") && !bytes.Contains(text, []byte(
			`{"id":"set","name":"SET","text":"a value of page.md"}`)) {
			t.Errorf("%s", text)
		}
	}
}

// Flags and other words with a dash stay whole in a line; long names may break behind a part.
func TestCodeBreaksBetweenWords(t *testing.T) {
	t.Parallel()
	s := site{root: tree(t, map[string]string{
		"docs/page.md": "# Page\n\n`terse --data-dir <x>` `terse_journal_backlog_bytes`\n\n" +
			"## A & b\n",
	})}
	if err := s.make(filepath.Join(t.TempDir(), "site")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<code>terse <span class="whole">--data-dir</span> &lt;x&gt;</code>`,
		`<code>terse_<wbr>journal_<wbr>backlog_<wbr>bytes</code>`,
	} {
		if !bytes.Contains(s.out["page.html"], []byte(want)) {
			t.Errorf("no %s in %s", want, s.out["page.html"])
		}
	}
}

// A synonym is a word of the documents; otherwise it finds nothing.
func TestSynonyms(t *testing.T) {
	t.Parallel()
	text, err := sources.ReadFile("src/synonyms.json")
	if err != nil {
		t.Fatal(err)
	}
	var synonyms map[string][]string
	if err := json.Unmarshal(text, &synonyms); err != nil || len(synonyms) == 0 {
		t.Fatal(err)
	}
	all := map[string]bool{}
	word := regexp.MustCompile(`[a-z0-9]+(?:[-_][a-z0-9]+)*`)
	for name, page := range build(t, "") {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, word := range word.FindAllString(strings.ToLower(string(page)), -1) {
			all[word] = true
		}
	}
	for name, same := range synonyms {
		for _, word := range same {
			if !all[word] {
				t.Errorf("%s: no page has %s", name, word)
			}
		}
	}
}

// A folder with files of something else is left alone.
func TestFolderIsInUse(t *testing.T) {
	t.Parallel()
	to := tree(t, nil)
	s := site{root: to}
	if err := s.make(to); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Error(err)
	}
}

// What is wrong in a document stops the build, and is named.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]map[string]string{
		"docs/lost.md is not in docs/README.md": {"docs/lost.md": "# Lost\n"},
		"docs/gone.md: no such": {
			"docs/README.md": "# C\n\n## A\n\n- [G](gone.md)\n",
		},
		"docs/page.md is there twice": {
			"docs/README.md": "# C\n\n## A\n\n- [P](page.md)\n- [P](page.md)\n",
		},
		"docs/page/README.md and docs/page.md would be the same page": {
			"docs/README.md":      "# C\n\n## A\n\n- [P](page.md)\n- [P](page/README.md)\n",
			"docs/page/README.md": "# P\n",
		},
		`"no link" begins with no link`:   {"docs/README.md": "# C\n\n## A\n\n- no link\n"},
		"docs/page.md has no heading":     {"docs/page.md": "Text\n"},
		"gone.md leads nowhere":           {"docs/page.md": "# Page\n\n[x](gone.md)\n"},
		"#gone: there is no such heading": {"docs/page.md": "# Page\n\n[x](#gone)\n\n## A & b\n"},
		"../../x leads nowhere":           {"docs/page.md": "# Page\n\n[x](../../x)\n"},
		"notes.md#gone: there is no such heading": {
			"notes.md": "# Notes\n", "docs/page.md": "# Page\n\n[x](../notes.md#gone)\n",
		},
		"http://example.com is no link by https": {
			"docs/page.md": "# Page\n\n<http://example.com>\n",
		},
		"https://go.example.com/ui is an example": {
			"docs/page.md": "# Page\n\nOpen https://go.example.com/ui now.\n",
		},
		"mailto:a@example.com is no link by https": {
			"docs/page.md": "# Page\n\n[x](mailto:a@example.com)\n",
		},
		"it has HTML: <b>":     {"docs/page.md": "# Page\n\na <b>c</b>\n\n## A & b\n"},
		"docs/x.png: no such":  {"docs/page.md": "# Page\n\n![x](x.png)\n\n## A & b\n"},
		"docs/page.md: x.png:": {"docs/page.md": "# P\n\n![x](x.png)\n", "docs/x.png": "x"},
	} {
		s := site{root: tree(t, change)}
		err := s.make(filepath.Join(t.TempDir(), "site"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A path as the text of a link is what the site replaces.
func TestIsPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		words, source string
		want          bool
	}{
		{"docs/tls.md", "docs/tls.md", true},
		{"tls.md", "docs/tls.md", true},
		{"deploy/", "deploy/README.md", true},
		{"helm/terse/README.md", "deploy/helm/terse/README.md", true},
		{"README.md", "README.md", true},
		{"README.md", "docs/format/README.md", true},
		{"rules", "docs/rules.md", false},
		{"HTTPS", "docs/tls.md", false},
		{"", "docs/tls.md", false},
	} {
		if got := isPath(tt.words, tt.source); got != tt.want {
			t.Errorf("%q to %s: %t", tt.words, tt.source, got)
		}
	}
}

// The anchors are those that GitHub makes, to which documents link.
func TestAnchors(t *testing.T) {
	t.Parallel()
	d := document{source: "x.md"}
	if err := d.parse([]byte("# `terse doctor`\n\n## What's new, in 2.0?\n\n## Same\n\n" +
		"## Same\n\n" +
		"## Über-uns_hier [link](x.md)\n\n## A / B & C\n")); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"a--b--c", "same", "same-1", "terse-doctor", "whats-new-in-20", "über-uns_hier-link",
	}
	if got := slices.Sorted(maps.Keys(d.anchors)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
