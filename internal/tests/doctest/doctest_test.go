package doctest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terse"
)

const document = "# Title\n\n```json\n{\"a\": 1}\n```\n\n" +
	"## Bytes\n\nA text.\n\n```hex\n01 ff  # two, 99\n\n00     # one\n```\n\n" +
	"| A | B |\n|---|---|\n| `1` | two words |\n| | 3 |\n\nMore.\n\n| No | row |\n\n" +
	"### Commands\n\n```sh\n# comment\none\n```\n\n```sh\ntwo\n```\n"

func TestDocument(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "document.md")
	if err := os.WriteFile(path, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	var v struct {
		A int `json:"a"`
	}
	JSON(t, path, "# Title", &v)
	for _, tt := range []struct {
		name      string
		got, want any
	}{
		{"JSON", v.A, 1},
		{"hex", Hex(t, path, "## Bytes"), []byte{1, 0xFF, 0}},
		{"table", Table(t, path, "## Bytes"), [][]string{{"1", "two words"}, {"", "3"}}},
		{
			"blocks", Blocks(t, path, "### Commands", "sh"),
			[]string{"# comment\none\n", "two\n"},
		},
		{
			"values", Values(t, map[string]string{"country": "DE"}),
			terse.Values{terse.ByCountry: "DE"},
		},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
