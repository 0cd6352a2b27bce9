package table

import (
	"fmt"
	"strings"
	"testing"
)

// after returns how COLUMN=FIELD is given after a flag.
func after(flag string) func(string) string {
	return func(pair string) string { return flag + pair }
}

// asked returns the question that a table raises, "" if it raises none, or its error.
func asked(t *testing.T, file string, fields ...Field) string {
	t.Helper()
	r, err := NewReader(strings.NewReader(file), Options{Fields: fields})
	if err != nil {
		return err.Error()
	}
	if d := r.Doubt(); d != nil {
		return d.Ask(after("-m "), "-y")
	}
	return ""
}

// column returns a table of a column of URLs, to different sites, and one of other cells.
func column(name string, cells ...string) string {
	var b strings.Builder
	b.WriteString("Long URL;" + name + "\n")
	for i, cell := range cells {
		fmt.Fprintf(&b, "https://e%d.test/a/page?of=it;%s\n", i, cell)
	}
	return b.String()
}

// A column of printed codes is asked about though some of its cells are bad.
func TestDoubtOfUnread(t *testing.T) {
	t.Parallel()
	var printed []string
	for i := range 8 {
		printed = append(printed, fmt.Sprintf("https://go.example/print%d", i+1))
	}
	const no = "" // question
	for _, c := range []struct{ name, file, said string }{
		{"two bad cells of ten", column("Short URL", append(printed,
			"https://go.example/", "https://go.example")...), `"Short URL" could: ` +
			`-m Short URL=short_url if it has them, -m Short URL= if it has none, or -y if each`},
		{"one good cell", column("Slug", "a", "(none)", "?", "/"), `-m Slug=short_code`},
		{"an alias with a blank", column("Alias", "spring sale", "?", "/"), `-m Alias=short_code`},
		{"paths", column("Source", "/spring", "home page", "?"), `-m Source=short_code`},
		{"a source that is none", column("Source", "news", "home page", "?"), no},
		{"no good cell", column("Slug", "?", "/", "#"), no},
		{"no value", column("Slug", "?", "NULL", "n/a", "none"), no},
		{"statuses", column("Code", "301", "404", "302", "301"), no},
		{"statuses and a code", column("Code", "301", "301", "301", "301", "301", "301", "301",
			"301", "301", "spring"), `-m Code=short_code`},
		{"one is repeated, one is none", column("Printed as", "a1", "a2", "a3", "a4", "a5", "a6",
			"a7", "a8", "a8", "(not printed)"), `-m Printed as=short_code`},
		{"too many are repeated", column("Printed as", "a1", "a2", "a3", "a4", "a5", "a6", "a7",
			"a7", "a7", "(not printed)"), no},
		{
			"some have no value", column("Printed as", "a1", "-", "-", "a3", "a4", "-", "NULL"),
			`-m Printed as=short_code`,
		},
		{"kinds of links", column("Season", "spring", "summer", "winter", "spring", "summer"), no},
		{"two different ones", column("Printed as", "a1", "a2", "a2"), no},
		{"statuses by another name", column("HTTP", "301", "302", "404"), no},
		{"an empty column of codes", "url,code,kurz\nhttps://a.test/,,a\nhttps://a.test/,,b\n" +
			"https://a.test/,,c\n", `-m kurz=short_code`},
		{
			"short URLs without a scheme", column("Kurz", "t.test/1", "t.test/2", "t.test/3"),
			`-m Kurz=short_url`,
		},
		{
			"a code's name, no scheme", column("Code", "t.test/1", "t.test/", "?"),
			`-m Code=short_url`,
		},

		// The best column is the one to answer about.
		{
			"short URLs", "Nr.;Kurzlink;Long URL;Bemerkung;Angelegt am;Klicks\n" +
				"1;https://t.test/a;https://a.test/;;01.02.2026;7\n" +
				"2;https://t.test/b;https://b.test/;two words;02.02.2026;30\n" +
				"3;https://t.test/c;https://c.test/;;03.02.2026;1\n",
			`but "Kurzlink" could: -m Kurzlink=short_url if`,
		},
		{
			"texts", "id,word,Long URL,on,short\n1,a,https://a.test/,2026-01-01,t.test/a\n" +
				"2,b,https://b.test/,2026-01-02,?\n3,c,https://c.test/,2026-01-03,?\n",
			`but "short" or "word" could: -m short=`,
		},
		{"numbers", "on,id,Long URL\n2026-01-01,1,https://a.test/\n2026-01-02,2,https://b.test/\n" +
			"2026-01-03,3,https://c.test/\n", `but "on" or "id" could: -m on=short_code`},
	} {
		if said := asked(t, c.file); (said == "") != (c.said == "") ||
			!strings.Contains(said, c.said) {
			t.Errorf("%s: %q, want %q", c.name, said, c.said)
		}
	}
	// Who says what a column is is not asked again.
	for _, answer := range []string{"short_url", ""} {
		if said := asked(t, column("Short URL", "https://go.example/a", "https://go.example/"),
			Field{"Short URL", answer}); said != "" {
			t.Errorf("%q: %s", answer, said)
		}
	}
	if said := asked(t, "url,code,kurz\nhttps://a.test/,,a\nhttps://a.test/,,b\n"+
		"https://a.test/,,c\n", Field{"code", "short_code"}); said != "" {
		t.Errorf("an empty column that was given: %s", said)
	}
}

// A column of aliases is asked about, too.
func TestDoubtOfAliases(t *testing.T) {
	t.Parallel()
	const file = "url,code,Aliases\nhttps://a.test/,a,docs/a\nhttps://b.test/,b,https://t.test/\n"
	if said := asked(t, file); !strings.HasPrefix(said, `"Aliases" is not read, for aliases is `+
		`"https://t.test/", which has no short code: -m Aliases=aliases if rows that`) {
		t.Error(said)
	}
	for _, answer := range []string{"aliases", ""} {
		if said := asked(t, file, Field{"Aliases", answer}); said != "" {
			t.Errorf("%q: %s", answer, said)
		}
	}
	if said := asked(t, "url,code,Aliases\nhttps://b.test/,b,https://t.test/\n"); said != "" {
		t.Error(said)
	}
}

// A column that would switch links off is asked about before it is left out.
func TestDoubtOfStates(t *testing.T) {
	t.Parallel()
	const no = "" // question
	for _, c := range []struct{ name, file, said string }{
		{
			"an unknown word", "Code,URL,Status\na,https://a.test/,active\n" +
				"b,https://b.test/,Disabled\n" +
				"c,https://c.test/,paused\nd,https://d.test/,active\n",
			`"Status" switches links off ("Disabled"), but it is not read, for it has unknown ` +
				`words ("paused"): -m Status=status if rows with these are to fail, -m Status= ` +
				`if it says something else, or -y if it is not to be read`,
		},
		{
			"many", "code,url,State\n" + strings.Repeat("x,https://a.test/,off\n", 3) +
				"a,https://a.test/,1\nb,https://a.test/,2\nc,https://a.test/,3\n" +
				"d,https://a.test/,4\n",
			`("1", "2", "3" and more)`,
		},
		{"none that switches off", "code,url,Status\na,https://a.test/,active\n" +
			"b,https://b.test/,paused\n", no},
		{"a column that is read", "code,url,Status\na,https://a.test/,active\n" +
			"b,https://b.test/,disabled\n", no},
	} {
		if said := asked(t, c.file); (said == "") != (c.said == "") ||
			!strings.Contains(said, c.said) {
			t.Errorf("%s: %q, want %q", c.name, said, c.said)
		}
	}
	file := "code,url,Status\na,https://a.test/,off\nb,https://b.test/,paused\n"
	for _, answer := range []string{"status", ""} {
		if said := asked(t, file, Field{"Status", answer}); said != "" {
			t.Errorf("%q: %s", answer, said)
		}
	}
	expect(t, file, Options{Fields: []Field{{"Status", "status"}}},
		`{"type":"link","part":true,"original_url":"https://a.test/","disabled":true,`+
			`"short_code":"a"}`,
		`3 status: status is "paused", which is no state that is known`)
	// All columns that can switch a link off are read.
	const off = `{"type":"link","part":true,"original_url":"https://a.test/","disabled":true}`
	for _, header := range []string{"Disabled,Banned", "Inactive,disabled", "Status,State"} {
		expect(t, "url,"+header+"\nhttps://a.test/,"+
			map[bool]string{true: "active,off", false: "no,yes"}[header == "Status,State"]+"\n",
			Options{}, off)
	}
	// A link can have one end, start, limit and password.
	if said := asked(t, "url,code,Expires,Expiry\nhttps://a.test/,a,2099-01-01,\n"+
		"https://a.test/,b,,2020-01-01\n"); !strings.Contains(said, `"Expiry" has cells, but `+
		`it is not read, for "Expires" is expires_at: -m Expiry=expires_at to read it in its `+
		`place, -m Expiry= if it says nothing more, or -y if it is not to be read`) {
		t.Error(said)
	}
	for _, file := range []string{
		"url,code,Expires,Expiry\nhttps://a.test/,a,2099-01-01,\n",
		"url,code,Expires,Expiry\nhttps://a.test/,a,2099-01-01,2099-01-01\n",
	} {
		if said := asked(t, file); said != "" {
			t.Errorf("%q: %s", file, said)
		}
	}
}

// Where no column is known to have the URLs where links lead, those that have URLs are named.
func TestDoubtOfURLs(t *testing.T) {
	t.Parallel()
	const none = "no column is known to have the URLs where links lead"
	for file, want := range map[string]string{
		"Name,Website\nA,https://a.test/\nB,https://b.test/\n": none + `, but "Website" could: ` +
			`-m Website=original_url`,
		"Kurzlink;Ziel\nhttps://t.test/a;https://a.test/long/page\n": none + `, but "Ziel" or ` +
			`"Kurzlink" could: -m Ziel=original_url`,
		"Short URL,Website\nhttps://t.test/a,https://a.test/long/page\n": none + `, but ` +
			`"Website" could: -m Website=original_url`,
		"Kurz;Ziel\nhttps://t.test/aa;https://a.test\nhttps://t.test/bb;https://b.test\n": none +
			`, but "Ziel" or "Kurz" could`,
		"title,Link\nA,https://a.test/\n": none + `, but "Link" could: -m Link=original_url`,
		"title,code\na,b\n":               none + "; it has title, code: -m COLUMN=original_url",
	} {
		_, err := NewReader(strings.NewReader(file), Options{})
		none, ok := err.(*NoURLsError)
		if !ok {
			t.Errorf("%q: %v", file, err)
			continue
		}
		said := none.Ask(after("-m "))
		if !strings.HasPrefix(said, want) {
			t.Errorf("%q: %s\nwant %s", file, said, want)
		}
	}
}

// A column of a known name says why it is not read.
func TestWhyUnread(t *testing.T) {
	t.Parallel()
	r, err := NewReader(strings.NewReader("URL,Short URL,Hits,Visits,Clicks,Leads,Created,Code\n"+
		`https://a.test/,https://t.test/a,"1,5",2,,x,soon,301`+"\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Columns() {
		if c.Why != "" {
			got = append(got, c.Name+": "+c.Why)
		}
	}
	want := []string{
		`Hits: clicks is "1,5"; it must be a whole number`,
		`Clicks: "Visits" is clicks`,
		`Created: created_at is "soon", which is no time; give the format of dates if it is one`,
		`Code: "301" says how to redirect`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("it says\n%s", strings.Join(got, "\n"))
	}
}

// A column of codes may have short URLs without a scheme.
func TestBareShortURLs(t *testing.T) {
	t.Parallel()
	link := func(code string) string {
		return `{"type":"link","part":true,"original_url":"https://a.test/",` + code + `}`
	}
	for _, name := range []string{"Code", "Kurz"} {
		expect(t, "url,"+name+"\nhttps://a.test/,bit.test/4kD\nhttps://a.test/,bit.test/docs/a\n",
			Options{Fields: []Field{{name, "short_code"}}},
			link(`"short_code":"4kD"`), link(`"short_code":"docs/a"`))
	}
	expect(t, "url,Code\nhttps://a.test/,bit.test/4kD\n", Options{}, link(`"short_code":"4kD"`))
	expect(t, "url,Code,Bitlink\nhttps://a.test/,b.test/a,b.test/b\n", Options{},
		link(`"aliases":["b"],"short_code":"a"`))
	for _, path := range []string{"v1.2/install", "docs/a.b/c", "a.b"} {
		expect(t, "url,Code\nhttps://a.test/,"+path+"\n", Options{},
			link(`"short_code":"`+path+`"`))
	}
}
