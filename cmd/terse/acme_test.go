package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse/internal/certs/acmecert"
	"terse/internal/cli"
	"terse/internal/database/postgres"
	"terse/internal/tests/acmetest"
	"terse/internal/tests/certtest"
	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
)

// acmePorts are where a server listens, which an authority has to know beforehand.
type acmePorts struct{ plain, tls string }

func newACMEPorts(t *testing.T) acmePorts {
	t.Helper()
	return acmePorts{acmetest.Port(freeAddress(t)), acmetest.Port(freeAddress(t))}
}

// env is the environment of a server there, with certificates from an authority.
func (p acmePorts) env(ca *acmetest.Pebble, domains string, more ...string) []string {
	return append([]string{
		"SERVER_PORT=" + p.plain, "TLS_PORT=" + p.tls, "TLS_DOMAINS=" + domains,
		"ACME_DIRECTORY=" + ca.Directory, "ACME_CA_FILE=" + ca.CAFile,
	}, more...)
}

// leaf returns the certificate that a client gets for a name, "" for none. Roots sign it.
func (p acmePorts) leaf(name string, roots *x509.CertPool) (*x509.Certificate, error) {
	conn, err := tls.Dial("tcp", "127.0.0.1:"+p.tls, &tls.Config{
		ServerName: name, InsecureSkipVerify: name == "",
		RootCAs: roots,
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	return conn.ConnectionState().PeerCertificates[0], nil
}

// awaitLeaf waits until a client gets a certificate for a name that differs from another.
func (p acmePorts) awaitLeaf(
	t *testing.T, name string, ca *acmetest.Pebble, other *x509.Certificate,
) (leaf *x509.Certificate) {
	t.Helper()
	roots := ca.Roots(t)
	await(t, "a certificate for "+name, func() bool {
		var err error
		leaf, err = p.leaf(name, roots)
		return err == nil && (other == nil || !leaf.Equal(other))
	})
	return leaf
}

// TestACME goes from an empty folder to https by HTTP-01, with an authority that refuses many
// requests, as it may.
func TestACME(t *testing.T) {
	t.Parallel()
	at := newACMEPorts(t)
	const first, second = "one." + acmetest.Domain, "two." + acmetest.Domain
	const third = "three." + acmetest.Domain // has no certificate
	const secret = "c2VjcmV0LWtleS1vZi1hLWN1c3RvbWVyLXdob20taXQta25vd3M"
	ca := acmetest.Start(t, acmetest.Options{
		HTTPPort: at.plain, TLSPort: acmetest.Port(freeAddress(t)),
		EABKeys: map[string]string{"customer": secret}, Env: []string{"PEBBLE_WFE_NONCEREJECT=30"},
	})
	s := start(t, at.env(ca, strings.ToUpper(first)+","+second,
		"ACME_EAB_KEY_ID=customer", "ACME_EAB_HMAC_KEY="+secret+"=", "ACME_EMAIL=ann@example.com",
		"LOG_LEVEL=debug", "DOMAINS="+second+","+third)...)
	if lines := s.logLines(t, "no certificate for a host"); len(lines) != 1 ||
		!strings.Contains(lines[0], third) {
		t.Errorf("hosts without a certificate: %q", lines)
	}
	at.awaitLeaf(t, first, ca, nil)
	at.awaitLeaf(t, second, ca, nil)
	if issued := ca.Count("Issued certificate"); issued != 2 {
		t.Errorf("%d certificates were issued", issued)
	}

	orders := ca.Count("Added order")

	// Who names no host gets the first; who names another one gets none, and none is ordered.
	if leaf, err := at.leaf("", nil); err != nil || leaf.DNSNames[0] != first {
		t.Errorf("without a name: %v, %v", leaf, err)
	}
	for _, name := range []string{"other." + acmetest.Domain, "x." + first, acmetest.Domain} {
		_, err := at.leaf(name, ca.Roots(t))
		if err == nil || !strings.Contains(err.Error(), "unrecognized name") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if more := ca.Count("Added order"); more != orders {
		t.Errorf("%d orders, and then %d", orders, more)
	}

	// HTTP leads to https, at each of the hosts.
	for host, want := range map[string]string{
		first: "https://" + first + "/x", second: "https://" + second + "/x",
		third:           "https://" + third + "/x",
		"other.example": "https://" + first + "/x",
	} {
		a := ask1(t, plain(t, 1), http.MethodGet, s.url+"/x", "Host: "+host)
		if a.StatusCode != http.StatusPermanentRedirect || a.Header.Get("Location") != want {
			t.Errorf("%s: %s to %s, want %s", host, a.Status, a.Header.Get("Location"), want)
		}
	}
	for _, host := range []string{first, second} {
		left := s.metric(t, `terse_tls_not_after_timestamp_seconds{domain="`+host+`"}`) -
			float64(time.Now().Unix())
		if left < 89*24*3600 || left > 90*24*3600 {
			t.Errorf("the certificate of %s ends in %.0f s", host, left)
		}
		name := `terse_tls_renewal_failures_total{domain="` + host + `"}`
		if failures := s.metric(t, name); failures != 0 {
			t.Errorf("%s: %v failures", host, failures)
		}
	}

	// Nobody else can read keys, and no key is in the log.
	dir := filepath.Join(s.dir, "certificates")
	keys := 0
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %s", path, info.Mode())
		}
		if text, _ := os.ReadFile(path); strings.Contains(string(text), "PRIVATE KEY") {
			keys++
			line := strings.Split(string(text), "\n")[1]
			if strings.Contains(s.log.String(), line) {
				t.Errorf("the log has the key in %s", path)
			}
		}
		return nil
	}); err != nil || keys != 2 {
		t.Errorf("%d keys in %s (%v)", keys, dir, err)
	}
	if strings.Contains(s.log.String(), secret) {
		t.Error("the log has the customer's key")
	}
	if !strings.Contains(ca.Log(), `newAccount Binding with CA using kid "customer"`) {
		t.Error("the account is nobody's")
	}
}

// TestACMEByTLS orders where an authority reaches only the port for https, and renews when the
// authority says so, in place of the first certificate.
func TestACMEByTLS(t *testing.T) {
	t.Parallel()
	at := newACMEPorts(t)
	const name = "alpn." + acmetest.Domain
	ca := acmetest.Start(t, acmetest.Options{
		HTTPPort: acmetest.Port(freeAddress(t)), TLSPort: at.tls,
		Profiles: map[string]int{"usual": 7_776_000, "short": 86_400},
	})
	env := at.env(ca, name, "ACME_PROFILE=short")
	s := start(t, env...)
	leaf := at.awaitLeaf(t, name, ca, nil)
	if lifetime := leaf.NotAfter.Sub(leaf.NotBefore); lifetime > 24*time.Hour {
		t.Errorf("the certificate lasts %s, and has another profile", lifetime)
	}
	s.logLines(t, "the authority says when to renew") // it is asked only later again
	ca.Renew(t, leaf, time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour))
	s.stop(t)
	s = startIn(t, s.dir, env...)
	if _, err := at.leaf(name, ca.Roots(t)); err != nil {
		t.Errorf("right after a start: %v", err)
	}
	at.awaitLeaf(t, name, ca, leaf)
	if !strings.Contains(ca.Log(), "is a replacement of") {
		t.Error("the authority does not know what the new certificate replaces")
	}
	if accounts := ca.Count("accounts in memory"); accounts != 1 {
		t.Errorf("%d accounts", accounts)
	}

	// After a try with one authority, the other one's certificates come at once.
	s.stop(t)
	another := acmetest.Start(t, acmetest.Options{
		HTTPPort: acmetest.Port(freeAddress(t)), TLSPort: at.tls,
	})
	startIn(t, s.dir, at.env(another, name)...)
	if _, err := at.leaf(name, ca.Roots(t)); err != nil {
		t.Errorf("right after a start with another authority: %v", err)
	}
	at.awaitLeaf(t, name, another, nil)
	if strings.Contains(another.Log(), "is a replacement of") {
		t.Error("another authority was told what the certificate replaces")
	}
}

// TestACMENodes: one of two nodes orders, the authority reaches the other one, and both have the
// certificate. When the one that orders is killed, the other one renews.
func TestACMENodes(t *testing.T) {
	t.Parallel()
	const name = "nodes." + acmetest.Domain
	at := []acmePorts{newACMEPorts(t), newACMEPorts(t)}
	var nodes [2]atomic.Pointer[instance]
	leads := func(i int) bool {
		node := nodes[i].Load()
		return node != nil && strings.Contains(node.log.String(), ordersHere)
	}
	follower := func() string {
		i := 0
		if leads(0) {
			i = 1
		}
		await(t, "the other node", func() bool { return nodes[i].Load() != nil })
		return "127.0.0.1:" + at[i].plain
	}
	ca := acmetest.Start(t, acmetest.Options{
		HTTPPort: forward(t, follower), TLSPort: acmetest.Port(freeAddress(t)),
	})
	database := "DATABASE_URL=" + pgtest.URL(t)
	for i := range nodes {
		nodes[i].Store(startProcess(t, t.TempDir(), at[i].env(ca, name, database)...))
	}
	leaf := at[0].awaitLeaf(t, name, ca, nil)
	if same := at[1].awaitLeaf(t, name, ca, nil); !same.Equal(leaf) {
		t.Error("the nodes have certificates of their own")
	}
	if leads(0) == leads(1) || ca.Count("Issued certificate") != 1 {
		t.Errorf("both nodes order: %t, %t", leads(0), leads(1))
	}
	first, second := 0, 1
	if leads(1) {
		first, second = 1, 0
	}
	ca.Renew(t, leaf, time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour))
	// From now on the authority reaches the node that is left: who leads can't be told any more.
	node := nodes[first].Swap(nil)
	node.kill()
	nodes[first].Store(nodes[second].Load())
	at[first] = at[second]
	at[second].awaitLeaf(t, name, ca, leaf)
	if accounts := ca.Count("accounts in memory"); accounts != 1 {
		t.Errorf("%d accounts", accounts)
	}
}

// ordersHere is what the node that orders says.
const ordersHere = "this node orders certificates"

// forward passes connections on to an address, which it asks for each time, until the test ends. It
// returns its port.
func forward(t *testing.T, to func() string) string {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			from, err := ln.Accept()
			if err != nil {
				return // it is closed
			}
			go func() {
				defer from.Close()
				conn, err := (&net.Dialer{}).Dial("tcp", to())
				if err != nil {
					return
				}
				defer conn.Close()
				go func() { _, _ = io.Copy(conn, from) }()
				_, _ = io.Copy(from, conn)
			}()
		}
	}()
	return acmetest.Port(ln.Addr().String())
}

// silent returns the address of an authority that never answers.
func silent(t *testing.T) string {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	return "https://" + ln.Addr().String() + "/dir"
}

// TestACMEKilled kills a server in the middle of an order. The next start orders again, with the
// same account, even if the server was killed before it could store that the authority has it.
func TestACMEKilled(t *testing.T) {
	t.Parallel()
	at := newACMEPorts(t)
	const name = "killed." + acmetest.Domain
	ca := acmetest.Start(t, acmetest.Options{
		HTTPPort: at.plain, TLSPort: at.tls,
		Env: []string{"PEBBLE_VA_NOSLEEP=0", "PEBBLE_VA_SLEEPTIME=2"},
	})
	s := startProcess(t, t.TempDir(), at.env(ca, name)...)
	await(t, "a validation", func() bool { return ca.Count("validations.") > 0 })
	s.kill()
	accounts, err := filepath.Glob(filepath.Join(s.dir, "certificates", "account-*"))
	if err != nil || len(accounts) != 1 {
		t.Fatalf("accounts: %q, %v", accounts, err)
	}
	account, err := os.ReadFile(accounts[0])
	if err != nil {
		t.Fatal(err)
	}
	forgotten := regexp.MustCompile(`"url":"[^"]+"`).ReplaceAll(account, []byte(`"url":""`))
	if err := os.WriteFile(accounts[0], forgotten, 0o600); err != nil || len(forgotten) ==
		len(account) {
		t.Fatalf("%s: %v", account, err)
	}
	startProcess(t, s.dir, at.env(ca, name)...)
	at.awaitLeaf(t, name, ca, nil)
	if !strings.Contains(ca.Log(), "There are now 1 accounts") ||
		strings.Contains(ca.Log(), "There are now 2 accounts") {
		t.Error("there is another account")
	}
}

// TestFormerHosts: certificates of hosts that were taken away stay until they can't be of use any
// more, in files and in a table.
func TestFormerHosts(t *testing.T) {
	t.Parallel()
	const day, ordered = 24 * time.Hour, "# ordered at https://ca.example/\n"
	stored := func(left time.Duration, host string) string {
		pair := certtest.New(t, left, host)
		return ordered + string(pair.Key) + string(pair.Cert)
	}
	failure := func(at time.Time) string { return `{"time":"` + at.Format(time.RFC3339) + `"}` }
	values := map[string]string{
		"s.example.pem":          stored(-31*day, "s.example"),
		"valid.example.pem":      stored(day, "valid.example"),
		"recent.example.pem":     stored(-29*day, "recent.example"),
		"recent.example.failure": failure(time.Now().Add(-29 * day)),
		"foreign.example.pem": strings.TrimPrefix(stored(-31*day, "foreign.example"),
			ordered),
		"broken.example.pem":       ordered,
		"account-1.json":           "{}",
		"long.example.pem":         stored(-31*day, "long.example"),
		"long.example.failure":     failure(time.Now().Add(-31 * day)),
		"killed.example.challenge": "{}",
	}
	gone := []string{"long.example.pem", "long.example.failure", "killed.example.challenge"}
	for name, url := range map[string]string{"files": "", "table": pgtest.URL(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var env []string
			put := func(dir, name, value string) {
				dir = filepath.Join(dir, "certificates")
				if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(
					filepath.Join(dir, name), []byte(value), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			if url != "" {
				env = append(env, "DATABASE_URL="+url)
				put = func(_, name, value string) {
					pgtest.Exec(t, url, "INSERT INTO certificates VALUES ($1, $2, 1)", name,
						[]byte(value))
				}
			}
			s := start(t, env...)
			s.stop(t)
			for name, value := range values {
				put(s.dir, name, value)
			}
			s = startIn(t, s.dir, append(env, "TLS_DOMAINS=s.example", "TLS_PORT=0",
				"ACME_DIRECTORY=https://127.0.0.1:1/")...)
			await(t, "all to be deleted", func() bool {
				return len(s.logLines(t, "a value of a former host was deleted")) == len(gone)
			})
			s.stop(t)
			var storage acmecert.Reader = certificatesIn(s.dir)
			if url != "" {
				found, err := postgres.ReadCertificates(t.Context(), url,
					slices.Collect(maps.Keys(values)))
				if err != nil {
					t.Fatal(err)
				}
				storage = acmecert.Values(found)
			}
			for name, value := range values {
				if slices.Contains(gone, name) {
					value = ""
				}
				if got, err := storage.Load(t.Context(), name); string(got) != value || err != nil {
					t.Errorf("%s: %d bytes, want %d; %v", name, len(got), len(value), err)
				}
			}
		})
	}
}

// TestACMERefused: an authority that refuses leaves a server that runs, and says why and what to
// do. One that does not answer delays neither start nor stop.
func TestACMERefused(t *testing.T) {
	t.Parallel()
	at := newACMEPorts(t)
	const name, good = "blocked." + acmetest.Domain, "good." + acmetest.Domain
	ca := acmetest.Start(t, acmetest.Options{
		HTTPPort: at.plain, TLSPort: at.tls, Blocked: []string{name},
	})
	s := start(t, at.env(ca, good+","+name)...)
	line := s.logLines(t, "no certificate was issued")[0]
	for _, want := range []string{
		`"host":"` + name + `"`, "rejectedIdentifier", "does not issue for such a name",
		`"retry_in":"1m0s"`,
	} {
		if !strings.Contains(line, want) {
			t.Errorf("the log lacks %s: %s", want, line)
		}
	}
	if n := s.metric(t, `terse_tls_renewal_failures_total{domain="`+name+`"}`); n != 1 {
		t.Errorf("%v failures", n)
	}
	if n := s.metric(t, `terse_tls_not_after_timestamp_seconds{domain="`+name+`"}`); n != -1 {
		t.Errorf("the certificate that is missing ends at %v", n)
	}
	at.awaitLeaf(t, good, ca, nil)
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, "127.0.0.1:"+at.tls)
		},
		TLSClientConfig: &tls.Config{RootCAs: ca.Roots(t)}, ForceAttemptHTTP2: true,
	}}
	t.Cleanup(client.CloseIdleConnections)
	ready := ask1(t, client, http.MethodGet, "https://"+good+"/ready?verbose", authorized())
	if ready.StatusCode != 200 || ready.ProtoMajor != 2 ||
		!strings.Contains(ready.body, "there is no certificate for "+name) ||
		!strings.Contains(ready.body, "rejectedIdentifier") {
		t.Errorf("ready: %s %s", ready.Status, ready.body)
	}
	s.stop(t)

	began := time.Now()
	s = startIn(t, s.dir, at.env(ca, name, "ACME_DIRECTORY="+silent(t))...)
	if a := ask1(t, plain(t, 1), http.MethodGet, s.url+"/x"); a.StatusCode != 308 {
		t.Errorf("redirect: %s", a.Status)
	}
	if _, err := at.leaf(name, nil); err == nil {
		t.Error("there is a certificate")
	}
	s.stop(t)
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("start and stop took %s", took)
	}
}

// TestACMERetry has an authority out of order for the first try. The second one, after a minute,
// succeeds.
func TestACMERetry(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	at := newACMEPorts(t)
	const name = "retry." + acmetest.Domain
	ca := acmetest.Start(t, acmetest.Options{HTTPPort: at.plain, TLSPort: at.tls})
	behind, err := url.Parse(ca.Directory)
	if err != nil {
		t.Fatal(err)
	}
	var works atomic.Bool
	proxy := &httputil.ReverseProxy{
		// Its answers name the host of the request.
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = "https", behind.Host
		},
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		},
	}
	front := httptest.NewTLSServer(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			if !works.Load() {
				http.Error(w, "out of order", http.StatusServiceUnavailable)
				return
			}
			proxy.ServeHTTP(w, r)
		}))
	t.Cleanup(front.Close)
	roots := filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(roots, pem.EncodeToMemory(
		&pem.Block{Type: "CERTIFICATE", Bytes: front.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, at.env(ca, name, "ACME_DIRECTORY="+front.URL+"/dir", "ACME_CA_FILE="+roots)...)
	s.logLines(t, "no certificate was issued")
	works.Store(true)
	failed := time.Now()
	leaf := (*x509.Certificate)(nil)
	for time.Since(failed) < 2*time.Minute && leaf == nil {
		time.Sleep(time.Second)
		leaf, _ = at.leaf(name, ca.Roots(t))
	}
	if waited := time.Since(failed); leaf == nil || waited < 50*time.Second {
		t.Errorf("a certificate after %s: %t", waited, leaf != nil)
	}
}

// TestACMESettings: what can't be meant is refused, and secrets are not shown.
func TestACMESettings(t *testing.T) {
	t.Parallel()
	for want, env := range map[string][]string{
		`TLS_DOMAINS is "*.example.com"`:     {"TLS_DOMAINS=*.example.com"},
		`TLS_DOMAINS is "s.example:443"`:     {"TLS_DOMAINS=s.example:443"},
		`TLS_DOMAINS is "https://s.example"`: {"TLS_DOMAINS=a.example, https://s.example"},
		`TLS_DOMAINS is "192.0.2.7"`:         {"TLS_DOMAINS=192.0.2.7"},
		`TLS_DOMAINS is "-a.example"`:        {"TLS_DOMAINS=s.example,-a.example"},
		`TLS_DOMAINS is ","`:                 {"TLS_DOMAINS=,"},
		"TLS_DOMAINS has 101 hosts":          {"TLS_DOMAINS=" + manyHosts(101)},
		`DOMAINS is "192.0.2.7"`:             {"DOMAINS=go.example,192.0.2.7"},
		`DOMAINS is "a..example"`:            {"DOMAINS=a..example"},
		`DOMAINS is "a-.example"`:            {"DOMAINS=a-.example,go.example"},
		`DOMAINS is " , "`:                   {"DOMAINS= , "},
		"DOMAINS has 101 hosts":              {"DOMAINS=" + manyHosts(101)},
		"TLS_DOMAINS and TLS_CERT_FILE":      {"TLS_DOMAINS=s.example", "TLS_CERT_FILE=x"},
		`BASE_URL is "http://s.example"`: {
			"TLS_DOMAINS=s.example",
			"BASE_URL=http://s.example",
		},
		"ACME_EMAIL is set without TLS_DOMAINS": {"ACME_EMAIL=ann@example.com"},
		`ACME_EMAIL is "ann"`:                   {"TLS_DOMAINS=s.example", "ACME_EMAIL=ann"},
		`ACME_DIRECTORY is "http://ca.example"`: {
			"TLS_DOMAINS=s.example",
			"ACME_DIRECTORY=http://ca.example",
		},
		`ACME_DIRECTORY is "https://…@ca.example"`: {
			"TLS_DOMAINS=s.example",
			"ACME_DIRECTORY=https://ann:secret@ca.example",
		},
		`ACME_PROFILE is "a b"`: {"TLS_DOMAINS=s.example", "ACME_PROFILE=a b"},
		"ACME_EAB_KEY_ID and ACME_EAB_HMAC_KEY": {
			"TLS_DOMAINS=s.example",
			"ACME_EAB_HMAC_KEY=secret",
		},
		"ACME_EAB_HMAC_KEY is no base64url": {
			"TLS_DOMAINS=s.example",
			"ACME_EAB_KEY_ID=a",
			"ACME_EAB_HMAC_KEY=secret!",
		},
		"ACME_CA_FILE: ": {
			"TLS_DOMAINS=s.example",
			"ACME_CA_FILE=/nowhere",
			"TLS_PORT=0",
		},
	} {
		var told bytes.Buffer
		if code := run(t.Context(), []string{"serve"}, environFor(t.TempDir(), env), nil,
			io.Discard, &told); code != cli.ExitSettings {
			t.Errorf("%s: exit code %d", want, code)
		}
		if !strings.Contains(told.String(), want) || strings.Contains(told.String(), "secret") {
			t.Errorf("%s is not in %s", want, &told)
		}
	}
	raw := rawSettings{}
	raw.TLSDomains = "Übung.Example., b.example,b.example"
	if got := (&problems{}).acme(&raw.rawACME).domains; !slices.Equal(got,
		[]string{"xn--bung-zra.example", "b.example"}) {
		t.Errorf("domains: %q", got)
	}
	raw.BaseURL, raw.Domains = "https://s.example", manyHosts(100)+",S.example,"
	var p problems
	if got := p.otherHosts(&raw); len(got) != 100 || p.errs != nil {
		t.Errorf("domains: %q, %v", got, p.errs)
	}
	if got := (&problems{}).listen(&raw); got != ":80" {
		t.Errorf("it listens on %s", got)
	}
}

func manyHosts(n int) string {
	var hosts []string
	for i := range n {
		hosts = append(hosts, fmt.Sprintf("s%d.example", i))
	}
	return strings.Join(hosts, ",")
}

// TestACMERenewal renews certificates of 20 seconds, twice, while the server runs. There is always
// one that is valid.
func TestACMERenewal(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	at := newACMEPorts(t)
	const name = "renewal." + acmetest.Domain
	ca := acmetest.Start(t, acmetest.Options{
		HTTPPort: at.plain, TLSPort: at.tls, Profiles: map[string]int{"tiny": 20},
	})
	start(t, at.env(ca, name)...)
	leaf, roots := at.awaitLeaf(t, name, ca, nil), ca.Roots(t)
	for range 2 {
		former := leaf
		await(t, "another certificate", func() bool {
			var err error
			if leaf, err = at.leaf(name, roots); err != nil {
				t.Fatalf("at %s: %v", time.Now(), err)
			}
			return !leaf.Equal(former)
		})
	}
	if replaced := ca.Count("is a replacement of"); replaced < 2 {
		t.Errorf("%d were replaced", replaced)
	}
}
