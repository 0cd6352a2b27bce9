package moving

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"terse/internal/cli/console"
	"terse/internal/durable"
	"terse/internal/move/archive/table"
	"terse/internal/move/sheet"
)

// Report is a CSV file of remarks about an import. The first remark creates it.
type Report struct {
	Path   string
	Source string // what it is about
	Lines  int64

	file *os.File
	rows *sheet.Writer
}

const header = "line,source,short_code,result,field,reason"

// Check fails if the report can't be written. Nothing is left of that: pipes, which may be opened
// only once, are not tried.
func (r *Report) Check() error {
	info, missing := os.Stat(r.Path)
	if missing == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder", r.Path)
	}
	if missing == nil && !info.Mode().IsRegular() {
		return nil
	}
	f, err := durable.OpenFile(r.Path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = f.Close()
	if missing != nil {
		err = errors.Join(err, os.Remove(r.Path))
	}
	return err
}

// Add adds a row.
func (r *Report) Add(e Entry) (err error) {
	if r.file == nil {
		r.file, err = durable.OpenFile(r.Path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
		if err != nil {
			return err
		}
		r.rows = sheet.NewWriter(r.file, false)
		err = r.rows.Write(strings.Split(header, ","))
		if err != nil {
			return err
		}
	}
	if e.Field == "" {
		e.Field = table.FieldOf(e.Reason)
	}
	if e.Domain != "" {
		e.Code = e.Domain + "/" + e.Code // as commands take it
	}
	r.Lines++
	row := []string{strconv.FormatInt(e.Line, 10), r.Source, e.Code, e.Result, e.Field, e.Reason}
	for i := range row {
		row[i] = console.Printable(row[i]) // for people who look at it in a terminal
	}
	return r.rows.Write(row)
}

// Close completes the file, if there is one.
func (r *Report) Close() error {
	if r.file == nil {
		return nil
	}
	return errors.Join(r.rows.Flush(), r.file.Close())
}

// RemoveOld removes the report of an import before.
func (r *Report) RemoveOld() error {
	info, err := os.Lstat(r.Path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(r.Path)
	if err != nil {
		return err
	}
	first := make([]byte, len(header))
	_, err = io.ReadFull(f, first)
	if closed := f.Close(); err != nil || closed != nil || string(first) != header {
		return closed // it is no report
	}
	return os.Remove(r.Path)
}
