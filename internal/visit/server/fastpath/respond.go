package fastpath

import (
	"net/http"
	"time"

	"terse/internal/visit/redirect"
)

const (
	readBytes = 4 << 10 // of one read; longer requests are rare
	// keptAnswers is the memory for answers that is kept: one answer is a few KiB at most, but a
	// client may send a hundred requests at once.
	keptAnswers = 64 << 10
	// maxAnswers bounds the answers that wait to be sent, in bytes; one answer may come on top. A
	// client may send a hundred requests for pages and read no answer. A hundred redirects are
	// shorter.
	maxAnswers = 32 << 10
)

// responder turns the bytes of requests into the bytes of their answers, for one connection at a
// time.
type responder struct {
	s       *Server
	out     []byte        // the answers
	scratch [2 << 10]byte // for a Location, and for options with some rules
	// request and reply are here, because an interface would move them to the heap
	request Request
	reply   redirect.Answer
	now     time.Time // when the last answer was made, or the bytes came
	second  int64     // of date
	date    []byte    // the Date field's value
}

// outcome is what becomes of a connection.
type outcome uint8

const (
	stays  outcome = iota // all requests are answered
	ends                  // the same, and then it closes
	leaves                // the rest is for the host
	waits                 // the next answer takes a longer look-up
	apart                 // the next answer takes other work, which no bound applies to
)

// serve puts the answers to the requests in the buffer into out, and returns those that it did not
// answer. For how long it may look a link up, see redirect.Attempt.Wait. The first request may be
// admitted already.
func (r *responder) serve(c *conn, in []byte, wait time.Duration,
	admitted bool,
) (rest []byte, o outcome) {
	if cap(r.out) > keptAnswers {
		r.out = nil
	}
	r.out = r.out[:0]
	if r.s.opts.OnlySecure && c.secure == nil {
		return in, leaves
	}
	for len(in) > 0 {
		var p fastRequest
		if len(r.out) > maxAnswers || !r.s.fields.parse(in, &p) {
			return in, leaves
		}
		r.request.Host = p.host
		if r.request.Path = p.path; r.s.opts.Host.Route(&r.request.Visit, p.host) {
			return in, leaves
		}
		switch o := r.answer(c, &p, redirect.Attempt{
			Scratch: r.scratch[:0], Wait: wait,
			Admitted: admitted,
		}); o {
		case stays:
		case ends:
			return nil, ends
		default:
			return in, o
		}
		in, admitted = in[p.length:], false
	}
	return nil, stays
}

// answer answers one request, which is routed.
func (r *responder) answer(c *conn, p *fastRequest, attempt redirect.Attempt) outcome {
	began := r.now
	v := &r.request.Visit
	v.Query, v.Header, v.Time = p.query, p.header, began
	v.Visitor = redirect.Visitor{Addr: c.peer, Trusted: c.trusted}
	r.request.Attempt, r.request.ID, r.request.Forwarded = attempt, p.requestID, p.forwarded
	a := &r.reply
	*a = r.s.opts.Host.Answer(&r.request)
	if a.Reply == nil {
		if a.Apart {
			return apart
		}
		return waits
	}
	open := !p.close && !r.s.stopping.Load()
	r.now = time.Now()
	r.appendAnswer(a, r.request.ID, open)
	r.s.opts.Host.Answered(&r.request, a, r.now, r.now.Sub(began))
	if !open {
		return ends
	}
	return stays
}

// appendAnswer appends the whole response (RFC 9112, 2.1).
func (r *responder) appendAnswer(a *redirect.Answer, id []byte, open bool) {
	if second := r.now.Unix(); second != r.second {
		r.second, r.date = second, r.now.UTC().AppendFormat(r.date[:0], http.TimeFormat)
	}
	b := append(r.out, a.Head...)
	b = appendField(b, "Date", r.date)
	b = appendField(b, "X-Request-Id", id)
	if hsts := r.s.opts.HSTS; hsts != nil {
		b = appendField(b, "Strict-Transport-Security", hsts)
	}
	if a.Name != "" {
		b = appendField(b, a.Name, a.Value)
	}
	if !open {
		b = append(b, "Connection: close\r\n"...)
	}
	b = append(b, "\r\n"...)
	r.out = append(b, a.Body...)
}

func appendField(b []byte, name string, value []byte) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, value...)
	return append(b, '\r', '\n')
}
