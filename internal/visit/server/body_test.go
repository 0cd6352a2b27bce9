package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// planes are a path of each plane.
var planes = []string{"/abc", "/", "/api/body"}

// TestLongBodiesAreRefused sends bodies that are too long, announced and in chunks: each is
// answered as what it is, whether any of it comes or not, and ends its connection.
func TestLongBodiesAreRefused(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	for _, path := range planes {
		limit := maxBodyBytes
		if path == "/api/body" {
			limit = 1 << 20
		}
		body := strings.Repeat("a", limit+1)
		length := fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))
		chunked := fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", len(body))
		for name, rest := range map[string]string{
			"announced":        length,
			"announced, asked": "Expect: 100-continue\r\n" + length,
			"sent":             length + body,
			"sent and more":    length + body + get("/abc"),
			"in a chunk":       chunked + body + "\r\n0\r\n\r\n" + get("/abc"),
			"in chunks": "Transfer-Encoding: chunked\r\n\r\n" +
				strings.Repeat("20\r\n"+body[:32]+"\r\n", len(body)/32+1) + "0\r\n\r\n",
			"in an endless chunk": chunked + body,
		} {
			before := strings.Count(f.logged(), `"path":"`+path+`","status":413`)
			r := f.exchange(t, "POST "+path+" HTTP/1.1\r\nHost: x\r\n"+rest)
			if len(r) != 1 || r[0].StatusCode != 413 || !r[0].Close {
				t.Errorf("%s, %s: %v, want one 413 that closes", path, name, r)
			}
			if n := strings.Count(f.logged(), `"path":"`+path+`","status":413`); n != before+1 {
				t.Errorf("%s, %s: logged %d times", path, name, n-before)
			}
		}
	}
}

// TestBodiesUpToTheirBound are read, however they come, and what follows is another request.
func TestBodiesUpToTheirBound(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	for _, path := range planes {
		status, limit := 302, maxBodyBytes
		switch path {
		case "/api/body":
			status, limit = 200, 1<<20
		case "/":
			status = 200
		}
		for _, n := range []int{0, 1, maxBodyBytes, limit} {
			body := strings.Repeat("a", n)
			length := fmt.Sprintf("Content-Length: %d\r\n\r\n", n)
			for name, c := range map[string]struct {
				rest    string
				answers int
			}{
				"sent":  {length + body + get("/abc"), 2},
				"asked": {"Expect: 100-continue\r\n" + length + body + get("/abc"), 3},
				"in a chunk": {fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%s0\r\nA: b\r\n\r\n",
					strings.Repeat(fmt.Sprintf("%x\r\n%s\r\n", n, body), min(n, 1))), 1},
			} {
				r := f.exchange(t, "POST "+path+" HTTP/1.1\r\nHost: x\r\n"+c.rest)
				if name == "asked" && n == 0 {
					c.answers = 2 // there is nothing to wait for
				}
				want := make([]int, c.answers)
				for i := range want {
					want[i] = status
				}
				if c.answers > 1 {
					want[c.answers-1] = 302
				}
				if c.answers > 2 {
					want[0] = 100
				}
				var got []int
				for _, r := range r {
					got = append(got, r.StatusCode)
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s, %d bytes %s: %v, want %v", path, n, name, got, want)
				}
			}
		}
	}
}

// TestAnUnreadBodyIsNoRequest has the control plane answer without a look at the body. What is in
// there is not answered.
func TestAnUnreadBodyIsNoRequest(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	body := strings.Repeat(get("/smuggled"), 1000)
	for _, rest := range []string{
		fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body),
		fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body),
	} {
		r := f.exchange(t, "POST /api/echo HTTP/1.1\r\nHost: x\r\n"+rest)
		if len(r) != 1 || r[0].StatusCode != 200 || !r[0].Close {
			t.Errorf("%.40q: %v, want one 200 that closes", rest, r)
		}
	}
	if log := f.logged(); strings.Contains(log, "smuggled") {
		t.Errorf("a body was answered: %s", log)
	}
}

// TestHalfABody ends before it is complete, for a body that is read before the planes see the
// request, and for one that the control plane reads.
func TestHalfABody(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	slow := newFront(t, nil, func(s *Server) { s.http.ReadTimeout = 100 * time.Millisecond })
	for _, path := range planes {
		for _, n := range []int{100, maxBodyBytes + 100} {
			if n > maxBodyBytes && path != "/api/body" {
				continue
			}
			request := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s",
				path, n, strings.Repeat("a", n-1))
			if r := f.exchange(t, request); len(r) != 1 || r[0].StatusCode != 400 ||
				textOf(t, r[0]) != `{"error":"the body ends too soon"}` {
				t.Errorf("%s: %d bytes that end early: %v, want 400", path, n, r)
			}
			if r, body := slow.raw(t, request); r.StatusCode != 408 {
				t.Errorf("%s: %d bytes that do not come: %d %s", path, n, r.StatusCode, body)
			}
		}
	}
	if log := slow.logged(); strings.Contains(log, `"path":"/","status":408,`) != true ||
		strings.Count(log, `"path":"/api/body","status":408`) != 2 {
		t.Errorf("logged: %s", log)
	}
}

// TestManyFields has more of them than a request may have, and as many as it may.
func TestManyFields(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	const (
		chunked = "POST /abc HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
		visit   = "GET /abc HTTP/1.1\r\nHost: x\r\n"
		post    = "POST /abc HTTP/1.1\r\nHost: x\r\n"
		echo    = "POST /api/echo HTTP/1.1\r\nHost: x\r\n"
		read    = "POST /api/body HTTP/1.1\r\nHost: x\r\nContent-Length: 6000\r\n\r\n"
	)
	fields := func(n int) string { return strings.Repeat("A: b\r\n", n) }
	names := func(n int) string { return strings.Repeat(",a", n) }
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"100":               {post + fields(maxFields-1) + "\r\n", 302},
		"101":               {post + fields(maxFields) + "\r\n", 431},
		"1,000":             {echo + fields(1000) + "\r\n", 431},
		"without an end":    {visit + fields(1000), 431},
		"trailer fields":    {chunked + "\r\n0\r\n" + fields(50) + "\r\n", 302},
		"many of those":     {chunked + "\r\n0\r\n" + fields(1000) + "\r\n", 400},
		"their names":       {chunked + "Trailer: a" + names(50) + "\r\n\r\n0\r\n\r\n", 302},
		"many names":        {chunked + "tRAILER: a" + names(maxFields) + "\r\n\r\n0\r\n\r\n", 431},
		"many folded names": {chunked + "Trailer: a\r\n " + names(maxFields), 400},
		"commas":            {visit + "Trailers: a" + names(500) + "\r\n\r\n", 302},
		"lines in a body": {
			read + fields(1000), 200,
		},
	} {
		if r, body := f.raw(t, c.request); r.StatusCode != c.status {
			t.Errorf("%s: %d %s, want %d", name, r.StatusCode, body, c.status)
		}
	}
}

// TestCookiesPass unchanged to the control plane.
func TestCookiesPass(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) {
		o.Control = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for _, c := range r.Cookies() {
				fmt.Fprintf(w, "%s=%s;", c.Name, c.Value)
			}
		})
	}, nil)
	_, body := f.raw(t, get("/api/echo", "Cookie: a=1; b=\"2\"", "cookie: a=3"))
	if body != "a=1;b=2;a=3;" {
		t.Errorf("cookies %q", body)
	}
}

// exchange sends bytes on a connection of its own, and returns all responses. Nothing more is sent,
// and the connection ends in time.
func (f *front) exchange(t *testing.T, request string) (responses []*http.Response) {
	t.Helper()
	c, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	go func() {
		// The server may answer before it has read all.
		_, _ = io.WriteString(c, request)
		_ = c.(halfCloser).CloseWrite()
	}()
	for in := bufio.NewReader(c); ; {
		r, err := http.ReadResponse(in, nil)
		if err != nil {
			return responses
		}
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatalf("response to %.60q: %v", request, err)
		}
		r.Body = io.NopCloser(bytes.NewReader(text))
		responses = append(responses, r)
	}
}

func textOf(t *testing.T, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// deadlines is a connection that counts how often more time is given to read.
type deadlines struct {
	net.Conn
	given int
}

func (d *deadlines) SetReadDeadline(time.Time) error {
	d.given++
	return nil
}

// A body that may be long gets its time for each part, and none once it has ended.
func TestLongBodiesGetTimeForEachPart(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int64]int{maxTimedBody: 0, maxTimedBody + 1: 3} {
		conn, part := &deadlines{}, make([]byte, 2)
		r := &http.Request{
			Body: io.NopCloser(iotest.DataErrReader(strings.NewReader("12345"))), ContentLength: -1,
		}
		b := newBody(conn, r, limit)
		for range 5 {
			_, _ = b.Read(part)
		}
		if !b.ended || conn.given != want {
			t.Errorf("up to %d bytes: ended %v, time given %d times, want %d", limit, b.ended,
				conn.given, want)
		}
	}
}

// trickle is a body that comes slowly, on a connection with deadlines.
type trickle struct {
	net.Conn
	part, parts int           // bytes at once, and how often
	pause       time.Duration // before each
	deadline    time.Time
}

func (s *trickle) SetReadDeadline(at time.Time) error {
	s.deadline = at
	return nil
}

func (s *trickle) Read(p []byte) (int, error) {
	if time.Now().Add(s.pause).After(s.deadline) {
		time.Sleep(time.Until(s.deadline))
		return 0, os.ErrDeadlineExceeded
	}
	time.Sleep(s.pause)
	if s.parts--; s.parts < 0 {
		return 0, io.EOF
	}
	return min(len(p), s.part), nil
}

func (*trickle) Close() error { return nil }

// A long body that comes slowly is read to its end; one that hardly comes at all is not.
func TestLongBodiesThatHardlyCome(t *testing.T) {
	t.Parallel()
	const limit = 1 << 30
	for _, tt := range []struct {
		name string
		from trickle
		most time.Duration // 0: it is read to its end, however long that takes
	}{
		{"a slow line", trickle{part: 4 << 10, parts: limit / (4 << 10), pause: time.Second}, 0},
		{"pauses", trickle{part: 1 << 20, parts: 1 << 10, pause: readTimeout}, 0},
		{
			"a byte now and then",
			trickle{part: 1, parts: 1000, pause: 9 * time.Second},
			bodyPartTime,
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			from, began := tt.from, time.Now()
			b := newBody(&from, &http.Request{Body: &from, ContentLength: -1}, limit)
			_, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, b, make([]byte, 1<<20))
			took := time.Since(began)
			if tt.most == 0 && (err != nil || took < time.Hour || b.taken != limit) {
				t.Errorf("%s: %d bytes in %v: %v", tt.name, b.taken, took, err)
			}
			if tt.most > 0 && (!errors.Is(err, os.ErrDeadlineExceeded) || took > tt.most) {
				t.Errorf("%s: %d bytes in %v: %v", tt.name, b.taken, took, err)
			}
		})
	}
}

// The context of a request whose body may be long ends when its client goes away.
func TestLongBodyOfClientThatLeaves(t *testing.T) {
	t.Parallel()
	left := make(chan error, 1)
	f := newFront(t, func(o *Options) {
		o.BodyLimit = func(string, []byte) int { return maxTimedBody + 1 }
		o.Control = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(w, "begun")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			left <- r.Context().Err()
		})
	}, nil)
	c, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, "POST /api/body HTTP/1.1\r\nHost: x\r\n"+
		"Content-Length: 5\r\n\r\n12345")
	begun := make([]byte, 1)
	if _, err := io.ReadFull(c, begun); err != nil { // what was flushed arrives
		t.Fatal(err)
	}
	_ = c.Close()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
