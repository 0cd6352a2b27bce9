package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"terse/api"
)

// maxLineBytes bounds a line of standard input: the server takes URLs of up to 8 KiB.
const maxLineBytes = 64 << 10

type createCommand struct {
	clientFlags `embed:""`

	URLs []string `arg:"" optional:"" name:"url" help:"The URLs to shorten. Without any, or with -, they are read from standard input, one a line."`
	Code *string  `help:"The short code of the one URL; default a random one." variable:""`
	QR   bool     `name:"qr" help:"Show a QR code of each short URL." variable:""`
	Open bool     `help:"Open the short URL in the browser, which counts as a click." variable:""`
	Copy bool     `help:"Copy the short URL to the clipboard of the terminal." variable:""`
}

func (c *createCommand) run(ctx context.Context, to streams) error {
	fromInput := len(c.URLs) == 0 || slices.Contains(c.URLs, "-")
	switch {
	case len(c.URLs) == 0 && isTerminal(to.in):
		return misuse{errors.New("no URL to shorten")}
	case (c.Code != nil || c.Open || c.Copy) && (fromInput || len(c.URLs) > 1):
		return misuse{errors.New("--code, --open and --copy go with one URL")}
	case c.Copy && !isTerminal(to.err):
		return misuse{errors.New("--copy needs a terminal")}
	}
	r, err := c.connect(to)
	if err != nil {
		return err
	}
	if fromInput || len(c.URLs) > 1 {
		return c.createAll(ctx, to, r)
	}
	created, err := c.create(ctx, r, c.URLs[0])
	if err != nil {
		return err
	}
	if err := c.show(to, r, created, ""); err != nil {
		return err
	}
	short := c.shortURL(r, created.ShortURL)
	if c.Copy {
		to.copyText(short)
	}
	if c.Open {
		return browse(ctx, to, short)
	}
	return nil
}

func (c *createCommand) create(ctx context.Context, r remote,
	original string,
) (api.Created, error) {
	created, err := r.Create(ctx, api.CreateRequest{OriginalURL: original, ShortCode: c.Code})
	if errors.Is(err, api.ErrInvalid) {
		text := cells.Truncate(printable(original), 200, "…") + ": " + r.explain(err, "").Error()
		return created, badURLError{failure{text, exitFailure}}
	}
	code := ""
	if c.Code != nil {
		code = *c.Code
	}
	return created, r.explain(err, code)
}

// badURLError is a failure of one URL, which says nothing of others.
type badURLError struct{ failure }

func (b badURLError) Unwrap() error { return b.failure }

// createAll shortens many URLs, with a line for each: those that were shortened on standard
// output, the others on standard error.
func (c *createCommand) createAll(ctx context.Context, to streams, r remote) error {
	tried, failed := 0, 0
	for original, err := range c.originals(ctx, to.in) {
		if err != nil {
			return err
		}
		tried++
		created, err := c.create(ctx, r, original)
		if err == nil {
			if err = c.show(to, r, created, original); err != nil {
				return err
			}
			continue
		}
		failed++
		if _, ok := errors.AsType[badURLError](err); !ok { // the next one would fail, too
			return fmt.Errorf("%w\nStopped at %s; %d shortened before", err, printable(original),
				tried-failed)
		}
		fmt.Fprintln(to.err, err)
	}
	switch {
	case tried == 0:
		return misuse{errors.New("no URL to shorten")}
	case failed > 0:
		return failure{fmt.Sprintf("%d of %d URLs were not shortened.", failed, tried), exitFailure}
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
			if arg != "-" {
				if !yield(arg, nil) {
					return
				}
				continue
			}
			for line, err := range lines(ctx, in) {
				if !yield(line, err) {
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
func (c *createCommand) show(to streams, r remote, created api.Created, original string) error {
	if c.JSON {
		return to.printJSON(created)
	}
	short := printable(c.shortURL(r, created.ShortURL))
	line := to.colors().accent(short)
	if width := to.width(); original != "" && width == 0 {
		line += "\t" + printable(original)
	} else if rest := width - cells.StringWidth(short) - 2; original != "" && rest > 0 {
		line += "  " + to.colors().dim(cells.Truncate(printable(original), rest, "…"))
	}
	if _, err := fmt.Fprintln(to.out, line); err != nil {
		return err
	}
	if !c.QR {
		return nil
	}
	return printQR(to, short)
}
