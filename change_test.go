package terse_test

import (
	"encoding/json"
	"testing"
	"time"

	"terse"
)

// Whatever DiffLinks returns is valid; values of other types are not.
func TestValidChange(t *testing.T) {
	t.Parallel()
	code, err := terse.ParseCode("abc")
	if err != nil {
		t.Fatal(err)
	}
	other, err := terse.ParseCode("abd")
	if err != nil {
		t.Fatal(err)
	}
	one := "1"
	options := terse.LinkOptions{
		Title: "<Grüße> & \u2028", Note: "a\nb", Tags: []string{"a"}, Aliases: []string{"b/c"},
		StartsAt:   time.Date(2026, 1, 2, 3, 4, 5, 600000, time.UTC),
		ExpiresAt:  time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC),
		MaxClicks:  terse.MaxMaxClicks,
		Disabled:   true,
		ExpiredURL: "https://e.example/?a&b", Password: "$2a$", RedirectStatus: 301,
		ForwardQuery: true, ForwardPath: true,
		Rules: []terse.Rule{{Name: "a", Share: 5, URL: "https://e.example/", When: terse.Conditions{
			Device: []string{"ios"}, Query: map[string]*string{"a": nil, "b": &one},
			After: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		}}},
	}
	text, err := options.Encode()
	if err != nil {
		t.Fatal(err)
	}
	plain := terse.Link{Code: code, URL: "https://e.example/a"}
	rich := terse.Link{Code: other, URL: "https://e.example/<b>", Options: text}
	for _, changes := range []terse.FieldChanges{
		terse.DiffLinks(plain, rich), terse.DiffLinks(rich, plain),
	} {
		if len(changes) != 16 {
			t.Errorf("%d fields", len(changes))
		}
		for name, change := range changes {
			if !terse.ValidChange(name, change) {
				t.Errorf("%s from %s to %s is not valid", name, change.Old, change.New)
			}
		}
	}
	for name, values := range map[string][]string{
		"short_code": {"", "5", `""`}, "original_url": {"", "[]"}, "password": {"false", `"x"`},
		"title": {"5", `""`, `["a"]`}, "aliases": {"5", "[null]", "[5]", "[]"},
		"rules":      {"[null]", "[{}]", `[{"name":"a","url":"https://e.example/","x":1}]`, "[5]"},
		"max_clicks": {"0", `"5"`, "1.5"}, "starts_at": {`"yesterday"`, "5"}, "tags": {"[null]"},
		"disabled": {`"true"`, "1"}, "Title": {`"a"`}, "later": {"true"}, "id": {"5"},
	} {
		for _, value := range values {
			change := terse.FieldChange{New: json.RawMessage(value)}
			if value == "" {
				change.New = nil
			}
			if terse.ValidChange(name, change) {
				t.Errorf("%s: %s is valid", name, value)
			}
		}
	}
}
