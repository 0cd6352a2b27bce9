// Command terse is a URL shortener in one binary: the server, and the commands that talk to
// one. It is the only package that reads flags and environment, and it wires everything.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// What a command's exit code says.
const (
	exitOK = iota
	exitFailure
	exitUsage
	exitNotFound
	exitDenied
	exitUnreachable
	exitLimited
)

func main() {
	// The first signal asks for an orderly end, which SHUTDOWN_TIMEOUT bounds. Further ones
	// change nothing: a supervisor and a terminal often both send one.
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// commandLine is all that can be asked of the binary. A flag with a variable in its help
// takes that variable's value when it is not given.
type commandLine struct {
	VersionFlag versionFlag `name:"version" help:"Print the versions." variable:""`

	Serve       serveCommand       `cmd:"" help:"Run the server."`
	Login       loginCommand       `cmd:"" help:"Keep a server's URL and token for the commands below."`
	Logout      logoutCommand      `cmd:"" help:"Forget the server's URL and token."`
	Create      createCommand      `cmd:"" help:"Shorten URLs."`
	List        listCommand        `cmd:"" help:"List links, newest first."`
	Stats       statsCommand       `cmd:"" help:"Show the clicks of a link."`
	Overview    overviewCommand    `cmd:"" aliases:"top" help:"Show the clicks of all links, and the links with the most."`
	Open        openCommand        `cmd:"" help:"Open a short URL in the browser, which counts as a click."`
	QR          qrCommand          `cmd:"" name:"qr" help:"Draw a link's QR code."`
	Delete      deleteCommand      `cmd:"" help:"Delete a link with its clicks."`
	Token       tokenCommand       `cmd:"" help:"Print the token in the server's data folder; create it if there is none."`
	Healthcheck healthcheckCommand `cmd:"" help:"Ask the local server whether it is ready (for container probes)."`
	Version     versionCommand     `cmd:"" help:"Print the versions of terse and of the SQLite in it."`
	Help        helpCommand        `cmd:"" help:"Show the help of a command."`
}

const description = `A URL shortener to host yourself.

Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 3 no such link, 4 token refused,
5 server not reachable, 6 rate limit exceeded.`

// helpCommand is in the list of commands; run asks for what it shows with --help.
type helpCommand struct {
	Command string `arg:"" optional:"" help:"The command."`
}

// command is what every command of the command line does.
type command interface {
	run(ctx context.Context, to streams) error
}

// run is main without the process around it.
func run(
	ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer,
) (code int) {
	var line commandLine
	vars := variables(environ)
	parser := kong.Must(&line,
		kong.Name("terse"), kong.Description(description), kong.Writers(stdout, stderr),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.ValueFormatter(helpWithVariable),
		kong.Resolvers(environment(environ)), kong.Exit(func(code int) { panic(exitAsked(code)) }))
	defer func() {
		if problem := recover(); problem != nil { // --help has printed what was asked for
			asked, ok := problem.(exitAsked)
			if !ok {
				panic(problem)
			}
			code = int(asked)
		}
	}()
	parsed, err := parser.Parse(askForHelp(args))
	if wrong, ok := errors.AsType[*kong.ParseError](err); ok {
		parsed, err = wrong.Context, misuse{err}
	}
	if err == nil {
		do, ok := reflect.TypeAssert[command](parsed.Selected().Target.Addr())
		if !ok {
			panic("terse: " + parsed.Command() + " can't run")
		}
		err = do.run(ctx, streams{stdin, stdout, stderr, vars})
	}
	report(stderr, err)
	if _, ok := errors.AsType[misuse](err); ok {
		parsed.Stdout = stderr
		_ = kong.DefaultShortHelpPrinter(kong.HelpOptions{}, parsed)
	}
	return exitCode(err)
}

// askForHelp turns no arguments and the command help into --help.
func askForHelp(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(slices.Clone(args[1:]), "--help")
	}
	return args
}

// exitAsked is how the parser's wish to exit leaves it.
type exitAsked int

// usageError is a command line or a setting that can't be used.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// misuse is a command line that can't be used. The command's usage is shown with it.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// report tells people what went wrong.
func report(stderr io.Writer, err error) {
	if err == nil {
		return
	}
	prefix := "terse: "
	if _, ok := errors.AsType[failure](err); ok { // sentences
		prefix = ""
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(stderr, prefix+line)
	}
}

// exitCode tells scripts what sort of failure it was.
func exitCode(err error) int {
	if failed, ok := errors.AsType[failure](err); ok {
		return failed.code
	}
	_, isUsage := errors.AsType[usageError](err)
	_, isMisuse := errors.AsType[misuse](err)
	switch {
	case err == nil:
		return exitOK
	case isUsage || isMisuse:
		return exitUsage
	}
	return exitFailure
}

func variables(environ []string) map[string]string {
	vars := map[string]string{}
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok {
			vars[name] = value
		}
	}
	return vars
}

// environment resolves flags from variables: a flag's variable is its name in capitals, or
// what its "variable" tag says. A secret's may also be in the file that NAME_FILE names.
// An empty variable is as good as none, except AUTH_TOKENS.
func environment(environ []string) kong.ResolverFunc {
	vars := variables(environ)
	return func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
		name := variableOf(flag.Value)
		if name == "" {
			return nil, nil
		}
		value, set := vars[name]
		if file := vars[name+"_FILE"]; flag.Tag.Has("secret") && file != "" {
			if set {
				return nil, fmt.Errorf("%s and %s_FILE are both set; set one", name, name)
			}
			return readSecret(name, file)
		}
		if value != "" || set && flag.Tag.Has("secret") && name == "AUTH_TOKENS" {
			return value, nil
		}
		return nil, nil
	}
}

// maxSecretBytes bounds a secret's file.
const maxSecretBytes = 64 << 10

func readSecret(name, path string) (any, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s_FILE: %w", name, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSecretBytes+1))
	if err == nil && len(b) > maxSecretBytes {
		err = errors.New("is larger than 64 KiB")
	}
	if err != nil {
		return nil, fmt.Errorf("%s_FILE: %s: %w", name, path, err)
	}
	return strings.TrimSpace(string(b)), nil
}

func variableOf(v *kong.Value) string {
	if v.Tag.Has("variable") {
		return v.Tag.Get("variable")
	}
	return strings.ToUpper(strings.ReplaceAll(v.Name, "-", "_"))
}

func helpWithVariable(v *kong.Value) string {
	name := ""
	if v.Flag != nil {
		name = variableOf(v)
	}
	switch {
	case name == "" || name == "HELP":
		return v.Help
	case v.Tag.Has("secret"):
		return fmt.Sprintf("%s ($%s, or a file: $%s_FILE)", v.Help, name, name)
	}
	return fmt.Sprintf("%s ($%s)", v.Help, name)
}
