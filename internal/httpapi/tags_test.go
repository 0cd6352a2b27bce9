package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
)

func (f *fixture) tags(t *testing.T) (all []string) {
	t.Helper()
	list := decodeAs[api.Tags](t, f.do(t, request{target: "/api/tags"}), http.StatusOK)
	for _, tag := range list.Tags {
		all = append(all, fmt.Sprint(tag.Tag, " ", tag.Links))
	}
	return all
}

func wantStrings(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func tagRequest(method, tag, body string) request {
	return request{method: method, target: "/api/tags/" + tag, body: body, bad: true}
}

func TestTags(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	wantStrings(t, "no tags", f.tags(t))
	for i, tags := range []string{`["Shop","news"]`, `["SHOP","a/b"]`, `["ä"]`} {
		f.do(t, post(fmt.Sprintf(
			`{"original_url":"https://example.com/","short_code":"link%d","tags":%s}`, i, tags)))
	}
	wantStrings(t, "tags", f.tags(t), "a/b 1", "news 1", "Shop 2", "ä 1")
	wantStrings(t, "as first written", f.read(t, "link1").Tags, "a/b", "Shop")

	got := f.do(t, tagRequest("PATCH", "shop", `{"name":"Store"}`))
	if tag := decodeAs[api.Tag](t, got, http.StatusOK); tag != (api.Tag{Tag: "Store", Links: 2}) {
		t.Errorf("renamed: %+v", tag)
	}
	link := f.read(t, "link0")
	wantStrings(t, "renamed", link.Tags, "news", "Store")
	if link.UpdatedAt.IsZero() || !f.changed.has("link0") {
		t.Errorf("the renaming is no change of %+v", link)
	}
	got = f.do(t, tagRequest("PATCH", "STORE", `{"name":"STORE"}`))
	if tag := decodeAs[api.Tag](t, got, http.StatusOK); tag != (api.Tag{Tag: "STORE", Links: 2}) {
		t.Errorf("spelled anew: %+v", tag)
	}
	wantStrings(t, "spelled anew", f.read(t, "link0").Tags, "news", "STORE")
	// Into one that exists: the two become one.
	got = f.do(t, tagRequest("PATCH", "store", `{"name":"NEWS"}`))
	if tag := decodeAs[api.Tag](t, got, http.StatusOK); tag != (api.Tag{Tag: "news", Links: 2}) {
		t.Errorf("merged: %+v", tag)
	}
	wantStrings(t, "merged", f.tags(t), "a/b 1", "news 2", "ä 1")
	wantStrings(t, "merged", f.read(t, "link0").Tags, "news")

	if got := f.do(t, tagRequest("DELETE", "a%2Fb", "")); got.status != http.StatusNoContent {
		t.Errorf("DELETE: %v", got)
	}
	wantStrings(t, "deleted", f.tags(t), "news 2", "ä 1")
	wantStrings(t, "without", f.read(t, "link1").Tags, "news")
	f.do(t, request{method: "DELETE", target: "/api/urls/link2"})
	wantStrings(t, "gone with its last link", f.tags(t), "news 2")

	for _, method := range []string{"PATCH", "DELETE"} {
		wantError(t, f.do(t, tagRequest(method, "none", `{"name":"x"}`)), http.StatusNotFound,
			"tag not found")
	}
	const bad = "a tag must be 1 to 40 characters, without commas and control characters"
	for body, want := range map[string]string{
		`{}`: "name is required", `{"name":""}`: bad, `{"name":"a,b"}`: bad,
		`{"name":7}`: `field "name" must be a string`, `{"tag":"x"}`: `unknown field "tag"`,
	} {
		wantError(t, f.do(t, tagRequest("PATCH", "news", body)), http.StatusBadRequest, want)
	}
}

// A tag is one and the same however its letters are composed.
func TestTagSpellings(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	create := func(tag string) {
		f.do(t, post(`{"original_url":"https://example.com/","tags":["`+tag+`"]}`))
	}
	create("café")
	got := f.do(t, tagRequest("PATCH", "CAFE%CC%81", `{"name":"the\u0301"}`))
	if tag := decodeAs[api.Tag](t, got, http.StatusOK); tag != (api.Tag{Tag: "thé", Links: 1}) {
		t.Errorf("renamed: %+v", tag)
	}
	wantStrings(t, "renamed", f.tags(t), "thé 1")
	found := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?tag=THE%CC%81"}), 200)
	overview := f.do(t, request{target: "/api/overview?tag=THE%CC%81&limit=1"})
	if found.Total != 1 || overview.status != http.StatusOK {
		t.Errorf("%d links, overview %d", found.Total, overview.status)
	}
	if got := f.do(t, tagRequest("DELETE", "the%CC%81", "")); got.status != http.StatusNoContent {
		t.Errorf("DELETE: %v", got)
	}
	wantStrings(t, "removed", f.tags(t))
}

// Clients and servers resolve "." and ".." in paths, so that no path could name such a tag.
func TestTagsOfDots(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const bounds = "tags must be up to 20, each 1 to 40 characters, without commas and control " +
		"characters, and neither . nor .."
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"dots","tags":["..."]}`))
	for _, tag := range []string{".", "..", " .. "} {
		body := `"tags":["x","` + tag + `"]`
		wantError(t, f.do(t, post(`{"original_url":"https://example.com/",`+body+`}`)),
			http.StatusBadRequest, bounds)
		wantError(t, f.do(t, patchRequest("dots", `{`+body+`}`)), http.StatusBadRequest, bounds)
		wantError(t, f.do(t, tagRequest("PATCH", "...", `{"name":"`+tag+`"}`)),
			http.StatusBadRequest, "a tag must be neither . nor ..")
	}
	// Those from before are found, stay while something else is changed, and can be taken away.
	options := terse.LinkOptions{Tags: []string{".", "..", "b"}}
	f.createBefore(t, "https://example.com/", options)
	found := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?tag=.&tag=.."}), 200)
	if found.Total != 1 {
		t.Errorf("%d found", found.Total)
	}
	f.do(t, patchRequest("before", `{"title":"t"}`))
	f.do(t, tagRequest("PATCH", "b", `{"name":"..."}`))
	f.do(t, tagRequest("PATCH", "...", `{"name":"a"}`))
	wantStrings(t, "from before", f.read(t, "before").Tags, ".", "..", "a")
	f.do(t, patchRequest("before", `{"tags":["a"]}`))
	wantStrings(t, "taken away", f.tags(t), "a 2")
}

// meanwhile does something after a page of a list was read.
type meanwhile struct {
	httpapi.Store
	after int          // pages, before that one
	do    func() error // what the call returns
}

func newMeanwhile(t *testing.T) (f *fixture, store *meanwhile) {
	t.Helper()
	f = newFixture(t, func(o *httpapi.Options) {
		store = &meanwhile{Store: o.Store}
		o.Store = store
	})
	return f, store
}

func (s *meanwhile) Links(ctx context.Context, q terse.LinkQuery) (terse.LinkPage, error) {
	page, err := s.Store.Links(ctx, q)
	if s.after--; s.after < 0 && s.do != nil {
		do := s.do
		s.do = nil
		err = do()
	}
	return page, err
}

// A renaming also reaches links that get the tag while it goes on.
func TestTaggedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"PATCH", "DELETE"} {
		f, store := newMeanwhile(t)
		tagged := `{"original_url":"https://example.com/","tags":["old"]}`
		f.do(t, post(tagged))
		store.do = func() error {
			f.do(t, post(tagged))
			return nil
		}
		f.do(t, tagRequest(method, "old", `{"name":"new"}`))
		if method == "DELETE" {
			wantStrings(t, "removed", f.tags(t))
		} else {
			wantStrings(t, "renamed", f.tags(t), "new 2")
		}
	}
}

// A renaming that is sent again with its key is answered again. It takes several transactions, and
// goes on where an earlier one with the key ended.
func TestRenameTagOnce(t *testing.T) {
	t.Parallel()
	f, store := newMeanwhile(t)
	create := func() {
		f.do(t, post(`{"original_url":"https://example.com/","tags":["old"]}`))
	}
	create()
	rename := tagRequest("PATCH", "old", `{"name":"new"}`).with("Idempotency-Key", "one")
	var during answer
	store.do = func() error {
		during = f.do(t, rename)
		return nil
	}
	first := f.do(t, rename)
	create() // another link, which has nothing to do with it
	again := f.do(t, rename)
	wantError(t, during, http.StatusConflict, terse.ErrUnderWay.Message)
	for _, got := range []answer{first, again} {
		if tag := decodeAs[api.Tag](t, got, 200); tag != (api.Tag{Tag: "new", Links: 1}) {
			t.Errorf("renamed: %+v", tag)
		}
	}
	if again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %v", again.header)
	}
	wantStrings(t, "tags", f.tags(t), "new 1", "old 1")
	wantError(t, f.do(t, tagRequest("PATCH", "old", `{"name":"x"}`).with("Idempotency-Key", "one")),
		http.StatusUnprocessableEntity, "this Idempotency-Key was sent with another request body")
	for name, tt := range map[string]struct {
		r    request
		want int
	}{
		"unknown": {tagRequest("PATCH", "none", `{"name":"new"}`), http.StatusNotFound},
		"bad":     {tagRequest("PATCH", "old", `{"name":""}`), http.StatusBadRequest},
	} {
		r := tt.r.with("Idempotency-Key", name)
		first, again := f.do(t, r), f.do(t, r)
		if first.status != tt.want || again.body != first.body ||
			again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s: %v, then %v", name, first, again)
		}
	}
	wantError(t, f.do(t, tagRequest("PATCH", "old", `{"name":"x"}`).with("Idempotency-Key", "")),
		http.StatusBadRequest, "Idempotency-Key must be 1 to 255 visible ASCII characters")
	wantStrings(t, "tags", f.tags(t), "new 1", "old 1")
}

// A renaming that fails can be sent again with its key, also when all links were renamed.
func TestRenameTagAgain(t *testing.T) {
	t.Parallel()
	f, store := newMeanwhile(t)
	create := `{"op":"create","link":{"original_url":"https://example.com/","tags":["old"]}}`
	f.bulk(t, `{"operations":[`+strings.TrimSuffix(strings.Repeat(create+",", 250), ",")+`]}`)
	store.after, store.do = 2, func() error { return errors.New("away") }
	rename := tagRequest("PATCH", "old", `{"name":"new"}`).with("Idempotency-Key", "one")
	if got := f.do(t, rename); got.status != http.StatusInternalServerError {
		t.Fatalf("without a database: %v", got)
	}
	got := f.do(t, rename)
	if tag := decodeAs[api.Tag](t, got, 200); tag != (api.Tag{Tag: "new", Links: 250}) {
		t.Errorf("renamed: %+v", tag)
	}
}

// TestManyTagged: a renaming reaches more links than one step changes.
func TestManyTagged(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	create := `{"op":"create","link":{"original_url":"https://example.com/","tags":["old","x"]}}`
	f.bulk(t, `{"operations":[`+strings.TrimSuffix(strings.Repeat(create+",", 450), ",")+`]}`)
	f.do(t, tagRequest("PATCH", "old", `{"name":"new"}`))
	wantStrings(t, "tags", f.tags(t), "new 450", "x 450")
	f.do(t, tagRequest("DELETE", "x", ""))
	wantStrings(t, "tags", f.tags(t), "new 450")
}

func TestHistory(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch","title":"a"}`))
	history := func() []api.Change {
		got := f.do(t, request{target: "/api/urls/launch/history"})
		return decodeAs[api.History](t, got, http.StatusOK).Changes
	}
	if changes := history(); len(changes) != 0 {
		t.Errorf("a new link has the changes %+v", changes)
	}
	f.do(t, patchRequest("launch", `{"title":"b","password":"secret"}`).with("X-Request-ID", "r1"))
	f.do(t, patchRequest("launch", `{"title":"b"}`)) // no change
	f.do(t, patchRequest("launch", `{"title":null,"original_url":"https://example.org/"}`))
	changes := history()
	if len(changes) != 2 {
		t.Fatalf("%d changes: %+v", len(changes), changes)
	}
	for i, want := range []map[string][2]string{
		{"title": {`"b"`, "null"}, "original_url": {
			`"https://example.com/"`,
			`"https://example.org/"`,
		}},
		{"title": {`"a"`, `"b"`}, "password": {"null", "true"}},
	} {
		for name, values := range want {
			if got := changes[i].Fields[name]; string(got.Old) != values[0] ||
				string(got.New) != values[1] {
				t.Errorf("change %d of %s: %s to %s", i, name, got.Old, got.New)
			}
		}
		if len(changes[i].Fields) != len(want) || changes[i].By != "authenticated-user" {
			t.Errorf("change %d: %+v", i, changes[i])
		}
	}
	if changes[1].RequestID != "r1" || !changes[0].Time.Equal(f.read(t, "launch").UpdatedAt) {
		t.Errorf("changes %+v", changes)
	}
	for i := range 105 {
		f.do(t, patchRequest("launch", fmt.Sprintf(`{"title":"%d"}`, i)))
	}
	if changes := history(); len(changes) != 100 ||
		string(changes[99].Fields["title"].New) != `"5"` {
		t.Errorf("%d changes, the oldest %+v", len(changes), changes[len(changes)-1])
	}
	f.createForeign(t, "theirs")
	for code, want := range map[string]int{"theirs": 403, "nobody": 404, "x": 404} {
		got := f.do(t, request{target: "/api/urls/" + code + "/history", bad: true})
		if got.status != want {
			t.Errorf("%s: %v", code, got)
		}
	}
}

func TestClearClicks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch","title":"a"}`))
	f.addClicks(t, "launch", clickAt(t, "2026-01-31T12:00:00Z", "DE", "direct"))
	before := f.read(t, "launch")
	forget := request{method: "DELETE", target: "/api/urls/launch/clicks"}
	if got := f.do(t, forget); got.status != http.StatusNoContent {
		t.Errorf("DELETE: %v", got)
	}
	after := f.read(t, "launch")
	if before.ClickCount != 1 || after.ClickCount != 0 || after.Title != "a" ||
		!after.UpdatedAt.IsZero() {
		t.Errorf("before %+v, after %+v", before, after)
	}
	f.createForeign(t, "theirs")
	wantError(t, f.do(t, request{method: "DELETE", target: "/api/urls/theirs/clicks"}),
		http.StatusForbidden, "unauthorized to update this URL")
	wantError(t, f.do(t, request{method: "DELETE", target: "/api/urls/nobody/clicks"}),
		http.StatusNotFound, "URL not found")
}
