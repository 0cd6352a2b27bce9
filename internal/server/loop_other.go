//go:build !linux

package server

import (
	"net"
	"time"
)

// laneConn is empty: without epoll the general server serves all requests.
type laneConn struct{}

func hangUp(*conn) {}

// toLane says that connections come back from the general server.
const toLane = false

// rejoin does nothing: connections stay in the general server.
func (c *conn) rejoin() bool { return false }

// serveLane accepts connections until Shutdown.
func (s *Server) serveLane(ln net.Listener) error {
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
	c := &conn{table: s.conns, addr: peerAddr(raw.RemoteAddr()), raw: raw}
	if refusal := s.conns.add(c); refusal != "" {
		_ = raw.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		_, _ = raw.Write([]byte(refusal))
		_ = raw.Close()
		return
	}
	s.lanes.Go(func() { s.general.give(&stay{Conn: raw, of: c}) })
}
