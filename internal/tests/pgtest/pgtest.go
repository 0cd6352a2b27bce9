// Package pgtest gives tests their own PostgreSQL: private servers in temporary directories, on
// free loopback ports, from installed binaries.
//
// If TERSE_TEST_POSTGRES has the URL of a server, the whole test run uses that one (`make test`
// starts it through package run below); otherwise each test binary starts one when it needs it. A
// server ends with the process that started it, however that ends. Without binaries, tests are
// skipped with a message, and fail if CI is "true".
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Variable names the variable with the shared server's URL.
const Variable = "TERSE_TEST_POSTGRES"

// startTime bounds how long a server may take to answer, on a busy machine.
const startTime = 60 * time.Second

// Server is a private PostgreSQL server. Its superuser is postgres and needs no password.
type Server struct {
	process
	bin   string
	fsync string        // on or off
	ahead time.Duration // of its clock
}

// Start starts a server for one test, which may stop and restart it.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := New()
	if errors.Is(err, ErrNone) {
		missing(t)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Remove(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// StartAhead starts a server whose clock is ahead, by libfaketime. Where that is missing the test
// is skipped, or fails if CI is "true".
func StartAhead(t testing.TB, ahead time.Duration) *Server {
	t.Helper()
	if _, err := fakeTime(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("NOT TESTED WITH ANOTHER CLOCK: %v", err)
	}
	s := Start(t)
	err := s.Stop()
	if s.ahead = ahead; err == nil {
		err = s.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fakeTime returns the path of the library that gives a program another clock.
func fakeTime() (string, error) {
	paths, _ := filepath.Glob("/usr/lib/*/faketime/libfaketime.so.1") // fails only for bad patterns
	if len(paths) == 0 {
		return "", errors.New(
			"libfaketime is missing; install it (Debian: apt-get install faketime)")
	}
	return paths[0], nil
}

func missing(t testing.TB) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal("there is no PostgreSQL server to test with; install it (Debian: apt-get install " +
			"postgresql)")
	}
	t.Skip("THE POSTGRESQL STORE IS NOT TESTED HERE: there is no server to test with; install it " +
		"(Debian: apt-get install postgresql)")
}

// ErrNone means that no binaries are installed.
var ErrNone = errors.New("no PostgreSQL server is installed")

// bindir returns the directory of the server's binaries, which Debian keeps out of the path.
func bindir() (string, error) {
	candidates, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // fails only for bad patterns
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		candidates = append(candidates, strings.TrimSpace(string(out)))
	}
	for _, dir := range candidates {
		if _, err := os.Stat(filepath.Join(dir, "initdb")); err == nil {
			return dir, nil
		}
	}
	return "", ErrNone
}

// Installed reports whether binaries are installed.
func Installed() bool {
	_, err := bindir()
	return err == nil
}

// New creates and starts a server.
func New() (*Server, error) { return newServer("on") }

// NewUnsynced creates and starts a server without fsync, for a whole test run: with it, each
// database that a test drops would write all that is in memory. Don't stop and restart it.
func NewUnsynced() (*Server, error) { return newServer("off") }

func newServer(fsync string) (*Server, error) {
	bin, err := bindir()
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, fsync: fsync}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	if out, err := s.command("initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8",
		"--locale", "C", "-D", s.data()).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return s, s.Start()
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.who}
	return cmd
}

// Start restarts a stopped server on the same port, and waits until it answers.
func (s *Server) Start() error {
	args := []string{"-D", s.data(), "-p", strconv.Itoa(s.port), "-k", s.dir}
	for _, setting := range []string{
		"listen_addresses=127.0.0.1", "max_connections=400", "fsync=" + s.fsync,
		"wal_level=replica", "max_wal_senders=4", "hot_standby=on",
		"shared_buffers=256MB", "max_wal_size=4GB", "log_min_messages=warning",
	} {
		args = append(args, "-c", setting)
	}
	program := filepath.Join(s.bin, "postgres")
	if s.ahead != 0 {
		library, err := fakeTime()
		if err != nil {
			return err
		}
		args = append([]string{
			"LD_PRELOAD=" + library, fmt.Sprintf("FAKETIME=%+d", int(s.ahead.Seconds())),
			"FAKETIME_DONT_FAKE_MONOTONIC=1", program,
		}, args...)
		program = "env"
	}
	if err := s.run("QUIT", program, args...); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	return s.await()
}

func (s *Server) await() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not answer: %w\n%s", err, s.log())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// URL returns the URL of a database.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", s.port, database)
}

// Stop kills the server, as if the machine had stopped: committed data is there when it starts
// again.
func (s *Server) Stop() error { return s.end() }

// Shutdown stops the server cleanly but without waiting for its clients, like an administrator may.
func (s *Server) Shutdown() error {
	out, err := s.command("pg_ctl", "stop", "-m", "fast", "-D", s.data()).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("pg_ctl: %w\n%s", err, out)
	}
	return errors.Join(err, s.end())
}

// Remove stops the server and removes its data.
func (s *Server) Remove() error { return s.remove() }

// Replica starts a streaming replica of the server.
func (s *Server) Replica(t testing.TB) *Server {
	t.Helper()
	r := &Server{bin: s.bin, fsync: s.fsync}
	err := func() error {
		if err := r.prepare(); err != nil {
			return err
		}
		out, err := r.command("pg_basebackup", "-R", "-c", "fast", "-D", r.data(), "-d",
			s.URL("postgres")).CombinedOutput()
		if err != nil {
			return fmt.Errorf("pg_basebackup: %w\n%s", err, out)
		}
		return r.Start()
	}()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Remove(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// shared is this test binary's server, if the whole run has none.
var (
	shared = sync.OnceValues(New)
	used   atomic.Bool // shared was called
)

// databases counts this process's databases.
var databases atomic.Int64

// address returns the URL of the shared server's own database.
func address(t testing.TB) string {
	t.Helper()
	if address := os.Getenv(Variable); address != "" {
		return address
	}
	used.Store(true)
	s, err := shared()
	if errors.Is(err, ErrNone) {
		missing(t)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.URL("postgres")
}

// URL returns the URL of a new, empty database, which is dropped with the test.
func URL(t testing.TB) string {
	t.Helper()
	return create(t, address(t), "template1")
}

// create creates a database as a copy of another one, which nobody uses meanwhile, and returns its
// URL.
func create(t testing.TB, admin, from string) string {
	t.Helper()
	name := fmt.Sprintf("terse_%d_%d", os.Getpid(), databases.Add(1))
	Exec(t, admin, "CREATE DATABASE "+name+" TEMPLATE "+from)
	t.Cleanup(func() { Exec(t, admin, "DROP DATABASE "+name+" WITH (FORCE)") })
	return strings.Replace(admin, "/postgres?", "/"+name+"?", 1)
}

// Template is a database of which tests get copies: that costs a third of what making its tables
// costs. Only one test binary uses it, which has to end by Main.
type Template struct {
	Prepare func(url string) error // makes the tables, and leaves nothing connected

	once sync.Once
	err  error
	name string
}

// templates are those that were prepared.
var templates struct {
	sync.Mutex
	admin string
	names []string
}

// Copy returns the URL of a new copy, which is dropped with the test.
func (p *Template) Copy(t testing.TB) string {
	t.Helper()
	admin := address(t)
	p.once.Do(func() {
		p.name = fmt.Sprintf("terse_%d_%d", os.Getpid(), databases.Add(1))
		Exec(t, admin, "CREATE DATABASE "+p.name)
		templates.Lock()
		templates.admin, templates.names = admin, append(templates.names, p.name)
		templates.Unlock()
		p.err = p.Prepare(strings.Replace(admin, "/postgres?", "/"+p.name+"?", 1))
	})
	if p.err != nil {
		t.Fatal(p.err)
	}
	return create(t, admin, p.name)
}

// dropTemplates drops the templates.
func dropTemplates() error {
	templates.Lock()
	defer templates.Unlock()
	if len(templates.names) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	conn, err := pgx.Connect(ctx, templates.admin)
	if err != nil {
		return err
	}
	for _, name := range templates.names {
		_, failed := conn.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
		err = errors.Join(err, failed)
	}
	return errors.Join(err, conn.Close(ctx))
}

// Exec runs a statement on a database.
func Exec(t testing.TB, url, sql string, args ...any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// Main runs a package's tests, drops their templates, stops the server that they started, and
// returns the exit code. Call it in TestMain.
func Main(m *testing.M) int {
	code := m.Run()
	if err := dropTemplates(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	if used.Load() {
		if s, err := shared(); err == nil {
			if err := s.Remove(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				code = max(code, 1)
			}
		}
	}
	return code
}
