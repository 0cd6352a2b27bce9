package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"terse/internal/cli"
	"terse/internal/tests/pgtest"
)

// Links that nobody visits since a day are listed on both databases, and each link has the time of
// its last visit.
func TestUnusedLinks(t *testing.T) {
	t.Parallel()
	for name, env := range map[string][]string{
		"SQLite": nil, "PostgreSQL": {"DATABASE_URL=" + pgtest.URL(t)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tryUnused(t, start(t, env...))
		})
	}
}

func tryUnused(t *testing.T, i *instance) {
	t.Helper()
	i.makeLink(t, "new", "https://example.com/", `"tags":["a"]`)
	var lines strings.Builder
	for code, more := range map[string]string{
		"visited": `"tags":["a"]`, "crawled": `"tags":["a"]`, "quiet": `"tags":["a"]`,
		"cleared": `"title":"Anew"`, "seen": `"title":"By HEAD"`,
	} {
		fmt.Fprintf(&lines, `{"type":"link","short_code":%q,"original_url":`+
			`"https://example.com/","created_at":"2026-01-01T00:00:00Z",%s}`+"\n", code, more)
	}
	if _, err := i.importText(t.Context(), lines.String(), nil); err != nil {
		t.Fatal(err)
	}
	before := time.Now().Truncate(time.Microsecond)
	i.goTo(t, "GET /visited", "", "User-Agent: "+person)
	i.goTo(t, "GET /crawled", "", "User-Agent: Googlebot/2.1")
	i.goTo(t, "GET /cleared", "", "User-Agent: "+person)
	i.goTo(t, "HEAD /seen", "", "User-Agent: "+person)
	after := time.Now()
	i.drain(t)
	if r := i.command(t, "clear", "cleared", "--yes"); r.code != cli.ExitOK {
		t.Fatalf("clear: %+v", r)
	}
	days := map[string]time.Time{}
	for code, clicked := range map[string]bool{
		"visited": true, "crawled": true, "quiet": false, "cleared": false, "seen": false,
	} {
		link, err := i.client().Link(t.Context(), code)
		if err != nil {
			t.Fatal(err)
		}
		at := link.LastClickedAt
		if clicked != !at.IsZero() || clicked && (at.Before(before) || at.After(after)) {
			t.Errorf("%s was last clicked at %v, want one from %v to %v", code, at, before, after)
		}
		days[code] = at.UTC().Truncate(24 * time.Hour)
		want := ""
		if clicked {
			want = "last_clicked_at\t" + at.UTC().Format(time.RFC3339Nano) + "\n"
		}
		if r := i.command(t, "show", code); r.code != cli.ExitOK ||
			!strings.Contains(r.out, want) || strings.Contains(r.out, "last_click") != clicked {
			t.Errorf("show %s: %+v", code, r)
		}
		if text := i.onTerminal(t, 80, "show", code).out; strings.Contains(text,
			"last click ") != clicked {
			t.Errorf("show %s on a terminal: %s", code, text)
		}
	}
	visited := days["visited"].Format(time.DateOnly)
	tomorrow := days["crawled"].AddDate(0, 0, 1).Format(time.DateOnly)
	for args, want := range map[string]string{
		visited:                             "cleared quiet seen",
		"7d":                                "cleared quiet seen",
		"2026-01-02":                        "cleared quiet seen",
		"2026-01-01":                        "",
		visited + " --tag A":                "quiet",
		visited + " --search anew":          "cleared",
		visited + " --sort clicks --all":    "cleared quiet seen",
		visited + " --status active":        "cleared quiet seen",
		visited + " --created-after 1h":     "",
		tomorrow:                            "cleared crawled new quiet seen visited",
		tomorrow + " --sort clicks --all":   "cleared crawled new quiet seen visited",
		tomorrow + " --sort oldest --tag a": "crawled new quiet visited",
	} {
		r := i.command(t, append([]string{"list", "--unused-since"}, strings.Fields(args)...)...)
		var codes []string
		for line := range strings.Lines(r.out) {
			code, _, _ := strings.Cut(line, "\t")
			codes = append(codes, code)
		}
		slices.Sort(codes)
		if got := strings.Join(codes, " "); r.code != cli.ExitOK || got != want {
			t.Errorf("list --unused-since %s: %q %s, want %q", args, got, r.err, want)
		}
	}
	if r := i.command(t, "list", "--unused-since", "soon"); r.code != cli.ExitUsage ||
		!strings.Contains(r.err, "--unused-since") {
		t.Errorf("soon: %+v", r)
	}
	if text := i.onTerminal(t, 80, "list", "--unused-since", visited, "--status",
		"disabled").out; !strings.Contains(text, "No link matches.") {
		t.Errorf("none: %s", text)
	}
}

// With TRACKING=off nothing more exact than the day is known of a click.
func TestLastClickWithoutTracking(t *testing.T) {
	t.Parallel()
	i := start(t, "TRACKING=off")
	i.shortenAs(t, "counted", "https://example.com/")
	before := time.Now().UTC().Truncate(24 * time.Hour)
	i.goTo(t, "GET /counted", "", "User-Agent: "+person)
	after := time.Now().UTC()
	i.drain(t)
	link, err := i.client().Link(t.Context(), "counted")
	if err != nil {
		t.Fatal(err)
	}
	at := link.LastClickedAt
	if at.Before(before) || at.After(after) || !at.Equal(at.Truncate(24*time.Hour)) {
		t.Errorf("last clicked at %v, want 00:00 UTC", at)
	}
	day, next := at.Format(time.DateOnly), at.AddDate(0, 0, 1).Format(time.DateOnly)
	for day, want := range map[string]string{day: "", next: "counted\n"} {
		r := i.command(t, "list", "--unused-since", day, "--jq", ".urls[].short_code")
		if r.code != cli.ExitOK || r.out != want {
			t.Errorf("unused since %s: %+v, want %q", day, r, want)
		}
	}
}
