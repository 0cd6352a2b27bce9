// Package certs has the certificates that the server shows its clients.
//
// A source of them gives the one for a name, or none: what has no certificate is not served, and
// nothing is made up or asked for during a handshake. Private keys are in no error and in no log.
package certs

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"sync/atomic"
	"time"
)

const (
	// checkInterval is how often files are compared with what was read of them. They are read as a
	// whole, because what renews certificates may keep times and sizes, or replace a folder.
	checkInterval = 10 * time.Second
	// maxFileBytes bounds a file. A chain of certificates has some 10 KB.
	maxFileBytes = 1 << 20
)

// Files is a certificate, with the chain behind it, and its private key, both from PEM files. Its
// methods may be called concurrently.
type Files struct {
	cert, key string // paths
	logger    *slog.Logger
	pair      atomic.Pointer[tls.Certificate]
	// seen is the hash of what was read last, successfully or not. Only OpenFiles and then Run use
	// it.
	seen [sha256.Size]byte
}

// OpenFiles reads the files. They must hold a pair.
func OpenFiles(cert, key string, logger *slog.Logger) (*Files, error) {
	f := &Files{cert: cert, key: key, logger: logger}
	_, err := f.read()
	return f, err
}

// Run rereads the files within checkInterval of a change, until ctx ends, and returns nil. Files
// that hold no pair are logged once, and the old pair stays.
func (f *Files) Run(ctx context.Context) error {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		switch changed, err := f.read(); {
		case err != nil && changed:
			f.logger.Error("certificate not reread, keeping the old one", "error", err,
				"not_after", f.NotAfter().UTC())
		case changed:
			f.logger.Info("certificate reread", "path", f.cert, "not_after", f.NotAfter().UTC())
		}
	}
}

// read replaces the pair, if the files differ from what was read last.
func (f *Files) read() (changed bool, err error) {
	cert, certErr := readFile(f.cert)
	key, keyErr := readFile(f.key)
	err = errors.Join(certErr, keyErr)
	hash := sha256.New()
	_, _ = fmt.Fprintf(hash, "%d %v\n", len(cert), err) // a hash takes all
	_, _ = hash.Write(cert)
	_, _ = hash.Write(key)
	seen := f.seen
	if hash.Sum(f.seen[:0]); f.seen == seen || err != nil {
		return f.seen != seen, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return true, fmt.Errorf("%s and %s: %w", f.cert, f.key, err)
	}
	f.pair.Store(&pair)
	return true, nil
}

func readFile(path string) ([]byte, error) {
	// Opening a named pipe would wait for a writer, even when the server stops.
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // reading only
	content, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err == nil && len(content) > maxFileBytes {
		err = fmt.Errorf("%s has more than %d bytes", path, maxFileBytes)
	}
	return content, err
}

// Certificate is for tls.Config's GetCertificate. A client that names no host gets the certificate,
// one that names a host that it is not for gets none.
func (f *Files) Certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	pair, name := f.pair.Load(), hello.ServerName
	// An address is no name (RFC 6066, 3), but some clients send it.
	if _, err := netip.ParseAddr(name); name == "" || err == nil ||
		pair.Leaf.VerifyHostname(name) == nil {
		return pair, nil
	}
	return nil, nil //nolint:nilnil // the client gets the alert unrecognized_name
}

// Covers reports whether the certificate is for a host.
func (f *Files) Covers(host string) bool { return f.Leaf().VerifyHostname(host) == nil }

// Leaf returns the certificate without its chain.
func (f *Files) Leaf() *x509.Certificate { return f.pair.Load().Leaf }

// NotAfter returns the end of the certificate.
func (f *Files) NotAfter() time.Time { return f.Leaf().NotAfter }

// Late reports whether the certificate should have been renewed: it is over, or less than a fifth
// of its lifetime is left. Most are renewed while a third is left.
func (f *Files) Late(now time.Time) bool {
	leaf := f.Leaf()
	return leaf.NotAfter.Sub(now) < leaf.NotAfter.Sub(leaf.NotBefore)/5
}
