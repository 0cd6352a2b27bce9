package importer

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"

	"terse"
	"terse/api"
	"terse/internal/move/archive"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/sources"
	"terse/internal/move/archive/table"
)

// lines opens the body by its format, calls begin with that and its source, and then f with each
// line. It ends with errStopped when ctx ends.
func (b *Body) lines(ctx context.Context, r Request,
	begin func(*formats.Format, archive.Source) error, f func(*archive.Line) error,
) error {
	t, err := b.open(ctx)
	if err != nil {
		return err
	}
	defer t.close()
	from := bufio.NewReaderSize(t, 64<<10)
	format, err := r.formatOf(from)
	if err != nil {
		return err
	}
	options := formats.Options{
		Table:   r.Table,
		Options: sources.Options{Zone: r.Table.Zone, CreateFile: b.importer.createSparing},
	}
	if format.HasHosts {
		options.Domains = b.importer.domains()
	}
	source, err := format.Open(from, options)
	if err != nil {
		return sourceError(format, err)
	}
	if err := begin(format, source); err != nil {
		return err
	}
	for line, err := range source.Lines() {
		if err != nil {
			return sourceError(format, err)
		}
		if err := f(line); err != nil {
			return err
		}
	}
	return nil
}

// domains returns at which domain links are to be.
func (i *Importer) domains() *sources.Domains {
	served := map[string]string{}
	table := i.Manager.Hosts.Table()
	for _, row := range table.Rows() {
		served[row.Host] = table.Shown(row.Domain)
	}
	return &sources.Domains{Served: served}
}

// formatOf returns the format of a text.
func (r Request) formatOf(text *bufio.Reader) (f *formats.Format, err error) {
	if r.Format == Auto {
		start, err := text.Peek(formats.Peek)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		f = formats.Of(start)
	} else {
		f = formats.Named(cmp.Or(r.Format, formats.Default))
	}
	if f == nil {
		return nil, terse.Invalidf("format", "the body is of no format that is known")
	}
	return f, r.fits(f)
}

// sourceError returns the error to show for one of reading a source.
func sourceError(f *formats.Format, err error) error {
	switch _, known := errors.AsType[*terse.Error](err); {
	case known, errors.Is(err, ErrTooLong), errors.Is(err, errStopped):
		return err
	case errors.Is(noRoom(err), ErrNoRoom): // for what is sorted
		return ErrNoRoom
	case errors.Is(err, table.ErrNoRows):
		return terse.Invalidf("", "%v", err)
	}
	if _, ours := errors.AsType[*fs.PathError](err); ours { // the file of the body
		return err
	}
	if wrong, ok := errors.AsType[table.OptionsError](err); ok {
		return terse.Invalidf("map", "%v", wrong)
	}
	if none, ok := errors.AsType[*table.NoURLsError](err); ok {
		return terse.Invalidf("map", "%s", none.Ask(asParameter))
	}
	text := "body"
	if f.IsTable {
		text = "table"
	}
	return terse.Invalidf("", "the %s can not be read: %v", text, err)
}

// asParameter returns COLUMN=FIELD as it is given in a request.
func asParameter(pair string) string { return "map=" + pair }

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
