package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"terse/api"
	"terse/internal/cli"
)

// aliased starts a server with a link that has aliases of all kinds.
func aliased(t *testing.T, env ...string) *instance {
	t.Helper()
	i := start(t, env...)
	r := i.command(t, "create", "https://example.com/", "--code", "first", "--alias",
		"docs/install", "--alias", "a, b", "--alias", "gru\u0308ße")
	if r.code != cli.ExitOK || lineCount(r.out) != 1 {
		t.Fatalf("create: %+v", r)
	}
	return i
}

// Aliases are shown as short URLs, and given as they are or as these.
func TestAliasesAreShown(t *testing.T) {
	t.Parallel()
	i := aliased(t, "BASE_URL=https://sho.rt/go")
	for width, want := range map[uint16]string{
		0: "\naliases\thttps://sho.rt/go/docs/install; https://sho.rt/go/a,%20b; " +
			"https://sho.rt/go/gr%C3%BC%C3%9Fe\n",
		80: "\naliases           https://sho.rt/go/docs/install\n" +
			"                  https://sho.rt/go/a,%20b\n" +
			"                  https://sho.rt/go/gr%C3%BC%C3%9Fe\n",
	} {
		r := i.command(t, "show", "first")
		if width > 0 {
			r = i.onTerminal(t, width, "show", "first")
		}
		if text := escapes.ReplaceAllString(r.out, ""); !strings.Contains(text, want) {
			t.Errorf("%d columns: no %q in %s", width, want, text)
		}
	}
	var link api.Link
	r := i.command(t, "show", "first", "--json")
	if err := json.Unmarshal([]byte(r.out), &link); err != nil ||
		!slices.Equal(link.Aliases, []string{"docs/install", "a, b", "grüße"}) {
		t.Errorf("as JSON: %v %s", err, r.out)
	}
	r = i.command(t, "edit", "first", "--remove-alias", "https://sho.rt/go/gr%c3%bc%C3%9Fe",
		"--remove-alias", "https://sho.rt/go/a, b")
	if !strings.Contains(r.out, "\naliases\thttps://sho.rt/go/docs/install\n") {
		t.Errorf("taken off by their URLs: %+v", r)
	}
}

// Links are found by their aliases, and a list has a column for them where there is room.
func TestListHasAliases(t *testing.T) {
	t.Parallel()
	i := aliased(t)
	i.shortenAs(t, "other", "https://example.com/")
	r := i.command(t, "list", "--search", "docs/install")
	if !strings.HasPrefix(r.out, "first\t") || lineCount(r.out) != 1 {
		t.Errorf("found by an alias: %+v", r)
	}
	r = i.command(t, "list", "--jq", ".urls[] | [.short_code, .aliases[]?] | @csv")
	if r.out != "\"other\"\n\"first\",\"docs/install\",\"a, b\",\"grüße\"\n" {
		t.Errorf("as JSON: %+v", r)
	}
	for width, want := range map[uint16]string{
		100: "CODE   CLICKS  ALIASES                   CREATED ",
		34:  "CODE   CLICKS  URL",
	} {
		text := escapes.ReplaceAllString(i.onTerminal(t, width, "list").out, "")
		if !strings.HasPrefix(text, want) ||
			strings.Contains(text, "first       0  docs/install, a, b, grü…") != (width == 100) {
			t.Errorf("%d columns: no %q in\n%s", width, want, text)
		}
	}
}

// TestEditAddresses gives a link other aliases and codes by every flag.
func TestEditAddresses(t *testing.T) {
	t.Parallel()
	i := aliased(t)
	code := "first"
	for _, tt := range []struct{ args, want string }{
		{"--remove-alias|a, b|--add-alias|v1", "first docs/install grüße v1"},
		{"--add-alias|gru\u0308ße", "first docs/install grüße v1"},
		{"--add-alias|first|--add-alias|a,b", "first docs/install grüße v1 a,b"},
		{"--remove-alias|gru\u0308ße|--remove-alias|a,b", "first docs/install v1"},
		{"--code|second", "second docs/install v1 first"},
		{"--code|third|--remove-alias|second|--add-alias|2", "third docs/install v1 first 2"},
		{"--code|first|--add-alias|3", "first docs/install v1 2 third 3"},
		{"--code|fourth|--alias|4|--tag|x", "fourth 4"},
		{"--code|fifth|--clear|aliases", "fifth"},
		{"--alias|1|--alias|2|--alias|fifth", "fifth 1 2"},
		{"--remove-alias|1|--remove-alias|2|--add-tag|y", "fifth"},
	} {
		args := append([]string{"edit", code, "--jq", `[.short_code, .aliases[]?] | join(" ")`},
			strings.Split(tt.args, "|")...)
		if r := i.command(t, args...); r.code != cli.ExitOK || r.out != tt.want+"\n" {
			t.Errorf("%s: %+v, want %s", tt.args, r, tt.want)
		}
		code, _, _ = strings.Cut(tt.want, " ")
	}
	if link, err := i.client().Link(t.Context(), "fifth"); err != nil ||
		!slices.Equal(link.Tags, []string{"x", "y"}) {
		t.Errorf("tags beside aliases: %v %v", link.Tags, err)
	}
}

// What is wrong with addresses is said in the words that were typed, and nothing is changed.
func TestBadAddresses(t *testing.T) {
	t.Parallel()
	i := aliased(t)
	i.shortenAs(t, "other", "https://example.com/")
	before := i.command(t, "show", "first").out
	many := func(flag string, n int) string {
		var args strings.Builder
		for k := range n {
			fmt.Fprintf(&args, " %s x%d", flag, k)
		}
		return args.String()
	}
	for _, tt := range []struct {
		args string
		code int
		told string
	}{
		{"edit first --add-alias other", cli.ExitFailure, "Address already exists: other."},
		{
			"edit other --add-alias b --add-alias docs/install", cli.ExitFailure,
			"Address already exists: docs/install.",
		},
		{"create u --alias docs/install", cli.ExitFailure, "Address already exists: docs/install."},
		{"create u --code new --alias other", cli.ExitFailure, "Address already exists: other."},
		{"edit other --code first --add-alias b", cli.ExitFailure, `The code "first" is taken.`},
		{"edit first --code other", cli.ExitFailure, `The code "other" is taken.`},
		{"edit first --code api", cli.ExitFailure, "--code is reserved."},
		{"edit first --code a/b", cli.ExitFailure, "--code may have only the characters"},
		{"edit first --clear code", cli.ExitFailure, "--code must be 3-20 characters"},
		{"edit first --add-alias api/x", cli.ExitFailure, "Address is reserved: api/x."},
		{"create u --alias .well-known/x", cli.ExitFailure, "Address is reserved: .well-known/x."},
		{"edit first --add-alias a?b", cli.ExitFailure, "--alias must be 1 to 128 bytes"},
		{"create u --alias logo.svg", cli.ExitFailure, "--alias must be 1 to 128 bytes"},
		{"edit first" + many("--alias", 21), cli.ExitFailure, "At most 20 aliases."},
		{"edit first" + many("--add-alias", 18), cli.ExitFailure, "At most 20 aliases."},
		{"create u" + many("--alias", 21), cli.ExitFailure, "At most 20 aliases."},
		{
			"edit first --remove-alias nothere --code new", cli.ExitFailure,
			`"nothere" is no alias of "first". See terse show first.`,
		},
		{"edit first --remove-alias first", cli.ExitFailure, `"first" is no alias of "first".`},
		{"edit nothere --remove-alias x", cli.ExitNotFound, `No link "nothere".`},
		{"edit first --add-alias x --if-match \"9\"", cli.ExitFailure, "has changed meanwhile"},
		{"edit first --add-alias a --alias b", cli.ExitUsage, "don't go with --alias"},
		{"edit first --remove-alias a --clear aliases", cli.ExitUsage, "and --clear aliases"},
		{"edit first --alias a --clear alias", cli.ExitUsage, "--clear alias is not for"},
		{"edit first --add-alias a --idempotency-key k", cli.ExitUsage, "doesn't go with"},
		{"create u v --alias a", cli.ExitUsage, "--alias, --open, --copy and --idempotency-key go"},
		{"create - --alias a", cli.ExitUsage, "go with one URL"},
		{"qr first --alias other", cli.ExitFailure, `"other" is no alias of "first".`},
		{"show docs/nothing", cli.ExitNotFound, `No link "docs/nothing".`},
	} {
		args := strings.Fields(tt.args)
		if args[1] == "u" {
			args[1] = "https://new.example/"
		}
		r := i.command(t, args...)
		if r.code != tt.code || !strings.Contains(r.err, tt.told) || lineCount(r.err) != 1 ||
			r.out != "" {
			t.Errorf("%s: %+v", tt.args, r)
		}
	}
	if after := i.command(t, "show", "first").out; after != before {
		t.Errorf("it was changed: %s", after)
	}
	if page, err := i.client().List(t.Context(), 1, 0); err != nil || page.Total != 2 {
		t.Errorf("%d links, %v", page.Total, err)
	}
}

// What another code does to the aliases goes without saying.
func TestHistoryOfCodes(t *testing.T) {
	t.Parallel()
	i := aliased(t)
	code := "first"
	for _, tt := range []struct {
		args, code string
		want       []string
	}{
		{"--code second", "second", []string{"changed the short code from “first” to “second”."}},
		{"--code first", "first", []string{"changed the short code from “second” to “first”."}},
		{"--code third --add-alias v1", "third", []string{
			"added the alias “v1”.", "changed the short code from “first” to “third”.",
		}},
		{"--code fourth --clear aliases", "fourth", []string{
			"removed the aliases “docs/install”, “a, b”, “grüße”, “second”, “first”, “v1”, " +
				"“third”.",
			"changed the short code from “third” to “fourth”.",
		}},
	} {
		r := i.command(t, append([]string{"edit", code}, strings.Fields(tt.args)...)...)
		if r.code != cli.ExitOK {
			t.Fatalf("%s: %+v", tt.args, r)
		}
		code = tt.code
		history := strings.Split(i.command(t, "history", code).out, "\n")
		for k, want := range tt.want {
			if !strings.HasSuffix(history[k], " "+want) {
				t.Errorf("%s: %q, want %q", tt.args, history[k], want)
			}
		}
	}
	if n := lineCount(i.command(t, "history", code).out); n != 6 {
		t.Errorf("%d sentences, want 6", n)
	}
}

// Blanks separate the aliases in a cell. An operation is about the code that the link has.
func TestBulkAddresses(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=https://sho.rt")
	r := command(t, i.environ(), "original_url,short_code,aliases\n"+
		"https://a.example/,first,\"docs/a, a,b  grüße\"\n"+
		"https://b.example/,second,docs/a\n", "bulk", "-")
	if r.code != cli.ExitFailure || r.out != "2\t201\thttps://sho.rt/first\thttps://a.example/\n"+
		"3\t409\tsecond\tAddress already exists: docs/a.\n" {
		t.Errorf("CSV: %+v", r)
	}
	r = command(t, i.environ(), "op,short_code,aliases\nupdate,first,\"1; a,b c\"\n", "bulk",
		"-", "--dry-run")
	if r.out != `{"op":"update","short_code":"first","link":{"aliases":["1","a,b","c"]}}`+"\n" {
		t.Errorf("--dry-run: %+v", r)
	}
	r = command(t, i.environ(), `{"op":"create","link":{"original_url":"https://b.example/",`+
		`"short_code":"second","aliases":["v1","two words"]}}
{"op":"update","short_code":"first","link":{"short_code":"third"}}
{"op":"update","short_code":"first","link":{"short_code":"fourth"}}
{"op":"update","short_code":"third","link":{"short_code":"v1"}}
{"op":"update","short_code":"third","link":{"short_code":"second"}}
{"op":"update","short_code":"third","link":{"short_code":"v1x","aliases":["v1"]}}
{"op":"update","short_code":"second","link":{"aliases":null}}
`, "bulk", "-")
	want := "1\t201\thttps://sho.rt/second\thttps://b.example/\n" +
		"2\t200\thttps://sho.rt/third\thttps://a.example/\n" +
		"3\t404\tfirst\tNo link \"first\".\n" +
		"4\t400\tthird\tShort code must be 3-20 characters of a-z, A-Z, 0-9, _ and -.\n" +
		"5\t409\tsecond\tThe code \"second\" is taken.\n" +
		"6\t409\tv1x\tAddress already exists: v1.\n" +
		"7\t200\thttps://sho.rt/second\thttps://b.example/\n"
	if r.out != want || r.code != cli.ExitFailure {
		t.Errorf("JSON lines: %+v, want\n%s", r, want)
	}
	for code, aliases := range map[string][]string{
		"third": {"docs/a", "a,b", "grüße", "first"}, "second": nil,
	} {
		link, err := i.client().Link(t.Context(), code)
		if err != nil || !slices.Equal(link.Aliases, aliases) {
			t.Errorf("%s: %v %q", code, err, link.Aliases)
		}
	}
}

// The QR code of an alias is that of its short URL, as the server's is.
func TestQROfAnAlias(t *testing.T) {
	t.Parallel()
	i := aliased(t, "BASE_URL=https://sho.rt")
	want := drawQR(t, "https://sho.rt/gr%C3%BC%C3%9Fe?utm_medium=qr")
	path := filepath.Join(t.TempDir(), "alias.svg")
	picture := i.do(t, "GET /gr%C3%BC%C3%9Fe.svg?medium=qr", "")
	for _, alias := range []string{"grüße", "https://sho.rt/gr%C3%BC%C3%9Fe"} {
		r := i.command(t, "qr", "first", "--alias", alias, "--medium", "qr", "-o", path)
		if r.code != cli.ExitOK {
			t.Fatalf("%s: %+v", alias, r)
		}
		sameModules(t, alias, readSVG(t, path), want)
	}
	if err := os.WriteFile(path, []byte(picture.body), 0o600); err != nil {
		t.Fatal(err)
	}
	sameModules(t, "the server", readSVG(t, path), want)
}

// A server that ignores case takes any spelling of a code, and shows the one that was given.
func TestCommandsIgnoreCase(t *testing.T) {
	t.Parallel()
	i := aliased(t, "IGNORE_CASE=true")
	for _, tt := range []struct{ args, want string }{
		{"edit FIRST --code First --add-alias V1", "First docs/install a, b grüße V1"},
		{"edit first --add-alias DOCS/INSTALL", "First docs/install a, b grüße V1"},
		{"show fIRST", "First docs/install a, b grüße V1"},
	} {
		r := i.command(t, append(strings.Fields(tt.args), "--jq",
			`[.short_code, .aliases[]?] | join(" ")`)...)
		if r.code != cli.ExitOK || r.out != tt.want+"\n" {
			t.Errorf("%s: %+v, want %s", tt.args, r, tt.want)
		}
	}
	r := i.command(t, "history", "first", "--jq", ".changes | length")
	if r.out != "1\n" {
		t.Errorf("changes: %+v", r)
	}
	if r := i.command(t, "history", "first"); lineCount(r.out) != 2 ||
		!strings.Contains(r.out, " added the alias “V1”.\n") ||
		!strings.Contains(r.out, " changed the short code from “first” to “First”.\n") {
		t.Errorf("history: %+v", r)
	}
	r = i.command(t, "create", "https://example.com/", "--alias", "GRÜßE")
	if r.code != cli.ExitFailure || r.err != "Address already exists: GRÜßE.\n" {
		t.Errorf("another spelling: %+v", r)
	}
}
