package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"terse/internal/cli/console"
	"terse/internal/cli/login"
)

type loginCommand struct {
	Server string `arg:"" optional:"" name:"url" help:"The server's base URL; asked for when it is not given."`
}

// Help implements kong.HelpProvider.
func (*loginCommand) Help() string {
	return "The token is asked for, or read from standard input when that is no terminal. " +
		"TERSE_URL and TERSE_TOKEN win over a login."
}

// Run saves a login that the server accepts.
func (c *loginCommand) Run(ctx context.Context, e Env) error {
	path, err := login.Path(e.Vars)
	if err != nil {
		return err
	}
	l, err := c.ask(ctx, e)
	if err != nil {
		if errors.Is(err, console.ErrInterrupted) || errors.Is(err, console.ErrNoAnswer) {
			err = fail(ExitFailure, "Not logged in.")
		}
		return err
	}
	r, err := newRemote(e, l.URL, l.Token)
	if err != nil {
		return err
	}
	if _, err := r.List(ctx, 1, 0); err != nil {
		return r.explain(err, "")
	}
	if err := l.Save(path); err != nil {
		return err
	}
	fmt.Fprintf(e.Out, "Logged in to %s. The token is kept in %s.\n", r.url, path)
	for _, name := range []string{"TERSE_URL", "TERSE_TOKEN", "TERSE_TOKEN_FILE"} {
		if e.Vars[name] != "" {
			fmt.Fprintf(e.Err, "%s is set and wins over this login.\n", name)
		}
	}
	return nil
}

// ask fills in what the command line lacks. Without a terminal it reads only the token.
func (c *loginCommand) ask(ctx context.Context, e Env) (l login.Login, err error) {
	saved, _ := login.Load(e.Vars) // an unreadable one is replaced
	usual := cmp.Or(e.Vars["TERSE_URL"], saved.URL, defaultServer)
	l.URL = c.Server
	if !e.CanAsk() {
		l.URL = cmp.Or(l.URL, usual)
		l.Token, err = e.FirstLine(ctx)
		switch {
		case l.Token != "": // the line need not end
			return l, nil
		case err == nil || errors.Is(err, io.EOF):
			err = console.ErrNoAnswer
		}
		return l, err
	}
	if l.URL == "" {
		answer, err := e.Ask(ctx, fmt.Sprintf("Server (%s): ", usual))
		if err != nil {
			return l, err
		}
		l.URL = cmp.Or(strings.TrimSpace(answer), usual)
	}
	if l.Token, err = e.AskSecret(ctx, "Token: "); err == nil && l.Token == "" {
		err = console.ErrNoAnswer
	}
	return l, err
}

type logoutCommand struct{}

// Run forgets the login.
func (logoutCommand) Run(e Env) error {
	path, err := login.Path(e.Vars)
	if err != nil {
		return err
	}
	err = os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = fmt.Fprintln(e.Out, "Not logged in.")
		return err
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(e.Out, "Logged out.")
	return err
}
