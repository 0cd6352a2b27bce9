package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"terse/internal/cli"
	"terse/internal/tests/certtest"
)

const day = 24 * time.Hour

var listensTLS = regexp.MustCompile(`"tls_address":"([^"]+)"`)

// secureInstance is a server that encrypts connections itself, with a certificate for s.example.
type secureInstance struct {
	*instance
	certs string // folder of the certificate
	addr  string // for https
	port  string
	pair  certtest.Pair
}

func startSecure(t *testing.T, env ...string) *secureInstance {
	t.Helper()
	s := &secureInstance{certs: t.TempDir()}
	s.pair = certtest.New(t, 60*day, "s.example", "*.go.example", "localhost")
	cert, key := s.pair.Write(t, s.certs)
	s.instance = start(t, append([]string{
		"TLS_PORT=0", "TLS_CERT_FILE=" + cert, "TLS_KEY_FILE=" + key,
	}, env...)...)
	s.addr = listensTLS.FindStringSubmatch(s.logLines(t, "tls_address")[0])[1]
	_, s.port, _ = net.SplitHostPort(s.addr)
	return s
}

// browser returns a client that finds every host at the server.
func (s *secureInstance) browser(t *testing.T, http2 bool) *http.Client {
	t.Helper()
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, s.addr)
		},
		TLSClientConfig: &tls.Config{RootCAs: s.pair.Pool()}, Protocols: new(http.Protocols),
	}
	transport.Protocols.SetHTTP2(http2)
	transport.Protocols.SetHTTP1(!http2)
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport: transport, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

func ask1(t *testing.T, client *http.Client, method, address string, headers ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, ok := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
		} else if ok {
			req.Header.Set(name, value)
		}
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, address, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp, string(body)}
}

func TestHTTPSWithFiles(t *testing.T) {
	t.Parallel()
	s := startSecure(t, "HSTS_MAX_AGE=365d", "BASE_URL=https://s.example")
	for _, http2 := range []bool{false, true} {
		client := s.browser(t, http2)
		const base = "https://s.example"
		created, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			base+"/api/urls", strings.NewReader(`{"original_url":"https://example.com/a"}`))
		if err != nil {
			t.Fatal(err)
		}
		created.Header.Set("Authorization", "Bearer "+testToken)
		resp, err := client.Do(created)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		code := regexp.MustCompile(`"short_code":"(\w+)"`).FindStringSubmatch(string(body))
		if resp.StatusCode != 201 || code == nil ||
			!strings.Contains(string(body), base+"/"+code[1]) {
			t.Fatalf("create: %s %s", resp.Status, body)
		}
		for path, status := range map[string]int{
			"/" + code[1]: 302, "/ui/": 200, "/health": 200, "/unknown1": 404, "/api/urls": 401,
		} {
			a := ask1(t, client, http.MethodGet, base+path)
			if a.StatusCode != status || a.TLS == nil || (a.ProtoMajor == 2) != http2 ||
				a.Header.Get("Strict-Transport-Security") != "max-age=31536000" ||
				a.Header.Get("X-Request-Id") == "" {
				t.Errorf("%s: %d %s %v", path, a.StatusCode, a.Proto, a.Header)
			}
		}
	}
	for host, has := range map[string]bool{
		"https://s.example/health": true, "https://a.go.example/health": true,
		"https://other.example/health": false,
	} {
		resp, err := s.browser(t, false).Get(host)
		if (err == nil) != has || err != nil && !strings.Contains(err.Error(), "unrecognized") {
			t.Errorf("%s: %v", host, err)
		}
		if err == nil {
			_ = resp.Body.Close()
		}
	}
	for name, want := range map[string]time.Time{
		"not_before": s.pair.Leaf.NotBefore, "not_after": s.pair.Leaf.NotAfter,
	} {
		name = "terse_tls_" + name + `_timestamp_seconds{domain="s.example"}`
		if got := s.metric(t, name); got != float64(want.Unix()) {
			t.Errorf("%s is %.0f, want %d", name, got, want.Unix())
		}
	}
}

// The plain port leads to https, keeps what watches the machine, and takes no secret.
func TestPlainPortBesideHTTPS(t *testing.T) {
	t.Parallel()
	s := startSecure(t, "BASE_URL=https://s.example:8443/go", "METRICS_AUTH_ENABLED=true")
	const challenge = "/.well-known/acme-challenge/abc"
	const apiOnly = `{"error":"this server takes API requests over HTTPS only"}`
	for request, want := range map[string]string{
		"GET /abc":                               "308 https://s.example:8443/abc",
		"HEAD /abc?x=%20y":                       "308 https://s.example:8443/abc?x=%20y",
		"GET /":                                  "308 https://s.example:8443/",
		"GET /go/abc Host: S.EXAMPLE.:80":        "308 https://s.example:8443/go/abc",
		"GET /go/ui/ Host: other.example":        "308 https://s.example:8443/go/ui/",
		"GET //evil.example/x":                   "308 https://s.example:8443//evil.example/x",
		"GET /metrics":                           "308 https://s.example:8443/metrics",
		"GET /openapi.yaml":                      "308 https://s.example:8443/openapi.yaml",
		"GET /health":                            "200 ",
		"HEAD /go/ready":                         "200 ",
		"GET /ready?verbose":                     "200 ",
		"POST /health":                           "403 ",
		"GET /api/urls":                          "403 ",
		"GET /go/api/urls":                       "403 ",
		"POST /abc":                              "403 ",
		"DELETE /ui/session":                     "403 ",
		"OPTIONS /api/urls":                      "403 ",
		"GET /abc Authorization: Bearer x":       "403 ",
		"GET /ready Authorization: Bearer x":     "403 ",
		"GET " + challenge:                       "308 https://s.example:8443" + challenge,
		"GET /go/openapi.yaml Host: [::1]:18080": "308 https://s.example:8443/go/openapi.yaml",
	} {
		method, rest, _ := strings.Cut(request, " ")
		path, header, _ := strings.Cut(rest, " ")
		a := ask1(t, plain(t, 1), method, s.url+path, header)
		if got := fmt.Sprint(a.StatusCode, " ", a.Header.Get("Location")); got != want ||
			a.Header.Get("Strict-Transport-Security") != "" {
			t.Errorf("%s: %s %v, want %s", request, got, a.Header, want)
		}
		if a.StatusCode == 403 && a.body != apiOnly {
			t.Errorf("%s: %s", request, a.body)
		}
	}
}

// A redirect on the plain port is no click.
func TestPlainPortCountsNoClick(t *testing.T) {
	t.Parallel()
	s := startSecure(t)
	client := s.browser(t, true)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		"https://localhost:"+s.port+"/api/urls",
		strings.NewReader(`{"original_url":"https://example.com/","short_code":"abc"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+testToken)
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if !strings.Contains(string(body), `"https://localhost:`+s.port+`/abc"`) {
		t.Errorf("create: %s", body)
	}
	for range 3 {
		if a := s.do(t, "GET /abc", ""); a.StatusCode != 308 {
			t.Errorf("%d", a.StatusCode)
		}
	}
	if a := ask1(t, client, http.MethodGet, "https://localhost/abc"); a.StatusCode != 302 {
		t.Errorf("%d", a.StatusCode)
	}
	s.drain(t)
	if a := ask1(t, client, http.MethodGet, "https://localhost/api/urls/abc",
		authorized()); !strings.Contains(a.body, `"click_count":1,`) {
		t.Errorf("%s", a.body)
	}
}

// Changed files are used without a restart.
func TestNewCertificate(t *testing.T) {
	t.Parallel()
	s := startSecure(t, "BASE_URL=https://other.example")
	s.logLines(t, `"host":"other.example"`) // the warning that it has no certificate
	s.pair = certtest.New(t, 1*day, "other.example")
	s.pair.Write(t, s.certs)
	s.logLines(t, "certificate reread")
	a := ask1(t, s.browser(t, false), http.MethodGet, "https://other.example/ready?verbose",
		authorized())
	if !strings.Contains(a.body, "was not renewed") {
		t.Errorf("no warning that the certificate ends: %s", a.body)
	}
}

func TestHTTPSSettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := certtest.New(t, 60*day, "s.example").Write(t, dir)
	_, other := certtest.New(t, 60*day, "s.example").Write(t, t.TempDir())
	missing := filepath.Join(dir, "missing")
	for _, c := range []struct {
		env  []string
		code int
		text string
	}{
		{[]string{"TLS_CERT_FILE=" + cert}, cli.ExitSettings, "belong together"},
		{[]string{"TLS_KEY_FILE=" + key}, cli.ExitSettings, "belong together"},
		{[]string{"HSTS_MAX_AGE=1d"}, cli.ExitSettings, "nor TLS_CERT_FILE is"},
		{
			[]string{"TLS_CERT_FILE=" + cert, "TLS_KEY_FILE=" + key, "HSTS_MAX_AGE=a year"},
			cli.ExitSettings, "HSTS_MAX_AGE is",
		},
		{
			[]string{"TLS_CERT_FILE=" + cert, "TLS_KEY_FILE=" + key, "TLS_PORT=https"},
			cli.ExitSettings, "TLS_PORT is",
		},
		{
			[]string{"TLS_CERT_FILE=" + cert, "TLS_KEY_FILE=" + key, "TLS_PORT=1", "SERVER_PORT=1"},
			cli.ExitSettings, "both 1",
		},
		{
			[]string{"TLS_CERT_FILE=" + cert, "TLS_KEY_FILE=" + key, "BASE_URL=http://s.example"},
			cli.ExitSettings, "an https URL",
		},
		{
			[]string{"TLS_PORT=0", "TLS_CERT_FILE=" + cert, "TLS_KEY_FILE=" + other},
			1,
			"does not match",
		},
		{[]string{"TLS_PORT=0", "TLS_CERT_FILE=" + missing, "TLS_KEY_FILE=" + key}, 1, missing},
		{[]string{"TLS_PORT=0", "TLS_CERT_FILE=" + cert, "TLS_KEY_FILE=" + missing}, 1, missing},
	} {
		told := &output{}
		code := run(t.Context(), []string{"serve"}, environFor(t.TempDir(), c.env), nil, io.Discard,
			told)
		if code != c.code || !strings.Contains(told.String(), c.text) {
			t.Errorf("%s: %d %s", c.env, code, told)
		}
	}
	raw := rawSettings{
		rawTLS: rawTLS{TLSCertFile: "a", TLSKeyFile: "b", TLSPort: "443", HSTSMaxAge: "60"},
	}
	p := &problems{}
	if got := p.listen(&raw); got != ":80" {
		t.Errorf("listens on %s", got)
	}
	if s := p.tls(&raw, ":80"); s.listen != ":443" || s.hsts != time.Minute || len(p.errs) > 0 {
		t.Errorf("%+v %v", s, p.errs)
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("a file was made")
	}
}
