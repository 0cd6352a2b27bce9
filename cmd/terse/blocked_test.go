package main

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"terse/internal/cli"
	"terse/internal/tests/doctest"
)

// writeBlocked replaces the file of blocked targets at once, as programs do that renew it.
func writeBlocked(t *testing.T, path string, lines ...string) {
	t.Helper()
	next := path + ".new"
	if err := os.WriteFile(next, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

// refusesBlocked checks that no request leads a link of the server to evil.example.
func (i *instance) refusesBlocked(t *testing.T) {
	t.Helper()
	for _, c := range []struct{ request, body, want string }{
		{
			"POST /api/urls", `{"original_url":"https://a.EVIL.example/x"}`,
			"original URL is blocked",
		},
		{
			"POST /api/urls", `{"original_url":"https://fine.example/",` +
				`"expired_url":"http://evil.example:8080/"}`, "expired_url is blocked",
		},
		{
			"POST /api/urls", `{"original_url":"https://fine.example/","rules":[` +
				`{"name":"a","url":"https://fine.example/a"},` +
				`{"name":"b","url":"https://fine.example/b"},` +
				`{"name":"c","url":"https://evil.example/"}]}`, "rules[2].url is blocked",
		},
		{
			"PATCH /api/urls/fine", `{"original_url":"https://evil.example./"}`,
			"original URL is blocked",
		},
		{
			"PATCH /api/urls/fine", `{"expired_url":"https://evil.example/"}`,
			"expired_url is blocked",
		},
		{
			"PATCH /api/urls/fine", `{"rules":[{"name":"a","url":"http://0xc0000207/"}]}`,
			"rules[0].url is blocked",
		},
		{"PATCH /api/urls/fine", `{"blocked":null}`, `field \"blocked\" cannot be changed`},
		{
			"PATCH /api/domains/go.example", `{"root_url":"https://evil.example/"}`,
			"root_url is blocked",
		},
		{
			"PATCH /api/domains/go.example", `{"unknown_url":"https://evil.example/"}`,
			"unknown_url is blocked",
		},
		{
			"PATCH /api/domains/go.example", `{"ended_url":"https://evil.example/"}`,
			"ended_url is blocked",
		},
	} {
		got := i.do(t, c.request, c.body, authorized())
		if got.StatusCode != http.StatusBadRequest ||
			strings.TrimSpace(got.body) != `{"error":"`+c.want+`"}` {
			t.Errorf("%s %s: %s %s, want %s", c.request, c.body, got.Status, got.body, c.want)
		}
	}
	bulk := i.do(t, "POST /api/bulk", `{"operations":[{"op":"create","link":`+
		`{"original_url":"https://evil.example/"}},{"op":"create","link":`+
		`{"original_url":"https://fine.example/","short_code":"bulk"}}]}`, authorized())
	if !strings.Contains(bulk.body, `"error":"original URL is blocked"`) ||
		!strings.Contains(bulk.body, `"short_code":"bulk"`) {
		t.Errorf("bulk: %s %s", bulk.Status, bulk.body)
	}
	const line = `{"type":"link","short_code":"%s","original_url":"https://%s.example/"}` + "\n"
	lines := fmt.Sprintf(line+line, "imported", "evil", "good", "fine")
	imported := i.do(t, "POST /api/import", lines, authorized())
	if !strings.Contains(imported.body, "original URL is blocked") ||
		i.do(t, "GET /imported", "").StatusCode != http.StatusNotFound ||
		i.do(t, "GET /good", "").StatusCode != http.StatusFound {
		t.Errorf("import: %s %s", imported.Status, imported.body)
	}
}

func TestBlockedTargetsAreRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "blocked")
	writeBlocked(t, path, "# lists", "0.0.0.0 evil.example", "192.0.2.0/24", "||wrong^")
	i := start(t, "BLOCKED_TARGETS="+path, "DOMAINS=go.example")
	i.shortenAs(t, "fine", "https://fine.example/")
	i.refusesBlocked(t)
	skipped := i.logLines(t, "lines of the blocked targets skipped")
	if len(skipped) != 1 || !strings.Contains(skipped[0], `"lines":1`) ||
		!strings.Contains(skipped[0], "||wrong^") {
		t.Errorf("log: %q", skipped)
	}
}

// A server with a file that can't be read does not start, rather than let links lead anywhere.
func TestBlockedTargetsStopTheStart(t *testing.T) {
	t.Parallel()
	bad := filepath.Join(t.TempDir(), "bad")
	writeBlocked(t, bad, "\xff")
	for path, want := range map[string]string{
		bad: bad + ": it is not UTF-8", filepath.Join(t.TempDir(), "missing"): "no such file",
		t.TempDir(): "is no regular file",
	} {
		var out, told output
		code := run(t.Context(), []string{"serve"},
			environFor(t.TempDir(), []string{"BLOCKED_TARGETS=" + path}), nil, &out, &told)
		if code != cli.ExitSettings || !strings.Contains(told.String(), "BLOCKED_TARGETS: ") ||
			!strings.Contains(told.String(), want) {
			t.Errorf("exit code %d: %s", code, told.String())
		}
	}
}

// blockedLink is a link that the list does not block at first.
type blockedLink struct {
	code, body string
	// visit, if set, is the request that leads to what is blocked, with a header field; "": GET of
	// the code.
	visit, field string
	stays        bool // this visit leads somewhere else, which is not blocked
}

var blockedLinks = []blockedLink{
	{code: "plain", body: `"original_url":"https://evil.example/"`},
	{code: "below", body: `"original_url":"https://a.b.evil.example/","aliases":["x"]`},
	{
		code: "aliased", body: `"original_url":"https://evil.example/","aliases":["some/where"]`,
		visit: "GET /some/where",
	},
	{code: "head", body: `"original_url":"https://evil.example/"`, visit: "HEAD /head"},
	{
		code: "path", body: `"original_url":"https://evil.example/","forward_path":true`,
		visit: "GET /path/a/b",
	},
	{
		code: "query", body: `"original_url":"https://evil.example/","forward_query":true`,
		visit: "GET /query?a=b",
	},
	{code: "few", body: `"original_url":"https://evil.example/","max_clicks":5`},
	{
		code: "prefetched", body: `"original_url":"https://evil.example/","max_clicks":5`,
		field: "User-Agent: Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
	},
	{code: "locked", body: `"original_url":"https://evil.example/","password":"secret"`},
	{
		code: "opened", body: `"original_url":"https://evil.example/","password":"secret"`,
		field: "X-Link-Password: secret",
	},
	{
		code: "ruled", body: `"original_url":"https://fine.example/","rules":[{"name":"a",` +
			`"when":{"query":{"to":"evil"}},"url":"https://evil.example/"}]`,
		visit: "GET /ruled?to=evil",
	},
	{code: "unruled", body: `"original_url":"https://fine.example/","rules":[{"name":"a",` +
		`"when":{"query":{"to":"evil"}},"url":"https://evil.example/"}]`, stays: true},
	{code: "saved", body: `"original_url":"https://evil.example/","rules":[{"name":"a",` +
		`"url":"https://fine.example/"}]`, stays: true},
	{code: "ended", body: `"original_url":"https://fine.example/","disabled":true,` +
		`"expired_url":"https://evil.example/"`},
	{code: "active", body: `"original_url":"https://fine.example/",` +
		`"expired_url":"https://evil.example/"`, stays: true},
}

// visitAs visits a link as it says.
func (i *instance) visitAs(t *testing.T, l blockedLink) answer {
	t.Helper()
	visit := l.visit
	if visit == "" {
		visit = "GET /" + l.code
	}
	if l.field == "" {
		return i.do(t, visit, "")
	}
	return i.do(t, visit, "", l.field)
}

// TestBlockedLater blocks a host to which links lead, and unblocks it.
func TestBlockedLater(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "blocked")
	writeBlocked(t, path, "")
	i := start(t, "BLOCKED_TARGETS="+path, "DOMAINS=go.example",
		"ROOT_REDIRECT_URL=https://evil.example/root")
	i.shortenAs(t, "fine", "https://fine.example/")
	for _, l := range blockedLinks {
		got := i.do(t, "POST /api/urls", `{"short_code":"`+l.code+`",`+l.body+`}`, authorized())
		if got.StatusCode != http.StatusCreated || strings.Contains(got.body, `"blocked"`) {
			t.Fatalf("%s: %s %s", l.code, got.Status, got.body)
		}
	}
	set := i.do(t, "PATCH /api/domains/go.example", `{"root_url":"https://evil.example/r",`+
		`"unknown_url":"https://evil.example/u","ended_url":"https://evil.example/e"}`,
		authorized())
	if set.StatusCode != http.StatusOK {
		t.Fatalf("domain: %s %s", set.Status, set.body)
	}
	over := i.do(t, "POST /api/urls", `{"short_code":"over","domain":"go.example",`+
		`"original_url":"https://fine.example/","disabled":true}`, authorized())
	if over.StatusCode != http.StatusCreated {
		t.Fatalf("link of a domain: %s %s", over.Status, over.body)
	}
	clicks := i.leadToEvil(t)
	writeBlocked(t, path, "evil.example", "192.0.2.7")
	await(t, "the host to be blocked", func() bool {
		return i.do(t, "HEAD /plain", "").StatusCode == http.StatusGone
	})
	i.refusesBlocked(t)
	page := i.do(t, "GET /plain", "")
	for _, l := range blockedLinks {
		got := i.visitAs(t, l)
		if l.stays {
			clicks[l.code]++
			if to := got.Header.Get("Location"); to != "https://fine.example/" {
				t.Errorf("%s: %s %q", l.code, got.Status, to)
			}
		} else if got.StatusCode != http.StatusGone || got.Header.Get("Location") != "" ||
			got.Header.Get("Cache-Control") != "no-store" ||
			!strings.HasPrefix(l.visit, "HEAD") && got.body != page.body {
			t.Errorf("%s: %s %q", l.code, got.Status, got.body)
		}
		if got := i.do(t, "GET /"+l.code+"+", ""); got.StatusCode != http.StatusGone {
			t.Errorf("preview of %s: %s", l.code, got.Status)
		}
		if got := i.do(t, "GET /"+l.code+".svg", ""); got.StatusCode != http.StatusOK {
			t.Errorf("picture of %s: %s", l.code, got.Status)
		}
		got = i.do(t, "PATCH /api/urls/"+l.code, `{"title":"`+l.code+`"}`, authorized())
		if got.StatusCode != http.StatusOK || !strings.Contains(got.body, `"blocked":true`) {
			t.Errorf("patch of %s: %s %s", l.code, got.Status, got.body)
		}
	}
	posted := i.do(t, "POST /opened", "password=secret",
		"Content-Type: application/x-www-form-urlencoded")
	if posted.StatusCode != http.StatusGone {
		t.Errorf("the right password: %s", posted.Status)
	}
	for request, want := range map[string]int{
		"GET /": http.StatusNotFound, "GET /nothing": http.StatusNotFound,
		"GET /over": http.StatusGone,
	} {
		got := i.at(t, "go.example", request)
		if got.StatusCode != want || got.Header.Get("Location") != "" {
			t.Errorf("%s at the domain: %s %q", request, got.Status, got.Header.Get("Location"))
		}
	}
	if to := i.do(t, "GET /", "").Header.Get("Location"); to != "/ui/" {
		t.Errorf("/ leads to %q", to)
	}
	if r := i.command(t, "show", "plain", "--jq", ".blocked"); r.out != "true\n" {
		t.Errorf("terse show: %+v", r)
	}
	for code, want := range map[string]string{
		"plain": "blocked", "few": "blocked", "ended": "disabled", "fine": "",
	} {
		r := i.command(t, "show", code)
		if got := valueOf(r.out, "status"); got != want {
			t.Errorf("terse show %s: status %q, want %q", code, got, want)
		}
		if got := valueOf(r.out, "blocked"); (got == "true") != (code == "ended") {
			t.Errorf("terse show %s: blocked %q", code, got)
		}
		r = i.command(t, "list", "--search", code)
		if want = "\t" + cmp.Or(want, "active") + "\t"; !strings.Contains(r.out, want) {
			t.Errorf("terse list %s: %+v", code, r)
		}
	}
	list, err := i.client().List(t.Context(), 100, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range list.URLs {
		if want := u.ShortCode != "fine" && u.ShortCode != "bulk" && u.ShortCode != "good" &&
			u.ShortCode != "over"; u.Blocked != want {
			t.Errorf("%s: blocked is %v", u.ShortCode, u.Blocked)
		}
	}
	writeBlocked(t, path, "other.example")
	await(t, "the host to be free", func() bool {
		return i.do(t, "HEAD /plain", "").StatusCode == http.StatusFound
	})
	for code, n := range i.leadToEvil(t) {
		clicks[code] += n
	}
	i.drain(t)
	for code, n := range clicks {
		if got := i.clicks(t, code, n).TotalClicks; got != n {
			t.Errorf("%s has %d clicks, want %d", code, got, n)
		}
	}
}

// leadToEvil follows all links, none of which is blocked, and returns their clicks.
func (i *instance) leadToEvil(t *testing.T) (clicks map[string]int64) {
	t.Helper()
	clicks = map[string]int64{}
	for _, l := range blockedLinks {
		got := i.visitAs(t, l)
		clicks[l.code] = 1
		want := http.StatusFound
		switch l.code {
		case "locked", "prefetched":
			clicks[l.code], want = 0, http.StatusOK // the form, the preview
		case "head", "ended":
			clicks[l.code] = 0
		}
		if got.StatusCode != want || want == http.StatusFound && !l.stays &&
			!strings.Contains(got.Header.Get("Location"), "evil.example") {
			t.Errorf("%s: %s %q", l.code, got.Status, got.Header.Get("Location"))
		}
	}
	for request, path := range map[string]string{
		"GET /": "r", "GET /nothing": "u", "GET /over": "e",
	} {
		got := i.at(t, "go.example", request).Header.Get("Location")
		if got != "https://evil.example/"+path {
			t.Errorf("%s at the domain leads to %q", request, got)
		}
	}
	if to := i.do(t, "GET /", "").Header.Get("Location"); to != "https://evil.example/root" {
		t.Errorf("/ leads to %q", to)
	}
	return clicks
}

// valueOf returns the value of a field that a command printed for a program, "" if there is none.
func valueOf(out, field string) string {
	for line := range strings.Lines(out) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), "\t"); name == field {
			return value
		}
	}
	return ""
}

// The document's script makes a file of our own list and a public one, without what is allowed, and
// leaves the file as it is when there is no public list.
func TestTheScriptForBlockedTargets(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"sh", "curl", "tr", "awk"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skipf("THE SCRIPT IN DOCS/BLOCKED-TARGETS.MD IS NOT TRIED: %v", err)
		}
	}
	var gone atomic.Bool
	lists := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "# a list\r\n127.0.0.1\tevil.example\r\n127.0.0.1\tshared.example\r\n"+
			"127.0.0.1\tworse.example\r\n")
	}))
	t.Cleanup(lists.Close)
	dir := t.TempDir()
	script := strings.NewReplacer("/etc/terse/blocked\n", dir+"\n",
		"https://urlhaus.abuse.ch/downloads/hostfile/", lists.URL).Replace(
		doctest.Blocks(t, "../../docs/blocked-targets.md", "## A public list", "sh")[0])
	update := func() error {
		return exec.CommandContext(t.Context(), "sh", "-c", script).Run()
	}
	if err := update(); err != nil { // without other files
		t.Fatal(err)
	}
	hosts := filepath.Join(dir, "hosts")
	i := start(t, "BLOCKED_TARGETS="+hosts)
	blocked := func(host string) bool {
		got := i.do(t, "POST /api/urls", `{"original_url":"https://`+host+`/"}`, authorized())
		return strings.Contains(got.body, "is blocked")
	}
	for _, host := range []string{"evil.example", "shared.example", "worse.example"} {
		if !blocked(host) {
			t.Errorf("%s is not blocked", host)
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, "own"), []byte("ours.example\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "allowed"), []byte("shared.example\n"), 0o600))
	must(t, update())
	await(t, "the file to be reread", func() bool { return blocked("ours.example") })
	if !blocked("evil.example") || !blocked("worse.example") || blocked("shared.example") {
		t.Error("the new file is not our own list and the public one without what is allowed")
	}
	before, err := os.ReadFile(hosts)
	must(t, err)
	gone.Store(true)
	if update() == nil {
		t.Error("the script passes over a list that is not there")
	}
	if after, err := os.ReadFile(hosts); err != nil || !bytes.Equal(before, after) {
		t.Errorf("without a list, the file is %q %v, want %q", after, err, before)
	}
	if info, err := os.Stat(hosts); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}
