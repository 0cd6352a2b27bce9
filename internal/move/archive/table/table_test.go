package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"terse/internal/move/archive"
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
		line, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return lines
		case err != nil:
			return append(lines, err.Error())
		case line.Err != nil:
			wrong, _ := errors.AsType[*archive.LineError](line.Err)
			lines = append(lines, fmt.Sprintf("%d %s: %v", line.Number, wrong.Field, line.Err))
			continue
		}
		for _, note := range line.Notes {
			lines = append(lines, fmt.Sprintf("%d was: %v", line.Number, note))
		}
		if line.Text != nil {
			lines = append(lines, string(line.Text))
			wantParsed(t, line)
		}
	}
}

// wantParsed fails unless a line says what its text does, which the command line sends.
func wantParsed(t *testing.T, line *archive.Line) {
	t.Helper()
	parsed, err := archive.NewReader(bytes.NewReader(line.Text)).Next()
	if err != nil || parsed.Err != nil {
		t.Fatalf("line %d can't be read: %v, %v: %s", line.Number, err, parsed, line.Text)
	}
	same := func(a, b archive.Field) bool {
		return a.Name == b.Name && bytes.Equal(a.Value, b.Value)
	}
	if parsed.Type != line.Type || !slices.EqualFunc(parsed.Fields, line.Fields, same) {
		t.Fatalf("line %d is a %s of %s, its text is %s", line.Number, line.Type, line.Fields,
			line.Text)
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
				"\"\n two\nlines\n\",\"a,b\",disabled,2026-02-01T00:00:00Z,,100,5\r\n",
			[]string{`{"type":"link","part":true,"original_url":"https://example.com/?a=1&b=2",` +
				`"created_at":"2026-01-02T03:04:05.000006Z","created_by":"admin","title":"=1+1",` +
				`"note":"\n two\nlines\n","tags":["a","b"],` +
				`"starts_at":"2026-02-01T00:00:00Z","expires_at":null,` +
				`"max_clicks":100,"disabled":true,"short_code":"sale"}`},
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
					`"created_at":"2024-03-01T10:00:00Z","tags":["a","b"],"archived":null,` +
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
					`"title":"Title","tags":null,"created_at":"2020-10-26T17:20:40Z",` +
					`"short_code":"4kD"}`,
				`{"type":"click","count":1234}`,
			},
		},
		{
			"YOURLS' plugin",
			"source,target,hits\r\n/ozh/,https://ozh.example/,7\r\n",
			[]string{
				`{"type":"link","part":true,"original_url":"https://ozh.example/",` +
					`"short_code":"ozh"}`,
				`{"type":"click","count":7}`,
			},
		},
		{
			"a dump of Kutt",
			"address,target,description,password,banned,visit_count,created_at\n" +
				"abc,https://example.com/,,$2b$10$abc,1,0,2024-03-01 10:00:00\n",
			[]string{`{"type":"link","part":true,"original_url":"https://example.com/",` +
				`"note":null,"password_hash":"$2b$10$abc","created_at":"2024-03-01T10:00:00Z",` +
				`"disabled":true,"short_code":"abc"}`},
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
	wideOf := func(mark, file string, big bool) string {
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
	wide := func(mark string, big bool) string { return wideOf(mark, file, big) }
	for name, text := range map[string]string{
		"UTF-8": file, "with a mark": "\ufeff" + file, "LF": strings.ReplaceAll(file, "\r", ""),
		"little-endian": wide("", false), "with its mark": wide("\xff\xfe", false),
		"big-endian": wide("", true), "with that one's": wide("\xfe\xff", true),
		"CR": strings.ReplaceAll(file, "\n", ""), "CR in UTF-16": wideOf("\xff\xfe",
			strings.ReplaceAll(file, "\n", ""), false),
		"sep= and CR": "sep=,\r" + strings.ReplaceAll(file, "\n", ""),
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
	expect(t, "\xff\xfeu\x00r\x00l\x00\n\x00a\x00\x00\xd8\n\x00b\x00\n\x00",
		Options{Fields: []Field{{"url", "original_url"}}},
		"2 url: it is not valid UTF-16", `{"type":"link","part":true,"original_url":"b"}`)
}

func TestColumns(t *testing.T) {
	t.Parallel()
	const url = "https://a.test/"
	for _, c := range []struct {
		header, row string
		fields      []Field
		columns     string // or the error
		unread      string
	}{
		{"URL,Long URL,URL", url + "," + url + "," + url, nil, ",original_url,", "URL,URL"},
		{
			"url,short_url,code,Leads", url + ",,,", nil, "original_url,short_url,short_code,",
			"Leads",
		},
		{"url,Source", url + ",news", nil, "original_url,", "Source"},
		{
			"a,b,Title", url + ",,",
			[]Field{{"A", "original_url"}, {"title", ""}},
			"original_url,,", "b",
		},
		{"url,title,c", url + ",,", []Field{{"c", "title"}}, "original_url,,title", "title"},
		{
			"title,code", "a,b", nil, "no column is known to have the URLs where links " +
				"lead; it has title, code", "",
		},
		{"url", url, []Field{{"x", "title"}, {"y", "title"}}, `no column "x"; it has url`, ""},
		{"url,x", url + ",", []Field{{"x", "tilte"}}, `no field "tilte"; there are original_url, ` +
			`short_code, short_url, domain, title, note, tags, aliases, created_at, ` +
			`created_by, updated_at, starts_at, expires_at, max_clicks, disabled, archived, ` +
			`status, expired_url, password, redirect_status, forward_query, forward_path, ` +
			`rules, clicks, day, hour`, ""},
		{
			"url,x,y", url + ",,",
			[]Field{{"x", "title"}, {"y", "title"}},
			"two columns are title", "",
		},
		{"url,=", url + ",", []Field{{"", "title"}}, "original_url,title", ""},
		{strings.Repeat(",", MaxColumns), "", nil, "it has 1001 columns; 1000 are possible", ""},
		{"url,Gr\xfcn", url + ",", nil, "line 1: it is neither UTF-8 nor UTF-16; save the file " +
			"in " +
			"one of these encodings", ""},
		{`url,"title`, "", nil, "the names of the columns: a quote is where none may be, or the " +
			"closing one is missing", ""},
		{"", "", nil, "the table has no rows", ""},
		{"url,title", "", nil, "the table has no rows", ""},
		{"url,title", ",\n\n,", nil, "the table has no rows", ""},

		// What is in a column says what it can be.
		{"url,title,target", url + ",A,_blank", nil, "original_url,title,", "target"},
		{"target,url", ",https://a.test/", nil, ",original_url", "target"},
		{"url,title", "ftp://a.test/,", nil, "original_url,title", ""},
		{"url,title", "a.test/b,", nil, "original_url,title", ""},
		{"source,target,code", "/spring," + url + ",301", nil, "short_code,original_url,", "code"},
		{"Source URL,Target URL", "t.test/a," + url, nil, "short_code,original_url", ""},
		{"source,where,Target", "/a," + url + "," + url, nil, "short_code,,original_url", "where"},
		{"source,where,there", "/a," + url + "," + url, nil, "short_code,original_url,", "there"},
		{"source,link", "/a," + url, nil, "short_code,original_url", ""},
		{
			"Source URL,Short URL", "https://a.test/b,https://t.test/a", nil,
			`no column is known to have the URLs where links lead, but "Source URL" could`,
			"",
		},
		{"source,slug,url", "/a,b," + url, nil, ",short_code,original_url", "source"},
		{"url,clicks,created_at", url + ",many,soon", nil, "original_url,,", "clicks,created_at"},
		{"url,created_at", url + ",01/02/2026", nil, "original_url,created_at", ""},
		{
			"url,expires_at,starts_at,max_clicks,password,disabled,Archived,Banned,Inactive",
			url + ",soon,soon,few,yes,maybe,maybe,no,no", nil,
			"original_url,expires_at,starts_at,max_clicks,password,disabled,archived,disabled," +
				"disabled", "",
		},
		{"url,status", url + ",1", nil, "original_url,", "status"},
		{"url,status", url + ",publish", nil, "original_url,", "status"},
		{"url,State", url + ",LIVE", nil, "original_url,status", ""},
		{"url,status,state", url + ",200,off", nil, "original_url,,status", "status"},
		{"url,title,Name", url + ",,A", nil, "original_url,,title", "title"},
		{"url,code,slug", url + ",a,b", nil, "original_url,short_code,", "slug"},
		{"url,slug,code", url + ",a,b", nil, "original_url,,short_code", "slug"},
		{"url,slug,keyword", url + ",a,b", nil, "original_url,short_code,", "keyword"},
		{
			"url,Custom Back-Half,Clicks total", url + ",a,3", nil,
			"original_url,short_code,clicks",
			"",
		},
		{"url;short_id", url + ";37r", nil, "original_url,short_code", ""},
	} {
		r, err := NewReader(strings.NewReader(c.header+"\n"+c.row), Options{Fields: c.fields})
		if err != nil {
			if err.Error() != c.columns {
				t.Errorf("%q: %v", c.header, err)
			}
			continue
		}
		var names []string
		for _, column := range r.Columns() {
			names = append(names, column.Field)
		}
		columns, left := strings.Join(names, ","), strings.Join(r.Unread(), ",")
		if columns != c.columns || left != c.unread {
			t.Errorf("%q has columns %q, unread %q", c.header, columns, left)
		}
	}
}

// A column is known by nine in ten of its first thousand cells that are not empty.
func TestSample(t *testing.T) {
	t.Parallel()
	for good, fields := range map[int]string{9: "created_at", 8: ""} {
		var rows strings.Builder
		for n := range 1500 {
			created := "2026-01-02"
			if n >= 100*good {
				created = "soon"
			}
			fmt.Fprintf(&rows, "https://a.test/%d,%s\n", n, created)
		}
		r, err := NewReader(strings.NewReader("url,created\n"+rows.String()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Columns()[1].Field; got != fields {
			t.Errorf("with %d in ten the column is %q", good, got)
		}
		n := 0
		for {
			line, err := r.Next()
			if err != nil {
				break
			}
			if n++; line.Number != int64(n+1) {
				t.Fatalf("row %d is of line %d", n, line.Number)
			}
		}
		if n != 1500 {
			t.Errorf("there are %d rows", n)
		}
	}
	long := strings.Repeat("ä", 100)
	r, err := NewReader(strings.NewReader("url,title,Leads\nhttps://a.test/,,\nhttps://a.test/,"+
		long+
		",'=1\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Column{
		{"url", "original_url", "https://a.test/", ""},
		{"title", "title", long[:2*MaxExample], ""},
		{"Leads", "", "=1", ""},
	}
	if got := r.Columns(); !slices.Equal(got, want) {
		t.Errorf("columns %+v", got)
	}
	// Rows of 1 MiB are not all kept.
	wide := "https://a.test/," + strings.Repeat("x", 1<<19) + "\n"
	r, err = NewReader(strings.NewReader("url,x\n"+strings.Repeat(wide, 20)), Options{})
	if err != nil || len(r.ahead) != 9 && len(r.ahead) != 8 {
		t.Errorf("%d rows are kept, %v", len(r.ahead), err)
	}
}

// Codes that would be lost are asked about.
func TestDoubt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, said string
		fields           []Field
	}{
		{"codes in an unknown column", "url,kurz\nhttps://a.test/,a\nhttps://a.test/,b\n" +
			"https://a.test/,c\n", `no column is known to have short codes, but "kurz" could: ` +
			`-m kurz=short_code if it has them, -m kurz= if it has none, or -y if each new link ` +
			`is to get a code of its own`, nil},
		{"short URLs", "url,x,y\nhttps://a.test/,a b,t.test/1\nhttps://a.test/,b,t.test/2\n" +
			"https://a.test/,c,https://t.test/3\n", `"y" could`, nil},
		{"two cells", "url,x\nhttps://a.test/,a\nhttps://a.test/,b\nhttps://a.test/,\n", "", nil},
		{"equal ones", "url,x\nhttps://a.test/,a\nhttps://a.test/,b\nhttps://a.test/,b\n", "", nil},
		{
			"blanks", "url,x\nhttps://a.test/,a b\nhttps://a.test/,b c\nhttps://a.test/,c d\n", "",
			nil,
		},
		{"one that is answered", "url,x\nhttps://a.test/,a\nhttps://a.test/,b\n" +
			"https://a.test/,c\n", "", []Field{{"x", ""}}},
		{"beside codes", "url,code,x\nhttps://a.test/,d,a\nhttps://a.test/,e,b\n" +
			"https://a.test/,f,c\n", "", nil},
		{"one code for two URLs", "url,code\nhttps://a.test/,a\nhttps://b.test/,a\n" +
			"https://c.test/,b\nhttps://d.test/,c\nhttps://e.test/,d\n", `1 of the first 5 rows ` +
			`have a short code ("code") that a row before has with another URL: -m code= if ` +
			`these ` +
			`are no codes, or -y if they are to be imported as they are`, nil},
		{
			"fewer", "url,code\nhttps://a.test/,a\nhttps://b.test/,a\n" +
				"https://c.test/,b\nhttps://d.test/,c\nhttps://e.test/,d\nhttps://f.test/,e\n", "",
			nil,
		},
		{"the same URL", "url,code\nhttps://a.test/,a\nhttps://a.test/,a\n", "", nil},
	} {
		r, err := NewReader(strings.NewReader(c.file), Options{Fields: c.fields})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		said := ""
		if d := r.Doubt(); d != nil {
			said = d.Ask(after("-m "), "-y")
		}
		if (said == "") != (c.said == "") || !strings.Contains(said, c.said) {
			t.Errorf("%s: %s", c.name, said)
		}
	}
	var trial Trial
	for _, problem := range []string{"", "", "original URL is bad", "short code already exists"} {
		trial.Add("", problem)
	}
	if d := trial.Doubt(); d != nil {
		t.Errorf("of half of the rows it says %s", d.Ask(strings.ToUpper, ""))
	}
	trial.Add("day", "?")
	trial.Add("", "original URL is bad")
	if d := trial.Doubt(); d == nil || !strings.HasPrefix(d.Ask(after("map="), "guess=true"), "4 "+
		"of the first 6 rows would fail or be skipped (original_url 2, day 1, short_code 1): "+
		"map=COLUMN=FIELD") {
		t.Errorf("%+v", d)
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p          Parameters
		name, said string
	}{
		{Parameters{}, "", ""},
		{Parameters{
			Map: []string{"a=b=title", "c="}, TimeZone: "Europe/Berlin",
			DateFormat: "%d.%m.%Y", Delimiter: "tab",
		}, "map", ""},
		{Parameters{Map: []string{"a"}}, "map", `map is "a"; it must be a column, = and a field`},
		{
			Parameters{TimeZone: "Local"},
			"time_zone",
			`time_zone is "Local"; it must be an IANA time zone such as Europe/Berlin`,
		},
		{
			Parameters{DateFormat: "%d"},
			"date_format",
			`date_format is "%d"; it must be a strftime ` +
				`pattern with year, month and day such as %d.%m.%Y %H:%M, and %z for a zone`,
		},
		{
			Parameters{Delimiter: ";;"},
			"delimiter",
			`delimiter is ";;"; it must be one character, or tab`,
		},
		{
			Parameters{Delimiter: `"`},
			"delimiter",
			`delimiter is "\""; it must be one character, or tab`,
		},
	} {
		o, err := c.p.Options()
		said := ""
		if err != nil {
			said = err.Error()
		}
		if c.p.Given() != c.name || said != c.said {
			t.Errorf("%+v: %q is given, %q", c.p, c.p.Given(), said)
		}
		if c.p.DateFormat == "%d.%m.%Y" && (o.Delimiter != '\t' ||
			o.Zone.String() != "Europe/Berlin" ||
			!slices.Equal(o.Fields, []Field{{"a=b", "title"}, {"c", ""}})) {
			t.Errorf("%+v", o)
		}
	}
}

// The document about moving has all names of columns, those of each field in the order in which
// they are preferred.
func TestTheDocumentsColumns(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../docs/moving.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 || !strings.Contains(cells[1]+cells[2], "`") {
			continue
		}
		var names []string
		for word := range strings.FieldsFuncSeq(cells[2], func(r rune) bool {
			return strings.ContainsRune(",;:`(", r)
		}) {
			names = append(names, fold(word))
			documented[fold(word)] = true
		}
		_, field, _ := strings.Cut(cells[1], "`")
		field, _, _ = strings.Cut(field, "`")
		known, ok := byName[fold(field)]
		names = slices.DeleteFunc(names, func(name string) bool { return byName[name].rank == 0 })
		if ok && !slices.Equal(names, known.names) {
			t.Errorf("the document has %q for %s, in place of %q", names, field, known.names)
		}
		documented[fold(field)] = true
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
	const tabs, link = "url\ttitle\nhttps://a.test/\tb\n",
		`{"type":"link","part":true,"original_url":"https://a.test/","title":"b"}`
	expect(t, "sep=;\n"+tabs, Options{Delimiter: '\t'}, link)
	expect(t, "sep=\t\n"+tabs, Options{}, link)
	expect(t, "sep=;", Options{}, "the table has no rows")
	expect(t, "url", Options{Delimiter: '"'}, `'"' can't separate columns`)
}

// A row that is wrong costs nothing but itself, and a less important cell only itself.
func TestBrokenRows(t *testing.T) {
	t.Parallel()
	fine := strings.Repeat("https://a.test/,2026-01-02,2026-01-02,,,,[],1,2026-01-02\n", 90)
	good := `{"type":"link","part":true,"original_url":"https://a.test/",` +
		`"created_at":"2026-01-02T00:00:00Z","starts_at":"2026-01-02T00:00:00Z",` +
		`"max_clicks":null,"rules":[],"disabled":null}`
	got := convert(t, "url,created_at,starts_at,max_clicks,disabled,password,rules,clicks,day\n"+
		fine+
		"https://a.test/,yesterday,,,,,,,\n"+
		"https://a.test/,,soon,,,,,,\n"+
		"https://a.test/,,,-1,,,,,\n"+
		"https://a.test/,,,,maybe,,,,\n"+
		"https://a.test/,,,,,true,,,\n"+
		"https://a.test/,,,,,,{,,\n"+
		"https://a.test/,,,,,,,1.5,\n"+
		"https://a.test/,,,,,,,1,soon\n"+
		"https://a.test/,b\n"+
		"https://a.test/,a\"b,,,,,,,\n"+
		"\"https://a.test/\"b,,,,,,,,\n"+
		"https://a.test/,,,,,false,[],0,,\n", Options{})
	const plain = `{"type":"link","part":true,"original_url":"https://a.test/",` +
		`"starts_at":null,"max_clicks":null,"rules":null,"disabled":null}`
	want := []string{
		good, `92 was: created_at was left out: it is "yesterday", which is no time; give the ` +
			`format of dates if it is one`, plain,
		`93 starts_at: starts_at is "soon", which is no time; give the format of dates if it is ` +
			`one`,
		`94 max_clicks: max_clicks is "-1"; it must be a whole number`,
		`95 disabled: disabled is "maybe"; it must be true or false`,
		`96 was: password is missing, for the table only says that there is one; so the link is ` +
			`disabled`, strings.Replace(plain, `"disabled":null`, `"disabled":true`, 1),
		`97 rules: rules must be a list of rules in JSON`,
		`98 was: clicks was left out: it is "1.5"; it must be a whole number`, plain,
		`99 day: day is "soon", which is no time; give the format of dates if it is one`,
		`100 : it has 2 cells in place of 9`,
		`101 : a quote is in a cell that does not begin with one`,
		`102 : a quote is where none may be, or the closing one is missing`,
		strings.Replace(plain, `"rules":null`, `"rules":[]`, 1),
	}
	got = slices.DeleteFunc(got, func(line string) bool {
		return strings.HasPrefix(line, `{"type":"click"`)
	})
	if !slices.Equal(got, want) {
		t.Errorf("it became\n%s", strings.Join(got, "\n"))
	}
	expect(t, "url,code\nhttps://a.test/,https://s.test/\n",
		Options{Fields: []Field{{"code", "short_code"}}},
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

// Other products have words where there is no value.
func TestNothing(t *testing.T) {
	t.Parallel()
	for _, word := range []string{
		"never", "N/A", "NULL", "-", " None ", "unlimited", "NaN", `\N`, "0000-00-00",
		"0000-00-00 00:00:00", "0000-00-00T00:00:00Z", "Null",
	} {
		title := `"` + strings.TrimSpace(word) + `"`
		code := `,"short_code":` + title
		if word == "NULL" || word == "Null" || word == `\N` {
			title, code = "null", ""
		}
		tags := "[" + title + "]"
		if title == "null" {
			tags = title
		}
		expect(t, "url,title,tags,created_at,starts_at,expires_at,max_clicks,clicks,day,disabled,"+
			"status,password,rules,redirect_status,expired_url,code\nhttps://a.test/"+
			strings.Repeat(","+word, 15)+"\n", Options{}, `{"type":"link","part":true,`+
			`"original_url":"https://a.test/","title":`+title+`,"tags":`+tags+
			`,"starts_at":null,"expires_at":null,"max_clicks":null,"rules":null,`+
			`"redirect_status":null,"expired_url":null,"disabled":null`+code+`}`)
	}
	// Nothing ends in 1970.
	for _, zero := range []string{"0", "0.0", "0.00"} {
		expect(t, "url,expires_at\nhttps://a.test/,"+zero+"\n", Options{},
			`{"type":"link","part":true,"original_url":"https://a.test/","expires_at":null}`)
	}
	expect(t, "url,starts_at\nhttps://a.test/,0\n", Options{}, `2 starts_at: starts_at is "0", `+
		`which is no time; give the format of dates if it is one`)
}

const linked = `{"type":"link","part":true,"original_url":"https://a.test/",`

// An archived link redirects. A column of its own also says that a link is not archived.
func TestArchived(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"1": "true", "TRUE": "true", "Yes": "true", "x": "true", "No": "null", "0": "null",
		"": "null",
	} {
		expect(t, "url,Archived\nhttps://a.test/,"+cell+"\n", Options{},
			linked+`"archived":`+want+`}`)
	}
	expect(t, "url,Archived\nhttps://a.test/,maybe\n", Options{},
		`2 archived: archived is "maybe"; it must be true or false`)
	expect(t, "url,status\nhttps://a.test/,Archived\nhttps://a.test/,active\n", Options{},
		linked+`"disabled":false,"archived":true}`, linked+`"disabled":false}`)
	expect(t, "url,status,disabled,archived\nhttps://a.test/,archived,yes,no\n", Options{},
		linked+`"disabled":true,"archived":true}`)
}

// Whether a link is switched off stands in several columns, or in words.
func TestStates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, cell, want string }{
		{"disabled", "1", "true"},
		{"Banned", "TRUE", "true"},
		{"Inactive", "Yes", "true"},
		{"status", "Disabled", "true"},
		{"status", "inactive", "true"},
		{"status", "expired", "true"},
		{"status", "banned", "true"},
		{"state", "off", "true"},
		{"state", "used_up", "true"},
		{"status", "active", "false"},
		{"status", "enabled", "false"},
		{"status", "on", "false"},
		{"status", "ok", "false"},
		{"status", "published", "false"},
		{"status", "live", "false"},
		{"status", "unread", "false"},
		{"status", "READ", "false"},
	} {
		expect(t, "url,"+c.name+"\nhttps://a.test/,"+c.cell+"\n", Options{},
			`{"type":"link","part":true,"original_url":"https://a.test/","disabled":`+c.want+`}`)
	}
	expect(t, "url,disabled,archived,status\nhttps://a.test/,no,yes,\nhttps://a.test/,,,on\n"+
		"https://a.test/,,no,off\n", Options{},
		linked+`"disabled":false,"archived":true}`, linked+`"disabled":false,"archived":null}`,
		linked+`"disabled":true,"archived":null}`)
	// An unknown word among known ones fails its row.
	got := convert(t, "url,status\n"+strings.Repeat("https://a.test/,on\n", 9)+
		"https://a.test/,paused\n", Options{})
	if want := `11 status: status is "paused", which is no state that is known`; len(got) != 2 ||
		got[1] != want {
		t.Errorf("it became %q", got)
	}
	// What a state means stands in the other columns, where the table has them.
	expect(t, "url,status,expires_at,max_clicks\nhttps://a.test/,expired,2026-01-02,\n"+
		"https://a.test/,expired,2999-01-02,\nhttps://a.test/,used_up,,5\n"+
		"https://a.test/,scheduled,,\n", Options{},
		linked+`"expires_at":"2026-01-02T23:59:59.999999Z","max_clicks":null,"disabled":false}`,
		linked+`"expires_at":"2999-01-02T23:59:59.999999Z","max_clicks":null,"disabled":true}`,
		linked+`"expires_at":null,"max_clicks":5,"clicks_used":5,"disabled":false}`,
		linked+`"expires_at":null,"max_clicks":null,"disabled":false}`)
	for _, cell := range []string{"yes", "True", "1"} {
		expect(t, "url,password,disabled\nhttps://a.test/,"+cell+",no\n", Options{},
			"2 was: password is missing, for the table only says that there is one; so the link "+
				"is "+
				"disabled", linked+`"disabled":true}`)
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		`["go","web"]`: `["go","web"]`, "a, b|c": `["a","b|c"]`, "a| b;c": `["a","b;c"]`,
		"a;b ;": `["a","b"]`, "a b": `["a b"]`, "[]": "[]", "[a,b]": `["[a","b]"]`,
	} {
		expect(t, "url\ttags\nhttps://a.test/\t\""+strings.ReplaceAll(cell, `"`, `""`)+"\"\n",
			Options{}, `{"type":"link","part":true,"original_url":"https://a.test/","tags":`+
				want+`}`)
	}
}

// Each of several printed addresses in a cell leads to the link.
func TestAliasesOfACell(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"m/a m/b": `["m/a","m/b"]`, "m/a,m/b": `["m/a","m/b"]`, "m/a, m/b;": `["m/a","m/b"]`,
		"m/a|m/b": `["m/a","m/b"]`, "https://go.test/m/a; m/b": `["m/a","m/b"]`,
		`["m/a","x, y"]`: `["m/a","x, y"]`, "1": `["1"]`,
	} {
		expect(t, "url\tcode\taliases\nhttps://a.test/\tabc\t\""+
			strings.ReplaceAll(cell, `"`, `""`)+"\"\n", Options{},
			`{"type":"link","part":true,"original_url":"https://a.test/","aliases":`+want+
				`,"short_code":"abc"}`)
	}
}

// A dot between thousands is no decimal point.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"1234": "1234", "1.234": "1234", "1.234.567": "1234567", "1,234,567": "1234567",
		"1'234": "1234", "1 234": "1234", "1\u00a0234": "1234", "1\u202f234\u202f567": "1234567",
		"1\u2009234": "1234", "1\u2019234": "1234", "1\u02bc234": "1234", "12.0": "12",
		"12.00":    "12",
		"1,234.00": "1234", "1,2345": "", "12.000": "12000", "1,234'567": "", "12.": "",
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
		r, err := NewReader(strings.NewReader("url,starts_at,max_clicks,code,short_url,clicks,"+
			"day\nhttps://a.test/,"+row+",2026-01-01\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		wrong, ok := errors.AsType[*archive.LineError](got.Err)
		if !ok || wrong.Code != "abc" || got.Text != nil ||
			strings.HasPrefix(row, "soon") != (wrong.Field == "starts_at") {
			t.Errorf("%q: %+v, %+v", row, got, wrong)
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
		{"", "1767225600.0", "2026-01-01T00:00:00Z", false},
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
	expect(t, "url,starts_at,expires_at\nhttps://a.test/,2026-03-29,2026-03-29\n",
		Options{Zone: berlin},
		`{"type":"link","part":true,"original_url":"https://a.test/",`+
			`"starts_at":"2026-03-28T23:00:00Z","expires_at":"2026-03-29T21:59:59.999999Z"}`)
}

// Totals of days and hours become single clicks, always the same ones. Others stay together.
func TestClicks(t *testing.T) {
	t.Parallel()
	expect(t,
		"code,url,day,clicks\na,https://a.test/,2026-01-02,3\na,https://a.test/,2026-01-03,1\n"+
			"b,https://a.test/,2026-01-03,1\n",
		Options{},
		`{"type":"link","part":true,"original_url":"https://a.test/","short_code":"a"}`,
		`{"type":"click","time":"2026-01-02T12:00:00Z"}`,
		`{"type":"click","time":"2026-01-02T06:00:00Z"}`,
		`{"type":"click","time":"2026-01-02T18:00:00Z"}`,
		`{"type":"click","time":"2026-01-03T12:00:00Z"}`,
		`{"type":"link","part":true,"original_url":"https://a.test/","short_code":"b"}`,
		`{"type":"click","time":"2026-01-03T12:00:00Z"}`)
	expect(t, "url,hour,clicks\nhttps://a.test/,2026-01-02 03:00,2\n", Options{},
		`{"type":"link","part":true,"original_url":"https://a.test/"}`,
		`{"type":"click","time":"2026-01-02T03:30:00Z"}`,
		`{"type":"click","time":"2026-01-02T03:15:00Z"}`)
	expect(t, "url,clicks\nhttps://a.test/,1000000000\n", Options{},
		`{"type":"link","part":true,"original_url":"https://a.test/"}`,
		`{"type":"click","count":1000000000}`)
	expect(t, "url,day,clicks\nhttps://a.test/,2026-01-02,1000000001\n", Options{},
		"2 clicks: clicks is above 1,000,000,000")

	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "url,day,clicks\nhttps://a.test/,2026-03-29,1\n", Options{Zone: berlin},
		// of 23 hours
		`{"type":"link","part":true,"original_url":"https://a.test/"}`,
		`{"type":"click","time":"2026-03-29T10:30:00Z"}`)

	// Of any number, click i is at the instant of the 6 reversed bits of i, and of none twice.
	start := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	for _, total := range []int64{1, 2, 63, 64, 65, 127, 128, 129, 1000} {
		want := map[string]int64{}
		for i := range total {
			reversed := 0
			for bit := range 6 {
				reversed |= int(i+1) >> bit & 1 << (5 - bit)
			}
			at := start.Add(time.Hour * time.Duration(reversed) / 64)
			want[at.Format("2006-01-02T15:04:05.999999Z")]++
		}
		wantInstants(t, clicks{total: total, at: start, length: time.Hour}, want)
	}
	billion := clicks{total: MaxClicks, at: time.Unix(0, 0), length: 24 * time.Hour}
	lines, sum := 0, int64(0)
	for text := range textsOf(billion) {
		var line struct{ Count int64 }
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		lines, sum = lines+1, sum+line.Count
	}
	if lines != 64 || sum != MaxClicks {
		t.Errorf("%d clicks on %d lines", sum, lines)
	}
}

// textsOf returns the lines of clicks.
func textsOf(c clicks) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := range c.lines() {
			var b archive.Builder
			if c.line(i, &b); !yield(b.Text()) {
				return
			}
		}
	}
}

// wantInstants compares how many clicks of a row are at which times.
func wantInstants(t *testing.T, row clicks, want map[string]int64) {
	t.Helper()
	got := map[string]int64{}
	for text := range textsOf(row) {
		line := struct {
			Time  string
			Count int64
		}{Count: 1}
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		if got[line.Time] > 0 {
			t.Errorf("%s is there twice", line.Time)
		}
		got[line.Time] = line.Count
	}
	if !maps.Equal(got, want) {
		t.Errorf("%d clicks are %v, want %v", row.total, got, want)
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
		for last, n := int64(0), 0; n < 100_000; n++ {
			line, err := r.Next()
			if err != nil {
				return
			}
			if line.Number < last || line.Number == last && line.Type == archive.TypeLink {
				t.Fatalf("line %d comes after line %d", line.Number, last)
			}
			last = line.Number
			if line.Err != nil && !utf8.ValidString(line.Err.Error()) {
				t.Fatalf("line %d: %q", last, line.Err)
			}
			if line.Text != nil {
				wantParsed(t, line)
			}
		}
	})
}

// The files in testdata look like exports of other products, after their sources and documents.
// Next to each is what it becomes: the fields of its columns, a question, and lines.
func TestExports(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/products/*.csv")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Preset: map[string]*Preset{
				"bitly.csv": Bitly, "dub.csv": Dub, "shlink.csv": Shlink,
			}[filepath.Base(path)]}
			if filepath.Base(path) == "excel.csv" {
				o.Fields = []Field{
					{"Kurzlink", "short_code"},
					{"Ziel", "original_url"},
					{"Angelegt", "created_at"},
					{"Aufrufe", "clicks"},
					{"Titel", "title"},
				}
			}
			r, err := NewReader(bytes.NewReader(text), o)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, c := range r.Columns() {
				field := c.Field
				if field == "" {
					field = "-"
				}
				fmt.Fprintf(&got, "%s: %s\n", c.Name, field)
			}
			if d := r.Doubt(); d != nil {
				fmt.Fprintln(&got, "?", d.Ask(after("--map "), "--yes"))
			}
			for _, line := range convert(t, string(text), o) {
				fmt.Fprintln(&got, line)
			}
			wanted := strings.TrimSuffix(path, ".csv") + ".txt"
			if os.Getenv("UPDATE_PRODUCTS") != "" {
				if err := os.WriteFile(wanted, []byte(got.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(wanted)
			if err != nil || string(want) != got.String() {
				t.Errorf("%v; it became\n%s", err, got.String())
			}
		})
	}
}
