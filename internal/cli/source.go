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

	KeyFile   string   `help:"A file with the key for the API of SOURCE; or $TERSE_SOURCE_KEY has it." complete:"files" placeholder:"FILE" variable:""`
	OnlyHost  string   `help:"Read only the links of this host. By default all are, but of one code at several hosts only the first, unless each host is one of the server." placeholder:"HOST" variable:""`
	DomainMap []string `help:"At which of the server's hosts the links of a host of SOURCE are to be, such as old.example=go.example; without the second one at that of its base URL, without the first one for links that name no host. By default links stay at their host if the server has it. Repeat it for several." sep:"none" placeholder:"OLD=NEW" variable:""`

	Map        []string `help:"For tables: what a column stands for, such as 'Ziel=original_url'; without a field the column is not read. Repeat it for several." sep:"none" placeholder:"COLUMN=FIELD" variable:""`
	Delimiter  string   `help:"For tables: the character between columns, or tab; default the one that the first line has." placeholder:"CHARACTER" variable:""`
	DateFormat string   `help:"For tables: a strftime pattern of dates, such as %d/%m/%Y." placeholder:"PATTERN" variable:""`
	TimeZone   string   `help:"For tables: the time zone of times that name none; default UTC. For a dump of YOURLS: that of its database server." placeholder:"ZONE" variable:""`
}

// noTable refuses flags of tables.
func noTable() error {
	var names []string
	for _, format := range formats.All {
		if format.IsTable {
			names = append(names, format.Name)
		}
	}
	return misuse("--map, --delimiter, --date-format, --time-zone and --yes are for tables: %s",
		strings.Join(names, ", "))
}

// options checks the flags, and returns how the source is to be read.
func (f *sourceFlags) options() (o formats.Options, err error) {
	if !f.isTable() && f.ofTable() {
		return o, noTable()
	}
	o.Table, err = f.parameters().Options()
	if wrong, ok := errors.AsType[*table.ParameterError](err); ok {
		return o, misuse("--%s %s", strings.ReplaceAll(wrong.Name, "_", "-"), wrong.Text)
	}
	if err != nil {
		return o, err
	}
	o.Options = sources.Options{
		OnlyHost: strings.ToLower(f.OnlyHost), Zone: o.Table.Zone, CreateFile: moving.CreateFile,
	}
	o.Domains, err = f.domains()
	return o, err
}

// domains returns on which domain links are to be, before the server's are known.
func (f *sourceFlags) domains() (*sources.Domains, error) {
	d := &sources.Domains{Moved: map[string]string{}}
	for _, pair := range f.DomainMap {
		ends := strings.Split(pair, "=")
		if len(ends) != 2 {
			return nil, misuse("--domain-map is %q; it must be a host, = and a host", pair)
		}
		for i, host := range ends {
			name, ok := sources.HostName(host)
			if !ok && host != "" {
				return nil, misuse("--domain-map is %q; %q is no host", pair, host)
			}
			ends[i] = name
		}
		if to, twice := d.Moved[ends[0]]; twice && to != ends[1] {
			return nil, misuse("--domain-map names two hosts for the same one in %q", pair)
		}
		d.Moved[ends[0]] = ends[1]
	}
	return d, nil
}

func (f *sourceFlags) parameters() table.Parameters {
	return table.Parameters{
		Map: f.Map, TimeZone: f.TimeZone, DateFormat: f.DateFormat, Delimiter: f.Delimiter,
	}
}

// isTable reports whether the source is a table, not a server of a product that has both.
func (f *sourceFlags) isTable() bool {
	format := formats.Named(f.Format)
	return format.IsTable && (format.API == nil || f.scheme() == "")
}

// ofTable reports whether a flag is given that is for tables only.
func (f *sourceFlags) ofTable() bool {
	given := f.parameters()
	if formats.Named(f.Format).HasZone {
		given.TimeZone = ""
	}
	return given.Given() != ""
}

// scheme returns that of an address, "" if the source is none.
func (f *sourceFlags) scheme() string {
	scheme, _, isURL := strings.Cut(f.Source, "://")
	if !isURL {
		return ""
	}
	return scheme
}

// open opens the source. What is no text is read into a temporary file, after begin.
func (f *sourceFlags) open(ctx context.Context, env Env, o formats.Options, begin func() error) (
	*moving.File, error,
) {
	format := formats.Named(f.Format)
	scheme := f.scheme()
	isDatabase := scheme == "postgres" || scheme == "postgresql"
	if scheme == "" && f.Source != "-" {
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
	case scheme != "" && !isDatabase && format.API != nil:
		key, err := f.key(env)
		if err != nil {
			return nil, err
		}
		from, err := webapi.New(f.Source, key)
		if err != nil {
			return nil, misuse("SOURCE: %v", err)
		}
		read = func(to *sources.Out) error { return format.API(ctx, from, to) }
	case scheme != "" || isDatabase || format.Open == nil:
		return nil, misuse("SOURCE is %s, but %s takes %s", f.sourceName(), f.Format, format.Help)
	default:
		file, err := moving.Open(ctx, env.In, f.Source)
		if err != nil || !format.Sorts {
			return file, err
		}
		if err := begin(); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		return keepSorted(ctx, env, format, o, file)
	}
	if err := begin(); err != nil {
		return nil, err
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

// sourceName names the source for people: of an address only what can have no password or key.
func (f *sourceFlags) sourceName() string {
	if !strings.Contains(f.Source, "://") {
		return f.Source
	}
	at, err := url.Parse(f.Source)
	switch {
	case err != nil:
		return "an address that can't be read"
	case at.Host == "" || strings.Contains(at.Path+at.Fragment, "@"):
		return at.Scheme + "://" // what stands before the @ may be a part of the password
	}
	return (&url.URL{Scheme: at.Scheme, Host: at.Host, Path: at.Path}).String()
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
