package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"terse/api"
	"terse/internal/cli"
	"terse/internal/tests/tersetest"
)

// checkWith runs the program's check of a server against an old one, without a token.
func (i *instance) checkWith(t *testing.T, args ...string) result {
	t.Helper()
	var out, told bytes.Buffer
	command := exec.CommandContext(t.Context(), tersetest.Binary(t),
		append([]string{"check"}, args...)...)
	command.Env = append(os.Environ(), "TERSE_URL="+i.url, "HOME="+t.TempDir(), "TERSE_TOKEN=")
	command.Stdout, command.Stderr = &out, &told
	_ = command.Run() // its exit code says it
	return result{out.String(), told.String(), command.ProcessState.ExitCode()}
}

// After an import all addresses lead where they did: also those with slashes and of other scripts,
// and those that lead nowhere. What differs is listed.
func TestCheck(t *testing.T) {
	t.Parallel()
	old := startProcess(t, t.TempDir(), "BASE_URL=https://old.example/go")
	i := startProcess(t, t.TempDir())
	old.makeLink(t, "first", "https://a.example/ä?b=%c3#c", `"redirect_status":301`)
	old.makeLink(t, "second", "https://b.example",
		`"aliases":["docs/install","grüße/ein zwei","50€"],"forward_query":true`)
	old.makeLink(t, "locked", "https://c.example/", `"password":"secret"`)
	old.makeLink(t, "over", "https://d.example/", `"expires_at":"2020-01-01T00:00:00Z"`)
	old.makeLink(t, "off", "https://e.example/", `"disabled":true`)
	old.makeLink(t, "bots", "https://f.example/",
		`"rules":[{"name":"desks","url":"https://g.example/","when":{"device":["desktop"]}}]`)
	file := filepath.Join(t.TempDir(), "x.ndjson")
	if r := old.command(t, "export", file); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	from := []string{"terse", file, "--from", old.url + "/go/"}
	r := i.checkWith(t, from...)
	if r.code != cli.ExitFailure || strings.Count(r.out, "\t404 Not Found\n") != 7 ||
		!strings.Contains(r.out, old.url+"/go/50%E2%82%AC\thttps://b.example\t404 Not Found\n") {
		t.Errorf("before the import: %+v", r)
	}
	if r := i.command(t, "import", "terse", file); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	r = i.checkWith(t, from...)
	locked := old.url + "/go/locked\t200 OK, a page\t200 OK, a page\n" // which may lead anywhere
	if r.code != cli.ExitFailure || r.out != locked ||
		r.err != "9 addresses: 8 equal, 1 differs. Of the equal ones 2 lead nowhere.\n" {
		t.Errorf("after it: %+v", r)
	}
	for _, server := range []*instance{old, i} {
		server.commands(t, [2]string{"edit locked --clear password", ""})
	}
	r = i.checkWith(t, from...)
	if r.code != cli.ExitOK || r.err != "" ||
		r.out != "9 addresses: 9 equal, 0 differ. Of the equal ones 2 lead nowhere.\n" {
		t.Errorf("without a password: %+v", r)
	}

	i.commands(t, [][2]string{
		{"edit first --to https://elsewhere.example/", ""},
		{"delete bots --yes", ""},
	}...)
	want := fmt.Sprintf("%[1]s/go/bots\thttps://f.example/\t404 Not Found\n"+
		"%[1]s/go/first\thttps://a.example/%%C3%%A4?b=%%c3#c\thttps://elsewhere.example/\n",
		old.url)
	r = i.checkWith(t, from...)
	if r.code != cli.ExitFailure || r.out != want ||
		r.err != "9 addresses: 7 equal, 2 differ. Of the equal ones 2 lead nowhere.\n" {
		t.Errorf("after changes: %+v, want %s", r, want)
	}
	r = i.checkWith(t, append(from, "--json")...)
	lines := strings.Split(r.out, "\n")
	if want := `{"address":"` + old.url + `/go/bots","there":{"status":302,` +
		`"location":"https://f.example/"},"here":{"status":404}}`; r.code != cli.ExitFailure ||
		len(lines) != 4 || lines[0] != want || lines[2] != `{"summary":{"addresses":9,`+
		`"equal":7,"nowhere":2,"differ":2,"unread":0}}` {
		t.Errorf("as JSON: %+v, want %s", r, want)
	}
	shown := i.onTerminal(t, 60, append([]string{"check"}, from...)...)
	if want := "/go/bots\n  there  https://f.example/\n  here   404 Not Found\n"; !strings.
		Contains(strings.ReplaceAll(shown.out, "\x1b[m", ""), want) {
		t.Errorf("on a terminal: %q, want %q", shown.out, want)
	}
	for _, server := range []*instance{old, i} {
		overview, err := server.client().Overview(t.Context(), api.ClicksQuery{})
		if err != nil || overview.TotalClicks != 0 {
			t.Errorf("%d clicks, %v", overview.TotalClicks, err)
		}
	}
}

// A page that leads on by itself is no redirect, a record that could not be imported is asked for,
// and one without an address is named.
func TestCheckOfOthers(t *testing.T) {
	t.Parallel()
	i := start(t)
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodHead:
			w.WriteHeader(http.StatusNotFound)
		case r.URL.Path == "/page":
			w.Header().Set("Refresh", "0; url=https://a.example/")
			_, _ = w.Write([]byte(
				`<meta http-equiv="refresh" content="0; url=https://a.example/">`))
		default:
			http.Redirect(w, r, "https://a.example/", http.StatusFound)
		}
	}))
	t.Cleanup(old.Close)
	file := textFile(t, "x.csv", "code,url,expires\nequal,https://a.example/,\n"+
		"page,https://a.example/,\nbroken,https://a.example/,soon\nequal,https://a.example/,\n")
	r := i.command(t, "import", "csv", file, "--report", filepath.Join(t.TempDir(), "report.csv"))
	if !strings.Contains(r.out, "2 created") {
		t.Fatalf("%+v", r)
	}
	r = i.checkWith(t, "csv", file, "--from", old.URL)
	want := fmt.Sprintf("%[1]s/page\t200 OK, a page\thttps://a.example/\n"+
		"%[1]s/broken\thttps://a.example/\t404 Not Found\n", old.URL)
	if r.code != cli.ExitFailure || r.out != want ||
		r.err != "3 addresses: 1 equal, 2 differ.\n" {
		t.Errorf("%+v, want %s", r, want)
	}
	unread := textFile(t, "y.csv", "code,url\nequal,https://a.example/\n,https://b.example/\n")
	r = i.checkWith(t, "csv", unread, "--from", old.URL)
	if r.code != cli.ExitFailure ||
		r.err != "1 address: 1 equal, 0 differ. 1 record has no address.\n" {
		t.Errorf("%+v", r)
	}
	for _, row := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"csv", file}, "missing flags: --from=URL", cli.ExitUsage},
		{
			[]string{"csv", file, "--from", "old.example"},
			"--from: it must be an http",
			cli.ExitUsage,
		},
		{
			[]string{"csv", file, "--from", i.url},
			"--from is the address of this server",
			cli.ExitUsage,
		},
		{[]string{"terse", file, "--from", old.URL}, "this looks like a table", cli.ExitFailure},
		{[]string{"terse", file, "--map", "a=b", "--from", old.URL}, "for tables", cli.ExitUsage},
		{[]string{
			"csv", textFile(t, "z.csv", "url,title\nhttps://a.example/,x\n"), "--from",
			old.URL,
		}, "no link in it has a code", cli.ExitFailure},
	} {
		r := i.checkWith(t, row.args...)
		if r.code != row.code || !strings.Contains(r.err, row.want) {
			t.Errorf("%q: %+v, want %q", row.args, r, row.want)
		}
	}
}

// All addresses lead nowhere if --from is wrong, and a server that is away ends the check.
func TestCheckOfAWrongServer(t *testing.T) {
	t.Parallel()
	i, old := start(t), httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(old.Close)
	var table strings.Builder
	table.WriteString("code,url\n")
	for n := range 20 {
		fmt.Fprintf(&table, "code%d,https://a.example/\n", n)
	}
	file := textFile(t, "x.csv", table.String())
	r := i.checkWith(t, "csv", file, "--from", old.URL)
	if r.code != cli.ExitFailure || r.out != "" || r.err != "20 addresses: 20 equal, 0 differ. "+
		"Of the equal ones 20 lead nowhere. Is --from right?\n" {
		t.Errorf("%+v", r)
	}
	old.Close()
	r = i.checkWith(t, "csv", file, "--from", old.URL)
	if r.code != cli.ExitUnreachable || strings.Count(r.out, "connection refused\t404") != 8 ||
		!strings.Contains(r.err, "8 addresses: 0 equal, 8 differ.\nStopped: "+old.URL+
			" does not answer (") ||
		!strings.HasSuffix(r.err, "12 addresses were not asked for.\n") {
		t.Errorf("%+v", r)
	}
	var summary struct{}
	r = i.checkWith(t, "csv", file, "--from", old.URL, "--jq", ".there.error")
	if r.code != cli.ExitUnreachable || json.Unmarshal([]byte(r.out), &summary) == nil ||
		strings.Count(r.out, "connection refused\n") != 8 {
		t.Errorf("%+v", r)
	}
}
