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

	"terse/internal/database/sqlite"
	"terse/internal/durable"
)

// Restored describes what a restore did.
type Restored struct {
	sqlite.Contents
	Aside []string // folders with the former files
	// Bare says that the file was no backup of Make's but a database as a server has it, whose
	// write-ahead log, if it had one, is not part of it.
	Bare bool
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
	if place.Database, err = target(place.Database); err != nil {
		return Restored{}, err
	}
	if err := usable(ctx, file, place); err != nil {
		return Restored{}, err
	}
	if _, _, err := Finish(place); err != nil {
		return Restored{}, fmt.Errorf("complete an earlier restore: %w", err)
	}
	if done.Contents, done.Bare, err = prepare(ctx, file, place); err != nil {
		return Restored{}, fmt.Errorf("restore %s: %w", file, cmp.Or(ctx.Err(), err))
	}
	_, done.Aside, err = Finish(place)
	return done, err
}

// usable explains why a file can't be a backup, as far as that shows without reading all of it.
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
func prepare(ctx context.Context, file string, place Place) (
	held sqlite.Contents, bare bool, err error,
) {
	p, err := create(place.restored())
	if err != nil {
		return sqlite.Contents{}, false, err
	}
	defer func() { err = errors.Join(err, p.close(err)) }()
	if err := copyFile(ctx, file, p.file); err != nil {
		return sqlite.Contents{}, false, err
	}
	if held, err = sqlite.Inspect(ctx, p.path, true); err != nil {
		return sqlite.Contents{}, false, err
	}
	var log [2]byte
	if _, err := p.file.ReadAt(log[:], logBytes); err != nil {
		return sqlite.Contents{}, false, err
	}
	bare = log != [2]byte{withoutLog, withoutLog}
	if err := Own(p.file, filepath.Dir(p.path)); err != nil {
		return sqlite.Contents{}, false, err
	}
	if err := place.date(p.file); err != nil {
		return sqlite.Contents{}, false, err
	}
	return held, bare, p.complete()
}

// date sets a file's time so that the folder that it names does not exist.
func (p Place) date(file *os.File) error {
	for at := time.Now().Truncate(time.Second); ; at = at.Add(time.Second) {
		taken := false
		for _, old := range p.files() {
			_, err := os.Lstat(filepath.Dir(aside(old, at)))
			taken = taken || !errors.Is(err, fs.ErrNotExist)
		}
		if taken {
			continue
		}
		now := unix.NsecToTimeval(at.UnixNano())
		if err := unix.Futimes(int(file.Fd()), []unix.Timeval{now, now}); err != nil {
			return &fs.PathError{Op: "futimes", Path: file.Name(), Err: err}
		}
		return file.Sync()
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
// that was not. It returns the folders with the former files. A server calls it before it opens its
// database.
func Finish(place Place) (done bool, folders []string, err error) {
	if place.Database, err = target(place.Database); err != nil {
		return false, nil, err
	}
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
	folder, err := os.OpenRoot(filepath.Dir(from))
	if err != nil {
		return false, err
	}
	defer folder.Close() // it was only read
	dir := filepath.Dir(to)
	if err := makeFolder(folder, filepath.Base(dir)); err != nil {
		return false, err
	}
	name := filepath.Join(filepath.Base(dir), filepath.Base(to))
	if _, err := folder.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("%s is in the way: %w", to, cmp.Or(err, fs.ErrExist))
	}
	if err := folder.Rename(filepath.Base(from), name); err != nil {
		return false, err
	}
	return true, errors.Join(durable.SyncDir(dir), durable.SyncDir(filepath.Dir(from)))
}

// makeFolder makes a folder below another one, for the same owner, unless it exists.
func makeFolder(below *os.Root, name string) error {
	err := below.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := durable.SyncDir(below.Name()); err != nil {
		return err
	}
	made, err := below.Open(name)
	if err != nil {
		return err
	}
	defer made.Close() // it was only read
	// Another user may have replaced it. Giving away an empty folder does no harm.
	if _, err := made.ReadDir(1); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s was replaced: %w", made.Name(), cmp.Or(err, fs.ErrExist))
	}
	return Own(made, below.Name())
}

// Own gives a file to the owner of its folder if root made it, for a server that is not root.
func Own(file *os.File, folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	var owner unix.Stat_t
	if err := unix.Stat(folder, &owner); err != nil {
		return &fs.PathError{Op: "stat", Path: folder, Err: err}
	}
	return file.Chown(int(owner.Uid), int(owner.Gid))
}

// target follows symbolic links, also to a file that does not exist. Root follows none that leads
// out of its owner's folders: otherwise a user who may write to a server's data folder could
// replace any file of this machine.
func target(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		if err := trusted(path, to); err != nil {
			return "", err
		}
		path = to
	}
	return path, nil
}

// trusted explains why root must not follow a link.
func trusted(link, to string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	var from, folder unix.Stat_t
	if err := unix.Lstat(link, &from); err != nil {
		return &fs.PathError{Op: "lstat", Path: link, Err: err}
	}
	err := unix.Stat(filepath.Dir(to), &folder)
	if from.Uid != 0 && (err != nil || folder.Uid != from.Uid) {
		return fmt.Errorf("%s is another user's link to %s: do this as that user, or name the "+
			"database itself", link, to)
	}
	return nil
}

// copyFile copies a file until the context ends, and syncs the copy.
func copyFile(ctx context.Context, from string, to *os.File) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close() // only read
	for {
		n, err := io.CopyN(to, source, 64<<20)
		if n == 0 && errors.Is(err, io.EOF) {
			return to.Sync()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}
