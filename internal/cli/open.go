package cli

import (
	"context"
	"net/url"
	"os/exec"
	"runtime"
	"strings"

	"terse/internal/cli/console"
)

type openCommand struct {
	linkFlags `embed:""`

	Page bool `help:"Open the link's page in the dashboard instead, which is no click." variable:""`
}

// Run opens the short URL, or the link's page.
func (c *openCommand) Run(ctx context.Context, r *remote) error {
	link, err := c.link(ctx, r)
	if err != nil {
		return r.explain(err, c.Code)
	}
	if c.JSON {
		if err := r.PrintJSON(link); err != nil {
			return err
		}
	}
	if c.Page {
		page, err := r.page(linkPage(link, url.Values{}, c.Owner))
		if err != nil {
			return err
		}
		return r.browse(ctx, page)
	}
	return r.browse(ctx, r.shortURL(link.ShortURL))
}

// browse opens an address in the user's browser.
func (r *remote) browse(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" { // a server could name a program
		return fail(ExitFailure, "%s is not a web address.", console.Printable(address))
	}
	if err := r.startBrowser(ctx, address); err != nil {
		return fail(ExitFailure, "No browser could be started (%v). Open %s yourself.", err,
			console.Printable(address))
	}
	return nil
}

// startBrowser starts $BROWSER, or the system's browser, with a web address.
func (r *remote) startBrowser(ctx context.Context, address string) error {
	command := strings.Fields(r.Vars["BROWSER"])
	if len(command) == 0 {
		command = []string{"xdg-open"}
		if runtime.GOOS == "darwin" {
			command = []string{"open"}
		}
	}
	//nolint:gosec // the user's own choice, with a URL as its only argument from elsewhere
	browser := exec.CommandContext(ctx, command[0], append(command[1:], address)...)
	if r.Vars["BROWSER"] != "" { // xdg-open names each browser that it misses
		browser.Stderr = r.Err
	}
	return browser.Run()
}
