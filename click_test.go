package terse_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"terse"
)

func TestParseReferrer(t *testing.T) {
	t.Parallel()
	long := "https://news.example/" + strings.Repeat("a",
		terse.MaxReferrerBytes-len("https://news.example/"))
	longHost := strings.Repeat("a", terse.MaxReferrerBytes-len("https:///"))
	for _, tt := range []struct{ in, want string }{
		{"https://news.example/", "https://news.example/"},
		{"http://news.example", "http://news.example"},
		{"HTTPS://News.Example/A?b=c", "HTTPS://News.Example/A?b=c"},
		{"https://news.example:8443/a/b?c=d", "https://news.example:8443/a/b?c=d"},
		{"https://news.example/a#b", "https://news.example/a"},
		{"https://news.example#", "https://news.example"},
		{"https://user:secret@news.example/a", "https://news.example/a"},
		{"https://user@news.example?to=me@home.example", "https://news.example?to=me@home.example"},
		{"https://user@news.example/@someone", "https://news.example/@someone"},
		{"https://news.example/@someone", "https://news.example/@someone"},
		{"https://u@news.example", "https://news.example"},
		{"https://bücher.example/", "https://bücher.example/"},
		{long, long},
		{long + "#" + long, long},
		{long + "a", "https://news.example/"},
		{"http://user:x@News.Example:81/" + long + "#x", "http://News.Example:81/"},
		{"https://" + strings.Repeat("u", 2000) + "@news.example/a", "https://news.example/a"},
		{"https://news.example?" + long, "https://news.example/"},
		{"https://" + longHost + "/" + long, "https://" + longHost + "/"},
		{"https://" + longHost, "https://" + longHost},
		{"https://" + longHost + "b/", "direct"},
		{"https://" + longHost + "b", "https://" + longHost + "b"},
		{"https://" + longHost + "bb", "direct"},
		{long + "\xff", "direct"},
		{"", "direct"},
		{"direct", "direct"},
		{"other", "direct"},
		{"about:blank", "direct"},
		{"android-app://com.example.Some_app2/", "android-app://com.example.Some_app2/"},
		{"android-app://com.example", "android-app://com.example/"},
		{"Android-App://com.example/https/news.example/a", "android-app://com.example/"},
		{"android-app://com.example?a#b", "android-app://com.example/"},
		{"android-app://com.example/" + long, "android-app://com.example/"},
		{"android-app://" + strings.Repeat("a", terse.MaxReferrerBytes), "direct"},
		{"android-app://", "direct"},
		{"android-app:///com.example", "direct"},
		{"android-app://com.example:80/", "direct"},
		{"android-app://me@com.example/", "direct"},
		{"android-app://com.b\u00fccher/", "direct"},
		{"android-app:com.example/", "direct"},
		{"ios-app://123/", "direct"},
		{"//news.example/", "direct"},
		{"/path", "direct"},
		{"https://", "direct"},
		{"https:///path", "direct"},
		{"https://:80/", "direct"},
		{"https:news.example", "direct"},
		{"https://news.example/\xff", "direct"},
		{"https://news.example/\x01", "direct"},
		{"https://user@/", "direct"},
		{"https://news.example/a b", "direct"},
		{"#https://news.example/", "direct"},
	} {
		if got := terse.ParseReferrer([]byte(tt.in)); got != tt.want {
			t.Errorf("ParseReferrer(%.60q) = %.60q, want %.60q", tt.in, got, tt.want)
		}
	}
}

func FuzzReferrer(f *testing.F) {
	for _, s := range []string{
		"", "direct", "https://u:p@news.example/a#b", "http://a@b@c/",
		"https://[::1]:80?x@y", "android-app://com.example/https/a",
		"https://u@a.example:80/" + strings.Repeat("a", terse.MaxReferrerBytes),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, header []byte) {
		got := terse.ParseReferrer(header)
		if got == terse.DirectReferrer {
			return
		}
		scheme, rest, _ := strings.Cut(got, "://")
		authority := rest
		if i := strings.IndexAny(rest, "/?"); i >= 0 {
			authority = rest[:i]
		}
		if scheme = strings.ToLower(scheme); scheme != "http" && scheme != "https" &&
			scheme != "android-app" || authority == "" {
			t.Fatalf("ParseReferrer(%q) = %q, which is no URL", header, got)
		}
		if strings.Contains(authority, "@") || strings.Contains(got, "#") ||
			len(got) > terse.MaxReferrerBytes || !utf8.ValidString(got) {
			t.Fatalf("ParseReferrer(%q) = %q", header, got)
		}
		if again := terse.ParseReferrer([]byte(got)); again != got {
			t.Fatalf("ParseReferrer(%q) = %q, and of that %q", header, got, again)
		}
	})
}

func TestDay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		time string
		want string
	}{
		{"1970-01-01T00:00:00Z", "1970-01-01"},
		{"1970-01-01T23:59:59.999999Z", "1970-01-01"},
		{"1969-12-31T23:59:59.999999Z", "1969-12-31"},
		{"1969-12-31T00:00:00Z", "1969-12-31"},
		{"2024-02-29T12:00:00Z", "2024-02-29"},
		{"2026-01-31T23:30:00-01:00", "2026-02-01"},
	} {
		at, err := time.Parse(time.RFC3339Nano, tt.time)
		if err != nil {
			t.Fatal(err)
		}
		day := terse.DayOf(at.UnixMicro())
		if day.String() != tt.want {
			t.Errorf("day of %s is %s", tt.time, day)
		}
		if terse.DayOf(day.Start()) != day || terse.DayOf(day.Start()-1) != day-1 {
			t.Errorf("%s does not start at %d", day, day.Start())
		}
		first := terse.MonthOf(day).First()
		if first.String() != tt.want[:len("2006-01-")]+"01" ||
			terse.MonthOf(first-1) != terse.MonthOf(day)-1 {
			t.Errorf("the month of %s begins on %s", day, first)
		}
	}
}

func TestErrorsSayTheirMessage(t *testing.T) {
	t.Parallel()
	if got := terse.ErrNotFound.Error(); got != "URL not found" {
		t.Errorf("ErrNotFound says %q", got)
	}
}

func BenchmarkParseReferrer(b *testing.B) {
	header := []byte("https://news.example/item?id=123456")
	b.ReportAllocs()
	for b.Loop() {
		_ = terse.ParseReferrer(header)
	}
}
