package server

import (
	"bytes"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	"terse/internal/logging"
	"terse/internal/redirect"
)

// A connection begins in the lane: it serves plain redirects, which are nearly all that
// arrives, straight from the bytes of the connection. It knows one form of request: a GET of
// HTTP/1.1 without a body, whole in one read, for a path that the control plane does not
// route. Any other request, well-formed or not, goes with its connection to the general
// server, which decides what it is; so what the lane does not understand it can't get wrong.

const (
	laneBytes = 4 << 10 // of one request in the lane; longer ones are rare
	// slowRequests is how many requests a connection may send to the general server before it
	// has to begin anew, so that a proxy's connection does not stay out of the lane for one
	// API request.
	slowRequests = 100
	// rearm is how old a connection's deadline may get: setting one costs as much as parsing.
	rearm = 5 * time.Second
)

// lane is one connection's state in the lane.
type lane struct {
	s       *Server
	c       *conn
	trusted bool // the peer is a trusted proxy
	in      [laneBytes]byte
	out     []byte
	scratch [512]byte        // for a Location
	request redirect.Request // here, because what goes through an interface would be allocated
	id      [36]byte
	now     time.Time // when the last request was answered
	armed   time.Time // when the deadline was set
	second  int64     // of date
	date    []byte    // the Date field's value
}

// plain is a request that the lane understands. It holds parts of the buffer.
type plain struct {
	length    int // of the request in the buffer
	path      []byte
	referrer  []byte
	requestID []byte
	country   []byte
	forwarded []byte
	close     bool
}

// serveLane serves a connection until it ends or has to leave the lane.
func (s *Server) serveLane(c *conn) {
	l := &lane{s: s, c: c, now: time.Now(), trusted: contains(s.opts.TrustedProxies, c.addr), out: make([]byte, 0, 1024)}
	have := 0
	for {
		if have == 0 {
			n, err := l.read()
			if err != nil {
				_ = c.Close()
				return
			}
			have = n
		}
		var p plain
		if !s.parsePlain(l.in[:have], &p) {
			l.leave(l.in[:have])
			return
		}
		open, err := l.answer(&p)
		if err != nil || !open {
			_ = c.Close()
			return
		}
		have = copy(l.in[:], l.in[p.length:have])
	}
}

// read waits for the next request. The connection counts as unused meanwhile.
func (l *lane) read() (int, error) {
	if l.now.Sub(l.armed) > min(rearm, l.s.idle) {
		if err := l.c.SetDeadline(l.now.Add(l.s.idle + min(rearm, l.s.idle))); err != nil {
			return 0, err
		}
		l.armed = l.now
	}
	l.c.used.Store(false)
	if l.s.stopping.Load() {
		return 0, net.ErrClosed
	}
	// Let the others go first: under load the next request is there by then, and this
	// connection need not be parked and woken by the poller, which cost a tenth to a fifth of a redirect's CPU.
	runtime.Gosched()
	return l.c.Read(l.in[:])
}

// leave hands the connection to the general server, with what was read of it.
func (l *lane) leave(read []byte) {
	// Its deadlines are its own.
	if err := l.c.SetDeadline(time.Time{}); err != nil {
		_ = l.c.Close()
		return
	}
	l.c.unread = bytes.Clone(read)
	l.s.general.give(l.c)
}

// answer answers one request, and tells whether the connection stays open.
func (l *lane) answer(p *plain) (open bool, err error) {
	began := time.Now()
	id := p.requestID
	if !visibleASCII(id) {
		putUUID(&l.id)
		id = l.id[:]
	}
	a := l.decide(p, id, began)
	if a.Err != nil {
		l.s.opts.Logger.Error("redirect", "request_id", string(id), "error", a.Err)
	}
	open = !p.close && !l.s.stopping.Load()
	l.out = l.appendAnswer(l.out[:0], &a, id, open, began)
	l.now = time.Now()
	took := l.now.Sub(began)
	l.s.metrics.observe(routeRedirect, methodGet, a.Status, took)
	l.s.opts.Access.Log(&logging.Request{
		Time: l.now.UTC(), ID: id, Method: methodGet, Path: p.path, Status: a.Status, Size: len(a.Body), Duration: took,
	})
	_, err = l.c.Write(l.out)
	return open, err
}

var methodGet = []byte(http.MethodGet)

// decide asks the data plane, whose panics are answered like anybody's.
func (l *lane) decide(p *plain, id []byte, now time.Time) (a redirect.Answer) {
	defer func() {
		if problem := recover(); problem != nil {
			l.s.panicked(problem, id)
			a = redirect.Answer{Reply: redirect.Failed}
		}
	}()
	addr := l.c.addr
	if l.trusted {
		addr = l.s.forwardedFor(addr, p.forwarded)
	}
	l.request = redirect.Request{
		Path: p.path, Referrer: p.referrer, Country: p.country, Time: now, Visitor: redirect.Visitor{Addr: addr, Trusted: l.trusted}, Scratch: l.scratch[:0],
	}
	return l.s.opts.Redirect.Answer(&l.request)
}

// appendAnswer appends the whole response (RFC 9112, 2.1).
func (l *lane) appendAnswer(b []byte, a *redirect.Answer, id []byte, open bool, now time.Time) []byte {
	b = append(b, "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(a.Status), 10)
	b = append(b, ' ')
	b = append(b, http.StatusText(a.Status)...)
	b = append(b, "\r\nDate: "...)
	if second := now.Unix(); second != l.second {
		l.second, l.date = second, now.UTC().AppendFormat(l.date[:0], http.TimeFormat)
	}
	b = append(b, l.date...)
	b = append(b, "\r\nContent-Length: "...)
	b = strconv.AppendInt(b, int64(len(a.Body)), 10)
	b = append(b, "\r\nX-Request-Id: "...)
	b = append(b, id...)
	for i := range a.Fields {
		b = appendField(b, a.Fields[i].Name, a.Fields[i].Value)
	}
	if a.Name != "" {
		b = appendField(b, a.Name, a.Value)
	}
	if !open {
		b = append(b, "\r\nConnection: close"...)
	}
	b = append(b, "\r\n\r\n"...)
	return append(b, a.Body...)
}

func appendField[T string | []byte](b []byte, name string, value T) []byte {
	b = append(b, '\r', '\n')
	b = append(b, name...)
	b = append(b, ": "...)
	return append(b, value...)
}

// parsePlain parses the request at the start of b, and tells whether it is plain.
func (s *Server) parsePlain(b []byte, p *plain) bool {
	line, rest, ok := cutLine(b)
	if !ok || !bytes.HasPrefix(line, []byte("GET /")) || !bytes.HasSuffix(line, []byte(" HTTP/1.1")) {
		return false
	}
	target := line[len("GET ") : len(line)-len(" HTTP/1.1")]
	if bytes.ContainsAny(target, " \t#") {
		return false
	}
	p.path, _, _ = bytes.Cut(target, []byte{'?'})
	if s.routed(p.path) {
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
		value := bytes.Trim(line[colon+1:], " \t")
		switch s.laneField(line[:colon]) {
		case fieldHost:
			hosts++
			ok = len(value) > 0
		case fieldReferrer:
			ok = once(&p.referrer, value)
		case fieldRequestID:
			ok = once(&p.requestID, value)
		case fieldCountry:
			ok = once(&p.country, value)
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

// cutLine returns the bytes before the first CR LF, and those behind it. A line with any other
// control character but a tab is not plain.
func cutLine(b []byte) (line, rest []byte, ok bool) {
	for i, c := range b {
		if c >= ' ' && c != 0x7F || c == '\t' {
			continue
		}
		if c != '\r' || i+1 >= len(b) || b[i+1] != '\n' {
			break
		}
		return b[:i], b[i+2:], true
	}
	return nil, nil, false
}

// field is what a header field means to the lane.
type field uint8

const (
	fieldOther field = iota
	fieldHost
	fieldReferrer
	fieldRequestID
	fieldCountry
	fieldForwarded
	fieldConnection
	fieldNotPlain // something about a body or another protocol, or no field name
)

var laneFields = []struct {
	name string
	is   field
}{
	{"host", fieldHost},
	{"referer", fieldReferrer},
	{"x-request-id", fieldRequestID},
	{"x-forwarded-for", fieldForwarded},
	{"connection", fieldConnection},
	{"content-length", fieldNotPlain},
	{"transfer-encoding", fieldNotPlain},
	{"expect", fieldNotPlain},
	{"upgrade", fieldNotPlain},
	{"te", fieldNotPlain},
	{"trailer", fieldNotPlain},
	{"proxy-connection", fieldNotPlain},
}

func (s *Server) laneField(name []byte) field {
	for _, c := range name {
		if !tokenBytes[c] {
			return fieldNotPlain
		}
	}
	for _, f := range laneFields {
		if len(f.name) == len(name) && bytes.EqualFold(name, []byte(f.name)) {
			return f.is
		}
	}
	if len(name) == len(s.opts.CountryHeader) && bytes.EqualFold(name, []byte(s.opts.CountryHeader)) {
		return fieldCountry
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
