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

// add takes a new connection into the table. One beyond a bound is answered and closed, and
// add returns nil.
func (t *connTable) add(raw net.Conn) *conn {
	c := &conn{Conn: raw, table: t, addr: peerAddr(raw.RemoteAddr())}
	t.mu.Lock()
	refusal := ""
	switch {
	case len(t.open) >= maxConns:
		refusal = tooMany
	case t.perAddr > 0 && t.count[c.addr] >= t.perAddr && !contains(t.exempt, c.addr):
		refusal = tooManyOfClient
	default:
		t.open[c] = struct{}{}
		t.count[c.addr]++
	}
	t.mu.Unlock()
	if refusal == "" {
		return c
	}
	t.refused.Add(1)
	// The kernel's send buffer of a new connection takes these few bytes at once.
	_ = raw.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	_, _ = io.WriteString(raw, refusal)
	_ = raw.Close()
	return nil
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

// closeUnused closes the connections on which no request is under way in the lane.
func (t *connTable) closeUnused() { t.closeIf(func(c *conn) bool { return !c.used.Load() }) }

func (t *connTable) closeAll() { t.closeIf(func(*conn) bool { return true }) }

func (t *connTable) closeIf(which func(*conn) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.open {
		if which(c) {
			_ = c.Conn.Close()
		}
	}
}

func (t *connTable) len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open)
}

// conn is an open connection.
type conn struct {
	net.Conn
	table  *connTable
	addr   netip.Addr
	used   atomic.Bool // a request has begun
	linger bool        // the peer may still be sending what was refused
	unread []byte      // was read and is to be read again
}

func (c *conn) Read(p []byte) (int, error) {
	if len(c.unread) > 0 {
		n := copy(p, c.unread)
		if c.unread = c.unread[n:]; len(c.unread) == 0 {
			c.unread = nil
		}
		return n, nil
	}
	n, err := c.Conn.Read(p)
	if n > 0 && !c.used.Load() {
		c.used.Store(true)
	}
	return n, err
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
	if c, ok := c.(*conn); ok {
		c.linger = true
	}
}

func (c *conn) Close() error {
	c.table.remove(c)
	if tcp, ok := c.Conn.(*net.TCPConn); ok && c.linger {
		_ = tcp.CloseWrite()
		_ = tcp.SetReadDeadline(time.Now().Add(lingerTime))
		_, _ = io.Copy(io.Discard, io.LimitReader(tcp, lingerBytes))
	}
	return c.Conn.Close()
}

// peerAddr returns a connection's remote address, IPv4 as such.
func peerAddr(addr net.Addr) netip.Addr {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
