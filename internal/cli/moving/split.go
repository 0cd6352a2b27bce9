package moving

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"terse"
	"terse/internal/archive"
	"terse/internal/archive/table"
)

// maxPart is the size of a request below which proxies let it through, in bytes. Only a day of a
// link can exceed it.
const maxPart = 1 << 20

// splitter divides lines into parts, each of which stands for itself: it has a link line above each
// line about the link, and all lines of the link's day. The lines about a link may be in any order.
type splitter struct {
	emit func(*Part) error // takes the part

	part     *Part          // complete days, to be emitted when the next one does not fit
	link     []byte         // the link line; nil: none
	linkLine int64          // its number in the source
	about    archive.Sorter // lines about the link, each behind its number in the source
	day      Part           // those of a day
	text     []byte         // of the line under way
}

func newSplitter(emit func(*Part) error) *splitter {
	return &splitter{
		emit: emit, part: &Part{}, about: archive.Sorter{Memory: maxMemory, Create: createFile},
	}
}

// createFile returns a file that is gone when it is closed.
func createFile() (archive.File, error) {
	f, err := tempFile()
	if err != nil {
		return nil, err
	}
	return f, nil
}

// addLink adds a link line.
func (s *splitter) addLink(source int64, text []byte) error {
	if err := s.endLink(); err != nil {
		return err
	}
	s.link, s.linkLine = append([]byte(nil), text...), source
	if s.part.lines > 0 && s.part.Len()+int64(len(text)) >= maxPart {
		if err := s.flush(); err != nil {
			return err
		}
	}
	return s.part.addLink(source, text)
}

// addNotes adds what a row about the last link has lost.
func (s *splitter) addNotes(texts []string) {
	for _, text := range texts {
		s.part.notes = append(s.part.notes, note{s.linkLine, text})
	}
}

// add adds a line about a day. One that names no day, or is about nothing known, has the day 0.
func (s *splitter) add(source int64, day terse.Day, text []byte) error {
	s.text = append(binary.AppendVarint(s.text[:0], source), text...)
	return s.about.Add(day.Start(), 0, s.text)
}

// skip leaves out a line that can't be read. It may have been a link line, so what follows belongs
// to no link.
func (s *splitter) skip() error {
	err := s.endLink()
	s.link = nil
	return err
}

// endLink moves the lines about the link to parts, day by day.
func (s *splitter) endLink() error {
	if s.about.IsEmpty() {
		return nil
	}
	if s.link == nil && s.part.lines > 0 { // the part has the link of other lines
		if err := s.flush(); err != nil {
			return err
		}
	}
	var day terse.Day
	if err := s.about.Each(func(at int64, _ uint8, text []byte) error {
		if of := terse.DayOf(at); of != day {
			if err := s.endDay(); err != nil {
				return err
			}
			day = of
		}
		source, size := binary.Varint(text)
		return s.day.add(source, text[size:])
	}); err != nil {
		return err
	}
	return errors.Join(s.endDay(), s.about.Reset())
}

// endDay moves the lines of a day to the part, or to the next one if they do not fit.
func (s *splitter) endDay() error {
	if s.day.lines == 0 {
		return nil
	}
	if s.part.lines > 0 && s.part.Len()+s.day.Len() >= maxPart {
		if err := s.flush(); err != nil {
			return err
		}
	}
	if s.part.lines == 0 && s.link != nil {
		if err := s.part.addLink(s.linkLine, s.link); err != nil {
			return err
		}
	}
	return s.part.take(&s.day)
}

func (s *splitter) flush() error {
	part := s.part
	s.part = &Part{}
	return s.emit(part)
}

// end emits what is left.
func (s *splitter) end() error {
	if err := s.endLink(); err != nil {
		return err
	}
	if s.part.lines == 0 {
		return nil
	}
	return s.flush()
}

// close frees what the splitter keeps on disk, if it did not end.
func (s *splitter) close() error {
	return errors.Join(s.part.Close(), s.day.Close(), s.about.Close())
}

// splitExport divides an export, or lines of its form, into parts.
func splitExport(from io.Reader, broken func(Entry) error, emit func(*Part) error) (err error) {
	s := newSplitter(emit)
	defer func() { err = errors.Join(err, s.close()) }()
	lines := archive.NewReader(from)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return s.end()
		}
		if err != nil {
			return err
		}
		switch {
		case line.Err != nil:
			if err := broken(Entry{Line: line.Number, Reason: line.Err.Error()}); err != nil {
				return err
			}
			err = s.skip()
		case line.Type == archive.TypeExport || line.Type == archive.TypeEnd:
		case line.Type == archive.TypeLink:
			err = s.addLink(line.Number, line.Text)
		case line.Type == archive.TypeClick:
			err = s.add(line.Number, dayOf(line, "time"), line.Text)
		default:
			err = s.add(line.Number, dayOf(line, "date"), line.Text)
		}
		if err != nil {
			return err
		}
	}
}

// dayOf returns the UTC day that a field names, or 0. The server says what is wrong if it names
// none.
func dayOf(line *archive.Line, name string) terse.Day {
	for _, f := range line.Fields {
		if f.Name == name && len(f.Value) > len(`""`) {
			return dayIn(f.Value[1 : len(f.Value)-1])
		}
	}
	return 0
}

// dayIn returns the UTC day of a time or of a day, or 0.
func dayIn(text []byte) terse.Day {
	var at time.Time
	var err error
	if isTime := len(text) > len(time.DateOnly); isTime && text[len(text)-1] != 'Z' {
		at, err = time.Parse(time.RFC3339Nano, string(text))
	} else {
		at, err = time.Parse(time.DateOnly, string(text[:min(len(text), len(time.DateOnly))]))
	}
	if err != nil {
		return 0
	}
	return terse.DayOf(at.UnixMicro())
}

// splitTable divides the lines that the rows of a table become into parts.
func splitTable(rows *table.Reader, broken func(Entry) error, emit func(*Part) error) (err error) {
	s := newSplitter(emit)
	defer func() { err = errors.Join(err, s.close()) }()
	err = eachRow(rows, lineFuncs{
		broken: broken, link: s.addLink,
		notes: func(_ int64, texts []string) error {
			s.addNotes(texts)
			return nil
		},
		click: func(line int64, click []byte) error {
			var of terse.Day // without a time they are of when the link was created
			if _, at, ok := bytes.Cut(click, []byte(`"time":"`)); ok {
				of = dayIn(at[:len(time.DateOnly)])
			}
			return s.add(line, of, click)
		},
	})
	if err != nil {
		return err
	}
	return s.end()
}

// lineFuncs are called with what the rows of a table become.
type lineFuncs struct {
	broken      func(Entry) error
	link, click func(line int64, text []byte) error
	notes       func(line int64, texts []string) error // of the link above
}

// eachRow calls functions with what the rows of a table become.
func eachRow(rows *table.Reader, to lineFuncs) error {
	for {
		row, err := rows.Next()
		line := int64(row.Line)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case row.Err != nil:
			err = to.broken(Entry{
				Line: line, Code: row.Code, Field: row.Field, Reason: explainRow(row.Err),
			})
		case row.Link != nil:
			err = to.link(line, row.Link)
		}
		if err != nil {
			return err
		}
		var notes []string
		for _, note := range row.Notes {
			notes = append(notes, explainRow(note))
		}
		if err := to.notes(line, notes); err != nil {
			return err
		}
		for text := range row.Clicks.Lines() {
			if err := to.click(line, text); err != nil {
				return err
			}
		}
	}
}

// explainRow returns an error of a row, with the flag that may help.
func explainRow(err error) string {
	if table.NeedsDateFormat(err) {
		return err.Error() + " (--date-format)"
	}
	return err.Error()
}
