package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"terse/internal/cli"
	"terse/internal/tests/pgtest"
)

// record is what happened to parts, in order.
type record struct {
	mu    sync.Mutex
	lines []string
}

func (r *record) add(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
}

// of returns parts that write down what happens to them.
func (r *record) of(parts []part) (recorded []part) {
	for _, p := range parts {
		recorded = append(recorded, part{p.name, func(n *node, ctx context.Context) (work, error) {
			w, err := p.start(n, ctx)
			if err != nil {
				return w, err
			}
			r.add("start " + p.name)
			finish, end := w.finish, w.close
			w.finish = func(ctx context.Context) {
				if finish != nil {
					finish(ctx)
				}
				r.add("finish " + p.name)
			}
			w.close = func() (err error) {
				if end != nil {
					err = end()
				}
				r.add("close " + p.name)
				return err
			}
			return w, nil
		}})
	}
	return recorded
}

func (r *record) want(t *testing.T, want []string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Equal(r.lines, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(r.lines, "\n"), strings.Join(want, "\n"))
	}
}

// prefixed returns names with a word before each.
func prefixed(word string, names []string) (lines []string) {
	for _, name := range names {
		lines = append(lines, word+" "+name)
	}
	return lines
}

func partNames(parts []part) (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

func reversed(names []string) []string {
	names = slices.Clone(names)
	slices.Reverse(names)
	return names
}

// testNode is a node that has not started.
func testNode(t *testing.T, dir string, env ...string) *node {
	t.Helper()
	vars := variables(environFor(dir, env))
	s, err := settingsOf(vars, dir, vars["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	n := newNode(s)
	n.out = &output{}
	return n
}

// startParts starts a node of parts, whose serve ends when stop is called.
func startParts(t *testing.T, parts []part, env ...string) (n *node, stop func() error) {
	t.Helper()
	n = testNode(t, t.TempDir(), env...)
	if err := n.start(t.Context(), parts); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- n.serve(ctx) }()
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { _ = stop() })
	return n, stop
}

// ends is the order in which a server's parts end, with the reasons beside serverParts.
var ends = []string{
	"requests", "past clients", "redirects", "rate limits", "certificates", "webhooks",
	"domains",
	"listener", "who may come in", "memory", "backups", "audit", "retention", "days of visitors",
	"counting", "unknown codes",
	"changes by others", "click journal", "database", "room in the journal",
	"interrupted restore", "blocked targets", "country data", "access tokens", "log",
	"lock of the backups", "lock of the database", "lock of the data folder",
}

// Each part has ended wholly before the next one ends.
func TestPartsEndInOrder(t *testing.T) {
	t.Parallel()
	var happened record
	_, stop := startParts(t, happened.of(serverParts))
	if err := stop(); err != nil {
		t.Error(err)
	}
	want := prefixed("start", reversed(ends))
	for _, name := range ends {
		want = append(want, "finish "+name, "close "+name)
	}
	happened.want(t, want)
}

// Wherever a start fails, all that has started is closed, the last part first. Nothing is finished,
// for nothing ran. So the next start finds everything free.
func TestPartsThatStartedAreClosed(t *testing.T) {
	t.Parallel()
	for database, url := range map[string]string{"SQLite": "", "PostgreSQL": pgtest.URL(t)} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			errBroken := errors.New("broken")
			for i := range len(serverParts) + 1 {
				var happened record
				parts := append(happened.of(serverParts[:i]),
					part{"broken", func(*node, context.Context) (work, error) {
						return work{}, errBroken
					}})
				n := testNode(t, dir, "DATABASE_URL="+url)
				if err := n.start(t.Context(), parts); !errors.Is(err, errBroken) ||
					err.Error() != "broken" {
					t.Errorf("after %d parts: %v", i, err)
				}
				started := partNames(serverParts[:i])
				happened.want(t, append(prefixed("start", started),
					prefixed("close", reversed(started))...))
			}
			startIn(t, dir, "DATABASE_URL="+url)
		})
	}
}

// What can be wrong at a start is said, with the exit code, and nothing stays behind: once it is
// put right, the same process can start a server there.
func TestStartsThatFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env   []string
		spoil func(t *testing.T, dir string) (mend func())
		code  int
		said  string
	}{
		"the data folder is locked": {
			spoil: func(t *testing.T, dir string) func() { return hold(t, lockDataDir, dir) },
			code:  cli.ExitFailure, said: "is in use by another terse server",
		},
		"the database is locked": {
			spoil: func(t *testing.T, dir string) func() {
				return hold(t, lockDatabase, filepath.Join(dir, "terse.db"))
			},
			code: cli.ExitFailure, said: "DATABASE_URL: ",
		},
		"the backups are locked": {
			env: []string{"BACKUP_DIR=DIR/backups"},
			spoil: func(t *testing.T, dir string) func() {
				return hold(t, lockBackupDir, filepath.Join(dir, "backups"))
			},
			code: cli.ExitFailure, said: "BACKUP_DIR DIR/backups is in use",
		},
		"the access token is no file": {
			env:   []string{"AUTH_TOKENS"},
			spoil: makeFolder("token"), code: cli.ExitFailure, said: "access token: ",
		},
		"the country data is no database": {
			env:   []string{"GEOIP_DATABASE=DIR/countries"},
			spoil: makeFolder("countries"), code: cli.ExitSettings, said: "GEOIP_DATABASE: ",
		},
		"the rest of a restore stays": {
			spoil: makeFolder("terse.db.restored.part/x"), code: cli.ExitFailure,
			said: "complete an interrupted restore: ",
		},
		"the database is no file": {
			spoil: makeFolder("terse.db"), code: cli.ExitFailure, said: "open the database: ",
		},
		"the journal is no folder": {
			spoil: makeFile("journal"), code: cli.ExitFailure, said: "open the click journal: ",
		},
		"the address is of another machine": {
			env:   []string{"LISTEN_HOST", "LISTEN_HOST=192.0.2.1"},
			spoil: func(*testing.T, string) func() { return func() {} },
			code:  cli.ExitFailure, said: "listen: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			mend := c.spoil(t, dir)
			var env []string
			for _, entry := range c.env {
				env = append(env, strings.ReplaceAll(entry, "DIR/", dir+"/"))
			}
			var told output
			code := run(t.Context(), []string{"serve"}, environFor(dir, env), nil, io.Discard,
				&told)
			said := strings.ReplaceAll(c.said, "DIR/", dir+"/")
			if code != c.code || !strings.Contains(told.String(), said) ||
				!strings.Contains(told.String(), "terse doctor") {
				t.Errorf("exit code %d, want %d: %s", code, c.code, &told)
			}
			mend()
			startIn(t, dir).shorten(t, "https://example.com/")
		})
	}
}

// hold locks something until mend is called.
func hold(t *testing.T, lock func(string) (func(), error), path string) (mend func()) {
	t.Helper()
	unlock, err := lock(path)
	if err != nil {
		t.Fatal(err)
	}
	return unlock
}

func makeFolder(name string) func(*testing.T, string) func() {
	return func(t *testing.T, dir string) func() {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		return func() { _ = os.RemoveAll(path) }
	}
}

func makeFile(name string) func(*testing.T, string) func() {
	return func(t *testing.T, dir string) func() {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return func() { _ = os.Remove(path) }
	}
}

// A further part is a row, wherever it stands: it runs, warns, is measured, finishes in the time
// that is left, and closes.
func TestAFurtherPart(t *testing.T) {
	t.Parallel()
	var happened record
	further := part{"further", func(n *node, _ context.Context) (work, error) {
		happened.add("start")
		n.metrics.gauge("terse_further", "A further part.", func() float64 { return 42 })
		return work{
			run: func(ctx context.Context) error {
				happened.add("run")
				<-ctx.Done()
				happened.add("end")
				return ctx.Err()
			},
			finish: func(ctx context.Context) {
				<-ctx.Done() // whatever a part waits for, it ends
				happened.add("finish")
			},
			close:   func() error { happened.add("close"); return nil },
			warning: func() string { return "it is a further part" },
		}, nil
	}}
	at := slices.Index(partNames(serverParts), "counting")
	n, stop := startParts(t, slices.Insert(slices.Clone(serverParts), at, further),
		"SHUTDOWN_TIMEOUT=200ms")
	server := &instance{url: "http://" + n.listener.Addr().String()}
	if value := server.metric(t, "terse_further"); value != 42 {
		t.Errorf("its metric is %v", value)
	}
	if ready := server.do(t, "GET /ready?verbose", "", authorized()); !strings.Contains(
		ready.body, `"warnings":["it is a further part"]`) {
		t.Errorf("%d %s", ready.StatusCode, ready.body)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	happened.want(t, []string{"start", "run", "end", "finish", "close"})
}

// A part whose run fails ends the node in order, with its error.
func TestAPartThatFailsEndsTheNode(t *testing.T) {
	t.Parallel()
	errFailed, errClosed := errors.New("failed"), errors.New("closed badly")
	fail := make(chan struct{})
	var happened record
	n, stop := startParts(t, append(happened.of(serverParts),
		part{"failing", func(*node, context.Context) (work, error) {
			return work{
				run:   func(context.Context) error { <-fail; return errFailed },
				close: func() error { return errClosed },
			}, nil
		}}))
	server := &instance{url: "http://" + n.listener.Addr().String()}
	if a := server.do(t, "GET /health", ""); a.StatusCode != 200 {
		t.Errorf("before: %d %s", a.StatusCode, a.body)
	}
	close(fail)
	await(t, "the last part to end", func() bool {
		happened.mu.Lock()
		defer happened.mu.Unlock()
		return slices.Contains(happened.lines, "close "+ends[len(ends)-1])
	})
	if err := stop(); !errors.Is(err, errFailed) || !errors.Is(err, errClosed) {
		t.Error(err)
	}
	if conn, err := net.Dial("tcp", n.listener.Addr().String()); err == nil {
		conn.Close()
		t.Error("it still listens")
	}
}

// A panic in a part is not hidden: the process ends with Go's exit code and the stack.
func TestAPanicInAPartEndsTheProcess(t *testing.T) {
	t.Parallel()
	const child = "TERSE_TEST_PANIC"
	if os.Getenv(child) != "" {
		_, stop := startParts(t, append(slices.Clone(serverParts),
			part{"panics", func(*node, context.Context) (work, error) {
				return work{run: func(context.Context) error { panic("of a part") }}, nil
			}}))
		_ = stop()
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), child+"=1")
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "panic: of a part") ||
		!strings.Contains(string(out), "cmd/terse/part.go") {
		t.Errorf("%v\n%s", cmd.ProcessState, out)
	}
}

// A client that never ends its request gets half of SHUTDOWN_TIMEOUT, so that the parts that end
// later have the rest.
func TestRequestsGetHalfOfTheTime(t *testing.T) {
	t.Parallel()
	var left error
	later := part{"later", func(*node, context.Context) (work, error) {
		return work{finish: func(ctx context.Context) { left = ctx.Err() }}, nil
	}}
	at := slices.Index(partNames(serverParts), "requests")
	n, stop := startParts(t, slices.Insert(slices.Clone(serverParts), at, later),
		"SHUTDOWN_TIMEOUT=4s")
	conn, err := net.Dial("tcp", n.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /api/urls HTTP/1.1\r\nHost: x\r\n%s\r\nContent-Length: 2\r\n"+
		"Expect: 100-continue\r\n\r\n{", authorized())
	if line, err := bufio.NewReader(conn).ReadString('\n'); !strings.Contains(line, " 100 ") {
		t.Fatalf("%q %v", line, err)
	}
	if err := stop(); err != nil || left != nil {
		t.Errorf("the server ended with %v; later parts: %v", err, left)
	}
}
