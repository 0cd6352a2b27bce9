package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"terse"
	"terse/internal/link/manage"
	"terse/internal/move/archive"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/table"
	"terse/internal/visit/useragent"
)

// Store is the part of a store that imports need.
type Store interface {
	Find(ctx context.Context, addresses []string) (map[string]terse.Link, error)
	Share(ctx context.Context, target terse.ShareTarget) (terse.Shared, error)
	Transact(ctx context.Context, do func(terse.Tx) error) error
	AddPast(ctx context.Context, past []terse.Past) ([]terse.PastAdded, error)
	TryPast(ctx context.Context, past []terse.Past) ([]terse.PastAdded, error)
	Note(ctx context.Context, by terse.Caller, what terse.Noted) error
}

// Options are the parts of an Importer. All are required unless their comment says otherwise.
type Options struct {
	Store   Store
	Manager *manage.Manager
	// Dir is the folder for temporary files.
	Dir string
	// Retention is the age from which clicks are kept as counts of their day; 0: any age is kept.
	Retention time.Duration
	// CountsOnly keeps all clicks as counts of their day.
	CountsOnly bool
	// Place locates an address.
	Place func(netip.Addr) (country terse.Country, region, city string)
	// Changed is called with an address after its link was, or may have been, created or changed.
	Changed func(address string)
	Logger  *slog.Logger
}

// Importer runs imports.
type Importer struct {
	Options
	agents *useragent.Parser
	// verifying is held while a password is checked, which takes up to seconds and 256 MiB.
	verifying sync.Mutex
}

// files is the pattern of temporary files' names.
const files = "import-*.tmp"

// New returns an Importer. It removes files from Dir that a process left there: one that was killed
// between creating a file and removing its name.
func New(opts Options) *Importer {
	left, err := filepath.Glob(filepath.Join(opts.Dir, files))
	for _, path := range left {
		err = errors.Join(err, os.Remove(path))
	}
	if err != nil {
		opts.Logger.Warn("remove files of imports", "error", err)
	}
	return &Importer{Options: opts, agents: useragent.New()}
}

// createFile creates a temporary file, which has no name any more.
func (i *Importer) createFile() (*os.File, error) {
	f, err := os.CreateTemp(i.Dir, files)
	if err != nil {
		return nil, fmt.Errorf("create a file for an import: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("create a file for an import: %w", err), f.Close())
	}
	return f, nil
}

// createSparing is like createFile, for a file that leaves room on its disk.
func (i *Importer) createSparing() (archive.File, error) {
	f, err := i.createFile()
	if err != nil {
		return nil, err
	}
	return &sparing{file: f}, nil
}

// Conflict says what to do with a line whose address another link has.
type Conflict string

// The ways out of a conflict.
const (
	Skip      Conflict = "skip"
	Overwrite Conflict = "overwrite"
	Rename    Conflict = "rename"
	Fail      Conflict = "fail"
)

// Auto stands for the format that the beginning of a body suggests.
const Auto = "auto"

// Request says what to do with a body.
type Request struct {
	// Caller imports. Links belong to its Gives or, with KeepOwners, to whom their lines name.
	Caller   terse.Caller
	Format   string // the name of one, or Auto; "": formats.Default
	Conflict Conflict
	DryRun   bool // find out what would be done, and undo it
	// ShowLinks asks what the first links are, in their results.
	ShowLinks bool
	// Table says how a table is read. Guess accepts a table as it is, without a question.
	Table table.Options
	Guess bool
	// ofTable names a parameter that is only for tables; "": none was given.
	ofTable string
}

// Parameters are those of a request. Empty ones are absent.
type Parameters struct {
	Format, Conflict, DryRun, ShowLinks, Guess string
	Table                                      table.Parameters
}

// ParseRequest reads the parameters of a request.
func ParseRequest(p Parameters) (r Request, err error) {
	format := formats.Named(cmp.Or(p.Format, formats.Default))
	if r.Format = p.Format; format == nil && r.Format != Auto {
		return r, terse.Invalidf("format", "format must be %s or %s",
			strings.Join(formats.TextNames(), ", "), Auto)
	}
	if format != nil && format.Open == nil {
		return r, terse.Invalidf("format", "format %s is no text: the command line imports it, "+
			"terse import %[1]s SOURCE", p.Format)
	}
	switch r.Conflict = Conflict(p.Conflict); r.Conflict {
	case "":
		r.Conflict = Skip
	case Skip, Overwrite, Rename, Fail:
	default:
		return r, terse.Invalidf("conflict", "conflict must be skip, overwrite, rename or fail")
	}
	if r.DryRun, err = parseBool("dry_run", p.DryRun); err != nil {
		return r, err
	}
	if r.ShowLinks, err = parseBool("show_links", p.ShowLinks); err != nil {
		return r, err
	}
	if r.Guess, err = parseBool("guess", p.Guess); err != nil {
		return r, err
	}
	ofTable := p.Table
	ofTable.TimeZone = "" // other formats may have it
	if r.ofTable = ofTable.Given(); r.ofTable == "" && p.Guess != "" {
		r.ofTable = "guess"
	}
	r.Table, err = p.Table.Options()
	if wrong, ok := errors.AsType[*table.ParameterError](err); ok {
		return r, terse.Invalidf(wrong.Name, "%v", wrong)
	}
	if err == nil && format != nil {
		err = r.fits(format)
	}
	return r, err
}

// fits returns an error if a parameter is given that a format has not.
func (r Request) fits(f *formats.Format) error {
	name := r.ofTable
	if name == "" && r.Table.Zone != nil && !f.HasZone {
		name = "time_zone"
	}
	if f.IsTable || name == "" {
		return nil
	}
	return terse.Invalidf(name, "%s is for tables (format=csv)", name)
}

func parseBool(name, text string) (bool, error) {
	switch text {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, terse.Invalidf(name, "%s must be true or false", name)
}
