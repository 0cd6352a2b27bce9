package server

import (
	"net"
	"net/netip"
	"time"

	"terse/internal/visit/redirect"
	"terse/internal/visit/server/fastpath"
)

// fastHost is what the fast path needs of the server.
type fastHost struct{ *Server }

func newFastPath(s *Server, idle time.Duration) *fastpath.Server {
	return fastpath.New(fastpath.Options{
		HSTS: s.opts.TLS.hsts(),
		Host: fastHost{s}, HeaderNames: s.opts.Redirect.HeaderNames(), Loops: s.opts.Loops,
		Synced: s.opts.Synced, OnlySecure: s.opts.TLS != nil,
		RemoteLinks: s.opts.RemoteLinks, WriteTimeout: writeTimeout, IdleTimeout: idle,
		Logger: s.opts.Logger,
	})
}

func (h fastHost) Enter(peer netip.Addr, c fastpath.Conn) (seat fastpath.Seat, refusal string) {
	return h.conns.add(peer, c)
}

func (h fastHost) Route(v *redirect.Visit, host []byte) (elsewhere bool) {
	var by answerer
	v.Path = h.below(v.Path)
	v.Domain, by = h.route(v.Path, host)
	return by != dataPlane
}

// Answer asks the data plane. After a panic it answers like the rest of the server.
func (h fastHost) Answer(r *fastpath.Request) (a redirect.Answer) {
	if !visibleASCII(r.ID) {
		putUUID(&r.NewID)
		r.ID = r.NewID[:]
	}
	defer func() {
		if problem := recover(); problem != nil {
			h.panicked(problem, string(r.ID))
			a = redirect.Answer{Reply: redirect.Failed}
		}
	}()
	if r.Trusted {
		r.Addr = h.forwardedFor(r.Addr, r.Forwarded)
	}
	return h.opts.Redirect.Answer(&r.Visit, r.Attempt)
}

func (h fastHost) Commit() {
	if err := h.opts.Redirect.Commit(); err != nil {
		h.opts.Logger.Error("redirect", "error", err)
	}
}

var methodGet = []byte("GET")

func (h fastHost) Answered(r *fastpath.Request, a *redirect.Answer, now time.Time,
	took time.Duration,
) {
	if a.Err != nil {
		h.opts.Logger.Error("redirect", "request_id", string(r.ID), "error", a.Err)
	}
	h.answered(r.ID, methodGet, r.Host, r.Path, routeRedirect, a.Status, len(a.Body), now, took)
}

// HandOver gives a connection to net/http.
func (h fastHost) HandOver(c *fastpath.Handed, unread []byte) {
	if len(unread) == 0 && c.Secure() != nil {
		h.secure.handOver(c)
		return
	}
	h.handOn(&stay{Handed: c, server: h.Server, buf: unread})
}

// connListener is net/http's listener: connections that the fast path hands over. It ends when the
// channel is closed.
type connListener chan net.Conn

func (l connListener) Accept() (net.Conn, error) {
	if c, ok := <-l; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

// Close does nothing: net/http closes its listeners when it ends, and does not end before this one.
func (connListener) Close() error { return nil }

// Addr returns the zero address. Nothing asks for it.
func (connListener) Addr() net.Addr { return &net.TCPAddr{} }
