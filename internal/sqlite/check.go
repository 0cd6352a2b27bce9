package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// files tell the database's files from others that are put in their place.
type files struct {
	database, wal os.FileInfo
}

// identify must be called when connections are open: SQLite makes the write-ahead log then.
func identify(path string) (f files, err error) {
	if f.database, err = os.Stat(path); err != nil {
		return files{}, err
	}
	f.wal, err = os.Stat(path + "-wal")
	return f, err
}

var errMoved = errors.New("the database file was removed or replaced")

// verify tells whether the files at the path are the ones that are open.
func (f files) verify(path string) error {
	now, err := identify(path)
	if err != nil {
		return fmt.Errorf("%w: %w", errMoved, err)
	}
	if !os.SameFile(now.database, f.database) || !os.SameFile(now.wal, f.wal) {
		return errMoved
	}
	return nil
}

// Check tells whether the store can read and write now.
func (s *Store) Check(ctx context.Context) error {
	return s.write(ctx, func(*writer) error { return nil })
}
