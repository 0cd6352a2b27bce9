package redirect

import (
	"crypto/sha256"
	_ "embed" // for the page
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"github.com/valyala/fasthttp"
)

// Reply is the part of an answer that is the same each time.
type Reply struct {
	Status int
	Fields []Field
	Body   string
	// Head is the status line and the header fields that are the same each time, Content-Length
	// among them, as they are sent (RFC 9112, 2.1). Other fields and an empty line are to follow.
	Head []byte
}

// Field is a header field.
type Field struct{ Name, Value string }

// NewReply returns a Reply.
func NewReply(status int, body string, fields ...Field) *Reply {
	head := fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Length: %d\r\n", status,
		http.StatusText(status), len(body))
	for _, f := range fields {
		head = fmt.Appendf(head, "%s: %s\r\n", f.Name, f.Value)
	}
	return &Reply{Status: status, Fields: fields, Body: body, Head: head}
}

var (
	noStore = Field{fasthttp.HeaderCacheControl, "no-store"}
	isJSON  = Field{fasthttp.HeaderContentType, "application/json"}

	found = NewReply(fasthttp.StatusFound, "", Field{
		fasthttp.HeaderCacheControl,
		"private, no-store",
	})
	tooMany = NewReply(fasthttp.StatusTooManyRequests, `{"error":"rate limit exceeded"}`,
		isJSON, noStore)
	// Failed is the answer to what went wrong here.
	Failed = NewReply(fasthttp.StatusInternalServerError, `{"error":"internal server error"}`,
		isJSON, noStore)

	notAllowed = NewReply(fasthttp.StatusMethodNotAllowed, `{"error":"method not allowed"}`,
		isJSON, noStore, Field{fasthttp.HeaderAllow, "GET, HEAD"})
)

//go:embed notfound.html
var notFoundHTML string

// notFoundReply has the self-contained page for unknown codes, and a policy that allows its own
// style sheet and its icon, which is empty so that browsers ask for none, and nothing else.
func notFoundReply() *Reply {
	_, rest, _ := strings.Cut(notFoundHTML, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	return NewReply(fasthttp.StatusNotFound, notFoundHTML,
		Field{fasthttp.HeaderContentType, "text/html; charset=utf-8"},
		noStore,
		Field{fasthttp.HeaderContentSecurityPolicy, policy},
		Field{fasthttp.HeaderXContentTypeOptions, "nosniff"},
	)
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
