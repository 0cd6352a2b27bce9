package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/database/sqlite/query"
)

// SchemaOf returns the version of a database's schema, 0 if that is still to be made, and the
// version that this program knows. It changes nothing, beside a running server and without one. It
// returns fs.ErrNotExist if there is no file.
func SchemaOf(path string) (version, known int, err error) {
	steps, err := fs.Glob(migrations, "schema/*.sql")
	if err != nil {
		return 0, 0, err
	}
	conn, err := openUnchanged(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = conn.Close() }() // reading only
	if version, err = schemaVersion(conn); err == nil && version > 0 && version <= len(steps) {
		err = errors.Join(checkForeign(conn, migrations), checkRead(conn))
	}
	if err != nil {
		return 0, 0, fmt.Errorf("open database %s: %w", path, openError(err))
	}
	return version, len(steps), nil
}

// openUnchanged opens a file for reading, and leaves nothing beside it. It returns fs.ErrNotExist
// if there is none.
func openUnchanged(path string) (*sqlite.Conn, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	name := path
	if _, err := os.Stat(path + "-wal"); err != nil {
		// Nobody has it open. Otherwise SQLite would make the files that a write-ahead log needs.
		name = fileURI(path, "immutable")
	}
	return sqlite.OpenConn(name, sqlite.OpenReadOnly, sqlite.OpenURI)
}

// checkForeign refuses triggers and views that are not this program's. A trigger acts whenever
// links are written, and may change them all; a database that was brought here may have any. Tables
// of others, such as Litestream's, do nothing by themselves.
func checkForeign(conn *sqlite.Conn, scripts fs.FS) (err error) {
	defer sqlitex.Save(conn)(&err) // one snapshot: another process may be making the schema
	version, err := schemaVersion(conn)
	if err != nil {
		return err
	}
	steps, err := fs.Glob(scripts, "schema/*.sql")
	if err != nil {
		return err
	}
	found, err := active(conn)
	if err != nil || len(found) == 0 || version > len(steps) { // a later version's are not known
		return err
	}
	memory, err := sqlite.OpenConn(":memory:", sqlite.OpenReadWrite, sqlite.OpenMemory)
	if err != nil {
		return err
	}
	defer func() { _ = memory.Close() }() // it is in memory only
	for _, step := range steps[:version] {
		if err := sqlitex.ExecuteScriptFS(memory, scripts, step, nil); err != nil {
			return fmt.Errorf("%s: %w", step, err)
		}
	}
	ours, err := active(memory)
	if err != nil {
		return err
	}
	for name, sql := range found {
		if sql != ours[name] {
			return fmt.Errorf("it has a %s that is not terse's: if nobody needs it, DROP %[1]s",
				name)
		}
	}
	return nil
}

// active returns the SQL of what acts by itself in a database, by its kind and name.
func active(conn *sqlite.Conn) (map[string]string, error) {
	found := map[string]string{}
	err := query.Each(conn, "SELECT type || ' ' || name, sql FROM sqlite_schema "+
		"WHERE type IN ('trigger', 'view')", func(row *sqlite.Stmt) error {
		found[row.ColumnText(0)] = row.ColumnText(1)
		return nil
	})
	return found, err
}
