package geo_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"terse"
	"terse/internal/visit/geo"
	"terse/internal/visit/geo/geotest"
)

var isoCode = []string{"country", "iso_code"}

func open(t *testing.T, path string) *geo.DB {
	t.Helper()
	db, err := geo.Open(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func want(t *testing.T, db *geo.DB, countries map[string]string) {
	t.Helper()
	for addr, country := range countries {
		a, _ := netip.ParseAddr(addr) // "" is the invalid address
		if got := db.Country(a).String(); got != country {
			t.Errorf("%q is in %s, want %s", addr, got, country)
		}
	}
}

// nowhere are addresses without a country, whatever the data says.
var nowhere = map[string]string{
	"": "XX", "0.0.0.0": "XX", "::": "XX",
	"127.0.0.1": "XX", "::1": "XX", "::ffff:127.0.0.1": "XX",
	"10.1.2.3": "XX", "172.16.0.1": "XX", "192.168.0.1": "XX", "fd00::1": "XX",
	"169.254.0.1": "XX", "fe80::1%eth0": "XX", "224.0.0.1": "XX", "ff02::1": "XX",
	"255.255.255.255": "XX",
}

func TestBuiltIn(t *testing.T) {
	t.Parallel()
	db := open(t, "")
	// Addresses of universities and of a root server, which hardly move.
	want(t, db, map[string]string{
		"8.8.8.8": "US", "::ffff:8.8.8.8": "US", "2001:4860:4860::8888": "US",
		"141.14.0.1": "DE", "133.11.0.1": "JP",
		"100.64.0.1": "XX", "2001:db8::1": "XX",
	})
	want(t, db, nowhere)
}

func TestBuiltInRunEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := open(t, "").Run(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "country.mmdb")
	write(t, path, geotest.File(isoCode, map[string]string{
		"8.8.8.0/24":      "FR",
		"9.0.0.0/8":       "it",
		"11.0.0.0/8":      "ZZ",
		"12.0.0.0/8":      "Germany",
		"13.0.0.0/8":      "EU",
		"2001:db8:1::/48": "SE",
	}))
	db := open(t, path)
	want(t, db, map[string]string{
		"8.8.8.8": "FR", "::ffff:8.8.8.8": "FR", "9.9.9.9": "IT", "2001:db8:1::1": "SE",
		"8.8.4.4": "XX", "11.1.1.1": "XX", "12.1.1.1": "XX", "13.1.1.1": "XX",
		"2001:db8:2::1": "XX",
	})
	want(t, db, nowhere)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	want(t, db, map[string]string{"8.8.8.8": "XX"})
}

// Private networks have no country, even for a file that names one.
func TestFileWithPrivateNetwork(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "country.mmdb")
	write(t, path, geotest.File(isoCode, map[string]string{"10.0.0.0/8": "FR"}))
	want(t, open(t, path), map[string]string{"10.1.2.3": "XX"})
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	good := geotest.File(isoCode, map[string]string{"8.0.0.0/8": "FR"})
	// The second record of the first node leads nowhere, and what is before it is of no use.
	corrupt := geotest.File([]string{"owner"}, map[string]string{"8.0.0.0/8": "FR"})
	copy(corrupt[3:], "\xff\xff\xff")
	many := map[string]string{}
	for i := range 2000 {
		many[netip.PrefixFrom(netip.AddrFrom4([4]byte{20, byte(i >> 8), byte(i), 0}),
			24).String()] = "x"
	}
	tests := []struct {
		name, want string
		content    []byte
	}{
		{"empty", "empty", nil},
		{"text", "text", []byte("country,DE")},
		{"truncated", "truncated", good[:len(good)/2]},
		{"corrupt", "corrupt", corrupt},
		{
			"other path", "no record has country.iso_code",
			geotest.File([]string{"autonomous_system_organization"}, many),
		},
		{"no network", "no record has country.iso_code", geotest.File(isoCode, nil)},
	}
	for _, test := range tests {
		path := filepath.Join(t.TempDir(), test.name)
		write(t, path, test.content)
		wantRefused(t, path, test.want)
	}
	wantRefused(t, filepath.Join(t.TempDir(), "missing"), "missing")
	wantRefused(t, t.TempDir(), "is not a file")
	huge := filepath.Join(t.TempDir(), "huge")
	write(t, huge, good)
	if err := os.Truncate(huge, 1<<40); err != nil { // takes no room on the disk
		t.Fatal(err)
	}
	wantRefused(t, huge, "at most 536870912 bytes")
}

func wantRefused(t *testing.T, path, want string) {
	t.Helper()
	_, err := geo.Open(path, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v, want one with %q", path, err, want)
	}
}

// The file is replaced, rewritten in place, spoilt, removed and restored while Run runs.
func TestReread(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "country.mmdb")
	content := func(country string) []byte {
		return geotest.File(isoCode, map[string]string{"8.0.0.0/8": country})
	}
	write(t, path, content("FR"))
	synctest.Test(t, func(t *testing.T) {
		var log lines
		db, err := geo.Open(path, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- db.Run(ctx) }()
		step := func(country string, logged ...string) {
			t.Helper()
			time.Sleep(time.Minute)
			synctest.Wait()
			want(t, db, map[string]string{"8.8.8.8": country})
			got := log.take()
			if n := strings.Count(got, "\n"); n != len(logged) {
				t.Errorf("%d log lines, want %d: %s", n, len(logged), got)
			}
			for _, s := range logged {
				if !strings.Contains(got, s) {
					t.Errorf("log has no %q: %s", s, got)
				}
			}
		}
		step("FR")
		replace(t, path, content("DE"))
		step("DE", "level=INFO")
		step("DE")
		write(t, path, content("IT")) // the same length and inode: only the time tells
		touch(t, path, 1)
		step("IT", "level=INFO")
		write(t, path, []byte("half a file"))
		step("IT", "level=ERROR")
		step("IT")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		step("IT", "level=ERROR")
		step("IT")
		write(t, path, content("SE"))
		touch(t, path, 2)
		step("SE", "level=INFO")
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}

// lines is a log that may be read while it is written.
type lines struct {
	mu  sync.Mutex // guards buf
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// take returns what was logged since it was last called.
func (l *lines) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.buf.Reset()
	return l.buf.String()
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func replace(t *testing.T, path string, content []byte) {
	t.Helper()
	write(t, path+".new", content)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// touch sets a time of its own, because two writes may share a tick of the file system's
// clock.
func touch(t *testing.T, path string, n int64) {
	t.Helper()
	if err := os.Chtimes(path, time.Time{}, time.Unix(n, 0)); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkCountry(b *testing.B) {
	db, err := geo.Open("", slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	for name, addr := range map[string]netip.Addr{
		"ipv4": netip.MustParseAddr("141.14.0.1"),
		"ipv6": netip.MustParseAddr("2001:4860:4860::8888"),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				db.Country(addr)
			}
		})
	}
}

func TestBuiltInDoesNotAllocate(t *testing.T) {
	db := open(t, "")
	for _, addr := range []string{"141.14.0.1", "2001:4860:4860::8888", "10.0.0.1"} {
		a := netip.MustParseAddr(addr)
		var country terse.Country
		if n := testing.AllocsPerRun(100, func() { country = db.Country(a) }); n != 0 {
			t.Errorf("%s in %v: %v allocations", addr, country, n)
		}
	}
}
