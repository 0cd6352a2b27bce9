package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"terse/internal/cli"
	"terse/internal/tests/doctest"
	"terse/internal/tests/tersetest"
)

// inUTF16 encodes a text as spreadsheets do that save it as Unicode.
func inUTF16(text string, mark bool) string {
	var b strings.Builder
	if mark {
		b.WriteString("\xff\xfe")
	}
	for _, unit := range utf16.Encode([]rune(text)) {
		b.Write([]byte{byte(unit), byte(unit >> 8)})
	}
	return b.String()
}

// textFile returns the path of a new file.
func textFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A byte order mark is no part of a text, wherever it comes from.
func TestByteOrderMarks(t *testing.T) {
	t.Parallel()
	const mark = "\ufeff"
	i := start(t)
	target := func(code string) string {
		return i.do(t, "GET /"+code, "", "X-Link-Password: secret").Header.Get("Location")
	}
	r := command(t, i.environ(), mark+"https://a.example/\nhttps://b.example/\n", "create")
	if r.code != cli.ExitOK || !strings.Contains(r.out, "\thttps://a.example/\n") {
		t.Errorf("create: %+v", r)
	}
	sheet := textFile(t, "links.csv", mark+"short_code,original_url\nfirst,https://c.example/\n")
	if r := i.command(t, "bulk", sheet); r.code != cli.ExitOK ||
		target("first") != "https://c.example/" {
		t.Errorf("bulk: %+v", r)
	}
	rules := textFile(t, "rules.json", mark+`[{"name": "all", "url": "https://d.example/"}]`)
	if r := i.command(t, "edit", "first", "--rule", "@"+rules); r.code != cli.ExitOK ||
		target("first") != "https://d.example/" {
		t.Errorf("edit --rule: %+v", r)
	}
	password := textFile(t, "password", mark+"secret\r\n")
	if r := i.command(t, "edit", "first", "--password-file", password); r.code != cli.ExitOK ||
		target("first") != "https://d.example/" {
		t.Errorf("edit --password-file: %+v", r)
	}
	if r := command(t, i.environ(), mark+"secret\n", "edit", "first", "--password",
		"-"); r.code != cli.ExitOK || target("first") != "https://d.example/" {
		t.Errorf("edit --password -: %+v", r)
	}
	environ := []string{"TERSE_URL=" + i.url, "HOME=" + t.TempDir()}
	if r := command(t, environ, mark+testToken+"\n", "login"); r.code != cli.ExitOK {
		t.Errorf("login: %+v", r)
	}
	token := textFile(t, "token", mark+testToken+"\r\n")
	if r := command(t, append(environ, "TERSE_TOKEN_FILE="+token), "",
		"list"); r.code != cli.ExitOK {
		t.Errorf("a token in a file: %+v", r)
	}
}

// Text in another encoding is refused with what to do.
func TestTextThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	i := start(t)
	const sheet = "original_url,title\nhttps://example.com/,Köln\n"
	latin1 := strings.ReplaceAll(sheet, "ö", "\xf6")
	for name, text := range map[string]string{
		"JSON in UTF-16":        inUTF16(`{"op":"delete","short_code":"x"}`, true),
		"Latin-1":               latin1,
		"Latin-1 in the header": strings.Replace(latin1, "title", "Stra\xdfe", 1),
	} {
		for file, stdin := range map[string]string{"-": text, textFile(t, "x.csv", text): ""} {
			r := command(t, i.environ(), stdin, "bulk", file)
			if told := r.out + r.err; r.code != cli.ExitFailure ||
				!strings.Contains(strings.ToLower(told), "save ") ||
				!strings.Contains(told, "UTF-8") || strings.Contains(told, `\x`) {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
	for _, mark := range []bool{true, false} { // as spreadsheets save it
		r := command(t, i.environ(), inUTF16(sheet, mark), "bulk", "-", "--json")
		if r.code != cli.ExitOK || !strings.Contains(r.out, "Köln") {
			t.Errorf("a sheet in UTF-16: %+v", r)
		}
	}
	r := command(t, i.environ(), inUTF16("https://example.com/\n", true), "create")
	if r.code != cli.ExitFailure || !strings.Contains(r.err, "save it as UTF-8") {
		t.Errorf("create: %+v", r)
	}
}

// A code that is taken is named, however the operations are written.
func TestTakenCodesAreNamed(t *testing.T) {
	t.Parallel()
	i := start(t)
	for name, file := range map[string]string{
		"CSV": "original_url,short_code\nhttps://example.com/,twice-csv\n" +
			"https://example.com/,twice-csv\n",
		"JSON lines": strings.Repeat(`{"op": "create", "link": {"original_url": `+
			`"https://example.com/", "short_code": "twice-json"}}`+"\n", 2),
	} {
		r := command(t, i.environ(), file, "bulk", "-")
		_, second, _ := strings.Cut(r.out, "\n")
		if r.code != cli.ExitFailure || !strings.Contains(second, "\t409\ttwice-") ||
			!strings.Contains(second, `The code "twice-`) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// A token with a line end in it could never be sent: the server is not to blame.
func TestAMalformedToken(t *testing.T) {
	t.Parallel()
	i := start(t)
	for _, token := range []string{
		testToken + "\r", testToken + " ", "\ufeff" + testToken, "tökén",
	} {
		r := command(t, []string{"TERSE_URL=" + i.url, "TERSE_TOKEN=" + token}, "", "list")
		if r.code != cli.ExitUsage || !strings.Contains(r.err, "token is malformed") ||
			strings.Contains(r.err, testToken) {
			t.Errorf("%q: %+v", token, r)
		}
	}
}

// Where there is no server's data, a token would be one that no server knows.
func TestTokenMakesNothing(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	missing := filepath.Join(root, "data")
	for _, dir := range []string{missing, root} {
		r := command(t, []string{"DATA_DIR=" + dir}, "", "token")
		if r.code != cli.ExitNotFound || r.out != "" ||
			!strings.Contains(r.err, "No access token in "+dir+".") ||
			!strings.Contains(r.err, "DATA_DIR") {
			t.Errorf("%s: %+v", dir, r)
		}
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 0 {
		t.Errorf("it made %v, %v", entries, err)
	}
}

// What is asked of a server that is not there ends as it does for every command.
func TestHealthcheckWithoutAServer(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	_ = listener.Close() // nobody listens there now
	r := command(t, []string{"SERVER_PORT=" + port}, "", "healthcheck")
	want := "Can't reach http://127.0.0.1:" + port + "/ready (connection refused). Is it running?\n"
	if r.code != cli.ExitUnreachable || r.err != want {
		t.Errorf("%+v, want %q", r, want)
	}
}

// Messages name flags and fields as they were typed.
func TestMessagesNameWhatWasTyped(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "fields", "https://example.com/")
	for args, want := range map[string]string{
		"edit fields --to nonsense":                                     "--to must be a valid",
		"edit fields --expired-url nonsense":                            "--expired-url must be",
		`edit fields --rule {"name":"a","when":{"device":["toaster"]}}`: "rules[0].when.device",
	} {
		r := i.command(t, strings.Fields(args)...)
		if r.code != cli.ExitFailure || !strings.HasPrefix(r.err, want) ||
			lineCount(r.err) != 1 {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

// A pasted URL may be longer than what the server searches for: its beginning finds the link.
func TestALongSearchIsCut(t *testing.T) {
	t.Parallel()
	i := start(t)
	original := "https://example.com/" + strings.Repeat("é", 300)
	i.shortenAs(t, "longer", original)
	if r := i.command(t, "list", "--search", original); r.code != cli.ExitOK ||
		!strings.HasPrefix(r.out, "longer\t") {
		t.Errorf("%+v", r)
	}
}

// Lines of a terminal end between words.
func TestLinesEndBetweenWords(t *testing.T) {
	t.Parallel()
	i := start(t)
	const title = "Everything about the conference in one place elsewhere"
	if r := i.command(t, "create", "https://example.com/", "--code", "words", "--title",
		title); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	if r := i.command(t, "edit", "words", "--title", title+" again"); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	for _, args := range []string{"show words", "history words"} {
		for width := uint16(40); width < 60; width++ {
			r := i.onTerminal(t, width, strings.Fields(args)...)
			for word := range strings.FieldsSeq(title) {
				if !strings.Contains(escapes.ReplaceAllString(r.out, ""), word) {
					t.Errorf("%s in %d columns breaks %q:\n%s", args, width, word, r.out)
				}
			}
		}
	}
}

// The zone that Debian names Etc/UTC is UTC to people.
func TestTheNameOfUTC(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "zone", "https://example.com/")
	i.click(t, "zone", "", map[string]int{"": 1})
	r := command(t, append(i.environ(), "TZ=Etc/UTC"), "", "stats", "zone")
	if !strings.Contains(r.out, "Clicks by day, UTC\n") {
		t.Errorf("%+v", r)
	}
}

// A family of emoji is one picture, whose parts are joined.
func TestJoinersAreKept(t *testing.T) {
	t.Parallel()
	i := start(t)
	const family = "👨\u200d👩\u200d👧"
	i.shortenAs(t, "family", "https://example.com/")
	if r := i.command(t, "edit", "family", "--title", family); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	if r := i.command(t, "show", "family"); !strings.Contains(r.out, family) {
		t.Errorf("%+v", r)
	}
}

// The pipelines of the documents take codes that begin with a dash for codes.
func TestThePipelinesTakeCodesWithADash(t *testing.T) {
	t.Parallel()
	i := start(t)
	if r := i.command(t, "create", "https://example.com/", "--code=-sale-", "--tag",
		"shop"); r.code != cli.ExitOK {
		t.Fatalf("%+v", r)
	}
	path := tersetest.Binary(t)
	ran := 0
	block := doctest.Blocks(t, "../../docs/command-line.md", "## Tags", "sh")[0]
	for line := range strings.Lines(block) {
		if !strings.Contains(line, "xargs") {
			continue
		}
		ran++
		shell := exec.CommandContext(t.Context(), "sh", "-ec",
			strings.ReplaceAll(line, "terse ", path+" "))
		shell.Env = i.environ("PATH=" + os.Getenv("PATH"))
		out, err := shell.CombinedOutput()
		tags := i.command(t, "show", "--", "-sale-").out
		if err != nil || !strings.Contains(tags, "old") {
			t.Errorf("%s: %v\n%s\n%s", line, err, out, tags)
		}
	}
	if ran == 0 {
		t.Error("the document has no pipeline")
	}
}
