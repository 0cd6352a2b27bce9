package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"terse/api"
	"terse/internal/cli"
)

// everyOption is a command line with each option of a link.
func everyOption(t *testing.T) []string {
	t.Helper()
	rules := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(rules, []byte(`[{"name": "de", "when": {"language": ["de"]},
		"url": "https://example.com/de"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{
		"--title", "Spring sale", "--note", "first\nsecond", "--tag", "News,b", "--tag", "a",
		"--starts", "2026-01-02T03:04:05Z", "--expires", "2100-12-31", "--max-clicks", "1000",
		"--disabled", "--expired-url", "https://example.com/over", "--password", "-secret",
		"--redirect-status", "307", "--forward-query", "--forward-path", "--archived", "--rule",
		`{"name": "phones", "when": {"device": ["ios", "android"], "country": ["DE"],
		"query": {"a": null, "b": "c"}, "address": ["192.0.2.0/24"],
		"after": "2026-01-01T00:00:00Z", "before": "2027-01-01T00:00:00Z"}, "share": 50,
		"url": "https://m.example/"}`, "--rule", "@" + rules,
	}
}

// members returns the names of what an answer has.
func members(t *testing.T, answer string) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(answer), &fields); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return fields
}

// optionNames are those of the API.
func optionNames() (names []string) {
	for f := range reflect.TypeFor[api.LinkOptions]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return append(names, "password")
}

func TestEveryOptionOnTheCommandLine(t *testing.T) {
	t.Parallel()
	i := start(t)
	args := everyOption(t)
	var before map[string]any
	for name, command := range map[string][]string{
		"create": {"create", "https://example.com/", "--code", "created", "--alias", "docs/new"},
		"many":   {"create", "--json", "https://example.com/1", "https://example.com/2"},
		"edit":   {"edit", "edited", "--to", "https://example.com/", "--alias", "docs/edited"},
	} {
		if name == "edit" {
			i.shortenAs(t, "edited", "https://example.org/")
		}
		r := i.command(t, append(slices.Clone(command), args...)...)
		if r.code != cli.ExitOK || r.err != "" {
			t.Fatalf("%s: %+v", name, r)
		}
		if name == "many" {
			if strings.Count(r.out, `"status": "disabled"`) != 2 {
				t.Errorf("many: %s", r.out)
			}
			continue
		}
		code := map[string]string{"create": "created", "edit": "edited"}[name]
		fields := members(t, i.command(t, "show", code, "--json").out)
		for _, option := range optionNames() {
			if fields[option] == nil {
				t.Errorf("%s sets no %s", name, option)
			}
		}
		if fields["expires_at"] != "2100-12-31T22:59:59.999999Z" || // in Berlin
			len(fields["rules"].([]any)) != 2 || !slices.Equal(fields["tags"].([]any),
			[]any{"a", "b", "News"}) {
			t.Errorf("%s: %v", name, fields)
		}
		for _, own := range []string{
			"id", "short_code", "short_url", "created_at", "updated_at", "etag", "aliases",
		} {
			delete(fields, own)
		}
		if before != nil && !reflect.DeepEqual(before, fields) {
			t.Errorf("created and edited differ:\n%v\n%v", before, fields)
		}
		before = fields
	}
	names := optionNames()
	names[slices.Index(names, "rules")] = "rule"
	names[slices.Index(names, "max_clicks")] = "max-clicks"
	r := i.command(t, "edit", "created", "--clear", strings.Join(names, ","), "--json")
	left := members(t, r.out)
	for _, option := range append(optionNames(), "status") {
		if left[option] != nil {
			t.Errorf("%s is left: %v", option, left[option])
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "checked", "https://example.com/")
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--max-clicks", "0"}, cli.ExitFailure, "--max-clicks must be 1 to 1000000000."},
		{[]string{"--redirect-status", "200"}, cli.ExitFailure, "--redirect-status must be 301"},
		{[]string{"--title", ""}, cli.ExitFailure, "--title must be 1 to 200 characters"},
		{[]string{"--password", ""}, cli.ExitFailure, "--password must be 1 to 128 bytes"},
		{[]string{"--expires", ""}, cli.ExitUsage, `--expires is ""; it must be a date`},
		{[]string{"--expires", "yesterday"}, cli.ExitUsage, "a time from now (24h, 7d, 2w)"},
		{
			[]string{"--starts", "7d", "--expires", "6d"},
			cli.ExitFailure,
			"--starts must be before --expires.",
		},
		{
			[]string{"--tag", strings.Repeat("x", 41)},
			cli.ExitFailure,
			"--tag must be up to 20, each 1 to 40 characters",
		},
		{[]string{"--rule", "{"}, cli.ExitUsage, "--rule must be JSON such as"},
		{[]string{"--rule", "@/nonexistent"}, cli.ExitFailure, "no such file"},
		{
			[]string{"--rule", `{"name":"x","when":{"devic":["ios"]},"url":"https://m.example/"}`},
			cli.ExitFailure, `Unknown field "rules[0].when.devic".`,
		},
		{[]string{"--password-file", "/nonexistent"}, cli.ExitFailure, "no such file"},
		{[]string{"--password", "a", "--password-file", "b"}, cli.ExitUsage, "password"},
	} {
		for _, command := range [][]string{
			{"create", "https://example.com/"}, {"edit", "checked"},
		} {
			r := i.command(t, append(slices.Clone(command), tt.args...)...)
			if r.code != tt.code || !strings.Contains(r.err, tt.want) || r.out != "" {
				t.Errorf("%s %q: %+v", command[0], tt.args, r)
			}
		}
	}
	for range 50 { // of two mistakes the same is always named
		r := i.command(t, "edit", "checked", "--starts", "soon", "--expires", "yesterday")
		if r.code != cli.ExitUsage || !strings.Contains(r.err, `--starts is "soon"`) {
			t.Fatalf("two bad times: %+v", r)
		}
	}
	for args, want := range map[string]string{
		"":                             "nothing to change",
		"--title a --clear title":      "--clear title is not for what is set as well",
		"--expires 7d --clear expires": "--clear expires",
	} {
		r := i.command(t, append([]string{"edit", "checked"}, strings.Fields(args)...)...)
		if r.code != cli.ExitUsage || !strings.Contains(r.err, want) {
			t.Errorf("edit %s: %+v", args, r)
		}
	}
	if r := i.command(t, "edit", "checked", "--clear", "nonsense"); r.code != cli.ExitFailure ||
		!strings.Contains(r.err, "nonsense") {
		t.Errorf("--clear nonsense: %+v", r)
	}
}

// Nobody overwrites what another has changed meanwhile.
func TestEditIfMatch(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "match", "https://example.com/")
	etag := members(t, i.command(t, "show", "match", "--json").out)["etag"].(string)
	args := []string{"edit", "match", "--if-match", etag, "--title"}
	if r := i.command(t, append(args, "mine")...); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	r := i.command(t, append(args, "theirs")...)
	if r.code != cli.ExitFailure ||
		r.err != "\"match\" has changed meanwhile. See terse show match.\n" {
		t.Errorf("%+v", r)
	}
}

func TestLinkPasswordsAreNotShown(t *testing.T) {
	t.Parallel()
	i := start(t)
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("from a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	opens := func(code, password string) bool {
		return i.do(t, "GET /"+code, "", "X-Link-Password: "+password).StatusCode == 302
	}
	r := command(t, i.environ(), "from a pipe\nhttps://example.com/\nhttps://example.org/\n",
		"create", "--password", "-")
	if r.code != cli.ExitOK || lineCount(r.out) != 2 {
		t.Fatalf("%+v", r)
	}
	for line := range strings.Lines(r.out) {
		short, _, _ := strings.Cut(line, "\t")
		if code := short[strings.LastIndex(short, "/")+1:]; !opens(code, "from a pipe") {
			t.Errorf("%s has another password", code)
		}
	}
	r = i.command(t, "create", "https://example.com/", "--code", "file", "--password-file", file)
	if r.code != cli.ExitOK || !opens("file", "from a file") {
		t.Errorf("%+v", r)
	}
	s := onTerminal(t, 80, i.environ(), "edit", "file", "--password", "-")
	for _, step := range [][2]string{
		{"Password: ", "typed"},
		{"\nPassword again: ", "misspelt"},
		{"They differ.\nPassword: ", "typed"},
		{"They differ.\nPassword: \nPassword again: ", "typed"},
	} {
		s.await(t, step[0])
		s.answer(t, step[1])
	}
	text, code := s.end(t)
	if code != cli.ExitOK || strings.Contains(text, "typed") || !opens("file", "typed") {
		t.Errorf("on a terminal: %d %s", code, text)
	}
}

func TestShowIsWhole(t *testing.T) {
	t.Parallel()
	i := start(t)
	long := "https://example.com/" + strings.Repeat("x", 300)
	if r := i.command(t, append([]string{"create", long, "--code", "shown"},
		everyOption(t)...)...); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	piped := i.command(t, "show", "shown").out
	for _, want := range []string{
		"\noriginal_url\t" + long + "\n", "\ntitle\tSpring sale\n", "\nnote\tfirst\\nsecond\n",
		"\ntags\ta, b, News\n", "\nstarts_at\t2026-01-02T03:04:05Z\n", "\nmax_clicks\t1000\n",
		"\nforward_query\ttrue\n", "\nstatus\tdisabled\n", "\npassword\ttrue\n",
		"\nrules\tphones: device ios or android, country DE, address 192.0.2.0/24, query a, " +
			"query b=c, from 2026-01-01T00:00:00Z, until 2027-01-01T00:00:00Z, " +
			"50% of visitors → https://m.example/; de: language de → https://example.com/de\n",
	} {
		if !strings.Contains(piped, want) {
			t.Errorf("no %q in\n%s", want, piped)
		}
	}
	for _, width := range []uint16{200, 60, 20} {
		r := i.onTerminal(t, width, "show", "shown")
		for line := range strings.Lines(r.out) {
			if n := columns(strings.TrimSuffix(line, "\n")); n > int(width) {
				t.Errorf("%d columns: one line has %d: %q", width, n, line)
			}
		}
		if n := strings.Count(r.out, "x"); r.code != cli.ExitOK || n < 300 {
			t.Errorf("%d columns: %d of 300 x\n%s", width, n, r.out)
		}
	}
	text := escapes.ReplaceAllString(i.onTerminal(t, 200, "show", "shown").out, "")
	for _, want := range []string{
		"\nclick limit             1,000\n", "\nstart                   2026-01-02 04:04:05\n",
		"\nnote                    first\n                        second\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if r := i.command(t, "show", "nothere"); r.code != cli.ExitNotFound {
		t.Errorf("no link: %+v", r)
	}
}

func TestTagCommands(t *testing.T) {
	t.Parallel()
	i := start(t)
	for _, code := range []string{"one", "two"} {
		i.shortenAs(t, code, "https://example.com/"+code)
	}
	for _, tt := range []struct {
		args string
		want result
	}{
		{"tag list", result{}},
		{"tag add News one two", result{out: "one\tNews\ntwo\tNews\n"}},
		{"tag add a one", result{out: "one\ta, News\n"}},
		{"tag add NEWS one", result{out: "one\ta, News\n"}},
		{"tag list", result{out: "a\t1\nNews\t2\n"}},
		{"list --tag news --tag A", result{out: "one"}},
		{"tag rename news press", result{out: "press\t2\n"}},
		{"tag rename a press", result{out: "press\t2\n"}},
		{"tag remove Press two", result{out: "two\t\n"}},
		{"tag remove press two", result{out: "two\t\n"}},
		{
			"tag add b nothere two",
			result{
				"two\tb\n", "nothere: No link \"nothere\".\n1 of 2 links were not changed.\n",
				cli.ExitFailure,
			},
		},
		{"tag delete press --yes", result{out: "Deleted press\n"}},
		{"tag delete press --yes", result{err: "No tag \"press\".\n", code: cli.ExitNotFound}},
		{"tag rename press c", result{err: "No tag \"press\".\n", code: cli.ExitNotFound}},
		{"tag list", result{out: "b\t1\n"}},
	} {
		r := i.command(t, strings.Fields(tt.args)...)
		if strings.HasPrefix(tt.args, "list") {
			r.out, _, _ = strings.Cut(r.out, "\t")
		}
		if r != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.args, r, tt.want)
		}
	}
	if r := i.command(t, "tag", "delete", "b"); r.code != cli.ExitUsage {
		t.Errorf("without --yes: %+v", r)
	}
	r := i.command(t, "tag", "list", "--json")
	var tags api.Tags
	if err := json.Unmarshal([]byte(r.out), &tags); err != nil || len(tags.Tags) != 1 {
		t.Errorf("as JSON: %+v", r)
	}
}

// Tags and aliases are added and removed beside those of others, who may change the link at the
// same time.
func TestEditKeepsOtherTags(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "kept", "https://example.com/")
	for _, tt := range []struct{ args, tags string }{
		{"--tag a,b", "a, b"},
		{"--add-tag c", "a, b, c"},
		{"--add-tag d,B --add-tag e --title x", "a, b, c, d, e"},
		{"--add-tag a", "a, b, c, d, e"},
		{"--remove-tag A,nothere --remove-tag b", "c, d, e"},
		{"--remove-tag c --add-tag f", "d, e, f"},
		{"--tag g", "g"},
		{"--remove-tag g", ""},
	} {
		r := i.command(t, append([]string{"edit", "kept"}, strings.Fields(tt.args)...)...)
		want := "\ntags\t" + tt.tags + "\n"
		if r.code != cli.ExitOK || strings.Contains(r.out, want) != (tt.tags != "") ||
			strings.Contains(r.out, "\ntags\t") != (tt.tags != "") {
			t.Errorf("edit %s: %+v", tt.args, r)
		}
	}
	for _, args := range []string{
		"--add-tag a --tag b", "--remove-tag a --clear tag", "--add-tag a --idempotency-key k",
	} {
		r := i.command(t, append([]string{"edit", "kept"}, strings.Fields(args)...)...)
		if r.code != cli.ExitUsage || lineCount(r.err) != 1 {
			t.Errorf("edit %s: %+v", args, r)
		}
	}
	r := i.command(t, "edit", "kept", "--add-tag", "a", "--if-match", `"another"`)
	if r.code != cli.ExitFailure || !strings.Contains(r.err, "has changed meanwhile") {
		t.Errorf("another version: %+v", r)
	}
	if r := i.command(t, "edit", "nothere", "--add-tag", "a"); r.code != cli.ExitNotFound {
		t.Errorf("no link: %+v", r)
	}

	target, err := url.Parse(i.url)
	if err != nil {
		t.Fatal(err)
	}
	forward, changes := httputil.NewSingleHostReverseProxy(target), 0
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPatch {
			if changes++; changes == 1 {
				_, err := i.client().Update(r.Context(), "kept", "", api.Changes{
					"tags": []string{"others"}, "note": "theirs",
					"aliases": []string{"others/1"},
				})
				if err != nil {
					t.Error(err)
				}
			}
		}
		forward.ServeHTTP(w, r)
	}))
	defer front.Close()
	r = command(t, i.environ("TERSE_URL="+front.URL), "", "edit", "kept", "--add-tag", "ours",
		"--add-alias", "ours/1", "--title", "mine")
	if r.code != cli.ExitOK || changes != 2 {
		t.Errorf("while others change it: %d requests, %+v", changes, r)
	}
	for _, want := range []string{
		"\ntags\tothers, ours\n", "\ntitle\tmine\n", "\nnote\ttheirs\n",
		"/others/1; ", "/ours/1\n",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in %s", want, r.out)
		}
	}
}

func TestListFilters(t *testing.T) {
	t.Parallel()
	i := start(t)
	for code, args := range map[string][]string{
		"plain": nil, "dead": {"--expires", "2026-01-01"}, "later": {"--starts", "7d"},
		"off": {"--disabled", "--title", "Switched off", "--tag", "x"},
	} {
		r := i.command(t, append([]string{"create", "https://example.com/", "--code", code},
			args...)...)
		if r.code != cli.ExitOK {
			t.Fatalf("%s: %+v", code, r)
		}
	}
	for args, want := range map[string]string{
		"--status active": "plain", "--status expired": "dead", "--status scheduled": "later",
		"--status disabled": "off", "--status used_up": "", "--tag X": "off",
		"--created-after 1h":                           "dead later off plain",
		"--created-before 1h":                          "",
		"--created-after today --created-before today": "dead later off plain",
		"--search switched":                            "off",
	} {
		r := i.command(t, append([]string{"list"}, strings.Fields(args)...)...)
		var codes []string
		for line := range strings.Lines(r.out) {
			code, _, _ := strings.Cut(line, "\t")
			codes = append(codes, code)
		}
		slices.Sort(codes)
		if got := strings.Join(codes, " "); r.code != cli.ExitOK || got != want {
			t.Errorf("list %s: %q %s, want %q", args, got, r.err, want)
		}
	}
	for _, args := range []string{
		"--status sleepy", "--created-after soon",
	} {
		r := i.command(t, append([]string{"list"}, strings.Fields(args)...)...)
		if r.code != cli.ExitUsage {
			t.Errorf("list %s: %+v", args, r)
		}
	}
	text := escapes.ReplaceAllString(
		i.onTerminal(t, 120, "list", "--status", "disabled").out, "")
	if !strings.Contains(text, "off        0  disabled  Switched off  #x    2") {
		t.Errorf("on a terminal: %s", text)
	}
	if text := i.onTerminal(t, 80, "list", "--tag", "none").out; !strings.Contains(text,
		"No link matches.") {
		t.Errorf("none: %s", text)
	}
}

func TestHistoryInSentences(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "past", "https://example.com/")
	if text := i.onTerminal(t, 80, "history", "past").out; text != "Nothing was changed.\n" {
		t.Errorf("before: %s", text)
	}
	for _, tt := range []struct{ args, want string }{
		{"--title Go", "set the title to “Go”."},
		{"--title Went", "changed the title from “Go” to “Went”."},
		{"--clear title", "took the title “Went” away."},
		{"--to https://go.dev/", "changed the destination from “https://example.com/” to " +
			"“https://go.dev/”."},
		{"--tag a,b", "set the tags to a, b."},
		{"--max-clicks 1000", "set the click limit to 1000."},
		{"--expires 2100-01-01T00:00:00Z", "set the end to 2100-01-01T00:00:00Z."},
		{"--disabled", "disabled the link."},
		{"--clear disabled", "enabled the link."},
		{"--archived", "archived the link."},
		{"--clear archived", "took the link out of the archive."},
		{"--forward-query", "turned query forwarding on."},
		{"--clear forward-query", "turned query forwarding off."},
		{"--password x", "set a password."},
		{"--password y", "changed the password."},
		{"--clear password", "took the password away."},
		{
			`--rule {"name":"de","when":{"language":["de"]},"url":"https://go.dev/"}`,
			"set the rules to de: language de → https://go.dev/.",
		},
		{"--add-alias docs/go --add-alias a,b", "added the aliases “docs/go”, “a,b”."},
		{"--add-alias grüße --remove-alias a,b", "added the alias “grüße”, and removed the alias " +
			"“a,b”."},
		{"--alias grüße --alias docs/go", "changed the order of the aliases."},
		{"--clear aliases", "removed the aliases “grüße”, “docs/go”."},
	} {
		r := i.command(t, append([]string{"edit", "past"}, strings.Fields(tt.args)...)...)
		if r.code != cli.ExitOK {
			t.Fatalf("%s: %+v", tt.args, r)
		}
		text := i.command(t, "history", "past").out
		at, line, _ := strings.Cut(text[:strings.Index(text, "\n")], "\t")
		if _, err := time.Parse(time.RFC3339, at); err != nil ||
			!strings.HasSuffix(line, " "+tt.want) {
			t.Errorf("%s: %q", tt.args, line)
		}
	}
	r := i.onTerminal(t, 40, "history", "past")
	for line := range strings.Lines(r.out) {
		if n := columns(strings.TrimSuffix(line, "\n")); n > 40 {
			t.Errorf("one line has %d columns: %q", n, line)
		}
	}
	var history api.History
	if err := json.Unmarshal([]byte(i.command(t, "history", "past", "--json").out),
		&history); err != nil || len(history.Changes) != 21 {
		t.Errorf("as JSON: %v, %d changes", err, len(history.Changes))
	}
}

func TestClearAsks(t *testing.T) {
	t.Parallel()
	i := startCounting(t)
	i.shortenAs(t, "counted", "https://example.com/")
	i.click(t, "counted", "", map[string]int{"DE": 3})
	if r := i.command(t, "clear", "counted"); r.code != cli.ExitUsage {
		t.Errorf("without a terminal: %+v", r)
	}
	s := onTerminal(t, 80, i.environ(), "clear", "counted")
	s.await(t, "Forget the 3 clicks (bots included) of counted? [y/N] ")
	s.answer(t, "n")
	if text, code := s.end(t); code != cli.ExitFailure || !strings.Contains(text,
		"Nothing was cleared.") {
		t.Errorf("answered n: %d %s", code, text)
	}
	if r := i.command(t, "clear", "counted", "-y"); r != (result{out: "Cleared counted\n"}) {
		t.Errorf("--yes: %+v", r)
	}
	if stats := i.clicks(t, "counted", 0); stats.TotalClicks != 0 {
		t.Errorf("%d clicks are left", stats.TotalClicks)
	}
	if r := i.command(t, "clear", "nothere", "-y"); r.code != cli.ExitNotFound {
		t.Errorf("no link: %+v", r)
	}
}

func TestCreateOnce(t *testing.T) {
	t.Parallel()
	i := start(t)
	args := []string{"create", "https://example.com/", "--idempotency-key", "build-1"}
	first, again := i.command(t, args...), i.command(t, args...)
	if first.code != cli.ExitOK || first != again {
		t.Errorf("twice: %+v %+v", first, again)
	}
	r := i.command(t, "create", "https://example.org/", "--idempotency-key", "build-1")
	if r.code != cli.ExitFailure || !strings.Contains(r.err, "was sent with another request") {
		t.Errorf("another: %+v", r)
	}
	found := i.command(t, "create", "https://example.com/", "--find-existing")
	if found != first {
		t.Errorf("--find-existing: %+v, want %+v", found, first)
	}
	found = command(t, i.environ(), "https://example.com/\nhttps://new.example/\n", "create",
		"--find-existing")
	if found.code != cli.ExitOK || !strings.HasPrefix(found.out,
		strings.TrimSpace(first.out)+"\t") || lineCount(found.out) != 2 {
		t.Errorf("many: %+v", found)
	}
}

// sheet has operations in CSV, and what becomes of them.
const sheet = "\ufeffop;short_code;original_url;title;tags;disabled;max_clicks;expires_at;rules" +
	"\r\ncreate;csv1;https://a.example/;\"A; \"\"a\"\"\";x,y;TRUE;;30d;\r\n" +
	";csv2;https://b.example/;;;;5;;" +
	"\"[{\"\"name\"\":\"\"r\"\",\"\"url\"\":\"\"https://c.example/\"\"}]\"\r\n" +
	";;ftp://bad;;;;;;\r\n" +
	"update;csv1;;AA;;false;;;\r\n" +
	"update;csv1;;;;;many;;\r\n" +
	"update;csv1;;;;;;soon;\r\n" +
	"delete;csv2;;;;;;;\r\n" +
	"delete;csv3;;;;;;;\r\n" +
	"x;y\r\n" +
	"rename;csv1;;;;;;;\r\n" +
	"update;csv1;;M\xfcnchen;;;;;\r\n"

func TestBulk(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=https://sho.rt")
	r := command(t, i.environ(), sheet, "bulk", "-")
	want := []string{
		"2\t201\thttps://sho.rt/csv1\thttps://a.example/",
		"3\t201\thttps://sho.rt/csv2\thttps://b.example/",
		"4\t400\t\tOriginal URL must be a valid http or https URL.",
		"5\t200\thttps://sho.rt/csv1\thttps://a.example/",
		"6\t400\tcsv1\tField \"max_clicks\" must be a whole number.",
		"7\t400\t\texpires_at is \"soon\"; it must be a date (2026-11-01), today, tomorrow, " +
			"a time from now (24h, 7d, 2w) or RFC 3339 (2026-11-01T12:00:00Z).",
		"8\t204\tcsv2\t", "9\t404\tcsv3\tNo link \"csv3\".",
		"10\t400\t\tIt has 2 cells in place of 9.",
		"11\t400\tcsv1\tOp must be create, update or delete.",
		"12\t400\t\tIt is neither UTF-8 nor UTF-16; save the file in one of these encodings.",
	}
	if got := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n"); !slices.Equal(got, want) ||
		r.code != cli.ExitFailure || r.err != "7 of 11 operations failed.\n" {
		t.Errorf("%d %s%s", r.code, r.out, r.err)
	}
	link, err := i.client().Link(t.Context(), "csv1")
	if err != nil || link.Title != "AA" || !slices.Equal(link.Tags, []string{"x", "y"}) ||
		link.Disabled || link.ExpiresAt.Before(time.Now().AddDate(0, 0, 29)) {
		t.Errorf("%v %+v", err, link)
	}
	for line := range strings.Lines(i.onTerminal(t, 40, "bulk", "/nonexistent").out) {
		if !strings.Contains(line, "no such file") {
			t.Error(line)
		}
	}
}

// What --dry-run prints of a sheet does the same as the sheet.
func TestBulkDryRun(t *testing.T) {
	t.Parallel()
	i := start(t)
	dry := command(t, i.environ(), sheet, "bulk", "-", "--dry-run")
	if dry.code != cli.ExitFailure || lineCount(dry.out) != 8 || !strings.Contains(dry.out,
		`{"op":"create","link":{"max_clicks":5,"original_url":"https://b.example/",`+
			`"rules":[{"name":"r","url":"https://c.example/"}],"short_code":"csv2"}}`) {
		t.Errorf("%d %s%s", dry.code, dry.out, dry.err)
	}
	if page, err := i.client().List(t.Context(), 1, 0); err != nil || page.Total != 0 {
		t.Errorf("it was done: %v %+v", err, page)
	}
	file := filepath.Join(t.TempDir(), "operations.jsonl")
	if err := os.WriteFile(file, []byte(dry.out+"\n{\"op\":1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := i.command(t, "bulk", file, "--json")
	var status []int
	for line := range strings.Lines(r.out) {
		var result struct {
			Line, Status int
			Error        string
		}
		if err := json.Unmarshal([]byte(line), &result); err != nil ||
			(result.Status >= 300) != (result.Error != "") {
			t.Fatalf("%v %s", err, line)
		}
		status = append(status, result.Status)
	}
	if !slices.Equal(status, []int{201, 201, 400, 200, 400, 204, 404, 400, 400}) {
		t.Errorf("%v\n%s", status, r.out)
	}
}

func TestBulkAtomic(t *testing.T) {
	t.Parallel()
	i := start(t)
	total := func() int64 {
		page, err := i.client().List(t.Context(), 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		return page.Total
	}
	const lines = "original_url\nhttps://a.example/\nhttps://b.example/\n"
	r := command(t, i.environ(), lines+"ftp://c.example/\n", "bulk", "-", "--atomic")
	if r.code != cli.ExitFailure || total() != 0 ||
		!strings.Contains(r.out, "2\t424\t\tAnother operation") ||
		!strings.Contains(r.out, "4\t400\t\tOriginal URL must be") {
		t.Errorf("a bad one: %+v", r)
	}
	r = command(t, i.environ(), lines+"a,b\n", "bulk", "-", "--atomic")
	if r.code != cli.ExitFailure || r.out != "" || total() != 0 ||
		r.err != "Line 4: it has 2 cells in place of 1\nNothing was done.\n" {
		t.Errorf("a line that can't be read: %+v", r)
	}
	for range 2 {
		r = command(t, i.environ(), lines, "bulk", "-", "--atomic", "--idempotency-key", "once")
		if r.code != cli.ExitOK || lineCount(r.out) != 2 || total() != 2 {
			t.Errorf("%+v", r)
		}
	}
	r = command(t, i.environ(), "original_url\n"+strings.Repeat("https://a.example/\n", 1001),
		"bulk", "-", "--atomic")
	if r.code != cli.ExitFailure || !strings.Contains(r.err, "up to 1000 operations") ||
		total() != 2 {
		t.Errorf("too many: %+v", r)
	}
	r = command(t, i.environ(), lines, "bulk", "-", "--idempotency-key", "x")
	if r.code != cli.ExitUsage {
		t.Errorf("a key for many requests: %+v", r)
	}
}

// Many operations take many requests, also when each needs the server's time.
func TestBulkOfMany(t *testing.T) {
	t.Parallel()
	i := start(t)
	var file strings.Builder
	const n = 1234
	for k := range n {
		fmt.Fprintf(&file, "\n"+`{"op":"create","link":{"original_url":"https://example.com/%d"}}`,
			k)
	}
	for range 60 {
		file.WriteString("\n" + `{"op":"create","link":{"original_url":"https://example.com/",` +
			`"password":"secret"}}`)
	}
	r := command(t, i.environ(), file.String(), "bulk", "-")
	if r.code != cli.ExitOK || r.err != "" || lineCount(r.out) != n+60 ||
		!strings.HasPrefix(r.out, "2\t201\t") {
		t.Errorf("%d, %d lines, %.300s", r.code, lineCount(r.out), r.err)
	}
	page, err := i.client().List(t.Context(), 1, 0)
	if err != nil || page.Total != n+60 {
		t.Errorf("%v %d", err, page.Total)
	}
	away := command(t, []string{"TERSE_URL=http://127.0.0.1:1", "TERSE_TOKEN=x"}, file.String(),
		"bulk", "-")
	if away.code != cli.ExitUnreachable || !strings.Contains(away.err,
		"Stopped at line 2; 0 done before") {
		t.Errorf("without a server: %+v", away)
	}
}

func TestBulkRefusesOtherFiles(t *testing.T) {
	t.Parallel()
	i := start(t)
	for file, want := range map[string]string{
		"name,short_code\na,b\n":                          `the header line names "name"`,
		"title,title\n":                                   "the header line names title twice",
		"original_url\n\"open":                            "line 2",
		"original_url\n\"" + strings.Repeat("x\n", 1<<20): "it is longer than 1048576 bytes",
		strings.Repeat("x", 2<<20):                        "it is longer than 1048576 bytes",
	} {
		r := command(t, i.environ(), file, "bulk", "-")
		if r.code != cli.ExitFailure || r.out != "" || !strings.Contains(r.err, want) {
			t.Errorf("%.40q: %d %s%s", file, r.code, r.out, r.err)
		}
	}
	if r := i.command(t, "bulk", "-"); r != (result{}) {
		t.Errorf("nothing: %+v", r)
	}
}

func TestQROptions(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=https://sho.rt")
	i.shortenAs(t, "drawn", "https://example.com/")
	plain := i.command(t, "qr", "drawn").out
	seen := map[string]bool{plain: true}
	for _, args := range []string{"--level H", "--margin 0", "--medium flyer"} {
		r := i.command(t, append([]string{"qr", "drawn"}, strings.Fields(args)...)...)
		if r.code != cli.ExitOK || seen[r.out] {
			t.Errorf("qr %s: %+v", args, r)
		}
		seen[r.out] = true
	}
	dir := t.TempDir()
	for name, want := range map[string]string{
		"a.svg": `fill="#eeffee"`, "b.svg": `fill="#123456"`, "c.png": "PNG",
	} {
		file := filepath.Join(dir, name)
		r := i.command(t, "qr", "drawn", "-o", file, "--color", "#123456", "--background",
			"eeffee", "--size", "500")
		picture, err := os.ReadFile(file)
		if r.code != cli.ExitOK || err != nil || !strings.Contains(string(picture), want) {
			t.Errorf("%s: %+v %v", name, r, err)
		}
	}
	for _, args := range []string{
		"--level X", "--margin 21", "--margin=-1", "--medium ü", "--color red -o a.png",
		"--background 12345 -o a.png", "--size 63 -o a.png", "--size 2049 -o a.png",
		"--color 123456", "-o a.gif",
	} {
		r := i.command(t, append([]string{"qr", "drawn"}, strings.Fields(args)...)...)
		if r.code != cli.ExitUsage {
			t.Errorf("qr %s: %+v", args, r)
		}
	}
}

func TestEveryCommandHasHelp(t *testing.T) {
	t.Parallel()
	help := command(t, nil, "", "--help").out
	for name := range strings.FieldsSeq("create list show edit tag bulk history unknown qr clear " +
		"delete") {
		if !strings.Contains(help, "  "+name+" ") {
			t.Errorf("the help has no %s:\n%s", name, help)
		}
		if r := command(t, nil, "", name, "--help"); r.code != cli.ExitOK || r.err != "" {
			t.Errorf("%s --help: %+v", name, r)
		}
	}
}
