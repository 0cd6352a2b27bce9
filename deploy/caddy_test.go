package deploy

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// caddy is a running Caddy in front of a server.
type caddy struct {
	behind      *server
	site        string
	http, https string // addresses
	roots       *x509.CertPool
}

// startCaddy starts Caddy with a Caddyfile on free ports, and waits until it serves the site. It
// signs the certificates itself. Where Caddy is missing the test is skipped, or fails if CI is
// "true".
func startCaddy(t *testing.T, caddyfile, site string, behind *server) *caddy {
	t.Helper()
	program, err := exec.LookPath("caddy")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("THE COMPOSE FILE WITH HTTPS IS NOT TESTED BEHIND CADDY: install the package caddy")
	}
	c := &caddy{behind: behind, site: site, http: freeAddress(t), https: freeAddress(t)}
	dir := t.TempDir()
	file := filepath.Join(dir, "Caddyfile")
	options := fmt.Sprintf("{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n"+
		"\thttp_port %s\n\thttps_port %s\n\tdefault_bind 127.0.0.1\n}\n",
		port(c.http), port(c.https))
	if err := os.WriteFile(file, []byte(options+caddyfile), 0o600); err != nil {
		t.Fatal(err)
	}
	var log buffer
	cmd := exec.Command(program, "run", "--config", file, "--adapter", "caddyfile")
	cmd.Env = []string{
		"SITE_ADDRESS=" + site, "UPSTREAMS=127.0.0.1:" + behind.port, "HOME=" + dir,
		"XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir,
	}
	cmd.Stdout, cmd.Stderr = &log, &log
	// It ends with this process, whatever ends that.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("Caddy's log:\n%s", &log)
		}
	})
	root := filepath.Join(dir, "caddy/pki/authorities/local/root.crt")
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		if pem, err := os.ReadFile(root); err == nil {
			c.roots = x509.NewCertPool()
			c.roots.AppendCertsFromPEM(pem)
			conn, err := (&tls.Dialer{Config: c.tls()}).DialContext(t.Context(), "tcp", c.https)
			if err == nil {
				_ = conn.Close()
				return c
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("Caddy does not serve %s:\n%s", site, &log)
	return nil
}

func (c *caddy) tls() *tls.Config { return &tls.Config{RootCAs: c.roots, ServerName: c.site} }

// do sends a request to the site, which Caddy gets.
func (c *caddy) do(t *testing.T, request, body string, header ...string) *http.Response {
	t.Helper()
	method, url, _ := strings.Cut(request, " ")
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	transport := &http.Transport{
		TLSClientConfig: c.tls(), ForceAttemptHTTP2: true, DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			to := c.https
			if port(address) == "80" {
				to = c.http
			}
			return (&net.Dialer{}).DialContext(ctx, network, to)
		},
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// serves does what a browser and a client of the API do.
func (c *caddy) serves(t *testing.T) {
	t.Helper()
	site := "https://" + c.site
	token := c.behind.token(t)
	// Caddy names the port on which it listens here.
	plain := c.do(t, "GET http://"+c.site+"/promo", "")
	if to := plain.Header.Get("Location"); plain.StatusCode != http.StatusPermanentRedirect ||
		!strings.HasPrefix(to, site) || !strings.HasSuffix(to, "/promo") {
		t.Errorf("plain HTTP: %s to %q", plain.Status, to)
	}
	created := c.do(t, "POST "+site+"/api/urls",
		`{"original_url":"https://example.com/","short_code":"promo"}`,
		"Authorization", "Bearer "+token)
	var answer bytes.Buffer
	if _, err := answer.ReadFrom(created.Body); err != nil ||
		created.StatusCode != http.StatusCreated ||
		!strings.Contains(answer.String(), `"short_url":"`+site+`/promo"`) {
		t.Errorf("create: %s %s (%v)", created.Status, &answer, err)
	}
	visit := c.do(t, "GET "+site+"/promo", "")
	if visit.StatusCode != http.StatusFound || visit.ProtoMajor != 2 ||
		visit.Header.Get("Location") != "https://example.com/" {
		t.Errorf("redirect: %s %s to %q", visit.Proto, visit.Status, visit.Header.Get("Location"))
	}
	signIn := c.do(t, "POST "+site+"/ui/session", `{"token":"`+token+`"}`, "Origin", site)
	if cookies := signIn.Cookies(); signIn.StatusCode != http.StatusNoContent ||
		len(cookies) != 1 || !cookies[0].Secure {
		t.Errorf("sign-in: %s %v", signIn.Status, cookies)
	}
	if metrics := c.do(t, "GET "+site+"/metrics", ""); metrics.StatusCode != http.StatusNotFound {
		t.Errorf("/metrics: %s", metrics.Status)
	}
}

func port(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// freeAddress returns an address on which nothing listens. Its port is none of those that outgoing
// connections get, so that it stays free until the server listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(22_768))
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		return address
	}
}
