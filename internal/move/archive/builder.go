package archive

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Builder puts a line together, for a Source that reads something else than lines: Begin, then Add
// each member, then End.
type Builder struct {
	kind    string
	text    []byte
	members []member
}

// member is a member, other than the type, whose value is in the text.
type member struct {
	name       string
	start, end int
}

// Begin begins a line of a type. The one before is not valid any more.
func (b *Builder) Begin(kind string) {
	b.kind, b.members = kind, b.members[:0]
	b.text = append(append(append(b.text[:0], `{"type":"`...), kind...), '"')
}

// Add adds a member with a value in JSON. Its name is ASCII, and none that the line has.
func (b *Builder) Add(name string, value []byte) {
	b.text = strconv.AppendQuote(append(b.text, ','), name)
	b.text = append(append(b.text, ':'), value...)
	b.members = append(b.members, member{name, len(b.text) - len(value), len(b.text)})
}

// AddInt adds a number.
func (b *Builder) AddInt(name string, value int64) {
	b.Add(name, strconv.AppendInt(nil, value, 10))
}

// AddBool adds true or false.
func (b *Builder) AddBool(name string, value bool) { b.Add(name, strconv.AppendBool(nil, value)) }

// AddNull adds null.
func (b *Builder) AddNull(name string) { b.Add(name, []byte("null")) }

// AddTime adds a time, in UTC to the microsecond.
func (b *Builder) AddTime(name string, t time.Time) {
	b.Add(name, t.UTC().AppendFormat(nil, `"2006-01-02T15:04:05.999999Z"`))
}

// AddString adds a string, which is valid UTF-8.
func (b *Builder) AddString(name, value string) { b.Add(name, appendQuoted(nil, value)) }

// AddStrings adds a list of strings.
func (b *Builder) AddStrings(name string, values []string) {
	text := []byte{'['}
	for i, value := range values {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendQuoted(text, value)
	}
	b.Add(name, append(text, ']'))
}

// End ends the line.
func (b *Builder) End() { b.text = append(b.text, '}') }

// Text returns the text of the line, which is valid until the next Begin.
func (b *Builder) Text() []byte { return b.text }

// Fill makes l the line. It is valid until the next Begin.
func (b *Builder) Fill(l *Line) {
	l.Type, l.Text, l.Fields = b.kind, b.text, l.Fields[:0]
	for _, m := range b.members {
		l.Fields = append(l.Fields, Field{m.name, jsontext.Value(b.text[m.start:m.end:m.end])})
	}
}
