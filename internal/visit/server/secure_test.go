package server

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"terse/internal/tests/certtest"
	"terse/internal/visit/redirect"
)

// encrypt completes the options of a server for s.example and go.example, and returns those of its
// clients.
func encrypt(t testing.TB, o *TLS) *tls.Config {
	t.Helper()
	pair := certtest.New(t, 60*24*time.Hour, "s.example", "go.example", "localhost")
	cert, err := tls.X509KeyPair(pair.Cert, pair.Key)
	if err != nil {
		t.Fatal(err)
	}
	if o.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	o.Config = &tls.Config{
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			if hello.ServerName != "" && cert.Leaf.VerifyHostname(hello.ServerName) != nil {
				return nil, nil
			}
			return &cert, nil
		},
		NextProtos: []string{"acme-tls/1"},
	}
	o.Hosts = []string{"s.example", "go.example"}
	o.Plain = func(path []byte) bool { return string(path) == "/health" }
	return &tls.Config{RootCAs: pair.Pool(), ServerName: "s.example"}
}

// bothWays runs a test with TLS and without.
func bothWays(t *testing.T, test func(t *testing.T, f *front)) {
	t.Helper()
	for name, with := range map[string]*TLS{"plain": nil, "TLS": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newFront(t, func(o *Options) { o.TLS = with }, nil))
		})
	}
}

// httpClient returns a client of the server with TLS.
func (f *front) httpClient(t *testing.T, http2 bool) *http.Client {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: f.tls.Clone(), Protocols: new(http.Protocols)}
	transport.Protocols.SetHTTP2(http2)
	transport.Protocols.SetHTTP1(!http2)
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

func TestHTTP2(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) {
		o.TLS = &TLS{HSTS: time.Hour}
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	}, nil)
	client := f.httpClient(t, true)
	for _, c := range []struct {
		method, path, body string
		status             int
		text               string
	}{
		{"GET", "/abc", "", 302, "192.0.2.7 true"},
		{"POST", "/abc", "password=x", 302, "192.0.2.7 true"},
		{"POST", "/abc", strings.Repeat("a", maxBodyBytes+1), 413, "at most 4 KiB"},
		{"GET", "/api/echo", "", 200, "192.0.2.7:0 h2-id %!s(<nil>)https"},
		{"POST", "/api/body", strings.Repeat("a", 1<<20), 200, "192.0.2.7:0"},
		{"POST", "/api/body", strings.Repeat("a", 1<<20+1), 413, ""},
		{"GET", "/api/panic", "", 500, "internal server error"},
		{"GET", "/panic", "", 500, "internal server error"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, "https://"+f.addr+c.path,
			strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Forwarded-For", "192.0.2.7")
		req.Header.Set("X-Forwarded-Proto", "https")
		req.Header.Set("X-Request-Id", "h2-id")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatalf("%s %s: %v", c.method, c.path, err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != c.status || resp.ProtoMajor != 2 ||
			!strings.Contains(string(body), c.text) ||
			resp.Header.Get("Strict-Transport-Security") != "max-age=3600" ||
			resp.Header.Get("X-Request-Id") != "h2-id" {
			t.Errorf("%s %s: %s %s %v %v", c.method, c.path, resp.Status, body, resp.Header, err)
		}
	}
	if n := f.conns.len(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
	if log := f.logged(); strings.Count(log, `"request_id":"h2-id"`) != 8+2 {
		t.Errorf("8 requests and 2 panics are logged as:\n%s", log)
	}
	for f.conns.len() > 0 { // until the client has done with it, too
		client.CloseIdleConnections()
		time.Sleep(time.Millisecond)
	}
}

func (f *front) awaitConns(t *testing.T, n int) {
	t.Helper()
	for began := time.Now(); f.conns.len() != n; time.Sleep(time.Millisecond) {
		if time.Since(began) > 30*time.Second {
			t.Fatalf("%d connections are open, want %d", f.conns.len(), n)
		}
	}
}

// Names are those of certificates. A client that gives none is served, too.
func TestNamesInHandshakes(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) { o.TLS = &TLS{} }, nil)
	for name, served := range map[string]bool{
		"s.example": true, "go.example": true, "S.EXAMPLE": true, "": true,
		"other.example": false, "x.s.example": false,
	} {
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			config := f.tls.Clone()
			config.ServerName, config.MaxVersion = name, version
			config.InsecureSkipVerify = true
			c, err := tls.Dial("tcp", f.addr, config)
			if (err == nil) != served || err != nil &&
				!strings.Contains(err.Error(), "unrecognized name") {
				t.Errorf("%q: %v", name, err)
			}
			if err == nil {
				f.ask(t, c, "/abc")
				_ = c.Close()
			}
		}
	}
	old := f.tls.Clone()
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	if _, err := tls.Dial("tcp", f.addr, old); err == nil {
		t.Error("TLS 1.1 is served")
	}
	strange := f.tls.Clone()
	strange.RootCAs = x509.NewCertPool()
	if _, err := tls.Dial("tcp", f.addr, strange); err == nil {
		t.Error("a client trusts a strange authority")
	}
	f.awaitConns(t, 0)
	f.failed(t, map[string]float64{unknownName: 4, protocol: 1, timedOut: 0, otherwise: 1})
}

// failed compares how many handshakes failed, by reason.
func (f *front) failed(t *testing.T, want map[string]float64) {
	t.Helper()
	if n := testutil.CollectAndCount(f.secure.failed); n != len(want) {
		t.Errorf("failures have %d reasons", n)
	}
	for reason, n := range want {
		if got := testutil.ToFloat64(f.secure.failed.WithLabelValues(reason)); got != n {
			t.Errorf("%v handshakes failed because of %s, want %v", got, reason, n)
		}
	}
}

// A CA looks at the certificate only.
func TestOtherProtocolsEnd(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) { o.TLS = &TLS{} }, nil)
	config := f.tls.Clone()
	config.NextProtos = []string{"acme-tls/1"}
	c, err := tls.Dial("tcp", f.addr, config)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := c.ConnectionState().NegotiatedProtocol; got != "acme-tls/1" {
		t.Errorf("%q was negotiated", got)
	}
	if _, err := io.ReadAll(c); err != nil {
		t.Error(err)
	}
}

// What is no handshake ends its connection. Each counts as one meanwhile.
func TestNoHandshake(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) {
		o.TLS, o.MaxConnsPerClient = &TLS{}, 3
	}, func(s *Server) { s.secure.patience = 200 * time.Millisecond })
	for name, c := range map[string]struct{ sent, answer string }{
		"HTTP":    {get("/abc"), `400 Bad Request`},
		"a POST":  {"POST /api/urls HTTP/1.1\r\n\r\n", "this port serves HTTPS only"},
		"garbage": {"\x00\xff\x00\xff\x00\xff", ""},
		"SSLv2":   {"\x80\x2e\x01\x00\x02\x00\x15", ""},
		"a record that never ends": {
			"\x16\x03\x01\x40\x00" + strings.Repeat("\x01", 1000), "",
		},
		"nothing":  {"", ""},
		"an alert": {"\x15\x03\x03\x00\x02\x02\x28", ""},
	} {
		raw, err := net.Dial("tcp", f.addr)
		if err != nil {
			t.Fatal(err)
		}
		_ = raw.SetDeadline(time.Now().Add(30 * time.Second))
		_, _ = io.WriteString(raw, c.sent)
		got, _ := io.ReadAll(raw) // which ends; a reset is an end
		if !strings.Contains(string(got), c.answer) ||
			c.answer == "" && strings.Contains(string(got), "HTTP") {
			t.Errorf("%s: %q", name, got)
		}
		_ = raw.Close()
		f.awaitConns(t, 0)
	}
	var held []net.Conn
	for range 3 {
		raw, err := net.Dial("tcp", f.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer raw.Close()
		held = append(held, raw)
	}
	f.awaitConns(t, 3)
	if _, err := f.dial(); err == nil || f.conns.refused.Load() != 1 {
		t.Errorf("handshakes that never end don't count: %v", err)
	}
	for _, c := range held {
		_, _ = io.ReadAll(c)
	}
	f.awaitConns(t, 0)
	// A connection beyond the bound makes no handshake.
	f.failed(t, map[string]float64{unknownName: 0, protocol: 4, timedOut: 5, otherwise: 1})
	c, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	f.ask(t, c, "/abc")
}

// TLS on the plain port gets an answer that is none of TLS.
func TestTLSOnThePlainPort(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) { o.TLS = &TLS{} }, nil)
	_, err := tls.Dial("tcp", f.plain, f.tls)
	if wrong, ok := errors.AsType[tls.RecordHeaderError](err); !ok ||
		string(wrong.RecordHeader[:]) != "HTTP/" {
		t.Errorf("%v", err)
	}
}

// The plain port serves nothing but what must be there, also on connections that go on.
func TestPlainPortBesideTLS(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) {
		o.TLS = &TLS{Challenge: func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/.well-known/acme-challenge/x" {
				return false
			}
			_, _ = io.WriteString(w, "challenge of "+r.Host)
			return true
		}}
		o.Reserved = []string{"api", "", "health"}
	}, nil)
	c, err := net.Dial("tcp", f.plain)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for _, e := range []struct{ request, host, want string }{
		{"GET /abc", "x", "308 https://s.example/abc"},
		{"GET /abc", "GO.EXAMPLE.:8080", "308 https://go.example/abc"},
		{"HEAD /a/b?c=%zz&d#e", "go.example", "308 https://go.example/a/b?c=%zz&d#e"},
		{"GET http://evil.example/abc?x", "go.example", "308 https://s.example/abc?x"},
		{"GET http://go.example?x", "s.example", "308 https://go.example/?x"},
		{"GET /health", "x", "200 "},
		{"GET /.well-known/acme-challenge/x", "go.example", "200 challenge of go.example"},
		{"GET /%zz", "s.example", "308 https://s.example/%zz"},
		{"GET /api/echo", "s.example", "403 " + apiNeedsHTTPS.json()},
	} {
		_, _ = fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: %s\r\n\r\n", e.request, e.host)
		method, _, _ := strings.Cut(e.request, " ")
		resp, err := http.ReadResponse(in, &http.Request{Method: method})
		if err != nil {
			t.Fatalf("%s: %v", e.request, err)
		}
		body, _ := io.ReadAll(resp.Body)
		got := fmt.Sprint(resp.StatusCode, " ", resp.Header.Get("Location"))
		if resp.StatusCode != 308 && e.request != "GET /health" {
			got += string(body)
		}
		if got != e.want {
			t.Errorf("%s: %s, want %s", e.request, got, e.want)
		}
	}
}

// A stop waits for a handshake only for a moment.
func TestShutdownDuringAHandshake(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) { o.TLS = &TLS{} }, nil)
	raw, err := net.Dial("tcp", f.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	f.awaitConns(t, 1)
	began := time.Now()
	if err := f.Shutdown(t.Context()); err != nil || time.Since(began) > handshakeTimeout/2 {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// A stop answers the first request of a connection that has just made its handshake.
func TestFirstRequestDuringAStop(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) { o.TLS = &TLS{} }, func(s *Server) {
		s.secure.grace = time.Minute
	})
	var fresh []net.Conn
	for version, protocol := range map[uint16]string{
		tls.VersionTLS12: "http/1.1", tls.VersionTLS13: "",
	} {
		config := f.tls.Clone()
		config.MaxVersion = version
		if protocol != "" {
			config.NextProtos = []string{protocol}
		}
		c, err := tls.Dial("tcp", f.addr, config)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fresh = append(fresh, c)
	}
	config := f.tls.Clone()
	config.NextProtos = []string{"h2"}
	h2, err := tls.Dial("tcp", f.addr, config)
	if err != nil {
		t.Fatal(err)
	}
	defer h2.Close()
	for { // until no handshake is under way
		f.secure.mu.Lock()
		n := len(f.secure.greeted)
		f.secure.mu.Unlock()
		if n == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	asked, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	f.ask(t, asked, "/abc")

	stopped := make(chan error, 1)
	go func() { stopped <- f.Shutdown(t.Context()) }()
	if _, err := asked.Read(make([]byte, 1)); err == nil { // the stop has reached the loop
		t.Error("a connection without a request is open after a stop")
	}
	for i, c := range fresh {
		path := []string{"/abc", "/api/echo"}[i]
		_ = c.SetDeadline(time.Now().Add(30 * time.Second))
		_, _ = io.WriteString(c, get(path))
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || !resp.Close {
			t.Errorf("%s: %v %v", path, resp, err)
		}
	}
	client := f.httpClient(t, true)
	transport, _ := client.Transport.(*http.Transport)
	transport.DialTLSContext = func(context.Context, string, string) (net.Conn, error) {
		defer func() { h2 = nil }()
		if h2 == nil {
			return nil, errors.New("the request was not answered on the open connection")
		}
		return h2, nil
	}
	if resp, err := client.Get("https://" + f.addr + "/abc"); err != nil || resp.StatusCode != 302 {
		t.Errorf("HTTP/2: %v %v", resp, err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// A stop loses no request that came before it, wherever its new connection is at that moment.
func TestStopUnderNewConnections(t *testing.T) {
	t.Parallel()
	const conns = 64
	for range 4 {
		handshakes, may := make(chan struct{}, conns), make(chan struct{})
		f := newFront(t, func(o *Options) { o.TLS, o.Loops = &TLS{}, 2 }, func(s *Server) {
			s.secure.turns = make(chan struct{}, conns)
			// It is called when the client has all that it waits for.
			s.secure.config.VerifyConnection = func(tls.ConnectionState) error {
				handshakes <- struct{}{}
				<-may
				return nil
			}
		})
		var clients, sent sync.WaitGroup
		sent.Add(conns)
		for range conns {
			clients.Go(func() {
				sending := sync.OnceFunc(sent.Done)
				defer sending()
				c, err := f.dial()
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				_, _ = io.WriteString(c, get("/abc"))
				sending()
				resp, err := http.ReadResponse(bufio.NewReader(c), nil)
				if err != nil || resp.StatusCode != 302 {
					t.Errorf("%v %v", resp, err)
				}
			})
		}
		sent.Wait()
		for range conns {
			<-handshakes
		}
		close(may)
		if err := f.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		clients.Wait()
	}
}

// stuck is a data plane that answers /stuck when it may.
type stuck struct {
	plane

	entered, may chan struct{}
}

func (p stuck) Answer(v *redirect.Visit, a redirect.Attempt) redirect.Answer {
	if string(v.Path) == "/stuck" {
		p.entered <- struct{}{}
		<-p.may
	}
	return p.plane.Answer(v, a)
}

// A stop loses no request to the control plane that came before it either.
func TestStopUnderRequestsToTheControlPlane(t *testing.T) {
	t.Parallel()
	const conns = 64
	for range 4 {
		p := stuck{entered: make(chan struct{}), may: make(chan struct{})}
		f := newFront(t, func(o *Options) { o.Redirect = p }, nil)
		var clients, sent sync.WaitGroup
		sent.Add(1 + conns)
		ask := func(path string) {
			c, err := f.dial()
			if err != nil {
				t.Error(err)
				sent.Done()
				return
			}
			defer c.Close()
			_, _ = io.WriteString(c, get(path))
			sent.Done()
			if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil {
				t.Errorf("%s: %v %v", path, resp, err)
			}
		}
		clients.Go(func() { ask("/stuck") })
		<-p.entered // so the loop does not see what comes next
		for range conns {
			clients.Go(func() { ask("/api/echo") })
		}
		sent.Wait()
		f.awaitConns(t, 1+conns)
		close(p.may)
		if err := f.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		clients.Wait()
	}
}

// Requests of HTTP/2 count as connections of the client, whose memory they take.
func TestRequestsOfHTTP2AreBounded(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	f := newFront(t, func(o *Options) {
		o.TLS, o.MaxConnsPerClient = &TLS{}, 3
		o.Control = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			entered <- struct{}{}
			<-release
		})
	}, nil)
	client := f.httpClient(t, true)
	statuses := make(chan int, 2)
	for range 2 { // with their connection they are three
		go func() {
			resp, err := client.Get("https://" + f.addr + "/api/slow")
			if err != nil {
				t.Error(err)
				statuses <- 0
				return
			}
			_ = resp.Body.Close()
			statuses <- resp.StatusCode
		}()
		<-entered
	}
	resp, err := client.Get("https://" + f.addr + "/abc")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "1" ||
		string(body) != busyForClient.json() {
		t.Errorf("the third got %s %v %s", resp.Status, resp.Header, body)
	}
	close(release)
	for range 2 {
		if got := <-statuses; got != 200 {
			t.Errorf("one under way got %d", got)
		}
	}
	if resp, err = client.Get("https://" + f.addr + "/abc"); err != nil || resp.StatusCode != 302 {
		t.Errorf("afterwards: %v %v", resp, err)
	}
	_ = resp.Body.Close()
}

// A stop under load cuts no answer: what the server says it answered has arrived.
func TestStopOfTLSUnderLoad(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) { o.TLS = &TLS{} }, nil)
	var whole, begun atomic.Int64
	var clients sync.WaitGroup
	goal := make(chan struct{})
	reached := sync.OnceFunc(func() { close(goal) })
	answered := func(resp *http.Response, err error) bool {
		if err != nil {
			return false
		}
		_, err = io.Copy(io.Discard, resp.Body)
		if err != nil || resp.StatusCode != 302 {
			t.Errorf("%s %v", resp.Status, err)
		}
		_ = resp.Body.Close()
		if whole.Add(1) == 300 {
			reached()
		}
		return true
	}
	ask := func(c net.Conn, in *bufio.Reader) bool {
		_, _ = io.WriteString(c, "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n")
		if _, err := in.Peek(1); err != nil {
			return false
		}
		begun.Add(1)
		return answered(http.ReadResponse(in, nil))
	}
	for range 4 {
		clients.Go(func() { // one connection for all
			c, err := f.dial()
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for in := bufio.NewReader(c); ask(c, in); {
			}
		})
		clients.Go(func() { // one for each
			for {
				c, err := f.dial()
				if err != nil {
					return
				}
				ok := ask(c, bufio.NewReader(c))
				_ = c.Close()
				if !ok {
					return
				}
			}
		})
	}
	client := f.httpClient(t, true)
	for range 4 {
		clients.Go(func() {
			for answered(client.Get("https://" + f.addr + "/abc")) {
				begun.Add(1)
			}
		})
	}
	<-goal
	if err := f.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	clients.Wait()
	said := f.metrics.redirects[302]
	if got := int64(testutil.ToFloat64(said)); got != whole.Load() || begun.Load() != whole.Load() {
		t.Errorf("%d answers began and %d arrived of %d", begun.Load(), whole.Load(), got)
	}
}
