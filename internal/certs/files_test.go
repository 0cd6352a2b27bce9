package certs_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"terse/internal/certs"
	"terse/internal/tests/certtest"
)

const day = 24 * time.Hour

// shown returns the serial number of the certificate for a name, "" if there is none.
func shown(t *testing.T, f *certs.Files, name string) string {
	t.Helper()
	pair, err := f.Certificate(&tls.ClientHelloInfo{ServerName: name})
	if err != nil {
		t.Fatal(err)
	}
	if pair == nil {
		return ""
	}
	return pair.Leaf.SerialNumber.String()
}

func TestNames(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t, 30*day, "s.example", "*.go.example")
	cert, key := pair.Write(t, t.TempDir())
	f, err := certs.OpenFiles(cert, key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for name, has := range map[string]bool{
		"": true, "s.example": true, "S.Example": true, "a.go.example": true,
		"go.example": false, "a.b.go.example": false, "x.example": false, "192.0.2.1": false,
	} {
		shows := has || name == "192.0.2.1"
		if got := shown(t, f, name) == pair.Leaf.SerialNumber.String(); got != shows {
			t.Errorf("%q gets the certificate: %v", name, got)
		}
		if name != "" && f.Covers(name) != has {
			t.Errorf("covers %q: %v", name, !has)
		}
	}
	if !f.NotAfter().Equal(pair.Leaf.NotAfter) {
		t.Errorf("until %v, want %v", f.NotAfter(), pair.Leaf.NotAfter)
	}
	if f.Late(time.Now()) || !f.Late(time.Now().Add(13*day)) || !f.Late(time.Now().Add(40*day)) {
		t.Error("it is late with less than 18 of 90 days left")
	}
}

// Files that hold no pair are refused, and no part of a key is shown.
func TestFilesThatAreNoPair(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := certtest.New(t, 30*day, "s.example").Write(t, dir)
	_, otherKey := certtest.New(t, 30*day, "s.example").Write(t, t.TempDir())
	empty, broken := filepath.Join(dir, "empty"), filepath.Join(dir, "broken")
	long := filepath.Join(dir, "long")
	whole, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string][]byte{
		empty: nil, broken: whole[:len(whole)/2], long: make([]byte, 1<<20+1),
	} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pipe := filepath.Join(dir, "pipe") // nobody writes to it
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, paths := range [][2]string{
		{cert, otherKey},
		{cert, pipe},
		{key, cert},
		{cert, empty},
		{empty, key},
		{cert, broken},
		{cert, dir},
		{long, key},
		{cert, filepath.Join(dir, "missing")},
		{filepath.Join(dir, "missing"), key},
	} {
		_, err := certs.OpenFiles(paths[0], paths[1], slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), dir) &&
			!strings.Contains(err.Error(), otherKey) {
			t.Errorf("%s: %v", paths, err)
			continue
		}
		for line := range strings.Lines(string(whole)) {
			if !strings.HasPrefix(line, "-") && strings.Contains(err.Error(), line[:20]) {
				t.Errorf("a key is shown: %v", err)
			}
		}
	}
}

// A good pair is used within 10 s. Of anything else the log tells once, and the old one stays.
func TestChanges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, second := certtest.New(t, 30*day, "s.example"), certtest.New(t, 60*day, "s.example")
	synctest.Test(t, func(t *testing.T) {
		cert, key := first.Write(t, dir)
		var log bytes.Buffer // only read while Run waits
		f, err := certs.OpenFiles(cert, key, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = f.Run(ctx) }()
		want := func(pair certtest.Pair, lines int) {
			t.Helper()
			time.Sleep(25 * time.Second)
			synctest.Wait()
			if got := shown(t, f, ""); got != pair.Leaf.SerialNumber.String() {
				t.Errorf("another certificate is shown:\n%s", &log)
			}
			if got := strings.Count(log.String(), "\n"); got != lines {
				t.Errorf("%d lines, want %d:\n%s", got, lines, &log)
			}
		}
		want(first, 0)
		if err := os.WriteFile(cert, second.Cert, 0o600); err != nil {
			t.Fatal(err)
		}
		want(first, 1) // the key is still the other's
		if err := os.WriteFile(key, second.Key, 0o600); err != nil {
			t.Fatal(err)
		}
		want(second, 2)
		if err := os.Remove(key); err != nil {
			t.Fatal(err)
		}
		want(second, 3)
		if err := os.WriteFile(key, []byte("no key"), 0o600); err != nil {
			t.Fatal(err)
		}
		want(second, 4)
		first.Write(t, dir)
		want(first, 5)
		if strings.Contains(log.String(), "PRIVATE") {
			t.Errorf("a key is logged:\n%s", &log)
		}
	})
}
