package server

import (
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/valyala/fasthttp"
	"github.com/valyala/fasthttp/fasthttpadaptor"

	"terse/internal/redirect"
)

// serveControl has the control plane answer a request, and returns its route's pattern. The handler
// runs on this goroutine: on one of its own, as fasthttp's adaptor has it for answers that are sent
// bit by bit, its stack would have to grow for each request. It may finish while the server is
// stopping. A body that is too long was not read. The context of a GET or HEAD ends when its client
// goes away; what changes something is done for a client that does not wait for it, too.
func (s *Server) serveControl(ctx *fasthttp.RequestCtx, id []byte, client redirect.Visitor,
	body *body,
) (route string) {
	var r http.Request
	// As the adaptor takes cookies apart, they would take a hundred times their bytes.
	var cookies []string
	for _, line := range ctx.Request.Header.PeekAll(fasthttp.HeaderCookie) {
		cookies = append(cookies, string(line))
	}
	ctx.Request.Header.Del(fasthttp.HeaderCookie)
	if err := fasthttpadaptor.ConvertRequest(ctx, &r, true); err != nil {
		writeError(ctx, fasthttp.StatusBadRequest, "malformed request target")
		return routeUnmatched
	}
	if len(cookies) > 0 {
		r.Header["Cookie"] = cookies
	}
	r.RemoteAddr = netip.AddrPortFrom(client.Addr, 0).String()
	if !client.Trusted {
		r.Header.Del("X-Forwarded-Proto") // anybody can say so
	}
	if !body.ended() {
		r.Body, r.ContentLength = body, int64(body.length)
	}
	if ctx.IsGet() || ctx.IsHead() {
		gone, done := whileConnected(ctx.Conn())
		defer done()
		r = *r.WithContext(gone)
	}
	w := &controlWriter{ctx: ctx, header: http.Header{}}
	defer func() {
		route = r.Pattern
		if problem := recover(); problem != nil {
			s.panicked(problem, id)
			internalError(ctx)
			return
		}
		if body.err != nil {
			ctx.Response.ResetBody()
			status, message := unreadable(body.err)
			writeError(ctx, status, message)
			return
		}
		w.finish()
	}()
	s.opts.Control.ServeHTTP(w, &r)
	return route
}

// controlWriter is the http.ResponseWriter of an answer that is sent when it is complete.
type controlWriter struct {
	ctx    *fasthttp.RequestCtx
	header http.Header
	status int    // 0: not said yet
	text   string // the first of the body
	stream io.Reader
}

func (w *controlWriter) Header() http.Header { return w.header }

func (w *controlWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *controlWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.text != "" {
		w.ctx.Response.AppendBodyString(w.text)
		w.text = ""
	}
	w.ctx.Response.AppendBody(p)
	return len(p), nil
}

// WriteString sends a body that is one string from where it is: many connections that ask for a
// large document then share it.
func (w *controlWriter) WriteString(text string) (int, error) {
	if w.text != "" || len(w.ctx.Response.Body()) > 0 {
		return w.Write([]byte(text))
	}
	w.WriteHeader(http.StatusOK)
	w.text = text
	return len(text), nil
}

// SendStream has the answer's body read while it is sent, after the handler returned: as long as
// the client takes something of it within the time for an answer.
func (w *controlWriter) SendStream(body io.Reader) {
	w.WriteHeader(http.StatusOK)
	w.stream = &streamedBody{body: body, ctx: w.ctx}
}

// streamedBody is the body of an answer that is not complete yet.
type streamedBody struct {
	body io.Reader
	ctx  *fasthttp.RequestCtx
}

// Read gives the client its time again. An error ends the connection, so that the client does not
// take what it has for all.
func (b *streamedBody) Read(p []byte) (n int, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			n, err = 0, fmt.Errorf("server: panic in a stream: %v", problem)
		}
	}()
	n, err = b.body.Read(p)
	if problem := b.ctx.Conn().SetWriteDeadline(time.Now().Add(writeTimeout)); err == nil {
		err = problem
	}
	return n, err
}

func (w *controlWriter) finish() {
	w.WriteHeader(http.StatusOK)
	w.ctx.SetStatusCode(w.status)
	if w.stream != nil {
		w.ctx.Response.SetBodyStream(w.stream, -1)
	}
	if w.text != "" {
		w.ctx.Response.SetBodyStream(strings.NewReader(w.text), len(w.text))
	}
	for name, values := range w.header {
		for _, value := range values {
			w.ctx.Response.Header.Add(name, value)
		}
	}
}
