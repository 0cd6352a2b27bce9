// Command run starts a PostgreSQL server, runs a command with its URL in the environment, and
// removes it again. The server does not sync, which makes tests faster; benchmarks should start
// their own.
//
//	go run ./internal/tests/pgtest/run go test ./...
//
// If no server is installed, the command runs anyway.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"terse/internal/tests/pgtest"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(command []string) int {
	// Ctrl-C is for the command; after it, the server still has to be removed.
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	server, err := pgtest.NewUnsynced()
	switch {
	case errors.Is(err, pgtest.ErrNone): // the tests report it
	case err != nil:
		return fail(err)
	default:
		cmd.Env = append(os.Environ(), pgtest.Variable+"="+server.URL("postgres"))
		defer func() {
			if err := server.Remove(); err != nil {
				fail(err)
			}
		}()
	}
	err = cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return ended.ExitCode()
	}
	if err != nil {
		return fail(err)
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "pgtest:", err)
	return 1
}
