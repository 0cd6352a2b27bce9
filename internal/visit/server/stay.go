package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"terse/internal/visit/server/fastpath"
)

// Bounds of reading and discarding for a peer that is still sending when its request is refused.
const (
	lingerTime  = time.Second
	lingerBytes = 8 << 20
)

// Sizes of a stay's buffer in bytes. A short head fits into firstBuffer. A buffer larger than
// keptBuffer is released while a request is answered.
const (
	firstBuffer = 1 << 10
	keptBuffer  = 4 << 10
)

// stay is a connection while net/http serves it. What net/http reads has passed the guard: the head
// of one request at a time, when it is whole, and its body. In place of a request that is refused
// it reads another one, which Server.serve answers with the refusal.
//
// net/http reads with one goroutine at a time, which owns the fields, but for fate: Close may be
// called by another one.
type stay struct {
	*fastpath.Handed
	server *Server

	buf   []byte // bytes read from the peer
	at    int    // how many of them net/http has read
	until int    // how many it may read
	body  int64  // bytes of a body that follow the buffer

	replaced  *replaced // the request's first line; nil: net/http has read the peer's own
	answering bool      // net/http has read a head, and has not answered it yet
	again     bool      // it has answered one

	fate atomic.Uint32
}

// replaced is the request line that net/http did not see. Unknown methods and targets are "-".
type replaced struct {
	method, target string
	refused        *refusal // why; nil: the target is none for net/http
}

// What becomes of a connection. Once it is no longer open, net/http reads EOF.
const (
	isOpen   uint32 = iota
	ends            // after an answer that the peer did not wait for
	goesBack        // to the fast path
	isClosed
)

// connOf returns a request's connection.
func connOf(r *http.Request) net.Conn {
	c, _ := r.Context().Value(connKey{}).(net.Conn) // see withConn
	return c
}

type connKey struct{}

// withConn is an http.Server's ConnContext.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// stateChanged is an http.Server's ConnState.
func stateChanged(c net.Conn, state http.ConnState) {
	if s, ok := c.(*stay); ok && state == http.StateIdle {
		s.answering, s.again = false, true
	}
}

// Read lets net/http read what has passed the guard.
func (s *stay) Read(p []byte) (n int, err error) {
	if s.fate.Load() != isOpen {
		return 0, io.EOF
	}
	if s.at == s.until && s.body == 0 {
		if s.answering {
			return 0, s.watch()
		}
		if err := s.nextHead(); err != nil {
			return 0, err
		}
	}
	if s.at == s.until {
		n, err = s.Conn.Read(p[:min(int64(len(p)), s.body)])
		s.body -= int64(n)
		return n, err
	}
	n = copy(p, s.buf[s.at:s.until])
	if s.at += n; s.at == len(s.buf) {
		s.buf, s.at, s.until = s.buf[:0], 0, 0
		if cap(s.buf) > keptBuffer {
			s.buf = nil
		}
	}
	return n, nil
}

// watch returns an error when the peer leaves while its request is answered: net/http reads then
// only to notice that. If the peer sends more, it is still there, and net/http reads nothing of
// that yet.
func (s *stay) watch() error {
	if s.at < len(s.buf) {
		return nil
	}
	return s.fill()
}

// nextHead waits for the next request's head, and lets net/http read it. net/http ends at an error.
func (s *stay) nextHead() error {
	s.buf = s.buf[:copy(s.buf, s.buf[s.at:])]
	s.at, s.until, s.replaced = 0, 0, nil
	var h head
	for timed := false; ; {
		if n := emptyLines(s.buf); n > 0 {
			s.buf = s.buf[:copy(s.buf, s.buf[n:])]
		}
		whole, refused := h.read(s.buf)
		switch {
		case refused != nil:
			s.refuse(&h, refused)
			return nil
		case whole:
			return s.pass(&h)
		case len(s.buf) > 0 && !timed:
			timed = true
			_ = s.SetReadDeadline(time.Now().Add(s.server.http.ReadTimeout))
		}
		if err := s.fill(); err != nil {
			return s.noMore(&h, err)
		}
	}
}

// fill reads more of the peer. The guard has refused a head that fills the largest buffer.
func (s *stay) fill() error {
	if len(s.buf) == cap(s.buf) {
		grown := make([]byte, len(s.buf), min(max(firstBuffer, 2*len(s.buf)), maxHeaderBytes))
		copy(grown, s.buf)
		s.buf = grown
	}
	n, err := s.Conn.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	return err
}

// noMore ends the wait for a head. Half of one is refused. A connection that has only waited goes
// back to the fast path.
func (s *stay) noMore(h *head, err error) error {
	begun, late := len(s.buf) > 0, errors.Is(err, os.ErrDeadlineExceeded)
	switch {
	case begun && late:
		s.refuse(h, tooLate)
		return nil
	case begun && errors.Is(err, io.EOF):
		s.refuse(h, malformed)
		return nil
	case late && s.again:
		s.fate.CompareAndSwap(isOpen, goesBack)
	}
	return err
}

// pass lets net/http read a request, unless it is for the fast path: a proxy may send requests for
// both planes on one connection, without ever a pause. (The first of a stay is one that the fast
// path has declined.)
func (s *stay) pass(h *head) error {
	path := s.server.below(pathOf(h.target))
	_, by := s.server.route(path, hostOf(h.target, h.host))
	if fastpath.TakesBack && s.again && by == dataPlane && string(h.method) == http.MethodGet &&
		!h.http10 && h.body == 0 {
		s.fate.CompareAndSwap(isOpen, goesBack)
		return io.EOF
	}
	if !isURL(h.method, h.target) {
		// For redirects it is a path like any other, which leads nowhere.
		if by == controlPlane {
			s.refuse(h, badTarget)
			return nil
		}
		s.replaced = &replaced{method: string(h.method), target: string(h.target)}
		h.hide()
	}
	come := min(h.body, int64(len(s.buf)-h.length))
	s.until, s.body, s.answering = h.length+int(come), h.body-come, true
	s.server.unread.add(s)
	return nil
}

// refuse lets net/http read another request instead of the one that is refused.
func (s *stay) refuse(h *head, why *refusal) {
	method := http.MethodGet
	s.replaced = &replaced{method: "-", target: "-", refused: why}
	if h.target != nil {
		method = string(h.method)
		s.replaced.method, s.replaced.target = method, string(h.target)
	}
	var id string
	if visibleASCII(h.id) {
		id = "X-Request-Id: " + string(h.id) + "\r\n"
	}
	s.buf = fmt.Appendf(nil, "%s / HTTP/1.1\r\nHost: x\r\n%s\r\n", method, id)
	s.at, s.until, s.body, s.answering = 0, len(s.buf), 0, true
	s.server.unread.add(s)
}

// Close gives a connection that waits for a request back to the fast path, and closes any other.
func (s *stay) Close() error {
	s.server.unread.remove(s)
	fate := s.fate.Swap(isClosed)
	if fate == isClosed || fate == goesBack && s.GiveBack(s.buf) {
		return nil
	}
	if c, ok := s.Conn.(halfCloser); ok && fate == ends && !s.server.fast.Stopping() {
		// A close with unread data in the way would reset the connection and could take the answer
		// with it (RFC 9112, 9.6).
		linger(c)
	}
	return s.Handed.Close()
}

// halfCloser is a connection of TCP or TLS.
type halfCloser interface {
	net.Conn
	CloseWrite() error
}

// linger lets the peer read an answer to what it is still sending.
func linger(c halfCloser) {
	_ = c.CloseWrite()
	_ = c.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.Copy(io.Discard, io.LimitReader(c, lingerBytes))
}
