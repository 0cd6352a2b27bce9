package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed src
var sources embed.FS

// contents is the table of contents, and a page itself.
const contents = "docs/README.md"

// files are those of the repository that the site has as they are, when a page links to them.
var files = map[string]string{"api/openapi.yaml": "openapi.yaml"}

// site is the site and what it is made of.
type site struct {
	root, repository, revision, version, url string

	menu      []section
	documents map[string]*document // by path in the repository
	out       map[string][]byte    // what to write, by path in the site
}

// section is a part of the contents.
type section struct {
	Name  string
	Items []*document
}

// make makes the site and writes it into a folder.
func (s *site) make(to string) error {
	s.documents, s.out = map[string]*document{}, map[string][]byte{}
	if err := s.read(); err != nil {
		return err
	}
	if err := s.render(); err != nil {
		return err
	}
	if entries, err := os.ReadDir(to); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", to)
	}
	for name, text := range s.out {
		name = filepath.Join(to, filepath.FromSlash(name))
		//nolint:gosec // G301, G306: everybody may read the site
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755),
			os.WriteFile(name, text, 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// read reads the contents and all documents that they name. Each file in docs has to be there.
func (s *site) read() error {
	table, err := s.document(contents, "Contents")
	if err != nil {
		return err
	}
	if err := s.readMenu(table); err != nil {
		return err
	}
	var problems []error
	err = fs.WalkDir(os.DirFS(s.root), "docs", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" && s.documents[name] == nil {
			problems = append(problems, fmt.Errorf("%s is not in %s", name, contents))
		}
		return err
	})
	return errors.Join(append(problems, err)...)
}

// document reads a file and gives it a page.
func (s *site) document(source, label string) (*document, error) {
	if s.documents[source] != nil {
		return nil, fmt.Errorf("%s: %s is there twice", contents, source)
	}
	text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(source)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", contents, err)
	}
	d := &document{source: source, Label: label, Target: target(source)}
	d.Root = strings.Repeat("../", strings.Count(d.Target, "/"))
	for _, other := range s.documents {
		if other.Target == d.Target {
			return nil, fmt.Errorf("%s and %s would be the same page", source, other.source)
		}
	}
	s.documents[source] = d
	return d, d.parse(text)
}

// target returns the path of a document's page: docs/moving/kutt.md is moving/kutt.html, and a
// README.md has the name of its folder.
func target(source string) string {
	switch source {
	case "README.md":
		return "index.html"
	case contents:
		return "contents.html"
	}
	name := strings.TrimSuffix(strings.TrimPrefix(source, "docs/"), ".md")
	return strings.ToLower(strings.TrimSuffix(name, "/README")) + ".html"
}

// view is what the template shows.
type view struct {
	*document
	Version, Repository, Canonical string
	Style, Script, Search          string
	Menu                           []section
	Before, After                  *document
	Body                           template.HTML
}

// link is what leads from a page to another one.
type link struct {
	Root string
	To   *document
	Here bool
}

// Link returns a link of the menu.
func (v view) Link(to *document) link { return link{v.Root, to, to == v.document} }

// IsIn says whether the page is an item of the menu, or below it.
func (v view) IsIn(d *document) bool { return d == v.document || d == v.Parent }

// IsStart says whether the page is the first that visitors see.
func (v view) IsStart() bool { return v.Target == "index.html" }

// render makes all pages, and what they load.
func (s *site) render() error {
	page, err := template.ParseFS(sources, "src/page.html")
	if err != nil {
		return err
	}
	order := []*document{}
	for _, part := range s.menu {
		for _, d := range part.Items {
			order = append(append(order, d), d.Children...)
		}
	}
	v := view{Version: s.version, Repository: s.repository, Menu: s.menu}
	var problems []error
	add := func(err error) { problems = append(problems, err) }
	v.Style, err = s.asset("style.css")
	add(err)
	v.Script, err = s.asset("site.js")
	add(err)
	v.Search, err = s.search(order)
	add(err)
	s.out["icon.svg"], err = s.file("internal/web/src/icon.svg")
	add(err)

	write := func(d *document) {
		body, err := s.html(d)
		if err != nil {
			add(fmt.Errorf("%s: %w", d.source, err))
			return
		}
		v := v
		v.document, v.Body = d, body
		if s.url != "" && d.Target != lost {
			v.Canonical = s.address(d.Target)
		}
		var out bytes.Buffer
		add(page.Execute(&out, v))
		s.out[d.Target] = out.Bytes()
	}
	for i, d := range order {
		v.Before, v.After = nil, nil
		if i > 0 {
			v.Before = order[i-1]
		}
		if i+1 < len(order) {
			v.After = order[i+1]
		}
		write(d)
	}
	v.Before, v.After = nil, nil
	write(s.documents[contents])
	missing, err := s.missing()
	add(err)
	write(missing)
	add(s.sitemap(order))
	return errors.Join(problems...)
}

// lost is the page that a server shows for an address that does not exist.
const lost = "404.html"

// missing returns that page. It is shown at any address, so its links are absolute.
func (s *site) missing() (*document, error) {
	d := &document{source: "404.md", Target: lost, Root: "/"}
	if at, err := url.Parse(s.url); err == nil && s.url != "" {
		d.Root = strings.TrimSuffix(at.Path, "/") + "/"
	}
	return d, d.parse([]byte("# No such page\n\nIt may have moved. The [contents](" + contents +
		") list all pages, and the search looks into them.\n"))
}

// address returns the public address of a page.
func (s *site) address(target string) string {
	return strings.TrimSuffix(s.url, "/") + "/" + strings.TrimSuffix(target, "index.html")
}

// sitemap tells search engines all pages, if it is known where they will be.
func (s *site) sitemap(order []*document) error {
	if s.url == "" {
		return nil
	}
	if at, err := url.Parse(s.url); err != nil || at.Scheme != "https" || at.Host == "" {
		return fmt.Errorf("%q is no https URL", s.url)
	}
	type place struct {
		Loc string `xml:"loc"`
	}
	var set struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URLs    []place  `xml:"url"`
	}
	for _, d := range order {
		set.URLs = append(set.URLs, place{s.address(d.Target)})
	}
	out, err := xml.MarshalIndent(set, "", " ")
	s.out["sitemap.xml"] = append([]byte(xml.Header), out...)
	return err
}

// asset adds a file that pages load, under a name that changes with it, and returns that.
func (s *site) asset(name string) (string, error) {
	text, err := sources.ReadFile("src/" + name)
	return s.named(name, text), err
}

// named adds a file under a name with its hash.
func (s *site) named(name string, text []byte) string {
	sum := sha256.Sum256(text)
	ext := path.Ext(name)
	name = strings.TrimSuffix(name, ext) + "-" + base64.RawURLEncoding.EncodeToString(sum[:6]) + ext
	s.out[name] = text
	return name
}

// file reads a file of the repository.
func (s *site) file(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
}

// search adds what searches: MiniSearch as it is published with its licence, the texts of all
// pages, and the code that shows results. It is a script, not data, because pages that are opened
// as files may load scripts only.
func (s *site) search(order []*document) (string, error) {
	const minisearch = "site/node_modules/minisearch/"
	library, err := s.file(minisearch + "dist/umd/index.js")
	if err != nil {
		return "", fmt.Errorf("%w; npm ci in site installs it, as make site does", err)
	}
	licence, err := s.file(minisearch + "LICENSE.txt")
	if err != nil {
		return "", err
	}
	code, err := sources.ReadFile("src/search.js")
	if err != nil {
		return "", err
	}
	synonyms, err := sources.ReadFile("src/synonyms.json")
	if err != nil {
		return "", err
	}
	type page struct {
		URL     string   `json:"url"`
		Label   string   `json:"label"`
		Section string   `json:"section"`
		Records []record `json:"records"`
	}
	pages := []page{}
	for _, d := range order {
		pages = append(pages, page{d.Target, d.Label, d.Section, d.records})
	}
	texts, err := json.Marshal(pages)
	if err != nil {
		return "", err
	}
	script := fmt.Appendf(nil, "/* MiniSearch:\n%s*/\n%s\nglobalThis.texts = %s;\n"+
		"globalThis.synonyms = %s;\n%s", licence, library, texts, synonyms, code)
	return s.named("search.js", script), nil
}
