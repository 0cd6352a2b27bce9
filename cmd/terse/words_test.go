package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"terse/internal/cli"
)

// Commands about a link take its aliases and short URLs, too.
func TestCommandsTakeAliases(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.do(t, "POST /api/urls", `{"original_url":"https://example.com/docs","short_code":"news",`+
		`"aliases":["docs/grüße","newsx"]}`, authorized())
	i.choose(t, "docsx", "https://example.com/docs/grüße")
	for _, address := range []string{
		"docs/grüße", "docs/gru\u0308ße", "newsx", i.url + "/newsx", i.url + "/news",
		i.url + "/docs/gr%C3%BC%C3%9Fe",
	} {
		for _, args := range []string{
			"show", "stats", "stats --json", "history", "qr", "events", "events --format csv",
			"edit --title a", "edit --add-tag a", "tag add a", "share",
			"archive", "unarchive",
		} {
			args := append(strings.Fields(args), address)
			if args[0] == "qr" {
				args = append(args, "--output", filepath.Join(t.TempDir(), "x.svg"))
			}
			r := i.command(t, args...)
			if r.code != cli.ExitOK || strings.Contains(r.out, "docsx") {
				t.Errorf("%q: %+v", args, r)
			}
		}
		if r := i.command(t, "show", address); !strings.Contains(r.out, "/news\n") {
			t.Errorf("%+v", r)
		}
	}
	if r := i.command(t, "create", "https://example.com/", "--code", "newsx"); r.err !=
		"The code \"newsx\" is taken: it is an alias of \"news\".\n" {
		t.Errorf("%+v", r)
	}
	if r := i.command(t, "edit", "docsx", "--code", "newsx"); !strings.Contains(r.err,
		`it is an alias of "news"`) {
		t.Errorf("%+v", r)
	}
	for _, address := range []string{"", ".", "..", "newsy", "docs", "NEWSX"} {
		for _, args := range []string{"show", "delete --yes", "clear --yes", "edit --title a"} {
			r := i.command(t, append(strings.Fields(args), address)...)
			if r.code != cli.ExitNotFound || !strings.Contains(r.err, "No link") {
				t.Errorf("%s %q: %+v", args, address, r)
			}
		}
	}
	if r := i.command(t, "clear", "--yes", "newsx"); r.out != "Cleared news\n" {
		t.Errorf("%+v", r)
	}
	if r := i.command(t, "delete", "--yes", "docs/grüße"); r.out != "Deleted news\n" {
		t.Errorf("%+v", r)
	}
	if r := i.command(t, "show", "docsx"); r.code != cli.ExitOK {
		t.Errorf("%+v", r)
	}
}

// What is wrong with a code is said, not only what a code is.
func TestReasonsForBadCodes(t *testing.T) {
	t.Parallel()
	i := start(t)
	for code, want := range map[string]string{
		"logo.png": "may have only the characters", "ui/x": "may have only the characters",
		"ab": "must be 3-20 characters", strings.Repeat("x", 21): "must be 3-20 characters",
		"health": "is reserved",
	} {
		r := i.command(t, "create", "https://example.com/", "--code", code)
		if r.code != cli.ExitFailure || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", code, r)
		}
	}
}

// The parser's messages and the help read like ours.
func TestWordsOfTheParser(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"list --ta news":     `unknown flag --ta, did you mean`,
		"list --limt 3":      `unknown flag --limt, did you mean "--limit"?`,
		"list -L":            "--limit lacks its value\n",
		"list --status":      "--status lacks its value\n",
		"list -L many":       `--limit must be a whole number but got "many"`,
		"qr a --size 1.5":    `--size must be a whole number but got "1.5"`,
		"create -y":          "terse: unknown flag -y\n",
		"lst":                `unexpected argument lst, did you mean`,
		"list --status x":    `--status must be one of "active", "scheduled", "expired"`,
		"stats a --interval": "--interval lacks its value\n",
		"qr a --level X":     `must be one of "L", "M", "Q", "H" but got "X"`,
		"import x y":         `must be one of "terse", `,
		"completion x":       `must be one of "bash", "zsh", "fish"`,
		"list --all -L 3":    `--limit and --all can't be used together`,
	} {
		r := command(t, nil, "", strings.Fields(args)...)
		if r.code != cli.ExitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := command(t, nil, "", "list", "--ta"); strings.Contains(r.err, `"-`) !=
		strings.Contains(r.err, `"--`) || strings.Contains(r.err, `"-l"`) {
		t.Errorf("%+v", r)
	}
	// It is called by its name, not by "list (ls)".
	if r := command(t, nil, "", "ls", "--nope"); !strings.Contains(r.err,
		`Run "terse list --help" for`) {
		t.Errorf("%+v", r)
	}
	r := command(t, nil, "", "doctor", "--help")
	if strings.Contains(r.out, "CLICK_RETENTION") || !strings.Contains(r.out, "--json") {
		t.Errorf("%s", r.out)
	}
	if r := command(t, nil, "", "serve", "--help"); !strings.Contains(r.out, "CLICK_RETENTION") {
		t.Errorf("%s", r.out)
	}
}

// In a locale without other characters than ASCII, charts and QR codes have no others.
func TestASCII(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.choose(t, "abc", "https://example.com/")
	visit := i.visitor(t)
	visit("abc", 3)
	i.clicks(t, "abc", 3) // are counted
	for _, line := range []string{"stats abc --bots", "overview --bots", "qr abc"} {
		args := strings.Fields(line)
		r := command(t, i.environ("LC_ALL=C"), "", args...)
		if r.code != cli.ExitOK || !strings.Contains(r.out, "##") ||
			strings.ContainsFunc(r.out, func(c rune) bool { return c > '~' }) {
			t.Errorf("%q: %+v", args, r)
		}
		r = command(t, i.environ("LC_ALL=C.UTF-8"), "", args...)
		if !strings.Contains(r.out, "█") {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// Completion offers codes, also if newer links have the text in their URLs.
func TestCompletionByCode(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.choose(t, "golang", "https://example.com/")
	var lines strings.Builder
	for range 120 {
		lines.WriteString("https://golang.example/\n")
	}
	if r := command(t, i.environ(), lines.String(), "create", "-"); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	// A code that was made may begin like that, too.
	if r := command(t, i.environ(), "", "__complete", "--", "show", "go"); !slices.Contains(
		strings.Fields(r.out), "golang") || strings.Contains(r.out, "golang.example") {
		t.Errorf("%+v", r)
	}
}
