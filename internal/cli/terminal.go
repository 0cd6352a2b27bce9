package cli

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mattn/go-runewidth"
	"golang.org/x/term"
)

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// defaultWidth is how wide charts are where there is no terminal to ask.
const defaultWidth = 80

// width returns the columns of the terminal that output goes to, 0 when it is none.
func (e Env) width() int {
	if !IsTerminal(e.Out) {
		return 0
	}
	width, _, err := term.GetSize(int(e.Out.(*os.File).Fd())) //nolint:errcheck // IsTerminal knows
	if err != nil || width <= 0 {
		return defaultWidth
	}
	return width
}

// canAsk reports whether there is somebody to answer a question.
func (e Env) canAsk() bool { return IsTerminal(e.In) && IsTerminal(e.Err) }

// errNoAnswer is the end of input in place of an answer.
var errNoAnswer = errors.New("no answer")

// ask puts a question and returns the line that answers it.
func (e Env) ask(ctx context.Context, question string) (string, error) {
	fmt.Fprint(e.Err, question)
	line, err := until(ctx, func() (string, error) { return readLine(e.In) })
	if errors.Is(err, io.EOF) {
		fmt.Fprintln(e.Err)
		return "", errNoAnswer
	}
	return line, err
}

// askSecret is ask for what the terminal must not show.
func (e Env) askSecret(ctx context.Context, question string) (string, error) {
	f, ok := e.In.(*os.File)
	if !ok {
		return "", errNoAnswer
	}
	// ReadPassword would show what is typed between the question and its call, and leave the
	// terminal mute when it is left waiting.
	fd := int(f.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return "", fmt.Errorf("terminal: %w", err)
	}
	fmt.Fprint(e.Err, question)
	secret, err := until(ctx, func() ([]byte, error) { return term.ReadPassword(fd) })
	_ = term.Restore(fd, before)
	fmt.Fprintln(e.Err)
	if errors.Is(err, io.EOF) {
		return "", errNoAnswer
	}
	return strings.TrimSpace(string(secret)), err
}

// readLine reads one line byte by byte: what comes after it is for the next reader.
func readLine(r io.Reader) (string, error) {
	var line strings.Builder
	for one := make([]byte, 1); line.Len() < maxLineBytes; {
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
	return "", fmt.Errorf("a line is longer than %d bytes", maxLineBytes)
}

// until runs what can't be interrupted, such as a read of the keyboard, until ctx ends.
func until[T any](ctx context.Context, wait func() (T, error)) (T, error) {
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
		return none, ctx.Err()
	}
}

// copyText puts a text into the clipboard of the person at the terminal, also over SSH: the
// escape sequence OSC 52 asks the terminal for it.
func (e Env) copyText(text string) {
	fmt.Fprintf(e.Err, "\x1b]52;c;%s\a", base64.StdEncoding.EncodeToString([]byte(text)))
}

// colors paints text, or leaves it as it is.
type colors bool

// colors returns what suits the output: no colours except on a terminal, and none there if
// NO_COLOR (no-color.org) or TERM=dumb asks for none.
func (e Env) colors() colors {
	return colors(IsTerminal(e.Out) && e.Vars["NO_COLOR"] == "" && e.Vars["TERM"] != "dumb")
}

func (c colors) bold(s string) string   { return c.paint("1", s) }
func (c colors) dim(s string) string    { return c.paint("2", s) }
func (c colors) accent(s string) string { return c.paint("36", s) }

func (c colors) paint(code, s string) string {
	if !c || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[m"
}

// printable escapes what others sent and what could steer the terminal or mislead the reader:
// control characters, C1 too, and invisible ones such as those that change the direction.
func printable(s string) string {
	return escape(s, func(r rune) string { return strings.Trim(strconv.QuoteRuneToASCII(r), "'") })
}

// printJSON prints a server's answer for programs. What a terminal must not get raw is escaped as
// JSON allows: it is the same text for who reads it.
func (e Env) printJSON(answer any) error {
	b, err := json.Marshal(answer, json.Deterministic(true), jsontext.Multiline(true))
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	_, err = fmt.Fprintln(e.Out, escape(string(b), func(r rune) string {
		switch high, low := utf16.EncodeRune(r); {
		case r == '\n' || r == '\t': // between the values
			return string(r)
		case high != unicode.ReplacementChar:
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	}))
	return err
}

// escape replaces the hidden characters of a text.
func escape(s string, as func(rune) string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			b.WriteString(as(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }

// cells measures text in columns of a terminal. Characters of ambiguous width take one: only old
// East Asian terminals see that otherwise.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// fit cuts text to a number of columns, or fills it up.
func fit(s string, columns int) string {
	return cells.FillRight(cells.Truncate(s, columns, "…"), columns)
}
