package fastpath

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// eventsAtOnce bounds the connections that are served for one call of epoll_wait.
	eventsAtOnce = 256
	// readsAtOnce bounds the reads from one connection before the others have their turn: some
	// clients never stop sending requests.
	readsAtOnce = 4
	// jobsAtOnce bounds the connections that one goroutine serves one after another.
	jobsAtOnce = 64
	// sweepInterval is how often the loop looks for connections that have been idle for too long.
	sweepInterval = 5 * time.Second
	// quickLookUp bounds a look-up in the store by the loop itself.
	quickLookUp = 5 * time.Millisecond
	// noLookUp leaves look-ups to goroutines.
	noLookUp = -1
	// keptHeld is the memory for held answers that is kept.
	keptHeld = 1 << 20
	// slowAnswer is how long answering a connection takes if a look-up reads from a disk.
	slowAnswer = time.Millisecond
	// longSlice is longer than the kernel runs others on the core.
	longSlice = 30 * time.Millisecond
)

// loop serves connections.
type loop struct {
	responder
	// file descriptors: of the epoll, and of the event by which others wake the loop
	epoll, wake int
	events      [eventsAtOnce]unix.EpollEvent
	ready       [eventsAtOnce]*conn // of events
	in          [readBytes]byte
	jobs        []job
	apart       []job // that don't wait for each other
	held        []held
	answers     []byte
	sweepAt     time.Time
	slow        slowBudget
	usage       unix.Rusage // of the process

	mu    sync.Mutex // guards what follows
	conns []*conn    // by file descriptor
	open  int        // how many there are
	back  []*conn    // to be read from without an event
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
	l := &loop{responder: responder{s: s}, epoll: epoll, wake: wake, conns: make([]*conn, wake+1)}
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: int32(wake)}
	if err := unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, wake, &event); err != nil {
		return nil, errors.Join(fmt.Errorf("watch eventfd: %w", err), l.close())
	}
	return l, nil
}

func (l *loop) close() error { return errors.Join(unix.Close(l.epoll), unix.Close(l.wake)) }

// spinWait is how many milliseconds a loop waits before it tells the runtime that it is waiting.
const spinWait = 1

// wait waits until there are events, or it is time to sweep, and returns how many there are.
//
// While requests keep coming, it sleeps in the kernel without telling the runtime. That has enough
// processors, and would otherwise move the goroutine between threads at nearly every wait, for a
// tenth of the CPU. If the runtime needs the goroutine, it sends a signal, which ends the sleep.
func (l *loop) wait() (int, error) {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT,
		uintptr(l.epoll), uintptr(unsafe.Pointer(&l.events)), eventsAtOnce, spinWait, 0, 0)
	if errno == unix.EINTR {
		return 0, nil
	}
	if n > 0 && errno == 0 {
		return int(n), nil
	}
	found, err := unix.EpollWait(l.epoll, l.events[:],
		int(min(sweepInterval, l.s.opts.IdleTimeout)/time.Millisecond))
	if errors.Is(err, unix.EINTR) {
		return 0, nil
	}
	return found, err
}

// awake makes a loop check whether the server is stopping, and which connections are back.
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

func (l *loop) done() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open == 0 && l.s.accepted.Load()
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
		if c.owner.Load() == ownedByLoop {
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

// laterOf reports whether a connection belongs to a goroutine now. It then leaves a mark for that
// goroutine: more has arrived.
func (l *loop) laterOf(c *conn) bool {
	for {
		switch c.owner.Load() {
		case ownedByLoop:
			return false
		case ownedByJob:
			if c.owner.CompareAndSwap(ownedByJob, ownedByJobAgain) {
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
		if c != nil && c.owner.Load() == ownedByLoop {
			conns = append(conns, c)
		}
	}
	return conns
}

// serveAll answers what has arrived while the server is stopping, and closes the connections. The
// host gets those of TLS without a request, to wait for a moment.
func (l *loop) serveAll() {
	for _, c := range l.all() {
		l.receive(c, true)
	}
}

// sweep closes connections that are unused for too long.
func (l *loop) sweep() {
	for _, c := range l.all() {
		if l.now.Sub(c.used) >= l.s.opts.IdleTimeout {
			l.end(c)
		}
	}
	l.sweepAt = l.now.Add(min(sweepInterval, l.s.opts.IdleTimeout))
}

// receive reads from a connection and answers, until nothing is left or it is the turn of others.
// The peer may have closed the connection.
func (l *loop) receive(c *conn, closed bool) {
	if c.secure != nil {
		c.wire.loop.empty = false
	}
	for reads := 0; !c.held; reads++ {
		if reads == readsAtOnce {
			l.later(c)
			return
		}
		in, errno := l.input(c, closed)
		switch {
		case errno == unix.EAGAIN && !l.s.stopping.Load():
			if c.secure != nil && len(c.wire.loop.unsent()) > 0 {
				l.finish(c, nil, nil, stays) // what TLS itself says
			}
			return
		case errno == unix.EAGAIN && c.fresh:
			// Its client has just made a handshake, so that its request is most likely on the way.
			l.finish(c, nil, nil, leaves)
			return
		case errno != 0 || len(in) == 0:
			l.end(c)
			return
		}
		c.fresh = false
		rest, o := l.serveHere(c, in)
		c.used = l.now
		// A read that did not fill the buffer has taken all that there was. TLS may have more.
		all := len(in) < len(l.in) && !closed && c.secure == nil
		if o == waits || o == apart {
			owner := ownedByJob
			if !all { // the kernel does not report it again
				owner = ownedByJobAgain
			}
			c.owner.Store(owner)
			j := job{c: c, in: bytes.Clone(rest), out: bytes.Clone(l.out)}
			if o == apart {
				l.apart = append(l.apart, j)
			} else {
				l.jobs = append(l.jobs, j)
			}
			return
		}
		if l.s.opts.Synced && len(l.out) > 0 {
			c.held = true
			from := len(l.answers)
			l.answers = append(l.answers, l.out...)
			l.held = append(l.held, held{
				c: c, from: from, to: len(l.answers), rest: bytes.Clone(rest), o: o,
			})
			return
		}
		if !l.finish(c, l.out, rest, o) || all {
			return
		}
	}
}

// input returns what the host left unread, or else what arrived. The peer may have closed the
// connection.
func (l *loop) input(c *conn, closed bool) ([]byte, syscall.Errno) {
	if in := c.unread; len(in) > 0 {
		c.unread = nil
		return in, 0
	}
	if c.secure != nil {
		return l.decrypt(c, closed)
	}
	n, errno := read(c.fd, l.in[:])
	return l.in[:max(n, 0)], errno
}

// serveHere answers requests, and looks links up itself as long as that is quick: a look-up that
// reads from memory costs less than handing it to a goroutine.
func (l *loop) serveHere(c *conn, in []byte) (rest []byte, o outcome) {
	began := l.now
	if l.s.opts.RemoteLinks || l.slow.at(began) >= maxSlow {
		return l.serve(c, in, noLookUp, false)
	}
	rest, o = l.serve(c, in, quickLookUp, false)
	if o == waits {
		l.slow.add(began, time.Since(began))
	} else if took := l.now.Sub(began); took > slowAnswer && (l.diskRead() || took > longSlice) {
		l.slow.add(began, took)
	}
	return rest, o
}
