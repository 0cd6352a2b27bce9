package moving

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"terse/internal/move/archive"
)

// A source that is no text is read once, into a temporary file: a server's pages shift while they
// are read, and what is read twice has to be the same. The file has the source's lines. A line of
// type record in front of those of a record says what a line's text does not.

const typeRecord = "record"

type record struct {
	Type   string   `json:"type"`
	Number int64    `json:"number"`
	Notes  []string `json:"notes,omitempty"`
	Late   bool     `json:"late,omitzero"` // Notes are about the record so far
	// If the record can't be read:
	Domain string `json:"domain,omitzero"`
	Code   string `json:"code,omitzero"`
	Field  string `json:"field,omitzero"`
	Error  string `json:"error,omitzero"`
}

// maxKept bounds the temporary file, in bytes. The server takes as much in one import.
const maxKept = 16 << 30

// Keep reads a source into a temporary file. It calls each, if set, with the number of each record.
func Keep(from archive.Source, name string, each func(record int64)) (_ *File, err error) {
	file, err := tempFile()
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, file: file, kept: true}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	out := bufio.NewWriterSize(file, 64<<10)
	last := int64(0)
	for line, err := range from.Lines() {
		if err != nil {
			return nil, err
		}
		if line.Number != last || line.Err != nil || len(line.Notes) > 0 {
			last = line.Number
			text, err := json.Marshal(recordOf(line))
			if err != nil {
				return nil, err
			}
			f.Size += int64(len(text)) + 1
			_ = writeLine(out, text) // Flush returns the error
			if each != nil {
				each(last)
			}
		}
		if line.Text != nil {
			f.Size += int64(len(line.Text)) + 1
			_ = writeLine(out, line.Text)
		}
		if f.Size > maxKept {
			return nil, fmt.Errorf("%s: it has more than %d GiB", name, maxKept>>30)
		}
	}
	return f, out.Flush()
}

func recordOf(line *archive.Line) record {
	r := record{Type: typeRecord, Number: line.Number}
	r.Late = line.Err == nil && line.Text == nil
	for _, note := range line.Notes {
		r.Notes = append(r.Notes, note.Error())
	}
	if line.Err != nil {
		e := entryOf(line)
		r.Domain, r.Code, r.Field, r.Error = e.Domain, e.Code, e.Field, e.Reason
	}
	return r
}

// keptLines are the lines that Keep has written.
type keptLines struct{ from *archive.Reader }

// Lines implements archive.Source.
func (k keptLines) Lines() iter.Seq2[*archive.Line, error] {
	return func(yield func(*archive.Line, error) bool) {
		var of record
		var out archive.Line
		for line, err := range k.from.Lines() {
			if err == nil && line.Err != nil {
				err = fmt.Errorf("the temporary file is broken: %w", line.Err)
			}
			if err == nil && line.Type == typeRecord {
				of = record{}
				err = json.Unmarshal(line.Text, &of)
				switch {
				case err != nil:
				case of.Late:
					line = &archive.Line{}
				case of.Error == "":
					continue // its lines follow
				default:
					line = &archive.Line{Err: &archive.LineError{
						Domain: of.Domain, Code: of.Code, Field: of.Field,
						Err: errors.New(of.Error),
					}}
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			out = *line // the Reader counts in its own
			out.Number = of.Number
			for _, note := range of.Notes {
				out.Notes = append(out.Notes, errors.New(note))
			}
			of.Notes = nil
			if !yield(&out, nil) {
				return
			}
		}
	}
}
