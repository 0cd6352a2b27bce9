package terse_test

import (
	"strings"
	"testing"

	"terse"
)

func TestSetOption(t *testing.T) {
	t.Parallel()
	const badTitle = "title must be 1 to 200 characters, not only spaces, none a control character"
	for _, tt := range []struct{ name, value, want, err string }{
		{"title", `"Spring sale"`, `{"title":"Spring sale"}`, ""},
		{
			"title", `"` + strings.Repeat("ä", 200) + `"`,
			`{"title":"` + strings.Repeat("ä", 200) + `"}`, "",
		},
		{"title", `null`, "", ""},
		{"title", `"` + strings.Repeat("ä", 201) + `"`, "", badTitle},
		{"title", `""`, "", badTitle},
		{"title", `" \u00a0 "`, "", badTitle},
		{"title", `"a\nb"`, "", badTitle},
		{"title", `7`, "", `field "title" must be a string`},
		{"title", `["a"]`, "", `field "title" must be a string`},
	} {
		options := terse.LinkOptions{Title: "before"}
		err := options.Set(tt.name, []byte(tt.value))
		if got := errorText(err); got != tt.err {
			t.Errorf("%s %.30s: error %q, want %q", tt.name, tt.value, got, tt.err)
			continue
		}
		if err != nil {
			continue
		}
		text, err := options.Encode()
		if err != nil || string(text) != tt.want {
			t.Errorf("%s %.30s: %s (%v), want %s", tt.name, tt.value, text, err, tt.want)
		}
		if again, err := text.Decode(); err != nil || again != options {
			t.Errorf("%s is decoded as %+v (%v)", text, again, err)
		}
	}
}

func TestDamagedOptions(t *testing.T) {
	t.Parallel()
	for _, text := range []terse.EncodedOptions{
		`{`, `[]`, `{"title":7}`, `{"of":"a later version"}`,
	} {
		if options, err := text.Decode(); err == nil || options != (terse.LinkOptions{}) {
			t.Errorf("%s is decoded as %+v (%v)", text, options, err)
		}
	}
}
