package server

import (
	"bytes"
	"errors"

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
	if s, ok := ctx.Conn().(*stay); ok && s.head.bareLF {
		return fasthttp.StatusBadRequest, needCRLF, false
	}
	return misframed(&ctx.Request.Header)
}

// requestHead watches how the request line ends, and the empty lines before it, of which fasthttp
// keeps no copy, and how many fields there are. On Linux each stay in the general server is for one
// request; elsewhere only the first of a connection is watched.
type requestHead struct {
	last    byte
	begun   bool    // the line has more than an end
	name    [8]byte // what the line begins with
	length  int     // of the name
	trailer bool    // the line is of the field Trailer
	lines   int     // that have ended, and the names in Trailer but one a line
	over    bool
	behind  int // line ends that came since
	bareLF  bool
}

var trailerColon = []byte("trailer:")

func (h *requestHead) watch(p []byte) {
	for i, c := range p {
		if h.over {
			h.behind += bytes.Count(p[i:], []byte("\n"))
			return
		}
		switch {
		case c == '\n':
			h.bareLF = h.bareLF || h.lines == 0 && h.last != '\r'
			h.over = h.lines > 0 && !h.begun
			if h.begun {
				h.lines++
			}
			h.begun, h.length = false, 0
		case c != '\r':
			if !h.begun && (c == ' ' || c == '\t') {
				h.length = len(h.name) // the line before goes on
			}
			if h.begun = true; h.length < len(h.name) {
				h.name[h.length] = c
				h.length++
				h.trailer = h.length == len(h.name) && bytes.EqualFold(h.name[:], trailerColon)
			}
			if h.trailer && c == ',' {
				h.lines++
			}
		}
		h.last = c
	}
}

// These end a request with more lines than maxFields allows, before the general server makes
// something of each: it would take fifty times the bytes.
var (
	errTooManyFields = errors.New("too many header fields")
	errTooManyLines  = errors.New("too many lines in a body in chunks")
)

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
