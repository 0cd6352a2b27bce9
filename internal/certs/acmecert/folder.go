package acmecert

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"terse/internal/durable"
)

// Folder is a Storage of one server. Only its user can look into it.
type Folder string

// Load implements Storage.
func (f Folder) Load(_ context.Context, name string) ([]byte, error) {
	value, err := os.ReadFile(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return value, err
}

// Store implements Storage.
func (f Folder) Store(_ context.Context, name string, value []byte) error {
	if err := durable.MkdirAll(string(f), 0o700); err != nil {
		return err
	}
	// A file beside it becomes it, so that a stop half-way loses nothing. The server has the folder
	// for itself: what is there is left from such a stop.
	part := f.path(name) + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := durable.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(value)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := os.Rename(part, f.path(name)); err != nil {
		return err
	}
	return durable.SyncDir(string(f))
}

// Delete implements Storage.
func (f Folder) Delete(_ context.Context, name string) error {
	err := os.Remove(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Versions implements Storage.
func (f Folder) Versions(context.Context) (map[string]string, error) {
	versions := map[string]string{}
	entries, err := os.ReadDir(string(f))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			continue // it was deleted meanwhile
		}
		versions[entry.Name()] = fmt.Sprint(info.ModTime().UnixNano(), info.Size())
	}
	return versions, nil
}

// Lead implements Storage. A server has its data folder for itself.
func (f Folder) Lead(ctx context.Context, run func(context.Context)) (bool, error) {
	run(ctx)
	return true, nil
}

func (f Folder) path(name string) string { return filepath.Join(string(f), filepath.Base(name)) }
