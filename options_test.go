package terse_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"terse"
)

func TestDamagedOptions(t *testing.T) {
	t.Parallel()
	for _, text := range []terse.EncodedOptions{
		`{`, `[]`, `null`, `"{}"`, `{"title":7}`, `{"password":"$argon2id`, `{} ` + "x", `{}{}`,
		`{"disabled":"yes"}`, `{"max_clicks":-1}`, `{"starts_at":""}`,
		// of a rule that is not understood nobody knows for whom it is
		`{"rules":[{"when":{"of":"later"}}]}`, `{"rules":[{"of":"later"}]}`, `{"rules":{}}`,
	} {
		options, err := text.Decode()
		if !errors.Is(err, terse.ErrDamaged) || !reflect.DeepEqual(options, terse.LinkOptions{}) {
			t.Errorf("%s is decoded as %+v (%v)", text, options, err)
		}
	}
}

// What a later version has stored is passed over, and kept.
func TestOptionsOfALaterVersion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, same, disabled terse.EncodedOptions }{
		{`{}`, ``, `{"disabled":true}`},
		{`{"of":"later"}`, `{"of":"later"}`, `{"disabled":true,"of":"later"}`},
		{
			`{"b":[1, {"c":2}],"title":"t","a":null}`, `{"title":"t","a":null,"b":[1,{"c":2}]}`,
			`{"title":"t","disabled":true,"a":null,"b":[1,{"c":2}]}`,
		},
		{
			`{"Title":"t","titel":1}`, `{"title":"t","titel":1}`,
			`{"title":"t","disabled":true,"titel":1}`,
		},
	} {
		options, err := tt.text.Decode()
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
		}
		same, err := options.Encode()
		options.Disabled = true
		disabled, err2 := options.Encode()
		if same != tt.same || disabled != tt.disabled || err != nil || err2 != nil {
			t.Errorf("%s: %s (%v), then %s (%v)", tt.text, same, err, disabled, err2)
		}
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	past, future := now.Add(-1), now.Add(1)
	for _, tt := range []struct {
		options terse.LinkOptions
		used    int64
		want    terse.Status
	}{
		{terse.LinkOptions{}, 7, terse.Active},
		{terse.LinkOptions{StartsAt: now, ExpiresAt: future}, 0, terse.Active},
		{terse.LinkOptions{StartsAt: future}, 0, terse.Scheduled},
		{terse.LinkOptions{ExpiresAt: now}, 0, terse.Expired},
		{terse.LinkOptions{MaxClicks: 7}, 6, terse.Active},
		{terse.LinkOptions{MaxClicks: 7}, 7, terse.UsedUp},
		{terse.LinkOptions{MaxClicks: 7}, 8, terse.UsedUp},
		{terse.LinkOptions{MaxClicks: 7, StartsAt: future}, 7, terse.Scheduled},
		{terse.LinkOptions{MaxClicks: 7, ExpiresAt: past}, 7, terse.Expired},
		{terse.LinkOptions{Disabled: true, ExpiresAt: past}, 0, terse.Disabled},
	} {
		if got := tt.options.Status(now, tt.used); got != tt.want {
			t.Errorf("%+v, %d used: %s, want %s", tt.options, tt.used, got, tt.want)
		}
		if got := tt.options.Status(now, tt.used); got != terse.Active &&
			!tt.options.HasStatus() {
			t.Errorf("%+v is %s, but has no status", tt.options, got)
		}
	}
}

func TestDiffLinks(t *testing.T) {
	t.Parallel()
	before := terse.Link{
		URL: "https://a.example", Options: `{"title":"a","password":"$1","tags":["x"]}`,
	}
	after := terse.Link{URL: "https://b.example", Options: `{"password":"$2","tags":["x"]}`}
	changes := terse.DiffLinks(before, after)
	for name, want := range map[string][2]string{
		"original_url": {`"https://a.example"`, `"https://b.example"`},
		"title":        {`"a"`, ""}, "password": {"true", "true"},
	} {
		if got := changes[name]; string(got.Old) != want[0] || string(got.New) != want[1] {
			t.Errorf("%s: %s, then %s", name, got.Old, got.New)
		}
	}
	if len(changes) != 3 {
		t.Errorf("%d changes: %v", len(changes), changes)
	}
}
