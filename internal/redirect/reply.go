package redirect

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/valyala/fasthttp"
)

// Reply is the constant part of an answer.
type Reply struct {
	Status int
	Fields []Field
	Body   string
	// Head is the status line and the constant header fields, including Content-Length, as they are
	// sent (RFC 9112, 2.1). Other fields and an empty line follow it.
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

	// every visit must reach the server to be counted, and changes must take effect at once
	private = Field{fasthttp.HeaderCacheControl, "private, no-store"}

	moved             = NewReply(fasthttp.StatusMovedPermanently, "", private)
	found             = NewReply(fasthttp.StatusFound, "", private)
	afterForm         = NewReply(fasthttp.StatusSeeOther, "", private)
	temporaryRedirect = NewReply(fasthttp.StatusTemporaryRedirect, "", private)
	permanentRedirect = NewReply(fasthttp.StatusPermanentRedirect, "", private)

	tooMany = NewReply(fasthttp.StatusTooManyRequests, `{"error":"rate limit exceeded"}`,
		isJSON, noStore)
	// Failed is the answer to an internal error.
	Failed = NewReply(fasthttp.StatusInternalServerError, `{"error":"internal server error"}`,
		isJSON, noStore)

	notAllowed = NewReply(fasthttp.StatusMethodNotAllowed, `{"error":"method not allowed"}`,
		isJSON, noStore, Field{fasthttp.HeaderAllow, "GET, HEAD"})
)

var (
	notForm = NewReply(fasthttp.StatusUnsupportedMediaType,
		`{"error":"Content-Type must be application/x-www-form-urlencoded"}`, isJSON, noStore)
	wrongPassword = NewReply(fasthttp.StatusForbidden, `{"error":"wrong password"}`,
		isJSON, noStore)
	tooManyPasswords = NewReply(fasthttp.StatusTooManyRequests,
		`{"error":"too many wrong passwords"}`, isJSON, noStore)
	busy = NewReply(fasthttp.StatusServiceUnavailable,
		`{"error":"too many passwords are being checked"}`, isJSON, noStore)
	notNow = NewReply(fasthttp.StatusServiceUnavailable,
		`{"error":"this link answers no prefetch"}`, isJSON, noStore)
)

const (
	defaultStatus = fasthttp.StatusFound
	seeOther      = fasthttp.StatusSeeOther
)

// redirectReply returns the Reply of a redirect with a status.
func redirectReply(status int) *Reply {
	switch status {
	case fasthttp.StatusMovedPermanently:
		return moved
	case fasthttp.StatusSeeOther:
		return afterForm
	case fasthttp.StatusTemporaryRedirect:
		return temporaryRedirect
	case fasthttp.StatusPermanentRedirect:
		return permanentRedirect
	}
	return found
}

// retryAfter returns an answer with Retry-After.
func retryAfter(r *Reply, wait time.Duration) Answer {
	seconds := int64((wait + time.Second - 1) / time.Second)
	return Answer{
		Reply: r, Name: fasthttp.HeaderRetryAfter, Value: strconv.AppendInt(nil, seconds, 10),
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
