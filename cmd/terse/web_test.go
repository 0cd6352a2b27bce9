package main

import (
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"terse/internal/cli"
)

// --web opens the dashboard's page of what a command would print.
func TestWeb(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.do(t, "POST /api/urls", `{"original_url":"https://example.com/","short_code":"seen",`+
		`"aliases":["docs/seen"]}`, authorized())
	variable, opened := browser(t)
	for args, want := range map[string]string{
		"show seen --web":             "/ui/links/seen",
		"show docs/seen -w":           "/ui/links/seen",
		"list -w":                     "/ui/",
		"overview -w":                 "/ui/overview?range=all",
		"stats seen -w":               "/ui/links/seen?range=all",
		"stats docs/seen -w --bots":   "/ui/links/seen?bots=1&range=all",
		"stats seen -w --since 7d":    "/ui/links/seen?range=7d",
		"stats seen -w --owner *":     "/ui/links/seen?owner=%2A&range=all",
		"show seen -w --owner *":      "/ui/links/seen?owner=%2A",
		"overview -w -l a -l b":       "/ui/overview?range=all&tag=a&tag=b",
		"list -w --search a&b -l c":   "/ui/?search=a%26b&tag=c",
		"list -w --sort clicks":       "/ui/?sort=clicks",
		"ls -w -s expired -Sx":        "/ui/?search=x&status=expired",
		"open docs/seen --page":       "/ui/links/seen",
		"list -w --sort oldest -L 3":  "/ui/?sort=oldest",
		"overview -w --by os,country": "/ui/overview?range=all&tab=os&tab=country",
		"stats seen -w --since 2026-01-01 --until 2026-01-31": "/ui/links/seen?" +
			"from=2025-12-31T23%3A00%3A00.000Z&to=2026-01-31T22%3A59%3A59.999Z",
		"stats seen -w --only country=DE --only country=US --not device=mobile --visitors": "" +
			"/ui/links/seen?country=DE&country=US&not_device=mobile&range=all&show=visitors",
		"list -w --sort clicks --period 7d --unused-since 2026-01-31": "/ui/?sort=clicks-7d" +
			"&unused_since=2026-01-31",
	} {
		_ = os.Remove(opened)
		r := command(t, i.environ(variable), "", strings.Fields(args)...)
		got, err := os.ReadFile(opened)
		if r != (result{}) || err != nil || string(got) != i.url+want {
			t.Errorf("%s: %+v opened %q (%v), want %q", args, r, got, err, i.url+want)
		}
	}
	// Without a browser the page's address is printed; the way in is no part of it.
	secret := strings.Replace(i.url, "://", "://user:hidden@", 1)
	for _, args := range []string{
		"show seen", "list", "stats seen", "overview", "stats seen --since 1d",
	} {
		r := command(t, []string{
			"TERSE_URL=" + secret, "TERSE_TOKEN=" + testToken, "BROWSER=/nonexistent",
		}, "", append(strings.Fields(args), "--web")...)
		page, err := url.Parse(strings.TrimSuffix(r.out, "\n"))
		if r.code != cli.ExitOK || err != nil || !strings.HasPrefix(r.out, i.url+"/ui/") ||
			!strings.Contains(r.err, "No browser could be started") || page.User != nil ||
			strings.Contains(r.out+r.err, "hidden") || strings.Contains(r.out+r.err, testToken) {
			t.Errorf("%s: %+v", args, r)
		}
		from, to := page.Query().Get("from"), page.Query().Get("to")
		if strings.Contains(args, "1d") {
			first, err := time.Parse(time.RFC3339, from)
			last, err2 := time.Parse(time.RFC3339, to)
			if err != nil || err2 != nil || !first.Before(last) {
				t.Errorf("from %q to %q", from, to)
			}
		}
	}
	for args, code := range map[string]int{
		"show nothere -w": cli.ExitNotFound, "stats nothere -w": cli.ExitNotFound,
		"list -w --created-after 7d":         cli.ExitUsage,
		"stats seen -w --until 2026-01-31":   cli.ExitUsage,
		"stats seen -w --since 2026-13-01":   cli.ExitUsage,
		"overview -w --only nonsense=x":      cli.ExitUsage,
		"list -w --unused-since yesterdays":  cli.ExitUsage,
		"overview -w --until 2026-01-31":     cli.ExitUsage,
		"stats seen -w --since 7d --until 8": cli.ExitUsage,
	} {
		_ = os.Remove(opened)
		r := command(t, i.environ(variable), "", strings.Fields(args)...)
		if _, err := os.Stat(opened); r.code != code || err == nil {
			t.Errorf("%s: %+v, opened: %t", args, r, err == nil)
		}
	}
}

// On a narrow terminal, tables leave out the https:// of URLs; elsewhere they are whole.
func TestURLsInNarrowTables(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "secure", "https://example.com/secure")
	i.shortenAs(t, "plain", "http://example.com/plain")
	visit := i.visitor(t)
	visit("secure", 1)
	visit("plain", 1)
	i.clicks(t, "secure", 1)
	i.clicks(t, "plain", 1)
	for _, args := range []string{"list", "overview --bots"} {
		narrow := i.onTerminal(t, 80, strings.Fields(args)...).out
		wide := i.onTerminal(t, 160, strings.Fields(args)...).out
		piped := i.command(t, strings.Fields(args)...).out
		if strings.Contains(narrow, "https://") ||
			!strings.Contains(narrow, "example.com/secure") ||
			!strings.Contains(narrow, "http://example.com/plain") {
			t.Errorf("%s on 80 columns:\n%s", args, narrow)
		}
		for name, text := range map[string]string{"160 columns": wide, "a pipe": piped} {
			if !strings.Contains(text, "https://example.com/secure") ||
				!strings.Contains(text, "http://example.com/plain") {
				t.Errorf("%s in %s:\n%s", args, name, text)
			}
		}
	}
	r := i.onTerminal(t, 80, "create", "https://a.example/", "http://b.example/")
	if !strings.Contains(r.out, "  a.example/\n") || !strings.Contains(r.out, "  http://b.") {
		t.Errorf("create: %s", r.out)
	}
}
