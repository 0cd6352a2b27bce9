package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/operations"
	"terse/internal/visit/qr"
)

type createCommand struct {
	clientFlags `embed:""`

	URLs    []string    `arg:"" optional:"" name:"url" help:"The URLs to shorten. Without any, or with -, they are read from standard input, one a line."`
	Code    *string     `short:"c" help:"The short code of the one URL; default a random one." variable:""`
	Domain  string      `help:"At which of the server's hosts, such as go.example; default that of its base URL." complete:"domains" placeholder:"HOST" variable:""`
	Options optionFlags `embed:""`
	Find    bool        `name:"find-existing" help:"Print your newest link to the same URL, if there is one that has not ended and is not archived." variable:""`
	Once    onceFlags   `embed:""`
	QR      bool        `name:"qr" help:"Show a QR code of each short URL." variable:""`
	Open    bool        `help:"Open the short URL in the browser, which counts as a click." variable:""`
	Copy    bool        `help:"Copy the short URL to the clipboard of the terminal." variable:""`
}

// Run shortens one URL or many.
func (c *createCommand) Run(ctx context.Context, r *remote) error {
	many := len(c.URLs) != 1 || c.URLs[0] == "-"
	switch {
	case len(c.URLs) == 0 && console.IsTerminal(r.In):
		return misuse("no URL to shorten")
	case many && (c.Code != nil || len(c.Options.Aliases) > 0 || c.Open || c.Copy ||
		c.Once.IdempotencyKey != ""):
		return misuse("--code, --alias, --open, --copy and --idempotency-key go with one URL")
	case c.Copy && !console.IsTerminal(r.Err):
		return misuse("--copy needs a terminal")
	}
	link, err := c.Options.fields(ctx, r.Env)
	if err != nil {
		return err
	}
	if c.Domain != "" {
		link["domain"] = c.Domain
	}
	if c.Find {
		link["find_existing"] = true
	}
	if many {
		return c.createAll(ctx, r, link)
	}
	return c.createOne(ctx, r, link)
}

// request returns the task to shorten a URL.
func request(original string, link api.Changes) operations.Task {
	link = maps.Clone(link)
	link["original_url"] = original
	return operations.Create(original, link)
}

func (c *createCommand) createOne(ctx context.Context, r *remote, link api.Changes) error {
	if c.Code != nil {
		link["short_code"] = *c.Code
	}
	tasks := []operations.Task{request(c.URLs[0], link)}
	return r.doBatch(ctx, r.Once(c.Once.IdempotencyKey), tasks, false, func(o outcome) error {
		if o.Err != nil {
			return c.explain(ctx, r, o)
		}
		if err := c.show(r, o.Link, ""); err != nil {
			return err
		}
		short := r.shortURL(o.Link.ShortURL)
		if c.Copy {
			r.CopyText(short)
		}
		if c.Open {
			return r.browse(ctx, short)
		}
		return nil
	})
}

// explain adds the URL to the error if the server found the request invalid.
func (c *createCommand) explain(ctx context.Context, r *remote, o outcome) error {
	answer := o.refusal()
	switch {
	case errors.Is(answer, api.ErrInvalid):
		return fail(ExitFailure, "%s: %s",
			console.Cells.Truncate(console.Printable(o.Name), 200, "…"),
			r.explain(inFlags(answer, "the URL"), ""))
	case c.Code != nil:
		return r.explainTaken(ctx, answer, c.Domain, *c.Code)
	}
	return o.Err
}

// createAll shortens many URLs and prints a line for each: successes on standard output, failures
// on standard error.
func (c *createCommand) createAll(ctx context.Context, r *remote, link api.Changes) error {
	tasks := func(yield func(operations.Task, error) bool) {
		for original, err := range c.originals(ctx, r.In) {
			if !yield(request(original, link), err) {
				return
			}
		}
	}
	failed := 0
	tried, err := r.doAll(ctx, tasks, func(o outcome) (err error) {
		if o.Err == nil {
			return c.show(r, o.Link, o.Name)
		}
		failed++
		_, err = fmt.Fprintln(r.Err, c.explain(ctx, r, o))
		return err
	})
	switch {
	case err != nil:
		return err
	case tried == 0:
		return misuse("no URL to shorten")
	case failed > 0:
		return fail(ExitFailure, "%d of %d URLs were not shortened.", failed, tried)
	}
	return nil
}

// originals returns the URLs on the command line, and those of standard input in place of "-".
func (c *createCommand) originals(ctx context.Context, in io.Reader) iter.Seq2[string, error] {
	args := c.URLs
	if len(args) == 0 {
		args = []string{"-"}
	}
	return func(yield func(string, error) bool) {
		for _, arg := range args {
			given := func(yield func(string, error) bool) { yield(arg, nil) }
			if arg == "-" {
				given = console.Lines(ctx, bufio.NewReader(in))
			}
			for original, err := range given {
				if original == "" && err == nil {
					continue
				}
				if !yield(original, err) {
					return
				}
			}
		}
	}
}

// show prints a link; if there are several, with the original URL beside it.
func (c *createCommand) show(r *remote, link *api.Link, original string) error {
	if c.JSON {
		return r.PrintJSON(api.Created{
			ShortCode: link.ShortCode, Domain: link.Domain, ShortURL: link.ShortURL,
			OriginalURL: link.OriginalURL, LinkDetails: link.LinkDetails,
		})
	}
	short := r.shortURL(link.ShortURL)
	columns := []string{short}
	if original != "" {
		columns = append(columns, r.Brief(original))
	}
	if err := r.PrintRow(columns...); err != nil || !c.QR {
		return err
	}
	modules, err := qr.New(short, 'M', qr.QuietZone)
	if err != nil {
		return err
	}
	return r.PrintModules(modules)
}
