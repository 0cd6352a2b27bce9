// Package table reads tables of links: CSV with any columns, as spreadsheets and other URL
// shorteners write it. It turns each row into lines of package archive. It knows a column by its
// name and by what is in it. It asks no store: the reader of the lines judges them.
package table

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"terse/internal/move/archive"
	"terse/internal/move/archive/sources"
	"terse/internal/move/sheet"
)

// MaxColumns bounds the columns of a table. It is far above what any product exports.
const MaxColumns = 1000

// NoURLsError says that no column is known to have the URLs where links lead.
type NoURLsError struct {
	Columns []string // all
	URLs    []string // those that could have them, the likeliest first
}

func (e *NoURLsError) Error() string {
	const problem = "no column is known to have the URLs where links lead"
	if len(e.URLs) == 0 {
		return problem + "; it has " + strings.Join(e.Columns, ", ")
	}
	return problem + ", but " + inWords(e.URLs) + " could"
}

// Ask returns the error with how to say which column has them. mapping returns how COLUMN=FIELD is
// given.
func (e *NoURLsError) Ask(mapping func(pair string) string) string {
	return e.Error() + ": " + mapping(append(e.URLs, "COLUMN")[0]+"=original_url") +
		" names the column"
}

// row is a row of a table.
type row struct {
	line   int              // where the row begins, from 1
	domain string           // of the link; "": the default one
	code   string           // its short code, if it has one
	link   *archive.Builder // the link line, of a part of a link's fields: those of the columns
	clicks clicks
	// notes say which cells were left out, and why. They begin with the name of the field.
	notes []error
	err   error  // why the row can't be read: it has no link, clicks and notes then
	field string // that err is about, if it is about one
	// elsewhere says that the row is of another host than the one that is wanted.
	elsewhere bool
}

// failed returns the row as one that can't be read.
func (r row) failed(field string, err error) row {
	return row{line: r.line, domain: r.domain, code: r.code, err: err, field: field}
}

// ErrNoRows says that a table has no row below the names of its columns, or is empty.
var ErrNoRows = errors.New("the table has no rows")

// Reader reads a table. It is an archive.Source: each row becomes a link line and the lines of its
// clicks. A row about the same link as the one before, of which it has further clicks, has no link
// line; its notes are on a line without a type.
type Reader struct {
	records  *Records
	times    times
	names    []string // of columns
	examples []string // of columns, see Column
	wrong    []string // of columns, why one can't be the field that it is by name
	given    []Field  // see Options
	links    sources.Options
	preset   *Preset
	hosts    sources.Hosts
	columns  []*field // what they stand for; nil: nothing
	ahead    []Record // of the sample, which were not returned yet
	end      error    // of reading; nil: there is more
	doubt    *Doubt
	previous string // the link line of the last row

	row    row             // under way
	link   archive.Builder // its link line
	clicks int64           // how many lines of its clicks were returned
	click  archive.Builder // the line of a click
	out    archive.Line    // what was returned last
}

// The sample is the first rows, by which columns are known. It is kept in memory.
const (
	sampleRows  = 1000
	sampleBytes = 4 << 20 // 1,000 rows of 4 KiB; of longer ones a smaller sample does
)

// NewReader returns a Reader behind the header line.
func NewReader(in io.Reader, o Options) (*Reader, error) {
	dates, err := newTimes(o)
	if err != nil {
		return nil, OptionsError{err}
	}
	records, names, err := NewRecords(in, o.Delimiter)
	if errors.Is(err, io.EOF) {
		return nil, ErrNoRows
	}
	if err != nil {
		return nil, err
	}
	r := &Reader{records: records, times: dates, links: o.Links, preset: o.Preset}
	if r.preset == nil {
		r.preset = &Preset{}
	}
	if only, ok := sources.HostName(r.links.OnlyHost); ok {
		r.links.OnlyHost = only
	}
	r.links.ForwardQuery = r.links.ForwardQuery || r.preset.ForwardQuery
	if err := r.setNames(names); err != nil {
		return nil, err
	}
	r.readSample()
	if len(r.ahead) == 0 && errors.Is(r.end, io.EOF) {
		return nil, ErrNoRows
	}
	if err := r.choose(o.Fields); err != nil {
		return nil, err
	}
	r.findDoubt()
	return r, nil
}

// readSample reads the first rows.
func (r *Reader) readSample() {
	for size := 0; len(r.ahead) < sampleRows && size < sampleBytes && r.end == nil; {
		var next Record
		if next, r.end = r.records.Next(); r.end != nil {
			return
		}
		next.Cells = slices.Clone(next.Cells)
		for _, cell := range next.Cells {
			size += len(cell) + cellBytes
		}
		r.ahead = append(r.ahead, next)
	}
}

// cellBytes is what a cell takes in memory beside its text.
const cellBytes = 16

func (r *Reader) setNames(header []string) error {
	if len(header) > MaxColumns {
		return fmt.Errorf("it has %d columns; %d are possible", len(header), MaxColumns)
	}
	for _, name := range header {
		if err := r.records.CheckText(name); err != nil {
			return fmt.Errorf("line 1: %w", err)
		}
		r.names = append(r.names, strings.TrimSpace(sheet.Plain(name)))
	}
	return nil
}

// Lines implements archive.Source.
func (r *Reader) Lines() iter.Seq2[*archive.Line, error] { return archive.LinesOf(r.Next) }

// Next returns the next line. One whose row can't be read has a *archive.LineError.
func (r *Reader) Next() (*archive.Line, error) {
	for {
		row, out := &r.row, &r.out
		*out = archive.Line{Number: int64(row.line), Fields: out.Fields[:0]}
		if r.clicks < row.clicks.lines() {
			row.clicks.line(r.clicks, &r.click)
			r.clicks++
			r.click.Fill(out)
			return out, nil
		}
		same, err := r.nextRow()
		if err != nil {
			return nil, err
		}
		out.Number, out.Notes = int64(row.line), row.notes
		switch {
		case row.elsewhere:
		case row.err != nil:
			out.Err = &archive.LineError{
				Domain: row.domain, Code: row.code, Field: row.field, Err: row.err,
			}
			return out, nil
		case !same:
			row.link.Fill(out)
			return out, nil
		case len(row.notes) > 0:
			return out, nil
		}
	}
}

// nextRow reads the next row. same says that it is about the link of the one before.
func (r *Reader) nextRow() (same bool, err error) {
	var next Record
	switch {
	case len(r.ahead) > 0:
		next, r.ahead = r.ahead[0], r.ahead[1:]
	case r.end == nil:
		next, r.end = r.records.Next()
	}
	if next.Line == 0 {
		return false, r.end
	}
	r.row, r.clicks = row{err: next.Err}, 0
	if next.Err == nil {
		r.row = r.read(next.Cells, &r.hosts)
	}
	r.row.line = next.Line
	switch {
	case errors.As(r.row.err, &hostsError{}):
		r.end = r.row.err
		return false, r.end
	case r.row.elsewhere:
	case r.row.err != nil:
		r.previous = ""
	case string(r.row.link.Text()) == r.previous:
		return true, nil
	default:
		r.previous = string(r.row.link.Text())
	}
	return false, nil
}

// cut returns the cells of the columns, without empty ones behind them.
func (r *Reader) cut(cells []string) []string {
	if n := len(r.columns); len(cells) > n && !slices.ContainsFunc(cells[n:], notBlank) {
		return cells[:n]
	}
	return cells
}

// read turns cells into a row. hosts are those of the rows before; nil: that does not matter.
func (r *Reader) read(cells []string, hosts *sources.Hosts) row {
	cells = r.cut(cells)
	if n := len(r.columns); len(cells) != n {
		return row{err: fmt.Errorf("it has %d cells in place of %d", len(cells), n)}
	}
	var wrong error // of the first cell that is
	var wrongField string
	fail := func(field string, err error) {
		if wrong == nil {
			wrong, wrongField = err, field
		}
	}
	l := line{Builder: &r.link, times: r.times, atHosts: r.preset.AtHosts}
	l.Begin(archive.TypeLink)
	l.AddBool("part", true)
	var notes []error
	for i, cell := range cells {
		if err := r.records.CheckText(cell); err != nil {
			fail(r.names[i], err)
			continue
		}
		f, cell := r.columns[i], sheet.Plain(cell)
		if f == nil || f == unread || f.name == "forward_query" && r.links.ForwardQuery ||
			f.name == "forward_path" && r.links.ForwardPath {
			continue
		}
		if f.empty(cell) {
			if f.option {
				l.AddNull(f.name)
			}
			continue
		}
		err := f.add(&l, cell)
		switch {
		case err == nil:
		case f.optional:
			notes = append(notes, fmt.Errorf("%s was left out: it %w", f.name, err))
		default:
			fail(f.name, fmt.Errorf("%s %w", f.name, err))
		}
	}
	r.addForwarding(&l)
	elsewhere, err := r.setAddresses(&l, hosts)
	switch {
	case elsewhere:
		return row{elsewhere: true}
	case err != nil:
		fail("short_code", err)
	}
	r.addAliases(&l)
	r.addStates(&l)
	row := l.row()
	if wrong != nil {
		return row.failed(wrongField, wrong) // its code may be behind it
	}
	if row.err == nil {
		row.notes = append(notes, l.notes...)
	}
	return row
}

// addForwarding adds what is set on each link.
func (r *Reader) addForwarding(l *line) {
	if r.links.ForwardQuery {
		l.AddBool("forward_query", true)
	}
	if r.links.ForwardPath {
		l.AddBool("forward_path", true)
	}
}

// addAliases adds the aliases.
func (r *Reader) addAliases(l *line) {
	if len(l.aliases) > 0 {
		paths := make([]string, len(l.aliases))
		for i, p := range l.aliases {
			paths[i] = p.path
		}
		l.AddStrings("aliases", paths)
	} else if slices.Contains(r.columns, byName["aliases"].field) {
		l.AddNull("aliases")
	}
}

// addStates adds whether the link is switched off, and whether it is archived, which several
// columns may say. Only a column of its own says that a link is not archived.
func (r *Reader) addStates(l *line) {
	switch {
	case l.ended && (l.end.IsZero() || l.end.After(time.Now())):
		l.setOff(true) // the state says more than the time
	case l.ended:
		l.setOff(false)
	}
	if l.usedUp && l.limit > 0 {
		l.AddInt("clicks_used", l.limit)
		l.setOff(false)
	} else if l.usedUp {
		l.setOff(true)
	}
	if l.stated {
		l.AddBool("disabled", l.off)
	} else if slices.ContainsFunc(r.columns, func(f *field) bool { return f != nil && f.state }) {
		l.AddNull("disabled")
	}
	if l.archived {
		l.AddBool("archived", true)
	} else if slices.Contains(r.columns, byName["archived"].field) {
		l.AddNull("archived")
	}
}
