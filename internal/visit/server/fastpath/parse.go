package fastpath

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"terse/internal/visit/redirect"
)

// fastRequest is a request that the fast path understands. It holds parts of the buffer.
type fastRequest struct {
	length    int // of the request in the buffer
	path      []byte
	query     []byte
	host      []byte
	header    [redirect.NumHeaders][]byte
	requestID []byte
	forwarded []byte
	close     bool
}

// parse parses the request at the start of b, and reports whether it is one for the fast path. It
// does not check the path, which the host may route.
func (t fieldTable) parse(b []byte, p *fastRequest) bool {
	line, rest, ok := cutLine(b)
	if !ok || !bytes.HasPrefix(line, []byte("GET /")) ||
		!bytes.HasSuffix(line, []byte(" HTTP/1.1")) {
		return false
	}
	if p.path, p.query, ok = cutTarget(line[len("GET ") : len(line)-len(" HTTP/1.1")]); !ok {
		return false
	}
	hosts := 0
	for {
		if line, rest, ok = cutLine(rest); !ok {
			return false
		}
		if len(line) == 0 {
			p.length = len(b) - len(rest)
			return hosts == 1
		}
		colon := bytes.IndexByte(line, ':')
		if colon <= 0 {
			return false
		}
		value := trimSpace(line[colon+1:])
		switch f := t.meaning(line[:colon]); f {
		case fieldHost:
			hosts++
			p.host, ok = value, len(value) > 0
		case fieldRequestID:
			ok = once(&p.requestID, value)
		case fieldForwarded:
			ok = once(&p.forwarded, value)
		case fieldConnection:
			if !bytes.EqualFold(value, []byte("keep-alive")) {
				if !bytes.EqualFold(value, []byte("close")) {
					return false
				}
				p.close = true
			}
		case fieldOther:
		case fieldForHost:
			return false
		default:
			ok = once(&p.header[f-fieldWanted], value)
		}
		if !ok {
			return false
		}
	}
}

// once sets a field's value, and reports whether the field came for the first time.
func once(to *[]byte, value []byte) bool {
	first := *to == nil
	*to = value
	return first
}

// cutTarget returns what is before and behind the "?". A target with spaces or a fragment is not
// for the fast path.
func cutTarget(target []byte) (path, query []byte, ok bool) {
	end := len(target)
	for i, c := range target {
		switch c {
		case ' ', '\t', '#':
			return nil, nil, false
		case '?':
			end = min(end, i)
		}
	}
	return target[:end], target[min(end+1, len(target)):], true
}

// trimSpace returns a field's value without the white space around it (RFC 9110, 5.6.3).
func trimSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// cutLine returns the bytes before the first CR LF, and those behind it. A line with any other
// control character but a tab is not for the fast path.
func cutLine(b []byte) (line, rest []byte, ok bool) {
	i := nextControl(b, 0)
	for i < len(b) && b[i] == '\t' {
		i = nextControl(b, i+1)
	}
	if i+1 >= len(b) || b[i] != '\r' || b[i+1] != '\n' {
		return nil, nil, false
	}
	return b[:i], b[i+2:], true
}

// nextControl returns the place of the first control character from a place on, or the length of b.
func nextControl(b []byte, from int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := from
	// eight at a time: a borrow reaches only bytes behind one that is found
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		del := w ^ 0x7F*ones
		if found := ((w-' '*ones)&^w | (del-ones)&^del) & tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(b); i++ {
		if b[i] < ' ' || b[i] == 0x7F {
			break
		}
	}
	return i
}

// field is what a header field means here.
type field uint8

const (
	fieldOther field = iota
	fieldHost
	fieldRequestID
	fieldForwarded
	fieldConnection
	fieldForHost // something about a body or another protocol, or no field name
	fieldWanted  // the first redirect.Header; the others follow
)

// fieldTable is the fields that mean something here, by the length of their names.
type fieldTable [][]namedField

type namedField struct {
	name string
	is   field
}

// newFieldTable returns the fields that decide who answers a request, and the wanted ones.
func newFieldTable(wanted redirect.HeaderNames) fieldTable {
	fields := []namedField{
		{"Host", fieldHost},
		{"X-Request-Id", fieldRequestID},
		{"X-Forwarded-For", fieldForwarded},
		{"Connection", fieldConnection},
		{"Content-Length", fieldForHost},
		{"Transfer-Encoding", fieldForHost},
		{"Expect", fieldForHost},
		{"Upgrade", fieldForHost},
		{"TE", fieldForHost},
		{"Trailer", fieldForHost},
		{"Proxy-Connection", fieldForHost},
	}
	for i, name := range wanted {
		if name != "" {
			fields = append(fields, namedField{name, fieldWanted + field(i)})
		}
	}
	var t fieldTable
	for _, f := range fields {
		for len(t) <= len(f.name) {
			t = append(t, nil)
		}
		t[len(f.name)] = append(t[len(f.name)], f)
	}
	return t
}

// meaning returns what a field of a name means.
func (t fieldTable) meaning(name []byte) field {
	for _, c := range name {
		if !tokenBytes[c] {
			return fieldForHost
		}
	}
	if len(name) < len(t) {
		for _, f := range t[len(name)] {
			if bytes.EqualFold(name, []byte(f.name)) {
				return f.is
			}
		}
	}
	return fieldOther
}

// tokenBytes are the characters of a field name (RFC 9110, 5.6.2).
var tokenBytes = func() (t [256]bool) {
	for _, c := range []byte(
		"!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
		t[c] = true
	}
	return t
}()
