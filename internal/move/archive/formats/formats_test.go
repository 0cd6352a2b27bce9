package formats_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"terse/internal/move/archive/formats"
)

// Documents name all formats, and those that the server takes, where people look for them.
func TestDocuments(t *testing.T) {
	t.Parallel()
	texts := formats.TextNames()
	wanted := map[string][]string{
		"../../../../api/openapi.yaml": {
			"enum: [" + strings.Join(texts, ", ") + ", auto]",
			"`format must be " + strings.Join(texts, ", ") + " or auto`",
		},
	}
	for _, name := range formats.Names() {
		const moving = "../../../../docs/moving.md"
		wanted[moving] = append(wanted[moving], "terse import "+name+" ")
		const page = "../../../web/src/products.js"
		if f := formats.Named(name); f.Open != nil {
			wanted[page] = append(wanted[page], "["+strconv.Quote(name)+", \"A")
		}
	}
	for path, parts := range wanted {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s has no %q", path, part)
			}
		}
	}
}

// A text without a format has that of its beginning, whatever its encoding is.
func TestOf(t *testing.T) {
	t.Parallel()
	for start, want := range map[string]string{
		"": "terse", "\n \n": "terse", `{"type":"link"}`: "terse", "\ufeff\n{": "terse",
		"\xff\xfe{\x00": "terse", "\x00{": "terse",
		`{"version":"1.0"`: "sink", "{\n  \"version\": 1": "sink", "\xff\xfe{\x00\"\x00S": "terse",
		`{"Short":"a"`: "golink", `{"versions":1`: "terse", `{"type":"a","version":1`: "terse",
		"-- MySQL dump": "yourls", "/*M!99": "yourls", "\xff\xfe/\x00*\x00": "yourls",
		"original_url": "csv", "\ufeffurl": "csv", "\xfe\xff\x00u": "csv", `"{`: "csv",
	} {
		if f := formats.Of([]byte(start)); f == nil || f.Name != want {
			t.Errorf("%q is %+v, want %s", start, f, want)
		}
	}
}
