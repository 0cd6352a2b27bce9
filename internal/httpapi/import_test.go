package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/importer"
	"terse/internal/tests/longtest"
	"terse/internal/visit/password"
)

// imported is an answer to an import.
type imported struct {
	columns []api.ImportColumn // of a table
	results []api.ImportResult
	summary api.ImportSummary
}

// send imports lines.
func (f *fixture) send(t testing.TB, query string, lines ...string) imported {
	t.Helper()
	got := f.do(t, request{
		method: "POST", target: "/api/import" + query, body: strings.Join(lines, "\n"),
		header: http.Header{"Content-Type": {"application/x-ndjson"}},
	})
	if got.status != http.StatusOK {
		t.Fatalf("answer %d %s", got.status, got.body)
	}
	return parseImported(t, got.body)
}

func parseImported(t testing.TB, body string) (out imported) {
	t.Helper()
	texts := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	if strings.HasPrefix(texts[0], `{"columns":`) {
		var first api.ImportColumns
		err := json.Unmarshal([]byte(texts[0]), &first, json.RejectUnknownMembers(true))
		if err != nil {
			t.Fatalf("columns %s: %v", texts[0], err)
		}
		out.columns, texts = first.Columns, texts[1:]
	}
	for _, text := range texts[:len(texts)-1] {
		var result api.ImportResult
		err := json.Unmarshal([]byte(text), &result, json.RejectUnknownMembers(true))
		if err != nil {
			t.Fatalf("result %s: %v", text, err)
		}
		out.results = append(out.results, result)
	}
	var end api.ImportEnd
	last := texts[len(texts)-1]
	if err := json.Unmarshal([]byte(last), &end, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("summary %s: %v", last, err)
	}
	out.summary = end.Summary
	return out
}

// want checks results, without their notes, and what the summary counts of clicks.
func (i imported) want(t testing.TB, what string, added, known, skipped int64,
	results ...api.ImportResult,
) {
	t.Helper()
	got := slices.Clone(i.results)
	for n := range got {
		got[n].Notes = nil
	}
	if diff := cmp.Diff(results, got); diff != "" {
		t.Errorf("%s: results (-want +got):\n%s", what, diff)
	}
	clicks := [3]int64{i.summary.ClicksAdded, i.summary.ClicksKnown, i.summary.ClicksSkipped}
	if clicks != [3]int64{added, known, skipped} {
		t.Errorf("%s: added, known and skipped clicks %v, want %d %d %d", what, clicks, added,
			known, skipped)
	}
}

func link(code, url, more string) string {
	return fmt.Sprintf(`{"type":"link","short_code":%q,"original_url":%q%s}`, code, url, more)
}

func result(line int64, code, result string) api.ImportResult {
	return api.ImportResult{Line: line, ShortCode: code, Result: result}
}

const created = `,"created_at":"2026-01-02T03:04:05.000006Z"`

// What an export has is what an import makes of it; sent again it changes nothing.
func TestImport(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const share = "AAAAAAAAAAAAAAAAAAAAAQ"
	lines := []string{
		`{"type":"export","version":1,"created_at":"2026-11-22T00:00:00Z","links":2,"clicks":506}`,
		link("abc", "https://e.example/a", created+`,"created_by":"someone",`+
			`"updated_at":"2026-02-01T00:00:00.000001Z","title":"A","tags":["b","a"],`+
			`"aliases":["docs/install"],"max_clicks":10,"clicks_used":4,"share":"`+share+`",`+
			`"history":[{"time":"2026-02-01T00:00:00.000001Z","by":"someone","request_id":"r",`+
			`"fields":{"title":{"old":null,"new":"A"}}}],"click_count":504,`+
			`"last_clicked_at":"2026-01-05T00:00:01.000000Z"`),
		`{"type":"day","date":"2026-01-03","visitors":40,"clicks":500}`,
		`{"type":"counts","date":"2026-01-03","dimension":"country","counts":{"DE":300},` +
			`"people":{"DE":200},"visitors":{"DE":30}}`,
		`{"type":"click","time":"2026-01-04T10:00:00.000001Z","count":3,"firsts":2,` +
			`"country":"DE","browser":"Firefox","visitor":"person"}`,
		`{"type":"click","time":"2026-01-05T00:00:01.000000Z","visitor":"bot"}`,
		link("v1.2", "https://e.example/b", ""),
		`{"type":"click","time":"2026-01-05T00:00:01.000000Z","count":2}`,
		`{"type":"end","links":2,"clicks":506}`,
	}
	first := f.send(t, "", lines...)
	moved := first.results[1].NewShortCode
	abc, alias := result(2, "abc", "created"), result(7, "v1.2", "created")
	abc.ClicksAdded, alias.ClicksAdded, alias.NewShortCode = 504, 2, moved
	first.want(t, "first", 506, 0, 0, abc, alias)
	if !f.changed.has("abc") || !f.changed.has("docs/install") || !f.changed.has("v1.2") {
		t.Errorf("changed %v", f.changed.list)
	}

	got := f.read(t, "abc")
	if got.OriginalURL != "https://e.example/a" || got.Title != "A" ||
		!slices.Equal(got.Tags, []string{"a", "b"}) || got.CreatedBy != terse.Identity ||
		got.CreatedAt.Format(api.EventTime) != "2026-01-02T03:04:05.000006Z" ||
		got.UpdatedAt.Format(api.EventTime) != "2026-02-01T00:00:00.000001Z" ||
		got.ClickCount != 504 || *got.ClicksLeft != 6 ||
		got.LastClickedAt.Format(api.EventTime) != "2026-01-05T00:00:01.000000Z" {
		t.Errorf("link %+v", got)
	}
	history := decodeAs[api.History](t, f.do(t, request{target: "/api/urls/abc/history"}), 200)
	if len(history.Changes) != 1 || history.Changes[0].By != "someone" ||
		string(history.Changes[0].Fields["title"].New) != `"A"` {
		t.Errorf("history %+v", history)
	}
	if got := f.do(t, request{target: "/api/urls/abc/share"}); !strings.Contains(got.body, share) {
		t.Errorf("share: %s", got.body)
	}
	if got := f.read(t, moved); !slices.Equal(got.Aliases, []string{"v1.2"}) {
		t.Errorf("aliases %q", got.Aliases)
	}
	clicks := decodeAs[api.URLClicks](t, f.do(t, request{
		target: "/api/urls/abc/clicks?by=country,browser&visitors=by&people=true&interval=day",
	}), 200)
	if *clicks.Visitors != 42 || *clicks.People != 503 || clicks.ByCountry["DE"] != 303 {
		t.Errorf("clicks %.300s", fmt.Sprintf("%+v", clicks))
	}

	abc.Result, abc.ClicksAdded, abc.ClicksKnown = "unchanged", 0, 504
	alias.Result, alias.ClicksAdded, alias.ClicksKnown = "unchanged", 0, 2
	f.send(t, "", lines...).want(t, "again", 0, 506, 0, abc, alias)
	f.send(t, "?conflict=overwrite", lines...).want(t, "again, overwriting", 0, 506, 0, abc, alias)
	f.send(t, "?conflict=fail", lines...).want(t, "again, if there is no conflict", 0, 506, 0, abc,
		alias)

	more := slices.Insert(lines, 5,
		`{"type":"click","time":"2026-01-04T10:00:00.000001Z","count":100,"country":"FR"}`)
	abc.ClicksAdded, alias.Line = 100, 8
	f.send(t, "?dry_run=true", more...).want(t, "100 more, dry", 100, 506, 0, abc, alias)
	f.send(t, "", more...).want(t, "100 more", 100, 506, 0, abc, alias)
	if got := f.read(t, "abc"); got.ClickCount != 604 {
		t.Errorf("%d clicks", got.ClickCount)
	}
}

// The results of the first links say what the links are, if that is asked for.
func TestImportShowsLinks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	lines := []string{
		"no JSON",
		link("abc", "https://e.example/a", created+`,"title":"A"`),
		`{"type":"click","time":"2026-01-04T10:00:00Z"}`,
		`{"type":"link","original_url":"https://e.example/new","title":null}`,
		link("docs/a", "https://e.example/b", `,"title":"`+strings.Repeat("ä", 300)+`"`),
		link("bad", "mailto:a@e.example", `,"title":5`),
		link("five", "https://e.example/five", ""),
		link("six", "https://e.example/six", ""),
	}
	for _, query := range []string{"?show_links=true&dry_run=true", "?show_links=true"} {
		got := map[int64]*api.ImportedLink{}
		for _, result := range f.send(t, query, lines...).results {
			got[result.Line] = result.Link
		}
		want := map[int64]*api.ImportedLink{
			1: nil, 8: nil,
			2: {ShortCode: "abc", OriginalURL: "https://e.example/a", Title: "A", CreatedAt: at},
			4: {OriginalURL: "https://e.example/new"},
			5: {
				ShortCode: "docs/a", OriginalURL: "https://e.example/b",
				Title: strings.Repeat("ä", 200),
			},
			6: {ShortCode: "bad", OriginalURL: "mailto:a@e.example"},
			7: {ShortCode: "five", OriginalURL: "https://e.example/five"},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", query, diff)
		}
	}
	for _, query := range []string{"?show_links=false", ""} {
		for _, result := range f.send(t, query, lines...).results {
			if result.Link != nil {
				t.Errorf("%s: %+v", query, result)
			}
		}
	}
	// Of a table, also rows that are read twice, because their targets may stand below.
	const table = "code,url,title,created\n" +
		"spring,https://sho.rt/summer,Spring,\nsummer,https://e.example/s,Summer,05.01.2026\n"
	var got []string
	for _, result := range f.send(t, "?show_links=true&format=csv", table).results {
		got = append(got, fmt.Sprintf("%d %v", result.Line, *result.Link))
	}
	want := []string{
		"3 {summer  https://e.example/s Summer 2026-01-05 00:00:00 +0000 UTC}",
		"2 {spring  https://sho.rt/summer Spring 0001-01-01 00:00:00 +0000 UTC}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("a table: %q", got)
	}
}

// Lines of a link are taken in any order, and as many as there are of an instant.
func TestImportInAnyOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	lines := []string{
		link("abc", "https://e.example/a", ""),
		`{"type":"click","time":"2026-01-03T00:00:00.000001Z","firsts":1}`,
		`{"type":"counts","date":"2026-01-01","dimension":"browser","counts":{"Firefox":7}}`,
		`{"type":"click","time":"2026-01-02T23:59:59.999999Z","country":"DE"}`,
		`{"type":"click","time":"2026-01-03T00:00:00.000001Z","country":"FR","firsts":1}`,
		`{"type":"day","date":"2026-01-01","clicks":8}`,
		`{"type":"click","time":"2026-01-03T00:00:00.000001Z","firsts":1}`,
		`{"type":"day","date":"2026-01-03","visitors":2}`,
	}
	want := result(1, "abc", "created")
	want.ClicksAdded = 12
	f.send(t, "", lines...).want(t, "first", 12, 0, 0, want)
	want.Result, want.ClicksAdded, want.ClicksKnown = "unchanged", 0, 12
	slices.Reverse(lines[1:])
	f.send(t, "", lines...).want(t, "reversed", 0, 12, 0, want)
	clicks := decodeAs[api.URLClicks](t, f.do(t, request{
		target: "/api/urls/abc/clicks?by=country,browser&visitors=true&interval=day" +
			"&start_time=2026-01-03T00:00:00Z&end_time=2026-01-04T00:00:00Z",
	}), 200)
	if clicks.TotalClicks != 3 || *clicks.Visitors != 3 { // no more visitors than clicks
		t.Errorf("clicks %.300s", fmt.Sprintf("%+v", clicks))
	}
}

// A taken code is a conflict, unless the link is the same.
func TestImportConflicts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query   string
		results []api.ImportResult
		added   int64
		skipped int64
		url     string // where abc leads afterwards
	}{
		{"", []api.ImportResult{
			{Line: 1, ShortCode: "abc", Result: "skipped", Error: "short code already exists"},
			{Line: 3, ShortCode: "new-code", Result: "created"},
		}, 0, 5, "https://e.example/old"},
		{"?conflict=rename", []api.ImportResult{
			{
				Line: 1, ShortCode: "abc", Result: "renamed", NewShortCode: "abc-3",
				ClicksAdded: 5,
			},
			{Line: 3, ShortCode: "new-code", Result: "created"},
		}, 5, 0, "https://e.example/old"},
		{"?conflict=overwrite", []api.ImportResult{
			{Line: 1, ShortCode: "abc", Result: "updated", ClicksAdded: 5},
			{Line: 3, ShortCode: "new-code", Result: "created"},
		}, 5, 0, "https://e.example/a"},
	} {
		t.Run(tt.query, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, nil)
			f.send(t, "", link("abc", "https://e.example/old", `,"title":"old","note":"kept"`),
				link("abc-2", "https://e.example/2", ""))
			lines := []string{
				link("abc", "https://e.example/a", `,"title":"new"`),
				`{"type":"click","time":"2026-01-03T00:00:00.000001Z","count":5}`,
				link("new-code", "https://e.example/b", ""),
			}
			dry := "?dry_run=true"
			if tt.query != "" {
				dry = tt.query + "&dry_run=true"
			}
			f.send(t, dry, lines...).want(t, "dry", tt.added, 0, tt.skipped, tt.results...)
			wantError(t, f.do(t, request{target: "/api/urls/new-code"}), 404, "URL not found")
			f.send(t, tt.query, lines...).want(t, "first", tt.added, 0, tt.skipped, tt.results...)
			got := f.read(t, "abc")
			if got.OriginalURL != tt.url {
				t.Errorf("abc leads to %s", got.OriginalURL)
			}
			again := slices.Clone(tt.results)
			for i := range again {
				if again[i].Result != "skipped" {
					again[i].Result = "unchanged"
				}
				again[i].ClicksKnown, again[i].ClicksAdded = again[i].ClicksAdded, 0
			}
			f.send(t, tt.query, lines...).want(t, "again", 0, tt.added, tt.skipped, again...)
			if tt.query != "?conflict=overwrite" {
				return
			}
			if got.Title != "new" || got.Note != "" {
				t.Errorf("overwritten: %+v", got)
			}
			history := decodeAs[api.History](t, f.do(t, request{
				target: "/api/urls/abc/history",
			}), 200)
			if len(history.Changes) != 1 || len(history.Changes[0].Fields) != 3 {
				t.Errorf("history %+v", history)
			}
		})
	}
	t.Run("?conflict=fail", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t, nil)
		f.send(t, "", link("abc", "https://e.example/old", ""))
		got := f.do(t, request{
			method: "POST", target: "/api/import?conflict=fail",
			body: link("new-code", "https://e.example/b", "") + "\n" +
				link("abc", "https://e.example/a", ""),
			header: http.Header{"Content-Type": {"application/x-ndjson"}},
		})
		wantError(t, got, 409, "short code already exists: abc")
		wantError(t, f.do(t, request{target: "/api/urls/new-code"}), 404, "URL not found")
		f.send(t, "?conflict=fail", link("twice", "https://e.example/b", ""),
			link("twice", "https://e.example/c", "")).want(t, "twice", 0, 0, 0,
			result(1, "twice", "created"), api.ImportResult{
				Line: 2, ShortCode: "twice", Result: "failed", Error: "short code already exists",
			})
	})
}

// However many lines of a body have one code, each is taken in.
func TestImportOneCodeOften(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	urls := func(n int, code func(int) string, more string) (lines []string) {
		for i := range n {
			lines = append(lines, link(code(i), fmt.Sprintf("https://e.example/%d", i), more))
		}
		return lines
	}
	abc := func(int) string { return "abc" }
	renamed := f.send(t, "?conflict=rename", urls(25, abc, "")...)
	if s := renamed.summary; s.Created != 1 || s.Renamed != 24 {
		t.Errorf("renamed: %+v", s)
	}
	if last := renamed.results[24]; last.NewShortCode != "abc-25" {
		t.Errorf("the last: %+v", last)
	}
	got := f.send(t, "?conflict=overwrite", urls(25, abc, `,"title":"again"`)...)
	if got.summary.Updated != 25 {
		t.Errorf("overwritten: %+v", got.summary)
	}
	if got := f.read(t, "abc"); got.OriginalURL != "https://e.example/24" {
		t.Errorf("abc leads to %s", got.OriginalURL)
	}
	// Codes of 20 characters that have the same candidates.
	long := func(i int) string { return fmt.Sprintf("a-code-of-20-char-%02d", i) }
	f.send(t, "", urls(25, long, created)...)
	if s := f.send(t, "?conflict=rename", urls(25, long, `,"created_at":"2020-01-02T00:00:00Z"`)...,
	).summary; s.Renamed != 25 {
		t.Errorf("long codes: %+v", s)
	}
}

// Of a table only its columns count. Its totals are clicks of the links' creation.
func TestImportTable(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.send(t, "", link("abc", "https://e.example/a", created+`,"title":"old","note":"kept"`))
	table := "short_code,original_url,title,tags,clicks\r\n" +
		"abc,https://e.example/a,new,\"a,b\",7\r\n" +
		"new-code,https://e.example/b,,,3\r\n" +
		"short,https://e.example/c\r\n" +
		",https://e.example/d,no code,,1\r\n"
	abc, fresh := result(2, "abc", "unchanged"), result(3, "new-code", "created")
	abc.ClicksAdded, fresh.ClicksAdded = 7, 3
	broken := api.ImportResult{Line: 4, Result: "failed", Error: "it has 2 cells in place of 5"}
	send := func(query string) imported {
		t.Helper()
		got := f.do(t, request{
			method: "POST", target: "/api/import" + query, body: table,
			header: http.Header{"Content-Type": {"text/csv"}},
		})
		if got.status != http.StatusOK {
			t.Fatalf("answer %d %s", got.status, got.body)
		}
		return parseImported(t, got.body)
	}
	first := send("?format=csv")
	without := result(5, first.results[len(first.results)-1].ShortCode, "created")
	without.ClicksAdded = 1
	first.want(t, "first", 11, 0, 0, broken, abc, fresh, without)
	if got := f.read(t, "abc"); got.Title != "old" || got.ClickCount != 7 ||
		!got.LastClickedAt.Equal(got.CreatedAt) {
		t.Errorf("abc is %+v", got)
	}
	abc.Result, fresh.Result, without.Result = "updated", "unchanged", "unchanged"
	abc.ClicksAdded, fresh.ClicksAdded, without.ClicksAdded = 0, 0, 0
	abc.ClicksKnown, fresh.ClicksKnown, without.ClicksKnown = 7, 3, 1
	send("?format=auto&conflict=overwrite").want(t, "again", 0, 11, 0, broken, abc, fresh, without)
	if got := f.read(t, "abc"); got.Title != "new" || got.Note != "kept" || len(got.Tags) != 2 {
		t.Errorf("abc is %+v", got)
	}
	wantError(t, f.do(t, request{
		method: "POST", target: "/api/import?format=csv", body: "a,b\n1,2\n",
		header: http.Header{"Content-Type": {"text/csv"}},
	}), 400, "no column is known to have the URLs where links lead; it has a, b: "+
		"map=COLUMN=original_url names the column")
}

// sendTable imports a table.
func (f *fixture) sendTable(t testing.TB, query, table string) imported {
	t.Helper()
	got := f.do(t, request{
		method: "POST", target: "/api/import?format=csv" + query, body: table,
		header: http.Header{"Content-Type": {"text/csv"}},
	})
	if got.status != http.StatusOK {
		t.Fatalf("answer %d %s", got.status, got.body)
	}
	return parseImported(t, got.body)
}

// The first line of the results of a table has its columns, also of a dry run. Parameters say how
// it is read.
func TestImportColumns(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const table = "Ziel;Kurz;Ende;Wert\nhttps://e.example/a;abc;31.01.2099 12:00;1\n"
	query := "&map=Ziel%3Doriginal_url&map=Kurz%3Dshort_code&map=Ende%3Dexpires_at&map=Wert%3D" +
		"&time_zone=Europe/Berlin&date_format=%25d.%25m.%25Y%20%25H:%25M&delimiter=%3B"
	for _, dry := range []string{"&dry_run=true", ""} {
		got := f.sendTable(t, query+dry, table)
		want := []api.ImportColumn{
			{Name: "Ziel", Field: "original_url", Example: "https://e.example/a"},
			{Name: "Kurz", Field: "short_code", Example: "abc"},
			{Name: "Ende", Field: "expires_at", Example: "31.01.2099 12:00"},
			{Name: "Wert", Example: "1"},
		}
		if diff := cmp.Diff(want, got.columns); diff != "" {
			t.Errorf("columns (-want +got):\n%s", diff)
		}
		got.want(t, "results"+dry, 0, 0, 0, result(2, "abc", "created"))
	}
	if got := f.read(t, "abc"); got.ExpiresAt.UTC().Format(time.RFC3339) != "2099-01-31T11:00:00Z" {
		t.Errorf("%+v", got)
	}
	refused := func(query, body, message, field string) {
		t.Helper()
		got := f.do(t, request{
			method: "POST", target: "/api/import" + query, body: body, bad: true,
			header: http.Header{"Prefer": {"error-field"}, "Content-Type": {"text/csv"}},
		})
		wantError(t, got, 400, message)
		if at := got.header.Get("Error-Field"); at != field {
			t.Errorf("%s: Error-Field %q, want %q", query, at, field)
		}
	}
	const ndjson = `{"type":"link","short_code":"xyz","original_url":"https://e.example/x"}`
	for name, value := range map[string]string{
		"map": "a%3D", "time_zone": "UTC", "date_format": "%25d.%25m.%25Y", "delimiter": ",",
		"guess": "true",
	} {
		for _, format := range []string{"", "&format=terse", "&format=auto"} {
			refused("?"+name+"="+value+format, ndjson, name+" is for tables (format=csv)", name)
		}
	}
	refused("?format=csv&map=a", table, `map is "a"; it must be a column, = and a field`, "map")
	refused("?format=csv&map=a%3Dtitle", table, `no column "a"; it has Ziel, Kurz, Ende, Wert`,
		"map")
	refused("?format=csv&time_zone=Mars", table,
		`time_zone is "Mars"; it must be an IANA time zone such as Europe/Berlin`, "time_zone")
	refused("?format=csv&guess=maybe", table, "guess must be true or false", "guess")
	for _, empty := range []string{"\n", "url,code\n", "url,code\r\r"} {
		refused("?format=csv", empty, "the table has no rows", "")
	}
}

// A table in which codes would be lost, or most rows, is not imported without a word, and not
// tried.
func TestImportAsks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.send(t, "", link("taken", "https://e.example/x", ""))
	var closed strings.Builder
	closed.WriteString("url,code,expires_at\n")
	for i := range 1200 {
		end := "2099-01-01"
		if i%2 == 0 || i == 1 {
			end = "some day"
		}
		fmt.Fprintf(&closed, "https://e.example/%d,c%04d,%s\n", i, i, end)
	}
	for _, c := range []struct{ table, said, answer string }{
		{
			"url,kurz\nhttps://e.example/1,a1\nhttps://e.example/2,a2\nhttps://e.example/3,a3\n",
			`no column is known to have short codes, but "kurz" could: map=kurz=short_code if it ` +
				`has them, map=kurz= if it has none, or guess=true if each new link is to get a ` +
				`code of its own`, "&map=kurz%3D",
		},
		{
			"url,code\nhttps://e.example/1,dup\nhttps://e.example/2,dup\n",
			`1 of the first 2 rows have a short code ("code") that a row before has with another ` +
				`URL: map=code= if these are no codes, or guess=true if they are to be imported ` +
				`as they are`, "&map=code%3D",
		},
		{
			"Short URL,URL\nhttps://go.example/print1,https://e.example/1\n" +
				"https://go.example/,https://e.example/2\n",
			`"Short URL" could: map=Short URL=short_url if it has them`, "&map=Short+URL%3D",
		},
		{
			"Code,URL,Status\naaa,https://e.example/1,active\nbbb,https://e.example/2,disabled\n" +
				"ccc,https://e.example/3,paused\nddd,https://e.example/4,active\n",
			`"Status" switches links off ("disabled"), but it is not read, for it has unknown ` +
				`words ("paused"): map=Status=status if`, "&map=Status%3D",
		},
		{
			closed.String(),
			"501 of the first 1000 rows would fail or be skipped (expires_at 501): " +
				"map=COLUMN=FIELD to say what a column is, map=COLUMN= not to read one, or " +
				"guess=true if the others are to be imported", "&map=expires_at%3D",
		},
		{
			"url,code\nhttps://e.example/1,taken\nftp://e.example/2,bad\nhttps://e.example/3,new\n",
			"2 of the first 3 rows would fail or be skipped (original_url 1, short_code 1): ",
			"&conflict=overwrite",
		},
	} {
		for _, dry := range []string{"", "&dry_run=true"} {
			got := f.do(t, request{
				method: "POST", target: "/api/import?format=csv" + dry, body: c.table,
				header: http.Header{"Prefer": {"error-field"}, "Content-Type": {"text/csv"}},
			})
			if got.status != 400 || !strings.Contains(got.body, strings.ReplaceAll(c.said, `"`,
				`\"`)) ||
				got.header.Get("Error-Field") != "map" {
				t.Errorf("%.20s: %d %s", c.table, got.status, got.body)
			}
		}
		f.sendTable(t, "&guess=true&dry_run=true", c.table)
		f.sendTable(t, "&dry_run=true"+c.answer, c.table)
	}
	if list := f.do(t, request{target: "/api/urls"}); strings.Count(list.body, `"id"`) != 1 {
		t.Errorf("links %s", list.body)
	}
	got := f.sendTable(t, "&guess=true", closed.String())
	if s := got.summary; s.Created != 599 || s.LinesFailed != 601 {
		t.Errorf("%+v", s)
	}
	// Half of the rows may fail.
	f.sendTable(t, "", "url,code\nftp://e.example/2,bad\nhttps://e.example/3,new\n")
}

// A row of a table that leads to a short URL of this server is about an alias of the link there,
// which may stand further down, or be such a row.
func TestImportShortURLs(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.send(t, "", link("there", "https://e.example/there", created+`,"title":"T"`),
		link("other", "https://e.example/other", ""))
	var full []string
	for i := range 20 {
		full = append(full, fmt.Sprintf("%q", fmt.Sprint("full/", i)))
	}
	f.send(t, "", link("full", "https://e.example/full", `,"aliases":[`+strings.Join(full,
		",")+`]`))
	const table = "code,url,title,expires_at,status,clicks,created_at,aliases\n" +
		"one,https://sho.rt/two,,,,,,\n" + // leads to one that leads to one further down
		"two,https://SHO.rt:443/%6catter/?a=b,Two,,active,5,2026-01-02,two/b other\n" +
		"three,https://sho.rt/there,,,,,,\n" +
		"four,https://sho.rt/nowhere,,,,,,\n" +
		"five,https://sho.rt/there,,2099-01-01,,,,\n" +
		"six,https://sho.rt/there,,,off,,,\n" +
		"other,https://sho.rt/there,,,,,,\n" +
		"seven,https://sho.rt/eight,,,,,,\n" + // in a circle
		"eight,https://sho.rt/seven,,,,,,\n" +
		"there,https://sho.rt/there,,,,,,\n" +
		",https://sho.rt/there,,,,,,\n" +
		"nine,https://sho.rt/full,,,,,,\n" +
		"latter,https://e.example/latter,,,,3,,\n" +
		"last,https://e.example/last,,,,,,\n"
	const nowhere = "original URL is a short URL of this server, and there is no link at "
	failed := func(line int64, code, problem string) api.ImportResult {
		r := result(line, code, "failed")
		r.Error = problem
		return r
	}
	latter := result(14, "latter", "created")
	latter.ClicksAdded = 3
	taken := result(8, "other", "skipped")
	taken.Error = "short code already exists"
	want := []api.ImportResult{
		failed(6, "five", "expires_at can not be that of an address of another link"),
		failed(7, "six", "disabled can not be that of an address of another link"),
		failed(12, "", ""), latter, result(15, "last", "created"),
		result(2, "one", "updated"), result(3, "two", "updated"), result(4, "three", "updated"),
		failed(5, "four", nowhere+"nowhere"), taken, failed(9, "seven", nowhere+"eight"),
		failed(10, "eight", nowhere+"seven"), result(11, "there", "unchanged"),
		failed(13, "nine", "at most 20 aliases"),
	}
	run := func(what, query string, added, known int64) imported {
		t.Helper()
		got := f.sendTable(t, "&guess=true"+query, table)
		if len(got.results) > 2 {
			want[2].Error = got.results[2].Error
		}
		got.want(t, what, added, known, 5, want...)
		return got
	}
	run("dry", "&dry_run=true", 3, 0)
	if got := f.read(t, "there"); len(got.Aliases) > 0 {
		t.Errorf("a dry run gave it %q", got.Aliases)
	}
	got := run("first", "", 3, 0)
	if !strings.HasPrefix(want[2].Error, "original URL must not") {
		t.Errorf("without a code: %s", want[2].Error)
	}
	if diff := cmp.Diff([]string{
		"5 clicks were dropped: those of the link stay",
		"alias other was dropped: address already exists",
		"created_at was dropped: that of the link stays", "is an address of latter now",
		"query of original_url was dropped: an address leads where its link does",
		"title was dropped: that of the link stays",
	}, got.results[6].Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if notes := got.results[5].Notes; !slices.Equal(notes,
		[]string{"is an address of latter now"}) {
		t.Errorf("notes %q", notes)
	}
	for code, aliases := range map[string][]string{
		"latter": {"two", "two/b", "one"}, "there": {"three"}, "other": nil,
	} {
		if got := f.read(t, code); !slices.Equal(got.Aliases, aliases) {
			t.Errorf("%s has %q", code, got.Aliases)
		}
	}
	if !f.changed.has("three") {
		t.Errorf("changed %v", f.changed.list)
	}
	want[3].Result, want[3].ClicksAdded, want[3].ClicksKnown = "unchanged", 0, 3
	for _, i := range []int{4, 5, 6, 7} {
		want[i].Result = "unchanged"
	}
	run("again", "", 0, 3)
	run("rename", "&conflict=rename", 0, 3)
	for _, i := range []int{3, 5, 6} { // the table says that latter has no aliases
		want[i].Result = "updated"
	}
	run("overwrite", "&conflict=overwrite", 0, 3)
	wantError(t, f.do(t, request{
		method: "POST", target: "/api/import?format=csv&guess=true&conflict=fail", body: table,
		header: http.Header{"Content-Type": {"text/csv"}},
	}), 409, "short code already exists: other")
	// In lines as in an export it stays as it is.
	failed1 := f.send(t, "", link("ten", "https://sho.rt/there", ""))
	if failed1.summary.Failed != 1 {
		t.Errorf("%+v", failed1)
	}
}

// Clicks without a time are at the creation of their link. One in the future has none.
func TestImportUndatedClicks(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	lines := []string{
		link("long-ago", "https://e.example/a", `,"created_at":"1970-01-01T00:00:00Z"`),
		`{"type":"click","count":5}`,
		link("future", "https://e.example/b", `,"created_at":"2099-01-01T00:00:00Z"`),
		`{"type":"click","count":7}`,
		`{"type":"click","time":"2026-01-02T03:04:05Z"}`,
	}
	past, future := result(1, "long-ago", "created"), result(3, "future", "created")
	past.ClicksAdded, future.ClicksAdded = 5, 1
	f.send(t, "?dry_run=true", lines...).want(t, "dry run", 6, 0, 7, past, future)
	got := f.send(t, "", lines...)
	got.want(t, "first", 6, 0, 7, past, future)
	if notes := got.results[1].Notes; len(notes) != 1 || !strings.Contains(notes[0], "future") {
		t.Errorf("notes %q", notes)
	}
	past.Result, future.Result = "unchanged", "unchanged"
	past.ClicksAdded, past.ClicksKnown, future.ClicksAdded, future.ClicksKnown = 0, 5, 0, 1
	f.send(t, "", lines...).want(t, "again", 0, 6, 7, past, future)
	first := decodeAs[api.Events](t, f.do(t, request{target: "/api/urls/long-ago/events"}), 200)
	if at := first.Events[0].Time; !at.Equal(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("clicks of 1970 are at %v", at)
	}
}

// What is wrong with a line fails that line, and what can't be kept is noted.
func TestImportBadLines(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	long := strings.Repeat("x", 1<<20+1)
	var aliases []string
	for i := range 21 {
		aliases = append(aliases, fmt.Sprintf(`"alias-%d"`, i))
	}
	for _, tt := range []struct {
		line   string
		result string // of the line, with its error
	}{
		{
			link("abc", "https://e.example/"+strings.Repeat("x", 8192), ""),
			"failed: original_url must be at most 8192 bytes",
		},
		{
			link("abc", "ftp://e.example/", ""),
			"failed: original URL must be a valid http or https URL",
		},
		{
			link("abc", baseURL+"/other", ""),
			"failed: original URL must not be a short link of this service",
		},
		{`{"type":"link","short_code":"abc"}`, "failed: original_url is required"},
		{link("api", "https://e.example/", ""), "failed: short code is reserved"},
		{link("a", "https://e.example/1", ""), "created"}, // an alias
		{link("?", "https://e.example/", ""), "failed: " + terse.ErrBadCode.Message},
		{
			link("many", "https://e.example/", `,"aliases":[`+strings.Join(aliases, ",")+`]`),
			"failed: aliases: at most 20",
		},
		{
			link("when", "https://e.example/", `,"starts_at":"2026-01-02"`),
			"failed: starts_at must be an RFC 3339 time such as 2026-01-31T12:00:00Z",
		},
		{
			link("hash", "https://e.example/", `,"password_hash":"secret"`),
			"failed: password_hash must be argon2id, of at most 64 MiB, 4 passes and 4 lanes, or " +
				"bcrypt, of a cost of at most 12",
		},
		{
			link("open", "https://e.example/", `,"password_hash":""`),
			"failed: password_hash must be argon2id, of at most 64 MiB, 4 passes and 4 lanes, or " +
				"bcrypt, of a cost of at most 12",
		},
		{
			link("dear", "https://e.example/", `,"password_hash":"$argon2id$v=19$m=65536,t=5,p=1$`+
				`c29tZXNhbHQ$ZVrRXqxlLcWfcXCnMyv0m4Rpvh/bnCi7"`),
			"failed: password_hash must be argon2id, of at most 64 MiB, 4 passes and 4 lanes, or " +
				"bcrypt, of a cost of at most 12",
		},
		{
			link("both", "https://e.example/", `,"password":7`),
			`failed: field "password" must be a string`,
		},
		{
			link("type", "https://e.example/", `,"title":["a"]`),
			`failed: field "title" must be a string`,
		},
		{"{", "failed: malformed JSON at byte 1: the text ends too early"},
		{"[1]", "failed: the line is not a JSON object"},
		{`{"a":1}`, "failed: type is required"},
		{"\xff", "failed: the line is not UTF-8"},
		{long, "failed: the line is longer than 1 MiB"},
		{
			`{"type":"click","time":"2026-01-02T03:04:05Z"}`,
			"failed: there is no link line above this one",
		},
		{" \n\n", ""}, // blank
	} {
		got := f.send(t, "", tt.line)
		text, failed := "", got.summary.Failed+got.summary.LinesFailed
		for _, r := range got.results {
			text = r.Result
			if r.Error != "" {
				text += ": " + r.Error
			}
		}
		if strings.HasPrefix(tt.result, "failed: aliases") {
			text = strings.Replace(text, "failed: at most 20 aliases", tt.result, 1)
		}
		if text != tt.result || len(got.results) > 1 ||
			failed != int64(strings.Count(text, "failed")) {
			t.Errorf("%.60q: %q and %+v, want %q", tt.line, text, got.summary, tt.result)
		}
	}

	got := f.send(t, "", link("noted", "https://e.example/n", `,"id":5,"share":"x",`+
		`"aliases":["a","b"]`),
		`{"type":"visit","at":1}`,
		`{"type":"click","time":"2026-01-02T03:04:05Z","device":"toaster","planet":"earth"}`,
		`{"type":"click","time":"2026-01-02T03:04:06Z","device":"toaster"}`,
		`{"type":"day","date":"2026-01-05","clicks":5}`,
		`{"type":"day","date":"2026-01-05","clicks":5}`,
		`{"type":"counts","date":"2026-01-05","dimension":"country","counts":{"DE":6}}`,
		`{"type":"counts","date":"2026-01-06","dimension":"country","counts":{"DE":1}}`,
		`{"type":"click","time":"2026-01-02T03:04:06Z","firsts":2}`,
		`{"type":"click","time":"1999-01-02T03:04:06Z"}`,
		"x",
		`{"type":"click","time":"2026-01-02T03:04:05Z"}`,
	)
	var texts []string
	for _, r := range got.results {
		texts = append(texts, fmt.Sprint(r.Line, " ", r.Result, " ", r.Error, r.Notes))
	}
	want := []string{
		"9 failed firsts must be at most count[]",
		"10 failed time must be from the year 2000 to one day ahead[]",
		"11 failed malformed JSON at byte 0: invalid character 'x' at start of value[]",
		"12 failed there is no link line above this one[]",
		"6 failed the day 2026-01-05 is there twice[]",
		"7 failed counts of country are more than the clicks of 2026-01-05[]",
		"8 failed there is no line of the day 2026-01-06[]",
		`1 created [a line was dropped: type "visit" is not known ` +
			`alias a was dropped: address already exists ` +
			`device was dropped: it can not be "toaster" (2 times) ` +
			`field "id" was dropped: it is not known ` +
			`field "planet" was dropped: it is not known ` +
			`share was dropped: it is not 22 to 64 characters of base64url]`,
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if s := got.summary; s.ClicksAdded != 7 || s.LinesFailed != 7 || s.Created != 1 {
		t.Errorf("summary %+v", s)
	}
}

// packed compresses a text, as gzip in two members.
func packed(t testing.TB, encoding, text string) string {
	t.Helper()
	var b bytes.Buffer
	for _, part := range []string{text[:len(text)/2], text[len(text)/2:]} {
		var w io.WriteCloser = gzip.NewWriter(&b)
		if encoding == "zstd" {
			var err error
			if w, err = zstd.NewWriter(&b); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := io.WriteString(w, part); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func importRequest(query, encoding, body string) request {
	r := request{
		method: "POST", target: "/api/import" + query, body: body,
		header: http.Header{"Content-Type": {"application/x-ndjson"}},
	}
	if encoding != "" {
		r.header.Set("Content-Encoding", encoding)
	}
	return r
}

// A body may be compressed, in several parts. It is refused before anything is done.
func TestImportBodies(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	line := link("abc", "https://e.example/a", "")
	for i, encoding := range []string{"gzip", "zstd", "identity", "GZIP"} {
		body := line
		if encoding != "identity" {
			body = packed(t, strings.ToLower(encoding), line)
		}
		r := importRequest("", encoding, body)
		r.bad = i > 1 // the document has not all spellings
		got := f.do(t, r)
		if got.status != 200 || len(parseImported(t, got.body).results) != 1 {
			t.Errorf("%s: %d %s", encoding, got.status, got.body)
		}
	}
	// UTF-16, with its byte order mark
	utf16 := "\xff\xfe"
	for _, c := range []byte(link("utf16", "https://e.example/u", "") + "\n") {
		utf16 += string([]byte{c, 0})
	}
	if got := f.do(t, importRequest("?format=auto", "", utf16)); got.status != 200 ||
		parseImported(t, got.body).summary.Created != 1 {
		t.Errorf("UTF-16: %d %s", got.status, got.body)
	}

	never := link("never", "https://e.example/n", "") + "\n"
	export := `{"type":"export","version":1}` + "\n"
	for _, tt := range []struct {
		query, encoding, body string
		status                int
		text                  string
	}{
		{"", "br", never, 415, "Content-Encoding must be gzip or zstd"},
		{"", "gzip, zstd", never, 415, "Content-Encoding must be gzip or zstd"},
		{"", "gzip", packed(t, "gzip", never)[:40], 400, "the body ends too soon"},
		{"", "zstd", packed(t, "zstd", never)[:40], 400, "the body ends too soon"},
		{"", "gzip", never, 400, "the body can not be unpacked: gzip: invalid header"},
		{"", "", export + never, 400, "the export has no end"},
		{"", "", export + never + export + `{"type":"end"}`, 400, "the export has no end"},
		{
			"", "", never + `{"type":"export","version":2}`, 400,
			"export version 2 is not supported",
		},
		{"", "", never + `{"type":"export"}`, 400, "the export has no version"},
		{
			"?conflict=maybe", "", never, 400,
			"conflict must be skip, overwrite, rename or fail",
		},
		{"?dry_run=1", "", never, 400, "dry_run must be true or false"},
		{"?show_links=1", "", never, 400, "show_links must be true or false"},
		{
			"?format=xls", "", never, 400,
			"format must be " + strings.Join(formats.TextNames(), ", ") + " or auto",
		},
	} {
		r := importRequest(tt.query, tt.encoding, tt.body)
		r.bad = true
		wantError(t, f.do(t, r), tt.status, tt.text)
	}
	key := importRequest("", "", never)
	key.header.Set("Idempotency-Key", "k")
	wantError(t, f.do(t, key), 400, "Idempotency-Key can not be used with an import, which can be "+
		"sent again anyway")
	wantError(t, f.do(t, request{target: "/api/urls/never"}), 404, "URL not found")
}

// zeros are bytes of nothing.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// A body that unpacks to more than 16 GiB is refused.
func TestImportBomb(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	f := newFixture(t, nil)
	var bomb bytes.Buffer
	w, err := zstd.NewWriter(&bomb)
	if err == nil {
		_, err = io.CopyN(w, zeros{}, 16<<30+1)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, f.do(t, importRequest("", "zstd", bomb.String())), 413,
		"request body must be at most 1 GiB, and its text at most 16 GiB")
}

// A caller has one import at a time, and no import takes anything of its budget.
func TestOneImportAtATime(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) {
		o.Limit = budget(func(netip.Addr) time.Duration { return time.Second }) // used up
	})
	from, to := io.Pipe()
	answers := make(chan *http.Response, 1)
	go func() {
		req := importRequest("", "", "").build(t, f.server.URL)
		req.Body, req.ContentLength = io.NopCloser(from), -1
		resp, err := f.server.Client().Do(req)
		if err != nil {
			t.Error(err)
		}
		answers <- resp
	}()
	_, _ = io.WriteString(to, link("abc", "https://e.example/a", "")+"\n")
	// The first has begun when it has read more than connections hold.
	_, _ = io.WriteString(to, strings.Repeat("\n", 32<<20))
	got := f.do(t, importRequest("?dry_run=true", "", link("abc", "https://e.example/a", "")))
	wantError(t, got, 429, "an import of yours is under way")
	if got.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
	}
	_ = to.Close()
	resp := <-answers
	if resp == nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("the first: %v", resp)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || parseImported(t, string(body)).summary.Created != 1 {
		t.Errorf("the first: %s, %v", body, err)
	}
}

// Of a visitor's user agent and address only what they tell stays.
func TestImportDerives(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.send(t, "", link("abc", "https://e.example/a", ""),
		`{"type":"click","time":"2026-01-02T03:04:05Z","address":"192.0.2.1","user_agent":`+
			`"Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 `+
			`(KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1"}`,
		`{"type":"click","time":"2026-01-02T03:04:06Z","country":"FR","address":"192.0.2.1",`+
			`"browser":"Firefox","user_agent":"Googlebot/2.1"}`,
		`{"type":"click","time":"2026-01-02T03:04:07Z","address":"nowhere"}`)
	got := f.do(t, request{target: "/api/urls/abc/events"})
	events := decodeAs[api.Events](t, got, 200).Events
	if len(events) != 3 {
		t.Fatalf("events %s", got.body)
	}
	for i, want := range []string{
		"XX unknown unknown other other other unknown",
		"FR unknown unknown Firefox other other bot",
		"DE DE-BE Berlin, DE-BE Safari iOS mobile person",
	} {
		e := events[i]
		text := strings.Join([]string{
			e.Country, e.Region, e.City, e.Browser, e.OS, e.Device, e.Visitor,
		}, " ")
		if text != want {
			t.Errorf("event %d: %s, want %s", i, text, want)
		}
	}
	if strings.Contains(got.body, "192.0.2.1") || strings.Contains(got.body, "Googlebot") {
		t.Errorf("events %s", got.body)
	}
}

// Other rules may name the browser of the same visit otherwise: it is known by its instant.
func TestImportAfterNewRules(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	page := link("abc", "https://e.example/a", "")
	click := func(seconds int, values string) string {
		return fmt.Sprintf(`{"type":"click","time":"2026-01-02T03:04:%02dZ",%s}`, seconds, values)
	}
	f.send(t, "", page,
		click(5, `"user_agent":"Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Firefox/144.0"`),
		click(6, `"browser":"Chrome","visitor":"person"`),
		click(6, `"browser":"Other","visitor":"bot"`))
	want := result(1, "abc", "unchanged")
	want.ClicksKnown = 3
	renamed := []string{
		page, click(5, `"browser":"Firefox Desktop","os":"Linux on desktops"`),
		click(6, `"browser":"Chromium","count":2`),
	}
	f.send(t, "", renamed...).want(t, "named otherwise", 0, 3, 0, want)
	want.ClicksAdded = 1
	f.send(t, "", append(renamed, click(6, `"browser":"Safari"`))...).
		want(t, "one more", 1, 3, 0, want)
	events := decodeAs[api.Events](t, f.do(t, request{target: "/api/urls/abc/events"}), 200).Events
	browsers := map[string]int{}
	for _, e := range events {
		browsers[e.Browser]++
	}
	if browsers["Firefox"] != 1 || browsers["Firefox Desktop"] != 0 || len(events) != 4 {
		t.Errorf("browsers %v of %d clicks", browsers, len(events))
	}
}

// Clicks that are older than the retention are counted with their day; all are if only days are
// counted.
func TestImportDropsOldClicks(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*importer.Options){
		"retention":   func(o *importer.Options) { o.Retention = 24 * time.Hour },
		"counts only": func(o *importer.Options) { o.CountsOnly = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, nil)
			f.serve(t, func(o *httpapi.Options) { o.Importer = f.importer(t, change) })
			lines := []string{
				link("abc", "https://e.example/a", ""),
				`{"type":"day","date":"2026-01-02","clicks":10,"visitors":4}`,
				`{"type":"counts","date":"2026-01-02","dimension":"country","counts":{"DE":6},` +
					`"visitors":{"DE":3}}`,
				`{"type":"click","time":"2026-01-02T03:04:05Z","country":"DE","count":2,` +
					`"firsts":1}`,
				`{"type":"click","time":"2026-01-02T03:04:05Z","visitor":"bot"}`,
			}
			want := result(1, "abc", "created")
			want.ClicksAdded = 13
			f.send(t, "", lines...).want(t, "first", 13, 0, 0, want)
			want.Result, want.ClicksAdded, want.ClicksKnown = "unchanged", 0, 13
			f.send(t, "", lines...).want(t, "again", 0, 13, 0, want)
			more := append(slices.Clone(lines),
				`{"type":"click","time":"2026-01-02T03:04:06Z","country":"FR"}`)
			want.ClicksAdded = 1
			f.send(t, "", more...).want(t, "one more", 1, 13, 0, want)
			clicks := decodeAs[api.URLClicks](t, f.do(t, request{
				target: "/api/urls/abc/clicks?by=country&visitors=by&people=true&interval=month",
			}), 200)
			if clicks.TotalClicks != 14 || clicks.ByCountry["DE"] != 8 ||
				clicks.ByCountry["FR"] != 1 || *clicks.Visitors != 5 || *clicks.People != 13 ||
				clicks.VisitorsByCountry["DE"] != 4 {
				t.Errorf("clicks %.400s", fmt.Sprintf("%+v", clicks))
			}
			if got := f.do(t, request{target: "/api/urls/abc/events"}); !strings.Contains(got.body,
				`"events":[]`) {
				t.Errorf("events %s", got.body)
			}
		})
	}
}

// Two imports of the same at once, as of two nodes: each link and click is there once.
func TestImportsAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	other := *f
	other.serve(t, nil)
	var lines []string
	const links = 200
	for i := range links {
		lines = append(lines, link(fmt.Sprintf("link-%d", i), "https://e.example/a", created))
		for c := range 5 {
			lines = append(lines, fmt.Sprintf(`{"type":"click","time":"2026-01-0%dT03:04:05Z",`+
				`"count":2}`, 3+c))
		}
	}
	var both sync.WaitGroup
	var got [2]imported
	for i, f := range []*fixture{f, &other} {
		both.Go(func() { got[i] = f.send(t, "", lines...) })
	}
	both.Wait()
	a, b := got[0].summary, got[1].summary
	if a.Created+b.Created != links || a.Unchanged+b.Unchanged != links ||
		a.ClicksAdded+b.ClicksAdded != 10*links || a.ClicksKnown+b.ClicksKnown != 10*links {
		t.Errorf("%+v and %+v", a, b)
	}
	overview := decodeAs[api.Overview](t, f.do(t, request{
		target: "/api/overview?interval=month",
	}), 200)
	if overview.TotalClicks != 10*links || overview.Links != links {
		t.Errorf("%d clicks of %d links", overview.TotalClicks, overview.Links)
	}
}

// What only one link can have stays with the link that has it.
func TestImportTaken(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const share = `,"share":"AAAAAAAAAAAAAAAAAAAAAQ"`
	f.send(t, "", link("first", "https://e.example/1", share+`,"aliases":["docs/a"]`))
	got := f.send(t, "?conflict=rename",
		link("second", "https://e.example/2", share+`,"aliases":["docs/a","docs/b"]`),
		link("docs/a", "https://e.example/3", ""),
		link("first", "https://e.example/1", `,"created_at":"2020-01-02T00:00:00Z"`))
	got.want(t, "taken", 0, 0, 0, result(1, "second", "created"),
		api.ImportResult{
			Line: 2, ShortCode: "docs/a", Result: "skipped", Error: "short code already exists",
		}, api.ImportResult{
			Line: 3, ShortCode: "first", Result: "renamed", NewShortCode: "first-2",
		})
	want := []string{
		"alias docs/a was dropped: address already exists",
		"share was dropped: another link has it",
	}
	if diff := cmp.Diff(want, got.results[0].Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if second := f.read(t, "second"); !slices.Equal(second.Aliases, []string{"docs/b"}) {
		t.Errorf("aliases %q", second.Aliases)
	}
	wantError(t, f.do(t, request{target: "/api/urls/second/share"}), 404, "share not found")
}

// A dry run tells what becomes of a link of which a body has several lines.
func TestImportTriesOneCodeOften(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const more = `,"title":"A","aliases":["docs/a"]`
	lines := []string{
		link("abc", "https://e.example/a", more), link("abc", "https://e.example/a", more),
		link("abc", "https://e.example/b", more), link("abc", "https://e.example/b", ""),
		link("abc", "https://e.example/b", ""),
	}
	for _, query := range []string{"?conflict=overwrite&dry_run=true", "?conflict=overwrite"} {
		f.send(t, query, lines...).want(t, query, 0, 0, 0, result(1, "abc", "created"),
			result(2, "abc", "unchanged"), result(3, "abc", "updated"),
			result(4, "abc", "updated"), result(5, "abc", "unchanged"))
	}
}

// Links may exchange their aliases, or take one over that another leaves.
func TestImportMovesAliases(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	aliased := func(code, alias string) string {
		return link(code, "https://e.example/"+code, fmt.Sprintf(`,"aliases":[%q]`, alias))
	}
	f.send(t, "", aliased("link-1", "s/1"), aliased("link-2", "s/2"), aliased("link-3", "s/3"))
	moved := map[string]string{"link-1": "s/2", "link-2": "s/1", "link-0": "s/3", "link-3": "s/4"}
	lines := []string{
		aliased("link-0", "s/3"), aliased("link-1", "s/2"), aliased("link-2", "s/1"),
		aliased("link-3", "s/4"),
	}
	got := f.send(t, "?conflict=overwrite", lines...)
	got.want(t, "moved", 0, 0, 0, result(1, "link-0", "created"), result(2, "link-1", "updated"),
		result(3, "link-2", "updated"), result(4, "link-3", "updated"))
	for _, r := range got.results {
		if len(r.Notes) > 0 {
			t.Errorf("%s: notes %q", r.ShortCode, r.Notes)
		}
	}
	for code, alias := range moved {
		if got := f.read(t, code); !slices.Equal(got.Aliases, []string{alias}) {
			t.Errorf("%s has %q", code, got.Aliases)
		}
	}
	kept := f.send(t, "?conflict=overwrite", aliased("link-1", "s/1"),
		link("link-1", "https://e.example/link-1", ""))
	kept.want(t, "kept", 0, 0, 0, result(1, "link-1", "updated"), result(2, "link-1", "unchanged"))
	if notes := kept.results[0].Notes; len(notes) != 1 {
		t.Errorf("kept: notes %q", notes)
	}
}

// A code that would be a page of the server is said to be that, also where only an alias could be
// as short.
func TestImportOfReservedCodes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, code := range []string{"ui", "api", "api/urls"} {
		got := f.send(t, "", link(code, "https://e.example/", ""))
		if text := got.results[0].Error; text != "short code is reserved" {
			t.Errorf("%s: %q", code, text)
		}
	}
}

// What decides nothing about visits is cut, and the link is kept.
func TestImportCuts(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	var tags []string
	for i := range 21 {
		tags = append(tags, fmt.Sprintf("%q", fmt.Sprint("t", i)))
	}
	got := f.send(t, "",
		link("long", "https://e.example/a", `,"title":"`+strings.Repeat("ä", 201)+`","note":"`+
			strings.Repeat("n", 2001)+`","tags":[`+strings.Join(tags, ",")+
			`],"created_at":"yesterday"`),
		link("closed", "https://e.example/b", `,"expires_at":"yesterday"`),
		link("limited", "https://e.example/c", `,"max_clicks":0`))
	closed, limited := result(2, "closed", "failed"), result(3, "limited", "failed")
	closed.Error = "expires_at must be an RFC 3339 time such as 2026-01-31T12:00:00Z"
	limited.Error = "max_clicks must be 1 to 1000000000"
	got.want(t, "cut", 0, 0, 0, result(1, "long", "created"), closed, limited)
	want := []string{
		"created_at was left out: created_at must be an RFC 3339 time such as 2026-01-31T12:00:00Z",
		"note was cut to 2000 characters", `tag "t20" was dropped: a link has at most 20`,
		"title was cut to 200 characters",
	}
	if diff := cmp.Diff(want, got.results[0].Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if got := f.read(t, "long"); got.Title != strings.Repeat("ä", 200) || len(got.Note) != 2000 ||
		len(got.Tags) != 20 {
		t.Errorf("link %+v", got)
	}
}

// A password is hashed; a hash stays as it is. Neither is changed by the same import again.
func TestImportPasswords(t *testing.T) {
	skipOnPostgres(t)
	t.Parallel()
	f := newFixture(t, nil)
	hash := password.Hash("secret")
	lines := []string{
		link("plain", "https://e.example/1", `,"password":"secret"`),
		link("hashed", "https://e.example/2", fmt.Sprintf(`,"password_hash":%q`, hash)),
	}
	f.send(t, "", lines...).want(t, "first", 0, 0, 0, result(1, "plain", "created"),
		result(2, "hashed", "created"))
	f.send(t, "?conflict=overwrite", lines...).want(t, "again", 0, 0, 0,
		result(1, "plain", "unchanged"), result(2, "hashed", "unchanged"))
	for _, code := range []string{"plain", "hashed"} {
		parsed, err := terse.ParseCode(code)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := f.store.Link(t.Context(), parsed)
		if err != nil {
			t.Fatal(err)
		}
		options, err := stored.Options.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := password.Verify(options.Password, "secret"); !ok || err != nil ||
			code == "hashed" && options.Password != hash {
			t.Errorf("%s: %s, %v", code, options.Password, err)
		}
	}
	lines[0] = link("plain", "https://e.example/1", `,"password":"another"`)
	f.send(t, "?conflict=overwrite&dry_run=true", lines...).want(t, "another", 0, 0, 0,
		result(1, "plain", "updated"), result(2, "hashed", "unchanged"))
}
