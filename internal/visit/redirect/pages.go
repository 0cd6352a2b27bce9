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
)

// pageHTML is the common part of all pages. It loads nothing and has no script.
//
//go:embed page.html
var pageHTML string

// pages are the static pages.
type pages struct {
	notFound, over                                     *Reply
	askPassword, wrongPassword, tooManyPasswords, busy *Reply
}

func newPages(ignoreCase bool) pages {
	mistyped := "It may be mistyped (capitals matter) or it was deleted."
	if ignoreCase {
		mistyped = "It may be mistyped or it was deleted."
	}
	return pages{
		notFound: page(http.StatusNotFound, "Link not found", message(http.StatusNotFound,
			"This link doesn't work", mistyped)),
		over: page(http.StatusGone, "Link no longer active", message(http.StatusGone,
			"This link is no longer active.", "It may have expired or been switched off.")),
		askPassword: passwordPage(http.StatusOK, ""),
		wrongPassword: passwordPage(http.StatusForbidden,
			"Wrong password."),
		tooManyPasswords: passwordPage(http.StatusTooManyRequests,
			"Too many wrong passwords. Please try again in a minute."),
		busy: passwordPage(http.StatusServiceUnavailable,
			"Too many passwords are being checked. Please try again."),
	}
}

// page returns a page. Its policy allows only its own style sheet and its icon, which is empty so
// that browsers do not request one.
func page(status int, title, main string) *Reply {
	return pageWithPolicy(status, title, main, "; form-action 'none'")
}

// pageWithForm returns a page whose policy leaves out form-action, because browsers would apply
// that to the redirect that follows.
func pageWithForm(status int, title, main string) *Reply {
	return pageWithPolicy(status, title, main, "")
}

func pageWithPolicy(status int, title, main, more string) *Reply {
	body := strings.NewReplacer("{{title}}", html.EscapeString(title), "{{main}}", main).
		Replace(pageHTML)
	return NewReply(status, body,
		Field{"Content-Type", "text/html; charset=utf-8"},
		noStore,
		Field{
			"Content-Security-Policy", "default-src 'none'; style-src '" + styleHash() +
				"'; img-src data:; base-uri 'none'" + more + "; frame-ancestors 'none'",
		},
		Field{"X-Content-Type-Options", "nosniff"},
	)
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
</main>`, status, heading, text)
}

// passwordPage returns the form for a password, with the previous error. It posts to its own
// address.
func passwordPage(status int, wrong string) *Reply {
	if wrong != "" {
		wrong = `<p class="bad" id="wrong" role="alert">` + wrong + "</p>\n"
	}
	described := ""
	if wrong != "" {
		described = ` aria-describedby="wrong" aria-invalid="true"`
	}
	return pageWithForm(status, "Password required", `<main class="only">
<div>
<h1>This link requires a password</h1>
`+wrong+`<form method="post">
<label for="password">Password</label>
<input type="password" name="password" id="password" required autofocus
  autocomplete="current-password"`+described+`>
<button>Continue</button>
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
func (h *Handler) previewPage(link *terse.Link, c *options, address string, next onwards) *Reply {
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
	fmt.Fprintf(&b, "<main class=\"only\">\n<div>\n<h1%s>%s</h1>\n", size, headline)
	if heading != short {
		fmt.Fprintf(&b, "<p>%s</p>\n", shown)
	}
	switch {
	case c.Password != "":
		b.WriteString("<p>Its destination is not shown, because it requires a password.</p>\n")
	case len(c.rules) > 0:
		b.WriteString(leadsTo(link.URL) +
			"<p>It may lead elsewhere, depending on the visitor and the time.</p>\n")
	default:
		b.WriteString(leadsTo(link.URL))
	}
	fmt.Fprintf(&b, "<p>Created on %s</p>\n", link.CreatedAt.UTC().Format("2 January 2006"))
	if next == visitForm {
		b.WriteString("<form method=\"post\"><button>Continue</button></form>\n</div>\n</main>")
		return pageWithForm(http.StatusOK, heading, b.String())
	}
	// relative, because the server may be below a path
	last := url.URL{Path: address[strings.LastIndexByte(address, '/')+1:]}
	fmt.Fprintf(&b, "<p><a class=\"button\" href=\"%s\" rel=\"nofollow\">Continue</a></p>\n"+
		"</div>\n</main>", html.EscapeString(last.String()))
	return page(http.StatusOK, heading, b.String())
}
