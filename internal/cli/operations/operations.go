// Package operations reads the operations of a bulk request from files. The server judges their
// contents.
package operations

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/moment"
	"terse/internal/move/archive/table"
)

// Task is one of many operations.
type Task struct {
	Name     string // for people
	Code     string // the short code in it, also of a new link
	Domain   string // of that link; empty: the default one
	Line     int    // of a file, from 1
	Op       api.Operation
	Password bool  // it sets a password, which the server takes time to hash
	Err      error // why it can't be sent
}

// Create returns the task to create a link.
func Create(name string, link api.Changes) (t Task) {
	t.Name = name
	t.set("create", "", "", link)
	return t
}

// set fills in the task's operation. It encodes the link, so that its size is known.
func (t *Task) set(op, code, domain string, link api.Changes) {
	t.Op, t.Code = api.Operation{Op: op, ShortCode: code, Domain: domain}, code
	t.Domain = domain
	if chosen, ok := link["domain"].(string); ok {
		t.Domain = chosen
	}
	if chosen, ok := link["short_code"].(string); ok {
		t.Code = chosen
	}
	if _, t.Password = link["password"]; link != nil {
		var value jsontext.Value
		value, t.Err = json.Marshal(link, json.Deterministic(true))
		t.Op.Link = value
	}
}

// Read reads operations from a JSON object per line, or from CSV. Times are relative to now. An
// error comes as the last pair.
func Read(ctx context.Context, in io.Reader, now time.Time) iter.Seq2[Task, error] {
	return func(yield func(Task, error) bool) {
		text := bufio.NewReader(in)
		first, err := console.Until(ctx, func() (byte, error) { return firstByte(text) })
		tasks := sheet{now}.tasks
		switch {
		case errors.Is(err, io.EOF): // nothing is in it
			return
		case err != nil:
			yield(Task{}, err)
			return
		case first == '{':
			tasks = jsonTasks
		}
		tasks(ctx, text)(yield)
	}
}

// firstByte returns the first byte that is no blank and no part of a byte order mark, and leaves it
// to be read. Behind more blanks than fit into the buffer it is 0.
func firstByte(text *bufio.Reader) (byte, error) {
	for n := 1; n <= text.Size(); n++ {
		start, err := text.Peek(n)
		if len(start) < n {
			return 0, err
		}
		if b := start[n-1]; !strings.ContainsRune(" \t\r\n\x00", rune(b)) && b < 0xBB {
			return b, nil
		}
	}
	return 0, nil
}

func jsonTasks(ctx context.Context, in io.Reader) iter.Seq2[Task, error] {
	return func(yield func(Task, error) bool) {
		n := 0
		for line, err := range console.Lines(ctx, in) {
			if n++; line == "" && err == nil {
				continue
			}
			if !yield(jsonTask(n, line), err) {
				return
			}
		}
	}
}

func ofLine(n int) Task { return Task{Name: fmt.Sprintf("line %d", n), Line: n} }

// jsonTask parses one operation. The server judges its link.
func jsonTask(n int, line string) Task {
	var op struct {
		Op        string         `json:"op"`
		ShortCode string         `json:"short_code"`
		Domain    string         `json:"domain"`
		Link      jsontext.Value `json:"link"`
	}
	t := ofLine(n)
	if err := json.Unmarshal([]byte(line), &op, json.RejectUnknownMembers(true)); err != nil {
		t.Err = errors.New("it must be a JSON object with op, short_code, domain and link")
	}
	t.Op = api.Operation{Op: op.Op, ShortCode: op.ShortCode, Domain: op.Domain}
	t.Code, t.Domain = op.ShortCode, op.Domain
	if op.Link != nil {
		var chosen struct {
			ShortCode *string `json:"short_code"`
			Domain    string  `json:"domain"`
		}
		if json.Unmarshal(op.Link, &chosen) == nil {
			if chosen.ShortCode != nil {
				t.Code = *chosen.ShortCode
			}
			t.Domain = cmp.Or(chosen.Domain, t.Domain)
		}
		t.Op.Link = op.Link
		t.Password = bytes.Contains(op.Link, []byte(`"password"`))
	}
	return t
}

// sheet is CSV with operations, at a time to which others are relative.
type sheet struct{ now time.Time }

// linkFields are the names and types of a new link's fields.
var linkFields = func() map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[api.CreateRequest]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			fields[name] = f.Type
		}
	}
	return fields
}()

func (s sheet) tasks(ctx context.Context, in io.Reader) iter.Seq2[Task, error] {
	return func(yield func(Task, error) bool) {
		rows, err := s.open(ctx, in)
		for err == nil {
			var row table.Record
			if row, err = console.Until(ctx, rows.Next); err != nil {
				break
			}
			if row.Err != nil {
				err = fmt.Errorf("line %d: %w", row.Line, row.Err)
			} else if !yield(rows.task(row), nil) {
				return
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(Task{}, err)
		}
	}
}

// sheetRows are the rows of a sheet.
type sheetRows struct {
	sheet
	*table.Records
	fields []string // of the columns
}

// open reads the header line.
func (s sheet) open(ctx context.Context, in io.Reader) (*sheetRows, error) {
	return console.Until(ctx, func() (*sheetRows, error) {
		records, fields, err := table.NewRecords(in, 0)
		if err != nil {
			return nil, err
		}
		rows := &sheetRows{s, records, fields}
		return rows, rows.checkFields()
	})
}

func (r *sheetRows) checkFields() error {
	for i, name := range r.fields {
		if err := r.CheckText(name); err != nil {
			return err
		}
		name = strings.TrimSpace(name)
		r.fields[i] = name
		if _, known := linkFields[name]; !known && name != "op" {
			return fmt.Errorf("the header line names %q, which is no field", name)
		}
		if slices.Contains(r.fields[:i], name) {
			return fmt.Errorf("the header line names %s twice", name)
		}
	}
	return nil
}

// task parses one row.
func (r *sheetRows) task(row table.Record) Task {
	t := ofLine(row.Line)
	if len(row.Cells) != len(r.fields) {
		t.Err = fmt.Errorf("it has %d cells in place of %d", len(row.Cells), len(r.fields))
		return t
	}
	op, code, domain, link := "create", "", "", api.Changes{}
	for i, cell := range row.Cells {
		if t.Err = r.CheckText(cell); t.Err != nil {
			return t
		}
		switch name := r.fields[i]; {
		case cell == "":
		case name == "op":
			op = cell
		case name == "short_code":
			code = cell
		case name == "domain":
			domain = cell
		default:
			if link[name], t.Err = r.value(name, cell); t.Err != nil {
				return t
			}
		}
	}
	switch op {
	case "create":
		if code != "" {
			link["short_code"], code = code, ""
		}
		if domain != "" {
			link["domain"], domain = domain, ""
		}
	case "delete":
		link = nil
	}
	t.set(op, code, domain, link)
	return t
}

// blanks separate aliases, which may have commas. A comma or semicolon before a blank is ignored.
var blanks = regexp.MustCompile(`[,;]?\s+`)

// value parses a cell. If it does not fit the field's type, the server refuses it.
func (s sheet) value(name, cell string) (any, error) {
	kind := linkFields[name]
	switch {
	case kind == reflect.TypeFor[time.Time]():
		return moment.Future.Parse(name, cell, s.now, name == "expires_at")
	case name == "aliases":
		return strings.Fields(blanks.ReplaceAllString(cell, " ")), nil
	case kind == reflect.TypeFor[[]string]():
		return strings.Split(cell, ","), nil
	case kind.Kind() == reflect.Bool:
		cell = strings.ToLower(cell)
	case kind.Kind() == reflect.String:
		return cell, nil
	}
	if value := jsontext.Value(cell); value.IsValid() {
		return value, nil
	}
	return cell, nil
}
