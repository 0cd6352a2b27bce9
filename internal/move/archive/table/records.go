package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxRecord bounds a record in bytes. It is what the server takes as a line.
const MaxRecord = 1 << 20

// Records reads the records of a text with columns: CSV with the encodings, line ends and
// delimiters that spreadsheets write. It reads no further than it must, since somebody may be
// typing.
type Records struct {
	rows  *csv.Reader
	bound *boundedReader
	wide  bool // the text is UTF-16
	line  int  // of the last record
}

// Record is a record that is not blank.
type Record struct {
	Line  int      // where it begins, from 1
	Cells []string // valid until the next record is read
	Err   error    // why it has no cells
}

// NewRecords returns a reader of what is below the names of the columns. delimiter is 0 for the one
// that the names have most often. Of a blank text the error is io.EOF.
func NewRecords(in io.Reader, delimiter rune) (r *Records, names []string, err error) {
	text, wide, err := decode(in)
	if err != nil {
		return nil, nil, err
	}
	bound := &boundedReader{Reader: text, left: MaxRecord}
	head, rest, err := firstLine(bound)
	if err != nil {
		return nil, nil, err
	}
	if given, ok := separator(head); ok {
		if delimiter == 0 {
			delimiter = given
		}
		lines := strings.Repeat("\n", strings.Count(head, "\n")) // so that lines keep their numbers
		if head, rest, err = firstLine(rest); err != nil {
			return nil, nil, err
		}
		head = lines + head
	}
	r = &Records{
		rows:  csv.NewReader(io.MultiReader(strings.NewReader(head), rest)),
		bound: bound, wide: wide,
	}
	if r.rows.Comma = delimiter; delimiter == 0 {
		r.rows.Comma = delimiterOf(head)
	}
	if !validDelimiter(r.rows.Comma) {
		return nil, nil, OptionsError{fmt.Errorf("%q can't separate columns", r.rows.Comma)}
	}
	r.rows.FieldsPerRecord = -1
	names, err = r.rows.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil, io.EOF
	case err != nil:
		return nil, nil, fmt.Errorf("the names of the columns: %w", r.explain(err))
	}
	r.rows.ReuseRecord = true
	return r, names, nil
}

// Next returns the next record. After the last one its error is io.EOF; after any other error
// nothing more can be read.
func (r *Records) Next() (Record, error) {
	for {
		r.bound.left = MaxRecord
		cells, err := r.rows.Read() // a bare quote or a missing one costs its record only
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok && !errors.Is(err, errLong) {
			r.line = wrong.StartLine
			return Record{Line: r.line, Err: r.explain(err)}, nil
		}
		if errors.Is(err, io.EOF) {
			return Record{}, io.EOF
		}
		if err != nil {
			return Record{}, fmt.Errorf("the row after line %d: %w", r.line, err)
		}
		if slices.ContainsFunc(cells, notBlank) {
			r.line, _ = r.rows.FieldPos(0)
			return Record{Line: r.line, Cells: cells}, nil
		}
	}
}

// CheckText fails if a cell is no text. The decoder of UTF-16 replaces what is none.
func (r *Records) CheckText(cell string) error {
	switch {
	case r.wide && strings.ContainsRune(cell, utf8.RuneError):
		return errors.New("it is not valid UTF-16")
	case !utf8.ValidString(cell):
		return errors.New("it is neither UTF-8 nor UTF-16; save the file in one of these encodings")
	}
	return nil
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

func notBlank(cell string) bool { return strings.TrimSpace(cell) != "" }

// explain returns an error of the CSV reader without the position, which the record has.
func (r *Records) explain(err error) error {
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
