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
			".x", // no name is so long
		"https://b%c3%bccher.example/%c3":      "https://xn--bcher-kva.example/%c3",
		"https://u@b%C3%BCcher.example:1/25%#": "https://u@xn--bcher-kva.example:1/25%#",
		"https://r3---ä.example/":              "https://xn--r3----kra.example/",
		"https://①27.1/":                       "https://127.0.0.1/",
		"https://0x7f.1/":                      "https://0x7f.1/",
		"https://％65xample.com/":               "https://%EF%BC%8565xample.com/",
		"ftp://ä/":                             "ftp://%C3%A4/",
	} {
		if got := Location(terse.URL(in)); got != want {
			t.Errorf("Location(%q) = %q, want %q", in, got, want)
		}
	}
}
