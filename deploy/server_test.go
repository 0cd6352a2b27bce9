// Package deploy tests the files with which others run terse: each is read as its reader reads it,
// and the server is started with what it sets.
package deploy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// built is the folder of a server that was built for these tests alone, "" for none.
var built string

// binary is the server that "make test" has built for all tests, or one of our own.
var binary = sync.OnceValues(func() (path string, err error) {
	if path := os.Getenv("TERSE_TEST_BINARY"); path != "" {
		return path, nil
	}
	if built, err = os.MkdirTemp("", "terse-deploy-"); err != nil {
		return "", err
	}
	path = filepath.Join(built, "terse")
	build := exec.Command("go", "build", "-o", path, "./cmd/terse")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

func serverBinary(t *testing.T) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// settings returns the variables that the server reads, from its help.
func settings(t *testing.T) []string {
	t.Helper()
	help, err := exec.CommandContext(t.Context(), serverBinary(t), "serve", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	// A name may be at the end of a line, and what follows on the next one.
	for _, m := range regexp.MustCompile(`\$([A-Z_]+)`).FindAllSubmatch(help, -1) {
		names = append(names, string(m[1]))
	}
	if len(names) < 20 {
		t.Fatalf("the help names only %q", names)
	}
	return names
}

// app is what a file starts.
type app struct {
	public bool // the port is open to more than this machine, and no proxy of ours is in front

	image   string            // with its tag
	version string            // of terse, as the file names it; "": only the image's tag
	environ map[string]string // of the container
	port    int               // where the server is expected in the container
	data    string            // the folder that is kept, in the container
	health  []string          // the command, "" for the image's own
	page    string            // which the store opens, "" for none
}

// works starts the server as the file does, and does what its first user does. image is the image
// that it should be.
func (a app) works(t *testing.T, image string) {
	t.Helper()
	_, tag, _ := strings.Cut(image, ":")
	if a.image != image {
		t.Errorf("the image is %q, want %q", a.image, image)
	}
	if a.version != "" && a.version != tag {
		t.Errorf("the version is %q, the image's tag %q", a.version, tag)
	}
	if a.port != 8080 {
		t.Errorf("the server is expected on port %d", a.port)
	}
	if a.data != "/data" {
		t.Errorf("what is kept is %q, and the image's data is in /data", a.data)
	}
	known := settings(t)
	for name, value := range a.environ {
		if !slices.Contains(known, name) {
			t.Errorf("%s is no setting", name)
		}
		if strings.Contains(value, "${") {
			t.Errorf("%s is %q", name, value)
		}
	}
	s := start(t, a.environ)
	health := a.health
	if len(health) == 0 {
		health = []string{"CMD", "/terse", "healthcheck"}
	}
	// The image has no shell.
	if health[0] != "CMD" || health[1] != "/terse" {
		t.Fatalf("the health check is %q", health)
	}
	check := exec.CommandContext(t.Context(), serverBinary(t), health[2:]...)
	check.Env = []string{"SERVER_PORT=" + s.port}
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%q: %v\n%s", health, err, out)
	}
	if page := s.do(t, "GET "+a.page, ""); a.page != "" && (page.status != http.StatusOK ||
		!strings.Contains(page.body, "<title>terse</title>")) {
		t.Errorf("%s: %d %s", a.page, page.status, page.body)
	}
	if signIn := s.do(t, "POST /ui/session", `{"token":"`+s.token(t)+`"}`); signIn.status !=
		http.StatusNoContent {
		t.Errorf("sign-in: %d %s", signIn.status, signIn.body)
	}
	base := a.environ["BASE_URL"]
	if base == "" {
		base = "http://localhost:" + s.port
	}
	s.redirects(t, base)
	if metrics := s.do(t, "GET /metrics", ""); a.public && metrics.status !=
		http.StatusUnauthorized {
		t.Errorf("/metrics is public: %d", metrics.status)
	}
	if strings.Contains(s.log.String(), `"level":"WARN"`) {
		t.Errorf("the log warns:\n%s", &s.log)
	}
}

// server is a running server.
type server struct {
	port, dir string
	environ   map[string]string
	log       buffer
}

// start starts the server with variables on a free port, and waits until it listens. The test's end
// stops it.
func start(t *testing.T, environ map[string]string) *server {
	t.Helper()
	s := &server{dir: t.TempDir(), environ: environ}
	cmd := exec.Command(serverBinary(t), "serve")
	for name, value := range environ {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Env = append(cmd.Env, "DATA_DIR="+s.dir, "SERVER_PORT=0")
	cmd.Stderr = &s.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	started := make(chan string, 1)
	go func() {
		defer close(started)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			_, _ = s.log.Write(append(lines.Bytes(), '\n'))
			var record struct{ Msg, Address string }
			if json.Unmarshal(lines.Bytes(), &record) == nil && record.Msg == "started" {
				started <- record.Address
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		for range started { // until it has written all
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v\n%s", err, &s.log)
		}
	})
	address, ok := <-started
	if !ok {
		t.Fatalf("the server did not start:\n%s", &s.log)
	}
	if _, s.port, err = net.SplitHostPort(address); err != nil {
		t.Fatal(err)
	}
	return s
}

// token returns the token with which the server's user signs in.
func (s *server) token(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"AUTH_TOKENS", "AUTH_TOKEN"} {
		if token := s.environ[name]; token != "" {
			return token
		}
	}
	token, err := os.ReadFile(filepath.Join(s.dir, "token"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(token))
}

type answer struct {
	status         int
	body, location string
}

// do sends a request, such as "GET /ui/", with the token if it is for the API.
func (s *server) do(t *testing.T, request, body string) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	method, path, _ := strings.Cut(request, " ")
	req, err := http.NewRequestWithContext(ctx, method, "http://127.0.0.1:"+s.port+path,
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(path, "/api/") {
		req.Header.Set("Authorization", "Bearer "+s.token(t))
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, string(text), resp.Header.Get("Location")}
}

// redirects creates a link, whose short URL begins with base, and follows it.
func (s *server) redirects(t *testing.T, base string) {
	t.Helper()
	created := s.do(t, "POST /api/urls", `{"original_url":"https://example.com/first"}`)
	var link struct {
		Code string `json:"short_code"`
		URL  string `json:"short_url"`
	}
	if err := json.Unmarshal([]byte(created.body), &link); err != nil ||
		created.status != http.StatusCreated || link.URL != base+"/"+link.Code {
		t.Fatalf("create: %d %s, want a link of %s (%v)", created.status, created.body, base, err)
	}
	if visit := s.do(t, "GET /"+link.Code, ""); visit.status != http.StatusFound ||
		visit.location != "https://example.com/first" {
		t.Errorf("redirect: %+v", visit)
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

// read returns a file below this folder.
func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decode reads all of a file, and fails for what the value has no place for.
func decode(t *testing.T, name string, into any, unmarshal func([]byte, any) error) {
	t.Helper()
	if err := unmarshal(read(t, name), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func strictJSON(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows")
	}
	return nil
}
