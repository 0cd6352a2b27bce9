package main

import (
	"context"
	"fmt"

	"terse/internal/auth"
	"terse/internal/durable"
)

type tokenCommand struct {
	DataDir string `help:"The server's data folder." default:"./data"`
}

func (c *tokenCommand) run(_ context.Context, to streams) error {
	if err := durable.MkdirAll(c.DataDir, 0o700); err != nil {
		return fmt.Errorf("DATA_DIR: %w", err)
	}
	token, _, err := auth.LoadOrCreateToken(c.DataDir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(to.out, token)
	return err
}
