package fastpath

import (
	"io"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"terse/internal/visit/redirect"
)

// Host is the server around the fast path.
type Host interface {
	// Enter takes a new connection in. For one beyond a bound it returns what to send before it is
	// closed.
	Enter(peer netip.Addr, c Conn) (seat Seat, refusal string)
	// Route makes a path that was sent to a host what Answer wants, sets the domain, and reports
	// whether somebody else serves it.
	Route(v *redirect.Visit, host []byte) (elsewhere bool)
	// Answer decides on a request; see redirect.Handler. It sets the client's address, and an ID if
	// none was sent. It does not panic.
	Answer(r *Request) redirect.Answer
	// Commit is called between answers and the sending of them, if those wait for a disk.
	Commit()
	// Answered counts and logs a request.
	Answered(r *Request, a *redirect.Answer, now time.Time, took time.Duration)
	// HandOver takes a connection, with the bytes read from it and not answered. The host serves it
	// until it gives it back or closes it. Of TLS there may be none, while the server stops.
	HandOver(h *Handed, unread []byte)
}

// Conn is what the host can do to a connection, in the fast path or out of it.
type Conn interface {
	// HangUp ends it. It is not called after Seat.Leave has returned.
	HangUp()
}

// Seat is a connection's place in the host.
type Seat interface {
	// Trusted reports whether the peer is a trusted proxy.
	Trusted() bool
	// Leave is called before the connection is closed.
	Leave()
}

// Request is a request that the fast path understands. It holds parts of a buffer.
type Request struct {
	redirect.Visit
	redirect.Attempt
	Host []byte // the Host field
	// X-Request-Id as sent; Answer replaces a bad one
	ID        []byte
	NewID     [36]byte
	Forwarded []byte // X-Forwarded-For
}

// Options are a Server's parts.
type Options struct {
	Host        Host
	HeaderNames redirect.HeaderNames // of the header fields that are wanted
	// Loops is how many goroutines serve, each of which can fill a core.
	Loops int
	// OnlySecure means that the host serves whoever does not encrypt.
	OnlySecure bool
	// Synced means that Commit is called before answers are sent.
	Synced bool
	// RemoteLinks means that a look-up waits for a network, and that many at once cost little more
	// than one.
	RemoteLinks bool
	// HSTS is the Strict-Transport-Security of answers with OnlySecure; nil: none.
	HSTS         []byte
	WriteTimeout time.Duration // for what a peer does not take at once
	IdleTimeout  time.Duration // for the next request on an open connection
	Logger       *slog.Logger
}

// Server accepts connections and serves them, or hands them over.
type Server struct {
	opts     Options
	fields   fieldTable
	places   // of connections
	stopping atomic.Bool
	accepted atomic.Bool // the loops get no new connection any more
	running  sync.WaitGroup

	mu  sync.Mutex  // guards lns
	lns []io.Closer // end accepting
}

// New returns a Server.
func New(opts Options) *Server {
	return &Server{opts: opts, fields: newFieldTable(opts.HeaderNames)}
}

// Stop stops accepting. Connections end with the request that is under way.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopping.Store(true)
	for _, ln := range s.lns {
		_ = ln.Close() // it only ends accepting
	}
}

// Stopping reports whether the server stops.
func (s *Server) Stopping() bool { return s.stopping.Load() }

// listen stores a listener, which Stop closes.
func (s *Server) listen(ln io.Closer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lns = append(s.lns, ln)
	if s.stopping.Load() {
		return ln.Close()
	}
	return nil
}

// pauseAccepting waits after a passing error, such as too many open files, and longer each time.
func (s *Server) pauseAccepting(wait *time.Duration, err error) {
	*wait = min(max(2**wait, 5*time.Millisecond), time.Second)
	s.opts.Logger.Error("accept connection", "error", err, "again_in", wait.String())
	time.Sleep(*wait)
}

// Handed is a connection while the host serves it. It is used by one goroutine.
type Handed struct {
	net.Conn
	conn *conn
}

// GiveBack returns a connection to the fast path, with what the host has read and not answered, and
// reports whether it was taken. It is not used after that.
func (h *Handed) GiveBack(unread []byte) bool { return h.conn.comeBack(unread) }

// Close closes the connection.
func (h *Handed) Close() error {
	h.conn.seat.Leave()
	return h.Conn.Close()
}
