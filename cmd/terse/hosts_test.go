package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/sqlite"
	"terse/internal/tests/pgtest"
)

var byAdmin = terse.Caller{Identity: terse.Identity, Role: terse.Admin}

// fillDomains makes a link with the code launch on the default domain, on go.example and on
// s2.example, which are domains 1 and 2.
func fillDomains(t *testing.T, store interface {
	terse.Links
	terse.Domains
},
) {
	t.Helper()
	if err := store.AddDomains(t.Context(), []string{"go.example", "s2.example"}); err != nil {
		t.Fatal(err)
	}
	for d := range terse.Domain(3) {
		code, err := terse.ParseKey(d.Key("launch"))
		if err == nil {
			_, err = store.Create(t.Context(), byAdmin, terse.NewLink{
				Code: code, URL: terse.URL(fmt.Sprintf("https://example.com/%d", d)),
				CreatedBy: terse.Identity,
			})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// domainsDir is a data folder with the links of fillDomains.
func domainsDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(dir, "terse.db")})
	if err != nil {
		t.Fatal(err)
	}
	fillDomains(t, store)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// at asks a host for a path.
func (i *instance) at(t *testing.T, host, request string, fields ...string) answer {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	return i.raw(t, method, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n",
		method, path, host, strings.Join(append(fields, ""), "\r\n")))
}

// leads checks which link a host has at /launch: that of a domain, or with "" none.
func (i *instance) leads(t *testing.T, host, domain string) {
	t.Helper()
	got, want := i.at(t, host, "GET /launch"), ""
	if domain != "" {
		want = "https://example.com/" + domain
	}
	if got.Header.Get("Location") != want || (got.StatusCode == http.StatusFound) != (want != "") {
		t.Errorf("%s: %s %q, want %q", host, got.Status, got.Header.Get("Location"), want)
	}
}

// TestDomains has the same code on three domains, and takes hosts away.
func TestDomains(t *testing.T) {
	t.Parallel()
	dir := domainsDir(t)
	i := startIn(t, dir, "BASE_URL=http://s.example:8080",
		"DOMAINS=Go.Example.,s2.example,s.example")
	for host, domain := range map[string]string{
		"s.example": "0", "S.EXAMPLE:8080": "0", "127.0.0.1:8080": "0", "other.example": "0",
		"go.example": "1", "GO.example": "1", "go.example.": "1", "Go.Example.:8080": "1",
		"go.example:1": "1", "s2.example": "2", "www.go.example": "0", "go.example.s.example": "0",
	} {
		i.leads(t, host, domain)
	}
	for path, want := range map[string]struct {
		atDefault, there int
		kind             string
	}{
		"GET /health":       {200, 200, "application/json"},
		"GET /ready":        {200, 200, "application/json"},
		"GET /robots.txt":   {200, 200, "text/plain"},
		"GET /favicon.ico":  {200, 200, "image/"},
		"GET /launch+":      {200, 200, "text/html"},
		"GET /launch.svg":   {200, 200, "image/svg+xml"},
		"GET /metrics":      {200, 404, "text/html"},
		"GET /openapi.yaml": {200, 404, "text/html"},
		"GET /api/urls":     {200, 404, "text/html"},
		"POST /api/urls":    {400, 404, "text/html"},
		"GET /api/nothing":  {404, 404, "text/html"},
		"GET /ui/":          {200, 404, "text/html"},
		"GET /ui":           {308, 404, "text/html"},
		"GET /ui/share/x":   {404, 404, "text/html"},
		"GET /":             {302, 404, "text/html"},
		"GET /missing":      {404, 404, "text/html"},
	} {
		fields := []string{authorized(), "Content-Length: 0", "X-Forwarded-Host: s.example"}
		if got := i.at(t, "s.example", path, fields...); got.StatusCode != want.atDefault &&
			path != "GET /ui" {
			t.Errorf("%s at the default domain: %s, want %d", path, got.Status, want.atDefault)
		}
		got := i.at(t, "go.example", path, fields...)
		if got.StatusCode != want.there ||
			!strings.HasPrefix(got.Header.Get("Content-Type"), want.kind) {
			t.Errorf("%s at go.example: %s %s, want %d %s", path, got.Status,
				got.Header.Get("Content-Type"), want.there, want.kind)
		}
	}
	if page := i.at(t, "go.example", "GET /launch+").body; !strings.Contains(page,
		"http://go.example:8080/launch") {
		t.Errorf("a preview without its short URL:\n%s", page)
	}
	if stats := i.clicks(t, "launch", 6); stats.TotalClicks != 6 {
		t.Errorf("%d clicks on the default domain, want 6", stats.TotalClicks)
	}
	i.stop(t)

	i = startIn(t, dir, "BASE_URL=http://s.example", "DOMAINS=go.example")
	i.leads(t, "s.example", "0")
	i.leads(t, "go.example", "1")
	for _, request := range []string{
		"GET /launch", "GET /launch+", "GET /", "GET /health", "GET /api/urls", "POST /api/urls",
		"GET /ui/", "DELETE /launch", "GET /robots.txt", "GET /missing",
	} {
		got := i.at(t, "s2.example.:80", request, authorized(), "Content-Length: 0")
		if got.StatusCode != http.StatusNotFound ||
			!strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s at a host that was removed: %s", request, got.Status)
		}
	}
	i.stop(t)

	i = startIn(t, dir, "BASE_URL=http://s.example")
	for host, domain := range map[string]string{
		"s.example": "0", "other.example": "0", "go.example": "", "s2.example": "",
	} {
		i.leads(t, host, domain)
	}
	i.stop(t)

	i = startIn(t, dir, "BASE_URL=http://s.example", "DOMAINS=s2.example,go.example,new.example")
	for host, domain := range map[string]string{
		"s.example": "0", "go.example": "1", "s2.example": "2", "new.example": "",
	} {
		i.leads(t, host, domain)
	}
}

// TestDomainsOfNodes changes where a domain leads: all nodes follow. A setting goes before.
func TestDomainsOfNodes(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	store, err := postgres.Open(t.Context(), postgres.Options{URL: url, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	fillDomains(t, store)
	env := []string{
		"DATABASE_URL=" + url, "BASE_URL=http://s.example", "DOMAINS=go.example,s2.example",
	}
	nodes := []*instance{
		start(t, env...), start(t, append(env, "ROOT_REDIRECT_URL=https://set.example/")...),
	}
	for d, host := range []string{"s.example", "go.example"} {
		at := fmt.Sprintf("https://example.com/%d/", d)
		root, unknown, ended := terse.URL(at+"root"), terse.URL(at+"unknown"), terse.URL(at+"ended")
		_, err := store.UpdateDomain(t.Context(), byAdmin, terse.Domain(d), terse.DomainChange{
			Root: &root, Unknown: &unknown, Ended: &ended,
		})
		if err != nil {
			t.Fatal(err)
		}
		for n, node := range nodes {
			node.leads(t, host, fmt.Sprint(d))
			await(t, "a node to know where unknown codes lead", func() bool {
				got := node.at(t, host, "GET /missing")
				return got.StatusCode == http.StatusFound &&
					got.Header.Get("Location") == string(unknown) &&
					got.Header.Get("Cache-Control") == "no-store"
			})
			if d == 0 && n == 1 {
				root = "https://set.example/"
			}
			got := node.at(t, host, "GET /")
			if got.StatusCode != http.StatusFound || got.Header.Get("Location") != string(root) ||
				got.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("/ at %s: %s %v", host, got.Status, got.Header)
			}
		}
	}
	if got := nodes[1].at(t, "s2.example", "GET /missing"); got.StatusCode != http.StatusNotFound {
		t.Errorf("a domain that leads nowhere: %s", got.Status)
	}
	if n := nodes[0].metric(t, "terse_unknown_codes_total"); n < 2 {
		t.Errorf("%v unknown codes are counted", n)
	}
}

// Deploy's files serve several names if all of them are where the name is.

func TestDomainsBehindNginx(t *testing.T) {
	t.Parallel()
	location := nginxLocation.FindString(deployFile(t, "nginx/terse.conf"))
	i := startIn(t, domainsDir(t), "BASE_URL=https://s.example", "DOMAINS=go.example,s2.example",
		"TRUSTED_PROXIES=127.0.0.1")
	passesHosts(t, startNginx(t, i, "server_name s.example go.example;\n"+location)[0])
}

func TestDomainsBehindCaddy(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("caddy")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("NOT TESTED BEHIND CADDY: install the package caddy")
	}
	i := startIn(t, domainsDir(t), "BASE_URL=https://s.example", "DOMAINS=go.example,s2.example",
		"TRUSTED_PROXIES=127.0.0.1")
	dir, address := t.TempDir(), freeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	file := filepath.Join(dir, "Caddyfile")
	config := "{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n" +
		deployFile(t, "caddy/Caddyfile")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	told := startBeside(t, []string{
		"UPSTREAMS=" + strings.TrimPrefix(i.url, "http://"), "HOME=" + dir,
		"XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir,
		"SITE_ADDRESS=http://s.example:" + port + ", http://go.example:" + port +
			", http://s2.example:" + port,
	}, program, "run", "--config", file, "--adapter", "caddyfile")
	await(t, "Caddy to listen", func() bool {
		if strings.Contains(told.String(), "Error:") {
			t.Fatal(told)
		}
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	passesHosts(t, &instance{url: "http://" + address, log: i.log})
}

// passesHosts checks what a proxy in front of a server of fillDomains's links passes on.
func passesHosts(t *testing.T, seen *instance) {
	t.Helper()
	for host, domain := range map[string]string{
		"s.example": "0", "go.example": "1", "Go.Example:80": "1", "s2.example": "2",
	} {
		seen.leads(t, host, domain)
		got := seen.at(t, host, "GET /launch", "X-Forwarded-Host: s2.example",
			"Forwarded: host=s2.example", "X-Host: s2.example")
		if got.Header.Get("Location") != "https://example.com/"+domain {
			t.Errorf("%s: a client chooses another domain: %v", host, got.Header)
		}
	}
	if got := seen.at(t, "go.example", "GET /ui/"); got.StatusCode != http.StatusNotFound {
		t.Errorf("the dashboard at go.example: %s", got.Status)
	}
}
