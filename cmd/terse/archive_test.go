package main

import (
	"net/http"
	"strings"
	"testing"

	"terse/api"
	"terse/internal/cli"
	"terse/internal/tests/pgtest"
)

func TestArchiveCommands(t *testing.T) {
	t.Parallel()
	i := start(t)
	for _, code := range []string{"one", "two", "news"} {
		i.shortenAs(t, code, "https://example.com/"+code)
	}
	for _, tt := range []struct {
		args string
		want result
	}{
		{"list", result{out: "news two one"}},
		{"list --archived", result{}},
		{"archive one two", result{out: "one\tarchived\ntwo\tarchived\n"}},
		{"archive one", result{out: "one\tarchived\n"}},
		{"list", result{out: "news"}},
		{"list --archived", result{out: "two one"}},
		{"list --archived --all --sort oldest", result{out: "one two"}},
		{"list --all", result{out: "news two one"}},
		{"list --search one", result{}},
		{"list --search one --archived", result{out: "one"}},
		{"unarchive one", result{out: "one\tnot archived\n"}},
		{"list", result{out: "news one"}},
		{
			"archive nothere news",
			result{
				"news\tarchived\n",
				"nothere: No link \"nothere\".\n1 of 2 links were not changed.\n", cli.ExitFailure,
			},
		},
		{"edit one --archived --jq .archived", result{out: "true\n"}},
		{"list --archived", result{out: "news two one"}},
		{"edit one --clear archived --jq .archived", result{out: "null\n"}},
		{"create https://example.com/ --code made --archived --jq .archived", result{
			out: "true\n",
		}},
		{"list --archived", result{out: "made news two"}},
		{"archive", result{
			err: "terse: error: expected \"<code> ...\"\n", code: cli.ExitUsage,
		}},
	} {
		r := i.command(t, strings.Fields(tt.args)...)
		if strings.HasPrefix(tt.args, "list") {
			var codes []string
			for line := range strings.Lines(r.out) {
				code, _, _ := strings.Cut(line, "\t")
				codes = append(codes, code)
			}
			r.out = strings.Join(codes, " ")
		}
		if r != tt.want && r.code != cli.ExitUsage || r.code != tt.want.code {
			t.Errorf("%s: %+v, want %+v", tt.args, r, tt.want)
		}
	}
	if r := i.command(t, "archive", "one", "--json"); !strings.Contains(r.out,
		`"archived": true`) {
		t.Errorf("as JSON: %+v", r)
	}
}

// TestOnlyArchived: a list that finds only archived links says how many there are.
func TestOnlyArchived(t *testing.T) {
	t.Parallel()
	i := start(t)
	for _, code := range []string{"summer", "spring"} {
		i.shortenAs(t, code, "https://example.com/"+code)
	}
	i.command(t, "tag", "add", "News", "summer")
	i.command(t, "archive", "summer")
	said := func(args, want string) {
		t.Helper()
		r := i.onTerminal(t, 80, append([]string{"list"}, strings.Fields(args)...)...)
		if text := escapes.ReplaceAllString(r.out, ""); !strings.Contains(text, want) ||
			strings.Contains(want, "No link") && strings.Count(text, "\n") != 1 {
			t.Errorf("list %s: %q, want %q", args, text, want)
		}
	}
	const one = "No link matches, but 1 archived link does. Add --archived.\n"
	said("--search summer", one)
	said("--tag news", one)
	said("--tag news --search summer --sort clicks", one)
	said("--search winter", "No link matches winter.\n")
	said("--search winter --archived", "No link matches winter.\n")
	said("--status expired", "No link matches.\n")
	said("", "1 of 1\n")
	said("--archived", "archived")
	i.command(t, "archive", "spring")
	said("--search example", "No link matches, but 2 archived links do. Add --archived.\n")
	said("", "No links, but 2 archived links. See terse list --archived.\n")
	i.command(t, "unarchive", "spring", "summer")
	said("--archived", "No link is archived.\n")
}

// TestVisitorsDoNotNotice: an archived link redirects and is counted, and its pages are as before.
func TestVisitorsDoNotNotice(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.do(t, "POST /api/urls", `{"original_url":"https://example.com/","short_code":"sale",`+
		`"aliases":["docs/sale"],"title":"Sale","rules":[{"name":"de",`+
		`"when":{"language":["de"]},"url":"https://example.com/de"}]}`, authorized())
	i.do(t, "POST /api/urls", `{"original_url":"https://example.com/","short_code":"once",`+
		`"max_clicks":1,"password":"secret"}`, authorized())
	var before []string
	look := func() (seen []string) {
		for _, request := range []struct{ line, header string }{
			{"GET /sale", "Accept-Language: en"},
			{"GET /sale", "Accept-Language: de"},
			{"GET /docs/sale", "Accept-Language: en"},
			{"GET /sale+", "Accept-Language: en"},
			{"GET /sale.svg", "Accept-Language: en"},
			{"GET /once", "Accept-Language: en"},
		} {
			got := i.do(t, request.line, "", request.header)
			seen = append(seen, got.Status+" "+got.Header.Get("Location")+" "+got.body)
		}
		return seen
	}
	before = look()
	if got := i.command(t, "archive", "sale", "once"); got.code != cli.ExitOK {
		t.Fatal(got)
	}
	for n, seen := range look() {
		if seen != before[n] {
			t.Errorf("%d: %s, before %s", n, seen, before[n])
		}
	}
	if stats := i.clicks(t, "sale", 6); stats.TotalClicks != 6 {
		t.Errorf("%d clicks, want 6", stats.TotalClicks)
	}
	once := "X-Link-Password: secret"
	if got := i.do(t, "GET /once", "", once); got.StatusCode != http.StatusFound {
		t.Errorf("with the password: %s", got.Status)
	}
	if got := i.do(t, "GET /once", "", once); got.StatusCode != http.StatusGone {
		t.Errorf("used up: %s", got.Status)
	}
}

// TestNodesListArchived archives on one node, and lists on the other.
func TestNodesListArchived(t *testing.T) {
	t.Parallel()
	url := "DATABASE_URL=" + pgtest.URL(t)
	a, b := start(t, url), start(t, url)
	code := a.shorten(t, "https://example.com/")
	for _, archived := range []bool{true, false} {
		_, err := a.client().Update(t.Context(), code, "", api.Changes{"archived": archived})
		if err != nil {
			t.Fatal(err)
		}
		page, err := b.client().Search(t.Context(), api.Search{Archived: &archived})
		if err != nil || page.Total != 1 || page.URLs[0].Archived != archived {
			t.Errorf("archived %v: %+v, %v", archived, page, err)
		}
	}
}
