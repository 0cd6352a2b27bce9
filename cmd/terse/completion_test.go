package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"terse/internal/cli"
	"terse/internal/tests/tersetest"
)

// completed returns what the scripts are told about words. The last one ends at the cursor.
func completed(t *testing.T, environ []string, words ...string) string {
	t.Helper()
	var out, told output
	code := run(t.Context(), append([]string{"__complete", "--"}, words...), environ, nil, &out,
		&told)
	if code != cli.ExitOK || told.String() != "" {
		t.Errorf("%q: exit code %d: %s", words, code, &told)
	}
	return out.String()
}

func TestCompletionOfTheModel(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"sha": "share\tShare statistics, of a link or more, with people without a token\n" +
			"shares\tList what is shared\n",
		"help unk": "unknown\tList the codes that visitors requested and no link has\n",
		"tag ren":  "rename\tRename a tag on all links\n",
		"edit --rem": "--remove-tag\tRemove a tag, or several with commas between them, and keep " +
			"the others\n--remove-alias\tRemove an address, and keep the others\n",
		"ls --lim":                  "--limit\tHow many to list\n",
		"tag ls --jso":              "--json\tPrint the server's answers as JSON\n",
		"list --limi":               "--limit\tHow many to list\n",
		"list --status ":            "active\nscheduled\nexpired\nused_up\ndisabled\n",
		"list --status=ex":          "--status=expired\n",
		"list -s ex":                "expired\n",
		"stats --we":                "--web\tOpen the dashboard's page of it in the browser\n",
		"list --json --sort n":      "newest\n",
		"--version --ver":           "--version\tPrint the versions\n",
		"top --interval we":         "week\n",
		"serve --tracking a":        "anonymous\n",
		"qr -o ":                    ":files\n",
		"qr --output=":              ":files\n",
		"bulk ":                     ":files\n",
		"bulk a.csv ":               "",
		"completion ":               "bash\nzsh\nfish\n",
		"completion bash ":          "",
		"nothing ":                  "",
		"list -- --st":              "",
		"list --search --status ac": "",
		"__":                        "",
	} {
		if got := completed(t, nil, strings.Split(line, " ")...); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if got := completed(t, nil); !strings.HasPrefix(got, "serve\tRun the server\nlogin\t") {
		t.Errorf("without words: %q", got)
	}
}

func TestCompletionOfCodes(t *testing.T) {
	t.Parallel()
	i := start(t)
	for code, title := range map[string]string{
		"golang": "Go", "gopher": "Its mascot", "rust": "Another", "-go": "A flag",
	} {
		i.makeLink(t, code, "https://example.com/?gopher", `"title":"`+title+`"`)
	}
	environ := []string{"TERSE_URL=" + i.url, "TERSE_TOKEN=" + testToken}
	for line, want := range map[string]string{
		"show gol": "golang\tGo\n",
		// The search also finds the URLs of others.
		"show gop":                          "gopher\tIts mascot\n",
		"show -- -":                         "-go\tA flag\n",
		"tag add x rust":                    "rust\tAnother\n",
		"events rus":                        "rust\tAnother\n",
		"show golang ":                      "",
		"tag add gol":                       "", // the tag
		"show --url http://localhost:1 gol": "",
		"show --token wrong gol":            "",
	} {
		if got := completed(t, environ, strings.Split(line, " ")...); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	got := completed(t, environ, "edit", "")
	if lineCount(got) != 3 || strings.Contains(got, "-go") {
		t.Errorf("all codes: %q", got)
	}
	got = completed(t, nil, "show", "--url="+i.url, "--token", testToken, "rus")
	if got != "rust\tAnother\n" {
		t.Errorf("with flags: %q", got)
	}
}

// What a server answers reaches the shell without control characters, and a refusal does not.
func TestCompletionTrustsNoServer(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"urls":[{"short_code":"go\u001bpher\n","title":"The\u001b[31m\n\t \u202emascot"}]}`: "" +
			"gopher\tThe[31m mascot\n",
		`{"error":"Too many requests"}`: "",
		`<html>`:                        "",
	} {
		asked := make(chan string, 1)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked <- r.URL.Query().Get("limit")
			if strings.Contains(answer, "error") {
				w.WriteHeader(http.StatusTooManyRequests)
			}
			_, _ = io.WriteString(w, answer)
		}))
		t.Cleanup(server.Close)
		got := completed(t, []string{"TERSE_URL=" + server.URL, "TERSE_TOKEN=x"}, "show", "")
		if limit := <-asked; got != want || limit != "100" {
			t.Errorf("%s: %q, want %q; asked for %s codes", answer, got, want, limit)
		}
	}
}

// A server that does not answer is not waited for. What waits here ends only with the test.
func TestCompletionDoesNotWait(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	environ := []string{"TERSE_URL=http://" + ln.Addr().String(), "TERSE_TOKEN=x"}
	if got := completed(t, environ, "show", ""); got != "" {
		t.Errorf("%q", got)
	}
}

// shell is a shell that runs on a terminal. What it runs as terse writes its arguments to a file,
// unless they are about completion.
type shell struct {
	keyboard *os.File
	screen   *output
	home     string
	ran      string // the file
	// completed is a file that exists once a completion has got what it asked for.
	completed string
}

// startShell starts a shell, and waits until it has read the script of completion.
func startShell(t *testing.T, i *instance, load string, command ...string) *shell {
	t.Helper()
	program := tersetest.Binary(t)
	s := &shell{screen: &output{}, home: t.TempDir()}
	s.ran, s.completed = filepath.Join(s.home, "ran"), filepath.Join(s.home, "completed")
	bin := filepath.Join(s.home, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	wrapper := fmt.Sprintf(`#!/bin/sh
case $1 in
completion) exec %[1]s "$@" ;;
__complete) %[1]s "$@" && touch %[2]s ;;
*) echo "$*" >>%[3]s ;;
esac
`, program, s.completed, s.ran)
	if err := os.WriteFile(filepath.Join(bin, "terse"), []byte(wrapper), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(wantProgram(t, command[0]), command[1:]...)
	cmd.Dir = s.home
	cmd.Env = []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + s.home, "TERM=xterm", "LC_ALL=C.UTF-8",
		"TERSE_URL=" + i.url, "TERSE_TOKEN=" + testToken,
	}
	var err error
	if s.keyboard, err = pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		for buf := make([]byte, 4096); ; {
			n, err := s.keyboard.Read(buf)
			_, _ = s.screen.Write(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = s.keyboard.Close()
		<-shown
	})
	s.press(t, load+"\r")
	s.wantRun(t, "terse ready\r", "ready")
	return s
}

func (s *shell) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := s.keyboard.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// wantRun presses keys, and waits for terse to be run with arguments. What is pressed behind a tab
// waits, because zsh completes nothing while more input is there.
func (s *shell) wantRun(t *testing.T, keys, want string) {
	t.Helper()
	_ = os.Remove(s.ran)
	for keys, more := keys, true; more; {
		var part string
		part, keys, more = strings.Cut(keys, "\t")
		s.press(t, part)
		if more {
			_ = os.Remove(s.completed)
			s.press(t, "\t")
			await(t, "the completion", func() bool {
				_, err := os.Stat(s.completed)
				return err == nil
			})
		}
	}
	var ran []byte
	await(t, "the shell to run terse", func() bool {
		ran, _ = os.ReadFile(s.ran)
		return strings.HasSuffix(string(ran), "\n")
	})
	if got := strings.TrimSpace(string(ran)); got != want {
		t.Errorf("%q became %q, want %q; the terminal shows\n%s", keys, got, want, s.screen)
	}
}

func TestCompletionInShells(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.makeLink(t, "golang", "https://go.dev/", `"title":"Home of Go"`)
	i.makeLink(t, "gopher", "https://go.dev/blog/gopher", `"title":"Its: mascot"`)
	i.makeLink(t, "rust", "https://www.rust-lang.org/", `"title":"Another"`)
	for _, c := range [][]string{
		{"source <(terse completion bash)", "bash", "--noprofile", "--norc", "-i"},
		{
			"autoload -Uz compinit; compinit -u -D; source <(terse completion zsh)",
			"zsh", "-f", "-i",
		},
		{
			"terse completion zsh >_terse; fpath=($PWD $fpath); autoload -Uz compinit; " +
				"compinit -u -D",
			"zsh", "-f", "-i",
		},
		{"terse completion fish | source", "fish", "--no-config", "-i"},
	} {
		t.Run(c[1], func(t *testing.T) {
			t.Parallel()
			s := startShell(t, i, c[0], c[1:]...)
			for _, name := range []string{"two links.csv", "page.png"} {
				if err := os.WriteFile(filepath.Join(s.home, name), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for typed, want := range map[string]string{
				"terse his\trust":                    "history rust",
				"terse show ru\t":                    "show rust",
				"terse show --url " + i.url + " r\t": "show --url " + i.url + " rust",
				"terse show --url=" + i.url + " r\t": "show --url=" + i.url + " rust",
				"terse list --unu\t1d":               "list --unused-since 1d",
				"terse list --status sch\t":          "list --status scheduled",
				"terse list --status=sch\t--json":    "list --status=scheduled --json",
				"terse bulk tw\t":                    "bulk two links.csv",
				"terse qr rust -o pa\t":              "qr rust -o page.png",
			} {
				s.wantRun(t, typed+"\r", want)
			}
			s.press(t, "terse show go\t\t")
			for _, title := range []string{"Home of Go", "Its: mascot"} {
				await(t, "the shell to show "+title, func() bool {
					return strings.Contains(s.screen.String(), title)
				})
			}
			if strings.Contains(s.screen.String(), "Another") {
				t.Errorf("it offers another code:\n%s", s.screen)
			}
		})
	}
}
