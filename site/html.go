package main

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"html/template"
	"image/png"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/alecthomas/chroma/v2"
	code "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark/ast"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// html returns a document as HTML. It fails if a link leads nowhere.
func (s *site) html(d *document) (template.HTML, error) {
	var problems []error
	var pictures int
	err := ast.Walk(d.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var err error
		switch n := n.(type) {
		case *ast.Link:
			if entering {
				err = s.point(d, n)
			}
		case *ast.AutoLink:
			if entering {
				err = external(string(n.URL(d.text)))
			}
		case *ast.Image:
			if entering {
				pictures++
				err = s.show(d, n, pictures == 1)
			}
		}
		if err != nil {
			problems = append(problems, err)
		}
		return ast.WalkContinue, nil
	})
	var out bytes.Buffer
	if err := errors.Join(append(problems, err)...); err != nil {
		return "", err
	}
	if err := markdown.Renderer().Render(&out, d.text, d.tree); err != nil {
		return "", err
	}
	//nolint:gosec // G203: goldmark escapes all text, and elements does, too
	return template.HTML(out.String()), nil
}

// point has a link lead to a page or to the source.
func (s *site) point(d *document, n *ast.Link) error {
	to, err := s.resolve(d, string(n.Destination))
	if err != nil {
		return err
	}
	if to.page != nil && isPath(plain(n, d.text), to.page.source) {
		n.RemoveChildren(n)
		n.AppendChild(n, ast.NewString([]byte(to.page.Title)))
	}
	n.Destination = []byte(to.url)
	return nil
}

// isPath says whether the text of a link is the path of the document, or its end, such as
// docs/tls.md or deploy/. On the site that means nothing; the title of the page does.
func isPath(words, source string) bool {
	words = strings.TrimSuffix(words, "/")
	folder := strings.TrimSuffix(source, "/README.md")
	return words != "" && (strings.HasSuffix("/"+source, "/"+words) ||
		strings.HasSuffix("/"+folder, "/"+words))
}

// place is where a link leads.
type place struct {
	url  string
	page *document // nil for anything else
}

// resolve finds where a link leads that stands in a document.
func (s *site) resolve(d *document, link string) (place, error) {
	name, anchor, _ := strings.Cut(link, "#")
	own, isOwn := strings.CutPrefix(name, s.repository+"/blob/")
	switch {
	case isOwn: // as in a document that is read in other places, too
		_, name, _ = strings.Cut(own, "/")
	case strings.Contains(link, ":"):
		return place{url: link}, external(link)
	case name == "":
		name = d.source
	default:
		name = path.Join(path.Dir(d.source), name)
	}
	suffix := ""
	if anchor != "" {
		suffix = "#" + anchor
	}
	to := s.documents[name]
	info, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(name)))
	switch {
	case strings.HasPrefix(name, ".."), err != nil && to == nil:
		return place{}, fmt.Errorf("%s leads nowhere", link)
	case to != nil:
		if anchor != "" && !to.anchors[anchor] {
			return place{}, fmt.Errorf("%s: there is no such heading", link)
		}
		if to == d && anchor != "" {
			return place{suffix, to}, nil
		}
		return place{d.Root + to.Target + suffix, to}, nil
	case files[name] != "":
		text, err := s.file(name)
		s.out[files[name]] = text
		return place{url: d.Root + files[name]}, err
	case info.IsDir() && s.documents[name+"/README.md"] != nil && anchor == "":
		to = s.documents[name+"/README.md"]
		return place{d.Root + to.Target, to}, nil
	case path.Ext(name) == ".md" && anchor != "":
		if err := s.hasAnchor(name, anchor); err != nil {
			return place{}, err
		}
	}
	kind := "blob"
	if info.IsDir() {
		kind = "tree"
	}
	return place{url: s.repository + "/" + kind + "/" + s.revision + "/" + name + suffix}, nil
}

// hasAnchor fails unless a Markdown file that is no page has an anchor.
func (s *site) hasAnchor(name, anchor string) error {
	source, err := s.file(name)
	if err != nil {
		return err
	}
	d := document{source: name}
	if err := d.parse(source); err != nil {
		return err
	}
	if !d.anchors[anchor] {
		return fmt.Errorf("%s#%s: there is no such heading", name, anchor)
	}
	return nil
}

// external fails unless a link is one to another site, by https, or to the reader's own machine. An
// address that is an example belongs to strangers.
func external(link string) error {
	at, err := url.Parse(link)
	if err != nil {
		return err
	}
	host := at.Hostname()
	switch {
	case at.Scheme == "http" && host == "localhost":
		return nil
	case at.Scheme != "https" || !strings.Contains(host, "."):
		return fmt.Errorf("%s is no link by https", link)
	case strings.HasSuffix(host, ".example") || strings.HasSuffix("."+host, ".example.com"):
		return fmt.Errorf("%s is an example: write it as code", link)
	}
	return nil
}

// show adds a picture to the site, and what the page has to know of it before it is loaded.
func (s *site) show(d *document, n *ast.Image, first bool) error {
	name := path.Join(path.Dir(d.source), string(n.Destination))
	add := func(name string) (string, error) {
		text, err := s.file(name)
		to := strings.TrimPrefix(name, "docs/")
		s.out[to] = text
		return d.Root + to, err
	}
	to, err := add(name)
	if err != nil {
		return err
	}
	size, err := png.DecodeConfig(bytes.NewReader(s.out[strings.TrimPrefix(name, "docs/")]))
	if err != nil {
		return fmt.Errorf("%s: %w", n.Destination, err)
	}
	n.Destination = []byte(to)
	set := func(name, value string) { n.SetAttributeString(name, []byte(value)) }
	set("width", fmt.Sprint(size.Width))
	set("height", fmt.Sprint(size.Height))
	if size.Width < min(size.Height, 1000) {
		set("class", "phone") // shown as wide as a phone
	}
	if !first {
		set("loading", "lazy")
	}
	// A picture of the light dashboard has one of the dark dashboard beside it.
	if light, ok := strings.CutSuffix(name, "-light.png"); ok {
		dark, err := add(light + "-dark.png")
		if err != nil {
			return err
		}
		set("dark", dark)
	}
	return nil
}

// elements renders what goldmark would render otherwise, or not at all.
type elements struct{}

func (elements) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, renderHeading)
	r.Register(ast.KindImage, renderImage)
	r.Register(ast.KindCodeSpan, renderCodeSpan)
	r.Register(ast.KindFencedCodeBlock, renderCode)
	r.Register(ast.KindCodeBlock, renderCode)
	r.Register(ast.KindHTMLBlock, renderComment)
	r.Register(ast.KindRawHTML, renderComment)
	r.Register(table.KindTable, renderTable)
	r.Register(table.KindTableHeader, renderTableHeader)
	r.Register(table.KindTableCell, renderTableCell)
}

// attribute returns an attribute of a node, ready for HTML.
func attribute(n ast.Node, name string) string {
	value, _ := n.AttributeString(name)
	b, _ := value.([]byte)
	return html.EscapeString(string(b))
}

// renderHeading adds a link to the heading itself. The template shows the first heading.
func renderHeading(w util.BufWriter, source []byte, n ast.Node, in bool) (ast.WalkStatus, error) {
	h, _ := n.(*ast.Heading)
	id := attribute(n, "id")
	switch {
	case h.Level == 1:
		return ast.WalkSkipChildren, nil
	case in:
		fmt.Fprintf(w, `<h%d id="%s">`, h.Level, id)
	default:
		fmt.Fprintf(w, ` <a class="anchor" href="#%s" aria-label="Link to “%s”">#</a></h%d>`+"\n",
			id, html.EscapeString(plain(n, source)), h.Level)
	}
	return ast.WalkContinue, nil
}

// renderImage makes a picture that opens in its own size.
func renderImage(w util.BufWriter, source []byte, n ast.Node, in bool) (ast.WalkStatus, error) {
	if !in {
		return ast.WalkContinue, nil
	}
	image, _ := n.(*ast.Image)
	to := html.EscapeString(string(image.Destination))
	fmt.Fprintf(w, `<a class="picture" href="%s"><picture>`, to)
	if dark := attribute(n, "dark"); dark != "" {
		fmt.Fprintf(w, `<source media="(prefers-color-scheme: dark)" srcset="%s">`, dark)
	}
	fmt.Fprintf(w, `<img src="%s" alt="%s"`, to, html.EscapeString(plain(n, source)))
	for _, name := range []string{"width", "height", "class", "loading"} {
		if value := attribute(n, name); value != "" {
			fmt.Fprintf(w, ` %s="%s"`, name, value)
		}
	}
	fmt.Fprint(w, "></picture></a>")
	return ast.WalkSkipChildren, nil
}

// renderCodeSpan keeps words with a dash whole: browsers would break a line behind each dash, and
// --data-dir would not be read as one flag. Long names, such as those of metrics, may break behind
// an underscore instead.
func renderCodeSpan(w util.BufWriter, source []byte, n ast.Node, in bool) (ast.WalkStatus, error) {
	if !in {
		return ast.WalkContinue, nil
	}
	words := strings.Split(strings.ReplaceAll(plain(n, source), "\n", " "), " ")
	for i, word := range words {
		words[i] = html.EscapeString(word)
		if len(word) > 24 {
			words[i] = strings.ReplaceAll(words[i], "_", "_<wbr>")
		}
		if strings.Contains(word, "-") {
			words[i] = `<span class="whole">` + words[i] + "</span>"
		}
	}
	fmt.Fprintf(w, "<code>%s</code>", strings.Join(words, " "))
	return ast.WalkSkipChildren, nil
}

// renderCode colours code of a known language.
func renderCode(w util.BufWriter, source []byte, n ast.Node, in bool) (ast.WalkStatus, error) {
	if !in {
		return ast.WalkContinue, nil
	}
	text := string(n.Lines().Value(source))
	fmt.Fprint(w, `<div class="code"><pre><code>`)
	var lexer chroma.Lexer
	if block, ok := n.(*ast.FencedCodeBlock); ok {
		lexer = lexers.Get(string(block.Language(source)))
	}
	if lexer == nil {
		fmt.Fprint(w, html.EscapeString(text))
	} else {
		tokens, err := chroma.Coalesce(lexer).Tokenise(nil, text)
		if err != nil {
			return ast.WalkStop, err
		}
		formatter := code.New(code.WithClasses(true), code.PreventSurroundingPre(true))
		if err := formatter.Format(w, styles.Fallback, tokens); err != nil {
			return ast.WalkStop, err
		}
	}
	fmt.Fprint(w, "</code></pre></div>\n")
	return ast.WalkSkipChildren, nil
}

// renderComment leaves comments out. Documents have no other HTML.
func renderComment(_ util.BufWriter, source []byte, n ast.Node, in bool) (ast.WalkStatus, error) {
	var text []byte
	switch n := n.(type) {
	case *ast.HTMLBlock:
		text = n.Lines().Value(source)
	case *ast.RawHTML:
		text = n.Segments.Value(source)
	}
	if in && !bytes.HasPrefix(bytes.TrimSpace(text), []byte("<!--")) {
		return ast.WalkStop, fmt.Errorf("it has HTML: %s", text)
	}
	return ast.WalkSkipChildren, nil
}

// renderTable lets a wide table scroll by itself, or has its cells one below the other on a phone,
// and shows pictures side by side.
func renderTable(w util.BufWriter, source []byte, n ast.Node, in bool) (ast.WalkStatus, error) {
	class := "table"
	switch {
	case isGallery(n):
		class = "gallery"
	case isProse(n, source):
		class = "table stacked"
	}
	if in {
		fmt.Fprintf(w, "<div class=%q><table>\n", class)
	} else {
		fmt.Fprint(w, "</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// renderTableHeader leaves out a row of headings that are empty.
func renderTableHeader(w util.BufWriter, _ []byte, n ast.Node, in bool) (ast.WalkStatus, error) {
	switch {
	case in && isEmpty(n):
		fmt.Fprint(w, "<tbody>\n")
		return ast.WalkSkipChildren, nil
	case in:
		fmt.Fprint(w, "<thead><tr>\n")
	case !isEmpty(n):
		fmt.Fprint(w, "</tr></thead>\n<tbody>\n")
	}
	return ast.WalkContinue, nil
}

// renderTableCell aligns by an attribute, because the policy of the pages allows no styles in them.
// A cell without text is no heading. The others say what their heading is, for a phone.
func renderTableCell(w util.BufWriter, source []byte, n ast.Node, in bool) (ast.WalkStatus, error) {
	cell, _ := n.(*table.TableCell)
	tag := "td"
	if n.Parent().Kind() == table.KindTableHeader && n.HasChildren() {
		tag = "th"
	}
	if !in {
		fmt.Fprintf(w, "</%s>", tag)
		return ast.WalkContinue, nil
	}
	fmt.Fprintf(w, "<%s", tag)
	if cell.Alignment != table.AlignNone {
		fmt.Fprintf(w, ` align="%s"`, cell.Alignment)
	}
	if t := n.Parent().Parent(); n.Parent().Kind() == table.KindTableRow && isProse(t, source) {
		heading := t.FirstChild().FirstChild()
		for cell := n.Parent().FirstChild(); cell != n; cell = cell.NextSibling() {
			heading = heading.NextSibling()
		}
		fmt.Fprintf(w, ` data-heading="%s"`, html.EscapeString(plain(heading, source)))
	}
	fmt.Fprint(w, ">")
	return ast.WalkContinue, nil
}
