package fastpath

import (
	"bufio"
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse/internal/visit/redirect"
)

// host redirects everything but what is below /api/, and says so to what it is handed.
type host struct{ handed, left atomic.Int64 }

type place struct{ host *host }

func (place) Trusted() bool { return false }
func (p place) Leave()      { p.host.left.Add(1) }

var (
	found = redirect.NewReply(302, "", redirect.Field{
		Name:  "Cache-Control",
		Value: "private, no-store",
	})
	location = []byte("https://example.com/")
)

func (h *host) Enter(netip.Addr, Conn) (Seat, string) { return place{h}, "" }
func (*host) Route(v *redirect.Visit, _ []byte) (elsewhere bool) {
	return strings.HasPrefix(string(v.Path), "/api/")
}
func (*host) Commit() {}

func (*host) Answer(r *Request) redirect.Answer {
	r.ID = location[:5]
	return redirect.Answer{Reply: found, Name: "Location", Value: location}
}

func (*host) Answered(*Request, *redirect.Answer, time.Time, time.Duration) {}

// HandOver answers one request, and gives the connection back.
func (h *host) HandOver(c *Handed, unread []byte) {
	h.handed.Add(1)
	left := bytes.NewReader(unread)
	in := bufio.NewReader(io.MultiReader(left, c))
	if _, err := http.ReadRequest(in); err != nil {
		_ = c.Close()
		return
	}
	_, _ = io.WriteString(c, "HTTP/1.1 204 No Content\r\n\r\n")
	unread, _ = io.ReadAll(io.LimitReader(in, int64(in.Buffered()+left.Len())))
	if !c.GiveBack(unread) {
		_ = c.Close()
	}
}

func newServer(h *host) *Server {
	return New(Options{
		Host: h, HeaderNames: redirect.HeaderNames{redirect.Referrer: "Referer"}, Loops: 2,
		WriteTimeout: time.Minute, IdleTimeout: time.Minute, Logger: slog.New(slog.DiscardHandler),
	})
}

// TestServer has connections come, be handed over with what was read of them, come back, and end.
func TestServer(t *testing.T) {
	t.Parallel()
	h := &host{}
	s := newServer(h)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	served := make(chan error, 1)
	go func() { served <- s.Serve(ln) }()
	const conns = 5
	for range conns {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		in := bufio.NewReader(c)
		for _, paths := range [][]string{
			{"/a"},
			{"/a", "/api/x", "/b"},
			{"/api/x", "/api/y"},
			{"/b"},
		} {
			for _, path := range paths {
				if _, err := io.WriteString(
					c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
					t.Fatal(err)
				}
			}
			for _, path := range paths {
				want := 302
				if strings.HasPrefix(path, "/api/") {
					want = 204
				}
				if resp, err := http.ReadResponse(in, nil); err != nil || resp.StatusCode != want &&
					TakesBack {
					t.Fatalf("%s: %v %v, want %d", path, resp, err, want)
				}
			}
		}
	}
	s.Stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if h.left.Load() != conns || TakesBack && h.handed.Load() != 3*conns {
		t.Errorf("%d connections left, %d were handed over", h.left.Load(), h.handed.Load())
	}
}

// TestStopAtTheStart stops servers that are just about to serve.
func TestStopAtTheStart(t *testing.T) {
	t.Parallel()
	for range 100 {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s, served := newServer(&host{}), make(chan error, 1)
		go func() { served <- s.Serve(ln) }()
		s.Stop()
		if err := <-served; err != nil {
			t.Fatal(err)
		}
	}
}

var someRequest = []byte(
	"GET /launch HTTP/1.1\r\nHost: x\r\nReferer: https://news.example/\r\nAccept: */*\r\n\r\n")

// lateHost takes a connection in when it may.
type lateHost struct {
	host

	entered, may chan struct{}
}

func (h *lateHost) Enter(netip.Addr, Conn) (Seat, string) {
	close(h.entered)
	<-h.may
	return place{&h.host}, ""
}

// TestStopDuringAnAccept stops a server that is just about to take a connection in, whose request
// has come.
func TestStopDuringAnAccept(t *testing.T) {
	t.Parallel()
	if !TakesBack {
		t.Skip("there are no loops that could end too soon")
	}
	h := &lateHost{entered: make(chan struct{}), may: make(chan struct{})}
	s := New(Options{
		Host: h, Loops: 2, WriteTimeout: time.Minute, Logger: slog.New(slog.DiscardHandler),
		IdleTimeout: time.Millisecond, // so that loops look at once whether they are done
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(ln) }()
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
	<-h.entered
	s.Stop()
	time.Sleep(20 * time.Millisecond) // for a loop to end, if one did
	close(h.may)
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || resp.StatusCode != 302 || !resp.Close {
		t.Errorf("%v %v", resp, err)
	}
	if err := <-served; err != nil || h.left.Load() != 1 {
		t.Errorf("%v, %d connections left", err, h.left.Load())
	}
}

func (r *responder) once(t testing.TB, c *conn) {
	if _, o := r.serve(c, someRequest, 0, false); o != stays || len(r.out) == 0 {
		t.Fatal("not answered")
	}
}

// TestAllocatesNothing fails when an allocation is added between a request's bytes and its
// answer's.
func TestAllocatesNothing(t *testing.T) {
	r, c := &responder{s: newServer(&host{})}, new(conn)
	r.once(t, c)
	if n := testing.AllocsPerRun(1000, func() { r.once(t, c) }); n > 0 {
		t.Errorf("%v allocations a request", n)
	}
}

func BenchmarkRespond(b *testing.B) {
	r, c := &responder{s: newServer(&host{})}, new(conn)
	b.ReportAllocs()
	for b.Loop() {
		r.once(b, c)
	}
}
