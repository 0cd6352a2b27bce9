// Package importer reads links with their clicks, in the form of package archive, into a store. An
// import that ended early can be sent again: what is there already stays as it is.
//
// It knows no HTTP. It does not decide which clicks of a link are new; the store does.
package importer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"time"

	"terse"
	"terse/internal/manage"
	"terse/internal/useragent"
)

// Store is the part of a store that imports need.
type Store interface {
	Find(ctx context.Context, addresses []string) (map[string]terse.Link, error)
	Share(ctx context.Context, link terse.LinkRef) (terse.Share, error)
	Transact(ctx context.Context, do func(terse.Tx) error) error
	AddPast(ctx context.Context, past []terse.Past) ([]terse.PastAdded, error)
	TryPast(ctx context.Context, past []terse.Past) ([]terse.PastAdded, error)
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

// New returns an Importer. It removes files in Dir that an end of the process between the creation
// of a file and its removal, which follows at once, has left there.
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

// Conflict is what to do with a link whose address is taken by another one.
type Conflict string

// The ways out of a conflict.
const (
	Skip      Conflict = "skip"
	Overwrite Conflict = "overwrite"
	Rename    Conflict = "rename"
	Fail      Conflict = "fail"
)

// Format is the format of a body.
type Format string

// The formats.
const (
	Terse Format = "terse" // lines as in an export; "" too
	CSV   Format = "csv"   // a table of links
	Auto  Format = "auto"  // one of them
)

// Request is what to do with a body.
type Request struct {
	Caller   manage.Caller
	Format   Format
	Conflict Conflict
	DryRun   bool // find out what would be done, and undo it
}

// ParseRequest reads the parameters of a request; empty ones are absent.
func ParseRequest(format, conflict, dryRun string) (r Request, err error) {
	switch r.Format = Format(format); r.Format {
	case "", Terse, CSV, Auto:
	default:
		return r, terse.Invalidf("format", "format must be terse, csv or auto")
	}
	switch r.Conflict = Conflict(conflict); r.Conflict {
	case "":
		r.Conflict = Skip
	case Skip, Overwrite, Rename, Fail:
	default:
		return r, terse.Invalidf("conflict", "conflict must be skip, overwrite, rename or fail")
	}
	switch dryRun {
	case "", "false":
	case "true":
		r.DryRun = true
	default:
		return r, terse.Invalidf("dry_run", "dry_run must be true or false")
	}
	return r, nil
}
