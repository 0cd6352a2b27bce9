// Package certtest makes certificates for tests. It is not part of the server.
package certtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Pair is a certificate that signs itself, and its key, as PEM.
type Pair struct {
	Cert, Key []byte
	Leaf      *x509.Certificate
}

// New returns a pair for names, with a lifetime of 90 days of which so much is left.
func New(t testing.TB, left time.Duration, names ...string) Pair {
	t.Helper()
	pair, err := Make(left, names...)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// Make is New outside of tests.
func Make(left time.Duration, names ...string) (pair Pair, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return pair, err
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		return pair, err
	}
	until := time.Now().Add(left)
	leaf := &x509.Certificate{
		SerialNumber: serial, DNSNames: names, NotAfter: until, NotBefore: until.AddDate(0, 0, -90),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, leaf, &key.PublicKey, key)
	if err != nil {
		return pair, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return pair, err
	}
	pair.Cert = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	pair.Key = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	pair.Leaf, err = x509.ParseCertificate(der)
	return pair, err
}

// Pool returns what trusts the certificate.
func (p Pair) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(p.Leaf)
	return pool
}

// Write writes the pair into a folder, over what is there.
func (p Pair) Write(t testing.TB, dir string) (cert, key string) {
	t.Helper()
	cert, key, err := p.Save(dir)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// Save is Write outside of tests.
func (p Pair) Save(dir string) (cert, key string, err error) {
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	return cert, key, errors.Join(os.WriteFile(cert, p.Cert, 0o600),
		os.WriteFile(key, p.Key, 0o600))
}
