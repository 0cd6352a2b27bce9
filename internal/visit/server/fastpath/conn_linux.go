package fastpath

import (
	"bytes"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The owner of a connection: nobody else may touch it.
const (
	ownedByLoop     uint32 = iota
	ownedByJob             // a goroutine, which answers a request of it
	ownedByJobAgain        // the same, and more has arrived
	departed               // closed, or the host's
)

// places are the loops that connections go to.
type places struct {
	loops   atomic.Pointer[[]*loop] // nil before they run
	entered atomic.Uint32           // connections that came from the host
}

// conn is an open connection: in the fast path at first, then perhaps for a while the host's.
type conn struct {
	seat    Seat
	peer    netip.Addr
	trusted bool      // the peer is a trusted proxy
	secure  *tls.Conn // nil: it is not encrypted
	wire    *wire     // of secure
	server  *Server

	home   *loop // nil: it was in none yet
	fresh  bool  // it came from its handshake, without a request; the owner's
	owner  atomic.Uint32
	held   bool      // its answers are held; the loop's
	used   time.Time // when it was answered last, or accepted; the owner's
	unread []byte    // was read and is to be read again; the owner's

	mu  sync.Mutex // guards the change of what follows, against HangUp
	fd  int        // in the fast path
	raw net.Conn   // the host's, else nil
}

// HangUp ends the connection without closing it, so that its owner notices.
func (c *conn) HangUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.raw != nil {
		_ = c.raw.Close()
	} else {
		_ = unix.Shutdown(c.fd, unix.SHUT_RDWR)
	}
}

// connOf returns a connection that begins with the host.
func (s *Server) connOf(raw net.Conn) *conn {
	return &conn{server: s, peer: peerAddr(raw), raw: raw}
}

// move records who has the connection: the host by raw, or a loop by fd.
func (c *conn) move(fd int, raw net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fd, c.raw = fd, raw
	if c.wire != nil {
		c.wire.Conn, c.wire.loop.fd = raw, fd
	}
}

// Serve accepts connections, and shares them out among the loops, until Stop. It returns when none
// is left.
func (s *Server) Serve(ln net.Listener) error {
	loops := make([]*loop, max(1, s.opts.Loops))
	for i := range loops {
		l, err := newLoop(s)
		if err != nil {
			return err
		}
		defer func() { _ = l.close() }()
		loops[i] = l
	}
	if !s.start() {
		return ln.Close()
	}
	for _, l := range loops {
		s.running.Go(l.run)
	}
	s.loops.Store(&loops)
	err := s.accept(ln, loops)
	s.stopping.Store(true)
	s.accepted.Store(true)
	for _, l := range loops {
		l.awake()
	}
	s.running.Done()
	s.running.Wait()
	return err
}

// start counts Serve itself as running, unless the server is already stopping.
func (s *Server) start() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping.Load() {
		return false
	}
	s.running.Add(1)
	return true
}

func (s *Server) accept(ln net.Listener, loops []*loop) error {
	tcp, ok := ln.(*net.TCPListener)
	if !ok {
		return errors.New("no TCP listener")
	}
	// A duplicate of the file descriptor, because package net does not let others accept from its
	// own.
	f, err := tcp.File()
	if err != nil {
		return err
	}
	if err := s.listen(f); err != nil {
		return err
	}
	_ = ln.Close()
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	wait := time.Duration(0)
	for n := 0; ; n++ {
		fd, addr, err := acceptOne(raw)
		switch {
		case err == nil:
			wait = 0
			s.begin(loops[n%len(loops)], fd, addr)
		case errors.Is(err, unix.ECONNABORTED) || errors.Is(err, unix.EINTR):
		case s.stopping.Load():
			return nil
		default:
			s.pauseAccepting(&wait, err)
		}
	}
}

// acceptOne waits for a connection. It does not register the connection with the runtime's poller,
// which would then get an event for all that arrives, too.
func acceptOne(ln syscall.RawConn) (fd int, addr netip.Addr, err error) {
	var peer unix.Sockaddr
	var errno error
	err = ln.Read(func(listener uintptr) bool {
		fd, peer, errno = unix.Accept4(int(listener), unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
		return !errors.Is(errno, unix.EAGAIN)
	})
	if err = errors.Join(err, errno); err != nil {
		return 0, netip.Addr{}, err
	}
	switch peer := peer.(type) {
	case *unix.SockaddrInet4:
		addr = netip.AddrFrom4(peer.Addr)
	case *unix.SockaddrInet6:
		addr = netip.AddrFrom16(peer.Addr).Unmap()
	}
	return fd, addr, nil
}

// begin gives a new connection to a loop.
func (s *Server) begin(l *loop, fd int, addr netip.Addr) {
	c := &conn{server: s, peer: addr, home: l, fd: fd, used: time.Now()}
	var refusal string
	if c.seat, refusal = s.opts.Host.Enter(addr, c); refusal != "" {
		// The kernel's send buffer of a new connection takes these few bytes at once.
		_, _ = unix.Write(fd, []byte(refusal))
		_ = unix.Close(fd)
		return
	}
	c.trusted = c.seat.Trusted()
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1) // a matter of speed only
	l.mu.Lock()
	err := l.keep(c)
	l.mu.Unlock()
	if err != nil {
		l.giveUp(c, err)
	}
}

// keep adds a connection to the loop. From then on the kernel reports each arrival on it once, and
// what has arrived before. The caller holds mu: the loop may still have an event of an earlier
// connection with the same file descriptor, and must not see this one before the kernel watches it.
func (l *loop) keep(c *conn) error {
	fd := c.fd
	if fd >= len(l.conns) {
		l.conns = append(l.conns, make([]*conn, fd+1-len(l.conns))...)
	}
	l.conns[fd] = c
	l.open++
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET, Fd: int32(fd)}
	err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_ADD, fd, &event)
	c.owner.Store(ownedByLoop) // last: the loop may still have the connection from before
	return err
}

// giveUp makes the loop close a connection that the kernel can't watch.
func (l *loop) giveUp(c *conn, err error) {
	l.s.opts.Logger.Error("watch connection", "error", err)
	c.HangUp()
	l.later(c)
}

// finish sends answers, and reports whether the connection stays in the fast path.
func (l *loop) finish(c *conn, out, rest []byte, o outcome) bool {
	if c.secure != nil {
		var err error
		if out, err = c.encrypt(out, o == ends); err != nil {
			l.end(c)
			return false
		}
	}
	var errno syscall.Errno
	for len(out) > 0 && errno == 0 {
		var n int
		n, errno = write(c.fd, out)
		out = out[max(n, 0):]
	}
	var unsent []byte
	if errno == unix.EAGAIN {
		unsent, errno = bytes.Clone(out), 0
	}
	if c.secure != nil {
		c.wire.loop.sent() // before another goroutine gets the connection
	}
	switch {
	case unsent != nil || o == leaves && errno == 0:
		l.leave(c, unsent, rest, o)
	case errno != 0 || o == ends:
		l.end(c)
	default:
		return true
	}
	return false
}

// forget takes a connection out of the loop.
func (l *loop) forget(c *conn) {
	c.owner.Store(departed)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns[c.fd] = nil
	if l.open--; l.open == 0 && l.s.stopping.Load() {
		l.awake()
	}
}

// end closes a connection.
func (l *loop) end(c *conn) {
	if c.secure != nil {
		// What does not fit into the kernel's buffer would take a goroutine. The peer sees the end
		// without it, too.
		if last, err := c.encrypt(nil, true); err == nil && len(last) > 0 {
			_, _ = write(c.fd, last)
		}
		c.wire.loop.sent()
	}
	l.forget(c)
	c.seat.Leave() // before the file descriptor may become another connection's
	_ = unix.Close(c.fd)
}

// leave hands a connection to the host, with the bytes read from it, after sending the rest of the
// answers.
func (l *loop) leave(c *conn, unsent, unread []byte, o outcome) {
	c.owner.Store(departed)
	unread = bytes.Clone(unread)
	// The host gets a duplicate of the file descriptor, which the kernel must not report here.
	err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_DEL, c.fd, nil)
	l.s.running.Go(func() {
		l.forget(c)
		f := os.NewFile(uintptr(c.fd), "")
		raw, dupErr := net.FileConn(f)
		if err := errors.Join(err, dupErr); err != nil {
			c.seat.Leave()
			_ = f.Close()
			if dupErr == nil {
				_ = raw.Close()
			}
			l.s.opts.Logger.Error("leave the fast path", "error", err)
			return
		}
		c.move(c.fd, raw)
		_ = f.Close() // the host has the duplicate
		h := &Handed{Conn: raw, conn: c}
		if c.secure != nil {
			h.Conn = c.secure
		}
		l.passOn(h, unsent, unread, o)
	})
}

// passOn sends what the peer has not taken yet. Then it hands the connection to the host if a
// request is left for that.
func (l *loop) passOn(h *Handed, unsent, unread []byte, o outcome) {
	if len(unsent) > 0 {
		_ = h.conn.raw.SetWriteDeadline(time.Now().Add(l.s.opts.WriteTimeout))
		if _, err := h.conn.raw.Write(unsent); err != nil || o == ends {
			_ = h.Close()
			return
		}
		_ = h.conn.raw.SetWriteDeadline(time.Time{})
	}
	if o == leaves {
		l.s.opts.Host.HandOver(h, unread)
		return
	}
	if !h.GiveBack(unread) {
		_ = h.Close()
	}
}

// TakesBack reports whether the host may give connections back.
const TakesBack = true

// comeBack takes a connection back from the host, and reports whether it did. While it is idle, it
// then holds neither a goroutine nor a buffer, whatever it requested before.
func (c *conn) comeBack(unread []byte) bool {
	if c.home == nil {
		c.home, c.fresh = c.server.nextLoop(), true
	}
	l := c.home
	if l == nil {
		return false
	}
	l.mu.Lock()
	if l.s.stopping.Load() { // the loop may have ended
		l.mu.Unlock()
		return false
	}
	fd, err := duplicate(c.raw)
	if err != nil {
		l.mu.Unlock()
		l.s.opts.Logger.Error("come back to the fast path", "error", err)
		return false
	}
	raw := c.raw
	c.used = time.Now()
	c.move(fd, nil)
	_ = raw.Close() // fd is the duplicate
	if len(unread) > 0 {
		c.unread = unread
	}
	err = l.keep(c)
	l.mu.Unlock()
	if err != nil {
		l.giveUp(c, err)
	} else if len(unread) > 0 || c.secure != nil { // which may have read more
		l.later(c)
	}
	return true
}

// nextLoop returns the loop for a connection that begins with the host, or nil before there are
// loops.
func (s *Server) nextLoop() *loop {
	loops := s.loops.Load()
	if loops == nil {
		return nil
	}
	return (*loops)[int(s.entered.Add(1))%len(*loops)]
}

// duplicate returns another file descriptor of a connection.
func duplicate(c net.Conn) (fd int, err error) {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return 0, errors.New("no TCP connection")
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return 0, err
	}
	var errno error
	err = raw.Control(func(old uintptr) { fd, errno = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 0) })
	return fd, errors.Join(err, errno)
}
