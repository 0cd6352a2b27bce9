package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"terse/internal/server/fastpath"
)

// Bounds of what is read and thrown away for a peer that is still sending when its request
// was refused.
const (
	lingerTime  = time.Second
	lingerBytes = 8 << 20
)

// Sizes of a stay's buffer in bytes: a short head fits into the first, and what is larger than
// keptBuffer is not kept while a request is answered.
const (
	firstBuffer = 1 << 10
	keptBuffer  = 4 << 10
)

// stay is a connection while net/http serves it. What net/http reads has passed the guard: the
// heads of requests one at a time, each when it is whole, and its body. What the guard refuses is
// answered when net/http closes the connection, for it sees an end.
//
// net/http reads with one goroutine at a time, which owns the fields without a comment. Close may
// be called by others, too, while no request is answered.
type stay struct {
	*fastpath.Handed
	server *Server

	buf   []byte // what was read of the peer: begins with a head
	at    int    // net/http has read so much of it
	until int    // it may read so much
	head  head
	body  int64 // bytes that follow the buffer, and are not the guard's to read
	// target is that of the request if net/http would not take it; else "". It gets another one.
	target string
	// active is set while net/http answers a request: it then reads ahead, to see whether its
	// client is still there. It gets one byte, of which it can make nothing before the next come.
	active bool
	ahead  bool // it has got that byte
	rested bool // net/http waits, or has waited, for a second request
	timed  bool // the time for the head is running

	answering bool // our handler answers, not net/http; the handler's

	mu      sync.Mutex // guards closed
	closed  bool
	then    atomic.Uint32 // what becomes of the connection; an end for net/http unless it is 0
	refused *refusal      // set before then is
}

// What becomes of a connection.
const (
	ends uint32 = iota + 1
	goesBack
	isRefused
)

// Read lets net/http read what has passed the guard.
func (s *stay) Read(p []byte) (n int, err error) {
	if s.then.Load() != 0 {
		return 0, io.EOF
	}
	if s.at == s.until && s.body == 0 {
		if err := s.nextHead(); err != nil {
			return 0, err
		}
	}
	if s.at < s.until {
		n = copy(p, s.buf[s.at:s.until])
		s.at += n
	} else {
		n, err = s.Handed.Read(p[:min(int64(len(p)), s.body)])
		s.body -= int64(n)
	}
	if s.at == len(s.buf) && cap(s.buf) > keptBuffer && !s.ahead {
		s.buf, s.at, s.until = nil, 0, 0
	}
	return n, err
}

// nextHead lets net/http read the next request's head when it is whole, with what has come of the
// body.
func (s *stay) nextHead() error {
	if !s.ahead {
		s.buf = append(s.buf[:0], s.buf[s.at:]...)
		s.at, s.until, s.head = 0, 0, head{}
	}
	for {
		if !s.ahead {
			s.buf = s.buf[:copy(s.buf, s.buf[emptyLines(s.buf):])]
		}
		if s.active && !s.ahead && (len(s.buf) > 1 || len(s.buf) == 1 && s.buf[0] != '\r') {
			s.ahead, s.until = true, 1
			return nil
		}
		whole, refused := s.head.read(s.buf)
		if refused != nil {
			return s.refuse(refused)
		}
		if whole {
			break
		}
		if !s.timed && len(s.buf) > 0 {
			s.timed = true
			_ = s.SetReadDeadline(time.Now().Add(s.server.http.ReadTimeout))
		}
		if err := s.fill(); err != nil {
			return s.noMore(err)
		}
	}
	if s.isForFastPath() {
		s.then.Store(goesBack)
		return io.EOF
	}
	if s.target = ""; !isURL(s.head.target) {
		s.target = string(s.head.target)
		for i := range s.head.target {
			s.head.target[i] = '/'
		}
	}
	length := int64(s.head.length)
	s.until = int(min(int64(len(s.buf)), length+min(s.head.body, endless-length)))
	if s.body = s.head.body; s.body != endless {
		s.body -= int64(s.until) - length
	}
	s.ahead = false
	return nil
}

// isURL reports whether net/http takes a target for one, as far as its escapes go. One with a bad
// escape is here a path like any other, which leads nowhere.
func isURL(target []byte) bool {
	if bytes.IndexByte(target, '%') < 0 {
		return true
	}
	_, err := url.ParseRequestURI(string(target))
	return err == nil
}

// fill reads more of the peer. The guard has refused a head that fills the largest buffer.
func (s *stay) fill() error {
	if len(s.buf) == cap(s.buf) {
		grown := make([]byte, len(s.buf), min(max(firstBuffer, 2*len(s.buf)), maxHeaderBytes))
		copy(grown, s.buf)
		s.buf = grown
	}
	n, err := s.Handed.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	return err
}

// noMore returns what net/http is told when nothing more comes of a head. Half a request is
// answered; a connection that waits for one goes back to the fast path.
func (s *stay) noMore(err error) error {
	begun, late := s.ahead || len(s.buf) > 0, errors.Is(err, os.ErrDeadlineExceeded)
	switch {
	case s.active: // the client has left, or was answered
	case begun && late:
		return s.refuse(tooLate)
	case begun && errors.Is(err, io.EOF):
		return s.refuse(malformed)
	case late && s.rested:
		s.then.Store(goesBack)
	}
	return err
}

// isForFastPath reports whether a connection that has waited for its second request should go back
// with it. A proxy may send requests for both planes on one connection, without ever a pause.
func (s *stay) isForFastPath() bool {
	return fastpath.TakesBack && s.rested && !s.ahead && string(s.head.method) == http.MethodGet &&
		s.head.body == 0 && !fastHost{s.server}.Elsewhere(pathOf(s.head.target))
}

// refuse has Close answer, after an end for net/http.
func (s *stay) refuse(r *refusal) error {
	s.refused = r
	s.then.Store(isRefused)
	return io.EOF
}

// Write sends answers. What net/http says itself, of a request that it can't read, is said in our
// form instead.
func (s *stay) Write(p []byte) (int, error) {
	if s.answering {
		return s.Conn.Write(p)
	}
	switch {
	case s.then.Load() != 0: // it goes on
	case bytes.HasPrefix(p, []byte("HTTP/1.1 417")):
		_ = s.refuse(otherExpectation)
	default:
		_ = s.refuse(malformed)
	}
	return len(p), nil
}

// begin has a handler answer, unless the connection was closed. It calls s.server.general.open.Done
// at its end.
func (s *stay) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.server.general.open.Add(1)
	s.answering = true
	return true
}

// stateChanged is net/http's http.Server.ConnState.
func stateChanged(c net.Conn, state http.ConnState) {
	s, ok := c.(*stay)
	switch {
	case !ok:
	case state == http.StateActive:
		s.active = true
	case state == http.StateIdle:
		s.active, s.answering, s.timed, s.rested = false, false, false, true
		if s.head.body == endless {
			s.then.Store(ends)
		}
	}
}

// CloseWrite ends what the peer gets.
func (s *stay) CloseWrite() error {
	if tcp, ok := s.Conn.(*net.TCPConn); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// Close gives a connection that waits for a request back to the fast path, and closes any other.
func (s *stay) Close() error {
	s.mu.Lock()
	closed := s.closed
	s.closed = true
	s.mu.Unlock()
	if closed {
		return nil
	}
	defer s.server.general.open.Done()
	then := s.then.Load()
	switch then {
	case goesBack:
		if s.GiveBack(s.buf) {
			return nil
		}
	case isRefused:
		s.answerRefused()
	}
	s.Leave()
	if then != 0 && !s.server.fast.Stopping() {
		// A close with unread data in the way would reset the connection and could take the answer
		// with it (RFC 9112, 9.6).
		_ = s.CloseWrite()
		_ = s.SetReadDeadline(time.Now().Add(lingerTime))
		_, _ = io.Copy(io.Discard, io.LimitReader(s.Conn, lingerBytes))
	}
	return s.Conn.Close()
}

// answerRefused answers what is not a request, or has not arrived.
func (s *stay) answerRefused() {
	method, path := []byte("-"), []byte("-") // it is not known
	if s.head.target != nil {
		method, path = s.head.method, pathOf(s.head.target)
	}
	id := s.head.id
	if !visibleASCII(id) {
		var fresh [36]byte
		putUUID(&fresh)
		id = fresh[:]
	}
	text := s.refused.json()
	now := time.Now()
	s.server.answered(id, method, path, routeUnmatched, s.refused.status, len(text), now, 0)
	out := fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nDate: %s\r\nX-Request-Id: %s\r\nConnection: close\r\n\r\n",
		s.refused.status, http.StatusText(s.refused.status), len(text),
		now.UTC().Format(http.TimeFormat), id)
	if string(method) != http.MethodHead {
		out = append(out, text...)
	}
	_ = s.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, _ = s.Conn.Write(out) // fails only when the peer is gone
}
