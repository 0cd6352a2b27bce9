package server

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// On Linux the lane's connections are served by loops: each is one goroutine that asks the
// kernel for all its connections which have something to read (epoll), and answers those in turn. A
// goroutine of its own for each connection would cost a redirect a third more: to be parked and
// woken, and to ask for input that is not there yet. All connections of a loop wait while it waits for
// anything but the kernel's word: so it waits for the store only briefly, and otherwise has goroutines do that,
// after which the connection comes back.

const (
	// eventsAtOnce bounds the connections that are served between two questions to the kernel.
	eventsAtOnce = 256
	// readsAtOnce bounds what is read from one connection before others have their turn: some clients send requests
	// without an end.
	readsAtOnce = 4
	// jobsAtOnce bounds the connections that one goroutine serves one after another.
	jobsAtOnce = 64
	// sweepInterval is how often connections that are unused for too long are looked for.
	sweepInterval = 5 * time.Second
	// quickLookUp bounds a look-up in the store by the loop itself.
	quickLookUp = 5 * time.Millisecond
	// noLookUp leaves them to others.
	noLookUp = -1
	// keptHeld is the memory for held answers that is kept.
	keptHeld = 1 << 20
	// slowAnswer is how long it takes to answer what arrived on a connection when a disk is asked.
	slowAnswer = time.Millisecond
	// longSlice is longer than the kernel lets others have the core.
	longSlice = 30 * time.Millisecond
)

// Who may touch a connection in the lane.
const (
	ofLoop     uint32 = iota
	ofJob             // a goroutine answers a request of it
	ofJobAgain        // the same, and more came meanwhile
	gone              // closed, or in the general server
)

// laneConn is what a loop keeps of a connection.
type laneConn struct {
	home  *loop
	fd    int
	owner atomic.Uint32
	held  bool      // its answers are held; the loop's
	used  time.Time // when it was answered last, or accepted; the owner's
}

// loop serves connections.
type loop struct {
	lane
	epoll, wake int // file descriptors: of the epoll, and of the event by which others wake the loop
	events      [eventsAtOnce]unix.EpollEvent
	ready       [eventsAtOnce]*conn // of events
	in          [laneBytes]byte
	jobs        []job
	held        []held
	answers     []byte
	sweepAt     time.Time
	debt        debt
	usage       unix.Rusage // of the process

	mu    sync.Mutex // guards what follows
	conns []*conn    // by file descriptor
	open  int        // how many there are
	back  []*conn    // to be read from, though the kernel will not say so
}

// job is requests of a connection whose links are looked up, and answers before those. The first of
// the requests is admitted.
type job struct {
	c    *conn
	in   []byte
	out  []byte
	next next
}

// held is answers that are sent when their clicks are on disk.
type held struct {
	c        *conn
	from, to int // in loop.answers
	rest     []byte
	next     next
}

func newLoop(s *Server) (*loop, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make epoll: %w", err)
	}
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make eventfd: %w", err), unix.Close(epoll))
	}
	l := &loop{lane: lane{s: s}, epoll: epoll, wake: wake, conns: make([]*conn, wake+1)}
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: int32(wake)}
	if err := unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, wake, &event); err != nil {
		return nil, errors.Join(fmt.Errorf("watch eventfd: %w", err), l.close())
	}
	return l, nil
}

func (l *loop) close() error { return errors.Join(unix.Close(l.epoll), unix.Close(l.wake)) }

// attention is how many milliseconds a loop waits for more before it lets the runtime know that it waits.
const attention = 1

// wait waits until there are events, or it is time to sweep, and returns how many there are.
//
// While requests keep coming it sleeps in the kernel without telling the runtime, which has processors enough, and
// which would otherwise move the goroutine from thread to thread with nearly each wait, for a tenth of the CPU. What
// the runtime wants of this goroutine it says by a signal, which ends the sleep.
func (l *loop) wait() (int, error) {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(l.epoll), uintptr(unsafe.Pointer(&l.events)), eventsAtOnce, attention, 0, 0)
	if errno == unix.EINTR {
		return 0, nil
	}
	if n > 0 && errno == 0 {
		return int(n), nil
	}
	found, err := unix.EpollWait(l.epoll, l.events[:], int(min(sweepInterval, l.s.idle)/time.Millisecond))
	if errors.Is(err, unix.EINTR) {
		return 0, nil
	}
	return found, err
}

// serveLane accepts connections, and shares them out among the loops, until Shutdown. It returns
// when all have left the lane.
func (s *Server) serveLane(ln net.Listener) error {
	loops := make([]*loop, max(1, s.opts.Loops))
	for i := range loops {
		l, err := newLoop(s)
		if err != nil {
			return err
		}
		defer func() { _ = l.close() }()
		loops[i] = l
	}
	for _, l := range loops {
		s.lanes.Go(l.run)
	}
	err := s.accept(ln, loops)
	s.stopping.Store(true)
	for _, l := range loops {
		l.awake()
	}
	s.lanes.Wait()
	return err
}

func (s *Server) accept(ln net.Listener, loops []*loop) error {
	tcp, ok := ln.(*net.TCPListener)
	if !ok {
		return errors.New("no TCP listener")
	}
	// Another file descriptor of the same socket: package net does not let others accept from its own.
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

// acceptOne waits for a connection. It is not registered with the runtime's poller, which would
// otherwise be told of all that arrives, too.
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
	c := &conn{table: s.conns, addr: addr, trusted: contains(s.opts.TrustedProxies, addr)}
	c.lane.home, c.lane.fd, c.lane.used = l, fd, time.Now()
	if refusal := s.conns.add(c); refusal != "" {
		// The kernel's send buffer of a new connection takes these few bytes at once.
		_, _ = unix.Write(fd, []byte(refusal))
		_ = unix.Close(fd)
		return
	}
	_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1) // a matter of speed only
	l.mu.Lock()
	err := l.keep(c)
	l.mu.Unlock()
	if err != nil {
		l.giveUp(c, err)
	}
}

// keep takes a connection into the loop, and has the kernel report what arrives on it: each arrival
// once, and what is there already. The caller holds mu, so that the loop, which may still have an
// event of a file descriptor with the same number, does not see the connection before the kernel
// watches it.
func (l *loop) keep(c *conn) error {
	fd := c.lane.fd
	if fd >= len(l.conns) {
		l.conns = append(l.conns, make([]*conn, fd+1-len(l.conns))...)
	}
	l.conns[fd] = c
	l.open++
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET, Fd: int32(fd)}
	err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_ADD, fd, &event)
	c.lane.owner.Store(ofLoop) // last: the loop may still have the connection from before
	return err
}

// giveUp has the loop close a connection that the kernel does not watch.
func (l *loop) giveUp(c *conn, err error) {
	l.s.opts.Logger.Error("watch connection", "error", err)
	hangUp(c)
	l.later(c)
}

// awake makes a loop look whether the server is stopping, and which connections are back.
func (l *loop) awake() {
	// A full counter wakes it as well.
	_, _ = unix.Write(l.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0})
}

// run serves until the server is stopping and no connection is left.
func (l *loop) run() {
	for !l.done() {
		n, err := l.wait()
		if err != nil {
			l.s.opts.Logger.Error("wait for connections", "error", err)
			return
		}
		l.now = time.Now()
		l.serveReady(n)
		if l.s.stopping.Load() {
			l.serveAll()
		} else if !l.now.Before(l.sweepAt) {
			l.sweep()
		}
		l.sendHeld()
		l.giveJobs()
	}
}

// sendHeld commits clicks, and sends the answers that waited for that. Nothing else could be answered meanwhile.
func (l *loop) sendHeld() {
	for len(l.held) > 0 {
		l.commit()
		held, answers := l.held, l.answers
		l.held, l.answers = nil, nil
		for i := range held {
			h := &held[i]
			h.c.lane.held = false
			if l.finish(h.c, answers[h.from:h.to], h.rest, h.next) {
				l.receive(h.c, true) // what came meanwhile
			}
		}
		if len(l.held) == 0 {
			clear(held)
			l.held = held[:0]
			if cap(answers) <= keptHeld {
				l.answers = answers[:0]
			}
		}
	}
}

func (l *loop) commit() {
	if err := l.s.opts.Redirect.Commit(); err != nil {
		l.s.opts.Logger.Error("redirect", "error", err)
	}
}

func (l *loop) done() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open == 0 && l.s.stopping.Load()
}

// serveReady serves the connections of the first n events.
func (l *loop) serveReady(n int) {
	l.mu.Lock()
	back := l.back
	l.back = nil
	for i := range n {
		l.ready[i] = l.conns[l.events[i].Fd]
	}
	l.mu.Unlock()
	for _, c := range back {
		if c.lane.owner.Load() == ofLoop {
			l.receive(c, true)
		}
	}
	for i := range n {
		c := l.ready[i]
		l.ready[i] = nil
		if c != nil && !l.laterOf(c) {
			l.receive(c, l.events[i].Events&^unix.EPOLLIN != 0)
		}
	}
}

// laterOf tells whether a connection is not the loop's now. A goroutine that has it is told that more came.
func (l *loop) laterOf(c *conn) bool {
	for {
		switch c.lane.owner.Load() {
		case ofLoop:
			return false
		case ofJob:
			if c.lane.owner.CompareAndSwap(ofJob, ofJobAgain) {
				return true
			}
		default:
			return true
		}
	}
}

// all returns the connections that are the loop's now.
func (l *loop) all() (conns []*conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.conns {
		if c != nil && c.lane.owner.Load() == ofLoop {
			conns = append(conns, c)
		}
	}
	return conns
}

// serveAll answers what has arrived while the server is stopping, and closes the connections.
func (l *loop) serveAll() {
	for _, c := range l.all() {
		l.receive(c, true)
	}
}

// sweep closes connections that are unused for too long.
func (l *loop) sweep() {
	for _, c := range l.all() {
		if l.now.Sub(c.lane.used) >= l.s.idle {
			l.end(c)
		}
	}
	l.sweepAt = l.now.Add(min(sweepInterval, l.s.idle))
}

// receive reads from a connection until there is no more or others shall have their turn, and answers. The peer may
// have closed it.
func (l *loop) receive(c *conn, closed bool) {
	for reads := 0; !c.lane.held; reads++ {
		if reads == readsAtOnce {
			l.later(c)
			return
		}
		in, errno := l.input(c)
		switch {
		case errno == unix.EAGAIN && !l.s.stopping.Load():
			return
		case errno != 0 || len(in) == 0:
			l.end(c)
			return
		}
		rest, next := l.serveHere(c, in)
		c.lane.used = l.now
		if next == waits {
			c.lane.owner.Store(ofJob)
			l.jobs = append(l.jobs, job{c: c, in: bytes.Clone(rest), out: bytes.Clone(l.out)})
			return
		}
		if l.s.opts.Synced && len(l.out) > 0 {
			c.lane.held = true
			from := len(l.answers)
			l.answers = append(l.answers, l.out...)
			l.held = append(l.held, held{c: c, from: from, to: len(l.answers), rest: bytes.Clone(rest), next: next})
			return
		}
		// A read that did not fill the buffer has taken all that there was.
		if !l.finish(c, l.out, rest, next) || len(in) < len(l.in) && !closed {
			return
		}
	}
}

// input returns what the general server left unread, or else what arrived.
func (l *loop) input(c *conn) ([]byte, syscall.Errno) {
	if in := c.unread; len(in) > 0 {
		c.unread = nil
		return in, 0
	}
	n, errno := read(c.lane.fd, l.in[:])
	return l.in[:max(n, 0)], errno
}

// serveHere answers requests, with the look-ups that they need as long as those are quick: to hand one to another
// goroutine costs more than itself when what it reads is in memory.
func (l *loop) serveHere(c *conn, in []byte) (rest []byte, next next) {
	began := l.now
	if l.s.opts.RemoteLinks || l.debt.at(began) >= maxDebt {
		return l.serve(c, in, noLookUp, false)
	}
	rest, next = l.serve(c, in, quickLookUp, false)
	if next == waits {
		l.debt.add(began, time.Since(began))
	} else if took := l.now.Sub(began); took > slowAnswer && (l.diskRead() || took > longSlice) {
		l.debt.add(began, took)
	}
	return rest, next
}

// diskRead tells whether the process read from a disk since it was asked last: otherwise what took long was most likely
// the kernel letting others have the core.
func (l *loop) diskRead() bool {
	before := l.usage.Inblock
	err := unix.Getrusage(unix.RUSAGE_SELF, &l.usage)
	return err != nil || l.usage.Inblock != before
}

// debt is the time that look-ups took when they had to wait for a disk, less a twentieth of the time since: so much of
// its time a loop may lose. While there is more debt than maxDebt goroutines do them.
type debt struct {
	time  time.Duration
	since time.Time
}

// maxDebt is how long a loop may be held up before it lets goroutines wait.
const maxDebt = 200 * time.Millisecond

func (d *debt) at(now time.Time) time.Duration { return max(0, d.time-now.Sub(d.since)/20) }

func (d *debt) add(now time.Time, took time.Duration) {
	d.time, d.since = d.at(now)+took, now
}

// giveJobs lets goroutines answer what takes waiting.
func (l *loop) giveJobs() {
	if len(l.jobs) == 0 {
		return
	}
	atOnce := jobsAtOnce
	if l.s.opts.RemoteLinks {
		atOnce = 1 // so that all are asked for together
	}
	for some := range slices.Chunk(l.jobs, atOnce) {
		jobs := slices.Clone(some)
		l.s.lanes.Go(func() { l.work(jobs) })
	}
	clear(l.jobs)
	l.jobs = l.jobs[:0]
	// Let them begin; otherwise a thread that runs keeps its core for milliseconds.
	_, _, _ = unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
}

// work answers requests one after another, commits their clicks together, and sends the answers.
func (l *loop) work(jobs []job) {
	lane := &lane{s: l.s, now: time.Now()}
	for i := range jobs {
		j := &jobs[i]
		j.in, j.next = lane.serve(j.c, j.in, 0, true)
		j.out = append(j.out, lane.out...)
		j.c.lane.used = lane.now
	}
	l.commit()
	for i := range jobs {
		j := &jobs[i]
		if l.finish(j.c, j.out, j.in, j.next) {
			l.giveBack(j.c)
		}
	}
}

// giveBack returns a connection to its loop. If more came meanwhile, the kernel will not say so again.
func (l *loop) giveBack(c *conn) {
	if !c.lane.owner.CompareAndSwap(ofJob, ofLoop) {
		c.lane.owner.Store(ofLoop)
		l.later(c)
	} else if l.s.stopping.Load() {
		l.awake()
	}
}

// later has the loop read from a connection when the others had their turn.
func (l *loop) later(c *conn) {
	l.mu.Lock()
	l.back = append(l.back, c)
	l.mu.Unlock()
	l.awake()
}

// finish sends answers, and tells whether the connection stays in the lane.
func (l *loop) finish(c *conn, out, rest []byte, next next) bool {
	sent := 0
	for sent < len(out) {
		n, errno := write(c.lane.fd, out[sent:])
		switch {
		case errno == unix.EAGAIN:
			l.leave(c, bytes.Clone(out[sent:]), rest, next)
			return false
		case errno != 0:
			l.end(c)
			return false
		}
		sent += n
	}
	switch next {
	case ends:
		l.end(c)
	case leaves:
		l.leave(c, nil, rest, next)
	default:
		return true
	}
	return false
}

// forget takes a connection out of the loop.
func (l *loop) forget(c *conn) {
	c.lane.owner.Store(gone)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns[c.lane.fd] = nil
	if l.open--; l.open == 0 && l.s.stopping.Load() {
		l.awake()
	}
}

// end closes a connection.
func (l *loop) end(c *conn) {
	l.forget(c)
	c.table.remove(c) // before the file descriptor may become another connection's
	_ = unix.Close(c.lane.fd)
}

// leave hands a connection to the general server, with what was read of it, after sending what the
// peer has not taken yet.
func (l *loop) leave(c *conn, unsent, unread []byte, next next) {
	c.lane.owner.Store(gone)
	c.unread = bytes.Clone(unread)
	// The general server's file descriptor is another one of the same connection.
	err := unix.EpollCtl(l.epoll, unix.EPOLL_CTL_DEL, c.lane.fd, nil)
	l.s.lanes.Go(func() {
		l.forget(c)
		f := os.NewFile(uintptr(c.lane.fd), "")
		raw, dupErr := net.FileConn(f)
		if err := errors.Join(err, dupErr); err != nil {
			c.table.remove(c)
			_ = f.Close()
			if dupErr == nil {
				_ = raw.Close()
			}
			l.s.opts.Logger.Error("leave the lane", "error", err)
			return
		}
		c.table.move(c, raw)
		_ = f.Close() // there is the other one
		l.passOn(&stay{Conn: raw, of: c}, unsent, next)
	})
}

// passOn sends what the peer has not taken yet, and gives the connection to the general server when
// that has something to do.
func (l *loop) passOn(s *stay, unsent []byte, next next) {
	if len(unsent) > 0 {
		_ = s.SetWriteDeadline(time.Now().Add(writeTimeout))
		if _, err := s.Write(unsent); err != nil || next == ends {
			_ = s.Close()
			return
		}
		_ = s.SetWriteDeadline(time.Time{})
	}
	if next == leaves {
		l.s.general.give(s)
		return
	}
	s.answered = true
	_ = s.Close()
}

// toLane says that connections come back from the general server.
const toLane = true

// rejoin takes a connection back from the general server, and reports whether it did: while it is
// idle it then holds neither a goroutine nor a buffer, whatever it asked for.
func (c *conn) rejoin() bool {
	l := c.lane.home
	if l.s.stopping.Load() {
		return false
	}
	fd, err := duplicate(c.raw)
	if err != nil {
		l.s.opts.Logger.Error("rejoin the lane", "error", err)
		return false
	}
	raw := c.raw
	c.lane.fd, c.lane.used = fd, time.Now()
	c.table.move(c, nil)
	_ = raw.Close() // there is the other one
	unread := len(c.unread) > 0
	l.mu.Lock()
	if l.s.stopping.Load() { // the loop may have ended
		l.mu.Unlock()
		c.table.remove(c)
		_ = unix.Close(fd)
		return true
	}
	err = l.keep(c)
	l.mu.Unlock()
	if err != nil {
		l.giveUp(c, err)
	} else if unread {
		l.later(c)
	}
	return true
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

// hangUp ends a connection in the lane without closing it, so that its owner notices.
func hangUp(c *conn) { _ = unix.Shutdown(c.lane.fd, unix.SHUT_RDWR) }

// read and write are system calls that can't block, so that the runtime need not be told. On sockets recvfrom and sendto do
// the same as read and write, with less around it.

func read(fd int, b []byte) (int, syscall.Errno) { return transfer(unix.SYS_RECVFROM, fd, b) }

func write(fd int, b []byte) (int, syscall.Errno) { return transfer(unix.SYS_SENDTO, fd, b) }

func transfer(call uintptr, fd int, b []byte) (int, syscall.Errno) {
	for {
		n, _, errno := unix.RawSyscall6(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
		if errno != unix.EINTR {
			return int(n), errno
		}
	}
}
