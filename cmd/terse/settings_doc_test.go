package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"terse/internal/cli"
)

var update = flag.Bool("update", false, "rewrite docs/settings.md")

const (
	settingsDocument = "../../docs/settings.md"
	settingsStart    = "<!-- settings:start -->\n"
	settingsEnd      = "<!-- settings:end -->\n"
)

// docs/settings.md lists what --help lists. After a change: go generate ./cmd/terse
func TestSettingsDocument(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile(settingsDocument)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, starts := strings.Cut(string(document), settingsStart)
	_, after, ends := strings.Cut(rest, settingsEnd)
	if !starts || !ends {
		t.Fatalf("%s has no place for the settings", settingsDocument)
	}
	want := before + settingsStart + "\n" + listSettings(t) + "\n" + settingsEnd + after
	if want == string(document) {
		return
	}
	if !*update {
		t.Fatalf("%s is stale; run go generate ./cmd/terse", settingsDocument)
	}
	if err := os.WriteFile(settingsDocument, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// listSettings returns a Markdown list of the flags of serve, each by its variable, below the
// headings of their groups.
func listSettings(t *testing.T) string {
	t.Helper()
	parser := kong.Must(&commandLine{}, kong.Name("terse"), kong.Vars(cli.Variables()))
	parsed, err := parser.Parse([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	group := ""
	for _, option := range parsed.Selected().Flags {
		switch {
		case option.Hidden:
			continue
		case option.Group == nil:
			t.Fatalf("%s is in no group", option.Name)
		case option.Group.Key != group:
			group = option.Group.Key
			list.WriteString("\n## " + group + "\n\n")
		}
		list.WriteString(fold(setting(option)))
	}
	return strings.TrimPrefix(list.String(), "\n")
}

func setting(option *kong.Flag) string {
	name := variableOf(option.Value)
	meaning, unset, _ := strings.Cut(strings.TrimSuffix(option.Help, "."), "; default ")
	unset = prose(unset)
	if option.HasDefault {
		unset = "`" + option.Default + "`"
	}
	text := "- **`" + name + "`**: " + prose(meaning) + "."
	if unset != "" {
		text += " Default: " + unset + "."
	}
	if option.Tag.Has("secret") {
		text += " Or in a file: `" + name + "_FILE`."
	}
	return text
}

var (
	escape  = strings.NewReplacer("<", "\\<", "*", "\\*")
	example = regexp.MustCompile(`[a-z]+://[^\s,]*[^\s,.;]`)
)

// prose returns a text as Markdown. Its URLs are examples: as code, they are no links.
func prose(text string) string {
	var out strings.Builder
	end := 0
	for _, at := range example.FindAllStringIndex(text, -1) {
		out.WriteString(escape.Replace(text[end:at[0]]) + "`" + text[at[0]:at[1]] + "`")
		end = at[1]
	}
	return out.String() + escape.Replace(text[end:])
}

// fold breaks an item of a list at 100 columns.
func fold(text string) string {
	var out strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		switch width := len([]rune(word)); {
		case i == 0:
			column = width
		case column+1+width > 100:
			out.WriteString("\n  ")
			column = 2 + width
		default:
			out.WriteString(" ")
			column += 1 + width
		}
		out.WriteString(word)
	}
	return out.String() + "\n"
}
