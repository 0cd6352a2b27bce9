package webhooks

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse"
)

// receiver is a server with TLS, and a client that trusts it.
func receiver(t *testing.T, handle http.HandlerFunc) (*httptest.Server, *client) {
	t.Helper()
	server := httptest.NewUnstartedServer(handle)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	c := newClient(guardFor(t, nil, "127.0.0.0/8"), "terse/test", rootsOf(server))
	t.Cleanup(c.close)
	return server, c
}

func rootsOf(server *httptest.Server) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	return pool
}

func aDelivery() *terse.Delivery {
	return &terse.Delivery{
		ID: "msg_0123456789ABCDEFGHIJKLMNOPQ", Webhook: "hook",
		Payload: []byte(`{"type":"webhook.test"}`),
	}
}

func aHook(url string) *terse.Webhook {
	return &terse.Webhook{ID: "hook", URL: url, Secret: []byte(strings.Repeat("s", 32))}
}

// What a receiver gets, over HTTP/2 and HTTP/1.1, on one connection if it lives.
func TestAttempt(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"HTTP/2.0", "HTTP/1.1"} {
		var conns atomic.Int64
		server := httptest.NewUnstartedServer(http.HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				at, _ := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
				signed := signature(aHook("").Secret, r.Header.Get("webhook-id"),
					time.Unix(at, 0), body)
				age := time.Since(time.Unix(at, 0))
				if r.Proto != protocol || r.Method != http.MethodPost ||
					r.URL.RequestURI() != "/hook?key=1" ||
					r.Header.Get("webhook-signature") != signed ||
					r.Header.Get("webhook-id") != aDelivery().ID || age < 0 || age > time.Minute ||
					r.Header.Get("Content-Type") != "application/json" ||
					r.Header.Get("User-Agent") != "terse/test" ||
					string(body) != string(aDelivery().Payload) ||
					r.ContentLength != int64(len(body)) {
					t.Errorf("%s %s %s with %v: %q", r.Proto, r.Method, r.URL, r.Header, body)
				}
				w.WriteHeader(http.StatusAccepted)
				_, _ = io.WriteString(w, "thanks")
			}))
		server.EnableHTTP2 = protocol == "HTTP/2.0"
		server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				conns.Add(1)
			}
		}
		server.StartTLS()
		t.Cleanup(server.Close)
		c := newClient(guardFor(t, nil, "127.0.0.0/8"), "terse/test", rootsOf(server))
		for range 3 {
			a, _ := c.attempt(t.Context(), aDelivery(), aHook(server.URL+"/hook?key=1"))
			if a.Status != http.StatusAccepted || string(a.Response) != "thanks" ||
				a.Error != "" || a.Duration <= 0 || time.Since(a.Time) > time.Minute {
				t.Errorf("%s: %+v", protocol, a)
			}
		}
		if n := conns.Load(); n != 1 {
			t.Errorf("%s: %d connections for three attempts", protocol, n)
		}
		c.close()
	}
}

// A network that is allowed is reached without TLS, and only there.
func TestAttemptWithoutTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	c := newClient(guardFor(t, nil, "127.0.0.1/32"), "terse/test", nil)
	t.Cleanup(c.close)
	if a, _ := c.attempt(t.Context(), aDelivery(), aHook(server.URL)); a.Status != 200 {
		t.Errorf("%+v", a)
	}
	c = newClient(guardFor(t, nil, "127.0.0.2/32"), "terse/test", nil)
	a, _ := c.attempt(t.Context(), aDelivery(), aHook(server.URL))
	if a.Status != 0 || a.Error != errRefused.Error() {
		t.Errorf("%+v", a)
	}
}

// A host is connected to as the guard reads it, however it is spelled, with and without TLS.
func TestSpelledHosts(t *testing.T) {
	t.Parallel()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Host)
	})
	plain, encrypted := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	t.Cleanup(plain.Close)
	t.Cleanup(encrypted.Close)
	names := &nameServer{answers: map[string][][]string{
		"example.com.": {{"127.0.0.1"}}, "xn--bcher-kva.example.": {{"127.0.0.1"}},
	}}
	guard := guardFor(t, names, "127.0.0.1/32")
	c := newClient(guard, "terse/test", rootsOf(encrypted))
	t.Cleanup(c.close)
	for host, want := range map[string]string{
		"127.0.0.1": "127.0.0.1", "127.1": "127.0.0.1", "0x7f000001": "127.0.0.1",
		"2130706433": "127.0.0.1", "0177.0.0.1": "127.0.0.1", "127.0.0.1.": "127.0.0.1",
		"１２７.0.0.1": "127.0.0.1", "[::ffff:127.0.0.1]": "[::ffff:7f00:1]",
		"EXAMPLE.com": "example.com", "example.com.": "example.com.",
		"bücher.example": "xn--bcher-kva.example",
	} {
		for _, server := range []*httptest.Server{plain, encrypted} {
			if host == "bücher.example" && server == encrypted {
				continue // its certificate does not have the name
			}
			url := strings.Replace(server.URL, "127.0.0.1", host, 1)
			if err := guard.Check(t.Context(), url); err != nil {
				t.Errorf("%s: %v", url, err)
			}
			_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
			a, _ := c.attempt(t.Context(), aDelivery(), aHook(url))
			if a.Status != 200 || string(a.Response) != want+":"+port {
				t.Errorf("%s: %+v", url, a)
			}
		}
	}
}

// Answers that are none of the good ones: the status decides, and nothing is followed or waited
// for.
func TestAnswers(t *testing.T) {
	t.Parallel()
	var followed atomic.Bool
	server, c := receiver(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		case "/elsewhere":
			followed.Store(true)
		case "/busy":
			w.Header().Set("Retry-After", "120")
			http.Error(w, "later", http.StatusServiceUnavailable)
		case "/long":
			_, _ = io.WriteString(w, strings.Repeat("x", 1<<20))
		case "/header":
			w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
		}
	})
	try := func(path string) (terse.Attempt, time.Duration) {
		return c.attempt(t.Context(), aDelivery(), aHook(server.URL+path))
	}
	if a, _ := try("/redirect"); a.Status != http.StatusTemporaryRedirect || followed.Load() {
		t.Errorf("a redirect: %+v, followed: %v", a, followed.Load())
	}
	if a, wait := try("/busy"); a.Status != 503 || wait != 2*time.Minute ||
		string(a.Response) != "later\n" {
		t.Errorf("a busy receiver: %+v, %v", a, wait)
	}
	if a, _ := try("/long"); a.Status != 200 || len(a.Response) != terse.MaxResponse {
		t.Errorf("a long answer: %d, %d bytes", a.Status, len(a.Response))
	}
	if a, _ := try("/header?key=secret"); a.Status != 0 || a.Error == "" ||
		strings.Contains(a.Error, "secret") {
		t.Errorf("a long header: %+v", a)
	}
	c.encrypted.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
	c.close()
	if a, _ := try("/?key=secret"); a.Status != 0 || !strings.Contains(a.Error, "certificate") ||
		strings.Contains(a.Error, "secret") {
		t.Errorf("a certificate that nobody trusts: %+v", a)
	}
}

// A receiver that sends a byte now and then is cut off when the time is over. If it has sent a
// status before, that counts.
func TestAttemptTimeout(t *testing.T) {
	t.Parallel()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	begin, cut := make(chan string, 2), make(chan error, 2)
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			// Clients take what comes before they asked for a fault of the connection.
			_, _ = conn.Read(make([]byte, 64<<10))
			_, err = io.WriteString(conn, <-begin)
			for err == nil {
				time.Sleep(10 * time.Millisecond)
				_, err = conn.Write([]byte("x"))
			}
			cut <- err
			_ = conn.Close()
		}
	}()
	c := newClient(guardFor(t, nil, "127.0.0.0/8"), "terse/test", nil)
	c.timeout = 300 * time.Millisecond
	hook := aHook("http://" + ln.Addr().String())
	begin <- "HTTP/1.1 200 OK\r\nX-Slow: "
	a, _ := c.attempt(t.Context(), aDelivery(), hook)
	if a.Status != 0 || a.Error != "no answer within 300ms" || a.Duration < c.timeout {
		t.Errorf("a slow header: %+v", a)
	}
	<-cut
	begin <- "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
	a, _ = c.attempt(t.Context(), aDelivery(), hook)
	if a.Status != 200 || a.Error != "" || a.Duration < c.timeout || len(a.Response) == 0 {
		t.Errorf("a slow body: %+v", a)
	}
	<-cut
}

// What a receiver sends that is no answer ends at once, and no error names the server's address.
func TestOddAnswers(t *testing.T) {
	t.Parallel()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	answers := make(chan string, 1)
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 64<<10))
			if text := <-answers; text != "" {
				_, _ = io.WriteString(conn, text)
				_, _ = conn.Read(make([]byte, 64<<10)) // until the other end closes it
			} else if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0) // a reset
			}
			_ = conn.Close()
		}
	}()
	c := newClient(guardFor(t, nil, "127.0.0.0/8"), "terse/test", nil)
	try := func(answer string) terse.Attempt {
		answers <- answer
		a, _ := c.attempt(t.Context(), aDelivery(), aHook("http://"+ln.Addr().String()))
		return a
	}
	a := try("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
	if a.Status != 101 || len(a.Response) > 0 {
		t.Errorf("another protocol: %+v", a)
	}
	a = try("HTTP/1.1 000 None\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	if a.Status != 0 || a.Error != "an answer with the status 000" {
		t.Errorf("no status: %+v", a)
	}
	if a = try(""); a.Error != "read: read: connection reset by peer" {
		t.Errorf("a reset: %+v", a)
	}
}

// A name that leads elsewhere by the time of a connection is refused then, although it was checked
// before.
func TestRebinding(t *testing.T) {
	t.Parallel()
	var inside atomic.Int64
	listen := func(address string, handle http.HandlerFunc) *httptest.Server {
		ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewUnstartedServer(handle)
		_ = server.Listener.Close()
		server.Listener = ln
		server.Start()
		t.Cleanup(server.Close)
		return server
	}
	outer := listen("127.0.0.1:0", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
	})
	_, port, _ := net.SplitHostPort(outer.Listener.Addr().String())
	inner := listen("127.0.0.2:"+port, func(http.ResponseWriter, *http.Request) {})
	inner.Config.ConnState = func(net.Conn, http.ConnState) { inside.Add(1) }
	names := &nameServer{answers: map[string][][]string{"rebind.example.": {
		{"127.0.0.1"},
		{"127.0.0.1"},
		{"127.0.0.2"},
		{"::ffff:127.0.0.2", "127.0.0.2", "64:ff9b::127.0.0.2"},
	}}}
	guard := guardFor(t, names, "127.0.0.1/32")
	c := newClient(guard, "terse/test", nil)
	hook := aHook("http://rebind.example:" + port)
	if err := guard.Check(t.Context(), hook.URL); err != nil {
		t.Fatal(err)
	}
	if a, _ := c.attempt(t.Context(), aDelivery(), hook); a.Status != 200 {
		t.Fatalf("the first connection: %+v", a)
	}
	for range 2 {
		a, _ := c.attempt(t.Context(), aDelivery(), hook)
		if a.Status != 0 || a.Error != errRefused.Error() {
			t.Errorf("connected elsewhere: %+v", a)
		}
	}
	if inside.Load() != 0 || names.asked < 4 {
		t.Errorf("%d connections inside, %d questions", inside.Load(), names.asked)
	}
	hook.URL = "http://unknown.example/hook?key=secret"
	if a, _ := c.attempt(t.Context(), aDelivery(), hook); a.Error !=
		"no such host: unknown.example" {
		t.Errorf("an unknown name: %+v", a)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "90": 90 * time.Second, "3600": time.Hour, "3601": time.Hour,
		"9223372036854775807": time.Hour, "99999999999999999999": time.Hour, "-5": 0, "1.5": 0,
		"soon": 0, "Sun, 29 Nov 2026 12:10:00 GMT": 10 * time.Minute,
		"Sun, 29 Nov 2026 11:00:00 GMT": 0, "Mon, 30 Nov 2026 12:00:00 GMT": time.Hour,
	} {
		if got := retryAfterOf(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// What follows from each attempt of a delivery.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	now := time.Now()
	day := time.Duration(0)
	for n, pause := range pauses {
		d := &terse.Delivery{Attempts: make([]terse.Attempt, n)}
		different := map[time.Duration]bool{}
		for range 100 {
			o := outcomeOf(d, terse.Attempt{Status: 500}, 0, now)
			wait := o.NextAt.Sub(now)
			different[wait] = true
			if o.Status != terse.Waiting || o.Gone || wait < pause*9/10 || wait > pause*11/10 {
				t.Fatalf("attempt %d: %+v, after %v", n+1, o, wait)
			}
		}
		if len(different) < 50 {
			t.Errorf("attempt %d: only %d different pauses", n+1, len(different))
		}
		if o := outcomeOf(d, terse.Attempt{Status: 429}, 40*time.Minute, now); o.NextAt.Before(
			now.Add(40 * time.Minute)) {
			t.Errorf("attempt %d: again after %v", n+1, o.NextAt.Sub(now))
		}
		day += pause
	}
	if day.Round(time.Minute) != 22*time.Hour+36*time.Minute {
		t.Errorf("attempts end after %v", day)
	}
	late := &terse.Delivery{Attempts: make([]terse.Attempt, len(pauses))}
	for _, d := range []*terse.Delivery{{}, late} {
		for status, want := range map[int]terse.DeliveryStatus{
			200: terse.Delivered, 204: terse.Delivered, 299: terse.Delivered, 410: terse.Failed,
		} {
			o := outcomeOf(d, terse.Attempt{Status: status}, time.Hour, now)
			if o.Status != want || o.Gone != (status == 410) || !o.NextAt.IsZero() {
				t.Errorf("%d: %+v", status, o)
			}
		}
	}
	for _, status := range []int{0, 199, 300, 307, 400, 404, 429, 500, 503} {
		a := terse.Attempt{Status: status}
		if o := outcomeOf(&terse.Delivery{}, a, 0, now); o.Status != terse.Waiting || o.Gone {
			t.Errorf("%d at first: %+v", status, o)
		}
		if o := outcomeOf(late, a, 0, now); o.Status != terse.Failed || o.Gone ||
			!o.NextAt.IsZero() {
			t.Errorf("%d at last: %+v", status, o)
		}
	}
}
