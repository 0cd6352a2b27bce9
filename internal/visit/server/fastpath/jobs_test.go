//go:build linux

package fastpath

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"terse/internal/visit/redirect"
)

// remote is a host whose links take waiting.
type remote struct{ host }

func (h *remote) Answer(r *Request) redirect.Answer {
	if r.Wait != 0 {
		return redirect.Answer{}
	}
	return h.host.Answer(r)
}

// TestRequestsBehindAJob sends requests together, before they are read: those that the first read
// takes are answered by another goroutine, after which the loop reads the others. The kernel has
// told of them already.
func TestRequestsBehindAJob(t *testing.T) {
	t.Parallel()
	const requests = 32
	for _, length := range []int{readBytes / 16, readBytes/16 + 1, readBytes / requests} {
		request := "GET /abc HTTP/1.1\r\nHost: x\r\nA: "
		request += strings.Repeat("a", length-len(request)-len("\r\n\r\n")) + "\r\n\r\n"
		h := &remote{}
		s := New(Options{
			Host: h, Loops: 1, RemoteLinks: true, WriteTimeout: time.Minute,
			IdleTimeout: time.Minute, Logger: slog.New(slog.DiscardHandler),
		})
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(30 * time.Second)) // for a broken server
		if _, err := io.WriteString(c, strings.Repeat(request, requests)); err != nil {
			t.Fatal(err)
		}
		if length == readBytes/requests { // the end of the connection is told once, too
			_ = c.(*net.TCPConn).CloseWrite()
		}
		served := make(chan error, 1)
		go func() { served <- s.Serve(ln) }()
		in := bufio.NewReader(c)
		for n := range requests {
			resp, err := http.ReadResponse(in, nil)
			if err != nil || resp.StatusCode >= 400 {
				t.Fatalf("%d bytes each, answer %d: %v, %v", length, n, resp, err)
			}
		}
		if length == readBytes/requests {
			if _, err := in.ReadByte(); err != io.EOF {
				t.Errorf("the connection was not closed: %v", err)
			}
		}
		_ = c.Close()
		s.Stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}
}

// TestAnswersAreSentInParts sends requests whose answers are long: they are not all made before the
// client takes some.
func TestAnswersAreSentInParts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 8<<10)
	s := newServer(&host{})
	s.opts.Host = &page{reply: redirect.NewReply(404, long)}
	r := responder{s: s, now: time.Now()}
	const request = "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n"
	rest, o := r.serve(&conn{}, []byte(strings.Repeat(request, 100)), 0, false)
	if o != leaves || len(r.out) > maxAnswers+2*len(long) || len(rest)%len(request) != 0 {
		t.Errorf("outcome %v, %d bytes of answers, %d of requests left", o, len(r.out), len(rest))
	}
}

// page is a host that answers with a page.
type page struct {
	host
	reply *redirect.Reply
}

func (h *page) Answer(r *Request) redirect.Answer {
	r.ID = location[:5]
	return redirect.Answer{Reply: h.reply}
}
