package server

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"net"
	"net/http"
	"sync"
	"time"

	"terse/internal/logging"
	"terse/internal/redirect"
)

// A connection begins in the lane: it serves plain redirects, which are nearly all that
// arrives, straight from the bytes of the connection. It knows one form of request: a GET of
// HTTP/1.1 without a body, whole in one read, for a path that the control plane does not
// route. Any other request, well-formed or not, goes with its connection to the general
// server, which decides what it is; so what the lane does not understand it can't get wrong. When
// that has answered, the connection comes back.

const (
	laneBytes = 4 << 10 // of one read in the lane; longer requests are rare
	// keptAnswers is the memory for answers that is kept: one answer is a few KiB at most, but a
	// client may send a hundred requests at once.
	keptAnswers = 64 << 10
)

// lane turns the bytes of plain requests into the bytes of their answers, for one connection
// at a time.
type lane struct {
	s       *Server
	out     []byte         // the answers
	scratch [512]byte      // for a Location
	visit   redirect.Visit // here, because what goes through an interface would be allocated
	id      [36]byte
	now     time.Time // when the last answer was made, or the bytes came
	second  int64     // of date
	date    []byte    // the Date field's value
}

// next is what becomes of a connection.
type next uint8

const (
	stays  next = iota // all requests are answered
	ends               // the same, and it is to be closed
	leaves             // what comes is not for the lane
	waits              // the next answer takes a longer look-up
)

// plain is a request that the lane understands. It holds parts of the buffer.
type plain struct {
	length    int // of the request in the buffer
	path      []byte
	header    [redirect.NumHeaders][]byte
	requestID []byte
	forwarded []byte
	close     bool
}

// serve puts the answers to the requests in the buffer into out, and returns those that it did not
// answer. For how long it may look a link up, see redirect.Attempt.Wait.
// The first request may be admitted already.
func (l *lane) serve(c *conn, in []byte, wait time.Duration, admitted bool) (rest []byte, next next) {
	if cap(l.out) > keptAnswers {
		l.out = nil
	}
	l.out = l.out[:0]
	for len(in) > 0 {
		var p plain
		if !l.s.parsePlain(in, &p) {
			return in, leaves
		}
		switch next := l.answer(c, &p, wait, admitted); next {
		case stays:
		case ends:
			return nil, ends
		default:
			return in, next
		}
		in, admitted = in[p.length:], false
	}
	return nil, stays
}

// answer answers one request.
func (l *lane) answer(c *conn, p *plain, wait time.Duration, admitted bool) next {
	began := l.now
	id := p.requestID
	if !visibleASCII(id) {
		putUUID(&l.id)
		id = l.id[:]
	}
	a := l.decide(c, p, id, wait, admitted)
	if a.Reply == nil {
		return waits
	}
	if a.Err != nil {
		l.s.opts.Logger.Error("redirect", "request_id", string(id), "error", a.Err)
	}
	open := !p.close && !l.s.stopping.Load()
	l.now = time.Now()
	l.appendAnswer(&a, id, open)
	took := l.now.Sub(began)
	l.s.metrics.observe(routeRedirect, methodGet, a.Status, took)
	l.s.opts.Access.Log(&logging.Request{
		Time: l.now.UTC(), ID: id, Method: methodGet, Path: p.path, Status: a.Status, Size: len(a.Body), Duration: took,
	})
	if !open {
		return ends
	}
	return stays
}

var methodGet = []byte(http.MethodGet)

// decide asks the data plane, whose panics are answered like anybody's.
func (l *lane) decide(c *conn, p *plain, id []byte, wait time.Duration, admitted bool) (a redirect.Answer) {
	defer func() {
		if problem := recover(); problem != nil {
			l.s.panicked(problem, id)
			a = redirect.Answer{Reply: redirect.Failed}
		}
	}()
	addr := c.addr
	if c.trusted {
		addr = l.s.forwardedFor(addr, p.forwarded)
	}
	l.visit = redirect.Visit{
		Path: p.path, Header: p.header, Time: l.now, Visitor: redirect.Visitor{Addr: addr, Trusted: c.trusted},
	}
	return l.s.opts.Redirect.Answer(&l.visit, redirect.Attempt{Scratch: l.scratch[:0], Wait: wait, Admitted: admitted})
}

// appendAnswer appends the whole response (RFC 9112, 2.1).
func (l *lane) appendAnswer(a *redirect.Answer, id []byte, open bool) {
	if second := l.now.Unix(); second != l.second {
		l.second, l.date = second, l.now.UTC().AppendFormat(l.date[:0], http.TimeFormat)
	}
	b := append(l.out, a.Head...)
	b = appendField(b, "Date", l.date)
	b = appendField(b, "X-Request-Id", id)
	if a.Name != "" {
		b = appendField(b, a.Name, a.Value)
	}
	if !open {
		b = append(b, "Connection: close\r\n"...)
	}
	b = append(b, "\r\n"...)
	l.out = append(b, a.Body...)
}

func appendField(b []byte, name string, value []byte) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, value...)
	return append(b, '\r', '\n')
}

// parsePlain parses the request at the start of b, and tells whether it is plain.
func (s *Server) parsePlain(b []byte, p *plain) bool {
	line, rest, ok := cutLine(b)
	if !ok || !bytes.HasPrefix(line, []byte("GET /")) || !bytes.HasSuffix(line, []byte(" HTTP/1.1")) {
		return false
	}
	if p.path, ok = pathOfTarget(line[len("GET ") : len(line)-len(" HTTP/1.1")]); !ok || s.routed(p.path) {
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
		switch f := s.fields.meaning(line[:colon]); f {
		case fieldHost:
			hosts++
			ok = len(value) > 0
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
		case fieldNotPlain:
			return false
		default:
			ok = once(&p.header[f-fieldWanted], value)
		}
		if !ok {
			return false
		}
	}
}

// once sets a field's value, and tells whether the field came for the first time.
func once(to *[]byte, value []byte) bool {
	first := *to == nil
	*to = value
	return first
}

// pathOfTarget returns what is before the query. A target with spaces or a fragment is not plain.
func pathOfTarget(target []byte) (path []byte, ok bool) {
	end := len(target)
	for i, c := range target {
		switch c {
		case ' ', '\t', '#':
			return nil, false
		case '?':
			end = min(end, i)
		}
	}
	return target[:end], true
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
// control character but a tab is not plain.
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
	for ; i+8 <= len(b); i += 8 { // eight at a time: a borrow reaches only bytes behind one that is found
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

// field is what a header field means to the lane.
type field uint8

const (
	fieldOther field = iota
	fieldHost
	fieldRequestID
	fieldForwarded
	fieldConnection
	fieldNotPlain // something about a body or another protocol, or no field name
	fieldWanted   // the first redirect.Header; the others follow
)

// fieldTable is the fields that mean something, by the length of their names.
type fieldTable [][]namedField

type namedField struct {
	name string
	is   field
}

// newFieldTable returns the fields that decide who answers a request, and the wanted ones.
func newFieldTable(wanted redirect.HeaderNames) fieldTable {
	var t fieldTable
	t.add("Host", fieldHost)
	t.add("X-Request-Id", fieldRequestID)
	t.add("X-Forwarded-For", fieldForwarded)
	t.add("Connection", fieldConnection)
	for _, name := range []string{
		"Content-Length", "Transfer-Encoding", "Expect", "Upgrade", "TE", "Trailer", "Proxy-Connection",
	} {
		t.add(name, fieldNotPlain)
	}
	for i, name := range wanted {
		if name != "" {
			t.add(name, fieldWanted+field(i))
		}
	}
	return t
}

func (t *fieldTable) add(name string, is field) {
	for len(*t) <= len(name) {
		*t = append(*t, nil)
	}
	(*t)[len(name)] = append((*t)[len(name)], namedField{name, is})
}

// meaning returns what a field of a name means.
func (t fieldTable) meaning(name []byte) field {
	for _, c := range name {
		if !tokenBytes[c] {
			return fieldNotPlain
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
	for _, c := range []byte("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
		t[c] = true
	}
	return t
}()

// handover is a listener whose connections come from the lane.
type handover struct {
	conns  chan net.Conn
	closed chan struct{}
	close  sync.Once
	addr   net.Addr
}

func newHandover() *handover {
	return &handover{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// give hands a connection over, or closes it when nobody takes it any more.
func (h *handover) give(c net.Conn) {
	select {
	case h.conns <- c:
	case <-h.closed:
		_ = c.Close()
	}
}

func (h *handover) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

func (h *handover) Close() error {
	h.close.Do(func() { close(h.closed) })
	return nil
}

func (h *handover) Addr() net.Addr { return h.addr }
