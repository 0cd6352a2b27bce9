// Package database reads databases of other products: SQLite files and PostgreSQL databases. They
// may be broken or hostile: nothing is written, and nothing runs that they bring along.
package database

import (
	"context"
	"fmt"
	"io"
	"os"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// Conn is a connection to a database, in one snapshot.
type Conn struct {
	sqlite *sqlite.Conn
}

// IsFile reports whether a file is an SQLite database.
func IsFile(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	const magic = "SQLite format 3\x00"
	start := make([]byte, len(magic))
	if _, err := io.ReadFull(f, start); err != nil {
		return false, nil // another kind of file, or none that can be read: opening it says so
	}
	return string(start) == magic, nil
}

// Open opens an SQLite file.
func Open(ctx context.Context, path string) (*Conn, error) {
	c, err := sqlite.OpenConn(path, sqlite.OpenReadOnly)
	if err != nil {
		return nil, err
	}
	c.SetInterrupt(ctx.Done())
	err = sqlitex.ExecuteScript(c,
		"PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; BEGIN", nil)
	if err != nil {
		_ = c.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &Conn{c}, nil
}

// Close closes the connection.
func (c *Conn) Close() error { return c.sqlite.Close() }

// Row is a row of a query. It is valid until the next one.
type Row struct{ statement *sqlite.Stmt }

// Text returns a column as a text, "" for NULL.
func (r Row) Text(i int) string { return r.statement.ColumnText(i) }

// Int returns a column as a whole number, 0 for NULL.
func (r Row) Int(i int) int64 { return r.statement.ColumnInt64(i) }

// Query calls f with each row.
func (c *Conn) Query(query string, f func(Row) error) error {
	return sqlitex.ExecuteTransient(c.sqlite, query, &sqlitex.ExecOptions{
		ResultFunc: func(s *sqlite.Stmt) error { return f(Row{s}) },
	})
}
