package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"terse/internal/cli"
	"terse/internal/durable"
)

type manCommand struct {
	Dir string `arg:"" help:"The folder, which is made if it is missing." complete:"files"`
}

// Help implements kong.HelpProvider.
func (*manCommand) Help() string {
	return "There is a page for terse, and one for each command. Their date is " +
		"SOURCE_DATE_EPOCH, or today."
}

// Run writes a page for each command, and one about all of them.
func (c *manCommand) Run(env cli.Env, parser *kong.Kong) error {
	date, err := pagesDate(env.Vars)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil { //nolint:gosec // everybody reads manuals
		return err
	}
	app := parser.Model.Node
	for _, node := range append([]*kong.Node{app}, commands(app)...) {
		name := pageName(node)
		page := manual{date: date}
		if page.header(node); node == app {
			page.all(app)
		} else {
			page.command(node)
		}
		err := durable.WriteFile(filepath.Join(c.Dir, name+".1"), []byte(page.String()), 0o644)
		if err != nil {
			return err
		}
	}
	return nil
}

// pagesDate is SOURCE_DATE_EPOCH, so that builds can be reproduced (reproducible-builds.org).
func pagesDate(vars map[string]string) (string, error) {
	date, epoch := time.Now(), vars["SOURCE_DATE_EPOCH"]
	if epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return "", cli.UsageError{Err: fmt.Errorf(
				"SOURCE_DATE_EPOCH is %q; it must be a number of seconds since 1970", epoch)}
		}
		date = time.Unix(seconds, 0)
	}
	return date.UTC().Format(time.DateOnly), nil
}

// commands returns the commands below a command that are not hidden.
func commands(node *kong.Node) (shown []*kong.Node) {
	for _, child := range node.Children {
		if !child.Hidden {
			shown = append(shown, child)
		}
	}
	return shown
}

// fullName returns a command's name behind those of its parents, without aliases.
func fullName(node *kong.Node) string {
	if node.Parent == nil {
		return node.Name
	}
	return fullName(node.Parent) + " " + node.Name
}

func pageName(node *kong.Node) string { return strings.ReplaceAll(fullName(node), " ", "-") }

// manual is a page in the macros of man(7).
type manual struct {
	strings.Builder
	date string
}

// escapeRoff keeps a text from being read as a request, and its dashes from being read as hyphens.
var escapeRoff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`,
	"~", `\(ti`, "…", "...", "’", `\(cq`)

// manualColumns is the length at which lines of the source break.
const manualColumns = 78

// text adds a paragraph that may have escapes of roff in it. A line never begins with a dot.
func (m *manual) text(format string, args ...any) {
	column := 0
	for word := range strings.FieldsSeq(fmt.Sprintf(format, args...)) {
		switch {
		case column == 0:
		case column+1+len(word) > manualColumns && word[0] != '.':
			m.WriteString("\n")
			column = 0
		default:
			m.WriteString(" ")
			column++
		}
		if column == 0 && word[0] == '.' {
			m.WriteString(`\&`)
		}
		m.WriteString(word)
		column += len(word)
	}
	m.WriteString("\n")
}

func (m *manual) section(title string) { m.WriteString(".SH " + title + "\n") }

func (m *manual) header(node *kong.Node) {
	fmt.Fprintf(m, ".TH %s 1 %s \"terse %s\" \"User Commands\"\n",
		strings.ToUpper(escapeRoff.Replace(pageName(node))), m.date, escapeRoff.Replace(version))
	help := node.Help
	if node.Type == kong.ApplicationNode {
		help, _, _ = strings.Cut(help, "\n")
	}
	m.section("NAME")
	m.text(`%s \- %s`, escapeRoff.Replace(pageName(node)),
		escapeRoff.Replace(strings.TrimSuffix(help, ".")))
}

// all adds the content of the page about all commands.
func (m *manual) all(app *kong.Node) {
	m.section("SYNOPSIS")
	m.text(`\fBterse\fR \fIcommand\fR [\fIarguments\fR]`)
	_, about, _ := strings.Cut(app.Help, "\n")
	m.paragraphs("DESCRIPTION", about)
	m.section("COMMANDS")
	for _, node := range commands(app) {
		m.WriteString(".TP\n")
		m.text(`\fB%s\fR(1)`, escapeRoff.Replace(pageName(node)))
		m.text("%s", escapeRoff.Replace(node.Help))
	}
	m.flags("OPTIONS", app.Flags)
}

// command adds the content of a command's page.
func (m *manual) command(node *kong.Node) {
	leaves := []*kong.Node{node}
	if len(node.Children) > 0 {
		leaves = commands(node)
	}
	m.section("SYNOPSIS")
	between := ""
	for _, leaf := range leaves {
		for _, name := range append([]string{leaf.Name}, leaf.Aliases...) {
			m.WriteString(between)
			m.text("%s", synopsis(leaf, name))
			between = ".br\n"
		}
	}
	if len(node.Children) == 0 {
		m.paragraphs("DESCRIPTION", node.Help+"\n\n"+node.Detail)
		m.values(node, "ARGUMENTS", "OPTIONS")
	}
	for _, leaf := range commands(node) {
		m.paragraphs(strings.ToUpper(escapeRoff.Replace(leaf.Name)), leaf.Help+"\n\n"+leaf.Detail)
		m.values(leaf, "", "")
	}
	m.section("SEE ALSO")
	m.text(`\fBterse\fR(1)`)
}

// synopsis returns how to call a command by a name, which may be an alias.
func synopsis(node *kong.Node, name string) string {
	name = fullName(node.Parent) + " " + name
	words := []string{`\fB` + escapeRoff.Replace(name) + `\fR`}
	if len(node.Flags) > 0 {
		words = append(words, `[\fIoptions\fR]`)
	}
	for _, arg := range node.Positional {
		name := `\fI` + escapeRoff.Replace(arg.Name) + `\fR`
		if arg.IsCumulative() {
			name += " ..."
		}
		if !arg.Required {
			name = "[" + name + "]"
		}
		words = append(words, name)
	}
	return strings.Join(words, " ")
}

// paragraphs adds a section of paragraphs with blank lines between them.
func (m *manual) paragraphs(title, text string) {
	m.section(title)
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			m.WriteString(".PP\n")
		}
		m.text("%s", escapeRoff.Replace(paragraph))
	}
}

// values adds the arguments and the flags of a command.
func (m *manual) values(node *kong.Node, arguments, options string) {
	if len(node.Positional) > 0 && arguments != "" {
		m.section(arguments)
	}
	for _, arg := range node.Positional {
		m.WriteString(".TP\n")
		m.text(`\fI%s\fR`, escapeRoff.Replace(arg.Name))
		m.text("%s", escapeRoff.Replace(arg.Help))
	}
	m.flags(options, node.Flags)
}

func (m *manual) flags(title string, flags []*kong.Flag) {
	if title != "" {
		m.section(title)
	}
	for _, flag := range flags {
		if flag.Hidden {
			continue
		}
		m.WriteString(".TP\n")
		name := `\fB\-\-` + escapeRoff.Replace(flag.Name) + `\fR`
		if flag.Short != 0 {
			name = `\fB\-` + string(flag.Short) + `\fR, ` + name
		}
		if !flag.IsBool() {
			name += `=\fI` + escapeRoff.Replace(flag.FormatPlaceHolder()) + `\fR`
		}
		m.text("%s", name)
		m.text("%s", escapeRoff.Replace(helpWithVariable(flag.Value)))
	}
}
