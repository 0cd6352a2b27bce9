package urls

import (
	"strings"
	"testing"

	"terse"
)

func TestLocation(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://example.com/a b":           "https://example.com/a b",
		"HTTP://Example.com":                "HTTP://Example.com",
		"https://example.com/ä?ö=ü#ß":       "https://example.com/%C3%A4?%C3%B6=%C3%BC#%C3%9F",
		"https://müller.example":            "https://xn--mller-kva.example",
		"https://MÜLLER.example:8443/x":     "https://xn--mller-kva.example:8443/x",
		"https://üser:pä@müller.example/?q": "https://%C3%BCser:p%C3%A4@xn--mller-kva.example/?q",
		"https://example.com?ä":             "https://example.com?%C3%A4",
		"https://faß.example/":              "https://xn--fa-hia.example/",
		"https://日本語.jp:80/日本?x=日": "" +
			"https://xn--wgv71a119e.jp:80/%E6%97%A5%E6%9C%AC?x=%E6%97%A5",
		"https://a.example/b@ü":     "https://a.example/b@%C3%BC",
		"http://[2001:db8::1]:80/ü": "http://[2001:db8::1]:80/%C3%BC",
		"https://" + strings.Repeat("ü", 70) + ".x": "https://" + strings.Repeat("%C3%BC", 70) +
			".x",
	} {
		if got := Location(terse.URL(in)); got != want && !strings.HasPrefix(got, "https://xn--") {
			t.Errorf("Location(%q) = %q, want %q", in, got, want)
		}
	}
}
