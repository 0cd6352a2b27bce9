// Package server is the one listener: it splits requests between the data plane and the
// control plane, and does for both what every request needs: client address, request ID,
// access log, metrics, panic recovery, limits and an ordered stop.
//
// It knows no route but through the functions it is given, and no short code.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/valyala/fasthttp"

	"terse/internal/logging"
	"terse/internal/redirect"
	"terse/internal/server/fastpath"
)

// Limits of one connection and of one request. A request beyond them gets a JSON error.
const (
	// maxHeaderBytes bounds request line and header fields: 431 beyond it. It is also each
	// connection's read buffer.
	maxHeaderBytes = 16 << 10
	// maxFields bounds the header fields, which cost more than their bytes: 431 beyond it.
	maxFields = 100
	// maxBodyBytes bounds a request's body, unless Options.BodyLimit says more: 413 beyond it. It
	// is ten times what a password takes, and enough for a token.
	maxBodyBytes = 4 << 10
	// maxConns bounds all connections together. An idle one costs 1 KiB. One that has sent a part
	// of a request costs 30 KiB, up to 64 KiB if that part is made for it, so all of them 2 GiB at
	// most; with a valid token, up to 8 MiB more of a body that has come.
	maxConns = 32 << 10
	// readTimeout is for one whole request, from its first byte.
	readTimeout = 10 * time.Second
	// writeTimeout is for one whole answer.
	writeTimeout = 30 * time.Second
	// idleTimeout is for the next request on an open connection.
	idleTimeout = 60 * time.Second
)

// DataPlane answers what Reserved does not claim.
type DataPlane interface {
	// Answer decides on a plain GET.
	Answer(v *redirect.Visit, a redirect.Attempt) redirect.Answer
	// HeaderNames are those of the header fields that Answer wants.
	HeaderNames() redirect.HeaderNames
	// Commit is called between an answer and the sending of it when Options.Synced is set. Its
	// error is for the log.
	Commit() error
	// Serve answers any other request. Its error is for the log.
	Serve(ctx *fasthttp.RequestCtx, path []byte, visitor redirect.Visitor) error
}

// Options are a Server's parts; all are needed but TrustedProxies.
type Options struct {
	Redirect DataPlane
	// Control is the control plane. It sees the client's address as RemoteAddr, and leaves
	// the route's pattern in the request's Pattern.
	Control  http.Handler
	Reserved []string // the first path segments that the control plane routes
	// BodyLimit returns what bounds the body of a request to the control plane, in bytes; nil, or
	// less than 4 KiB: 4 KiB. Where it is more, the control plane reads the body, and looks at who
	// asks before it does so.
	BodyLimit func(method, path []byte) int

	// LogPath returns what the log may have of a request's path; nil: all of it.
	LogPath func(path []byte) []byte

	Synced bool // answers to redirects wait for a disk: see DataPlane.Commit
	// to look a link up is to wait for a network, and many at once cost little more than one
	RemoteLinks bool
	// how many goroutines serve redirects, on Linux, each of which can fill a core; 0: 1
	Loops          int
	TrustedProxies []netip.Prefix // peers whose X-Forwarded-For is believed
	// open connections of one address, trusted proxies excepted; 0: no bound
	MaxConnsPerClient int
	Access            *logging.Access
	Logger            *slog.Logger
	StackTraces       bool // in the log record of a panic
	Metrics           prometheus.Registerer
}

// Server answers HTTP on one listener.
type Server struct {
	opts     Options
	reserved map[string]bool
	http     *fasthttp.Server // the general server
	general  *connListener    // its listener
	fast     *fastpath.Server
	conns    *connTable
	metrics  *metrics
}

// New returns a Server.
func New(opts Options) *Server {
	s := &Server{
		opts: opts, reserved: map[string]bool{}, general: newConnListener(),
		conns: newConnTable(opts.MaxConnsPerClient, opts.TrustedProxies),
	}
	s.fast = newFastPath(s, idleTimeout)
	for _, segment := range opts.Reserved {
		s.reserved[segment] = true
	}
	s.metrics = newMetrics(opts.Metrics, s.conns)
	s.http = &fasthttp.Server{
		Handler:                      s.serve,
		ErrorHandler:                 s.serveUnreadable,
		HeaderReceived:               s.headerReceived,
		ExpectHandler:                s.expect,
		ReadBufferSize:               maxHeaderBytes,
		StreamRequestBody:            true, // see body
		MaxRequestBodySize:           1,    // of it are read before
		Concurrency:                  maxConns,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		ReduceMemoryUsage:            true, // of connections that wait for a request
		NoDefaultServerHeader:        true,
		NoDefaultContentType:         true,
		CloseOnShutdown:              true,
		DisablePreParseMultipartForm: true,
		SecureErrorLogMessage:        true,
		Logger:                       httpLogger{opts.Logger},
	}
	return s
}

// bodyLimit returns what bounds the body of a request, in bytes.
func (s *Server) bodyLimit(h *fasthttp.RequestHeader) int {
	path := pathOf(h.RequestURI())
	if s.opts.BodyLimit == nil || !s.routed(path) {
		return maxBodyBytes
	}
	return max(maxBodyBytes, s.opts.BodyLimit(h.Method(), path))
}

// httpLogger takes the few things that fasthttp says of connections: what failed below HTTP. Other
// texts may have parts of a request, and the access log has what was answered.
type httpLogger struct{ *slog.Logger }

func (l httpLogger) Printf(_ string, args ...any) {
	for _, arg := range args {
		err, _ := arg.(error)
		if problem, ok := errors.AsType[*net.OpError](err); ok {
			l.Debug("connection", "problem", problem)
		}
	}
}

// Serve answers connections from ln until Shutdown.
func (s *Server) Serve(ln net.Listener) error {
	s.general.addr = ln.Addr()
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(s.general) }()
	err := s.fast.Serve(ln)
	if err != nil {
		err = fmt.Errorf("serve %s: %w", ln.Addr(), err)
	}
	return errors.Join(err, s.general.Close(), <-served)
}

// Shutdown stops accepting, lets the requests under way finish, and closes what is still
// open when ctx ends. After it no handler runs any more, unless the error says so.
func (s *Server) Shutdown(ctx context.Context) error {
	s.fast.Stop()
	err := s.drain(ctx)
	s.conns.closeAll() // also those that wait for a next request
	if err == nil {
		return nil
	}
	last, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return s.drain(last)
}

// drain waits for the connections in the fast path and in the general server to end, which they
// do after the request that is under way.
func (s *Server) drain(ctx context.Context) error {
	ended := make(chan struct{})
	go func() { s.fast.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.http.ShutdownWithContext(ctx)
}

// serve answers one request that could be read.
func (s *Server) serve(ctx *fasthttp.RequestCtx) {
	uri := ctx.Request.Header.RequestURI()
	path := pathOf(uri)
	id := s.requestID(ctx)
	client := s.client(ctx)
	route := routeRedirect
	defer func() {
		if problem := recover(); problem != nil {
			s.panicked(problem, id)
			internalError(ctx)
		}
		s.answered(ctx, id, path, route)
	}()
	control := s.routed(path)
	body := takeBody(ctx, s.bodyLimit(&ctx.Request.Header))
	status, message, last := refusal(ctx)
	if status == 0 && (body.limit == maxBodyBytes || !last && body.length <= maxBodyBytes) {
		status, message = readWhole(ctx, body)
	}
	if status != 0 || last {
		hangUp(ctx)
	}
	if status != 0 {
		route = routeUnmatched
		writeError(ctx, status, message)
		return
	}
	if !last {
		s.release(ctx, control)
	}
	switch {
	case !control:
		if err := s.opts.Redirect.Serve(ctx, path, client); err != nil {
			s.opts.Logger.Error("redirect", "request_id", string(id), "error", err)
		}
	case !parseable(uri):
		route = routeUnmatched
		writeError(ctx, fasthttp.StatusBadRequest, "malformed request target")
	default:
		route = s.serveControl(ctx, id, client, body)
	}
	if !body.ended() {
		hangUp(ctx)
	}
}

// headerReceived has a request with a body that is too long answered at once, whatever comes of it:
// as if the client had asked whether to send it. (One of HTTP/1.0 can't ask.)
func (s *Server) headerReceived(h *fasthttp.RequestHeader) (config fasthttp.RequestConfig) {
	if s.tooLong(h) {
		h.Set(fasthttp.HeaderExpect, "100-continue")
	}
	return config
}

// expect is called before a client is told to send the body that it has announced. One that is too
// long is refused instead.
func (s *Server) expect(ctx *fasthttp.RequestCtx) (status int) {
	if !s.tooLong(&ctx.Request.Header) {
		return fasthttp.StatusContinue
	}
	s.serve(ctx)
	return ctx.Response.StatusCode()
}

func (s *Server) tooLong(h *fasthttp.RequestHeader) bool {
	return h.ContentLength() > s.bodyLimit(h)
}

// release has a connection go back to the fast path after the answer, if it came from there: soon
// if the control plane answers, else at once.
func (s *Server) release(ctx *fasthttp.RequestCtx, control bool) {
	if s.fast.Stopping() {
		ctx.SetConnectionClose()
	} else if c, ok := ctx.Conn().(*stay); ok && fastpath.TakesBack {
		c.control = control
		ctx.Hijack(end)
	}
}

// hangUp has a connection end after the answer.
func hangUp(ctx *fasthttp.RequestCtx) {
	linger(ctx.Conn())
	ctx.Hijack(nil)
	ctx.SetConnectionClose()
}

// serveUnreadable answers what is not a request, or has not arrived. The connection is closed after
// it.
func (s *Server) serveUnreadable(ctx *fasthttp.RequestCtx, err error) {
	linger(ctx.Conn())
	path := pathOf(ctx.Request.Header.RequestURI())
	if len(ctx.Request.Header.RawHeaders()) == 0 { // the request is not known
		path = []byte("-")
		ctx.Request.Header.SetMethod("-")
	}
	id := s.requestID(ctx)
	status, message := unreadable(err)
	writeError(ctx, status, message)
	s.answered(ctx, id, path, routeUnmatched)
}

func (s *Server) panicked(problem any, id []byte) {
	attrs := []any{"request_id", string(id), "error", problem}
	if s.opts.StackTraces {
		attrs = append(attrs, "stack", string(debug.Stack()))
	}
	s.opts.Logger.Error("panic while answering a request", attrs...)
}

// answered counts and logs a request whose answer is complete.
func (s *Server) answered(ctx *fasthttp.RequestCtx, id, path []byte, route string) {
	now := time.Now()
	started := ctx.Time()
	if started.IsZero() {
		started = now // it could not be read
	}
	status, size := ctx.Response.StatusCode(), 0
	switch {
	case ctx.IsHead():
	case ctx.Response.IsBodyStream():
		size = max(0, ctx.Response.Header.ContentLength())
	default:
		size = len(ctx.Response.Body())
	}
	s.metrics.observe(route, ctx.Method(), status, now.Sub(started))
	s.opts.Access.Log(&logging.Request{
		Time: now.UTC(), ID: id, Method: ctx.Method(), Path: s.logPath(path), Status: status,
		Size: size, Duration: now.Sub(started),
	})
}

// logPath returns what the log may have of a path.
func (s *Server) logPath(path []byte) []byte {
	if s.opts.LogPath == nil {
		return path
	}
	return s.opts.LogPath(path)
}

func internalError(ctx *fasthttp.RequestCtx) {
	ctx.Response.ResetBody()
	writeError(ctx, fasthttp.StatusInternalServerError, "internal server error")
}

// writeError answers with one of our own texts, which need no escaping.
func writeError(ctx *fasthttp.RequestCtx, status int, message string) {
	ctx.SetStatusCode(status)
	ctx.SetContentType("application/json")
	ctx.SetBodyString(`{"error":"` + message + `"}`)
}

// parseable reports whether the adaptor can make a request of a target.
func parseable(uri []byte) bool {
	_, err := url.ParseRequestURI(string(uri))
	return err == nil
}
