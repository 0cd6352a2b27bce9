package main

import (
	"errors"
	"fmt"
	"html"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// document is a Markdown file and its page.
type document struct {
	source   string // path in the repository: docs/moving/kutt.md
	Target   string // path of the page in the site: moving/kutt.html
	Root     string // from the page to the root of the site: ../
	Label    string // what the menu calls it
	Section  string // the part of the contents that it is in
	Parent   *document
	Children []*document

	Title    string // its first heading
	About    string // its first paragraph
	Headings []heading

	text    []byte
	tree    ast.Node
	anchors map[string]bool
	records []record
}

// heading is a heading below the first.
type heading struct {
	Level    int
	ID, Text string
}

// record is what a search finds: a heading with the text up to the next, or an item of a list that
// begins in bold, as each setting does.
type record struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Text string `json:"text"`
}

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Linkify, extension.Strikethrough, extension.Table),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(elements{}, 100))))

// parse reads the text: its headings, with the anchors that GitHub gives them, and what a search
// finds.
func (d *document) parse(source []byte) error {
	d.text, d.anchors = source, map[string]bool{}
	d.tree = markdown.Parser().Parse(text.NewReader(source))
	// Headings have their anchors first; an item that begins in bold takes what is left.
	for _, name := range []string{"headings", "terms"} {
		_ = ast.Walk(d.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if n.Kind() == ast.KindHeading && entering && name == "headings" ||
				entering && name == "terms" && term(n) != nil {
				d.anchor(n)
			}
			return ast.WalkContinue, nil
		})
	}
	d.index()
	if d.Title == "" {
		return errors.New(d.source + " has no heading")
	}
	return nil
}

// anchor gives a heading or an item an anchor of its own.
func (d *document) anchor(n ast.Node) {
	words := n
	if t := term(n); t != nil {
		words = t
	}
	first := slug(plain(words, d.text))
	id := first
	for i := 1; d.anchors[id]; i++ {
		id = first + "-" + strconv.Itoa(i)
	}
	d.anchors[id] = true
	n.SetAttributeString("id", []byte(id))
}

// slug makes an anchor of a heading as GitHub does.
func slug(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// term returns the bold text with which an item of a list begins, or nil.
func term(n ast.Node) ast.Node {
	if n.Kind() != ast.KindListItem || n.FirstChild() == nil {
		return nil
	}
	bold, ok := n.FirstChild().FirstChild().(*ast.Emphasis)
	if !ok || bold.Level != 2 {
		return nil
	}
	return bold
}

// index collects title, headings and records.
func (d *document) index() {
	var texts []*strings.Builder // of the records
	var open []int               // the records that we are in: a heading's, and those of items
	begin := func(n ast.Node, name string) {
		open = append(open, len(d.records))
		d.records = append(d.records, record{ID: attribute(n, "id"), Name: name})
		texts = append(texts, &strings.Builder{})
	}
	write := func(s string) {
		if len(open) > 0 {
			texts[open[len(open)-1]].WriteString(s)
		}
	}
	_ = ast.Walk(d.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if words := term(n); words != nil && entering {
			begin(n, strings.TrimRight(plain(words, d.text), ".,:"))
		} else if words != nil {
			open = open[:max(0, len(open)-1)]
		}
		switch h, isHeading := n.(*ast.Heading); {
		case !entering:
		case isHeading:
			name := plain(n, d.text)
			if d.Title == "" {
				d.Title = name
			} else {
				d.Headings = append(d.Headings, heading{h.Level, attribute(n, "id"), name})
			}
			open = nil
			begin(n, name)
			return ast.WalkSkipChildren, nil
		case n.Kind() == ast.KindEmphasis && n == term(n.Parent().Parent()):
			return ast.WalkSkipChildren, nil // the name of a record
		case n.Kind() == ast.KindFencedCodeBlock, n.Kind() == ast.KindCodeBlock:
			write(" " + string(n.Lines().Value(d.text)))
		case n.Type() == ast.TypeBlock:
			if n.Kind() == ast.KindParagraph && d.About == "" {
				d.About = plain(n, d.text)
			}
			write(" ")
		case n.Type() == ast.TypeInline:
			write(own(n, d.text))
		}
		return ast.WalkContinue, nil
	})
	for i, text := range texts {
		words := strings.Join(strings.Fields(text.String()), " ")
		d.records[i].Text = strings.TrimLeft(words, ".,: ")
	}
}

// plain returns the text of a node without its markup.
func plain(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			out.WriteString(own(n, source))
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// own returns the text of a node itself, without that of its children.
func own(n ast.Node, source []byte) string {
	switch n := n.(type) {
	case *ast.Text:
		value := n.Segment.Value(source)
		if n.Parent().Kind() == ast.KindCodeSpan {
			return string(value)
		}
		s := html.UnescapeString(string(util.UnescapePunctuations(value)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			s += " "
		}
		return s
	case *ast.String:
		return string(n.Value)
	case *ast.AutoLink:
		return string(n.Label(source))
	}
	return ""
}

// readMenu reads the contents: sections, lists of links, and lists in these.
func (s *site) readMenu(d *document) error {
	var items func(list ast.Node, parent *document) error
	items = func(list ast.Node, parent *document) error {
		part := &s.menu[len(s.menu)-1]
		for item := list.FirstChild(); item != nil; item = item.NextSibling() {
			link, ok := item.FirstChild().FirstChild().(*ast.Link)
			if !ok {
				return fmt.Errorf("%s: %q begins with no link", contents,
					plain(item, d.text))
			}
			child, err := s.document(path.Join(path.Dir(contents), string(link.Destination)),
				plain(link, d.text))
			if err != nil {
				return err
			}
			child.Section, child.Parent = part.Name, parent
			if parent != nil {
				parent.Children = append(parent.Children, child)
			} else {
				part.Items = append(part.Items, child)
			}
			for n := item.FirstChild().NextSibling(); n != nil; n = n.NextSibling() {
				if err := items(n, child); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for n := d.tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			s.menu = append(s.menu, section{Name: plain(h, d.text)})
		}
		if n.Kind() == ast.KindList && len(s.menu) > 0 {
			if err := items(n, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// isEmpty says whether a table's row has only empty cells: GitHub wants a row of headings, even if
// there are none.
func isEmpty(row ast.Node) bool {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		if cell.HasChildren() {
			return false
		}
	}
	return true
}

// isGallery says whether a table has only pictures, side by side.
func isGallery(t ast.Node) bool {
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		if row.Kind() == table.KindTableHeader && isEmpty(row) {
			continue
		}
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			if cell.ChildCount() != 1 || cell.FirstChild().Kind() != ast.KindImage {
				return false
			}
		}
	}
	return true
}

// isProse says whether a table is read row by row: it has at least three columns with headings, and
// more text in a row than fits a phone beside each other.
func isProse(t ast.Node, source []byte) bool {
	if t.FirstChild().ChildCount() < 3 || isEmpty(t.FirstChild()) {
		return false
	}
	length, rows := 0, t.ChildCount()-1
	for row := t.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
		length += len(plain(row, source))
	}
	return length > 60*rows
}
