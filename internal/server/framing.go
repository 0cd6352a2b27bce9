package server

import (
	"bytes"

	"github.com/valyala/fasthttp"
)

// Framing says where a request ends. When a proxy in front reads it in another way, the rest of one
// request becomes another one, which nobody has checked. RFC 9112 lets a server refuse what can be
// read in two ways; fasthttp refuses some of it.

// misframed returns the status and the text to refuse a request with whose end is open to doubt, or
// whose version is not HTTP/1: 0 for any other.
func misframed(h *fasthttp.RequestHeader) (status int, message string) {
	if version := h.Protocol(); string(version) != "HTTP/1.1" && string(version) != "HTTP/1.0" {
		return fasthttp.StatusHTTPVersionNotSupported, "HTTP version must be 1.0 or 1.1"
	}
	length, coding := false, false
	for raw := h.RawHeaders(); len(raw) > 0; {
		line, rest, _ := bytes.Cut(raw, []byte("\n"))
		raw = rest
		if !bytes.HasSuffix(line, []byte("\r")) {
			return fasthttp.StatusBadRequest, "lines must end with CR LF"
		}
		if line[0] == ' ' || line[0] == '\t' {
			return fasthttp.StatusBadRequest, "header fields must be one line each"
		}
		name, value, _ := bytes.Cut(line[:len(line)-1], []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte(fasthttp.HeaderContentLength)):
			length = true
		case !bytes.EqualFold(name, []byte(fasthttp.HeaderTransferEncoding)):
		case !bytes.EqualFold(trimSpace(value), []byte("chunked")):
			return fasthttp.StatusNotImplemented, "Transfer-Encoding must be chunked"
		default:
			coding = true
		}
	}
	if length && coding {
		return fasthttp.StatusBadRequest, "Content-Length and Transfer-Encoding exclude each other"
	}
	return 0, ""
}
