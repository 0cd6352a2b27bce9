package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"terse/api"
	"terse/internal/cli"
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
