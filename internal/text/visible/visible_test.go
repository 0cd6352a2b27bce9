package visible_test

import (
	"testing"

	"terse/internal/text/visible"
)

func TestText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                      "",
		"plain, é世👍":            "plain, é世👍",
		"\x1b[31m":              "[U+001B][31m",
		"a\u0085b\u007f":        "a[U+0085]b[U+007F]",
		"abc\u202egpj.exe":      "abc[U+202E]gpj.exe",
		"\u2066x\u2069":         "[U+2066]x[U+2069]",
		"soft\u00adhyphen":      "soft[U+00AD]hyphen",
		"\u034f\u3164\u200b":    "[U+034F][U+3164][U+200B]",
		"line\u2028paragraph":   "line[U+2028]paragraph",
		"no-break\u00a0space":   "no-break\u00a0space",
		"👩\u200d👧\ufe0f":        "👩\u200d👧\ufe0f",
		"می\u200cروم":           "می\u200cروم",
		"\u0600number":          "\u0600number",
		"a\U000e0041b":          "a[U+E0041]b",
		"a\xffb":                "a\ufffdb",
		scotland + " wins":      scotland + " wins",
		scotland + "\U000e0067": scotland + "[U+E0067]",
	} {
		if got := visible.Text(in); got != want {
			t.Errorf("%+q is shown as %+q, want %+q", in, got, want)
		}
	}
}

// scotland is the flag of Scotland: a black flag and six tags.
const scotland = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
