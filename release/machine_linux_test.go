package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// machine is a network and a view of the file system of their own, which end with the test. What is
// mounted there is nowhere else, and a server there can have its usual port.
type machine struct{ pid int }

// newMachine runs a script that mounts what the test needs.
func newMachine(t *testing.T, script string) *machine {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, for a network and mounts of its own")
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec",
		"mount --make-rprivate /\nip link set lo up\n"+script+"\necho ready\nexec cat")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWNET,
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe() // at whose end cat ends
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
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
	if line, _ := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the machine says %q\n%s", line, &stderr)
	}
	return &machine{pid: cmd.Process.Pid}
}

// command returns a command that runs there.
func (m *machine) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return exec.CommandContext(t.Context(), "nsenter",
		append([]string{"--target", strconv.Itoa(m.pid), "--mount", "--net", "--"}, args...)...)
}

func (m *machine) run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := m.command(t, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}

// server is a running terse.
type server struct {
	machine *machine
	cmd     *exec.Cmd
	log     bytes.Buffer
	ended   chan error
}

// serve starts a server with an environment, and waits until it is ready.
func (m *machine) serve(t *testing.T, environ []string, args ...string) *server {
	t.Helper()
	s := &server{machine: m, cmd: m.command(t, args...), ended: make(chan error, 1)}
	s.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, environ...)
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	s.cmd.WaitDelay = 20 * time.Second
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { s.ended <- s.cmd.Wait() }()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-s.ended:
			t.Fatalf("%q: %v\n%s", args, err, &s.log)
		default:
		}
		if m.command(t, "curl", "-sf", "http://127.0.0.1:8080/ready").Run() == nil {
			return s
		}
		if time.Now().After(deadline) {
			_ = s.cmd.Cancel()
			t.Fatalf("%q is not ready: %v\n%s", args, <-s.ended, &s.log)
		}
	}
}

func (s *server) stop(t *testing.T) {
	t.Helper()
	if err := s.cmd.Cancel(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	if err := <-s.ended; err != nil {
		t.Fatalf("stop: %v\n%s", err, &s.log)
	}
}

// create creates a link and returns its code.
func (s *server) create(t *testing.T, token, url string) (code string) {
	t.Helper()
	answer := s.machine.run(t, "curl", "-sS", "-H", "Authorization: Bearer "+token,
		"-d", `{"original_url":"`+url+`"}`, "http://127.0.0.1:8080/api/urls")
	var link struct {
		Code string `json:"short_code"`
	}
	if err := json.Unmarshal([]byte(answer), &link); err != nil || link.Code == "" {
		t.Fatalf("create answered %s: %v\n%s", answer, err, &s.log)
	}
	return link.Code
}

// wantRedirect follows a short URL.
func (s *server) wantRedirect(t *testing.T, code, url string) {
	t.Helper()
	answer := s.machine.run(t, "curl", "-sS", "-o", "/dev/null", "-w",
		"%{http_code} %{redirect_url}", "http://127.0.0.1:8080/"+code)
	if strings.TrimSpace(answer) != "302 "+url {
		t.Errorf("/%s answered %s, want 302 %s", code, answer, url)
	}
}
