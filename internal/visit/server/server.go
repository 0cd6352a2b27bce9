// Package server is the listener, or with TLS the two. It splits requests between the data plane
// and the control plane, and does for both what every request needs: client address, request ID,
// access log, metrics, panic recovery, limits of connections and sizes, and an ordered stop. It
// cuts the path of the base URL off requests.
//
// A connection begins in the fast path (package fastpath), which answers plain redirects. With the
// first request of another kind it goes to net/http (stay.go), which serves both planes, and comes
// back when it is idle. A guard in front of net/http (guard.go) reads the head of each request, and
// refuses what a proxy in front could read in another way. Fuzz tests compare the fast path and the
// guard with net/http.
//
// A connection of TLS (secure.go) begins with its handshake, in a goroutine. Then it goes the same
// way, unless it is one of HTTP/2: net/http serves those from end to end, and the guard has no part
// in it, because frames can't be read in two ways. The plain listener beside it leads to https.
//
// A request's host decides its domain, and with the path who answers (domains.go).
//
// The package knows no route but through the functions it is given, and no short code.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"terse"
	"terse/internal/logging"
	"terse/internal/visit/redirect"
	"terse/internal/visit/server/fastpath"
)

// Limits of one connection and of one request. A request beyond them gets a JSON error.
const (
	// maxBodyBytes bounds a request's body, unless Options.BodyLimit says more: 413 beyond it. It
	// is ten times what a password takes, and enough for a token.
	maxBodyBytes = 4 << 10
	// maxConns bounds all connections together, and the requests of HTTP/2 that are being answered.
	// An idle one costs 1 KiB, 10 KiB with TLS, 22 KiB with HTTP/2; 32 KiB more for a second after
	// an answer by net/http. One that has sent a part of a request costs 20 KiB, up to 64 KiB if
	// that part is made for it, so all of them 2 GiB at most; with a valid token, up to 8 MiB more
	// of a body that has come.
	maxConns = 32 << 10
	// readTimeout is for the head of one request, from its first byte, and for its body once more.
	// Of a body that may be longer than maxTimedBody, each part gets it, and each bodyPart of it
	// bodyPartTime: 1 GiB may take three days, a few bytes now and then may not.
	readTimeout  = 10 * time.Second
	maxTimedBody = 8 << 20
	bodyPart     = 1 << 20
	bodyPartTime = 5 * time.Minute
	// writeTimeout is for one whole answer.
	writeTimeout = 30 * time.Second
	// idleTimeout is for the next request on an open connection.
	idleTimeout = 60 * time.Second
	// nextWait is how long a connection waits for its next request before it goes back to the fast
	// path. To go there and come back takes as long as many an answer.
	nextWait = time.Second
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
	// Serve answers any other request, whose body is in memory. Of v it gets path, domain and
	// visitor. Its error is for the log.
	Serve(w http.ResponseWriter, r *http.Request, v redirect.Visit) error
}

// Options are a Server's parts; all are needed but TrustedProxies, and Everywhere without Asked.
type Options struct {
	Redirect DataPlane
	// Control is the control plane. It sees the client's address as RemoteAddr, and leaves
	// the route's pattern in the request's Pattern.
	Control  http.Handler
	Reserved []string // the first path segments that the control plane routes
	// Asked returns which domain a request's host names, and whether nothing is served there; nil:
	// there is only one. Everywhere reports whether the control plane serves a path at all of them.
	Asked      func(host []byte) (d terse.Domain, closed bool)
	Several    func() bool // domains, so that the log names hosts; nil: never
	Everywhere func(path []byte) bool
	// BasePath, such as "/go", is cut off the paths of requests that begin with it, before anything
	// else sees them; "": nothing is.
	BasePath string
	// BodyLimit returns what bounds the body of a request to the control plane, in bytes; nil, or
	// less than 4 KiB: 4 KiB. Where it is more, the control plane reads the body, and looks at who
	// asks before it does so.
	BodyLimit func(method string, path []byte) int

	// LogPath returns what the log may have of a request's path; nil: all of it.
	LogPath func(path []byte) []byte

	Synced bool // answers to redirects wait for a disk: see DataPlane.Commit
	// a look-up waits for a network, and many at once cost little more than one
	RemoteLinks bool
	// how many goroutines serve redirects, on Linux, each of which can fill a core; 0: 1
	Loops          int
	TrustedProxies []netip.Prefix // peers whose X-Forwarded-For is believed
	// open connections of one address, trusted proxies excepted; 0: no bound
	MaxConnsPerClient int
	Access            *logging.Access
	Logger            *slog.Logger
	TLS               *TLS // nil: there is only the plain listener
	StackTraces       bool // in the log record of a panic
	Metrics           prometheus.Registerer
}

// Server answers HTTP on one listener.
type Server struct {
	opts     Options
	reserved map[string]bool
	http     *http.Server // answers what the fast path leaves
	general  connListener // its connections
	unread   arrivals     // those with a request
	fast     *fastpath.Server
	// closed when the fast path has no connection any more, and gets none
	handedOver chan struct{}
	conns      *connTable
	secure     *secureListener // nil without TLS
	metrics    *metrics
}

// New returns a Server.
func New(opts Options) *Server {
	s := &Server{
		opts: opts, reserved: map[string]bool{}, handedOver: make(chan struct{}),
		general: make(connListener),
		conns:   newConnTable(opts.MaxConnsPerClient, opts.TrustedProxies),
	}
	s.fast = newFastPath(s, idleTimeout)
	for _, segment := range opts.Reserved {
		s.reserved[segment] = true
	}
	s.metrics = newMetrics(opts.Metrics, s.conns)
	s.http = &http.Server{
		Handler:                      http.HandlerFunc(s.serve),
		ConnContext:                  withConn,
		ConnState:                    stateChanged,
		MaxHeaderBytes:               maxHeaderBytes,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(opts.Logger.Handler(), slog.LevelDebug),
	}
	if fastpath.TakesBack {
		s.http.IdleTimeout = nextWait
	}
	if opts.TLS != nil {
		s.secure = newSecureListener(s)
	}
	return s
}

// bodyLimit returns what bounds the body of a request, in bytes.
func (s *Server) bodyLimit(by answerer, method string, path []byte) int64 {
	if s.opts.BodyLimit == nil || by != controlPlane {
		return maxBodyBytes
	}
	return int64(max(maxBodyBytes, s.opts.BodyLimit(method, path)))
}

// Serve answers connections from ln, and of TLS, until Shutdown.
func (s *Server) Serve(ln net.Listener) error {
	defer close(s.handedOver)
	var general sync.WaitGroup
	general.Go(func() { _ = s.http.Serve(s.general) }) // returns when the listener is closed
	ended := s.secure.serve()
	err := s.fast.Serve(ln)
	if err != nil {
		err = fmt.Errorf("serve %s: %w", ln.Addr(), err)
	}
	err = errors.Join(err, ended())
	close(s.general)
	general.Wait()
	return err
}

// Shutdown stops accepting, lets the requests under way finish, and closes what is still
// open when ctx ends. After it no handler runs any more, unless the error says so.
func (s *Server) Shutdown(ctx context.Context) error {
	s.fast.Stop()
	s.secure.hurry()
	s.http.SetKeepAlivesEnabled(false) // closes those that wait for a next request
	err := s.drain(ctx)
	s.conns.closeAll()
	if err == nil {
		return nil
	}
	last, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return s.drain(last)
}

// drain waits until all connections have ended, each after the request in progress. The fast path
// comes first, because it may still hand some over.
func (s *Server) drain(ctx context.Context) error {
	select {
	case <-s.handedOver:
		s.unread.await(ctx)
		return errors.Join(s.http.Shutdown(ctx), s.secure.shutdown(ctx))
	case <-ctx.Done():
		return ctx.Err()
	}
}

// handOn gives a connection to net/http.
func (s *Server) handOn(c *stay) {
	s.unread.add(c)
	s.general <- c
}

// serve answers one request that net/http has read.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	started, method := time.Now(), r.Method
	var c peerConn
	var refused *refusal
	stays, ofHTTP1 := connOf(r).(*stay)
	if !ofHTTP1 {
		c = stream{http.NewResponseController(w), connOf(r)}
		s.secure.unread.remove(connOf(r))
		var leave func()
		leave, refused = s.conns.addStream(peerAddr(c.RemoteAddr()))
		defer leave()
	} else {
		c = stays
		s.unread.remove(stays)
		if sent := stays.replaced; sent != nil {
			method, r.RequestURI, refused = sent.method, sent.target, sent.refused
		}
	}
	sent := pathOf([]byte(r.RequestURI))
	path := s.below(sent)
	host := hostOf([]byte(r.RequestURI), []byte(r.Host))
	domain, by := s.route(path, host)
	if refused != nil && ofHTTP1 {
		host = nil // the request has another one in its place
	}
	id := requestID(w, r)
	b := newBody(c, r, s.bodyLimit(by, method, path))
	a := &answer{ResponseWriter: w, conn: c, body: b, hsts: s.secure.hstsFor(c)}
	route, answered := routeUnmatched, false
	defer func() {
		problem := recover()
		err, _ := problem.(error)
		if problem != nil && !errors.Is(err, http.ErrAbortHandler) {
			s.panicked(problem, id)
			if a.status == 0 {
				a.refuse(internalError)
				problem = nil
			}
		}
		if answered {
			route = r.Pattern
		}
		if method == http.MethodHead {
			a.size = 0
		}
		now := time.Now()
		s.answered([]byte(id), []byte(method), host, path, route, a.status, a.size, now,
			now.Sub(started))
		if a.hangsUp {
			stays.fate.CompareAndSwap(isOpen, ends) // nothing more is read
		}
		if problem != nil {
			panic(http.ErrAbortHandler)
		}
	}()
	if refused == nil {
		refused = b.arrive()
	}
	if refused != nil {
		a.refuse(refused)
		return
	}
	if b.length < 0 {
		a.hangUp() // the guard does not see where such a request ends
	}
	if s.secure.leadsFrom(c) && s.secure.lead(a, r, path, by) {
		return
	}
	visitor := s.client(c, r)
	if by == controlPlane {
		answered = true
		r = forControl(r, visitor, b.long())
		if len(path) < len(sent) {
			r.URL = s.urlBelow(r.URL)
		}
		s.opts.Control.ServeHTTP(a, r)
		if a.status == 0 {
			a.WriteHeader(http.StatusOK)
		}
		return
	}
	route = routeRedirect
	if err := s.opts.Redirect.Serve(a, r, redirect.Visit{
		Path: path, Domain: domain, Nothing: by >= nobody, Visitor: visitor,
	}); err != nil {
		s.opts.Logger.Error("redirect", "request_id", id, "error", err)
	}
}

// forControl returns a request as the control plane gets it. The context of a GET or HEAD, and of a
// request with a long body, ends when its client goes away, or closes its own half of the
// connection; any other request is completed even if its client does not wait.
func forControl(r *http.Request, client redirect.Visitor, longBody bool) *http.Request {
	if r.Method != http.MethodGet && r.Method != http.MethodHead && !longBody {
		r = r.WithContext(context.WithoutCancel(r.Context()))
	}
	r.RemoteAddr = netip.AddrPortFrom(client.Addr, 0).String()
	if !client.Trusted {
		r.Header.Del("X-Forwarded-Proto") // anybody can say so
	}
	return r
}

func (s *Server) panicked(problem any, id string) {
	attrs := []any{"request_id", id, "error", problem}
	if s.opts.StackTraces {
		attrs = append(attrs, "stack", string(debug.Stack()))
	}
	s.opts.Logger.Error("panic while answering a request", attrs...)
}

var internalError = &refusal{http.StatusInternalServerError, "internal server error"}

// answered counts and logs a request whose answer is complete.
func (s *Server) answered(id, method, host, path []byte, route string, status, size int,
	now time.Time, took time.Duration,
) {
	s.metrics.observe(route, method, status, took)
	if s.opts.Several == nil || !s.opts.Several() {
		host = nil
	}
	s.opts.Access.Log(&logging.Request{
		Time: now.UTC(), ID: id, Method: method, Host: host, Path: s.logPath(path), Status: status,
		Size: size, Duration: took,
	})
}

// logPath returns what the log may have of a path.
func (s *Server) logPath(path []byte) []byte {
	if s.opts.LogPath == nil {
		return path
	}
	return s.opts.LogPath(path)
}
