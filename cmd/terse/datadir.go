package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"terse/internal/click/journal"
	"terse/internal/durable"
	"terse/internal/move/backup"
)

// lockDataDir creates the directory with mode 0700, durably, and locks it for this process: two
// servers on one click journal would count clicks twice. The lock ends with the process, however
// that ends.
func lockDataDir(dir string) (unlock func(), err error) {
	return lockFolder("DATA_DIR", dir, "lock")
}

// lockBackupDir is lockDataDir for a folder of backups: two servers would delete each other's.
func lockBackupDir(dir string) (unlock func(), err error) {
	return lockFolder("BACKUP_DIR", dir, "terse-backups.lock")
}

func lockFolder(setting, dir, file string) (unlock func(), err error) {
	if err := durable.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	unlock, err = lockFile(filepath.Join(dir, file))
	if used, ok := errors.AsType[inUseError](err); ok {
		return nil, fmt.Errorf("%s %s %w; each needs a folder of its own", setting, dir, used)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	return unlock, nil
}

// journalIn is the folder of the click journal in a data folder.
func journalIn(dataDir string) string { return filepath.Join(dataDir, "journal") }

// lockDatabase locks a SQLite database for this server, however its path is spelled: a second
// server would not notice links that this one deletes. Other programs may use the database. The
// lock is on a separate file beside it: opening and closing the database file itself would drop all
// of SQLite's locks (POSIX).
func lockDatabase(path string) (unlock func(), err error) {
	file, err := resolve(path)
	if err != nil {
		return nil, err
	}
	unlock, err = lockFile(file + ".lock")
	if used, ok := errors.AsType[inUseError](err); ok {
		return nil, fmt.Errorf(
			"%s %w; SQLite is for one server, several share a PostgreSQL database",
			path, used)
	}
	return unlock, err
}

// resolve returns the path of a file without symbolic links. The file need not exist.
func resolve(path string) (string, error) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, filepath.Base(path))
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	return filepath.Abs(file)
}

// nameSQLite names a SQLite database for the journal in a data folder. Nothing in a database
// distinguishes it from others, so its path is its name. A database in the data folder keeps its
// name when the folder is moved.
func nameSQLite(dataDir, path string) (string, error) {
	file, err := resolve(path)
	if err != nil {
		return "", err
	}
	dir, err := resolve(dataDir)
	if err != nil {
		return "", err
	}
	if inside, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(inside) {
		file = inside
	}
	return "sqlite " + file, nil
}

// explainOther says what to do about a journal that has clicks of another database.
func explainOther(dataDir string, err error) error {
	if !errors.Is(err, journal.ErrOtherDatabase) {
		return err
	}
	return fmt.Errorf("%w\n%s", err, adviceOther(dataDir))
}

func adviceOther(dataDir string) string {
	dir := journalIn(dataDir)
	return fmt.Sprintf("Start once with the former DATABASE_URL, so that the clicks that wait are "+
		"counted there, stop, and move %s away: this database then gets a new journal. If it is "+
		"the same database at another path, remove %s.", dir,
		filepath.Join(dir, journal.DatabaseFile))
}

// lockStopped locks the data of a stopped server.
func lockStopped(dataDir, database string) (unlock func(), err error) {
	unlockDir, err := lockDataDir(dataDir)
	if err != nil {
		return nil, running(dataDir, err)
	}
	unlockFile, err := lockDatabase(database)
	if err != nil {
		unlockDir()
		return nil, running(dataDir, err)
	}
	return func() { unlockFile(); unlockDir() }, nil
}

// running turns a lock's error into one for commands that need the server to be stopped.
func running(dataDir string, err error) error {
	if used, ok := errors.AsType[inUseError](err); ok {
		return fmt.Errorf("the server is running on %s (process %s); stop it first", dataDir,
			cmp.Or(string(used), "unknown"))
	}
	return err
}

// inUseError says which process holds a lock.
type inUseError string

func (e inUseError) Error() string {
	return fmt.Sprintf("is in use by another terse server (process %s)",
		cmp.Or(string(e), "unknown"))
}

// lockFile creates and locks a file until unlock is called or the process ends.
func lockFile(path string) (unlock func(), err error) {
	// Neither a symbolic nor a hard link: root must not write to a file that another user chose.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	var info unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &info); err != nil || info.Nlink > 1 ||
		info.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, errors.Join(fmt.Errorf("lock: %s is not a file of its own", path), err,
			f.Close())
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		owner, _ := io.ReadAll(io.LimitReader(f, 32))
		return nil, inUseError(strings.TrimSpace(string(owner)))
	}
	// The process ID is only for that message, so a full disk must not prevent the start.
	if f.Truncate(0) == nil {
		_, _ = fmt.Fprintln(f, os.Getpid())
		// A server that is not root needs the file even if root ran a command before.
		_ = backup.Own(f, filepath.Dir(path))
	}
	return func() { _ = f.Close() }, nil
}

// fullDiskHint returns a hint if a directory's disk is full: SQLite reports an I/O error if it has
// no room for the index of its log, 32 KiB.
func fullDiskHint(dir string) string {
	var disk unix.Statfs_t
	if unix.Statfs(dir, &disk) != nil || disk.Bavail*uint64(disk.Bsize) > 64<<10 {
		return ""
	}
	return fmt.Sprintf(" (the disk of %s is full)", dir)
}
