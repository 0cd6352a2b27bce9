package main

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"terse/internal/cli"
)

// A letter means one flag, whatever the command, and the document's table has them all, with the
// commands that know them.
func TestLettersMeanOneThing(t *testing.T) {
	t.Parallel()
	app := kong.Must(&commandLine{}, kong.Name("terse"), kong.Vars(cli.Variables())).Model
	found := map[string][]string{}
	var look func(node *kong.Node)
	look = func(node *kong.Node) {
		for _, flag := range node.Flags {
			if flag.Short == 0 || flag.Name == "help" {
				continue
			}
			row := fmt.Sprintf("`-%c` | `--%s`", flag.Short, flag.Name)
			found[row] = append(found[row], strings.TrimPrefix(fullName(node), "terse "))
		}
		for _, child := range node.Children {
			look(child)
		}
	}
	look(app.Node)
	flagOf := map[string]string{}
	for _, row := range slices.Sorted(maps.Keys(found)) {
		letter, flag, _ := strings.Cut(row, " | ")
		if other, taken := flagOf[letter]; taken {
			t.Errorf("%s is %s and %s", letter, other, flag)
		}
		flagOf[letter] = flag
	}
	document, err := os.ReadFile("../../docs/command-line.md")
	if err != nil {
		t.Fatal(err)
	}
	ofTable := regexp.MustCompile("(?m)^\\| (`-.` \\| `--[a-z-]+`) +\\| (.*?) +\\|")
	rows := ofTable.FindAllStringSubmatch(string(document), -1)
	for _, row := range rows {
		commands := found[row[1]]
		delete(found, row[1])
		if row[2] == "all that print the server's answers" {
			continue
		}
		if told := strings.Join(commands, "`, `"); row[2] != "`"+told+"`" {
			t.Errorf("the document's row of %s has %s, want `%s`", row[1], row[2], told)
		}
	}
	if len(rows) == 0 || len(found) > 0 {
		t.Errorf("the document has %d letters, and not %v", len(rows), found)
	}
}

// ls is list, wherever there is a list.
func TestLs(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "listed", "https://example.com/")
	i.shortenAs(t, "other", "https://example.com/")
	if r := i.command(t, "tag", "add", "news", "listed"); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	for long, short := range map[string]string{
		"list --tag news --limit 1": "ls -l news -L 1", "tag list": "tag ls",
		"user list --json": "user ls --json", "token list": "token ls",
		"list --search listed --status active": "ls -Slisted -sactive",
		"list --all":                           "ls -a", "list --jq .total": "ls -q .total",
	} {
		want := i.command(t, strings.Fields(long)...)
		if r := i.command(t, strings.Fields(short)...); r != want || r.code != cli.ExitOK {
			t.Errorf("%s: %+v, want %+v", short, r, want)
		}
	}
	r := i.command(t, "create", "https://example.com/", "-c", "short", "-t", "A title",
		"-n", "a note", "-l", "news,shop", "-e", "2099-01-01")
	shown := i.command(t, "show", "short").out
	if r.code != cli.ExitOK {
		t.Errorf("%+v", r)
	}
	for _, text := range []string{"A title", "a note", "news, shop", "2099-01-01"} {
		if !strings.Contains(shown, text) {
			t.Errorf("no %s in %s", text, shown)
		}
	}
}
