// Package redistest starts private Redis servers that end with the test. It is not part of the
// server.
package redistest

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Server is a Redis or Valkey server that keeps its data in memory and listens on a socket in its
// own directory.
type Server struct {
	t      testing.TB
	binary string
	socket string

	// The rest belongs to the process, if one runs.
	pid int
	// kills it when stdin is closed, which the end of the test's process also does
	watch *exec.Cmd
	stdin io.WriteCloser
}

// patience bounds how long starting and stopping may take.
const patience = 30 * time.Second

// Start starts a server that ends with the test. If none is installed, the test is skipped, and
// fails if CI is "true".
func Start(t testing.TB) *Server {
	t.Helper()
	dir, err := os.MkdirTemp("", "redis-") // not t.TempDir, because a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &Server{t: t, binary: binary(t), socket: filepath.Join(dir, "redis.sock")}
	t.Cleanup(s.Kill)
	s.Start()
	return s
}

func binary(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("redis-server is missing; scripts/needs.sh says how to install it")
	}
	t.Skip("NOT TESTED WITH REDIS: redis-server is missing; " +
		"scripts/needs.sh says how to install it")
	return ""
}

// URL returns the server's URL, the same after each Start.
func (s *Server) URL() string { return "unix://" + s.socket }

// Start restarts the server, empty, and waits until it accepts connections.
func (s *Server) Start() {
	s.t.Helper()
	s.watch = exec.CommandContext(context.Background(), "sh", "-c",
		`"$@" </dev/null >/dev/null & echo $!; cat; kill -9 $!`, "sh",
		s.binary, "--port", "0", "--unixsocket", s.socket, "--save", "", "--appendonly", "no",
		"--dir", filepath.Dir(s.socket))
	var err error
	if s.stdin, err = s.watch.StdinPipe(); err != nil {
		s.t.Fatal(err)
	}
	out, err := s.watch.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.watch.Start(); err != nil {
		s.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		s.pid, err = strconv.Atoi(strings.TrimSpace(line))
	}
	if err != nil {
		s.t.Fatalf("start %s: %v", s.binary, err)
	}
	s.await("accept connections", func() bool { return s.answers() })
}

func (s *Server) answers() bool {
	c, err := (&net.Dialer{}).DialContext(context.Background(), "unix", s.socket)
	if err != nil {
		return false
	}
	defer c.Close()
	_, err = io.WriteString(c, "PING\r\n")
	if err != nil {
		return false
	}
	reply, err := bufio.NewReader(c).ReadString('\n')
	return err == nil && strings.HasPrefix(reply, "+PONG")
}

func (s *Server) await(what string, done func() bool) {
	s.t.Helper()
	for begin := time.Now(); !done(); time.Sleep(time.Millisecond) {
		if time.Since(begin) > patience {
			s.t.Fatalf("%s does not %s", s.binary, what)
		}
	}
}

// Kill kills the server and loses its data.
func (s *Server) Kill() {
	if s.pid == 0 {
		return
	}
	_ = s.stdin.Close()
	_ = s.watch.Wait()
	_ = os.Remove(s.socket)
	s.pid = 0
}

// Pause suspends the server: it accepts connections but does not answer.
func (s *Server) Pause() { s.signal(syscall.SIGSTOP) }

// Resume ends Pause.
func (s *Server) Resume() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(signal syscall.Signal) {
	s.t.Helper()
	if err := syscall.Kill(s.pid, signal); err != nil {
		s.t.Fatal(err)
	}
}
