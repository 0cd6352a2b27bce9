package redirect

import (
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"strings"

	"github.com/valyala/fasthttp"
)

// Reply is the part of an answer that is the same each time.
type Reply struct {
	Status int
	Fields []Field
	Body   string
}

// Field is a header field.
type Field struct{ Name, Value string }

var (
	noStore = Field{fasthttp.HeaderCacheControl, "no-store"}
	isJSON  = Field{fasthttp.HeaderContentType, "application/json"}

	found   = &Reply{Status: fasthttp.StatusFound, Fields: []Field{{fasthttp.HeaderCacheControl, "private, no-store"}}}
	tooMany = &Reply{Status: fasthttp.StatusTooManyRequests, Fields: []Field{isJSON, noStore}, Body: `{"error":"rate limit exceeded"}`}
	// Failed is the answer to what went wrong here.
	Failed = &Reply{Status: fasthttp.StatusInternalServerError, Fields: []Field{isJSON, noStore}, Body: `{"error":"internal server error"}`}

	notAllowed = &Reply{
		Status: fasthttp.StatusMethodNotAllowed, Body: `{"error":"method not allowed"}`,
		Fields: []Field{isJSON, noStore, {fasthttp.HeaderAllow, "GET, HEAD"}},
	}
)

//go:embed notfound.html
var notFoundHTML string

// notFoundReply has the self-contained page for unknown codes, and a policy that allows its own
// style sheet and nothing else.
func notFoundReply() *Reply {
	_, rest, _ := strings.Cut(notFoundHTML, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return &Reply{
		Status: fasthttp.StatusNotFound, Body: notFoundHTML,
		Fields: []Field{
			{fasthttp.HeaderContentType, "text/html; charset=utf-8"},
			noStore,
			{fasthttp.HeaderContentSecurityPolicy, policy},
			{fasthttp.HeaderXContentTypeOptions, "nosniff"},
		},
	}
}

func (a Answer) write(ctx *fasthttp.RequestCtx) {
	ctx.SetStatusCode(a.Status)
	for _, f := range a.Fields {
		ctx.Response.Header.Set(f.Name, f.Value)
	}
	if a.Name != "" {
		ctx.Response.Header.SetBytesV(a.Name, a.Value)
	}
	ctx.SetBodyString(a.Body)
}
