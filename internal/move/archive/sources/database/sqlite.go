package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

const magic = "SQLite format 3\x00"

// IsFile reports whether a file is an SQLite database. It reads nothing of pipes.
func IsFile(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	start := make([]byte, len(magic))
	if _, err := io.ReadFull(f, start); err != nil {
		return false, nil // another kind of file, or none that can be read: opening it says so
	}
	return string(start) == magic, nil
}

type sqliteDatabase struct {
	conn   *sqlite.Conn
	dir    string // of the copy
	listed bool   // the tables are known
	has    func(table string, columns ...string) bool
}

// A schema is kept in memory as a whole. These bound its tables, the columns of one and the text of
// one in bytes, and the time to read it.
const (
	maxTables  = 1000
	maxColumns = 200
	maxText    = 64 << 10
	schemaTime = 30 * time.Second
)

// openSQLite opens a copy of a database: SQLite writes beside the files that it reads.
func openSQLite(
	ctx context.Context, path string, has func(table string, columns ...string) bool,
) (_ engine, err error) {
	d := &sqliteDatabase{has: has}
	if d.dir, err = os.MkdirTemp("", "terse-import-"); err != nil {
		return nil, err
	}
	err = copyDatabase(ctx, path, d.dir)
	if err == nil {
		err = d.open()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), d.close())
	}
	return d, nil
}

// open opens the copy. Nobody else uses it: with exclusive locking its log needs no further file.
// SQLite's defensive mode forbids statements that Authorize denies anyway. The driver's function
// for it crashes: it passes one argument of two.
func (d *sqliteDatabase) open() (err error) {
	d.conn, err = sqlite.OpenConn(filepath.Join(d.dir, "copy"), sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	d.conn.Limit(sqlite.LimitLength, maxValue)
	d.conn.Limit(sqlite.LimitSQLLength, maxText)
	d.conn.Limit(sqlite.LimitColumn, maxColumns)
	d.conn.Limit(sqlite.LimitAttached, 0)
	err = sqlitex.ExecuteScript(d.conn, `
		PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
		PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON`, nil)
	if err != nil {
		return err
	}
	return d.conn.SetAuthorizer(d)
}

// columns implements engine. It asks SQLite what a table is: what the schema says of itself may be
// a lie.
func (d *sqliteDatabase) columns(ctx context.Context, f func(table, column string)) error {
	short, cancel := context.WithTimeout(ctx, schemaTime)
	defer func() {
		d.conn.SetInterrupt(ctx.Done())
		cancel()
	}()
	d.conn.SetInterrupt(short.Done())
	var tables []string
	err := d.query(ctx, `PRAGMA main.table_list`, nil, func(r *Row) error {
		if r.Text(0) == "main" && r.Text(2) == "table" {
			tables = append(tables, r.Text(1))
		}
		if len(tables) > maxTables {
			return fmt.Errorf("it has more than %d tables", maxTables)
		}
		return nil
	})
	for _, table := range tables {
		if err != nil {
			break
		}
		quoted := strings.ReplaceAll(table, `"`, `""`)
		err = d.query(ctx, `PRAGMA main.table_xinfo("`+quoted+`")`, nil, func(r *Row) error {
			if r.Text(6) == "0" { // neither hidden nor generated
				f(table, r.Text(1))
			}
			return nil
		})
	}
	d.listed = true
	// Its files are open. Where files that are can be deleted, nothing is left of them if the
	// process is killed; elsewhere close does it.
	_ = os.RemoveAll(d.dir)
	return err
}

// Authorize implements sqlite.Authorizer: while tables are listed, nothing is read of them, which
// would start virtual ones. Then only stored columns of tables are read.
func (d *sqliteDatabase) Authorize(a sqlite.Action) sqlite.AuthResult {
	var ok bool
	switch a.Type() {
	case sqlite.OpPragma:
		ok = !d.listed && (a.Pragma() == "table_list" || a.Pragma() == "table_xinfo")
	case sqlite.OpSelect, sqlite.OpFunction:
		ok = d.listed
	case sqlite.OpRead:
		ok = d.listed && a.Accessor() == "" && (d.has(a.Table(), a.Column()) ||
			(a.Column() == "" || a.Column() == "ROWID") && d.has(a.Table()))
	}
	if !ok {
		return sqlite.AuthResultDeny
	}
	return sqlite.AuthResultOK
}

// query implements engine.
func (d *sqliteDatabase) query(
	_ context.Context, query string, args []any, f func(*Row) error,
) error {
	return sqlitex.ExecuteTransient(d.conn, query, &sqlitex.ExecOptions{
		Args: args,
		ResultFunc: func(s *sqlite.Stmt) error {
			return f(&Row{text: s.ColumnText, null: s.ColumnIsNull})
		},
	})
}

// close implements engine.
func (d *sqliteDatabase) close() (err error) {
	if d.conn != nil {
		err = d.conn.Close()
	}
	return errors.Join(err, os.RemoveAll(d.dir))
}
