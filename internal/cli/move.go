package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/dustin/go-humanize"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"terse/api"
	"terse/internal/cli/moving"
)

// storeFlags name the data of a server that is stopped, in place of a server.
type storeFlags struct {
	DataDir     string `help:"The data folder of a server that is stopped." complete:"files" placeholder:"DIR" variable:""`
	DatabaseURL string `name:"database-url" help:"The database of servers that are stopped, as in DATABASE_URL." placeholder:"URL" variable:""`
}

func (f *storeFlags) given() bool { return f.DataDir != "" || f.DatabaseURL != "" }

// Store is the data of a server that is stopped.
type Store interface {
	moving.Target
	// Export writes an export of the links of an owner at a host. "" is any.
	Export(ctx context.Context, to io.Writer, owner, host string, q api.ExportQuery) error
	// Domains returns the hosts of links, the default one first.
	Domains(ctx context.Context) ([]api.Domain, error)
	Close() error
}

// OpenStore opens the data of a server that is stopped: of a data folder, or of a database if its
// URL is not empty. create says that there may be none yet.
type OpenStore func(ctx context.Context, dataDir, databaseURL string, create bool) (Store, error)

// outFile is a file that gets its name when it is complete. Until then it is NAME.part.
type outFile struct {
	io.Writer
	name   string
	file   *os.File
	closes []io.Closer // from the outside to the inside
	begun  bool        // something was written
}

// newOutFile creates a file, packed if its name says so. "-" is out. replace says that the name may
// be that of a file.
func newOutFile(out io.Writer, name string, replace bool) (*outFile, error) {
	o := &outFile{Writer: out, name: name}
	if name == "-" {
		return o, nil
	}
	// A rename would replace a device, a pipe or a link, and what they stand for get nothing.
	switch info, err := os.Lstat(name); {
	case err != nil: // there is none
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", name)
	case !replace:
		return nil, fmt.Errorf("%s exists; --force replaces it", name)
	}
	err := os.Remove(o.part()) // of an export that was cut off; it may be a link, or be readable
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	o.file, err = os.OpenFile(o.part(), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	o.Writer = o.file
	switch filepath.Ext(name) {
	case ".gz":
		packed := gzip.NewWriter(o.file)
		o.Writer, o.closes = packed, []io.Closer{packed}
	case ".zst":
		packed, err := zstd.NewWriter(o.file, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, errors.Join(err, o.file.Close())
		}
		o.Writer, o.closes = packed, []io.Closer{packed}
	}
	return o, nil
}

func (o *outFile) Write(p []byte) (int, error) {
	o.begun = o.begun || len(p) > 0
	return o.Writer.Write(p)
}

func (o *outFile) part() string { return partName(o.name) }

func partName(name string) string { return name + ".part" }

// complete gives the file its name.
func (o *outFile) complete() error {
	for _, c := range o.closes {
		if err := c.Close(); err != nil {
			return err
		}
	}
	if o.file == nil {
		return nil
	}
	if err := o.file.Sync(); err != nil {
		return err
	}
	if err := o.file.Close(); err != nil {
		return err
	}
	return os.Rename(o.part(), o.name)
}

// abandon closes the file, and leaves it as NAME.part if there is something in it.
func (o *outFile) abandon() {
	for _, c := range o.closes {
		_ = c.Close() // what was written so far may be of use
	}
	if o.file == nil {
		return
	}
	_ = o.file.Close()
	if !o.begun {
		_ = os.Remove(o.part())
	}
}

// plural returns a number with a noun.
func plural(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return humanize.Comma(n) + " " + noun
}
