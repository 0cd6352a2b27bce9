package address_test

import (
	"strings"
	"testing"

	"terse/internal/link/address"
)

func TestValid(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"1", "docs/install", "v1.2", "grüße", "a b", "a/b/c/d", "~x", "@me", "a+b", "x.svg/y",
		".hidden", "...", "x.SVG", "日本", strings.Repeat("x", 128), strings.Repeat("ü", 64),
		"a:b;c,d=e&f!$'()*", "\U0001F600", "launch",
	} {
		if !address.Valid(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "a/./b", "a/../b", "../a", "a/..", " a", "a ", " ",
		"a?b", "a#b", `a\b`, "a%b", "a%20b", "a\tb", "a\nb", "a\x00", "a\x7f", "\u0085",
		"a\u200bb", "a\u00a0b", "a\u2028b", "a\u3000", "a\u00adb", "\ufeffa", "\u202ea",
		"a\xff", "\xc0\xaf", "\xed\xa0\x80", "a+", "a.svg", "a.png", "docs/a.svg", "+", ".png",
		strings.Repeat("x", 129), strings.Repeat("ü", 64) + "x",
	} {
		if address.Valid(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}
