package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"terse/api"
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
