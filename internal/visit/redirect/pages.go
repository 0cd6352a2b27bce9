package redirect

import (
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"terse"
	"terse/internal/text/visible"
	"terse/internal/visit/redirect/language"
	"terse/internal/visit/redirect/words"
)

// pageHTML is the common part of all pages. It loads nothing and has no script.
//
//go:embed page.html
var pageHTML string

// pages are the pages of a language. Those that are always the same are made once.
type pages struct {
	*words.Words
	more                                               []Field
	notFound, over                                     *Reply
	askPassword, wrongPassword, tooManyPasswords, busy *Reply
}

// translated are the pages in all languages, English first.
type translated struct {
	languages []string
	pages     []pages
}

func newTranslated(ignoreCase bool, more []Field) (t translated) {
	for _, w := range words.All() {
		p := newPages(&w, ignoreCase, more)
		for _, code := range append([]string{w.Language}, w.Also...) {
			t.languages = append(t.languages, code)
			t.pages = append(t.pages, p)
		}
	}
	return t
}

// pages returns the pages in the visitor's language, or else in English.
func (h *Handler) pages(v *Visit) *pages {
	i := language.LookUp(h.translated.languages, v.Header[Language])
	return &h.translated.pages[max(i, 0)]
}

func newPages(w *words.Words, ignoreCase bool, more []Field) pages {
	p := pages{Words: w, more: more}
	mistyped := w.Mistyped
	if ignoreCase {
		mistyped = w.MistypedAnyCase
	}
	p.notFound = p.page(http.StatusNotFound, w.TitleNotFound,
		message(http.StatusNotFound, w.NotFound, mistyped))
	p.over = p.page(http.StatusGone, w.TitleOver, message(http.StatusGone, w.Over, w.OverWhy))
	p.askPassword = p.passwordPage(http.StatusOK, "")
	p.wrongPassword = p.passwordPage(http.StatusForbidden, w.WrongPassword)
	p.tooManyPasswords = p.passwordPage(http.StatusTooManyRequests, w.TooManyPasswords)
	p.busy = p.passwordPage(http.StatusServiceUnavailable, w.Busy)
	return p
}

// page returns a page. Its policy allows only its own style sheet and its icon, which is empty so
// that browsers do not request one.
func (p *pages) page(status int, title, main string) *Reply {
	return p.pageWithPolicy(status, title, main, "; form-action 'none'")
}

// pageWithForm returns a page whose policy leaves out form-action, because browsers would apply
// that to the redirect that follows.
func (p *pages) pageWithForm(status int, title, main string) *Reply {
	return p.pageWithPolicy(status, title, main, "")
}

func (p *pages) pageWithPolicy(status int, title, main, more string) *Reply {
	body := strings.NewReplacer("{{language}}", p.Language, "{{direction}}", p.Direction,
		"{{title}}", html.EscapeString(title), "{{main}}", main).Replace(pageHTML)
	return NewReply(status, body, append([]Field{
		{"Content-Type", "text/html; charset=utf-8"},
		{"Content-Language", p.Language},
		noStore,
		{"Vary", "Accept-Language"},
		{
			"Content-Security-Policy", "default-src 'none'; style-src '" + styleHash() +
				"'; img-src data:; base-uri 'none'" + more + "; frame-ancestors 'none'",
		},
		{"X-Content-Type-Options", "nosniff"},
	}, p.more...)...)
}

func styleHash() string {
	_, rest, _ := strings.Cut(pageHTML, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// message returns the main part of a page with a single message.
func message(status int, heading, text string) string {
	return fmt.Sprintf(`<main>
<p class="status">%d</p>
<div>
<h1>%s</h1>
<p>%s</p>
</div>
</main>`, status, plain(heading), plain(text))
}

// passwordPage returns the form for a password, with the previous error. It posts to its own
// address.
func (p *pages) passwordPage(status int, wrong string) *Reply {
	described := ""
	if wrong != "" {
		wrong = `<p class="bad" id="wrong" role="alert">` + plain(wrong) + "</p>\n"
		described = ` aria-describedby="wrong" aria-invalid="true"`
	}
	return p.pageWithForm(status, p.TitlePassword, `<main class="only">
<div>
<h1>`+plain(p.NeedsPassword)+`</h1>
`+wrong+`<form method="post">
<label for="password">`+plain(p.Password)+`</label>
<input type="password" name="password" id="password" required autofocus
  autocomplete="current-password"`+described+`>
<button>`+plain(p.Continue)+`</button>
</form>
</div>
</main>`)
}

// onwards says how a preview page leads to the visit.
type onwards uint8

const (
	visitLink onwards = iota
	// visitForm posts to the page's own address. A page in place of a redirect needs it, because a
	// link would lead to the same page.
	visitForm
)

// longHeading is how many characters a heading has at most before it is set in smaller type.
const longHeading = 40

// previewPage says where the link at an address leads, without going there.
func (h *Handler) previewPage(
	v *Visit, link *terse.Link, c *options, address string, next onwards,
) *Reply {
	p := h.pages(v)
	base := h.domain(link.Code.Domain()).url
	short := base + "/" + address
	shown := html.EscapeString(base) + readable("/"+encoded(address))
	heading, headline := short, shown
	if c.Title != "" {
		heading = visible.Text(c.Title)
		headline = html.EscapeString(heading)
	}
	var b strings.Builder
	size := ""
	if utf8.RuneCountInString(heading) > longHeading {
		size = ` class="long"`
	}
	fmt.Fprintf(&b, "<main class=\"only\">\n<div>\n<h1%s>%s</h1>\n", size,
		p.isolated(headline))
	if heading != short {
		fmt.Fprintf(&b, "<p>%s</p>\n", p.isolated(shown))
	}
	switch {
	case c.Password != "":
		b.WriteString(paragraph(p.Hidden))
	case len(c.rules) > 0:
		b.WriteString(p.leadsTo(link.URL) + paragraph(p.MayDiffer))
	default:
		b.WriteString(p.leadsTo(link.URL))
	}
	b.WriteString(paragraph(p.CreatedOn(link.CreatedAt)))
	onwards := plain(p.Continue)
	if next == visitForm {
		b.WriteString("<form method=\"post\"><button>" + onwards +
			"</button></form>\n</div>\n</main>")
		return p.pageWithForm(http.StatusOK, heading, b.String())
	}
	// relative, because the server may be below a path
	last := url.URL{Path: address[strings.LastIndexByte(address, '/')+1:]}
	fmt.Fprintf(&b, "<p><a class=\"button\" href=\"%s\" rel=\"nofollow\">%s</a></p>\n"+
		"</div>\n</main>", html.EscapeString(last.String()), onwards)
	return p.page(http.StatusOK, heading, b.String())
}

// paragraph returns a text as a paragraph.
func paragraph(text string) string { return "<p>" + plain(text) + "</p>\n" }

// plain returns a text as HTML between tags, where quotation marks and apostrophes stay.
func plain(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// isolated keeps the order of what has a direction of its own, such as a URL, on a page that is
// read from right to left.
func (p *pages) isolated(shown string) string {
	if p.Direction == "rtl" {
		return "<bdi>" + shown + "</bdi>"
	}
	return shown
}
