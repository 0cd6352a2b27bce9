package language

import "testing"

func TestLookUp(t *testing.T) {
	t.Parallel()
	languages := []string{"de", "pt-br", "zh-hant", "en", "de-ch"}
	for header, want := range map[string]string{
		"de": "de", "DE-AT": "de", "de-CH": "de-ch", "de-CH-1996": "de-ch", "pt": "",
		"PT-br":      "pt-br",
		"zh-Hant-TW": "zh-hant", "zh-TW": "",
		"fr, en;q=0.3, de;q=0.4": "de", "en;q=0.5,de;q=0.5": "en",
		"": "", "*": "", "fr, *;q=0.5": "", "en;q=0, en-GB": "", "de;q=0, de-CH": "de-ch",
		"en-x-de":          "en",
		"en;q=2, de;q=0.1": "de", "en ; q=0.1 , de ; q=0.2": "de", ";q=1, en": "en",
		"de;level=1, en": "en", "en;q=1.000": "en", "en;q=1.001": "", "en;q=0.0001": "",
	} {
		got := ""
		if i := LookUp(languages, []byte(header)); i >= 0 {
			got = languages[i]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

func FuzzLookUp(f *testing.F) {
	f.Add("de-AT, pt-br;q=0.5, *;q=0")
	f.Add("-,--;q=0.,a-;q=1.000")
	f.Fuzz(func(t *testing.T, header string) {
		if i := LookUp([]string{"de", "en-x-a"}, []byte(header)); i < -1 || i > 1 {
			t.Fatal(i)
		}
	})
}
