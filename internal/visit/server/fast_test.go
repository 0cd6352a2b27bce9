package server

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"terse/internal/logging"
	"terse/internal/visit/redirect"
	"terse/internal/visit/server/fastpath"
)

func TestWhatStaysInTheFastPath(t *testing.T) {
	t.Parallel()
	requests := map[string]bool{
		get("/abc"):        false,
		get("/abc?x=y&z"):  false,
		get("/a.b/c%20d/"): false,
		get("/abc/"):       false,
		get("/abc/?x=y/"):  false,
		get("/abc", "Referer: https://a.example/", "X-Request-ID: 1", "Accept: */*",
			"Cookie: a=b"): false,
		"GET /abc HTTP/1.1\r\nhost: x\r\nCONNECTION: Close\r\n\r\n":                       false,
		"POST /abc HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n": true,
		"GET /abc HTTP/1.0\r\nHost: x\r\n\r\n":                                            true,
		"GET http://x/abc HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":               true,
		get("/abc", "Content-Length: 0"):                                                  true,
		get("/abc", "Referer: https://a.example/",
			"Referer: https://b.example/"): true,
		get("/abc", "X-Long: "+strings.Repeat("a",
			4<<10)): true,
		"GET /abc HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nConnection: " +
			"close\r\n\r\n": true,
		"GET /abc HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n0\r\n\r\n": true,
		"GET /abc HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: " +
			"1.1.1.1\r\nX-Forwarded-For: 2.2.2.2\r\n\r\n": true,
	}
	bothWays(t, func(t *testing.T, f *front) {
		for request, slow := range requests {
			resp, body := f.raw(t, request)
			if resp.StatusCode != 302 || (resp.Header.Get("General") != "") != slow {
				t.Errorf("%.80q: %d %v %s, want it in net/http: %v", request, resp.StatusCode,
					resp.Header, body, slow)
			}
		}
	})
}

// TestOneConnectionThroughBoth sends plain and other requests on one connection, some in one
// write.
func TestOneConnectionThroughBoth(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, f *front) {
		c, err := f.dial()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		in := bufio.NewReader(c)
		send := func(requests string, statuses ...int) {
			t.Helper()
			if _, err := io.WriteString(c, requests); err != nil {
				t.Fatal(err)
			}
			for _, status := range statuses {
				resp, err := http.ReadResponse(in, nil)
				if err != nil || resp.StatusCode != status {
					t.Fatalf("%v %v, want %d", resp, err, status)
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil {
					t.Fatal(err)
				}
			}
		}
		redirect := "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n"
		api := "GET /api/echo HTTP/1.1\r\nHost: x\r\n\r\n"
		send(redirect, 302)
		send(redirect+redirect+redirect, 302, 302, 302)
		send(redirect+api+redirect, 302, 200, 302)
		send(api, 200)
		send(api, 200)
		send(api[:10])
		send(api[10:]+redirect+api, 200, 302, 200)
		for began := time.Now(); time.Since(began) < nextWait || anyWaits(); {
			time.Sleep(10 * time.Millisecond)
		}
		send(redirect[:10])
		send(redirect[10:], 302)
		send(api, 200)
		send(strings.Replace(api, "\r", "", 1), 400)
	})
}

// anyWaits reports whether a connection of any server here waits for its next request outside of
// the fast path.
func anyWaits() bool {
	var stacks strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1) // to memory
	return fastpath.TakesBack && strings.Contains(stacks.String(), "(*stay).nextHead")
}

// TestManyRequestsAtOnce sends more requests in one go than a connection's turn takes, and reads
// the answers late. Many straddle two reads, and the buffers of both ends fill: all are answered.
func TestManyRequestsAtOnce(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, f *front) {
		for name, request := range map[string]string{
			"plain":    "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n",
			"net/http": "GET /api/echo HTTP/1.1\r\nHost: x\r\n\r\n",
		} {
			c, err := f.dial()
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			const many = 10_000
			written := make(chan error, 1)
			go func() {
				_, err := io.WriteString(c, strings.Repeat(request, many))
				written <- err
			}()
			if resp, _ := f.raw(t, get("/abc")); resp.StatusCode != 302 {
				t.Errorf("another connection got %s", resp.Status)
			}
			in := bufio.NewReader(c)
			for n := range many {
				resp, err := http.ReadResponse(in, nil)
				if err != nil || resp.Close {
					t.Fatalf("%s: answer %d of %d: %v", name, n, many, err)
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil {
					t.Fatal(err)
				}
			}
			if err := <-written; err != nil {
				t.Error(err)
			}
		}
	})
}

// admitting is a data plane that has to look up what is asked for, and tells what was admitted.
type admitting struct {
	plane
	entered chan string
}

func (p admitting) Answer(v *redirect.Visit, a redirect.Attempt) redirect.Answer {
	p.entered <- fmt.Sprint(string(v.Path), " ", a.Admitted)
	if a.Wait != 0 {
		return redirect.Answer{}
	}
	return p.plane.Answer(v, a)
}

// TestOnlyWhatWasAskedBeforeIsAdmitted sends requests on one connection, some at once, of which
// each needs a look-up. The limiter is asked about each exactly once, also after a panic.
func TestOnlyWhatWasAskedBeforeIsAdmitted(t *testing.T) {
	t.Parallel()
	p := admitting{entered: make(chan string, 10)}
	f := newFront(t, func(o *Options) { o.Redirect = p }, nil)
	c, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for _, paths := range [][]string{{"/panic"}, {"/a", "/b"}} {
		var requests string
		for _, path := range paths {
			requests += "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"
		}
		if _, err := io.WriteString(c, requests); err != nil {
			t.Fatal(err)
		}
		for range paths {
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, want := range []string{
		"/panic false", "/panic true", "/a false", "/a true",
		"/b false",
	} {
		if got := <-p.entered; got != want {
			t.Errorf("asked %s, want %s", got, want)
		}
	}
}

// TestFastPathFields compares what the visitor gets with what net/http says for the same.
func TestFastPathFields(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	resp, body := f.raw(t, get("/abc", "Referer:  https://a.example/ ", "CF-IPCountry: DE",
		"X-Request-ID: id-7"))
	if got := resp.Header.Get("Saw"); got != "https://a.example/ DE" {
		t.Errorf("the data plane saw %q", got)
	}
	if _, err := http.ParseTime(resp.Header.Get("Date")); err != nil ||
		resp.Header.Get("Location") != "https://example.com/" ||
		resp.Header.Get("X-Request-Id") != "id-7" || !resp.Close ||
		resp.ContentLength != int64(len(body)) || body != "127.0.0.1 false" {
		t.Errorf("%v %q %v", resp.Header, body, err)
	}
}

// waiting is a data plane that has to look /slow up, which takes until done.
type waiting struct {
	plane
	asked, done chan struct{}
}

func (p waiting) Answer(v *redirect.Visit, a redirect.Attempt) redirect.Answer {
	if string(v.Path) == "/slow" {
		if a.Wait != 0 {
			return redirect.Answer{}
		}
		p.asked <- struct{}{}
		<-p.done
	}
	return p.plane.Answer(v, a)
}

// TestALongLookUpKeepsNobodyWaiting asks others while one is under way; what its connection sends
// meanwhile is answered behind it.
func TestALongLookUpKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	for name, remote := range map[string]bool{"local": false, "remote": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			longLookUp(t, remote)
		})
	}
}

func longLookUp(t *testing.T, remote bool) {
	p := waiting{asked: make(chan struct{}), done: make(chan struct{})}
	f := newFront(t, func(o *Options) { o.Redirect, o.RemoteLinks = p, remote }, nil)
	c, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const other = "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n"
	if _, err := io.WriteString(c,
		other+"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"+other); err != nil {
		t.Fatal(err)
	}
	<-p.asked
	if _, err := io.WriteString(c, other); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if resp, _ := f.raw(t, get("/abc")); resp.StatusCode != 302 {
			t.Errorf("another connection got %s", resp.Status)
		}
	}
	close(p.done)
	in := bufio.NewReader(c)
	for range 4 {
		resp, err := http.ReadResponse(in, nil)
		if err != nil || resp.StatusCode != 302 {
			t.Fatalf("%v %v", resp, err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatal(err)
		}
	}
}

// committing is a data plane whose answers wait for a disk.
type committing struct {
	plane
	answered, committed *atomic.Int64
}

func (p committing) Answer(v *redirect.Visit, a redirect.Attempt) redirect.Answer {
	p.answered.Add(1)
	return p.plane.Answer(v, a)
}

func (p committing) Commit() error {
	p.committed.Store(p.answered.Load())
	if p.committed.Load()%2 == 0 {
		return errors.New("disk full")
	}
	return nil
}

// TestAnswersWaitForTheDisk checks that each click is committed before its answer is sent, many of
// one connection and some at once.
func TestAnswersWaitForTheDisk(t *testing.T) {
	t.Parallel()
	p := committing{answered: new(atomic.Int64), committed: new(atomic.Int64)}
	f := newFront(t, func(o *Options) { o.Redirect, o.Synced = p, true }, nil)
	c, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for n, seen := 1, int64(0); n < 20; n++ {
		if _, err := io.WriteString(c, strings.Repeat("GET /abc HTTP/1.1\r\nHost: x\r\n\r\n",
			n)); err != nil {
			t.Fatal(err)
		}
		for range n {
			resp, err := http.ReadResponse(in, nil)
			if err != nil || resp.StatusCode != 302 {
				t.Fatalf("%v %v", resp, err)
			}
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				t.Fatal(err)
			}
			if seen++; p.committed.Load() < seen {
				t.Fatalf("answer %d came when %d were committed", seen, p.committed.Load())
			}
		}
	}
	if resp, _ := f.raw(t, get("/abc")); resp.StatusCode != 302 {
		t.Error(resp.Status)
	}
	if !strings.Contains(f.logged(), "disk full") {
		t.Error("a commit's error is not logged")
	}
}

// TestIdleConnectionsHoldNoMemory holds connections open that have asked for something large.
func TestIdleConnectionsHoldNoMemory(t *testing.T) {
	body := strings.Repeat("a", 100<<10)
	f := newFront(t, func(o *Options) {
		o.Control = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/string" {
				_, _ = io.WriteString(w, body)
				return
			}
			for rest := body; len(rest) > 0; rest = rest[1<<10:] {
				_, _ = w.Write([]byte(rest[:1<<10]))
			}
		})
	}, nil)
	const conns, bound = 1000, 32 << 10
	for _, path := range []string{"/api/string", "/api/parts", "/abc"} {
		before := memoryInUse()
		held := make([]net.Conn, conns)
		for i := range held {
			c, err := f.dial()
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			held[i] = c
			f.ask(t, c, path)
		}
		if each := (memoryInUse() - before) / conns; each > bound {
			t.Errorf("%s: %d bytes a connection, want at most %d", path, each, bound)
		}
		for _, c := range held {
			_ = c.Close()
		}
	}
}

// ask sends a request on a connection, and reads the answer.
func (f *front) ask(t *testing.T, c net.Conn, path string) {
	t.Helper()
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReaderSize(c, 16), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
}

// memoryInUse is what the process holds after what pools keep is gone, too.
func memoryInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc + m.StackInuse)
}

// still is a data plane that costs nothing.
type still struct{ plane }

var reply = redirect.NewReply(302, "", redirect.Field{
	Name:  "Cache-Control",
	Value: "private, no-store",
})

func (still) Answer(*redirect.Visit, redirect.Attempt) redirect.Answer {
	return redirect.Answer{Reply: reply, Name: "Location"}
}

// TestTheHostAllocatesNothing fails when an allocation is added to what the server does for a
// redirect, access log and metrics included.
func TestTheHostAllocatesNothing(t *testing.T) {
	sink := logging.NewSink(io.Discard)
	defer sink.Flush()
	host := fastHost{New(Options{
		Redirect: still{}, Control: http.NotFoundHandler(),
		Access: logging.NewAccess(sink, slog.LevelInfo, logging.JSON),
		Logger: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(),
		BasePath: "/go",
	})}
	r, sent, now := &fastpath.Request{}, []byte("/go/abc"), time.Now()
	once := func() {
		r.ID = nil
		r.Path = sent
		if host.Route(&r.Visit, sent); string(r.Path) != "/abc" {
			t.Fatalf("path %q", r.Path)
		}
		a := host.Answer(r)
		host.Answered(r, &a, now, time.Millisecond)
	}
	for range 10_000 { // the log's buffer has grown by then
		once()
	}
	if n := testing.AllocsPerRun(1000, once); n > 0 {
		t.Errorf("%v allocations a redirect", n)
	}
}
