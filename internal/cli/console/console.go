// Package console is the terminal of a command, or the files and pipes in its place. What is
// printed may come from others, so all of it is made harmless here. It knows nothing of links.
package console

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// Env is what surrounds a command: its streams, the variables that it was started with, and the
// version of the binary.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Vars     map[string]string
	Version  string
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// DefaultWidth is how wide charts are where there is no terminal to ask.
const DefaultWidth = 80

// Width returns the columns of the terminal that output goes to, 0 when it is none.
func (e Env) Width() int {
	if !IsTerminal(e.Out) {
		return 0
	}
	width, _, err := term.GetSize(int(e.Out.(*os.File).Fd())) //nolint:errcheck // IsTerminal knows
	if err != nil || width <= 0 {
		return DefaultWidth
	}
	return width
}

// CanAsk reports whether there is somebody to answer a question.
func (e Env) CanAsk() bool { return IsTerminal(e.In) && IsTerminal(e.Err) }

// ErrNoAnswer is the end of input in place of an answer.
var ErrNoAnswer = errors.New("no answer")

// ErrInterrupted is the end of the context of a command.
var ErrInterrupted = errors.New("Interrupted.") //nolint:revive,staticcheck // a sentence for people

// Ask puts a question and returns the line that answers it.
func (e Env) Ask(ctx context.Context, question string) (string, error) {
	fmt.Fprint(e.Err, question)
	line, err := Until(ctx, func() (string, error) { return ReadLine(e.In) })
	if errors.Is(err, io.EOF) {
		fmt.Fprintln(e.Err)
		return "", ErrNoAnswer
	}
	return line, err
}

// AskSecret is Ask for what the terminal must not show.
func (e Env) AskSecret(ctx context.Context, question string) (string, error) {
	f, ok := e.In.(*os.File)
	if !ok {
		return "", ErrNoAnswer
	}
	// term.ReadPassword would change the terminal's modes from its goroutine, maybe after they were
	// restored here. A Terminal reads in raw mode and leaves the modes alone.
	fd := int(f.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return "", fmt.Errorf("terminal: %w", err)
	}
	line := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{oneByte{f}, e.Err}, "")
	secret, err := Until(ctx, func() (string, error) { return line.ReadPassword(question) })
	_ = term.Restore(fd, before)
	if err != nil {
		fmt.Fprintln(e.Err)
	}
	if errors.Is(err, io.EOF) {
		return "", ErrNoAnswer
	}
	return strings.TrimSpace(secret), err
}

// oneByte reads a byte at a time: what comes after a line is for the next reader.
type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(1, len(p))]) }

// AskTwice asks for a new secret until it is typed the same way again.
func (e Env) AskTwice(ctx context.Context, what string) (string, error) {
	for {
		secret, err := e.AskSecret(ctx, what+": ")
		if err != nil {
			return "", err
		}
		again, err := e.AskSecret(ctx, what+" again: ")
		if err != nil || again == secret {
			return secret, err
		}
		fmt.Fprintln(e.Err, "They differ.")
	}
}

// MaxLineBytes bounds a line of input, and a file that is read whole: the server takes bodies of up
// to 1 MiB.
const MaxLineBytes = 1 << 20

// ErrLongLine is one beyond MaxLineBytes.
var ErrLongLine = fmt.Errorf("a line is longer than %d bytes", MaxLineBytes)

// ErrUTF16 is text in an encoding that some spreadsheets and shells write.
var ErrUTF16 = errors.New("the text is UTF-16; save it as UTF-8")

// Beginning returns the beginning of a text that comes from a file, a pipe or a variable, without
// the byte order mark that some programs put before UTF-8. UTF-16 is refused: its byte order mark
// is no UTF-8, and without one its ASCII characters have zero bytes.
func Beginning(text string) (string, error) {
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") ||
		strings.IndexByte(text, 0) >= 0 {
		return "", ErrUTF16
	}
	return strings.TrimPrefix(text, "\ufeff"), nil
}

// ReadAll reads what should be short.
func ReadAll(from io.Reader, name string) (string, error) {
	b, err := io.ReadAll(io.LimitReader(from, MaxLineBytes+1))
	if err == nil && len(b) > MaxLineBytes {
		err = fmt.Errorf("%s is longer than %d bytes", name, MaxLineBytes)
	}
	if err != nil {
		return "", err
	}
	text, err := Beginning(string(b))
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return text, err
}

// FirstLine reads the first line of standard input.
func (e Env) FirstLine(ctx context.Context) (string, error) {
	return Until(ctx, func() (string, error) { return readFirstLine(e.In) })
}

func readFirstLine(r io.Reader) (string, error) {
	line, err := ReadLine(r)
	if err != nil && !errors.Is(err, io.EOF) {
		return line, err
	}
	line, wrong := Beginning(line)
	if wrong != nil {
		return "", wrong
	}
	return strings.TrimSpace(line), err
}

// ReadLine reads one line byte by byte: what comes after it is for the next reader.
func ReadLine(r io.Reader) (string, error) {
	var line strings.Builder
	for one := make([]byte, 1); line.Len() < MaxLineBytes; {
		n, err := r.Read(one)
		switch {
		case n > 0 && one[0] == '\n':
			return strings.TrimSpace(line.String()), nil
		case n > 0:
			line.WriteByte(one[0])
		case err != nil:
			return strings.TrimSpace(line.String()), err
		}
	}
	return "", ErrLongLine
}

// Lines returns the lines of in, without white space around them.
func Lines(ctx context.Context, in io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for read := readFirstLine; ; read = ReadLine {
			line, err := Until(ctx, func() (string, error) { return read(in) })
			if err != nil && !errors.Is(err, io.EOF) {
				yield("", err)
				return
			}
			if !yield(line, nil) || err != nil {
				return
			}
		}
	}
}

// Until runs what can't be interrupted, such as a read of the keyboard, until ctx ends.
func Until[T any](ctx context.Context, wait func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := wait()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ErrInterrupted
	}
}

// CopyText puts a text into the clipboard of the person at the terminal, also over SSH: the
// escape sequence OSC 52 asks the terminal for it.
func (e Env) CopyText(text string) {
	fmt.Fprintf(e.Err, "\x1b]52;c;%s\a", base64.StdEncoding.EncodeToString([]byte(text)))
}

// Zone returns the user's time zone: $TZ or the system's, UTC when neither has a name that the
// server could know.
func (e Env) Zone() *time.Location {
	name := strings.TrimPrefix(e.Vars["TZ"], ":")
	if name == "" {
		link, _ := os.Readlink("/etc/localtime") // none: UTC
		_, name, _ = strings.Cut(link, "zoneinfo/")
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" || utc[name] {
		return time.UTC
	}
	return zone
}

// utc has the other names that the IANA database has for UTC.
var utc = map[string]bool{
	"Etc/UTC": true, "Etc/UCT": true, "Etc/Universal": true, "Etc/Zulu": true,
	"UCT": true, "Universal": true, "Zulu": true,
}
