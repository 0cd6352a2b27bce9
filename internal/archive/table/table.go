// Package table reads tables of links (CSV of any columns, as spreadsheets and other URL shorteners
// write them) and turns each row into lines of the form of package archive. A column is known by
// its name and by what is in it. It does not look at what exists, and leaves it to who reads the
// lines to judge them.
package table

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
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

// NoURLsError says that no column is known to have the URLs where links lead.
type NoURLsError struct {
	Columns []string // all
	URLs    []string // those that could have them, the likeliest first
}

func (e *NoURLsError) Error() string {
	const problem = "no column is known to have the URLs where links lead"
	if len(e.URLs) == 0 {
		return problem + "; it has " + strings.Join(e.Columns, ", ")
	}
	return problem + ", but " + inWords(e.URLs) + " could"
}

// Ask returns the error with how to say which column has them. mapping returns how COLUMN=FIELD is
// given.
func (e *NoURLsError) Ask(mapping func(pair string) string) string {
	return e.Error() + ": " + mapping(append(e.URLs, "COLUMN")[0]+"=original_url") +
		" names the column"
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
	// Notes say which cells were left out, and why. They begin with the name of the field.
	Notes []error
	Err   error  // why the row can't be read; the other fields but Line and Code are empty then
	Field string // that Err is about, if it is about one
}

// ErrNoRows says that a table has no row below the names of its columns, or is empty.
var ErrNoRows = errors.New("the table has no rows")

// Reader reads the rows of a table.
type Reader struct {
	rows     *csv.Reader
	bound    *boundedReader
	wide     bool
	times    times
	names    []string // of columns
	examples []string // of columns, see Column
	wrong    []string // of columns, why one can't be the field that it is by name
	given    []Field  // see Options
	columns  []*field // what they stand for; nil: nothing
	ahead    []record // of the sample, which were not returned yet
	end      error    // of reading; nil: there is more
	doubt    *Doubt
	line     int    // of the last record
	previous string // the link line of the last row
}

// The sample is the first rows, by which columns are known. It is kept in memory.
const (
	sampleRows  = 1000
	sampleBytes = 4 << 20 // 1,000 rows of 4 KiB; of longer ones a smaller sample does
)

// record is a row as it was read.
type record struct {
	line  int
	cells []string
	err   error // why it has no cells
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
		return nil, ErrNoRows
	}
	if err != nil {
		return nil, fmt.Errorf("the names of the columns: %w", r.explain(err))
	}
	if err := r.setNames(header); err != nil {
		return nil, err
	}
	r.readSample()
	if len(r.ahead) == 0 && errors.Is(r.end, io.EOF) {
		return nil, ErrNoRows
	}
	if err := r.choose(o.Fields); err != nil {
		return nil, err
	}
	r.findDoubt()
	return r, nil
}

// readSample reads the first rows.
func (r *Reader) readSample() {
	for size := 0; len(r.ahead) < sampleRows && size < sampleBytes && r.end == nil; {
		var next record
		if next, r.end = r.read(); r.end != nil {
			return
		}
		next.cells = slices.Clone(next.cells)
		for _, cell := range next.cells {
			size += len(cell) + cellBytes
		}
		r.ahead = append(r.ahead, next)
	}
}

// cellBytes is what a cell takes in memory beside its text.
const cellBytes = 16

// read reads the next record that is not blank. Its cells are valid until the next one is read.
func (r *Reader) read() (record, error) {
	for {
		r.bound.left = MaxRecord
		cells, err := r.rows.Read() // a bare quote or a missing one costs its row only
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok && !errors.Is(err, errLong) {
			r.line = wrong.StartLine
			return record{line: r.line, err: r.explain(err)}, nil
		}
		if errors.Is(err, io.EOF) {
			return record{}, io.EOF
		}
		if err != nil {
			return record{}, fmt.Errorf("the row after line %d: %w", r.line, err)
		}
		if slices.ContainsFunc(cells, notBlank) {
			r.line, _ = r.rows.FieldPos(0)
			return record{line: r.line, cells: cells}, nil
		}
	}
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

func (r *Reader) setNames(header []string) error {
	if len(header) > MaxColumns {
		return fmt.Errorf("it has %d columns; %d are possible", len(header), MaxColumns)
	}
	for _, name := range header {
		if !r.valid(name) {
			return fmt.Errorf("line 1: %w", r.notText())
		}
		r.names = append(r.names, strings.TrimSpace(sheet.Plain(strings.Clone(name))))
	}
	return nil
}

// Next returns the next row, or io.EOF. A row with an Err is no error of Next; after an error of
// Next nothing more can be read.
func (r *Reader) Next() (Row, error) {
	var next record
	switch {
	case len(r.ahead) > 0:
		next, r.ahead = r.ahead[0], r.ahead[1:]
	case r.end == nil:
		next, r.end = r.read()
	}
	if next.line == 0 {
		return Row{}, r.end
	}
	row := Row{Err: next.err}
	if row.Err == nil {
		row = r.row(next.cells)
	}
	row.Line = next.line
	switch {
	case row.Err != nil:
		r.previous = ""
	case string(row.Link) == r.previous:
		row.Link = nil
	default:
		r.previous = string(row.Link)
	}
	return row, nil
}

func notBlank(cell string) bool { return strings.TrimSpace(cell) != "" }

// cut returns the cells of the columns, without empty ones behind them.
func (r *Reader) cut(cells []string) []string {
	if n := len(r.columns); len(cells) > n && !slices.ContainsFunc(cells[n:], notBlank) {
		return cells[:n]
	}
	return cells
}

// row turns cells into lines.
func (r *Reader) row(cells []string) Row {
	cells = r.cut(cells)
	if n := len(r.columns); len(cells) != n {
		return Row{Err: fmt.Errorf("it has %d cells in place of %d", len(cells), n)}
	}
	var wrong Row // the first cell that is
	fail := func(field string, err error) {
		if wrong.Err == nil {
			wrong = Row{Err: err, Field: field}
		}
	}
	l := line{times: r.times, text: []byte(`{"type":"link","part":true`)}
	var notes []error
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
		err := f.add(&l, cell)
		switch {
		case err == nil:
		case f.optional:
			notes = append(notes, fmt.Errorf("%s was left out: it %w", f.name, err))
		default:
			fail(f.name, fmt.Errorf("%s %w", f.name, err))
		}
	}
	r.addAliases(&l)
	r.addStates(&l)
	row := l.row()
	if wrong.Err != nil {
		wrong.Code = row.Code // which may be behind it
		return wrong
	}
	if row.Err == nil {
		row.Notes = append(notes, l.notes...)
	}
	return row
}

// addAliases adds the aliases. One of them is the path of the short URL, if the code is another
// one: both may be printed somewhere.
func (r *Reader) addAliases(l *line) {
	if l.code != "" && l.urlCode != "" && l.code != l.urlCode {
		l.aliases = append(l.aliases, l.urlCode)
	}
	if len(l.aliases) > 0 {
		l.list("aliases", l.aliases)
	} else if slices.Contains(r.columns, byName["aliases"].field) {
		l.member("aliases", []byte("null"))
	}
}

// addStates adds whether the link is switched off, which several columns may say.
func (r *Reader) addStates(l *line) {
	switch {
	case l.ended && (l.end.IsZero() || l.end.After(time.Now())):
		l.setOff(true) // the state says more than the time
	case l.ended:
		l.setOff(false)
	}
	if l.usedUp && l.limit > 0 {
		l.member("clicks_used", strconv.AppendInt(nil, l.limit, 10))
		l.setOff(false)
	} else if l.usedUp {
		l.setOff(true)
	}
	if l.stated {
		l.member("disabled", strconv.AppendBool(nil, l.off))
	} else if slices.ContainsFunc(r.columns, func(f *field) bool { return f != nil && f.state }) {
		l.member("disabled", []byte("null"))
	}
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
