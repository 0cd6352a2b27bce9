// Package backup makes verified copies of a SQLite database while it is in use, puts one in the
// place of a database whose server is stopped, and keeps a folder of recent ones.
//
// It knows files, and which of them belong to a database. Package sqlite reads and copies what is
// inside. The package must not know settings, and it writes to no open database.
package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"terse/internal/database/sqlite"
	"terse/internal/durable"
)

// ErrNoDatabase means that there is no database to back up.
var ErrNoDatabase = errors.New("there is no database")

// ErrExists means that a backup would replace a file.
var ErrExists = errors.New("exists")

// Made describes a backup.
type Made struct {
	sqlite.Contents
	Bytes int64
}

// besides are the endings of the files that SQLite keeps beside a database.
var besides = []string{"-wal", "-shm", "-journal"}

// Make copies one snapshot of a database, which may be in use, to a file. The file gets its name
// when it is on disk, SQLite has found no damage in it, and it holds as many links and clicks as
// the snapshot. It takes the place of an existing one only if replace is set. After an error, what
// was there is unchanged.
func Make(ctx context.Context, database, file string, replace bool) (made Made, err error) {
	if err := readable(database); err != nil {
		return Made{}, err
	}
	if err := free(file, database, replace); err != nil {
		return Made{}, err
	}
	p, err := create(file)
	if err != nil {
		return Made{}, err
	}
	defer func() { err = errors.Join(err, p.close(err)) }()
	if made, err = fill(ctx, database, p); err != nil {
		return Made{}, fmt.Errorf("back up %s: %w", database, cmp.Or(ctx.Err(), err))
	}
	return made, p.complete()
}

// readable explains why a database can't be read. It opens nothing: closing a file drops the locks
// of this process's connections to it.
func readable(database string) error {
	info, err := os.Stat(database)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w at %s", ErrNoDatabase, database)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", database)
	}
	if err := unix.Access(database, unix.R_OK|unix.W_OK); err != nil {
		return &fs.PathError{Op: "open", Path: database, Err: err}
	}
	return nil
}

// free explains why a file can't be written.
func free(file, database string, replace bool) error {
	// The next start would take a copy of this name for a restore under way.
	restored := Place{Database: database}.restored()
	if dir, err := os.Stat(filepath.Dir(file)); err == nil &&
		filepath.Base(file) == filepath.Base(restored) && same(filepath.Dir(restored), dir) {
		return fmt.Errorf("%s belongs to the database itself", file)
	}
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder; name a file in it", file)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", file)
	case !replace:
		return fmt.Errorf("%s %w", file, ErrExists)
	}
	for _, ending := range append([]string{""}, besides...) {
		if same(database+ending, info) {
			return fmt.Errorf("%s belongs to the database itself", file)
		}
	}
	return nil
}

// part is a file that does not have its final name yet. Root may create it in a folder of another
// user, who can replace it at any moment, so it is written, synced and given away by its
// descriptor. SQLite opens it by its path, and follows no link there.
type part struct {
	name string // final path
	path string // until then
	file *os.File
	info fs.FileInfo
}

// create creates an empty file. It removes one that a killed process left behind.
func create(name string) (*part, error) {
	p := &part{name: name, path: name + ".part"}
	if err := os.Remove(p.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var err error
	p.file, err = os.OpenFile(p.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if p.info, err = p.file.Stat(); err != nil {
		return nil, errors.Join(err, p.file.Close())
	}
	return p, nil
}

// complete gives the file its name, durably.
func (p *part) complete() error {
	if !p.there() {
		return fmt.Errorf("%s was replaced: by another process that writes %s?", p.path, p.name)
	}
	if err := os.Rename(p.path, p.name); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(p.name))
}

// there reports whether the file still is where it was created.
func (p *part) there() bool {
	info, err := os.Lstat(p.path)
	return err == nil && os.SameFile(info, p.info)
}

// close closes the file. It removes the file if why is an error.
func (p *part) close(why error) (err error) {
	if why != nil && p.there() {
		err = os.Remove(p.path)
	}
	return errors.Join(err, p.file.Close())
}

// same reports whether a file is at a path.
func same(path string, file fs.FileInfo) bool {
	info, err := os.Stat(path)
	return err == nil && os.SameFile(info, file)
}

// Two bytes of a database's header say whether it has a write-ahead log, for those that write and
// those that read it (sqlite.org/fileformat2.html, 1.3.3).
const (
	logBytes   = 18
	withoutLog = 1
)

// fill copies a snapshot to an empty file and verifies the copy.
func fill(ctx context.Context, database string, to *part) (made Made, err error) {
	if made.Contents, err = sqlite.Backup(ctx, database, to.path); err != nil {
		return Made{}, err
	}
	// The copy needs no write-ahead log, and says so: a mere copy of the file of a server does not.
	if _, err := to.file.WriteAt([]byte{withoutLog, withoutLog}, logBytes); err != nil {
		return Made{}, err
	}
	if err := to.file.Sync(); err != nil {
		return Made{}, err
	}
	found, err := sqlite.Inspect(ctx, to.path, true)
	switch {
	case err != nil:
		return Made{}, fmt.Errorf("the copy: %w", err)
	case found != made.Contents:
		return Made{}, fmt.Errorf("the copy has %d links and %d clicks, the database %d and %d",
			found.Links, found.Clicks, made.Links, made.Clicks)
	}
	info, err := to.file.Stat()
	if err != nil {
		return Made{}, err
	}
	made.Bytes = info.Size()
	return made, nil
}
