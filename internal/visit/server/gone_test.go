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
		c, err := f.dial()
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

// A client may send more before it has the answer. It is still there, and what it sent is the next
// request, also when that came in parts, or is none.
func TestClientsThatGoOn(t *testing.T) {
	t.Parallel()
	begun, answer := make(chan *http.Request), make(chan struct{})
	f := newFront(t, func(o *Options) {
		o.Control = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begun <- r
			<-answer
			if r.Context().Err() != nil {
				w.WriteHeader(http.StatusGone)
			}
		})
	}, nil)
	const plain = "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, next := range []struct {
		early, late string
		statuses    []int
	}{
		{"", "", nil},
		{"G", plain[1:], []int{302}},
		{"\r", "\n" + plain, []int{302}},
		{plain, plain, []int{302, 302}},
		{plain[:20], plain[20:] + plain, []int{302, 302}},
		{"G : x\r\n\r\n", plain, []int{400}},
		{" ", "", []int{400}},
	} {
		c, err := f.dial()
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		if _, err := io.WriteString(c, getAndStay("/api/1")); err != nil {
			t.Fatal(err)
		}
		<-begun
		if _, err := io.WriteString(c, next.early); err != nil {
			t.Fatal(err)
		}
		answer <- struct{}{}
		if _, err := io.WriteString(c, next.late); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(c)
		for i, want := range append([]int{200}, next.statuses...) {
			resp, err := http.ReadResponse(in, nil)
			if err != nil || resp.StatusCode != want {
				t.Fatalf("%q and %q: answer %d is %v %v, want %d", next.early, next.late, i, resp,
					err, want)
			}
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				t.Fatal(err)
			}
		}
		_ = c.Close()
	}
}
