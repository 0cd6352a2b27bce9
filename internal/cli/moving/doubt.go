package moving

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"terse/internal/move/archive"
	"terse/internal/move/archive/table"
)

// DoubtError says that a table should not be imported before somebody has answered a question.
type DoubtError struct{ *table.Doubt }

func (e *DoubtError) Error() string { return e.Ask(AsFlag, "--yes") }

// AsFlag returns COLUMN=FIELD as a flag that can be pasted into a shell.
func AsFlag(pair string) string {
	if pair != "" && !strings.ContainsFunc(pair, isSpecial) {
		return "--map " + pair
	}
	return "--map '" + strings.ReplaceAll(pair, "'", `'\''`) + "'"
}

// isSpecial reports whether a character may mean something to a shell.
func isSpecial(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.,:/@%+=", r)
}

// Doubt fails with a *DoubtError if the file is a table that should not be imported as it is. It
// reads the first rows and tries their links at the target, if there is one.
func (m *Import) Doubt(ctx context.Context, o Options) error {
	source, err := m.open()
	if err != nil {
		return err
	}
	rows, ok := source.(*table.Reader)
	if !ok {
		return nil
	}
	if doubt := rows.Doubt(); doubt != nil {
		return &DoubtError{doubt}
	}
	var trial table.Trial
	last := int64(0) // the line of which a reason was counted
	tally := Tally{report: func(e Entry) error {
		switch {
		case e.Result != "failed" && e.Result != "skipped" || e.Line == last:
			return nil
		case strings.HasPrefix(e.Reason, archive.NoLinkAt): // the link may be further down
			trial.Add("", "")
		default:
			trial.Add(e.Field, e.Reason)
		}
		last = e.Line
		return nil
	}}
	s := newSplitter(func(part *Part) error {
		err := m.send(ctx, o, part, &tally)
		return errors.Join(err, part.Close())
	})
	defer func() { _ = s.close() }()
	if err := m.tryRows(rows, s, &tally); err != nil {
		return err
	}
	if err := tally.end(); err != nil {
		return err
	}
	for range tally.Created + tally.Updated + tally.Unchanged + tally.Renamed {
		trial.Add("", "")
	}
	if doubt := trial.Doubt(); doubt != nil {
		return &DoubtError{doubt}
	}
	return nil
}

// tryRows sends the links of the first rows to the splitter. Without a target all are taken.
func (m *Import) tryRows(from archive.Source, s *splitter, tally *Tally) error {
	rows, last := 0, int64(0) // how many were tried; the line of the last one
	for line, err := range from.Lines() {
		if err == nil && line.Number != last {
			if last, rows = line.Number, rows+1; rows > table.TrialRows {
				return s.end()
			}
		}
		switch {
		case err != nil:
		case line.Err != nil:
			err = tally.addBroken(entryOf(line))
		case line.Type == archive.TypeLink && m.To == nil:
			tally.Created++
		case line.Type == archive.TypeLink:
			err = s.addLink(line.Number, line.Text)
		}
		if err != nil {
			return err
		}
	}
	return s.end()
}
