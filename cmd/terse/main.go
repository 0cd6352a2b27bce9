// Command terse is a URL shortener in one binary: the server, and the commands that talk to one. It
// is the only package that reads flags and environment, and it wires everything.
//
// # The server
//
// A server is a list of parts, serverParts in serve.go. It starts from the first part to the last
// one, and ends from the last part to the first one; the list says why each stands where it does. A
// part is a row of the list and a function that starts it, in a file of its own or in a parts_*.go.
// Its metrics and its warning for GET /ready belong to it.
//
// Wrong settings are reported all together, before anything starts (exit code 78). If a part fails
// to start, those before it end.
//
// SIGTERM or SIGINT ends the server within SHUTDOWN_TIMEOUT. It accepts no more connections, and
// requests in progress have half of the time to finish. Then the clicks in the journal are counted,
// as many as the rest of the time allows; the next start counts the others. At last the journal and
// the database close.
//
// # The processor
//
// Background work shares the cores with redirects. processors.go says how many processors the
// runtime gets for that, and package yield how counting lets redirects go first. The log is
// written, and files are cut off, in steps, so that neither is one long call of the kernel.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"terse/internal/cli"
)

func main() {
	// The first signal asks for an orderly end, which SHUTDOWN_TIMEOUT bounds. Further ones
	// change nothing: a supervisor and a terminal often both send one.
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// commandLine is the root of all commands. A flag whose help names a variable takes that variable's
// value if it is not given.
type commandLine struct {
	VersionFlag versionFlag `name:"version" help:"Print the versions." variable:""`

	Serve        serveCommand `cmd:"" help:"Run the server."`
	cli.Commands `embed:""`
	Backup       backupCommand      `cmd:"" help:"Copy the server's SQLite database to a file, also while it runs."`
	Restore      restoreCommand     `cmd:"" help:"Put a backup in the place of a stopped server's database."`
	Token        tokenCommand       `cmd:"" help:"Print the server's own access token; create, list and delete named ones."`
	Doctor       doctorCommand      `cmd:"" help:"Say what is wrong with a server's set-up, and what to do."`
	Healthcheck  healthcheckCommand `cmd:"" help:"Ask the local server whether it is ready (for container probes)."`
	Completion   completionCommand  `cmd:"" help:"Print the script that completes commands, flags and codes in a shell."`
	Complete     completeCommand    `cmd:"" name:"__complete" hidden:""`
	Man          manCommand         `cmd:"" help:"Write the manual pages into a folder."`
	Version      versionCommand     `cmd:"" help:"Print the versions of terse and of the SQLite in it."`
	Help         helpCommand        `cmd:"" help:"Show the help of a command."`
}

const description = `A URL shortener to host yourself.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 token refused, 5 server not reachable,
6 rate limit exceeded or server busy, 78 wrong settings of the server.`

// helpCommand only lists the command help; run replaces it by --help.
type helpCommand struct {
	Command string `arg:"" optional:"" help:"The command." complete:"commands"`
}

// run is main without global state.
func run(
	ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer,
) (code int) {
	var line commandLine
	vars := variables(environ)
	env := cli.Env{In: stdin, Out: stdout, Err: stderr, Vars: vars, Version: version}
	parser := kong.Must(&line,
		kong.Name("terse"), kong.Description(description), kong.Writers(stdout, stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.ValueFormatter(helpWithVariable),
		kong.Resolvers(environment(vars)), kong.Exit(func(code int) { panic(exitAsked(code)) }),
		kong.NamedMapper("dash", kong.MapperFunc(takeDash)), kong.Vars(cli.Variables()),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(env, openStopped(env)))
	hideSettings(parser.Model)
	defer func() {
		if problem := recover(); problem != nil { // --help has printed its text
			asked, ok := problem.(exitAsked)
			if !ok {
				panic(problem)
			}
			code = int(asked)
		}
	}()
	parsed, err := parser.Parse(askForHelp(args))
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok {
		parsed = wrong.Context
		if setting, ok := errors.AsType[cli.SettingsError](err); ok {
			err = setting // a variable's file can't be read, for one
		} else {
			err = cli.UsageError{Err: spell(err), Usage: true}
		}
	} else {
		err = parsed.Run()
	}
	code = cli.Report(stderr, err)
	// A message that begins with a flag's name is about its value and says what is allowed.
	if wrong, ok := errors.AsType[cli.UsageError](err); ok && wrong.Usage &&
		code == cli.ExitUsage && !strings.HasPrefix(err.Error(), "--") {
		printUsage(stderr, parsed)
	}
	return code
}

// spell rewords an error of the parser: its lists lack blanks, it speaks of bits, and it suggests
// every letter for a letter, or for a short flag.
func spell(err error) error {
	text := strings.ReplaceAll(err.Error(), `","`, `", "`)
	for wrong, right := range map[*regexp.Regexp]string{
		missingValue: "$1 lacks its value", noNumber: "$1 must be a whole number but got $2",
	} {
		text = wrong.ReplaceAllString(text, right)
	}
	before, suggested, found := strings.Cut(text, ", did you mean ")
	if !found || !strings.HasPrefix(text, "unknown flag ") {
		return errors.New(text)
	}
	suggested = strings.TrimSuffix(strings.TrimPrefix(suggested, "one of "), "?")
	flags := slices.DeleteFunc(strings.Split(suggested, ", "), func(flag string) bool {
		return !strings.HasPrefix(flag, `"--`)
	})
	switch len(flags) {
	case 0:
		return errors.New(before)
	case 1:
		return fmt.Errorf("%s, did you mean %s?", before, flags[0])
	}
	return fmt.Errorf("%s, did you mean one of %s?", before, strings.Join(flags, ", "))
}

// Errors of the parser.
var (
	missingValue = regexp.MustCompile(`^(--[a-z-]+): expected \S+ value but got "EOL" .*$`)
	noNumber     = regexp.MustCompile(
		`^(--[a-z-]+): expected an? (?:valid \d+ bit )?int but got (".*?").*$`)
)

// printUsage says how a command is called. The parser's own text has the aliases in the name.
func printUsage(to io.Writer, parsed *kong.Context) {
	node := parsed.Selected()
	if node == nil {
		node = parsed.Model.Node
	}
	name, rest := fullName(node), strings.TrimPrefix(node.Summary(), node.Path())
	fmt.Fprintf(to, "Usage: %s%s\nRun \"%[1]s --help\" for more information.\n", name, rest)
}

// askForHelp replaces no arguments, or the command help, by --help.
func askForHelp(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	}
	return args
}

// takeDash decodes a flag's value that may be "-" or begin with it.
func takeDash(ctx *kong.DecodeContext, target reflect.Value) error {
	value, ok := ctx.Scan.Pop().Value.(string)
	if !ok {
		return errors.New("a value is missing")
	}
	target.Set(reflect.ValueOf(&value))
	return nil
}

// exitAsked is the panic value that carries the parser's exit code out.
type exitAsked int
