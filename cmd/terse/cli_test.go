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
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse/api"
)

// result is what a command without a terminal printed and ended with.
type result struct {
	out, err string
	code     int
}

func cli(t testing.TB, environ []string, stdin string, args ...string) result {
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

func (i *instance) cli(t testing.TB, args ...string) result {
	t.Helper()
	return cli(t, i.environ(), "", args...)
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

// click visits a link, so many times from each country, and waits until that is counted.
func (i *instance) click(t *testing.T, code, referrer string, countries map[string]int) {
	t.Helper()
	before, err := i.client().Stats(t.Context(), code, api.Range{})
	if err != nil {
		t.Fatal(err)
	}
	n := before.TotalClicks
	for country, times := range countries {
		for range times {
			i.do(t, "GET /"+code, "", "Referer: "+referrer, "X-Country: "+country)
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
		r := i.cli(t, append([]string{"list"}, strings.Fields(tt.args)...)...)
		got := codes(r)
		if r.code != exitOK || r.err != "" || len(got) != tt.n {
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
	answers := json.NewDecoder(strings.NewReader(i.cli(t, "list", "--limit", "150", "--json").out))
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
	} {
		r := i.cli(t, append([]string{"list"}, strings.Fields(args)...)...)
		if r.code != exitUsage || !strings.Contains(r.err, want) ||
			!strings.Contains(r.err, "Usage: terse list") {
			t.Errorf("list %s: %d %s", args, r.code, r.err)
		}
	}
}

func TestListFitsTheTerminal(t *testing.T) {
	t.Parallel()
	i := start(t)
	long := "https://example.com/" + strings.Repeat("x", 8000)
	wide := "https://example.com/" + strings.Repeat("世界", 100)
	i.shortenAs(t, "long-long-long-long-", long)
	i.shortenAs(t, "wide", wide)
	if piped := i.cli(t, "list").out; !strings.Contains(piped, "\t"+long+"\n") ||
		!strings.Contains(piped, "\t"+wide+"\n") {
		t.Errorf("in a pipe: %.300s", piped)
	}
	for _, width := range []uint16{200, 80, 60, 40, 20} {
		r := i.onTerminal(t, width, "list")
		if r.code != exitOK || !strings.Contains(r.out, "wide") {
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
	const rtl, shown = "https://example.com/\u202egnp.exe", `https://example.com/\u202egnp.exe`
	i.shortenAs(t, "spoof", rtl)
	i.click(t, "spoof", "https://news.example/\u202ecod\u009b31m", map[string]int{"": 1})
	for _, args := range []string{
		"list", "list --json", "stats spoof", "stats spoof --json", "overview", "overview --json",
		"create " + rtl + " " + rtl, "create --json " + rtl,
	} {
		for name, r := range map[string]result{
			"in a pipe":     i.cli(t, strings.Fields(args)...),
			"on a terminal": i.onTerminal(t, 200, strings.Fields(args)...),
		} {
			text := escapes.ReplaceAllString(r.out, "")
			if r.code != exitOK || strings.ContainsAny(text, "\u202e\u009b\x1b") ||
				!strings.Contains(text, shown) {
				t.Errorf("%s %s: %d %q", args, name, r.code, text)
			}
		}
	}
	var page api.Page
	if err := json.Unmarshal([]byte(i.cli(t, "list", "--json", "--sort", "oldest").out),
		&page); err != nil || page.URLs[0].OriginalURL != rtl {
		t.Errorf("list --json: %v %+v", err, page)
	}
	for in, want := range map[string]string{
		"\x1b[31m": `\x1b[31m`, "a\u0085b": `a\u0085b`, "\u2066x\u2069": `\u2066x\u2069`, "é世👍": "é世👍", "\U000e0041": `\U000e0041`, "a\xffb": `a\ufffdb`,
	} {
		if got := printable(in); got != want {
			t.Errorf("printable(%q) = %s, want %s", in, got, want)
		}
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
		r := cli(t, i.environ(environ...), "y\n", "delete", "asked")
		if r.code != exitUsage || !strings.Contains(r.err, "--yes is required") ||
			!exists("asked") {
			t.Errorf("without a terminal %s: %d %s", name, r.code, r.err)
		}
	}
	i.clicks(t, "asked", 2)
	for _, answer := range []string{"n", "", "what"} {
		s := onTerminal(t, 80, i.environ(), "delete", "asked")
		s.await(t, "clicks? [y/N] ")
		s.answer(t, answer)
		if text, code := s.end(t); code != exitFailure || !strings.Contains(text, "Not deleted.") ||
			!exists("asked") {
			t.Errorf("answered %q: %d %s", answer, code, text)
		}
	}
	s := onTerminal(t, 80, i.environ(), "delete", "sure")
	s.await(t, "Delete sure? [y/N] ")
	s.answer(t, "y")
	if text, code := s.end(t); code != exitOK || !strings.Contains(text, "Deleted sure") ||
		exists("sure") {
		t.Errorf("answered y: %d %s", code, text)
	}
	s = onTerminal(t, 80, i.environ(), "delete", "asked")
	s.await(t, "Delete asked and its ")
	s.cancel()
	if text, code := s.end(t); code != exitFailure || !strings.Contains(text, "Not deleted.") ||
		!exists("asked") {
		t.Errorf("interrupted: %d %s", code, text)
	}
	s = onTerminal(t, 80, i.environ(), "delete", "nothere")
	if text, code := s.end(t); code != exitNotFound || !strings.Contains(text, `No link "nothere".`) {
		t.Errorf("no link: %d %s", code, text)
	}
	if r := i.cli(t, "delete", "asked", "--yes"); r.code != exitOK || r.out != "Deleted asked\n" ||
		exists("asked") {
		t.Errorf("--yes: %+v", r)
	}
	if got := clickCount(22000); got != "22,000 clicks" {
		t.Errorf("asked about %s", got)
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
		if r.code != exitOK || !strings.Contains(r.out, "31 clicks") {
			t.Fatalf("%d columns: %d %s", width, r.code, r.out)
		}
		for line := range strings.Lines(r.out) {
			if n := columns(strings.TrimSuffix(line, "\n")); n > int(width) {
				t.Errorf("%d columns: one line has %d: %q", width, n, line)
			}
		}
	}
	r := i.cli(t, "stats", "world")
	for line := range strings.Lines(r.out) {
		if n := columns(strings.TrimSuffix(line, "\n")); n > 80 &&
			!strings.HasPrefix(line, "world") {
			t.Errorf("in a pipe one line has %d columns: %q", n, line)
		}
	}
	first, rest := lineWith(r.out, "DE Germany"), lineWith(r.out, "(4 more)")
	if blocks(first) != maxBarWidth || !strings.HasSuffix(first, " 4") {
		t.Errorf("the largest: %q", first)
	}
	if blocks(rest) != 0 || !strings.HasSuffix(rest, " 8") {
		t.Errorf("the rest: %q", rest)
	}
	if half := lineWith(r.out, "FR France"); blocks(half) != maxBarWidth/2 {
		t.Errorf("half of the largest: %q", half)
	}

	r = i.cli(t, "stats", "world", "--start", "24h", "--interval", "week", "--time-zone",
		"Asia/Tokyo")
	if !strings.Contains(r.out, "31 clicks since ") ||
		!strings.Contains(r.out, "By week, Asia/Tokyo\n") {
		t.Errorf("of a range: %s", r.out)
	}
	if r = i.cli(t, "stats", "world", "--start", "24h"); !strings.Contains(r.out,
		"By hour, Europe/Berlin\n") || lineCount(r.out) < 24 {
		t.Errorf("of a day: %s", r.out)
	}
	if r = i.cli(t, "stats", "world", "--end", "yesterday"); r.code != exitOK ||
		!strings.Contains(r.out, "0 clicks until ") {
		t.Errorf("until yesterday: %+v", r)
	}
	var stats api.Analytics
	if err := json.Unmarshal([]byte(i.cli(t, "stats", "world", "--json").out),
		&stats); err != nil || stats.ByDate == nil || stats.TotalClicks != 31 {
		t.Errorf("as JSON: %v %+v", err, stats)
	}
	var clicks api.URLClicks
	if err := json.Unmarshal([]byte(i.cli(t, "stats", "world", "--json", "--interval",
		"month").out), &clicks); err != nil || len(clicks.Series) != 1 {
		t.Errorf("as JSON by month: %v %+v", err, clicks)
	}
	r = i.cli(t, "overview")
	for _, want := range []string{
		"1 link\n", "31 clicks\n", "By day, Europe/Berlin", "DE Germany",
		"Top links (all time)\n  world  31  https://example.com/",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in the overview:\n%s", want, r.out)
		}
	}
	if top := i.cli(t, "top"); top != r {
		t.Errorf("top: %+v", top)
	}
}

func blocks(line string) int { return strings.Count(line, "█") }

// A chart of 1,000 hours, and of counts with thousands separators.
func TestChartsOfMany(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	clicks := api.Clicks{Interval: "hour", TimeZone: "UTC", TotalClicks: 21989}
	clicks.ByCountry = map[string]int64{"US": 20000, "XX": 1989}
	for k := range 1000 {
		clicks.Series = append(clicks.Series, api.Point{
			Time:   at.Add(time.Duration(k) * time.Hour),
			Clicks: 20,
		})
	}
	clicks.Series[999].Clicks = 2009
	p := &charts{width: 60}
	p.clicks(clicks, api.ClicksQuery{TimeZone: "UTC"})
	for _, want := range []string{
		"21,989 clicks\n\nBy hour, UTC\n",
		"\n  (969 earlier)                                       19,380\n",
		"\n  2026-12-12 15:00  ████████████████████████████████   2,009\n",
		"\n  US United States  ████████████████████████████████  20,000\n",
		"\n  XX Unknown        ███▏                               1,989\n",
	} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("no %q in\n%s", want, p)
		}
	}
	if n := lineCount(p.String()); n != 3+1+maxRows+4 {
		t.Errorf("%d lines:\n%s", n, p)
	}
}

func TestMoments(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 10, 26, 15, 30, 0, 0, berlin) // the day after clocks were put back
	for value, want := range map[string][2]string{
		"2026-10-25": {
			"2026-10-25T00:00:00+02:00",
			"2026-10-25T23:59:59.999999+01:00",
		},
		"today": {
			"2026-10-26T00:00:00+01:00",
			"2026-10-26T23:59:59.999999+01:00",
		},
		"yesterday": {
			"2026-10-25T00:00:00+02:00",
			"2026-10-25T23:59:59.999999+01:00",
		},
		"24h":                       {"2026-10-25T15:30:00+01:00", "2026-10-25T15:30:00+01:00"},
		"7d":                        {"2026-10-19T15:30:00+02:00", "2026-10-19T15:30:00+02:00"},
		"2w":                        {"2026-10-12T15:30:00+02:00", "2026-10-12T15:30:00+02:00"},
		"2026-11-01T12:00:00.5Z":    {"2026-11-01T12:00:00.5Z", "2026-11-01T12:00:00.5Z"},
		"2026-11-01T12:00:00+05:30": {"2026-11-01T12:00:00+05:30", "2026-11-01T12:00:00+05:30"},
		"":                          {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
	} {
		for k, end := range []bool{false, true} {
			got, err := parseMoment("--x", value, now, end)
			if err != nil || got.Format(time.RFC3339Nano) != want[k] {
				t.Errorf("%q (end: %t) = %s, %v, want %s", value, end, got.Format(time.RFC3339Nano),
					err, want[k])
			}
		}
	}
	for _, value := range []string{
		"2026-13-01", "2026-02-30", "7", "d", "-7d", "+7d", "7x", "7m",
		"tomorrow", "2026-11-01 12:00", "1000000w", "99999999999999999999d", "é",
	} {
		_, err := parseMoment("--end", value, now, true)
		if exitCode(err) != exitUsage || !strings.Contains(err.Error(),
			"--end is "+strconv.Quote(value)+"; it must be a date (2026-11-01), today") {
			t.Errorf("%q: %v", value, err)
		}
	}
	for _, tt := range []struct {
		start, end, interval string
	}{
		{"24h", "", "hour"},
		{"yesterday", "yesterday", "hour"},
		{"7d", "", "day"},
		{"2026-09-26", "", "day"},
		{"90d", "", "week"},
		{"2024-01-01", "", "month"},
		{"", "7d", "day"},
		{"", "", "day"},
	} {
		q, err := (&rangeFlags{
			Start: tt.start, End: tt.end,
			TimeZone: "Europe/Berlin",
		}).query(streams{}, now)
		if err != nil || q.Interval != tt.interval || q.TimeZone != "Europe/Berlin" ||
			q.End.IsZero() != (tt.end == "") {
			t.Errorf("%s to %s: %+v, %v, want by %s", tt.start, tt.end, q, err, tt.interval)
		}
	}
	for args, want := range map[string]string{
		"--start 1d --end 2d": "--start must be before --end",
		"--start 2100-01-01":  "--start must be before --end",
		"--interval year":     "--interval is", "--time-zone Mars": "--time-zone is",
	} {
		r := cli(t, nil, "", append([]string{"stats", "x"}, strings.Fields(args)...)...)
		if r.code != exitUsage || !strings.Contains(r.err, want) {
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
			exitOK, "",
		},
		{
			"a pipe", "", "https://a.example/\r\n\n  https://b.example/",
			[]string{"https://a.example/", "https://b.example/"},
			exitOK, "",
		},
		{"-", "-", "https://a.example/\n", []string{"https://a.example/"}, exitOK, ""},
		{
			"both", "https://a.example/ - https://c.example/", "https://b.example/\n",
			[]string{"https://a.example/", "https://b.example/", "https://c.example/"},
			exitOK, "",
		},
		{
			"a bad one", "", "https://a.example/\nftp://b.example/\nhttps://c.example/\n",
			[]string{"https://a.example/", "https://c.example/"},
			exitFailure,
			"ftp://b.example/: Original URL must be a valid http or https URL.\n1 of 3 URLs were " +
				"not shortened.\n",
		},
	} {
		r := cli(t, i.environ(), tt.stdin, append([]string{"create"},
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
	one := i.cli(t, "create", "https://a.example/")
	if !regexp.MustCompile(`^http://localhost:\d+/\w{7}\n$`).MatchString(one.out) {
		t.Errorf("one URL: %q", one.out)
	}
	var links []api.Created
	for answers := json.NewDecoder(strings.NewReader(i.cli(t, "create", "--json",
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
		if r := i.cli(t, append([]string{"create"},
			strings.Fields(args)...)...); r.code != exitUsage ||
			!strings.Contains(r.err, "Usage: terse create") {
			t.Errorf("create %s: %d %s", args, r.code, r.err)
		}
	}
	away := cli(t, []string{"TERSE_URL=http://127.0.0.1:1", "TERSE_TOKEN=x"},
		"https://a.example/\nhttps://b.example/\n", "create")
	if away.code != exitUnreachable || strings.Count(away.err, "Can't reach") != 1 ||
		!strings.Contains(away.err, "Stopped at https://a.example/; 0 shortened before") {
		t.Errorf("without a server: %d %s", away.code, away.err)
	}
}

func TestCreateForTheTerminal(t *testing.T) {
	t.Parallel()
	i := start(t)
	r := i.onTerminal(t, 80, "create", "https://a.example/", "--code", "copied", "--copy")
	short := strings.Replace(i.url, "127.0.0.1", "localhost", 1) + "/copied"
	if want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(short)) +
		"\a"; r.code != exitOK || !strings.Contains(r.out, want) {
		t.Errorf("--copy: %d %q", r.code, r.out)
	}
	if r := i.onTerminal(t, 80, "create"); r.code != exitUsage ||
		!strings.Contains(r.out, "no URL to shorten") {
		t.Errorf("on a terminal nothing is read unasked: %d %s", r.code, r.out)
	}
	s := onTerminal(t, 80, i.environ(), "create", "-")
	s.answer(t, "https://typed.example/"+strings.Repeat("x", 200))
	s.await(t, "…")
	s.cancel()
	if text, code := s.end(t); code != exitFailure || !strings.Contains(text, "Interrupted.") {
		t.Errorf("interrupted: %d %s", code, text)
	}
	r = i.cli(t, "create", "https://a.example/", "--code", "drawn", "--qr")
	drawn, ok := strings.CutPrefix(r.out, strings.Replace(i.url, "127.0.0.1", "localhost",
		1)+"/drawn\n")
	if want := i.cli(t, "qr", "drawn").out; !ok || drawn != want || want == "" {
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
		"https://sho.rt/opened": {"open", "opened"},
		"https://sho.rt/new":    {"create", "https://example.com/", "--code", "new", "--open"},
	} {
		if r := cli(t, i.environ(variable), "", args...); r.code != exitOK || r.err != "" {
			t.Errorf("%s: %+v", args, r)
		}
		if got, err := os.ReadFile(opened); err != nil || string(got) != want {
			t.Errorf("%s opened %q, %v", args, got, err)
		}
	}
	if r := cli(t, i.environ(variable), "", "open", "nothere"); r.code != exitNotFound {
		t.Errorf("no link: %+v", r)
	}
	r := cli(t, i.environ("BROWSER=/nonexistent"), "", "open", "opened")
	if r.code != exitFailure || !strings.Contains(r.err, "Open https://sho.rt/opened yourself.") {
		t.Errorf("no browser: %+v", r)
	}
	if err := browse(t.Context(), streams{env: map[string]string{"BROWSER": "true"}},
		"file:///etc/passwd"); exitCode(err) != exitFailure {
		t.Errorf("what is no web address was opened: %v", err)
	}
}

// A server that has no BASE_URL names itself localhost, which is wrong on any other machine.
func TestShortURLsLeadToTheServer(t *testing.T) {
	t.Parallel()
	for _, tt := range [][3]string{
		{"http://vps.example:8080", "http://localhost:8080/abc", "http://vps.example:8080/abc"},
		{"https://vps.example", "http://127.0.0.1:8080/abc", "https://vps.example/abc"},
		{"https://vps.example", "https://sho.rt/abc", "https://sho.rt/abc"},
		{"http://127.0.0.1:8080", "http://localhost:8080/abc", "http://localhost:8080/abc"},
	} {
		if got := (&clientFlags{}).shortURL(remote{url: tt[0]}, tt[1]); got != tt[2] {
			t.Errorf("%s at %s: %s, want %s", tt[1], tt[0], got, tt[2])
		}
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
		{"stats nope1234", "", exitNotFound, `No link "nope1234".` + "\n"},
		{"delete nope1234 --yes", "", exitNotFound, `No link "nope1234".` + "\n"},
		{"qr nope1234", "", exitNotFound, `No link "nope1234".` + "\n"},
		{
			"stats foreign", "", exitDenied,
			"Not allowed: unauthorized to view analytics for this URL.\n",
		},
		{"create https://example.com/ --code goblog", "", exitFailure, `The code "goblog" is taken.` + "\n"},
		{
			"create https://example.com/ --code a", "", exitFailure,
			"https://example.com/: Short code must be 3-20 characters of a-z, A-Z, 0-9, _ and -.\n",
		},
		{"list", "TERSE_TOKEN=wrong", exitDenied, i.url +
			" refuses the token. Set TERSE_TOKEN, or run terse login.\n"},
		{
			"list", "TERSE_URL=" + nobody, exitUnreachable,
			"Can't reach " + nobody + " (connection refused). Is it running? Set TERSE_URL.\n",
		},
		{
			"list", "TERSE_URL=" + i.url + "/foo", exitUnreachable,
			i.url + "/foo is not a terse server (404 Not Found). Check TERSE_URL.\n",
		},
		{
			"stats goblog", "TERSE_URL=" + i.url + "/api/", exitUnreachable,
			i.url + "/api is not a terse server (404 not found). Check TERSE_URL.\n",
		},
		{
			"list", "TERSE_URL=" + page.URL, exitUnreachable,
			page.URL + " doesn't answer like a terse server. Check TERSE_URL.\n",
		},
		{
			"list", "TERSE_URL=" + broken.URL, exitFailure,
			"The server failed (500 internal server error). Its log says more under the request " +
				"ID id-1.\n",
		},
		{"list", "TERSE_URL=sho.rt", exitUsage, `terse: TERSE_URL is "sho.rt"; it must be an http or https URL` + "\n"},
		{"list", "TERSE_TOKEN=", exitUsage, "No token for " + i.url +
			". Set TERSE_TOKEN, or run terse login.\n"},
	} {
		r := cli(t, i.environ(tt.environ), "", strings.Fields(tt.args)...)
		if r.code != tt.code || r.err != tt.want || r.out != "" {
			t.Errorf("%s %s: %d %q%q, want %d %q", tt.environ, tt.args, r.code, r.out, r.err,
				tt.code, tt.want)
		}
	}
	for args, want := range map[string]string{
		"stats":         "Usage: terse stats <code> [flags]\n",
		"delete":        "Usage: terse delete <code> [flags]\n",
		"list --nope":   "Usage: terse list [flags]\n",
		"nonsense":      "Usage: terse <command> [flags]\n",
		"qr a -o a.gif": "Usage: terse qr <code> [flags]\n",
	} {
		if r := i.cli(t, strings.Fields(args)...); r.code != exitUsage ||
			!strings.Contains(r.err, want) || r.out != "" {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	help := cli(t, nil, "", "--help")
	if help.code != exitOK || help.err != "" || !strings.Contains(help.out, "terse <command>") ||
		!strings.Contains(help.out, "6 rate limit exceeded") {
		t.Errorf("--help: %+v", help)
	}
	for _, args := range [][]string{nil, {"help"}} {
		if r := cli(t, nil, "", args...); r != help {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if r := cli(t, nil, "", "help", "stats"); r != cli(t, nil, "", "stats", "--help") ||
		!strings.Contains(r.out, "--time-zone") {
		t.Errorf("help stats: %+v", r)
	}
	if r := cli(t, nil, "", "help", "nonsense"); r.code != exitUsage {
		t.Errorf("help nonsense: %+v", r)
	}
	if r := cli(t, nil, "", "--version"); r != cli(t, nil, "", "version") ||
		!strings.HasPrefix(r.out, "terse ") {
		t.Errorf("--version: %+v", r)
	}
}

// limited is a front that refuses requests: every other one, to be repeated in a second, or all.
func limited(t *testing.T, i *instance, all bool) (address string, refused *atomic.Int64) {
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
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"error":"rate limit exceeded"}`)
	}))
	t.Cleanup(front.Close)
	return "TERSE_URL=" + front.URL, refused
}

func TestTheRateLimitIsWaitedOut(t *testing.T) {
	t.Parallel()
	i := start(t)
	address, refused := limited(t, i, false)
	r := cli(t, i.environ(address), "https://a.example/\nhttps://b.example/\nhttps://c.example/\n",
		"create")
	if r.code != exitOK || lineCount(r.out) != 3 || r.err != "" || refused.Load() != 3 {
		t.Errorf("three URLs: %+v, refused %d times", r, refused.Load())
	}
	s := onTerminal(t, 80, i.environ(address), "list")
	s.await(t, "Rate limit reached. Waiting 1s.\n")
	if text, code := s.end(t); code != exitOK || !strings.Contains(text, "3 of 3") {
		t.Errorf("on a terminal: %d %s", code, text)
	}
	address, refused = limited(t, i, true)
	r = cli(t, i.environ(address), "https://a.example/\nhttps://b.example/\n", "create")
	if r.code != exitLimited || r.out != "" || !strings.Contains(r.err,
		"Rate limit exceeded. Try again in 1h0m0s.") || refused.Load() != 1 {
		t.Errorf("an hour: %+v, refused %d times", r, refused.Load())
	}
}

func TestColors(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "painted", "https://example.com/")
	i.click(t, "painted", "", map[string]int{"": 1})
	for _, args := range []string{
		"list", "stats painted", "overview",
		"create https://example.com/",
	} {
		for variable, want := range map[string]bool{
			"": true, "TERM=xterm": true,
			"NO_COLOR=1": false, "TERM=dumb": false,
		} {
			text, code := onTerminal(t, 80, i.environ(variable), strings.Fields(args)...).end(t)
			if code != exitOK || strings.Contains(text, "\x1b[") != want {
				t.Errorf("%s with %q: %d %q", args, variable, code, text)
			}
		}
		if r := i.cli(t, strings.Fields(args)...); strings.Contains(r.out, "\x1b") {
			t.Errorf("%s in a pipe: %q", args, r.out)
		}
	}
}
