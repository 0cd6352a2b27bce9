// Package query runs SQL statements. A connection keeps each of them prepared, by its text.
//
// It knows neither tables nor links. Statements that run for every redirect are prepared and bound
// by hand instead, because binding by reflection allocates.
package query

import (
	"errors"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

// ErrStop stops Each when a row's function returns it. Each then returns nil.
var ErrStop = errors.New("query: no more rows are wanted")

// Each calls f for every row. It always resets the statement, because an open row holds the
// snapshot.
func Each(conn *sqlite.Conn, sql string, f func(row *sqlite.Stmt) error, args ...any) error {
	err := sqlitex.Execute(conn, sql, &sqlitex.ExecOptions{Args: args, ResultFunc: f})
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}

// Run runs a statement and ignores its rows.
func Run(conn *sqlite.Conn, sql string, args ...any) error { return Each(conn, sql, nil, args...) }

// Int returns the first column of the last row, or 0 if there are no rows.
func Int(conn *sqlite.Conn, sql string, args ...any) (n int64, err error) {
	err = Each(conn, sql, func(row *sqlite.Stmt) error {
		n = row.ColumnInt64(0)
		return nil
	}, args...)
	return n, err
}

// View returns a column in SQLite's memory, without copying it. It is valid until the next row.
func View(row *sqlite.Stmt, column int) []byte {
	var v view
	_, _ = row.ColumnReader(column).WriteTo(&v) // in one piece, as package bytes says
	return v
}

// view keeps the bytes written to it without copying them.
type view []byte

func (v *view) Write(p []byte) (int, error) {
	*v = p
	return len(p), nil
}

// Bytes returns a column, in buf if that is large enough.
func Bytes(row *sqlite.Stmt, column int, buf []byte) []byte {
	buf = buf[:cap(buf)]
	n := row.ColumnBytes(column, buf)
	if n < len(buf) { // nearly always; asking for the length first would double the time
		return buf[:n]
	}
	if n = row.ColumnLen(column); n > len(buf) {
		buf = make([]byte, n+n/2)
		row.ColumnBytes(column, buf)
	}
	return buf[:n]
}
