package words_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"terse/internal/visit/redirect/words"
)

var braces = regexp.MustCompile(`\{[^}]*\}`)

// Each language says all that English does, in plain text, with the same braces.
func TestLanguages(t *testing.T) {
	t.Parallel()
	all := words.All()
	if len(all) < 12 || all[0].Language != words.English {
		t.Fatalf("%d languages, %q first", len(all), all[0].Language)
	}
	english := reflect.ValueOf(all[0])
	codes := map[string]bool{}
	for _, w := range all {
		if w.Language != strings.ToLower(w.Language) {
			t.Errorf("%s.json: the name is in capitals", w.Language)
		}
		for _, code := range append([]string{w.Language}, w.Also...) {
			if codes[code] || code == "" || code != strings.ToLower(code) {
				t.Errorf("%s.json: also: %q is empty, in capitals or there already", w.Language,
					code)
			}
			codes[code] = true
		}
		if w.Direction != "ltr" && w.Direction != "rtl" {
			t.Errorf("%s.json: direction is %q, want ltr or rtl", w.Language, w.Direction)
		}
		for _, month := range w.Months {
			if strings.TrimSpace(month) == "" {
				t.Errorf("%s.json: months: one is empty", w.Language)
			}
		}
		value := reflect.ValueOf(w)
		for i := range value.NumField() {
			if value.Field(i).Kind() != reflect.String {
				continue
			}
			name := value.Type().Field(i).Tag.Get("json")
			text, want := value.Field(i).String(), english.Field(i).String()
			if strings.TrimSpace(text) == "" || text != strings.TrimSpace(text) {
				t.Errorf("%s.json: %s: %q is empty, or has blanks around it", w.Language, name,
					text)
			}
			if strings.ContainsAny(text, "<>&") {
				t.Errorf("%s.json: %s: %q has HTML, want plain text", w.Language, name, text)
			}
			got := map[string]bool{}
			for _, brace := range braces.FindAllString(text, -1) {
				got[brace] = true
			}
			for _, brace := range braces.FindAllString(want, -1) {
				if !got[brace] {
					t.Errorf("%s.json: %s: %q lacks %s", w.Language, name, text, brace)
				}
				delete(got, brace)
			}
			for brace := range got {
				t.Errorf("%s.json: %s: %q has %s, which English lacks", w.Language, name, text,
					brace)
			}
		}
	}
}

func TestCreatedOn(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"en": "Created on 9 March 2026", "de": "Erstellt am 9. März 2026",
		"ja": "作成日: 2026年3月9日", "pt": "Criado em 9 de março de 2026",
		"zh-hant": "建立於 2026年3月9日",
	}
	at := time.Date(2026, 3, 9, 23, 59, 0, 0, time.UTC)
	for _, w := range words.All() {
		if text, ok := want[w.Language]; ok && w.CreatedOn(at) != text {
			t.Errorf("%s: %q, want %q", w.Language, w.CreatedOn(at), text)
		}
	}
}
