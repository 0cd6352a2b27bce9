package manage

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"terse"
	"terse/internal/link/hosts"
	"terse/internal/link/manage/option"
	"terse/internal/link/weburl"
)

func newManager() *Manager {
	return New(Options{
		Hosts:    hosts.New(hosts.Options{BaseURL: "https://sho.rt"}),
		Reserved: func(segment string) bool { return segment == "api" },
		// The real one takes tens of milliseconds.
		HashPassword: func(password string) string { return "hash of " + strings.Repeat("*", 8) },
	})
}

// wantInvalid holds a refusal to what may be shown to callers.
func wantInvalid(t *testing.T, err error) {
	t.Helper()
	known, ok := errors.AsType[*terse.Error](err)
	if !ok || known.Kind != terse.Invalid || known.Message == "" ||
		!utf8.ValidString(known.Message) {
		t.Errorf("error %v of kind %T", err, err)
	}
}

// wantGood holds options that were accepted to their bounds, and to their one form.
func wantGood(t *testing.T, text terse.EncodedOptions) {
	t.Helper()
	options, err := text.Decode()
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	again, err := options.Encode()
	if err != nil || again != text {
		t.Errorf("%s is encoded as %s (%v)", text, again, err)
	}
	for name, url := range options.OtherURLs() {
		if _, err := weburl.Parse(string(url)); err != nil {
			t.Errorf("%s is %q", name, url)
		}
	}
	if !slices.IsSortedFunc(options.Tags, func(a, b string) int {
		return strings.Compare(terse.FoldTag(a), terse.FoldTag(b))
	}) || len(options.Tags) > terse.MaxTags || len(options.Rules) > terse.MaxRules {
		t.Errorf("tags %q, %d rules", options.Tags, len(options.Rules))
	}
	if err := option.Check(&options); err != nil {
		t.Error(err)
	}
}

var seeds = []string{
	``, `{}`, `null`, `[]`, `{"original_url":"https://example.com/"}`,
	`{"original_url":"https://example.com/","short_code":"abc","find_existing":true}`,
	`{"original_url":"https://example.com/","title":"t","note":"n\n","tags":[" b","A","a"],` +
		`"starts_at":"2026-01-31T13:00:00+01:00","expires_at":"2099-01-31T12:00:00Z",` +
		`"max_clicks":5e2,"disabled":false,"expired_url":"http://a.example","password":"p",` +
		`"redirect_status":308,"forward_query":true,"forward_path":null,"rules":[{"name":"a",` +
		`"when":{"device":["ios"],"browser":["edge"],"language":["pt-BR"],"country":["de"],` +
		`"query":{"a":null,"b":"c"},"after":"2026-01-31T12:00:00Z",` +
		`"before":"2026-02-01T12:00:00Z","address":["192.0.2.1","2001:db8::/32"]},"share":50,` +
		`"url":"https://b.example"}]}`,
	`{"original_url":"https://example.com/","tags":["a,b"]}`,
	`{"original_url":"https://example.com/","rules":[{"name":"default","url":"https://sho.rt/a"}]}`,
	`{"title":null,"tags":[],"max_clicks":1.5}`,
}

func FuzzDraft(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := newManager().ParseDraft(text)
		if err != nil {
			wantInvalid(t, err)
			return
		}
		wantGood(t, d.link.Options)
		if _, err := weburl.Parse(string(d.link.URL)); err != nil {
			t.Errorf("target %q: %v", d.link.URL, err)
		}
	})
}

func FuzzPatch(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m := newManager()
		before := terse.Link{
			URL: "https://example.com/", Options: `{"title":"a","tags":["x"],"max_clicks":7}`,
		}
		after, err := m.apply(before, m.ParsePatch(text))
		if err != nil {
			wantInvalid(t, err)
			if after.Options != before.Options {
				t.Errorf("a refused patch made %s", after.Options)
			}
			return
		}
		wantGood(t, after.Options)
		if (len(terse.DiffLinks(before, after)) == 0) != (after == before) {
			t.Errorf("from %+v to %+v the fields %v changed", before, after,
				terse.DiffLinks(before, after))
		}
	})
}

func FuzzBulk(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(`{"operations":[{"op":"create","link":` + seed + `}]}`))
		f.Add([]byte(`{"atomic":true,"operations":[{"op":"update","short_code":"a","link":` +
			seed + `},{"op":"delete","short_code":"abc"}]}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		bulk, err := ParseBulk(text)
		if err != nil {
			wantInvalid(t, err)
			return
		}
		operations := newManager().Operations(bulk)
		if len(operations) > maxOperations {
			t.Errorf("%d operations", len(operations))
		}
		for _, o := range operations {
			if o.Err != nil {
				wantInvalid(t, o.Err)
			} else if o.Op == Create {
				wantGood(t, o.Draft.link.Options)
			}
		}
	})
}

func FuzzTag(f *testing.F) {
	for _, seed := range []string{"news", " a b ", "ÄÖ", "\u0130", "a,b", "\x00", "ß"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		o := terse.LinkOptions{Tags: []string{tag, strings.ToUpper(tag)}}
		if !utf8.ValidString(tag) || !option.SortTags(&o) {
			return
		}
		if folded := terse.FoldTag(tag); terse.FoldTag(folded) != folded {
			t.Errorf("%q folds to %q, and that to %q", tag, folded, terse.FoldTag(folded))
		}
	})
}
