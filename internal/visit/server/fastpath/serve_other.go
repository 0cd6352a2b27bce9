//go:build !linux

package fastpath

import (
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
}

// HangUp ends the connection.
func (c *conn) HangUp() { _ = c.raw.Close() }

func (c *conn) comeBack([]byte) bool { return false }

// Serve accepts connections until Stop.
func (s *Server) Serve(ln net.Listener) error {
	if err := s.listen(ln); err != nil {
		return err
	}
	wait := time.Duration(0)
	for {
		raw, err := ln.Accept()
		switch {
		case err == nil:
			wait = 0
			s.begin(raw)
		case s.stopping.Load():
			return nil
		default:
			s.pauseAccepting(&wait, err)
		}
	}
}

func (s *Server) begin(raw net.Conn) {
	c := &conn{raw: raw}
	if tcp, ok := raw.RemoteAddr().(*net.TCPAddr); ok {
		c.peer = tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	var refusal string
	if c.seat, refusal = s.opts.Host.Enter(c.peer, c); refusal != "" {
		_ = raw.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		_, _ = raw.Write([]byte(refusal))
		_ = raw.Close()
		return
	}
	s.opts.Host.HandOver(&Handed{Conn: raw, conn: c}, nil)
}
