package moving

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"terse/internal/archive"
	"terse/internal/archive/table"
)

// maxPart is the size of a request below which proxies let it through, in bytes. Only a day of a
// link can exceed it.
const maxPart = 1 << 20

// day is the UTC day of a line, such as 2026-01-02; zero: it has none.
type day [len(time.DateOnly)]byte

// splitter divides lines into parts, each of which stands for itself: it has a link line above each
// line about the link, and all lines of the link's day.
//
// An export has the days of a link before its clicks. They are held until the clicks of that day
// follow, or those of a later one.
type splitter struct {
	emit func(*Part) error // takes the part

	part     *Part  // complete days, to be emitted when the next one does not fit
	group    Part   // the lines of one day of a link
	day      day    // of group
	link     []byte // the line above; nil: none
	linkLine int64

	held     Part // lines of days of the link
	heldDays []heldLine
	heldText io.Reader // reads held from where it was released
	clicking bool      // clicks of the link were added
	orphans  bool      // lines until the next link line belong to no link
}

// heldLine is a line in held.
type heldLine struct {
	day    day
	source int64
	length int
}

func newSplitter(emit func(*Part) error) *splitter {
	return &splitter{emit: emit, part: &Part{}}
}

// addLink adds a link line.
func (s *splitter) addLink(source int64, text []byte) error {
	if err := s.release(nil); err != nil {
		return err
	}
	if err := s.endGroup(); err != nil {
		return err
	}
	s.day = day{}
	s.link, s.linkLine = append([]byte(nil), text...), source
	s.clicking, s.orphans = false, false
	if err := s.group.addLink(source, text); err != nil {
		return err
	}
	return s.endGroup()
}

// addNotes adds what a row about the last link has lost.
func (s *splitter) addNotes(texts []string) error {
	if len(texts) == 0 {
		return nil
	}
	if s.part.lines == 0 { // the link is in the part before, which was sent
		if err := s.part.addLink(s.linkLine, s.link); err != nil {
			return err
		}
	}
	for _, text := range texts {
		s.part.notes = append(s.part.notes, note{s.linkLine, text})
	}
	return nil
}

// addDay adds a line about a day.
func (s *splitter) addDay(source int64, of day, text []byte) error {
	if s.clicking || s.link == nil {
		return s.add(source, of, text)
	}
	s.heldDays = append(s.heldDays, heldLine{of, source, len(text)})
	return s.held.add(source, text)
}

// addClick adds a click line.
func (s *splitter) addClick(source int64, of day, text []byte) error {
	s.clicking = true
	if err := s.release(&of); err != nil {
		return err
	}
	return s.add(source, of, text)
}

// addOther adds a line that is about nothing known.
func (s *splitter) addOther(source int64, text []byte) error { return s.add(source, s.day, text) }

// skip leaves out a line that can't be read. It may have been a link line, so what follows belongs
// to no link.
func (s *splitter) skip() error {
	if err := s.release(nil); err != nil {
		return err
	}
	s.link, s.orphans = nil, true
	return s.endGroup()
}

func (s *splitter) add(source int64, of day, text []byte) error {
	if s.orphans && s.part.lines > 0 { // the part has the link of other lines
		if err := s.flush(); err != nil {
			return err
		}
	}
	if of != s.day {
		if err := s.endGroup(); err != nil {
			return err
		}
		s.day = of
	}
	return s.group.add(source, text)
}

// release adds the lines that are held of days up to one; nil: all.
func (s *splitter) release(last *day) error {
	for len(s.heldDays) > 0 && (last == nil || bytes.Compare(s.heldDays[0].day[:], last[:]) <= 0) {
		if s.heldText == nil {
			s.heldText = s.held.Text()
		}
		line := s.heldDays[0]
		text := make([]byte, line.length+len("\n"))
		if _, err := io.ReadFull(s.heldText, text); err != nil {
			return fmt.Errorf("read what was held: %w", err)
		}
		if err := s.add(line.source, line.day, text[:line.length]); err != nil {
			return err
		}
		s.heldDays = s.heldDays[1:]
	}
	if last != nil || s.held.lines == 0 {
		return nil
	}
	err := s.held.Close()
	s.held, s.heldDays, s.heldText = Part{text: s.held.text[:0]}, nil, nil
	return err
}

// endGroup moves the group to the part, or to the next one if it does not fit.
func (s *splitter) endGroup() error {
	if s.group.lines == 0 {
		return nil
	}
	if s.part.lines > 0 && s.part.Len()+s.group.Len() >= maxPart {
		if err := s.flush(); err != nil {
			return err
		}
	}
	if s.part.lines == 0 && len(s.group.links) == 0 && s.link != nil {
		if err := s.part.addLink(s.linkLine, s.link); err != nil {
			return err
		}
	}
	return s.part.take(&s.group)
}

func (s *splitter) flush() error {
	part := s.part
	s.part = &Part{}
	return s.emit(part)
}

// end emits what is left.
func (s *splitter) end() error {
	if err := s.release(nil); err != nil {
		return err
	}
	if err := s.endGroup(); err != nil {
		return err
	}
	if s.part.lines == 0 {
		return nil
	}
	return s.flush()
}

// close frees what the splitter keeps on disk, if it did not end.
func (s *splitter) close() error {
	return errors.Join(s.part.Close(), s.group.Close(), s.held.Close())
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
		case line.Type == archive.TypeDay || line.Type == archive.TypeCounts:
			err = s.addDay(line.Number, dayOf(line, "date"), line.Text)
		case line.Type == archive.TypeClick:
			err = s.addClick(line.Number, dayOf(line, "time"), line.Text)
		default:
			err = s.addOther(line.Number, line.Text)
		}
		if err != nil {
			return err
		}
	}
}

// dayOf returns the UTC day that a field names. The server says what is wrong if it names none.
func dayOf(line *archive.Line, name string) (of day) {
	for _, f := range line.Fields {
		if f.Name != name || len(f.Value) < len(`""`)+len(of) {
			continue
		}
		text := f.Value[1 : len(f.Value)-1]
		if name == "time" && text[len(text)-1] != 'Z' {
			if at, err := time.Parse(time.RFC3339Nano, string(text)); err == nil {
				text = []byte(at.UTC().Format(time.DateOnly))
			}
		}
		copy(of[:], text)
	}
	return of
}

// splitTable divides the lines that the rows of a table become into parts.
func splitTable(rows *table.Reader, broken func(Entry) error, emit func(*Part) error) (err error) {
	s := newSplitter(emit)
	defer func() { err = errors.Join(err, s.close()) }()
	err = eachRow(rows, lineFuncs{
		broken: broken, link: s.addLink,
		notes: func(_ int64, texts []string) error { return s.addNotes(texts) },
		click: func(line int64, click []byte) error {
			var of day // without a time they are of when the link was created
			if _, at, ok := bytes.Cut(click, []byte(`"time":"`)); ok {
				copy(of[:], at)
			}
			return s.addClick(line, of, click)
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
