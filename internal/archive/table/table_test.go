package table

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// convert returns what becomes of a table: its lines, with those that fail as their number and
// reason.
func convert(t *testing.T, file string, o Options) (lines []string) {
	t.Helper()
	r, err := NewReader(strings.NewReader(file), o)
	if err != nil {
		return []string{err.Error()}
	}
	for {
		row, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return lines
		case err != nil:
			return append(lines, err.Error())
		case row.Err != nil:
			lines = append(lines, fmt.Sprintf("%d %s: %v", row.Line, row.Field, row.Err))
			continue
		}
		if row.Link != nil {
			lines = append(lines, string(row.Link))
		}
		for line := range row.Clicks.Lines() {
			lines = append(lines, string(line))
		}
	}
}

func expect(t *testing.T, file string, o Options, want ...string) {
	t.Helper()
	if got := convert(t, file, o); !slices.Equal(got, want) {
		t.Errorf("%q became\n%s\nwant\n%s", file, strings.Join(got, "\n"),
			strings.Join(want, "\n"))
	}
}

// The files of other products, as their sources write them.
func TestProducts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{
			"terse",
			"short_code,domain,original_url,created_at,created_by,title,note,tags,status," +
				"starts_at,expires_at,max_clicks,click_count\r\n" +
				"sale,,https://example.com/?a=1&b=2,2026-01-02T03:04:05.000006Z,admin,'=1+1," +
				"\"two\nlines\",\"a,b\",disabled,2026-02-01T00:00:00Z,,100,5\r\n",
			[]string{`{"type":"link","part":true,"original_url":"https://example.com/?a=1&b=2",` +
				`"created_at":"2026-01-02T03:04:05.000006Z","title":"=1+1",` +
				`"note":"two\nlines","tags":["a","b"],"disabled":true,` +
				`"starts_at":"2026-02-01T00:00:00Z","expires_at":null,` +
				`"max_clicks":100,"short_code":"sale"}`},
		},
		{
			"Shlink's web client",
			`"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"` + "\n" +
				`"2024-03-01T10:00:00+01:00","s.test","caf%C3%A9","https://s.test/caf%C3%A9",` +
				`"https://example.com/","","news|shop",3` + "\n",
			[]string{
				`{"type":"link","part":true,"created_at":"2024-03-01T09:00:00Z",` +
					`"original_url":"https://example.com/","title":null,` +
					`"tags":["news","shop"],` +
					`"short_code":"café"}`,
				`{"type":"click","count":3}`,
			},
		},
		{
			"Shlink's import",
			"Long URL;Tags;Short code;Title\nhttps://example.com/;a|b;abc;Title\n",
			[]string{`{"type":"link","part":true,"original_url":"https://example.com/",` +
				`"tags":["a","b"],"title":"Title","short_code":"abc"}`},
		},
		{
			"Dub",
			"Short link,Destination URL,Clicks,Created at,Link ID,Tags,Archived\n" +
				"https://go.test/docs/sale?x=1,https://example.com/,1,2024-03-01T10:00:00.000Z," +
				"link_1,\"a, b\",No\n",
			[]string{
				`{"type":"link","part":true,"original_url":"https://example.com/",` +
					`"created_at":"2024-03-01T10:00:00Z","tags":["a","b"],"disabled":false,` +
					`"short_code":"docs/sale"}`,
				`{"type":"click"}`,
			},
		},
		{
			"Bitly",
			"Bitlink,Long URL,Title,Tags,Created,Total Clicks\n" +
				"bit.test/4kD,https://example.com/,Title,,2020-10-26T17:20:40+0000,\"1,234\"\n",
			[]string{
				`{"type":"link","part":true,"original_url":"https://example.com/",` +
					`"title":"Title","tags":null,"created_at":"2020-10-26T17:20:40Z","short_code":"4kD"}`,
				`{"type":"click","count":1234}`,
			},
		},
		{
			"YOURLS' plugin",
			"source,target,hits\r\n/ozh/,https://ozh.example/,7\r\n",
			[]string{
				`{"type":"link","part":true,"original_url":"https://ozh.example/","short_code":"ozh"}`,
				`{"type":"click","count":7}`,
			},
		},
		{
			"a dump of Kutt",
			"address,target,description,password,banned,visit_count,created_at\n" +
				"abc,https://example.com/,,$2b$10$abc,1,0,2024-03-01 10:00:00\n",
			[]string{`{"type":"link","part":true,"original_url":"https://example.com/",` +
				`"note":null,"password_hash":"$2b$10$abc","disabled":true,` +
				`"created_at":"2024-03-01T10:00:00Z","short_code":"abc"}`},
		},
		{
			"a dump of chhoto-url",
			"id\tshort_url\tlong_url\thits\texpiry_time\tnotes\n" +
				"1\tabc\thttps://example.com/\t0\t1767225600\tNote\n",
			[]string{`{"type":"link","part":true,"original_url":"https://example.com/",` +
				`"expires_at":"2026-01-01T00:00:00Z","note":"Note","short_code":"abc"}`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, c.file, Options{}, c.want...)
		})
	}
}

// A spreadsheet's encodings and line ends make no difference.
func TestEncodings(t *testing.T) {
	t.Parallel()
	const file = "original_url,title\r\nhttps://example.com/,Grüße 🎉\r\n"
	want := `{"type":"link","part":true,"original_url":"https://example.com/","title":"Grüße 🎉"}`
	wide := func(mark string, big bool) string {
		var b strings.Builder
		b.WriteString(mark)
		for _, unit := range utf16.Encode([]rune(file)) {
			if big {
				b.Write([]byte{byte(unit >> 8), byte(unit)})
			} else {
				b.Write([]byte{byte(unit), byte(unit >> 8)})
			}
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"UTF-8": file, "with a mark": "\ufeff" + file, "LF": strings.ReplaceAll(file, "\r", ""),
		"little-endian": wide("", false), "with its mark": wide("\xff\xfe", false),
		"big-endian": wide("", true), "with that one's": wide("\xfe\xff", true),
		"blank lines": "\n\r\n" + file + "\n,\n", "no last line end": strings.TrimSpace(file),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, text, Options{}, want)
		})
	}
	expect(t, "original_url,title\nhttps://a.test/,Gr\xfc\xdfe\nhttps://b.test/,b\n", Options{},
		"2 title: it is neither UTF-8 nor UTF-16; save the file in one of these encodings",
		`{"type":"link","part":true,"original_url":"https://b.test/","title":"b"}`)
	expect(t, "\xff\xfeu\x00r\x00l\x00\n\x00a\x00\x00\xd8\n\x00b\x00\n\x00", Options{},
		"2 url: it is not valid UTF-16", `{"type":"link","part":true,"original_url":"b"}`)
}

func TestColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		header  string
		fields  []Field
		columns string // or the error
		unread  string
	}{
		{"URL,Long URL,URL", nil, "original_url", "URL,URL"},
		{"url,short_url,code,Leads", nil, "original_url,short_url,short_code", "Leads"},
		{"url,Source", nil, "original_url", "Source"},
		{"a,b,Title", []Field{{"A", "original_url"}, {"title", ""}}, "original_url", "b"},
		{"url,title,c", []Field{{"c", "title"}}, "original_url,title", "title"},
		{"title,code", nil, "no column has the URLs where links lead (original_url); it has " +
			"title, code", ""},
		{"url", []Field{{"x", "title"}, {"y", "title"}}, `no column "x"; it has url`, ""},
		{"url,x", []Field{{"x", "tilte"}}, `no field "tilte"; there are original_url, ` +
			`short_code, short_url, title, note, tags, aliases, created_at, updated_at, ` +
			`starts_at, expires_at, max_clicks, disabled, expired_url, password, ` +
			`redirect_status, forward_query, forward_path, rules, clicks, day, hour`, ""},
		{"url,x,y", []Field{{"x", "title"}, {"y", "title"}}, "two columns are title", ""},
		{"", nil, "it is empty: a table begins with the names of its columns", ""},
		{strings.Repeat(",", MaxColumns), nil, "it has 1001 columns; 1000 are possible", ""},
		{"url,Gr\xfcn", nil, "line 1: it is neither UTF-8 nor UTF-16; save the file in one of " +
			"these encodings", ""},
		{`url,"title`, nil, "the names of the columns: a quote is where none may be, or the " +
			"closing one is missing", ""},
	} {
		r, err := NewReader(strings.NewReader(c.header), Options{Fields: c.fields})
		if err != nil {
			if err.Error() != c.columns {
				t.Errorf("%q: %v", c.header, err)
			}
			continue
		}
		var names []string
		for _, f := range r.columns {
			if f != nil && f != unread {
				names = append(names, f.name)
			}
		}
		columns, left := strings.Join(names, ","), strings.Join(r.Unread(), ",")
		if columns != c.columns || left != c.unread {
			t.Errorf("%q has columns %q, unread %q", c.header, columns, left)
		}
	}
}

// The document about moving has all names of columns.
func TestTheDocumentsColumns(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/moving.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || !strings.Contains(cells[1]+cells[2], "`") {
			continue
		}
		for word := range strings.FieldsFuncSeq(strings.Join(cells[1:3], ","), func(r rune) bool {
			return strings.ContainsRune(",;:`", r)
		}) {
			documented[fold(word)] = true
		}
	}
	for name, known := range byName {
		if !documented[name] {
			t.Errorf("the document does not say that %s is %s", name, known.name)
		}
	}
}

func TestDelimiters(t *testing.T) {
	t.Parallel()
	for _, delimiter := range ",;\t|" {
		file := strings.ReplaceAll("url,title,\"x;x\"\nhttps://a.test/,\"a;b|c\",\n", ",",
			string(delimiter))
		expect(t, file, Options{},
			`{"type":"link","part":true,"original_url":"https://a.test/","title":"a;b|c"}`)
	}
	expect(t, "url^title\nhttps://a.test/,^b\n", Options{Delimiter: '^'},
		`{"type":"link","part":true,"original_url":"https://a.test/,","title":"b"}`)
	for _, first := range []string{"sep=^\n", "\"SEP=^\"\r\n", "\ufeffsep=^\r\n"} {
		expect(t, first+"url^title\nhttps://a.test/,^b\n^\na^b^c\n", Options{},
			`{"type":"link","part":true,"original_url":"https://a.test/,","title":"b"}`,
			"5 : it has 3 cells in place of 2")
	}
	expect(t, "sep=;\nurl\ttitle\na\tb\n", Options{Delimiter: '\t'},
		`{"type":"link","part":true,"original_url":"a","title":"b"}`)
	expect(t, "sep=\t\nurl\ttitle\na\tb\n", Options{},
		`{"type":"link","part":true,"original_url":"a","title":"b"}`)
	expect(t, "sep=;", Options{}, "it is empty: a table begins with the names of its columns")
	expect(t, "url", Options{Delimiter: '"'}, `'"' can't separate columns`)
}

// A row that is wrong costs nothing but itself.
func TestBrokenRows(t *testing.T) {
	t.Parallel()
	expect(t, "url,created_at,max_clicks,disabled,password,rules,clicks\n"+
		"https://a.test/,yesterday,,,,,\n"+
		"https://a.test/,,-1,,,,\n"+
		"https://a.test/,,,maybe,,,\n"+
		"https://a.test/,,,,true,,\n"+
		"https://a.test/,,,,,{,\n"+
		"https://a.test/,,,,,,1.5\n"+
		"https://a.test/,b\n"+
		"https://a.test/,a\"b,,,,,\n"+
		"\"https://a.test/\"b,,,,,,\n"+
		"https://a.test/,,,,false,[],0,,\n", Options{},
		`2 created_at: created_at is "yesterday", which is no time; give the format of dates if `+
			`it is one`,
		`3 max_clicks: max_clicks is "-1"; it must be a whole number`,
		`4 disabled: disabled is "maybe"; it must be true or false`,
		`5 password: password is missing: the table only says that the link has one`,
		`6 rules: rules must be a list of rules in JSON`,
		`7 clicks: clicks is "1.5"; it must be a whole number`,
		`8 : it has 2 cells in place of 7`,
		`9 : a quote is in a cell that does not begin with one`,
		`10 : a quote is where none may be, or the closing one is missing`,
		`{"type":"link","part":true,"original_url":"https://a.test/","max_clicks":null,`+
			`"disabled":null,"rules":[]}`)
	expect(t, "url,code\nhttps://a.test/,https://s.test/\n", Options{},
		`2 short_code: short_code is "https://s.test/", which has no short code`)
	expect(t, "url\n\"https://a.test/\nhttps://b.test/\n", Options{},
		"2 : a quote is where none may be, or the closing one is missing")
	expect(t, "url\nhttps://a.test/\n\"x"+strings.Repeat("\n", MaxRecord+9000), Options{},
		`{"type":"link","part":true,"original_url":"https://a.test/"}`,
		"the row after line 2: it is longer than 1048576 bytes; is a closing quote missing?")
	expect(t, "url,title\nhttps://a.test/,"+strings.Repeat("\x01", MaxRecord/4)+"\n", Options{},
		"2 : it is longer than 1048576 bytes; is a closing quote missing?")
	expect(t, strings.Repeat("x", MaxRecord+1), Options{},
		"line 1: it is longer than 1048576 bytes; is a closing quote missing?")
}

// Other products have words where there is no time and no number.
func TestNothing(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"never", "N/A", "NULL", "-", " None ", "unlimited"} {
		expect(t, "url,title,created_at,expires_at,max_clicks,clicks,day\nhttps://a.test/,"+
			strings.Repeat(","+word, 6)[1:]+"\n", Options{}, `{"type":"link","part":true,`+
			`"original_url":"https://a.test/","title":"`+strings.TrimSpace(word)+
			`","expires_at":null,"max_clicks":null}`)
	}
}

// A dot between thousands is no decimal point.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"1234": "1234", "1.234": "1234", "1.234.567": "1234567", "1,234,567": "1234567",
		"1'234": "1234", "1 234": "1234",
		"1.23": "", "1.2345": "", "1.234,5": "", "1.234,567": "", "1234.567": "",
	} {
		line := `{"type":"link","part":true,"original_url":"https://a.test/","max_clicks":` +
			want + `}`
		if want == "" {
			line = `2 max_clicks: max_clicks is "` + cell + `"; it must be a whole number`
		}
		expect(t, "url;max_clicks\nhttps://a.test/;"+cell+"\n", Options{}, line)
	}
}

// A row that fails has its code, wherever it is, and the first reason.
func TestCodesOfBrokenRows(t *testing.T) {
	t.Parallel()
	for _, row := range []string{
		"soon,,abc,,", ",-1,,https://s.test/abc,", "soon,-1,abc,\xff,", ",,abc,,9999999999",
	} {
		r, err := NewReader(strings.NewReader("url,created_at,max_clicks,code,short_url,clicks,"+
			"day\nhttps://a.test/,"+row+",2026-01-01\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Next()
		if err != nil || got.Err == nil || got.Code != "abc" || got.Link != nil ||
			strings.HasPrefix(row, "soon") != (got.Field == "created_at") {
			t.Errorf("%q: %+v, %v", row, got, err)
		}
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	const unknown = "which is no time; give the format of dates if it is one"
	const ambiguous = "which may be two dates; give the format of dates"
	for _, c := range []struct {
		format, cell, want string
		day                bool
	}{
		{"", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", false},
		{"", "2026-01-02t03:04:05.1234567+01:00", "", false},
		{"", "2026-01-02T03:04:05.1234567+01:00", "2026-01-02T02:04:05.123456Z", false},
		{"", "2020-10-26T17:20:40+0000", "2020-10-26T17:20:40Z", false},
		{"", "2026-01-02T03:04", "2026-01-02T02:04:00Z", false},
		{"", "2026-01-02 03:04:05", "2026-01-02T02:04:05Z", false},
		{"", "2026-07-02 03:04:05,5 UTC", "2026-07-02T03:04:05.5Z", false},
		{"", "2026-01-02 03:04:05.999999-07", "2026-01-02T10:04:05.999999Z", false},
		{"", "2026-01-02", "2026-01-01T23:00:00Z", true},
		{"", "2026/1/2 3:04", "2026-01-02T02:04:00Z", false},
		{"", "02.01.2026 15:04", "2026-01-02T14:04:00Z", false},
		{"", "2.1.2026", "2026-01-01T23:00:00Z", true},
		{"", "Jan 2, 2026", "2026-01-01T23:00:00Z", true},
		{"", "January 2, 2026 at 3:04 PM", "2026-01-02T14:04:00Z", false},
		{"", "Jan 2, 2026, 12:04 a.m.", "2026-01-01T23:04:00Z", false},
		{"", "Fri, 02 Jan 2026 15:04:05 GMT", "2026-01-02T15:04:05Z", false},
		{"", "31/12/2026", "2026-12-30T23:00:00Z", true},
		{"", "12/31/2026 3:04:05 PM", "2026-12-31T14:04:05Z", false},
		{"", "7/7/2026", "2026-07-06T22:00:00Z", true},
		{"", "01/02/2026", ambiguous, false},
		{"", "31/31/2026", unknown, false},
		{"", "1767225600", "2026-01-01T00:00:00Z", false},
		{"", "1767225600001", "2026-01-01T00:00:00.001Z", false},
		{"", "1767225600000001", "2026-01-01T00:00:00.000001Z", false},
		{"", "12345", unknown, false},
		{"", "32.13.2026", unknown, false},
		{"", "2026-02-30", unknown, false},
		{"", "2026-01-02 25:00", unknown, false},
		{"", "2026-01-02 13:00 PM", unknown, false},
		{"", "02.01.26", unknown, false},
		{"", "0000-01-01T00:00:00Z", unknown, false},
		{"", "soon", unknown, false},
		{"%d/%m/%Y", "1/2/2026", "2026-01-31T23:00:00Z", true},
		{"%m/%d/%y %I:%M %p", "1/2/26 3:04 PM", "2026-01-02T14:04:00Z", false},
		{"%d.%m.%Y %T.%f", "02.01.2026 03:04:05.123456", "2026-01-02T02:04:05.123456Z", false},
		{"%Y%m%d %H:%M %z", "20260102 03:04 -0100", "2026-01-02T04:04:00Z", false},
		{"%d/%m/%Y", "2026-01-02", "which does not fit the format %d/%m/%Y", false},
	} {
		parser, err := newTimes(Options{DateFormat: c.format, Zone: berlin})
		if err != nil {
			t.Fatal(err)
		}
		at, day, err := parser.parse(c.cell)
		got := at.UTC().Format(time.RFC3339Nano)
		if err != nil {
			_, got, _ = strings.Cut(err.Error(), ", ")
			if strings.HasPrefix(c.want, "2") {
				t.Errorf("%q: %v", c.cell, err)
			}
		}
		if c.want != "" && got != c.want || err == nil && day != c.day {
			t.Errorf("%s %q: %s, day: %t; want %s, %t", c.format, c.cell, got, day, c.want, c.day)
		}
	}
	for _, format := range []string{"%H:%M", "%s", "%Y-%m-%d %Z", "x", "%Y-%m"} {
		if _, err := newTimes(Options{DateFormat: format}); err == nil {
			t.Errorf("the format %q is accepted", format)
		}
	}
	expect(t, "url,starts_at,expires_at\nx,2026-03-29,2026-03-29\n", Options{Zone: berlin},
		`{"type":"link","part":true,"original_url":"x","starts_at":"2026-03-28T23:00:00Z",`+
			`"expires_at":"2026-03-29T21:59:59.999999Z"}`)
}

// Totals of days and hours become single clicks, always the same ones. Others stay together.
func TestClicks(t *testing.T) {
	t.Parallel()
	expect(t, "code,url,day,clicks\na,x,2026-01-02,3\na,x,2026-01-03,1\nb,x,2026-01-03,1\n",
		Options{},
		`{"type":"link","part":true,"original_url":"x","short_code":"a"}`,
		`{"type":"click","time":"2026-01-02T12:00:00Z"}`,
		`{"type":"click","time":"2026-01-02T06:00:00Z"}`,
		`{"type":"click","time":"2026-01-02T18:00:00Z"}`,
		`{"type":"click","time":"2026-01-03T12:00:00Z"}`,
		`{"type":"link","part":true,"original_url":"x","short_code":"b"}`,
		`{"type":"click","time":"2026-01-03T12:00:00Z"}`)
	expect(t, "url,hour,clicks\nx,2026-01-02 03:00,2\n", Options{},
		`{"type":"link","part":true,"original_url":"x"}`,
		`{"type":"click","time":"2026-01-02T03:30:00Z"}`,
		`{"type":"click","time":"2026-01-02T03:15:00Z"}`)
	expect(t, "url,clicks\nx,250000000\n", Options{},
		`{"type":"link","part":true,"original_url":"x"}`,
		`{"type":"click","count":100000000}`, `{"type":"click","count":100000000}`,
		`{"type":"click","count":50000000}`)
	expect(t, "url,day,clicks\nx,2026-01-02,10000001\n", Options{},
		"2 clicks: clicks is above 10000000 in one day or hour")

	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "url,day,clicks\nx,2026-03-29,1\n", Options{Zone: berlin}, // of 23 hours
		`{"type":"link","part":true,"original_url":"x"}`,
		`{"type":"click","time":"2026-03-29T10:30:00Z"}`)

	seen := map[time.Duration]bool{}
	for i := range uint32(100_000) {
		at := offset(time.Hour, i+1)
		if at <= 0 || at >= time.Hour || seen[at] {
			t.Fatalf("click %d is at %v", i+1, at)
		}
		seen[at] = true
	}
}

// FuzzReader checks that whatever a file has in it, its lines are JSON objects, and its rows are in
// order.
func FuzzReader(f *testing.F) {
	for _, file := range []string{
		"url,code,tags,created_at,clicks\nhttps://a.test/,abc,a|b,2026-01-02,3\n",
		"\xff\xfeu\x00r\x00l\x00\n\x00a\x00", "url;day;clicks\nx;1.2.2026;2\n", "\n\n", "url\n\"",
		"url,rules,aliases,password\nx,\"[{\"\"name\"\":1}]\",a b,x\n",
	} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file string) {
		r, err := NewReader(strings.NewReader(file), Options{})
		if err != nil {
			return
		}
		for line := 0; ; {
			row, err := r.Next()
			if err != nil {
				return
			}
			if row.Line <= line {
				t.Fatalf("line %d comes after line %d", row.Line, line)
			}
			line = row.Line
			if row.Err != nil {
				if !utf8.ValidString(row.Err.Error()) {
					t.Fatalf("line %d: %q", line, row.Err)
				}
				continue
			}
			if row.Link != nil && !jsontext.Value(row.Link).IsValid() {
				t.Fatalf("line %d became %q", line, row.Link)
			}
			n := 0
			for click := range row.Clicks.Lines() {
				if !jsontext.Value(click).IsValid() {
					t.Fatalf("line %d has the click %q", line, click)
				}
				if n++; n == 10 {
					break
				}
			}
		}
	})
}
