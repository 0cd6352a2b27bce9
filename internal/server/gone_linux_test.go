package server

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// A client that goes away ends the context of its GET, and of nothing that changes something. One
// that stays is answered, and its connection goes on.
func TestClientsThatGoAway(t *testing.T) {
	t.Parallel()
	begun, answer := make(chan *http.Request), make(chan struct{})
	f := newFront(t, func(o *Options) {
		o.Control = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begun <- r
			select {
			case <-r.Context().Done():
			case <-answer:
			}
			_, _ = io.WriteString(w, r.URL.Path)
		})
	}, nil)
	dial := func(requests string) net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", f.addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		if _, err := io.WriteString(c, requests); err != nil {
			t.Fatal(err)
		}
		return c
	}
	want := func(r *bufio.Reader, path string) {
		t.Helper()
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if body, err := io.ReadAll(resp.Body); string(body) != path || err != nil {
			t.Errorf("%s: %s, %v", path, body, err)
		}
	}

	for range 3 {
		c := dial(getAndStay("/api/leaves"))
		r := <-begun
		if err := r.Context().Err(); err != nil {
			t.Errorf("while it is there: %v", err)
		}
		_ = c.Close()
		<-r.Context().Done()
	}

	c := dial(getAndStay("/api/1"))
	conn := bufio.NewReader(c)
	for range 3 {
		r := <-begun
		answer <- struct{}{}
		want(conn, "/api/1")
		<-r.Context().Done() // it was answered
		_, _ = io.WriteString(c, getAndStay("/api/1"))
	}
	<-begun
	answer <- struct{}{}
	want(conn, "/api/1")

	c = dial(getAndStay("/api/1") + getAndStay("/api/2"))
	conn = bufio.NewReader(c)
	for _, path := range []string{"/api/1", "/api/2"} {
		<-begun
		answer <- struct{}{}
		want(conn, path)
	}

	dial("POST /api/changes HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
	if r := <-begun; r.Context().Done() != nil {
		t.Error("a change may end with its client")
	}
	answer <- struct{}{}
}

func getAndStay(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n" }
