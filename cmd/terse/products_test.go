package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"terse/api"
	"terse/internal/cli"
	"terse/internal/httpapi"
)

// product is a file of another product, and what must become of it.
type product struct {
	format, file string
	flags        []string // of the command line
	noAPI        bool     // the server is not asked: it has no such flags
	auto         bool     // its beginning tells the format
	exit         int      // of the command line
	links        []string // as they are exported, without who made them
	leads        map[string]string
	report       []string // of the command line: result, code and reason
}

// unsaid is what an export has that a file does not say: who made a link, and a code that is made
// since its own is not possible here.
var unsaid = regexp.MustCompile(`"created_by":"[^"]*",?|"last_clicked_at":"[^"]*",?|` +
	`"type":"link","short_code":"[A-Za-z0-9]{7}",`)

// links returns the links of the export in some order, each with its clicks.
func (i *instance) links(t *testing.T) (links []string) {
	t.Helper()
	var text bytes.Buffer
	if err := i.client().Export(t.Context(), api.ExportQuery{}, &text); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		line = unsaid.ReplaceAllString(strings.Trim(line, "{}\n"), "")
		switch clicks, ok := strings.CutPrefix(line, `"type":"click",`); {
		case ok:
			links[len(links)-1] += clicks + ";"
		case !strings.HasPrefix(line, `"type":"e`): // export and end
			line = strings.TrimPrefix(line, `"type":"link",`)
			links = append(links, strings.TrimSuffix(line, ",")+";")
		}
	}
	slices.Sort(links)
	return links
}

// wantProduct fails unless a file becomes what is wanted: by the command, and by the server, which
// is told the format or finds it. The same file again changes nothing.
func wantProduct(t *testing.T, p product) {
	t.Helper()
	i, report := start(t), filepath.Join(t.TempDir(), "report.csv")
	args := append([]string{"import", p.format, p.file, "--report", report}, p.flags...)
	r := i.command(t, args...)
	if r.code != p.exit {
		t.Errorf("%q: %+v", args, r)
	}
	i.wantLinks(t, p)
	if got := reported(t, report); !slices.Equal(got, p.report) {
		t.Errorf("the report has\n%s\nwant\n%s", strings.Join(got, "\n"),
			strings.Join(p.report, "\n"))
	}
	for path, to := range p.leads {
		if got := i.do(t, "GET /"+path, "").Header.Get("Location"); got != to {
			t.Errorf("%s leads to %q, want %q", path, got, to)
		}
	}
	if r := i.command(t, args...); strings.Contains(r.out, "created") ||
		strings.Contains(r.out, "updated") || strings.Contains(r.out, "added") {
		t.Errorf("again: %+v", r)
	}
	if p.noAPI {
		return
	}
	text, err := os.ReadFile(p.file)
	if err != nil {
		t.Fatal(err)
	}
	formats := []string{p.format}
	if p.auto {
		formats = append(formats, "auto")
	}
	for _, format := range formats {
		i := start(t)
		i.do(t, "POST /api/import?format="+format, string(text), authorized())
		i.wantLinks(t, p)
	}
}

// wantLinks fails unless the links of a product are there.
func (i *instance) wantLinks(t *testing.T, p product) {
	t.Helper()
	if got := i.links(t); !slices.Equal(got, p.links) {
		t.Errorf("%s became\n%s\nwant\n%s", p.file, strings.Join(got, "\n"),
			strings.Join(p.links, "\n"))
	}
}

// reported returns what a report says: result, code and reason of each line.
func reported(t *testing.T, path string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	}
	rows, wrong := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	for _, row := range rows[1:] {
		reason := row[5]
		if at := strings.Index(reason, notACode); at >= 0 {
			reason = notACode
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s", row[3], row[2], reason))
	}
	return lines
}

// products is where files are that look like exports of other products.
const products = "../../internal/move/archive/table/testdata/products/"

func TestBitly(t *testing.T) {
	t.Parallel()
	wantProduct(t, product{
		format: "bitly", file: products + "bitly.csv",
		links: []string{
			`"short_code":"2aBc3","original_url":"https://shop.example/gift",` +
				`"created_at":"2025-12-01T08:00:00.000000Z","aliases":["gift-card"],` +
				`"click_count":0;`,
			`"short_code":"3xYz2","original_url":"https://docs.example/handbook",` +
				`"created_at":"2025-11-20T17:20:40.000000Z","title":"Handbook","click_count":17;` +
				`"time":"2025-11-20T17:20:40.000000Z","count":17;`,
			`"short_code":"4kDs1","original_url":"https://shop.example/spring",` +
				`"created_at":"2026-01-05T09:30:00.000000Z","title":"Spring sale",` +
				`"tags":["2026","shop"],"aliases":["spring"],"click_count":1234;` +
				`"time":"2026-01-05T09:30:00.000000Z","count":1234;`,
		},
		leads: map[string]string{
			"4kDs1": "https://shop.example/spring", "spring": "https://shop.example/spring",
			"gift-card": "https://shop.example/gift",
		},
	})
	file := textFile(t, "bitly.csv", "id,long_url,custom_bitlinks,created_at,archived\n"+
		`bit.ly/3xYz2,https://a.example/,"[""go.example/spring"",""bit.ly/sale""]",`+
		"2025-11-20T17:20:40+0000,true\n"+
		"bit.ly/4kDs1,https://b.example/,,2025-11-21T17:20:40+0000,false\n")
	wantProduct(t, product{
		format: "bitly", file: file, flags: []string{"--only-host", "GO.example"}, noAPI: true,
		links: []string{`"short_code":"spring","original_url":"https://a.example/",` +
			`"created_at":"2025-11-20T17:20:40.000000Z","archived":true,"click_count":0;`},
	})
	wantProduct(t, product{
		format: "bitly", file: file,
		links: []string{
			`"short_code":"3xYz2","original_url":"https://a.example/",` +
				`"created_at":"2025-11-20T17:20:40.000000Z","aliases":["spring","sale"],` +
				`"archived":true,"click_count":0;`,
			`"short_code":"4kDs1","original_url":"https://b.example/",` +
				`"created_at":"2025-11-21T17:20:40.000000Z","click_count":0;`,
		},
	})
}

// notACode is what the report says of an address that is none of the contract's codes.
const notACode = "short code is not possible here (3-20 letters, digits, - and _); " +
	"it is an alias of "

func TestDub(t *testing.T) {
	t.Parallel()
	wantProduct(t, product{
		format: "dub", file: products + "dub.csv",
		links: []string{
			`"original_url":"https://shop.example/sale",` +
				`"created_at":"2026-01-06T09:30:00.000000Z","aliases":["docs/sale"],` +
				`"forward_query":true,"click_count":0;`,
			`"short_code":"spring","original_url":"https://shop.example/spring",` +
				`"created_at":"2026-01-05T09:30:00.000000Z","tags":["2026","shop"],` +
				`"forward_query":true,"click_count":42;` +
				`"time":"2026-01-05T09:30:00.000000Z","count":42;`,
		},
		leads:  map[string]string{"docs/sale?via=x": "https://shop.example/sale?via=x"},
		report: []string{"created docs/sale: " + notACode},
	})
}

func TestShlinkTables(t *testing.T) {
	t.Parallel()
	wantProduct(t, product{
		format: "shlink", file: products + "shlink.csv",
		links: []string{
			`"original_url":"https://docs.example/",` +
				`"created_at":"2026-01-06T08:30:00.000000Z","aliases":["café"],` +
				`"forward_query":true,"click_count":0;`,
			`"short_code":"spring","original_url":"https://shop.example/spring",` +
				`"created_at":"2026-01-05T08:30:00.000000Z","title":"Spring",` +
				`"tags":["2026","shop"],"forward_query":true,"click_count":42;` +
				`"time":"2026-01-05T08:30:00.000000Z","count":42;`,
		},
		leads:  map[string]string{"caf%C3%A9?a=b": "https://docs.example/?a=b"},
		report: []string{"created café: " + notACode},
	})
	// That of its import, with a link at two domains.
	const others = "https://c.example/;two;;;\nhttps://d.example/;three;;;\n" +
		"https://e.example/;four;;;\nhttps://f.example/;five;;;\n"
	file := textFile(t, "shlink.csv", "LONG url;shortCode;Domain;Title;TAGS\n"+
		"https://a.example/;one;go.example;One;shop|2026\n"+
		"https://b.example/;one;s.example;;\n"+others)
	i := start(t)
	r := i.command(t, "import", "shlink", file, "--report", filepath.Join(t.TempDir(), "r.csv"),
		"--forward-path")
	if r.code != cli.ExitFailure || !strings.Contains(r.out, "5 created") {
		t.Errorf("%+v", r)
	}
	if to := i.do(t, "GET /one/x?y=z", "").Header.Get("Location"); to != "https://a.example/x?y=z" {
		t.Errorf("it leads to %q", to)
	}
}

// The file is made after Sink's schema: one page as its dashboard writes it, one as its API does.
func TestSink(t *testing.T) {
	t.Parallel()
	at := func(second int) string {
		return fmt.Sprintf(`"created_at":"2026-01-05T09:30:0%d.000000Z"`, second)
	}
	spring := `"short_code":"spring-sale","original_url":"https://shop.example/spring",` + at(0) +
		`,"updated_at":"2026-01-06T09:30:00.000000Z","title":"Spring sale",` +
		`"note":"Ask Ada\nbefore a change","tags":["2026","shop"],"forward_query":true,` +
		`"rules":[{"name":"google","when":{"device":["android"]},` +
		`"url":"https://play.example/app"},{"name":"apple","when":{"device":["ios"]},` +
		`"url":"https://apps.example/app"},{"name":"geo-AT","when":{"country":["AT","DE"]},` +
		`"url":"https://de.example/"},{"name":"geo-US","when":{"country":["US"]},` +
		`"url":"https://us.example/"}],"click_count":0;`
	sink := product{
		format: "sink", file: "testdata/products/sink.json", auto: true, exit: cli.ExitFailure,
		links: []string{
			`"original_url":"https://hr.example/",` + at(3) +
				`,"aliases":["hr"],"disabled":true,"click_count":0;`,
			`"short_code":"2fa","original_url":"https://docs.example/2fa",` + at(1) +
				`,"expires_at":"2026-01-05T09:30:02Z","click_count":0;`,
			`"short_code":"last","original_url":"https://last.example/",` + at(4) +
				`,"click_count":0;`,
			spring,
		},
		leads: map[string]string{
			"spring-sale?a=b": "https://shop.example/spring?a=b",
			"last?a=b":        "https://last.example/",
		},
		report: []string{
			`failed : the link is not as expected at "/slug"`,
			"created spring-sale: description and image are left out: they are for previews of " +
				"links elsewhere",
			"created spring-sale: short_code: Sink ignores case unless it is set otherwise; " +
				"IGNORE_CASE=true does so here",
			"created spring-sale: forward_query: the targets of apple and google get the " +
				"visitor's query, too, which Sink keeps from them",
			"created 2fa: cloaking is left out: visitors are redirected",
			"created 2fa: unsafe is left out: visitors are not warned",
			"created hr: " + notACode,
			"created hr: password can't be kept, for its hash is of another kind, so the link is " +
				"disabled",
			`created hr: rules: apple is left out: "itms-apps://apps.example/app" is no http or ` +
				"https URL",
		},
	}
	wantProduct(t, sink)

	// The flag is for links that do not say whether they forward the query, as 2fa does.
	sink.flags, sink.noAPI = []string{"--forward-query"}, true
	sink.leads["last?a=b"] = "https://last.example/?a=b"
	for _, i := range []int{0, 2} {
		sink.links[i] = strings.Replace(sink.links[i], `"click_count"`,
			`"forward_query":true,"click_count"`, 1)
	}
	wantProduct(t, sink)
}

// The export is one of golink c4eca52, and so are the places where it leads.
func TestGolink(t *testing.T) {
	t.Parallel()
	const file = "testdata/products/golink.ndjson"
	const created = `"created_at":"2026-11-29T08:28:23.000000Z"`
	const both = `"forward_query":true,"forward_path":true,"click_count":0;`
	const template = `original_url is the template %q, which no link can be here`
	const noPath = "forward_path is not set, for golink appends the path to the query or the " +
		"part behind # of this link"
	golink := product{
		format: "golink", file: file, auto: true, exit: cli.ExitFailure,
		links: []string{
			`"original_url":"http://long.example/x",` + created + `,"aliases":` +
				`["longnamethatislongerthan20","long-name-that-is-longer-than-20"],` + both,
			`"original_url":"https://meet.example/a%20b",` + created + `,"aliases":` +
				`["meet-up.v2","meetUp.v2","meetup.v2","meet-Up.v2"],` + both,
			`"original_url":"https://short.example/",` + created + `,"aliases":["a"],` + both,
			`"short_code":"Foo-Bar","original_url":"https://foo.example/",` + created +
				`,"aliases":["foo-bar","FooBar","foobar"],` + both,
			`"short_code":"Health","original_url":"https://health.example/",` + created + `,` +
				both,
			`"short_code":"docs","original_url":"https://docs.example/guide",` + created + `,` +
				both,
			`"short_code":"frag","original_url":"https://frag.example/page#part",` + created +
				`,"forward_query":true,"click_count":0;`,
			`"short_code":"query","original_url":"https://query.example/list?a=1&b=2",` +
				created + `,"forward_query":true,"click_count":0;`,
			`"short_code":"spaced","original_url":"https://spaced.example/",` + created + `,` +
				both,
			`"short_code":"who","original_url":"https://who.example/",` + created + `,` + both,
			`"short_code":"wiki","original_url":"https://wiki.example/page",` + created + `,` +
				both,
		},
		report: []string{
			"failed glued: " + fmt.Sprintf(template, "https://glued.example/v{{.Path}}"),
			"failed me: " + fmt.Sprintf(template, "https://me.example/{{.User}}"),
			`failed other: original_url is "/docs/start", which is relative to golink`,
			"failed search: " + fmt.Sprintf(template, "https://s.example/?q={{.Path}}"),
			"failed upper: " + fmt.Sprintf(template, "https://u.example/{{ToUpper .Path}}"),
			"created Foo-Bar: created_by: the owners of links are not kept",
			"created Foo-Bar: short_code: golink ignores case and dashes. The usual spellings " +
				"are aliases; IGNORE_CASE=true ignores case here, too",
			`created Health: aliases lacks "health", which is reserved`,
			"created a: " + notACode,
			"failed api: short code is reserved",
			"created frag: " + noPath,
			"created long-name-that-is-longer-than-20: " + notACode,
			"failed mail: original URL must be a valid http or https URL",
			"created meet-Up.v2: " + notACode,
			"created query: " + noPath,
		},
	}
	wantProduct(t, golink)

	// All that golink answers is answered so here, but for what the document names.
	text, err := os.ReadFile("testdata/products/golink-locations.txt")
	if err != nil {
		t.Fatal(err)
	}
	differ := map[string]string{
		"docs/a%2Fb":   "https://docs.example/guide/a%2Fb",   // golink decodes it
		"docs/a%3Fb":   "https://docs.example/guide/a%3Fb",   // which makes it a query there
		"docs?b=2&a=1": "https://docs.example/guide?b=2&a=1", // golink sorts them
		"query?a=9":    "https://query.example/list?b=2&a=9", // the visitor's wins
		"query/x":      "",                                   // golink appends it to the query
		"health":       "", "Health": "",                     // reserved, as case is ignored
	}
	i := start(t, "IGNORE_CASE=true")
	i.command(t, "import", "golink", file, "--report", filepath.Join(t.TempDir(), "r.csv"))
	for line := range strings.Lines(string(text)) {
		path, want, _ := strings.Cut(strings.TrimSpace(line), " ")
		if other, ok := differ[path]; ok {
			want = other
		}
		if got := i.do(t, "GET /"+path, "").Header.Get("Location"); got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
}

// A golink server is asked for its export.
func TestGolinkServer(t *testing.T) {
	t.Parallel()
	var text []byte
	golink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/.export" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(text)
	}))
	defer golink.Close()
	var err error
	if text, err = os.ReadFile("testdata/products/golink.ndjson"); err != nil {
		t.Fatal(err)
	}
	i, report := start(t), filepath.Join(t.TempDir(), "report.csv")
	r := i.command(t, "import", "golink", golink.URL, "--report", report)
	if r.code != cli.ExitFailure || !strings.Contains(r.out, "11 created, 2 failed") {
		t.Errorf("%+v", r)
	}
	if n := len(reported(t, report)); n != 15 {
		t.Errorf("%d remarks", n)
	}
}

// A name whose spelling in lower case is reserved here is imported without that.
func TestGolinkOfReservedWords(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	words := httpapi.Reserved()
	for _, word := range words {
		fmt.Fprintf(&text, `{"Short":%q,"Long":"https://a.example/"}`+"\n", strings.ToUpper(word))
	}
	i := start(t)
	got := i.do(t, "POST /api/import?format=golink", text.String(), authorized())
	if n := strings.Count(got.body, `"result":"created"`); n != len(words)-1 { // but ""
		t.Errorf("%d of %q: %s", n, words, got.body)
	}
}

// Files that are broken or hostile are refused as a whole, or only what is broken in them.
func TestBrokenProducts(t *testing.T) {
	t.Parallel()
	i := start(t)
	const one = `{"slug":"one","url":"https://a.example/"}`
	const golink = `{"Short":"one","Long":"https://a.example/"}` + "\n"
	sink := func(links string) string { return `{"version":"1.0","links":[` + links + `]}` }
	deep := strings.Repeat("[", 20_000)
	for name, c := range map[string]struct {
		format, text string
		created      int    // how many links; -1: it is refused
		want         string // what the answer says
	}{
		"cut off":         {"sink", sink(one)[:60], -1, "the export has no end"},
		"cut off between": {"sink", sink(one) + `{`, -1, "the export has no end"},
		"empty":           {"sink", "", -1, "the export has no end"},
		"no links":        {"sink", `{"version":"1.0"}`, -1, "it has no links"},
		"links of text":   {"sink", `{"links":"a"}`, -1, "links is no list"},
		"a list":          {"sink", "[" + one + "]", -1, "it is no export of Sink"},
		"rest":            {"sink", sink(one) + "}", -1, "malformed JSON"},
		"deep":            {"sink", sink(one + "," + deep), -1, "exceeded max depth"},
		"deep version":    {"sink", `{"version":` + deep, -1, "exceeded max depth"},
		"long": {
			"sink", sink(one + `,{"slug":"` + strings.Repeat("a", 3<<20) + `"}`), -1,
			"a value is longer than 1 MiB",
		},
		"long name": {
			"sink", `{"` + strings.Repeat("a", 3<<20) + `":1}`, -1, "a value is longer than 1 MiB",
		},
		"control characters": {
			"sink", sink(`{"slug":"one","url":"https://a.example/","comment":"a` +
				"\x01\n\x00" + `b"}`), 1, "",
		},
		"no UTF-8": {
			"sink", sink(`{"slug":"one","url":"https://a.example/","title":"a` + "\xff" + `b"}`),
			1, "",
		},
		"other types": {
			"sink", sink(one + `,{"slug":"bad","url":[]},null,5`), 1, `"failed":1`,
		},
		"the last page is not there": {
			"sink", `{"links":[` + one + `],"cursor":"a","list_complete":false}`, 1,
			"this is not the last page",
		},
		"two pages": {
			"sink", sink(one) + "\n" + sink(`{"slug":"two","url":"https://a.example/"}`), 2, "",
		},
		"UTF-16": {"sink", "\xff\xfe" + wide(sink(one)), 1, ""},

		"golink cut off": {"golink", golink + `{"Short":"cut","Lo`, 1, "the text ends too early"},
		"golink, long":   {"golink", golink + strings.Repeat("a", 1<<20+1), 1, "1 MiB"},
		"golink, deep":   {"golink", golink + `{"Owner":` + deep, 1, "exceeded max depth"},
		"golink, bytes":  {"golink", golink + `{"Short":"` + "\xff" + `"}`, 1, "is not UTF-8"},
		"golink, others": {"golink", golink + `{"type":"link"}` + "\n5", 1, `"lines_failed":2`},
		"golink, no time": {
			"golink", `{"Short":"one","Long":"https://a.example/","Created":"?"}`, 1,
			"created_at was left out",
		},
		"golink, year 1": {
			"golink", `{"Short":"one","Long":"https://a.example/",` +
				`"Created":"0001-01-01T00:00:00Z"}`, 1, "",
		},
	} {
		got := i.do(t, "POST /api/import?dry_run=true&format="+c.format, c.text, authorized())
		created := fmt.Sprintf(`"created":%d,`, c.created)
		if refused := got.StatusCode == http.StatusBadRequest; refused != (c.created < 0) ||
			!refused && !strings.Contains(got.body, created) ||
			!strings.Contains(got.body, c.want) {
			t.Errorf("%s: %d %.500s", name, got.StatusCode, got.body)
		}
		if len(got.body) > 4000 {
			t.Errorf("%s: an answer of %d bytes", name, len(got.body))
		}
	}
	// The command line sends nothing of a file that ends too soon.
	file := textFile(t, "sink.json", sink(one)[:60])
	r := i.command(t, "import", "sink", file)
	if r.code != cli.ExitFailure || !strings.Contains(r.err, "the export has no end") {
		t.Errorf("%+v", r)
	}
	if got := i.links(t); len(got) > 0 {
		t.Errorf("%q is there", got)
	}
}

// wide returns a text of ASCII in UTF-16.
func wide(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.Write([]byte{c, 0})
	}
	return b.String()
}
