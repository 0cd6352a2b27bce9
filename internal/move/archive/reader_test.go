package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"terse/internal/move/archive"
)

// read returns each line of a text in words: what it says, or what is wrong with it.
func read(t *testing.T, from io.Reader) []string {
	t.Helper()
	var lines []string
	for r := archive.NewReader(from); ; {
		line, err := r.Next()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%d: %s", line.Number, inWords(line)))
	}
}

func inWords(line *archive.Line) string {
	var err error
	var notes []string
	switch line.Type {
	case archive.TypeExport:
		_, _, err = line.Export()
	case archive.TypeLink:
		var link archive.LinkLine
		link, err = line.Link(now)
		notes = link.Notes
	case archive.TypeDay:
		var day archive.DayLine
		day, err = line.Day(now)
		notes = day.Notes
	case archive.TypeCounts:
		var counts archive.CountsLine
		counts, err = line.Counts(now)
		notes = counts.Notes
	case archive.TypeClick:
		var click archive.ClickLine
		click, err = line.Click(now)
		notes = click.Notes
	case archive.TypeEnd:
		_, _, err = line.End()
	}
	switch {
	case line.Err != nil:
		return line.Err.Error()
	case err != nil:
		return err.Error()
	}
	return strings.Join(append([]string{line.Type}, notes...), "; ")
}

// titled are the fields of a change.
const titled = `"fields":{"title":{"old":null,"new":"A"}}`

func TestBadLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{
			`{"type":"link"`,
			"malformed JSON at byte 14: the text ends too early",
		},
		{
			`{"type":"link"}}`,
			"malformed JSON at byte 15: invalid character '}' at start of value",
		},
		{
			`{"type":"link"} {}`,
			"the line has more than one JSON object",
		},
		{
			`[1]`,
			"the line is not a JSON object",
		},
		{
			`"link"`,
			"the line is not a JSON object",
		},
		{
			`short_code,original_url`,
			"malformed JSON at byte 0: invalid character 's' at start of value",
		},
		{
			`{"type":"link","type":"day"}`,
			`duplicate field "type"`,
		},
		{
			"{\"type\":\"\xff\"}",
			"the line is not UTF-8",
		},
		{
			`{"type":"foo","bar":1}`,
			"foo",
		},
		{
			`{"bar":1}`,
			"",
		},
		{
			`{"type":7}`,
			"",
		},
		{
			`{"type":"export"}`,
			"the export has no version",
		},
		{
			`{"type":"export","version":2}`,
			"export version 2 is not supported",
		},
		{
			`{"type":"export","version":"1"}`,
			`field "version" must be a whole number`,
		},
		{
			`{"type":"export","version":1.0,"links":-1}`,
			"links must be 0 to 9223372036854775807",
		},
		{
			`{"type":"link","short_code":7}`,
			`field "short_code" must be a string`,
		},
		{
			`{"type":"link","created_at":"yesterday"}`,
			"link; created_at was left out: created_at must be an RFC 3339 time " +
				"such as 2026-01-31T12:00:00Z",
		},
		{
			`{"type":"link","created_at":"0000-01-01T00:00:00Z"}`,
			"link; created_at was left out: created_at must be in the years " +
				"1 to 9999, in UTC",
		},
		{
			`{"type":"link","clicks_used":-1}`,
			"clicks_used must be 0 to 1000000000",
		},
		{
			`{"type":"link","clicks_used":null,"share":null,"history":null}`,
			"link",
		},
		{
			`{"type":"link","share":"x","domain":"s.example","created_by":"me","click_count":-5}`,
			"link; share was dropped: it is not 22 to 64 characters of base64url",
		},
		{
			`{"type":"link","history":{}}`,
			"link; history was dropped: it is not a list",
		},
		{
			`{"type":"link","history":[` +
				strings.Repeat(`{"by":"me","time":"2026-01-02T03:04:05Z",`+titled+`},`, 100) +
				`{"time":"2026-01-02T03:04:06+14:00",` + titled + `}]}`,
			"link; history was cut to 100 changes",
		},
		{
			`{"type":"link","history":[{},{"time":"9999-12-31T23:59:59-14:00",` + titled + `},` +
				`{"time":"0001-01-01T00:00:00+14:00",` + titled + `},` +
				`{"time":"2026-02-01T12:00:00.000001Z",` + titled + `},` +
				`{"time":"2026-01-02T03:04:05Z","by":"a\u0000b",` + titled + `},` +
				`{"time":"2026-01-02T03:04:05Z","request_id":"` + strings.Repeat("x", 257) + `",` +
				titled + `},{"time":"2026-01-02T03:04:05Z"},5,` +
				`{"time":"2026-02-01T12:00:00Z",` + titled + `}]}`,
			"link; 8 changes of history were dropped: they must be as the API has them, by and " +
				"request_id plain text, and not from after tomorrow",
		},
		{
			`{"type":"link","password_hash":""}`,
			"password_hash must be argon2id, of at most 64 MiB, 4 passes and 4 lanes, or bcrypt, " +
				"of a cost of at most 12",
		},
		{
			`{"type":"link","password_hash":null}`,
			"link",
		},
		{
			`{"type":"link","created_at":""}`,
			"link; created_at was left out: created_at must be an RFC 3339 time such as " +
				"2026-01-31T12:00:00Z",
		},
		{
			`{"type":"day"}`,
			"date is required",
		},
		{
			`{"type":"day","date":"2026-02-30"}`,
			"date must be a day such as 2026-01-31",
		},
		{
			`{"type":"day","date":"1999-12-31"}`,
			"date must be from the year 2000 to one day ahead",
		},
		{
			`{"type":"day","date":"2026-02-02"}`,
			"date must be from the year 2000 to one day ahead",
		},
		{
			`{"type":"day","date":"2026-02-01","clicks":null,"x":1}`,
			`day; field "x" was dropped: it is not known`,
		},
		{
			`{"type":"day","date":"2026-01-01","clicks":-1}`,
			"clicks must be 0 to 1000000000000000",
		},
		{
			`{"type":"day","date":"2026-01-01","visitors":1.5}`,
			`field "visitors" must be a whole number`,
		},
		{
			`{"type":"counts","date":"2026-01-01"}`,
			"dimension is required",
		},
		{
			`{"type":"counts","date":"2026-01-01","dimension":"country"}`,
			"counts is required",
		},
		{
			`{"type":"counts","date":"2026-01-01","dimension":"shoe","counts":{}}`,
			`counts; dimension "shoe" was dropped: it is not known`,
		},
		{
			`{"type":"counts","date":"2026-01-01","dimension":"country","counts":[]}`,
			`field "counts" must be an object of counts`,
		},
		{
			`{"type":"counts","date":"2026-01-01","dimension":"country","counts":{"de":1,"QQQ":2,` +
				`"XX":3},"people":{"QQQ":2}}`,
			`counts; country was dropped: it can not be "QQQ"`,
		},
		{
			`{"type":"counts","date":"2026-01-01","dimension":"country","counts":{"DE":1},` +
				`"people":{"DE":2}}`,
			`people of "DE" must be at most its counts`,
		},
		{
			`{"type":"counts","date":"2026-01-01","dimension":"country","counts":{"DE":1},` +
				`"visitors":{"FR":1}}`,
			`visitors of "FR" must be at most its counts`,
		},
		{
			`{"type":"click","count":3}`,
			"click",
		},
		{
			`{"type":"click","time":"1999-12-31T23:59:59Z"}`,
			"time must be from the year 2000 to one day ahead",
		},
		{
			`{"type":"click","time":"2026-02-01T12:00:00.000001Z"}`,
			"time must be from the year 2000 to one day ahead",
		},
		{
			`{"type":"click","time":"2026-02-01T12:00:00Z","count":0}`,
			"count must be 1 to 1000000000",
		},
		{
			`{"type":"click","time":"2026-02-01T12:00:00Z","firsts":2}`,
			"firsts must be at most count",
		},
		{
			`{"type":"click","time":"2026-02-01T12:00:00Z","count":1e1,"firsts":1E1,"foo":2}`,
			`click; field "foo" was dropped: it is not known`,
		},
		{
			`{"type":"click","time":"2026-01-01T12:00:00Z","country":7}`,
			`field "country" must be a string`,
		},
		{
			`{"type":"click","time":"2026-01-01T12:00:00Z","country":null,"device":"Mobile"}`,
			"click",
		},
		{
			`{"type":"click","time":"2026-01-01T12:00:00Z","device":"fridge","visitor":"Martian",` +
				`"referrer":"news","language":"deutsch","source":" a","city":"a\tb"}`,
			`click; device was dropped: it can not be "fridge"; ` +
				`visitor was dropped: it can not be "Martian"; ` +
				`referrer was dropped: it can not be "news"; ` +
				`language was dropped: it can not be "deutsch"; ` +
				`source was dropped: it can not be " a"; ` +
				`city was dropped: it can not be "a\tb"`,
		},
		{
			`{"type":"click","time":"2026-01-01T12:00:00Z","referrer":"other","language":"other",` +
				`"referrer_host":"anything","user_agent":"curl/8","address":"192.0.2.1"}`,
			"click",
		},
	} {
		text, want := test.text, test.want
		got := read(t, strings.NewReader(text+"\n"))
		if len(got) != 1 || got[0] != "1: "+want {
			t.Errorf("%s:\n got %q\nwant %q", text, got, "1: "+want)
		}
	}
}

// TestLines reads what is no line of its own, lines that are too long, and other encodings.
func TestLines(t *testing.T) {
	t.Parallel()
	long := `{"type":"click","time":"2026-01-01T00:00:00Z","city":"` +
		strings.Repeat("a", archive.MaxLine) + `"}`
	full := `{"type":"link","title":"` + strings.Repeat("a", archive.MaxLine-26) + `"}`
	if len(full) != archive.MaxLine {
		t.Fatal(len(full))
	}
	text := "\n  \r\n" + full + "\r\n" + long + "\n\n{\"type\":\"end\"}\n" + full + "a\n{}"
	want := []string{
		"3: link", "4: the line is longer than 1 MiB", "6: end",
		"7: the line is longer than 1 MiB", "8: ",
	}
	if got := read(t, strings.NewReader(text)); !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
	wide := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	encoded, err := wide.NewEncoder().String("{\"type\":\"link\",\"title\":\"Grüße\"}\n{}\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{encoded, "\uFEFF{\"type\":\"link\"}\n{}"} {
		if got := read(t, strings.NewReader(text)); !slices.Equal(got, []string{"1: link", "2: "}) {
			t.Errorf("%q: %q", text, got)
		}
	}
	// A line of any length takes no memory, and a failure to read is no end.
	endless := io.MultiReader(io.LimitReader(as{}, 64<<20), failing{})
	r := archive.NewReader(endless)
	if _, err := r.Next(); !errors.Is(err, errFailing) {
		t.Errorf("error %v, want %v", err, errFailing)
	}
}

// as is a text without an end.
type as struct{}

func (as) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

var errFailing = errors.New("no more")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errFailing }

// Blank lines are counted, wherever the buffers end.
func TestBlankLines(t *testing.T) {
	t.Parallel()
	const blank = "\n\r\n \t\n\v\f\n"
	for _, lines := range []int{0, 1, 3, 16 << 10, 100_000} {
		text := "\uFEFF" + strings.Repeat(blank, lines) + "  {\"a\":1}\n" +
			strings.Repeat(" ", 100_000) + "\n" + strings.Repeat(blank, lines) + "{}" +
			strings.Repeat(blank, lines) + "  "
		got := read(t, strings.NewReader(text))
		first := 4*lines + 1
		want := []string{fmt.Sprintf("%d: ", first), fmt.Sprintf("%d: ", first+2+4*lines)}
		if !slices.Equal(got, want) {
			t.Errorf("%d blank lines: %q, want %q", lines, got, want)
		}
	}
}

// BenchmarkBlankLines reads MiBs of line breaks.
func BenchmarkBlankLines(b *testing.B) {
	text := bytes.Repeat([]byte("\n"), 16<<20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := archive.NewReader(bytes.NewReader(text)).Next(); !errors.Is(err, io.EOF) {
			b.Fatal(err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(small))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := archive.NewReader(strings.NewReader(string(text)))
		for {
			line, err := r.Next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
				return
			}
			_ = inWords(line)
		}
	})
}
