package main

import (
	"fmt"

	"terse/internal/auth"
	"terse/internal/cli"
	"terse/internal/durable"
)

type tokenCommand struct {
	DataDir string `help:"The server's data folder." default:"./data"`
}

func (c *tokenCommand) Run(env cli.Env) error {
	if err := durable.MkdirAll(c.DataDir, 0o700); err != nil {
		return fmt.Errorf("DATA_DIR: %w", err)
	}
	token, _, err := auth.LoadOrCreateToken(c.DataDir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Out, token)
	return err
}
