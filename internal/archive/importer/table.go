package importer

import (
	"context"
	"errors"
	"io"
	"iter"

	"terse"
	"terse/api"
	"terse/internal/archive"
	"terse/internal/archive/table"
)

// tableLines are the lines that the rows of a table become. It is the text that an archive.Reader
// reads, which may be ahead of the line that it returns.
type tableLines struct {
	table  *table.Reader
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

func newTableLines(from io.Reader, o table.Options) (*tableLines, error) {
	rows, err := table.NewReader(from, o)
	if err != nil {
		return nil, tableError(err)
	}
	t := &tableLines{table: rows}
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
	if wrong, ok := errors.AsType[table.OptionsError](err); ok {
		return terse.Invalidf("map", "%v", wrong)
	}
	if none, ok := errors.AsType[*table.NoURLsError](err); ok {
		return terse.Invalidf("map", "%s", none.Ask(asParameter))
	}
	return terse.Invalidf("", "the table can not be read: %v", err)
}

// asParameter returns COLUMN=FIELD as it is given in a request.
func asParameter(pair string) string { return "map=" + pair }

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

// columnsOf returns the columns of a table as they are answered.
func columnsOf(rows *table.Reader) api.ImportColumns {
	columns := []api.ImportColumn{} // never null
	for _, c := range rows.Columns() {
		columns = append(columns, api.ImportColumn{
			Name: c.Name, Field: c.Field, Example: c.Example,
		})
	}
	return api.ImportColumns{Columns: columns}
}

// trying is a trial of the first rows of a table: a dry run of their links, without their clicks.
type trying struct {
	job   *job
	trial table.Trial
	rows  int   // how many were seen
	last  int64 // the line of the last one
}

// newTrying returns a trial that spends nothing on passwords.
func newTrying(j job) *trying {
	j.DryRun, j.trial = true, true
	j.pretend = map[string]terse.Link{}
	return &trying{job: &j}
}

// add tries a line of the table, if it is one of the first rows.
func (t *trying) add(ctx context.Context, line *archive.Line) error {
	if line.Number != t.last {
		t.last = line.Number
		t.rows++
	}
	switch {
	case t.rows > table.TrialRows:
		return nil
	case line.Err != nil:
		t.trial.Add("", line.Err.Error())
		return nil
	case line.Type != archive.TypeLink:
		return nil
	}
	task := t.job.parse(line)
	if task.link.Target != "" && !task.settled { // the link there may be further down
		t.trial.Add("", "")
		return nil
	}
	t.job.batch = append(t.job.batch, task)
	t.job.bytes += 2*len(line.Text) + linkBytes
	if len(t.job.batch) == batchLinks || t.job.bytes >= batchBytes {
		return t.settle(ctx)
	}
	return nil
}

// settle finds out what would become of the links of the batch.
func (t *trying) settle(ctx context.Context) error {
	if ctx.Err() != nil {
		return errStopped
	}
	batch := t.job.batch
	t.job.batch, t.job.bytes = nil, 0
	if err := t.job.settleLinks(ctx, batch); err != nil {
		return err
	}
	for _, task := range batch {
		t.trial.Add("", task.result.Error)
	}
	return nil
}

// doubt returns the error for a table that should not be imported as it is, or nil.
func (t *trying) doubt(ctx context.Context, rows *table.Reader) error {
	doubt := rows.Doubt()
	if doubt == nil {
		if err := t.settle(ctx); err != nil {
			return err
		}
		doubt = t.trial.Doubt()
	}
	if doubt == nil {
		return nil
	}
	return terse.Invalidf("map", "%s", doubt.Ask(asParameter, "guess=true"))
}
