package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"terse/api"
	"terse/internal/cli"
	"terse/internal/tests/foreign"
)

// One link with clicks of all kinds has the same numbers under the same names wherever it is read:
// a prefetch is a person's click, and clicks of bots are none unless they are asked for.
func TestOneLinkByEveryCommand(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "read", "https://example.com/")
	for range 3 {
		i.do(t, "GET /read", "", "User-Agent: Googlebot/2.1")
		i.do(t, "GET /read", "", "User-Agent: "+person)
	}
	i.do(t, "GET /read", "", "User-Agent: "+person+" again")
	i.do(t, "GET /read", "", "User-Agent: "+person, "Sec-Purpose: prefetch")
	i.clicks(t, "read", 8)

	numbers := func(name string, total int64, people, visitors *int64) {
		t.Helper()
		if total != 8 || people == nil || *people != 5 || visitors == nil || *visitors != 2 {
			t.Errorf("%s: %d clicks, %v, %v", name, total, people, visitors)
		}
	}
	ctx, two := t.Context(), int64(2)
	link, err := i.client().LinkWithPeople(ctx, "read")
	if err != nil {
		t.Fatal(err)
	}
	numbers("the link", link.ClickCount, link.People, &two)
	page, err := i.client().Search(ctx, api.Search{People: true})
	if err != nil || len(page.URLs) != 1 {
		t.Fatal(page, err)
	}
	numbers("the list", page.URLs[0].ClickCount, page.URLs[0].People, &two)
	query := api.ClicksQuery{Visitors: true, People: true}
	clicks, err := i.client().Clicks(ctx, "read", query)
	if err != nil {
		t.Fatal(err)
	}
	numbers("the clicks", clicks.TotalClicks, clicks.People, clicks.Visitors)
	overview, err := i.client().Overview(ctx, query)
	if err != nil || len(overview.TopLinks) != 1 {
		t.Fatal(overview, err)
	}
	numbers("the overview", overview.TotalClicks, overview.People, overview.Visitors)
	numbers("the top links", overview.TopLinks[0].Clicks, overview.TopLinks[0].People, &two)

	const leftOut = "3 clicks by bots are left out; --bots counts them."
	const jq, both = "--jq", `"\(.total_clicks) \(.people) \(.visitors)"`
	for _, tt := range []struct{ args, pipe, terminal string }{
		{"list", `^read\t\S+\t5\t8\t`, `CODE  CLICKS .*\nread       5 `},
		{"list --json", `"click_count": 8,\s+"people": 5\s`, `"people": 5\s`},
		{"show read", `\npeople\t5\nclick_count\t8\n`, `\nclicks +5\nclicks with bots +8\n`},
		{"show read --json", `"click_count": 8,\s+"people": 5,`, `"people": 5,`},
		{
			"stats read", `\n5 clicks, 2 visitors\n` + leftOut +
				`\n\nClicks by day, (?s:.*) 5\n\nCountries by clicks\n.* 5\n\n` +
				`Referring sites by clicks\n  direct .* 5\n$`,
			`\n5 clicks, 2 visitors\n` + leftOut + `\n\nClicks by day, `,
		},
		{
			"stats read --bots", `\n8 clicks with bots, 2 visitors\n\nClicks with bots by day, ` +
				`(?s:.*) 8\n\nCountries by clicks with bots\n.* 8\n`, `\n8 clicks with bots, 2 v`,
		},
		{
			"stats read --visitors", `\n5 clicks, 2 visitors\n` + leftOut + `\n\n` +
				`Visitors by day, (?s:.*) 2\n\nCountries by visitors\n.* 2\n`, `Visitors by day, `,
		},
		{"stats read --not visitor=prefetch", `\n7 clicks with bots, 2 visitors\n\n`, ""},
		{"stats read --only visitor=person", `\n4 clicks, 2 visitors\n\n`, ""},
		{"stats read --only country=DE", `\n0 clicks, 0 visitors\n$`, ""},
		{
			"stats read --json", `"total_clicks": 8,\s+"people": 5,\s+"visitors": 2,`,
			`"people": 5,`,
		},
		{
			"overview", `^1 link\n5 clicks, 2 visitors\n` + leftOut + `\n(?s:.*)` +
				`\nTop links by clicks\n  read  5  https://example.com/\n$`,
			`\n  read  5  example\.com`,
		},
		{
			"top --bots", `\n8 clicks with bots, 2 visitors\n\n(?s:.*)` +
				`\nTop links by clicks with bots\n  read  8  https:`, `\n  read  8  example\.com`,
		},
		{
			"overview --visitors", `\nReferring sites by visitors\n  direct .* 2\n\n` +
				`Top links by clicks\n  read  5 `, `\n  read  5  example\.com`,
		},
		{
			"overview --json", `"total_clicks": 8,\s+"people": 5,\s+"visitors": 2,`,
			`"people": 5\s`,
		},
		{"list " + jq + ` .urls[]|"\(.people)\t\(.click_count)"`, `^5\t8\n$`, `^5 +8\n$|^5\t8\n$`},
		{"show read " + jq + " .people,.click_count", `^5\n8\n$`, `^5\n8\n$`},
		{"stats read " + jq + " " + strings.ReplaceAll(both, " ", "_"), `^8_5_2\n$`, `^8_5_2\n$`},
		{
			"overview " + jq + " .top_links[0]|[.people,.clicks]", `^\[\n\t5,\n\t8\n\]\n$`,
			`^\[\n\t5,\n\t8\n\]\n$`,
		},
		{"events read --jq .visitor", `^((bot|person|prefetch)\n){8}$`, ""},
		{"events read --not visitor=bot --jq .visitor", `^((person|prefetch)\n){5}$`, ""},
		{"events read --only visitor=bot", `^(.*\tbot\t.*\n){3}$`, ""},
	} {
		args := strings.Fields(tt.args)
		r := i.command(t, args...)
		if r.code != cli.ExitOK || r.err != "" ||
			!regexp.MustCompile(tt.pipe).MatchString(r.out) {
			t.Errorf("%s: %d\n%s%s\nwant %s", tt.args, r.code, r.out, r.err, tt.pipe)
		}
		r = i.onTerminal(t, 80, args...)
		text := escapes.ReplaceAllString(r.out, "")
		if r.code != cli.ExitOK || !regexp.MustCompile(tt.terminal).MatchString(text) {
			t.Errorf("%s on a terminal: %d\n%s\nwant %s", tt.args, r.code, text, tt.terminal)
		}
	}
}

// What --jq prints is what the expression makes of each answer.
func TestJQ(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it names IDs")
	i := start(t)
	const title = "a \"b\" <c> \u202egnp"
	if r := i.command(t, "create", "https://example.com/", "--code", "first", "--title",
		title, "--jq", ".short_code"); r.code != cli.ExitOK || r.out != "first\n" {
		t.Fatalf("create: %+v", r)
	}
	for k := range 101 {
		i.shortenAs(t, fmt.Sprintf("code%03d", k), "https://example.com/")
	}
	i.click(t, "first", "", map[string]int{"": 2})
	for _, tt := range []struct{ args, expression, want string }{
		{"list --all", ".urls | length", "100\n2\n"},
		{"list --all --sort oldest", ".urls[0] | .short_code, .id", "first\n1\ncode099\n101\n"},
		{"show first", ".title", title + "\n"},
		{"show first", "[.title]", "[\n\t" + `"a \"b\" <c> \u202egnp"` + "\n]\n"},
		{"show first", "{a: 1}, null, true, 9007199254740993", "{\n\t\"a\": 1\n}\n" +
			"null\ntrue\n9007199254740993\n"},
		{"show first", "empty", ""},
		{"show first", `"x", halt, "y"`, "x\n"},
		{"show first", "[$ENV, env]", "[\n\t{},\n\t{}\n]\n"},
		{"events first", "{visitor}", "{\"visitor\":\"person\"}\n{\"visitor\":\"person\"}\n"},
		{"history first", ".changes", "[]\n"},
		{"tag list", ".tags | length", "0\n"},
		{"unknown", ".total", "0\n"},
		{"share first", `.url | test("/ui/share/")`, "true\n"},
	} {
		r := i.command(t, append(strings.Fields(tt.args), "--jq", tt.expression)...)
		if r.code != cli.ExitOK || r.out != tt.want || r.err != "" {
			t.Errorf("%s --jq %q: %+v", tt.args, tt.expression, r)
		}
	}
	if r := i.onTerminal(t, 80, "show", "first", "--jq", `"\(.title)\tx\ny"`); r.out !=
		"a \"b\" <c> [U+202E]gnp\tx\ny\n" {
		t.Errorf("on a terminal: %q", r.out)
	}
	for expression, want := range map[string]string{
		"{":   `"{"; it must be a jq expression (unexpected EOF)`,
		"a|b": `"a|b"; it must be a jq expression (function not defined: a/0)`,
	} {
		r := i.command(t, "show", "first", "--jq", expression)
		if r.code != cli.ExitUsage || r.err != "terse: --jq is "+want+"\n" || r.out != "" {
			t.Errorf("%s: %+v", expression, r)
		}
	}
	for _, args := range []string{"show first", "list", "events first"} {
		r := i.command(t, append(strings.Fields(args), "--jq", ". - 1")...)
		if r.code != cli.ExitFailure || !strings.HasPrefix(r.err, "--jq: ") || r.out != "" ||
			lineCount(r.err) != 1 {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := i.command(t, "events", "--format", "csv", "--jq", "."); r.code != cli.ExitUsage {
		t.Errorf("CSV: %+v", r)
	}
	for _, args := range []string{"show first", "events first"} {
		s := onTerminal(t, 80, i.environ(), append(strings.Fields(args), "--jq",
			`"begun", (def again: again; again)`)...)
		s.await(t, "begun")
		s.cancel()
		if text, code := s.end(t); code != cli.ExitFailure || text != "begun\nInterrupted.\n" {
			t.Errorf("%s without an end: %d %q", args, code, text)
		}
	}
}
