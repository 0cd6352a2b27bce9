package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"terse/internal/logging"
	"terse/internal/visit/redirect"
)

// front is a server with small planes behind it: "/api/…" is the control plane, which
// answers with what it saw, and everything else the data plane.
type front struct {
	*Server
	addr     string // of tls, if that is set
	plain    string
	tls      *tls.Config // nil: requests go to the plain listener
	registry *prometheus.Registry
	sink     *logging.Sink

	mu  sync.Mutex // guards log
	log bytes.Buffer
}

func (f *front) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.log.Write(p)
}

// logged returns what was logged so far.
func (f *front) logged() string {
	f.sink.Flush()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.log.String()
}

func control(w http.ResponseWriter, r *http.Request) {
	r.Pattern = "/api/echo"
	switch r.URL.Path {
	case "/api/panic":
		panic("control plane")
	case "/api/body":
		if _, err := io.ReadAll(r.Body); err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
	}
	fmt.Fprintf(w, "%s %s %s%s", r.RemoteAddr, r.Header.Get("X-Request-Id"), r.Context().Err(),
		r.Header.Get("X-Forwarded-Proto"))
}

// plane is a data plane that answers with whom it saw.
type plane struct{}

func (plane) Answer(v *redirect.Visit, a redirect.Attempt) redirect.Answer {
	switch string(v.Path) {
	case "/panic":
		panic("data plane")
	case "/fail":
		return redirect.Answer{Reply: redirect.Failed, Err: errors.New("the reason")}
	}
	saw := redirect.Field{Name: "Saw", Value: fmt.Sprintf("%s %s", v.Header[redirect.Referrer],
		v.Header[redirect.Country])}
	return redirect.Answer{
		Reply: redirect.NewReply(302, fmt.Sprint(v.Addr, " ", v.Trusted), saw),
		Name:  "Location", Value: []byte("https://example.com/"),
	}
}

func (plane) Commit() error { return nil }

func (plane) HeaderNames() redirect.HeaderNames {
	return redirect.HeaderNames{redirect.Referrer: "Referer", redirect.Country: "CF-IPCountry"}
}

func (p plane) Serve(w http.ResponseWriter, _ *http.Request, v redirect.Visit) error {
	a := p.Answer(&v, redirect.Attempt{})
	w.Header().Set("General", "yes")
	w.WriteHeader(a.Status)
	_, err := io.WriteString(w, a.Body)
	return errors.Join(a.Err, err)
}

func newFront(t *testing.T, change func(*Options), tune func(*Server)) *front {
	t.Helper()
	f := &front{registry: prometheus.NewRegistry()}
	f.sink = logging.NewSink(f)
	opts := Options{
		Redirect: plane{}, Control: http.HandlerFunc(control), Reserved: []string{"api", ""},
		BodyLimit: func(method string, path []byte) int {
			if method == http.MethodPost && strings.HasPrefix(string(path), "/api/") {
				return 1 << 20
			}
			return 0
		},
		Access:      logging.NewAccess(f.sink, slog.LevelInfo, logging.JSON),
		Logger:      logging.New(f.sink, slog.LevelInfo, logging.JSON),
		StackTraces: true, Metrics: f.registry,
	}
	if change != nil {
		change(&opts)
	}
	if os.Getenv("TERSE_TEST_TLS") == "1" && opts.TLS == nil {
		opts.TLS = &TLS{}
	}
	if opts.TLS != nil {
		f.tls = encrypt(t, opts.TLS)
		f.addr = opts.TLS.Listener.Addr().String()
	}
	f.Server = New(opts)
	if tune != nil {
		tune(f.Server)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if f.plain = ln.Addr().String(); f.tls == nil {
		f.addr = f.plain
	}
	served := make(chan error, 1)
	go func() { served <- f.Serve(ln) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		_ = f.Shutdown(ctx) // connections that tests leave open are closed by force
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return f
}

// dial connects, with TLS if the server has it.
func (f *front) dial() (net.Conn, error) {
	if f.tls == nil {
		return net.Dial("tcp", f.addr)
	}
	return tls.Dial("tcp", f.addr, f.tls)
}

// raw sends bytes on a connection of its own and returns the first response.
func (f *front) raw(t *testing.T, request string) (*http.Response, string) {
	t.Helper()
	c, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	// the server may answer before it has read all
	go func() { _, _ = io.WriteString(c, request) }()
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("no response to %.60q: %v", request, err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("response to %.60q: %v", request, err)
	}
	return resp, string(body)
}

func get(path string, headers ...string) string {
	return "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" +
		strings.Join(append(headers, ""), "\r\n") + "\r\n"
}

func TestPlanesAreSplitByTheFirstSegment(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	for path, status := range map[string]int{
		"/abc": 302, "/": 200, "/?api": 200, "/abc/def": 302, "/apix": 302, "/API/echo": 302,
		"http://x/abc": 302, "//": 302, "//api": 302, "//x": 302,
		"/api": 200, "/api/echo": 200, "/%61pi/echo": 200, "http://x/api/echo": 200,
		"/%zz": 302, "http://x/%zz?%": 302, "/%": 302, "/api/%zz": 400, "/api/echo?%zz": 200,
	} {
		for _, method := range []string{"GET", "POST"} {
			resp, _ := f.raw(t, strings.Replace(get(path), "GET", method, 1))
			if resp.StatusCode != status {
				t.Errorf("%s %s: %d, want %d", method, path, resp.StatusCode, status)
			}
		}
	}
}

func TestWhatIsNoRequestGetsAJSONError(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"garbage":     {"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400},
		"no protocol": {"GET /abc\r\n\r\n", 400},
		"bad header":  {"GET /abc HTTP/1.1\r\nno colon here\r\n\r\n", 400},
		"bad length": {
			"POST /api/body HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n", 400,
		},
		"bad chunk": {
			"POST /api/body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400,
		},
		"bad host":        {"GET /abc HTTP/1.0\r\nHost: a b\r\n\r\n", 400},
		"bad host, again": {"POST /abc HTTP/1.1\r\nHost: a<b\r\n\r\n", 400},
		"bad expectation": {get("/abc", "Expect: all"), 417},
		"bad escape":      {get("/api/%zz"), 400},
		"no path":         {get("*"), 400},
		"header too long": {get("/abc", "X-Long: "+strings.Repeat("a", 20<<10)), 431},
		"path too long":   {get("/" + strings.Repeat("a", 20<<10)), 431},
		"body too long": {
			"POST /abc HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n" +
				strings.Repeat("a", 2000000), 413,
		},
		"body too long, control": {
			"POST /api/body HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n" +
				strings.Repeat("a", 2000000), 413,
		},
	} {
		resp, body := f.raw(t, c.request)
		if resp.StatusCode != c.status {
			t.Errorf("%s: %d %s, want %d", name, resp.StatusCode, body, c.status)
		}
		if resp.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s: no request ID", name)
		}
		if name == "body too long, control" {
			continue // its answer is the control plane's
		}
		var e struct{ Error string }
		if err := json.Unmarshal([]byte(body), &e); err != nil || e.Error == "" ||
			resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %s %q is no JSON error", name, resp.Header.Get("Content-Type"), body)
		}
	}
	if n := strings.Count(f.logged(), `"msg":"request"`); n != 14 {
		t.Errorf("%d request lines were logged, want one for each of 14", n)
	}
}

func TestABodyOfOneMiBPasses(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	resp, _ := f.raw(t, "POST /api/body HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"+
		"Content-Length: 1048576\r\n\r\n"+strings.Repeat("a", 1<<20))
	if resp.StatusCode != 200 {
		t.Errorf("status %d", resp.StatusCode)
	}
}

func TestRequestsThatDoNotArriveEnd(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, func(s *Server) { s.http.ReadTimeout = 50 * time.Millisecond })
	for _, request := range []string{
		"GET /abc HT",
		"POST /api/body HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
	} {
		if resp, _ := f.raw(t, request); resp.StatusCode != 408 {
			t.Errorf("%q: %d, want 408", request, resp.StatusCode)
		}
	}
	f = newFront(t, nil, func(s *Server) { s.fast = newFastPath(s, 50*time.Millisecond) })
	c, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n")
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
	// It may end before the request came, which resets it.
	if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("an idle connection was not closed")
	}
}

var uuidV4 = regexp.MustCompile(
	`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func TestRequestID(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	longest := strings.Repeat("i", maxRequestIDBytes)
	for _, kept := range []string{"a", "my-id_1:2/3", longest} {
		for _, path := range []string{"/abc", "/api/echo"} {
			resp, body := f.raw(t, get(path, "X-Request-ID: "+kept))
			if got := resp.Header.Get("X-Request-Id"); got != kept {
				t.Errorf("%s: ID %q came back as %q", path, kept, got)
			}
			if path == "/api/echo" && !strings.Contains(body, kept) {
				t.Errorf("the control plane saw %q", body)
			}
		}
		if !strings.Contains(f.logged(), `"request_id":"`+kept+`"`) {
			t.Errorf("ID %q was not logged", kept)
		}
	}
	seen := map[string]bool{}
	for _, refused := range []string{
		"", "a b", "\xff\xfe", "é", longest + "i",
		strings.Repeat("x", 10_000),
	} {
		resp, _ := f.raw(t, get("/abc", "X-Request-ID: "+refused))
		id := resp.Header.Get("X-Request-Id")
		if !uuidV4.MatchString(id) || seen[id] {
			t.Errorf("instead of %.20q came %q, want a fresh UUID", refused, id)
		}
		seen[id] = true
	}
}

func TestClientAddress(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{
		netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("10.0.0.0/8"),
	}
	trusting := newFront(t, func(o *Options) { o.TrustedProxies = proxies }, nil)
	direct := newFront(t, nil, nil)
	for _, c := range []struct {
		forwarded []string
		want      string
	}{
		{nil, "127.0.0.1"},
		{[]string{"X-Forwarded-For: 1.2.3.4"}, "1.2.3.4"},
		{[]string{"X-Forwarded-For: 6.6.6.6, 1.2.3.4, 10.0.0.1"}, "1.2.3.4"},
		{[]string{"X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 1.2.3.4"}, "1.2.3.4"},
		{[]string{"X-Forwarded-For: 6.6.6.6, nonsense, 10.0.0.1"}, "10.0.0.1"},
		{[]string{"X-Forwarded-For: ,,"}, "127.0.0.1"},
		{[]string{"X-Forwarded-For: [2001:db8::1]:443"}, "2001:db8::1"},
		{[]string{"X-Forwarded-For: 2001:db8::2"}, "2001:db8::2"},
		{[]string{"X-Forwarded-For: ::ffff:1.2.3.4"}, "1.2.3.4"},
		{[]string{"X-Forwarded-For: 1.2.3.4:80"}, "1.2.3.4"},
		{[]string{"X-Forwarded-For: 10.0.0.1, 10.0.0.2"}, "10.0.0.1"},
		{[]string{"X-Forwarded-For: " + strings.Repeat("1.1.1.1,", 1500) + "2.2.2.2"}, "2.2.2.2"},
	} {
		if _, body := trusting.raw(t, get("/abc", c.forwarded...)); body != c.want+" true" {
			t.Errorf("%.60q from a trusted proxy: %s, want %s", c.forwarded, body, c.want)
		}
		if _, body := direct.raw(t, get("/abc", c.forwarded...)); !strings.HasPrefix(body,
			"127.0.0.1") || strings.Contains(body, "true") {
			t.Errorf("%.60q from anybody was believed: %s", c.forwarded, body)
		}
	}
	const https = "X-Forwarded-Proto: https"
	if _, body := trusting.raw(t, get("/api/echo", https)); !strings.Contains(body, "https") {
		t.Errorf("a trusted proxy's protocol is hidden: %s", body)
	}
	if _, body := direct.raw(t, get("/api/echo", https)); strings.Contains(body, "https") {
		t.Errorf("anybody's protocol is believed: %s", body)
	}
	if _, body := trusting.raw(t, get("/api/echo",
		"X-Forwarded-For: 2001:db8::1")); !strings.HasPrefix(body, "[2001:db8::1]:0 ") {
		t.Errorf("the control plane saw %s", body)
	}
}

func TestPanicsAreAnsweredAndLogged(t *testing.T) {
	t.Parallel()
	for _, traces := range []bool{true, false} {
		f := newFront(t, func(o *Options) { o.StackTraces = traces }, nil)
		for _, path := range []string{"/panic", "/api/panic"} {
			resp, body := f.raw(t, get(path, "X-Request-ID: id-of"+path))
			if resp.StatusCode != 500 || body != `{"error":"internal server error"}` ||
				resp.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s: %d %s", path, resp.StatusCode, body)
			}
			var record map[string]any
			for line := range strings.Lines(f.logged()) {
				if strings.Contains(line, `"panic`) && strings.Contains(line, "id-of"+path+`"`) {
					if err := json.Unmarshal([]byte(line), &record); err != nil {
						t.Fatal(err)
					}
				}
			}
			if stack, ok := record["stack"].(string); record == nil || ok != traces || traces &&
				!strings.Contains(stack, "server_test.go") {
				t.Errorf("%s, stack traces %v: logged %v", path, traces, record)
			}
		}
	}
}

func TestARedirectsErrorIsLogged(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	f.raw(t, get("/fail", "X-Request-ID: id-9"))
	if log := f.logged(); !strings.Contains(log, `"error":"the reason"`) ||
		!strings.Contains(log, `"request_id":"id-9"`) {
		t.Errorf("logged %s", log)
	}
}

func TestMetricsHaveABoundedSetOfLabels(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	for n := range 20 {
		f.raw(t, get(fmt.Sprint("/code", n)))
		f.raw(t, fmt.Sprintf("M%d /api/x%d HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", n, n))
	}
	f.raw(t, get("/api/%zz"))
	if n := testutil.ToFloat64(f.metrics.requests.WithLabelValues(routeRedirect, "GET",
		"302")); n != 20 {
		t.Errorf("%v redirects were counted, want 20", n)
	}
	if n := testutil.ToFloat64(f.metrics.requests.WithLabelValues("/api/echo", "other",
		"200")); n != 20 {
		t.Errorf("%v control requests were counted, want 20", n)
	}
	if n, err := testutil.GatherAndCount(f.registry, "terse_http_requests_total"); err != nil ||
		n > 12 {
		t.Errorf("%d series, %v", n, err)
	}
}

func TestConnectionsOfOneAddressAreBounded(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) { o.MaxConnsPerClient = 3 }, nil)
	var held []net.Conn
	for range 3 {
		c, err := f.dial()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = io.WriteString(c, "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n")
		if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil ||
			resp.StatusCode != 302 {
			t.Fatalf("%v %v", resp, err)
		}
		held = append(held, c)
	}
	if f.tls == nil {
		resp, body := f.raw(t, "")
		var e struct{ Error string }
		if err := json.Unmarshal([]byte(body), &e); err != nil || resp.StatusCode != 429 ||
			resp.Header.Get("Retry-After") != "1" {
			t.Errorf("the fourth connection got %d %q", resp.StatusCode, body)
		}
	} else if _, err := f.dial(); err == nil {
		t.Error("the fourth connection was accepted")
	}
	held[0].Close()
	for { // until the server has seen the close
		if f.conns.len() < 3 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if resp, _ := f.raw(t, get("/abc")); resp.StatusCode != 302 {
		t.Errorf("after one was closed: %d", resp.StatusCode)
	}
	if n := f.conns.refused.Load(); n != 1 {
		t.Errorf("%d refused, want 1", n)
	}
}

func TestTrustedProxiesMayHaveManyConnections(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) {
		o.MaxConnsPerClient, o.TrustedProxies = 1,
			[]netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	}, nil)
	for range 5 {
		c, err := f.dial()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = io.WriteString(c, "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n")
		if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil ||
			resp.StatusCode != 302 {
			t.Fatalf("%v %v", resp, err)
		}
	}
}

func TestShutdownFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	f := newFront(t, func(o *Options) {
		o.Control = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/quick" {
				return
			}
			close(entered)
			<-release
			if r.Context().Err() != nil {
				w.WriteHeader(http.StatusGone)
			}
		})
	}, func(s *Server) { s.http.IdleTimeout = time.Hour })
	unused, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer unused.Close()
	asked, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	f.ask(t, asked, "/api/quick")
	status := make(chan int, 1)
	go func() {
		resp, _ := f.raw(t, "GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n")
		status <- resp.StatusCode
	}()
	<-entered
	stopped := make(chan error, 1)
	go func() { stopped <- f.Shutdown(t.Context()) }()
	for { // until it stopped accepting
		c, err := f.dial()
		if err != nil {
			break
		}
		c.Close()
		time.Sleep(time.Millisecond)
	}
	for _, c := range []net.Conn{unused, asked} {
		_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
		if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("an idle connection is open after a stop: %v", err)
		}
	}
	close(release)
	if got := <-status; got != 200 {
		t.Errorf("the request under way got %d", got)
	}
	if err := <-stopped; err != nil {
		t.Errorf("shutdown: %v", err)
	}
}

func TestPathOf(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"/": "/", "/a?b": "/a", "/a#b": "/a", "http://h": "/", "http://h?x": "/",
		"http://h/a/b?c": "/a/b", "*": "*", "h:443": "h:443", "/a?u=http://x/y": "/a",
	} {
		if got := pathOf([]byte(target)); string(got) != want {
			t.Errorf("pathOf(%q) = %q, want %q", target, got, want)
		}
	}
}

// FuzzFrontDoor sends arbitrary bytes: every answer is HTTP, none is a 500, errors are in JSON, and
// the server stays up.
func FuzzFrontDoor(f *testing.F) {
	for _, seed := range []string{
		get("/abc"), get("/api/echo"), get("/api/%zz"),
		"POST /api/body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: " +
			"chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
		"GET /abc HTTP/1.1\r\nX-Forwarded-For: ,\r\nX-Request-ID: \xff\r\n\r\n",
		"GET http://[::1 HTTP/1.1\r\n\r\n", "\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 3\r\nContent-Length: " +
			"4\r\nExpect: 100-continue\r\n\r\nabc",
	} {
		f.Add([]byte(seed))
	}
	s := New(Options{
		Redirect: plane{},
		Control: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(w, r.Body)
		}),
		Reserved: []string{"api"},
		Access:   logging.NewAccess(logging.NewSink(io.Discard), slog.LevelError+1, logging.JSON),
		Logger:   slog.New(slog.DiscardHandler),
		Metrics:  prometheus.NewRegistry(), TrustedProxies: []netip.Prefix{
			netip.MustParsePrefix("0.0.0.0/0"),
		},
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	go func() { _ = s.Serve(ln) }() // until the process ends
	f.Fuzz(func(t *testing.T, input []byte) {
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		tcp, ok := c.(*net.TCPConn)
		if !ok {
			t.Fatal("no TCP connection")
		}
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		_, _ = c.Write(input) // the server may have closed it before
		_ = tcp.CloseWrite()
		out, err := io.ReadAll(c)
		if len(out) == 0 && !errors.Is(err, os.ErrDeadlineExceeded) {
			return // nothing that wants an answer
		}
		// The first answer only: one to HEAD has no body, so that without the request the
		// rest can't be told apart.
		resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(out)), nil)
		if err != nil || resp.StatusCode == http.StatusInternalServerError ||
			resp.StatusCode >= 400 && resp.Header.Get("Content-Type") != "application/json" {
			t.Fatalf("%q was answered with %v %v", input, resp, err)
		}
	})
}
