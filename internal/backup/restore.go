package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"terse/internal/durable"
	"terse/internal/sqlite"
)

// Restored describes what a restore did.
type Restored struct {
	sqlite.Contents
	Aside []string // the folders that have what was there before
}

// Place is where a server has its data. The server must be stopped.
type Place struct {
	Database string // path of the database file
	Journal  string // folder of the click journal
}

// Restore puts a backup in the place of a database. It verifies a copy of the backup beside the
// database; until the copy is complete, it changes nothing. Then it moves the database and the
// click journal aside, because the journal's positions belong to that database, and renames the
// copy. Finish completes a restore that was interrupted from there on.
func Restore(ctx context.Context, file string, place Place) (done Restored, err error) {
	place.Database = target(place.Database)
	if err := usable(ctx, file, place); err != nil {
		return Restored{}, err
	}
	if _, _, err := Finish(place); err != nil {
		return Restored{}, fmt.Errorf("complete an earlier restore: %w", err)
	}
	if done.Contents, err = prepare(ctx, file, place); err != nil {
		return Restored{}, fmt.Errorf("restore %s: %w", file, cmp.Or(ctx.Err(), err))
	}
	_, done.Aside, err = Finish(place)
	return done, err
}

// usable explains why a file is no backup, as far as that is seen without reading all of it.
func usable(ctx context.Context, file string, place Place) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", file)
	case same(place.Database, info):
		return fmt.Errorf("%s is the database itself", file)
	}
	for _, ending := range besides {
		if log, err := os.Stat(file + ending); err == nil && log.Size() > 0 && ending != "-shm" {
			return fmt.Errorf("%s may lack what is in %s: back that database up first",
				file, file+ending)
		}
	}
	f, err := os.Open(file) // SQLite would not say why it can't
	if err != nil {
		return err
	}
	defer f.Close() // only read
	if _, err := sqlite.Inspect(ctx, file, false); err != nil {
		return fmt.Errorf("%s can't be restored: %w", file, cmp.Or(ctx.Err(), err))
	}
	return nil
}

// restored is the name of a verified copy that is to be the database. As soon as it is there, the
// restore is decided, and Finish completes it.
func (p Place) restored() string { return p.Database + ".restored" }

// prepare copies a backup to restored.
func prepare(ctx context.Context, file string, place Place) (held sqlite.Contents, err error) {
	part := place.restored() + ".part"
	if _, err := create(part); err != nil {
		return sqlite.Contents{}, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part))
		}
	}()
	if err := copyFile(ctx, file, part); err != nil {
		return sqlite.Contents{}, err
	}
	if held, err = sqlite.Inspect(ctx, part, true); err != nil {
		return sqlite.Contents{}, err
	}
	if err := Own(part); err != nil {
		return sqlite.Contents{}, err
	}
	if err := place.date(part); err != nil {
		return sqlite.Contents{}, err
	}
	if err := os.Rename(part, place.restored()); err != nil {
		return sqlite.Contents{}, err
	}
	return held, durable.SyncDir(filepath.Dir(part))
}

// date sets a file's time so that the folder that it names does not exist.
func (p Place) date(path string) error {
	for at := time.Now().Truncate(time.Second); ; at = at.Add(time.Second) {
		taken := false
		for _, old := range p.files() {
			_, err := os.Lstat(filepath.Dir(aside(old, at)))
			taken = taken || !errors.Is(err, fs.ErrNotExist)
		}
		if taken {
			continue
		}
		if err := os.Chtimes(path, at, at); err != nil {
			return err
		}
		return syncFile(path)
	}
}

// files are what belongs to the database, the database first.
func (p Place) files() (files []string) {
	files = append(files, p.Database)
	for _, ending := range besides {
		files = append(files, p.Database+ending)
	}
	return append(files, p.Journal)
}

// aside is where a file is moved by the restore of a time.
func aside(path string, at time.Time) string {
	return filepath.Join(filepath.Dir(path), "before-restore-"+at.UTC().Format(stamp),
		filepath.Base(path))
}

// Finish completes a restore that was decided, if there is one, and deletes what remains of one
// that was not. It returns the folders that have what was there before. A server calls it before it
// opens its database.
func Finish(place Place) (done bool, folders []string, err error) {
	place.Database = target(place.Database)
	part := place.restored() + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, nil, err
	}
	info, err := os.Lstat(place.restored())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil, nil
	} else if err != nil {
		return false, nil, err
	}
	for _, old := range place.files() {
		to := aside(old, info.ModTime())
		if moved, err := move(old, to); err != nil {
			return false, folders, err
		} else if moved && !slices.Contains(folders, filepath.Dir(to)) {
			folders = append(folders, filepath.Dir(to))
		}
	}
	if err := os.Rename(place.restored(), place.Database); err != nil {
		return false, folders, err
	}
	return true, folders, durable.SyncDir(filepath.Dir(place.Database))
}

// move moves a file, if it exists, into a folder beside it, durably: a log of the old database
// beside the new one would be read as part of that.
func move(from, to string) (moved bool, err error) {
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	dir := filepath.Dir(to)
	if err := durable.MkdirAll(dir, 0o700); err != nil {
		return false, err
	}
	if err := Own(dir); err != nil {
		return false, err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("%s is in the way: %w", to, cmp.Or(err, fs.ErrExist))
	}
	if err := os.Rename(from, to); err != nil {
		return false, err
	}
	return true, errors.Join(durable.SyncDir(dir), durable.SyncDir(filepath.Dir(from)))
}

// Own gives a file to the owner of its folder if root made it, for a server that is not root.
func Own(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	var folder unix.Stat_t
	if err := unix.Stat(filepath.Dir(path), &folder); err != nil {
		return &fs.PathError{Op: "stat", Path: filepath.Dir(path), Err: err}
	}
	return os.Chown(path, int(folder.Uid), int(folder.Gid))
}

// target follows symbolic links, also to a file that does not exist.
func target(path string) string {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// copyFile copies a file until the context ends, and syncs the copy.
func copyFile(ctx context.Context, from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close() // only read
	copied, err := os.OpenFile(to, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	for {
		n, err := io.CopyN(copied, source, 64<<20)
		if n == 0 && errors.Is(err, io.EOF) {
			return copied.Sync()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
