// Command run starts a PostgreSQL server, runs a command that finds its address in the environment,
// and removes it again. The server does not sync, so that tests take less time; benchmarks should
// start their own.
//
//	go run ./internal/pgtest/run go test ./...
//
// Where no server is installed, the command is run all the same.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"terse/internal/pgtest"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(command []string) int {
	// Ctrl-C is for the command, after which the server has to be removed.
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	server, err := pgtest.NewUnsynced()
	switch {
	case errors.Is(err, pgtest.ErrNone): // the tests say so
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
