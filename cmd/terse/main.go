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
	"runtime"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"terse/internal/sqlite"
)

// version is set by the linker: what git describes.
var version = "unknown"

// What a command's exit code says.
const (
	exitOK = iota
	exitFailure
	exitUsage
	exitNotFound
	exitDenied
	exitUnreachable
)

func main() {
	// The first signal asks for an orderly end, which SHUTDOWN_TIMEOUT bounds. Further ones
	// change nothing: a supervisor and a terminal often both send one.
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// Each loop of the server keeps one of the runtime's processors, and all the rest has as many: so the kernel, which
	// shares out time in finer pieces than the runtime, decides between redirects and everything else. One more is mostly
	// idle: then the runtime's monitor leaves those alone whose thread is in a system call, for which it would wake up each
	// 20 µs.
	runtime.GOMAXPROCS(2*runtime.GOMAXPROCS(0) + 1)
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// commandLine is all that can be asked of the binary. A flag with a variable in its help
// takes that variable's value when it is not given.
type commandLine struct {
	Serve       serveCommand       `cmd:"" help:"Run the server."`
	Create      createCommand      `cmd:"" help:"Shorten a URL."`
	List        listCommand        `cmd:"" help:"List short URLs, newest first."`
	Delete      deleteCommand      `cmd:"" help:"Delete a short URL with its clicks."`
	Stats       statsCommand       `cmd:"" help:"Show the clicks of a short URL."`
	Token       tokenCommand       `cmd:"" help:"Print the token that the server made in its data folder; make it if there is none."`
	Healthcheck healthcheckCommand `cmd:"" help:"Ask the local server whether it is ready (for container probes)."`
	Version     versionCommand     `cmd:"" help:"Print the versions of terse and of the SQLite in it."`
}

const description = `A URL shortener to host yourself.

Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 3 no such short code, 4 token refused, 5 server not reachable.`

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
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
	env := environment(environ)
	parser := kong.Must(&line,
		kong.Name("terse"), kong.Description(description), kong.Writers(stdout, stderr), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Resolvers(env), kong.ValueFormatter(helpWithVariable),
		kong.Exit(func(code int) { panic(exitAsked(code)) }))
	defer func() {
		if problem := recover(); problem != nil { // --help has printed what was asked for
			asked, ok := problem.(exitAsked)
			if !ok {
				panic(problem)
			}
			code = int(asked)
		}
	}()
	parsed, err := parser.Parse(args)
	if err != nil {
		return report(stderr, usageError{err})
	}
	do, ok := reflect.TypeAssert[command](parsed.Selected().Target.Addr())
	if !ok {
		return report(stderr, usageError{errors.New("no command; see terse --help")})
	}
	return report(stderr, do.run(ctx, streams{stdin, stdout, stderr}))
}

// exitAsked is how the parser's wish to exit leaves it.
type exitAsked int

// usageError is a command line or a setting that can't be used.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// report tells people what went wrong and scripts by the exit code.
func report(stderr io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(stderr, "terse:", line)
	}
	return exitCode(err)
}

// environment resolves flags from variables: a flag's variable is its name in capitals, or
// what its "variable" tag says. A secret's may also be in the file that NAME_FILE names.
// An empty variable is as good as none, but for AUTH_TOKENS.
func environment(environ []string) kong.ResolverFunc {
	vars := map[string]string{}
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok {
			vars[name] = value
		}
	}
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

type versionCommand struct{}

func (versionCommand) run(_ context.Context, to streams) error {
	_, err := fmt.Fprintf(to.out, "terse %s, SQLite %s\n", version, sqlite.EngineVersion)
	return err
}
