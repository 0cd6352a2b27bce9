package httpapi_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"terse"
	"terse/internal/httpapi"
	"terse/internal/visit/password"
)

// seedExport makes links with all that an export has.
func (f *fixture) seedExport(t *testing.T) {
	t.Helper()
	f.plainLink(t, "Zoe", "https://example.com/z")
	f.plainLink(t, "launch", "https://example.com/?a=1&b=<2>")
	f.createForeign(t, "foreign")
	patch := patchRequest("launch", `{"title":"=Grüße","note":"a\nb","tags":["news","Ads"],
		"aliases":["docs/install","grüße"],"starts_at":"2026-01-01T00:00:00Z",
		"expires_at":"2099-01-01T00:00:00.5Z","max_clicks":10,"disabled":true,
		"expired_url":"https://over.example/","password":"secret","redirect_status":301,
		"forward_query":true,"forward_path":true,"rules":[{"name":"ios","when":{
		"device":["ios"],"query":{"b":"1","a":null},"after":"2026-01-01T00:00:00Z",
		"address":["192.0.2.0/24"]},"share":50,"url":"https://apps.example/"}],
		"archived":true}`)
	if got := f.do(t, patch.with("X-Request-ID", "r-1")); got.status != http.StatusOK {
		t.Fatal(got)
	}
	link, err := f.store.Link(t.Context(), mustParse(t, "launch"))
	if err == nil {
		err = f.store.Take(t.Context(), link.Ref())
	}
	if err != nil {
		t.Fatal(err)
	}
	f.shareOf(t, "launch", http.StatusCreated)

	dropped := []terse.Click{
		clickAt(t, "2026-01-02T10:00:00Z", "DE", "https://news.example/a"),
		clickAt(t, "2026-01-02T11:00:00Z", "DE", ""),
		clickAt(t, "2026-01-02T12:00:00Z", "", ""),
	}
	dropped[1].Values[terse.ByVisitor] = terse.Bot
	f.addClicks(t, "launch", dropped...)
	if err := f.store.DropClicks(t.Context(), clickTime(t, "2026-01-03T00:00:00Z")); err != nil {
		t.Fatal(err)
	}
	single := []terse.Click{
		clickAt(t, "2026-01-30T09:15:00.123456Z", "DE", "https://news.example/a\"b"),
		clickAt(t, "2026-01-30T09:15:00.123456Z", "AT", ""),
		clickAt(t, "2026-01-30T09:15:00.123456Z", "DE", "https://news.example/a\"b"),
		clickAt(t, "2026-01-30T09:15:00Z", "", ""),
	}
	single[0].Visitor, single[2].Visitor = 1<<56, 2<<56
	if _, err := f.store.VisitorKey(t.Context(), terse.DayOf(single[0].Time)); err != nil {
		t.Fatal(err)
	}
	single[3].Values[terse.BySource] = "a & <b>"
	f.addClicks(t, "launch", single...)
}

func clickTime(t *testing.T, text string) time.Time {
	t.Helper()
	return time.UnixMicro(clickAt(t, text, "", "").Time)
}

func mustParse(t *testing.T, text string) terse.Code {
	t.Helper()
	code, err := terse.ParseCode(text)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func (f *fixture) plainLink(t *testing.T, code, url string) {
	t.Helper()
	_, err := f.store.Create(t.Context(), terse.Caller{}, terse.NewLink{
		Code: mustParse(t, code), URL: terse.URL(url), CreatedBy: terse.Identity,
		CreatedAt: clickTime(t, "2026-01-01T10:00:00Z").UTC(),
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wantExport is what seedExport's export is, but for what is random or of now.
const wantExport = `{"type":"export","version":1,"created_at":"NOW","generator":"terse 1.2.0",` +
	`"base_url":"https://sho.rt","links":2,"clicks":7}
{"type":"link","short_code":"Zoe","original_url":"https://example.com/z",` +
	`"created_at":"2026-01-01T10:00:00.000000Z","created_by":"authenticated-user","click_count":0}
{"type":"link","short_code":"launch","original_url":"https://example.com/?a=1&b=<2>",` +
	`"created_at":"2026-01-01T10:00:00.000000Z","created_by":"authenticated-user",` +
	`"updated_at":"UPDATED","title":"=Grüße","note":"a\nb","tags":["Ads","news"],` +
	`"aliases":["docs/install","grüße"],"starts_at":"2026-01-01T00:00:00Z",` +
	`"expires_at":"2099-01-01T00:00:00.5Z","max_clicks":10,"disabled":true,` +
	`"expired_url":"https://over.example/","redirect_status":301,"forward_query":true,` +
	`"forward_path":true,"rules":[{"name":"ios","when":{"device":["ios"],` +
	`"query":{"a":null,"b":"1"},"after":"2026-01-01T00:00:00Z","address":["192.0.2.0/24"]},` +
	`"share":50,"url":"https://apps.example/"}],"archived":true,"password_hash":"HASH",` +
	`"clicks_used":1,"share":"SHARE","history":HISTORY,"click_count":7,` +
	`"last_clicked_at":"2026-01-30T09:15:00.123456Z"}
{"type":"day","date":"2026-01-02","clicks":3}
{"type":"counts","date":"2026-01-02","dimension":"country","counts":{"DE":2},"people":{"DE":1}}
{"type":"counts","date":"2026-01-02","dimension":"referrer",` +
	`"counts":{"https://news.example/a":1}}
{"type":"counts","date":"2026-01-02","dimension":"referrer_host","counts":{"news.example":1}}
{"type":"counts","date":"2026-01-02","dimension":"visitor","counts":{"bot":1},"people":{}}
{"type":"click","time":"2026-01-30T09:15:00.000000Z","source":"a & <b>"}
{"type":"click","time":"2026-01-30T09:15:00.123456Z","country":"AT"}
{"type":"click","time":"2026-01-30T09:15:00.123456Z","count":2,"firsts":2,"country":"DE",` +
	`"referrer":"https://news.example/a\"b"}
{"type":"end","links":2,"clicks":7}
`

// steady returns an export with names in place of what is random or of now.
func steady(t *testing.T, export string) string {
	t.Helper()
	for name, pattern := range map[string]string{
		"NOW":     `"version":1,"created_at":"([^"]*)"`,
		"UPDATED": `"updated_at":"([^"]*)"`,
		"HASH":    `"password_hash":"(\$argon2id\$[^"]*)"`,
		"SHARE":   `"share":"([a-zA-Z0-9_-]{22})"`,
		"HISTORY": `"history":(\[.*\]),"click_count"`,
	} {
		found := regexp.MustCompile(pattern).FindStringSubmatchIndex(export)
		if found == nil {
			t.Fatalf("no %s in %s", pattern, export)
		}
		export = export[:found[2]] + name + export[found[3]:]
	}
	return export
}

func TestExport(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) { o.Generator = "terse 1.2.0" })
	f.seedExport(t)
	got := f.do(t, request{target: "/api/export"})
	if diff := cmp.Diff(wantExport, steady(t, got.body)); diff != "" {
		t.Errorf("export (-want +got):\n%s", diff)
	}
	day := time.Now().UTC().Format(time.DateOnly)
	if name := got.header.Get("Content-Disposition"); name !=
		`attachment; filename="terse-`+day+`.ndjson"` && day == time.Now().UTC().Format(
		time.DateOnly) {
		t.Errorf("file name %s", name)
	}
	wantSchemas(t, got.body)
	// What names stand for is what the API says elsewhere.
	link := decodeAs[map[string]any](t, f.do(t, request{target: "/api/urls/launch"}), 200)
	history := f.do(t, request{target: "/api/urls/launch/history"})
	share := strings.TrimPrefix(f.shareOf(t, "launch", http.StatusOK), "/ui/share/")
	changes := strings.TrimSuffix(strings.TrimPrefix(history.body, `{"changes":`), "}")
	updated, ok := link["updated_at"].(string)
	if !ok || !strings.Contains(changes, `"request_id":"r-1"`) {
		t.Fatalf("link %v, history %s", link, history.body)
	}
	for _, part := range []string{
		`"updated_at":"` + clickTime(t, updated).UTC().Format("2006-01-02T15:04:05.000000Z"),
		`"share":"` + share + `"`, `"history":` + changes,
	} {
		if !strings.Contains(got.body, part) {
			t.Errorf("no %s in %s", part, got.body)
		}
	}
	hash := regexp.MustCompile(`\$argon2id\$[^"]*`).FindString(got.body)
	if ok, err := password.Verify(hash, "secret"); err != nil || !ok {
		t.Errorf("the password does not fit its hash %s: %v", hash, err)
	}

	first := func(body string) string { _, rest, _ := strings.Cut(body, "\n"); return rest }
	again := f.do(t, request{target: "/api/export"})
	if first(again.body) != first(got.body) {
		t.Errorf("exported again: %s", again.body)
	}
	var links strings.Builder
	for line := range strings.Lines(got.body) {
		if strings.HasPrefix(line, `{"type":"link"`) {
			links.WriteString(line)
		}
	}
	short := f.do(t, request{target: "/api/export?clicks=false"})
	if want := links.String() + `{"type":"end","links":2,"clicks":0}` + "\n"; want !=
		first(short.body) || !strings.Contains(short.body, `"links":2,"clicks":0}`) {
		t.Errorf("without clicks %s, want %s", short.body, want)
	}
}

// TestExportIsImported imports an export into another database, whose export is the same then.
func TestExportIsImported(t *testing.T) {
	t.Parallel()
	from, to := newFixture(t, nil), newFixture(t, nil)
	from.seedExport(t)
	rest := func(f *fixture) string {
		_, lines, _ := strings.Cut(f.do(t, request{target: "/api/export"}).body, "\n")
		return lines
	}
	export := from.do(t, request{target: "/api/export"}).body
	for range 2 { // the second time it adds nothing
		for _, result := range to.send(t, "", export).results {
			if len(result.Notes) > 0 || result.Error != "" {
				t.Errorf("%+v", result)
			}
		}
		if diff := cmp.Diff(rest(from), rest(to)); diff != "" {
			t.Errorf("export after the import (-want +got):\n%s", diff)
		}
	}
}

// wantSchemas wants every line to be as openapi.yaml describes it.
func wantSchemas(t *testing.T, export string) {
	t.Helper()
	doc, err := document()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(export) {
		var value map[string]any
		if err := json.Unmarshal([]byte(line), &value); err != nil {
			t.Fatal(err)
		}
		name := map[any]string{
			"export": "ExportStart", "link": "ExportLink", "day": "ExportDay",
			"counts": "ExportCounts", "click": "ExportClick", "end": "ExportEnd",
			"share": "ExportShare",
		}[value["type"]]
		if name == "" {
			t.Fatalf("a line of no type: %s", line)
		}
		err := doc.Components.Schemas[name].Value.VisitJSON(value, openapi3.MultiErrors(),
			openapi3.WithStringFormatValidator("date-time", dateTime))
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestExportAsCSV(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.seedExport(t)
	got := f.do(t, request{target: "/api/export?format=csv"})
	want := "short_code,domain,original_url,created_at,created_by,title,note,tags,status," +
		"starts_at,expires_at,max_clicks,click_count,archived\r\n" +
		"Zoe,,https://example.com/z,2026-01-01T10:00:00.000000Z,authenticated-user,,,,active," +
		",,,0,\r\n" +
		"launch,,https://example.com/?a=1&b=<2>,2026-01-01T10:00:00.000000Z," +
		"authenticated-user,'=Grüße,\"a\r\nb\",\"Ads,news\",disabled," +
		"2026-01-01T00:00:00.000000Z,2099-01-01T00:00:00.500000Z,10,7,true\r\n"
	if got.body != want || !strings.HasSuffix(got.header.Get("Content-Disposition"), `.csv"`) ||
		got.header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Errorf("%v\n%s, want\n%s", got.header, got.body, want)
	}
	f.do(t, patchRequest("Zoe", `{"title":"'quoted"}`))
	got = f.do(t, request{target: "/api/export?format=csv&clicks=true"})
	rows, err := csv.NewReader(strings.NewReader(got.body)).ReadAll()
	if err != nil || rows[1][5] != "''quoted" {
		t.Errorf("%v: %q", err, rows)
	}
}

func TestExportIsChecked(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for query, want := range map[string]string{
		"clicks=no": "clicks must be true or false", "format=json": "format must be ndjson or csv",
		"format=%zz": "malformed query string",
	} {
		wantError(t, f.do(t, request{target: "/api/export?" + query, bad: true}), 400, want)
	}
	empty := request{target: "/api/export?format=&clicks=", bad: true}
	if got := f.do(t, empty); got.status != 200 {
		t.Errorf("empty parameters: %v", got)
	}
	if head := f.do(t, request{method: "HEAD", target: "/api/export"}); head.status != 200 ||
		head.header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("HEAD: %v", head)
	}
}

// TestExportTakesNoBudget exports although the client is over its budget.
func TestExportTakesNoBudget(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) {
		o.Limit = budget(func(netip.Addr) time.Duration { return time.Second })
	})
	wantError(t, f.do(t, request{target: "/api/tags"}), 429, "rate limit exceeded")
	if got := f.do(t, request{target: "/api/export"}); got.status != http.StatusOK {
		t.Errorf("export: %v", got)
	}
}

func TestCompressedExport(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.seedExport(t)
	plain := f.do(t, request{target: "/api/export?format=csv"}).body
	for accepted, want := range map[string]string{
		"gzip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd",
		"zstd;q=0.5, gzip": "gzip",
		"br":               "", "identity, gzip;q=0.5": "", "gzip;q=0, zstd;q=0": "",
	} {
		got := f.do(t, request{
			target: "/api/export?format=csv", header: http.Header{"Accept-Encoding": {accepted}},
		})
		var reader io.Reader = strings.NewReader(got.body)
		var err error
		switch coding := got.header.Get("Content-Encoding"); coding {
		case "gzip":
			reader, err = gzip.NewReader(reader)
		case "zstd":
			reader, err = zstd.NewReader(reader)
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reader)
		if err != nil || string(text) != plain || got.header.Get("Content-Encoding") != want ||
			got.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %v, %v: %s", accepted, got.header, err, text)
		}
	}
}

// halting is a store whose links have clicks without end in its exports.
type halting struct {
	httpapi.Store
	ended chan error // gets the error of the first export
}

func (h *halting) Export(
	ctx context.Context, q terse.ExportQuery, begin func(int64, int64) error,
	each func(terse.Exported) error, share func(terse.Shared, terse.URL) error,
) error {
	err := h.Store.Export(ctx, q, begin, func(e terse.Exported) error {
		past := e.Past
		e.Past = func(day func(terse.PastDay) error, click func(terse.PastClick) error) error {
			err := past(day, click)
			for at := int64(0); err == nil; at++ {
				err = click(terse.PastClick{Time: at, Count: 1})
			}
			return err
		}
		return each(e)
	}, share)
	select {
	case h.ended <- err:
	default:
	}
	return err
}

// TestOneExportAtATime exports while another export is under way. That ends when its client leaves.
func TestOneExportAtATime(t *testing.T) {
	t.Parallel()
	var store *halting
	f := newFixture(t, func(o *httpapi.Options) {
		store = &halting{o.Store, make(chan error, 1)}
		o.Store = store
	})
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
	client := &http.Client{}
	resp, err := client.Do(request{target: "/api/export"}.build(t, f.server.URL))
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, `{"type":"export"`) {
		t.Errorf("%s: %v", line, err)
	}
	refused := f.do(t, request{target: "/api/export?format=csv"})
	wantError(t, refused, http.StatusTooManyRequests, "an export of yours is under way")
	if wait := refused.header.Get("Retry-After"); wait != "1" {
		t.Errorf("Retry-After: %s", wait)
	}
	head := f.do(t, request{method: http.MethodHead, target: "/api/export"})
	if head.status != http.StatusTooManyRequests || head.header.Get("Content-Disposition") != "" {
		t.Errorf("HEAD: %v", head)
	}
	if got := f.do(t, request{target: "/api/events"}); got.status != http.StatusOK {
		t.Errorf("a question while an export waits for its reader: %v", got)
	}
	_ = resp.Body.Close()
	client.CloseIdleConnections()
	if err := <-store.ended; err == nil {
		t.Error("the export ended without an error")
	}
	until(t, func() bool {
		return f.do(t, request{target: "/api/export?format=csv"}).status == http.StatusOK
	})
}

// TestExportIsCutOff: an export ends when it takes too long, however fast its reader is, and when
// its reader takes nothing. The client notices, the log says why, and the next export begins.
func TestExportIsCutOff(t *testing.T) {
	t.Parallel()
	for why, cut := range map[string]struct {
		most, stall time.Duration
		read        bool
	}{
		"it took longer than 400ms": {400 * time.Millisecond, 0, true},
		"i/o timeout":               {0, 200 * time.Millisecond, false},
	} {
		var store *halting
		f := newFixture(t, func(o *httpapi.Options) {
			store = &halting{o.Store, make(chan error, 1)}
			o.Store = store
			httpapi.BoundExports(o, cut.most, cut.stall)
		})
		f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch"}`))
		resp, err := f.server.Client().Do(request{target: "/api/export"}.build(t, f.server.URL))
		if err != nil {
			t.Fatal(err)
		}
		if cut.read {
			_, _ = io.Copy(io.Discard, resp.Body)
		}
		if err := <-store.ended; err == nil {
			t.Errorf("%s: the export ended without an error", why)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err == nil {
			t.Errorf("%s: the client takes a part for the whole", why)
		}
		_ = resp.Body.Close()
		until(t, func() bool {
			return strings.Contains(f.log.String(), "an export was cut off") &&
				strings.Contains(f.log.String(), why)
		})
		until(t, func() bool {
			return f.do(t, request{target: "/api/export?format=csv"}).status == http.StatusOK
		})
	}
}

// until waits until a condition holds.
func until(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never happened")
		}
	}
}

// TestExportOfDamagedOptions exports a link that is closed to its visitors as a disabled one.
func TestExportOfDamagedOptions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"launch","title":"A"}`))
	f.stored(t, "launch", `{"title":7}`)
	got := f.do(t, request{target: "/api/export"})
	if !strings.Contains(got.body, `"disabled":true`) ||
		!strings.Contains(f.log.String(), "exported as disabled") {
		t.Errorf("%s\n%s", got.body, f.log)
	}
}

// TestExportFails has a store that fails before the export begins, and in its middle.
func TestExportFails(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) { o.Store = &failingExport{o.Store, 0} })
	wantError(t, f.do(t, request{target: "/api/export"}), 500, "internal server error")
	f = newFixture(t, func(o *httpapi.Options) { o.Store = &failingExport{o.Store, 1 << 20} })
	resp, err := f.server.Client().Do(request{target: "/api/export"}.build(t, f.server.URL))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if text, err := io.ReadAll(resp.Body); err == nil || resp.StatusCode != http.StatusOK {
		t.Errorf("status %d, %d bytes that end well", resp.StatusCode, len(text))
	}
	until(t, func() bool { return strings.Contains(f.log.String(), "an export was cut off") })
}

// failingExport is a store whose exports fail after some links.
type failingExport struct {
	httpapi.Store
	links int
}

func (s *failingExport) Export(
	_ context.Context, _ terse.ExportQuery, begin func(int64, int64) error,
	each func(terse.Exported) error, _ func(terse.Shared, terse.URL) error,
) error {
	if err := begin(1, 0); err != nil {
		return err
	}
	for i := range s.links / 1000 {
		link := terse.Link{Code: terse.NewCode(false), URL: terse.URL(fmt.Sprint("https://x/", i))}
		past := func(func(terse.PastDay) error, func(terse.PastClick) error) error { return nil }
		if err := each(terse.Exported{Link: link, Past: past}); err != nil {
			return err
		}
	}
	return io.ErrUnexpectedEOF
}
