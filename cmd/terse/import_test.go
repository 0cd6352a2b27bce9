package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"terse/api"
	"terse/internal/tests/pgtest"
)

// importLines are lines of links, each with two clicks at each of three instants.
func importLines(links int, url string) string {
	var b strings.Builder
	for i := range links {
		fmt.Fprintf(&b, `{"type":"link","short_code":"link-%d","original_url":"%s%d",`+
			`"created_at":"2026-01-02T03:04:05.%06dZ","title":"%d"}`+"\n", i, url, i, i, i)
		for c := range 3 {
			fmt.Fprintf(&b, `{"type":"click","time":"2026-01-0%dT00:00:00Z","count":2}`+"\n", 3+c)
		}
	}
	return b.String()
}

// importText imports a text, and calls each with how many results there are.
func (i *instance) importText(ctx context.Context, text string, each func(n int)) (
	api.ImportSummary, error,
) {
	n := 0
	return i.client().Import(ctx, api.ImportQuery{}, strings.NewReader(text),
		func(api.ImportResult) error {
			if n++; each != nil {
				each(n)
			}
			return nil
		})
}

// wantImported checks that each link and click of importLines is there once.
func (i *instance) wantImported(t *testing.T, links int) {
	t.Helper()
	overview, err := i.client().Overview(t.Context(), api.ClicksQuery{})
	if err != nil || overview.Links != int64(links) || overview.TotalClicks != int64(6*links) {
		t.Errorf("%d links and %d clicks, %v; want %d and %d", overview.Links,
			overview.TotalClicks, err, links, 6*links)
	}
}

// A server that is killed while it imports has a part of it, whole links. The same body again adds
// the rest.
func TestImportKilled(t *testing.T) {
	t.Parallel()
	const links = 3000
	text := importLines(links, "https://e.example/")
	for name, env := range map[string]func(*testing.T) []string{
		"sqlite": func(*testing.T) []string { return nil },
		"postgres": func(t *testing.T) []string {
			return []string{"DATABASE_URL=" + pgtest.URL(t)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, env := t.TempDir(), env(t)
			for _, results := range []int{1, 600, 1500} {
				i := startProcess(t, dir, env...)
				_, err := i.importText(t.Context(), text, func(n int) {
					if n == results {
						i.kill()
					}
				})
				if err == nil {
					t.Fatal("an import of a server that was killed is complete")
				}
			}
			i := startProcess(t, dir, env...)
			summary, err := i.importText(t.Context(), text, nil)
			if err != nil || summary.Created+summary.Unchanged != links ||
				summary.ClicksAdded+summary.ClicksKnown != 6*links || summary.Unchanged < 1500 {
				t.Errorf("%+v, %v", summary, err)
			}
			i.wantImported(t, links)
			if left, err := filepath.Glob(filepath.Join(dir, "import-*")); err != nil ||
				len(left) > 0 {
				t.Errorf("left %q, %v", left, err)
			}
		})
	}
}

// An import ends when its client goes away, and when the server stops.
func TestImportEndsEarly(t *testing.T) {
	t.Parallel()
	const links = 20_000
	text := importLines(links, "https://e.example/")
	i := start(t)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	if _, err := i.importText(ctx, text, func(int) { leave() }); err == nil {
		t.Error("the import of a client that left is complete")
	}
	// The next one has to wait for the end of the first.
	summary, err := i.importText(t.Context(), "", nil)
	if err != nil {
		t.Fatalf("%+v, %v", summary, err)
	}
	overview, err := i.client().Overview(t.Context(), api.ClicksQuery{})
	if err != nil || overview.Links == 0 || overview.Links == links {
		t.Errorf("%d of %d links, %v", overview.Links, links, err)
	}
	_, err = i.importText(t.Context(), text, func(int) { i.cancel() })
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the client of the server that stopped got %v", err)
	}
	if code := i.stop(t); code != 0 {
		t.Errorf("exit code %d:\n%s", code, i.log)
	}
}

// databases are where a server can keep its data, as its environment says.
var databases = map[string]func(*testing.T) []string{
	"sqlite":   func(*testing.T) []string { return nil },
	"postgres": func(t *testing.T) []string { return []string{"DATABASE_URL=" + pgtest.URL(t)} },
}

// A server that is asked to stop while it adds the clicks of a link does so between two
// transactions. The same body again adds the rest.
func TestImportStopsWithinALink(t *testing.T) {
	t.Parallel()
	const clicks = 300_000
	var b strings.Builder
	b.WriteString(`{"type":"link","short_code":"busy","original_url":"https://e.example/"}` + "\n")
	for i := range clicks {
		fmt.Fprintf(&b, `{"type":"click","time":"2026-01-02T00:00:%02d.%06dZ","campaign":"%d"}`+
			"\n", i/5000, i%1000, i)
	}
	for name, env := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, env := t.TempDir(), env(t)
			i := startProcess(t, dir, env...)
			ended := make(chan error, 1)
			go func() {
				_, err := i.importText(t.Context(), b.String(), nil)
				ended <- err
			}()
			await(t, "some clicks to be there", func() bool {
				overview, err := i.client().Overview(t.Context(), api.ClicksQuery{})
				return err == nil && overview.TotalClicks > 0
			})
			i.cancel()
			await(t, "the server to end", func() bool {
				select {
				case <-i.done:
					return true
				default:
					return false
				}
			})
			if err := <-ended; err == nil || i.code != 0 {
				t.Errorf("the import ended with %v, the server with %d", err, i.code)
			}
			i = startProcess(t, dir, env...)
			before, err := i.client().Overview(t.Context(), api.ClicksQuery{})
			if err != nil || before.TotalClicks == 0 || before.TotalClicks == clicks {
				t.Errorf("%d of %d clicks are there, %v", before.TotalClicks, clicks, err)
			}
			summary, err := i.importText(t.Context(), b.String(), nil)
			if err != nil || summary.ClicksKnown != before.TotalClicks ||
				summary.ClicksAdded != clicks-before.TotalClicks {
				t.Errorf("%d clicks were there, now %+v, %v", before.TotalClicks, summary, err)
			}
		})
	}
}

// However many clicks are equal, they are imported, counted, listed and exported as few. What was
// exported is imported elsewhere, and sending it again adds nothing.
func TestImportOfEqualClicks(t *testing.T) {
	t.Parallel()
	const many, firsts, values = 2_500_000_000, 1_500_000_000, 20_000
	var b strings.Builder
	link := func(code string) {
		fmt.Fprintf(&b, `{"type":"link","short_code":"%[1]s","original_url":"https://e.example/`+
			`%[1]s","created_at":"2026-01-01T00:00:00Z"}`+"\n", code)
	}
	equal := func() {
		link("equal")
		for range 5 {
			fmt.Fprintf(&b, `{"type":"click","time":"2026-01-01T00:00:00Z","count":%d,`+
				`"firsts":%d,"country":"DE"}`+"\n", many/5, firsts/5)
		}
	}
	equal()
	link("instant")
	sum := int64(0)
	for i := range values {
		n := 1 + i%7*1000
		sum += int64(n)
		fmt.Fprintf(&b, `{"type":"click","time":"2026-01-01T00:00:00Z","count":%d,"campaign":"%d"}`+
			"\n", n, i)
	}
	equal() // again: these are known, also in a dry run
	const table = "code,url,created_at,clicks\nrow,https://e.example/row,2026-01-01,1000000000\n"
	all := many + sum + 1_000_000_000
	add := func(t *testing.T, i *instance, format, text string, added, known int64) {
		t.Helper()
		for _, dry := range []bool{true, false} {
			summary, err := i.client().Import(t.Context(), api.ImportQuery{
				Format: format, DryRun: dry,
			}, strings.NewReader(text), func(api.ImportResult) error { return nil })
			if err != nil || summary.ClicksAdded != added || summary.ClicksKnown != known {
				t.Errorf("dry run %t: %+v, %v; want %d and %d", dry, summary, err, added, known)
			}
		}
	}
	moved := map[string]string{}
	var mu sync.Mutex
	for name, env := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := start(t, env(t)...)
			add(t, i, "", b.String(), many+sum, many)
			add(t, i, "csv", table, 1_000_000_000, 0)
			add(t, i, "", b.String(), 0, many+sum+many)
			add(t, i, "csv", table, 0, 1_000_000_000)
			i.wantEqualClicks(t, many, firsts, sum, values)
			overview, err := i.client().Overview(t.Context(), api.ClicksQuery{})
			if err != nil || overview.TotalClicks != all {
				t.Errorf("%d clicks, %v; want %d", overview.TotalClicks, err, all)
			}
			text := i.do(t, "GET /api/export", "", authorized()).body
			elsewhere := start(t, env(t)...)
			add(t, elsewhere, "", text, all, 0)
			add(t, elsewhere, "", text, 0, all)
			elsewhere.wantEqualClicks(t, many, firsts, sum, values)
			again := elsewhere.do(t, "GET /api/export", "", authorized()).body
			_, lines, _ := strings.Cut(text, "\n")
			_, linesAgain, _ := strings.Cut(again, "\n")
			if lines != linesAgain {
				t.Error("the export of what was imported is another one")
			}
			mu.Lock()
			defer mu.Unlock()
			moved[name] = lines
			for _, other := range moved {
				if other != lines {
					t.Error("exports of both databases differ")
				}
			}
		})
	}
}

// wantEqualClicks checks statistics and events of two links.
func (i *instance) wantEqualClicks(t *testing.T, many, firsts, sum int64, values int) {
	t.Helper()
	clicks, err := i.client().Clicks(t.Context(), "equal", api.ClicksQuery{Visitors: true})
	if err != nil || clicks.TotalClicks != many || *clicks.Visitors != firsts ||
		clicks.ByCountry["DE"] != many {
		t.Errorf("%+v, %v", clicks, err)
	}
	events, n := int64(0), 0
	for e, err := range i.client().AllEvents(t.Context(), "instant", api.EventsQuery{Limit: 1000}) {
		if err != nil {
			t.Fatal(err)
		}
		events, n = events+e.Clicks(), n+1
	}
	if events != sum || n != values {
		t.Errorf("%d clicks in %d events, want %d in %d", events, n, sum, values)
	}
	for format, want := range map[string]string{
		"json": `,"count":2500000000}]}`, "ndjson": `,"count":2500000000}` + "\n",
		"csv": ",2500000000\r\n",
	} {
		got := i.do(t, "GET /api/urls/equal/events?format="+format, "", authorized()).body
		if !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s", format, got)
		}
	}
}

// A body that is too long is refused at once, if it says so.
func TestImportTooLong(t *testing.T) {
	t.Parallel()
	i := start(t)
	c, err := net.Dial("tcp", strings.TrimPrefix(i.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "POST /api/import HTTP/1.1\r\nHost: x\r\n%s\r\nContent-Length: %d\r\n\r\n",
		authorized(), 1<<30+1)
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusRequestEntityTooLarge || string(body) != `{"error":"request `+
		`body must be at most 1 GiB, and its text at most 16 GiB"}` {
		t.Errorf("%d %s", resp.StatusCode, body)
	}

	// One line of 1 GiB of nothing, in 1 MiB.
	var nothing bytes.Buffer
	w := gzip.NewWriter(&nothing)
	for block, n := make([]byte, 1<<20), 0; n < 1<<10; n++ {
		if _, err := w.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := i.do(t, "POST /api/import", nothing.String(), authorized(), "Content-Encoding: gzip")
	if got.StatusCode != http.StatusOK || !strings.HasPrefix(got.body,
		`{"line":1,"result":"failed","error":"the line is longer than 1 MiB"}`+"\n") ||
		!strings.Contains(got.body, `"lines_failed":1,`) {
		t.Errorf("%d %.300s", got.StatusCode, got.body)
	}
}

// On a full disk a body is refused. If the disk gets full later, lines say so; links are whole or
// not there, and the same body again adds the rest once there is room.
func TestImportOnFullDisk(t *testing.T) {
	t.Parallel()
	small := start(t, "DATA_DIR="+filepath.Join(smallDisk(t), "data"))
	got := small.do(t, "POST /api/import", importLines(1, "https://e.example/"), authorized())
	if got.StatusCode != http.StatusInsufficientStorage ||
		got.body != `{"error":"no room for the body"}` {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}

	disk := diskOf(t, "224m")
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 128<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	i := start(t, "DATA_DIR="+filepath.Join(disk, "data"))
	const links = 6000
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, importLines(links, "https://e.example/"+
		strings.Repeat("x", 8000))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	failed, first := map[string]bool{}, ""
	send := func() (api.ImportSummary, error) {
		return i.client().Import(t.Context(), api.ImportQuery{Encoding: "gzip"},
			bytes.NewReader(packed.Bytes()), func(r api.ImportResult) error {
				if r.Result == "failed" {
					failed[r.ShortCode], first = true, r.Error
				}
				return nil
			})
	}
	summary, err := send()
	if err != nil || len(failed) == 0 || summary.Failed != int64(len(failed)) ||
		summary.Created+summary.Failed != links ||
		!strings.HasPrefix(first, "no room on the server's disk") {
		t.Fatalf("%+v, %v, %d failed: %s", summary, err, len(failed), first)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	for link, err := range i.client().All(t.Context(), api.Search{}) {
		if err != nil {
			t.Fatal(err)
		}
		if link.Title != strings.TrimPrefix(link.ShortCode, "link-") {
			t.Fatalf("half a link: %+v", link)
		}
	}
	clear(failed)
	if summary, err := send(); err != nil || len(failed) > 0 {
		t.Errorf("%+v, %v, %d failed: %s", summary, err, len(failed), first)
	}
	i.wantImported(t, links)
}

// The client says how a table is read, and is told its columns before anything else.
func TestImportTableByClient(t *testing.T) {
	t.Parallel()
	i := start(t)
	results := 0
	var columns []api.ImportColumn
	q := api.ImportQuery{
		Format: "csv", DryRun: true, TimeZone: "Europe/Berlin", DateFormat: "%d.%m.%Y",
		Delimiter: ";", Map: []api.ColumnField{
			{Column: "Ziel", Field: "original_url"},
			{Column: "x"},
		},
		OnColumns: func(got []api.ImportColumn) error {
			if results > 0 {
				t.Error("the columns come after a result")
			}
			columns = got
			return nil
		},
	}
	const table = "Ziel;code;x;created_at\nhttps://example.com/;abc;1;31.01.2026\n" +
		"https://example.com/2;abc;2;\n"
	ask := func() error {
		_, err := i.client().Import(t.Context(), q, strings.NewReader(table),
			func(api.ImportResult) error {
				results++
				return nil
			})
		return err
	}
	if err := ask(); !errors.Is(err, api.ErrInvalid) || columns != nil {
		t.Errorf("%v, columns %+v", err, columns)
	}
	q.Guess = true
	want := []api.ImportColumn{
		{Name: "Ziel", Field: "original_url", Example: "https://example.com/"},
		{Name: "code", Field: "short_code", Example: "abc"},
		{Name: "x", Example: "1"},
		{Name: "created_at", Field: "created_at", Example: "31.01.2026"},
	}
	if err := ask(); err != nil || results != 2 || !slices.Equal(columns, want) {
		t.Errorf("%v, %d results, columns %+v", err, results, columns)
	}
	q.OnColumns = nil
	if err := ask(); err != nil {
		t.Error(err)
	}
}
