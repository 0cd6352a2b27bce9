package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/net/http/httpguts"

	"terse"
	"terse/internal/link/hosts"
	"terse/internal/logging"
	"terse/internal/visit/redirect"
)

// domainRows is a terse.Domains that never changes.
type domainRows []terse.DomainRow

func (d domainRows) Domains(context.Context) ([]terse.DomainRow, error) { return d, nil }

func (domainRows) AddDomains(context.Context, []string) error { return nil }

func (domainRows) UpdateDomain(context.Context, terse.Caller, terse.Domain, terse.DomainChange) (
	row terse.DomainRow, err error,
) {
	return row, terse.ErrDomainNotFound
}

// linksAt are links by their addresses.
type linksAt map[string]terse.Link

func (l linksAt) Find(_ context.Context, addresses []string) (map[string]terse.Link, error) {
	found := map[string]terse.Link{}
	for _, address := range addresses {
		if link, exists := l[address]; exists {
			found[address] = link
		}
	}
	return found, nil
}

func (l linksAt) add(code terse.Code, options terse.EncodedOptions, aliases ...string) {
	link := terse.Link{
		ID: terse.LinkID(len(l) + 1), Code: code, Options: options,
		URL: terse.URL(fmt.Sprintf("https://%s%d.example/", strings.ToLower(code.Text()),
			code.Domain())),
	}
	for _, address := range append(aliases, code.Text()) {
		l[code.Domain().Key(address)] = link
	}
}

// FuzzAddresses asks hosts for paths in the fast path and in net/http: both give the same answer.
func FuzzAddresses(f *testing.F) {
	for _, path := range []string{
		"/launch", "/launch/", "/l%61unch+", "/docs/install", "/docs/install.svg", "/docs/x/y+",
		"/gr%C3%BC%C3%9Fe", "/grüße/", "/gru\u0308ße+", "/docs%2Finstall", "/docs/%zz", "/%zz",
		"/docs//x", "/gr\xfc\xdfe", "/%C0%AF", "/docs/install/../x", "/api/x", "/%61pi", "/v1.2?q",
		"/docs/install%2B?size=1", "/1", "/launch.png?size=64", "//docs/install", "/\u1100\u1161",
		"/%231/launch", "/", "/health", "/missing",
	} {
		for _, host := range []string{"x", "go.example", "GO.example.:80", "closed.example"} {
			f.Add(path, host)
		}
	}
	links := linksAt{}
	for code, aliases := range map[string][]string{
		"launch": {"docs/install", "1", "v1.2", "\uac00"}, "docs": nil, "umlauts": {"grüße"},
	} {
		c, err := terse.ParseCode(code)
		if err != nil {
			f.Fatal(err)
		}
		options := terse.EncodedOptions("")
		if code == "docs" {
			options = `{"forward_path":true}`
		}
		for d := range terse.Domain(3) {
			links.add(c.On(d), options, aliases...)
		}
	}
	domains := hosts.New(hosts.Options{
		BaseURL: "https://s.example", Others: []string{"go.example"}, Store: domainRows{
			{},
			{Domain: 1, Host: "go.example", DomainTargets: terse.DomainTargets{
				Unknown: "https://unknown.example",
			}},
			{Domain: 2, Host: "closed.example", Links: 1},
		},
		Logger: slog.New(slog.DiscardHandler),
	})
	if err := domains.Start(context.Background()); err != nil {
		f.Fatal(err)
	}
	handler := redirect.New(redirect.Options{
		Links: links, LinkTimeout: time.Minute, CacheBytes: redirect.MinCacheBytes,
		Record:  func(terse.Click) error { return nil },
		Domains: domains.Table,
		Place: func(netip.Addr) (terse.Country, string, string) {
			return terse.UnknownCountry, "", ""
		},
		Limit: func(netip.Addr) time.Duration { return 0 },
	})
	s := New(Options{
		Redirect: handler, Control: http.NotFoundHandler(),
		Reserved:   []string{"api", "", "health"},
		Asked:      func(host []byte) (terse.Domain, bool) { return domains.Table().Asked(host) },
		Everywhere: func(path []byte) bool { return string(path) == "/health" },
		Access:     logging.NewAccess(logging.NewSink(io.Discard), slog.LevelError+1, logging.JSON),
		Logger:     slog.New(slog.DiscardHandler),
		Metrics:    prometheus.NewRegistry(),
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	go func() { _ = s.Serve(ln) }() // until the process ends
	ask := func(t *testing.T, path, host, field string) string {
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		_, _ = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n"+
			"Connection: close\r\n%s\r\n", path, host, field) // it may be closed before
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("%q: %v", path, err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatalf("%q: %v", path, err)
		}
		resp.Header.Del("Date")
		resp.Header.Del("X-Request-Id")
		return fmt.Sprint(resp.StatusCode, resp.Header, string(body))
	}
	f.Fuzz(func(t *testing.T, path, host string) {
		if path == "" || path[0] != '/' || strings.ContainsAny(path, " \r\n") ||
			strings.Trim(host, " \t") == "" || !httpguts.ValidHostHeader(host) {
			t.Skip()
		}
		fast, slow := ask(t, path, host, ""), ask(t, path, host, "Content-Length: 0\r\n")
		if fast != slow {
			t.Fatalf("%q at %q: %s in the fast path, %s in net/http", path, host, fast, slow)
		}
	})
}
