package importer

import (
	"errors"
	"io"
	"iter"

	"terse"
	"terse/internal/archive"
	"terse/internal/archive/table"
)

// tableLines are the lines that the rows of a table become. It is the text that an archive.Reader
// reads, which may be ahead of the line that it returns.
type tableLines struct {
	pull   func() (tableLine, error, bool)
	stop   func()
	reader *archive.Reader
	text   []byte // not read yet
	ahead  []origin
}

type tableLine struct {
	origin
	text []byte
}

// origin is the row that a line comes from.
type origin struct {
	row   int64
	err   error // why the row has no lines
	notes []string
}

// notesOnly is the text of a line that is only there for the notes of a row.
const notesOnly = "{}"

func newTableLines(from io.Reader) (*tableLines, error) {
	rows, err := table.NewReader(from, table.Options{})
	if err != nil {
		return nil, tableError(err)
	}
	t := &tableLines{}
	t.pull, t.stop = iter.Pull2(func(yield func(tableLine, error) bool) {
		for {
			row, err := rows.Next()
			if err != nil {
				yield(tableLine{}, err)
				return
			}
			at := origin{row: int64(row.Line), err: row.Err}
			for _, note := range row.Notes {
				at.notes = append(at.notes, note.Error())
			}
			text := row.Link
			switch {
			case row.Err != nil:
				text = []byte("null")
			case text == nil && len(row.Notes) > 0:
				text = []byte(notesOnly)
			}
			if text != nil && !yield(tableLine{at, text}, nil) {
				return
			}
			at.notes = nil
			for text := range row.Clicks.Lines() {
				if !yield(tableLine{at, text}, nil) {
					return
				}
			}
		}
	})
	t.reader = archive.NewReader(t)
	return t, nil
}

// tableError returns the error to show for one of reading a table.
func tableError(err error) error {
	switch _, known := errors.AsType[*terse.Error](err); {
	case known, errors.Is(err, ErrTooLong), errors.Is(err, errStopped):
		return err
	case errors.Is(err, table.ErrNoRows):
		return terse.Invalidf("", "%v", err)
	}
	return terse.Invalidf("", "the table can not be read: %v", err)
}

// Read reads the text of the lines.
func (t *tableLines) Read(p []byte) (n int, err error) {
	for len(t.text) == 0 {
		line, err, ok := t.pull()
		switch {
		case !ok || errors.Is(err, io.EOF):
			return 0, io.EOF
		case err != nil:
			return 0, tableError(err)
		}
		t.text = append(append(t.text[:0], line.text...), '\n')
		t.ahead = append(t.ahead, line.origin)
	}
	n = copy(p, t.text)
	t.text = t.text[n:]
	return n, nil
}

// next returns the next line, with the number of its row.
func (t *tableLines) next() (*archive.Line, error) {
	line, err := t.reader.Next()
	if err != nil {
		return nil, err
	}
	from := t.ahead[0]
	t.ahead = t.ahead[1:]
	line.Number, line.Notes = from.row, from.notes
	if from.err != nil {
		line.Err = from.err
	}
	return line, nil
}
