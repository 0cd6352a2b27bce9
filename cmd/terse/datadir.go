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
	path := filepath.Join(dir, "lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("DATA_DIR: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		owner, _ := os.ReadFile(path)
		return nil, fmt.Errorf("DATA_DIR %s is in use by another terse server (process %s); each needs a folder of its own",
			dir, cmp.Or(strings.TrimSpace(string(owner)), "unknown"))
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
