// Package acmetest runs Pebble, the certificate authority with which the authors of Let's Encrypt
// test, and a DNS server that leads its validation to the loopback. It is not part of the server.
//
// Pebble is built from a module of its own, so that nothing else depends on what it needs.
package acmetest

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"terse/internal/tests/freeport"
)

// Domain is the domain whose names lead to the loopback, at any depth. Names without a dot do, too,
// which this machine may know.
const Domain = "terse.test"

// Options say how an authority behaves.
type Options struct {
	HTTPPort, TLSPort string // to which it connects for HTTP-01 and TLS-ALPN-01
	// Lifetimes of certificates in seconds, by profile; nil: 90 days.
	Profiles map[string]int
	EABKeys  map[string]string // secrets of customers, by key ID; nil: anybody is one
	Blocked  []string          // names that it refuses
	Env      []string          // Pebble's own variables
}

// Pebble is a running authority.
type Pebble struct {
	Directory  string // URL
	CAFile     string // what clients verify its own certificate with
	management string
	log        *log
}

type log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// Log returns what the authority has printed.
func (p *Pebble) Log() string {
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	return p.log.buf.String()
}

// Count returns how often it has printed a text.
func (p *Pebble) Count(text string) int { return strings.Count(p.Log(), text) }

// built is the folder of the program, "" if it was not built.
var built string

var program = sync.OnceValues(func() (path string, err error) {
	_, file, _, _ := runtime.Caller(0) //nolint:dogsled // only the file is needed
	if built, err = os.MkdirTemp("", "terse-pebble-"); err != nil {
		return "", err
	}
	path = filepath.Join(built, "pebble")
	out, err := exec.Command( //nolint:gosec // our own folders
		"go", "build", "-C", filepath.Join(filepath.Dir(file), "pebble"),
		"-o", path, "github.com/letsencrypt/pebble/v2/cmd/pebble").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// Clean removes what Start has built. Call it in TestMain, after the tests.
func Clean() {
	if built != "" {
		_ = os.RemoveAll(built) // a folder for temporary files
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Port returns the port of an address.
func Port(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// Start runs an authority until the test ends.
func Start(t testing.TB, o Options) *Pebble {
	t.Helper()
	path, err := program()
	must(t, err)
	dir := t.TempDir()
	listen, err := freeport.Address(t.Context())
	must(t, err)
	management, err := freeport.Address(t.Context())
	must(t, err)
	p := &Pebble{
		Directory: "https://" + listen + "/dir", management: "https://" + management,
		CAFile: filepath.Join(dir, "ca.pem"), log: &log{},
	}
	writePair(t, p.CAFile, filepath.Join(dir, "key.pem"))
	plain, err := strconv.Atoi(o.HTTPPort)
	must(t, err)
	alpn, err := strconv.Atoi(o.TLSPort)
	must(t, err)
	profiles := map[string]any{}
	for name, seconds := range o.Profiles {
		profiles[name] = map[string]any{"validityPeriod": seconds}
	}
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": listen, "managementListenAddress": management,
		"certificate": p.CAFile, "privateKey": filepath.Join(dir, "key.pem"),
		"httpPort": plain, "tlsPort": alpn, "keyAlgorithm": "ecdsa", "profiles": profiles,
		"retryAfter": map[string]int{"authz": 0, "order": 0}, "domainBlocklist": o.Blocked,
		"externalAccountBindingRequired": o.EABKeys != nil, "externalAccountMACKeys": o.EABKeys,
	}})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600))
	// It is killed below, after the servers that use it.
	cmd := exec.CommandContext( //nolint:gosec // what we have built
		context.WithoutCancel(t.Context()), path, "-config", filepath.Join(dir, "config.json"),
		"-dnsserver", serveDNS(t), "-strict")
	cmd.Env = append(append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0",
		"PEBBLE_AUTHZREUSE=0"), o.Env...)
	cmd.Stdout, cmd.Stderr = p.log, p.log
	must(t, cmd.Start())
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := ask(t, http.MethodGet, p.Directory, nil); err == nil {
			return p
		}
		select {
		case <-ended:
			t.Fatalf("the authority ended:\n%s", p.Log())
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("the authority does not answer:\n%s", p.Log())
		}
	}
}

// writePair writes the certificate with which the authority listens, which signs itself.
func writePair(t testing.TB, cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(48 * time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	must(t, err)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	must(t, err)
	must(t, os.WriteFile(cert,
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	must(t, os.WriteFile(key,
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}), 0o600))
}

// client does not verify the authority: only this machine can answer.
var client = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
	TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // on the loopback
	DisableKeepAlives: true,
}}

// ask sends a request to the authority.
func ask(t testing.TB, method, url string, body []byte) ([]byte, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	must(t, err)
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // only reading
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, resp.Status)
	}
	return io.ReadAll(resp.Body)
}

// RootsFile returns the path of a file with the certificates that sign those that the authority
// issues.
func (p *Pebble) RootsFile(t testing.TB) string {
	t.Helper()
	root, err := ask(t, http.MethodGet, p.management+"/roots/0", nil)
	must(t, err)
	path := filepath.Join(t.TempDir(), "roots.pem")
	must(t, os.WriteFile(path, root, 0o600))
	return path
}

// Roots returns the certificates that sign those that the authority issues.
func (p *Pebble) Roots(t testing.TB) *x509.CertPool {
	t.Helper()
	root, err := os.ReadFile(p.RootsFile(t))
	must(t, err)
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(root) {
		t.Fatalf("the authority's root: %q", root)
	}
	return pool
}

// Renew has the authority say that a certificate should be renewed within a time.
func (p *Pebble) Renew(t testing.TB, leaf *x509.Certificate, from, until time.Time) {
	t.Helper()
	info := fmt.Sprintf(`{"suggestedWindow":{"start":%q,"end":%q}}`,
		from.UTC().Format(time.RFC3339), until.UTC().Format(time.RFC3339))
	body, err := json.Marshal(map[string]string{
		"Certificate": string(pem.EncodeToMemory(
			&pem.Block{Type: "CERTIFICATE", Bytes: leaf.Raw})),
		"ARIResponse": info,
	})
	must(t, err)
	_, err = ask(t, http.MethodPost, p.management+"/set-renewal-info/", body)
	must(t, err)
}

// serveDNS answers questions for names with the loopback until the test ends, and returns its
// address. Names not in Domain do not exist. Pebble asks over TCP.
func serveDNS(t testing.TB) string {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return // it is closed
			}
			go func() {
				defer func() { _ = conn.Close() }()
				for answerOne(conn) == nil {
				}
			}()
		}
	}()
	return ln.Addr().String()
}

// answerOne reads a question and answers it. Both have their length in front.
func answerOne(conn net.Conn) error {
	var length [2]byte
	if _, err := io.ReadFull(conn, length[:]); err != nil {
		return err
	}
	question := make([]byte, binary.BigEndian.Uint16(length[:]))
	if _, err := io.ReadFull(conn, question); err != nil {
		return err
	}
	answer, err := answerDNS(question)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint16(length[:], uint16(len(answer)))
	_, err = conn.Write(append(length[:], answer...))
	return err
}

func answerDNS(question []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil {
		return nil, err
	}
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	for _, q := range m.Questions {
		name := strings.ToLower(q.Name.String())
		switch {
		case !strings.HasSuffix(name, "."+Domain+".") && strings.Count(name, ".") > 1:
			m.RCode = dnsmessage.RCodeNameError
		case q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
				Body:   &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
			})
		}
	}
	return m.Pack()
}
