package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"terse/api"
)

// maxLineBytes bounds a line of standard input: the server takes URLs of up to 8 KiB.
const maxLineBytes = 64 << 10

type createCommand struct {
	clientFlags `embed:""`

	URLs    []string  `arg:"" optional:"" name:"url" help:"The URLs to shorten. Without any, or with -, they are read from standard input, one a line."`
	Code    *string   `help:"The short code of the one URL; default a random one." variable:""`
	Options linkFlags `embed:""`
	QR      bool      `name:"qr" help:"Show a QR code of each short URL." variable:""`
	Open    bool      `help:"Open the short URL in the browser, which counts as a click." variable:""`
	Copy    bool      `help:"Copy the short URL to the clipboard of the terminal." variable:""`
}

// Run shortens the one URL or many.
func (c *createCommand) Run(ctx context.Context, r *remote) error {
	many := len(c.URLs) != 1 || c.URLs[0] == "-"
	switch {
	case len(c.URLs) == 0 && IsTerminal(r.In):
		return misuse("no URL to shorten")
	case (c.Code != nil || c.Open || c.Copy) && many:
		return misuse("--code, --open and --copy go with one URL")
	case c.Copy && !IsTerminal(r.Err):
		return misuse("--copy needs a terminal")
	case many:
		return c.createAll(ctx, r)
	}
	created, err := c.create(ctx, r, c.URLs[0])
	if err != nil {
		return c.explain(r, err, c.URLs[0])
	}
	if err := c.show(r, created, ""); err != nil {
		return err
	}
	short := r.shortURL(created.ShortURL)
	if c.Copy {
		r.copyText(short)
	}
	if c.Open {
		return r.browse(ctx, short)
	}
	return nil
}

func (c *createCommand) create(
	ctx context.Context, r *remote, original string,
) (api.Created, error) {
	return r.Create(ctx, api.CreateRequest{
		OriginalURL: original, ShortCode: c.Code, LinkOptions: c.Options.options(),
	})
}

// explain names the URL that was refused.
func (c *createCommand) explain(r *remote, err error, original string) error {
	if errors.Is(err, api.ErrInvalid) {
		return fail(ExitFailure, "%s: %s", cells.Truncate(printable(original), 200, "…"),
			r.explain(err, ""))
	}
	code := ""
	if c.Code != nil {
		code = *c.Code
	}
	return r.explain(err, code)
}

// createAll shortens many URLs, with a line for each: those that were shortened on standard
// output, the others on standard error.
func (c *createCommand) createAll(ctx context.Context, r *remote) error {
	tried, failed := 0, 0
	for original, err := range c.originals(ctx, r.In) {
		if err != nil {
			return err
		}
		tried++
		created, err := c.create(ctx, r, original)
		switch {
		case err == nil:
			err = c.show(r, created, original)
		case errors.Is(err, api.ErrInvalid): // which says nothing of the others
			failed++
			_, err = fmt.Fprintln(r.Err, c.explain(r, err, original))
		default:
			err = fmt.Errorf("%w\nStopped at %s; %d shortened before", c.explain(r, err, original),
				printable(original), tried-failed-1)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case tried == 0:
		return misuse("no URL to shorten")
	case failed > 0:
		return fail(ExitFailure, "%d of %d URLs were not shortened.", failed, tried)
	}
	return nil
}

// originals returns the URLs of the command line, and in place of - those of standard input.
func (c *createCommand) originals(ctx context.Context, in io.Reader) iter.Seq2[string, error] {
	args := c.URLs
	if len(args) == 0 {
		args = []string{"-"}
	}
	return func(yield func(string, error) bool) {
		for _, arg := range args {
			given := func(yield func(string, error) bool) { yield(arg, nil) }
			if arg == "-" {
				given = lines(ctx, in)
			}
			for original, err := range given {
				if !yield(original, err) {
					return
				}
			}
		}
	}
}

// lines returns the lines of in that are not blank.
func lines(ctx context.Context, in io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for buffered := bufio.NewReader(in); ; {
			line, err := until(ctx, func() (string, error) { return readLine(buffered) })
			if errors.Is(err, context.Canceled) {
				yield("", errInterrupted)
				return
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield("", fmt.Errorf("standard input: %w", err))
				return
			}
			if line != "" && !yield(line, nil) || err != nil {
				return
			}
		}
	}
}

// show prints a link. One of many has its original URL beside it.
func (c *createCommand) show(r *remote, created api.Created, original string) error {
	if c.JSON {
		return r.printJSON(created)
	}
	short := printable(r.shortURL(created.ShortURL))
	line := r.colors().accent(short)
	if width := r.width(); original != "" && width == 0 {
		line += "\t" + printable(original)
	} else if rest := width - cells.StringWidth(short) - 2; original != "" && rest > 0 {
		line += "  " + r.colors().dim(cells.Truncate(printable(original), rest, "…"))
	}
	if _, err := fmt.Fprintln(r.Out, line); err != nil {
		return err
	}
	if !c.QR {
		return nil
	}
	return r.printQR(short)
}
