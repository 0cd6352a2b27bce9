package main

import (
	"strings"
	"testing"

	"terse/internal/cli"
)

// --template prints what a Go template makes of each answer.
func TestTemplates(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.do(t, "POST /api/urls", `{"original_url":"https://a.example/?b=1&c=2",`+
		`"short_code":"first","title":"A <title>","tags":["b","a"],"max_clicks":1000000000,`+
		`"expires_at":"2099-06-30T22:30:00Z"}`, authorized())
	i.shortenAs(t, "second", "https://example.com/")
	for template, want := range map[string]string{
		`{{range .urls}}{{.short_code}} {{.title}}{{"\n"}}{{end}}`:    "second \nfirst A <title>\n",
		`{{range .urls}}{{if gt .id 1}}{{.short_code}}{{end}}{{end}}`: "second",
		`{{with index .urls 1}}{{join ", " .tags}}{{end}}`:            "a, b",
		`{{(index .urls 1).max_clicks}}`:                              "1000000000",
		`{{(index .urls 1).original_url}}`:                            "https://a.example/?b=1&c=2",
		`{{truncate 9 (index .urls 1).original_url}}`:                 "https://…",
		`{{timefmt "2 Jan 2006 15:04" (index .urls 1).expires_at}}`:   "1 Jul 2099 00:30",
		`{{range .urls}}{{join ":" .tags}};{{truncate 3 .title}};{{timefmt "2006" .expires_at}};` +
			`{{timeago .nothing}}{{end}}`: ";;;a:b;A …;2099;",
		`{{.total}} of {{.nothing}}{{printf "%04d" .total}}`: "2 of 0002",
	} {
		r := i.command(t, "list", "--template", template)
		if r.code != cli.ExitOK || r.out != want || r.err != "" {
			t.Errorf("%s: %+v, want %q", template, r, want)
		}
	}
	r := i.command(t, "show", "first", "-T", "{{timeago .expires_at}}")
	if !strings.HasSuffix(r.out, " from now") {
		t.Errorf("timeago: %+v", r)
	}
	if r := i.command(t, "create", "https://example.com/", "-T", "{{.short_code}}\n"); r.code !=
		cli.ExitOK || len(r.out) != 8 {
		t.Errorf("create: %+v", r)
	}
	visit := i.visitor(t)
	visit("second", 2)
	i.clicks(t, "second", 2)
	if r := i.command(t, "events", "second", "-T", "{{.short_code}},"); r.out != "second,second," {
		t.Errorf("events: %+v", r)
	}
	const loop = `{{range 1000000000}}{{"0123456789abcdef"}}{{"0123456789abcdef"}}{{end}}`
	for template, want := range map[string]string{
		"{{":                        "must be a Go template",
		"{{nothing .}}":             `function "nothing" not defined`,
		"{{timefmt \"2006\" 5}}":    "--template: ",
		"{{.total.more}}":           "--template: ",
		"{{timeago .urls}}":         "--template: ",
		`{{timefmt "x" "no time"}}`: "--template: ",
		loop:                        "more than 64 MiB",
		`{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`: "maximum template depth",
	} {
		r := i.command(t, "list", "--template", template)
		if (r.code != cli.ExitUsage && r.code != cli.ExitFailure) || r.out != "" ||
			!strings.Contains(r.err, want) || strings.Contains(r.err, "template: --template") {
			t.Errorf("%s: %+v", template, r)
		}
	}
	for _, args := range []string{
		"--jq . --template x", "--web --json", "--web --jq .", "-w -T x",
	} {
		r := i.command(t, append([]string{"list"}, strings.Fields(args)...)...)
		if r.code != cli.ExitUsage || !strings.Contains(r.err, "can't be used together") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	// A terminal shows no hidden characters that others wrote.
	i.shortenAs(t, "spoof", "https://example.com/\u202egnp.exe")
	text := `{{range .urls}}{{.original_url}}{{"\n"}}{{end}}`
	if r := i.onTerminal(t, 80, "list", "-T", text); !strings.Contains(r.out, "/[U+202E]gnp") {
		t.Errorf("on a terminal: %+v", r)
	}
}

// A template that never ends ends with its command.
func TestAnEndlessTemplate(t *testing.T) {
	t.Parallel()
	i := start(t)
	s := onTerminal(t, 80, i.environ(), "list", "-T", `{{range 1000000000000}}{{end}}`)
	s.cancel()
	if text, code := s.end(t); code != cli.ExitFailure || !strings.Contains(text, "Interrupted.") {
		t.Errorf("%d %s", code, text)
	}
}
