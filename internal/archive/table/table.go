// Package table reads tables of links (CSV of any columns, as spreadsheets and other URL shorteners
// write them) and turns each row into lines of the form of package archive. A column is known by
// its name and by what is in it. It does not look at what exists, and leaves it to who reads the
// lines to judge them.
package table

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"terse/internal/sheet"
)

// MaxColumns bounds the columns of a table. It is far above what any product exports.
const MaxColumns = 1000

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
	records  *Records
	times    times
	names    []string // of columns
	examples []string // of columns, see Column
	wrong    []string // of columns, why one can't be the field that it is by name
	given    []Field  // see Options
	columns  []*field // what they stand for; nil: nothing
	ahead    []Record // of the sample, which were not returned yet
	end      error    // of reading; nil: there is more
	doubt    *Doubt
	previous string // the link line of the last row
}

// The sample is the first rows, by which columns are known. It is kept in memory.
const (
	sampleRows  = 1000
	sampleBytes = 4 << 20 // 1,000 rows of 4 KiB; of longer ones a smaller sample does
)

// NewReader returns a Reader behind the header line.
func NewReader(in io.Reader, o Options) (*Reader, error) {
	dates, err := newTimes(o)
	if err != nil {
		return nil, OptionsError{err}
	}
	records, names, err := NewRecords(in, o.Delimiter)
	if errors.Is(err, io.EOF) {
		return nil, ErrNoRows
	}
	if err != nil {
		return nil, err
	}
	r := &Reader{records: records, times: dates}
	if err := r.setNames(names); err != nil {
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
		var next Record
		if next, r.end = r.records.Next(); r.end != nil {
			return
		}
		next.Cells = slices.Clone(next.Cells)
		for _, cell := range next.Cells {
			size += len(cell) + cellBytes
		}
		r.ahead = append(r.ahead, next)
	}
}

// cellBytes is what a cell takes in memory beside its text.
const cellBytes = 16

func (r *Reader) setNames(header []string) error {
	if len(header) > MaxColumns {
		return fmt.Errorf("it has %d columns; %d are possible", len(header), MaxColumns)
	}
	for _, name := range header {
		if err := r.records.CheckText(name); err != nil {
			return fmt.Errorf("line 1: %w", err)
		}
		r.names = append(r.names, strings.TrimSpace(sheet.Plain(name)))
	}
	return nil
}

// Next returns the next row, or io.EOF. A row with an Err is no error of Next; after an error of
// Next nothing more can be read.
func (r *Reader) Next() (Row, error) {
	var next Record
	switch {
	case len(r.ahead) > 0:
		next, r.ahead = r.ahead[0], r.ahead[1:]
	case r.end == nil:
		next, r.end = r.records.Next()
	}
	if next.Line == 0 {
		return Row{}, r.end
	}
	row := Row{Err: next.Err}
	if row.Err == nil {
		row = r.row(next.Cells)
	}
	row.Line = next.Line
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
		if err := r.records.CheckText(cell); err != nil {
			fail(r.names[i], err)
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
