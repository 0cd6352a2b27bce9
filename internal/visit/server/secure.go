package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"terse/internal/visit/server/fastpath"
)

// TLS is the listener for encrypted connections. The plain one then leads there.
type TLS struct {
	Listener net.Listener
	// Config has GetCertificate, which returns nil and no error for a name that is not served. In
	// NextProtos are protocols beside those of HTTP, such as acme-tls/1. A connection of one of
	// them ends after the handshake.
	Config *tls.Config
	// Hosts are those that the plain listener leads to if a request names one of them, and to the
	// first if not: in lower case, IPv6 addresses without brackets. Port is their port, "" for 443.
	Hosts []string
	Port  string
	// Plain reports whether the plain listener also serves a path of the control plane.
	Plain func(path []byte) bool
	// Challenge, if set, answers a GET to the plain listener if a CA sent it, and reports whether
	// that was so.
	Challenge func(w http.ResponseWriter, r *http.Request) bool
	// HSTS is for how long browsers are told to use https only, in whole seconds; 0: they are not.
	HSTS time.Duration
}

// hsts returns the value of Strict-Transport-Security, or nil.
func (t *TLS) hsts() []byte {
	if t == nil || t.HSTS <= 0 {
		return nil
	}
	return strconv.AppendInt([]byte("max-age="), int64(t.HSTS/time.Second), 10)
}

// Bounds of what clients of TLS may ask for.
const (
	// handshakeTimeout is for a whole handshake. Until it ends, a connection costs 20 KiB, up to
	// 64 KiB if what it sends is made for it.
	handshakeTimeout = 10 * time.Second
	// lastMoment is for handshakes that are under way when the server stops, and once more for the
	// first request of a new connection, which no client sends again by itself.
	lastMoment = time.Second
	// streamsAtOnce bounds the requests of one connection of HTTP/2 that are answered at a time.
	// RFC 9113, 6.5.2, recommends no less. All of a client count as its connections, too.
	streamsAtOnce = 100
	// streamBuffer bounds what is received of them and not read yet, in bytes: one connection can
	// hold as much, and an upload needs some to be quick.
	streamBuffer = 256 << 10
)

// secureListener serves encrypted connections. A nil one has none.
type secureListener struct {
	server *Server
	opts   *TLS
	config *tls.Config
	hsts   []string // the field's value
	http   *http.Server
	http2  connListener // its connections
	unread arrivals     // those without a request
	failed *prometheus.CounterVec
	// turns bounds how many handshakes compute at a time: as many as there are processors, so that
	// any number of them leaves time for others.
	turns chan struct{}
	grace time.Duration // lastMoment

	mu       sync.Mutex            // guards what follows
	patience time.Duration         // for a handshake
	greeted  map[net.Conn]struct{} // in a handshake
	stopped  time.Time             // when the server began to stop
}

func newSecureListener(s *Server) *secureListener {
	l := &secureListener{
		server: s, opts: s.opts.TLS, config: s.opts.TLS.Config.Clone(),
		http2: make(connListener), turns: make(chan struct{}, max(1, s.opts.Loops)),
		failed: newFailures(s.opts.Metrics), grace: lastMoment, patience: handshakeTimeout,
		greeted: map[net.Conn]struct{}{},
	}
	l.config.MinVersion = tls.VersionTLS12
	l.config.GetCertificate = noting(l.config.GetCertificate)
	l.config.NextProtos = append([]string{"h2", "http/1.1"}, l.config.NextProtos...)
	if hsts := l.opts.hsts(); hsts != nil {
		l.hsts = []string{string(hsts)}
	}
	general := s.http
	l.http = &http.Server{
		Handler: general.Handler, ConnContext: withConn, MaxHeaderBytes: maxHeaderBytes,
		ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		ErrorLog: general.ErrorLog, Protocols: new(http.Protocols),
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          streamsAtOnce,
			MaxReceiveBufferPerConnection: streamBuffer, MaxReceiveBufferPerStream: streamBuffer,
			WriteByteTimeout: writeTimeout,
		},
		DisableGeneralOptionsHandler: true,
		ConnState:                    l.unread.changed,
	}
	l.http.Protocols.SetHTTP2(true)
	return l
}

// serve accepts connections. The function that it returns waits until that has ended.
func (l *secureListener) serve() (ended func() error) {
	if l == nil {
		return func() error { return nil }
	}
	var err error
	var accepting, http2 sync.WaitGroup
	http2.Go(func() { _ = l.http.Serve(l.http2) }) // returns when the listener is closed
	accepting.Go(func() {
		err = l.server.fast.Accept(l.opts.Listener, func(h *fastpath.Handed, refusal string) {
			if refusal != "" { // which the client could not read
				_ = h.Close()
				return
			}
			accepting.Go(func() {
				growStack()
				l.greet(h)
			})
		})
	})
	return func() error {
		accepting.Wait()
		close(l.http2)
		http2.Wait()
		if err != nil {
			return fmt.Errorf("serve %s: %w", l.opts.Listener.Addr(), err)
		}
		return nil
	}
}

// growStack makes the stack as large as a handshake needs, at once. Growing it step by step takes a
// twentieth of the handshake.
//
//go:noinline
func growStack() byte {
	var room [10 << 10]byte
	return room[time.Now().Nanosecond()&1]
}

// greet makes a connection secure, and passes it on.
func (l *secureListener) greet(h *fastpath.Handed) {
	raw := h.Conn
	l.enter(raw)
	var wants asked
	ctx := context.WithValue(context.Background(), askedKey{}, &wants)
	err := h.Handshake(ctx, l.config, l.turns)
	l.leave(raw)
	if err != nil {
		l.failed.WithLabelValues(wants.reason(err)).Inc()
		l.server.opts.Logger.Debug("TLS handshake", "address", raw.RemoteAddr().String(),
			"error", err)
		if wrong, ok := errors.AsType[tls.RecordHeaderError](err); ok && isHTTP(wrong) {
			sayHTTPS(raw)
		}
		_ = h.Close()
		return
	}
	_ = raw.SetDeadline(time.Time{})
	switch secure := h.Secure(); secure.ConnectionState().NegotiatedProtocol {
	case "h2":
		l.http2 <- secure
	case "", "http/1.1":
		l.begin(h)
	default:
		_ = h.Close()
	}
}

// begin gives a connection of HTTP/1.1 to the fast path, or else to net/http.
func (l *secureListener) begin(h *fastpath.Handed) {
	if !h.GiveBack(nil) {
		l.handOver(h)
	}
}

// handOver gives a connection without a request to net/http. If the server stops, only for a
// request that comes soon.
func (l *secureListener) handOver(h *fastpath.Handed) {
	s := &stay{Handed: h, server: l.server}
	if l.server.fast.Stopping() {
		_ = h.SetReadDeadline(time.Now().Add(l.grace))
		if err := s.fill(); err != nil {
			_ = h.Close()
			return
		}
	}
	l.server.handOn(s)
}

func (l *secureListener) enter(raw net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = raw.SetDeadline(time.Now().Add(l.patience))
	l.greeted[raw] = struct{}{}
}

func (l *secureListener) leave(raw net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.greeted, raw)
}

// hurry makes handshakes end soon, because the server stops.
func (l *secureListener) hurry() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.patience, l.stopped = l.grace, time.Now()
	for raw := range l.greeted {
		_ = raw.SetDeadline(l.stopped.Add(l.grace))
	}
}

// shutdown waits until all connections of HTTP/2 have ended, those without a request after a
// moment.
func (l *secureListener) shutdown(ctx context.Context) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	until := l.stopped.Add(2 * l.grace) // the last handshake may take one
	l.mu.Unlock()
	first, cancel := context.WithDeadline(ctx, until)
	l.unread.await(first)
	cancel()
	return l.http.Shutdown(ctx)
}

// isHTTP reports whether a client that did not begin a handshake began a request instead.
func isHTTP(err tls.RecordHeaderError) bool {
	return err.Conn != nil && slices.Contains(
		[]string{"GET /", "HEAD ", "POST ", "PUT /", "OPTIO", "PATCH", "DELET"},
		string(err.RecordHeader[:]))
}

var onlyHTTPS = &refusal{http.StatusBadRequest, "this port serves HTTPS only"}

// sayHTTPS answers a request that is not encrypted.
func sayHTTPS(raw net.Conn) {
	body := onlyHTTPS.json()
	_, _ = fmt.Fprintf(raw, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: "+
		"application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	if tcp, ok := raw.(halfCloser); ok {
		linger(tcp)
	}
}

// stream is a request's connection with HTTP/2: others use it, too, so deadlines are of the request
// only.
type stream struct {
	*http.ResponseController
	conn net.Conn
}

func (s stream) RemoteAddr() net.Addr { return s.conn.RemoteAddr() }

var apiNeedsHTTPS = &refusal{
	http.StatusForbidden, "this server takes API requests over HTTPS only",
}

// leadsFrom reports whether a connection is one of the plain listener beside this one.
func (l *secureListener) leadsFrom(c peerConn) bool {
	s, ok := c.(*stay)
	return l != nil && ok && s.Secure() == nil
}

// hstsFor returns the value of Strict-Transport-Security for answers on a connection, or nil.
func (l *secureListener) hstsFor(c peerConn) []string {
	if l == nil || l.leadsFrom(c) {
		return nil
	}
	return l.hsts
}

// lead answers a request to the plain listener, but for those that that serves too. It reports
// whether it did.
func (l *secureListener) lead(a *answer, r *http.Request, path []byte, by answerer) (done bool) {
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case read && l.opts.Challenge != nil && l.opts.Challenge(a, r):
		return true
	case by == closed:
		return false // rather than to lead to the same address at another host
	case !read || r.Header["Authorization"] != nil || strings.HasPrefix(string(path), "/api/"):
		// Whoever sent a token in the clear shall notice.
		a.refuse(apiNeedsHTTPS)
		return true
	case l.opts.Plain(path):
		return false
	}
	a.Header().Set("Location", l.address(r))
	a.WriteHeader(http.StatusPermanentRedirect)
	return true
}

// address returns the https URL of what a request asks for.
func (l *secureListener) address(r *http.Request) string {
	u := url.URL{Host: r.Host}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if !slices.Contains(l.opts.Hosts, host) {
		host = l.opts.Hosts[0]
	}
	switch {
	case l.opts.Port != "":
		host = net.JoinHostPort(host, l.opts.Port)
	case strings.Contains(host, ":"):
		host = "[" + host + "]"
	}
	target := r.RequestURI
	if !strings.HasPrefix(target, "/") { // with scheme and authority
		_, target, _ = strings.Cut(target, "://")
		at := strings.IndexAny(target, "/?")
		if at < 0 {
			at = len(target)
		}
		if target = target[at:]; !strings.HasPrefix(target, "/") {
			target = "/" + target
		}
	}
	return "https://" + host + target
}
