package main

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
	"strings"
)

type openCommand struct {
	clientFlags `embed:""`

	Code string `arg:"" help:"The short code."`
}

func (c *openCommand) run(ctx context.Context, to streams) error {
	r, err := c.connect(to)
	if err != nil {
		return err
	}
	link, err := r.Link(ctx, c.Code)
	if err != nil {
		return r.explain(err, c.Code)
	}
	if c.JSON {
		if err := to.printJSON(link); err != nil {
			return err
		}
	}
	return browse(ctx, to, c.shortURL(r, link.ShortURL))
}

// browse opens a web address in the user's browser: $BROWSER, or what the system says.
func browse(ctx context.Context, to streams, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" { // a server could name a program
		return failure{fmt.Sprintf("%s is not a web address.", printable(address)), exitFailure}
	}
	command := strings.Fields(to.env["BROWSER"])
	if len(command) == 0 {
		command = []string{"xdg-open"}
		if runtime.GOOS == "darwin" {
			command = []string{"open"}
		}
	}
	//nolint:gosec // the user's own choice, with a URL as its only argument from elsewhere
	browser := exec.CommandContext(ctx, command[0], append(command[1:], address)...)
	browser.Stderr = to.err
	if err := browser.Run(); err != nil {
		text := fmt.Sprintf("No browser could be started (%v). Open %s yourself.", err,
			printable(address))
		return failure{text, exitFailure}
	}
	return nil
}
