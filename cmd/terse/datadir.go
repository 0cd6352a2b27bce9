package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"terse/internal/auth"
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
		owner, _ := os.ReadFile(path) // best effort: the message is true without it
		return nil, fmt.Errorf("DATA_DIR %s is in use by another terse server (process %s); each needs a folder of its own", dir, strings.TrimSpace(string(owner)))
	}
	if err := errors.Join(f.Truncate(0), writeAt(f, fmt.Sprintln(os.Getpid()))); err != nil {
		return nil, errors.Join(fmt.Errorf("write %s: %w", path, err), f.Close())
	}
	return func() { _ = f.Close() }, nil
}

func writeAt(f *os.File, s string) error {
	_, err := f.WriteAt([]byte(s), 0)
	return err
}

type tokenCommand struct {
	DataDir string `help:"The server's data folder." default:"./data"`
}

func (c *tokenCommand) run(_ context.Context, to streams) error {
	if err := durable.MkdirAll(c.DataDir, 0o700); err != nil {
		return fmt.Errorf("DATA_DIR: %w", err)
	}
	token, _, err := auth.LoadOrCreateToken(c.DataDir)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(to.out, token)
	return err
}
