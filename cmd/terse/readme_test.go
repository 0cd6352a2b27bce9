package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"terse/internal/cli"
	"terse/internal/httpapi"
	"terse/internal/tests/doctest"
	"terse/internal/tests/tersetest"
)

// A module elsewhere can use the Go client in the way that docs/api.md shows.
func TestTheClientInAnotherModule(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "other", "https://example.com/")
	dir := t.TempDir()
	source, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(source, filepath.Join(dir, "terse")); err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(dir, "program")
	if err := os.Mkdir(module, 0o700); err != nil {
		t.Fatal(err)
	}
	program := strings.Replace(doctest.Blocks(t, "../../docs/api.md", "## The Go client", "go")[0],
		"http://localhost:8080", i.url, 1)
	if err := os.WriteFile(filepath.Join(module, "main.go"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	script := "go mod init example.com/program\n" +
		doctest.Blocks(t, "../../docs/api.md", "## The Go client", "sh")[0] +
		"go run . >links\ngo run . >links"
	command := exec.CommandContext(t.Context(), "sh", "-ec", script)
	command.Dir = module
	// Modules come from where our own do, and go.sum has their sums already.
	command.Env = append(os.Environ(), "TERSE_TOKEN="+testToken, "GOWORK=off", "GOSUMDB=off",
		"GOFLAGS=")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	links, err := os.ReadFile(filepath.Join(module, "links"))
	if want := "godoc 0 https://go.dev/doc/\nother 0 https://example.com/\n"; err != nil ||
		string(links) != want {
		t.Errorf("the program printed %q, %v, want %q", links, err, want)
	}
}

// The commands of the documents work as they stand, in their order.
func TestTheDocumentsCommands(t *testing.T) {
	t.Parallel()
	for document, heading := range map[string]string{
		"README.md": "## A tour", "docs/command-line.md": "# The command line",
	} {
		t.Run(document, func(t *testing.T) {
			t.Parallel()
			i := start(t, "BASE_URL=https://sho.rt")
			variable, opened := browser(t)
			picture := filepath.Join(t.TempDir(), "golang.svg")
			block := doctest.Blocks(t, "../../"+document, heading, "sh")[0]
			for line := range strings.Lines(block) {
				given, _, _ := strings.Cut(line, "#")
				args := strings.Fields(strings.Replace(given, "golang.svg", picture, 1))
				if args[0] != "terse" {
					continue // curl and the shell's own
				}
				r := command(t, i.environ(variable), "", args[1:]...)
				if r.code != cli.ExitOK || r.err != "" {
					t.Errorf("%s: %+v", line, r)
				}
			}
			for command, file := range map[string]string{"open": opened, "qr": picture} {
				if !strings.Contains(block, "terse "+command) {
					continue
				}
				if info, err := os.Stat(file); err != nil || info.Size() == 0 {
					t.Errorf("%s: %v", file, err)
				}
			}
		})
	}
}

// created are the codes of new links in the documents.
var created = regexp.MustCompile(`(?:urls -d '\{"short_code":"|--code |` +
	`"original_url":"[^"]*","short_code":")([A-Za-z0-9_-]+)`)

// Whoever follows several documents with one server gets no code twice.
func TestTheDocumentsCodesDiffer(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]string{}
	for _, document := range append(documents, "../../README.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range created.FindAllStringSubmatch(string(text), -1) {
			if before := in[found[1]]; before != "" && before != document {
				t.Errorf("%s and %s both create %s", before, document, found[1])
			}
			in[found[1]] = document
		}
	}
	if len(in) < 10 {
		t.Errorf("found only %v", in)
	}
}

// The curl lines of the documents work as they stand, in their order, and all documents with one
// server.
func TestTheDocumentsRequests(t *testing.T) {
	t.Parallel()
	i := start(t)
	for _, document := range []string{
		"changing-links.md", "tags.md", "bulk.md", "link-options.md", "rules.md",
		"preview-and-qr.md", "sharing.md", "statistics.md", "accounts.md",
	} {
		text, err := os.ReadFile("../../docs/" + document)
		if err != nil {
			t.Fatal(err)
		}
		var script strings.Builder
		for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(
			string(text), -1) {
			script.WriteString(m[1])
		}
		lines := strings.NewReplacer("localhost:8080", strings.TrimPrefix(i.url, "http://"),
			"$(cat data/token)", testToken, "curl -s", "curl -sS").Replace(script.String())
		command := exec.CommandContext(t.Context(), "sh", "-ec", lines)
		command.Dir, command.Env = t.TempDir(), i.environ(pathWithTerse(t))
		out, err := command.CombinedOutput()
		if err != nil || strings.Contains(string(out), "HTTP/1.1 5") ||
			strings.Contains(string(out), `"status":409`) ||
			strings.Contains(string(out), `{"error":`) != strings.Contains(lines, "If-Match") {
			t.Errorf("%s: %v\n%s", document, err, out)
		}
	}
}

// visits are the lines of curl that open a short URL: not what the server has itself, and neither
// its preview nor its picture.
var visits = regexp.MustCompile(`curl .*localhost:8080/([A-Za-z0-9_-]{3,20})(?:[ "?/]|$)`)

// Whoever follows a document finds what it has them do in the statistics of people, of which curl
// under its own name is none.
func TestTheDocumentsVisitsAreOfPeople(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, document := range append(documents, "../../README.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		script := strings.ReplaceAll(string(text), "\\\n", "")
		for line := range strings.Lines(script) {
			line = strings.TrimRight(line, "\n")
			visit := visits.FindStringSubmatch(line)
			if visit == nil || slices.Contains(httpapi.Reserved(), visit[1]) {
				continue
			}
			found++
			if !strings.Contains(line, "Mozilla/") {
				t.Errorf("%s: a bot's visit: %s", document, line)
			}
		}
	}
	if found == 0 {
		t.Error("no visit found")
	}
}

// The tour's visit is one that its reader then sees.
func TestTheToursVisitCounts(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=https://sho.rt")
	i.shortenAs(t, "godoc", "https://go.dev/doc/")
	for line := range strings.Lines(doctest.Blocks(t, "../../README.md", "## A tour", "sh")[0]) {
		if !strings.HasPrefix(line, "curl -si") {
			continue
		}
		line = strings.Replace(line, "localhost:8080", i.url, 1)
		out, err := exec.CommandContext(t.Context(), "sh", "-ec", line).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "302 Found") {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	i.clicks(t, "godoc", 1)
	stats := i.do(t, "GET /api/urls/godoc/clicks?visitor=person", "", authorized())
	if !strings.Contains(stats.body, `"total_clicks":1,`) {
		t.Error(stats.body)
	}
}

// pathWithTerse returns the variable PATH of a shell that finds terse.
func pathWithTerse(t *testing.T) string {
	t.Helper()
	programs := t.TempDir()
	if err := os.Symlink(tersetest.Binary(t), filepath.Join(programs, "terse")); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + programs + ":" + os.Getenv("PATH")
}

// A shell runs all of the command line's document, in its order.
func TestTheCommandLinesDocument(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=https://sho.rt")
	dir := t.TempDir()
	variable, _ := browser(t)
	var script strings.Builder
	for _, heading := range []string{
		"# The command line", "## Output", "## Options", "## Tags", "## Many links", "## QR codes",
	} {
		blocks := doctest.Blocks(t, "../../docs/command-line.md", heading, "sh")
		script.WriteString(strings.Join(blocks, ""))
	}
	shell := exec.CommandContext(t.Context(), "sh", "-exc", script.String())
	shell.Dir, shell.Env = dir, i.environ(variable, pathWithTerse(t))
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, file := range []string{"golang.svg", "sale.png", "poster.svg", "links.jsonl"} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
}
