// Package database reads databases of other products: SQLite files and PostgreSQL databases. They
// may be broken or hostile: nothing is written, and nothing runs that they bring along. Only tables
// are read, no views and no virtual tables, and only columns that are stored.
//
// The queries are those of the products' readers. They run on both kinds: plain SQL, arguments
// numbered from $1 in the order in which they appear.
package database

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxValue bounds a value, on PostgreSQL a row, in bytes. A server takes no line as long as that.
const maxValue = 16 << 20

// Conn reads a database, in one snapshot.
type Conn struct {
	ctx    context.Context
	from   engine
	tables map[string][]string // the stored columns of each
	busy   bool
}

// engine is a kind of database.
type engine interface {
	// columns calls f with each column of each table.
	columns(ctx context.Context, f func(table, column string)) error
	query(ctx context.Context, query string, args []any, f func(*Row) error) error
	close() error
}

// Open opens an SQLite file, or a PostgreSQL database by its address. The context bounds all that
// is read.
func Open(ctx context.Context, source string) (*Conn, error) {
	c := &Conn{ctx: ctx, tables: map[string][]string{}}
	var err error
	if strings.HasPrefix(source, "postgres://") || strings.HasPrefix(source, "postgresql://") {
		c.from, err = openPostgres(ctx, source)
	} else {
		c.from, err = openSQLite(ctx, source, c.Has)
	}
	if err != nil {
		return nil, err
	}
	err = c.from.columns(ctx, func(table, column string) {
		c.tables[table] = append(c.tables[table], column)
	})
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close closes the connection.
func (c *Conn) Close() error { return c.from.close() }

// Has reports whether a table is there with these columns. Products change theirs over time.
func (c *Conn) Has(table string, columns ...string) bool {
	_, there := c.tables[table]
	return there && !slices.ContainsFunc(columns, func(s string) bool { return !c.has(table, s) })
}

func (c *Conn) has(table, column string) bool { return slices.Contains(c.tables[table], column) }

// Need fails if a table is not there with these columns: the database is no such product's.
func (c *Conn) Need(table string, columns ...string) error {
	if !c.Has(table) {
		return fmt.Errorf("the database has no table %s", table)
	}
	for _, column := range columns {
		if !c.has(table, column) {
			return fmt.Errorf("the table %s has no column %s", table, column)
		}
	}
	return nil
}

// Query calls f with each row. f may not ask another query.
func (c *Conn) Query(query string, f func(*Row) error, args ...any) error {
	if c.busy {
		return errors.New("another query is being read") // PostgreSQL can't either
	}
	c.busy = true
	defer func() { c.busy = false }()
	err := c.from.query(c.ctx, query, args, f)
	if err != nil && c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	return err
}

// Row is a row of a query. It is valid until the next one.
type Row struct {
	text func(column int) string
	null func(column int) bool
	err  error
}

// Err returns what could not be read of the row so far, nil if nothing.
func (r *Row) Err() error { return r.err }

// SpareTime is like Time for a column that is not vital: Err does not know of its error.
func (r *Row) SpareTime(i int) (time.Time, error) {
	vital := r.err
	defer func() { r.err = vital }()
	r.err = nil
	at := r.Time(i)
	return at, r.err
}

func (r *Row) fail(i int, what string) {
	if r.err == nil {
		text := r.text(i)
		r.err = fmt.Errorf("%q is no %s", text[:min(len(text), 100)], what)
	}
}

// IsNull reports whether a column is NULL.
func (r *Row) IsNull(i int) bool { return r.null(i) }

// Text returns a column as a text, "" for NULL.
func (r *Row) Text(i int) string {
	if r.null(i) {
		return ""
	}
	return r.text(i)
}

// Int returns a column as a whole number, 0 for NULL.
func (r *Row) Int(i int) int64 {
	text := r.Text(i)
	if r.null(i) {
		return 0
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) >= 1<<53 {
		r.fail(i, "whole number")
		return 0
	}
	return int64(n)
}

// Bool returns a column as a truth value, false for NULL.
func (r *Row) Bool(i int) bool {
	switch strings.ToLower(r.Text(i)) {
	case "1", "t", "true":
		return true
	case "0", "f", "false":
	default:
		if !r.null(i) {
			r.fail(i, "truth value")
		}
	}
	return false
}

// layouts are those of SQLite, PostgreSQL, and Go's drivers for them. All take fractions.
var layouts = []string{
	time.DateTime, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05-07",
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05 -0700 MST", time.DateOnly,
}

// milliseconds are numbers as great as this. As seconds they would be in the year 5138.
const milliseconds = 100_000_000_000

// Time returns a column as a time, the zero time for NULL. Texts without a zone are in UTC, numbers
// are Unix times in seconds or milliseconds.
func (r *Row) Time(i int) time.Time {
	if r.null(i) {
		return time.Time{}
	}
	text := r.text(i)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		t := time.Unix(n, 0)
		if n >= milliseconds || n <= -milliseconds {
			t = time.UnixMilli(n)
		}
		if year := t.UTC().Year(); year > 0 && year <= 9999 {
			return t.UTC()
		}
	}
	text, _, _ = strings.Cut(text, " m=") // Go's monotonic clock
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	r.fail(i, "time")
	return time.Time{}
}
