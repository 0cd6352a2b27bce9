package cli

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/dustin/go-humanize"
	"github.com/go-json-experiment/json/jsontext"

	"terse/internal/cli/checking"
	"terse/internal/cli/console"
	"terse/internal/cli/moving"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/sources"
)

type checkCommand struct {
	clientFlags `embed:""`
	sourceFlags `embed:""`

	From string `help:"The address of the old server, with the path below which its links are." required:"" placeholder:"URL" variable:""`
}

// Help implements kong.HelpProvider.
func (*checkCommand) Help() string {
	return "After an import, it asks the old server and this one where each code and alias of " +
		"SOURCE leads, and lists those where they differ: the address, where it leads there, and " +
		"where it leads here. It reads SOURCE as terse import does, and takes no token; with one " +
		"it knows this server's hosts, which --domain-map says without. The exit code is 0 if " +
		"all are equal.\n\n" +
		"It sends HEAD requests, at most 4 at a time to each server, with the user agent " +
		checking.UserAgent + ", and follows no redirect. What HEAD does not redirect there, it " +
		"asks for by GET. The old server may count these visits; this one does not.\n\n" +
		"The kind of redirect, such as 301 or 302, makes no difference. An address is equal, " +
		"too, if both servers answer 404 or 410, or both 401, or both 403. A page that leads on " +
		"by itself is no redirect. A link at another domain is asked for at that host of both " +
		"servers.\n\n" +
		"This server's REDIRECT_RATE_LIMIT_PER_MINUTE bounds how many addresses it is asked for " +
		"in a minute."
}

// Run compares where addresses lead.
func (c *checkCommand) Run(ctx context.Context, env Env) error {
	options, err := c.options()
	if err != nil {
		return err
	}
	r := &remote{Env: env}
	if r.made, err = c.filter(ctx, env); err != nil {
		return err
	}
	there, here, err := c.servers(r)
	if err != nil {
		return err
	}
	if err := c.learn(ctx, env, options.Domains); err != nil {
		return err
	}
	from, err := c.open(ctx, env, options, func() error { return nil })
	if err != nil {
		return err
	}
	defer from.Close()
	run := checkRun{r: r, json: c.JSON}
	run.source = moving.Import{
		From: from, Format: formats.Named(c.Format), Options: options,
	}
	if err := run.count(ctx); errors.Is(err, console.ErrInterrupted) {
		return err
	} else if err != nil {
		return explainTable(fmt.Errorf("%s: %w", from.Name, err))
	}
	stop := env.Progress("Asking", run.work)
	err = checking.Run(ctx, there, here, run.addresses, run.add)
	stop()
	if ctx.Err() != nil {
		return console.ErrInterrupted
	}
	if silent, ok := errors.AsType[*checking.SilentError](err); ok {
		return fail(ExitUnreachable, "%s\nStopped: %v does not answer (%s). %s not asked for.",
			run.text(), silent.Server, console.Printable(silent.Reason),
			are(run.total-run.Addresses, "address was", "addresses were"))
	}
	if err != nil {
		return err
	}
	return run.end()
}

// learn says which domains this server has, if there is a token to ask it.
func (c *checkCommand) learn(ctx context.Context, env Env, which *sources.Domains) error {
	if !formats.Named(c.Format).HasHosts {
		return nil
	}
	_, token, err := c.server(env)
	if err != nil || token == "" {
		return err
	}
	r, err := c.remote(env)
	if err != nil {
		return err
	}
	rows, err := r.domainsOrNone(ctx)
	if err != nil {
		return err
	}
	return serve(which, rows)
}

// servers returns both servers. Short URLs take no token.
func (c *checkCommand) servers(r *remote) (there, here *checking.Server, err error) {
	if there, err = checking.NewServer(c.From); err != nil {
		return nil, nil, misuse("--from: %v", err)
	}
	there.TryGet = true
	address, _, err := c.server(r.Env)
	if err != nil {
		return nil, nil, err
	}
	if here, err = checking.NewServer(address); err != nil {
		return nil, nil, UsageError{Err: fmt.Errorf("TERSE_URL: %w", err)}
	}
	if there.String() == here.String() {
		return nil, nil, misuse("--from is the address of this server")
	}
	there.OnLimit = func() {
		fmt.Fprintf(r.Err, "%v limits the rate of requests; it is asked slowly.\n", there)
	}
	here.OnLimit = func() {
		fmt.Fprintf(r.Err, "%v limits the rate of requests; it is asked slowly. "+
			"REDIRECT_RATE_LIMIT_PER_MINUTE=0 there lifts the limit.\n", here)
	}
	return there, here, nil
}

// checkRun is a check that is under way.
type checkRun struct {
	r      *remote
	json   bool
	source moving.Import
	total  int64 // of addresses

	asked, differ atomic.Int64 // for the progress
	checkSummary
}

// checkSummary is how many addresses there are.
type checkSummary struct {
	Addresses int64 `json:"addresses"` // that were asked for
	Equal     int64 `json:"equal"`
	Nowhere   int64 `json:"nowhere"` // of the equal ones, those that lead nowhere
	Differ    int64 `json:"differ"`
	Unread    int64 `json:"unread"` // records of the source without an address
}

// count reads the source through, so that nothing is asked if it was cut off.
func (c *checkRun) count(ctx context.Context) error {
	defer c.r.Progress("Reading", func() console.Work {
		return console.Work{Done: c.source.From.Read(), Total: c.source.From.Size}
	})()
	if err := c.source.Check(); err != nil {
		return err
	}
	for address, err := range c.source.Addresses() {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return console.ErrInterrupted
		case address.Path == "":
			c.Unread++
		default:
			c.total++
		}
	}
	if c.total == 0 {
		return errors.New("no link in it has a code")
	}
	return nil
}

// addresses are those of the source.
func (c *checkRun) addresses(yield func(checking.Address, error) bool) {
	for address, err := range c.source.Addresses() {
		if (err != nil || address.Path != "") && !yield(checking.Address(address), err) {
			return
		}
	}
}

func (c *checkRun) work() console.Work {
	text := are(c.asked.Load(), "address", "addresses")
	if n := c.differ.Load(); n > 0 {
		text += ", " + are(n, "differs", "differ")
	}
	return console.Work{Done: c.asked.Load(), Total: c.total, Text: text}
}

// add counts a result, and prints it if it differs.
func (c *checkRun) add(result *checking.Result) error {
	c.Addresses++
	c.asked.Store(c.Addresses)
	if result.IsEqual() {
		c.Equal++
		if result.IsNowhere() {
			c.Nowhere++
		}
		return nil
	}
	c.Differ++
	c.differ.Store(c.Differ)
	there, here := result.There.String(), result.Here.String()
	c.r.ClearLine()
	switch {
	case c.json:
		return c.r.PrintJSON(result, jsontext.Multiline(false))
	case c.r.Width() == 0:
		return c.r.PrintRow(result.Address, there, here)
	}
	_, err := fmt.Fprintf(c.r.Out, "%s\n  there  %s\n  here   %s\n",
		c.r.Colors().Accent(console.Printable(result.Address)), console.Printable(there),
		console.Printable(here))
	return err
}

// end prints the sums. Its error is that not all is equal.
func (c *checkRun) end() error {
	if c.json {
		err := c.r.PrintJSON(map[string]checkSummary{"summary": c.checkSummary},
			jsontext.Multiline(false))
		if err != nil {
			return err
		}
	}
	switch text := c.text(); {
	case c.Differ > 0 || c.Unread > 0:
		return fail(ExitFailure, "%s", text)
	case c.Nowhere == c.Addresses:
		return fail(ExitFailure, "%s Is --from right?", text)
	case !c.json:
		_, err := fmt.Fprintln(c.r.Out, text)
		return err
	}
	return nil
}

// text returns the sums in words.
func (c *checkRun) text() string {
	text := are(c.Addresses, "address: ", "addresses: ") + humanize.Comma(c.Equal) +
		" equal, " + are(c.Differ, "differs.", "differ.")
	if c.Nowhere > 0 {
		text += " Of the equal ones " + are(c.Nowhere, "leads nowhere.", "lead nowhere.")
	}
	if c.Unread > 0 {
		text += " " + are(c.Unread, "record has no address.", "records have no address.")
	}
	return text
}

// are returns a number with what is said of one, or of several.
func are(n int64, one, several string) string {
	if n != 1 {
		one = several
	}
	return humanize.Comma(n) + " " + one
}
