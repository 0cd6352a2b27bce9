package weburl_test

import (
	"testing"

	"terse/internal/link/weburl"
)

func TestUnicode(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"xn--mller-kva.example": "müller.example",
		"xn--fiqs8s.example":    "中国.example",
		"example.com":           "", "127.0.0.1": "", "[::1]": "", "": "",
		"xn--a": "", "xn--a.example": "", "xn--Mller-kva.example": "",
	} {
		name, ok := weburl.Unicode(host)
		if ok != (want != "") || ok && name != want {
			t.Errorf("%s: %q, %v, want %q", host, name, ok, want)
		}
	}
}
