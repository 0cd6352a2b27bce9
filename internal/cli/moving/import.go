package moving

import (
	"context"
	"io"
	"time"

	"golang.org/x/sync/errgroup"

	"terse/internal/archive/table"
)

// Import is an import of a source.
type Import struct {
	From *Source
	// Table says how the source is read if it is a table; nil: it is an export.
	Table *table.Options
	To    Target
	// Report is called with each line that failed, and with what differs of a link from the source.
	Report func(Entry) error
	// OnTable, if set, is called with a table before its first row.
	OnTable func(*table.Reader)
	// OnWait, if set, is called before a wait for the target with its reason.
	OnWait func(time.Duration, error)
	// OnPart, if set, is called after each part with the sums so far.
	OnPart func(Tally)
}

// Check reads an export through, and fails if it was cut off or can't be imported.
func (m *Import) Check() error {
	if m.Table != nil {
		return nil
	}
	text, err := m.From.Text()
	if err != nil {
		return err
	}
	return checkExport(text)
}

// piece is a part, or a line that can't be sent.
type piece struct {
	part   *Part
	broken Entry
	read   int64 // how many bytes of the source were read by then
}

// Run sends the source and returns the sums. They are valid even if there is an error.
func (m *Import) Run(ctx context.Context, o Options) (Tally, error) {
	tally := Tally{report: m.Report}
	if m.Table != nil {
		tally.later = &laterRows{rows: map[int64]laterRow{}}
	}
	lines, err := m.open()
	if err != nil {
		return tally, err
	}
	// One part is made while the one before is under way.
	pieces := make(chan piece)
	group, running := errgroup.WithContext(ctx)
	send := func(p piece) error {
		p.read = m.From.Read()
		select {
		case pieces <- p:
			return nil
		case <-running.Done():
			return running.Err()
		}
	}
	group.Go(func() error {
		defer close(pieces)
		return lines(func(e Entry) error { return send(piece{broken: e}) },
			func(part *Part) error { return send(piece{part: part}) })
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
	if err == nil && tally.later != nil {
		err = m.sendLater(ctx, o, &tally)
	}
	if ended := tally.end(); err == nil {
		err = ended
	}
	return tally, err
}

// open returns what divides the source into parts.
func (m *Import) open() (
	lines func(broken func(Entry) error, emit func(*Part) error) error, err error,
) {
	text, err := m.From.Text()
	if err != nil {
		return nil, err
	}
	if m.Table == nil {
		return func(broken func(Entry) error, emit func(*Part) error) error {
			return splitExport(text, broken, emit)
		}, nil
	}
	rows, err := m.rows(text)
	if err != nil {
		return nil, err
	}
	return func(broken func(Entry) error, emit func(*Part) error) error {
		return splitTable(rows, broken, emit)
	}, nil
}

func (m *Import) rows(text io.Reader) (*table.Reader, error) {
	rows, err := table.NewReader(text, *m.Table)
	if err != nil {
		return nil, err
	}
	if m.OnTable != nil {
		m.OnTable(rows)
	}
	return rows, nil
}

func (m *Import) handle(ctx context.Context, o Options, p piece, tally *Tally) error {
	tally.Read = p.read
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
	text, err := m.From.Text()
	if err != nil {
		return tally, err
	}
	if m.Table == nil {
		_, err := io.Copy(to, text)
		return tally, err
	}
	rows, err := m.rows(text)
	if err != nil {
		return tally, err
	}
	return tally, eachRow(rows, lineFuncs{
		broken: tally.addBroken,
		link:   func(_ int64, link []byte) error { return writeLine(to, link) },
		click:  func(_ int64, click []byte) error { return writeLine(to, click) },
		notes: func(line int64, texts []string) error {
			for _, text := range texts {
				if err := m.Report(Entry{Line: line, Reason: text}); err != nil {
					return err
				}
			}
			return nil
		},
	})
}

func writeLine(to io.Writer, line []byte) error {
	if _, err := to.Write(line); err != nil {
		return err
	}
	_, err := to.Write([]byte{'\n'})
	return err
}
