package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"

	"terse/internal/cli/console"
	"terse/internal/cli/moving"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/sources"
	"terse/internal/move/archive/sources/database"
	"terse/internal/move/archive/sources/webapi"
	"terse/internal/move/archive/table"
)

// sourceFlags say what is read of other servers, and how.
type sourceFlags struct {
	Format string `arg:"" enum:"${formats}" help:"${formats_help}"`
	Source string `arg:"" help:"The file, which may be packed by gzip or zstd; - is standard input. For products with an API, the server's address; for Kutt also that of its PostgreSQL database." complete:"files"`

	KeyFile  string `help:"A file with the key for the API of SOURCE; or $TERSE_SOURCE_KEY has it." complete:"files" placeholder:"FILE" variable:""`
	OnlyHost string `help:"Read only the links of this host. By default the first link of each code is, whatever its host." placeholder:"HOST" variable:""`

	Map        []string `help:"For csv: what a column stands for, such as 'Ziel=original_url'; without a field the column is not read. Repeat it for several." sep:"none" placeholder:"COLUMN=FIELD" variable:""`
	Delimiter  string   `help:"For csv: the character between columns, or tab; default the one that the first line has." placeholder:"CHARACTER" variable:""`
	DateFormat string   `help:"For csv: a strftime pattern of dates, such as %d/%m/%Y." placeholder:"PATTERN" variable:""`
	TimeZone   string   `help:"For csv: the time zone of times that name none; default UTC. For a dump of YOURLS: that of its database server." placeholder:"ZONE" variable:""`
}

var errNoTable = misuse("--map, --delimiter, --date-format, --time-zone and --yes are for csv")

// options checks the flags, and returns how the source is to be read.
func (f *sourceFlags) options() (o formats.Options, err error) {
	parameters := table.Parameters{
		Map: f.Map, TimeZone: f.TimeZone, DateFormat: f.DateFormat, Delimiter: f.Delimiter,
	}
	format, ofTable := formats.Named(f.Format), parameters
	if format.HasZone {
		ofTable.TimeZone = ""
	}
	if ofTable.Given() != "" && !format.IsTable {
		return o, errNoTable
	}
	o.Table, err = parameters.Options()
	if wrong, ok := errors.AsType[*table.ParameterError](err); ok {
		return o, misuse("--%s %s", strings.ReplaceAll(wrong.Name, "_", "-"), wrong.Text)
	}
	o.Options = sources.Options{
		OnlyHost: strings.ToLower(f.OnlyHost), Zone: o.Table.Zone, CreateFile: moving.CreateFile,
	}
	return o, err
}

// open opens the source. What is no text is read into a temporary file.
func (f *sourceFlags) open(ctx context.Context, env Env, o formats.Options) (
	*moving.File, error,
) {
	format := formats.Named(f.Format)
	scheme, _, isURL := strings.Cut(f.Source, "://")
	isDatabase := scheme == "postgres" || scheme == "postgresql"
	if !isURL && f.Source != "-" {
		var err error
		if isDatabase, err = database.IsFile(f.Source); err != nil {
			return nil, err
		}
	}
	var read func(*sources.Out) error
	switch {
	case isDatabase && format.Database != nil:
		from, err := database.Open(ctx, f.Source)
		if err != nil {
			return nil, err
		}
		defer from.Close()
		read = func(to *sources.Out) error { return format.Database(ctx, from, to) }
	case isURL && !isDatabase && format.API != nil:
		key, err := f.key(env)
		if err != nil {
			return nil, err
		}
		from, err := webapi.New(f.Source, key)
		if err != nil {
			return nil, misuse("SOURCE: %v", err)
		}
		read = func(to *sources.Out) error { return format.API(ctx, from, to) }
	case isURL || isDatabase || format.Open == nil:
		return nil, misuse("SOURCE is %s, which %s is not imported from: %s", f.sourceName(),
			f.Format, format.Help)
	default:
		file, err := moving.Open(ctx, env.In, f.Source)
		if err != nil || !format.Sorts {
			return file, err
		}
		return keepSorted(ctx, env, format, o, file)
	}
	var records atomic.Int64
	defer env.Progress("Reading", func() console.Work {
		return console.Work{Text: plural(records.Load(), "link")}
	})()
	return moving.Keep(sources.Read(o.Options, read), f.sourceName(), records.Store)
}

// keepSorted reads a file into a temporary one, sorted.
func keepSorted(ctx context.Context, env Env, format *formats.Format, o formats.Options,
	from *moving.File,
) (*moving.File, error) {
	defer from.Close()
	text, err := from.Text()
	if err != nil {
		return nil, err
	}
	source, err := format.Open(text, o)
	if err != nil {
		return nil, err
	}
	var records atomic.Int64
	defer env.Progress("Reading", func() console.Work {
		return console.Work{
			Done: from.Read(), Total: from.Size, Text: plural(records.Load(), "link"),
		}
	})()
	return console.Until(ctx, func() (*moving.File, error) {
		kept, err := moving.Keep(source, from.Name, records.Store)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.Name, err)
		}
		return kept, kept.ReadFrom(from)
	})
}

// sourceName names the source for people. The address of a database may have a password.
func (f *sourceFlags) sourceName() string {
	at, err := url.Parse(f.Source)
	switch {
	case err != nil && strings.Contains(f.Source, "://"):
		return "an address that can't be read"
	case err == nil && at.Host != "" && strings.Contains(at.Path+at.Fragment, "@"):
		return at.Scheme + "://" // what stands before the @ may be a part of the password
	case err == nil && at.Host != "":
		at.RawQuery = "" // it may have a password, too
		return at.Redacted()
	}
	return f.Source
}

// key returns the key for the API of the source, "" if there is none.
func (f *sourceFlags) key(env Env) (string, error) {
	if f.KeyFile == "" {
		return strings.TrimSpace(env.Vars["TERSE_SOURCE_KEY"]), nil
	}
	text, err := readFile(f.KeyFile)
	if text = strings.TrimSpace(text); err == nil && text == "" {
		err = misuse("the file of --key-file is empty")
	}
	return text, err
}
