package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"terse/internal/cli"
)

// session is a command that runs on a terminal.
type session struct {
	keyboard *os.File
	screen   *output
	cancel   context.CancelFunc
	done     chan struct{}
	code     int
}

// onTerminal runs a command with a terminal of some columns as its three streams.
func onTerminal(t *testing.T, columns uint16, environ []string, args ...string) *session {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := &session{keyboard: master, screen: &output{}, cancel: cancel, done: make(chan struct{})}
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		for buf := make([]byte, 4096); ; {
			n, err := master.Read(buf)
			text, ended := bytes.CutSuffix(buf[:n], []byte{0})
			_, _ = s.screen.Write(text)
			if ended || err != nil {
				return
			}
		}
	}()
	go func() {
		defer close(s.done)
		s.code = run(ctx, args, environ, tty, tty, tty)
		_, _ = tty.Write([]byte{0}) // the end of what is shown
		<-shown
	}()
	t.Cleanup(func() { cancel(); <-s.done; _ = master.Close(); _ = tty.Close() })
	return s
}

// text is what the terminal has shown so far.
func (s *session) text() string { return strings.ReplaceAll(s.screen.String(), "\r\n", "\n") }

// await waits until the terminal shows a text.
func (s *session) await(t *testing.T, text string) {
	t.Helper()
	await(t, "the terminal to show "+text, func() bool {
		select {
		case <-s.done:
			if !strings.Contains(s.text(), text) {
				t.Fatalf("ended with %d without showing %q:\n%s", s.code, text, s.text())
			}
		default:
		}
		return strings.Contains(s.text(), text)
	})
}

// answer types a line.
func (s *session) answer(t *testing.T, line string) {
	t.Helper()
	if _, err := s.keyboard.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
}

// echoes reports whether the terminal shows what is typed.
func (s *session) echoes(t *testing.T) bool {
	t.Helper()
	modes, err := unix.IoctlGetTermios(int(s.keyboard.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return modes.Lflag&unix.ECHO != 0
}

// end waits for the end of the command.
func (s *session) end(_ *testing.T) (text string, code int) {
	<-s.done
	return s.text(), s.code
}

// On a terminal the log is for people; LOG_FORMAT has the last word, and everything else than a
// terminal gets the default of the interface.
func TestTheLogIsPrettyOnATerminal(t *testing.T) {
	t.Parallel()
	for format, isJSON := range map[string]bool{
		"": false, "LOG_FORMAT=json": true,
		"LOG_FORMAT=pretty": false,
	} {
		s := onTerminal(t, 80, environFor(t.TempDir(), []string{format}), "serve")
		s.await(t, "started")
		line := lineWith(s.text(), "started")
		if json.Valid([]byte(line)) != isJSON {
			t.Errorf("%q: logged %q on a terminal", format, line)
		}
		s.cancel()
		if text, code := s.end(t); code != cli.ExitOK {
			t.Errorf("%q: exit code %d:\n%s", format, code, text)
		}
	}
	if line := lineWith(start(t).logLines(t, "started")[0], "started"); !json.Valid([]byte(line)) {
		t.Errorf("logged %q elsewhere than on a terminal", line)
	}
}

// lineWith returns the first line that has a text in it.
func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
