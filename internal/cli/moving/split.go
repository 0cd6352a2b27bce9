package moving

import (
	"encoding/binary"
	"errors"
	"time"

	"terse"
	"terse/internal/move/archive"
)

// maxPart is the size of a request below which proxies let it through, in bytes. Only a day of a
// link can exceed it.
const maxPart = 1 << 20

// sortMemory bounds the lines about a link in memory, in bytes. More are in runs of that size in a
// file. Of lines in order, or in reverse order, one run at a time is read back.
const sortMemory = 1 << 20

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

	added, moved int64 // bytes of lines: all, and those in parts
}

func newSplitter(emit func(*Part) error) *splitter {
	return &splitter{
		emit: emit, part: &Part{}, about: archive.Sorter{Memory: sortMemory, Create: CreateFile},
	}
}

// CreateFile returns a file that is gone when it is closed.
func CreateFile() (archive.File, error) {
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
	s.added, s.moved = s.added+int64(len(text)), s.moved+int64(len(text))
	if s.part.lines > 0 && s.part.Len()+int64(len(text)) >= maxPart {
		if err := s.flush(); err != nil {
			return err
		}
	}
	return s.part.addLink(source, text)
}

// addNotes adds what is lost of the last link.
func (s *splitter) addNotes(notes []error) {
	for _, lost := range notes {
		s.part.notes = append(s.part.notes, note{s.linkLine, explain(lost)})
	}
}

// add adds a line about a day. One that names no day, or is about nothing known, has the day 0.
func (s *splitter) add(source int64, day terse.Day, text []byte) error {
	s.added += int64(len(text))
	s.text = append(binary.AppendVarint(s.text[:0], source), text...)
	return s.about.Add(day.Start(), 0, s.text)
}

// addShare adds the line of a share, which belongs to no link above it.
func (s *splitter) addShare(source int64, text []byte) error {
	if err := s.skip(); err != nil {
		return err
	}
	s.added, s.moved = s.added+int64(len(text)), s.moved+int64(len(text))
	if s.part.lines > 0 && s.part.Len()+int64(len(text)) >= maxPart {
		if err := s.flush(); err != nil {
			return err
		}
	}
	return s.part.add(source, text)
}

// skip ends the link at a line that can't be read. That may have been a link line, so what follows
// belongs to no link.
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
		s.moved += int64(len(text) - size)
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

// done returns which share of the lines so far is in parts.
func (s *splitter) done() float64 {
	if s.added == 0 {
		return 1
	}
	return float64(s.moved) / float64(s.added)
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

// split divides the lines of a source into parts. Those that can't be read are broken.
func (s *splitter) split(from archive.Source, broken func(Entry) error) (err error) {
	defer func() { err = errors.Join(err, s.close()) }()
	for line, err := range from.Lines() {
		switch {
		case err != nil:
		case line.Err != nil:
			if err = broken(entryOf(line)); err == nil {
				err = s.skip()
			}
		case line.Text == nil: // it is there for its notes
		case line.Type == archive.TypeExport, line.Type == archive.TypeEnd:
		case line.Type == archive.TypeLink:
			err = s.addLink(line.Number, line.Text)
		case line.Type == archive.TypeShare:
			err = s.addShare(line.Number, line.Text)
		case line.Type == archive.TypeClick:
			err = s.add(line.Number, dayOf(line, "time"), line.Text)
		default:
			err = s.add(line.Number, dayOf(line, "date"), line.Text)
		}
		if err != nil {
			return err
		}
		s.addNotes(line.Notes)
	}
	return s.end()
}

// dayOf returns the UTC day of a field, a time or a day, or 0. The server says what is wrong with
// others.
func dayOf(line *archive.Line, name string) terse.Day {
	for _, f := range line.Fields {
		if f.Name != name || len(f.Value) < len(`""`) {
			continue
		}
		text := string(f.Value[1 : len(f.Value)-1])
		layout := time.DateOnly
		if n := len(layout); len(text) > n && text[len(text)-1] == 'Z' {
			text = text[:n]
		} else if len(text) > n {
			layout = time.RFC3339Nano
		}
		if at, err := time.Parse(layout, text); err == nil {
			return terse.DayOf(at.UnixMicro())
		}
	}
	return 0
}
