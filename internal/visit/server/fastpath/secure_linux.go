package fastpath

import (
	"io"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// loopWire is what a loop reads and sends for TLS. The loop, or a job of it, owns the fields.
type loopWire struct {
	fd int
	// empty: the last read has taken all that there was. The kernel reports what comes next.
	empty bool
	out   *[]byte // encrypted, and not sent yet; nil: nothing
}

// encrypted holds buffers for what is sent at once, so that an idle connection has none.
var encrypted = sync.Pool{New: func() any { return new([]byte) }}

// receive reads what has come. EAGAIN does no harm to TLS: it goes on from there at the next read.
func (w *loopWire) receive(p []byte) (int, error) {
	if w.empty {
		return 0, unix.EAGAIN
	}
	n, errno := read(w.fd, p)
	switch {
	case errno != 0:
		return 0, errno
	case n == 0:
		return 0, io.EOF
	}
	w.empty = n < len(p)
	return n, nil
}

// add takes what is to be sent. The answers are bounded, and so is what else TLS says: after 16
// records without data it ends the connection.
func (w *loopWire) add(p []byte) (int, error) {
	if w.out == nil {
		w.out, _ = encrypted.Get().(*[]byte)
	}
	*w.out = append(*w.out, p...)
	return len(p), nil
}

// sent drops what was to be sent.
func (w *loopWire) sent() {
	if w.out == nil {
		return
	}
	if cap(*w.out) <= keptAnswers {
		*w.out = (*w.out)[:0]
		encrypted.Put(w.out)
	}
	w.out = nil
}

// unsent returns what is to be sent.
func (w *loopWire) unsent() []byte {
	if w.out == nil {
		return nil
	}
	return *w.out
}

// decrypt reads from a connection of TLS.
func (l *loop) decrypt(c *conn, closed bool) ([]byte, syscall.Errno) {
	if closed {
		c.wire.loop.empty = false // the end is still to be read
	}
	n, err := c.secure.Read(l.in[:])
	switch {
	case n > 0:
		return l.in[:n], 0
	case err == unix.EAGAIN: //nolint:errorlint // TLS returns it as it is
		return nil, unix.EAGAIN
	case err == io.EOF: //nolint:errorlint // the same
		return nil, 0
	}
	return nil, unix.EPROTO
}

// encrypt returns what to send for answers, after which the connection may close.
func (c *conn) encrypt(answers []byte, closes bool) ([]byte, error) {
	if len(answers) > 0 {
		if _, err := c.secure.Write(answers); err != nil {
			return nil, err
		}
	}
	if closes {
		_ = c.secure.CloseWrite() // the connection ends anyway
	}
	return c.wire.loop.unsent(), nil
}
