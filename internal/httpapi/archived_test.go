package httpapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"terse"
	"terse/api"
)

// archive makes links, of which the second and third are archived.
func (f *fixture) archive(t *testing.T) {
	t.Helper()
	for i, members := range []string{
		`"short_code":"one","tags":["news"]`,
		`"short_code":"two","tags":["News"],"archived":true,"title":"Summer sale"`,
		`"short_code":"three","archived":true,"expires_at":"2001-01-01T00:00:00Z"`,
		`"short_code":"four","title":"Winter sale"`,
	} {
		url := "https://example.com/" + string(rune('a'+i))
		got := f.do(t, post(`{"original_url":"`+url+`",`+members+`}`))
		if got.status != http.StatusCreated {
			t.Fatal(got)
		}
	}
}

// codes lists links, and checks that the total is exact.
func (f *fixture) codes(t *testing.T, query string) (codes []string) {
	t.Helper()
	page := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?" + query, bad: true}), 200)
	for _, link := range page.URLs {
		codes = append(codes, link.ShortCode)
	}
	if !strings.Contains(query, "limit") && page.Total != int64(len(codes)+page.Offset) {
		t.Errorf("%s: total %d of %v", query, page.Total, codes)
	}
	return codes
}

// TestArchived sets the option in each way, and takes it away.
func TestArchived(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	made := f.do(t, post(`{"original_url":"https://example.com/","short_code":"link",`+
		`"archived":true}`))
	const want = `{"short_code":"link","short_url":"https://sho.rt/link",` +
		`"original_url":"https://example.com/","archived":true}`
	if made.body != want {
		t.Errorf("created: %s, want %s", made.body, want)
	}
	read := f.read(t, "link")
	if !read.Archived || read.Status != "" {
		t.Errorf("read: %+v", read)
	}
	listed := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls"}), http.StatusOK)
	if !listed.URLs[0].Archived {
		t.Errorf("listed: %+v", listed)
	}
	etag := made.header.Get("Etag")
	same := f.do(t, patchRequest("link", `{"archived":true}`))
	if same.header.Get("Etag") != etag || strings.Contains(same.body, "updated_at") {
		t.Errorf("set again: %v", same)
	}
	for _, none := range []string{"false", "null"} {
		got := f.do(t, patchRequest("link", `{"archived":`+none+`}`))
		if got.status != http.StatusOK || strings.Contains(got.body, "archived") ||
			!strings.Contains(got.body, "updated_at") || got.header.Get("Etag") == etag {
			t.Errorf("%s: %v", none, got)
		}
		got = f.do(t, patchRequest("link", `{"archived":true}`))
		if !strings.Contains(got.body, `"archived":true`) {
			t.Errorf("again: %v", got)
		}
		etag = got.header.Get("Etag")
	}
	bulk := f.do(t, request{method: "POST", target: "/api/bulk", body: `{"operations":[` +
		`{"op":"update","short_code":"link","link":{"archived":null}},` +
		`{"op":"create","link":{"original_url":"https://example.com/","short_code":"other",` +
		`"archived":true}},` +
		`{"op":"update","short_code":"link","link":{"archived":7}}]}`})
	results := decodeAs[api.BulkResults](t, bulk, 200).Results
	if results[0].Link.Archived || !results[1].Link.Archived ||
		results[2].Error != "archived must be true or false" {
		t.Errorf("bulk: %s", bulk.body)
	}
	history := decodeAs[api.History](t,
		f.do(t, request{target: "/api/urls/link/history"}), http.StatusOK).Changes
	if len(history) != 5 || string(history[0].Fields["archived"].New) != "null" ||
		string(history[1].Fields["archived"].New) != "true" {
		t.Errorf("history: %+v", history)
	}
	entries := f.entries(t, "?target=link").Entries
	if len(entries) != 5 || entries[0].Action != "link.update" ||
		!strings.Contains(string(entries[0].Details), "archived") {
		t.Errorf("audit: %+v", entries)
	}
	for _, bad := range []string{`"true"`, "1", "[]", "{}", `""`} {
		for _, r := range []request{
			patchRequest("link", `{"archived":`+bad+`}`),
			badPost(`{"original_url":"https://example.com/","archived":` + bad + `}`),
		} {
			r = r.with("Prefer", "error-field")
			got := f.do(t, r)
			wantError(t, got, http.StatusBadRequest, "archived must be true or false")
			if got.header.Get("Error-Field") != "archived" {
				t.Errorf("%s: %v", bad, got.header)
			}
		}
	}
	none := f.do(t, post(`{"original_url":"https://example.com/","archived":false}`))
	if none.status != http.StatusCreated || strings.Contains(none.body, "archived") {
		t.Errorf("false: %v", none)
	}
	// Its code stays taken.
	got := f.do(t, badPost(`{"original_url":"https://example.com/","short_code":"other"}`))
	wantError(t, got, http.StatusConflict, "short code already exists")
}

// TestListArchived: the filter goes with everything that lists take.
func TestListArchived(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.archive(t)
	f.addClicks(t, "two", clickAt(t, "2026-01-31T12:00:00Z", "SE", "direct"))
	for query, want := range map[string]string{
		"":                                                  "four three two one",
		"archived=":                                         "four three two one",
		"archived=true":                                     "three two",
		"archived=false":                                    "four one",
		"archived=true&sort=oldest":                         "two three",
		"archived=true&sort=clicks":                         "two three",
		"archived=false&sort=clicks":                        "four one",
		"archived=true&tag=news":                            "two",
		"archived=false&tag=news":                           "one",
		"archived=true&status=active":                       "two",
		"archived=true&status=expired":                      "three",
		"archived=false&status=expired":                     "",
		"archived=false&status=active":                      "four one",
		"archived=true&search=sale":                         "two",
		"archived=false&search=sale":                        "four",
		"archived=true&search=sale&sort=clicks":             "two",
		"archived=false&search=https://sho.rt/two":          "",
		"archived=true&search=https://sho.rt/two":           "two",
		"archived=true&offset=1":                            "two",
		"archived=false&offset=1":                           "one",
		"archived=true&created_before=2001-01-01T00:00:00Z": "",
		"archived=true&created_after=2001-01-01T00:00:00Z":  "three two",
		"archived=true&unused_since=2999-01-01":             "three two",
		"archived=true&people=true":                         "three two",
		"archived=true&owner=authenticated-user":            "three two",
		"archived=false&owner=" + somebody:                  "",
	} {
		if strings.HasSuffix(query, somebody) {
			f.addUsers(t, somebody)
		}
		wantStrings(t, query, f.codes(t, query), strings.Fields(want)...)
	}
	// Empty is absent: the answer is the contract's.
	plain, empty := f.do(t, request{target: "/api/urls?limit=1"}),
		f.do(t, request{target: "/api/urls?limit=1&archived=", bad: true})
	if plain.body != empty.body {
		t.Errorf("%s, want %s", empty.body, plain.body)
	}
	for _, bad := range []string{"1", "yes", "TRUE", "null", "true,false"} {
		got := f.do(t, request{target: "/api/urls?archived=" + bad, bad: true})
		wantError(t, got, http.StatusBadRequest, "archived must be true or false")
	}
	wantError(t, f.do(t, request{target: "/api/urls?status=archived", bad: true}),
		http.StatusBadRequest, "status must be active, scheduled, expired, used_up or disabled")
	// A cursor belongs to it.
	for query, others := range map[string][]string{
		"archived=true":  {"archived=false", "sort=newest"},
		"archived=false": {"archived=true", "sort=newest"},
	} {
		first := decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?limit=1&" + query}), 200)
		if first.Total != 2 || first.NextCursor == "" {
			t.Fatalf("%s: %+v", query, first)
		}
		next := "&limit=1&cursor=" + first.NextCursor
		if got := f.codes(t, query+next); len(got) != 1 || got[0] == first.URLs[0].ShortCode {
			t.Errorf("%s: the second page is %v", query, got)
		}
		for _, other := range others {
			if got := f.do(t, request{target: "/api/urls?" + other + next}); got.status != 400 {
				t.Errorf("%s with a cursor of %s: %v", other, query, got)
			}
		}
	}
	// What counts links counts archived ones, too.
	tags := decodeAs[api.Tags](t, f.do(t, request{target: "/api/tags"}), 200)
	if len(tags.Tags) != 1 || tags.Tags[0].Links != 2 {
		t.Errorf("tags: %+v", tags)
	}
	overview := f.do(t, request{target: "/api/overview"})
	if overview.status != 200 || !strings.Contains(overview.body, `"links":4`) ||
		!strings.Contains(overview.body, `"short_code":"two"`) {
		t.Errorf("overview: %s", overview.body)
	}
	events := f.do(t, request{target: "/api/events"})
	if !strings.Contains(events.body, `"short_code":"two"`) {
		t.Errorf("events: %s", events.body)
	}
	// Lists follow each change.
	f.do(t, patchRequest("two", `{"archived":null}`))
	f.do(t, patchRequest("one", `{"archived":true}`))
	f.do(t, request{method: "DELETE", target: "/api/urls/three"})
	wantStrings(t, "then archived", f.codes(t, "archived=true"), "one")
	wantStrings(t, "then others", f.codes(t, "archived=false"), "four", "two")
}

// TestArchivedOfOthers: it takes the role of an editor and, for the link of another, owner=.
func TestArchivedOfOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.archive(t)
	f.addUsers(t, somebody)
	f.createOf(t, somebody, "theirs", "https://example.com/")
	as := func(who http.Header, target string) answer {
		return f.do(t, request{
			method: "PATCH", target: target, body: `{"archived":true}`, header: who,
		})
	}
	viewer := f.tokenFor(t, terse.Identity, terse.Viewer)
	editor := f.tokenFor(t, somebody, terse.Editor)
	if got := as(viewer, "/api/urls/one"); got.status != http.StatusForbidden {
		t.Errorf("a viewer: %v", got)
	}
	wantError(t, as(nil, "/api/urls/theirs"), 403, "unauthorized to update this URL")
	if got := as(editor, "/api/urls/theirs"); got.status != http.StatusOK {
		t.Errorf("its owner: %v", got)
	}
	if got := f.codes(t, "archived=true&owner=*"); !slices.Equal(got,
		[]string{"theirs", "three", "two"}) {
		t.Errorf("of all: %v", got)
	}
	got := f.do(t, patchRequest("theirs?owner="+somebody, `{"archived":false}`))
	if got.status != http.StatusOK {
		t.Errorf("an admin: %v", got)
	}
	wantStrings(t, "of somebody", f.codes(t, "archived=false&owner="+somebody), "theirs")
}

// TestFindExistingPassesOverArchived makes a link although there is an archived one; an import's
// line without a code finds that one.
func TestFindExistingPassesOverArchived(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.archive(t)
	const url = "https://example.com/b" // of two
	f.send(t, "", link("", url, "")).want(t, "a line without a code", 0, 0, 0,
		result(1, "two", "unchanged"))
	found := decodeAs[api.Created](t,
		f.do(t, post(`{"original_url":"`+url+`","find_existing":true}`)), http.StatusCreated)
	if found.ShortCode == "two" || found.Archived {
		t.Errorf("found %+v", found)
	}
	again := decodeAs[api.Created](t,
		f.do(t, post(`{"original_url":"`+url+`","find_existing":true}`)), http.StatusOK)
	if again.ShortCode != found.ShortCode {
		t.Errorf("found %+v, want %+v", again, found)
	}
}

// TestMoveArchived exports archived links, and imports them: with overwrite a line without the
// field takes it away, a row of a table only if it has the column.
func TestMoveArchived(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.archive(t)
	lines := f.do(t, request{target: "/api/export"}).body
	rows := f.do(t, request{target: "/api/export?format=csv"}).body
	if strings.Count(lines, `"archived":true`) != 2 {
		t.Errorf("exported %s", lines)
	}
	for i, row := range strings.Split(strings.TrimSuffix(rows, "\r\n"), "\r\n") {
		end := []string{",archived", ",", ",", ",true", ",true"}[i] // in the order of codes
		if !strings.HasSuffix(row, end) {
			t.Errorf("row %d: %s", i, row)
		}
	}
	archived := func(what string, want ...string) {
		t.Helper()
		wantStrings(t, what, f.codes(t, "archived=true&sort=oldest"), want...)
	}
	f.send(t, "?conflict=overwrite", link("one", "https://example.com/a", `,"archived":true`),
		link("two", "https://example.com/b", ""), link("three", "https://example.com/c",
			`,"archived":false`))
	archived("by lines", "one")
	f.send(t, "?conflict=overwrite&format=terse", strings.Split(strings.TrimSpace(lines), "\n")...)
	archived("by the export", "two", "three")
	table := func(what, text string, want ...string) {
		t.Helper()
		got := f.do(t, request{
			method: "POST", target: "/api/import?conflict=overwrite&format=csv", body: text,
			header: http.Header{"Content-Type": {"text/csv"}},
		})
		if got.status != http.StatusOK || strings.Contains(got.body, `"failed":1`) {
			t.Errorf("%s: %v", what, got)
		}
		archived(what, want...)
	}
	table("by a table without the column", "code,url,title\n"+
		"one,https://example.com/a,x\ntwo,https://example.com/b,x\n", "two", "three")
	table("by a table with it", "code,url,Archived\n"+
		"one,https://example.com/a,yes\ntwo,https://example.com/b,\n", "one", "three")
	table("by a state", "code,url,status\nfour,https://example.com/d,archived\n"+
		"one,https://example.com/a,active\n", "one", "three", "four")
	if f.read(t, "four").Disabled {
		t.Error("it is switched off")
	}
	table("by the CSV export", rows, "two", "three")
}
