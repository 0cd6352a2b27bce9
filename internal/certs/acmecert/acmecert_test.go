package acmecert_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mholt/acmez/v3/acme"

	"terse/internal/certs/acmecert"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// certificate returns a certificate that signs itself, and its key, as they are stored.
func certificate(t testing.TB, name string, from, until time.Time) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotBefore: from, NotAfter: until,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	return append(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
}

func keeper(t testing.TB, folder acmecert.Folder, hosts ...string) *acmecert.Keeper {
	t.Helper()
	k, err := acmecert.New(t.Context(), acmecert.Options{
		Hosts: hosts, Storage: folder, Logger: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	return k
}

func TestDue(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	day := func(n int) time.Time { return began.AddDate(0, 0, n) }
	leaf := &x509.Certificate{NotBefore: began, NotAfter: day(90)}
	for _, test := range []struct {
		name                string
		renew, issued, want time.Time
	}{
		{"two thirds", time.Time{}, time.Time{}, day(60)},
		{"as the authority says", day(50), time.Time{}, day(50)},
		{"at once", day(-1), time.Time{}, day(-1)},
		{"too late", day(100), time.Time{}, day(81)},
		{"just issued", day(-1), day(0), day(0).Add(acmecert.MaxLook)},
		{"issued some time ago", day(20), day(0), day(20)},
	} {
		if got := acmecert.Due(leaf, test.renew, test.issued); !got.Equal(test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestLook: the clock is looked at each tenth of a lifetime, at least hourly.
func TestLook(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	long := &x509.Certificate{NotBefore: now, NotAfter: now.AddDate(0, 0, 90)}
	short := &x509.Certificate{NotBefore: now, NotAfter: now.Add(5 * time.Hour)}
	never := now.AddDate(1, 0, 0)
	for _, test := range []struct {
		name     string
		leaf     *x509.Certificate
		due, ask time.Time
		want     time.Duration
	}{
		{"long", long, never, time.Time{}, time.Hour},
		{"short", short, never, time.Time{}, 30 * time.Minute},
		{"due soon", long, now.Add(time.Minute), never, time.Minute},
		{"asks soon", long, never, now.Add(time.Minute), time.Minute},
	} {
		got := acmecert.Look(test.leaf, test.due, now, test.ask)
		if want := now.Add(test.want); !got.Equal(want) {
			t.Errorf("%s: %s, want %s", test.name, got, want)
		}
	}
}

// TestPauses: a failure is tried again after a minute, and then ever later, up to an hour. An
// authority may want more.
func TestPauses(t *testing.T) {
	t.Parallel()
	folder := acmecert.Folder(t.TempDir())
	k := keeper(t, folder, "s.example")
	long := errors.New(strings.Repeat("é", 1000))
	got := acmecert.FailOften(k, 8, long, 0)
	var want []time.Duration
	for _, minutes := range []int{1, 2, 4, 8, 16, 32, 60, 60} {
		want = append(want, time.Duration(minutes)*time.Minute)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pauses (-want +got):\n%s", diff)
	}
	if got := acmecert.FailOften(k, 1, long, 3*time.Hour); got[0] != 3*time.Hour {
		t.Errorf("pause %s, and the authority wants three hours", got[0])
	}
	k.Failures(func(host string, failures int) {
		if host != "s.example" || failures != 9 {
			t.Errorf("%s: %d failures", host, failures)
		}
	})
	warning := k.Warning(time.Now())
	if !strings.HasPrefix(warning, "there is no certificate for s.example: éé") ||
		len(warning) > 350 {
		t.Errorf("warning: %q", warning)
	}
	// Whoever looks at the folder finds the failure, too.
	_, failure, err := acmecert.Stored(t.Context(), folder, "s.example")
	must(t, err)
	if failure == nil || !strings.HasPrefix(failure.Error, "éé") ||
		failure.Next.Sub(failure.Time) != 3*time.Hour {
		t.Errorf("stored failure: %+v", failure)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		"": 0, "120": 2 * time.Minute, "-1": 0, "soon": 0, "99999999": 24 * time.Hour,
		"Mon, 01 Jan 2024 00:00:00 GMT":                         0,
		time.Now().Add(time.Hour).UTC().Format(http.TimeFormat): time.Hour,
	} {
		got := acmecert.RetryAfter(value)
		if got.Round(time.Minute) != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "certificates")
	folder, ctx := acmecert.Folder(dir), t.Context()
	value, err := folder.Load(ctx, "s.example.pem")
	if value != nil || err != nil {
		t.Errorf("Load of nothing: %q, %v", value, err)
	}
	must(t, folder.Delete(ctx, "s.example.pem"))
	versions, err := folder.Versions(ctx)
	must(t, err)
	if len(versions) != 0 {
		t.Errorf("versions of nothing: %v", versions)
	}
	must(t, folder.Store(ctx, "s.example.pem", []byte("first")))
	// What a stop half-way leaves behind does no harm.
	must(t, os.WriteFile(filepath.Join(dir, "s.example.pem.part"), []byte("half"), 0o400))
	must(t, folder.Store(ctx, "s.example.pem", []byte("second")))
	value, err = folder.Load(ctx, "s.example.pem")
	must(t, err)
	if string(value) != "second" {
		t.Errorf("Load: %q", value)
	}
	after, err := folder.Versions(ctx)
	must(t, err)
	if len(after) != 1 || after["s.example.pem"] == "" {
		t.Errorf("versions: %v", after)
	}
	for path, want := range map[string]os.FileMode{
		dir: 0o700 | os.ModeDir, filepath.Join(dir, "s.example.pem"): 0o600,
	} {
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode() != want {
			t.Errorf("%s has mode %s, want %s", path, info.Mode(), want)
		}
	}
}

// TestGetCertificate: which certificate a client gets.
func TestGetCertificate(t *testing.T) {
	t.Parallel()
	folder, now := acmecert.Folder(t.TempDir()), time.Now()
	for _, name := range []string{"b.example", "c.example"} {
		must(t, folder.Store(t.Context(), name+".pem",
			certificate(t, name, now, now.Add(time.Hour))))
	}
	must(t, folder.Store(t.Context(), "d.example.pem", []byte("damaged")))
	must(t, folder.Store(t.Context(), "e.example.pem",
		certificate(t, "other.example", now, now.Add(time.Hour))))
	k := keeper(t, folder, "a.example", "b.example", "c.example", "d.example", "e.example")
	for _, test := range []struct {
		name, want string
		fails      bool
	}{
		{"", "b.example", false}, // the first that is there
		{"c.example", "c.example", false},
		{"C.Example", "c.example", false},
		{"a.example", "", true},  // it is still to come
		{"d.example", "", true},  // what is stored can't be used
		{"e.example", "", true},  // and is for another name
		{"x.example", "", false}, // the client gets the right alert
		{"*.example", "", false},
	} {
		cert, err := k.GetCertificate(&tls.ClientHelloInfo{ServerName: test.name})
		got := ""
		if cert != nil {
			got = cert.Leaf.DNSNames[0]
		}
		if got != test.want || (err != nil) != test.fails {
			t.Errorf("%q: %q, %v", test.name, got, err)
		}
	}
}

// TestWarning: a certificate is late a tenth of its lifetime after it was due.
func TestWarning(t *testing.T) {
	t.Parallel()
	folder, began := acmecert.Folder(t.TempDir()), time.Now().Add(-20*time.Hour)
	var hosts []string
	for i := range 5 {
		name := fmt.Sprintf("%c.example", 'a'+i)
		hosts = append(hosts, name)
		must(t, folder.Store(t.Context(), name+".pem",
			certificate(t, name, began, began.Add(30*time.Hour))))
	}
	k := keeper(t, folder, hosts...)
	if got := k.Warning(began.Add(22 * time.Hour)); got != "" {
		t.Errorf("too early: %q", got)
	}
	got := k.Warning(began.Add(24 * time.Hour))
	if !strings.HasPrefix(got, "the certificate for a.example ends at ") ||
		strings.Count(got, "should have been renewed at") != 3 ||
		!strings.HasSuffix(got, "; and 2 other hosts") {
		t.Errorf("too late: %q", got)
	}
	missing := keeper(t, acmecert.Folder(t.TempDir()), "a.example")
	if got := missing.Warning(time.Now()); got != "" {
		t.Errorf("at the start: %q", got)
	}
	if got := missing.Warning(time.Now().Add(2 * time.Minute)); got == "" {
		t.Error("no certificate is no warning")
	}
}

// TestServeChallenge: a challenge is answered for its host and its token only.
func TestServeChallenge(t *testing.T) {
	t.Parallel()
	folder := acmecert.Folder(t.TempDir())
	must(t, folder.Store(t.Context(), "a.example.challenge",
		[]byte(`{"type":"http-01","token":"tok","key_authorization":"tok.key"}`)))
	must(t, folder.Store(t.Context(), "b.example.challenge",
		[]byte(`{"type":"tls-alpn-01","token":"tok","key_authorization":"tok.key"}`)))
	k := keeper(t, folder, "a.example", "b.example", "c.example")
	const path = "/.well-known/acme-challenge/"
	for _, test := range []struct {
		method, host, path string
		want               bool
	}{
		{http.MethodGet, "a.example", path + "tok", true},
		{http.MethodGet, "A.example:80", path + "tok", true},
		{http.MethodHead, "a.example", path + "tok", false},
		{http.MethodGet, "a.example", path + "other", false},
		{http.MethodGet, "a.example", path, false},
		{http.MethodGet, "a.example", "/tok", false},
		{http.MethodGet, "b.example", path + "tok", false}, // it is another kind
		{http.MethodGet, "c.example", path + "tok", false},
		{http.MethodGet, "other.example", path + "tok", false},
		{http.MethodGet, "..", path + "tok", false},
	} {
		r := httptest.NewRequestWithContext(t.Context(), test.method, test.path, http.NoBody)
		r.Host = test.host
		w := httptest.NewRecorder()
		if got := k.ServeChallenge(w, r); got != test.want ||
			got && w.Body.String() != "tok.key" || !got && w.Body.Len() > 0 {
			t.Errorf("%s %s%s: %t, %q", test.method, test.host, test.path, got, w.Body)
		}
	}
}

// TestAdvice: whatever fails, somebody learns what to do.
func TestAdvice(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		want string
	}{
		{acme.Problem{Type: acme.ProblemTypeDNS}, "A or AAAA"},
		{acme.Problem{Type: acme.ProblemTypeConnection}, "firewall"},
		{acme.Problem{Type: acme.ProblemTypeRateLimited}, "limit"},
		{acme.Problem{Type: acme.ProblemTypeExternalAccountRequired}, "ACME_EAB_KEY_ID"},
		{fmt.Errorf("get: %w", x509.UnknownAuthorityError{}), "ACME_CA_FILE"},
		{fmt.Errorf("get: %w", context.DeadlineExceeded), "ACME_DIRECTORY"},
		{errors.New("something else"), "terse doctor"},
	} {
		if got := acmecert.Advice("s.example", test.err); !strings.Contains(got, test.want) {
			t.Errorf("%v: %q", test.err, got)
		}
	}
}
