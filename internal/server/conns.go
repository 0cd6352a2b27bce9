package server

import (
	"bytes"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"terse/internal/server/fastpath"
)

// connTable holds the open connections, and how many each address has.
type connTable struct {
	perAddr int
	exempt  []netip.Prefix
	refused atomic.Int64

	mu    sync.Mutex // guards what follows
	open  map[*seat]struct{}
	count map[netip.Addr]int
}

func newConnTable(perAddr int, exempt []netip.Prefix) *connTable {
	return &connTable{
		perAddr: perAddr, exempt: exempt, open: map[*seat]struct{}{},
		count: map[netip.Addr]int{},
	}
}

// What a connection beyond a bound is answered with.
const (
	tooManyOfClient = "HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Type: " +
		"application/json\r\n" +
		"Retry-After: 1\r\nContent-Length: 45\r\n\r\n" +
		`{"error":"too many connections from address"}`
	tooMany = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: " +
		"application/json\r\n" +
		"Retry-After: 1\r\nContent-Length: 32\r\n\r\n" + `{"error":"too many connections"}`
)

// seat is an open connection in the table, in the fast path or in the general server.
type seat struct {
	table   *connTable
	addr    netip.Addr
	conn    fastpath.Conn
	trusted bool // the peer is a trusted proxy
}

// add takes a new connection into the table. For one beyond a bound it returns what to answer
// before it is closed.
func (t *connTable) add(addr netip.Addr, c fastpath.Conn) (_ *seat, refusal string) {
	s := &seat{table: t, addr: addr, conn: c, trusted: contains(t.exempt, addr)}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case len(t.open) >= maxConns:
		t.refused.Add(1)
		return s, tooMany
	case t.perAddr > 0 && t.count[addr] >= t.perAddr && !s.trusted:
		t.refused.Add(1)
		return s, tooManyOfClient
	}
	t.open[s] = struct{}{}
	t.count[addr]++
	return s, ""
}

// Trusted reports whether the peer is a trusted proxy.
func (s *seat) Trusted() bool { return s.trusted }

// Leave takes the connection out of the table.
func (s *seat) Leave() {
	t := s.table
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.open[s]; !ok {
		return
	}
	delete(t.open, s)
	if t.count[s.addr]--; t.count[s.addr] == 0 {
		delete(t.count, s.addr)
	}
}

// closeAll closes all connections, those of the fast path too.
func (t *connTable) closeAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for s := range t.open {
		s.conn.HangUp()
	}
}

func (t *connTable) len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open)
}

// nextWait is how long a connection waits for its next request outside of the fast path after an
// answer of the control plane. To go there and come back takes as long as many an answer.
const nextWait = time.Second

// stay is a connection while it is in the general server.
type stay struct {
	*fastpath.Handed
	general  *connListener // of that server
	head     requestHead
	fewLines bool   // no more may follow the head than it may have itself
	linger   bool   // the peer may still be sending what was refused
	control  bool   // the control plane answers
	answered bool   // the general server has no more to do with it
	unread   []byte // by it, of what it has read
}

func (s *stay) Read(p []byte) (n int, err error) {
	if s.answered && !s.Unread() {
		return 0, io.EOF
	}
	n, err = s.Handed.Read(p)
	s.head.watch(p[:n])
	switch {
	case s.head.lines > maxFields+1:
		return 0, errTooManyFields
	case s.fewLines && s.head.behind > maxFields:
		return 0, errTooManyLines
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
	if s, ok := c.(*stay); ok {
		s.linger = true
	}
}

// end ends a connection's stay after an answer. What the general server has read of the requests
// that follow goes with the connection. Its Close, which follows, sees where it goes.
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
	s.unread, _ = io.ReadAll(hijacked) // from memory: an answered connection reads no more
}

// Close gives an answered connection back to the fast path, soon, and closes any other.
func (s *stay) Close() error {
	switch {
	case s.answered && s.control && len(s.unread) == 0:
		go s.next() // what the general server holds for the connection is freed when Close returns
		return nil
	case s.answered && s.GiveBack(s.unread):
		return nil
	}
	s.Leave()
	if tcp, ok := s.Conn.(*net.TCPConn); ok && s.linger {
		_ = tcp.CloseWrite()
		_ = tcp.SetReadDeadline(time.Now().Add(lingerTime))
		_, _ = io.Copy(io.Discard, io.LimitReader(tcp, lingerBytes))
	}
	return s.Conn.Close()
}

// next waits for the next request, and has the general server take it. If none comes, the
// connection goes back to the fast path.
func (s *stay) next() {
	var first [1 << 10]byte // bytes of it
	_ = s.SetReadDeadline(time.Now().Add(nextWait))
	n, _ := s.Conn.Read(first[:]) // what is wrong shows again
	_ = s.SetReadDeadline(time.Time{})
	if n > 0 {
		s.PutBack(bytes.Clone(first[:n]))
		s.general.serve(s.Handed)
	} else if !s.GiveBack(nil) {
		_ = s.Handed.Close()
	}
}

// peerAddr returns a connection's remote address, IPv4 as such.
func peerAddr(addr net.Addr) netip.Addr {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
