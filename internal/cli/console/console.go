// Package console is a command's terminal, or the files and pipes in its place. Output may contain
// what others wrote, so all of it is made harmless here. The package knows nothing of links.
package console

import (
	"cmp"
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

// Env is a command's environment: its streams, its variables, and the version of the binary.
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

// ASCII reports whether the locale says that a terminal shows no other characters.
func (e Env) ASCII() bool {
	locale := cmp.Or(e.Vars["LC_ALL"], e.Vars["LC_CTYPE"], e.Vars["LANG"])
	return locale == "C" || locale == "POSIX"
}

// DefaultWidth is the width of charts without a terminal.
const DefaultWidth = 80

// Width returns the number of columns of the output's terminal, 0 if it is not a terminal.
func (e Env) Width() int {
	if !IsTerminal(e.Out) {
		return 0
	}
	width, _, err := term.GetSize(int(e.Out.(*os.File).Fd())) //nolint:errcheck // see above
	if err != nil || width <= 0 {
		return DefaultWidth
	}
	return width
}

// CanAsk reports whether somebody can answer a question.
func (e Env) CanAsk() bool { return IsTerminal(e.In) && IsTerminal(e.Err) }

// ErrNoAnswer means that the input ended before an answer.
var ErrNoAnswer = errors.New("no answer")

// ErrInterrupted means that the command's context ended.
var ErrInterrupted = errors.New("Interrupted.") //nolint:revive,staticcheck // a sentence for people

// Ask asks a question and returns the line that answers it.
func (e Env) Ask(ctx context.Context, question string) (string, error) {
	fmt.Fprint(e.Err, question)
	line, err := Until(ctx, func() (string, error) { return ReadLine(e.In) })
	if errors.Is(err, io.EOF) {
		fmt.Fprintln(e.Err)
		return "", ErrNoAnswer
	}
	return line, err
}

// AskSecret is like Ask, but the terminal does not show the answer.
func (e Env) AskSecret(ctx context.Context, question string) (string, error) {
	f, ok := e.In.(*os.File)
	if !ok {
		return "", ErrNoAnswer
	}
	// term.ReadPassword would change the terminal's modes from its goroutine, maybe after they are
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

// oneByte reads a byte at a time, to leave what follows a line for the next reader.
type oneByte struct{ io.Reader }

func (r oneByte) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(1, len(p))]) }

// AskTwice asks for a new secret until it is typed the same way twice.
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

// ErrLongLine means that a line exceeds MaxLineBytes.
var ErrLongLine = fmt.Errorf("a line is longer than %d bytes", MaxLineBytes)

// ErrUTF16 means that a text is in UTF-16, which some spreadsheets and shells write.
var ErrUTF16 = errors.New("the text is UTF-16; save it as UTF-8")

// Beginning prepares the beginning of a text from a file, a pipe or a variable. It removes the byte
// order mark that some programs put before UTF-8, and refuses UTF-16: the byte order mark of UTF-16
// is not valid UTF-8, and without one its ASCII characters have zero bytes.
func Beginning(text string) (string, error) {
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") ||
		strings.IndexByte(text, 0) >= 0 {
		return "", ErrUTF16
	}
	return strings.TrimPrefix(text, "\ufeff"), nil
}

// ReadAll reads a short text.
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

// ReadLine reads one line byte by byte, to leave what follows it for the next reader.
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

// Lines returns the lines of in, without surrounding white space.
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

// Until runs a function that can't be interrupted, such as a read of the keyboard, until ctx ends.
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

// CopyText copies a text to the clipboard of the person at the terminal, even over SSH: the escape
// sequence OSC 52 asks the terminal to do so.
func (e Env) CopyText(text string) {
	fmt.Fprintf(e.Err, "\x1b]52;c;%s\a", base64.StdEncoding.EncodeToString([]byte(text)))
}

// Zone returns the user's time zone: $TZ or the system's, UTC if neither has a name that the server
// may know.
func (e Env) Zone() *time.Location {
	name := strings.TrimPrefix(e.Vars["TZ"], ":")
	if name == "" {
		link, _ := os.Readlink("/etc/localtime") // without it, UTC
		_, name, _ = strings.Cut(link, "zoneinfo/")
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" || utc[name] {
		return time.UTC
	}
	return zone
}

// utc lists the other names that the IANA database has for UTC.
var utc = map[string]bool{
	"Etc/UTC": true, "Etc/UCT": true, "Etc/Universal": true, "Etc/Zulu": true,
	"UCT": true, "Universal": true, "Zulu": true,
}
