package console

import (
	"slices"
	"testing"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"\x1b[31m": "[U+001B][31m", "a\u0085b": "a[U+0085]b",
		"\u2066x\u2069": "[U+2066]x[U+2069]", "é世👍": "é世👍", "\U000e0041": "[U+E0041]",
		"a\xffb": "a\ufffdb", "a\n\tb\r": `a\n\tb[U+000D]`,
		"👩\u200d👧\ufe0f": "👩\u200d👧\ufe0f", "می\u200cروم": "می\u200cروم",
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text    string
		columns int
		want    []string
	}{
		{"", 5, []string{""}},
		{"one two", 7, []string{"one two"}},
		{"one two", 6, []string{"one", "two"}},
		{"one two", 3, []string{"one", "two"}},
		{"one  two", 4, []string{"one", "two"}},
		{"a longer title", 8, []string{"a longer", "title"}},
		{"a verylongtitle is", 6, []string{"a", "verylo", "ngtitl", "e is"}},
		{"世界世界", 5, []string{"世界", "世界"}},
		{"世", 1, []string{"世", ""}},
		{"ends in a blank ", 15, []string{"ends in a blank", ""}},
	} {
		if got := wrap(row.text, row.columns); !slices.Equal(got, row.want) {
			t.Errorf("%q in %d columns: %q, want %q", row.text, row.columns, got, row.want)
		}
	}
}
