package option_test

import (
	"slices"
	"strings"
	"testing"

	"terse"
	"terse/internal/link/manage/option"
)

// What is left is always within the bounds.
func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value, left string
		lost              []string
	}{
		{"title", `"A"`, `"A"`, nil},
		{"title", `5`, `5`, nil},
		{"title", `null`, `null`, nil},
		{"title", `" "`, `null`, []string{"title was dropped: it is blank"}},
		{
			"title", `"` + strings.Repeat("ä", 201) + `"`, `"` + strings.Repeat("ä", 200) + `"`,
			[]string{"title was cut to 200 characters"},
		},
		{"title", `"a\u0007b"`, `"ab"`, []string{"control characters of title were dropped"}},
		{"note", `"a\n\tb"`, `"a\n\tb"`, nil},
		{
			"note", `"` + strings.Repeat("\u0007", 1) + strings.Repeat("n", 2001) + `"`,
			`"` + strings.Repeat("\u0007", 1) + strings.Repeat("n", 2001) + `"`, nil, // no JSON
		},
		{
			"note", `"` + strings.Repeat("n", 2001) + `"`, `"` + strings.Repeat("n", 2000) + `"`,
			[]string{"note was cut to 2000 characters"},
		},
		{"tags", `["a","A","b"]`, `["a","A","b"]`, nil},
		{
			"tags", `["a","` + strings.Repeat("t", 41) + `","b,c",".."," "]`, `["a"]`, []string{
				`tag "` + strings.Repeat("t", 40) + `" was dropped: it is not 1 to 40 characters ` +
					`without commas and control characters`,
				`tag "b,c" was dropped: it is not 1 to 40 characters without commas and control ` +
					`characters`,
				`tag ".." was dropped: it is not 1 to 40 characters without commas and control ` +
					`characters`,
				`tag " " was dropped: it is not 1 to 40 characters without commas and control ` +
					`characters`,
			},
		},
		{"tags", `"a"`, `"a"`, nil},
		{"tags", `null`, `null`, nil},
		{
			"tags", `[` + numbered(20) + `"0","last"]`,
			`[` + strings.TrimSuffix(numbered(20), ",") + `]`,
			[]string{`tag "last" was dropped: a link has at most 20`},
		},
		{"max_clicks", `0`, `0`, nil},
	} {
		left, lost := option.Cut(c.name, []byte(c.value))
		if string(left) != c.left || !slices.Equal(lost, c.lost) {
			t.Errorf("%s %.60s: %.60s is left, lost %q", c.name, c.value, left, lost)
		}
		var options terse.LinkOptions
		if len(lost) > 0 {
			if err := option.Set(&options, c.name, left); err != nil {
				t.Errorf("%s %.60s: %v", c.name, left, err)
			}
		}
	}
}
