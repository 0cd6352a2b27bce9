package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"terse"
	"terse/api"
)

// shareLines returns the lines of shares in an export.
func shareLines(export string) (lines []string) {
	for line := range strings.Lines(export) {
		if strings.HasPrefix(line, `{"type":"share"`) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// An export has all shares, and an import makes them as they were: at the same address, with the
// same end and password. Sent again it changes nothing.
func TestSharesAreExportedAndImported(t *testing.T) {
	t.Parallel()
	from := newFixture(t, nil)
	from.createNews(t)
	paths := []string{
		from.sharedAt(t, "/api/urls/two/share", ""),
		from.sharedAt(t, "/api/urls/one/share", `{"title":"Titled"}`),
		from.sharedAt(t, tagShare, `{"password":"open","title":"Spring"}`),
		from.sharedAt(t, allShare, `{"expires_at":"2999-01-01T00:00:00Z"}`),
	}
	export := from.do(t, request{target: "/api/export"}).body
	lines := shareLines(export)
	if len(lines) != 3 || !strings.HasPrefix(lines[0], `{"type":"share","share":"`+
		paths[1][len("/ui/share/"):]+`","short_code":"one"`) {
		t.Fatalf("the export has %q", lines)
	}
	for i, has := range []string{
		`"title":"Titled"`, `"tag":"News","title":"Spring"`,
		`"expires_at":"2999-01-01T00:00:00.000000Z"`,
	} {
		if !strings.Contains(lines[i], has) {
			t.Errorf("line %s lacks %s", lines[i], has)
		}
	}
	if strings.LastIndex(export, `{"type":"link"`) > strings.Index(export, lines[0]) ||
		!strings.Contains(export, `"share":"`+paths[0][len("/ui/share/"):]+`"`) {
		t.Errorf("shares do not stand behind the links: %s", export)
	}
	csv := from.do(t, request{target: "/api/export?format=csv"}).body
	for _, path := range paths {
		if strings.Contains(csv, path[len("/ui/share/"):]) {
			t.Errorf("the CSV has a share: %s", csv)
		}
	}
	to := newFixture(t, nil)
	for n, query := range []string{"?dry_run=true", "", "", "?conflict=overwrite"} {
		got := to.send(t, query, strings.Split(export, "\n")...)
		if got.summary.LinesFailed != 0 || got.summary.Failed != 0 || len(got.results) != 3 {
			t.Fatalf("%d: %+v", n, got)
		}
		status := map[bool]int{true: http.StatusNotFound, false: http.StatusOK}[n == 0]
		for _, path := range paths {
			if got := to.do(t, anybody("GET", path)); got.status != status {
				t.Errorf("after %q, %s: %d", query, path, got.status)
			}
		}
	}
	data := anybody("GET", paths[2]+"/overview")
	wantError(t, to.do(t, data), http.StatusUnauthorized, "password required")
	data.header.Set("X-Share-Password", "open")
	shared := decodeAs[api.SharedOverview](t, to.do(t, data), 200)
	if shared.Title != "Spring" || shared.Links != 2 || shared.TotalClicks != 3 {
		t.Errorf("%+v", shared)
	}
	wantSchemas(t, export)
	_, want, _ := strings.Cut(export, "\n")
	_, again, _ := strings.Cut(to.do(t, request{target: "/api/export"}).body, "\n")
	if again != want {
		t.Errorf("exported again:\n%s\nwant\n%s", again, want)
	}
}

// A share is left out, with a word, where it or what it shows has another one. It never comes to a
// link that is another than the one that was shared.
func TestSharesLeftOut(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.createNews(t)
	kept := f.sharedAt(t, tagShare, "")
	fresh := func() string { return terse.NewShare().String() }
	line := func(share, more string) string {
		return fmt.Sprintf(`{"type":"share","share":%q,%s}`, share, more)
	}
	wrong := fresh()
	got := f.send(t, "",
		link("one", "https://elsewhere.example/", ""), // it is skipped
		line(wrong, `"short_code":"one","original_url":"https://elsewhere.example/"`),
		line(fresh(), `"tag":"NEWS"`),
		line(kept[len("/ui/share/"):], `"tag":"news"`), // it is there
		line(kept[len("/ui/share/"):], `"overview":true`),
		line(fresh(), `"short_code":"nothere"`),
		line(fresh(), `"tag":"new","unheard":1`),
		line(wrong, `"short_code":"one","original_url":"https://secret.example/one"`),
	)
	left := func(n int64, code, why string) api.ImportResult {
		return api.ImportResult{
			Line: n, ShortCode: code, Result: "skipped", Error: "share was left out: " + why,
		}
	}
	skipped := result(1, "one", "skipped")
	skipped.Error = "short code already exists"
	got.want(t, "shares", 0, 0, 0, skipped, left(2, "one", "URL not found"),
		left(3, "", "there is another share of it"),
		left(5, "", "share belongs to something else"), left(6, "nothere", "URL not found"),
		result(7, "", "unchanged"))
	if got.summary.Skipped != 1 || got.summary.LinesFailed != 0 {
		t.Errorf("%+v", got.summary)
	}
	shared := decodeAs[api.SharedClicks](t, f.do(t, anybody("GET", "/ui/share/"+wrong+"/clicks")),
		200)
	if shared.ShortCode != "one" {
		t.Errorf("%+v", shared)
	}
	// A link that was renamed has its share.
	renamed := fresh()
	f.send(t, "?conflict=rename", link("two", "https://elsewhere.example/", created),
		line(renamed, `"short_code":"two","original_url":"https://elsewhere.example/"`))
	shared = decodeAs[api.SharedClicks](t, f.do(t, anybody("GET",
		"/ui/share/"+renamed+"/clicks")), 200)
	if shared.ShortCode != "two-2" {
		t.Errorf("%+v", shared)
	}
}

// Lines of shares that can't be read fail: none is opened wider than it was.
func TestBadShareLines(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	share := `"share":"` + terse.NewShare().String() + `"`
	for _, row := range []struct{ fields, text string }{
		{`"overview":true`, "share is required"},
		{`"share":"short","overview":true`, "share must be 22 to 64 characters"},
		{share, "a share must have one of short_code, tag and overview"},
		{share + `,"tag":"a","overview":true`, "a share must have one"},
		{share + `,"overview":"yes"`, "must be true or false"},
		{share + `,"tag":"a,b"`, "a tag must be"},
		{share + `,"overview":true,"password_hash":"plain"`, "password_hash must be"},
		{share + `,"overview":true,"expires_at":"soon"`, "expires_at must be"},
		{share + `,"overview":true,"title":" "`, "title must be"},
	} {
		line, text := `{"type":"share",`+row.fields+`}`, row.text
		got := f.send(t, "", line)
		if got.summary.LinesFailed != 1 || len(got.results) != 1 ||
			!strings.Contains(got.results[0].Error, text) {
			t.Errorf("%s: %+v, want %s", line, got, text)
		}
	}
	if all := f.do(t, request{target: "/api/shares"}); all.body != `{"shares":[]}` {
		t.Errorf("there are %s", all.body)
	}
}

// With owner=keep each share goes to whom its line names.
func TestSharesKeepTheirOwners(t *testing.T) {
	t.Parallel()
	from, to := newFixture(t, nil), newFixture(t, nil)
	from.addUsers(t, "ci")
	from.createOf(t, "ci", "theirs", "https://example.com/", "news")
	theirs := from.sharedAt(t, tagShare+"?owner=ci", "")
	link := from.sharedAt(t, "/api/urls/theirs/share?owner=ci", `{"password":"open"}`)
	mine := from.sharedAt(t, allShare, "")
	export := from.do(t, request{target: "/api/export?owner=*"}).body
	if got := to.send(t, "?owner=keep", strings.Split(export, "\n")...); got.summary.LinesFailed+
		got.summary.Failed != 0 {
		t.Fatalf("%+v", got)
	}
	for _, path := range []string{theirs, link, mine} {
		if got := to.do(t, anybody("GET", path)); got.status != http.StatusOK {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	list := decodeAs[api.Shares](t, to.do(t, request{target: "/api/shares?owner=ci"}), 200)
	if len(list.Shares) != 2 {
		t.Errorf("%+v", list)
	}
	own := from.do(t, request{target: "/api/export?owner=ci"}).body
	if lines := shareLines(own); len(lines) != 2 {
		t.Errorf("an export of ci has %q", lines)
	}
}
