package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"terse/internal/durable"
)

// lockDataDir creates the folder with mode 0700, durably, and locks it for this process: two
// servers on one click journal would count clicks twice. The lock ends with the process,
// however it ends.
func lockDataDir(dir string) (unlock func(), err error) {
	if err := durable.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("DATA_DIR: %w", err)
	}
	unlock, err = lockFile(filepath.Join(dir, "lock"))
	if used, ok := errors.AsType[inUseError](err); ok {
		return nil, fmt.Errorf("DATA_DIR %s %w; each needs a folder of its own", dir, used)
	}
	return unlock, err
}

// lockDatabase locks a SQLite database for this server, however its path is spelled: another one
// would not learn of the links that this one deletes. Other programs may use it. The lock is on a
// file beside the database, which must not be opened: to close it would drop all of SQLite's locks
// (POSIX).
func lockDatabase(path string) (unlock func(), err error) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, filepath.Base(path))
	if target, err := filepath.EvalSymlinks(file); err == nil { // else there is no database yet
		file = target
	}
	unlock, err = lockFile(file + ".lock")
	if used, ok := errors.AsType[inUseError](err); ok {
		return nil, fmt.Errorf(
			"%s %w; SQLite is for one server, several share a PostgreSQL database",
			path, used)
	}
	return unlock, err
}

// inUseError says which process holds a lock.
type inUseError string

func (e inUseError) Error() string {
	return fmt.Sprintf("is in use by another terse server (process %s)",
		cmp.Or(string(e), "unknown"))
}

// lockFile locks a file, which it creates, until unlock is called or the process ends.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		owner, _ := os.ReadFile(path)
		return nil, inUseError(strings.TrimSpace(string(owner)))
	}
	// The process is named for that message alone: a full disk must not stop the start.
	_ = f.Truncate(0)
	_, _ = fmt.Fprintln(f, os.Getpid())
	return func() { _ = f.Close() }, nil
}

// fullDiskHint says that a folder's disk is full, if it is: SQLite calls that an I/O error where
// it has no room for the index of its log, 32 KiB.
func fullDiskHint(dir string) string {
	var disk unix.Statfs_t
	if unix.Statfs(dir, &disk) != nil || disk.Bavail*uint64(disk.Bsize) > 64<<10 {
		return ""
	}
	return fmt.Sprintf(" (the disk of %s is full)", dir)
}
