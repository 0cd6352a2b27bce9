package helm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"terse/internal/tests/freeport"
	"terse/internal/tests/pgtest"
	"terse/internal/tests/tersetest"
)

func TestMain(m *testing.M) {
	code := pgtest.Main(m)
	tersetest.Clean()
	os.Exit(code)
}

// token is the access token of the servers.
const token = "a-token-of-the-chart-s-tests"

// process is a running server.
type process struct {
	address string // of its port
	cmd     *exec.Cmd
	log     buffer
	done    chan struct{} // closed when it has ended
}

// start starts the server with arguments and variables on a free port. The test's end kills it.
func start(t *testing.T, args []string, environ map[string]string) *process {
	t.Helper()
	path := tersetest.Binary(t)
	p := &process{address: freeAddress(t), done: make(chan struct{})}
	host, port, _ := strings.Cut(p.address, ":")
	p.cmd = exec.Command(path, args...)
	for name, value := range environ {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Env = append(p.cmd.Env, "LISTEN_HOST="+host, "SERVER_PORT="+port)
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(p.kill)
	return p
}

// kill ends the process as a machine does that loses its power.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// terminate asks the process to end, and reports whether it has done so in time.
func (p *process) terminate(within time.Duration) bool {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
		return p.cmd.ProcessState.Success()
	case <-time.After(within):
		return false
	}
}

// ready waits until the server is ready.
func (p *process) ready(t *testing.T) {
	t.Helper()
	await(t, "the server to be ready", func() bool {
		select {
		case <-p.done:
			t.Fatalf("the server has ended:\n%s", &p.log)
		default:
		}
		status, _, err := get(t, http.DefaultClient, "http://"+p.address+"/ready", "")
		return err == nil && status == http.StatusOK
	})
}

// startBeside starts another program that serves, which ends with the test.
func startBeside(t *testing.T, command ...string) *buffer {
	t.Helper()
	// The shell ends it when its input ends, which the end of this process does, too.
	cmd := exec.Command("sh", append([]string{
		"-c", `"$@" </dev/null & cat; kill $!; wait`, "sh",
	}, command...)...)
	told := &buffer{}
	cmd.Stdout, cmd.Stderr = told, told
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	return told
}

// program returns the path of a program. Where it is missing the test is skipped, or fails if CI is
// "true".
func program(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing; scripts/needs.sh says how to install it", names[0])
	}
	t.Skipf("NOT TESTED: %s is missing; scripts/needs.sh says how to install it", names[0])
	return ""
}

func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := freeport.Address(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// get asks for a URL, with the token if there is one, and follows no redirect.
func get(t *testing.T, client *http.Client, url, token string) (status int, body string,
	err error,
) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

// await waits for a condition; the bound is there for what is broken only.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for began := time.Now(); !ok(); {
		waited := time.Since(began)
		if waited > 2*time.Minute {
			t.Fatalf("waited two minutes for %s", what)
		}
		time.Sleep(min(5*time.Millisecond+waited/10, 200*time.Millisecond))
	}
}

// buffer is a bytes.Buffer for several goroutines.
type buffer struct {
	mu    sync.Mutex
	bytes bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes.String()
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
