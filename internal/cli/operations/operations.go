// Package operations reads the operations of a bulk request from files. The server judges their
// contents.
package operations

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/moment"
)

// Task is one of many operations.
type Task struct {
	Name     string // for people
	Code     string // the short code in it, also of a new link
	Line     int    // of a file, from 1
	Op       api.Operation
	Password bool  // it sets a password, which the server takes time to hash
	Err      error // why it can't be sent
}

// Create returns the task to create a link.
func Create(name string, link api.Changes) (t Task) {
	t.Name = name
	t.set("create", "", link)
	return t
}

// set fills in the task's operation. It encodes the link, so that its size is known.
func (t *Task) set(op, code string, link api.Changes) {
	t.Op, t.Code = api.Operation{Op: op, ShortCode: code}, code
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
		bounded := &boundedReader{in, console.MaxLineBytes}
		buffered := bufio.NewReader(bounded)
		blank, first, err := firstLine(ctx, buffered)
		if err != nil || first == "" {
			if err != nil {
				yield(Task{}, err)
			}
			return
		}
		all := io.MultiReader(strings.NewReader(strings.Repeat("\n", blank)+first+"\n"), buffered)
		next := jsonTasks
		if !strings.HasPrefix(first, "{") {
			next = sheet{now: now, separator: separatorOf(first)}.tasks
		}
		for t, err := range next(ctx, all) {
			if bounded.left = console.MaxLineBytes; !yield(t, err) {
				return
			}
		}
	}
}

// firstLine returns the first line that is not blank, and the number of blank lines before it.
func firstLine(ctx context.Context, in io.Reader) (blank int, line string, err error) {
	for line, err = range console.Lines(ctx, in) {
		if line != "" || err != nil {
			break
		}
		blank++
	}
	return blank, line, err
}

// boundedReader fails after left bytes, which bounds one record.
type boundedReader struct {
	io.Reader
	left int
}

func (r *boundedReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, console.ErrLongLine
	}
	n, err := r.Reader.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
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
		Link      jsontext.Value `json:"link"`
	}
	t := ofLine(n)
	if err := json.Unmarshal([]byte(line), &op, json.RejectUnknownMembers(true)); err != nil {
		t.Err = errors.New("it must be a JSON object with op, short_code and link")
	}
	t.Op, t.Code = api.Operation{Op: op.Op, ShortCode: op.ShortCode}, op.ShortCode
	if op.Link != nil {
		var chosen struct {
			ShortCode *string `json:"short_code"`
		}
		if json.Unmarshal(op.Link, &chosen) == nil && chosen.ShortCode != nil {
			t.Code = *chosen.ShortCode
		}
		t.Op.Link = op.Link
		t.Password = bytes.Contains(op.Link, []byte(`"password"`))
	}
	return t
}

// separatorOf returns the separator of a header line. Names contain none of the possible
// separators.
func separatorOf(header string) rune {
	for _, r := range header {
		if strings.ContainsRune(",;\t", r) {
			return r
		}
	}
	return ','
}

// sheet is CSV with operations.
type sheet struct {
	now       time.Time
	separator rune
}

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
	rows := csv.NewReader(in)
	rows.Comma, rows.FieldsPerRecord = s.separator, -1
	read := func() ([]string, error) {
		return console.Until(ctx, rows.Read)
	}
	return func(yield func(Task, error) bool) {
		header, err := read()
		if err == nil {
			err = checkHeader(header)
		}
		for err == nil {
			var row []string
			if row, err = read(); err == nil {
				line, _ := rows.FieldPos(0)
				if !yield(s.task(line, header, row), nil) {
					return
				}
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(Task{}, err)
		}
	}
}

var errNotUTF8 = errors.New("it is not UTF-8; save the file in that encoding")

func checkHeader(header []string) error {
	for i, name := range header {
		if !utf8.ValidString(name) {
			return errNotUTF8
		}
		header[i] = strings.TrimSpace(name)
		if _, known := linkFields[header[i]]; !known && header[i] != "op" {
			return fmt.Errorf("the header line names %q, which is no field", header[i])
		}
		if slices.Contains(header[:i], header[i]) {
			return fmt.Errorf("the header line names %s twice", header[i])
		}
	}
	return nil
}

// task parses one row.
func (s sheet) task(n int, header, row []string) Task {
	t := ofLine(n)
	if len(row) != len(header) {
		t.Err = fmt.Errorf("it has %d cells in place of %d", len(row), len(header))
		return t
	}
	op, code, link := "create", "", api.Changes{}
	for i, cell := range row {
		switch {
		case !utf8.ValidString(cell):
			t.Err = errNotUTF8
			return t
		case cell == "":
		case header[i] == "op":
			op = cell
		case header[i] == "short_code":
			code = cell
		default:
			if link[header[i]], t.Err = s.value(header[i], cell); t.Err != nil {
				return t
			}
		}
	}
	switch op {
	case "create":
		if code != "" {
			link["short_code"], code = code, ""
		}
	case "delete":
		link = nil
	}
	t.set(op, code, link)
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
