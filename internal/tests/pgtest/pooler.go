package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Pooler is a private PgBouncer in front of a database.
type Pooler struct {
	process
	database *url.URL
}

// StartPooler starts a PgBouncer for one test. settings are lines of its configuration, for example
// "pool_mode = transaction". If it is not installed, the test is skipped with a message, and fails
// if CI is "true".
func StartPooler(t testing.TB, database string, settings ...string) *Pooler {
	t.Helper()
	program := poolerProgram(t)
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	p := &Pooler{database: u}
	if err := p.prepare(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.remove(); err != nil {
			t.Error(err)
		}
	})
	p.configure(t, settings)
	if err := p.run("KILL", program, p.config()); err != nil {
		t.Fatal(err)
	}
	p.await(t)
	return p
}

func poolerProgram(t testing.TB) string {
	t.Helper()
	// On Debian, users have no sbin in their path.
	for _, name := range []string{"pgbouncer", "/usr/sbin/pgbouncer"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const install = "install it (Debian: apt-get install pgbouncer)"
	if os.Getenv("CI") == "true" {
		t.Fatal("there is no PgBouncer to test with; " + install)
	}
	t.Skip("NOT TESTED THROUGH A POOLER: there is no PgBouncer to test with; " + install)
	return ""
}

func (p *Pooler) config() string { return filepath.Join(p.dir, "pgbouncer.ini") }

func (p *Pooler) pidFile() string { return filepath.Join(p.dir, "pid") }

// configure writes the configuration. If two lines set the same option, the last one holds.
func (p *Pooler) configure(t testing.TB, settings []string) {
	t.Helper()
	users := filepath.Join(p.dir, "users")
	lines := append([]string{
		"[databases]", fmt.Sprintf("* = host=%s port=%s", p.database.Hostname(), p.database.Port()),
		"[pgbouncer]", "listen_addr = 127.0.0.1", "listen_port = " + strconv.Itoa(p.port),
		"unix_socket_dir =",
		"auth_type = trust", "auth_file = " + users, "pidfile = " + p.pidFile(),
		"default_pool_size = 100", "max_client_conn = 400",
	}, settings...)
	for path, text := range map[string]string{
		p.config(): strings.Join(lines, "\n") + "\n",
		users:      `"` + p.database.User.Username() + `" ""` + "\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Reload makes a running pooler use other settings.
func (p *Pooler) Reload(t testing.TB, settings ...string) {
	t.Helper()
	p.configure(t, settings)
	text, err := os.ReadFile(p.pidFile())
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
}

// URL returns the URL of the database through the pooler.
func (p *Pooler) URL() string {
	u := *p.database
	u.Host = fmt.Sprintf("127.0.0.1:%d", p.port)
	return u.String()
}

func (p *Pooler) await(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, p.URL())
		if err == nil {
			_ = conn.Close(ctx) // the pooler answers
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("PgBouncer does not answer: %v\n%s", err, p.log())
		case <-time.After(20 * time.Millisecond):
		}
	}
}
