package server

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// body is a request's body, read while it arrives: an announced length alone takes no memory.
type body struct {
	conn   peerConn
	from   io.Reader
	limit  int64 // in bytes
	length int64 // as announced, -1: it comes in chunks
	taken  int64 // of it
	ended  bool  // the next request begins where reading stopped
	err    error // why it could not be read, other than that it is too long

	part   int64     // of a long body: up to where it must be taken by partBy
	partBy time.Time // zero: reading has not begun
}

// newBody takes the place of a request's body.
func newBody(conn peerConn, r *http.Request, limit int64) *body {
	b := &body{
		conn: conn, from: r.Body, limit: limit, length: r.ContentLength,
		ended: r.ContentLength == 0,
	}
	if !b.ended {
		r.Body = b
	}
	return b
}

// Read fails with a *http.MaxBytesError if the body is too long. So the control plane answers 413
// only when it reads a body, after it has checked the token.
func (b *body) Read(p []byte) (n int, err error) {
	if b.tooLong() {
		return 0, &http.MaxBytesError{Limit: b.limit}
	}
	if b.long() && !b.ended {
		_ = b.conn.SetReadDeadline(b.deadline(time.Now()))
	}
	// One byte more than allowed shows whether the body is too long.
	n, err = b.from.Read(p[:min(int64(len(p)), b.limit-b.taken+1)])
	b.taken += int64(n)
	switch {
	case b.tooLong():
		return 0, &http.MaxBytesError{Limit: b.limit}
	case err == io.EOF:
		b.ended = true
	case err != nil:
		b.err = err
	}
	return n, err
}

// Close does nothing: net/http closes the body that this one wraps.
func (*body) Close() error { return nil }

func (b *body) tooLong() bool { return b.length > b.limit || b.taken > b.limit }

// long reports whether the body may take longer than readTimeout: it is read as long as something
// of it comes within that time, and each bodyPart within bodyPartTime.
func (b *body) long() bool { return b.limit > maxTimedBody }

// deadline returns when the next bytes of a long body are due.
func (b *body) deadline(now time.Time) time.Time {
	if b.partBy.IsZero() || b.taken >= b.part {
		b.part, b.partBy = b.taken+bodyPart, now.Add(bodyPartTime)
	}
	if next := now.Add(readTimeout); next.Before(b.partBy) {
		return next
	}
	return b.partBy
}

// arrive reads a small body into memory, or returns the answer to one that can't be read.
func (b *body) arrive() *refusal {
	if b.ended || b.limit > maxBodyBytes && (b.length < 0 || b.length > maxBodyBytes) {
		return nil
	}
	whole, err := io.ReadAll(b)
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return bodyTooLong
	}
	if err != nil {
		return unreadable(err)
	}
	b.from, b.taken = bytes.NewReader(whole), 0
	return nil
}

var bodyTooLong = &refusal{
	http.StatusRequestEntityTooLarge, "request body must be at most 4 KiB",
}

// unreadable returns how to answer a request whose body could not be read.
func unreadable(err error) *refusal {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return tooLate
	case errors.Is(err, io.ErrUnexpectedEOF):
		return endsTooSoon
	}
	return malformed
}
