package main

import (
	"fmt"

	"github.com/alecthomas/kong"

	"terse/internal/cli"
	"terse/internal/database/sqlite"
)

// version is set by the linker to the output of git describe.
var version = "unknown"

type versionCommand struct{}

func (versionCommand) Run(env cli.Env) error {
	_, err := fmt.Fprintln(env.Out, versionText())
	return err
}

func versionText() string {
	return fmt.Sprintf("terse %s, SQLite %s", version,
		sqlite.EngineVersion)
}

// versionFlag is the version command as a flag.
type versionFlag bool

// BeforeReset implements kong's hook, so that the flag needs no command.
func (versionFlag) BeforeReset(app *kong.Kong) error { //nolint:unparam // kong wants it
	fmt.Fprintln(app.Stdout, versionText())
	app.Exit(cli.ExitOK)
	return nil
}
