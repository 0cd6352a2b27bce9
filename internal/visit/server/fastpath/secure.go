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
			c := &conn{peer: peerAddr(raw), raw: raw}
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
	w := &wire{Conn: h.Conn, seat: h.conn.seat, turns: turns}
	secure := tls.Server(w, config)
	h.Conn, h.conn.secure = secure, secure
	turns <- struct{}{}
	err := secure.HandshakeContext(ctx)
	<-turns
	w.turns = nil
	return err
}

// Secure returns the connection's TLS, or nil.
func (h *Handed) Secure() *tls.Conn { return h.conn.secure }

// wire is what TLS reads from and writes to.
type wire struct {
	net.Conn

	seat  Seat
	turns chan struct{} // during the handshake
}

// Read leaves the turn to others while it waits.
func (w *wire) Read(p []byte) (int, error) {
	if w.turns != nil {
		<-w.turns
		defer func() { w.turns <- struct{}{} }()
	}
	return w.Conn.Read(p)
}

// Close is called by what has only the TLS connection.
func (w *wire) Close() error {
	w.seat.Leave()
	return w.Conn.Close()
}

// peerAddr returns a connection's remote address, a mapped IPv4 address as IPv4.
func peerAddr(c net.Conn) netip.Addr {
	if tcp, ok := c.RemoteAddr().(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
