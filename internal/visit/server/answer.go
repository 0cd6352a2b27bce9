package server

import (
	"io"
	"net"
	"net/http"
	"time"
)

// peerConn is what a request's client has at the other end: a connection, or a stream of one.
type peerConn interface {
	SetReadDeadline(deadline time.Time) error
	SetWriteDeadline(deadline time.Time) error
	RemoteAddr() net.Addr
}

// answer is the http.ResponseWriter of one request. It notes status and size, and ends the
// connection if the start of the next request can't be found.
type answer struct {
	http.ResponseWriter
	conn     peerConn
	body     *body // of the request
	status   int   // 0: not said yet
	size     int   // bytes of the answer's body
	replaced bool  // the handler's answer
	hangsUp  bool
	timed    bool // the handler gives the client its time
	hsts     []string
}

// WriteHeader sends the handler's status, unless the request did not arrive whole: the handler
// can't know why.
func (a *answer) WriteHeader(status int) {
	switch {
	case a.status != 0:
		return
	case a.body.err != nil:
		a.replaced = true
		a.refuse(unreadable(a.body.err))
		return
	case !a.body.ended:
		a.hangUp()
	}
	a.begin(status)
}

func (a *answer) begin(status int) {
	a.status = status
	if a.hsts != nil {
		a.Header()["Strict-Transport-Security"] = a.hsts
	}
	a.more()
	a.ResponseWriter.WriteHeader(status)
}

// more gives the client writeTimeout for what follows.
func (a *answer) more() {
	if !a.timed {
		_ = a.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	}
}

// SetWriteDeadline is for http.ResponseController. From then on the handler has to give the client
// its time for each part of the answer.
func (a *answer) SetWriteDeadline(deadline time.Time) error {
	a.timed = true
	return a.conn.SetWriteDeadline(deadline)
}

// FlushError is for http.ResponseController: it sends what was written.
func (a *answer) FlushError() error {
	if !a.ready() {
		return nil
	}
	return http.NewResponseController(a.ResponseWriter).Flush()
}

// Write sends a part of the answer. An answer of any length is sent as long as the client takes
// something of it within the time for an answer.
func (a *answer) Write(p []byte) (n int, err error) {
	if a.ready() {
		n, err = a.ResponseWriter.Write(p)
		a.size += n
		return n, err
	}
	return len(p), nil
}

// WriteString sends a string from where it is: many connections that ask for a large document then
// share it.
func (a *answer) WriteString(text string) (n int, err error) {
	if a.ready() {
		n, err = io.WriteString(a.ResponseWriter, text)
		a.size += n
		return n, err
	}
	return len(text), nil
}

// ready reports whether what follows is sent.
func (a *answer) ready() bool {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	} else {
		a.more()
	}
	return !a.replaced
}

// hangUp ends the connection after the answer. One of HTTP/2 stays: its frames say where a request
// ends.
func (a *answer) hangUp() {
	if _, ok := a.conn.(*stay); !ok {
		return
	}
	a.Header().Set("Connection", "close")
	a.hangsUp = true
}

// refuse discards the handler's answer, answers with one of our own texts instead, and ends the
// connection.
func (a *answer) refuse(r *refusal) {
	header := a.Header()
	id := header["X-Request-Id"]
	clear(header)
	header["X-Request-Id"] = id
	header["Content-Type"] = []string{"application/json"}
	if r == busy || r == busyForClient {
		header["Retry-After"] = []string{"1"}
	}
	a.hangUp()
	a.begin(r.status)
	// It fails only when the client is gone.
	n, _ := io.WriteString(a.ResponseWriter, r.json()) //nolint:gosec // our own texts, as JSON
	a.size += n
}
