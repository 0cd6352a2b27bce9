// Package polite lets background work share a core with requests.
//
// Go gives a goroutine that computes ten milliseconds at a time. On a machine with one core all connections
// wait meanwhile, and runtime.Gosched does not help them: the scheduler looks at the network only when nothing else
// can run. Work that calls Turn.Yield often lets every request go first that has arrived.
//
// The package may know nothing of what the work is.
package polite

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// slice is how long work goes on before it lets others go first. It adds to the latency of a request; and to let
// them costs about 3 µs.
const slice = 200 * time.Microsecond

// patience is how long it lets them at most. When requests leave no gap the work gets a quarter of the core, which
// is more than it needs, so that it ends.
const patience = 500 * time.Microsecond

// Turn is one goroutine's way to let others go first. The zero Turn and nil never do.
type Turn struct {
	r, w  *os.File // a pipe that this goroutine alone writes and reads
	conn  syscall.RawConn
	since time.Time // when the others had been let go first
}

// NewTurn returns a Turn, which takes two file descriptors until Close.
func NewTurn() (*Turn, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	conn, err := r.SyscallConn()
	if err != nil {
		return nil, fmt.Errorf("use pipe: %w", err)
	}
	return &Turn{r: r, w: w, conn: conn, since: time.Now()}, nil
}

// Yield lets requests that have arrived go first, when the work has gone on for some 200 µs since that was done
// last. Otherwise it costs 50 ns.
func (t *Turn) Yield() {
	if t == nil || t.conn == nil || time.Since(t.since) < slice {
		return
	}
	t.wait()
	t.since = time.Now()
}

// wait queues up behind the connections that have something to read: it returns when the runtime's network poller, which
// reports in order of arrival, comes to the byte that is written here. While goroutines are ready to run without
// a break the runtime does not ask the poller, so the deadline, which it looks at all the time, ends it also.
func (t *Turn) wait() {
	// Errors would only mean to go on at once.
	_ = t.r.SetReadDeadline(time.Now().Add(patience))
	var b [1]byte
	written := false
	_ = t.conn.Read(func(uintptr) bool {
		if written {
			return true
		}
		written = true
		_, err := t.w.Write(b[:])
		return err != nil // false waits
	})
	_ = t.conn.Control(func(fd uintptr) { _, _ = syscall.Read(int(fd), b[:]) })
}

// Close gives the file descriptors back. It comes after the last Yield.
func (t *Turn) Close() error {
	if t == nil || t.conn == nil {
		return nil
	}
	if err := t.r.Close(); err != nil {
		return err
	}
	return t.w.Close()
}
