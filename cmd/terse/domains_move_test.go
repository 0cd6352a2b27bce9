package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"terse/internal/database/postgres"
	"terse/internal/tests/foreign"
	"terse/internal/tests/pgtest"
)

// The links of one host come out of the data of a server that is stopped.
func TestExportOfADomainWithoutAServer(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it exports the whole database")
	url := pgtest.URL(t)
	store, err := postgres.Open(t.Context(), postgres.Options{URL: url, Timeout: time.Minute})
	must(t, err)
	fillDomains(t, store)
	must(t, store.Close())
	for flag, data := range map[string]string{"--data-dir": domainsDir(t), "--database-url": url} {
		for host, want := range map[string]string{
			"Go.Example.": `"short_code":"launch","domain":"go.example","original_url":` +
				`"https://example.com/1"`,
			"s.example": `"short_code":"launch","original_url":"https://example.com/0"`,
		} {
			env := []string{"BASE_URL=https://s.example"}
			r := command(t, env, "", "export", "-", flag, data, "--domain", host)
			if r.code != 0 || !strings.Contains(r.out, want) ||
				strings.Count(r.out, `"type":"link"`) != 1 {
				t.Errorf("%s, %s: %+v", flag, host, r)
			}
		}
		r := command(t, nil, "", "export", "-", flag, data, "--domain", "x.example")
		if r.code != 1 || !strings.HasSuffix(r.err, "terse: unknown domain: x.example\n") {
			t.Errorf("%s, an unknown host: %+v", flag, r)
		}
	}
}

// reportOf returns the report of an import, "" if there is none.
func reportOf(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	must(t, os.RemoveAll(path))
	return string(b)
}

// listed returns the links of a server as ADDRESS URL, sorted.
func (i *instance) listed(t *testing.T) string {
	t.Helper()
	r := i.command(t, "list", "--all")
	if r.code != 0 {
		t.Fatalf("%+v", r)
	}
	var links []string
	for line := range strings.Lines(r.out) {
		cells := strings.Split(line, "\t")
		links = append(links, cells[0]+" "+cells[1])
	}
	slices.Sort(links)
	return strings.Join(links, "\n")
}

// The links of a table go to the hosts that it names, or to others. A server and the data of one
// that is stopped give the same.
func TestImportTableToDomains(t *testing.T) {
	t.Parallel()
	table := textFile(t, "old.csv", "host,code,url\n"+
		"old.example,aaa,https://example.com/1\n"+
		"go.example,aaa,https://example.com/2\n"+
		"old2.example,aaa,https://example.com/3\n"+
		",bbb,https://example.com/4\n")
	strange := func(host string) string {
		return "domain " + host + " is none of this server: the link is on the default one\n"
	}
	there := func(host string) string {
		return `"short_code is that of a link at old.example, too, which was read: --only-host ` +
			host + " reads it\"\n"
	}
	for _, c := range []struct {
		name          string
		flags         []string
		code          int
		links, report string
		says          string
	}{
		{
			"no flags", nil, 1,
			"aaa https://example.com/1\nbbb https://example.com/4\n" +
				"go.example/aaa https://example.com/2",
			"2,,aaa,created,domain," + strange("old.example") +
				"4,,aaa,failed,short_code," + there("old2.example"), "",
		},
		{
			"a map",
			[]string{
				"--domain-map", "OLD.example=s2.example", "--domain-map", "old2.example=",
				"--domain-map", "=go.example",
			},
			0,
			"aaa https://example.com/3\ngo.example/aaa https://example.com/2\n" +
				"go.example/bbb https://example.com/4\ns2.example/aaa https://example.com/1",
			"", "",
		},
		{
			"a host", []string{
				"--only-host", "Old.example", "--domain-map", "old.example=s2.example",
			}, 0, "s2.example/aaa https://example.com/1", "", "",
		},
		{
			"two hosts become one",
			[]string{
				"--domain-map", "old.example=go.example", "--domain-map", "x.example=go.example",
			},
			1,
			"aaa https://example.com/3\nbbb https://example.com/4\n" +
				"go.example/aaa https://example.com/1",
			"3,,go.example/aaa,failed,short_code," + there("go.example") +
				"4,,aaa,created,domain," + strange("old2.example"),
			"--domain-map: no link is at x.example.\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env := []string{"DOMAINS=go.example,s2.example", "BASE_URL=https://s.example"}
			served, stopped := start(t, env...), t.TempDir()
			report := filepath.Join(t.TempDir(), "report.csv")
			args := append([]string{
				"import", "csv", table, "--yes", "--report", report,
			}, c.flags...)
			for _, where := range []string{"dry run", "server", "data"} {
				var r result
				switch where {
				case "dry run":
					r = served.command(t, append(args, "--dry-run")...)
				case "server":
					r = served.command(t, args...)
				default:
					r = command(t, env, "", append(args, "--data-dir", stopped)...)
				}
				_, rows, _ := strings.Cut(reportOf(t, report), "\r\n")
				inOrder := slices.Sorted(strings.Lines(strings.ReplaceAll(rows, "\r\n", "\n")))
				rows = strings.ReplaceAll(strings.Join(inOrder, ""), ","+table, ",")
				if rows != c.report || r.code != c.code || !strings.Contains(r.err, c.says) {
					t.Errorf("%s: %+v\n%s\nwant\n%s", where, r, rows, c.report)
				}
			}
			for where, i := range map[string]*instance{
				"server": served, "data": startIn(t, stopped, env...),
			} {
				if got := i.listed(t); got != c.links {
					t.Errorf("%s has\n%s\nwant\n%s", where, got, c.links)
				}
			}
		})
	}
}

// The links of an export go to other hosts than those that it names, with their clicks and shares.
func TestImportExportToDomains(t *testing.T) {
	t.Parallel()
	file := textFile(t, "old.ndjson", `
{"type":"export","version":1,"base_url":"https://old.example"}
{"type":"link","short_code":"aaa","original_url":"https://example.com/1"}
{"type":"click","time":"2026-01-01T00:00:00Z","count":2}
{"type":"link","short_code":"aaa","domain":"old2.example","original_url":"https://example.com/2"}
{"type":"click","time":"2026-01-01T00:00:00Z","count":3}
{"type":"link","short_code":"bbb","domain":"old2.example","original_url":"https://example.com/3"}
{"type":"share","share":"abcdefghijklmnopqrstuv","short_code":"bbb","domain":"old2.example",`+
		`"original_url":"https://example.com/3","title":"Shared"}
{"type":"share","share":"zbcdefghijklmnopqrstuv","overview":true}
{"type":"end","links":3,"clicks":5}
`)
	env := []string{"DOMAINS=go.example,s2.example", "BASE_URL=https://s.example"}
	for _, c := range []struct {
		name             string
		flags            []string
		code             int
		links, out, says string
	}{
		{
			"unknown hosts", nil, 1, "aaa https://example.com/1",
			"Links: 1 created, 2 failed.\nClicks: 2 added, 3 skipped.\n", "",
		},
		{
			"each host is another one",
			[]string{
				"--domain-map", "old2.example=s2.example", "--domain-map", "old.example=go.example",
			},
			0,
			"go.example/aaa https://example.com/1\ns2.example/aaa https://example.com/2\n" +
				"s2.example/bbb https://example.com/3",
			"Links: 3 created.\nClicks: 5 added.\n", "",
		},
		{
			"one host only",
			[]string{
				"--only-host", "old2.example", "--domain-map", "old2.example=",
			},
			0, "aaa https://example.com/2\nbbb https://example.com/3",
			"Links: 2 created.\nClicks: 3 added.\n", "",
		},
		{
			"the default host only",
			[]string{"--only-host", "old.example"},
			0,
			"aaa https://example.com/1", "Links: 1 created.\nClicks: 2 added.\n", "",
		},
		{
			"two hosts become one",
			[]string{"--domain-map", "old2.example="},
			1,
			"aaa https://example.com/1\nbbb https://example.com/3",
			"Links: 2 created.\nClicks: 2 added.\nLines that are no link or can't be read: 1 " +
				"failed.\n", "",
		},
		{
			"links that name no host",
			[]string{"--domain-map", "=go.example"},
			1,
			"go.example/aaa https://example.com/1",
			"Links: 1 created, 2 failed.\nClicks: 2 added, 3 skipped.\n", "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			i := start(t, env...)
			report := filepath.Join(t.TempDir(), "report.csv")
			r := i.command(t, append([]string{"import", "terse", file, "--report", report},
				c.flags...)...)
			if r.code != c.code || !strings.HasPrefix(r.out, c.out) {
				t.Errorf("%+v\n%s", r, reportOf(t, report))
			}
			if got := i.listed(t); got != c.links {
				t.Errorf("there are\n%s\nwant\n%s", got, c.links)
			}
			shares := i.command(t, "shares").out
			if got, want := strings.Contains(shares, "Shared"), strings.Contains(c.links,
				"bbb"); got != want {
				t.Errorf("shares: %s", shares)
			}
		})
	}
	i := start(t, env...)
	for flag, want := range map[string]string{
		"old.example=x.example":       "the server has no host x.example",
		"old.example":                 "it must be a host, = and a host",
		"https://a.example=s.example": `"https://a.example" is no host`,
		"a=b=c":                       "it must be a host, = and a host",
	} {
		for _, where := range [][]string{nil, {"--data-dir", t.TempDir()}} {
			args := append([]string{"import", "terse", file, "--domain-map", flag}, where...)
			r := i.command(t, args...)
			if where != nil {
				r = command(t, env, "", args...)
			}
			if r.code != 2 || !strings.Contains(r.err, want) || r.out != "" {
				t.Errorf("%s: %+v", args, r)
			}
		}
	}
	r := i.command(t, "import", "terse", file, "--domain-map", "old.example=go.example",
		"--domain-map", "Old.example.=s2.example")
	if r.code != 2 || !strings.Contains(r.err, "names two hosts for the same one") {
		t.Errorf("%+v", r)
	}
	out := filepath.Join(t.TempDir(), "out.ndjson")
	r = command(t, nil, "", "import", "terse", file, "--domain-map", "old2.example=go.example",
		"--only-host", "old2.example", "--output", out)
	b, err := os.ReadFile(out)
	if err != nil || r.code != 0 || strings.Count(string(b), `"domain":"go.example"`) != 3 ||
		strings.Contains(string(b), "old2.example") {
		t.Errorf("%+v, %v\n%s", r, err, b)
	}
}

// The check asks for each address at the host that it had, and at the one that it has.
func TestCheckOfMovedDomains(t *testing.T) {
	t.Parallel()
	old := start(t, "DOMAINS=old2.example", "BASE_URL=https://old.example")
	for _, host := range []string{"old.example", "old2.example"} {
		r := old.command(t, "create", "https://example.com/"+host, "--code", "launch", "--domain",
			host)
		if r.code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"links.ndjson", "links.csv"} {
		i := start(t, "DOMAINS=go.example,s2.example", "BASE_URL=https://s.example")
		file, format := filepath.Join(dir, name), "terse"
		flags := []string{
			"--domain-map", "old2.example=s2.example", "--domain-map", "=go.example",
		}
		if name == "links.csv" { // of which the old server is asked for one host
			format, flags = "csv", append(flags, "--only-host", "old2.example")
		}
		if r := old.command(t, "export", file); r.code != 0 {
			t.Fatalf("%+v", r)
		}
		if r := i.command(t, append([]string{"import", format, file}, flags...)...); r.code != 0 {
			t.Fatalf("%+v", r)
		}
		from := hostServer(t, old, "old2.example")
		want := "1 address: 1 equal, 0 differ.\n"
		if format == "terse" {
			from, want = old.url, "2 addresses: 2 equal, 0 differ.\n"
		}
		args := append([]string{"check", format, file, "--from", from}, flags...)
		for _, env := range [][]string{i.environ(), {"TERSE_URL=" + i.url}} {
			if r := command(t, env, "", args...); r.code != 0 || r.out != want {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}

// hostServer stands for a server whose address is that of one host.
func hostServer(t *testing.T, of *instance, host string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := of.at(t, host, r.Method+" "+r.URL.Path)
		w.Header().Set("Location", answer.Header.Get("Location"))
		w.WriteHeader(answer.StatusCode)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Links of Shlink stay at their hosts, if the server has these.
func TestImportFromShlinkToDomains(t *testing.T) {
	t.Parallel()
	from := startShlink(t)
	i := start(t, "DOMAINS=s.test,s2.example", "BASE_URL=https://go.test")
	for domain, url := range map[string]string{"": "s", "go.test": "go"} {
		from.add(domain, "launch", object{"longUrl": "https://example.com/" + url})
	}
	from.add("x.test", "launch", nil)
	from.add("x.test", "other", nil)
	from.add("x.test", "another", nil)
	report := filepath.Join(t.TempDir(), "report.csv")
	r := from.load(t, i, report)
	text := reportOf(t, report)
	const is = "is that of a link at go.test, too, which was read"
	if r.code != 1 || !strings.Contains(text, ",launch,failed,short_code,\"short_code "+is) ||
		strings.Count(text, "domain x.test is none of this server") != 1 {
		t.Errorf("%+v\n%s", r, text)
	}
	want := "another https://example.com/another\nlaunch https://example.com/go\n" +
		"other https://example.com/other\ns.test/launch https://example.com/s"
	if got := i.listed(t); got != want {
		t.Errorf("there are\n%s\nwant\n%s", got, want)
	}
	r = from.load(t, i, report, "--domain-map", "x.test=s2.example")
	if r.code != 0 || !strings.HasPrefix(r.out, "Links: 3 created, 2 unchanged.\n") {
		t.Errorf("%+v\n%s", r, reportOf(t, report))
	}
}
