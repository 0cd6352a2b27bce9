// Package sqldump reads rows of tables from SQL dumps of MySQL and MariaDB, as mysqldump and
// phpMyAdmin write them. It runs nothing: statements other than CREATE TABLE, INSERT and REPLACE
// are passed over, but for what SET says about texts and times. What it keeps of a dump is bounded,
// whatever is in it.
package sqldump

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Kind is a kind of table, which is known by its columns.
type Kind struct {
	Needs []string // columns that it has
	May   []string // and some that it may have
}

// match returns the indexes in a kind of columns, -1 for those that it has not.
func (k *Kind) match(columns []string) (fields []int, ok bool) {
	found := 0
	for _, name := range columns {
		at := slices.IndexFunc(slices.Concat(k.Needs, k.May), func(known string) bool {
			return strings.EqualFold(known, name)
		})
		if at >= 0 && at < len(k.Needs) && !slices.Contains(fields, at) {
			found++
		}
		fields = append(fields, at)
	}
	return fields, found == len(k.Needs)
}

// Row is a row of a table. It is valid until the next one.
type Row struct {
	Kind   *Kind
	Table  string
	Line   int64
	values [][]byte
}

// Text returns the value of a column, by its index in the kind's Needs and, behind them, May. It is
// "" for NULL, and for a column that the table has not.
func (r *Row) Text(column int) string { return string(r.values[column]) }

// Dump is a dump under way.
type Dump struct {
	scanner
	kinds  []*Kind
	tables map[string]*table
	row    Row

	statements  int  // how many there were
	unended     bool // the last line that mysqldump promises has not come
	uncommitted bool

	charset string // of SET NAMES; "": not said
	zone    string // of SET TIME_ZONE
}

// table is a table of one of the kinds.
type table struct {
	kind   *Kind
	fields []int // see match
	filled bool  // there were rows
}

// New returns the dump of a text, of which rows of tables of the kinds are read.
func New(text io.Reader, kinds ...*Kind) *Dump {
	d := &Dump{kinds: kinds, tables: map[string]*table{}}
	d.from, d.line = bufio.NewReaderSize(text, 64<<10), 1
	d.setDelimiter(";")
	return d
}

// InUTC reports whether values of the type timestamp are in UTC by now. Otherwise they are in the
// zone of the session that wrote the dump.
func (d *Dump) InUTC() bool { return d.zone == "+00:00" || strings.EqualFold(d.zone, "UTC") }

// Each calls f with each row of a table of the kinds.
func (d *Dump) Each(f func(*Row) error) error {
	for {
		if err := d.blank(d.comments); err != nil {
			return err
		}
		if len(d.peek(1)) == 0 {
			break
		}
		err := d.statement(f)
		switch {
		case errors.Is(err, errCut) && d.statements == 0:
			return errors.New("it is no SQL dump")
		case errors.Is(err, errCut):
			return d.errorf("%w", err)
		case err != nil:
			return err
		}
		d.statements++
	}
	_, err := d.from.ReadByte()
	switch {
	case !errors.Is(err, io.EOF):
		return err
	case d.unended:
		return errors.New("the dump was cut off: it lacks its last line, -- Dump completed")
	case d.uncommitted:
		return errors.New("the dump was cut off: it lacks its COMMIT")
	}
	return nil
}

// comments reads what a comment between statements says.
func (d *Dump) comments(text string) {
	switch {
	case strings.HasPrefix(text, "!"):
		d.set(strings.TrimLeft(text, "!0123456789 "))
	case strings.HasPrefix(text, "-- MySQL dump"), strings.HasPrefix(text, "-- MariaDB dump"):
		d.unended = true
	case strings.HasPrefix(text, "-- Dump completed"):
		d.unended = false
	}
}

var (
	setNames = regexp.MustCompile(`(?i)^SET\s+NAMES\s+['"]?(\w+)`)
	setZone  = regexp.MustCompile(`(?i)^SET\s(?:.*\W)?TIME_ZONE\s*=\s*['"]([^'"]*)['"]`)
)

// set reads what a SET says about texts and times.
func (d *Dump) set(text string) {
	if match := setNames.FindStringSubmatch(text); match != nil {
		d.charset = strings.ToLower(match[1])
	}
	if match := setZone.FindStringSubmatch(text); match != nil {
		d.zone = match[1]
	}
}

// statement reads a statement.
func (d *Dump) statement(f func(*Row) error) error {
	start := string(d.peek(maxWord))
	word, err := d.keyword()
	switch {
	case err != nil:
		return err
	case word == "DELIMITER":
		text := strings.TrimSpace(d.restOfLine())
		if text == "" {
			return d.errorf("a delimiter was expected")
		}
		d.setDelimiter(text)
		return nil
	case d.delimiter != ";": // of a trigger or a procedure, which may have an INSERT
	case word == "SET":
		start, _, _ = strings.Cut(start, ";")
		d.set(start)
	case word == "START":
		d.uncommitted = true
	case word == "COMMIT":
		d.uncommitted = false
	case word == "CREATE":
		return d.create()
	case word == "INSERT", word == "REPLACE":
		return d.insert(f)
	}
	return d.pass()
}
