package server

import (
	"bytes"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"golang.org/x/net/http/httpguts"
)

// The guard reads the head of each request before net/http does, and refuses what a proxy in front
// could read in another way: where requests end is then open to doubt, and the rest of one could
// become another one, which the proxy did not check. RFC 9112 lets a server refuse all of it;
// net/http takes some of it (a bare LF, folded lines, Content-Length beside chunked or twice). What
// net/http would refuse, in plain text and without a line in the log, the guard refuses before it.

// Limits of a request's head. Beyond them it is 431.
const (
	// maxHeaderBytes bounds request line and header fields. A connection buffers up to that many
	// bytes.
	maxHeaderBytes = 16 << 10
	// maxFields bounds the header fields, and each further name in a Trailer: for each, net/http
	// allocates more than its bytes.
	maxFields = 100
)

// refusal is the answer to bytes that are not a request, or an ambiguous one. It ends the
// connection.
type refusal struct {
	status  int
	message string // needs no escaping in JSON
}

func (r *refusal) json() string { return `{"error":"` + r.message + `"}` }

var (
	malformed       = &refusal{http.StatusBadRequest, "malformed HTTP request"}
	endsTooSoon     = &refusal{http.StatusBadRequest, "the body ends too soon"}
	badTarget       = &refusal{http.StatusBadRequest, "malformed request target"}
	bareLF          = &refusal{http.StatusBadRequest, "lines must end with CR LF"}
	folded          = &refusal{http.StatusBadRequest, "header fields must be one line each"}
	badHost         = &refusal{http.StatusBadRequest, "a request must have one Host"}
	badLength       = &refusal{http.StatusBadRequest, "Content-Length must be one number"}
	manyCodings     = &refusal{http.StatusBadRequest, "a request may have one Transfer-Encoding"}
	lengthAndCoding = &refusal{
		http.StatusBadRequest, "Content-Length and Transfer-Encoding exclude each other",
	}
	oldChunked   = &refusal{http.StatusBadRequest, "HTTP/1.0 has no Transfer-Encoding"}
	otherCoding  = &refusal{http.StatusNotImplemented, "Transfer-Encoding must be chunked"}
	otherVersion = &refusal{
		http.StatusHTTPVersionNotSupported, "HTTP version must be 1.0 or 1.1",
	}
	headTooLong = &refusal{
		http.StatusRequestHeaderFieldsTooLarge, "request line and headers must be at most 16 KiB",
	}
	tooManyFields = &refusal{
		http.StatusRequestHeaderFieldsTooLarge, "a request must have at most 100 header fields",
	}
	otherExpectation = &refusal{http.StatusExpectationFailed, "Expect must be 100-continue"}
	tooLate          = &refusal{http.StatusRequestTimeout, "the request did not arrive in time"}
)

// endless is the length of a body in chunks. Only net/http finds its end, so the guard does not
// know where the next request begins, and none is served.
const endless = math.MaxInt64

// head is what the guard has read of a request's head. It holds parts of the buffer.
type head struct {
	length         int // in bytes, of the lines that have ended
	method, target []byte
	id             []byte // X-Request-Id
	host           []byte // the Host field
	body           int64  // bytes that follow

	http10                          bool
	fields, hosts, lengths, codings int
}

// read continues to read b, which begins with the head and may have grown. It reports whether the
// head is whole, or why it is refused.
func (h *head) read(b []byte) (whole bool, refused *refusal) {
	if h.length == 0 && len(b) > 0 && !isToken(b[:1]) && b[0] != '\r' && b[0] != '\n' {
		return false, malformed // at once: TLS, for one, has no lines
	}
	for {
		line := b[h.length:]
		end := bytes.IndexByte(line, '\n')
		switch {
		case h.length > 0 && len(line) > 0 && (line[0] == ' ' || line[0] == '\t'):
			return false, folded
		case h.length+end >= maxHeaderBytes, end < 0 && len(b) >= maxHeaderBytes:
			return false, headTooLong
		case end < 0:
			return false, nil
		}
		line, ok := bytes.CutSuffix(line[:end], []byte("\r"))
		if !ok {
			return false, bareLF
		}
		first := h.length == 0
		h.length += end + 1
		switch {
		case first:
			refused = h.requestLine(line)
		case len(line) == 0:
			return true, h.frame()
		default:
			refused = h.field(line)
		}
		if refused != nil {
			return false, refused
		}
	}
}

// requestLine reads the first line (RFC 9112, 3).
func (h *head) requestLine(line []byte) *refusal {
	method, rest, _ := bytes.Cut(line, []byte(" "))
	target, version, _ := bytes.Cut(rest, []byte(" "))
	if !isToken(method) || !isText(line) || !isTarget(method, target) {
		return malformed
	}
	h.method, h.target = method, target
	switch {
	case string(version) == "HTTP/1.1":
	case string(version) == "HTTP/1.0":
		h.http10 = true
	case len(version) == len("HTTP/1.1") && bytes.HasPrefix(version, []byte("HTTP/")):
		return otherVersion
	default:
		return malformed
	}
	return nil
}

// isTarget reports whether a target has one of the forms of RFC 9112, 3.2.
func isTarget(method, target []byte) bool {
	switch {
	case len(target) == 0 || bytes.IndexByte(target, '\t') >= 0:
		return false
	case target[0] == '/' || string(method) == http.MethodConnect:
		return true
	case len(target) == 1 && target[0] == '*':
		return string(method) == http.MethodOptions
	}
	return bytes.Contains(target, []byte("://"))
}

// isURL reports whether net/http can parse a target as a URL. CONNECT has none.
func isURL(method, target []byte) bool {
	if target[0] == '/' && bytes.IndexByte(target, '%') < 0 {
		return true
	}
	_, err := url.ParseRequestURI(string(target))
	return err == nil && string(method) != http.MethodConnect
}

// hide replaces the target in place by one that net/http accepts.
func (h *head) hide() {
	for i := range h.target {
		h.target[i] = '/'
	}
}

// field reads a header field (RFC 9112, 5).
func (h *head) field(line []byte) *refusal {
	if h.fields++; h.fields > maxFields {
		return tooManyFields
	}
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || !isToken(name) || !isText(value) {
		return malformed
	}
	value = bytes.Trim(value, " \t")
	switch {
	case is(name, "Host"):
		h.hosts++
		if len(value) == 0 && !h.http10 || !httpguts.ValidHostHeader(string(value)) {
			return badHost
		}
		h.host = value
	case is(name, "Expect"):
		if !is(value, "100-continue") {
			return otherExpectation
		}
	case is(name, "Trailer"):
		return h.trailer(value)
	case is(name, "X-Request-Id"):
		h.id = value
	case is(name, "Content-Length"):
		return h.contentLength(value)
	case is(name, "Transfer-Encoding"):
		h.codings++
		if !is(value, "chunked") {
			return otherCoding
		}
	}
	return nil
}

// is reports whether two names are the same, in any case.
func is(name []byte, other string) bool {
	return len(name) == len(other) && bytes.EqualFold(name, []byte(other))
}

// trailer reads names of fields that follow a body. Those that frame a request can't be among them
// (RFC 9110, 6.5.1).
func (h *head) trailer(names []byte) *refusal {
	h.fields += bytes.Count(names, []byte(","))
	for name := range bytes.SplitSeq(names, []byte(",")) {
		name = bytes.Trim(name, " \t")
		if is(name, "Trailer") || is(name, "Content-Length") || is(name, "Transfer-Encoding") {
			return malformed
		}
	}
	return nil
}

// contentLength reads a number of bytes (RFC 9110, 8.6).
func (h *head) contentLength(value []byte) *refusal {
	n, err := strconv.ParseUint(string(value), 10, 62) // takes no sign
	if h.lengths++; err != nil || h.lengths > 1 {
		return badLength
	}
	h.body = int64(n)
	return nil
}

// frame says where the request ends (RFC 9112, 6.3).
func (h *head) frame() *refusal {
	switch {
	case h.fields > maxFields:
		return tooManyFields
	case h.hosts > 1 || h.hosts == 0 && !h.http10:
		return badHost
	case h.codings == 0:
		return nil
	case h.lengths > 0:
		return lengthAndCoding
	case h.codings > 1:
		return manyCodings
	case h.http10:
		return oldChunked
	}
	h.body = endless
	return nil
}

// isText reports whether a line has no control character but tabs.
func isText(line []byte) bool {
	for _, c := range line {
		if c < ' ' && c != '\t' || c == 0x7F {
			return false
		}
	}
	return true
}

// isToken reports whether a name or a method is one (RFC 9110, 5.6.2).
func isToken(name []byte) bool {
	for _, c := range name {
		if !httpguts.IsTokenRune(rune(c)) {
			return false
		}
	}
	return len(name) > 0
}

// emptyLines returns the length of the empty lines at the start of b, which a server should skip
// (RFC 9112, 2.2).
func emptyLines(b []byte) (n int) {
	for bytes.HasPrefix(b[n:], []byte("\r\n")) {
		n += len("\r\n")
	}
	return n
}
