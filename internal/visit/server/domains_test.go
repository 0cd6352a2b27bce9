package server

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"terse"
	"terse/internal/link/hosts"
	"terse/internal/visit/redirect"
)

// atHosts is a data plane that says at which domain it was asked.
type atHosts struct{ plane }

func (atHosts) Answer(v *redirect.Visit, _ redirect.Attempt) redirect.Answer {
	saw := redirect.Field{Name: "Saw", Value: fmt.Sprint(v.Domain, " ", string(v.Path))}
	if v.Nothing {
		return redirect.Answer{Reply: redirect.NewReply(404, "nothing", saw)}
	}
	return redirect.Answer{Reply: redirect.NewReply(302, "", saw)}
}

func (p atHosts) Serve(w http.ResponseWriter, _ *http.Request, v redirect.Visit) error {
	a := p.Answer(&v, redirect.Attempt{})
	w.Header().Set("Saw", a.Fields[0].Value)
	w.WriteHeader(a.Status)
	_, err := io.WriteString(w, a.Body)
	return err
}

// withDomains makes a server one of go.example, domain 1, and of closed.example, domain 2, where
// nothing is served any more.
func withDomains(o *Options) {
	o.Redirect = atHosts{}
	o.Reserved = []string{"api", "", "health", "ui"}
	o.Everywhere = func(path []byte) bool { return string(path) == "/health" }
	o.Asked = func(host []byte) (terse.Domain, bool) {
		switch string(host) {
		case "go.example", "go.example:8080":
			return 1, false
		case "closed.example":
			return 2, true
		}
		return terse.DefaultDomain, false
	}
}

// hostsAndPaths are the answers to GET at hosts: the status and, of the data plane, the domain.
var hostsAndPaths = map[string][3]string{ // x, go.example, closed.example
	"/abc":           {"302 0", "302 1", "404 2"},
	"/a/b?c":         {"302 0", "302 1", "404 2"},
	"/":              {"200", "302 1", "404 2"},
	"/?x":            {"200", "302 1", "404 2"},
	"/health":        {"200", "200", "404 2"},
	"/health?x":      {"200", "200", "404 2"},
	"/health/":       {"200", "404 1", "404 2"},
	"/api/echo":      {"200", "404 1", "404 2"},
	"/%61pi/echo":    {"200", "404 1", "404 2"},
	"/ui":            {"200", "404 1", "404 2"},
	"/ui/share/abcd": {"200", "404 1", "404 2"},
	"/api/%zz":       {"400", "404 1", "404 2"},
	"/%zz":           {"302 0", "302 1", "404 2"},
}

// seen returns what an answer says of who gave it.
func seen(resp *http.Response) string {
	domain, _, _ := strings.Cut(resp.Header.Get("Saw"), " ")
	return strings.TrimSpace(fmt.Sprint(resp.StatusCode, " ", domain))
}

// The host decides, in the fast path and behind it, however the request names it.
func TestHosts(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]*TLS{"plain": nil, "TLS": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFront(t, func(o *Options) { withDomains(o); o.TLS = with }, nil)
			for path, answers := range hostsAndPaths {
				for i, host := range []string{"x", "go.example", "closed.example"} {
					for _, request := range []string{
						"GET %[1]s HTTP/1.1\r\nHost: %[2]s\r\nConnection: close\r\n\r\n",
						"GET %[1]s HTTP/1.1\r\nHost:%[2]s \r\nConnection: close\r\n" +
							"Content-Length: 0\r\n\r\n",
						"GET %[1]s HTTP/1.1\r\nhost: %[2]s\r\nConnection: close\r\n" +
							"X-Forwarded-Host: go.example\r\n\r\n",
						"POST %[1]s HTTP/1.1\r\nHost: %[2]s\r\nConnection: close\r\n" +
							"Content-Length: 1\r\n\r\na",
						"GET http://%[2]s%[1]s HTTP/1.1\r\nHost: go.example\r\n" +
							"Connection: close\r\n\r\n",
						"GET https://me@%[2]s%[1]s HTTP/1.1\r\nHost: closed.example\r\n" +
							"Connection: close\r\n\r\n",
						"GET %[1]s HTTP/1.0\r\nHost: %[2]s\r\n\r\n",
						"GET http://%[2]s%[1]s HTTP/1.0\r\n\r\n",
					} {
						request = fmt.Sprintf(request, path, host)
						resp, body := f.raw(t, request)
						if got := seen(resp); got != answers[i] {
							t.Errorf("%q: %s %s, want %s", request, got, body, answers[i])
						}
					}
				}
			}
			for request, want := range map[string]string{
				"GET /abc HTTP/1.0\r\n\r\n":                                         "302 0",
				"GET http:///abc HTTP/1.1\r\nHost: go.example\r\n\r\n":              "302 1",
				"GET http://go.example HTTP/1.1\r\nHost: x\r\n\r\n":                 "302 1",
				"GET http://go.example?x HTTP/1.1\r\nHost: x\r\n\r\n":               "302 1",
				"GET http://go.example:8080/abc HTTP/1.1\r\nHost: x\r\n\r\n":        "302 1",
				"GET http://go.example/%zz?x=@y HTTP/1.1\r\nHost: x\r\n\r\n":        "302 1",
				"GET /abc HTTP/1.1\r\nHost: go.example\r\nHost: go.example\r\n\r\n": "400",
				"GET /abc HTTP/1.1\r\nHost: go.example\r\nHost: x\r\n\r\n":          "400",
				"GET /abc HTTP/1.1\r\n\r\n":                                         "400",
				"OPTIONS * HTTP/1.1\r\nHost: go.example\r\n\r\n":                    "302 1",
				"CONNECT go.example:80 HTTP/1.1\r\nHost: closed.example\r\n\r\n":    "404 2",
			} {
				if resp, body := f.raw(t, request); seen(resp) != want {
					t.Errorf("%q: %s %s, want %s", request, seen(resp), body, want)
				}
			}
		})
	}
}

// Requests to many hosts may come on one connection, as proxies send them.
func TestHostsOfOneConnection(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) { withDomains(o); o.TLS = &TLS{} }, nil)
	for name, connect := range map[string]func() (net.Conn, error){
		"TLS":   f.dial,
		"plain": func() (net.Conn, error) { return net.Dial("tcp", f.plain) },
	} {
		c, err := connect()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(30 * time.Second))
		in := bufio.NewReader(c)
		for range 3 {
			var sent, want strings.Builder
			for path, answers := range hostsAndPaths {
				if strings.Contains(path, "%zz") || strings.HasPrefix(path, "/api/") {
					continue // refused by one of both, which ends a connection
				}
				for i, host := range []string{"x", "go.example", "closed.example"} {
					fmt.Fprintf(&sent, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, host)
					answer := answers[i]
					if name == "plain" && i < 2 && !strings.HasPrefix(path+"?", "/health?") {
						answer = "308" // to the same host
					}
					want.WriteString(answer + "\n")
				}
			}
			go func() { _, _ = io.WriteString(c, sent.String()) }()
			for expected := range strings.Lines(want.String()) {
				resp, err := http.ReadResponse(in, nil)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				if got := seen(resp); got != strings.TrimSpace(expected) {
					t.Errorf("%s: %s, want %s", name, got, expected)
				}
			}
		}
	}
}

// In HTTP/2 the host is :authority.
func TestHostsOfHTTP2(t *testing.T) {
	t.Parallel()
	f := newFront(t, func(o *Options) { withDomains(o); o.TLS = &TLS{} }, nil)
	client := f.httpClient(t, true)
	for path, answers := range hostsAndPaths {
		if strings.Contains(path, "%zz") {
			continue // which the client does not send
		}
		for i, host := range []string{"x", "go.example", "closed.example"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
				"https://"+f.addr+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Host = host
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if got := seen(resp); got != answers[i] || resp.ProtoMajor != 2 {
				t.Errorf("%s at %s: %s, want %s", path, host, got, answers[i])
			}
		}
	}
}

// The log names hosts as requests do, where there are several domains.
func TestHostsInTheLog(t *testing.T) {
	t.Parallel()
	several := atomic.Bool{}
	f := newFront(t, func(o *Options) {
		withDomains(o)
		o.TLS, o.Several = &TLS{}, several.Load
	}, nil)
	ask := func() (lines []string) {
		before := len(f.logged())
		for _, request := range []string{
			"GET /abc HTTP/1.1\r\nHost: go.example\r\n\r\n", // the fast path
			"GET /api/x HTTP/1.1\r\nHost: x:8080\r\n\r\n",
			"GET http://go.example/health HTTP/1.1\r\nHost: x\r\n\r\n",
			"GET /abc HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", // is refused
		} {
			_, _ = f.raw(t, request)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			"https://"+f.addr+"/abc", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = "closed.example"
		resp, err := f.httpClient(t, true).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		for line := range strings.Lines(f.logged()[before:]) {
			_, host, _ := strings.Cut(line, `"host":"`)
			host, _, _ = strings.Cut(host, `"`)
			lines = append(lines, host)
		}
		return lines
	}
	if got := ask(); !slices.Equal(got, []string{"", "", "", "", ""}) {
		t.Errorf("with one domain: %q", got)
	}
	several.Store(true)
	want := []string{"go.example", "x:8080", "go.example", "", "closed.example"}
	if got := ask(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHostOf(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{
		"/": "field", "/a://b/c": "field", "*": "field", "go.example:443": "field",
		"http://go.example": "go.example", "http://go.example/a@b": "go.example",
		"HTTP://Go.Example.:80?a": "Go.Example.:80", "http://a:b@go.example/x": "go.example",
		"http://a@b@go.example#@c": "go.example", "http:///x": "field", "http://@/x": "field",
		"http://[::1]:80/x": "[::1]:80", "": "field",
	} {
		if got := hostOf([]byte(target), []byte("field")); string(got) != want {
			t.Errorf("%q names %q, want %q", target, got, want)
		}
	}
}

// BenchmarkHosts is what a request's host costs of a redirect.
func BenchmarkHosts(b *testing.B) {
	others := make([]string, 0, terse.MaxDomains)
	rows := domainRows{{}}
	for i := range terse.MaxDomains {
		others = append(others, fmt.Sprintf("go%d.example", i))
		rows = append(rows, terse.DomainRow{Domain: terse.Domain(i + 1), Host: others[i]})
	}
	for name, with := range map[string][]string{"one domain": nil, "101 domains": others} {
		h := hosts.New(hosts.Options{
			Store: rows, BaseURL: "https://s.example", Others: with, Logger: slog.Default(),
		})
		if err := h.Start(b.Context()); err != nil {
			b.Fatal(err)
		}
		host := fastHost{New(Options{
			Redirect: still{}, Reserved: []string{"api", ""},
			Asked: func(host []byte) (terse.Domain, bool) {
				return h.Table().Asked(host)
			},
			Logger: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(),
		})}
		for _, named := range []string{"s.example", "go99.example", "127.0.0.1:8080"} {
			b.Run(name+"/"+named, func(b *testing.B) {
				var v redirect.Visit
				path, field := []byte("/launch"), []byte(named)
				b.ReportAllocs()
				for b.Loop() {
					v.Path = path
					host.Route(&v, field)
				}
			})
		}
	}
}
