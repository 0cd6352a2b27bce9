package blocked

import (
	"bufio"
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"terse/internal/link/weburl"
)

// listOf parses a list.
func listOf(t testing.TB, text string) (*List, badLines) {
	t.Helper()
	list, bad, err := parse(strings.NewReader(text), len(text))
	if err != nil {
		t.Fatal(err)
	}
	return list, bad
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	const text = "\ufeff# a comment\r\n" +
		"evil.example # and one behind\r\n" +
		"=only.example\n\n" +
		"\t UPPER.Example. \n" +
		"grüße.example\n" +
		"0.0.0.0 hosts.example\tmore.example  # two\n" +
		"127.0.0.1 localhost\n" +
		"::1 ip6-localhost loop.example\n" +
		"fe80::1%lo0 zone.example\n" +
		"0 short.example\n" +
		"0.0.0.0 0.0.0.0\n" +
		"com\n=net\n" +
		"192.0.2.7\n" +
		"198.51.100.17/24\n" +
		"2001:db8::7\n" +
		"[2001:db8::8]\n" +
		"2001:db8:1::/48\n" +
		"::ffff:203.0.113.0/120\n" +
		"64:ff9b::cb00:7207\n" +
		"0xc0000209\n" +
		"both.example\n=both.example\n=twice.example\ntwice.example\n" +
		"last.example"
	list, bad := listOf(t, text)
	if bad.number != 0 {
		t.Errorf("skipped %d lines: %q", bad.number, bad.first)
	}
	for _, c := range []struct {
		want bool
		urls string
	}{
		{true, "http://evil.example/ https://a.evil.example:8443/x?y#z HTTP://A.B.Evil.EXAMPLE. " +
			"http://user:pw@evil.example http://%65vil.example/ http://evil。example/"},
		{false, "http://notevil.example/ http://evil.example.org/ http://example/"},
		{true, "http://only.example/ http://only.example./"},
		{false, "http://a.only.example/"},
		{true, "http://upper.example/ http://x.upper.example"},
		{true, "http://GRÜßE.example/ http://a.gru\u0308ße.example/ http://xn--GRE-6KA8L.example"},
		{true, "http://hosts.example/ http://b.hosts.example/ http://more.example"},
		{true, "http://loop.example/ http://zone.example/ http://short.example/"},
		{false, "http://localhost/ http://ip6-localhost/ http://a.com/ http://com/ http://a.net/"},
		{true, "http://0.0.0.0/ http://0/ http://192.0.2.7/ http://0xc0000207/ " +
			"http://[::ffff:192.0.2.7]/ http://192.0.519/ http://192.0.2.7./ http://192.0.2.9/"},
		{true, "http://[64:ff9b::c000:207]/ http://[64:ff9b::198.51.100.9]/"},
		{false, "http://[64:ff9b::c000:208]/ http://[64:ff9b:1::c000:207]/ http://[64:ff9b::1]/"},
		{false, "http://192.0.2.8/ http://a.192.0.2.example/ http://127.0.0.1/ http://[::1]/"},
		{true, "http://198.51.100.0/ http://198.51.100.255/ http://203.0.113.99/"},
		{true, "http://[64:ff9b::203.0.114.7]/"},
		{false, "http://198.51.99.255/ http://198.51.101.0/ http://203.0.114.0/"},
		{false, "http://203.0.114.7/"},
		{true, "http://[2001:db8::7]/ http://[2001:DB8:0::8]/ http://[2001:db8:1:ffff::1]/"},
		{false, "http://[2001:db8::9]/ http://[2001:db8:2::]/ http://[::ffff:192.0.2.8]/"},
		{true, "http://a.both.example/ http://a.twice.example/ http://last.example/"},
		// What can't be read may be read in another way by browsers.
		{true, "http://a$b.example/ http://a..b/ ftp://evil.example/"},
	} {
		for url := range strings.FieldsSeq(c.urls) {
			if got := list.BlocksURL(url); got != c.want {
				t.Errorf("%s: blocked is %v, want %v", url, got, c.want)
			}
		}
	}
	if (*List)(nil).BlocksURL("http://a..b/") {
		t.Error("no list blocks something")
	}
	if empty, _ := listOf(t, ""); empty.BlocksURL("http://evil.example/") {
		t.Error("an empty list blocks something")
	}
}

func TestBadLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a.example ", maxLineBytes/10)
	text := "||ads.example^\n*.wild.example\nhttp://url.example/\n.dot.example\na..b\n" +
		"name.example other.example\n0.0.0.0 good.example =bad.example\n192.0.2.0/33\n" +
		"256.1.1.1\n::ffff:0:0/90\nuser@host.example\n" +
		"0.0.0.0 " + long + "\n" + "fine.example\n"
	list, bad := listOf(t, text)
	if bad.number != 12 || len(bad.first) != maxShown {
		t.Errorf("%d lines skipped, %d shown: %q", bad.number, len(bad.first), bad.first)
	}
	if want := `1: "||ads.example^"`; bad.first[0] != want {
		t.Errorf("first bad line is %s, want %s", bad.first[0], want)
	}
	if list.names.count != 1 || !list.BlocksURL("http://fine.example/") {
		t.Errorf("%d hosts are left, want only fine.example", list.names.count)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("\n", maxLines)
	if _, _, err := parse(strings.NewReader(many), 0); err != nil {
		t.Errorf("%d lines: %v", maxLines, err)
	}
	for text, want := range map[string]string{
		many + "a.example":            "more than 1000000 lines",
		"a.example\n\xff\n":           "not UTF-8",
		"# " + "\xc3":                 "not UTF-8",
		strings.Repeat("#", 64<<20+1): "more than 67108864 bytes",
	} {
		if _, _, err := parse(strings.NewReader(text), 0); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.20q…: %v, want %q", text, err, want)
		}
	}
}

// TestPlain compares the short way to read a name with the long one.
func TestPlain(t *testing.T) {
	t.Parallel()
	for _, host := range []string{
		"a.example", "r3---sn.example", "-a-.b_c", "_dmarc.example", "a.0x1", "a.b1", "a.1b", "1.2",
		"a.", ".a", "a..b", "", "xn--a.example", "axn--.example", strings.Repeat("a", 63) + ".b",
		strings.Repeat("a", 64) + ".b", strings.Repeat("a.", 126) + "b",
		strings.Repeat("a.", 127) + "b",
	} {
		if got, ok := weburl.Host(host); isPlain([]byte(host)) && (!ok || got != host) {
			t.Errorf("%q is %q, %v", host, got, ok)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add([]byte("a.example"))
	f.Fuzz(func(t *testing.T, host []byte) {
		if got, ok := weburl.Host(string(host)); isPlain(host) && (!ok || got != string(host)) {
			t.Errorf("%q is %q, %v", host, got, ok)
		}
	})
}

// TestCollisions fills a table so that names share slots and tags, and looks for each of them and
// for neighbours that are not in it.
func TestCollisions(t *testing.T) { //nolint:paralleltest // it counts allocations
	var text strings.Builder
	const hosts = 50_000
	for i := range hosts {
		fmt.Fprintf(&text, "h%d.example\n", 2*i)
	}
	list, _ := listOf(t, text.String())
	for i := range 2 * hosts {
		host := "h" + strconv.Itoa(i) + ".example"
		if list.Blocks(host) != (i%2 == 0) {
			t.Fatalf("%s: blocked is %v", host, i%2 != 0)
		}
	}
	deep := strings.Repeat("a.", 120) + "h4.example"
	if allocs := testing.AllocsPerRun(100, func() {
		_ = list.Blocks(deep) && list.Blocks("192.0.2.1") && list.Blocks("[2001:db8::1]")
	}); allocs > 0 {
		t.Errorf("a look-up allocates %v times", allocs)
	}
}

func TestRereads(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "list")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	if _, err := Open(path, nil, logger); err == nil {
		t.Fatal("a missing file was opened")
	}
	write("a.example\n")
	synctest.Test(t, func(t *testing.T) {
		changes := 0
		f, err := Open(path, func() { changes++ }, logger)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _ = f.Run(t.Context()) }()
		want := func(what, blocked string, changed int, late bool) {
			t.Helper()
			time.Sleep(10 * time.Second)
			synctest.Wait()
			if !f.List().BlocksURL("http://"+blocked) || changes != changed || f.Late() != late {
				t.Errorf("%s: %s blocked: %v, %d changes, late: %v", what, blocked,
					f.List().BlocksURL("http://"+blocked), changes, f.Late())
			}
		}
		want("the same", "a.example", 0, false)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		write("b.example\n")
		if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		want("changed, with the old size and time", "b.example", 1, false)
		write("\xff\n")
		want("no text", "b.example", 1, true)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		want("missing", "b.example", 1, true)
		want("still missing", "b.example", 1, true)
		write("c.example\nbad line\n")
		want("there again", "c.example", 2, false)
	})
	if n := strings.Count(log.String(), "level=ERROR"); n != 2 {
		t.Errorf("%d errors are logged, want 2:\n%s", n, &log)
	}
	if !strings.Contains(log.String(), "bad line") {
		t.Errorf("the bad line is not logged:\n%s", &log)
	}
}

// million writes a list of a million hosts, as block lists have them, to a temporary file.
func million(b *testing.B, format string) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "list")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(file)
	for i := range maxLines {
		_, _ = fmt.Fprintf(w, format+"\n", i)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkOpen(b *testing.B) {
	for name, format := range map[string]string{
		"hosts": "tracker-%d.ads.example", "hosts-file": "0.0.0.0 tracker-%d.ads.example",
		"capitals": "Tracker-%d.ads.example", "addresses": "10.%d", "ipv6": "2001:db8::%x",
	} {
		b.Run(name, func(b *testing.B) {
			path := million(b, format)
			var before, after runtime.MemStats
			for b.Loop() {
				runtime.GC()
				runtime.ReadMemStats(&before)
				f, err := Open(path, nil, slog.New(slog.DiscardHandler))
				if err != nil {
					b.Fatal(err)
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				runtime.KeepAlive(f)
			}
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB")
		})
	}
}

func BenchmarkLook(b *testing.B) {
	f := &File{path: million(b, "tracker-%d.ads.example")}
	for b.Loop() {
		f.look()
	}
}

func BenchmarkBlocks(b *testing.B) {
	f, err := Open(million(b, "tracker-%d.ads.example"), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	for _, host := range []string{"www.example.com", "x.tracker-77.ads.example", "192.0.2.7"} {
		b.Run(host, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f.List().Blocks(host)
			}
		})
	}
}
