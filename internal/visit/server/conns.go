package server

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"

	"terse/internal/visit/server/fastpath"
)

// connTable holds the open connections, and how many each address has.
type connTable struct {
	perAddr int
	exempt  []netip.Prefix
	refused atomic.Int64

	mu      sync.Mutex // guards what follows
	open    map[*seat]struct{}
	streams int                // requests of HTTP/2 that are being answered
	count   map[netip.Addr]int // of both
}

func newConnTable(perAddr int, exempt []netip.Prefix) *connTable {
	return &connTable{
		perAddr: perAddr, exempt: exempt, open: map[*seat]struct{}{},
		count: map[netip.Addr]int{},
	}
}

// The answers to connections beyond a bound.
const (
	tooManyOfClient = "HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Type: " +
		"application/json\r\n" +
		"Retry-After: 1\r\nContent-Length: 45\r\n\r\n" +
		`{"error":"too many connections from address"}`
	tooMany = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: " +
		"application/json\r\n" +
		"Retry-After: 1\r\nContent-Length: 32\r\n\r\n" + `{"error":"too many connections"}`
)

// seat is an open connection in the table, in the fast path or in net/http.
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
	all, ofClient := t.full(addr, s.trusted)
	switch {
	case all:
		return s, tooMany
	case ofClient:
		return s, tooManyOfClient
	}
	t.open[s] = struct{}{}
	t.count[addr]++
	return s, ""
}

// full reports whether a bound is reached, and counts a refusal. The caller holds mu.
func (t *connTable) full(addr netip.Addr, trusted bool) (all, ofClient bool) {
	all = len(t.open)+t.streams >= maxConns
	ofClient = t.perAddr > 0 && t.count[addr] >= t.perAddr && !trusted
	if all || ofClient {
		t.refused.Add(1)
	}
	return all, ofClient
}

var (
	busyForClient = &refusal{
		http.StatusTooManyRequests, "too many requests at once from address",
	}
	busy = &refusal{http.StatusServiceUnavailable, "too many requests at once"}
)

// addStream counts a request of HTTP/2 like a connection, because it takes as much. leave, which is
// not nil, is called when it has been answered.
func (t *connTable) addStream(addr netip.Addr) (leave func(), refused *refusal) {
	trusted := contains(t.exempt, addr)
	t.mu.Lock()
	defer t.mu.Unlock()
	all, ofClient := t.full(addr, trusted)
	switch {
	case all:
		return func() {}, busy
	case ofClient:
		return func() {}, busyForClient
	}
	t.streams++
	t.count[addr]++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.streams--
		t.uncount(addr)
	}, nil
}

// uncount takes one from an address. The caller holds mu.
func (t *connTable) uncount(addr netip.Addr) {
	if t.count[addr]--; t.count[addr] == 0 {
		delete(t.count, addr)
	}
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
	t.uncount(s.addr)
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

// peerAddr returns a connection's remote address, a mapped IPv4 address as IPv4.
func peerAddr(addr net.Addr) netip.Addr {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}
