package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse/internal/cli"
	"terse/internal/move/archive/formats"
	"terse/internal/tests/longtest"
	"terse/internal/tests/tersetest"
)

// The links of a source that is imported by a command which is killed. They are big1 and so on.
const (
	bigLinks  = 1500
	bigClicks = 25_000
	bigHour   = 3 // clicks of a link in an hour, until it has had all
)

// bigPatience has a server wait for the store as long as it takes. With the race detector, on a
// busy machine, a page of an export has taken more than 5 s.
const bigPatience = "DB_TIMEOUT=10m"

// bigCreated is when all of them were created, and clicked first.
var bigCreated = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// bigURL is where a link leads. It is so long that an import takes several requests.
func bigURL(n int) string { return fmt.Sprintf("https://example.com/%d?%s", n, bigQuery) }

var bigQuery = strings.Repeat("q", 1500)

// bigClicksOf is how many clicks a link has.
func bigClicksOf(n int) int { return 16 + min(n%3, 1) }

// bigTables has the same as tables of SQLite.
var bigTables = fmt.Sprintf(`
	CREATE TEMP TABLE big AS
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT i, 'big' || i AS code, 'https://example.com/' || i || '?%s' AS url,
			16 + min(i %% 3, 1) AS clicks FROM n;
	CREATE TEMP TABLE visited AS
		WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 16)
		SELECT big.i AS link, datetime('2026-03-01', (n.i / %d) || ' hours',
			(n.i %% %d) || ' minutes') AS at FROM big JOIN n ON n.i < big.clicks;
	`, bigLinks, bigQuery, bigHour, bigHour)

// What a source says of clicks.
type bigKind int

const (
	noClicks bigKind = iota
	totals           // how many a link has
	hours            // also when they were, by the hour or better
)

// However a product's links come in, an import that is killed half-way and run again leaves each
// link and each click once.
func TestImportsThatAreKilled(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	missing := slices.DeleteFunc(formats.Names(), func(name string) bool {
		return name == "terse" // TestImportThatIsKilled
	})
	for _, c := range []struct {
		format string
		kind   bigKind
		source func(*testing.T) (path string)
	}{
		{"yourls", hours, bigYOURLS},
		{"kutt", hours, func(t *testing.T) string {
			// Of the first hour Kutt has only the sum.
			return bigDatabase(t, kuttFile(t, "sqlite.sql"), `
				DELETE FROM visits; DELETE FROM links;
				INSERT INTO links (id, address, target, visit_count, created_at, updated_at)
					SELECT i, code, url, clicks, '2026-03-01 00:00:00', '2026-03-01 00:00:00'
					FROM big;
				INSERT INTO visits (link_id, created_at, updated_at, total, countries, referrers,
					br_chrome, os_linux)
					SELECT link, max(at), max(at), count(*), '{"de":' || count(*) || '}',
						'{"direct":' || count(*) || '}', count(*), count(*)
					FROM visited WHERE at >= '2026-03-01 01:00:00'
					GROUP BY link, substr(at, 1, 13)`)
		}},
		{"mjrwtf", hours, func(t *testing.T) string {
			path := fileOf(t, "mjrwtf-0.11.9.db")
			execSQL(t, path, bigTables+`
				DELETE FROM clicks; DELETE FROM url_status; DELETE FROM urls;
				INSERT INTO urls (id, short_code, original_url, created_at, created_by)
					SELECT i, code, url, '2026-03-01 00:00:00', 'me' FROM big;
				INSERT INTO clicks (url_id, clicked_at) SELECT link, at FROM visited`)
			return path
		}},
		{"chhoto", totals, func(t *testing.T) string {
			path := fileOf(t, "chhoto-7.5.0.sqlite")
			execSQL(t, path, bigTables+`
				DELETE FROM urls;
				INSERT INTO urls (id, short_url, long_url, hits)
					SELECT i, code, url, clicks FROM big`)
			return path
		}},
		{"bitly", totals, func(t *testing.T) string {
			return bigTable(t, "bit.ly/", "Bitlink", "Long URL", "Created", "Clicks total")
		}},
		{"dub", totals, func(t *testing.T) string {
			return bigTable(t, "https://go.example/", "Short link", "Destination URL", "Created at",
				"Clicks")
		}},
		{"shlink", totals, func(t *testing.T) string {
			return bigTable(t, "https://go.example/", "shortUrl", "longUrl", "createdAt", "visits")
		}},
		{"sink", noClicks, func(t *testing.T) string {
			return bigText(t, `{"version":"1.0","links":[`, func(n int) string {
				return fmt.Sprintf(`{"slug":"big%d","url":%q,"createdAt":%d}`, n, bigURL(n),
					bigCreated.Unix())
			}, ",", "]}")
		}},
		{"golink", noClicks, bigGolink},
		{"csv", totals, func(t *testing.T) string {
			return bigTable(t, "", "code", "url", "created", "clicks")
		}},
	} {
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == c.format })
		t.Run(c.format, func(t *testing.T) {
			t.Parallel()
			wantOnceIfKilled(t, start(t, bigPatience), c.format, c.source(t), c.kind)
		})
	}
	if len(missing) > 0 {
		t.Errorf("no source of %q is here", missing)
	}
}

// linksNow returns how many links are there.
func (i *instance) linksNow(t *testing.T) int {
	t.Helper()
	page, err := i.client().List(t.Context(), 1, 0)
	if err != nil {
		t.Error(err)
		return 0
	}
	return int(page.Total)
}

// wantOnceIfKilled imports a source in two halves, and once more.
func wantOnceIfKilled(t *testing.T, i *instance, format, source string, kind bigKind) {
	t.Helper()
	dir := t.TempDir()
	// Answers stop when a third is there, so that the import can't end before it is killed.
	proxy := i.through(t, func(w http.ResponseWriter, r *http.Response) {
		if i.linksNow(t) >= bigLinks/3 {
			<-r.Request.Context().Done()
			return
		}
		_, _ = io.Copy(w, r.Body)
	})
	i.killImport(t, []string{"TERSE_URL=" + proxy}, format, source,
		"a third of the links to be imported", func() bool { return i.linksNow(t) >= bigLinks/3 })
	there := i.linksNow(t)
	t.Logf("%d links were there when it was killed", there)
	if there >= bigLinks {
		t.Error("which are all")
	}
	again := func() result {
		return command(t, i.environ(bigKey), "", "import", format, source, "--report",
			filepath.Join(dir, "report.csv"))
	}
	began := time.Now()
	r := again()
	t.Logf("again, in %v: %s", time.Since(began), r.out)
	if r.code != cli.ExitOK || !strings.Contains(r.out, " unchanged") {
		t.Errorf("again: %+v", r)
	}
	i.wantBig(t, kind)
	want := "Links: 1,500 unchanged.\nClicks: 25,000 known.\n"
	if kind == noClicks {
		want = "Links: 1,500 unchanged.\nClicks: none.\n"
	}
	if r := again(); r.code != cli.ExitOK || r.out != want {
		t.Errorf("once more: %+v", r)
	}
	i.wantBig(t, kind)
}

// killImport imports a source, and kills the command when something has happened.
func (i *instance) killImport(
	t *testing.T, env []string, format, source, what string, happened func() bool,
) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), tersetest.Binary(t), "import", format, source)
	cmd.Dir, cmd.Env = t.TempDir(), append(i.environ(bigKey), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, what, happened)
	_ = cmd.Process.Kill() // or it has ended
	_ = cmd.Wait()
}

// wantBig fails unless each link and each click is there once.
func (i *instance) wantBig(t *testing.T, kind bigKind) {
	t.Helper()
	links, clicks, wrong := i.exportLinks(t), int64(0), 0
	for n := 1; n <= bigLinks; n++ {
		link := links[fmt.Sprintf("big%d", n)]
		if link == nil || link.URL != bigURL(n) {
			t.Errorf("big%d is not as it was", n)
			continue
		}
		got, want := map[time.Time]int64{}, map[time.Time]int64{}
		for _, click := range link.clicks {
			hour := click.Time.Truncate(time.Hour)
			if kind == totals {
				hour = time.Time{}
			}
			got[hour] += click.Count
			clicks += click.Count
		}
		switch kind {
		case totals:
			want[time.Time{}] = int64(bigClicksOf(n))
		case hours:
			for c := range bigClicksOf(n) {
				want[bigCreated.Add(time.Duration(c/bigHour)*time.Hour)]++
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			if wrong++; wrong <= 3 {
				t.Errorf("big%d has other clicks: %s", n, diff)
			}
		}
	}
	wantClicks := int64(bigClicks)
	if kind == noClicks {
		wantClicks = 0
	}
	if len(links) != bigLinks || clicks != wantClicks || wrong > 0 {
		t.Errorf("%d links, %d of them wrong, and %d clicks", len(links), wrong, clicks)
	}
}

// bigDatabase returns a database that statements made and then filled from bigTables.
func bigDatabase(t *testing.T, schema, fill string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "source.sqlite")
	execSQL(t, path, schema)
	execSQL(t, path, bigTables+fill)
	return path
}

// bigTable returns a table of codes, maybe behind a host, URLs, times and clicks.
func bigTable(t *testing.T, host string, names ...string) (path string) {
	t.Helper()
	var text bytes.Buffer
	rows := csv.NewWriter(&text)
	must(t, rows.Write(names))
	for n := 1; n <= bigLinks; n++ {
		must(t, rows.Write([]string{
			fmt.Sprintf("%sbig%d", host, n), bigURL(n), bigCreated.Format(time.RFC3339),
			strconv.Itoa(bigClicksOf(n)),
		}))
	}
	rows.Flush()
	return textFile(t, "links.csv", text.String())
}

// bigText returns a text of links.
func bigText(
	t *testing.T, begin string, link func(n int) string, between, end string,
) (path string) {
	t.Helper()
	var links []string
	for n := 1; n <= bigLinks; n++ {
		links = append(links, link(n))
	}
	return textFile(t, "links", begin+strings.Join(links, between)+end)
}

func bigGolink(t *testing.T) (path string) {
	t.Helper()
	return bigText(t, "", func(n int) string {
		return fmt.Sprintf(`{"Short":"big%d","Long":%q,"Created":"2026-03-01T00:00:00Z"}`, n,
			bigURL(n))
	}, "\n", "\n")
}

// bigYOURLS returns the dump of a real installation with other rows. Of the first hour it has only
// the sum.
func bigYOURLS(t *testing.T) (path string) {
	t.Helper()
	var links, log []string
	for n := 1; n <= bigLinks; n++ {
		clicks := bigClicksOf(n)
		links = append(links, fmt.Sprintf("('big%d','%s','','2026-03-01 00:00:00','127.0.0.1',%d)",
			n, bigURL(n), clicks))
		for c := bigHour; c < clicks; c++ {
			at := bigCreated.Add(time.Duration(c/bigHour) * time.Hour)
			log = append(log, fmt.Sprintf("(%d,'%s','big%d','','','127.0.0.1','')", len(log)+1,
				at.Format(time.DateTime), n))
		}
	}
	text := yourlsText(t)
	for table, rows := range map[string][]string{"yourls_url": links, "yourls_log": log} {
		insert := regexp.MustCompile("(?s)(INSERT INTO `" + table + "` VALUES\n).*?;\n/[*]!40000 A")
		text = insert.ReplaceAllString(text, "${1}"+strings.Join(rows, ",\n")+";\n/*!40000 A")
	}
	return textFile(t, "dump.sql", text)
}
