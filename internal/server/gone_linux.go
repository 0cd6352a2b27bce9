package server

import (
	"context"
	"net"
	"syscall"
	"time"
)

// whileConnected returns a context that ends when the peer of a connection closes it, or its own
// half of it as net/http has it, and what is to be called before the connection is read again. A
// peer that sends its next request before it has the answer is not seen leaving.
func whileConnected(c net.Conn) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	raw := rawConn(c)
	if raw == nil {
		return ctx, cancel
	}
	_ = c.SetReadDeadline(time.Time{}) // that of the request is over
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		closed := false
		// It fails when done sets a deadline, and waits as often as there is nothing to read.
		err := raw.Read(func(fd uintptr) (ready bool) {
			var b [1]byte
			n, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
			if err == syscall.EAGAIN || err == syscall.EINTR {
				return false
			}
			closed = n == 0 || err != nil
			return true
		})
		if err == nil && closed {
			cancel()
		}
	}()
	return ctx, func() {
		_ = c.SetReadDeadline(time.Unix(0, 1)) // which is past
		<-watched
		_ = c.SetReadDeadline(time.Time{})
		cancel()
	}
}

// rawConn returns what is below a connection that came from the fast path, or nil.
func rawConn(c net.Conn) syscall.RawConn {
	s, ok := c.(*stay)
	if !ok {
		return nil
	}
	tcp, ok := s.Conn.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}
