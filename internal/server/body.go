package server

import (
	"errors"
	"io"
	"net/http"
	"os"

	"github.com/valyala/fasthttp"
)

// body is a request's body that is read while it arrives: a length that is only announced takes no
// memory.
type body struct {
	stream io.Reader // nil: it is not read, because it is too long
	limit  int       // in bytes
	length int       // that was announced, -1: it comes in chunks
	taken  int       // of it
	err    error     // why it could not be read, other than that it is too long
}

// takeBody takes the body, of at most limit bytes, out of a request, which has none then.
func takeBody(ctx *fasthttp.RequestCtx, limit int) *body {
	b := &body{
		stream: ctx.RequestBodyStream(), limit: limit, length: ctx.Request.Header.ContentLength(),
	}
	_ = ctx.Request.CloseBodyStream() // the server keeps the stream until the answer is sent
	ctx.Request.SetBodyRaw(nil)
	switch {
	case b.length > limit:
		b.stream = nil
	case b.stream == nil: // there is none
		b.stream, b.length = http.NoBody, 0
	}
	return b
}

// Read fails with a *http.MaxBytesError if the body is too long. So the control plane answers 413
// where it reads a body, and after it has looked at who asks.
func (b *body) Read(p []byte) (n int, err error) {
	if b.stream == nil {
		return 0, &http.MaxBytesError{Limit: int64(b.limit)}
	}
	// One more byte than may come shows whether it ends in time.
	n, err = b.stream.Read(p[:min(len(p), b.limit-b.taken+1)])
	b.taken += n
	switch {
	case b.taken > b.limit:
		b.stream = nil
		return b.Read(p)
	case err == io.EOF && b.length > b.taken:
		err = io.ErrUnexpectedEOF
	}
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// Close does nothing: what is unread is no part of the next request, because there is none.
func (*body) Close() error { return nil }

// ended reports whether the next request begins where reading stopped.
func (b *body) ended() bool { return b.taken == b.length }

// readWhole puts a body that fits into memory back into its request, or returns how to answer when
// it can't.
func readWhole(ctx *fasthttp.RequestCtx, b *body) (status int, message string) {
	if s, ok := ctx.Conn().(*stay); ok && b.length < 0 && ctx.ConnRequestNum() == 1 {
		// Header fields may follow the last chunk.
		if s.fewLines = true; s.head.behind > maxFields {
			return unreadable(errTooManyLines)
		}
	}
	whole, err := io.ReadAll(b)
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return fasthttp.StatusRequestEntityTooLarge, "request body must be at most 4 KiB"
	}
	if err != nil {
		return unreadable(err)
	}
	ctx.Request.SetBodyRaw(whole)
	b.length = b.taken // now it is known
	return 0, ""
}

// unreadable returns how to answer what could not be read.
func unreadable(err error) (status int, message string) {
	var tooBig *fasthttp.ErrSmallBuffer
	switch {
	case errors.As(err, &tooBig):
		return fasthttp.StatusRequestHeaderFieldsTooLarge,
			"request line and headers must be at most 16 KiB"
	case errors.Is(err, errTooManyFields):
		return fasthttp.StatusRequestHeaderFieldsTooLarge,
			"a request must have at most 100 header fields"
	case errors.Is(err, errTooManyLines):
		return fasthttp.StatusRequestEntityTooLarge,
			"a request body in chunks must have at most 100 lines"
	case errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, fasthttp.ErrTimeout):
		return fasthttp.StatusRequestTimeout, "the request did not arrive in time"
	default:
		return fasthttp.StatusBadRequest, "malformed HTTP request"
	}
}
