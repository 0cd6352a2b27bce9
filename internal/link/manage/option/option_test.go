package option_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/internal/link/manage/option"
)

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestSetOption(t *testing.T) {
	t.Parallel()
	const (
		badTitle = "title must be 1 to 200 characters, not only spaces, none a control character"
		badNote  = "note must be 1 to 2000 characters, not only spaces, none a control character " +
			"but tabs and line breaks"
		badAlias = `aliases must each be 1 to 128 bytes in segments that single slashes ` +
			`separate, without . and .. as segments, control and invisible characters, ? # \ and ` +
			`%, and must not end in +, .svg or .png`
		badTags = "tags must be up to 20, each 1 to 40 characters, without commas and control " +
			"characters, and neither . nor .."
		badTime = " must be an RFC 3339 time such as 2026-01-31T12:00:00Z"
	)
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
		{"note", `"a\n\tb"`, `{"note":"a\n\tb"}`, ""},
		{"note", `"a\u0007b"`, "", badNote},
		{"note", `"` + strings.Repeat("n", 2001) + `"`, "", badNote},
		{"tags", `["shop"," News ","SHOP","äb","ÄA"]`, `{"tags":["News","shop","ÄA","äb"]}`, ""},
		{"tags", `[]`, "", ""},
		{"tags", `null`, "", ""},
		{"tags", `["a,b"]`, "", badTags},
		{"tags", `["a\tb"]`, "", badTags},
		{"tags", `[" "]`, "", badTags},
		{"tags", `[null]`, "", badTags},
		{"tags", `["` + strings.Repeat("t", 41) + `"]`, "", badTags},
		{"tags", `[` + strings.TrimSuffix(numbered(21), ",") + `]`, "", badTags},
		{"tags", `"a"`, "", `field "tags" must be a list of strings`},
		{"aliases", `["1","docs/install","e\u0301"]`, `{"aliases":["1","docs/install","é"]}`, ""},
		{"aliases", `[]`, "", ""},
		{"aliases", `null`, "", ""},
		{"aliases", `["a//b"]`, "", badAlias},
		{"aliases", `["a+"]`, "", badAlias},
		{"aliases", `[null]`, "", badAlias},
		{"aliases", `"a"`, "", `field "aliases" must be a list of strings`},
		{"tags", `[1]`, "", `field "tags" must be a list of strings`},
		{
			"starts_at", `"2026-01-31T13:00:00.1234567+01:00"`,
			`{"starts_at":"2026-01-31T12:00:00.123456Z"}`, "",
		},
		{"starts_at", `null`, "", ""},
		{"starts_at", `"2026-01-31"`, "", "starts_at" + badTime},
		{
			"expires_at", `"0001-01-01T00:00:00Z"`, "",
			"expires_at must be later than 0001-01-01T00:00:00Z",
		},
		{"expires_at", `""`, "", "expires_at" + badTime},
		{"expires_at", `5`, "", `field "expires_at" must be a string`},
		{"max_clicks", `5.0`, `{"max_clicks":5}`, ""},
		{"max_clicks", `1e9`, `{"max_clicks":1000000000}`, ""},
		{"max_clicks", `0`, "", "max_clicks must be 1 to 1000000000"},
		{"max_clicks", `1000000001`, "", "max_clicks must be 1 to 1000000000"},
		{"max_clicks", `-1`, "", "max_clicks must be 1 to 1000000000"},
		{"max_clicks", `5.5`, "", `field "max_clicks" must be a whole number`},
		{"max_clicks", `1e300`, "", `field "max_clicks" must be a whole number`},
		{"max_clicks", `"5"`, "", `field "max_clicks" must be a whole number`},
		{"disabled", `true`, `{"disabled":true}`, ""},
		{"disabled", `false`, "", ""},
		{"disabled", `null`, "", ""},
		{"disabled", `1`, "", `field "disabled" must be true or false`},
		{"archived", `true`, `{"archived":true}`, ""},
		{"archived", `false`, "", ""},
		{"archived", `null`, "", ""},
		{"archived", `"true"`, "", "archived must be true or false"},
		{"archived", `1`, "", "archived must be true or false"},
		{"archived", `[]`, "", "archived must be true or false"},
		{"expired_url", `"https://a.example/?a=1&b"`, "", ""},
		{"expired_url", `"ftp://a.example"`, "", "expired_url must be a valid http or https URL"},
		{"expired_url", `""`, "", "expired_url must be a valid http or https URL"},
		{"password", `"` + strings.Repeat("p", 128) + `"`, "", ""},
		{"password", `"` + strings.Repeat("ä", 65) + `"`, "", "password must be 1 to 128 bytes"},
		{"password", `""`, "", "password must be 1 to 128 bytes"},
		{"password", `true`, "", `field "password" must be a string`},
		{"redirect_status", `302`, `{"redirect_status":302}`, ""},
		{"redirect_status", `303`, "", "redirect_status must be 301, 302, 307 or 308"},
		{"forward_query", `true`, `{"forward_query":true}`, ""},
		{"forward_path", `true`, `{"forward_path":true}`, ""},
		{"rules", `null`, "", ""},
		{"rules", `[]`, "", ""},
	} {
		var options terse.LinkOptions
		err := option.Set(&options, tt.name, []byte(tt.value))
		if got := errorText(err); got != tt.err {
			t.Errorf("%s %.30s: error %q, want %q", tt.name, tt.value, got, tt.err)
			continue
		}
		if err != nil {
			continue
		}
		text, err := options.Encode()
		if err != nil || tt.want != "" && string(text) != tt.want {
			t.Errorf("%s %.30s: %s (%v), want %s", tt.name, tt.value, text, err, tt.want)
		}
		again, err := text.Decode()
		twice, _ := again.Encode()
		if err != nil || twice != text {
			t.Errorf("%s is decoded as %+v (%v)", text, again, err)
		}
	}
}

// numbered returns n different strings as JSON, each with a comma behind it.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%d",`, i)
	}
	return b.String()
}

// TestTakeOptionsAway: null empties every option.
func TestTakeOptionsAway(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"title": `"t"`, "note": `"n"`, "tags": `["a"]`, "aliases": `["a"]`,
		"starts_at": `"2026-01-31T12:00:00Z"`, "expires_at": `"2026-02-01T12:00:00Z"`,
		"max_clicks": `7`, "disabled": `true`,
		"expired_url": `"https://a.example"`, "password": `"p"`, "redirect_status": `307`,
		"forward_query": `true`, "forward_path": `true`,
		"rules": `[{"name":"a","url":"https://a.example"}]`, "archived": `true`,
	}
	var options terse.LinkOptions
	tested := 0
	for name, value := range values {
		if err := option.Set(&options, name, []byte(value)); err != nil {
			t.Error(err)
		}
	}
	full := reflect.ValueOf(options)
	for i := range full.NumField() {
		field := full.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		if tested++; full.Field(i).IsZero() {
			t.Errorf("%s is not set", field.Name)
		}
	}
	if tested != len(values) {
		t.Errorf("%d options, %d are tested", tested, len(values))
	}
	for name := range values {
		if err := option.Set(&options, name, []byte("null")); err != nil {
			t.Error(err)
		}
	}
	if text, err := options.Encode(); text != "" || err != nil {
		t.Errorf("left are %s (%v)", text, err)
	}
}

func TestOptionsGoTogether(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	good := terse.LinkOptions{StartsAt: at, ExpiresAt: at.Add(1)}
	bad := terse.LinkOptions{StartsAt: at, ExpiresAt: at}
	if err := option.Check(&good); err != nil {
		t.Error(err)
	}
	if got := errorText(option.Check(&bad)); got != "starts_at must be before expires_at" {
		t.Error(got)
	}
}

func TestSetRules(t *testing.T) {
	t.Parallel()
	rule := func(members string) string {
		return `[{"name":"a","url":"https://a.example",` + members + `}]`
	}
	when := func(members string) string { return rule(`"when":{` + members + `}`) }
	for _, tt := range []struct{ value, want, err string }{
		{rule(`"share":50`), `"share":50`, ""},
		{when(``), `{"name":"a","url":"https://a.example"}`, ""},
		{when(`"device":["ios"],"browser":["edge"]`), `"device":["ios"],"browser":["edge"]`, ""},
		{when(`"country":["de"]`), `"country":["DE"]`, ""},
		{when(`"language":["pt-BR"]`), `"language":["pt-BR"]`, ""},
		{when(`"query":{"a":null,"b":""}`), `"query":{"a":null,"b":""}`, ""},
		{
			when(`"address":["192.0.2.7/24","2001:db8::1","::ffff:192.0.2.7"]`),
			`"address":["192.0.2.0/24","2001:db8::1/128","192.0.2.7/32"]`, "",
		},
		{when(`"after":"2026-01-31T13:00:00+01:00"`), `"after":"2026-01-31T12:00:00Z"`, ""},
		{`{}`, "", `field "rules" must be a list of rules`},
		{`[7]`, "", `field "rules[0]" must be an object`},
		{`[{}]`, "", "rules[0].name must be 1 to 40 characters, not only spaces, none a control " +
			"character"},
		{`[{"name":"a"}]`, "", "rules[0].url must be a valid http or https URL"},
		{
			`[{"name":"default","url":"https://a.example"}]`, "",
			`rules[0].name must be another one: "default" is taken`,
		},
		{
			strings.Replace(rule(`"share":5`), "]", `,{"name":"a","url":"https://b.example"}]`, 1),
			"", `rules[1].name must be another one: "a" is taken`,
		},
		{rule(`"share":0`), "", "rules[0].share must be 1 to 99"},
		{rule(`"share":100`), "", "rules[0].share must be 1 to 99"},
		{rule(`"share":"5"`), "", `field "rules[0].share" must be a whole number`},
		{rule(`"Share":5`), "", `unknown field "rules[0].Share"`},
		{when(`"devices":["ios"]`), "", `unknown field "rules[0].when.devices"`},
		{when(`"device":"ios"`), "", `field "rules[0].when.device" must be a list of strings`},
		{when(`"device":[]`), "", "rules[0].when.device must have 1 to 100 values"},
		{
			when(`"device":["ios","phone"]`), "", "rules[0].when.device[1] must be one of ios, " +
				"android, windows, macos, linux, chromeos, mobile, tablet, desktop",
		},
		{
			when(`"language":["d"]`), "",
			"rules[0].when.language[0] must be a language tag such as de or pt-BR",
		},
		{
			when(`"country":["Germany"]`), "",
			"rules[0].when.country[0] must be an ISO 3166-1 alpha-2 code such as DE",
		},
		{
			when(`"country":["GB","UK"]`), "",
			"rules[0].when.country[1] must be an ISO 3166-1 alpha-2 code such as DE",
		},
		{
			when(`"address":["fe80::1%eth0"]`), "",
			"rules[0].when.address[0] must be an address or a block such as 192.0.2.0/24",
		},
		{when(`"query":{"a":7}`), "", `field "rules[0].when.query" must be an object of strings ` +
			"or null"},
		{
			when(`"before":"2026-01-31T12:00:00Z","after":"2026-01-31T12:00:00Z"`), "",
			"rules[0].when.before must be later than after",
		},
		{
			when(`"after":"now"`), "",
			"rules[0].when.after must be an RFC 3339 time such as 2026-01-31T12:00:00Z",
		},
		{
			"[" + strings.TrimSuffix(strings.Repeat("{},", 21), ",") + "]", "",
			"rules must be at most 20 rules",
		},
	} {
		var options terse.LinkOptions
		err := option.Set(&options, "rules", []byte(tt.value))
		if got := errorText(err); got != tt.err {
			t.Errorf("%s: error %q, want %q", tt.value, got, tt.err)
		}
		text, _ := options.Encode()
		if !strings.Contains(string(text), tt.want) || err != nil && text != "" {
			t.Errorf("%s: %s, want %s", tt.value, text, tt.want)
		}
		if _, err := text.Decode(); err != nil {
			t.Error(err)
		}
	}
}
