package acmecert_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"terse/internal/certs/acmecert"
	"terse/internal/tests/acmetest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	acmetest.Clean()
	os.Exit(code)
}

// fullFolder has no room for some values.
type fullFolder struct {
	acmecert.Folder

	refuses func(name string, value []byte) bool
}

var errFull = errors.New("no room")

func (f *fullFolder) Store(ctx context.Context, name string, value []byte) error {
	if f.refuses(name, value) {
		return errFull
	}
	return f.Folder.Store(ctx, name, value)
}

// TestNoRoom: neither an account nor a certificate is ordered twice because it could not be stored.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	ca := acmetest.Start(t, acmetest.Options{
		HTTPPort: "1", TLSPort: "1", Env: []string{"PEBBLE_VA_ALWAYS_VALID=1"},
	})
	text, err := os.ReadFile(ca.CAFile)
	must(t, err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	folder := &fullFolder{Folder: acmecert.Folder(t.TempDir())}
	k, err := acmecert.New(t.Context(), acmecert.Options{
		Hosts: []string{"s.example"}, Directory: ca.Directory, Roots: roots, Storage: folder,
		Logger: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	hello := &tls.ClientHelloInfo{ServerName: "s.example"}

	folder.refuses = func(name string, value []byte) bool {
		return strings.HasPrefix(name, "account-") && !bytes.Contains(value, []byte(`"url":""`))
	}
	acmecert.Looks(k)(t.Context())
	if _, err := k.GetCertificate(hello); err == nil || ca.Count("accounts in memory") != 1 {
		t.Errorf("without a stored account: %v", err)
	}

	folder.refuses = func(name string, _ []byte) bool { return strings.HasSuffix(name, ".pem") }
	look := acmecert.Looks(k) // as after a start
	look(t.Context())
	served, err := k.GetCertificate(hello)
	must(t, err)
	leaf, _, err := acmecert.Stored(t.Context(), folder, "s.example")
	if leaf != nil || err != nil {
		t.Errorf("stored in a full folder: %v, %v", leaf, err)
	}

	folder.refuses = func(string, []byte) bool { return false }
	look(t.Context())
	leaf, _, err = acmecert.Stored(t.Context(), folder, "s.example")
	must(t, err)
	if leaf == nil || !leaf.Equal(served.Leaf) {
		t.Errorf("stored: %v", leaf)
	}
	if ca.Count("Issued certificate") != 1 ||
		strings.Contains(ca.Log(), "There are now 2 accounts") {
		t.Error("something was ordered twice")
	}
}
