package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"terse/internal/cli"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help implements kong.HelpProvider.
func (*completionCommand) Help() string {
	return "Have your shell read the script at its start, in ~/.bashrc, ~/.zshrc (behind " +
		"compinit) or ~/.config/fish/config.fish:\n\n" +
		"source <(terse completion bash)\n\n" +
		"source <(terse completion zsh)\n\n" +
		"terse completion fish | source\n\n" +
		"It completes commands, flags, their values, and the codes of links, which it asks the " +
		"server of TERSE_URL or terse login for."
}

//go:embed completion
var completionScripts embed.FS

// Run prints the script.
func (c *completionCommand) Run(env cli.Env) error {
	script, err := completionScripts.ReadFile("completion/terse." + c.Shell)
	if err != nil {
		return err
	}
	_, err = env.Out.Write(script)
	return err
}

// completeCommand is called by the scripts of terse completion. It prints nothing but candidates,
// because its output appears at a prompt.
type completeCommand struct {
	Server cli.Suggest `embed:""`

	// Words are --, so that the rest is not parsed as flags of this command, and the words of the
	// command line behind terse, up to the cursor.
	Words []string `arg:"" optional:"" passthrough:""`
}

// completeTag is the tag of a flag or an argument with the kind of its values, one of these, or
// with the values themselves, separated by commas.
const (
	completeTag      = "complete"
	completeCodes    = "codes"
	completeDomains  = "domains"
	completeFiles    = "files"
	completeCommands = "commands"
)

// onlyFiles tells a script to offer names of files. No candidate begins with a colon.
const onlyFiles = ":files"

// Run prints the candidates at the cursor.
func (c *completeCommand) Run(ctx context.Context, env cli.Env, parser *kong.Kong) error {
	found := complete(parser.Model, c.Words[min(1, len(c.Words)):])
	candidates := found.words
	switch found.source {
	case completeFiles:
		_, err := fmt.Fprintln(env.Out, onlyFiles)
		return err
	case completeCodes:
		c.Server.URL = cmp.Or(found.given["url"], c.Server.URL)
		c.Server.Token = cmp.Or(found.given["token"], c.Server.Token)
		candidates = append(candidates, c.Server.Codes(ctx, env, found.prefix)...)
	case completeDomains:
		c.Server.URL = cmp.Or(found.given["url"], c.Server.URL)
		c.Server.Token = cmp.Or(found.given["token"], c.Server.Token)
		for _, host := range c.Server.Domains(ctx, env, found.prefix) {
			host.Word = found.before + host.Word
			candidates = append(candidates, host)
		}
	}
	var text strings.Builder
	for _, c := range candidates {
		text.WriteString(c.Word)
		if c.Help != "" {
			text.WriteString("\t" + c.Help)
		}
		text.WriteString("\n")
	}
	_, err := io.WriteString(env.Out, text.String())
	return err
}

// found is the candidates at the cursor.
type found struct {
	words []cli.Suggestion
	// source is completeCodes if codes that begin with prefix are candidates, too,
	// completeDomains if hosts are, behind before, and completeFiles if names of files are.
	source, prefix, before string
	// given has the last value of each flag before the cursor, by the flag's name.
	given map[string]string
}

// typed is what has been parsed of a command line.
type typed struct {
	node       *kong.Node
	positional int        // arguments that were read
	awaiting   *kong.Flag // whose value is the next word
	ended      bool       // by --; only arguments follow
	given      map[string]string
}

// complete returns the candidates for the words behind the program's name. The last word ends at
// the cursor, and may be empty.
func complete(app *kong.Application, words []string) found {
	l := &typed{node: app.Node, given: map[string]string{}}
	if len(words) == 0 {
		words = []string{""}
	}
	last := len(words) - 1
	for _, word := range words[:last] {
		l.read(word)
	}
	r := found{prefix: words[last], given: l.given}
	l.offer(&r, app)
	return r
}

// read reads a word before the cursor.
func (l *typed) read(word string) {
	switch {
	case l.awaiting != nil:
		l.given[l.awaiting.Name] = word
		l.awaiting = nil
	case l.ended || word == "-" || !strings.HasPrefix(word, "-"):
		l.readArgument(word)
	case word == "--":
		l.ended = true
	default:
		name, value, set := strings.Cut(word, "=")
		switch flag := l.flag(name); {
		case flag == nil || flag.IsBool():
		case set:
			l.given[flag.Name] = value
		default:
			l.awaiting = flag
		}
	}
}

func (l *typed) readArgument(word string) {
	for _, child := range l.node.Children {
		if child.Name == word || slices.Contains(child.Aliases, word) {
			l.node = child
			return
		}
	}
	l.positional++
}

// flags returns the flags that are allowed here.
func (l *typed) flags() (all []*kong.Flag) {
	for _, group := range l.node.AllFlags(true) {
		all = append(all, group...)
	}
	return all
}

func (l *typed) flag(name string) *kong.Flag {
	for _, flag := range l.flags() {
		if name == "--"+flag.Name || flag.Short != 0 && name == "-"+string(flag.Short) {
			return flag
		}
		for _, alias := range flag.Aliases {
			if name == "--"+alias {
				return flag
			}
		}
	}
	return nil
}

// offer adds the candidates at the cursor.
func (l *typed) offer(r *found, app *kong.Application) {
	name, value, set := strings.Cut(r.prefix, "=")
	switch {
	case l.awaiting != nil:
		r.offerValues(l.awaiting.Value, r.prefix, "", app)
	case !l.ended && set && strings.HasPrefix(name, "--"):
		if flag := l.flag(name); flag != nil {
			r.offerValues(flag.Value, value, name+"=", app)
		}
	case !l.ended && strings.HasPrefix(r.prefix, "-"):
		for _, flag := range l.flags() {
			r.add(r.prefix, "", "--"+flag.Name, flag.Help)
		}
	case len(l.node.Children) > 0:
		if l.positional == 0 { // or a word was no command
			r.offerCommands(l.node, r.prefix)
		}
	case len(l.node.Positional) > 0:
		// The last argument is the one that may be repeated.
		i := min(l.positional, len(l.node.Positional)-1)
		if arg := l.node.Positional[i]; i == l.positional || arg.IsCumulative() {
			r.offerValues(arg, r.prefix, "", app)
		}
	}
}

func (r *found) offerCommands(node *kong.Node, prefix string) {
	for _, child := range node.Children {
		if !child.Hidden {
			r.add(prefix, "", child.Name, child.Help)
		}
	}
}

// offerValues adds the values of a flag or an argument that begin with a prefix. In --flag=value,
// the flag's name is part of the word.
func (r *found) offerValues(v *kong.Value, prefix, name string, app *kong.Application) {
	values := v.Enum
	switch source := v.Tag.Get(completeTag); source {
	case completeCodes:
		r.source, r.prefix = completeCodes, prefix
	case completeDomains:
		r.source, r.prefix, r.before = completeDomains, prefix, name
	case completeFiles:
		r.source = completeFiles
	case completeCommands:
		r.offerCommands(app.Node, prefix)
	default:
		values += source
	}
	if values == "" {
		return
	}
	before := ""
	if v.IsSlice() { // values, separated by commas
		before = prefix[:strings.LastIndexByte(prefix, ',')+1]
	}
	for value := range strings.SplitSeq(values, ",") {
		r.add(prefix[len(before):], name+before, value, "")
	}
}

// add adds before and word as one candidate if the word begins with a prefix.
func (r *found) add(prefix, before, word, help string) {
	if strings.HasPrefix(word, prefix) {
		r.words = append(r.words, cli.Suggestion{
			Word: before + word, Help: firstSentence(help),
		})
	}
}

// firstSentence is the beginning of a help text, for the line of a shell.
func firstSentence(help string) string {
	for _, end := range []string{". ", "; ", ": "} {
		help, _, _ = strings.Cut(help, end)
	}
	return strings.TrimSuffix(help, ".")
}
