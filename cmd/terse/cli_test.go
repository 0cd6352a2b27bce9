package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"terse/api"
	"terse/internal/cli"
)

// result is what a command without a terminal printed and ended with.
type result struct {
	out, err string
	code     int
}

func command(t testing.TB, environ []string, stdin string, args ...string) result {
	t.Helper()
	var out, told bytes.Buffer
	code := run(t.Context(), args, environ, strings.NewReader(stdin), &out, &told)
	return result{out.String(), told.String(), code}
}

// environ is what the commands need to talk to the server.
func (i *instance) environ(more ...string) []string {
	return append([]string{"TERSE_URL=" + i.url, "TERSE_TOKEN=" + testToken, "TZ=Europe/Berlin"},
		more...)
}

func (i *instance) command(t testing.TB, args ...string) result {
	t.Helper()
	return command(t, i.environ(), "", args...)
}

// onTerminal runs a command on a terminal until it ends.
func (i *instance) onTerminal(t *testing.T, columns uint16, args ...string) result {
	t.Helper()
	text, code := onTerminal(t, columns, i.environ(), args...).end(t)
	return result{out: text, code: code}
}

// shortenAs creates a link with a code.
func (i *instance) shortenAs(t testing.TB, code, original string) {
	t.Helper()
	_, err := i.client().Create(t.Context(), api.CreateRequest{
		OriginalURL: original,
		ShortCode:   &code,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// person is the user agent of a browser, so its clicks are a person's.
const person = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0"

// click visits a link as a person, so many times from each country, and waits until that is
// counted.
func (i *instance) click(t *testing.T, code, referrer string, countries map[string]int) {
	t.Helper()
	before, err := i.client().Stats(t.Context(), code, api.Range{})
	if err != nil {
		t.Fatal(err)
	}
	n := before.TotalClicks
	for country, times := range countries {
		for range times {
			i.do(t, "GET /"+code, "", "Referer: "+referrer, "X-Country: "+country,
				"User-Agent: "+person)
			n++
		}
	}
	i.clicks(t, code, n)
}

// startCounting starts a server that knows countries from a header.
func startCounting(t *testing.T) *instance {
	t.Helper()
	return start(t, "TRUSTED_PROXIES=127.0.0.1", "GEOIP_HEADER=X-Country")
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// columns counts a line's columns on a terminal, for the characters that these tests print.
func columns(line string) (n int) {
	for _, r := range escapes.ReplaceAllString(line, "") {
		n++
		if r >= 0x1100 && r <= 0x115F || r >= 0x2E80 && r <= 0xD7FF && r != 0x303F ||
			r >= 0x1F300 && r <= 0x1FAFF {
			n++
		}
	}
	return n
}

func lineCount(s string) int { return strings.Count(s, "\n") }

func TestListPagesThroughAll(t *testing.T) {
	t.Parallel()
	i := start(t)
	const n = 205
	for k := range n {
		i.shortenAs(t, fmt.Sprintf("code%03d", k), fmt.Sprintf("https://example.com/%d", k%2))
	}
	i.click(t, "code007", "", map[string]int{"": 2})
	codes := func(r result) (codes []string) {
		for line := range strings.Lines(r.out) {
			codes = append(codes, strings.Split(line, "\t")[0])
		}
		return codes
	}
	for _, tt := range []struct {
		args        string
		first, last string
		n           int
	}{
		{"", "code204", "code185", 20},
		{"--limit 150", "code204", "code055", 150},
		{"--limit 100 --offset 100", "code104", "code005", 100},
		{"--limit 150 --offset 100", "code104", "code000", 105},
		{"--all", "code204", "code000", n},
		{"--all --sort oldest", "code000", "code204", n},
		{"--limit 1 --sort clicks", "code007", "code007", 1},
		{"--all --search com/1", "code203", "code001", 102},
		{"--search nothing", "", "", 0},
	} {
		r := i.command(t, append([]string{"list"}, strings.Fields(tt.args)...)...)
		got := codes(r)
		if r.code != cli.ExitOK || r.err != "" || len(got) != tt.n {
			t.Errorf("list %s: %d, %d links, %s", tt.args, r.code, len(got), r.err)
			continue
		}
		if tt.n > 0 && (got[0] != tt.first || got[tt.n-1] != tt.last) {
			t.Errorf("list %s: from %s to %s, want from %s to %s", tt.args, got[0], got[tt.n-1],
				tt.first, tt.last)
		}
		slices.Sort(got)
		if len(slices.Compact(got)) != tt.n {
			t.Errorf("list %s: a link is there twice", tt.args)
		}
	}
	listed := 0
	answers := json.NewDecoder(
		strings.NewReader(i.command(t, "list", "--limit", "150", "--json").out))
	for {
		var page api.Page
		if err := answers.Decode(&page); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		listed += len(page.URLs)
	}
	if listed != 150 {
		t.Errorf("list --limit 150 --json: %d links", listed)
	}
	for args, want := range map[string]string{
		"--limit 0": "--limit must be at least 1", "--limit 5 --all": "--limit",
		"--offset=-1":              "negative",
		"--offset 1 --sort clicks": "--offset", "--sort sideways": "newest",
		"--status over":               `--status must be one of "active", "scheduled",`,
		"--sort clicks --period year": `--period must be one of "24h", "7d", "30d" but got "year"`,
		"--limit many":                "--limit",
	} {
		r := i.command(t, append([]string{"list"}, strings.Fields(args)...)...)
		if r.code != cli.ExitUsage || !strings.Contains(r.err, want) || lineCount(r.err) != 1 {
			t.Errorf("list %s: %d %s", args, r.code, r.err)
		}
	}
}

func TestListOfPeople(t *testing.T) {
	t.Parallel()
	i := start(t)
	for code, agents := range map[string][]string{
		"crawled": {"Googlebot/2.1", "Googlebot/2.1", "Googlebot/2.1"},
		"read":    {person, "Googlebot/2.1"},
	} {
		i.shortenAs(t, code, "https://example.com/")
		for _, agent := range agents {
			i.do(t, "GET /"+code, "", "User-Agent: "+agent)
		}
		i.clicks(t, code, int64(len(agents)))
	}
	for args, want := range map[string]string{
		"": `^read\thttps://example.com/\t1\t2\t20\S+Z\tactive\t\t\n` +
			`crawled\thttps://example.com/\t0\t3\t20\S+Z\tactive\t\t\n$`,
		"--limit 1":     `^read\t\S+\t1\t2\t\S+\tactive\t\t\n$`,
		"--json":        `"short_code": "read",(?s:.*)"click_count": 2,\s+"people": 1\s`,
		"--period 24h":  `^read\t\S+\t1\t2\t.*\ncrawled\t\S+\t0\t3\t`,
		"--search craw": `^crawled\t\S+\t0\t3\t`,
	} {
		r := i.command(t, append([]string{"list", "--sort", "clicks"}, strings.Fields(args)...)...)
		if r.code != cli.ExitOK || !regexp.MustCompile(want).MatchString(r.out) {
			t.Errorf("list %s: %d %q %s", args, r.code, r.out, r.err)
		}
	}
	r := i.onTerminal(t, 80, "list", "--sort", "clicks")
	want := `(?m)^CODE +CLICKS  CREATED +URL\s+^read +1  2`
	if !regexp.MustCompile(want).MatchString(escapes.ReplaceAllString(r.out, "")) {
		t.Errorf("on a terminal: %q", r.out)
	}
	r = i.onTerminal(t, 80, "list", "--sort", "clicks", "--period", "7d")
	want = `(?m)^CODE +CLICKS IN 7D  CREATED +URL\s+^read +1  2`
	if !regexp.MustCompile(want).MatchString(escapes.ReplaceAllString(r.out, "")) {
		t.Errorf("of a period, on a terminal: %q", r.out)
	}
}

// Whatever the width, a list has as many columns as fit, the most important ones first.
func TestListHasColumns(t *testing.T) {
	t.Parallel()
	i := start(t)
	for _, args := range []string{
		"https://example.com/a/long/path/of/a/page --code sale --title Spring_sale --tag a,shop",
		"https://example.com/ --code over --disabled",
	} {
		if r := i.command(t, append([]string{"create"}, strings.Fields(args)...)...); r.code !=
			cli.ExitOK {
			t.Fatalf("%+v", r)
		}
	}
	for width, want := range map[uint16][]string{
		100: {
			"CODE  CLICKS  STATUS    TITLE        TAGS      CREATED     URL\n",
			"over       0  disabled                         2", "  example.com/\n",
			"sale       0            Spring_sale  #a #shop  2",
			"  example.com/a/long/path/of/a/page\n",
		},
		60: {
			"CODE  CLICKS  STATUS    TITLE        URL\n",
			"over       0  disabled               example.com/\n",
			"sale       0            Spring_sale  example.com/a/long/pat…\n",
		},
		42: {
			"CODE  CLICKS  STATUS    LINK\n",
			"over       0  disabled  example.com/\n",
			"sale       0            Spring_sale\n",
		},
		30: {"CODE  CLICKS  LINK\n", "over       0  example.com/\n", "sale       0  Spring_sale\n"},
	} {
		text := escapes.ReplaceAllString(i.onTerminal(t, width, "list").out, "")
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("no %q in %d columns:\n%s", part, width, text)
			}
		}
		for line := range strings.Lines(text) {
			if n := columns(strings.TrimSuffix(line, "\n")); n > int(width) {
				t.Errorf("%d columns: one line has %d: %q", width, n, line)
			}
		}
	}
	want := `^sale\thttps://\S+\t0\t0\t\S+Z\tactive\ta,shop\tSpring_sale\n$`
	r := i.command(t, "list", "--tag", "shop")
	if !regexp.MustCompile(want).MatchString(r.out) {
		t.Errorf("in a pipe: %q", r.out)
	}
}

func TestListFitsTheTerminal(t *testing.T) {
	t.Parallel()
	i := start(t)
	long := "https://example.com/" + strings.Repeat("x", 8000)
	wide := "https://example.com/" + strings.Repeat("世界", 100)
	i.shortenAs(t, "long-long-long-long-", long)
	i.shortenAs(t, "wide", wide)
	if piped := i.command(t, "list").out; !strings.Contains(piped, "\t"+long+"\t") ||
		!strings.Contains(piped, "\t"+wide+"\t") {
		t.Errorf("in a pipe: %.300s", piped)
	}
	for _, width := range []uint16{200, 80, 60, 40, 20} {
		r := i.onTerminal(t, width, "list")
		if r.code != cli.ExitOK || !strings.Contains(r.out, "wide") {
			t.Fatalf("%d columns: %d %s", width, r.code, r.out)
		}
		for line := range strings.Lines(r.out) {
			if n := columns(strings.TrimSuffix(line, "\n")); n > int(width) {
				t.Errorf("%d columns: one line has %d: %q", width, n, line)
			}
		}
		if width >= 60 && (!strings.Contains(r.out, "CODE") || !strings.Contains(r.out, "世") ||
			!strings.Contains(r.out, "2 of 2")) {
			t.Errorf("%d columns:\n%s", width, r.out)
		}
	}
}

// What others sent neither steers the terminal nor changes the direction of what is read.
func TestHiddenCharactersAreShown(t *testing.T) {
	t.Parallel()
	i := start(t)
	const rtl, shown = "https://example.com/\u202egnp.exe", "https://example.com/[U+202E]gnp.exe"
	const escaped = `https://example.com/\u202egnp.exe`
	i.shortenAs(t, "spoof", rtl)
	i.click(t, "spoof", "https://news.example/\u202ecod\u009b31m", map[string]int{"": 1})
	for _, args := range []string{
		"list", "list --json", "stats spoof", "stats spoof --json", "overview", "overview --json",
		"create " + rtl + " " + rtl, "create --json " + rtl,
	} {
		for name, r := range map[string]result{
			"in a pipe":     i.command(t, strings.Fields(args)...),
			"on a terminal": i.onTerminal(t, 200, strings.Fields(args)...),
		} {
			text, shown := escapes.ReplaceAllString(r.out, ""), shown
			if strings.Contains(args, "--json") {
				shown = escaped
			}
			if r.code != cli.ExitOK || strings.ContainsAny(text, "\u202e\u009b\x1b") ||
				!strings.Contains(text, shown) {
				t.Errorf("%s %s: %d %q", args, name, r.code, text)
			}
		}
	}
	var page api.Page
	if err := json.Unmarshal([]byte(i.command(t, "list", "--json", "--sort", "oldest").out),
		&page); err != nil || page.URLs[0].OriginalURL != rtl {
		t.Errorf("list --json: %v %+v", err, page)
	}
}

func TestDeleteAsks(t *testing.T) {
	t.Parallel()
	i := start(t)
	exists := func(code string) bool { return i.do(t, "GET /"+code, "").StatusCode == 302 }
	for _, code := range []string{"asked", "sure"} {
		i.shortenAs(t, code, "https://example.com/")
	}
	for name, environ := range map[string][]string{"": nil, "YES=true": {"YES=true"}} {
		r := command(t, i.environ(environ...), "y\n", "delete", "asked")
		if r.code != cli.ExitUsage || !strings.Contains(r.err, "--yes is required") ||
			!exists("asked") {
			t.Errorf("without a terminal %s: %d %s", name, r.code, r.err)
		}
	}
	i.clicks(t, "asked", 2)
	for _, answer := range []string{"n", "", "what"} {
		s := onTerminal(t, 80, i.environ(), "delete", "asked")
		s.await(t, "(bots included)? [y/N] ")
		s.answer(t, answer)
		if text, code := s.end(t); code != cli.ExitFailure ||
			!strings.Contains(text, "Not deleted.") ||
			!exists("asked") {
			t.Errorf("answered %q: %d %s", answer, code, text)
		}
	}
	s := onTerminal(t, 80, i.environ(), "delete", "sure")
	s.await(t, "Delete sure? [y/N] ")
	s.answer(t, "y")
	if text, code := s.end(t); code != cli.ExitOK || !strings.Contains(text, "Deleted sure") ||
		exists("sure") {
		t.Errorf("answered y: %d %s", code, text)
	}
	s = onTerminal(t, 80, i.environ(), "delete", "asked")
	s.await(t, "Delete asked and its ")
	s.cancel()
	if text, code := s.end(t); code != cli.ExitFailure || !strings.Contains(text, "Not deleted.") ||
		!exists("asked") {
		t.Errorf("interrupted: %d %s", code, text)
	}
	s = onTerminal(t, 80, i.environ(), "delete", "nothere")
	if text, code := s.end(t); code != cli.ExitNotFound ||
		!strings.Contains(text, `No link "nothere".`) {
		t.Errorf("no link: %d %s", code, text)
	}
	if r := i.command(t, "delete", "asked", "--yes"); r.code != cli.ExitOK ||
		r.out != "Deleted asked\n" ||
		exists("asked") {
		t.Errorf("--yes: %+v", r)
	}
}

// An edit is what the next redirect does.
func TestEdit(t *testing.T) {
	t.Parallel()
	i := start(t)
	target := func() string { return i.do(t, "GET /launch", "").Header.Get("Location") }
	if r := i.command(t, "create", "https://example.com/", "--code", "launch", "--title",
		"Spring sale"); r.code != cli.ExitOK {
		t.Fatalf("create: %+v", r)
	}
	if got := target(); got != "https://example.com/" {
		t.Errorf("before the edit it leads to %s", got)
	}
	r := i.command(t, "edit", "launch", "--to", "https://example.org/autumn", "--title", "Autumn")
	if r.code != cli.ExitOK || !strings.Contains(r.out, "https://example.org/autumn") ||
		!strings.Contains(r.out, "Autumn") || target() != "https://example.org/autumn" {
		t.Errorf("edit: %+v, it leads to %s", r, target())
	}
	r = i.command(t, "edit", "launch", "--clear", "title", "--json")
	if r.code != cli.ExitOK || strings.Contains(r.out, "title") {
		t.Errorf("without a title: %+v", r)
	}
	for _, args := range [][]string{{"launch"}, {"launch", "--nonsense"}} {
		if r := i.command(t, append([]string{"edit"}, args...)...); r.code != cli.ExitUsage {
			t.Errorf("edit %q: %+v", args, r)
		}
	}
	r = i.command(t, "edit", "launch", "--to", "nonsense")
	if r.code != cli.ExitFailure || target() != "https://example.org/autumn" {
		t.Errorf("a bad URL: %+v, it leads to %s", r, target())
	}
	if r := i.command(t, "edit", "nothere", "--title", "a"); r.code != cli.ExitNotFound {
		t.Errorf("no link: %+v", r)
	}
}

func TestStatsOfCountries(t *testing.T) {
	t.Parallel()
	i := startCounting(t)
	i.shortenAs(t, "world", "https://example.com/"+strings.Repeat("long/", 50))
	countries := map[string]int{"DE": 4, "US": 3}
	for code := range strings.FieldsSeq("FR IT ES PT NL BE AT CH SE NO FI DK") {
		countries[code] = 2
	}
	i.click(t, "world", "https://news.example/"+strings.Repeat("a/very/long/path/", 20), countries)

	for _, width := range []uint16{80, 50, 30} {
		r := i.onTerminal(t, width, "stats", "world")
		if r.code != cli.ExitOK || !strings.Contains(r.out, "31 clicks") {
			t.Fatalf("%d columns: %d %s", width, r.code, r.out)
		}
		for line := range strings.Lines(r.out) {
			if n := columns(strings.TrimSuffix(line, "\n")); n > int(width) {
				t.Errorf("%d columns: one line has %d: %q", width, n, line)
			}
		}
	}
	r := i.command(t, "stats", "world")
	for line := range strings.Lines(r.out) {
		if n := columns(strings.TrimSuffix(line, "\n")); n > 80 &&
			!strings.HasPrefix(line, "world") {
			t.Errorf("in a pipe one line has %d columns: %q", n, line)
		}
	}
	first, rest := lineWith(r.out, "DE Germany"), lineWith(r.out, "(4 more)")
	if blocks(first) != 40 || !strings.HasSuffix(first, " 4") {
		t.Errorf("the largest: %q", first)
	}
	if blocks(rest) != 0 || !strings.HasSuffix(rest, " 8") {
		t.Errorf("the rest: %q", rest)
	}
	if half := lineWith(r.out, "FR France"); blocks(half) != 40/2 {
		t.Errorf("half of the largest: %q", half)
	}

	r = i.command(t, "stats", "world", "--since", "24h", "--interval", "week", "--time-zone",
		"Asia/Tokyo")
	if !strings.Contains(r.out, "31 clicks, 1 visitor since ") ||
		!strings.Contains(r.out, "Clicks by week, Asia/Tokyo\n") {
		t.Errorf("of a range: %s", r.out)
	}
	if r = i.command(t, "stats", "world", "--by", "rule", "--not", "country=AQ", "--not",
		"rule=none"); !strings.Contains(r.out, "Rules") || strings.Contains(r.out, "Countries") {
		t.Errorf("by rule: %+v", r)
	}
	for _, pair := range []string{"country", "=DE", "planet=mars", "country="} {
		if r := i.command(t, "stats", "world", "--only", pair); r.code != cli.ExitUsage {
			t.Errorf("--only %s: %+v", pair, r)
		}
	}
	if r = i.command(t, "stats", "world", "--since", "24h"); !strings.Contains(r.out,
		"Clicks by hour, Europe/Berlin\n") || lineCount(r.out) < 24 {
		t.Errorf("of a day: %s", r.out)
	}
	if r = i.command(t, "stats", "world", "--until", "yesterday"); r.code != cli.ExitOK ||
		!strings.Contains(r.out, "0 clicks, 0 visitors until ") {
		t.Errorf("until yesterday: %+v", r)
	}
	var stats api.URLClicks
	if err := json.Unmarshal([]byte(i.command(t, "stats", "world", "--json").out),
		&stats); err != nil || stats.TotalClicks != 31 {
		t.Errorf("as JSON: %v %+v", err, stats)
	}
	var clicks api.URLClicks
	if err := json.Unmarshal([]byte(i.command(t, "stats", "world", "--json", "--interval",
		"month").out), &clicks); err != nil || len(clicks.Series) != 1 {
		t.Errorf("as JSON by month: %v %+v", err, clicks)
	}
	r = i.command(t, "overview")
	for _, want := range []string{
		"1 link\n", "31 clicks, 1 visitor\n", "Clicks by day, Europe/Berlin", "DE Germany",
		"Top links by clicks\n  world  31  https://example.com/",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in the overview:\n%s", want, r.out)
		}
	}
	if top := i.command(t, "top"); top != r {
		t.Errorf("top: %+v", top)
	}
}

func blocks(line string) int { return strings.Count(line, "█") }

func TestRangesAreChecked(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--since 1d --until 2d": "--since must be before --until",
		"--since 2100-01-01":    "--since must be before --until",
		"--interval year":       "--interval must", "--time-zone Mars": "--time-zone is",
	} {
		r := command(t, []string{"TERSE_TOKEN=x"}, "",
			append([]string{"stats", "x"}, strings.Fields(args)...)...)
		if r.code != cli.ExitUsage || !strings.Contains(r.err, want) {
			t.Errorf("stats %s: %d %s", args, r.code, r.err)
		}
	}
}

func TestCreateMany(t *testing.T) {
	t.Parallel()
	i := start(t)
	line := regexp.MustCompile(`^http://localhost:\d+/\w{7}\t(\S+)\n$`)
	for _, tt := range []struct {
		name, args, stdin string
		want              []string
		code              int
		told              string
	}{
		{
			"arguments", "https://a.example/ https://b.example/", "",
			[]string{"https://a.example/", "https://b.example/"},
			cli.ExitOK, "",
		},
		{
			"a pipe", "", "https://a.example/\r\n\n  https://b.example/",
			[]string{"https://a.example/", "https://b.example/"},
			cli.ExitOK, "",
		},
		{"-", "-", "https://a.example/\n", []string{"https://a.example/"}, cli.ExitOK, ""},
		{
			"both", "https://a.example/ - https://c.example/", "https://b.example/\n",
			[]string{"https://a.example/", "https://b.example/", "https://c.example/"},
			cli.ExitOK, "",
		},
		{
			"a bad one", "", "https://a.example/\nftp://b.example/\nhttps://c.example/\n",
			[]string{"https://a.example/", "https://c.example/"},
			cli.ExitFailure,
			"ftp://b.example/: The URL must be a valid http or https URL.\n" +
				"1 of 3 URLs were not shortened.\n",
		},
	} {
		r := command(t, i.environ(), tt.stdin, append([]string{"create"},
			strings.Fields(tt.args)...)...)
		var got []string
		for l := range strings.Lines(r.out) {
			if m := line.FindStringSubmatch(l); m != nil {
				got = append(got, m[1])
			}
		}
		if r.code != tt.code || !slices.Equal(got, tt.want) || lineCount(r.out) != len(tt.want) ||
			r.err != tt.told {
			t.Errorf("%s: %d\n%s%s", tt.name, r.code, r.out, r.err)
		}
	}
	one := i.command(t, "create", "https://a.example/")
	if !regexp.MustCompile(`^http://localhost:\d+/\w{7}\n$`).MatchString(one.out) {
		t.Errorf("one URL: %q", one.out)
	}
	var links []api.Created
	for answers := json.NewDecoder(strings.NewReader(i.command(t, "create", "--json",
		"https://a.example/", "https://b.example/").out)); answers.More(); {
		var link api.Created
		if err := answers.Decode(&link); err != nil {
			t.Fatal(err)
		}
		links = append(links, link)
	}
	if len(links) != 2 || links[1].OriginalURL != "https://b.example/" {
		t.Errorf("as JSON: %+v", links)
	}
	for _, args := range []string{"", "a b --code x", "- --code x", "a b --open", "a --copy"} {
		if r := i.command(t, append([]string{"create"},
			strings.Fields(args)...)...); r.code != cli.ExitUsage ||
			strings.Contains(r.err, "Usage: terse create") != (args == "") {
			t.Errorf("create %s: %d %s", args, r.code, r.err)
		}
	}
	away := command(t, []string{"TERSE_URL=http://127.0.0.1:1", "TERSE_TOKEN=x"},
		"https://a.example/\nhttps://b.example/\n", "create")
	if away.code != cli.ExitUnreachable || strings.Count(away.err, "Can't reach") != 1 ||
		!strings.Contains(away.err, "Stopped at https://a.example/; 0 done before") {
		t.Errorf("without a server: %d %s", away.code, away.err)
	}
}

func TestCreateForTheTerminal(t *testing.T) {
	t.Parallel()
	i := start(t)
	r := i.onTerminal(t, 80, "create", "https://a.example/", "--code", "copied", "--copy")
	short := strings.Replace(i.url, "127.0.0.1", "localhost", 1) + "/copied"
	if want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(short)) +
		"\a"; r.code != cli.ExitOK || !strings.Contains(r.out, want) {
		t.Errorf("--copy: %d %q", r.code, r.out)
	}
	if r := i.onTerminal(t, 80, "create"); r.code != cli.ExitUsage ||
		!strings.Contains(r.out, "no URL to shorten") {
		t.Errorf("on a terminal nothing is read unasked: %d %s", r.code, r.out)
	}
	s := onTerminal(t, 80, i.environ(), "create", "-")
	s.answer(t, "https://typed.example/"+strings.Repeat("x", 200))
	s.await(t, "…")
	s.cancel()
	if text, code := s.end(t); code != cli.ExitFailure || !strings.Contains(text, "Interrupted.") {
		t.Errorf("interrupted: %d %s", code, text)
	}
	r = i.command(t, "create", "https://a.example/", "--code", "drawn", "--qr")
	drawn, ok := strings.CutPrefix(r.out, strings.Replace(i.url, "127.0.0.1", "localhost",
		1)+"/drawn\n")
	if want := i.command(t, "qr", "drawn").out; !ok || drawn != want || want == "" {
		t.Errorf("--qr:\n%s", r.out)
	}
}

// browser returns the environment of a browser that notes what it is asked to open.
func browser(t *testing.T) (variable, opened string) {
	t.Helper()
	dir := t.TempDir()
	script, opened := filepath.Join(dir, "browser"), filepath.Join(dir, "opened")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s' \"$2\" >"+opened+"\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	return "BROWSER=" + script + " --new-window", opened
}

func TestOpen(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=https://sho.rt")
	i.shortenAs(t, "opened", "https://example.com/")
	variable, opened := browser(t)
	for want, args := range map[string][]string{
		"https://sho.rt/opened":    {"open", "opened"},
		i.url + "/ui/links/opened": {"open", "opened", "--page"},
		"https://sho.rt/new":       {"create", "https://example.com/", "--code", "new", "--open"},
	} {
		if r := command(t, i.environ(variable), "", args...); r.code != cli.ExitOK || r.err != "" {
			t.Errorf("%s: %+v", args, r)
		}
		if got, err := os.ReadFile(opened); err != nil || string(got) != want {
			t.Errorf("%s opened %q, %v", args, got, err)
		}
	}
	if r := command(t, i.environ(variable), "", "open", "nothere"); r.code != cli.ExitNotFound {
		t.Errorf("no link: %+v", r)
	}
	r := command(t, i.environ("BROWSER=/nonexistent"), "", "open", "opened")
	if r.code != cli.ExitFailure || !strings.Contains(r.err,
		"Open https://sho.rt/opened yourself.") {
		t.Errorf("no browser: %+v", r)
	}
}

func TestErrorsInWords(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "goblog", "https://go.dev/blog/")
	insertForeignLink(t, filepath.Join(i.dir, "terse.db"), "foreign")
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<html>")
	}))
	defer page.Close()
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Request-ID", "id-1")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, `{"error":"internal server error"}`)
	}))
	defer broken.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + closed.Addr().String()
	closed.Close()
	for _, tt := range []struct {
		args, environ string
		code          int
		want          string
	}{
		{"stats nope1234", "", cli.ExitNotFound, `No link "nope1234".` + "\n"},
		{"delete nope1234 --yes", "", cli.ExitNotFound, `No link "nope1234".` + "\n"},
		{"qr nope1234", "", cli.ExitNotFound, `No link "nope1234".` + "\n"},
		{
			"stats foreign", "", cli.ExitDenied,
			"Not allowed: foreign belongs to somebody else. Auditors and admins reach it with " +
				"--owner '*'.\n",
		},
		{
			"create https://example.com/ --code goblog", "", cli.ExitFailure,
			`The code "goblog" is taken.` + "\n",
		},
		{
			"create https://example.com/ --code a", "", cli.ExitFailure,
			"https://example.com/: --code must be 3-20 characters of a-z, A-Z, 0-9, _ and -.\n",
		},
		{"list", "TERSE_TOKEN=wrong", cli.ExitDenied, i.url +
			" refuses the token. Set TERSE_TOKEN, or run terse login.\n"},
		{
			"list", "TERSE_URL=" + nobody, cli.ExitUnreachable,
			"Can't reach " + nobody + " (connection refused). Is it running? Set TERSE_URL.\n",
		},
		{
			"list", "TERSE_URL=" + i.url + "/foo", cli.ExitUnreachable,
			i.url + "/foo is not a terse server (404 Not Found). Check TERSE_URL.\n",
		},
		{
			"stats goblog", "TERSE_URL=" + i.url + "/api/", cli.ExitUnreachable,
			i.url + "/api is not a terse server (404 not found). Check TERSE_URL.\n",
		},
		{
			"list", "TERSE_URL=" + page.URL, cli.ExitUnreachable,
			page.URL + " doesn't answer like a terse server. Check TERSE_URL.\n",
		},
		{
			"list", "TERSE_URL=" + broken.URL, cli.ExitFailure,
			"The server failed (500 internal server error). Its log says more under the request " +
				"ID id-1.\n",
		},
		{
			"list", "TERSE_URL=sho.rt", cli.ExitUsage,
			`terse: TERSE_URL is "sho.rt"; it must be an http or https URL` + "\n",
		},
		{"list", "TERSE_TOKEN=", cli.ExitUsage, "No token for " + i.url +
			". Set TERSE_TOKEN, or run terse login.\n"},
	} {
		r := command(t, i.environ(tt.environ), "", strings.Fields(tt.args)...)
		if r.code != tt.code || r.err != tt.want || r.out != "" {
			t.Errorf("%s %s: %d %q%q, want %d %q", tt.environ, tt.args, r.code, r.out, r.err,
				tt.code, tt.want)
		}
	}
	for args, want := range map[string]string{
		"stats":       "Usage: terse stats <code> [flags]\n",
		"delete":      "Usage: terse delete <code> [flags]\n",
		"list --nope": "Usage: terse list [flags]\n",
		"nonsense":    "Usage: terse <command> [flags]\n",
	} {
		if r := i.command(t, strings.Fields(args)...); r.code != cli.ExitUsage ||
			!strings.Contains(r.err, want) || r.out != "" {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	help := command(t, nil, "", "--help")
	if help.code != cli.ExitOK || help.err != "" ||
		!strings.Contains(help.out, "terse <command>") ||
		!strings.Contains(help.out, "6 rate limit exceeded") {
		t.Errorf("--help: %+v", help)
	}
	for _, args := range [][]string{nil, {"help"}} {
		if r := command(t, nil, "", args...); r != help {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if r := command(t, nil, "", "help", "stats"); r != command(t, nil, "", "stats", "--help") ||
		!strings.Contains(r.out, "--time-zone") {
		t.Errorf("help stats: %+v", r)
	}
	if r := command(t, nil, "", "help", "nonsense"); r.code != cli.ExitUsage {
		t.Errorf("help nonsense: %+v", r)
	}
	if r := command(t, nil, "", "--version"); r != command(t, nil, "", "version") ||
		!strings.HasPrefix(r.out, "terse ") {
		t.Errorf("--version: %+v", r)
	}
}

// limited is a front that refuses requests: every other one, to be repeated in a second, or all.
// It does so as the server does that has had too many requests of a client, or too many questions.
func limited(t *testing.T, i *instance, status int, all bool) (
	address string, refused *atomic.Int64,
) {
	t.Helper()
	target, err := url.Parse(i.url)
	if err != nil {
		t.Fatal(err)
	}
	var requests atomic.Int64
	refused, forward := &atomic.Int64{}, httputil.NewSingleHostReverseProxy(target)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !all && requests.Add(1)%2 == 0 {
			forward.ServeHTTP(w, r)
			return
		}
		refused.Add(1)
		w.Header().Set("Retry-After", map[bool]string{false: "1", true: "3600"}[all])
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"error":"refused"}`)
	}))
	t.Cleanup(front.Close)
	return "TERSE_URL=" + front.URL, refused
}

func TestTheRateLimitIsWaitedOut(t *testing.T) {
	t.Parallel()
	i := start(t)
	for status, want := range map[int]string{
		http.StatusTooManyRequests:    "Rate limit exceeded. Try again in 1h0m0s.",
		http.StatusServiceUnavailable: "The server is busy. Try again in 1h0m0s.",
	} {
		address, refused := limited(t, i, status, false)
		r := command(t, i.environ(address),
			"https://a.example/\nhttps://b.example/\nhttps://c.example/\n",
			"create")
		if r.code != cli.ExitOK || lineCount(r.out) != 3 || r.err != "" || refused.Load() == 0 {
			t.Errorf("three URLs: %+v, refused %d times", r, refused.Load())
		}
		s := onTerminal(t, 80, i.environ(address), "list")
		s.await(t, "Too many requests. Waiting 1s.\n")
		if text, code := s.end(t); code != cli.ExitOK || !strings.Contains(text, "c.ex") {
			t.Errorf("on a terminal: %d %s", code, text)
		}
		address, refused = limited(t, i, status, true)
		r = command(t, i.environ(address), "https://a.example/\nhttps://b.example/\n", "create")
		if r.code != cli.ExitLimited || r.out != "" || !strings.Contains(r.err, want) ||
			refused.Load() != 1 {
			t.Errorf("an hour: %+v, refused %d times", r, refused.Load())
		}
	}
}

func TestColors(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "painted", "https://example.com/")
	i.click(t, "painted", "", map[string]int{"": 1})
	for _, args := range []string{
		"list", "stats painted", "overview", "show painted --json", "list --jq .urls",
		"events painted --json",
		"create https://example.com/",
	} {
		for variable, want := range map[string]bool{
			"": true, "TERM=xterm": true,
			"NO_COLOR=1": false, "TERM=dumb": false,
		} {
			text, code := onTerminal(t, 80, i.environ(variable), strings.Fields(args)...).end(t)
			if code != cli.ExitOK || strings.Contains(text, "\x1b[") != want {
				t.Errorf("%s with %q: %d %q", args, variable, code, text)
			}
		}
		if r := i.command(t, strings.Fields(args)...); strings.Contains(r.out, "\x1b") {
			t.Errorf("%s in a pipe: %q", args, r.out)
		}
	}
}
