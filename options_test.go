package terse_test

import (
	"reflect"
	"testing"
	"time"

	"terse"
)

func TestDamagedOptions(t *testing.T) {
	t.Parallel()
	for _, text := range []terse.EncodedOptions{
		`{`, `[]`, `{"title":7}`, `{"of":"a later version"}`, `{"rules":[{"when":{"of":"later"}}]}`,
	} {
		if options, err := text.Decode(); err == nil ||
			!reflect.DeepEqual(options, terse.LinkOptions{}) {
			t.Errorf("%s is decoded as %+v (%v)", text, options, err)
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
