package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"terse/api"
	"terse/internal/database/sqlite"
	"terse/internal/tests/acmetest"
	"terse/internal/tests/foreign"
	"terse/internal/tests/pgtest"
	"terse/internal/tests/tersetest"
)

const testToken = "test-token-long-enough"

func TestMain(m *testing.M) {
	code := pgtest.Main(m)
	tersetest.Clean()
	acmetest.Clean()
	os.Exit(code)
}

// output collects what a server prints. It may be read while the server writes.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// instance is a running server: a process of the real binary, or run in this process.
type instance struct {
	url    string
	dir    string
	log    *output // stdout: the log
	told   *output // stderr: what it tells people
	cmd    *exec.Cmd
	cancel context.CancelFunc
	done   chan struct{}
	code   int
}

// environFor is the environment of a test's server: limits off and a known token unless
// the test sets them. An entry without a value takes that variable away.
func environFor(dir string, env []string) []string {
	environ := []string{
		"SERVER_PORT=0", "LISTEN_HOST=127.0.0.1", "DATA_DIR=" + dir, "AUTH_TOKENS=" + testToken,
		"API_RATE_LIMIT_PER_MINUTE=0", "REDIRECT_RATE_LIMIT_PER_MINUTE=0",
	}
	for _, entry := range env {
		if !strings.Contains(entry, "=") {
			environ = slices.DeleteFunc(
				environ, func(e string) bool { return strings.HasPrefix(e, entry+"=") })
			continue
		}
		environ = append(environ, entry)
	}
	return environ
}

var listens = regexp.MustCompile(`listens on (\S+);`)

// startProcess starts the real binary and waits until it listens.
func startProcess(t testing.TB, dir string, env ...string) *instance {
	t.Helper()
	return startProgram(t, tersetest.Binary(t), dir, env...)
}

// startProgram is startProcess for another build of the program.
func startProgram(t testing.TB, path, dir string, env ...string) *instance {
	t.Helper()
	i := &instance{dir: dir, log: &output{}, told: &output{}, done: make(chan struct{})}
	i.cmd = exec.Command(path, "serve")
	i.cmd.Env = append(os.Environ(), environFor(dir, env)...)
	i.cmd.Stdout, i.cmd.Stderr = i.log, i.told
	if err := i.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = i.cmd.Wait()
		i.code = i.cmd.ProcessState.ExitCode()
		close(i.done)
	}()
	i.cancel = func() { _ = i.cmd.Process.Signal(syscall.SIGTERM) }
	i.awaitListening(t)
	return i
}

// start runs a server in this process and waits until it listens.
func start(t *testing.T, env ...string) *instance {
	t.Helper()
	dir := t.TempDir()
	if foreign.Wanted() && !slices.ContainsFunc(env, func(entry string) bool {
		return strings.HasPrefix(entry, "DATABASE_URL") || strings.HasPrefix(entry, "DATA_DIR")
	}) {
		fillForeign(t, dir)
	}
	return startIn(t, dir, env...)
}

func startIn(t testing.TB, dir string, env ...string) *instance {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	i := &instance{
		dir: dir, log: &output{}, told: &output{}, cancel: cancel,
		done: make(chan struct{}),
	}
	go func() {
		i.code = run(ctx, []string{"serve"}, environFor(dir, env), nil, i.log, i.told)
		close(i.done)
	}()
	i.awaitListening(t)
	return i
}

// fillForeign makes a database in which others have links.
func fillForeign(t testing.TB, dir string) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(dir, "terse.db")})
	if err == nil {
		err = errors.Join(foreign.Fill(t.Context(), store), store.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (i *instance) awaitListening(t testing.TB) {
	t.Helper()
	t.Cleanup(func() { i.stop(t) })
	await(t, "the server to listen", func() bool {
		select {
		case <-i.done:
			t.Fatalf("the server ended with %d:\n%s%s", i.code, i.told, i.log)
		default:
		}
		if m := listens.FindStringSubmatch(i.told.String()); m != nil {
			i.url = "http://" + m[1]
			return true
		}
		return false
	})
}

// stop ends the server in order and returns its exit code.
func (i *instance) stop(t testing.TB) int {
	t.Helper()
	i.cancel()
	select {
	case <-i.done:
	case <-time.After(time.Minute):
		t.Errorf("the server did not stop:\n%s", i.log)
		if i.cmd != nil {
			i.kill()
		}
	}
	return i.code
}

// kill ends the process with SIGKILL.
func (i *instance) kill() {
	_ = i.cmd.Process.Kill()
	<-i.done
}

func (i *instance) client() *api.Client { return api.New(i.url, testToken) }

// await waits for a condition; the bound is there for a broken server only. It asks ever more
// seldom, so that waiting leaves the processor to what is waited for.
func await(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for began := time.Now(); !ok(); {
		waited := time.Since(began)
		if waited > time.Minute {
			t.Fatalf("waited a minute for %s", what)
		}
		time.Sleep(min(2*time.Millisecond+waited/10, 50*time.Millisecond))
	}
}

// plain is an HTTP client that follows no redirect and keeps its connections.
func plain(t *testing.T, conns int) *http.Client {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: conns, MaxConnsPerHost: conns}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

// answer is a response with its body read.
type answer struct {
	*http.Response
	body string
}

// do sends one request, built from "METHOD /path" and "Name: value" lines.
func (i *instance) do(t *testing.T, request, body string, headers ...string) answer {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	req, err := http.NewRequestWithContext(t.Context(), method, i.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	resp, err := plain(t, 1).Do(req)
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	return answer{resp, string(b)}
}

func authorized() string { return "Authorization: Bearer " + testToken }

// shorten makes a link and returns its code.
func (i *instance) shorten(t testing.TB, original string) string {
	t.Helper()
	created, err := i.client().Create(t.Context(), api.CreateRequest{OriginalURL: original})
	if err != nil {
		t.Fatal(err)
	}
	return created.ShortCode
}

// metric returns a metric's value, -1 if there is none.
func (i *instance) metric(t testing.TB, name string) float64 {
	t.Helper()
	resp, err := http.Get(i.url + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for scan := bufio.NewScanner(resp.Body); scan.Scan(); {
		if value, ok := strings.CutPrefix(scan.Text(), name+" "); ok {
			f, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
	}
	return -1
}

// drain waits until all clicks in the journal are counted.
func (i *instance) drain(t testing.TB) {
	t.Helper()
	await(t, "all clicks to be counted",
		func() bool { return i.metric(t, "terse_journal_backlog_bytes") == 0 })
}

// clicks waits until a code has at least n clicks and returns its statistics.
func (i *instance) clicks(t testing.TB, code string, n int64) (stats api.Analytics) {
	t.Helper()
	await(t, fmt.Sprintf("%d clicks of %s", n, code), func() bool {
		var err error
		if stats, err = i.client().Stats(t.Context(), code, api.Range{}); err != nil {
			t.Fatal(err)
		}
		return stats.TotalClicks >= n
	})
	return stats
}

// logLines returns the log lines that contain a text, once there is one.
func (i *instance) logLines(t *testing.T, text string) (lines []string) {
	t.Helper()
	await(t, "a log line with "+text, func() bool {
		lines = nil
		scan := bufio.NewScanner(strings.NewReader(i.log.String()))
		scan.Buffer(nil, 1<<20)
		for scan.Scan() {
			if strings.Contains(scan.Text(), text) {
				lines = append(lines, scan.Text())
			}
		}
		return len(lines) > 0
	})
	return lines
}
