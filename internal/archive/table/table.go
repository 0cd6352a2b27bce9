// Package table reads tables of links (CSV of any columns, as spreadsheets and other URL shorteners
// write them) and turns each row into lines of the form of package archive. It looks neither at
// what exists nor at what a link may be: who reads the lines judges them.
package table

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"terse/internal/sheet"
)

// Bounds of a table.
const (
	// MaxRecord bounds a row in bytes. It is what the server takes as a line.
	MaxRecord = 1 << 20
	// MaxColumns is far above what any product exports.
	MaxColumns = 1000
)

// Options say how a table is read. The zero Options read most tables.
type Options struct {
	Delimiter rune // 0: the one that the header has most often
	// Fields are the fields of columns whose names do not say it. An empty field leaves a column
	// out.
	Fields []Field
	// DateFormat is the strftime pattern of all times; empty: many styles are known.
	DateFormat string
	Zone       *time.Location // of times that name none; nil: UTC
}

// Field says what a column stands for.
type Field struct{ Column, Field string }

// OptionsError says that Options do not fit a table, or anything.
type OptionsError struct{ error }

// NoURLsError says that no column has the URLs where links lead.
type NoURLsError struct{ Columns []string }

func (e *NoURLsError) Error() string {
	return "no column has the URLs where links lead (original_url); it has " +
		strings.Join(e.Columns, ", ")
}

// Row is a row of a table.
type Row struct {
	Line int    // where the row begins, from 1
	Code string // its short code, if it has one
	// Link is a link line without its line end, of a part of a link's fields: those of the columns.
	// It is nil if the row is about the same link as the row before, of which it has further
	// clicks.
	Link   []byte
	Clicks Clicks
	Err    error  // why the row can't be read; the other fields but Line and Code are empty then
	Field  string // that Err is about, if it is about one
}

// Reader reads the rows of a table.
type Reader struct {
	rows     *csv.Reader
	bound    *boundedReader
	wide     bool
	times    times
	names    []string // of columns
	columns  []*field // what they stand for; nil: nothing
	line     int      // of the last row
	previous string   // the link line of the last row
}

// NewReader returns a Reader behind the header line.
func NewReader(in io.Reader, o Options) (*Reader, error) {
	dates, err := newTimes(o)
	if err != nil {
		return nil, OptionsError{err}
	}
	text, wide, err := decode(in)
	if err != nil {
		return nil, err
	}
	bound := &boundedReader{Reader: text, left: MaxRecord}
	head, rest, err := firstLine(bound)
	if err != nil {
		return nil, err
	}
	if given, ok := separator(head); ok {
		o.Delimiter = cmp.Or(o.Delimiter, given)
		lines := strings.Repeat("\n", strings.Count(head, "\n")) // so that lines keep their numbers
		if head, rest, err = firstLine(rest); err != nil {
			return nil, err
		}
		head = lines + head
	}
	r := &Reader{
		rows: csv.NewReader(io.MultiReader(strings.NewReader(head), rest)), bound: bound,
		wide: wide, times: dates,
	}
	if r.rows.Comma = o.Delimiter; r.rows.Comma == 0 {
		r.rows.Comma = delimiterOf(head)
	}
	if !validDelimiter(r.rows.Comma) {
		return nil, OptionsError{fmt.Errorf("%q can't separate columns", r.rows.Comma)}
	}
	r.rows.FieldsPerRecord, r.rows.ReuseRecord = -1, true
	header, err := r.rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("it is empty: a table begins with the names of its columns")
	}
	if err != nil {
		return nil, fmt.Errorf("the names of the columns: %w", r.explain(err))
	}
	return r, r.choose(header, o.Fields)
}

// separator returns the delimiter that Excel's line above a table names, such as sep=;
func separator(line string) (delimiter rune, ok bool) {
	name, value, _ := strings.Cut(strings.Trim(line, "\" \r\n"), "=")
	delimiter, size := utf8.DecodeRuneInString(value)
	return delimiter, strings.EqualFold(name, "sep") && size > 0 && size == len(value)
}

func validDelimiter(r rune) bool {
	return r != '"' && r != '\r' && r != '\n' && utf8.ValidRune(r) && r != utf8.RuneError
}

// delimiterOf returns the delimiter that a header line has most often outside of quotes.
func delimiterOf(head string) rune {
	const delimiters = ",;\t|"
	counts, quoted := map[rune]int{}, false
	for _, r := range head {
		if r == '"' {
			quoted = !quoted
		} else if !quoted {
			counts[r]++
		}
	}
	most := ','
	for _, r := range delimiters {
		if counts[r] > counts[most] {
			most = r
		}
	}
	return most
}

// choose finds the fields of the columns.
func (r *Reader) choose(header []string, given []Field) error {
	if len(header) > MaxColumns {
		return fmt.Errorf("it has %d columns; %d are possible", len(header), MaxColumns)
	}
	for _, name := range header {
		if !r.valid(name) {
			return fmt.Errorf("line 1: %w", r.notText())
		}
		r.names = append(r.names, strings.TrimSpace(sheet.Plain(strings.Clone(name))))
	}
	r.columns = make([]*field, len(header))
	for _, f := range given {
		if err := r.use(f.Column, f.Field); err != nil {
			return OptionsError{err}
		}
	}
	// A field's own name goes before those that other products have for it, and an earlier one of
	// these before a later one.
	folded := map[string]bool{}
	for _, name := range r.names {
		folded[fold(name)] = true
	}
	for rank := range maxRank + 1 {
		for i, name := range r.names {
			known := byName[fold(name)]
			if known.field == nil || known.rank != rank || r.columns[i] != nil ||
				slices.Contains(r.columns, known.field) ||
				fold(name) == "source" && !folded["target"] { // they are a pair of YOURLS
				continue
			}
			r.columns[i] = known.field
		}
	}
	if !slices.Contains(r.columns, byName["originalurl"].field) {
		return &NoURLsError{r.names}
	}
	return nil
}

// use makes a column stand for a field, or for none.
func (r *Reader) use(column, name string) error {
	i := slices.IndexFunc(r.names, func(have string) bool { return fold(have) == fold(column) })
	if i < 0 {
		return fmt.Errorf("no column %q; it has %s", column, strings.Join(r.names, ", "))
	}
	if name == "" {
		r.columns[i] = unread
		return nil
	}
	known := byName[fold(name)]
	switch {
	case known.field == nil || known.field.name != name:
		return fmt.Errorf("no field %q; there are %s", name, strings.Join(Fields(), ", "))
	case r.columns[i] != known.field && slices.Contains(r.columns, known.field):
		return fmt.Errorf("two columns are %s", name)
	}
	r.columns[i] = known.field
	return nil
}

// HasCodes reports whether a column has short codes or short URLs.
func (r *Reader) HasCodes() bool {
	return slices.ContainsFunc(r.columns, func(f *field) bool {
		return f != nil && (f.name == "short_code" || f.name == "short_url")
	})
}

// Unread returns the names of the columns that stand for no field, but for those that Options left
// out.
func (r *Reader) Unread() (names []string) {
	for i, f := range r.columns {
		if f == nil && r.names[i] != "" {
			names = append(names, r.names[i])
		}
	}
	return names
}

// Next returns the next row, or io.EOF. A row with an Err is no error of Next; after an error of
// Next nothing more can be read.
func (r *Reader) Next() (Row, error) {
	for {
		r.bound.left = MaxRecord
		cells, err := r.rows.Read() // a bare quote or a missing one costs its row only
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok && !errors.Is(err, errLong) {
			r.previous = ""
			return Row{Line: wrong.StartLine, Err: r.explain(err)}, nil
		}
		if errors.Is(err, io.EOF) {
			return Row{}, io.EOF
		}
		if err != nil {
			return Row{}, fmt.Errorf("the row after line %d: %w", r.line, err)
		}
		if !slices.ContainsFunc(cells, notBlank) {
			continue
		}
		r.line, _ = r.rows.FieldPos(0)
		row := r.row(cells)
		row.Line = r.line
		if row.Err != nil {
			r.previous = ""
			return row, nil
		}
		if string(row.Link) == r.previous {
			row.Link = nil
		} else {
			r.previous = string(row.Link)
		}
		return row, nil
	}
}

func notBlank(cell string) bool { return strings.TrimSpace(cell) != "" }

// row turns cells into lines.
func (r *Reader) row(cells []string) Row {
	n := len(r.columns)
	if len(cells) > n && !slices.ContainsFunc(cells[n:], notBlank) {
		cells = cells[:n]
	}
	if len(cells) != n {
		return Row{Err: fmt.Errorf("it has %d cells in place of %d", len(cells), n)}
	}
	var wrong Row // the first cell that is
	fail := func(field string, err error) {
		if wrong.Err == nil {
			wrong = Row{Err: err, Field: field}
		}
	}
	l := line{times: r.times, text: []byte(`{"type":"link","part":true`)}
	for i, cell := range cells {
		if !r.valid(cell) {
			fail(r.names[i], r.notText())
			continue
		}
		f, cell := r.columns[i], sheet.Plain(cell)
		if f == nil || f == unread {
			continue
		}
		if f.empty(cell) {
			if f.option {
				l.member(f.name, []byte("null"))
			}
			continue
		}
		if err := f.add(&l, cell); err != nil {
			fail(f.name, fmt.Errorf("%s %w", f.name, err))
		}
	}
	row := l.row()
	if wrong.Err != nil {
		wrong.Code = row.Code // which may be behind it
		return wrong
	}
	return row
}

// explain returns an error of the CSV reader without the position, which the row has.
func (r *Reader) explain(err error) error {
	wrong, ok := errors.AsType[*csv.ParseError](err)
	switch {
	case !ok:
		return err
	case errors.Is(err, csv.ErrQuote):
		return errors.New("a quote is where none may be, or the closing one is missing")
	case errors.Is(err, csv.ErrBareQuote):
		return errors.New("a quote is in a cell that does not begin with one")
	}
	return wrong.Err
}

// fold returns the form in which names of columns are compared.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
