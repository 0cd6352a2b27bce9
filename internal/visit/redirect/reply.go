package redirect

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
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
	noStore = Field{"Cache-Control", "no-store"}
	isJSON  = Field{"Content-Type", "application/json"}

	tooMany = NewReply(http.StatusTooManyRequests, `{"error":"rate limit exceeded"}`,
		isJSON, noStore)
	// Failed is the answer to an internal error.
	Failed = NewReply(http.StatusInternalServerError, `{"error":"internal server error"}`,
		isJSON, noStore)

	notAllowed = NewReply(http.StatusMethodNotAllowed, `{"error":"method not allowed"}`,
		isJSON, noStore, Field{"Allow", "GET, HEAD"})
)

var (
	notForm = NewReply(http.StatusUnsupportedMediaType,
		`{"error":"Content-Type must be application/x-www-form-urlencoded"}`, isJSON, noStore)
	wrongPassword = NewReply(http.StatusForbidden, `{"error":"wrong password"}`,
		isJSON, noStore)
	tooManyPasswords = NewReply(http.StatusTooManyRequests,
		`{"error":"too many wrong passwords"}`, isJSON, noStore)
	busy = NewReply(http.StatusServiceUnavailable,
		`{"error":"too many passwords are being checked"}`, isJSON, noStore)
	notNow = NewReply(http.StatusServiceUnavailable,
		`{"error":"this link answers no prefetch"}`, isJSON, noStore)
)

const (
	defaultStatus = http.StatusFound
	seeOther      = http.StatusSeeOther
)

// replies are the constant parts of redirects, made once.
type replies struct {
	// once is for visits of which each must reach the server, kept for those that browsers may keep
	// for Options.Keep.
	once, kept redirects
	away       *Reply // to where a domain leads visitors for whom it has no link
}

// redirects are Replies by status.
type redirects struct{ moved, found, afterForm, temporary, permanent *Reply }

// newReplies returns the replies with further fields.
func newReplies(keep time.Duration, more []Field) replies {
	r := replies{
		// Every visit is counted, and changes take effect at once.
		once: newRedirects("private, no-store", more),
		away: NewReply(http.StatusFound, "", append([]Field{noStore}, more...)...),
	}
	if r.kept = r.once; keep > 0 {
		seconds := int64(keep / time.Second)
		r.kept = newRedirects("private, max-age="+strconv.FormatInt(seconds, 10), more)
	}
	return r
}

func newRedirects(cacheControl string, more []Field) redirects {
	fields := append([]Field{{"Cache-Control", cacheControl}}, more...)
	return redirects{
		moved:     NewReply(http.StatusMovedPermanently, "", fields...),
		found:     NewReply(http.StatusFound, "", fields...),
		afterForm: NewReply(http.StatusSeeOther, "", fields...),
		temporary: NewReply(http.StatusTemporaryRedirect, "", fields...),
		permanent: NewReply(http.StatusPermanentRedirect, "", fields...),
	}
}

// of returns the Reply of an outcome.
func (r *replies) of(o *Outcome) *Reply {
	all := &r.once
	if o.Keep {
		all = &r.kept
	}
	switch o.Status {
	case http.StatusMovedPermanently:
		return all.moved
	case http.StatusSeeOther:
		return all.afterForm
	case http.StatusTemporaryRedirect:
		return all.temporary
	case http.StatusPermanentRedirect:
		return all.permanent
	}
	return all.found
}

// retryAfter returns an answer with Retry-After.
func retryAfter(r *Reply, wait time.Duration) Answer {
	seconds := int64((wait + time.Second - 1) / time.Second)
	return Answer{
		Reply: r, Name: "Retry-After", Value: strconv.AppendInt(nil, seconds, 10),
	}
}

func (a Answer) write(w http.ResponseWriter) {
	header := w.Header()
	for _, f := range a.Fields {
		header.Set(f.Name, f.Value)
	}
	if a.Name != "" {
		header.Set(a.Name, string(a.Value))
	}
	header.Set("Content-Length", strconv.Itoa(len(a.Body)))
	w.WriteHeader(a.Status)
	_, _ = io.WriteString(w, a.Body) // fails only when the visitor is gone
}
