// Package durable creates folders whose names survive a loss of power.
//
// POSIX keeps a new name for certain only after a sync of the folder that holds it. The
// package knows paths; it may not know what the files are for.
package durable

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
)

// observer hears of synced folders. Only tests set it.
var observer atomic.Pointer[func(dir string)]

// Observe calls f with each folder that is synced from now on, after its sync, until stop is
// called. It is for tests, one at a time: no other trace of a sync can be seen.
func Observe(f func(dir string)) (stop func()) {
	observer.Store(&f)
	return func() { observer.Store(nil) }
}

// MkdirAll creates a folder and those of its parents that are missing, as os.MkdirAll does,
// and syncs the parent of each folder that it creates.
func MkdirAll(dir string, perm os.FileMode) error {
	info, err := os.Stat(dir)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil || !errors.Is(err, os.ErrNotExist):
		return os.MkdirAll(dir, perm) // knows the error to return
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if parent != dir {
		if err := MkdirAll(parent, perm); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, perm); err != nil { // another process may be faster
		return err
	}
	return SyncDir(parent)
}

// SyncDir returns when the names in a folder are on disk.
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
