package console

import "testing"

func TestPrintable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"\x1b[31m": `\x1b[31m`, "a\u0085b": `a\u0085b`, "\u2066x\u2069": `\u2066x\u2069`,
		"é世👍": "é世👍", "\U000e0041": `\U000e0041`, "a\xffb": `a\ufffdb`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %s, want %s", in, got, want)
		}
	}
}
