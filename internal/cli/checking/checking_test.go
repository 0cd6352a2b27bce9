package checking

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestIsEqual(t *testing.T) {
	t.Parallel()
	to := func(status int, location string) Answer {
		return Answer{Status: status, Location: location}
	}
	for _, row := range []struct {
		there, here Answer
		want        bool
	}{
		{to(301, "https://a.example/"), to(302, "https://a.example/"), true},
		{to(308, "https://a.example/x"), to(302, "https://a.example/y"), false},
		{to(302, "HTTPS://A.Example:443"), to(302, "https://a.example/"), true},
		{to(302, "https://a.example:8443"), to(302, "https://a.example/"), false},
		{to(302, "https://a.example?q"), to(302, "https://a.example/?q"), true},
		{
			to(302, "https://ä.example/ä%c3?ö#ü"),
			to(302, "https://xn--4ca.example/%C3%A4%C3?%C3%B6#%C3%BC"), true,
		},
		{to(302, "https://u@a.example/"), to(302, "https://a.example/"), false},
		{to(302, "https://a.example/A"), to(302, "https://a.example/a"), false},
		{to(302, "mailto:a@a.example"), to(302, "mailto:a@a.example"), true},
		{to(302, ""), to(302, ""), false},
		{to(304, "https://a.example/"), to(304, "https://a.example/"), false},
		{to(200, ""), to(200, ""), false},
		{to(200, ""), to(302, "https://a.example/"), false},
		{to(404, ""), to(302, "https://a.example/"), false},
		{to(404, ""), to(410, ""), true},
		{to(401, ""), to(401, ""), true},
		{to(403, ""), to(404, ""), false},
		{to(500, ""), to(500, ""), false},
		{Answer{Error: "lost"}, Answer{Error: "lost"}, false},
		{Answer{Error: "lost"}, to(404, ""), false},
	} {
		r := Result{There: row.there, Here: row.here}
		if r.IsEqual() != row.want {
			t.Errorf("%v there and %v here: equal is %v", &row.there, &row.here, !row.want)
		}
	}
}

func TestNewServer(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "a.example", "ftp://a.example", "https://", "https://u:secret@a.example/",
		"https://a.example/?q", "https://a.example/#f",
	} {
		if _, err := NewServer(address); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// impatient returns a server that is given up soon.
func impatient(t *testing.T, address string) *Server {
	t.Helper()
	s, err := NewServer(address)
	if err != nil {
		t.Fatal(err)
	}
	s.pause, s.TryGet = time.Millisecond, true
	t.Cleanup(s.transport.CloseIdleConnections)
	return s
}

// serve starts a server in the test's process.
func serve(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

func list(addresses ...string) iter.Seq2[Address, error] {
	return func(yield func(Address, error) bool) {
		for _, address := range addresses {
			if !yield(Address{Path: address}, nil) {
				return
			}
		}
	}
}

// Addresses reach a server as they are in its short URLs.
func TestAddresses(t *testing.T) {
	t.Parallel()
	s, err := NewServer("https://a.example/b%2Fc/")
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"abc":        "https://a.example/b%2Fc/abc",
		"docs/a b":   "https://a.example/b%2Fc/docs/a%20b",
		"grüße":      "https://a.example/b%2Fc/gr%C3%BC%C3%9Fe",
		"50%?#\\":    "https://a.example/b%2Fc/50%25%3F%23%5C",
		"../x//y":    "https://a.example/b%2Fc/../x//y",
		"a:b@c+d,;=": "https://a.example/b%2Fc/a:b@c+d,;=",
	} {
		if got := s.at(address).String(); got != want {
			t.Errorf("%q is at %s, want %s", address, got, want)
		}
	}
}

// Of what a server says, nothing is believed, read on or waited for.
func TestServersOfAllKinds(t *testing.T) {
	t.Parallel()
	var asked sync.Map // method and path to *atomic.Int64
	times := func(r *http.Request) int64 {
		n, _ := asked.LoadOrStore(r.Method+r.URL.Path, &atomic.Int64{})
		return n.(*atomic.Int64).Add(1)
	}
	redirect := func(w http.ResponseWriter) {
		w.Header().Set("Location", "https://a.example/")
		w.WriteHeader(http.StatusFound)
	}
	handle := func(w http.ResponseWriter, r *http.Request) {
		n := times(r)
		if r.UserAgent() != UserAgent {
			t.Errorf("the user agent is %q", r.UserAgent())
		}
		switch path := r.URL.Path; path {
		case "/relative":
			w.Header().Set("Location", "../x?y")
			w.WriteHeader(http.StatusMovedPermanently)
		case "/latin":
			w.Header()["Location"] = []string{"https://a.example/\xe4"}
			w.WriteHeader(http.StatusFound)
		case "/broken":
			w.Header().Set("Location", "http://[::1")
			w.WriteHeader(http.StatusFound)
		case "/limited":
			if n < 3 {
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			redirect(w)
		case "/starts":
			if n < 3 {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			redirect(w)
		case "/lost", "/dead":
			if n < 3 || path == "/dead" {
				panic(http.ErrAbortHandler)
			}
			redirect(w)
		case "/fails":
			w.WriteHeader(http.StatusInternalServerError)
		case "/headers":
			w.Header().Set("X", strings.Repeat("x", 1<<20))
			redirect(w)
		case "/page", "/endless":
			w.WriteHeader(http.StatusOK)
			for r.Method == http.MethodGet && path == "/endless" {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		case "/noheadtoo":
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}
	server := serve(t, handle)
	for path, want := range map[string]string{
		"relative": server.URL + "/x?y", "latin": "https://a.example/%E4", "broken": "http://[::1",
		"limited": "https://a.example/", "starts": "https://a.example/",
		"lost": "https://a.example/", "dead": "no answer: EOF",
		"fails":   "500 Internal Server Error",
		"headers": "headers exceeded 65536 bytes; aborted", "page": "200 OK, a page",
		"endless": "200 OK, a page", "noheadtoo": "405 Method Not Allowed",
	} {
		s := impatient(t, server.URL)
		limits := 0
		s.OnLimit = func() { limits++ }
		got, err := s.ask(t.Context(), "", path)
		if err != nil || !strings.HasSuffix(got.String(), want) {
			t.Errorf("%s: %v, %v; want %s", path, &got, err, want)
		}
		if limited := path == "limited"; limited != (limits == 1) {
			t.Errorf("%s: %d times at a limit", path, limits)
		}
	}
	n, _ := asked.Load("HEAD/dead")
	if got := n.(*atomic.Int64).Load(); got != tries {
		t.Errorf("asked a dead server %d times", got)
	}
}

// A server that says nothing, or goes on saying little, is waited for only so long.
func TestSlowServers(t *testing.T) {
	t.Parallel()
	for name, speak := range map[string]func(net.Conn){
		"silent": func(net.Conn) {},
		"endless": func(c net.Conn) {
			_, err := c.Write([]byte("HTTP/1.1 302 Found\r\n"))
			for err == nil {
				time.Sleep(time.Millisecond)
				_, err = c.Write([]byte("X: y\r\n"))
			}
		},
		"informs": func(c net.Conn) {
			var err error
			for err == nil {
				time.Sleep(time.Millisecond)
				_, err = c.Write([]byte("HTTP/1.1 103 Early Hints\r\n\r\n"))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.Close() })
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					t.Cleanup(func() { _ = c.Close() })
					go speak(c)
				}
			}()
			s := impatient(t, "http://"+l.Addr().String())
			s.answerTime = 20 * time.Millisecond
			got, err := s.ask(t.Context(), "", "x")
			if err != nil || got.Error == "" {
				t.Errorf("%v, %v", &got, err)
			}
		})
	}
}

// A server without HEAD is asked by GET, and then no more by HEAD. This one is not: it knows HEAD,
// and GET would count.
func TestNoHead(t *testing.T) {
	t.Parallel()
	var methods []string
	var mu sync.Mutex
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		methods = append(methods, r.Method)
		mu.Unlock()
		if r.Method == http.MethodHead {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		http.Redirect(w, r, "https://a.example/", http.StatusFound)
	})
	there, here := impatient(t, server.URL), impatient(t, server.URL)
	here.TryGet = false
	for range 2 {
		if got, err := there.ask(t.Context(), "", "x"); err != nil || !got.redirects() {
			t.Errorf("%v, %v", &got, err)
		}
	}
	if got, err := here.ask(t.Context(), "", "x"); err != nil || got.Status != 405 {
		t.Errorf("%v, %v", &got, err)
	}
	if want := []string{"HEAD", "GET", "GET", "HEAD"}; !slices.Equal(methods, want) {
		t.Errorf("%q, want %q", methods, want)
	}
}

// At most four requests are under way to a server, and results come in order, whichever is answered
// first.
func TestRun(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int64
	full, later := make(chan struct{}), make(chan struct{})
	there := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		switch r.URL.Path {
		case "/0", "/1", "/2", "/3":
			if n == atOnce {
				close(full)
			}
			<-full // as many are there
			if r.URL.Path == "/0" {
				<-later // others overtake it
			}
		case "/30":
			close(later)
		}
		http.Redirect(w, r, "https://a.example"+r.URL.Path, http.StatusMovedPermanently)
	})
	here := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://a.example"+strings.Replace(r.URL.Path, "7", "x", 1),
			http.StatusFound)
	})
	var addresses, differ []string
	for i := range 200 {
		addresses = append(addresses, fmt.Sprint(i))
	}
	n := 0
	err := Run(t.Context(), impatient(t, there.URL), impatient(t, here.URL), list(addresses...),
		func(r *Result) error {
			if want := fmt.Sprintf("%s/%d", there.URL, n); r.Address != want {
				t.Errorf("%s, want %s", r.Address, want)
			}
			if n++; !r.IsEqual() {
				differ = append(differ, r.Here.Location)
			}
			return nil
		})
	if err != nil || n != 200 || len(differ) != 38 || differ[0] != "https://a.example/x" ||
		most.Load() > atOnce {
		t.Errorf("%v, %d results, %d at once, %q", err, n, most.Load(), differ)
	}
}

// The same code at several domains is asked for at each, of both servers.
func TestDomains(t *testing.T) {
	t.Parallel()
	byHost := func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if strings.HasPrefix(host, "127.0.0.1") {
			host = "default"
		}
		http.Redirect(w, r, "https://a.example/"+host, http.StatusFound)
	}
	there, here := serve(t, byHost), serve(t, byHost)
	var got []string
	err := Run(t.Context(), impatient(t, there.URL), impatient(t, here.URL),
		func(yield func(Address, error) bool) {
			both := Address{"go.example", "go.example", "launch"}
			_ = yield(Address{Path: "launch"}, nil) && yield(both, nil)
		}, func(r *Result) error {
			if !r.IsEqual() {
				t.Errorf("%+v", r)
			}
			got = append(got, r.Address, r.Here.Location)
			return nil
		})
	_, port, _ := strings.Cut(strings.TrimPrefix(there.URL, "http://"), ":")
	want := []string{
		there.URL + "/launch", "https://a.example/default",
		"http://go.example:" + port + "/launch", "https://a.example/go.example",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %q, not %q", err, got, want)
	}
}

// A server that never answers is given up soon, and everything ends: also when the caller, the
// source or the context does.
func TestRunEnds(t *testing.T) {
	t.Parallel()
	alive := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
	})
	dead := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	addresses := func(yield func(Address, error) bool) {
		for yield(Address{Path: "x"}, nil) {
		}
	}
	for there, silent := range map[*httptest.Server]string{dead: dead.URL, alive: ""} {
		here := alive
		if silent == "" {
			here, silent = dead, dead.URL
		}
		n := 0
		err := Run(t.Context(), impatient(t, there.URL), impatient(t, here.URL), addresses,
			func(*Result) error { n++; return nil })
		wrong, ok := errors.AsType[*SilentError](err)
		if !ok || wrong.Server.String() != silent || wrong.Reason == "" || n != maxSilent {
			t.Errorf("%v after %d", err, n)
		}
	}
	errTest := errors.New("test")
	err := Run(t.Context(), impatient(t, alive.URL), impatient(t, alive.URL), addresses,
		func(*Result) error { return errTest })
	if !errors.Is(err, errTest) {
		t.Error(err)
	}
	err = Run(t.Context(), impatient(t, alive.URL), impatient(t, alive.URL),
		func(yield func(Address, error) bool) {
			_ = yield(Address{Path: "x"}, nil) && yield(Address{}, errTest)
		}, func(*Result) error { return nil })
	if !errors.Is(err, errTest) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = Run(ctx, impatient(t, alive.URL), impatient(t, alive.URL), addresses,
		func(*Result) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
