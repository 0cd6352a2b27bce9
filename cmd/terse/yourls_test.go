package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terse/internal/cli"
)

// yourlsDump is a dump of YOURLS; testdata/yourls says how it was made.
const yourlsDump = "testdata/yourls/dump.sql.gz"

// yourlsText returns the dump's text.
func yourlsText(t *testing.T) string {
	t.Helper()
	file, err := os.Open(yourlsDump)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestYOURLSDump compares links and clicks of a dump with what is there after its import.
func TestYOURLSDump(t *testing.T) {
	t.Parallel()
	i := start(t)
	report := filepath.Join(t.TempDir(), "report.csv")
	run := func(args ...string) result {
		return i.command(t, append([]string{
			"import", "yourls", yourlsDump, "--report", report, "--time-zone", "America/New_York",
		}, args...)...)
	}
	// The installation has 422 clicks by its links, and of one link 6 that only the log has.
	r := run("--dry-run")
	if !strings.Contains(r.out, "Links: 70 created, 1 failed.\nClicks: ") {
		t.Errorf("%+v", r)
	}
	r = run()
	if r.code != cli.ExitFailure ||
		!strings.Contains(r.out, "Links: 70 created, 1 failed.\n") {
		t.Errorf("%+v", r)
	}
	added := strings.TrimSpace(r.out)
	for code, url := range map[string]string{
		"1":     "https://example.com/pages/1?a=1&b=1#part-1",
		"quote": "https://example.com/quote's?q=x", "yourlsblog": "https://blog.yourls.org/",
		"umlaut": "https://example.com/umlaut/%C3%BC", "Ab-Cd_1": "https://example.com/dash",
		"ab-cd_1": "https://example.com/lower", "docs/start": "https://example.com/slash",
	} {
		if got := i.do(t, "GET /"+code, "").Header.Get("Location"); got != url {
			t.Errorf("%s leads to %q, want %q", code, got, url)
		}
	}
	for code, parts := range map[string][]string{
		"umlaut": {`"created_at":"2019-07-01T12:00:00Z"`, `"title":"Grüße, Ελλάδα 日本 😀"`},
		"yourls": {`"title":"YOURLS: Your Own URL Shortener"`},
	} {
		got := i.do(t, "GET /api/urls/"+code, "", authorized()).body
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Errorf("%s has no %s: %s", code, part, got)
			}
		}
	}
	said, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"clicks of links that are not there any more are left out: 1", ",mail,failed,",
	} {
		if !strings.Contains(string(said), part) {
			t.Errorf("the report has no %q: %s", part, said)
		}
	}
	if strings.Contains(string(said), "after their first click") {
		t.Errorf("the zone was given: %s", said)
	}
	again := strings.NewReplacer("created", "unchanged", "added", "known").Replace(added)
	if r := run(); strings.TrimSpace(r.out) != again {
		t.Errorf("again: %q, want %q", r.out, again)
	}
}

// The server takes the dump as the command line does, with a zone, in UTF-16 and without a name.
func TestYOURLSDumpToTheServer(t *testing.T) {
	t.Parallel()
	i := start(t)
	text := yourlsText(t)
	got := i.do(t, "POST /api/import?format=yourls&dry_run=true", text, authorized()).body
	for _, part := range []string{
		"created_at of ", "by up to ", "--time-zone names it", `"created":70`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("there is no %q: %.2000s", part, got)
		}
	}
	wide := []byte{0xff, 0xfe}
	for _, r := range strings.ToValidUTF8(text, "") {
		if r < 0x10000 {
			wide = append(wide, byte(r), byte(r>>8))
		}
	}
	for _, body := range [][]byte{[]byte(text), wide} {
		got := i.do(t, "POST /api/import?format=auto&dry_run=true", string(body),
			authorized()).body
		if !strings.Contains(got, `"created":70`) {
			t.Errorf("%.2000s", got)
		}
	}
	got = i.do(t, "POST /api/import?format=yourls&time_zone=America/New_York", text,
		authorized()).body
	if !strings.Contains(got, `"created":70`) || strings.Contains(got, "--time-zone") {
		t.Errorf("%.2000s", got)
	}
	at := i.do(t, "GET /api/urls/umlaut", "", authorized()).body
	if !strings.Contains(at, `"created_at":"2019-07-01T12:00:00Z"`) {
		t.Errorf("%s", at)
	}
	for body, part := range map[string]string{
		text[:len(text)/2]:                     "has no end: the dump was cut off",
		text[:strings.LastIndex(text, "-- D")]: "it lacks its last line",
		"code,url\n1,2\n":                      "it is no SQL dump",
		"CREATE TABLE t (id int);":             "there are no links of YOURLS",
	} {
		a := i.do(t, "POST /api/import?format=yourls", body, authorized())
		if a.StatusCode != 400 || !strings.Contains(a.body, part) {
			t.Errorf("%d %s, want %q", a.StatusCode, a.body, part)
		}
	}
}

// A dump that a program has re-encoded has another length; one without zone rules is as it is.
func TestYOURLSDumpForms(t *testing.T) {
	t.Parallel()
	i := start(t)
	const (
		links = "CREATE TABLE `x_url` (`keyword` varchar(200), `url` varchar(200), " +
			"`timestamp` timestamp, `ip` varchar(41), `clicks` int(10));\n"
		log = "CREATE TABLE `x_log` (`click_id` int, `click_time` datetime, `shorturl` int, " +
			"`referrer` varchar(200), `user_agent` varchar(255), `ip_address` varchar(41), " +
			"`country_code` char(2));\n"
	)
	text := "SET NAMES latin1;\n" + links + log +
		"INSERT INTO x_log VALUES (1,'2020-01-02 03:04:05','old','direct','','','de')," +
		"(2,'2020-01-02 03:04:06','old','http://\xfc.example/','x','','');\n" +
		"INSERT INTO x_url VALUES ('old','https://example.com/\xfc','2020-01-01 00:00:00','',5)," +
		"('none','https://example.com/','0000-00-00 00:00:00','',0);\n"
	got := i.do(t, "POST /api/import?format=yourls&time_zone=Asia/Tokyo", text, authorized()).body
	for _, part := range []string{
		`"created":2`, `"clicks_added":5`, "created_at is not known", "without --time-zone",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("there is no %q: %s", part, got)
		}
	}
	at := i.do(t, "GET /api/urls/old", "", authorized()).body
	for _, part := range []string{
		`"created_at":"2020-01-01T00:00:00Z"`, `"click_count":5`, "https://example.com/ü",
	} {
		if !strings.Contains(at, part) {
			t.Errorf("there is no %q: %s", part, at)
		}
	}
	double := text + strings.ReplaceAll(text, "x_", "y_")
	got = i.do(t, "POST /api/import?format=yourls", double, authorized()).body
	if !strings.Contains(got, "are alike: dump those of one installation") {
		t.Errorf("%s", got)
	}
	path := textFile(t, "x.sql", text)
	if r := i.command(t, "import", "yourls", path, "--report", path); r.code != cli.ExitUsage {
		t.Errorf("the report replaces the dump: %+v", r)
	}
	if b, err := os.ReadFile(path); err != nil || !bytes.Equal(b, []byte(text)) {
		t.Errorf("%s, %v", b, err)
	}
}

// The API is read as installations answer: with Shlink's plugin, without it, and with too much.
func TestYOURLSAPI(t *testing.T) {
	t.Parallel()
	const link = `"url":"https:\/\/example.com\/","title":"A","timestamp":"2026-01-02 03:04:05",`
	plugin := true
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := r.URL.Query()
		name, password := asked.Get("username"), asked.Get("password")
		switch action := asked.Get("action"); {
		case r.URL.Path != "/go/yourls-api.php" || asked.Get("format") != "json":
			w.WriteHeader(http.StatusNotFound)
		case asked.Get("signature") != "c0ffee" && (name != "admin" || password != "a:b"):
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"message":"Please log in","errorCode":"403"}`)
		case action == "stats":
			_, _ = io.WriteString(w, `{"links":{"link_2":{"shorturl":"http:\/\/x\/go\/a\/b",`+link+
				`"clicks":"3"},"link_1":{"shorturl":"http:\/\/x\/go\/Abc",`+link+`"clicks":2}},`+
				`"stats":{"total_links":"2","total_clicks":"5"},"statusCode":"200"}`)
		case !plugin:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"errorCode":"400","message":"Unknown"}`)
		case action == "shlink-list":
			_, _ = io.WriteString(w, `{"statusCode":200,"result":[{"keyword":"Abc",`+link+
				`"clicks":3},{"keyword":"many",`+link+`"clicks":"7"}]}`)
		case asked.Get("shortCode") == "many":
			w.Header().Set("Content-Length", "99999999")
			_, _ = io.WriteString(w, `{"result":[`)
		default:
			_, _ = io.WriteString(w, `{"statusCode":200,"result":[{"click_time":`+
				`"2026-01-02 04:00:00","referrer":"direct","user_agent":"","country_code":"DE"}]}`)
		}
	}))
	t.Cleanup(site.Close)
	i := start(t)
	report := filepath.Join(t.TempDir(), "report.csv")
	read := func(key string) (result, string) {
		r := i.command(t, "import", "yourls", site.URL+"/go/", "--output", "-", "--report", report,
			"--key-file", textFile(t, "key", key))
		said, _ := os.ReadFile(report)
		return r, string(said)
	}
	for _, key := range []string{"c0ffee", "admin:a:b"} {
		r, said := read(key)
		for _, part := range []string{
			`"short_code":"Abc"`, `"time":"2026-01-02T04:00:00Z"`, `"country":"DE"`,
			`"short_code":"many"`, `"time":"2026-01-02T03:04:05Z","count":7`,
			`"time":"2026-01-02T03:04:05Z","count":2`,
		} {
			if r.code != cli.ExitOK || !strings.Contains(r.out, part) {
				t.Errorf("there is no %s: %+v", part, r)
			}
		}
		if !strings.Contains(said, "too many for one answer") {
			t.Errorf("%s", said)
		}
	}
	if r, _ := read("secret"); r.code == cli.ExitOK || !strings.Contains(r.err, "Please log in") ||
		strings.Contains(r.err, "secret") {
		t.Errorf("%+v", r)
	}
	plugin = false
	r, said := read("c0ffee")
	if !strings.Contains(r.out, `"short_code":"a/b"`) || !strings.Contains(r.out, `"count":3`) ||
		!strings.Contains(said, "only totals") || !strings.Contains(said, "or they count twice") {
		t.Errorf("%+v, %s", r, said)
	}
}
