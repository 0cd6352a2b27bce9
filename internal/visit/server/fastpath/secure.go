package fastpath

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"time"
)

// Accept accepts connections that begin with the host until Stop, and passes each to begin, with
// what to send before it is closed if it is beyond a bound.
func (s *Server) Accept(ln net.Listener, begin func(h *Handed, refusal string)) error {
	if err := s.listen(ln); err != nil {
		return err
	}
	wait := time.Duration(0)
	for {
		raw, err := ln.Accept()
		switch {
		case err == nil:
			wait = 0
			c := s.connOf(raw)
			var refusal string
			if c.seat, refusal = s.opts.Host.Enter(c.peer, c); refusal == "" {
				c.trusted = c.seat.Trusted()
			}
			begin(&Handed{Conn: raw, conn: c}, refusal)
		case s.stopping.Load():
			return nil
		default:
			s.pauseAccepting(&wait, err)
		}
	}
}

// Handshake makes the connection one of TLS, and is the server in the handshake. It computes only
// while it has one of the turns.
func (h *Handed) Handshake(ctx context.Context, config *tls.Config, turns chan struct{}) error {
	c := h.conn
	c.wire = &wire{Conn: c.raw, seat: c.seat, turns: turns}
	c.secure = tls.Server(c.wire, config)
	h.Conn = c.secure
	turns <- struct{}{}
	err := c.secure.HandshakeContext(ctx)
	<-turns
	c.wire.turns = nil
	return err
}

// Secure returns the connection's TLS, or nil.
func (h *Handed) Secure() *tls.Conn { return h.conn.secure }

// wire is what the TLS of a connection reads from and writes to: the host's connection, or in the
// fast path its loop's file descriptor.
type wire struct {
	net.Conn // nil in the fast path

	seat  Seat
	turns chan struct{} // during the handshake
	loop  loopWire
}

// Read leaves the turn to others while it waits.
func (w *wire) Read(p []byte) (int, error) {
	switch {
	case w.Conn == nil:
		return w.loop.receive(p)
	case w.turns != nil:
		<-w.turns
		defer func() { w.turns <- struct{}{} }()
	}
	return w.Conn.Read(p)
}

func (w *wire) Write(p []byte) (int, error) {
	if w.Conn == nil {
		return w.loop.add(p)
	}
	return w.Conn.Write(p)
}

// Close is called by what has only the TLS connection.
func (w *wire) Close() error {
	w.seat.Leave()
	return w.Conn.Close()
}

// SetWriteDeadline does nothing in the fast path, which does not wait. TLS sets one before it says
// that it closes.
func (w *wire) SetWriteDeadline(deadline time.Time) error {
	if w.Conn == nil {
		return nil
	}
	return w.Conn.SetWriteDeadline(deadline)
}

// peerAddr returns a connection's remote address, a mapped IPv4 address as IPv4.
func peerAddr(c net.Conn) netip.Addr {
	if tcp, ok := c.RemoteAddr().(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
