package redirect

import (
	"strings"
	"testing"

	"terse/internal/visit/redirect/words"
)

// Visitors read pages in the first of their languages that there is, or else in English.
func TestPagesInTheVisitorsLanguage(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "over", "https://example.com/", `disabled true`)
	f.linkWith(t, "locked", "https://example.com/", `password "$2a$04$`+strings.Repeat("a", 53)+`"`)
	f.linkWith(t, "rules", "https://müller.example/",
		`rules [{"name":"r","url":"https://r.example/"}]`)
	for _, w := range words.All() {
		for request, texts := range map[string][]string{
			"GET /nothing": {w.TitleNotFound, w.NotFound, w.Mistyped},
			"GET /over":    {w.TitleOver, w.Over, w.OverWhy},
			"GET /over+":   {w.TitleOver, w.Over, w.OverWhy},
			"GET /locked":  {w.TitlePassword, w.NeedsPassword, w.Password, w.Continue},
			"GET /locked+": {w.Hidden, w.Continue},
			"GET /rules+":  {w.MayDiffer, strings.TrimSuffix(w.ASCIIHost, "{host}")},
		} {
			r, err := f.ask(request, "Accept-Language: xx, "+w.Language+"-XX;q=0.9, en;q=0.1")
			if err != nil {
				t.Fatal(err)
			}
			body := r.Body.String()
			tag := `<html lang="` + w.Language + `" dir="` + w.Direction + `">`
			if !strings.Contains(body, tag) || r.Header().Get("Content-Language") != w.Language ||
				r.Header().Get("Vary") != "Accept-Language" {
				t.Errorf("%s of %s: no %s, or another Content-Language or Vary: %v", request,
					w.Language, tag, r.Header())
			}
			for _, text := range texts {
				if !strings.Contains(body, text) {
					t.Errorf("%s of %s has no %q", request, w.Language, text)
				}
			}
			if strings.ContainsAny(body[strings.Index(body, "</style>"):], "{}") {
				t.Errorf("%s of %s has a brace", request, w.Language)
			}
		}
	}
	for _, header := range []string{"", "*", "xx", ";;q=", "de;q=0", "en-GB,de;q=0.9"} {
		if r := f.wantStatus(t, 404, "GET /nothing", "Accept-Language: "+header); r.Header().Get(
			"Content-Language") != words.English {
			t.Errorf("%q leads to %s", header, r.Header().Get("Content-Language"))
		}
	}
}

// Chinese is written in two ways, which headers mostly tell by the country.
func TestChinesePages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for header, want := range map[string]string{
		"zh-TW,zh;q=0.9,en;q=0.8": "zh-hant", "zh-HK": "zh-hant", "zh-MO": "zh-hant",
		"zh-Hant": "zh-hant", "zh-Hant-HK,zh": "zh-hant", "zh-tw;q=0.5,zh-Hans;q=0.4": "zh-hant",
		"zh": "zh", "zh-CN,zh;q=0.9,en;q=0.8": "zh", "zh-Hans-HK": "zh", "zh-SG,zh-TW;q=0.9": "zh",
		"zh-TW;q=0,en": "en",
	} {
		r := f.wantStatus(t, 404, "GET /nothing", "Accept-Language: "+header)
		if got := r.Header().Get("Content-Language"); got != want {
			t.Errorf("%s leads to %s, want %s", header, got, want)
		}
		if body := r.Body.String(); strings.Contains(body, "找不到連結") != (want == "zh-hant") ||
			strings.Contains(body, "找不到链接") != (want == "zh") {
			t.Errorf("%s: %s", header, body)
		}
	}
}

// On a page that is read from right to left, the parts of a URL keep their order.
func TestPageFromRightToLeft(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "launch", "https://example.com/a?b=1", `title "A, b."`)
	body := f.wantStatus(t, 200, "GET /launch+", "Accept-Language: ar").Body.String()
	for _, part := range []string{
		"<h1><bdi>A, b.</bdi></h1>", "<p><bdi>https://s.example/launch</bdi></p>",
		"<bdi>https://<b>example.com</b>/a?b=1</bdi>",
	} {
		if !strings.Contains(body, part) {
			t.Errorf("no %s: %s", part, body)
		}
	}
}
