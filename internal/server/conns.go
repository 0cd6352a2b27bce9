package server

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// connTable holds the open connections, and how many each address has.
type connTable struct {
	perAddr int
	exempt  []netip.Prefix
	refused atomic.Int64

	mu    sync.Mutex // guards what follows
	open  map[*conn]struct{}
	count map[netip.Addr]int
}

func newConnTable(perAddr int, exempt []netip.Prefix) *connTable {
	return &connTable{perAddr: perAddr, exempt: exempt, open: map[*conn]struct{}{}, count: map[netip.Addr]int{}}
}

// What a connection beyond a bound is answered with.
const (
	tooManyOfClient = "HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Type: application/json\r\n" +
		"Retry-After: 1\r\nContent-Length: 45\r\n\r\n" + `{"error":"too many connections from address"}`
	tooMany = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\n" +
		"Retry-After: 1\r\nContent-Length: 32\r\n\r\n" + `{"error":"too many connections"}`
)

// add takes a new connection into the table. For one beyond a bound it returns what to
// answer before it is closed.
func (t *connTable) add(c *conn) (refusal string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case len(t.open) >= maxConns:
		t.refused.Add(1)
		return tooMany
	case t.perAddr > 0 && t.count[c.addr] >= t.perAddr && !contains(t.exempt, c.addr):
		t.refused.Add(1)
		return tooManyOfClient
	}
	t.open[c] = struct{}{}
	t.count[c.addr]++
	return ""
}

func (t *connTable) remove(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.open[c]; !ok {
		return
	}
	delete(t.open, c)
	if t.count[c.addr]--; t.count[c.addr] == 0 {
		delete(t.count, c.addr)
	}
}

// move notes who has a connection: the general server by raw, or the lane when that is nil.
func (t *connTable) move(c *conn, raw net.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c.raw = raw
}

// closeAll ends all connections, whoever serves them.
func (t *connTable) closeAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.open {
		if c.raw != nil {
			_ = c.raw.Close()
		} else {
			hangUp(c)
		}
	}
}

func (t *connTable) len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open)
}

// conn is an open connection: in the lane at first, then perhaps for a while in the general server.
type conn struct {
	table   *connTable
	addr    netip.Addr
	trusted bool // the peer is a trusted proxy

	lane   laneConn
	unread []byte   // was read and is to be read again
	raw    net.Conn // in the general server, else nil; guarded by the table's mu
}

// stay is a connection while it is in the general server.
type stay struct {
	net.Conn
	of       *conn
	line     requestLine
	linger   bool // the peer may still be sending what was refused
	answered bool // the general server has no more to do with it
}

func (s *stay) Read(p []byte) (n int, err error) {
	defer func() { s.line.watch(p[:n]) }()
	if len(s.of.unread) > 0 {
		n = copy(p, s.of.unread)
		if s.of.unread = s.of.unread[n:]; len(s.of.unread) == 0 {
			s.of.unread = nil
		}
		return n, nil
	}
	if s.answered {
		return 0, io.EOF
	}
	return s.Conn.Read(p)
}

// Bounds of what is read and thrown away for a peer that is still sending when its request
// was refused.
const (
	lingerTime  = time.Second
	lingerBytes = 8 << 20
)

// linger makes the connection's Close wait until the peer has read the answer: a close with
// unread data in the way would reset the connection and could take the answer with it (RFC
// 9112, 9.6).
func linger(c net.Conn) {
	if s, ok := c.(*stay); ok {
		s.linger = true
	}
}

// end ends a connection's stay after an answer. What the general server has read of the requests that
// follow goes with the connection. Its Close, which follows, gives it back to the lane.
func end(hijacked net.Conn) {
	wrapped, ok := hijacked.(interface{ UnsafeConn() net.Conn })
	if !ok {
		return
	}
	s, ok := wrapped.UnsafeConn().(*stay)
	if !ok {
		return
	}
	s.answered = true
	if unread, _ := io.ReadAll(hijacked); len(unread) > 0 { // from memory: an answered connection reads no more
		s.of.unread = unread
	}
}

// Close gives an answered connection back to the lane, and closes any other.
func (s *stay) Close() error {
	if s.answered && s.of.rejoin() {
		return nil
	}
	s.of.table.remove(s.of)
	if tcp, ok := s.Conn.(*net.TCPConn); ok && s.linger {
		_ = tcp.CloseWrite()
		_ = tcp.SetReadDeadline(time.Now().Add(lingerTime))
		_, _ = io.Copy(io.Discard, io.LimitReader(tcp, lingerBytes))
	}
	return s.Conn.Close()
}

// peerAddr returns a connection's remote address, IPv4 as such.
func peerAddr(addr net.Addr) netip.Addr {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
