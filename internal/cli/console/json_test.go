package console

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestColorsOfJSON(t *testing.T) {
	t.Parallel()
	const name, text, word, end = "\x1b[1;34m", "\x1b[32m", "\x1b[33m", "\x1b[m"
	for in, want := range map[string]string{
		`{"a": 1, "b" : "c"}`: "{" + name + `"a"` + end + ": 1, " + name + `"b"` + end + " : " +
			text + `"c"` + end + "}",
		`["a\"b\\",-1.5e+10,1e5]`: "[" + text + `"a\"b\\"` + end + ",-1.5e+10,1e5]",
		"[true,false,\n null]": "[" + word + "true" + end + "," + word + "false" + end + ",\n " +
			word + "null" + end + "]",
		`{"null":"true"}`: "{" + name + `"null"` + end + ":" + text + `"true"` + end + "}",
		"[1.5E+7]":        "[1.5E+7]", "": "", "5": "5", "{}\n": "{}\n",
		`"é世"`:     text + `"é世"` + end,
		`"cut`:     text + `"cut` + end, // what no server sends ends, too
		`"cut\`:    text + `"cut\` + end,
		`"a" "b":`: text + `"a"` + end + " " + name + `"b"` + end + ":",
	} {
		if got := Colors(true).json(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
		if got := Colors(false).json(in); got != in {
			t.Errorf("%s without colours: %q", in, got)
		}
	}
}

// Without its colours, a painted text is the text.
func FuzzColorsOfJSON(f *testing.F) {
	f.Add(`{"a":[1e3,"b\"",true,null]}`)
	f.Fuzz(func(t *testing.T, in string) {
		if !jsontext.Value(in).IsValid() {
			return
		}
		painted := Colors(true).json(in)
		for _, code := range []string{jsonName, jsonText, jsonWord, ""} {
			painted = strings.ReplaceAll(painted, "\x1b["+code+"m", "")
		}
		if painted != in {
			t.Errorf("%q became %q", in, painted)
		}
	})
}
