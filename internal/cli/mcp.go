package cli

import (
	"context"
	"fmt"
	"log/slog"

	"terse/internal/cli/console"
	"terse/internal/cli/mcp"
)

type mcpCommand struct {
	serverFlags `embed:""`

	Write bool `help:"Also offer the tools that create, change and delete links." variable:""`
}

// Help implements kong.HelpProvider.
func (*mcpCommand) Help() string {
	return "A program with a language model starts it, with TERSE_URL and TERSE_TOKEN, and " +
		"talks to it on standard input and output. Without --write it only reads; a token " +
		"with the role viewer makes sure of that. Problems go to standard error."
}

// Run serves until the input ends or the program is told to stop.
func (c *mcpCommand) Run(ctx context.Context, e Env) error {
	r, err := c.remote(e)
	if err != nil {
		return err
	}
	if console.IsTerminal(e.In) {
		fmt.Fprintln(e.Err, "Waiting for messages of the Model Context Protocol. "+
			"A program with a language model is to start this; see terse mcp --help.")
	}
	return mcp.Serve(ctx, mcp.Options{
		Client: r.Client, Version: e.Version, Write: c.Write,
		Log:     slog.New(slog.NewTextHandler(e.Err, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Explain: func(err error) error { return r.explain(err, "") },
	}, e.In, e.Out)
}
