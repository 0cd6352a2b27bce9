package server

import (
	"bytes"

	"github.com/valyala/fasthttp"
)

// Framing says where a request ends. When a proxy in front reads it in another way, the rest of one
// request becomes another one, which was not checked. RFC 9112 lets a server refuse what can be
// read in two ways; fasthttp refuses some of it.
//
// RFC 9112, 2.2 also lets a server take a bare LF for the end of a line. fasthttp does, and a proxy
// that does not would see other fields, or another end of a chunked body. So a bare LF is refused
// up to the end of the headers. fasthttp refuses it between chunks, but not in the trailer fields
// behind them: whatever follows a chunked body is not served, because the connection ends there.

const needCRLF = "lines must end with CR LF"

// refusal returns the status and the text to refuse a request with whose end is open to doubt, or
// whose version is not HTTP/1: 0 for any other. A request that is chunked is the last of its
// connection.
func refusal(ctx *fasthttp.RequestCtx) (status int, message string, chunked bool) {
	if s, ok := ctx.Conn().(*stay); ok && s.line.bareLF {
		return fasthttp.StatusBadRequest, needCRLF, false
	}
	return misframed(&ctx.Request.Header)
}

// requestLine watches how the request line ends, and the empty lines before it. fasthttp keeps no
// copy of them. On Linux each stay in the general server is for one request; elsewhere only the
// first of a connection is watched.
type requestLine struct {
	last   byte
	begun  bool // it has more than an end
	over   bool
	bareLF bool
}

func (l *requestLine) watch(p []byte) {
	for _, c := range p {
		if l.over {
			return
		}
		if c == '\n' {
			l.bareLF = l.bareLF || l.last != '\r'
			l.over = l.begun
		}
		l.begun = l.begun || c != '\r' && c != '\n'
		l.last = c
	}
}

func misframed(h *fasthttp.RequestHeader) (status int, message string, chunked bool) {
	if version := h.Protocol(); string(version) != "HTTP/1.1" && string(version) != "HTTP/1.0" {
		return fasthttp.StatusHTTPVersionNotSupported, "HTTP version must be 1.0 or 1.1", false
	}
	length := false
	for raw := h.RawHeaders(); len(raw) > 0; {
		line, rest, _ := bytes.Cut(raw, []byte("\n"))
		raw = rest
		if !bytes.HasSuffix(line, []byte("\r")) {
			return fasthttp.StatusBadRequest, needCRLF, false
		}
		if line[0] == ' ' || line[0] == '\t' {
			return fasthttp.StatusBadRequest, "header fields must be one line each", false
		}
		name, value, _ := bytes.Cut(line[:len(line)-1], []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte(fasthttp.HeaderContentLength)):
			length = true
		case !bytes.EqualFold(name, []byte(fasthttp.HeaderTransferEncoding)):
		case !bytes.EqualFold(bytes.Trim(value, " \t"), []byte("chunked")):
			return fasthttp.StatusNotImplemented, "Transfer-Encoding must be chunked", false
		default:
			chunked = true
		}
	}
	if length && chunked {
		return fasthttp.StatusBadRequest, "Content-Length and Transfer-Encoding exclude each other",
			false
	}
	return 0, "", chunked
}
