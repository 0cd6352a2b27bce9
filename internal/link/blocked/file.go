package blocked

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"
)

// checkInterval is how often the file is compared with what was read of it. It is read as a whole,
// because a copy may keep times and sizes; of a million lines that takes some 10 ms.
const checkInterval = 5 * time.Second

// File is a list in a file. Its methods may be called concurrently.
type File struct {
	path    string
	changed func()
	logger  *slog.Logger
	list    atomic.Pointer[List]
	late    atomic.Bool // the file has another list, which can't be read
	// seen is what was read last, successfully or not. Only Open and then Run use it.
	seen content
}

// content tells what is at the path: the hash of a file, or why it can't be read.
type content struct {
	hash    uint64
	problem string
}

// Open reads a file. Run calls changed whenever there is another list.
func Open(path string, changed func(), logger *slog.Logger) (*File, error) {
	f := &File{path: path, changed: changed, logger: logger}
	return f, f.read()
}

// List returns the list as it is now.
func (f *File) List() *List { return f.list.Load() }

// Late reports whether the file was changed, and could not be read since.
func (f *File) Late() bool { return f.late.Load() }

// Run rereads the file within ten seconds of a change, until ctx ends, and returns nil. A file that
// can't be read is logged once, and the old list stays.
func (f *File) Run(ctx context.Context) error {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if f.look() == f.seen {
			continue
		}
		if err := f.read(); err != nil {
			f.logger.Error("blocked targets not reread, keeping the old ones", "error", err)
			continue
		}
		f.changed()
	}
}

// look returns what is at the path now.
func (f *File) look() content {
	file, err := open(f.path)
	if err != nil {
		return content{problem: err.Error()}
	}
	defer func() { _ = file.Close() }() // reading only
	hash := xxhash.New()
	if _, err := io.Copy(hash, io.LimitReader(file, maxFileBytes+1)); err != nil {
		return content{problem: err.Error()}
	}
	return content{hash: hash.Sum64()}
}

// read replaces the list by that of the file. Run has to call changed then.
func (f *File) read() error {
	f.late.Store(true)
	read, err := load(f.path)
	f.seen = read.content
	if err != nil {
		return err
	}
	f.list.Store(read.list)
	f.late.Store(false)
	f.logger.Info("blocked targets read", "path", f.path, "hosts", read.list.names.count,
		"address_blocks", len(read.list.v4)+len(read.list.v6))
	if read.bad.number > 0 {
		f.logger.Warn("lines of the blocked targets skipped: each must be a host, =host, an "+
			"address, a CIDR block or a line of a hosts file", "path", f.path,
			"lines", read.bad.number, "first", read.bad.first)
	}
	return nil
}

// loaded is what was read of a file.
type loaded struct {
	content
	list *List
	bad  badLines
}

func load(path string) (l loaded, err error) {
	file, err := open(path)
	if err != nil {
		l.problem = err.Error()
		return l, err
	}
	defer func() { _ = file.Close() }() // reading only
	hash := xxhash.New()
	all := io.TeeReader(io.LimitReader(file, maxFileBytes+1), hash)
	l.list, l.bad, err = parse(all, file.size)
	_, restErr := io.Copy(io.Discard, all) // for the hash
	l.hash = hash.Sum64()
	if err = errors.Join(err, restErr); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return l, err
}

// Summary is what a file has.
type Summary struct {
	Hosts, AddressBlocks int
	SkippedLines         int
	FirstSkipped         string // its number and its text; "": none
}

// Check reads a file, and fails where Open does.
func Check(path string) (s Summary, err error) {
	l, err := load(path)
	if err != nil {
		return s, err
	}
	s = Summary{l.list.names.count, len(l.list.v4) + len(l.list.v6), l.bad.number, ""}
	if s.SkippedLines > 0 {
		s.FirstSkipped = l.bad.first[0]
	}
	return s, nil
}

// regular is an open file and how long it was then.
type regular struct {
	*os.File
	size int
}

func open(path string) (regular, error) {
	// Opening a named pipe would wait for a writer, even when the server stops.
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return regular{}, err
	case !info.Mode().IsRegular():
		return regular{}, fmt.Errorf("%s is no regular file", path)
	}
	file, err := os.Open(path)
	return regular{file, int(min(info.Size(), maxFileBytes))}, err
}
