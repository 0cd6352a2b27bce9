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

	"terse"
	"terse/internal/logging"
	"terse/internal/visit/redirect"
)

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
		URL: terse.URL("https://" + strings.ToLower(code.String()) + ".example/"),
	}
	for _, address := range append(aliases, code.String()) {
		l[address] = link
	}
}

// FuzzAddresses asks for paths in the fast path and in net/http: both give the same answer.
func FuzzAddresses(f *testing.F) {
	for _, path := range []string{
		"/launch", "/launch/", "/l%61unch+", "/docs/install", "/docs/install.svg", "/docs/x/y+",
		"/gr%C3%BC%C3%9Fe", "/grüße/", "/gru\u0308ße+", "/docs%2Finstall", "/docs/%zz", "/%zz",
		"/docs//x", "/gr\xfc\xdfe", "/%C0%AF", "/docs/install/../x", "/api/x", "/%61pi", "/v1.2?q",
		"/docs/install%2B?size=1", "/1", "/launch.png?size=64", "//docs/install", "/\u1100\u1161",
	} {
		f.Add(path)
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
		links.add(c, options, aliases...)
	}
	handler := redirect.New(redirect.Options{
		Links: links, LinkTimeout: time.Minute, CacheBytes: redirect.MinCacheBytes,
		Record: func(terse.Click) error { return nil }, BaseURL: "https://s.example",
		Place: func(netip.Addr) (terse.Country, string, string) {
			return terse.UnknownCountry, "", ""
		},
		Limit: func(netip.Addr) time.Duration { return 0 },
	})
	s := New(Options{
		Redirect: handler, Control: http.NotFoundHandler(), Reserved: []string{"api", ""},
		Access:  logging.NewAccess(logging.NewSink(io.Discard), slog.LevelError+1, logging.JSON),
		Logger:  slog.New(slog.DiscardHandler),
		Metrics: prometheus.NewRegistry(),
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	go func() { _ = s.Serve(ln) }() // until the process ends
	ask := func(t *testing.T, path, field string) string {
		c, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		_, _ = fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n"+
			"Connection: close\r\n%s\r\n", path, field) // the server may have closed it before
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
	f.Fuzz(func(t *testing.T, path string) {
		if path == "" || path[0] != '/' || strings.ContainsAny(path, " \r\n") {
			t.Skip()
		}
		fast, slow := ask(t, path, ""), ask(t, path, "Content-Length: 0\r\n")
		if fast != slow {
			t.Fatalf("%q: %s in the fast path, %s in net/http", path, fast, slow)
		}
	})
}
