package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"terse"
	"terse/internal/text/jsonbody"
)

// MaxLine bounds a line, in bytes without its line break. The largest link has 20 rules with long
// URLs, and 100 changes of its rules.
const MaxLine = 1 << 20

// A Reader reads lines: the Source of an export. It passes over blank ones, but counts them.
type Reader struct {
	from    *bufio.Reader
	decoder *jsontext.Decoder
	long    []byte // a line that is longer than the buffer of from
	line    Line
}

// Line is a JSON object with a type. What it refers to is valid until the next one is read.
type Line struct {
	Number int64  // of the line, or of the row or record that it comes from, from 1
	Text   []byte // without the line break; nil if it is longer than MaxLine
	Type   string // "" if there is none
	Fields []Field
	// Err says why the line can't be read, maybe as a *LineError. The line has no Type and Fields
	// then.
	Err error
	// Notes say what a source has left out. A line without Type and Text is there for its notes
	// about the link above.
	Notes []error
	// IsMoved says that a source has put the link on another domain than Origin, "" for the default
	// one, where its line had it.
	IsMoved bool
	Origin  string
}

// ShortCode returns the short code of a link line, "" if it has none.
func (l *Line) ShortCode() string {
	for _, f := range l.Fields {
		if f.Name == "short_code" {
			code, _ := f.text() // the server says what is wrong
			return code
		}
	}
	return ""
}

// Addresses returns the short code of a link line and its aliases.
func (l *Line) Addresses() (addresses []string) {
	if code := l.ShortCode(); code != "" {
		addresses = append(addresses, code)
	}
	for _, f := range l.Fields {
		if f.Name == "aliases" {
			var aliases []string
			_ = json.Unmarshal(f.Value, &aliases) // the server says what is wrong
			addresses = append(addresses, aliases...)
		}
	}
	return addresses
}

// Field is a member of a line, other than its type.
type Field struct {
	Name  string
	Value jsontext.Value
}

// NewReader returns a Reader of a text in UTF-8. A byte order mark may say that it is in UTF-16.
func NewReader(from io.Reader) *Reader {
	plain := transform.NewReader(from, unicode.BOMOverride(transform.Nop))
	return &Reader{
		from:    bufio.NewReaderSize(plain, 64<<10),
		decoder: jsontext.NewDecoder(bytes.NewBuffer(nil)),
	}
}

// Lines implements Source.
func (r *Reader) Lines() iter.Seq2[*Line, error] { return LinesOf(r.Next) }

// Next reads the next line. After the last one its error is io.EOF; any other error is one of
// reading.
func (r *Reader) Next() (*Line, error) {
	for {
		r.skipBlank()
		text, tooLong, err := r.read()
		if err != nil {
			return nil, err
		}
		r.line.Number++
		r.line = Line{Number: r.line.Number, Fields: r.line.Fields[:0]}
		switch {
		case tooLong:
			r.line.Err = terse.Invalidf("", "the line is longer than 1 MiB")
			return &r.line, nil
		case len(bytes.TrimSpace(text)) > 0:
			r.line.Text = text
			if err := r.parse(text); err != nil {
				r.line.Type, r.line.Fields, r.line.Err = "", r.line.Fields[:0], describe(text, err)
			}
			return &r.line, nil
		}
	}
}

// skipBlank passes over blank lines. A body of a few KiB may unpack to billions of them.
func (r *Reader) skipBlank() {
	for {
		_, err := r.from.Peek(1) // fills the buffer, if that is empty
		ahead, _ := r.from.Peek(r.from.Buffered())
		blank := 0
		for blank < len(ahead) && isBlank(ahead[blank]) {
			blank++
		}
		blank = bytes.LastIndexByte(ahead[:blank], '\n') + 1 // the last one may go on
		r.line.Number += int64(bytes.Count(ahead[:blank], []byte{'\n'}))
		_, _ = r.from.Discard(blank)
		if err != nil || blank == 0 || blank < len(ahead) {
			return
		}
	}
}

func isBlank(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// read reads a line of any length, and returns it unless it is too long.
func (r *Reader) read() (text []byte, tooLong bool, err error) {
	text, err = r.from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = append(r.long[:0], text...)
		for errors.Is(err, bufio.ErrBufferFull) {
			text, err = r.from.ReadSlice('\n')
			if len(r.long) <= MaxLine+1 { // a line break may follow
				r.long = append(r.long, text...)
			}
		}
		text = r.long
	}
	if errors.Is(err, io.EOF) && len(text) > 0 {
		err = nil // the last line may lack its line break
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, fmt.Errorf("read line %d: %w", r.line.Number+1, err)
	}
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\r'})
	return text, len(text) > MaxLine, err
}

var errNoObject = terse.Invalidf("", "the line is not a JSON object")

// parse parses a text that must be one JSON object.
func (r *Reader) parse(text []byte) error {
	d := r.decoder
	d.Reset(bytes.NewBuffer(text))
	if token, err := d.ReadToken(); err != nil {
		return err
	} else if token.Kind() != jsontext.KindBeginObject {
		return errNoObject
	}
	for d.PeekKind() != jsontext.KindEndObject {
		name, err := d.ReadValue()
		if err != nil {
			return err
		}
		field := Field{Name: nameOf(name)}
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		end := int(d.InputOffset())
		field.Value = text[end-len(value) : end : end]
		if field.Name == "type" && value.Kind() == jsontext.KindString {
			r.line.Type = textOf(value)
		} else {
			r.line.Fields = append(r.line.Fields, field)
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	if _, err := d.ReadToken(); err == nil {
		return terse.Invalidf("", "the line has more than one JSON object")
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// textOf returns a JSON string's text.
func textOf(value jsontext.Value) string {
	if bytes.IndexByte(value, '\\') < 0 { // nearly always
		return string(value[1 : len(value)-1])
	}
	text, _ := jsontext.AppendUnquote(nil, value) // it was parsed before
	return string(text)
}

// nameOf returns a field's name. The usual ones cost nothing.
func nameOf(value jsontext.Value) string {
	if name, ok := usualNames[string(value)]; ok {
		return name
	}
	return textOf(value)
}

// usualNames are the names of all fields of day, counts and click lines, by their JSON.
var usualNames = func() map[string]string {
	names := map[string]string{}
	for _, name := range []string{
		"type", "date", "dimension", "counts", "people", "visitors", "clicks", "time", "count",
		"firsts", "user_agent", "address",
	} {
		names[`"`+name+`"`] = name
	}
	for d := range terse.NumDimensions {
		names[`"`+d.String()+`"`] = d.String()
	}
	return names
}()

// describe says why a line is no JSON object.
func describe(text []byte, err error) error {
	if !utf8.Valid(text) {
		return terse.Invalidf("", "the line is not UTF-8")
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return jsonbody.DescribeSyntax(syntax)
	}
	return err
}
