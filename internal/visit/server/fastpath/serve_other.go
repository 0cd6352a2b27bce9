//go:build !linux

package fastpath

import (
	"crypto/tls"
	"net"
	"net/netip"
	"time"
)

// TakesBack reports whether the host may give connections back.
const TakesBack = false

// conn is an open connection. Without epoll the host serves all of its requests.
type conn struct {
	seat    Seat
	peer    netip.Addr
	trusted bool
	raw     net.Conn
	secure  *tls.Conn // nil: it is not encrypted
	wire    *wire     // of secure
}

// connOf returns a connection that begins with the host.
func (*Server) connOf(raw net.Conn) *conn { return &conn{peer: peerAddr(raw), raw: raw} }

// places is empty: there are no loops.
type places struct{}

// loopWire is never used.
type loopWire struct{}

func (loopWire) receive([]byte) (int, error) { return 0, net.ErrClosed }

func (loopWire) add([]byte) (int, error) { return 0, net.ErrClosed }

// HangUp ends the connection.
func (c *conn) HangUp() { _ = c.raw.Close() }

func (c *conn) comeBack([]byte) bool { return false }

// Serve accepts connections until Stop.
func (s *Server) Serve(ln net.Listener) error {
	return s.Accept(ln, func(h *Handed, refusal string) {
		if refusal != "" {
			_ = h.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
			_, _ = h.Write([]byte(refusal))
			_ = h.Close()
			return
		}
		s.opts.Host.HandOver(h, nil)
	})
}
