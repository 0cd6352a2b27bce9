package redirect

import (
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"strings"

	"github.com/valyala/fasthttp"
)

//go:embed notfound.html
var notFoundHTML string

// notFoundPage is the self-contained page for unknown codes, with a policy that allows its
// own style sheet and nothing else.
type notFoundPage struct{ html, policy string }

func newNotFoundPage() notFoundPage {
	_, rest, _ := strings.Cut(notFoundHTML, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	return notFoundPage{
		html:   notFoundHTML,
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	}
}

func (p notFoundPage) write(ctx *fasthttp.RequestCtx) {
	ctx.SetStatusCode(fasthttp.StatusNotFound)
	ctx.SetContentType("text/html; charset=utf-8")
	ctx.Response.Header.Set(fasthttp.HeaderCacheControl, "no-store")
	ctx.Response.Header.Set(fasthttp.HeaderContentSecurityPolicy, p.policy)
	ctx.Response.Header.Set(fasthttp.HeaderXContentTypeOptions, "nosniff")
	ctx.SetBodyString(p.html)
}
