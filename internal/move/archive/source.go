package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Source is where lines come from. A Reader is one; a format of other products has its own. If it
// does not know all options of its links, its lines say "part": true, and an import that overwrites
// a link leaves the others as they are.
type Source interface {
	// Lines returns the lines, once. Each is valid until the following one. Lines that come from
	// one row or record have its number. An error is the last that comes: nothing more can be read.
	Lines() iter.Seq2[*Line, error]
}

// LinesOf returns the lines that next returns one by one. Its last error is io.EOF.
func LinesOf(next func() (*Line, error)) iter.Seq2[*Line, error] {
	return func(yield func(*Line, error) bool) {
		for {
			line, err := next()
			if errors.Is(err, io.EOF) || !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// LineError says why a line can't be read, and what is known of it nevertheless.
type LineError struct {
	Domain string // of Code; "": the default, or not known
	Code   string // its short code, or ""
	Field  string // that Err is about, or ""
	Err    error
}

func (e *LineError) Error() string { return e.Err.Error() }
func (e *LineError) Unwrap() error { return e.Err }

// CheckExport reads an export, or lines of its form, and fails if there are none, its version is
// not known or it was cut off.
func CheckExport(text io.Reader) error {
	lines := NewReader(text)
	begun, open := false, false
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF) && open:
			return errors.New("the export has no end: it was cut off")
		case errors.Is(err, io.EOF) && !begun:
			return errors.New("the export is empty")
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if !begun && line.looksLikeTable() {
			return errors.New("this looks like a table: use terse import csv")
		}
		begun = true
		switch line.Type {
		case TypeExport:
			if open {
				return fmt.Errorf("line %d: the export before it has no end", line.Number)
			}
			if _, _, err := line.Export(); err != nil {
				return err
			}
			open = true
		case TypeEnd:
			open = false
		}
	}
}

// looksLikeTable reports whether the first line of a file could name the columns of a table.
func (l *Line) looksLikeTable() bool {
	text := bytes.TrimSpace(l.Text)
	return l.Err != nil && len(text) > 0 && text[0] != '{' && bytes.ContainsAny(text, ",;\t|")
}
