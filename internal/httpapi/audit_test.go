package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"terse"
	"terse/api"
	"terse/internal/tests/foreign"
)

// entries returns the answer to GET /api/audit with a query.
func (f *fixture) entries(t *testing.T, query string) api.Audit {
	t.Helper()
	return decodeAs[api.Audit](t, f.do(t, request{target: "/api/audit" + query}), http.StatusOK)
}

// trail follows the entries of the audit.
type trail struct {
	*fixture
	seen int
}

// want checks the entries since the last call, the oldest first.
func (f *trail) want(t *testing.T, what string, want ...string) {
	t.Helper()
	all := f.entries(t, "?limit=1000").Entries
	slices.Reverse(all)
	var got []string
	for _, e := range all[f.seen:] {
		text := e.Action
		if e.Target != nil {
			text += " " + *e.Target
		}
		if string(e.Details) != "{}" {
			text += " " + string(e.Details)
		}
		got = append(got, text)
		if e.By == nil || *e.By != terse.Identity || e.Via == nil || *e.Via != "auth_tokens" ||
			e.Token != nil || e.Address == nil || *e.Address != "127.0.0.1" {
			t.Errorf("%s: %+v", what, e)
		}
	}
	wantStrings(t, what, got, want...)
	f.seen = len(all)
}

// TestAudit: each request that changes something leaves its entries, and no other does.
func TestAudit(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it lists the whole audit")
	f := trail{fixture: newFixture(t, nil)}
	f.create(t, "https://example.com/?a")
	do := func(r request) answer {
		t.Helper()
		r.bad = true
		return f.do(t, r)
	}
	patch := func(code, body string) answer {
		t.Helper()
		return do(request{method: "PATCH", target: "/api/urls/" + code, body: body})
	}
	del := func(target string) answer {
		t.Helper()
		return do(request{method: "DELETE", target: target})
	}
	do(post(`{"original_url":"https://example.com/","short_code":"abc","tags":["News"]}`))
	do(post(`{"original_url":"https://example.com/","find_existing":true}`))
	f.want(t, "creates")

	patch("abc", `{"title":"a secret","note":"a secret","password":"a secret","max_clicks":3}`)
	f.want(t, "a patch", `link.update abc {"fields":["max_clicks","note","password","title"]}`)
	patch("abc", `{}`)
	patch("abc", `{"title":"a secret"}`)
	patch("abc", `{"title":3}`)
	patch("none", `{"title":"x"}`)
	do(request{
		method: "PATCH", target: "/api/urls/abc", body: `{"title":"x"}`,
		header: http.Header{"If-Match": {`"x"`}},
	})
	f.want(t, "patches that change nothing")
	once := request{
		method: "PATCH", target: "/api/urls/abc", body: `{"title":"x"}`,
		header: http.Header{"Idempotency-Key": {"x"}},
	}
	do(once)
	do(once)
	f.want(t, "a patch that is repeated", `link.update abc {"fields":["title"]}`)

	for range 2 {
		do(request{method: "POST", target: "/api/urls/abc/share"})
	}
	f.want(t, "a share", "link.share abc")
	for range 2 {
		del("/api/urls/abc/share")
	}
	f.want(t, "a share that is taken back", "link.unshare abc")
	f.addClicks(t, "abc", clickAt(t, "2026-01-30T12:00:00Z", "DE", "direct"))
	for range 2 {
		del("/api/urls/abc/clicks")
	}
	f.want(t, "a reset", "link.reset abc")

	do(tagRequest("PATCH", "news", `{"name":"News"}`))
	do(tagRequest("PATCH", "none", `{"name":"x"}`))
	f.want(t, "tags that stay as they are")
	do(tagRequest("PATCH", "news", `{"name":"NEWS"}`))
	f.want(t, "another spelling", `tag.rename News {"name":"NEWS"}`)
	do(tagRequest("PATCH", "news", `{"name":"Old"}`))
	f.want(t, "a tag that is renamed", `tag.rename NEWS {"name":"Old"}`)
	do(tagRequest("DELETE", "OLD", ""))
	do(tagRequest("DELETE", "OLD", ""))
	f.want(t, "a tag that is deleted", "tag.delete Old")

	do(request{target: "/api/export"})
	do(request{target: "/api/export?format=csv&clicks=false"})
	do(request{method: "HEAD", target: "/api/export"})
	do(request{target: "/api/export?format=x"})
	f.want(t, "exports", `links.export {"clicks":true,"format":"ndjson"}`,
		`links.export {"clicks":false,"format":"csv"}`)

	line := `{"type":"link","short_code":"def","original_url":"https://example.com/"}`
	send := func(query, body string) answer {
		t.Helper()
		return do(request{method: "POST", target: "/api/import" + query, body: body})
	}
	send("?dry_run=true", line)
	send("", `{"type":"link","short_code":"bad","original_url":"example.com"}`)
	f.want(t, "an import of nothing")
	send("", line)
	send("", line)
	send("", strings.ReplaceAll(line, "def", "ghi"))
	f.want(t, "equal imports", `links.import {"format":"terse"}`)
	send("?format=auto&guess=true", "url\nhttps://example.com/csv\n")
	f.want(t, "another import", `links.import {"format":"csv"}`)

	do(request{method: "POST", target: "/api/bulk", body: `{"operations":[
		{"op":"create","link":{"original_url":"https://example.com/","short_code":"jkl"}},
		{"op":"update","short_code":"jkl","link":{"title":"x"}},
		{"op":"update","short_code":"none","link":{"title":"x"}},
		{"op":"update","short_code":"jkl","link":{}},
		{"op":"update","short_code":"jkl","link":{"short_code":"mno"}}]}`})
	f.want(t, "bulk", `link.update jkl {"fields":["title"]}`,
		`link.update jkl {"fields":["aliases","short_code"]}`)
	do(request{method: "POST", target: "/api/bulk", body: `{"atomic":true,"operations":[
		{"op":"update","short_code":"mno","link":{"title":"y"}},
		{"op":"delete","short_code":"abc"},
		{"op":"delete","short_code":"none"}]}`})
	f.want(t, "bulk that fails as a whole")

	link := decodeAs[api.Link](t, do(request{target: "/api/urls/mno"}), http.StatusOK)
	created, err := json.Marshal(link.CreatedAt)
	if err != nil {
		t.Fatal(err)
	}
	del("/api/urls/mno")
	del("/api/urls/mno")
	f.want(t, "a delete", fmt.Sprintf(`link.delete mno {"created_at":%s,"created_by":%q,`+
		`"original_url":"https://example.com/"}`, created, terse.Identity))
	do(request{method: "POST", target: "/api/bulk", body: `{"operations":[
		{"op":"delete","short_code":"def"},{"op":"delete","short_code":"def"}]}`})
	all := f.entries(t, "?limit=1").Entries
	if *all[0].Target != "def" || all[0].Action != "link.delete" {
		t.Errorf("after deletes together there is %+v", all[0])
	}
	text := f.do(t, request{target: "/api/audit?limit=1000"}).body
	if strings.Contains(text, "secret") {
		t.Errorf("the audit has a secret: %s", text)
	}
}

func TestAuditPages(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it lists the whole audit")
	f := newFixture(t, nil)
	wantStrings(t, "no entries", []string{f.do(t, request{target: "/api/audit"}).body},
		`{"entries":[]}`)
	for i := range 5 {
		by := terse.Caller{Identity: []string{"ann@example.org", ""}[i%2], Token: "t"}
		what := terse.Noted{Action: terse.ActionFailSignIn, Target: fmt.Sprint("x", i/2)}
		if err := f.store.Note(t.Context(), by, what); err != nil {
			t.Fatal(err)
		}
	}
	got := f.do(t, request{target: "/api/audit?target=x0&by=&limit=", bad: true}).body
	if !strings.Contains(got, `"by":null,"via":null,"token":"t","action":"sign_in.failed",`+
		`"target":"x0","details":{},"request_id":null,"address":null},`) {
		t.Errorf("two entries are %s", got)
	}
	for query, want := range map[string]int{
		"": 5, "?by=ann@example.org": 3, "?by=ann": 0, "?target=x0": 2,
		"?target=x0&by=ann%40example.org": 1,
	} {
		if got := f.entries(t, query); len(got.Entries) != want || got.NextCursor != "" {
			t.Errorf("%q: %+v, want %d", query, got, want)
		}
	}
	var ids []string
	cursor, pages := "", 0
	for more := true; more; more = cursor != "" {
		page := f.entries(t, "?limit=2&cursor="+cursor)
		for _, e := range page.Entries {
			ids = append(ids, strconv.FormatInt(e.ID, 10))
		}
		cursor, pages = page.NextCursor, pages+1
	}
	if pages != 3 {
		t.Errorf("%d pages", pages)
	}
	wantStrings(t, "pages", ids, "5", "4", "3", "2", "1")
	for _, cursor := range []string{"x", "0", "-1", "01", "+1", "9223372036854775808"} {
		wantError(t, f.do(t, request{
			target: "/api/audit?cursor=" + strings.ReplaceAll(cursor, "+", "%2B"), bad: true,
		}), http.StatusBadRequest, "cursor must be the next_cursor of the audit")
	}
	for query, want := range map[string]string{
		"limit=0": "limit must be 1 to 1000", "limit=1001": "limit must be 1 to 1000",
		"limit=x": "limit must be 1 to 1000", "by=%ff": "by must be a text in UTF-8",
		"target=a%00": "target must be a text in UTF-8", "a=%zz": "malformed query string",
		"owner=x": "owner is not known here",
	} {
		wantError(t, f.do(t, request{target: "/api/audit?" + query, bad: true}),
			http.StatusBadRequest, want)
	}
}

// TestAuditOfStrangers: failed sign-ins are noted, but not more of them than the database can bear.
func TestAuditOfStrangers(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it lists the whole audit")
	f := newFixture(t, nil)
	try := func(address, body string) int {
		r := httptest.NewRequest(http.MethodPost, "/ui/session", strings.NewReader(body))
		r.RemoteAddr = address + ":1"
		w := httptest.NewRecorder()
		f.server.Config.Handler.ServeHTTP(w, r)
		return w.Code
	}
	const bad = `{"token":"s3cr3t"}`
	for range 3 {
		f.do(t, request{target: "/api/urls", header: http.Header{"Authorization": {"Bearer x"}}})
		try("192.0.2.1", "{")
		if got := try("192.0.2.1", bad); got != http.StatusUnauthorized {
			t.Errorf("a bad token: %d", got)
		}
	}
	got := f.do(t, request{target: "/api/audit"}).body
	if strings.Count(got, `"id"`) != 1 || strings.Contains(got, "s3cr3t") ||
		!strings.Contains(got, `"by":null,"via":null,"token":null,"action":"sign_in.failed",`+
			`"target":null,"details":{"reason":"invalid token"},"request_id":null,`+
			`"address":"192.0.2.1"}`) {
		t.Errorf("after failed sign-ins there is %s", got)
	}
	if got := try("192.0.2.1", `{"token":"`+token+`"}`); got != http.StatusNoContent {
		t.Errorf("a good token: %d", got)
	}
	for i := range 100 {
		if got := try(fmt.Sprint("198.51.100.", i), bad); got != http.StatusUnauthorized {
			t.Errorf("a bad token: %d", got)
		}
	}
	// It may take more than one minute.
	if n := len(f.entries(t, "?limit=1000").Entries); n < 18 || n > 60 {
		t.Errorf("after failed sign-ins from 101 addresses there are %d entries", n)
	}
}
