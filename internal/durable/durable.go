// Package durable creates directories whose names survive a power failure, and files.
//
// POSIX guarantees a new name only after a sync of the directory that holds it. The package knows
// paths, but not what the files are for.
package durable

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
)

// observer is called for synced directories. Only tests set it.
var observer atomic.Pointer[func(dir string)]

// Observe calls f with each directory after it is synced, until stop is called. It is for tests,
// one at a time: a sync leaves no other trace.
func Observe(f func(dir string)) (stop func()) {
	observer.Store(&f)
	return func() { observer.Store(nil) }
}

// MkdirAll creates a directory and its missing parents, like os.MkdirAll, and syncs the parent of
// each directory that it creates.
func MkdirAll(dir string, perm os.FileMode) error {
	info, err := os.Stat(dir)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil || !errors.Is(err, os.ErrNotExist):
		return os.MkdirAll(dir, perm) // returns the right error
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if parent != dir {
		if err := MkdirAll(parent, perm); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, perm); err != nil { // even if another process was faster
		return err
	}
	return SyncDir(parent)
}

// OpenFile opens a file like os.OpenFile. Root follows no link of another user, who could otherwise
// make it write to any file.
func OpenFile(path string, flags int, perm os.FileMode) (*os.File, error) {
	var link syscall.Stat_t
	if os.Geteuid() == 0 && (syscall.Lstat(path, &link) != nil || link.Uid != 0) {
		flags |= syscall.O_NOFOLLOW
	}
	return os.OpenFile(path, flags, perm)
}

// WriteFile writes a file like os.WriteFile, and opens it like OpenFile.
func WriteFile(path string, content []byte, perm os.FileMode) error {
	f, err := OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

// SyncDir returns once the names in a directory are on disk.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	if f := observer.Load(); f != nil {
		(*f)(dir)
	}
	return nil
}
