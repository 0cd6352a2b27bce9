package searchtext_test

import (
	"strings"
	"testing"

	"terse"
	"terse/internal/link/searchtext"
)

func TestSearchText(t *testing.T) {
	t.Parallel()
	query := "x"
	for name, test := range map[string]struct {
		options terse.LinkOptions
		finds   []string
		misses  []string
	}{
		"plain": {terse.LinkOptions{}, []string{"code", "/path"}, []string{"title", "e/"}},
		"titled": {
			terse.LinkOptions{Title: "Über \"<&>\\\u2028x", Note: `noted "tags":["seen"]`},
			[]string{"code", "über \"<&>\\\u2028x"},
			[]string{"noted", "seen", "hü", "u2028"},
		},
		"apart": {
			terse.LinkOptions{Title: "E\u0301t\u00e9", Tags: []string{"\u0302a\u0302"}},
			[]string{"\u00e9t\u00e9", "\u0302\u00e2"},
			[]string{"e\u0301", "te\u0301", "path\u0302"},
		},
		"tagged": {
			terse.LinkOptions{Title: "Bb", Tags: []string{"Äa", "b\"c", "d"}},
			[]string{"äa", "b\"c", "bb", "d"},
			[]string{"aab", "tags", `",`, "cd"},
		},
		"aliased": {
			terse.LinkOptions{Tags: []string{"t"}, Aliases: []string{"docs/Install", "Grüße", "1"}},
			[]string{"docs/install", "grüße", "1", "t"},
			[]string{"installg", "aliases", "t\xffdocs1"},
		},
		"nested": {
			terse.LinkOptions{Rules: []terse.Rule{{
				Name: "ruled", URL: "https://ruled.example/",
				When: terse.Conditions{Query: map[string]*string{"title": &query, "tags": &query}},
			}}},
			[]string{"code"},
			[]string{"x", "ruled"},
		},
	} {
		options, err := test.options.Encode()
		if err != nil {
			t.Fatal(err)
		}
		text := searchtext.Append(nil, "cOde", "https://A.org/Path", []byte(options))
		for _, word := range test.finds {
			if !(terse.Search{{word}}).Finds(text) {
				t.Errorf("%s: %q is not found in %q", name, word, text)
			}
		}
		for _, word := range test.misses {
			if (terse.Search{{word}}).Finds(text) {
				t.Errorf("%s: %q is found in %q", name, word, text)
			}
		}
	}
	for _, damaged := range []string{
		`{"title":"a`, `{"title":"\`, `{"title":"\x"`, `"tags":["a`, `"tags":[`,
	} {
		text := searchtext.Append(nil, "code", "url", []byte(damaged))
		if !strings.HasPrefix(string(text), "code\xffurl") {
			t.Errorf("%s: %q", damaged, text)
		}
	}
}
