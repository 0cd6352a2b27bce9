package sqlite

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"zombiezen.com/go/sqlite"
)

// SchemaOf returns the version of a database's schema, 0 if that is still to be made, and the
// version that this program knows. It changes nothing, beside a running server and without one. It
// returns fs.ErrNotExist if there is no file.
func SchemaOf(path string) (version, known int, err error) {
	steps, err := fs.Glob(migrations, "schema/*.sql")
	if err != nil {
		return 0, 0, err
	}
	if _, err := os.Stat(path); err != nil {
		return 0, 0, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return 0, 0, err
	}
	name := path
	if _, err := os.Stat(path + "-wal"); err != nil {
		// Nobody has it open. Otherwise SQLite would make the files that a write-ahead log needs.
		name = fileURI(path, "immutable")
	}
	conn, err := sqlite.OpenConn(name, sqlite.OpenReadOnly, sqlite.OpenURI)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = conn.Close() }() // reading only
	if version, err = schemaVersion(conn); err == nil && version > 0 && version <= len(steps) {
		err = checkRead(conn)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("open database %s: %w", path, openError(err))
	}
	return version, len(steps), nil
}
