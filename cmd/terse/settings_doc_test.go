package main

import (
	"flag"
	"os"
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

// listSettings returns a Markdown list of the flags of serve, each by its variable.
func listSettings(t *testing.T) string {
	t.Helper()
	parser := kong.Must(&commandLine{}, kong.Name("terse"), kong.Vars(cli.Variables()))
	parsed, err := parser.Parse([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for _, option := range parsed.Selected().Flags {
		if !option.Hidden {
			list.WriteString(fold(setting(option)))
		}
	}
	return list.String()
}

func setting(option *kong.Flag) string {
	name := variableOf(option.Value)
	meaning, unset, _ := strings.Cut(strings.TrimSuffix(option.Help, "."), "; default ")
	if option.HasDefault {
		unset = "`" + option.Default + "`"
	}
	text := "- **`" + name + "`**: " + escape.Replace(meaning) + "."
	if unset != "" {
		text += " Default: " + escape.Replace(unset) + "."
	}
	if option.Tag.Has("secret") {
		text += " Or in a file: `" + name + "_FILE`."
	}
	return text
}

var escape = strings.NewReplacer("<", "\\<", "*", "\\*")

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
