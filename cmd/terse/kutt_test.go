package main

import (
	"bufio"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/cli"
	"terse/internal/move/archive"
	"terse/internal/tests/pgtest"
)

// What testdata/products/kutt was made with: README.md there.
const (
	kuttLong     = "a-Printed_Address-0123456789-of-64-characters-which-all-must-go-"
	kuttPassword = "correct horse ÄÖ"
)

// kuttUndated adds visits to a link of which Kutt has no hour.
const kuttUndated = "UPDATE links SET visit_count = visit_count + 1000 WHERE address = 'x'"

// kuttDates are the times of links by host, empty for Kutt's own, and address: when it was created,
// changed, and when it ends.
type kuttDates map[[2]string][3]time.Time

func kuttFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "products", "kutt", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// runSQLite runs statements on a database, and calls f with each row.
func runSQLite(t *testing.T, path, script string, f func(*sqlite.Stmt)) {
	t.Helper()
	conn, err := sqlite.OpenConn(path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if f == nil {
		err = sqlitex.ExecuteScript(conn, script, nil)
	} else {
		err = sqlitex.ExecuteTransient(conn, script, &sqlitex.ExecOptions{
			ResultFunc: func(s *sqlite.Stmt) error { f(s); return nil },
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

const selectKuttDates = `SELECT coalesce(domains.address, ''), links.address, links.created_at,
	links.updated_at, links.expire_in FROM links LEFT JOIN domains ON domains.id = domain_id`

func kuttSQLite(t *testing.T) (source string, dates kuttDates) {
	t.Helper()
	source, dates = filepath.Join(t.TempDir(), "kutt.sqlite"), kuttDates{}
	runSQLite(t, source, kuttFile(t, "sqlite.sql")+kuttUndated, nil)
	runSQLite(t, source, selectKuttDates, func(s *sqlite.Stmt) {
		var of [3]time.Time
		for i := range of {
			if text := s.ColumnText(2 + i); text != "" {
				var err error
				if of[i], err = time.Parse(time.DateTime, text); err != nil {
					t.Fatal(err)
				}
			}
		}
		dates[[2]string{s.ColumnText(0), s.ColumnText(1)}] = of
	})
	return source, dates
}

func kuttPostgres(t *testing.T) (source string, dates kuttDates) {
	t.Helper()
	source, dates = pgtest.URL(t), kuttDates{}
	pgtest.Exec(t, source, kuttFile(t, "postgres.sql"))
	pgtest.Exec(t, source, kuttUndated)
	conn, err := pgx.Connect(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), selectKuttDates)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var key [2]string
		var created, updated time.Time
		var ends *time.Time
		if err := rows.Scan(&key[0], &key[1], &created, &updated, &ends); err != nil {
			t.Fatal(err)
		}
		of := [3]time.Time{created.UTC(), updated.UTC()}
		if ends != nil {
			of[2] = ends.UTC()
		}
		dates[key] = of
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return source, dates
}

// counts are how many clicks an hour has, under "", and how many of them have each value.
type counts map[string]int64

// kuttHours are those of the fixture, by address and hour, without the undated visits.
func kuttHours() map[string]map[string]counts {
	busy := counts{
		"": 150, "DE": 60, "US": 30, "JP": 30, "Chrome": 107, "Firefox": 43,
		"Android": 43, "Linux": 43, "Windows": 64,
	}
	for n, clicks := range map[string]int64{
		"0": 9, "1": 9, "2": 10, "3": 9, "4": 9, "5": 10, "6": 9, "7": 9, "8": 9, "9": 8, "10": 9,
	} {
		busy["https://ref"+n+".example/"] = clicks
	}
	return map[string]map[string]counts{
		kuttLong: {
			"2026-09-14T08": {"": 3, "DE": 3, "Chrome": 3, "Windows": 3},
			"2026-09-14T09": {
				"": 3, "FR": 3, "Firefox": 3, "Linux": 3,
				"https://news.example/": 1, "https://sub.search.example/": 1,
			},
		},
		"titled": {"2026-09-14T09": {
			"": 7, "BR": 3, "GB": 1, "US": 1, // and T1, which is no country
			"https://a.example/": 1, "https://b.example/": 2, "https://localhost/": 1,
			"https://org.app.example/": 1,
			"Chrome":                   1, "Edge": 1, "IE": 1, "Opera": 1, "Safari": 2,
			"Android": 1, "iOS": 1, "macOS": 1, "Windows": 3,
		}},
		"theirs": {"2026-09-14T09": {"": 1, "Chrome": 1, "Windows": 1}},
		"hosted": {"2026-09-14T09": {"": 1, "CH": 1, "Firefox": 1, "Linux": 1}},
		"secret": {"2026-09-14T09": {"": 1, "Safari": 1, "macOS": 1}},
		"busy": {
			"2026-10-25T00": busy,
			"2026-11-02T23": {"": 1, "DE": 1, "Chrome": 1, "Windows": 1},
		},
		"x": {"2026-10-25T00": {"": 1, "Chrome": 1, "Windows": 1}},
	}
}

// exportedLink is a link of an export.
type exportedLink struct {
	Type      string    `json:"type"`
	ShortCode string    `json:"short_code"`
	Aliases   []string  `json:"aliases"`
	URL       string    `json:"original_url"`
	Title     string    `json:"title"`
	Note      string    `json:"note"`
	Created   time.Time `json:"created_at"`
	Updated   time.Time `json:"updated_at"`
	Ends      time.Time `json:"expires_at"`
	Disabled  bool      `json:"disabled"`
	Password  string    `json:"password_hash"`
	clicks    []exportedClick
}

type exportedClick struct {
	Time     time.Time `json:"time"`
	Count    int64     `json:"count"`
	Country  string    `json:"country"`
	Referrer string    `json:"referrer"`
	Browser  string    `json:"browser"`
	OS       string    `json:"os"`
	Device   string    `json:"device"`
	Visitor  string    `json:"visitor"`
}

// exportLinks exports all links, by their code or, if that is not the one they were imported with,
// their alias.
func (i *instance) exportLinks(t *testing.T) map[string]*exportedLink {
	t.Helper()
	file := filepath.Join(t.TempDir(), "export.ndjson")
	if r := i.command(t, "export", file); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	links := map[string]*exportedLink{}
	var last *exportedLink
	scan := bufio.NewScanner(strings.NewReader(exported(t, file)))
	for scan.Buffer(nil, 1<<20); scan.Scan(); {
		link := &exportedLink{}
		must(t, json.Unmarshal(scan.Bytes(), link))
		switch link.Type {
		case "link":
			last = link
			address := link.ShortCode
			if len(link.Aliases) > 0 {
				address = link.Aliases[0]
			}
			links[address] = link
		case "click":
			click := exportedClick{Count: 1}
			must(t, json.Unmarshal(scan.Bytes(), &click))
			last.clicks = append(last.clicks, click)
		}
	}
	must(t, scan.Err())
	return links
}

// wantKutt compares a link with what Kutt had.
func (l *exportedLink) wantKutt(t *testing.T, dates [3]time.Time, want map[string]counts) {
	t.Helper()
	if times := [3]time.Time{l.Created, l.Updated, l.Ends}; times != dates {
		t.Errorf("%s: %v, want %v", l.URL, times, dates)
	}
	got, instants := map[string]counts{}, map[string]map[time.Time]int64{}
	undated := int64(0)
	for _, click := range l.clicks {
		if click.Time.Equal(l.Created) {
			undated += click.Count
			continue
		}
		hour := click.Time.Format("2006-01-02T15")
		if got[hour] == nil {
			got[hour], instants[hour] = counts{}, map[time.Time]int64{}
		}
		got[hour][""] += click.Count
		for _, value := range []string{click.Country, click.Referrer, click.Browser, click.OS} {
			if value != "" {
				got[hour][value] += click.Count
			}
		}
		instants[hour][click.Time] += click.Count
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s has other clicks: %s", l.URL, diff)
	}
	for hour, of := range instants {
		start, err := time.Parse("2006-01-02T15", hour)
		if err != nil {
			t.Fatal(err)
		}
		total := got[hour][""]
		for i := range min(total, archive.Instants) {
			after, n := archive.Spread(time.Hour, total, i)
			if at := start.Add(after); of[at] != n {
				t.Errorf("%s has %d clicks at %v, want %d", l.URL, of[at], at, n)
			}
		}
	}
	if wantUndated := map[bool]int64{true: 1000}[l.URL == "https://one.example/"]; undated !=
		wantUndated {
		t.Errorf("%s has %d undated clicks, want %d", l.URL, undated, wantUndated)
	}
}

// From both databases of Kutt all comes but what the report names.
func TestImportKuttDatabase(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T) (string, kuttDates){
		"SQLite": kuttSQLite, "PostgreSQL": kuttPostgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, dates := open(t)
			i := start(t)
			report := filepath.Join(t.TempDir(), "report.csv")
			for _, args := range [][]string{{"--dry-run"}, nil} {
				r := i.command(t, append([]string{"import", "kutt", source, "--report", report},
					args...)...)
				if r.code != cli.ExitFailure ||
					!strings.Contains(r.out, "66 created, 2 failed.") {
					t.Errorf("%v: %+v", args, r)
				}
			}
			said, err := os.ReadFile(report)
			must(t, err)
			for _, part := range []string{
				"both,failed,short_code,\"short_code is that of a link at default, too, which " +
					"was read: --only-host go.example reads it",
				"mail,failed,original_url,", "metrics,failed,short_code,",
				"created_by: the owners of links are not kept",
				"which of them belong to one click is made up",
				`country was dropped: it can not be ""T1""`,
			} {
				if !strings.Contains(string(said), part) {
					t.Errorf("the report has no %q:\n%s", part, said)
				}
			}
			links := i.exportLinks(t)
			if len(links) != 66 {
				t.Errorf("%d links", len(links))
			}
			hours := kuttHours()
			for address, link := range links {
				at := [2]string{"", address}
				if address == "hosted" {
					at[0] = "go.example"
				}
				want := hours[address]
				if want == nil {
					want = map[string]counts{}
				}
				link.wantKutt(t, dates[at], want)
			}
			wantKuttTexts(t, links)
			if links["secret"].Disabled || !strings.HasPrefix(links["secret"].Password, "$2a$12$") {
				t.Errorf("%+v", links["secret"])
			}
			open := func(password string) answer {
				return i.do(t, "GET /secret", "", "X-Link-Password: "+password)
			}
			if got := open("another"); got.StatusCode == http.StatusFound {
				t.Errorf("another password opens it: %+v", got)
			}
			if got := open(kuttPassword); got.Header.Get("Location") !=
				"https://secret.example/new" {
				t.Errorf("the old password does not open it: %+v", got)
			}
			i.wantKuttRedirects(t, links, "go.example/both")
			r := i.command(t, "import", "kutt", source, "--report", report)
			if !strings.Contains(r.out, "66 unchanged, 2 failed.") ||
				!strings.Contains(r.out, "1,168 known.") {
				t.Errorf("once more: %+v", r)
			}
			// Of the same address at two hosts either can be had.
			r = i.command(t, "import", "kutt", source, "--only-host", "go.example", "--conflict",
				"overwrite", "--report", report)
			if got := i.do(t, "GET /both", "").Header.Get("Location"); got !=
				"https://other.example/" || !strings.Contains(r.out, "1 updated, 1 unchanged") {
				t.Errorf("%q, %+v", got, r)
			}
			for _, host := range []string{"default", "kutt.example"} {
				r = i.command(t, "import", "kutt", source, "--only-host", host, "--conflict",
					"overwrite", "--report", report)
				if !strings.Contains(r.out, "unchanged") || !strings.Contains(r.out, "2 failed.") {
					t.Errorf("%+v", r)
				}
			}
			if got := i.do(t, "GET /both", "").Header.Get("Location"); got !=
				"https://default.example/" {
				t.Errorf("%q", got)
			}
		})
	}
}

// wantKuttTexts compares titles, notes and states.
func wantKuttTexts(t *testing.T, links map[string]*exportedLink) {
	t.Helper()
	for address, link := range links {
		title, note := "", ""
		switch address {
		case "titled":
			title = "Ein Titel – 題名 \U0001F517"
		case "noted":
			note = strings.Repeat("A description of more than 200 characters. ", 5) + "The end."
		case "lines":
			note = "first line\nsecond line"
		}
		if link.Title != title || link.Note != note {
			t.Errorf("%s has title %q and note %q", address, link.Title, link.Note)
		}
		if off := address == "barred"; link.Disabled != off && address != "secret" {
			t.Errorf("%s is disabled: %v", address, link.Disabled)
		}
	}
}

// wantKuttRedirects compares where addresses lead with the answers of Kutt. The other link is one
// whose address another one has.
func (i *instance) wantKuttRedirects(
	t *testing.T, links map[string]*exportedLink, other string,
) {
	t.Helper()
	answers := map[string]string{}
	must(t, json.Unmarshal([]byte(kuttFile(t, "redirects.json")), &answers))
	compared := 0
	for _, short := range slices.Sorted(maps.Keys(answers)) {
		_, address, _ := strings.Cut(short, "/")
		_, there, _ := strings.Cut(answers[short], " ")
		if links[address] == nil { // named in the report, or random in the other database
			continue
		}
		switch short {
		case "kutt.example/barred", "kutt.example/secret", other:
			continue
		}
		compared++
		if here := i.do(t, "HEAD /"+address, "").Header.Get("Location"); here != there {
			t.Errorf("%s leads to %q, there to %q", short, here, there)
		}
	}
	if compared < 62 || len(links[kuttLong].Aliases) != 1 {
		t.Errorf("%d addresses were compared", compared)
	}
	if got := i.do(t, "HEAD /barred", ""); got.StatusCode/100 != 4 {
		t.Errorf("a banned link is open: %+v", got)
	}
}

// A row of visits that can't be read leaves the others, and all other links, as they are. Its
// visits are a part of the link's total.
func TestImportKuttOfBrokenVisits(t *testing.T) {
	t.Parallel()
	source, _ := kuttSQLite(t)
	runSQLite(t, source, `
		DELETE FROM links WHERE address NOT IN ('titled', 'busy', 'hosted', 'x');
		UPDATE visits SET total = 'many' WHERE link_id IN
			(SELECT id FROM links WHERE address = 'titled');
		UPDATE visits SET referrers = '{"direct":' WHERE created_at LIKE '2026-11-02%';
		INSERT INTO visits (link_id, created_at, updated_at, total, countries, referrers)
			SELECT id, 'never', 'never', 3, '{}', '{}' FROM links WHERE address = 'busy';
		UPDATE links SET visit_count = visit_count + 3 WHERE address = 'busy';
		UPDATE links SET banned = 'maybe' WHERE address = 'hosted'`, nil)
	i := start(t)
	r, said := i.importFrom(t, "kutt", source, "")
	if r.code != cli.ExitFailure || !strings.Contains(r.out, "3 created.\n") {
		t.Errorf("%+v", r)
	}
	for _, part := range []string{
		`titled,created,clicks,"clicks have no times where rows of visits can't be read (1): ` +
			`""many"" is no whole number"`,
		`busy,created,clicks,"clicks have no times where rows of visits can't be read (2): `,
		`hosted,failed,,"""maybe"" is no truth value"`,
	} {
		if strings.Count(said, part) != 1 {
			t.Errorf("the report has no %q:\n%s", part, said)
		}
	}
	for address, want := range map[string][2]int64{"titled": {7, 7}, "busy": {154, 4}} {
		link, got := i.exportLinks(t)[address], [2]int64{}
		if link == nil {
			t.Fatalf("%s is not there", address)
		}
		for _, click := range link.clicks {
			got[0] += click.Count
			if click.Time.Equal(link.Created) {
				got[1] += click.Count
			}
		}
		if got != want {
			t.Errorf("%s has %d clicks, %d of them undated, want %d", address, got[0], got[1], want)
		}
	}
	if r, _ := i.importFrom(t, "kutt", source, ""); !strings.Contains(r.out,
		"3 unchanged.\nClicks: 1,162 known.\n") {
		t.Errorf("once more: %+v", r)
	}
}
