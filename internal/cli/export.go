package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"

	"terse/api"
	"terse/internal/cli/console"
)

type exportCommand struct {
	serverFlags `embed:""`
	storeFlags  `embed:""`

	File     string  `arg:"" help:"The file to write, packed if it ends in .gz or .zst; - is standard output." complete:"files"`
	Force    bool    `help:"Replace FILE if it exists." variable:""`
	NoClicks bool    `help:"Links only." variable:""`
	Owner    string  `help:"Whose links: an identity, or * for all. Default your own; of a server that is stopped, all. Those of others take the role auditor." placeholder:"IDENTITY" variable:""`
	Domain   string  `help:"Only links at this host of the server; default all." complete:"domains" placeholder:"HOST" variable:""`
	Format   *string `help:"ndjson, which terse import takes with all there is; or csv, for spreadsheets, which has links only. Default ndjson, or csv if FILE is one." enum:"ndjson,csv" placeholder:"FORMAT" variable:""`
}

// Help implements kong.HelpProvider.
func (*exportCommand) Help() string {
	return "Until it is complete, the file is FILE.part.\n\n" +
		"With --data-dir or --database-url it reads the data of a server that is stopped."
}

// Run writes an export to a file.
func (c *exportCommand) Run(ctx context.Context, env Env, open OpenStore) error {
	format := c.format()
	export, done, err := c.source(ctx, env, open, format)
	if err != nil {
		return err
	}
	defer done()
	out, err := newOutFile(env.Out, c.File, c.Force)
	if err != nil {
		return err
	}
	watch := &exportWatch{to: out, csv: format == "csv"}
	stop := env.Progress("Exporting", watch.work)
	err = export(watch)
	stop()
	if err == nil {
		err = watch.complete()
	}
	if err == nil {
		err = out.complete()
	}
	if err != nil {
		out.abandon()
		return err
	}
	if c.File != "-" {
		_, err = fmt.Fprintln(env.Out, watch.text())
	}
	if format == "csv" {
		fmt.Fprintln(env.Err, notInCSV)
	}
	return err
}

const notInCSV = "CSV has no passwords, aliases, rules and clicks: a link with a password would " +
	"be open where it is imported.\nTo move links, export them as ndjson."

// format returns the format that is given, or that the file's name says.
func (c *exportCommand) format() string {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(c.File), ".gz"), ".zst")
	switch {
	case c.Format != nil:
		return *c.Format
	case strings.HasSuffix(name, ".csv"):
		return "csv"
	}
	return "ndjson"
}

// source returns what writes the export.
func (c *exportCommand) source(ctx context.Context, env Env, open OpenStore, format string) (
	export func(io.Writer) error, done func(), err error,
) {
	query := api.ExportQuery{WithoutClicks: c.NoClicks, Format: format}
	if c.storeFlags.given() {
		store, err := open(ctx, c.DataDir, c.DatabaseURL, false)
		if err != nil {
			return nil, nil, err
		}
		return func(to io.Writer) error {
			return store.Export(ctx, to, c.Owner, c.Domain, query)
		}, func() { _ = store.Close() }, nil
	}
	r, err := c.remote(env)
	if err != nil {
		return nil, nil, err
	}
	client := r.Of(c.Owner).At(c.Domain)
	return func(to io.Writer) error { return r.explain(client.Export(ctx, query, to), "") },
		func() {}, nil
}

// exportWatch passes an export on, and sees what is in it.
type exportWatch struct {
	to  io.Writer
	csv bool

	begun                bool
	quoted               bool   // in CSV: within a cell in quotes
	line                 []byte // the beginning of the line that is not complete
	ended                bool   // the last line was the end
	links, clicks, total atomic.Int64
}

// maxBeginning is how much of a line has all that exportWatch looks for.
const maxBeginning = 1 << 10

func (w *exportWatch) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if w.csv {
		w.seeRows(p[:n])
		return n, err
	}
	for rest := p[:n]; len(rest) > 0; {
		part, after, whole := bytes.Cut(rest, []byte{'\n'})
		w.line = append(w.line, part[:min(len(part), maxBeginning-len(w.line))]...)
		if rest = after; whole {
			w.see(w.line)
			w.line = w.line[:0]
		}
	}
	return n, err
}

// seeRows counts the links of CSV, behind its header. A cell in quotes may have line ends.
func (w *exportWatch) seeRows(text []byte) {
	for _, b := range text {
		switch {
		case b == '"':
			w.quoted = !w.quoted
		case b != '\n' || w.quoted:
		case w.begun:
			w.links.Add(1)
		default:
			w.begun = true
		}
	}
}

// see looks at a line.
func (w *exportWatch) see(line []byte) {
	w.ended = false
	switch kind, _, _ := bytes.Cut(bytes.TrimPrefix(line, []byte(`{"type":"`)), []byte{'"'}); {
	case !w.begun:
		w.begun = true
		w.total.Store(number(line, "links", 0) + number(line, "clicks", 0))
	case string(kind) == "link":
		w.links.Add(1)
	case string(kind) == "click":
		w.clicks.Add(number(line, "count", 1))
	case string(kind) == "day":
		w.clicks.Add(number(line, "clicks", 0))
	case string(kind) == "end":
		w.ended = true
	}
}

// number returns the number that a member of an object has, or another one if there is no such
// member. Texts before it can't contain its name, because quotes in them are escaped.
func number(line []byte, name string, other int64) int64 {
	_, after, found := bytes.Cut(line, []byte(`,"`+name+`":`))
	if !found {
		return other
	}
	digits, _, _ := bytes.Cut(bytes.TrimRight(after, "}"), []byte{','})
	n, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		return other
	}
	return n
}

func (w *exportWatch) work() console.Work {
	return console.Work{
		Done: w.links.Load() + w.clicks.Load(), Total: w.total.Load(), Text: w.text(),
	}
}

func (w *exportWatch) text() string {
	if w.csv {
		return plural(w.links.Load(), "link")
	}
	return plural(w.links.Load(), "link") + ", " + plural(w.clicks.Load(), "click")
}

// complete fails if the export was cut off.
func (w *exportWatch) complete() error {
	if !w.csv && !w.ended {
		return errors.New("the export has no end: it was cut off")
	}
	return nil
}
