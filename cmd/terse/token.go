package main

import (
	"errors"
	"fmt"
	"io/fs"

	"terse/internal/auth"
	"terse/internal/cli"
)

type tokenCommand struct {
	Print             tokenPrintCommand `cmd:"" default:"withargs" help:"Print the access token in the server's data folder."`
	cli.TokenCommands `embed:""`
}

type tokenPrintCommand struct {
	DataDir string `help:"The server's data folder." default:"./data"`
}

// Run never creates a token: without a server nobody would know it.
func (c *tokenPrintCommand) Run(env cli.Env) error {
	token, err := auth.LoadToken(c.DataDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return cli.NotFound("No access token in %s. Run it where the server runs, or set "+
			"DATA_DIR.\nA server with AUTH_TOKENS keeps no other token.", c.DataDir)
	case err != nil:
		return err
	}
	_, err = fmt.Fprintln(env.Out, token)
	return err
}
