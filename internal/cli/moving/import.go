package moving

import (
	"context"
	"errors"
	"io"
	"time"

	"golang.org/x/sync/errgroup"

	"terse/internal/move/archive"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/table"
)

// Import is an import of a file.
type Import struct {
	From    *File
	Format  *formats.Format
	Options formats.Options
	To      Target
	// Report is called with each line that failed, and with what differs of a link from the file.
	Report func(Entry) error
	// OnTable, if set, is called with a table before its first row.
	OnTable func(*table.Reader)
	// OnWait, if set, is called before a wait for the target with its reason.
	OnWait func(time.Duration, error)
	// OnPart, if set, is called after each part with the sums so far.
	OnPart func(Tally)
}

// Check reads a file through whose format shows that it was cut off. It fails if the file was, or
// can't be imported.
func (m *Import) Check() error {
	if m.Format.Check == nil || m.From.kept {
		return nil
	}
	text, err := m.From.Text()
	if err != nil {
		return err
	}
	return m.Format.Check(text)
}

// open returns the lines of the file from its beginning.
func (m *Import) open() (archive.Source, error) {
	text, err := m.From.Text()
	if err != nil {
		return nil, err
	}
	if m.From.kept {
		return keptLines{archive.NewReader(text)}, nil
	}
	return m.Format.Open(text, m.Options)
}

// openFirst is like open, and calls OnTable.
func (m *Import) openFirst() (archive.Source, error) {
	source, err := m.open()
	if err != nil {
		return nil, err
	}
	if rows, ok := source.(*table.Reader); ok && m.OnTable != nil {
		m.OnTable(rows)
	}
	return source, nil
}

// piece is a part, or a line that can't be sent.
type piece struct {
	part   *Part
	broken Entry
	read   int64 // how many bytes of the file were sent by then, about
}

// Run sends the file and returns the sums. They are valid even if there is an error.
func (m *Import) Run(ctx context.Context, o Options) (Tally, error) {
	tally := Tally{report: m.Report, later: &laterRows{rows: map[int64]laterRow{}}}
	source, err := m.openFirst()
	if err != nil {
		return tally, err
	}
	// One part is made while the one before is under way.
	pieces := make(chan piece)
	group, running := errgroup.WithContext(ctx)
	var parts *splitter
	send := func(p piece) error {
		p.read = int64(float64(m.From.Read()) * parts.done())
		select {
		case pieces <- p:
			return nil
		case <-running.Done():
			return running.Err()
		}
	}
	parts = newSplitter(func(part *Part) error { return send(piece{part: part}) })
	group.Go(func() error {
		defer close(pieces)
		return parts.split(source, func(e Entry) error { return send(piece{broken: e}) })
	})
	group.Go(func() error {
		for p := range pieces {
			if err := m.handle(running, o, p, &tally); err != nil {
				return err
			}
		}
		return nil
	})
	err = group.Wait()
	if err == nil {
		err = m.sendLater(ctx, o, &tally)
	}
	if ended := tally.end(); err == nil {
		err = ended
	}
	return tally, err
}

func (m *Import) handle(ctx context.Context, o Options, p piece, tally *Tally) error {
	tally.Read = max(tally.Read, p.read)
	if p.part == nil {
		return tally.addBroken(p.broken)
	}
	err := m.send(ctx, o, p.part, tally)
	if closed := p.part.Close(); err == nil {
		err = closed
	}
	if err == nil && m.OnPart != nil {
		m.OnPart(*tally)
	}
	return err
}

// Write writes the lines that would be sent, without those that repeat a link.
func (m *Import) Write(to io.Writer) (Tally, error) {
	tally := Tally{report: m.Report}
	source, err := m.openFirst()
	if err != nil {
		return tally, err
	}
	for line, err := range source.Lines() {
		switch {
		case err != nil:
		case line.Err != nil:
			err = tally.addBroken(entryOf(line))
		case line.Text != nil:
			err = writeLine(to, line.Text)
		}
		if err != nil {
			return tally, err
		}
		for _, note := range line.Notes {
			if err := m.Report(Entry{Line: line.Number, Reason: explain(note)}); err != nil {
				return tally, err
			}
		}
	}
	return tally, nil
}

func writeLine(to io.Writer, line []byte) error {
	if _, err := to.Write(line); err != nil {
		return err
	}
	_, err := to.Write([]byte{'\n'})
	return err
}

// entryOf returns what there is to say about a line that can't be read.
func entryOf(line *archive.Line) Entry {
	e := Entry{Line: line.Number, Reason: explain(line.Err)}
	if known, ok := errors.AsType[*archive.LineError](line.Err); ok {
		e.Domain, e.Code, e.Field = known.Domain, known.Code, known.Field
	}
	return e
}

// explain returns an error of a line, with the flag that may help.
func explain(err error) string {
	if table.NeedsDateFormat(err) {
		return err.Error() + " (--date-format)"
	}
	return err.Error()
}
