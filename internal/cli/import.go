package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/moving"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/sources"
	"terse/internal/move/archive/table"
)

type importCommand struct {
	clientFlags `embed:""`
	storeFlags  `embed:""`

	sourceFlags `embed:""`

	Conflict string `help:"What to do with a link whose code another link has: skip it, overwrite the other one, rename it (abc becomes abc-2), or fail before anything is done." default:"skip" enum:"skip,overwrite,rename,fail" variable:""`
	Owner    string `help:"To whom the links are to belong: an identity, or keep for those that the file names; both take the role admin. Default you." placeholder:"IDENTITY" variable:""`
	DryRun   bool   `help:"Say what would be done." variable:""`
	Report   string `help:"Where to say, as CSV, what was skipped, renamed or could not be kept, and why; default terse-import-report.csv, if there is something to say." complete:"files" placeholder:"FILE" variable:""`
	Output   string `short:"o" help:"Write what would be sent to a file, as NDJSON." complete:"files" placeholder:"FILE" variable:""`

	ForwardQuery bool `help:"Let each link append the visitor's query, as its product does." variable:""`
	ForwardPath  bool `help:"Let each link append what is behind its code, as its product does." variable:""`

	Yes bool `short:"y" help:"For tables: import the table as it is, without a question about its columns." variable:""`
}

// Variables are those in the tags of commands.
func Variables() map[string]string {
	return map[string]string{
		"formats": strings.Join(formats.Names(), ","), "formats_help": formats.Help(),
	}
}

// Help implements kong.HelpProvider.
func (*importCommand) Help() string {
	return "Sent again, an import does nothing twice: each link and each click is there once.\n\n" +
		"A table's first line names its columns. Columns of other products are known by their " +
		"names and by what is in them; --dry-run says which are not read. The fields are " +
		strings.Join(table.Fields(), ", ") + ".\n\n" +
		"It asks before it guesses: if codes or most rows would be lost, or links opened that " +
		"the table closes, nothing is imported, and --map or --yes says what is meant.\n\n" +
		"With --data-dir or --database-url it goes into the data of a server that is stopped."
}

// defaultReport is the report's name without --report.
const defaultReport = "terse-import-report.csv"

// Run imports a file.
func (c *importCommand) Run(ctx context.Context, env Env, open OpenStore) error {
	options, err := c.check()
	if err != nil {
		return err
	}
	run := importRun{importCommand: c, Env: env}
	defer run.leave()
	begin := func() error { return run.reach(ctx, open, options.Domains) }
	from, err := c.open(ctx, env, options, begin)
	if err != nil {
		return err
	}
	defer from.Close()
	report := &moving.Report{Path: c.Report, Source: from.Name}
	if c.Report == "" {
		report.Path = defaultReport
	}
	if err := c.checkFiles(from, report); err != nil {
		return err
	}
	if err := begin(); err != nil {
		return err
	}
	run.Import = moving.Import{
		From: from, Format: formats.Named(c.Format), Options: options, Report: report.Add,
		OnTable: run.nameColumns, OnWait: run.sayWait, OnPart: run.keep, To: run.to,
	}
	if c.Output != "" {
		err = run.write(ctx)
	} else {
		err = run.send(ctx)
	}
	err = explainTable(err)
	if closed := report.Close(); err == nil {
		err = closed
	}
	if err == nil && report.Lines == 0 {
		err = report.RemoveOld()
	}
	if report.Lines > 0 {
		fmt.Fprintf(env.Err, "See %s for %s.\n", report.Path, plural(report.Lines, "remark"))
	}
	if ctx.Err() != nil {
		err = console.ErrInterrupted
	}
	if err == nil {
		for _, host := range options.Domains.Unmet() {
			if host == "" {
				fmt.Fprintln(env.Err, "--domain-map: no link is without a host.")
				continue
			}
			fmt.Fprintf(env.Err, "--domain-map: no link is at %s.\n", host)
		}
		err = run.lost()
	}
	return err
}

// lost returns the error of an import of which lines were lost, or all of a table.
func (m *importRun) lost() error {
	t := m.tally.ImportSummary
	switch n := t.Failed + t.LinesFailed; {
	case n > 0:
		return fail(ExitFailure, "%s failed.", plural(n, "line"))
	case m.Import.Format.IsTable && m.Output == "" &&
		t.Created+t.Updated+t.Unchanged+t.Renamed == 0:
		return fail(ExitFailure, "No link was imported.")
	}
	return nil
}

// check checks the flags, and returns how the source is to be read.
func (c *importCommand) check() (o formats.Options, err error) {
	if c.Report == "-" {
		return o, misuse("--report is -; it must be a file")
	}
	if c.Yes && !c.isTable() {
		return o, noTable()
	}
	if o, err = c.options(); err != nil {
		return o, err
	}
	o.ForwardQuery, o.ForwardPath = c.ForwardQuery, c.ForwardPath
	return o, nil
}

// checkFiles fails if what is written would be the source, or the report can't be written.
func (c *importCommand) checkFiles(from *moving.File, report *moving.Report) error {
	if from.Is(report.Path) {
		return misuse("the report would replace SOURCE; name another file by --report")
	}
	if c.Output != "" && (from.Is(c.Output) || from.Is(partName(c.Output))) {
		return misuse("--output would replace SOURCE; it must be another file")
	}
	if c.Report == "" {
		return nil
	}
	return report.Check()
}

// importRun is an import that is under way.
type importRun struct {
	*importCommand
	Env
	moving.Import

	to      moving.Target // nil with --output
	remote  *remote       // for what is printed
	close   func() error  // of the target; nil: none
	reading bool          // nothing is sent yet

	mu    sync.Mutex // guards tally
	tally moving.Tally
}

// nameColumns says which columns of a table are not read, and why, and that none has codes; in a
// dry run also what the others are.
func (m *importRun) nameColumns(rows *table.Reader) {
	var read, reasons []string
	for _, column := range rows.Columns() {
		switch {
		case column.Field != "":
			read = append(read, fmt.Sprintf("%s is %s", column.Name, column.Field))
		case column.Why != "":
			reasons = append(reasons, fmt.Sprintf("%s is not read: %s", column.Name, column.Why))
		}
	}
	if m.DryRun {
		m.say("Columns: " + strings.Join(read, ", "))
	}
	if columns := rows.Unread(); len(columns) > 0 {
		m.say("Columns that are not read: " + strings.Join(columns, ", "))
	}
	for _, reason := range reasons {
		m.say(reason)
	}
	if !rows.HasCodes() {
		m.say("No column has short codes, so each new link gets one of its own; " +
			"--map COLUMN=short_code names the column")
	}
}

// say says a sentence about the table, which lacks its full stop unless it ends in a name with one.
func (m *importRun) say(text string) {
	fmt.Fprintln(m.Err, strings.TrimSuffix(console.Printable(text), ".")+".")
}

// explainTable names the flags that help against the errors of a table.
func explainTable(err error) error {
	if wrong, ok := errors.AsType[table.OptionsError](err); ok {
		return UsageError{Err: wrong}
	}
	if doubt, ok := errors.AsType[*moving.DoubtError](err); ok {
		return UsageError{Err: errors.New(console.Printable(
			"nothing was imported: " + doubt.Error()))}
	}
	if none, ok := errors.AsType[*table.NoURLsError](err); ok {
		text := "nothing was imported: " + none.Ask(moving.AsFlag)
		if len(none.Columns) == 1 {
			text += ", --delimiter what is between columns"
		}
		return UsageError{Err: errors.New(console.Printable(text))}
	}
	return err
}

func (m *importRun) sayWait(pause time.Duration, reason error) {
	fmt.Fprintf(m.Err, "%v Trying again in %v.\n", reason, pause)
}

// keep keeps the sums so far.
func (m *importRun) keep(t moving.Tally) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tally = t
}

// work is how far the import is.
func (m *importRun) work() console.Work {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &m.tally
	done := t.Read
	if m.reading {
		done = m.From.Read()
	}
	links := t.Created + t.Updated + t.Unchanged + t.Renamed + t.Skipped + t.Failed
	return console.Work{
		Done: done, Total: m.From.Size,
		Text: plural(links, "link") + ", " +
			plural(t.ClicksAdded+t.ClicksKnown+t.ClicksSkipped, "click"),
	}
}

// during shows progress while something is done.
func (m *importRun) during(title string, do func() error) error {
	m.keep(moving.Tally{})
	defer m.Progress(title, m.work)()
	return do()
}

// checkSource reads the source through, so that an export that was cut off changes nothing.
func (m *importRun) checkSource() error {
	m.reading = true
	defer func() { m.reading = false }()
	if err := m.during("Reading", m.Check); err != nil {
		return fmt.Errorf("%s: %w", m.From.Name, err)
	}
	return nil
}

// ask fails if somebody should say more about a table before it is imported.
func (m *importRun) ask(ctx context.Context) error {
	if !m.isTable() || m.Yes {
		return nil
	}
	return m.during("Looking", func() error {
		return m.Doubt(ctx, moving.Options{Conflict: m.Conflict, Owner: m.Owner, DryRun: true})
	})
}

// write writes what would be sent.
func (m *importRun) write(ctx context.Context) error {
	if err := m.checkSource(); err != nil {
		return err
	}
	if err := m.ask(ctx); err != nil {
		return err
	}
	out, err := newOutFile(m.Out, m.Output, true)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	m.tally, err = m.Write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = out.complete()
	}
	if err != nil {
		out.abandon()
	}
	return err
}

// send sends the source to a server, or to the data of one that is stopped.
func (m *importRun) send(ctx context.Context) error {
	if err := m.checkSource(); err != nil {
		return err
	}
	if err := m.ask(ctx); err != nil {
		return err
	}
	if m.Conflict == "fail" && !m.DryRun {
		trial := m.Import
		trial.Report, trial.OnTable = func(moving.Entry) error { return nil }, nil
		err := m.during("Trying", func() error {
			_, err := trial.Run(ctx, moving.Options{
				Conflict: m.Conflict, Owner: m.Owner, DryRun: true,
			})
			return err
		})
		if err != nil {
			return err
		}
	}
	title := "Importing"
	if m.DryRun {
		title = "Trying"
	}
	err := m.during(title, func() error {
		tally, err := m.Import.Run(ctx, moving.Options{
			Conflict: m.Conflict, Owner: m.Owner, DryRun: m.DryRun,
		})
		m.keep(tally)
		return err
	})
	if err != nil && m.tally.ImportSummary == (api.ImportSummary{}) {
		return err // nothing was sent
	}
	if printed := m.print(m.remote); err == nil {
		err = printed
	}
	return err
}

// reach finds where the links go, once, and says which of its domains are those of the source.
func (m *importRun) reach(ctx context.Context, open OpenStore, which *sources.Domains) (err error) {
	if m.to != nil || m.Output != "" {
		return nil
	}
	var domains func(context.Context) ([]api.Domain, error)
	if m.storeFlags.given() {
		m.remote = &remote{Env: m.Env}
		if m.remote.made, err = m.filter(ctx, m.Env); err != nil {
			return err
		}
		store, err := open(ctx, m.DataDir, m.DatabaseURL, true)
		if err != nil {
			return err
		}
		m.to, m.close, domains = store, store.Close, store.Domains
	} else {
		if m.remote, err = m.ProvideRemote(ctx, m.Env); err != nil {
			return err
		}
		m.to, domains = remoteImport{m.remote}, m.remote.domainsOrNone
	}
	if len(which.Moved) == 0 && !formats.Named(m.sourceFlags.Format).HasHosts {
		return nil
	}
	rows, err := domains(ctx)
	if err != nil {
		return err
	}
	return serve(which, rows)
}

// serve says which domains the server has. Links can't be moved to another one.
func serve(which *sources.Domains, rows []api.Domain) error {
	which.Served = map[string]string{}
	isNew := map[string]bool{"": true}
	for _, row := range rows {
		which.Served[row.Domain] = row.Domain
		if row.Default {
			which.Served[row.Domain] = ""
		}
		isNew[row.Domain] = row.Configured
	}
	for old, host := range which.Moved {
		if !isNew[host] {
			return misuse("--domain-map: the server has no host %s", host)
		}
		which.Moved[old] = which.Served[host]
	}
	return nil
}

// domainsOrNone returns the domains of the server, none if it is of a version without.
func (r *remote) domainsOrNone(ctx context.Context) ([]api.Domain, error) {
	rows, err := r.Of("").At("").Domains(ctx)
	if errors.Is(err, api.ErrNotFound) {
		return nil, nil
	}
	return rows, r.explain(err, "")
}

// leave closes where the links go.
func (m *importRun) leave() {
	if m.close != nil {
		_ = m.close()
	}
}

// print prints the sums.
func (m *importRun) print(r *remote) error {
	t := m.tally.ImportSummary
	if m.JSON {
		return r.PrintJSON(t)
	}
	trial := ""
	if m.DryRun {
		trial = "Nothing was changed. It would be:\n"
	}
	others := ""
	if t.LinesFailed > 0 {
		others = fmt.Sprintf("Lines that are no link or can't be read: %s failed.\n",
			humanize.Comma(t.LinesFailed))
	}
	_, err := fmt.Fprintf(m.Out, "%sLinks: %s.\nClicks: %s.\n%s", trial,
		listed(sum{t.Created, "created"}, sum{t.Updated, "updated"}, sum{t.Unchanged, "unchanged"},
			sum{t.Renamed, "renamed"}, sum{t.Skipped, "skipped"}, sum{t.Failed, "failed"}),
		listed(sum{t.ClicksAdded, "added"}, sum{t.ClicksKnown, "known"},
			sum{t.ClicksSkipped, "skipped"}), others)
	return err
}

// sum is how many there are of a kind.
type sum struct {
	n    int64
	kind string
}

// listed returns sums in words.
func listed(sums ...sum) string {
	var texts []string
	for _, s := range sums {
		if s.n > 0 {
			texts = append(texts, humanize.Comma(s.n)+" "+s.kind)
		}
	}
	return cmp.Or(strings.Join(texts, ", "), "none")
}

// remoteImport sends lines to a server.
type remoteImport struct{ *remote }

// Import implements moving.Target.
func (r remoteImport) Import(ctx context.Context, o moving.Options, lines *moving.Part,
	each func(api.ImportResult),
) (summary api.ImportSummary, err error) {
	body, encoding, err := lines.Body()
	if err != nil {
		return summary, err
	}
	query := api.ImportQuery{Conflict: o.Conflict, DryRun: o.DryRun, Encoding: encoding}
	to := r.Client.Of(o.Owner)
	summary, err = to.Import(ctx, query, body, func(result api.ImportResult) error {
		each(result)
		return nil
	})
	return summary, r.again(ctx, err)
}

// again explains an error of an import, and says whether it may be over soon. What a server of this
// kind refuses for good stays refused; anything else may be a connection that was lost, or a proxy
// in front of a server that starts.
func (r remoteImport) again(ctx context.Context, err error) error {
	explained := r.explain(err, "")
	if err == nil || ctx.Err() != nil {
		return explained
	}
	answer, refused := errors.AsType[*api.Error](err)
	switch {
	case !refused:
		return &moving.RetryError{Err: explained}
	case errors.Is(answer, api.ErrRateLimited) || errors.Is(answer, api.ErrBusy):
		return &moving.RetryError{Err: explained, After: answer.RetryAfter}
	case errors.Is(answer, api.ErrConflict):
		return fail(ExitFailure, "%s", sentence(console.Printable(answer.Message)))
	case answer.Status == http.StatusBadGateway, answer.Status == http.StatusGatewayTimeout,
		answer.Status == http.StatusServiceUnavailable: // it stops
		return &moving.RetryError{Err: explained}
	}
	return explained
}
