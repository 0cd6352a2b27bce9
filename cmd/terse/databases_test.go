package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/api"
)

// shownLink is a link, in short, with its clicks.
func (i *instance) shownLink(t *testing.T, code string) string {
	t.Helper()
	link, err := i.client().Link(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%s %s %q", code, link.OriginalURL, link.Note)
	if !link.ExpiresAt.IsZero() {
		text += " until " + link.ExpiresAt.Format(time.RFC3339)
	}
	if link.Disabled {
		text += " disabled"
	}
	stats, err := i.client().Stats(t.Context(), code, api.Range{})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s, %d clicks", text, stats.TotalClicks)
}

// imported imports a source, reads the report, and imports it again, which changes nothing.
func (i *instance) imported(t *testing.T, links, clicks string, args ...string) (report string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.csv")
	args = append([]string{"import", "--report", path}, args...)
	r := i.command(t, append(args, "--dry-run")...)
	if !strings.Contains(r.out, links) || !strings.Contains(r.out, clicks+" added") {
		t.Errorf("tried: %+v", r)
	}
	r = i.command(t, args...)
	if !strings.Contains(r.out, links) || !strings.Contains(r.out, clicks+" added") {
		t.Errorf("%+v", r)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	again := strings.Replace(links, "created", "unchanged", 1)
	r = i.command(t, args...)
	if !strings.Contains(r.out, again) || !strings.Contains(r.out, clicks+" known") {
		t.Errorf("again: %+v", r)
	}
	return string(text)
}

// wantShown compares links.
func (i *instance) wantShown(t *testing.T, want []string) {
	t.Helper()
	for _, text := range want {
		code, _, _ := strings.Cut(text, " ")
		if got := i.shownLink(t, code); got != text {
			t.Errorf("the link is\n%s\nwant\n%s", got, text)
		}
	}
}

// fileOf returns the path of a file that is packed below testdata/sources.
func fileOf(t *testing.T, name string) string {
	t.Helper()
	packed, err := os.Open(filepath.Join("testdata", "sources", name+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	reader, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// wantIn says what a report lacks.
func wantIn(t *testing.T, report string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Count(report, part) != 1 {
			t.Errorf("the report does not have %q once:\n%s", part, report)
		}
	}
}

const chhotoUndated = "created_at is not known to chhoto-url"

// TestChhoto imports the database of chhoto-url 7.5.0, made with its own SQL.
func TestChhoto(t *testing.T) {
	t.Parallel()
	i := start(t)
	before := time.Now().Add(-time.Second)
	report := i.imported(t, "4 created", "128", "chhoto", fileOf(t, "chhoto-7.5.0.sqlite"))
	wantIn(t, report, chhotoUndated, "mail,failed", strings.Repeat("x", 140)+",failed")
	i.wantShown(t, []string{
		`spring https://example.com/spring?a=b#c "", 120 clicks`,
		`a-b_c https://example.com/%C3%A4 "Until 2100" until 2100-01-01T00:00:00Z, 1 clicks`,
		`Capital https://example.com/capital "It's a note\nof two lines, “quoted”", 0 clicks`,
		`ended https://example.com/ended "" until 2025-01-01T00:00:00Z, 7 clicks`,
	})
	to := i.do(t, "GET /Capital", "").Header.Get("Location")
	if to != "https://example.com/capital" {
		t.Errorf("Capital leads to %q", to)
	}
	if got := i.do(t, "GET /ended", ""); got.StatusCode != http.StatusGone {
		t.Errorf("what has ended answers %d", got.StatusCode)
	}
	link, err := i.client().Link(t.Context(), "spring")
	if err != nil || link.CreatedAt.Before(before) {
		t.Errorf("created at %v, %v", link.CreatedAt, err)
	}
	i.wantEvents(t, "spring", []api.Event{{Time: api.Instant{Time: link.CreatedAt}, Count: 120}})
}

// wantEvents compares the clicks of a link one by one, of which some properties are given.
func (i *instance) wantEvents(t *testing.T, code string, want []api.Event) {
	t.Helper()
	var page struct {
		Events []api.Event `json:"events"`
	}
	got := i.do(t, "GET /api/urls/"+code+"/events?limit=1000", "", authorized())
	if err := json.Unmarshal([]byte(got.body), &page); err != nil {
		t.Fatalf("%s: %v", got.body, err)
	}
	show := func(events []api.Event) string {
		var lines []string
		for _, e := range events {
			line := fmt.Sprint(e.Time.UTC().Truncate(time.Microsecond), " ",
				max(e.Count, 1))
			for _, value := range []string{e.Country, e.Referrer, e.Browser, e.OS, e.Visitor} {
				line += " " + value
			}
			lines = append(lines, line)
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	for n := range want {
		e := &want[n]
		for d, value := range map[terse.Dimension]*string{
			terse.ByCountry: &e.Country, terse.ByReferrer: &e.Referrer,
			terse.ByBrowser: &e.Browser, terse.ByOS: &e.OS, terse.ByVisitor: &e.Visitor,
		} {
			if *value == "" {
				*value = d.Unknown()
			}
		}
	}
	if got, want := show(page.Events), show(want); got != want {
		t.Errorf("the clicks of %s are\n%s\nwant\n%s", code, got, want)
	}
}

// TestOldChhoto imports databases of older versions.
func TestOldChhoto(t *testing.T) {
	t.Parallel()
	i := start(t)
	for n, c := range []struct{ columns, values, want string }{
		{"", "", `old0 https://example.com/ "", 5 clicks`},
		{
			", expiry_time INTEGER NOT NULL DEFAULT 0", ", 0",
			`old1 https://example.com/ "", 5 clicks`,
		},
		{
			", expiry_time INTEGER NOT NULL DEFAULT 0, notes TEXT", ", 4102444800, NULL",
			`old2 https://example.com/ "" until 2100-01-01T00:00:00Z, 5 clicks`,
		},
		{
			", expiry_time INTEGER, notes TEXT", ", NULL, 'Note'",
			`old3 https://example.com/ "Note", 5 clicks`,
		},
	} {
		path := filepath.Join(t.TempDir(), "urls.sqlite")
		execSQL(t, path, fmt.Sprintf(`CREATE TABLE urls (id INTEGER PRIMARY KEY AUTOINCREMENT,
			long_url TEXT NOT NULL, short_url TEXT NOT NULL, hits INTEGER NOT NULL%s);
			INSERT INTO urls VALUES (1, 'https://example.com/', 'old%d', 5%s);
			PRAGMA user_version = %[2]d`, c.columns, n, c.values))
		report := i.imported(t, "1 created", "5", "chhoto", path)
		wantIn(t, report, chhotoUndated)
		i.wantShown(t, []string{c.want})
	}
	path := filepath.Join(t.TempDir(), "odd.sqlite")
	execSQL(t, path, `CREATE TABLE urls (id, long_url, short_url, hits, expiry_time);
		INSERT INTO urls VALUES (1, 'https://example.com/1', 'odd1', 'many', NULL),
			(2, 'https://example.com/2', 'odd2', 1, 9223372036854775807),
			(3, 'https://example.com/3', 'odd3', 9223372036854775807, NULL),
			(4, 'https://example.com/4', 'odd4', -3, NULL)`)
	odd := filepath.Join(t.TempDir(), "report.csv")
	r := i.command(t, "import", "chhoto", path, "--report", odd)
	if !strings.HasPrefix(r.out, "Links: 1 created.\nClicks: none.\n") {
		t.Errorf("%+v", r)
	}
	report, err := os.ReadFile(odd)
	if err != nil {
		t.Fatal(err)
	}
	wantIn(t, string(report), `odd1,failed,,"""many"" is no whole number"`,
		"odd2,failed,expires_at,9223372036854775807 is no time", "odd3,failed,clicks,")
	r = i.command(t, "import", "chhoto", fileOf(t, "mjrwtf-0.11.9.db"))
	if r.code != 1 || !strings.Contains(r.err, "the table urls has no column short_url") {
		t.Errorf("another product's: %+v", r)
	}
}

// execSQL makes a database.
func execSQL(t *testing.T, path, script string) {
	t.Helper()
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err == nil {
		err = sqlitex.ExecuteScript(c, script, nil)
	}
	if err == nil {
		err = c.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// chhotoServer answers as chhoto-url 7.5.0 does to /api/all. While it is asked, gone is deleted.
func chhotoServer(t *testing.T, links int, gone string) *httptest.Server {
	t.Helper()
	type link struct {
		Short  string  `json:"shortlink"`
		Long   string  `json:"longlink"`
		Hits   int     `json:"hits"`
		Expiry *int64  `json:"expiry_time"`
		Notes  *string `json:"notes"`
	}
	var all []link
	for n := range links {
		l := link{Short: fmt.Sprintf("link%d", n), Long: fmt.Sprintf("https://example.com/%d", n)}
		if n%2 == 1 {
			until, note := int64(4102444800+n), "Note"
			l.Hits, l.Expiry, l.Notes = 1, &until, &note
		}
		all = append(all, l)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/all" || r.Header.Get("X-API-Key") != "secret" {
			http.Error(w, "API validation failed.", http.StatusUnauthorized)
			return
		}
		until, size := len(all), len(all)
		if after := r.URL.Query().Get("page_after"); after != "" {
			until = max(0, slices.IndexFunc(all, func(l link) bool { return l.Short == after }))
		}
		if text := r.URL.Query().Get("page_size"); text != "" {
			size, _ = strconv.Atoi(text)
		}
		page := slices.Clone(all[max(0, until-size):until])
		all = slices.DeleteFunc(all, func(l link) bool { return l.Short == gone })
		_ = json.NewEncoder(w).Encode(page)
	}))
	t.Cleanup(server.Close)
	return server
}

// TestChhotoAPI asks a server, whose links are on three pages.
func TestChhotoAPI(t *testing.T) {
	t.Parallel()
	i := start(t)
	key := textFile(t, "key", "secret\n")
	server := chhotoServer(t, 2500, "link1500") // the oldest of the first page
	r := i.command(t, "import", "chhoto", server.URL, "--key-file", key,
		"--report", filepath.Join(t.TempDir(), "report.csv"))
	if r.code != 0 || r.out != "Links: 2,500 created.\nClicks: 1,250 added.\n" {
		t.Errorf("%+v", r)
	}
	server = chhotoServer(t, 2500, "")
	path := filepath.Join(t.TempDir(), "report.csv")
	r = i.command(t, "import", "chhoto", server.URL, "--key-file", key, "--report", path)
	if r.code != 0 || r.out != "Links: 2,500 unchanged.\nClicks: 1,250 known.\n" {
		t.Errorf("again: %+v", r)
	}
	report, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wantIn(t, string(report), chhotoUndated)
	i.wantShown(t, []string{
		`link0 https://example.com/0 "", 0 clicks`,
		`link1 https://example.com/1 "Note" until 2100-01-01T00:00:01Z, 1 clicks`,
		`link1499 https://example.com/1499 "Note" until 2100-01-01T00:24:59Z, 1 clicks`,
		`link2499 https://example.com/2499 "Note" until 2100-01-01T00:41:39Z, 1 clicks`,
	})
	r = i.command(t, "import", "chhoto", server.URL, "--key-file", textFile(t, "key", "wrong"))
	if r.code != 1 || !strings.Contains(r.err, "401") {
		t.Errorf("with another key: %+v", r)
	}
}

// TestMjrwtf imports the database that mjr.wtf at 58d4873, behind version 0.11.9, has written.
func TestMjrwtf(t *testing.T) {
	t.Parallel()
	i := start(t)
	path := fileOf(t, "mjrwtf-0.11.9.db")
	report := i.imported(t, "5 created", "29", "mjrwtf", path)
	wantIn(t, report, "owners of links are not kept", "its destination is gone")
	i.wantShown(t, []string{
		`NdaJOd https://example.com/ "", 7 clicks`,
		`gx4BAj https://example.com/a?b=c&d=%C3%A9#f "", 7 clicks`,
		`iReEM0 http://127.0.0.1:18081/gone "Destination gone since 2026-11-29\n` +
			`Archived copy: https://web.archive.org/web/2026/http://127.0.0.1:18081/gone"` +
			` disabled, 7 clicks`,
		`ZAKD1k http://127.0.0.1:18081/there "", 7 clicks`,
		`LHPkKn https://example.com/never-visited "", 1 clicks`,
	})
	if got := i.do(t, "GET /iReEM0", ""); got.StatusCode != http.StatusGone {
		t.Errorf("what is gone answers %d", got.StatusCode)
	}

	// Each click, read once more without the importer.
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	agents := map[string][3]string{
		"Firefox": {"Firefox", "Linux", "person"}, "iPhone": {"Safari", "iOS", "person"},
		"curl": {"", "", "bot"}, "Googlebot": {"", "", "bot"},
	}
	clicks, created := map[string][]api.Event{}, map[string]time.Time{}
	const layout = "2006-01-02 15:04:05.999999999-07:00"
	err = sqlitex.ExecuteTransient(c, `SELECT short_code, created_at, clicked_at, referrer, country,
		user_agent FROM clicks JOIN urls ON urls.id = url_id`, &sqlitex.ExecOptions{
		ResultFunc: func(s *sqlite.Stmt) error {
			code := s.ColumnText(0)
			made, err := time.Parse(layout, s.ColumnText(1))
			if err != nil {
				return err
			}
			at, err := time.Parse(layout, s.ColumnText(2))
			e := api.Event{
				Time: api.Instant{Time: at}, Referrer: s.ColumnText(3), Country: s.ColumnText(4),
			}
			for name, values := range agents {
				if strings.Contains(s.ColumnText(5), name) {
					e.Browser, e.OS, e.Visitor = values[0], values[1], values[2]
				}
			}
			created[code] = made
			clicks[code] = append(clicks[code], e)
			return err
		},
	})
	if err != nil || len(clicks) != 5 {
		t.Fatal(clicks, err)
	}
	for code, want := range clicks {
		i.wantEvents(t, code, want)
		link, err := i.client().Link(t.Context(), code)
		if made := created[code].Truncate(time.Microsecond); err != nil ||
			!link.CreatedAt.Equal(made) {
			t.Errorf("%s was created at %v, want %v; %v", code, link.CreatedAt, made, err)
		}
	}
}

// TestOldMjrwtf imports a database of before 0.4, with texts of SQLite's clock and others.
func TestOldMjrwtf(t *testing.T) {
	t.Parallel()
	i := start(t)
	path := filepath.Join(t.TempDir(), "database.db")
	execSQL(t, path, `CREATE TABLE urls (id INTEGER PRIMARY KEY, short_code, original_url,
			created_at, created_by);
		CREATE TABLE clicks (id INTEGER PRIMARY KEY, url_id, clicked_at, referrer, country,
			user_agent);
		INSERT INTO urls VALUES (1, 'one', 'https://example.com/1', '2026-01-02 03:04:05', 'me'),
			(2, 'two', 'https://example.com/2', 'never', 'me'),
			(3, 'three', 'https://example.com/3', '2026-01-02 03:04:05', 'me');
		INSERT INTO clicks (url_id, clicked_at, country) VALUES (1, '2026-02-02 03:04:05', 'FR'),
			(2, '2026-02-02 03:04:05', NULL), (3, 'never', NULL), (9, '2026-02-02 03:04:05', NULL)`)
	report := i.imported(t, "3 created", "3", "mjrwtf", path)
	wantIn(t, report, `two,created,created_at,"created_at was left out: ""never"" is no time"`,
		"owners of links are not kept")
	at := func(month time.Month) api.Instant {
		return api.Instant{Time: time.Date(2026, month, 2, 3, 4, 5, 0, time.UTC)}
	}
	i.wantEvents(t, "one", []api.Event{{Time: at(time.February), Country: "FR"}})
	i.wantEvents(t, "two", []api.Event{{Time: at(time.February)}})
	i.wantEvents(t, "three", []api.Event{{Time: at(time.January)}})
}

// TestDatabaseImportIsKilled kills the importer half-way. Then each link and click comes once.
func TestDatabaseImportIsKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for format, script := range map[string]string{
		"chhoto": `CREATE TABLE urls (id INTEGER PRIMARY KEY, short_url, long_url, hits);
			INSERT INTO urls WITH RECURSIVE n(i) AS
				(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
				SELECT i, 'chhoto' || i, 'https://example.com/' || i, 3 FROM n`,
		"mjrwtf": `CREATE TABLE urls (id INTEGER PRIMARY KEY, short_code, original_url, created_at,
				created_by);
			CREATE TABLE clicks (id INTEGER PRIMARY KEY, url_id, clicked_at, referrer, country,
				user_agent);
			INSERT INTO urls WITH RECURSIVE n(i) AS
				(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
				SELECT i, 'mjr' || i, 'https://example.com/' || i, '2026-01-02 03:04:05', 'me'
				FROM n;
			INSERT INTO clicks (url_id, clicked_at) SELECT urls.id, '2026-02-02 03:04:0' || o.id
				FROM urls JOIN urls o ON o.id < 4`,
	} {
		i := start(t)
		path := filepath.Join(dir, format+".db")
		execSQL(t, path, script)
		i.killImport(t, nil, format, path, "links to be imported",
			func() bool { return i.linksNow(t) >= 200 })
		report := filepath.Join(dir, "report.csv")
		r := i.command(t, "import", format, path, "--report", report)
		if r.code != 0 {
			t.Fatalf("%+v", r)
		}
		r = i.command(t, "export", filepath.Join(dir, format+".ndjson"))
		if r.code != 0 || r.out != "1,500 links, 4,500 clicks\n" {
			t.Errorf("%s: %+v", format, r)
		}
	}
}

// TestSourcePassword has no password of an address in what it says.
func TestSourcePassword(t *testing.T) {
	t.Parallel()
	i := start(t)
	for _, address := range []string{
		"postgres://me:geheim@127.0.0.1:1/x", "postgres://me:%geheim@127.0.0.1:1/x",
		"postgres://me:/geheim@127.0.0.1:1/x", "postgres://me:1#geheim@127.0.0.1:1/x",
		"postgres://127.0.0.1:1/x?user=me&password=geheim", "postgres:///x?password=geheim",
		"http://127.0.0.1:1/?key=geheim", "http:///?key=geheim", "http://127.0.0.1:1/#geheim",
		"http://geheim@127.0.0.1:1/", "http://127.0.0.1:1/%?key=geheim",
	} {
		for _, format := range []string{"csv", "mjrwtf", "shlink"} {
			r := i.command(t, "import", format, address)
			if r.code == 0 || r.err == "" || strings.Contains(r.out+r.err, "geheim") {
				t.Errorf("%s %s: %+v", format, address, r)
			}
		}
	}
}
