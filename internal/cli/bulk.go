package cli

import (
	"context"
	"fmt"
	"iter"
	"os"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/operations"
)

type bulkCommand struct {
	ownerFlags `embed:""`

	File   string    `arg:"" help:"The file with the operations; - is standard input." complete:"files"`
	Atomic bool      `help:"Do all of them or none, up to 1000." variable:""`
	DryRun bool      `help:"Print what would be sent, an operation in JSON a line." variable:""`
	Once   onceFlags `embed:""`
}

// Help implements kong.HelpProvider.
func (*bulkCommand) Help() string {
	return "The file has a JSON object a line: " +
		`{"op": "create", "link": {"original_url": "https://example.com/"}}, ` +
		`{"op": "update", "short_code": "launch", "link": {"title": null}} or ` +
		`{"op": "delete", "short_code": "launch"}.` + " A domain beside short_code, or within " +
		"link for a new one, names another of the server's hosts.\n\n" +
		"Or it is CSV. Its header line names the fields: op (without it all are created), " +
		"short_code, domain, original_url, title, tags (in one cell, with commas between them), " +
		"aliases (with blanks between them), expires_at and so on. An empty cell leaves a " +
		"field as it is.\n\n" +
		"Each line has its result: its number, its status, and the short URL or what was wrong."
}

// Run executes the operations in a file.
func (c *bulkCommand) Run(ctx context.Context, r *remote) error {
	if c.Once.IdempotencyKey != "" && !c.Atomic {
		return misuse("--idempotency-key goes with --atomic, for it stands for one request")
	}
	in := r.In
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	tasks := operations.Read(ctx, in, time.Now().In(r.Zone()).Truncate(time.Second))
	failed := 0
	done := func(o outcome) error {
		if o.Err != nil {
			failed++
		}
		return c.show(r, o)
	}
	var tried int
	var err error
	switch {
	case c.DryRun:
		tried, err = each(tasks, c.print(r, &failed))
	case c.Atomic:
		tried, err = c.doAtOnce(ctx, r, tasks, done)
	default:
		tried, err = r.doAll(ctx, tasks, done)
	}
	if err == nil && failed > 0 {
		err = fail(ExitFailure, "%d of %d operations failed.", failed, tried)
	}
	return err
}

// each calls done with every task, without executing it.
func each(tasks iter.Seq2[operations.Task, error], done func(outcome) error) (n int, err error) {
	for t, err := range tasks {
		if err == nil {
			err = done(outcome{Task: t})
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// print returns a function that prints an operation instead of executing it.
func (c *bulkCommand) print(r *remote, failed *int) func(outcome) error {
	return func(o outcome) error {
		if o.Err != nil {
			*failed++
			_, err := fmt.Fprintf(r.Err, "Line %d: %s\n", o.Line, console.Printable(o.Err.Error()))
			return err
		}
		return r.PrintJSON(o.Op, jsontext.Multiline(false))
	}
}

// doAtOnce executes all tasks in one request.
func (c *bulkCommand) doAtOnce(ctx context.Context, r *remote,
	tasks iter.Seq2[operations.Task, error], done func(outcome) error,
) (n int, err error) {
	var b operations.Batch
	n, err = each(tasks, func(o outcome) error {
		if b.Add(o.Task); b.TooLarge() {
			return fail(ExitFailure,
				"--atomic takes up to %d operations of 8 MiB. Nothing was done.",
				operations.MaxAtOnce)
		}
		if o.Err != nil {
			return fail(ExitFailure, "Line %d: %s\nNothing was done.", o.Line,
				console.Printable(o.Err.Error()))
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	return n, r.doBatch(ctx, r.Once(c.Once.IdempotencyKey), b.Tasks, true, done)
}

// show prints the result of one operation.
func (c *bulkCommand) show(r *remote, o outcome) error {
	if c.JSON {
		return r.PrintJSON(struct {
			Line int `json:"line"`
			api.BulkResult
		}{o.Line, o.BulkResult}, jsontext.Multiline(false))
	}
	columns := []string{strconv.Itoa(o.Line), strconv.Itoa(o.Status), o.Code, ""}
	if o.Link != nil {
		columns[2], columns[3] = r.shortURL(o.Link.ShortURL), r.Brief(o.Link.OriginalURL)
	}
	if o.Err != nil {
		columns[3] = o.Err.Error()
	}
	return r.PrintRow(columns...)
}
