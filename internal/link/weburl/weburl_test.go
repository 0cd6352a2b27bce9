package weburl_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"terse"
	"terse/internal/link/weburl"
)

func TestParseAccepts(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"http://example.com",
		"https://example.com/",
		"HTTPS://EXAMPLE.COM/Path",
		"hTTp://example.com",
		"http://localhost",
		"http://localhost:8080/x",
		"http://example.com:1/",
		"http://example.com:65535/",
		"http://example.com:/", // an empty port is the scheme's (RFC 3986, 3.2.3)
		"http://192.0.2.7/",
		"http://[2001:db8::1]:443/",
		"http://[::ffff:192.0.2.7]/",
		"http://user:secret@example.com/",
		"http://example.com./",
		"http://a_b.example.com/",
		"http://bücher.example/straße?größe=1#ende",
		"http://例え.テスト/",
		"https://example.com/?a=1&b=<2>&c=%20",
		"https://example.com/#fragment",
		"https://example.com/a//b/../c",
		"https://example.com/25%-off?%#%zz",
		"https://example.com?25%",
		`https://example.com\a\b`,
		"https://ش\u200cش.example/",
		"https://example.com/" + strings.Repeat("a", terse.MaxURLBytes-len("https://example.com/")),
		"http://" + strings.Repeat(strings.Repeat("a", 63)+".", 3) + strings.Repeat("a", 61) + "/",
	} {
		u, err := weburl.Parse(s)
		if err != nil || string(u) != s {
			t.Errorf("Parse(%.80q) = %.80q, %v, want it verbatim", s, u, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"example.com",
		"//example.com/",
		"/path",
		"ftp://example.com/",
		"javascript:alert(1)",
		"data:text/html,x",
		"mailto:someone@example.com",
		"http:example.com",
		"http:/example.com",
		"http://",
		"http:///path",
		"http://:80/",
		"http://user@/",
		"http://?q",
		"http://#f",
		"http://example.com:0/",
		"http://example.com:65536/",
		"http://example.com:99999999999999999999/",
		"http://example.com:http/",
		"http://example.com:-1/",
		"http://.",
		"http://a..b/",
		"http://.a/",
		"http://exa mple.com/",
		"http://example.com/a b",
		" http://example.com/",
		"http://example.com/ ",
		"http://example.com/\u00a0",
		"\u2003http://example.com/",
		"http://example.com/\t",
		"http://example.com/\n",
		"http://example.com/\x00",
		"http://example.com/\x7f",
		"http://example.com/\u0085",
		"http://example.com/\xff",
		"http://exa\u3000mple.com/",
		"http://exa\u200bmple.com/",
		"http://exa<mple.com/",
		"http://exa%20mple.com/",
		"http://[::1/",
		"http://[192.0.2.7]/",
		"http://[example]/",
		"http://2001:db8::1/",
		"http://exa%6dple.com/",
		"http://100%.example/",
		"http://a%@example.com/",
		"http://example.com:8%/",
		"http://" + strings.Repeat("a", 64) + ".com/",
		"http://" + strings.Repeat("a.", 126) + "aa/",
	} {
		if u, err := weburl.Parse(s); u != "" || !errors.Is(err, terse.ErrBadURL) {
			t.Errorf("Parse(%.80q) = %.80q, %v, want ErrBadURL", s, u, err)
		}
	}
	long := "https://example.com/" + strings.Repeat("a", terse.MaxURLBytes)
	if _, err := weburl.Parse(long); !errors.Is(err, terse.ErrLongURL) {
		t.Errorf("Parse of a long URL: %v, want ErrLongURL", err)
	}
	if _, err := weburl.Parse(""); !errors.Is(err, terse.ErrURLRequired) {
		t.Errorf("Parse of nothing: %v, want ErrURLRequired", err)
	}
}

func FuzzURL(f *testing.F) {
	for _, s := range []string{
		"", "http://example.com", "HTTPS://u:p@[::1]:80/p?q#f", "http://bücher.example",
		"http://a..b", "http://x:65536", "http://a\x00", "http:///", "http://%41/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := weburl.Parse(s)
		if err != nil {
			var known *terse.Error
			if !errors.As(err, &known) || known.Kind != terse.Invalid || got != "" {
				t.Fatalf("Parse(%q) = %q, %v", s, got, err)
			}
			return
		}
		if string(got) != s {
			t.Fatalf("Parse(%q) = %q, want it verbatim", s, got)
		}
		if len(s) > terse.MaxURLBytes || !utf8.ValidString(s) ||
			strings.ContainsAny(s, " \t\r\n\x00") {
			t.Fatalf("Parse accepts %q", s)
		}
		parts, ok := weburl.Split(s)
		host, valid := weburl.Host(parts.Host)
		if !ok || !valid || parts.Scheme != "http" && parts.Scheme != "https" {
			t.Fatalf("Parse accepts %q, which has the parts %+v", s, parts)
		}
		if again, ok := weburl.Host(host); again != host || !ok {
			t.Fatalf("the host of %q is %q, and that of that %q", s, host, again)
		}
	})
}
