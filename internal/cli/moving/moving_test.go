package moving

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"terse/api"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/table"
)

// server is a Target that remembers links and clicks, each only once, and checks what every request
// must be like.
type server struct {
	t      *testing.T
	links  map[string]bool
	clicks map[string]bool
	sizes  []int64
	days   map[string]int // the request that had the clicks and counts of a link's day
	// fail, if set, returns an error after which the server answers no more; it may come after any
	// line.
	fail func() error
}

func newServer(t *testing.T) *server {
	return &server{
		t: t, links: map[string]bool{}, clicks: map[string]bool{}, days: map[string]int{},
	}
}

func (s *server) Import(_ context.Context, o Options, part *Part, each func(api.ImportResult)) (
	sum api.ImportSummary, err error,
) {
	s.sizes = append(s.sizes, part.Len())
	lines := bufio.NewScanner(part.Text())
	lines.Buffer(nil, 2<<20)
	var now api.ImportResult
	end := func() {
		if now.Line > 0 {
			each(now)
		}
		now = api.ImportResult{}
	}
	for n := int64(1); lines.Scan(); n++ {
		if s.fail != nil {
			if err := s.fail(); err != nil {
				return sum, err
			}
		}
		var line struct {
			Type string `json:"type"`
			Time string `json:"time"`
			Date string `json:"date"`
			Code string `json:"short_code"`
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			s.t.Fatalf("line %d: %v: %s", n, err, lines.Bytes())
		}
		switch {
		case line.Type == "link":
			end()
			now = api.ImportResult{Line: n, ShortCode: line.Code, Result: "unchanged"}
			if !s.links[line.Code] && !o.DryRun {
				now.Result, s.links[line.Code] = "created", true
			}
		case now.Line == 0:
			each(api.ImportResult{Line: n, Result: "failed", Error: "date is without a link"})
		default:
			day := now.ShortCode + " " + line.Date + line.Time[:min(10, len(line.Time))]
			if line.Type == "click" {
				key := fmt.Sprintf("%s %s", now.ShortCode, lines.Bytes())
				if s.clicks[key] {
					now.ClicksKnown++
				} else {
					s.clicks[key] = true
					now.ClicksAdded++
				}
			}
			if before, ok := s.days[day]; ok && before != len(s.sizes) && s.fail == nil {
				s.t.Errorf("%s is in the requests %d and %d", day, before, len(s.sizes))
			}
			s.days[day] = len(s.sizes)
		}
	}
	if err := lines.Err(); err != nil {
		s.t.Fatal(err)
	}
	end()
	return sum, nil
}

// export returns an export of links with days and clicks.
func export(links, days, clicks int) string {
	var b strings.Builder
	b.WriteString(`{"type":"export","version":1}` + "\n")
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for link := range links {
		fmt.Fprintf(&b, `{"type":"link","short_code":"l%05d"}`+"\n", link)
		for day := range days { // each second one has counts, too
			if day%2 == 0 {
				date := start.AddDate(0, 0, day).Format(time.DateOnly)
				fmt.Fprintf(&b, `{"type":"day","date":"%s","clicks":1}`+"\n", date)
				fmt.Fprintf(&b, `{"type":"counts","date":"%s","dimension":"x"}`+"\n", date)
			}
		}
		for day := range days {
			for click := range clicks {
				at := start.AddDate(0, 0, day).Add(time.Duration(click) * time.Millisecond)
				fmt.Fprintf(&b, `{"type":"click","time":"%s"}`+"\n", at.Format(time.RFC3339Nano))
			}
		}
	}
	b.WriteString(`{"type":"end"}` + "\n")
	return b.String()
}

func source(t *testing.T, text string) *File {
	t.Helper()
	s, err := Open(t.Context(), strings.NewReader(text), "-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// ofExport is an import of lines as in an export.
func ofExport(t *testing.T, text string, to Target) *Import {
	t.Helper()
	return &Import{Format: formats.Named("terse"), From: source(t, text), To: to}
}

func run(t *testing.T, m *Import) (Tally, []Entry) {
	t.Helper()
	var entries []Entry
	m.Report = func(e Entry) error { entries = append(entries, e); return nil }
	tally, err := m.Run(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tally, entries
}

// Requests stay below the bound, a day of a link is in one, and every link and click is counted
// once.
func TestRequests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ links, days, clicks int }{
		{30_000, 0, 0},
		{3, 400, 100},
		{1, 1, 30_000},
		{2, 3, 20_000},
		{1, 2, 100_000},
		{1000, 7, 3},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			to := newServer(t)
			m := ofExport(t, export(c.links, c.days, c.clicks), to)
			if err := m.Check(); err != nil {
				t.Fatal(err)
			}
			tally, entries := run(t, m)
			clicks := c.links * c.days * c.clicks
			if tally.Created != int64(c.links) || tally.ClicksAdded != int64(clicks) ||
				tally.Unchanged+tally.ClicksKnown+tally.LinesFailed != 0 ||
				len(to.links) != c.links || len(to.clicks) != clicks || len(entries) > 0 {
				t.Errorf("%+v, %d links, %d clicks, %d entries", tally.ImportSummary,
					len(to.links), len(to.clicks), len(entries))
			}
			if day := int64(60 * c.clicks); day < maxPart && slices.Max(to.sizes) >= maxPart {
				t.Errorf("requests have %d bytes", to.sizes)
			}
		})
	}
}

// Lines about a link may be in any order, such as the newest clicks first: still all lines of its
// day are in one request, since the server compares them with the clicks that are there.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	const links, days, clicks = 2, 50, 2000
	var text strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for link := range links {
		fmt.Fprintf(&text, `{"type":"link","short_code":"l%05d"}`+"\n", link)
		for _, n := range random.Perm(days * clicks) {
			at := time.Date(2026, 1, 1+n%days, 0, 0, 0, n*1000, time.FixedZone("", 3600))
			fmt.Fprintf(&text, `{"type":"click","time":"%s"}`+"\n", at.Format(time.RFC3339Nano))
		}
		fmt.Fprintf(&text, `{"type":"day","date":"2026-01-02","clicks":1}`+"\n")
	}
	to := newServer(t)
	tally, entries := run(t, ofExport(t, text.String(), to))
	if tally.Created != links || tally.ClicksAdded != links*days*clicks || len(entries) > 0 {
		t.Errorf("%+v, %v", tally.ImportSummary, entries)
	}
	if slices.Max(to.sizes) >= maxPart {
		t.Errorf("requests have %d bytes", to.sizes)
	}
}

// Whatever the server has done when it is lost, everything is there once in the end, and counts so.
func TestLostServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		to := newServer(t)
		lost := 0
		random := rand.New(rand.NewPCG(1, 2))
		to.fail = func() error {
			if random.IntN(10_000) > 0 {
				return nil
			}
			lost++
			return &RetryError{Err: errors.New("lost"), After: time.Second}
		}
		waits := 0
		m := ofExport(t, export(300, 10, 30), to)
		m.OnWait = func(time.Duration, error) { waits++ }
		tally, _ := run(t, m)
		// Of the link at which the server was lost there was no result.
		if lost == 0 || waits != lost || tally.Created+tally.Unchanged != 300 ||
			tally.Unchanged > int64(lost) || tally.ClicksAdded+tally.ClicksKnown != 90_000 ||
			tally.ClicksKnown > 300*int64(lost) || len(to.clicks) != 90_000 {
			t.Errorf("lost %d times, %d waits: %+v", lost, waits, tally.ImportSummary)
		}

		to.fail = func() error { return &RetryError{Err: io.ErrUnexpectedEOF} }
		begun := time.Now()
		_, err := m.Run(t.Context(), Options{})
		if took := time.Since(begun); !errors.Is(err, io.ErrUnexpectedEOF) ||
			took < time.Minute || took > 3*time.Minute {
			t.Errorf("gave up after %v: %v", took, err)
		}
		to.fail = func() error { return io.ErrClosedPipe }
		begun = time.Now()
		_, err = m.Run(t.Context(), Options{})
		if !errors.Is(err, io.ErrClosedPipe) || time.Since(begun) > 0 {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}

// Lines that can't be read are said, and what follows does not go to the link before.
func TestBrokenLines(t *testing.T) {
	t.Parallel()
	to := newServer(t)
	m := ofExport(t, `{"type":"link","short_code":"a"}

{"type":"click","time":"2026-01-01T00:00:00Z"}
{"type":"click"
{"type":"click","time":"2026-01-01T00:00:01Z"}
{"type":"click","time":"2026-01-01T00:00:02Z"}
{"type":"link","short_code":"b"}
`+strings.Repeat("x", 2<<20)+`
{"type":"link","short_code":"c"}
{"type":"click","time":"2026-01-01T00:00:00Z"}`, to)
	tally, entries := run(t, m)
	want := []Entry{
		{Line: 4, Result: "failed", Reason: "invalid JSON: unexpected EOF"},
		{Line: 5, Result: "failed", Reason: "date is without a link"},
		{Line: 6, Result: "failed", Reason: "date is without a link"},
		{Line: 8, Result: "failed", Reason: "the line is longer than 1 MiB"},
	}
	slices.SortFunc(entries, func(a, b Entry) int { return int(a.Line - b.Line) })
	if len(entries) == len(want) {
		want[0].Reason = entries[0].Reason
	}
	if tally.Created != 3 || tally.ClicksAdded != 2 || tally.LinesFailed != 4 ||
		!slices.Equal(entries, want) || len(to.clicks) != 2 {
		t.Errorf("%+v\n%+v", tally, entries)
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	file.WriteString("code,url,day,clicks,Other\n")
	for link := range 300 {
		for day := range 30 {
			fmt.Fprintf(&file, "l%d,https://example.com/,2026-01-%02d,10,\n", link, day+1)
		}
	}
	file.WriteString("x,https://example.com/,soon,,\n")
	to := newServer(t)
	var unread []string
	m := &Import{
		From: source(t, file.String()), Format: formats.Named("csv"), To: to,
		OnTable: func(rows *table.Reader) { unread = rows.Unread() },
	}
	var read []int64
	m.OnPart = func(t Tally) { read = append(read, t.Read) }
	tally, entries := run(t, m)
	if tally.Created != 300 || tally.ClicksAdded != 90_000 || tally.LinesFailed != 1 ||
		!slices.Equal(unread, []string{"Other"}) || len(entries) != 1 ||
		entries[0].Line != 9002 || entries[0].Code != "x" || entries[0].Field != "day" ||
		!strings.HasSuffix(entries[0].Reason, " (--date-format)") {
		t.Errorf("%+v, %q, %+v", tally.ImportSummary, unread, entries[:min(9, len(entries))])
	}
	if len(to.sizes) < 2 || slices.Max(to.sizes) >= maxPart {
		t.Errorf("requests have %d bytes", to.sizes)
	}
	// How far it is goes by what was answered, not by what was read ahead.
	if !slices.IsSorted(read) || read[0] > m.From.Size/2 || read[len(read)-1] != m.From.Size {
		t.Errorf("after the parts it is at %d of %d", read, m.From.Size)
	}
	var lines bytes.Buffer
	if _, err := m.Write(&lines); err != nil || strings.Count(lines.String(), "\n") != 90_300 {
		t.Errorf("%v, %d lines", err, strings.Count(lines.String(), "\n"))
	}
}

// An export that was cut off, or is of another version, changes nothing.
func TestCheck(t *testing.T) {
	t.Parallel()
	const begin, end = `{"type":"export","version":1}` + "\n", `{"type":"end"}` + "\n"
	for text, want := range map[string]string{
		begin + end: "", `{"type":"link"}`: "", begin + end + "\n" + begin + end: "",
		"": "the export is empty", "\n\r\n": "the export is empty",
		begin:                           "the export has no end: it was cut off",
		begin + `{"type":"en`:           "the export has no end: it was cut off",
		begin + begin + end:             "line 2: the export before it has no end",
		`{"type":"export","version":2}`: "export version 2 is not supported",
		`{"type":"export"}`:             "the export has no version",
	} {
		err := ofExport(t, text, nil).Check()
		if err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestPackedSources(t *testing.T) {
	t.Parallel()
	text := export(10, 1, 1)
	var zipped, zstandard bytes.Buffer
	for half := range slices.Values([]string{text[:100], text[100:]}) {
		z := gzip.NewWriter(&zipped) // a member for each half
		_, _ = io.WriteString(z, half)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	z, err := zstd.NewWriter(&zstandard)
	if err == nil {
		_, err = io.WriteString(z, text)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, packed := range map[string]string{
		"plain": text, "gzip": zipped.String(), "zstd": zstandard.String(),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(packed), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), nil, path)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // it can be read again
			from, err := s.Text()
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(from)
			if err != nil || string(got) != text || s.Read() != s.Size {
				t.Errorf("%s: %v, read %d of %d bytes", name, err, s.Read(), s.Size)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if name == "plain" {
			continue
		}
		cut := ofExport(t, packed[:len(packed)-20], nil)
		err = cut.Check()
		if err == nil || !strings.HasSuffix(err.Error(), ": the packed file was cut off") {
			t.Errorf("%s: a file that was cut off: %v", name, err)
		}
	}
	if _, err := Open(t.Context(), nil, t.TempDir()); err == nil {
		t.Error("a folder can be opened")
	}
	const want = "it is an Excel or ZIP file; save it as CSV"
	if _, err := source(t, "PK\x03\x04...").Text(); err == nil || err.Error() != want {
		t.Errorf("of an Excel file: %v", err)
	}
}

// Whether a report can be written shows before there is one.
func TestReportThatCannotBe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "report.csv")
	if err := (&Report{Path: path}).Check(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("a check leaves %v, %v", entries, err)
	}
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&Report{Path: path}).Check(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); string(text) != "x" {
		t.Errorf("a check leaves %q, %v", text, err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "none", "report.csv")} {
		if err := (&Report{Path: path}).Check(); err == nil {
			t.Errorf("%s can be a report", path)
		}
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	r := &Report{Path: filepath.Join(t.TempDir(), "report.csv"), Source: "=x.csv"}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a report about nothing: %v", err)
	}
	for _, e := range []Entry{
		{Line: 2, Code: "abc", Result: "skipped", Reason: "short code already exists"},
		{Line: 3, Result: "failed", Reason: "max_clicks must be 1 to 1000000000"},
		{Line: 4, Result: "failed", Reason: `field "tags" must be a list of strings`},
		{Line: 5, Code: "-x", Result: "created", Reason: "aliases[1] is taken"},
		{Line: 6, Result: "failed", Field: "Ziel", Reason: "it is neither"},
		{
			Line: 7, Domain: "go.example", Code: "\x1b]0;x\aabc", Result: "failed",
			Field: "\x1b[2J", Reason: "no\nbreak \u202e",
		},
	} {
		if err := r.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(r.Path)
	want := "line,source,short_code,result,field,reason\r\n" +
		"2,'=x.csv,abc,skipped,short_code,short code already exists\r\n" +
		"3,'=x.csv,,failed,max_clicks,max_clicks must be 1 to 1000000000\r\n" +
		"4,'=x.csv,,failed,tags,\"field \"\"tags\"\" must be a list of strings\"\r\n" +
		"5,'=x.csv,'-x,created,aliases,aliases[1] is taken\r\n" +
		"6,'=x.csv,,failed,Ziel,it is neither\r\n" +
		"7,'=x.csv,go.example/[U+001B]]0;x[U+0007]abc,failed,[U+001B][2J,no\\nbreak [U+202E]\r\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}

	other := &Report{Path: filepath.Join(t.TempDir(), "links.csv")}
	if err := os.WriteFile(other.Path, []byte("line,source\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, of := range []*Report{r, other, {Path: t.TempDir()}, {Path: "/nowhere"}} {
		if err := of.RemoveOld(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(r.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an old report is still there: %v", err)
	}
	if _, err := os.Stat(other.Path); err != nil {
		t.Errorf("what is no report was removed: %v", err)
	}
}
